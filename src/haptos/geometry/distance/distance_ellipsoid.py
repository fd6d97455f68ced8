"""Distance to an ellipsoid about the origin, along its principal axes."""

from __future__ import annotations

import math

from haptos.core.jit import device
from haptos.core.vectors import norm

CITES: tuple[str, ...] = ("Eberly2013", "More1983")

ITERATIONS = 64  # [-], bound of the Newton loop; 2 or 3 near the surface, 41 is the worst found
STEP_TOLERANCE = 1e-9  # [-], of a Newton step; convergence is quadratic, so the error is its square
ROUNDING = 4.5e-16  # [-], two units in the last place of 1: a smaller residual says nothing
LEAST_ROOT = 1e-30  # [-], of the shortest semi-axis squared: s > 0, far below any root there is
MEDIAL_WIDTH = 1e-17  # [-], of the shortest semi-axis: nearer to the medial disc counts as on it


@device
def ellipsoid_distance(x, semi_axes):
    """(gap [m], normal [-]) of a point from an ellipsoid about the origin.

    The closest point p has p_i = e_i^2 x_i / (t + e_i^2), with t the largest root of
    sum_i (e_i x_i / (t + e_i^2))^2 = 1; then gap = t |m|, normal = m / |m|, m_i = p_i / e_i^2.

    x          point [m], 3-tuple         semi_axes  e [m], 3-tuple, > 0, in any order
    Frame: principal axes of the ellipsoid. Sign: gap > 0 outside.
    Validity: exact inside and outside to about 1e-15 of the size of the problem. On the medial
    disc, where the two sides are equally near, the normal leans to the positive side of the
    shortest axis; at the centre it is that axis.
    Source: [Eberly2013] for the root and its bracket; [More1983] for the form that is solved.
    """
    e0, e1, e2 = semi_axes
    y0, y1, y2 = abs(x[0]), abs(x[1]), abs(x[2])
    shortest = min(e0, e1, e2)
    # s = t + shortest^2 is solved for instead of t: it stays exact where t + shortest^2 -> 0.
    d0 = (e0 - shortest) * (e0 + shortest)
    d1 = (e1 - shortest) * (e1 + shortest)
    d2 = (e2 - shortest) * (e2 + shortest)
    height = math.sqrt(
        (y0 * y0 if d0 == 0.0 else 0.0)
        + (y1 * y1 if d1 == 0.0 else 0.0)
        + (y2 * y2 if d2 == 0.0 else 0.0)
    )
    if height <= MEDIAL_WIDTH * shortest:
        m0 = y0 / d0 if d0 > 0.0 else 0.0
        m1 = y1 / d1 if d1 > 0.0 else 0.0
        m2 = y2 / d2 if d2 > 0.0 else 0.0
        rest = 1.0 - (e0 * m0) ** 2 - (e1 * m1) ** 2 - (e2 * m2) ** 2
        if rest >= 0.0:
            return _on_medial_disc(x, (m0, m1, m2), (d0, d1, d2), shortest, rest)
        y0 = y0 if d0 > 0.0 else 0.0
        y1 = y1 if d1 > 0.0 else 0.0
        y2 = y2 if d2 > 0.0 else 0.0
    s = _confocal_root((e0 * y0, e1 * y1, e2 * y2), (d0, d1, d2), shortest)
    m = (
        math.copysign(y0 / (s + d0), x[0]),
        math.copysign(y1 / (s + d1), x[1]),
        math.copysign(y2 / (s + d2), x[2]),
    )
    length = norm(m)
    gap = (s - shortest * shortest) * length
    return gap, (m[0] / length, m[1] / length, m[2] / length)


@device
def _on_medial_disc(x, m, d, shortest, rest):
    """Result where s = 0: the closest point rises from the disc along the shortest axis."""
    rise = math.sqrt(rest) / shortest
    m0, m1, m2 = m
    if d[0] == 0.0:
        m0 = rise
    elif d[1] == 0.0:
        m1 = rise
    else:
        m2 = rise
    n = (math.copysign(m0, x[0]), math.copysign(m1, x[1]), math.copysign(m2, x[2]))
    length = norm(n)
    return -shortest * shortest * length, (n[0] / length, n[1] / length, n[2] / length)


@device
def _confocal_root(q, d, shortest):
    """Largest root s > 0 of phi(s) = sum_i (q_i / (s + d_i))^2 = 1 [m^2].

    Newton on 1 / sqrt(phi) = 1, which is concave and rising: from either side the next iterate is
    left of the root and then climbs to it. `low` never exceeds the root.
    """
    low = max(
        q[0] - d[0], q[1] - d[1], q[2] - d[2], norm(q) - max(d), LEAST_ROOT * shortest * shortest
    )
    s = max(low, shortest * shortest)
    for _ in range(ITERATIONS):
        w0, w1, w2 = 1.0 / (s + d[0]), 1.0 / (s + d[1]), 1.0 / (s + d[2])
        p0, p1, p2 = (q[0] * w0) ** 2, (q[1] * w1) ** 2, (q[2] * w2) ** 2
        phi = p0 + p1 + p2
        slope = p0 * w0 + p1 * w1 + p2 * w2
        excess = math.sqrt(phi) - 1.0
        following = max(low, s + phi * excess / slope)
        change = abs(following - s)
        s = following
        if not (change > STEP_TOLERANCE * s and abs(excess) > ROUNDING):
            break
    return s


@device
def ellipsoid_distance_bound(x, semi_axes):
    """A number [m] the gap from an ellipsoid is never below, for a fraction of its price.

    Outside: gap >= k (k - 1) / |x / e^2|, k = |x / e|, the distance to the tangent plane that
    has the direction of the scaled ellipsoid through x; equal to the gap to first order.
    Inside: -min(e), the deepest point there is. Symbols and frame as in `ellipsoid_distance`.
    Source: support function of a convex body, [Eberly2013] notation.
    """
    u = (x[0] / semi_axes[0], x[1] / semi_axes[1], x[2] / semi_axes[2])
    k = norm(u)
    if not k > 1.0:
        return -min(semi_axes)
    m = (u[0] / semi_axes[0], u[1] / semi_axes[1], u[2] / semi_axes[2])
    return k * (k - 1.0) / norm(m)


@device
def ellipsoid_curvature(x, gap, normal, semi_axes):
    """Hessian [1/m] (xx, xy, xz, yy, yz, zz) of the distance from an ellipsoid, on its surface.

    S = P diag(1/e^2) P / |m|,   m_i = p_i / e_i^2,   P = 1 - n n^T,   p = x - gap n

    x, gap, normal: point and result of `ellipsoid_distance`; semi_axes e [m].
    Validity: at the closest point p, so exact for gap = 0; off it curvatures change by the share
    gap / radius. Source: second fundamental form of a level set; [Eberly2013] notation.
    """
    q = (1.0 / semi_axes[0] ** 2, 1.0 / semi_axes[1] ** 2, 1.0 / semi_axes[2] ** 2)
    m = (
        (x[0] - gap * normal[0]) * q[0],
        (x[1] - gap * normal[1]) * q[1],
        (x[2] - gap * normal[2]) * q[2],
    )
    k = 1.0 / norm(m)
    n0, n1, n2 = normal
    a0, a1, a2 = q[0] * n0, q[1] * n1, q[2] * n2  # diag(q) n
    bend = a0 * n0 + a1 * n1 + a2 * n2
    return (
        k * (q[0] - 2.0 * a0 * n0 + bend * n0 * n0),
        k * (-a0 * n1 - n0 * a1 + bend * n0 * n1),
        k * (-a0 * n2 - n0 * a2 + bend * n0 * n2),
        k * (q[1] - 2.0 * a1 * n1 + bend * n1 * n1),
        k * (-a1 * n2 - n1 * a2 + bend * n1 * n2),
        k * (q[2] - 2.0 * a2 * n2 + bend * n2 * n2),
    )
