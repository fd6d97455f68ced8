"""Sobol indices: Ishigami's function in closed form through a campaign plan, and from given data."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from haptos.campaign.plan import CampaignPlan, load_plan
from haptos.campaign.sensitivity import given_data_indices, indices_of_runs
from haptos.core.errors import ConfigError, HaptosError
from tests.campaign.fake_scenario import write_study
from tests.close import assert_close

STUDY = """
schema = 1
scenario = "lander"
base = "lander"
[campaign]
seed = 3
points = 1024
[contact]
friction = { sweep = "saltelli", low = 0.0, high = 1.0 }
rolling_resistance_m = { sweep = "saltelli", low = 0.0, high = 1.0 }
[probe]
mass_kg = { sweep = "saltelli", low = 0.01, high = 1.0, spacing = "log" }
"""
KEYS = ["contact.friction", "contact.rolling_resistance_m", "probe.mass_kg"]
FIRST = [0.3139, 0.4424, 0.0]  # of Ishigami's function with 7 and 0.1
TOTAL = [0.5576, 0.4424, 0.2437]


def ishigami(x: np.ndarray) -> np.ndarray:
    a, b, c = (np.pi * (2.0 * x - 1.0)).T
    return np.sin(a) + 7.0 * np.sin(b) ** 2 + 0.1 * c**4 * np.sin(a)


def table(plan: CampaignPlan) -> pd.DataFrame:
    values = pd.DataFrame(list(plan.values_of(range(plan.total))))[KEYS]
    fractions = values.to_numpy(dtype=float).copy()
    fractions[:, 2] = np.log(fractions[:, 2] / 0.01) / np.log(100.0)
    places = {"run": range(plan.total), "point": range(plan.total), "trusted": True}
    return pd.DataFrame(places).assign(**values, y=ishigami(fractions))


@pytest.fixture
def plan(tmp_path) -> CampaignPlan:
    return load_plan(write_study(tmp_path, STUDY))


def test_indices_of_a_known_function_come_out_of_a_campaign(plan):
    assert plan.points == 1024 * 5
    found = indices_of_runs(plan, table(plan), "y")
    assert list(found.index) == KEYS
    # The estimators at 1024 points are good to about 0.03.
    assert_close(found["first"], FIRST, rtol=0.04, scale=1.0)
    assert_close(found["total"], TOTAL, rtol=0.04, scale=1.0)
    assert np.all((found["total_low"] <= TOTAL) & (TOTAL <= found["total_high"]))


def test_the_design_is_the_same_for_the_same_seed(plan, tmp_path):
    again = load_plan(write_study(tmp_path, STUDY, "again.toml"))
    assert plan.values(77) == again.values(77)
    other = load_plan(write_study(tmp_path, STUDY.replace("seed = 3", "seed = 4"), "other.toml"))
    assert plan.values(77) != other.values(77)


def test_first_order_indices_come_from_runs_drawn_at_random():
    x = np.random.default_rng(1).random((4000, 3))
    runs = pd.DataFrame(x, columns=KEYS).assign(trusted=True, y=ishigami(x))
    found = given_data_indices(runs, KEYS, "y")
    assert_close(found["first"], FIRST, rtol=0.05, scale=1.0)


def test_the_same_runs_give_the_same_indices_and_no_other_random_numbers_change(plan):
    x = np.random.default_rng(1).random((300, 3))
    runs = pd.DataFrame(x, columns=KEYS).assign(trusted=True, y=ishigami(x))
    np.random.seed(5)
    first = given_data_indices(runs, KEYS, "y")
    after = np.random.random()
    np.random.seed(5)
    assert np.random.random() == after
    pd.testing.assert_frame_equal(given_data_indices(runs, KEYS, "y"), first, check_exact=True)
    twice = [indices_of_runs(plan, table(plan), "y") for _ in range(2)]
    pd.testing.assert_frame_equal(*twice, check_exact=True)


def test_what_cannot_give_indices_is_refused(plan, tmp_path):
    runs = table(plan)
    with pytest.raises(HaptosError, match="no column 'z'"):
        indices_of_runs(plan, runs, "z")
    with pytest.raises(HaptosError, match="1 of 5120 points"):
        indices_of_runs(plan, runs.assign(y=runs["y"].where(runs["point"] != 5)), "y")
    with pytest.raises(HaptosError, match="same value"):
        indices_of_runs(plan, runs.assign(y=1.0), "y")
    with pytest.raises(HaptosError, match="usable runs"):
        given_data_indices(runs[:50], KEYS, "y")
    with pytest.raises(HaptosError, match="same value"):
        given_data_indices(runs[:200].assign(y=1.0), KEYS, "y")
    with pytest.raises(ConfigError, match="power of two"):
        load_plan(write_study(tmp_path, STUDY.replace("1024", "1000"), "odd.toml"))
    mixed = STUDY.replace('"saltelli", low = 0.0, high = 1.0 }', '"grid", values = [0.1, 0.2] }', 1)
    mixed = load_plan(write_study(tmp_path, mixed, "mixed.toml"))
    with pytest.raises(HaptosError, match="saltelli sweeps only"):
        indices_of_runs(mixed, runs, "y")
