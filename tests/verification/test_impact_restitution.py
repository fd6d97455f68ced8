"""A single-vertex impact without weight or friction: exit speed over entry speed is e(zeta)."""

from __future__ import annotations

import math

import numpy as np
import pytest

import haptos
from haptos.contact.restitution import restitution
from haptos.core.rotations import rotation_matrices
from tests.close import assert_close
from tests.lander_cases import lander, tolerances

MASS, STIFFNESS, RADIUS = 5.0, 50.0, 0.1  # [kg], [N/m], [m]
ZETAS = [0.070, 0.156, 0.264, 0.329, 0.597, 1.336]  # worked out independently for e = 0.9 ... 0.3
NO_GRAVITY = {"model": "uniform", "acceleration_m_per_s2": [0.0, 0.0, 0.0]}


def rebound(zeta: float, speed: float, *, damping_factor: float = 1.0) -> float:
    """Exit over entry speed of a sphere that meets a plane head on."""
    depth = speed * math.sqrt(MASS / STIFFNESS)
    config = lander(
        probe={"shape": "sphere", "mass_kg": MASS, "radius_m": RADIUS},
        gravity=NO_GRAVITY,
        contact={
            "damping_N_s_per_m": damping_factor * 2.0 * zeta * math.sqrt(STIFFNESS * MASS),
            "friction": 0.0,
            "rolling_resistance_m": 0.0,
            "depth_limit": 100.0,  # the closed form knows no size of the probe
        },
        release={
            "position_m": [0.0, 0.0, RADIUS + 0.1 * depth],
            "velocity_m_per_s": [0.0, 0.0, -speed],
            "rate_rad_per_s": [0.0, 0.0, 0.0],
        },
        run={"duration_s": 20.0, **tolerances(1e-10, length=depth, speed=speed)},
    )
    result = haptos.simulate(config)
    assert result.trusted
    assert result.metrics["contact_phases"] == 1
    # The deepest point is looked for at the ends of steps, which miss the turning point by 2e-6.
    deepest = restitution(damping_factor * zeta) * depth
    assert_close(result.metrics["deepest_m"], deepest, rtol=1e-5)
    return float(result.trajectory["v_BA_A"].values[-1, 2]) / speed


@pytest.mark.parametrize("speed", [1e-4, 1e-2, 1.0])  # [m/s], four decades
@pytest.mark.parametrize("zeta", ZETAS)
def test_rebound_matches_the_closed_form_at_any_speed(zeta, speed):
    assert_close(rebound(zeta, speed), restitution(zeta), rtol=1e-4)


def test_rebound_check_has_teeth():
    with pytest.raises(AssertionError):
        assert_close(rebound(0.597, 1e-2, damping_factor=1.01), restitution(0.597), rtol=1e-4)


@pytest.mark.parametrize("speed", [1e-5, 1e-4, 1e-3])
def test_eccentric_vertex_rebounds_with_its_effective_mass(speed):
    # A frictionless corner hit beside the centre of mass: 1/m_e = 1/m + (r x n).I^-1 (r x n).
    size, mass = np.array([0.3, 0.2, 0.4]), MASS
    moments = (
        mass
        / 12.0
        * np.array(
            [size[1] ** 2 + size[2] ** 2, size[0] ** 2 + size[2] ** 2, size[0] ** 2 + size[1] ** 2]
        )
    )
    quarter = [0.97, 0.12, 0.2, 0.05]
    config = lander(
        probe={"shape": "box", "size_m": size.tolist(), "mass_kg": mass},
        gravity=NO_GRAVITY,
        contact={"damping_N_s_per_m": 8.0, "friction": 0.0, "rolling_resistance_m": 0.0},
        release={
            "position_m": [0.0, 0.0, 0.5],
            "velocity_m_per_s": [0.0, 0.0, -speed],
            "attitude_quaternion": quarter,
            "attitude_yaw_pitch_roll_deg": None,
            "rate_rad_per_s": [0.0, 0.0, 0.0],
        },
        run={
            "duration_s": 0.5 / speed + 2.0,
            "output_interval_s": 0.0,
            **tolerances(1e-11, length=speed, speed=speed),
        },
    )
    result = haptos.simulate(config)
    touch, release = (result.events.isel(event=i) for i in (0, 1))
    assert (str(touch["kind"].values), str(release["kind"].values)) == ("touch", "release")
    assert int(touch["vertex"]) == int(release["vertex"])
    dcm_AB = rotation_matrices(np.array(quarter) / np.linalg.norm(quarter))
    center_A = result.trajectory["r_BA_A"].interp(time=float(touch["time"])).values
    lever_B = dcm_AB.T @ np.cross(touch["point_A"].values - center_A, [0.0, 0.0, 1.0])
    effective = 1.0 / (1.0 / mass + np.sum(lever_B**2 / moments))
    zeta = 8.0 / (2.0 * math.sqrt(STIFFNESS * effective))
    found = -float(release["closing_speed"]) / float(touch["closing_speed"])
    # The corner swings by about speed x contact time / size during the hit, hence the bound.
    assert_close(found, restitution(zeta), rtol=10.0 * speed)
