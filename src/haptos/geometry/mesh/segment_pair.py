"""Closest points of two straight segments, and of a thread with a sharp edge."""

from __future__ import annotations

import math

from haptos.core.jit import device
from haptos.core.vectors import cross, dot, norm, scale, subtract

CITES: tuple[str, ...] = ("Ericson2005",)

PARALLEL = 1e-6  # [-] sine of the angle below which two segments count as parallel


@device
def closest_of_segments(p, u, q, w):
    """(s, t) in 0 to 1 of the closest points p + s u and q + t w of two segments [m].

    Validity: any, also parallel ones, of which one pair of closest points is given; a segment
    without length counts as a point. Source: [Ericson2005] 5.1.9.
    """
    r = subtract(p, q)
    uu, ww, wr = dot(u, u), dot(w, w), dot(w, r)
    if uu <= 0.0:
        return 0.0, _within(wr / ww) if ww > 0.0 else 0.0
    ur = dot(u, r)
    if ww <= 0.0:
        return _within(-ur / uu), 0.0
    uw = dot(u, w)
    below = uu * ww - uw * uw
    s = _within((uw * wr - ur * ww) / below) if below > PARALLEL**2 * uu * ww else 0.0
    t = (uw * s + wr) / ww
    if t < 0.0:
        return _within(-ur / uu), 0.0
    if t > 1.0:
        return _within((uw - ur) / uu), 1.0
    return s, t


@device
def _within(x):
    return min(max(x, 0.0), 1.0)


@device
def edge_gap(p, u, q, w, normal_1, normal_2):
    """(gap [m], unit normal, s, t, is a contact) of the thread p + s u with a sharp edge q + t w.

    The normal is across both and out of the body; it counts only within the wedge between the
    normals of the two faces, and where both closest points lie inside their segments: elsewhere
    the thread rests on a face or a corner, which the points of the thread feel themselves.
    gap is that of the thread's axis, < 0 once it has cut into the edge.
    """
    s, t = closest_of_lines(p, u, q, w)
    n = cross(w, u)
    size = norm(n)
    if size <= PARALLEL * norm(u) * norm(w):
        return math.inf, (0.0, 0.0, 0.0), 0.0, 0.0, False
    out = dot(n, normal_1) + dot(n, normal_2)
    n = scale(math.copysign(1.0 / size, out), n)
    along = math.copysign(1.0, dot(cross(normal_1, normal_2), w))
    is_inside = 0.0 < s < 1.0 and 0.0 <= t <= 1.0
    in_wedge = (
        along * dot(cross(normal_1, n), w) >= 0.0 and along * dot(cross(n, normal_2), w) >= 0.0
    )
    r = subtract(p, q)
    gap = n[0] * r[0] + n[1] * r[1] + n[2] * r[2]
    return gap, n, s, t, is_inside and in_wedge


@device
def closest_of_lines(p, u, q, w):
    """(s, t) of the closest points of two endless lines; parallel lines have s = t = 0."""
    r = subtract(p, q)
    uu, ww, uw = dot(u, u), dot(w, w), dot(u, w)
    below = uu * ww - uw * uw
    if below <= PARALLEL**2 * uu * ww:
        return 0.0, 0.0
    ur, wr = dot(u, r), dot(w, r)
    return (uw * wr - ur * ww) / below, (uu * wr - uw * ur) / below
