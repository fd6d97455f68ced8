"""Planes of the ground that a ball touches in a crease: a field tells only the nearest surface.

    x_k = x + s t_k,   D_k = d(x_k) - s grad d(x_k) . t_k         six directions t_k across the normal at x

    d    field of the ground [m], x centre of the ball            s    how far away it is asked [m]
    D_k  distance from x of the plane seen at x_k, exact for a flat wall; D_k - R is the gap of the ball
Planes whose normals are within SAME of each other are one. In a crease the field is the least of several
distances, so that D_k >= d and walls rise away from x, n_k . t_k < 0; planes that do not belong to an edge or a corner, which
turns its normal as one goes round it, and are left out. The plane at x itself is the first, but on a grid fine enough
for the ball to feel how it rounds a crease off: there only the walls are.
Frame: A axes. Validity: walls flat over s. Creases of a grid coarser than a quarter of the ball are smooth ground; those
with rocks are seen.
Source: elementary geometry.
"""

from __future__ import annotations

import math

from haptos.core.jit import device, routine
from haptos.core.vectors import add_scaled, dot, scale, tangents
from haptos.geometry.distance.surface import GRID, direction, ground_field
from haptos.geometry.terrain.land import grid_in, is_rough

CITES: tuple[str, ...] = ()

PROBES = 6  # [-] directions
SAME = 0.9945  # [-] cosine of the angle, 6 degrees, below which two normals are one
NEARER = 2e-3  # [radii] by which a plane may be nearer than the field says
FALLING = 1e-3  # [-] n_k . t_k of ground that falls away
STEP = 0.05  # [radii] how far away is asked, at least
SPACINGS = 1.5  # [-] of a grid, the same
BLUR = 0.75  # [spacings] by which a grid rounds a crease off, times the sine of half its angle
COARSEST = 0.25  # [radii] spacing of a grid up to which its creases are looked for
MOST_PLANES = 4
# Columns of a plane: normal, gap of the ball [m], GROUND or ROCK, where it was seen from the centre [m]
NORMAL, GAP, KIND, SEEN = 0, 3, 4, 5
PLANE_SIZE = 8


@device
def has_creases(surface):
    """Whether the ground may have creases."""
    return surface.kind == GRID or is_rough(surface.land)


@device
def fine_spacing(surface, radius):
    """Spacing [m] of a grid that a ball of that radius [m] can feel; 0 of coarser ones, and without a grid."""
    spacing = grid_in(surface.land).spacing if surface.kind == GRID else 0.0
    return spacing if spacing <= COARSEST * radius else 0.0


@device
def _three(row, first):
    return (row[first], row[first + 1], row[first + 2])


@device
def _known(planes, count, n):
    """Number of the plane of normal n; -1 if it is new."""
    for i in range(count):
        if dot(_three(planes[i], NORMAL), n) > SAME:
            return i
    return -1


@device
def _put(planes, i, n, gap, kind, seen):
    planes[i, NORMAL], planes[i, NORMAL + 1], planes[i, NORMAL + 2] = n
    planes[i, GAP], planes[i, KIND] = gap, kind
    planes[i, SEEN], planes[i, SEEN + 1], planes[i, SEEN + 2] = seen


@routine
def crease_planes(surface, x, radius, reach, planes):
    """Number of planes that a ball at x [m] of that radius [m] touches within `reach` [m], their rows written.

    A grid adds to the reach what it rounds a crease off. One or none: no crease, the field itself is right.
    """
    d, gradient, _, kind = ground_field(surface, x)
    n = direction(gradient)
    u1, u2 = tangents(n)
    spacing = fine_spacing(surface, radius)
    step, count = max(STEP * radius, SPACINGS * spacing), 0
    if spacing == 0.0:
        _put(planes, 0, n, d - radius, kind, (0.0, 0.0, 0.0))
        count = 1
    for k in range(PROBES):
        angle = 2.0 * math.pi * k / PROBES
        t = add_scaled(scale(math.cos(angle), u1), math.sin(angle), u2)
        d_k, gradient_k, _, kind_k = ground_field(surface, add_scaled(x, step, t))
        n_k = direction(gradient_k)
        nearest = d_k - step * dot(gradient_k, t)
        blur = BLUR * spacing * math.sqrt(max(0.5 * (1.0 - dot(n, n_k)), 0.0))
        if nearest < d - NEARER * radius or nearest - radius > reach + blur:
            continue
        if dot(n_k, t) > FALLING:
            continue
        i = _known(planes, count, n_k)
        if i < 0 and count < MOST_PLANES:
            _put(planes, count, n_k, nearest - radius, kind_k, scale(step, t))
            count += 1
        elif i >= 0 and nearest - radius < planes[i, GAP]:
            _put(planes, i, n_k, nearest - radius, kind_k, scale(step, t))
    return count
