"""What the chaser makes of its sensors: estimate, switches, loads of sectors, the way of rays, overload."""

from __future__ import annotations

import math

import numpy as np
import pytest

from haptos.scenarios.docking.model import build
from haptos.scenarios.docking.sensors import make_suite, rotation_vector
from haptos.scenarios.docking.shapes import room
from haptos.scenarios.docking.watch import DockingWatch, Estimate, _off_axis, pull
from haptos.scenarios.files import default
from tests.close import assert_close

CONFIG = default("docking")


@pytest.fixture(scope="module")
def suite():
    return make_suite(build(CONFIG))


def test_ways_of_rays_lead_back_to_the_place_of_the_crown(suite):
    facing = np.diag([-1.0, -1.0, 1.0])
    for place in (0.0, 0.05, 0.15, 0.25):
        ways = suite._ways(np.array([place, 0.0, 0.0]), facing)
        assert_close(suite.crown_places(ways), np.full(3, place), rtol=2e-3, scale=0.3)


def test_an_offset_tool_is_seen_at_the_mean_of_its_rays(suite):
    facing = np.diag([-1.0, -1.0, 1.0])
    ways = suite._ways(np.array([0.1, 0.004, -0.003]), facing)
    assert np.ptp(ways) > 2e-3
    assert abs(float(np.mean(suite.crown_places(ways))) - 0.1) < 2e-3


def test_rays_beyond_the_exit_of_a_short_nozzle_see_nothing():
    """Its wall ends at its exit, as it does for contacts: it went on at the last slope for rays and the funnel."""
    short = {"length_m": 0.1, "exit_radius_m": 0.05, "exit_deg": 8.0}
    model = build(default("docking", {"nozzle": short}))
    assert_close(model.shapes.wall[-1], np.array([0.1, 0.05]), rtol=1e-12)
    assert room(model.shapes.wall, 0.3) == pytest.approx(0.05)
    ways = make_suite(model)._ways(np.array([0.25, 0.0, 0.0]), np.diag([-1.0, -1.0, 1.0]))
    assert not np.isfinite(ways).any()


def test_an_oval_nozzle_has_the_rim_and_the_arcs_of_a_round_one():
    """Points of a wall may be near one another along the axis and far apart across it."""
    steep = {"cone_deg": 86.0, "oval": 0.02}
    vertices, _ = build(default("docking", {"nozzle": steep})).shapes.drawn_nozzle
    radii = np.hypot(vertices[:, 1], vertices[:, 2])
    assert_close(radii.max(), 1.02 * 0.12 + 0.005, rtol=1e-9)
    cone = radii[(np.abs(vertices[:, 0]) < 0.0038) & (radii > 0.012) & (radii < 0.018)]
    assert len(cone) > 0


def test_rays_see_a_nozzle_that_is_oval_or_displaced():
    """Along y an oval bell is wider by its share, so its rays go on longer; a wall moved aside is seen where it is."""
    facing, place = np.diag([-1.0, -1.0, 1.0]), np.array([0.1, 0.0, 0.0])
    rays = {"outward_deg": 40.0}
    made = [
        make_suite(build(default("docking", {"nozzle": nozzle, "sensors": {"distance": rays}})))
        for nozzle in ({}, {"oval": 0.05}, {"displaced_m": 0.003})
    ]
    usual, oval, moved = (suite._ways(place, facing) for suite in made)
    assert oval[0] < usual[0] * 0.99  # the first ray looks along z
    assert (oval[1:] > usual[1:]).all()
    assert_close(moved[0], usual[0], rtol=2e-3)  # 3 mm across it: 0.07 mm of 65
    assert abs(moved[1] - usual[1]) > 1e-3
    assert (moved[1] - usual[1]) * (moved[2] - usual[2]) < 0.0
    assert_close(made[1].table[0], made[0].table[0], rtol=1e-12)  # what is known has no fault


def test_rays_beyond_the_reach_see_nothing(suite):
    assert np.isnan(suite.crown_places(np.full(3, np.nan))).all()


def test_the_rim_is_off_the_axis_by_offset_and_lean():
    pose = np.array([0.3, 0.01, 0.0, 0.0, 0.0, -0.02])
    assert_close(_off_axis(pose, 0.2), 0.01 + 0.2 * 0.02, rtol=1e-12)


def test_rotation_vectors_are_those_of_quaternions():
    turn = np.array([0.1, -0.2, 0.3])
    size = np.linalg.norm(turn)
    q = np.array([math.cos(size / 2), *(math.sin(size / 2) * turn / size)])
    assert_close(rotation_vector(q), turn, rtol=1e-12)
    assert_close(rotation_vector(-q), turn, rtol=1e-12)
    assert not rotation_vector(np.array([1.0, 0.0, 0.0, 0.0])).any()


def test_the_tide_of_a_geostationary_orbit_is_that_of_clohessy_and_wiltshire():
    n2, up = pull(CONFIG)
    assert_close(math.sqrt(n2), 7.29212e-5, rtol=1e-5)
    estimate = Estimate(CONFIG)
    acceleration = estimate.filter.acceleration
    assert acceleration is not None
    radial = acceleration(np.concatenate([up, np.zeros(3)]), np.zeros(6))
    # 3 n^2 of the Clohessy-Wiltshire equations less the n^2 of axes that turn.
    assert_close(radial[:3] @ up, 2.0 * n2, rtol=1e-12)


def test_known_thrust_is_no_surprise_to_the_estimate():
    estimate = Estimate(CONFIG)
    estimate.filter.correct(0.0, [1.0, 0.0, 0.0, 0.0, 0.0, 0.0])
    estimate.pushed = np.array([1e-3, 0.0, 0.0])
    x, v = estimate.at(2.0)
    assert_close([x[0] - 1.0, v[0]], [-2e-3, -2e-3], rtol=1e-4)


def test_the_estimate_follows_a_noisy_camera_with_delay():
    """Boom at 10 mm/s, throat at rest: the estimate from the root stays where the throat is."""
    from haptos.dynamics.sensing.sensor import Chain, Sensor
    from haptos.dynamics.sensing.streams import Stream

    made = make_suite(build(CONFIG))
    estimate = Estimate(CONFIG)
    camera = made.sensors["camera"]
    distance = Sensor("distance", Chain(1e9), Stream.named(0, "x"), lambda t, k, s: t)
    distance.samples = 1
    made.sensors["distance"] = distance
    errors = []
    for k in range(1500):
        time = 0.02 * k
        length = 0.65 + 0.01 * time
        estimate.lengths.append((time, length))
        if camera.is_due(time):
            camera.sample(np.array([1.035 - length, 0.01, 0.0, 0.0, 0.01, 0.0]))
        estimate.update(time, made)
        if time > 10.0:
            errors.append(estimate.at(time)[0][:3] - [1.035, 0.01, 0.0])
    # Bias of the run, 2 mm one sigma, and what the filter leaves of 1.5 mm of noise.
    assert np.abs(np.mean(errors, axis=0)).max() < 6e-3
    assert np.std(errors, axis=0).max() < 1.5e-3


def test_a_boom_that_follows_a_receding_throat_does_not_see_its_range_open():
    """The range is that from the tip: paying out at the throat's speed keeps it."""
    watch = DockingWatch(build(CONFIG))
    for k in range(60):
        watch._remember(0.02 * k, 1.0 + 0.004 * 0.02 * k, 0.0, False, 0.0)
    assert_close(watch.pay_out_speed(), 0.004, rtol=1e-9)
    watch._remember(1.2, 1.0 + 0.004 * 0.02 * 59, 5.0, False, 0.0)
    assert watch.amplitude() == 5.0
    watch._remember(1.22, 1.0, 3.0, False, 0.0)
    assert watch.amplitude() == 5.0
    watch._remember(11.3, 1.0, 1.0, False, 0.0)
    assert watch.amplitude() == 1.0
