"""Which sharp edges are near which thread elements.

Each element near the body keeps a list of edges. It holds until the ways of all points add up to half its margin. Edges that hold an
element stay on its list however deep it is pressed.
Frame: axes of the body. Validity: straight elements; an edge by which a thread is found for the first time lies within the margin.
Source: the list with a margin is that of [Verlet1967]; closest points in `segment_pair`.
"""

from __future__ import annotations

from haptos.core.jit import device, routine
from haptos.core.vectors import add_scaled, norm, subtract
from haptos.dynamics.contacts.detect import gap_of_edge
from haptos.dynamics.contacts.memories import SLOTS
from haptos.geometry.mesh.near_triangles import near_boxes
from haptos.geometry.mesh.segment_pair import closest_of_segments

CITES: tuple[str, ...] = ("Verlet1967",)

STRETCHED = 0.6  # [-] of the length of an element: a half, and some stretch


@device
def edge_distance(edges, edge, p, u):
    """Distance [m] of the segment p + s u from an edge."""
    q, length = (edges[edge, 0], edges[edge, 1], edges[edge, 2]), edges[edge, 6]
    w = (length * edges[edge, 3], length * edges[edge, 4], length * edges[edge, 5])
    s, t = closest_of_segments(p, u, q, w)
    return norm(subtract(add_scaled(p, s, u), add_scaled(q, t, w)))


@device
def signed_distance(edges, edge, p, u):
    """`edge_distance`; of a segment that has cut into the edge its depth, as a negative number."""
    gap, _, _, _, is_one = gap_of_edge(edges, edge, p, u)
    return gap if is_one and gap < 0.0 else edge_distance(edges, edge, p, u)


@routine
def near_elements(system, motion):
    """Find again the elements near enough to be looked at in every step.

    A point of an element is at most half its length from one of its ends.
    """
    count, margin = 0, system.options.margin
    for e in range(len(system.threads.stretching)):
        i, j = system.threads.ends[e, 0], system.threads.ends[e, 1]
        if motion.elements.whole[e] == 0 or not (
            system.points.radius[i] > 0.0 or system.points.radius[j] > 0.0
        ):
            continue
        is_near = motion.contacts.mesh.near_count[i] > 0 or motion.contacts.mesh.near_count[j] > 0
        nearest = (
            min(motion.contacts.mesh.budget[i], motion.contacts.mesh.budget[j])
            - motion.contacts.search.travel
        )
        if is_near or nearest < STRETCHED * motion.elements.length[e] + 2.0 * margin:
            motion.contacts.edges.active[count] = e
            count += 1
        else:
            (
                motion.contacts.edges.count[e],
                motion.contacts.edges.budget[e],
                motion.contacts.edges.clear[e],
            ) = 0, 0.0, 0.0
    motion.contacts.search.element_count = count


@routine
def renew_edges(system, motion, e, y_i, y_j, way, stack):
    """Look up the edges near an element; sets the travel [m] its list holds for, and the list."""
    i, j = system.threads.ends[e, 0], system.threads.ends[e, 1]
    margin = system.options.margin + way
    wide = max(0.25 * motion.elements.length[e], 2.0 * margin)
    found = motion.contacts.edges.near[e]
    radius = max(system.points.radius[i], system.points.radius[j])
    u = subtract(y_j, y_i)
    for _ in range(40):
        count = near_boxes(system.surface.edge_tree, *_box(y_i, y_j, wide + radius), found, stack)
        if count >= 0:
            break
        wide *= 0.5
    kept, nearest = 0, wide
    for c in range(max(count, 0)):
        away = edge_distance(system.surface.edges, found[c], y_i, u) - radius
        nearest = min(nearest, away)
        if away < min(margin, wide):
            found[kept] = found[c]
            kept += 1
    kept = keep_held(motion, e, kept)
    now = motion.contacts.search.travel - motion.contacts.search.way
    motion.contacts.edges.count[e] = kept
    motion.contacts.edges.budget[e] = now + 0.5 * (min(margin, wide) if kept > 0 else nearest)


@device
def keep_held(motion, e, kept):
    """Add edges that hold element e to its list of `kept` ones, however deep it is; how many there are now."""
    found = motion.contacts.edges.near[e]
    for k in range(SLOTS):
        edge, is_listed = motion.contacts.edges.slot[e, k], False
        for c in range(kept):
            is_listed = is_listed or found[c] == edge
        if edge >= 0 and not is_listed and kept < len(found):
            found[kept] = edge
            kept += 1
    return kept


@device
def _box(y_i, y_j, reach):
    """(low, high) of the box of two points, wider by a reach [m]."""
    low = (min(y_i[0], y_j[0]) - reach, min(y_i[1], y_j[1]) - reach, min(y_i[2], y_j[2]) - reach)
    high = (max(y_i[0], y_j[0]) + reach, max(y_i[1], y_j[1]) + reach, max(y_i[2], y_j[2]) + reach)
    return low, high
