"""Sizes, coefficients and grounds at their extremes, under both laws: a right answer within the caps, no hang."""

from __future__ import annotations

import math
import time

import pytest

import haptos
from haptos.core.errors import HaptosError
from haptos.core.outcome import Outcome
from haptos.results.result import Result
from haptos.scenarios.lander.model import build
from tests.hard_cases import BALL, CUBE, ROUND, hard

ENDS = {Outcome.SETTLED, Outcome.TIME_OVER, Outcome.STEPS_OVER, Outcome.ESCAPED, Outcome.MISSED}
BILOBE = {
    "surface": {"shape": "body", "body": "bilobe", "level": 4},
    "gravity": {"model": "point", "mu_m3_per_s2": 2.0},
}
TOP = 98.4  # [m] of that body at (0.3, 0.2), about
LONGEST = 20.0  # [s] of work; each takes well below a second on an idle core


def springs(mass: float, size: float, speed: float, **changes: float) -> dict[str, object]:
    """Compliant contact that lets a probe of that mass sink in by a twentieth of its size at that speed."""
    return {
        "law": "compliant",
        "stiffness_N_per_m": mass * (speed / (0.05 * size)) ** 2,
        "restitution": 0.5,
        "friction": 0.5,
        **changes,
    }


def ended(**changes) -> Result:
    config = hard(**changes)
    build(config)
    began = time.perf_counter()
    result = haptos.simulate(config)
    assert time.perf_counter() - began < LONGEST
    assert result.ended in ENDS
    assert result.ledger.relative_remainder <= 1e-6
    return result


@pytest.fixture(scope="module", autouse=True)
def kernel_is_compiled():
    """Compiling is no part of the seconds a run may take."""
    haptos.simulate(hard(run={"duration_s": 1.0}))


@pytest.mark.parametrize("e", [0.0, 0.5])
@pytest.mark.parametrize("f", [0.0, 0.5])
def test_a_ball_that_spins_fast_comes_down_into_contact(e, f):
    """Its struck point is carried up faster than gravity pulls, but the ball stays."""
    release = {"position_m": [0.0, 0.0, 0.2], "rate_rad_per_s": [3.0, 0.0, 1.0]}
    found = ended(
        contact={"restitution": e, "friction": f},
        release=release,
        run={"duration_s": 100.0, "output_interval_s": 1.0},
    )
    assert 3.0**2 * 0.1 > 50.0 * 1e-2  # centripetal against gravity [m/s^2]
    assert found.metrics["impacts"] < 200
    assert found.metrics["contact_steps"] > 0
    assert found.metrics["contact_time_s"] > 50.0
    if f == 0.0:
        assert found.metrics["end_rate_rad_per_s"] == pytest.approx(math.sqrt(10.0), rel=1e-9)


def on_bilobe(size: float, mass: float, **changes) -> Result:
    """A cube let go at its own size above a body of 2 m voxels."""
    release = {
        "position_m": [0.3, 0.2, TOP + 2.0 * size],
        "velocity_m_per_s": [0.0, 0.0, -0.02],
        "attitude_yaw_pitch_roll_deg": [20.0, 30.0, 10.0],
    }
    probe = {**CUBE, "size_m": [size] * 3, "mass_kg": mass}
    run = {"duration_s": 2000.0, "output_interval_s": 20.0, "max_steps": 20_000}
    return ended(probe=probe, **BILOBE, release=release, run=run, **changes)


@pytest.mark.parametrize(("size", "mass"), [(30.0, 1e7), (5e-4, 1e-7)], ids=["house", "grain"])
def test_probes_larger_than_a_voxel_and_smaller_than_a_millimetre_touch_a_body(size, mass):
    assert on_bilobe(size, mass).metrics["impacts"] >= 1
    soft = on_bilobe(size, mass, contact=springs(mass, size, 0.05))
    assert soft.metrics["vertex_touches"] >= 1
    assert soft.metrics["deepest_m"] < 0.2 * size


THROWN = {"position_m": [0.0, 0.0, 100.5], "velocity_m_per_s": [0.05, 0.0, 0.0]}
SOFT_RUN = {"duration_s": 1000.0, "output_interval_s": 10.0, "max_steps": 50_000}


@pytest.mark.parametrize(
    "changes",
    [
        {"contact": springs(2.0, 0.2, 0.1, friction=0.0)},
        {"contact": springs(2.0, 0.2, 0.1, friction=10.0)},
        {"contact": springs(2.0, 0.2, 0.1, restitution=1.0)},
        {"contact": springs(2.0, 0.2, 0.1, restitution=2e-3)},
        {"release": {"position_m": [0.0, 0.0, 100.1]}},
        {"release": {"position_m": [0.0, 0.0, 101.0]}},
        {"release": {"position_m": [0.0, 0.0, 9e4]}},
        {"release": {**THROWN, "rate_rad_per_s": [60.0, -50.0, 62.0]}},
    ],
    ids=["slippery", "rough", "elastic", "dead", "on the ground", "at rest", "far", "spinning"],
)
@pytest.mark.parametrize("probe", [BALL, CUBE], ids=["ball", "cube"])
def test_springs_end_at_their_edges(probe, changes):
    ended(
        **{
            "probe": probe,
            **ROUND,
            "contact": springs(2.0, 0.2, 0.1),
            "release": THROWN,
            "run": SOFT_RUN,
            **changes,
        }
    )


@pytest.mark.parametrize("law", ["compliant", "impulsive"])
def test_a_release_inside_a_body_is_refused(law):
    contact = springs(2.0, 0.2, 0.1) if law == "compliant" else {"restitution": 0.5}
    with pytest.raises(HaptosError, match="inside the ground"):
        ended(**BILOBE, contact=contact, release={"position_m": [0.3, 0.2, 0.0]})


def rocks(size: float, seed: int = 3) -> dict[str, object]:
    """Rocks about as large as a probe of that size [m], one on every area of its size."""
    return {
        "seed": seed,
        "rocks": {
            "model": "seeded", "rocks_per_m2": 1.0 / size**2, "smallest_m": 0.3 * size,
            "largest_m": 2.0 * size,
        },
    }  # fmt: skip


@pytest.mark.parametrize("seed", range(6))
def test_springs_on_rocks_larger_than_the_probe_keep_their_books(seed):
    """The field over rocks is no distance; a touch seen too late would make energy out of nothing."""
    size, mass, pull = 4.5, 5e4, 8.0
    release = {
        "position_m": [0.3 + seed, 0.2, 3.0 * size],
        "attitude_quaternion": [1.0, 0.3 * seed, 0.5, 0.2],
    }
    contact = springs(mass, size, math.sqrt(2.0 * pull * 3.0 * size), rolling_resistance_m=1e-3)
    found = ended(
        probe={"shape": "box", "size_m": [size, 0.7 * size, 0.4 * size], "mass_kg": mass},
        gravity={"model": "uniform", "acceleration_m_per_s2": [0.0, 0.0, -pull]},
        terrain=rocks(size, seed),
        contact=contact,
        release=release,
        run={"duration_s": 3.0, "output_interval_s": 0.1, "max_steps": 50_000},
    )
    assert found.metrics["vertex_touches"] >= 1


@pytest.mark.parametrize("seed", range(8))
def test_a_cube_laid_down_among_rocks_gains_nothing(seed):
    """A vertex that slid into the crease of two rocks has sunk in when springs are put under it.

    One that slides on is lifted back out of the face it has met, which is work of the ground, 5e-6 in a step and 1e-5 in all at most.
    """
    size = 0.024
    found = ended(
        probe={"shape": "cube", "edge_m": size, "mass_kg": 0.01},
        gravity={"model": "uniform", "acceleration_m_per_s2": [0.0, 0.0, -1.3e-5]},
        terrain=rocks(size, seed),
        contact={"restitution": 0.9, "friction": 0.5},
        release={
            "position_m": [0.3, 0.2, 4.0 * size],
            "attitude_quaternion": [1.0, 0.3 * seed, 0.5, 0.2],
        },
        run={"duration_s": 800.0, "output_interval_s": 10.0, "max_steps": 20_000},
    )
    assert found.metrics["impacts"] >= 1
    assert found.metrics["largest_energy_rise_J"] <= 1e-5 * found.ledger.phases[0].stored
