"""The matrix of a block whose contacts are points of one rigid body on fixed ground.

    G_ia,jb = d_ia . d_jb / m + (r_i x d_ia) . I^-1 (r_j x d_jb)          Eq. (2.56) for all pairs

    d_ia   direction a of contact i (u1, u2, N)       r_i  contact point from the centre of mass [m]
    m, I   mass [kg] and inertia [kg m^2], given as I^-1
Frame: r, d in A axes, I^-1 in B axes, dcm_AB between them.
Validity: rigid body, attitude frozen for the time of the impact.
Source: [VanWal2018] section 2.5.1.
"""

from __future__ import annotations

import numpy as np

from haptos.contact.collision_geometry import contact_frame
from haptos.contact.impacts.block import IMPULSE, SIZE, VELOCITY, block_arrays
from haptos.core.jit import routine
from haptos.core.rotations import apply, apply_transposed
from haptos.core.symmetric import apply_symmetric
from haptos.core.vectors import (
    add,
    add_scaled,
    cross,
    dot,
    put_three,
    three_at,
)

CITES: tuple[str, ...] = ("VanWal2018",)

# Columns of an arm: direction (A axes), torque r x d (B axes), I^-1 of it.
DIRECTION, TORQUE, TURN = 0, 3, 6
ARM_SIZE = 9


def body_block_arrays() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(G, working array, arms) of the blocks of one body, one set per thread."""
    return *block_arrays(), np.zeros((SIZE, ARM_SIZE))


@routine
def add_contact(arms, rows, i, body, dcm_AB, v, w_B, r, normal):
    """Write the arms of contact i, rows 3 i to 3 i + 2, and its velocity."""
    frame = contact_frame(normal)
    nu = add(v, cross(apply(dcm_AB, w_B), r))  # Eq. (2.47)
    for a in range(3):
        row = arms[3 * i + a]
        d = frame[0] if a == 0 else frame[1] if a == 1 else frame[2]
        torque_B = apply_transposed(dcm_AB, cross(r, d))
        put_three(row, DIRECTION, d)
        put_three(row, TORQUE, torque_B)
        put_three(row, TURN, apply_symmetric(body.inverse_inertia, torque_B))
        rows[VELOCITY, 3 * i + a] = dot(d, nu)


@routine
def fill_matrix(matrix, arms, count, body):
    """G [1/kg] of `count` contacts, whose arms are written."""
    for j in range(3 * count):
        d, torque = three_at(arms[j], DIRECTION), three_at(arms[j], TORQUE)
        for k in range(j + 1):
            straight = dot(d, three_at(arms[k], DIRECTION)) / body.mass
            matrix[j, k] = straight + dot(torque, three_at(arms[k], TURN))
            matrix[k, j] = matrix[j, k]


@routine
def moved(arms, rows, count, body, v, w_B):
    """(v, w_B) of the body after the impulses of a block."""
    for k in range(3 * count):
        p = rows[IMPULSE, k]
        v = add_scaled(v, p / body.mass, three_at(arms[k], DIRECTION))
        w_B = add_scaled(w_B, p, three_at(arms[k], TURN))
    return v, w_B
