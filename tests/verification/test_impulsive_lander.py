"""Impulsive contact in whole runs: bounces, rolling, sliding, leaving a hill, rest, and the ledger."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import integrate

import haptos
from haptos.core.outcome import Outcome
from haptos.results.result import Result
from tests.close import assert_close
from tests.hard_cases import BALL, CUBE, PULL, hard, impacts, kinds
from tests.lander_cases import tolerances

RADIUS, DROP = 0.1, 0.5  # [m] of the ball; height it falls


def remainder(result: Result) -> float:
    return result.ledger.relative_remainder


def speeds(result: Result) -> np.ndarray:
    return np.linalg.norm(result.trajectory["v_BA_A"].values, axis=1)


@pytest.mark.parametrize("e", [0.5, 0.9])
def test_a_bouncing_ball_makes_a_geometric_series(e):
    contact = {"restitution": e, "friction": 0.0, "contact_speed_m_per_s": 1e-6}
    result = haptos.simulate(hard(contact=contact))
    hit = impacts(result)
    apex = hit["v_before_A"][:, 2] ** 2 / (2.0 * PULL)
    # An impact is met within 1e-11 m, which counts as that share of the apex.
    high = apex[apex > 1e-3]
    assert len(high) >= 4
    assert_close(high[1:] / high[:-1], np.full(len(high) - 1, e * e), rtol=1e-8)
    first = math.sqrt(2.0 * DROP / PULL)
    total = first * (1.0 + e) / (1.0 - e)
    assert_close(hit["time"][0], first, rtol=1e-10)
    # What is left of the series at contact_speed is cut off: 2 v / (g (1 - e)).
    assert_close(result.metrics["end_time_s"], total, rtol=2e-6 / (PULL * (1.0 - e)) / total)
    assert result.ended is Outcome.SETTLED
    assert remainder(result) < 1e-9
    with pytest.raises(AssertionError):
        assert_close(high[1:] / high[:-1], np.full(len(high) - 1, (1.01 * e) ** 2), rtol=1e-8)


def test_a_rolling_ball_stops_after_its_distance():
    share, speed, j = 0.02, 0.05, 0.4
    result = haptos.simulate(
        hard(
            contact={
                "restitution": 0.0, "rolling_resistance_m": share * RADIUS,
                "stick_speed_m_per_s": 1e-4, "stick_rate_rad_per_s": 1e-3,
            },
            release={
                "position_m": [0.0, 0.0, RADIUS],
                "velocity_m_per_s": [speed, 0.0, 0.0],
                "rate_rad_per_s": [0.0, speed / RADIUS, 0.0],
            },
            run={"duration_s": 300.0, "output_interval_s": 1.0},
        )
    )  # fmt: skip
    expected = j * speed**2 / (2.0 * share * PULL)
    # It is taken to be at rest at contact_speed v = 1e-4: the last v^2/v0^2 = 4e-6 are missing.
    assert_close(result.metrics["displacement_m"], expected, rtol=5e-6)
    assert result.trajectory["slip_speed"].values.max() < 1e-10
    assert result.ended is Outcome.SETTLED
    assert remainder(result) < 1e-9


@pytest.mark.parametrize("offset", [1e-2, 1e-3])
def test_a_ball_leaves_a_frictionless_hill_at_two_thirds(offset):
    hill, small = 10.0, 0.01
    reach = hill + small
    result = haptos.simulate(
        hard(
            probe={**BALL, "radius_m": small},
            surface={"shape": "sphere", "radius_m": hill},
            contact={"restitution": 0.0, "friction": 0.0},
            release={"position_m": [reach * math.sin(offset), 0.0, reach * math.cos(offset)]},
            run={"duration_s": 400.0},
        )
    )
    assert kinds(result)[:2] == ["slide", "lift"]
    x, load = result.trajectory["r_BA_A"].values, result.trajectory["normal_force"].values
    cosine = x[:, 2] / np.linalg.norm(x, axis=1)
    last = np.flatnonzero(load > 0.0)[-1]
    # cos = 2/3 cos(offset), between the last step with load and the first without.
    left = 2.0 / 3.0 * math.cos(offset)
    assert cosine[last] > left > cosine[last + 1]
    assert cosine[last] - cosine[last + 1] < 1e-3
    # The load falls to zero in a straight line over cos; two steps before show where.
    a, b = last - 8, last - 1
    root = cosine[b] - load[b] * (cosine[a] - cosine[b]) / (load[a] - load[b])
    assert_close(root, left, rtol=1e-6)
    assert remainder(result) < 1e-7
    # The event is there, not where the ball counts as flying; contact ends with the load.
    lift = kinds(result).index("lift")
    events = result.events
    normal = events["normal_A"].values[lift]
    # The load has a kink within the step, so that the interpolant is off a little more.
    assert_close(normal[2], left, rtol=1e-5)
    assert_close(result.metrics["contact_time_s"], events["time"].values[lift], rtol=1e-12)
    drop = reach * (math.cos(offset) - left)
    for name in ("v_before_A", "v_after_A"):
        assert_close(
            np.linalg.norm(events[name].values[lift]), math.sqrt(2.0 * PULL * drop), rtol=1e-5
        )
    assert np.all(np.isfinite(events["point_A"].values[:2]))


def test_the_load_of_a_ball_on_a_frictionless_hill_vanishes_when_it_should():
    """Its event is at that instant: once it came 35 s late, with NaN for velocities."""
    hill, offset = 100.0, 0.1
    reach = hill + RADIUS
    result = haptos.simulate(
        hard(
            surface={"shape": "sphere", "radius_m": hill},
            contact={"restitution": 0.0, "friction": 0.0},
            release={"position_m": [reach * math.sin(offset), 0.0, reach * math.cos(offset)]},
            run={"duration_s": 400.0},
        )
    )
    leaves = math.acos(2.0 / 3.0 * math.cos(offset))

    def slowness(root: float) -> float:  # dt/du over the angle offset + u^2
        turned = 2.0 * math.sin(offset + 0.5 * root**2) * math.sin(0.5 * root**2)
        return 2.0 * root / math.sqrt(2.0 * PULL / reach * turned)

    time, _ = integrate.quad(slowness, 0.0, math.sqrt(leaves - offset), epsrel=1e-12)
    lift = kinds(result).index("lift")
    assert_close(result.events["time"].values[lift], time, rtol=1e-7)
    assert_close(result.metrics["contact_time_s"], time, rtol=1e-7)
    assert np.all(np.isfinite(result.events["v_before_A"].values[lift]))


def on_slope(degrees: float, friction: float, probe: dict, **run) -> Result:
    """A probe laid on a slope, flat, downhill to +x."""
    slope = math.radians(degrees)
    normal = np.array([math.sin(slope), 0.0, math.cos(slope)])
    return haptos.simulate(
        hard(
            probe=probe,
            surface={"shape": "plane", "normal": normal.tolist()},
            contact={"restitution": 0.0, "friction": friction, "stick_speed_m_per_s": 1e-4},
            release={
                "position_m": (RADIUS * normal).tolist(),
                "attitude_quaternion": [math.cos(slope / 2), 0.0, math.sin(slope / 2), 0.0],
            },
            run={"duration_s": 100.0, "output_interval_s": 1.0, **run},
        )
    )


@pytest.mark.parametrize("probe", [BALL, CUBE], ids=["ball", "cube"])
@pytest.mark.parametrize(("degrees", "friction"), [(30.0, 0.0), (30.0, 0.2), (60.0, 0.3)])
def test_a_probe_slides_down_a_steep_slope(probe, degrees, friction):
    slope = math.radians(degrees)
    along = PULL * (math.sin(slope) - friction * math.cos(slope))
    # A ball that grips rolls: f above tan/3.5 is enough for a homogeneous one.
    if probe is BALL and friction > math.tan(slope) / 3.5:
        along = PULL * math.sin(slope) / 1.4
    result = on_slope(degrees, friction, probe)
    assert result.ended is Outcome.TIME_OVER
    # It starts from rest, and below v_s = 1e-4 friction is not full; a cube sinks into its springs.
    final = along * 100.0
    assert_close(speeds(result)[-1], final, rtol=5e-6 + (1e-4 / final if friction > 0.0 else 0.0))
    assert remainder(result) < 1e-7


@pytest.mark.parametrize("degrees", [5.0, 15.0, 24.0, 26.0])
def test_a_cube_below_the_friction_angle_is_at_rest_soon(degrees):
    result = on_slope(degrees, 0.5, CUBE)
    assert result.ended is Outcome.SETTLED
    assert result.metrics["end_speed_m_per_s"] == 0.0
    assert result.metrics["end_rate_rad_per_s"] == 0.0
    assert result.metrics["settle_time_s"] < 10.0
    assert result.metrics["displacement_m"] < 5e-3
    assert remainder(result) < 1e-9


def test_a_cube_that_friction_barely_holds_creeps_no_longer_than_it_must():
    """At 26.5 of 26.57 degrees: it slows down over some time, then lies still, by few steps."""
    result = on_slope(26.5, 0.5, CUBE)
    assert result.ended is Outcome.SETTLED
    assert result.metrics["end_speed_m_per_s"] == 0.0
    assert result.metrics["steps"] < 10_000


def day_at_rest(probe: dict, rolling: float) -> Result:
    return haptos.simulate(
        hard(
            probe=probe,
            gravity={"model": "uniform", "acceleration_m_per_s2": [0.0, 0.0, -1e-4]},
            contact={"rolling_resistance_m": rolling},
            release={"position_m": [0.0, 0.0, RADIUS]},
            settle={"balance": False, "hold_s": 86400.0, "place_hold_s": 0.0},
            run={"duration_s": 90000.0, "output_interval_s": 600.0},
        )
    )


@pytest.mark.parametrize(("probe", "rolling"), [(BALL, 5e-3), (CUBE, 0.0)], ids=["ball", "cube"])
def test_a_probe_lies_still_for_a_day_without_being_told_to(probe, rolling):
    result = day_at_rest(probe, rolling)
    assert result.ended is Outcome.SETTLED
    assert result.metrics["end_time_s"] >= 86400.0
    late = result.trajectory["time"].values > 3600.0
    assert speeds(result)[late].max() < 1e-9
    # Of the floor, a thousandth of weight times height: there is next to no energy on the ground.
    assert remainder(result) < 1e-6


SEMI_AXES = [268.0, 147.0, 105.0]
OVER_ELLIPSOID = {
    "probe": {"shape": "box", "mass_kg": 5.0, "size_m": [0.28, 0.2, 0.3]},
    "surface": {"shape": "ellipsoid", "semi_axes_m": SEMI_AXES},
    "gravity": {"model": "ellipsoid", "semi_axes_m": SEMI_AXES, "mu_m3_per_s2": 2.341},
    "spin": {"kind": "uniform", "period_h": 12.132},
    "release": {
        "position_m": [120.0, -90.0, 310.0],
        "velocity_m_per_s": [0.01, 0.02, -0.05],
        "rate_rad_per_s": [0.01, -0.02, 0.015],
    },
}


def first_impact(relative: float) -> tuple[float, np.ndarray]:
    run = {
        "duration_s": 10000.0, "output_interval_s": 1000.0,
        **tolerances(relative, length=300.0, speed=0.01),
    }  # fmt: skip
    hit = impacts(haptos.simulate(hard(**OVER_ELLIPSOID, run=run)))
    return float(hit["time"][0]), hit["point_A"][0]


def test_the_first_impact_converges_with_the_tolerance():
    asked = np.array([1e-6, 1e-7, 1e-8, 1e-9, 1e-10])
    time, point = first_impact(1e-13)
    found = [first_impact(relative) for relative in asked]
    late = np.array([abs(t - time) for t, _ in found])
    off = np.array([np.linalg.norm(p - point) for _, p in found])
    for errors in (late, off):
        order = np.polyfit(np.log(asked), np.log(errors), 1)[0]
        assert 0.9 < order < 1.2  # errors go in proportion to what is asked
