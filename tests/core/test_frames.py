"""Frame letters and the texts that name frames."""

from __future__ import annotations

import pytest

from haptos.core.frames import NO_FRAME, Frame, is_frame


def test_the_letters_are_exactly_the_seven_of_the_convention() -> None:
    assert [frame.letter for frame in Frame] == ["N", "A", "B", "H", "L", "S", "C"]


@pytest.mark.parametrize("frame", list(Frame))
def test_every_frame_is_known_by_its_letter_and_described(frame: Frame) -> None:
    assert is_frame(str(frame))
    assert len(frame.description.split()) >= 4


@pytest.mark.parametrize("text", ["A", "B1", "B12", "AB", "NA", "B2B1", NO_FRAME])
def test_bodies_are_numbered_and_rotations_name_two_frames(text: str) -> None:
    assert is_frame(text)


@pytest.mark.parametrize("text", ["", "Q", "a", "ABN", "1", "A ", "body", "A-"])
def test_anything_else_is_no_frame(text: str) -> None:
    assert not is_frame(text)
