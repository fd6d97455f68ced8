"""A retrieval on the tether of cells: the model of one link, the mass of the line, swing damping, failures."""

from __future__ import annotations

import dataclasses
import math

import pytest

from haptos.dynamics.cable.retrieval_run import (
    LINE_END,
    RetrievalCase,
    RetrievalFailures,
    retrieve,
)
from haptos.dynamics.cable.retrieval_tether import LineCamera, LineRetrieved, retrieve_on_tether
from tests.close import assert_close

CASE = RetrievalCase(total=150.0)


def on_cells(case: RetrievalCase = CASE, cells: int = 4, **options) -> LineRetrieved:
    return retrieve_on_tether(case, density=1e-3, cells=cells, **options)


def test_one_link_of_the_tether_is_the_reduced_model():
    case = dataclasses.replace(CASE, distance=8.0)
    link, found = retrieve(case), on_cells(case, 0, tolerance=1e-8)
    assert found.ended == link.ended == "captured"
    assert_close(found.time, link.time, rtol=1e-4)
    assert_close(found.angle_all, link.angle_all, rtol=1e-2)
    assert_close(found.peak, link.peak, rtol=1e-3)
    assert_close(found.propellant, link.propellant, rtol=1e-4)


def test_cells_agree_with_the_reduced_model_but_for_the_wave():
    link, found = retrieve(CASE), on_cells()  # 4 s of one core
    assert found.ended == "captured"
    assert_close(found.time, link.time, rtol=5e-4)
    assert_close(found.angle_far, link.angle_far, rtol=5e-3)
    assert_close(found.angle_middle, link.angle_middle, rtol=5e-3)
    wave = CASE.rise * math.sqrt(CASE.stiffness * 1e-3)  # [N] of a step in speed along the line
    assert found.peak > wave
    assert abs(found.run.balance()["relative"]) < 1e-8


def test_a_light_line_has_no_wave_to_speak_of():
    """With a hundredth of the mass the snatch is that of the reduced model."""
    short = dataclasses.replace(CASE, longest=4.0)
    light = retrieve_on_tether(short, density=1e-5, cells=4)
    assert_close(light.peak, retrieve(short).peak, rtol=5e-2)


def test_swing_damping_by_a_camera():
    case = dataclasses.replace(CASE, swing_largest=2e-3)
    link, calm = retrieve(case), on_cells(case)
    assert calm.ended == "captured"
    assert_close(calm.angle_all, link.angle_all, rtol=0.1)  # sampled, and by the first cell
    assert calm.angle < 0.01
    assert_close(calm.lateral_dv, link.lateral_dv, rtol=0.2)


def test_camera_noise_is_that_of_its_seed_and_costs_thrust():
    case = dataclasses.replace(CASE, swing_largest=2e-3, longest=40.0)
    noisy, same = (on_cells(case, camera=LineCamera(2e-3, 5)) for _ in range(2))
    assert noisy.lateral_dv == same.lateral_dv
    assert noisy.lateral_dv > 1.2 * on_cells(case).lateral_dv


@pytest.mark.parametrize("way", [retrieve, lambda case: on_cells(case)])
def test_the_end_of_the_line_ends_the_run(way):
    found = way(dataclasses.replace(CASE, total=100.2))
    assert found.ended == LINE_END


def test_a_jammed_reel_does_not_bring_it_back():
    case = dataclasses.replace(CASE, longest=60.0, failures=RetrievalFailures(reel_jam=10.0))
    found = on_cells(case)
    assert found.ended == "time over"
    assert (10.0, "reel jam") in [(round(when, 9), what) for when, what in found.events]


def test_the_thrust_of_a_camera_does_not_depend_on_the_cells():
    """It looked at the first cell before: waves turn that the more, the shorter it is (0.081 m/s with 4 cells, 0.221 with 8)."""
    case = RetrievalCase(gravity=2e-4, swing_largest=2e-3)
    four, eight = (
        retrieve_on_tether(case, density=1e-3, cells=n, camera=LineCamera()) for n in (4, 8)
    )
    assert_close(eight.lateral_dv, four.lateral_dv, rtol=5e-3)
    assert_close(eight.angle_all, four.angle_all, rtol=5e-3)
