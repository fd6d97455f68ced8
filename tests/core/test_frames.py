"""Frame letters and the names that carry them."""

from __future__ import annotations

import pytest

from haptos.core.errors import HaptosError
from haptos.core.frames import Frame, frame_of


def test_the_letters_are_exactly_the_six_of_the_convention() -> None:
    assert [frame.letter for frame in Frame] == ["N", "A", "B", "H", "S", "C"]


@pytest.mark.parametrize("frame", list(Frame))
def test_every_letter_leads_back_to_its_described_frame(frame: Frame) -> None:
    assert Frame.from_letter(str(frame)) is frame
    assert len(frame.description.split()) >= 4


def test_an_unknown_letter_is_refused_with_the_known_ones() -> None:
    with pytest.raises(HaptosError) as caught:
        Frame.from_letter("Q")
    assert caught.value.found == "'Q'"
    assert "A (small_body)" in caught.value.allowed


@pytest.mark.parametrize(
    ("name", "frame"),
    [
        ("r_BA_A", "A"),
        ("omega_BN_B", "B"),
        ("v_B1N_N", "N"),
        ("r_B2B1_B1", "B1"),
        ("contact_count", "-"),
        ("energy_SI", "-"),
        ("normal_force_Na", "-"),
        ("A", "-"),
        ("", "-"),
    ],
)
def test_the_frame_of_a_name_is_its_last_letter_if_that_is_a_frame(name: str, frame: str) -> None:
    assert frame_of(name) == frame
