"""The ledger adds up, and says so honestly when it does not."""

from __future__ import annotations

import math
import subprocess
import sys

import numpy as np
import pytest

from haptos.core.errors import HaptosError
from haptos.results.ledger import EnergyLedger
from tests.close import assert_close
from tests.results.hop import hop


def account(**changes: object) -> EnergyLedger:
    """Two joules turn from potential to kinetic while friction takes half a joule."""
    fields: dict[str, object] = {
        "time": [0.0, 1.0, 2.0],
        "stores": {"kinetic": [0.0, 1.0, 1.5], "potential": [2.0, 0.75, 0.0]},
        "works": {"friction": [0.0, -0.25, -0.5]},
        "scale": 2.0,
        "bound": 1e-6,
        "max_remainder": 1e-6,
    }
    return EnergyLedger(**(fields | changes))  # type: ignore[arg-type]


def test_total_is_the_sum_of_the_stores() -> None:
    assert account().total.tolist() == [2.0, 1.75, 1.5]


def test_an_account_that_adds_up_has_no_remainder() -> None:
    assert account().remainder.tolist() == [0.0, 0.0, 0.0]


def test_energy_from_nowhere_is_the_remainder_with_its_sign() -> None:
    stores = {"kinetic": [0.0, 1.0, 1.75], "potential": [2.0, 0.5, 0.0]}
    assert account(stores=stores).remainder.tolist() == [0.0, -0.25, 0.25]


def test_the_remainder_of_the_hop_is_the_drift_put_into_it() -> None:
    result = hop(error=1e-7)
    drift = 1e-7 * np.linspace(0.0, 1.0, result.ledger.time.size)
    # Rounding of the sums is one part in 1e16 of the energy, one in 1e9 of the drift.
    assert_close(result.ledger.remainder / result.ledger.scale, drift, rtol=1e-8)


def test_dissipation_is_positive_and_exactly_zero_for_an_idle_actor() -> None:
    ledger = account(works={"friction": [0.0, -0.25, -0.5], "spin": [0.0, 0.0, 0.0]})
    assert ledger.dissipated == {"friction": 0.5, "spin": 0.0}
    assert math.copysign(1.0, ledger.dissipated["spin"]) == 1.0


def test_it_closes_up_to_and_including_the_bound() -> None:
    assert account(max_remainder=2e-6).closes
    assert not account(max_remainder=2.0000001e-6).closes


@pytest.mark.parametrize(
    ("scale", "max_remainder"), [(2.0, math.nan), (math.nan, 0.0), (0.0, 1e-9), (0.0, math.nan)]
)
def test_numbers_that_cannot_be_judged_do_not_close(scale: float, max_remainder: float) -> None:
    ledger = account(scale=scale, max_remainder=max_remainder)
    assert not ledger.closes
    assert "does not close" in ledger.verdict


def test_a_run_that_starts_with_no_energy_and_keeps_none_closes() -> None:
    ledger = account(scale=0.0, max_remainder=0.0)
    assert ledger.closes
    assert ledger.relative_remainder == 0.0


def test_no_row_misses_more_than_the_largest_remainder() -> None:
    ledger = account(stores={"kinetic": [0.0, 1.0, 1.75], "potential": [2.0, 0.5, 0.0]})
    assert ledger.max_remainder == np.abs(ledger.remainder).max() == 0.25
    assert ledger.step_remainder == 1e-6
    assert math.isnan(account(max_remainder=math.nan).max_remainder)


def test_the_kernels_own_maximum_counts_though_the_series_misses_it() -> None:
    ledger = account(max_remainder=0.1)
    assert not ledger.remainder.any()
    assert ledger.relative_remainder == 0.05


def test_the_verdict_names_remainder_and_bound() -> None:
    assert account().verdict == (
        "The energy ledger closes: the largest remainder is 5e-07 of the energy of the run, "
        "1e-06 J of 2 J; the bound is 1e-06."
    )


def test_an_account_without_actors_keeps_its_energy() -> None:
    ledger = account(stores={"kinetic": [1.0, 1.0, 1.5]}, works={})
    assert ledger.remainder.tolist() == [0.0, 0.0, 0.5]
    assert ledger.dissipated == {}


@pytest.mark.parametrize(
    "wrong",
    [
        {"time": []},
        {"time": [[0.0, 1.0, 2.0]]},
        {"stores": {"kinetic": [0.0, 1.0]}},
        {"works": {"friction": 0.0}},
    ],
)
def test_series_of_the_wrong_length_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(HaptosError, match="shape"):
        account(**wrong)


def test_series_cannot_be_changed_from_inside_or_outside() -> None:
    mine = np.array([0.0, 1.0, 2.0])
    ledger = account(time=mine)
    mine[0] = 7.0
    assert ledger.time[0] == 0.0
    with pytest.raises(ValueError, match="read-only"):
        ledger.time[0] = 7.0


@pytest.mark.parametrize(
    "change",
    [
        {"time": [0.0, 1.0, np.nextafter(2.0, 3.0)]},
        {"works": {"rolling": [0.0, -0.25, -0.5]}},
        {"works": {"friction": [-0.0, -0.25, -0.5]}},
        {"scale": 2.1},
        {"bound": 1e-7},
        {"max_remainder": math.nan},
    ],
)
def test_equality_sees_every_bit_and_every_name(change: dict[str, object]) -> None:
    assert account().equals(account())
    assert not account().equals(account(**change))


def test_nan_equals_nan() -> None:
    assert account(max_remainder=math.nan).equals(account(max_remainder=math.nan))


def test_importing_the_ledger_does_not_import_heavy_libraries() -> None:
    code = (
        "import sys, haptos.results.ledger, haptos.results.result;"
        "heavy = {'xarray', 'pandas', 'matplotlib', 'numba', 'h5py', 'scipy'} & set(sys.modules);"
        "assert not heavy, heavy"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
