"""Rigid bodies, cables, marches and lift-off, compiled and in Python."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from haptos.core import counter_random, rotations
from haptos.core import vectors as vector
from haptos.dynamics.cable import beam_element, draw_cord, reel, thread_beam
from haptos.dynamics.liftoff import liftoff
from haptos.dynamics.nets import shot
from haptos.dynamics.rigid import rigid_body
from tests.dynamics.cable import test_beam_element, test_thread_beam
from tests.dynamics.liftoff.test_liftoff import OMEGA, random_cases, resting_load
from tests.dynamics.rigid.test_rigid_body import INVERSE, MASS, SIX
from tests.kernels.harness import Case, vectors


def triples(count: int) -> Iterator[tuple[tuple[float, ...], ...]]:
    """Six drawn triples a call."""
    for seed in range(count):
        yield tuple(vectors(6, seed=seed))


def elements() -> Iterator[tuple[object, ...]]:
    for seed in range(8):
        a, b = test_beam_element.random_pair(seed)
        d, v = (test_beam_element.tuples(np.subtract(b[i], a[i])) for i in (0, 1))
        yield test_beam_element.DAMPED, test_beam_element.LENGTH, d, v, (a[2], a[3]), (b[2], b[3])


def sections() -> Iterator[tuple[object, ...]]:
    for mode in (liftoff.NORMAL, liftoff.PLANE_GRAVITY, liftoff.PLANE_NET):
        for place, normal, toward, curvature, gravity in random_cases(20):
            place, normal, toward = (tuple(map(float, x)) for x in (place, normal, toward))
            load = resting_load(OMEGA, place, gravity)
            yield mode, normal, toward, OMEGA, load, gravity, curvature


LAW = reel.reel([0.0, 10.0, 12.0, 40.0], [1.0, 31.0, 31.0, 5.0])
WORDS = [0, 1, 2**31, 2**32 - 1, 123456789]

CASES = {
    "free_acceleration": Case(rigid_body.free_acceleration, lambda: (x[:5] for x in triples(20))),
    "free_angular_acceleration": Case(
        rigid_body.free_angular_acceleration, lambda: ((SIX, INVERSE, *x[:3]) for x in triples(20))
    ),
    "kinetic_energy": Case(
        rigid_body.kinetic_energy, lambda: ((MASS, SIX, *x[:2]) for x in triples(20))
    ),
    "potential_energy": Case(
        rigid_body.potential_energy, lambda: ((MASS, SIX, 0.3, *x[:3]) for x in triples(20))
    ),
    "spin_power": Case(
        rigid_body.spin_power, lambda: ((MASS, SIX, x[0], *x[:6]) for x in triples(20))
    ),
    "beam_load": Case(beam_element.beam_load, elements, rtol=1e-13),
    "swivel_load": Case(beam_element.swivel_load, lambda: (x[:5] for x in elements()), rtol=1e-13),
    "beam_joint_load": Case(
        thread_beam.beam_joint_load,
        lambda: (
            (test_thread_beam.DAMPED, *test_thread_beam.random_pair(seed), 0.4, -0.3)
            for seed in range(8)
        ),
        rtol=1e-14,
    ),
    "shot_force": Case(shot.shot_force, lambda: ((t, 0.5, 3.0, 0.1) for t in (0.4, 0.55, 0.6))),
    "closing_length": Case(
        draw_cord.closing_length, lambda: ((t, 1.0, 0.5, 2.0, 0.2, 1) for t in (0.1, 0.5, 1.2, 5.0))
    ),
    "winding_power": Case(draw_cord.winding_power, lambda: [(3.0, 2.0, 1e4, -0.3), (3.0, 2.0, 1e4, 0.0)]),
    "wound_share": Case(draw_cord.wound_share, lambda: [(1, 0), (1, 1), (0, 1)]),
    "reel_length": Case(
        reel.reel_length,
        lambda: ((t, LAW.times, LAW.lengths, len(LAW.times)) for t in (-1.0, 3.0, 10.0, 11.0, 39.9, 40.0)),
    ),
    "section_terms": Case(liftoff.section_terms, sections),
    "liftoff_speed": Case(
        liftoff.liftoff_speed, lambda: (liftoff.section_terms(*x) for x in sections())
    ),
    "random_words": Case(
        counter_random.random_words, lambda: (((a, b), (a, b, 3, a)) for a in WORDS for b in WORDS)
    ),
    "four_normals": Case(
        counter_random.four_normals, lambda: (((a, b), (a, b, 3, a)) for a in WORDS for b in WORDS)
    ),
    "uniform": Case(
        counter_random.uniform, lambda: (((a, b), (a, b, 3, a)) for a in WORDS for b in WORDS)
    ),
    "tangents": Case(vector.tangents, lambda: [((0.6, 0.0, -0.8),), ((0.0, 0.0, 1.0),)]),
    "rotation_matrix": Case(
        rotations.rotation_matrix, lambda: [((0.5, 0.5, -0.5, 0.5),), ((0.8, 0.0, 0.6, 0.0),)]
    ),
    "quaternion_product": Case(
        rotations.quaternion_product, lambda: [((0.5, 0.5, -0.5, 0.5), (0.8, 0.0, 0.6, 0.0))]
    ),
    "quaternion_rate": Case(
        rotations.quaternion_rate, lambda: [((0.5, 0.5, -0.5, 0.5), (0.1, 0.2, 0.3))]
    ),
}  # fmt: skip
