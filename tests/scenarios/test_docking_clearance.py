"""Hulls, wings and boom that meet end a docking; shapes that cannot be are refused."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import haptos
from haptos.core.errors import HaptosError
from haptos.core.outcome import Outcome
from haptos.scenarios.docking.clearance import boom_parts, gaps, wing_parts
from haptos.scenarios.docking.model import CHASER, CLIENT, build
from haptos.scenarios.docking.scene import scene
from haptos.scenarios.docking.start_checks import check
from haptos.scenarios.files import default
from tests.close import assert_close

FACING = np.array([1.0, 0.0, 0.0, 0.0])
SPUN: dict[str, Any] = {
    "start": {"rate_deg_per_s": [0.0, 0.0, 4.0]}, "run": {"duration_s": 9.0, "stay_s": 0.0},
}  # fmt: skip


def aligned(changes: dict[str, Any], length: float) -> tuple[float, str]:
    """Least gap [m] of an aligned pair with the shoulder seated, the boom that long."""
    model = build(default("docking", changes))
    config = model.config
    root = np.array(config.chaser.root_m)
    ahead = np.array([1.0, 0.0, 0.0])
    throat = root + (length - config.tool.seat_m) * ahead
    boom = np.array([root, root + length * ahead])
    still = {b.name: [0.0] * len(b.wings) for b in model.bodies[:2]}
    return gaps(model, throat - np.array(config.client.throat_m), FACING, 0.0, boom, still)


def test_gaps_of_an_aligned_docking_are_those_of_its_drawing():
    gap, pair = aligned({}, 1.05)  # hull of the client 0.3 m behind the throat, tip 15.5 mm past it
    assert pair == "boom and client hull"
    assert_close(gap, 0.3 - 0.0155, rtol=1e-9)
    gap, pair = aligned(
        {}, 0.2
    )  # exit 0.3 m before the throat, hull of the chaser 0.2 m behind the root
    assert pair == "chaser hull and client nozzle"
    assert_close(gap, 0.2 + 0.2 - 0.0155 - 0.3, rtol=1e-9)


def test_a_client_that_spins_ends_the_run_where_a_wing_meets_one():
    """Both wings lie along y: 4 deg/s take the client's to the chaser's, whatever tool and nozzle do."""
    found = haptos.simulate(default("docking", SPUN))
    assert found.ended is Outcome.STRUCK
    assert "Not docked: chaser wing" in found.answer
    assert "meet at" in found.answer
    assert found.trusted, found.verdict
    time = found.metrics["ended_s"]
    # wing tip of the client 12.2 m out, the chaser's 5.7 m: the lines of both cross 4.7 m from the client or nearer
    assert 6.0 < time < 8.5
    assert found.metrics["least_clearance_m"] < 0.0
    assert np.isnan(found.metrics["docked_s"])


def test_the_same_spin_without_wings_meets_nothing_in_that_time():
    bare = {**SPUN, "client": {"wings": None}, "chaser": {"wings": None}}
    found = haptos.simulate(default("docking", bare))
    assert found.ended is not Outcome.STRUCK
    assert found.metrics["least_clearance_m"] > 0.0


def test_without_shapes_nothing_is_watched():
    none = {"client": {"wings": None, "hull": []}, "chaser": {"wings": None, "hull": []}}
    short = {"run": {"duration_s": 0.5, "stay_s": 0.0}}
    found = haptos.simulate(default("docking", {**none, **short}))
    assert math.isnan(found.metrics["least_clearance_m"])


@pytest.mark.parametrize(
    "changes",
    [
        {"chaser": {"hull": [{"box_m": [1.6, 1.4, 2.0]}]}},  # the bell would be inside when docked
        {"client": {"hull": [{"box_m": [2.9, 1.8, 2.3]}]}},  # the tip past the throat
        {"client": {"hull": [{"box_m": [9.0, 1.8, 2.3]}]}},  # at the start
        {"boom": {"radius_m": 0.0}},
        {"chaser": {"hull": [{"box_m": [1.0, 1.4, 0.0]}]}},
        {"client": {"hull": [{"box_m": [1.0, 1.4]}]}},
        {"client": {"hull": [{"size_m": [1.0, 1.4, 1.0]}]}},
        {"client": {"hull": [{"box_m": [0.1, 0.1, 0.1]}] * 17}},
        {"client": {"mass_kg": 110.0}},  # two wings of 60 kg
    ],
)
def test_hulls_that_leave_no_room_are_refused_in_four_parts(changes):
    with pytest.raises(HaptosError) as refusal:
        check(default("docking", changes))
    text = str(refusal.value)
    assert "found" in text
    assert "allowed" in text
    assert "try" in text


def test_a_wing_turns_with_its_drive_and_is_thicker_by_its_bend():
    model = build(default("docking", {"client": {"wings": {"rate_deg_per_s": 1.0}}}))
    wings = next(b.wings for b in model.bodies if b.name == CLIENT)
    names, centres, halves, axes = zip(*wing_parts(CLIENT, wings, 90.0, [0.0, 0.1]), strict=True)
    assert names == ("client wing +y", "client wing -y")
    assert_close(centres[0], [0.0, 1.2 + 5.5, 0.0], rtol=1e-12)
    assert_close(halves[1] - halves[0], [0.1, 0.1, 0.1], rtol=1e-12)
    for side, frame in zip((1.0, -1.0), axes, strict=True):
        assert_close(frame[:, 0], [0.0, side, 0.0], rtol=1e-12)
        assert_close(np.abs(frame[:, 2]), [0.0, 0.0, 1.0], rtol=1e-9)  # the normal was x


def test_a_boom_is_boxes_along_its_pieces():
    points = np.array([[0.8, 0.0, 0.0], [1.0, 0.0, 0.0], [1.2, 0.1, 0.0]])
    (_, middle, halves, axes), (_, _, longer, _) = boom_parts(points, 0.03)
    assert_close(middle, [0.9, 0.0, 0.0], rtol=1e-12)
    assert_close(halves, [0.1, 0.03, 0.03], rtol=1e-12)
    assert_close(axes @ axes.T, np.eye(3), rtol=1e-12)
    assert_close(longer[0], 0.5 * math.hypot(0.2, 0.1), rtol=1e-12)


def test_the_scene_draws_the_hulls_that_are_watched():
    short = {"run": {"duration_s": 0.1, "stay_s": 0.0}}
    hull = [{"box_m": [1.0, 1.4, 2.0], "centre_m": [-0.1, 0.0, 0.0]}, {"box_m": [0.2, 0.2, 0.2]}]
    drawn = scene(haptos.simulate(default("docking", {**short, "chaser": {"hull": hull}})))
    boxes = [item.vertices for item in drawn.items if getattr(item, "label", "") == CHASER]
    assert len(boxes) == 2
    assert_close(np.ptp(boxes[0], axis=0), [1.0, 1.4, 2.0], rtol=1e-12)
    assert_close(boxes[0].mean(axis=0), [-0.1, 0.0, 0.0], rtol=1e-9, scale=1.0)


def test_names_of_bodies_are_those_of_the_model():
    assert [b.name for b in build(default("docking")).bodies[:2]] == [CHASER, CLIENT]
