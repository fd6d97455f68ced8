"""A day of flight about a spinning ellipsoid: what must stay constant stays constant."""

from __future__ import annotations

import functools

import numpy as np
import pytest

import haptos
from haptos.core.rotations import rotation_matrices
from haptos.environment.gravity import ellipsoid, potential_and_gravity
from haptos.results.result import Result
from tests.close import assert_close
from tests.lander_cases import lander, tolerances

SEMI_AXES, MU = (268.0, 147.0, 105.0), 2.341  # [m], [m^3/s^2], Itokawa-like
SIZE, MASS = np.array([0.28, 0.20, 0.30]), 10.0  # [m], [kg]
INERTIA = MASS / 12.0 * np.diag(np.sum(SIZE**2) - SIZE**2)  # [kg m^2]
UNIFORM = {"kind": "uniform", "period_h": 12.132, "pole": [0.1, -0.2, 1.0]}
TUMBLING = {
    "kind": "tumbling",
    "rate_rad_per_s": [5e-5, 2e-5, 1.2e-4],
    "moment_ratios": [1.0, 2.2, 2.5],
}


@functools.cache
def day_of_flight(kind: str, relative: float = 1e-12) -> Result:
    return haptos.simulate(
        lander(
            probe={"shape": "box", "size_m": SIZE.tolist(), "mass_kg": MASS},
            surface={"shape": "ellipsoid", "semi_axes_m": list(SEMI_AXES)},
            gravity={"model": "ellipsoid", "semi_axes_m": list(SEMI_AXES), "mu_m3_per_s2": MU},
            spin=UNIFORM if kind == "uniform" else TUMBLING,
            release={
                "position_m": [500.0, 0.0, 120.0],
                "velocity_m_per_s": [0.0, 0.07, 0.01],
                "rate_rad_per_s": [0.03, 0.05, -0.02],
                "frame": "inertial",
            },
            run={
                "duration_s": 86400.0,
                "output_interval_s": 120.0,
                **tolerances(relative, length=500.0, speed=0.01),
            },
        )
    )


def jacobi_integrals(result: Result, *, mu: float = MU) -> tuple[np.ndarray, np.ndarray]:
    """(Jt, Jr) [J] over time, from the stored states alone."""
    stored = result.trajectory
    x, v, w = (stored[name].values for name in ("r_BA_A", "v_BA_A", "omega_BA_B"))
    spin = stored["omega_AN_A"].values
    dcm_AB = rotation_matrices(stored["quat_AB"].values)
    field = ellipsoid(SEMI_AXES, mu)
    potential = np.array([potential_and_gravity(field, tuple(p))[0] for p in x.tolist()])
    carried = np.cross(spin, x)
    jt = MASS * (0.5 * np.sum(v**2, 1) - 0.5 * np.sum(carried**2, 1) - potential)
    spin_B = np.einsum("tji,tj->ti", dcm_AB, spin)
    momentum = (w + spin_B) @ INERTIA
    jr = 0.5 * np.sum((w + spin_B) * momentum, 1) - np.sum(spin_B * momentum, 1)
    return jt, jr


def test_both_jacobi_integrals_stay_constant_for_a_day():
    for integral in jacobi_integrals(day_of_flight("uniform")):
        assert_close(integral, np.full_like(integral, integral[0]), rtol=1e-9)


def test_probe_turned_and_moved_far_enough_to_test_the_integrals():
    stored = day_of_flight("uniform").trajectory
    distance = np.linalg.norm(stored["r_BA_A"].values, axis=1)
    assert distance.max() / distance.min() > 1.5
    turned = np.linalg.norm(stored["omega_BA_B"].values, axis=1).mean() * 86400.0
    assert turned > 1000.0  # [rad]


def test_integral_check_has_teeth():
    spoiled, _ = jacobi_integrals(day_of_flight("uniform"), mu=MU * 1.01)
    with pytest.raises(AssertionError):
        assert_close(spoiled, np.full_like(spoiled, spoiled[0]), rtol=1e-9)


def inertial_momentum(result: Result) -> np.ndarray:
    """Angular momentum of the probe about its centre of mass in inertial axes, (n, 3)."""
    stored = result.trajectory
    dcm_NA = rotation_matrices(stored["quat_NA"].values)
    dcm_AB = rotation_matrices(stored["quat_AB"].values)
    spin_B = np.einsum("tji,tj->ti", dcm_AB, stored["omega_AN_A"].values)
    return np.einsum(
        "tij,tjk,tk->ti", dcm_NA, dcm_AB, (stored["omega_BA_B"].values + spin_B) @ INERTIA
    )


@pytest.mark.parametrize("kind", ["uniform", "tumbling"])
def test_angular_momentum_of_the_probe_is_constant_in_inertial_axes(kind):
    momentum = inertial_momentum(day_of_flight(kind))
    assert_close(momentum, np.broadcast_to(momentum[0], momentum.shape), rtol=1e-8)


def test_ledger_closes_over_a_tumbling_body_that_feeds_energy():
    result = day_of_flight("tumbling")
    assert abs(result.ledger.works["spin"][-1]) > 0.01 * result.ledger.scale
    assert result.ledger.relative_remainder < 1e-10


def test_small_body_keeps_its_own_energy_and_momentum_while_tumbling():
    spin = day_of_flight("tumbling").trajectory["omega_AN_A"].values
    moments = np.array(TUMBLING["moment_ratios"])
    for conserved in (np.sum(moments * spin**2, 1), np.sum((moments * spin) ** 2, 1)):
        assert_close(conserved, np.full_like(conserved, conserved[0]), rtol=1e-9)
    assert np.ptp(spin[:, 0]) > 1e-5  # it does tumble


def test_error_falls_with_the_tolerance():
    def drift(relative: float) -> float:
        _, jr = jacobi_integrals(day_of_flight("uniform", relative))
        return float(np.max(np.abs(jr / jr[0] - 1.0)))

    assert drift(1e-9) > 30.0 * drift(1e-11) > 30.0 * 1e-13
