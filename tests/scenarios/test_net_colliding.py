"""Rigid bodies of a net scenario that strike each other: by default, unless switched off."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import haptos as hp
from haptos.dynamics.contacts.memories import HULL_MET
from haptos.results.result import Result
from haptos.scenarios.files import default
from haptos.scenarios.net.model import build
from tests.close import assert_close

NEARING = {"chaser": {"velocity_m_per_s": [1.0, 0.0, 0.0], "mass_kg": 40.0}}


def run(**changes: Any) -> Result:
    table = {**NEARING, "run": {"duration_s": 1.0}, **changes}
    return hp.simulate(hp.default("net-small", table))


def speeds(result: Result) -> np.ndarray:
    end = result.trajectory.isel(time=-1)
    return np.asarray(end["v_BN_N"].values[:2, 0])


def test_both_schemes_agree_on_a_bounce() -> None:
    calm = {
        "bullets": {"lost": [0, 1, 2, 3]}, "shot": {"speed_m_per_s": 1e-3}, "chaser": {**NEARING["chaser"], "velocity_m_per_s": [1.5, 0.0, 0.0]},
    }  # fmt: skip
    steps = {"duration_s": 0.55, "output_interval_s": 0.05}
    ends = [
        speeds(run(**calm, tether={"length_m": 5.0}, run={**steps, "scheme": scheme}))
        for scheme in ("verlet", "dormand-prince")
    ]
    assert ends[0][1] > 0.5
    assert_close(ends[0], ends[1], rtol=5e-3, scale=1.0)


@pytest.fixture(scope="module")
def struck() -> Result:
    return run()


def test_a_chaser_that_flies_into_its_target_pushes_it(struck: Result) -> None:
    assert struck.metrics["bodies_contacts"] > 0.0
    assert struck.metrics["bodies_peak_force_N"] > 0.0
    assert speeds(struck)[1] > 0.5  # of 1 m/s: twice as heavy, and it bounces
    assert struck.trusted
    total = struck.trajectory["momentum_N"].values
    assert_close(total[-1], total[0], rtol=1e-12, scale=40.0)


def test_without_contact_of_bodies_it_flies_through() -> None:
    through = run(contact={"bodies": False})
    assert "bodies_contacts" not in through.metrics
    assert abs(speeds(through)[1]) < 0.1


def test_bodies_of_the_users_own_touch_all_others() -> None:
    body = {
        "name": "tug", "mass_kg": 3.0, "size_m": [0.2, 0.2, 0.2], "position_m": [1.4, 0.0, 0.6],
        "velocity_m_per_s": [0.0, 0.0, -1.0],
    }  # fmt: skip
    result = hp.simulate(default("net-small", {"bodies": [body], "run": {"duration_s": 0.6}}))
    assert result.metrics["bodies_contacts"] > 0.0
    end = result.trajectory.isel(time=-1)
    names = [str(name) for name in end["body"].values]
    assert end["v_BN_N"].values[names.index("tug"), 2] > 0.0
    assert result.trusted


def test_pairs_are_told_both_ways_and_only_of_bodies_that_move() -> None:
    hulls = build(default("net-small")).system.hulls
    assert sorted(zip(hulls.owner.tolist(), hulls.body.tolist(), strict=True)) == [(0, 1), (1, 0)]
    stands = {"chaser": {"holds_place": True}, "target": {"holds_place": True}}
    assert len(build(default("net-small", stands)).system.hulls.owner) == 0
    assert build(default("net-small")).motion.contacts.hulls.tally[:, HULL_MET].sum() == 0.0


@pytest.mark.parametrize("aside", [0.0, 1e-3])
def test_boxes_of_one_size_that_meet_in_line_do_not_pass_through_each_other(aside: float) -> None:
    cube = {"size_m": [0.2, 0.2, 0.2]}
    bodies = [
        {"name": "still", "mass_kg": 2.0, "position_m": [0.0, 20.0, 0.0], **cube},
        {
            "name": "moving", "mass_kg": 1.0, "position_m": [aside, 20.5, aside],
            "velocity_m_per_s": [0.0, -1.0, 0.0], **cube,
        },
    ]  # fmt: skip
    changes = {"bodies": bodies, "contact": {"alpha_s_per_m": 0.0}, "run": {"duration_s": 0.4}}
    result = hp.simulate(default("net-small", changes))
    names = [str(name) for name in result.trajectory["body"].values]
    end = result.trajectory.isel(time=-1)["v_BN_N"].values[:, 1]
    found = end[[names.index("still"), names.index("moving")]]
    assert_close(found, np.array([-2.0 / 3.0, 1.0 / 3.0]), rtol=1e-2, scale=1.0)
    assert result.trusted
