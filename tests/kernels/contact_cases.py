"""Laws of contact, compiled and in Python."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from haptos.contact import (
    compliant,
    coulomb,
    hertz,
    impact_damping,
    regularisation,
    rocks_stochastic,
    rolling_resistance,
    settling,
    slip_friction,
    spring_damper,
    stick_slip,
    sticky,
)
from haptos.contact.laws import normal as normals
from haptos.core import symmetric
from tests.contact.bodies import (
    random_direction,
    random_inertia,
    random_rotation,
    rows,
    triple,
)
from tests.contact.laws.test_normal import LOSS, K
from tests.contact.test_compliant import REGIMES, State
from tests.kernels.harness import Case, drawn, vectors

UP = (0.0, 0.0, 1.0)
REGULAR = 1e-4  # [m/s] below which friction grows linearly


def bodies() -> Iterator[tuple[np.random.Generator, tuple[object, ...]]]:
    """(generator, (mass, inverse inertia, dcm_AB, arm, normal)) of bodies of all sizes."""
    for seed in range(40):
        rng = np.random.default_rng(seed)
        mass, size = 10.0 ** rng.uniform(-1.0, 3.0), 10.0 ** rng.uniform(-1.5, 0.5)
        inverse = symmetric.six_of(np.linalg.inv(random_inertia(rng, mass, size)))
        where = rows(random_rotation(rng)), triple(size * rng.normal(size=3))
        yield rng, (mass, inverse, *where, triple(random_direction(rng)))


def states() -> Iterator[tuple[object, ...]]:
    for law in REGIMES.values():
        for seed in range(16):
            state = State(seed, "sphere" if seed % 2 else "plane", 1 + seed % 8)
            where = law, state.surface, state.body, rows(state.dcm_AB), triple(state.x)
            yield (*where, triple(state.v), triple(state.w_B), state.a_free, state.alpha_free_B)


def pushes(size: float) -> Iterator[tuple[float, ...]]:
    """Drawn triples of seven orders of magnitude about a size."""
    rng = np.random.default_rng(3)
    for decades in np.linspace(-4.0, 3.0, 40):
        yield triple(size * 10.0**decades * rng.normal(size=3))


CASES = {
    "spring_damper": Case(
        spring_damper.spring_damper,
        lambda: drawn(40, (1.0, 1e6), (0.0, 1e3), (-0.1, 0.1), (-1.0, 1.0)),
    ),
    "spring_energy": Case(spring_damper.spring_energy, lambda: drawn(40, (1.0, 1e6), (-0.1, 0.1))),
    "hertz_force": Case(hertz.hertz_force, lambda: drawn(40, (1.0, 1e12), (-0.1, 0.1))),
    "hertz_energy": Case(hertz.hertz_energy, lambda: drawn(40, (1.0, 1e12), (-0.1, 0.1))),
    "normal_load": Case(
        normals.normal_load,
        lambda: ((law, K, LOSS, depth, rate) for law in normals.NORMAL_LAWS.values() for depth, rate in ((0.02, 0.5), (0.02, -0.5), (0.0, 0.5))),
    ),
    "hysteresis_factor": Case(
        impact_damping.hysteresis_factor,
        lambda: ((law, 0.6, 1.3) for law in impact_damping.DAMPING_LAWS.values()),
        rtol=1e-14,
    ),
    "empirical_factor": Case(
        impact_damping.empirical_factor,
        lambda: ((law, 0.1, 1.3) for law in impact_damping.DAMPING_LAWS.values()),
        rtol=1e-14,
    ),
    "impact_damping.normal_force": Case(
        impact_damping.normal_force,
        lambda: drawn(40, (1e6, 1e8), (0.0, 2.0), (-1e-4, 1e-3), (-2.0, 2.0)),
        rtol=1e-14,
    ),
    "dissipated_power": Case(
        impact_damping.dissipated_power,
        lambda: drawn(40, (1e6, 1e8), (0.0, 2.0), (-1e-4, 1e-3), (-2.0, 2.0)),
        rtol=1e-14,
    ),
    "slip_friction": Case(
        slip_friction.slip_friction,
        lambda: ((0.3, 1e-3, 1e-4, 20.0, slip) for slip in [(0.0, 0.0, 0.0), *pushes(1e-3)]),
    ),
    "stick_force by a spring": Case(
        stick_slip.stick_force,
        lambda: (
            (offset, slip, 10.0, 0.3, 0.3, 1e-3, 1e5, 2.0, 1e-3)
            for offset, slip in zip(vectors(40, 6e-5), vectors(40, seed=5), strict=True)
        ),
        rtol=1e-12,
    ),
    "sticky_force": Case(
        sticky.sticky_force,
        lambda: ((a, b, 400.0, 1.5) for a, b in zip(vectors(40), vectors(40, seed=5), strict=True)),
    ),
    "blend": Case(
        regularisation.blend,
        lambda: ((u, REGULAR, 2.5, regularisation.capped(s, 1.0)) for u, s in zip(pushes(REGULAR), vectors(40), strict=True)),
    ),
    "capped": Case(regularisation.capped, lambda: ((s, 1.0) for s in pushes(1.0))),
    "stick_force of a body": Case(
        coulomb.stick_force,
        lambda: ((*body, triple(rng.normal(size=3))) for rng, body in bodies()),
    ),
    "friction_force": Case(
        coulomb.friction_force,
        lambda: (
            (0.4, 0.7, REGULAR, 2.0, velocity, UP, sticking)
            for velocity, sticking in zip(pushes(REGULAR), vectors(40), strict=True)
        ),
    ),
    "rolling_torques": Case(
        rolling_resistance.rolling_torques,
        lambda: (
            (0.005, 1e-3, 4.0, rate, (2.0, 0.1, -0.2, 3.0, 0.3, 2.5), alpha)
            for rate, alpha in zip(pushes(1e-3), vectors(40), strict=True)
        ),
    ),
    "companion_force": Case(
        rolling_resistance.companion_force,
        lambda: ((*body, triple(rng.normal(size=3))) for rng, body in bodies()),
    ),
    "compliant_contact": Case(compliant.compliant_contact, states),
    "elastic_energy": Case(compliant.elastic_energy, lambda: (state[:5] for state in states())),
    "calm_since": Case(
        settling.calm_since,
        lambda: (
            (before, 6.0, speed, 0.0, count, 1e-7, 1e-6)
            for before in (settling.NOT_CALM, 1.0)
            for speed in (0.0, 1.0, math.nan)
            for count in (0, 3)
        ),
    ),
    "is_settled": Case(
        settling.is_settled, lambda: ((since, 6.0, 5.0) for since in (settling.NOT_CALM, 0.5, 1.0, 1.5))
    ),
    "struck_normal": Case(
        rocks_stochastic.struck_normal,
        lambda: (
            (rocks_stochastic.stochastic_rocks(14.3, 2.8, 0.05, 0.5, 0.125), UP, (0.05, 0.02, -0.1), *u)
            for u in drawn(40, (0.0, 1.0 - 1e-12), (0.0, 1.0 - 1e-12), (0.0, 1.0 - 1e-12))
        ),
    ),
    "apply_symmetric": Case(
        symmetric.apply_symmetric,
        lambda: ((a + b, c) for a, b, c in zip(vectors(40), vectors(40, seed=3), vectors(40, seed=4), strict=True)),
    ),
}  # fmt: skip
