"""Mass and momentum that are accounted for: rounding passes, a part left out does not."""

from __future__ import annotations

import pytest

from haptos.results.balances import mass_check, momentum_check


def test_masses_that_agree_to_rounding_hold() -> None:
    built = 520.0 + 1e-3
    check = mass_check(built, [built, built * (1.0 + 2e-16)])
    assert check.holds
    assert check.name == "mass"


@pytest.mark.parametrize("missing", [1e-7, 1e-9])
def test_a_part_that_is_left_out_is_seen_at_either_end(missing: float) -> None:
    for simulated in ([520.0 - missing, 520.0], [520.0, 520.0 - missing]):
        assert not mass_check(520.0, simulated).holds


def test_every_transfer_may_round_and_no_more() -> None:
    off = [100.0, 100.0 * (1.0 + 1e-11)]
    assert not mass_check(100.0, off).holds
    assert mass_check(100.0, off, transfers=100_000).holds
    assert not mass_check(100.0, [100.0, 100.0 + 1e-7], transfers=100_000).holds


def test_momentum_is_what_impulses_gave() -> None:
    assert momentum_check([1.0, 0.0, -2.0], [1.0, 0.0, -2.0], 3.0).holds
    spoiled = momentum_check([1.0, 0.0, -2.0], [1.0, 1e-8, -2.0], 3.0)
    assert not spoiled.holds
    assert spoiled.value == pytest.approx(1e-8 / 3.0)


def test_momentum_without_a_scale_is_measured_as_it_is() -> None:
    assert momentum_check([0.0] * 3, [0.0] * 3, 0.0).holds
    assert not momentum_check([1e-6, 0.0, 0.0], [0.0] * 3, 0.0).holds


def test_numbers_are_plain_so_that_stored_runs_open_the_same() -> None:
    import numpy as np

    found = (
        mass_check(np.float64(2.0), [np.float64(2.0)]),
        momentum_check([0.0] * 3, [0.0] * 3, 1.0),
    )
    assert {type(number) for check in found for number in (check.value, check.bound)} == {float}
