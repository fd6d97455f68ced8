"""What the guard of a net looks at: surfaces, and the places that must not get through them.

A *track* is one place whose path is checked against one surface: a point of the net or a ball of a
bullet, a place along a thread element, a corner of a body.
"""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import numpy as np
from numpy.typing import NDArray

from haptos.core.jit import entry
from haptos.core.vectors import scale
from haptos.geometry.distance.distance_mesh import Mesh
from haptos.geometry.mesh.ray_cast import first_meeting
from haptos.geometry.mesh.triangle_tree import STACK, Tree

Floats = NDArray[np.float64]

POINT_SHARE = 0.1  # [-] of the thickness there: how deep the centre of a point, or a corner, may be
ELEMENT_SHARE = 0.25  # [-] the same of the middle of an element, whose straight line cuts corners
ASLEEP, OUTSIDE, INSIDE = 0, 1, 2  # where a track is; asleep until first found well outside
THIN = 1e-9  # [m] a wall is taken to be no thinner
SKIN = 1e-9  # [-] of the size of a mesh that a ray starts below its surface

Guard = namedtuple(
    "Guard",
    "body half near thinnest start first second element owner offset radius share mesh thickness "
    "reach",
)
# body        (s,) of each surface           half  (s, 3) sides [m] of a box, zeros for the mesh
# near        (s,) [m] within which tracks are listed                start  (s + 1,) into the tracks
# thinnest    (s,) least thickness of each surface [m]
# first, second (t,) points a track lies between, in the middle, or the same twice
# element     (t,) of which a track is the middle, -1 for none
# owner, offset (t,), (t, 3) body of a corner and its place [m], axes of the body; owner -1 for none
# radius      (t,) [m] of what touches there, by which a track that wakes has to be clear
# share       (t,) [-] of the thickness that a track may be deep
# mesh        distance_mesh.Mesh, axes of its body           thickness  (faces,) [m], tree order
# reach       (k,) of corners from the centre of their body [m]

GuardMemory = namedtuple(
    "GuardMemory",
    "clock speed travel wake far count near until centre safe row state normal deepest worst passed",
)
# clock       (2,) time of the last look and of the next [s]
# speed       (s,) largest speed against each surface at the last look [m/s]
# travel, wake, far (s,) how far anything may have gone relative to a surface, when all tracks are
#             listed anew [m], and the farthest of them from the body until then [m]
# near, count listed tracks of each surface, from its start on, and how many
# until       (t,) reading of travel [m] up to which a track is safe
# centre, safe (t, 3), (t,) ball in the axes of the body in which no track can be deep [m]    row  nearest triangle
# state       ASLEEP, OUTSIDE, INSIDE        normal  (t, 3) of the face by which it came inside
# deepest     (t,) depth over what is allowed since it came inside [-]
# worst, passed  records of the deepest track, and of the first that went through
WORST_SHARE, WORST_DEPTH, WORST_TIME, WORST_TRACK, WORST_SURFACE, WORST_PLACE = range(6)
WORST_SIZE = 9  # the place [m] is in the axes of the body of the surface
PASSED_COUNT, PASSED_TIME, PASSED_TRACK, PASSED_SURFACE, PASSED_PLACE = range(5)
PASSED_SIZE = 8


def no_guard() -> Guard:
    """Nothing to look at."""
    f, none = np.zeros, np.zeros(0, dtype=np.int64)
    tree = Tree(
        f((1, 6)), f(1, np.int32), f(1, np.int32), f((1, 15)), f((1, 7)), f(1, np.int64)
    )  # fmt: skip
    mesh = Mesh(tree, f((1, 7), np.int32), f((1, 3)))
    return Guard(
        none, f((0, 3)), f(0), f(0), np.zeros(1, dtype=np.int64), none, none, none, none,
        f((0, 3)), f(0), f(0), mesh, f(1), f(0),
    )  # fmt: skip


def guard_memory(guard: Guard) -> GuardMemory:
    """Memory of a guard before the first look."""
    f, t, s = np.zeros, len(guard.owner), len(guard.body)
    whole = np.int64
    return GuardMemory(
        np.array([0.0, -np.inf]), f(s), f(s), np.full(s, -np.inf), f(s), f(s, whole), f(t, whole),
        np.full(t, -np.inf), f((t, 3)), f(t), f(t, whole), np.full(t, -1, whole), f((t, 3)), f(t),
        f(WORST_SIZE), f(PASSED_SIZE),
    )  # fmt: skip


def guard_of(system: Any, mesh: Mesh | None) -> Guard:
    """Guard of all that a net touches: its surface, its boxes, bodies that touch bodies.

    mesh  of the surface, with a tree that is not the one contacts use; None for a net without
    """
    mesh = None if system.surface.body < 0 else mesh
    sides: list[tuple[int, Floats, dict[str, Any]]] = []
    if mesh is not None:
        sides.append((system.surface.body, np.zeros(3), _points(system, system.surface.body, True)))
    for body, half in zip(system.boxes.body, system.boxes.half, strict=True):
        sides.append((int(body), half, _points(system, int(body), False)))
    for row in range(len(system.hulls.owner)):
        body = int(system.hulls.body[row])
        half = system.hulls.half[body]
        if half[0] > 0.0 or mesh is not None:
            sides.append((body, half, _corners(system.hulls, row)))
    if not sides:
        return no_guard()
    found = {name: np.concatenate([rows[name] for _, _, rows in sides]) for name in sides[0][2]}
    counts = [len(rows["owner"]) for _, _, rows in sides]
    half = np.array([half for _, half, _ in sides])
    made = no_guard() if mesh is None else no_guard()._replace(mesh=mesh, thickness=thickness(mesh))
    size = float((made.mesh.tree.boxes[0, 3:] - made.mesh.tree.boxes[0, :3]).max())
    thin = np.where(half[:, 0] > 0.0, 2.0 * half.min(axis=1), made.thickness.min())
    return made._replace(
        thinnest=thin,
        body=np.array([body for body, _, _ in sides], dtype=np.int64), half=half,
        near=0.05 * np.where(half[:, 0] > 0.0, 2.0 * half.max(axis=1), size),
        start=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        reach=np.array(system.hulls.reach, dtype=float), **found,
    )  # fmt: skip


def _points(system: Any, body: int, has_elements: bool) -> dict[str, Any]:
    """Tracks of all points that touch a body, and of the elements that touch its edges."""
    points, ends = system.points, system.threads.ends
    chosen = np.flatnonzero((points.radius > 0.0) & (points.owner != body))
    elements = np.zeros(0, dtype=np.int64)
    if has_elements and system.options.has_edges and len(ends):
        touching = (points.radius[ends] > 0.0).any(axis=1) & (points.owner[ends] != body).all(1)
        elements = np.flatnonzero(touching)
    first = np.concatenate([chosen, ends[elements, 0]]).astype(np.int64)
    second = np.concatenate([chosen, ends[elements, 1]]).astype(np.int64)
    share = np.full(len(first), POINT_SHARE)
    share[len(chosen) :] = ELEMENT_SHARE
    return {
        "first": first, "second": second, "owner": np.full(len(first), -1),
        "element": np.concatenate([np.full(len(chosen), -1), elements]).astype(np.int64),
        "offset": np.zeros((len(first), 3)), "share": share,
        "radius": np.maximum(points.radius[first], points.radius[second]),
    }  # fmt: skip


def _corners(hulls: Any, row: int) -> dict[str, Any]:
    """Tracks of the corners of one body that touch another."""
    corners = hulls.corner[hulls.begin[row] : hulls.end[row]]
    count = len(corners)
    none = np.zeros(count, dtype=np.int64)
    return {
        "first": none, "second": none, "element": none - 1,
        "owner": np.full(count, hulls.owner[row]),
        "offset": corners, "share": np.full(count, POINT_SHARE), "radius": np.zeros(count),
    }  # fmt: skip


@entry
def fill_thickness(tree, normals, skin, found, stack):
    """Way [m] from the middle of each triangle straight inwards to the surface; inf for none."""
    for row in range(len(tree.triangles)):
        t = tree.triangles[row]
        inward = (-normals[row, 0], -normals[row, 1], -normals[row, 2])
        middle = (
            t[0] + (t[3] + t[6]) / 3.0 + skin * inward[0],
            t[1] + (t[4] + t[7]) / 3.0 + skin * inward[1],
            t[2] + (t[5] + t[8]) / 3.0 + skin * inward[2],
        )
        way = scale(found[row], inward)
        found[row] *= first_meeting(tree, middle, way, row, stack)


def thickness(mesh: Mesh) -> Floats:
    """Thickness [m] of a closed mesh below the middle of each face, (faces,), tree order."""
    tree = mesh.tree
    size = float(np.linalg.norm(tree.boxes[0, 3:] - tree.boxes[0, :3]))
    found = np.full(len(tree.triangles), 2.0 * size)
    normals = np.ascontiguousarray(mesh.normals[mesh.features[:, 0]])
    fill_thickness(tree, normals, SKIN * size, found, np.zeros(2 * STACK, dtype=np.int64))
    return np.maximum(found, THIN)
