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
from haptos.core.symmetric import apply_symmetric
from haptos.core.vectors import (
    add,
    add_scaled,
    dot,
    norm,
    scale,
    subtract,
    tangents,
    three_at,
)
from haptos.geometry.distance.surface import GRID, direction, gap_and_gradient, ground_field
from haptos.geometry.terrain.land import grid_in, has_seeded, is_rough
from haptos.geometry.terrain.rocks_kept import has_polyhedral

CITES: tuple[str, ...] = ()

PROBES = 6  # [-] directions
SAME = 0.9945  # [-] cosine of the angle, 6 degrees, below which two normals are one
NEARER = 2e-3  # [radii] by which a plane may be nearer than the field says
FALLING = 1e-3  # [-] n_k . t_k of ground that falls away
STEP = 0.05  # [radii] how far away is asked, at least
SPACINGS = 1.5  # [-] of a grid, the same
BLUR = 0.75  # [spacings] by which a grid rounds a crease off, times the sine of half its angle
COARSEST = 0.25  # [radii] spacing of a grid up to which its creases are looked for
SEEN_THERE = 0.99  # [-] cosine between the normals of a wall at and beside the centre,
SEEN_ROUNDED = 0.9  # [-] and of one that was found where a grid rounds it off; assumed
MOST_PLANES = 4
# Columns of a plane: normal, gap of the ball [m], GROUND or ROCK, where it was seen from the centre [m]
NORMAL, GAP, KIND, SEEN = 0, 3, 4, 5
PLANE_SIZE = 8


@device
def has_creases(surface):
    """Whether the ground may have creases."""
    return surface.kind == GRID or is_rough(surface.land)


@device
def has_kinks(surface, size):
    """Whether a point of a body of that size [m] may meet creases with a kink: of polyhedral rocks and fine grids.

    Seeded rocks have a fillet, and their walls are curved; coarser grids are smooth.
    """
    is_fine = fine_spacing(surface, size) > 0.0
    return (is_fine or has_polyhedral(surface.land)) and not has_seeded(surface.land)


@device
def fine_spacing(surface, radius):
    """Spacing [m] of a grid that a ball of that radius [m] can feel; 0 of coarser ones, and without a grid."""
    spacing = grid_in(surface.land).spacing if surface.kind == GRID else 0.0
    return spacing if spacing <= COARSEST * radius else 0.0


@device
def wall_field(surface, at, offset):
    """(d [m], gradient, Hessian [1/m], kind) of a wall at a place [m], as seen from an offset [m] beside it.

    The field there is carried back with its curvature: exactly for a flat wall.
    """
    d, gradient, hessian, kind = ground_field(surface, add(at, offset))
    bend = apply_symmetric(hessian, offset)
    d = d - dot(gradient, offset) + 0.5 * dot(offset, bend)
    return d, subtract(gradient, bend), hessian, kind


@device
def wall_offset(surface, at, planes, count, i, step, same):
    """Where wall i alone is nearest [m], `step` [m] from the place where walls were looked for: away from the others, toward the wall.

    A wall that is not seen there, as it ends before, is asked for where it was found. same: cosine above which two normals are of one wall.
    """
    n = three_at(planes[i], NORMAL)
    toward = (0.0, 0.0, 0.0)
    for j in range(count):
        toward = add(toward, subtract(three_at(planes[j], NORMAL), n))
    offset = scale(step / max(norm(toward), 1e-12), toward)
    _, gradient = gap_and_gradient(surface, add(at, offset))
    if dot(direction(gradient), n) < same:
        offset = three_at(planes[i], SEEN)
    return offset


@device
def _known(planes, count, n):
    """Number of the plane of normal n; -1 if it is new."""
    for i in range(count):
        if dot(three_at(planes[i], NORMAL), n) > SAME:
            return i
    return -1


@device
def put_plane(planes, i, n, gap, kind, seen):
    """Write plane i."""
    planes[i, NORMAL], planes[i, NORMAL + 1], planes[i, NORMAL + 2] = n
    planes[i, GAP], planes[i, KIND] = gap, kind
    planes[i, SEEN], planes[i, SEEN + 1], planes[i, SEEN + 2] = seen


@routine
def crease_planes(surface, x, radius, reach, planes):
    """Number of planes that a ball at x [m] of that radius [m] touches within `reach` [m], their rows written.

    A grid adds to the reach what it rounds a crease off. One or none: no crease, the field itself is right.
    """
    spacing = fine_spacing(surface, radius)
    return planes_about(surface, x, radius, radius, spacing, reach, planes)


@routine
def planes_about(surface, x, radius, size, spacing, reach, planes):
    """As `crease_planes` of a ball, or with no radius of a point of a body of that size [m], to which all lengths are in proportion.

    spacing [m] of a grid that rounds creases off, 0: the field's own kinks are the creases.
    """
    d, gradient, _, kind = ground_field(surface, x)
    n = direction(gradient)
    u1, u2 = tangents(n)
    step, count = max(STEP * size, SPACINGS * spacing), 0
    if spacing == 0.0:
        put_plane(planes, 0, n, d - radius, kind, (0.0, 0.0, 0.0))
        count = 1
    for k in range(PROBES):
        angle = 2.0 * math.pi * k / PROBES
        t = add_scaled(scale(math.cos(angle), u1), math.sin(angle), u2)
        d_k, gradient_k, _, kind_k = ground_field(surface, add_scaled(x, step, t))
        n_k = direction(gradient_k)
        nearest = d_k - step * dot(gradient_k, t)
        blur = BLUR * spacing * math.sqrt(max(0.5 * (1.0 - dot(n, n_k)), 0.0))
        if nearest < d - NEARER * size or nearest - radius > reach + blur:
            continue
        if dot(n_k, t) > FALLING:
            continue
        i = _known(planes, count, n_k)
        if i < 0 and count < MOST_PLANES:
            put_plane(planes, count, n_k, nearest - radius, kind_k, scale(step, t))
            count += 1
        elif i >= 0 and nearest - radius < planes[i, GAP]:
            put_plane(planes, i, n_k, nearest - radius, kind_k, scale(step, t))
    return count
