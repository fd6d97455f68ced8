"""Polyhedral rocks on the facets of a mesh, made again wherever they are needed and never stored.

Of a facet of area A: floor(K A) rocks and one more with the probability of the remainder. Of each rock:
    s       diameter [m] from the law of Eq. (2.23)
    shape   icosahedron with corners s/2 from its centre; to every coordinate of every corner is
            added sigma s N(0, 1), the sum of a corner being cut at 4 sigma s
    place   uniform over the facet, then along the normal by -r s, r uniform in [r_min, r_max]
    turn    uniform over all rotations;   mark  uniform in [0, 1): exists where mark < share
All numbers come from a counter (facet, rock): the same rock for every run, thread and order.

    K      rocks larger than s_min per area [1/m^2], Eq. (2.22)
    sigma  deformation per size [-], 0 to 0.1, assumed 0.05: the source gives no value
    r      sink ratio [-], > 0 puts the centre below the facet; -0.4 to 0.25 in Table 4.2
The gap is the exact distance to the 20 triangles of the deformed icosahedron, so that a sphere rolls
over its edges as over round ones; no convexity is needed.
Frame: that of the mesh. Sign: gap > 0 outside the rock, normal out of the rock.
Validity: sigma small, so that no rock cuts itself; rocks overlap as chance has it.
Source: [VanWal2018] section 2.3.1; foot on a triangle: [Ericson2005].
"""

from __future__ import annotations

import math

import numpy as np

from haptos.core.counter_random import four_normals, four_uniforms, random_rotation, uniform
from haptos.core.jit import device, routine
from haptos.core.rotations import apply, rotation_matrix
from haptos.core.vectors import add, add_scaled, cross, dot, norm, scale, subtract
from haptos.geometry.polyhedra import platonic_solid
from haptos.geometry.rock_sizes import rock_size

CITES: tuple[str, ...] = ("VanWal2018", "Ericson2005")

DEFORMATION = 0.05  # [-] sigma, assumed
FARTHEST_DEFORMATION = 4.0  # [-] of sigma; one corner in 900 is cut there
COUNT, PLACE, ATTITUDE, CORNERS = 0, 1, 2, 3  # last word of the counter: what is drawn
SAME = 1e-10  # [-] squares of distances that differ by less belong to one edge or corner

_VERTICES, _FACES = platonic_solid("icosahedron")
CORNER_TABLE = np.ascontiguousarray(_VERTICES / np.linalg.norm(_VERTICES[0]))  # unit vectors
FACE_TABLE = np.ascontiguousarray(_FACES, dtype=np.int32)


@device
def facet_rock_count(rocks, facet):
    """Number of rocks of a facet, K A on average."""
    expected = rocks.facets[facet, 12]
    whole = math.floor(expected)
    if uniform(rocks.key, (0, facet, 0, COUNT)) < expected - whole:
        whole += 1
    return whole


@device
def rock_mark(rocks, facet, rock):
    """Mark [-] in [0, 1) of a rock; it exists where the share is larger."""
    return four_uniforms(rocks.key, (rock, facet, 0, ATTITUDE))[0]


@device
def bounding_ratio(deformation):
    """Radius [-] per size of the ball about the centre that holds a rock."""
    return 0.5 + FARTHEST_DEFORMATION * deformation


@device
def rock_of_facet(rocks, facet, rock):
    """(centre [m], size s [m], radius of the bounding ball [m]) of a rock."""
    y, u, v, w = four_uniforms(rocks.key, (rock, facet, 0, PLACE))
    size = rock_size(y, rocks.alpha, rocks.smallest, rocks.largest)
    if u + v > 1.0:  # the other half of the parallelogram of two sides
        u, v = 1.0 - u, 1.0 - v
    t = rocks.facets
    sink = (rocks.sink_least + (rocks.sink_most - rocks.sink_least) * w) * size
    centre = (
        t[facet, 0] + u * t[facet, 3] + v * t[facet, 6] - sink * t[facet, 9],
        t[facet, 1] + u * t[facet, 4] + v * t[facet, 7] - sink * t[facet, 10],
        t[facet, 2] + u * t[facet, 5] + v * t[facet, 8] - sink * t[facet, 11],
    )
    return centre, size, bounding_ratio(rocks.deformation) * size


@device
def rock_attitude(rocks, facet, rock):
    """dcm of a rock, axes of the mesh from its own, as three row tuples."""
    _, u1, u2, u3 = four_uniforms(rocks.key, (rock, facet, 0, ATTITUDE))
    return rotation_matrix(random_rotation(u1, u2, u3))


@routine
def rock_corner(rocks, facet, rock, turn, size, number):
    """Corner of a rock from its centre [m], in the axes of the mesh."""
    n = four_normals(rocks.key, (rock, facet, number, CORNERS))
    away = (n[0], n[1], n[2])
    length = norm(away)
    most = FARTHEST_DEFORMATION
    shift = rocks.deformation * (1.0 if length <= most else most / length)
    regular = (CORNER_TABLE[number, 0], CORNER_TABLE[number, 1], CORNER_TABLE[number, 2])
    return scale(size, apply(turn, add_scaled(scale(0.5, regular), shift, away)))


@routine
def rock_corners(rocks, facet, rock, size):
    """All twelve corners of a rock from its centre [m], in the axes of the mesh."""
    turn = rock_attitude(rocks, facet, rock)
    return (
        rock_corner(rocks, facet, rock, turn, size, 0),
        rock_corner(rocks, facet, rock, turn, size, 1),
        rock_corner(rocks, facet, rock, turn, size, 2),
        rock_corner(rocks, facet, rock, turn, size, 3),
        rock_corner(rocks, facet, rock, turn, size, 4),
        rock_corner(rocks, facet, rock, turn, size, 5),
        rock_corner(rocks, facet, rock, turn, size, 6),
        rock_corner(rocks, facet, rock, turn, size, 7),
        rock_corner(rocks, facet, rock, turn, size, 8),
        rock_corner(rocks, facet, rock, turn, size, 9),
        rock_corner(rocks, facet, rock, turn, size, 10),
        rock_corner(rocks, facet, rock, turn, size, 11),
    )


@device
def foot_on_triangle(p, a, b, c):
    """Point of the triangle (a, b, c) closest to p: corner, side or inside, as [Ericson2005] has it."""
    ab, ac, ap = subtract(b, a), subtract(c, a), subtract(p, a)
    d1, d2 = dot(ab, ap), dot(ac, ap)
    if d1 <= 0.0 and d2 <= 0.0:
        return a
    bp = subtract(p, b)
    d3, d4 = dot(ab, bp), dot(ac, bp)
    if d3 >= 0.0 and d4 <= d3:
        return b
    vc = d1 * d4 - d3 * d2
    if vc <= 0.0 and d1 >= 0.0 and d3 <= 0.0:
        return add_scaled(a, d1 / (d1 - d3), ab)
    cp = subtract(p, c)
    d5, d6 = dot(ab, cp), dot(ac, cp)
    if d6 >= 0.0 and d5 <= d6:
        return c
    vb = d5 * d2 - d1 * d6
    if vb <= 0.0 and d2 >= 0.0 and d6 <= 0.0:
        return add_scaled(a, d2 / (d2 - d6), ac)
    va = d3 * d6 - d5 * d4
    if va <= 0.0 and d4 - d3 >= 0.0 and d5 - d6 >= 0.0:
        return add_scaled(b, (d4 - d3) / ((d4 - d3) + (d5 - d6)), subtract(c, b))
    total = va + vb + vc
    return add(a, add_scaled(scale(vb / total, ab), vc / total, ac))


@routine
def polyhedral_rock_gap(rocks, facet, rock, x):
    """(gap [m], unit normal) of the point x [m] from one rock.

    Triangles that share the closest point disagree on the side of x; the one whose normal is most in
    line with x - foot is right.
    """
    centre, size, _ = rock_of_facet(rocks, facet, rock)
    corners = rock_corners(rocks, facet, rock, size)
    p = subtract(x, centre)
    best, height = math.inf, 0.0
    away, outward = (0.0, 0.0, 0.0), (0.0, 0.0, 1.0)
    for face in range(FACE_TABLE.shape[0]):
        a = corners[FACE_TABLE[face, 0]]
        b = corners[FACE_TABLE[face, 1]]
        c = corners[FACE_TABLE[face, 2]]
        d = subtract(p, foot_on_triangle(p, a, b, c))
        square = dot(d, d)
        if square > best * (1.0 + SAME):
            continue
        n = cross(subtract(b, a), subtract(c, a))
        n = scale(1.0 / norm(n), n)
        rise = dot(n, d)
        if square < best * (1.0 - SAME) or abs(rise) > abs(height):
            best, height, away, outward = min(square, best), rise, d, n
    gap = math.copysign(math.sqrt(best), height)
    if abs(gap) <= SAME * size:  # on the surface: no direction to divide
        return gap, outward
    return gap, scale(1.0 / gap, away)
