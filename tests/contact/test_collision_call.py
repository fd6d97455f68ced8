"""The impact that kernels call by its address is that of collision.py, to the last bit."""

from __future__ import annotations

import numpy as np

from haptos.contact.collision import (
    LAWS,
    Coefficients,
    collide,
    collision_scratch,
    fill_collisions,
)
from haptos.contact.collision_call import collide_apart, collision_numbers
from haptos.core.arena import arena_of
from haptos.core.arena_slots import COLLISION
from haptos.core.jit import entry
from haptos.core.pointers import IO_SIZE
from haptos.core.symmetric import six_of
from tests.contact.bodies import rows, triple
from tests.contact.impact_cases import Impacts

COUNT = 60


def cases():
    """Arguments of `collide`, one tuple per impact: every law, with and without rolling."""
    impacts = Impacts(11, COUNT)
    for i in range(COUNT):
        rolling = (0.0, 0.0, 0.0) if i % 2 else (1e-3, 2e-3, 0.0)
        given = Coefficients(
            float(impacts.restitution[i]), float(impacts.friction[i]),
            list(LAWS.values())[i % 3], rolling, 1e-4,
        )  # fmt: skip
        yield (
            float(impacts.mass[i]), triple(six_of(np.linalg.inv(impacts.inertia[i]))),
            rows(impacts.dcm_AB[i]), triple(impacts.r[i]), triple(impacts.v[i]),
            triple(impacts.w_B[i]), triple(impacts.normal[i]), given,
        )  # fmt: skip


def flat(found):
    """All numbers of a Collision."""
    return np.array([*found.v, *found.w_B, *found.impulse, *found[3:]], dtype=float)


def test_numbers_come_back_unchanged():
    arena = arena_of([])
    for arguments in cases():
        expected = collide(*arguments, collision_scratch())
        found = collide_apart(arena, *arguments)
        assert flat(found).tobytes() == flat(expected).tobytes()
        assert [type(part) for part in found[6:]] == [int, int, int]


@entry
def compiled_apart(arena, mass, inverse, dcm, r, v, w, normal, given):
    return collide_apart(arena, mass, inverse, dcm, r, v, w, normal, given)


def test_compiled_it_is_the_compiled_impact():
    arena = arena_of([], {COLLISION: collision_numbers.address})
    for arguments in cases():
        mass, inverse, dcm, r, v, w, normal, given = arguments
        rows_of = [np.array([part]) for part in (mass, inverse, dcm, r, v, w, normal)]
        numbers, marks = np.empty((1, 12)), np.empty((1, 3), dtype=np.int64)
        coefficients = np.array([[*given[:2], *given.rolling, given.stick_rate]])
        fill_collisions(*rows_of, coefficients, given.law, numbers, marks)
        found = flat(compiled_apart(arena, *arguments))
        assert found.tobytes() == np.append(numbers, marks).tobytes()


def test_the_arguments_fit_into_what_is_passed():
    mass, inverse, dcm, r, v, w, normal, given = next(cases())
    numbers = [mass, *inverse, *np.ravel(dcm), *r, *v, *w, *normal, *given[:3], *given.rolling, 1.0]
    assert len(numbers) <= IO_SIZE
