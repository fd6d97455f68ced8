"""Using an evaluation of gravity again nearby: the field expanded about a point."""

from __future__ import annotations

import math
from collections import namedtuple

from haptos.core.jit import device
from haptos.core.symmetric import apply_symmetric
from haptos.core.vectors import add, add_scaled, dot, norm, subtract

# x0        where the field was evaluated [m], 3-tuple
# u, g      U [m^2/s^2] and g [m/s^2] there
# gradient  of g [1/s^2], six numbers (xx, xy, xz, yy, yz, zz)
Expansion = namedtuple("Expansion", "x0 u g gradient")


@device
def expanded_gravity(expansion, x):
    """(U [m^2/s^2], g [m/s^2]) at x [m] near the point of an earlier evaluation.

    g = g0 + Gamma0 d,   U = U0 + g0 . d + 1/2 d . Gamma0 . d,   d = x - x0

    g is exactly the gradient of this U, so a motion in the expanded field conserves energy.
    Validity: the error of g grows with |d|^2, that of U with |d|^3; see reuse_radius.
    Source: [VanWal2018] eq. (2.43), with the half that is missing there.
    """
    d = subtract(x, expansion.x0)
    change = apply_symmetric(expansion.gradient, d)
    u = expansion.u + dot(expansion.g, d) + 0.5 * dot(d, change)
    return u, add(expansion.g, change)


@device
def reuse_length(g, gradient):
    """Distance [m] over which the gradient would change g by its own size: |g| / |Gamma|.

    |Gamma| is the root of the sum of squares; r / sqrt(6) at a distance r from a point mass.
    """
    a, b, c, d, e, f = gradient
    square = a * a + d * d + f * f + 2.0 * (b * b + c * c + e * e)
    if not square > 0.0:
        return math.inf
    return norm(g) / math.sqrt(square)


@device
def reuse_error(g, gradient, distance):
    """Estimate of |g_expanded - g| / |g| [-] at a distance [m] from the evaluation.

    (distance / length)^2 / 2 with the length above. For a point mass it is the leading error,
    3 (distance / r)^2, along the radius, and more than the error in every other direction.
    """
    ratio = distance / reuse_length(g, gradient)
    return 0.5 * ratio * ratio


@device
def reuse_radius(g, gradient, tolerance, clearance):
    """Distance [m] within which an expansion keeps a relative error of g below `tolerance` [-].

    clearance  [m] to the nearest edge or face: the gradient itself jumps there, so an expansion
               is not carried farther than half of it. math.inf if the field is smooth.
    """
    return min(math.sqrt(2.0 * tolerance) * reuse_length(g, gradient), 0.5 * clearance)


@device
def is_reusable(expansion, x, radius):
    """Whether x [m] is within the radius [m] of an expansion."""
    d = add_scaled(x, -1.0, expansion.x0)
    return dot(d, d) <= radius * radius
