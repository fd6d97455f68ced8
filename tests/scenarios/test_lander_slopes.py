"""Slopes at rest: closed forms on plane and spinning sphere, and the metrics of runs."""

from __future__ import annotations

import math

import numpy as np

from haptos.scenarios.lander.simulate import simulate, simulate_batch
from haptos.scenarios.worlds.slopes import ground_slopes
from haptos.scenarios.worlds.world import world_of
from tests.close import assert_close
from tests.hard_cases import PULL, ROUND, hard, impacts


def leaning(angle: float) -> dict:
    """Gravity that pulls askew on a level plane."""
    pull = [PULL * math.sin(angle), 0.0, -PULL * math.cos(angle)]
    return {"model": "uniform", "acceleration_m_per_s2": pull}


def test_askew_gravity_on_a_plane_is_its_angle():
    world = world_of(hard(gravity=leaning(0.3)))
    found = ground_slopes(world, np.zeros(3), np.array([[0.0, 0.0, 0.1], [5.0, 2.0, 0.5]]))
    assert_close(found, np.degrees([0.3, 0.3]), rtol=1e-12)


def test_a_sphere_slopes_towards_its_equator_when_it_spins():
    radius, mu, rate, latitude = 100.0, 2.0, 3e-4, 0.7
    world = world_of(hard(**ROUND, release={"position_m": [0.0, 0.0, 101.0]}))
    place = radius * np.array([[math.cos(latitude), 0.0, math.sin(latitude)]])
    outward = rate**2 * radius * math.cos(latitude)
    pressing = mu / radius**2 - outward * math.cos(latitude)
    expected = math.degrees(math.atan2(outward * math.sin(latitude), pressing))
    found = ground_slopes(world, np.array([0.0, 0.0, rate]), place)
    assert_close(found, [expected], rtol=1e-9)
    assert ground_slopes(world, np.zeros(3), place)[0] < 1e-6


def test_runs_tell_the_slope_and_the_mean_loss_of_their_impacts():
    config = hard(probe={"shape": "box", "mass_kg": 2.0, "size_m": [0.2] * 3}, gravity=leaning(0.1))
    result = simulate(config)
    assert_close(result.metrics["slope_at_rest_deg"], math.degrees(0.1), rtol=1e-9)
    count = result.metrics["impacts"]
    assert count == len(impacts(result)["time"])
    mean, largest = result.metrics["mean_impact_loss_J"], result.metrics["largest_impact_loss_J"]
    assert 0.0 < mean <= largest <= count * mean
    short = hard(run={"duration_s": 1.0})
    row, other = simulate_batch([short, config], workers=1)
    assert math.isnan(row["slope_at_rest_deg"])
    assert math.isnan(row["mean_impact_loss_J"])
    assert other["mean_impact_loss_J"] == mean
