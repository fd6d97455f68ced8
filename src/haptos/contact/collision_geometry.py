"""What a body feels of an impulse at one of its points: contact frame and collision matrix.

    u1 = N x t3 / |N x t3|,  u2 = N x u1                                          Eq. (2.48)
    M    = 1/m - r~ I^-1 r~         velocity change at r per impulse at r         Eq. (2.55)
    M_ij = 1/m - r_j~ I^-1 r_i~     velocity change at r_j per impulse at r_i     Eq. (2.56)

    N  unit normal, out of the ground           t3  third axis of A; t1 where N is along t3
    m  mass [kg]                                I   inertia [kg m^2], given as I^-1, six numbers
    r  contact point from the centre of mass [m]
M is symmetric and positive definite; in the contact frame {u1, u2, N} it is given as six numbers.
Frame: r, N and the contact frame in A axes, I^-1 in B axes, dcm_AB between them.
Validity: rigid body, attitude frozen for the time of the impact.
Source: [VanWal2018] section 2.5.1.
"""

from __future__ import annotations

import math

from haptos.core.jit import device
from haptos.core.rotations import apply_transposed
from haptos.core.symmetric import apply_symmetric
from haptos.core.vectors import add_scaled, cross, dot, scale

CITES: tuple[str, ...] = ("VanWal2018",)

ALONG = 1e-4  # [-] square of the sine between N and t3 below which t1 takes the place of t3


@device
def contact_frame(normal):
    """Rows (u1, u2, N) of dcm_CA, right-handed, for every unit normal in A axes. Eq. (2.48)."""
    x, y, z = normal
    square = x * x + y * y
    if square > ALONG:
        length = math.sqrt(square)
        u1 = (y / length, -x / length, 0.0)  # N x t3
    else:
        length = math.sqrt(y * y + z * z)
        u1 = (0.0, z / length, -y / length)  # N x t1
    return u1, cross(normal, u1), normal


@device
def collision_matrix(mass, inverse_inertia, dcm_AB, r, frame):
    """M [1/kg] in the contact frame, six numbers (11, 12, 13, 22, 23, 33). Eq. (2.55)."""
    arm1 = apply_transposed(dcm_AB, cross(r, frame[0]))
    arm2 = apply_transposed(dcm_AB, cross(r, frame[1]))
    arm3 = apply_transposed(dcm_AB, cross(r, frame[2]))
    turn2 = apply_symmetric(inverse_inertia, arm2)
    turn3 = apply_symmetric(inverse_inertia, arm3)
    return (
        1.0 / mass + dot(arm1, apply_symmetric(inverse_inertia, arm1)),
        dot(arm1, turn2),
        dot(arm1, turn3),
        1.0 / mass + dot(arm2, turn2),
        dot(arm2, turn3),
        1.0 / mass + dot(arm3, turn3),
    )


@device
def velocity_change(mass, inverse_inertia, dcm_AB, r_i, r_j, impulse):
    """Velocity change [m/s] of the point r_j by an impulse [N s] at r_i, all in A axes: M_ij P.

    Eq. (2.56); M_ij is not symmetric, but M_ji is its transpose.
    """
    turning_B = apply_symmetric(inverse_inertia, apply_transposed(dcm_AB, cross(r_i, impulse)))
    arm_B = apply_transposed(dcm_AB, r_j)
    turned = cross(turning_B, arm_B)  # B axes; the rows of dcm_AB take it to A
    change = scale(1.0 / mass, impulse)
    return (
        change[0] + dot(dcm_AB[0], turned),
        change[1] + dot(dcm_AB[1], turned),
        change[2] + dot(dcm_AB[2], turned),
    )


@device
def to_contact(frame, x):
    """Components of x (A axes) in the contact frame."""
    return (dot(frame[0], x), dot(frame[1], x), dot(frame[2], x))


@device
def from_contact(frame, x):
    """Vector in A axes from its components in the contact frame."""
    return add_scaled(add_scaled(scale(x[0], frame[0]), x[1], frame[1]), x[2], frame[2])
