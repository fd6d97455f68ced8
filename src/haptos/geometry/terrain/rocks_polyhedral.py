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
over its edges as over round ones; no convexity is needed. Its Hessian is that of the nearest face, edge or corner:

    face  0,      edge  (1 - n n' - e e')/gap,      corner  (1 - n n')/gap          e  along the edge
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
from haptos.geometry.mesh.polyhedra import platonic_solid
from haptos.geometry.terrain.rock_sizes import rock_size

CITES: tuple[str, ...] = ("VanWal2018", "Ericson2005")

DEFORMATION = 0.05  # [-] sigma, assumed
FARTHEST_DEFORMATION = 4.0  # [-] of sigma; one corner in 900 is cut there
COUNT, PLACE, ATTITUDE, CORNERS = 0, 1, 2, 3  # last word of the counter: what is drawn
LEAST_BEND = 0.01  # [sizes] gap below which an edge is sharp; assumed
ANY_FACE = 1e300  # [m^2] beyond every face
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
def rock_corner(key, facet, rock, turn, size, sigma, number):
    """Corner of a rock from its centre [m], in the axes of the mesh."""
    n = four_normals(key, (rock, facet, number, CORNERS))
    away = (n[0], n[1], n[2])
    length = norm(away)
    most = FARTHEST_DEFORMATION
    shift = sigma * (1.0 if length <= most else most / length)
    regular = (CORNER_TABLE[number, 0], CORNER_TABLE[number, 1], CORNER_TABLE[number, 2])
    return scale(size, apply(turn, add_scaled(scale(0.5, regular), shift, away)))


@routine
def rock_corners(rocks, facet, rock, size):
    """All twelve corners of a rock from its centre [m], in the axes of the mesh."""
    turn, key, sigma = rock_attitude(rocks, facet, rock), rocks.key, rocks.deformation
    return (
        rock_corner(key, facet, rock, turn, size, sigma, 0),
        rock_corner(key, facet, rock, turn, size, sigma, 1),
        rock_corner(key, facet, rock, turn, size, sigma, 2),
        rock_corner(key, facet, rock, turn, size, sigma, 3),
        rock_corner(key, facet, rock, turn, size, sigma, 4),
        rock_corner(key, facet, rock, turn, size, sigma, 5),
        rock_corner(key, facet, rock, turn, size, sigma, 6),
        rock_corner(key, facet, rock, turn, size, sigma, 7),
        rock_corner(key, facet, rock, turn, size, sigma, 8),
        rock_corner(key, facet, rock, turn, size, sigma, 9),
        rock_corner(key, facet, rock, turn, size, sigma, 10),
        rock_corner(key, facet, rock, turn, size, sigma, 11),
    )


@routine
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
def nearer_face(p, a, b, c, nearest):
    """`nearest`, or the triangle (a, b, c) in its place if that is closer to p.

    nearest  (square of the distance [m^2], rise of p over the plane [m], p - foot [m], unit normal)
    Triangles that share the closest point disagree on the side of p; the one whose normal is most in
    line with p - foot is right.
    """
    n = cross(subtract(b, a), subtract(c, a))
    size = dot(n, n)
    above = dot(n, subtract(p, a))
    if above * above > nearest[0] * size * (1.0 + SAME):  # the plane itself is farther
        return nearest
    d = subtract(p, foot_on_triangle(p, a, b, c))
    square = dot(d, d)
    if square > nearest[0] * (1.0 + SAME):
        return nearest
    n = scale(1.0 / math.sqrt(size), n)
    rise = dot(n, d)
    if square < nearest[0] * (1.0 - SAME) or abs(rise) > abs(nearest[1]):
        return (min(square, nearest[0]), rise, d, n)
    return nearest


@routine
def nearest_face(p, q, most):
    """`nearer_face` of all 20 triangles of the corners q, in the order of FACE_TABLE; none of a square [m^2] beyond `most`.

    Written out: an index known when compiled costs nothing, one that is not costs a search.
    """
    s = (most, 0.0, (0.0, 0.0, 0.0), (0.0, 0.0, 1.0))
    s = nearer_face(p, q[4], q[0], q[8], s)
    s = nearer_face(p, q[10], q[1], q[4], s)
    s = nearer_face(p, q[8], q[2], q[5], s)
    s = nearer_face(p, q[5], q[3], q[10], s)
    s = nearer_face(p, q[9], q[0], q[6], s)
    s = nearer_face(p, q[6], q[1], q[11], s)
    s = nearer_face(p, q[7], q[2], q[9], s)
    s = nearer_face(p, q[11], q[3], q[7], s)
    s = nearer_face(p, q[6], q[0], q[4], s)
    s = nearer_face(p, q[4], q[1], q[6], s)
    s = nearer_face(p, q[5], q[2], q[7], s)
    s = nearer_face(p, q[7], q[3], q[5], s)
    s = nearer_face(p, q[10], q[4], q[8], s)
    s = nearer_face(p, q[8], q[5], q[10], s)
    s = nearer_face(p, q[9], q[6], q[11], s)
    s = nearer_face(p, q[11], q[7], q[9], s)
    s = nearer_face(p, q[8], q[0], q[2], s)
    s = nearer_face(p, q[2], q[0], q[9], s)
    s = nearer_face(p, q[3], q[1], q[10], s)
    return nearer_face(p, q[11], q[1], q[3], s)


@device
def is_corner(foot, q, least):
    """Whether a point of a rock's surface is within `least` [m] of one of its corners q."""
    near = 1e300
    for number in range(12):
        d = subtract(foot, q[number])
        near = min(near, dot(d, d))
    return near < least * least


@device
def edge_curvature(gap, n, away, rise, outward, at_corner):
    """Hessian [1/m] (xx, xy, xz, yy, yz, zz) of the distance from an edge or a corner; zero over a face.

    away, rise, outward: p - foot [m], its part along the unit normal of the nearest face [m], that normal
    """
    flat = subtract(
        away, scale(rise, outward)
    )  # within the face: across the edge, of which it is zero inside
    size = norm(flat)
    if not size > 1e-6 * gap:
        return (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    bend = 1.0 / gap
    if at_corner:
        return (
            bend * (1.0 - n[0] * n[0]), -bend * n[0] * n[1], -bend * n[0] * n[2],
            bend * (1.0 - n[1] * n[1]), -bend * n[1] * n[2], bend * (1.0 - n[2] * n[2]),
        )  # fmt: skip
    c = cross(n, scale(1.0 / size, cross(outward, flat)))  # across the edge and the normal
    return (
        bend * c[0] * c[0], bend * c[0] * c[1], bend * c[0] * c[2],
        bend * c[1] * c[1], bend * c[1] * c[2], bend * c[2] * c[2],
    )  # fmt: skip


@routine
def polyhedral_rock_field(rocks, facet, rock, x):
    """(gap [m], unit normal, Hessian [1/m]) of the point x [m] from one rock.

    Nearer than LEAST_BEND sizes the Hessian is zero: a point meets an edge with a kink, a ball rolls round it.
    """
    centre, size, _ = rock_of_facet(rocks, facet, rock)
    return rock_field(subtract(x, centre), rock_corners(rocks, facet, rock, size), size, ANY_FACE)


@routine
def rock_field(p, corners, size, most):
    """`polyhedral_rock_field` at p [m] from the centre of a rock of those corners and that size [m].

    most  square [m^2] of a distance beyond which the faces do not count: a gap of ANY_FACE is answered
    """
    square, rise, away, outward = nearest_face(p, corners, most)
    if square == most:
        return ANY_FACE, outward, (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    gap, none = math.copysign(math.sqrt(square), rise), (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    if abs(gap) <= SAME * size:  # on the surface: no direction to divide
        return gap, outward, none
    n = scale(1.0 / gap, away)
    if gap < LEAST_BEND * size:
        return gap, n, none
    at_corner = is_corner(subtract(p, away), corners, 1e-9 * size)
    return gap, n, edge_curvature(gap, n, away, rise, outward, at_corner)


@device
def polyhedral_rock_gap(rocks, facet, rock, x):
    """(gap [m], unit normal) of the point x [m] from one rock."""
    gap, normal, _ = polyhedral_rock_field(rocks, facet, rock, x)
    return gap, normal
