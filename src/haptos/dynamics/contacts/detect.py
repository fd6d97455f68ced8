"""Who touches whom: gap and normal of each kind of pair, found in one place for both marches.

    gap > 0 apart,   n unit, out of what is touched

A march says where a point, an element or a corner is, now or at an end of its free way, in the axes of what it may
touch; the answer comes by value. Which law it goes to, over a step or as a force of the moment, is the march's matter, and what
has to be remembered is in `memories.py`. Lists of what is near, and how long they hold, are kept by the files of the pairs.

    kind           asked with                        answer
    point, mesh    place y, list of its triangles    gap of the surfaces, n, row of the triangle
    point, box     place y                           gap of the surfaces, n
    point, ground  place x, N axes                   gap of the surfaces, n
    element, edge  places of both ends               gap of the centre line, n, share s along it, whether both are met inside
    corner, body   place y                           gap, n
    point, point   centres apart by d                distance, n
Frame: axes of the touched body, of n too; N for ground and points.
Validity: closed surfaces; one contact of a point with each kind, with what is nearest. Source: elementary geometry.
"""

from __future__ import annotations

import math

from haptos.core.jit import device, routine
from haptos.core.rotations import apply, apply_transposed
from haptos.core.vectors import add, add_scaled, dot, norm, scale, subtract
from haptos.dynamics.rigid.bodies import three
from haptos.geometry.distance.distance_mesh import mesh_distance
from haptos.geometry.distance.surface import clear_way, gap_and_gradient
from haptos.geometry.mesh.segment_pair import edge_gap
from haptos.geometry.mesh.triangle_tree import FACE, triangle_foot

CITES: tuple[str, ...] = ()


@device
def gap_to(mesh, rows, count, y):
    """(gap of the centre [m], unit normal, row) of a point from the triangles of a short list.

    The nearest triangle decides; sign and normal as in `mesh_distance`.
    """
    best, row, v, w, what = math.inf, rows[0], 0.0, 0.0, 0
    for c in range(count):
        square, v_c, w_c, what_c = triangle_foot(mesh.tree.triangles, rows[c], y)
        if square < best:
            best, row, v, w, what = square, rows[c], v_c, w_c, what_c
    n = mesh.normals[mesh.features[row, what]]
    outward = (n[0], n[1], n[2])
    t = mesh.tree.triangles[row]
    away = (y[0] - t[0], y[1] - t[1], y[2] - t[2])
    if what == FACE:
        return dot(away, outward), outward, row
    away = add_scaled(away, -v, (t[3], t[4], t[5]))
    away = add_scaled(away, -w, (t[6], t[7], t[8]))
    gap = math.copysign(math.sqrt(best), dot(away, outward))
    if gap == 0.0:
        return 0.0, scale(1.0 / norm(outward), outward), row
    return gap, scale(1.0 / gap, away), row


@device
def mesh_contact(system, motion, i, y):
    """(gap [m], unit normal, row of the triangle) of point i at y and the surface of a body, by its list."""
    memory = motion.contacts.mesh
    gap, n, row = gap_to(system.surface.mesh, memory.near[i], memory.near_count[i], y)
    return gap - system.points.radius[i], n, row


@routine
def box_gap(half, y):
    """(gap [m], unit normal) of a point from a box of half sides [m] about the origin."""
    q = (abs(y[0]) - half[0], abs(y[1]) - half[1], abs(y[2]) - half[2])
    out = (
        math.copysign(max(q[0], 0.0), y[0]),
        math.copysign(max(q[1], 0.0), y[1]),
        math.copysign(max(q[2], 0.0), y[2]),
    )
    distance = norm(out)
    if distance > 0.0:
        return distance, scale(1.0 / distance, out)
    if q[0] >= q[1] and q[0] >= q[2]:
        return q[0], (math.copysign(1.0, y[0]), 0.0, 0.0)
    if q[1] >= q[2]:
        return q[1], (0.0, math.copysign(1.0, y[1]), 0.0)
    return q[2], (0.0, 0.0, math.copysign(1.0, y[2]))


@device
def box_contact(system, b, i, y):
    """(gap [m], unit normal) of point i at y and box b."""
    gap, n = box_gap(three(system.boxes.half, b), y)
    return gap - system.points.radius[i], n


@device
def ground_axes(ground):
    """dcm_NA as rows."""
    return (three(ground.axes, 0), three(ground.axes, 1), three(ground.axes, 2))


@device
def ground_place(ground, x):
    """A place [m] in the axes of the ground."""
    arm = (ground.arm[0], ground.arm[1], ground.arm[2])
    return apply_transposed(ground_axes(ground), add(x, arm))


@routine
def ground_gap(ground, x):
    """(gap [m], unit normal out of the ground) of a place [m], N axes."""
    d, gradient = gap_and_gradient(ground.surface, ground_place(ground, x))
    length = norm(gradient)
    if length == 0.0:
        return d, apply(ground_axes(ground), (0.0, 0.0, 1.0))
    return d / length, apply(ground_axes(ground), scale(1.0 / length, gradient))


@routine
def clear_of_ground(system, x, radius):
    """Way [m] that a ball of a radius [m] at x can surely go; zero or less where it touches."""
    return clear_way(system.ground.surface, ground_place(system.ground, x), radius)


@device
def ground_contact(system, i, x):
    """(gap [m], unit normal) of point i at x and the ground, N axes."""
    gap, n = ground_gap(system.ground, x)
    return gap - system.points.radius[i], n


@device
def gap_of_edge(edges, edge, p, u):
    """`edge_gap` of the segment p + s u and an edge."""
    row = edges[edge]
    w = (row[6] * row[3], row[6] * row[4], row[6] * row[5])
    first, second = (row[7], row[8], row[9]), (row[10], row[11], row[12])
    return edge_gap(p, u, (row[0], row[1], row[2]), w, first, second)


@device
def edge_contact(system, edge, ends):
    """(gap of the centre line [m], unit normal, s, whether they meet as segments) of an element and an edge.

    ends  places of both ends of the element [m]; s  share of the way between them
    """
    gap, n, s, _, is_one = gap_of_edge(
        system.surface.edges, edge, ends[0], subtract(ends[1], ends[0])
    )
    return gap, n, s, is_one


@routine
def hull_gap(system, motion, h, c, y, stack):
    """(gap [m], unit normal) of corner c at y, in the axes of the touched body of pair h."""
    body = system.hulls.body[h]
    if system.hulls.half[body, 0] > 0.0:
        return box_gap(three(system.hulls.half, body), y)
    gap, n, row = mesh_distance(system.surface.mesh, y, motion.contacts.hulls.row[h, c], stack)
    motion.contacts.hulls.row[h, c] = row
    return gap, n


@device
def centres_apart(d):
    """(distance [m], unit vector) of two points of which one is at d [m] from the other; none at 0."""
    distance = norm(d)
    if distance <= 0.0:
        return 0.0, (0.0, 0.0, 0.0)
    return distance, scale(1.0 / distance, d)
