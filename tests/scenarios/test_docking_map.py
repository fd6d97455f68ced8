"""Success maps of docking: hard bounds of the funnel, Wilson's intervals, campaigns that are what they say."""

from __future__ import annotations

import itertools
import math

import pytest

import haptos
from haptos.campaign.intervals import share_interval
from haptos.scenarios.docking.model import build
from haptos.scenarios.files import default

EXIT, TOOL, LENGTH = 0.120, 0.035, 0.300


def reach(offset: float, tilt_deg: float) -> float:
    """Offset [m] of the exit's centre when offset and tilt point the same way."""
    return offset + LENGTH * math.tan(math.radians(tilt_deg))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("offset", "tilt"), [(0.088, 0.0), (0.095, 0.0), (0.120, 0.0), (0.130, 0.0), (0.080, 1.5)]
)
def test_beyond_the_exit_nothing_succeeds(offset: float, tilt: float):
    """Loops off, a camera that sees what is not there, no gate of the funnel: the rim alone stops the tool."""
    assert reach(offset, tilt) > EXIT - TOOL
    azimuth, turn = math.radians(40.0), math.radians(tilt)
    c, s = math.cos(azimuth), math.sin(azimuth)
    bias = [0.0, -offset * c, -offset * s, 0.0, turn * s, -turn * c]
    changes = {
        "start": {
            "offset_m": offset, "offset_azimuth_deg": 40.0, "tilt_deg": tilt, "tilt_azimuth_deg": 40.0,
            "velocity_m_per_s": [-0.0007, 0.0, 0.0], "rate_deg_per_s": [0.0, 0.0, 0.0],
        },
        "sensors": {"camera": {"faults": [{"kind": "bias", "at_s": 0.0, "offset": bias}]}},
        "control": {"off_at_s": 0.0}, "sequence": {"until": "locked", "funnel_s": 1000.0},
        "run": {"duration_s": 70.0, "stay_s": 0.0},
    }  # fmt: skip
    found = haptos.simulate(default("docking", changes))
    assert found.ended.label == "rebounded"
    assert found.trusted, found.verdict
    assert found.metrics["insertion_force_N"] > 5.0
    assert math.isnan(found.metrics["lock_s"])


@pytest.mark.slow
def test_a_run_until_the_lock_ends_there_however_long_others_stay():
    config = default("docking", {"sequence": {"until": "locked"}, "run": {"stay_s": 300.0}})
    found = haptos.simulate(config)
    assert found.ended.label == "captured"
    assert float(found.trajectory["time"][-1]) < found.metrics["lock_s"] + 15.0


def test_the_bell_is_nowhere_so_steep_that_a_nose_would_stop():
    """A nose on a wall of the slope b slides on if tan b < 1/mu: 73 deg at 0.3."""
    config = default("docking")
    wall = build(config).shapes.wall
    bell = wall[wall[:, 0] >= 0.0]
    steepest = max(
        (b[1] - a[1]) / (b[0] - a[0]) for a, b in itertools.pairwise(bell) if b[0] > a[0]
    )
    assert steepest < 1.0 / config.contact.friction_at_rest


def test_crown_and_shoulder_are_too_far_apart_to_wedge_in_the_throat():
    """Two points wedge only if they are nearer than friction times the diameter they sit in."""
    config = default("docking")
    model = build(config)
    diameter = 2.0 * config.nozzle.throat_radius_m
    assert abs(model.shapes.shoulder_x) > config.contact.friction_at_rest * diameter


def test_intervals_of_a_cell_are_wilsons():
    low, high = share_interval(4, 4)
    z = 1.959963984540054
    assert low == pytest.approx(4.0 / (4.0 + z * z), rel=1e-9)
    assert high == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("name", "runs"),
    [("docking-map", 3528), ("docking-map-small", 196), ("docking-rates", 196), ("docking-friction", 140),
     ("docking-noise", 120), ("docking-retraction", 50), ("docking-demo", 5)],
)  # fmt: skip
def test_campaigns_have_the_runs_they_say(name: str, runs: int):
    from haptos.cli.builtin import loaded_plan

    assert loaded_plan(name).total == runs
