"""Thread elements against the sharp edges of a body, so that no thread slides through an edge.

The points of a thread feel faces; between two points a thread can only cut into a convex edge. Each
element near the body keeps the edges near it, and for each that it crosses the contact is worked on
as that of a point: gap at both ends of the free way, `contact_flow`, impulse to both ends of the
element by their shares of the crossing's place.

An element that comes upon an edge from the side may already lie below it: that depth is taken as
where the contact begins, and given back only as the thread comes out by itself, or the contact would
make energy out of nothing.
Validity: straight elements; convex edges of a closed surface. Friction on edges has no memory.
Source: the wedge rule is ours; closest points in `segment_pair`, force in `contact_flow`.
"""

from __future__ import annotations

import math

import numpy as np

from haptos.contact.contact_flow import NORMAL_LAW, OPEN, STIFFNESS, contact_energy, contact_flow
from haptos.contact.laws.normal import deepest_of
from haptos.core.jit import device, routine
from haptos.core.rotations import apply, apply_transposed
from haptos.core.vectors import add, add_scaled, cross, dot, norm, scale, subtract, tangential
from haptos.dynamics.contacts.body_kicks import kick_so_far, note_body_losses
from haptos.dynamics.contacts.detect import edge_contact
from haptos.dynamics.contacts.element_edge_masses import (
    element_masses,
    element_moved,
    end_speed,
    held_at,
)
from haptos.dynamics.contacts.element_edge_search import (
    near_elements,
    renew_edges,
    signed_distance,
)
from haptos.dynamics.contacts.glue import is_glued
from haptos.dynamics.contacts.memories import SLOTS
from haptos.dynamics.contacts.point_mesh import body_pose, note_stiffness
from haptos.dynamics.contacts.resolve import (
    across_of,
    book_pull,
    book_rub,
    book_second,
    carried_to,
    give,
    is_kicked,
    largest_inverse_mass,
    moved_by,
    note_lossy,
    pair_numbers,
    path_of,
    pose_at,
    pull_against,
    pull_of_body,
    rates_of_fast,
)
from haptos.dynamics.ledger.extremes import note_contact_speed
from haptos.dynamics.rigid.bodies import rates_of, three
from haptos.dynamics.system import (
    CONTACT_DAMPING,
    NODE,
    RUBBING,
    EdgeTree,
)
from haptos.geometry.mesh.tessellation import face_normals, mesh_edges
from haptos.geometry.mesh.triangle_tree import grow_tree

CITES: tuple[str, ...] = ()

AHEAD = 2.0  # [-] steps before an element tied to a body can strike, in which it is looked at
SHARP = 1e-3  # [rad] angle between the faces of an edge from which it is one


def sharp_edges(vertices: np.ndarray, faces: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(edges (e, 15), faces beside them (e,)) of a closed mesh that bend outwards by more than SHARP.

    Rows: first end [m], unit direction, length [m], unit normals of both faces, two spare numbers.
    """
    pairs, edge_of_side = mesh_edges(faces)
    normals = face_normals(vertices, faces)
    normals = normals / np.linalg.norm(normals, axis=1, keepdims=True)
    order = np.argsort(edge_of_side.T.ravel(), kind="stable")  # two sides of each edge
    beside = (order % len(faces)).reshape(-1, 2)
    start, end = vertices[pairs[:, 0]], vertices[pairs[:, 1]]
    length = np.linalg.norm(end - start, axis=1)
    first, second = normals[beside[:, 0]], normals[beside[:, 1]]
    bend = np.linalg.norm(np.cross(first, second), axis=1)
    far = vertices[faces[beside[:, 1]]].mean(axis=1) - start
    is_convex = np.einsum("ei,ei->e", far, first) < 0.0
    is_folded = np.einsum("ei,ei->e", first, second) < 0.0
    kept = is_convex & ((bend > SHARP) | is_folded)
    direction = (end - start) / length[:, None]
    rows = np.concatenate(
        [start, direction, length[:, None], first, second, np.zeros((len(pairs), 2))], axis=1
    )
    return np.ascontiguousarray(rows[kept]), beside[kept, 0]


def edge_tree(edges: np.ndarray) -> EdgeTree:
    """Tree of boxes over sharp edges."""
    if len(edges) == 0:
        none = np.zeros(1, dtype=np.int32)
        return EdgeTree(np.zeros((1, 6)), none, none, np.zeros(0, dtype=np.int64))
    start, end = edges[:, :3], edges[:, :3] + edges[:, 6:7] * edges[:, 3:6]
    low, high = np.minimum(start, end), np.maximum(start, end)
    order = np.arange(len(edges))
    boxes = np.empty((2 * len(edges), 6))
    first, count = (np.empty(2 * len(edges), dtype=np.int32) for _ in range(2))
    nodes = grow_tree(low, high, 0.5 * (low + high), order, boxes, first, count)
    return EdgeTree(boxes[:nodes].copy(), first[:nodes].copy(), count[:nodes].copy(), order)


@routine
def touch_edges(system, motion, time, is_backwards, stack):
    """(largest force [N], elements in touch) of all elements near an edge."""
    body = system.surface.body
    peak, touching = 0.0, 0
    place, dcm, _, _ = body_pose(system, motion, body, 0.0)
    inverse = three(system.inverse_inertia, body)
    if motion.contacts.search.sorted_at == motion.contacts.search.travel:
        near_elements(system, motion)
    count = int(motion.contacts.search.element_count)
    for a in range(count):
        e = motion.contacts.edges.active[count - 1 - a if is_backwards else a]
        if motion.contacts.search.travel < motion.contacts.edges.clear[e]:
            continue
        i, j = system.threads.ends[e, 0], system.threads.ends[e, 1]
        if is_glued(system, motion, i, body) and is_glued(system, motion, j, body):
            keep_slots(motion, e, 0)
            continue
        y_i = apply_transposed(dcm, subtract(three(motion.points.x, i), place))
        y_j = apply_transposed(dcm, subtract(three(motion.points.x, j), place))
        if motion.contacts.search.travel >= motion.contacts.edges.budget[e]:
            renew_edges(system, motion, e, y_i, y_j, motion.contacts.search.way, stack)
        nearest, next_edge, seen, held = math.inf, -1, 0, 0
        is_tied = system.points.owner[i] >= 0 or system.points.owner[j] >= 0
        radius = max(system.points.radius[i], system.points.radius[j])
        for c in range(motion.contacts.edges.count[e]):
            edge = motion.contacts.edges.near[e, c]
            away = (
                signed_distance(system.surface.edges, edge, y_i, subtract(y_j, y_i)) - 2.0 * radius
            )
            if away < nearest:
                nearest, next_edge = away, edge
            slot = slot_of(motion, e, edge)
            if slot < 0 or (
                motion.contacts.edges.slot[e, slot] < 0 and away > motion.contacts.search.way
            ):
                continue
            moved, dcm_end = pose_at(system, motion, body, time)
            force, is_touching = _touch_edge(
                system,
                motion,
                e,
                edge,
                slot,
                (y_i, y_j),
                (dcm, dcm_end, inverse, place, moved),
                time,
            )
            peak = max(peak, force)
            if is_touching:
                touching, seen, held = touching + 1, seen | (1 << slot), held + 1
        keep_slots(motion, e, seen)
        if is_tied and held == 0 and next_edge >= 0:
            note_approach(system, motion, (i, j), next_edge, nearest, time)
        early = AHEAD * motion.contacts.search.way if is_tied else 0.0
        safe = min(
            motion.contacts.edges.budget[e],
            motion.contacts.search.travel - motion.contacts.search.way + nearest - early,
        )
        motion.contacts.edges.clear[e] = safe if held == 0 else 0.0
    return peak, touching


@routine
def note_approach(system, motion, ends, edge, away, time):
    """Ask for steps [s] that resolve the impact of an element tied to a body, before it strikes an edge.

    away  distance [m] of the two. An impact turns the body, a bullet, by so much that it must not be over
    within one step, as that of a net's own nodes may be.
    """
    body, (i, j) = system.surface.body, ends
    speed = max(
        norm(subtract(three(motion.points.v, i), three(motion.bodies.speed, body))),
        norm(subtract(three(motion.points.v, j), three(motion.bodies.speed, body))),
    )
    if away > AHEAD * speed * time:
        return
    pair = pair_numbers(
        system.surface.pairs, system.surface.edge_surface[edge], system.points.kind[i]
    )
    inverse = max(largest_inverse_mass(system, motion, i), largest_inverse_mass(system, motion, j))
    deepest = deepest_of(pair[NORMAL_LAW], pair[STIFFNESS], inverse, 0.0, speed)
    note_stiffness(motion, pair, inverse, deepest)


@device
def slot_of(motion, e, edge):
    """Slot of element e that remembers its touch with an edge, a free one, or -1 for none left."""
    free = -1
    for k in range(SLOTS):
        if motion.contacts.edges.slot[e, k] == edge:
            return k
        if motion.contacts.edges.slot[e, k] < 0:
            free = k
    return free


@device
def keep_slots(motion, e, seen):
    """Let contacts of an element go that were not seen in this step.

    What a contact held whose thread slid off the end of the edge, or onto a face, is lost.
    """
    for k in range(SLOTS):
        if not (seen >> k) & 1 and motion.contacts.edges.slot[e, k] >= 0:
            motion.ledger.work[CONTACT_DAMPING] -= motion.contacts.edges.held[e, k]
            motion.contacts.edges.slot[e, k], motion.contacts.edges.factor[e, k] = -1, OPEN
            motion.contacts.edges.held[e, k] = 0.0


@routine
def held_by_edges(system, motion, time):
    """Energy [J] that the contacts of edges hold at the end of a step [s], all impulses given."""
    energy, surface = 0.0, system.surface
    moved, dcm = pose_at(system, motion, surface.body, time)
    for a in range(int(motion.contacts.search.element_count)):
        e = motion.contacts.edges.active[a]
        for k in range(SLOTS):
            edge = motion.contacts.edges.slot[e, k]
            if edge < 0:
                continue
            i, j = system.threads.ends[e, 0], system.threads.ends[e, 1]
            z_i, _ = end_of(system, motion, i, dcm, moved, time)
            z_j, _ = end_of(system, motion, j, dcm, moved, time)
            gap = edge_contact(system, edge, (z_i, z_j))[0]
            radius = max(system.points.radius[i], system.points.radius[j])
            pair = pair_numbers(surface.pairs, surface.edge_surface[edge], system.points.kind[i])
            depth = radius + motion.contacts.edges.bias[e, k] - gap
            held = contact_energy(pair, -depth)
            lightest = max(
                largest_inverse_mass(system, motion, i), largest_inverse_mass(system, motion, j)
            )
            note_stiffness(motion, pair, lightest, depth)
            motion.contacts.edges.held[e, k] = held
            energy += held
    return energy


@routine
def _touch_edge(system, motion, e, edge, slot, ends, pose, time):
    """(largest force [N], touches at the end?) of an element and an edge, remembered in a slot."""
    dcm, dcm_end, inverse, place, moved = pose
    i, j = system.threads.ends[e, 0], system.threads.ends[e, 1]
    z_i, v_i = end_of(system, motion, i, dcm_end, moved, time)
    z_j, v_j = end_of(system, motion, j, dcm_end, moved, time)
    gap_end, n_body, s, is_end = edge_contact(system, edge, (z_i, z_j))
    radius = max(system.points.radius[i], system.points.radius[j])
    factor = motion.contacts.edges.factor[e, slot]
    if not is_end or (factor == OPEN and gap_end < -system.options.margin):
        return 0.0, False
    gap = edge_contact(system, edge, ends)[0]
    if not math.isfinite(gap):
        return 0.0, False
    gap, gap_end = gap - radius, gap_end - radius
    is_second = factor == OPEN and (was_kicked(system, motion, i) or was_kicked(system, motion, j))
    if factor == OPEN and not is_second and gap > 0.0 and gap_end > 0.0:
        return 0.0, False
    body = system.surface.body
    n = apply(dcm_end, n_body)
    x = add_scaled(scale(1.0 - s, three(motion.points.x, i)), s, three(motion.points.x, j))
    held = held_at(system, motion, i, 0.5 * time), held_at(system, motion, j, 0.5 * time)
    if system.points.owner[i] != NODE:
        v_i = end_speed(system, motion, i, held[0])
    if system.points.owner[j] != NODE:
        v_j = end_speed(system, motion, j, held[1])
    v = add_scaled(scale(1.0 - s, v_i), s, v_j)
    arm = subtract(x, place)
    omega = rates_of_fast(dcm, inverse, motion, body)
    relative = subtract(subtract(v, three(motion.bodies.speed, body)), cross(omega, arm))
    if is_second:
        gap = gap_end - dot(relative, n) * time
    bias = min(gap if factor == OPEN else max(motion.contacts.edges.bias[e, slot], gap), 0.0)
    gap, gap_end = gap - bias, gap_end - bias
    if gap > 0.0 and gap_end > 0.0:
        return 0.0, False
    pulled, ahead = pull_on_element(system, motion, (i, j), held, s, time, is_second)
    drag = tangential(pulled, n)
    slip = tangential(subtract(relative, ahead), n)
    across = across_of(slip, drag, time, n)
    inverse_n, inverse_t, coupling = element_masses(
        system, motion, (i, j), held, s, (dcm, inverse, arm), (n, across)
    )
    pair = pair_numbers(
        system.surface.pairs, system.surface.edge_surface[edge], system.points.kind[i]
    )
    impulses, losses, factor, _ = contact_flow(
        pair, factor, (0.0, 0.0, 0.0), False, (gap, gap_end), time,
        inverse_n, inverse_t, slip, coupling, -dot(pulled, n), drag,
    )  # fmt: skip
    note_contact_speed(motion, NODE, relative, losses[3])
    motion.ledger.work[CONTACT_DAMPING] -= losses[0]
    motion.ledger.work[RUBBING] -= losses[1]
    touched = dcm, inverse, motion.bodies.inverse_mass[body], arm
    moved = element_moved(system, motion, (i, j), held, s, impulses[2])
    book_rub(motion, impulses[2], add(moved_by(touched, impulses[2]), moved), inverse_t)
    impulse = add_scaled(impulses[2], impulses[0], n)
    early = add_scaled(impulses[3], impulses[1], n)
    book_pull(system, motion, body, impulse, early, time)
    kicks = three(motion.points.kick, i), three(motion.points.kick, j)
    rub_ends(system, motion, (i, j), s, (impulse, early), is_second)
    give(system, motion, i, held[0][1], 1.0 - s, impulse, early, body)
    give(system, motion, j, held[1][1], s, impulse, early, body)
    damped = scale(losses[4], n)
    note_end(system, motion, i, held[0][1], 1.0 - s, (impulses[2], damped), kicks[0])
    note_end(system, motion, j, held[1][1], s, (impulses[2], damped), kicks[1])
    gap_left = gap_end + (impulses[0] * time - impulses[1]) * inverse_n
    gap_left += dot(coupling, subtract(scale(time, impulses[2]), impulses[3]))
    remember(motion, e, slot, edge if gap_left < 0.0 else -1, factor, bias)
    return losses[3], gap_left < 0.0


@device
def remember(motion, e, slot, edge, factor, bias):
    """Keep the contact of element e with an edge in a slot; edge -1: it is over."""
    motion.contacts.edges.slot[e, slot], motion.contacts.edges.bias[e, slot] = edge, bias
    motion.contacts.edges.factor[e, slot] = factor if edge >= 0 else OPEN


@device
def pull_on_element(system, motion, ends, held, s, time, is_second):
    """`pull_against` of the place s of an element; what opens second sees no kicks."""
    a_i, kick_i = pulls_of(system, motion, ends[0], held[0])
    a_j, kick_j = pulls_of(system, motion, ends[1], held[1])
    a = add_scaled(scale(1.0 - s, a_i), s, a_j)
    kick = add_scaled(scale(1.0 - s, kick_i), s, kick_j)
    if is_second:
        kick = (0.0, 0.0, 0.0)
    return pull_against(motion, system.surface.body, a, kick, 0.0, time)


@device
def was_kicked(system, motion, i):
    """Whether contacts have given an end of an element, or its body, an impulse in this step."""
    owner = system.points.owner[i]
    if owner == NODE:
        return is_kicked(motion, i)
    shift = three(motion.bodies.shift, owner)
    return dot(shift, shift) > 0.0


@device
def rub_ends(system, motion, ends, s, given, is_second):
    """`book_second` for both ends of an element, where its contact is a second one."""
    if not is_second:
        return
    if is_loose(system, motion, ends[0]):
        book_second(motion, ends[0], scale(1.0 - s, given[0]), scale(1.0 - s, given[1]))
    if is_loose(system, motion, ends[1]):
        book_second(motion, ends[1], scale(s, given[0]), scale(s, given[1]))


@device
def note_end(system, motion, i, arm, share, impulses, kick):
    """Keep a share of the impulses [N s] of friction and damping on an end of an element, for what comes after."""
    owner, lossy = system.points.owner[i], (scale(share, impulses[0]), scale(share, impulses[1]))
    if owner != NODE:
        note_body_losses(motion, owner, arm, lossy)
    elif is_loose(system, motion, i):
        note_lossy(motion, i, lossy, kick, True)


@device
def is_loose(system, motion, i):
    """Whether an end of an element is a node that nothing holds."""
    return system.points.owner[i] == NODE and not is_glued(system, motion, i, system.surface.body)


@device
def end_of(system, motion, i, dcm_end, moved, time):
    """(place at the end of a step [m], axes of the body, velocity [m/s]) of an element's end.

    dcm_end, moved  pose of the body at the end. What is glued to it ends where it is held.
    """
    body = system.surface.body
    if is_glued(system, motion, i, body):
        arm = subtract(three(motion.points.x, i), three(motion.bodies.place, body))
        carried = add(three(motion.bodies.speed, body), cross(rates_of(system, motion, body), arm))
        return three(motion.contacts.glue.anchor, i), carried
    x, v = path_of(system, motion, i)
    end = (
        add_scaled(x, time, v)
        if system.points.owner[i] < 0
        else carried_to(system, motion, i, time)
    )
    return apply_transposed(dcm_end, subtract(end, moved)), v


@device
def pulls_of(system, motion, i, held):
    """(acceleration [m/s^2], kicks of contacts in this step [m/s]) of an end; glued, of its body."""
    body, owner = system.surface.body, system.points.owner[i]
    if is_glued(system, motion, i, body):
        return scale(motion.bodies.inverse_mass[body], three(motion.bodies.force, body)), (
            0.0,
            0.0,
            0.0,
        )
    if owner == NODE:
        return three(motion.points.a, i), three(motion.points.kick, i)
    inverse = three(system.inverse_inertia, owner)
    pull = pull_of_body(motion, owner, held[0], inverse, held[1])
    return pull, kick_so_far(motion, owner, held[0], inverse, held[1])
