"""Nets driven to extremes: every run ends with an outcome and with numbers that are numbers."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

import haptos as hp
from haptos.core.outcome import Outcome
from haptos.results.result import Result

KNOWN_NAN = {"band_low_m", "band_high_m", "tolerance"}  # of a net that never opens


def run(**changes: Any) -> Result:
    return hp.simulate(hp.default("net-small", changes))


def assert_whole(result: Result, *, allowed: tuple[str, ...] = ()) -> None:
    """All that is stored is finite, and all key figures but those that did not happen."""
    for name, variable in result.trajectory.data_vars.items():
        assert np.isfinite(variable.values).all(), name
    odd = {name for name, value in result.metrics.items() if not math.isfinite(value)}
    assert odd <= KNOWN_NAN | set(allowed)
    assert math.isfinite(result.ledger.relative_remainder)


def test_everything_breaks_and_the_run_goes_on():
    result = run(
        bullets={"mass_kg": 20.0},
        shot={"angle_deg": 80.0, "speed_m_per_s": 10.0, "pressure_Pa": 1e8},
        threads={"axial_stiffness_N": 850.0},
        run={"duration_s": 0.3},
    )
    assert_whole(result, allowed=("first_touch_s", "quality_at_touch_percent"))
    broken = result.tables["broken"]
    assert result.metrics["broken_elements"] == broken.sizes["break"] > 4
    assert len(np.unique(broken["element"].values)) == broken.sizes["break"]
    strength = 106 * 9.80665e6  # [Pa] of nylon 66
    assert result.metrics["largest_stress_Pa"] <= strength * (1.0 + 1e-9)
    assert result.ended in (Outcome.MISSED, Outcome.SLIPPED)


def test_bullets_that_miss_are_told():
    result = run(target={"offset_m": [5.0, 0.0]})
    assert result.outcome is Outcome.MISSED
    assert_whole(result, allowed=("first_touch_s", "quality_at_touch_percent"))
    assert result.metrics["peak_contact_force_N"] == 0.0


def test_a_shot_of_100_m_per_s_ends():
    result = run(
        shot={"speed_m_per_s": 100.0, "pressure_Pa": 1e7},
        run={"duration_s": 0.04, "output_interval_s": 5e-4},
    )
    assert result.ended in (Outcome.CAPTURED, Outcome.SLIPPED, Outcome.MISSED)
    assert_whole(result, allowed=("first_touch_s", "quality_at_touch_percent"))


def test_a_target_that_spins_at_60_deg_per_s_ends():
    result = run(target={"rate_deg_per_s": [0.0, 0.0, 60.0]})
    assert result.ended in (Outcome.CAPTURED, Outcome.SLIPPED)
    assert_whole(result)
    assert 0.0 < result.metrics["target_rate_rad_per_s"] < math.radians(61.0)


def test_the_smallest_net_ends():
    result = run(net={"kind": "planar-b", "strings": 4, "rings": 1, "width_m": 1.0, "height_m": 1.0, "nodes_per_link": 0})  # fmt: skip
    assert_whole(result)
    assert result.ended in (Outcome.CAPTURED, Outcome.SLIPPED)


def test_a_net_of_one_cell_ends(tmp_path):
    knots = "id,x_m,y_m,z_m,role,mouth\n" + "\n".join(
        f"{i},0.0,{y},{z},{role},{i}"
        for i, (y, z, role) in enumerate(
            [(-0.5, -0.5, "corner"), (0.5, -0.5, "corner"), (0.5, 0.5, "corner"), (-0.5, 0.5, "corner")]
        )
    )  # fmt: skip
    (tmp_path / "knots.csv").write_text(knots + "\n4,0.0,0.0,-0.5,tether,\n")
    (tmp_path / "links.csv").write_text("first,second\n0,4\n4,1\n1,2\n2,3\n3,0\n")
    result = run(
        net={
            "kind": "file",
            "knots_file": str(tmp_path / "knots.csv"),
            "links_file": str(tmp_path / "links.csv"),
        }
    )
    assert_whole(result, allowed=("first_touch_s", "quality_at_touch_percent"))


def test_a_net_tied_to_the_chaser_by_a_tether_of_no_length_stays_with_it():
    result = run(tether={"length_m": 0.0})
    assert_whole(result, allowed=("first_touch_s", "quality_at_touch_percent"))
    end = result.trajectory.isel(time=-1)
    near = np.linalg.norm(end["r_point_N"].values - end["r_BN_N"].values[0], axis=1)
    assert near.max() < 2.5
    assert result.ended in (Outcome.CAPTURED, Outcome.SLIPPED, Outcome.MISSED)


def test_all_at_once_ends():
    result = run(
        bullets={"mass_kg": 5.0, "lost": [1]},
        shot={"speeds_m_per_s": [20.0, 0.0, 20.0, 20.0], "random_share": 1.0},
        errors={"mass": 0.9, "angle": 0.9, "delay": 0.9},
        target={"rate_deg_per_s": [60.0, 60.0, 60.0]},
        run={"duration_s": 0.2, "output_interval_s": 0.005},
    )
    assert_whole(result, allowed=("first_touch_s", "quality_at_touch_percent"))
