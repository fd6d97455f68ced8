"""The impact of collision.py as kernels call it: compiled separately, by its address in an arena.

Validity and Source: those of collision.py, whose numbers come back unchanged.
"""

from __future__ import annotations

from haptos.contact.collision import PATH_COLUMNS, Coefficients, Collision, collide
from haptos.contact.collision_path import MOST_SEGMENTS, CollisionScratch
from haptos.contact.collision_slip import COLUMNS, LENGTH
from haptos.core.arena_slots import COLLISION
from haptos.core.jit import device
from haptos.core.pointers import opened, separately_compiled, working_array

CITES: tuple[str, ...] = ()

_powers, _path = working_array(LENGTH, COLUMNS), working_array(MOST_SEGMENTS, PATH_COLUMNS)


@separately_compiled(COLLISION, 15)
def collision_numbers(numbers, integers, layout, io):
    """Arguments of `collide` in, the numbers of a Collision out."""
    numbers, integers, layout, io = opened(numbers, integers, layout, io)
    scratch = CollisionScratch(_powers(), _path())
    inverse = (io[1], io[2], io[3], io[4], io[5], io[6])
    dcm_AB = ((io[7], io[8], io[9]), (io[10], io[11], io[12]), (io[13], io[14], io[15]))
    r, v, w_B = (io[16], io[17], io[18]), (io[19], io[20], io[21]), (io[22], io[23], io[24])
    normal = (io[25], io[26], io[27])
    given = Coefficients(io[28], io[29], int(io[30]), (io[31], io[32], io[33]), io[34])
    found = collide(io[0], inverse, dcm_AB, r, v, w_B, normal, given, scratch)
    for k in range(3):
        io[k], io[3 + k], io[6 + k] = found.v[k], found.w_B[k], found.impulse[k]
    io[9], io[10], io[11] = found.normal_work, found.friction_work, found.rolling_work
    io[12], io[13], io[14] = found.mode, found.status, found.steps


@device
def collide_apart(arena, mass, inverse_inertia, dcm_AB, r, v, w_B, normal, given):
    """Collision of `collide`, by the function in the arena."""
    s, d, c = inverse_inertia, dcm_AB, given
    q = collision_numbers(
        arena,
        (
            mass, s[0], s[1], s[2], s[3], s[4], s[5],
            d[0][0], d[0][1], d[0][2], d[1][0], d[1][1], d[1][2], d[2][0], d[2][1], d[2][2],
            r[0], r[1], r[2], v[0], v[1], v[2], w_B[0], w_B[1], w_B[2],
            normal[0], normal[1], normal[2],
            c.restitution, c.friction, float(c.law),
            c.rolling[0], c.rolling[1], c.rolling[2], c.stick_rate,
        ),
    )  # fmt: skip
    return Collision(
        (q[0], q[1], q[2]), (q[3], q[4], q[5]), (q[6], q[7], q[8]),
        q[9], q[10], q[11], int(q[12]), int(q[13]), int(q[14]),
    )  # fmt: skip
