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
from haptos.dynamics.contacts.element_edge_masses import (
    element_masses,
    element_moved,
    end_speed,
    held_at,
)
from haptos.dynamics.contacts.element_edge_search import (
    gap_of_edge,
    near_elements,
    renew_edges,
    signed_distance,
)
from haptos.dynamics.contacts.glue import is_glued
from haptos.dynamics.contacts.point_mesh import body_pose, note_stiffness
from haptos.dynamics.contacts.resolve import (
    across_of,
    book_pull,
    book_rub,
    book_second,
    carried_to,
    give,
    is_kicked,
    lightness,
    moved_by,
    note_lossy,
    pair_numbers,
    path_of,
    pose_at,
    pull_against,
    pull_of_body,
    rates_of_fast,
)
from haptos.dynamics.rigid.bodies import rates_of, three
from haptos.dynamics.system import (
    ACTIVE_ELEMENTS,
    CONTACT_DAMPING,
    NODE,
    RUBBING,
    SLOTS,
    SORTED_AT,
    TRAVEL,
    WAY,
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
def touch_edges(net, motion, time, is_backwards, stack):
    """(largest force [N], elements in touch) of all elements near an edge."""
    body, clock = net.surface.body, motion.clock
    peak, touching = 0.0, 0
    place, dcm, _, _ = body_pose(net, motion, body, 0.0)
    inverse = three(net.inverse_inertia, body)
    if clock[SORTED_AT] == clock[TRAVEL]:
        near_elements(net, motion)
    count = int(clock[ACTIVE_ELEMENTS])
    for a in range(count):
        e = motion.active_elements[count - 1 - a if is_backwards else a]
        if clock[TRAVEL] < motion.edge_clear[e]:
            continue
        i, j = net.threads.ends[e, 0], net.threads.ends[e, 1]
        if is_glued(net, motion, i, body) and is_glued(net, motion, j, body):
            keep_slots(motion, e, 0)
            continue
        y_i = apply_transposed(dcm, subtract(three(motion.x, i), place))
        y_j = apply_transposed(dcm, subtract(three(motion.x, j), place))
        if clock[TRAVEL] >= motion.edge_budget[e]:
            renew_edges(net, motion, e, y_i, y_j, clock[WAY], stack)
        nearest, next_edge, seen, held = math.inf, -1, 0, 0
        is_tied = net.points.owner[i] >= 0 or net.points.owner[j] >= 0
        radius = max(net.points.radius[i], net.points.radius[j])
        for c in range(motion.edge_count[e]):
            edge = motion.edge_near[e, c]
            away = signed_distance(net.surface.edges, edge, y_i, subtract(y_j, y_i)) - 2.0 * radius
            if away < nearest:
                nearest, next_edge = away, edge
            slot = slot_of(motion, e, edge)
            if slot < 0 or (motion.edge_slot[e, slot] < 0 and away > clock[WAY]):
                continue
            moved, dcm_end = pose_at(net, motion, body, time)
            force, is_touching = _touch_edge(
                net, motion, e, edge, slot, (y_i, y_j), (dcm, dcm_end, inverse, place, moved), time
            )
            peak = max(peak, force)
            if is_touching:
                touching, seen, held = touching + 1, seen | (1 << slot), held + 1
        keep_slots(motion, e, seen)
        if is_tied and held == 0 and next_edge >= 0:
            note_approach(net, motion, (i, j), next_edge, nearest, time)
        early = AHEAD * clock[WAY] if is_tied else 0.0
        safe = min(motion.edge_budget[e], clock[TRAVEL] - clock[WAY] + nearest - early)
        motion.edge_clear[e] = safe if held == 0 else 0.0
    return peak, touching


@routine
def note_approach(net, motion, ends, edge, away, time):
    """Ask for steps [s] that resolve the impact of an element tied to a body, before it strikes an edge.

    away  distance [m] of the two. An impact turns the body, a bullet, by so much that it must not be over
    within one step, as that of a net's own nodes may be.
    """
    body, (i, j) = net.surface.body, ends
    speed = max(
        norm(subtract(three(motion.v, i), three(motion.speed, body))),
        norm(subtract(three(motion.v, j), three(motion.speed, body))),
    )
    if away > AHEAD * speed * time:
        return
    pair = pair_numbers(net.surface.pairs, net.surface.edge_surface[edge], net.points.kind[i])
    inverse = max(lightness(net, motion, i), lightness(net, motion, j))
    deepest = deepest_of(pair[NORMAL_LAW], pair[STIFFNESS], inverse, 0.0, speed)
    note_stiffness(motion, pair, inverse, deepest)


@device
def slot_of(motion, e, edge):
    """Slot of element e that remembers its touch with an edge, a free one, or -1 for none left."""
    free = -1
    for k in range(SLOTS):
        if motion.edge_slot[e, k] == edge:
            return k
        if motion.edge_slot[e, k] < 0:
            free = k
    return free


@device
def keep_slots(motion, e, seen):
    """Let contacts of an element go that were not seen in this step.

    What a contact held whose thread slid off the end of the edge, or onto a face, is lost.
    """
    for k in range(SLOTS):
        if not (seen >> k) & 1 and motion.edge_slot[e, k] >= 0:
            motion.books[CONTACT_DAMPING] -= motion.edge_held[e, k]
            motion.edge_slot[e, k], motion.edge_factor[e, k] = -1, OPEN
            motion.edge_held[e, k] = 0.0


@routine
def held_by_edges(net, motion, time):
    """Energy [J] that the contacts of edges hold at the end of a step [s], all impulses given."""
    energy, surface = 0.0, net.surface
    moved, dcm = pose_at(net, motion, surface.body, time)
    for a in range(int(motion.clock[ACTIVE_ELEMENTS])):
        e = motion.active_elements[a]
        for k in range(SLOTS):
            edge = motion.edge_slot[e, k]
            if edge < 0:
                continue
            i, j = net.threads.ends[e, 0], net.threads.ends[e, 1]
            z_i, _ = end_of(net, motion, i, dcm, moved, time)
            z_j, _ = end_of(net, motion, j, dcm, moved, time)
            gap = gap_of_edge(surface.edges, edge, z_i, subtract(z_j, z_i))[0]
            radius = max(net.points.radius[i], net.points.radius[j])
            pair = pair_numbers(surface.pairs, surface.edge_surface[edge], net.points.kind[i])
            depth = radius + motion.edge_bias[e, k] - gap
            held = contact_energy(pair, -depth)
            lightest = max(lightness(net, motion, i), lightness(net, motion, j))
            note_stiffness(motion, pair, lightest, depth)
            motion.edge_held[e, k] = held
            energy += held
    return energy


@routine
def _touch_edge(net, motion, e, edge, slot, ends, pose, time):
    """(largest force [N], touches at the end?) of an element and an edge, remembered in a slot."""
    y_i, y_j = ends
    dcm, dcm_end, inverse, place, moved = pose
    i, j = net.threads.ends[e, 0], net.threads.ends[e, 1]
    z_i, v_i = end_of(net, motion, i, dcm_end, moved, time)
    z_j, v_j = end_of(net, motion, j, dcm_end, moved, time)
    gap_end, n_body, s, _, is_end = gap_of_edge(net.surface.edges, edge, z_i, subtract(z_j, z_i))
    radius = max(net.points.radius[i], net.points.radius[j])
    factor = motion.edge_factor[e, slot]
    if not is_end or (factor == OPEN and gap_end < -net.options.margin):
        return 0.0, False
    gap = gap_of_edge(net.surface.edges, edge, y_i, subtract(y_j, y_i))[0]
    if not math.isfinite(gap):
        return 0.0, False
    gap, gap_end = gap - radius, gap_end - radius
    is_second = factor == OPEN and (was_kicked(net, motion, i) or was_kicked(net, motion, j))
    if factor == OPEN and not is_second and gap > 0.0 and gap_end > 0.0:
        return 0.0, False
    body = net.surface.body
    n = apply(dcm_end, n_body)
    x = add_scaled(scale(1.0 - s, three(motion.x, i)), s, three(motion.x, j))
    held = held_at(net, motion, i, 0.5 * time), held_at(net, motion, j, 0.5 * time)
    if net.points.owner[i] != NODE:
        v_i = end_speed(net, motion, i, held[0])
    if net.points.owner[j] != NODE:
        v_j = end_speed(net, motion, j, held[1])
    v = add_scaled(scale(1.0 - s, v_i), s, v_j)
    arm = subtract(x, place)
    omega = rates_of_fast(dcm, inverse, motion, body)
    relative = subtract(subtract(v, three(motion.speed, body)), cross(omega, arm))
    if is_second:
        gap = gap_end - dot(relative, n) * time
    bias = min(gap if factor == OPEN else max(motion.edge_bias[e, slot], gap), 0.0)
    gap, gap_end = gap - bias, gap_end - bias
    if gap > 0.0 and gap_end > 0.0:
        return 0.0, False
    pulled, ahead = pull_on_element(net, motion, (i, j), held, s, time, is_second)
    drag = tangential(pulled, n)
    slip = tangential(subtract(relative, ahead), n)
    across = across_of(slip, drag, time, n)
    inverse_n, inverse_t, coupling = element_masses(
        net, motion, (i, j), held, s, (dcm, inverse, arm), (n, across)
    )
    pair = pair_numbers(net.surface.pairs, net.surface.edge_surface[edge], net.points.kind[i])
    impulses, losses, factor, _ = contact_flow(
        pair, factor, (0.0, 0.0, 0.0), False, (gap, gap_end), time,
        inverse_n, inverse_t, slip, coupling, -dot(pulled, n), drag,
    )  # fmt: skip
    motion.books[CONTACT_DAMPING] -= losses[0]
    motion.books[RUBBING] -= losses[1]
    touched = dcm, inverse, motion.inverse_mass[body], arm
    moved = element_moved(net, motion, (i, j), held, s, impulses[2])
    book_rub(motion, impulses[2], add(moved_by(touched, impulses[2]), moved), inverse_t)
    impulse = add_scaled(impulses[2], impulses[0], n)
    early = add_scaled(impulses[3], impulses[1], n)
    book_pull(net, motion, body, impulse, early, time)
    kicks = three(motion.kick, i), three(motion.kick, j)
    rub_ends(net, motion, (i, j), s, (impulse, early), is_second)
    give(net, motion, i, held[0][1], 1.0 - s, impulse, early, body)
    give(net, motion, j, held[1][1], s, impulse, early, body)
    damped = scale(losses[4], n)
    note_end(net, motion, i, held[0][1], 1.0 - s, (impulses[2], damped), kicks[0])
    note_end(net, motion, j, held[1][1], s, (impulses[2], damped), kicks[1])
    gap_left = gap_end + (impulses[0] * time - impulses[1]) * inverse_n
    gap_left += dot(coupling, subtract(scale(time, impulses[2]), impulses[3]))
    is_touching = gap_left < 0.0
    remember(motion, e, slot, edge if is_touching else -1, factor, bias)
    return losses[3], is_touching


@device
def remember(motion, e, slot, edge, factor, bias):
    """Keep the contact of element e with an edge in a slot; edge -1: it is over."""
    motion.edge_slot[e, slot], motion.edge_bias[e, slot] = edge, bias
    motion.edge_factor[e, slot] = factor if edge >= 0 else OPEN


@device
def pull_on_element(net, motion, ends, held, s, time, is_second):
    """`pull_against` of the place s of an element; what opens second sees no kicks."""
    a_i, kick_i = pulls_of(net, motion, ends[0], held[0])
    a_j, kick_j = pulls_of(net, motion, ends[1], held[1])
    a = add_scaled(scale(1.0 - s, a_i), s, a_j)
    kick = add_scaled(scale(1.0 - s, kick_i), s, kick_j)
    if is_second:
        kick = (0.0, 0.0, 0.0)
    return pull_against(motion, net.surface.body, a, kick, 0.0, time)


@device
def was_kicked(net, motion, i):
    """Whether contacts have given an end of an element, or its body, an impulse in this step."""
    owner = net.points.owner[i]
    if owner == NODE:
        return is_kicked(motion, i)
    shift = three(motion.body_shift, owner)
    return dot(shift, shift) > 0.0


@device
def rub_ends(net, motion, ends, s, given, is_second):
    """`book_second` for both ends of an element, where its contact is a second one."""
    if not is_second:
        return
    if is_loose(net, motion, ends[0]):
        book_second(motion, ends[0], scale(1.0 - s, given[0]), scale(1.0 - s, given[1]))
    if is_loose(net, motion, ends[1]):
        book_second(motion, ends[1], scale(s, given[0]), scale(s, given[1]))


@device
def note_end(net, motion, i, arm, share, impulses, kick):
    """Keep a share of the impulses [N s] of friction and damping on an end of an element, for what comes after."""
    owner, lossy = net.points.owner[i], (scale(share, impulses[0]), scale(share, impulses[1]))
    if owner != NODE:
        note_body_losses(motion, owner, arm, lossy)
    elif is_loose(net, motion, i):
        note_lossy(motion, i, lossy, kick, True)


@device
def is_loose(net, motion, i):
    """Whether an end of an element is a node that nothing holds."""
    return net.points.owner[i] == NODE and not is_glued(net, motion, i, net.surface.body)


@device
def end_of(net, motion, i, dcm_end, moved, time):
    """(place at the end of a step [m], axes of the body, velocity [m/s]) of an element's end.

    dcm_end, moved  pose of the body at the end. What is glued to it ends where it is held.
    """
    body = net.surface.body
    if is_glued(net, motion, i, body):
        arm = subtract(three(motion.x, i), three(motion.place, body))
        carried = add(three(motion.speed, body), cross(rates_of(net, motion, body), arm))
        return three(motion.glue.anchor, i), carried
    x, v = path_of(net, motion, i)
    end = add_scaled(x, time, v) if net.points.owner[i] < 0 else carried_to(net, motion, i, time)
    return apply_transposed(dcm_end, subtract(end, moved)), v


@device
def pulls_of(net, motion, i, held):
    """(acceleration [m/s^2], kicks of contacts in this step [m/s]) of an end; glued, of its body."""
    body, owner = net.surface.body, net.points.owner[i]
    if is_glued(net, motion, i, body):
        return scale(motion.inverse_mass[body], three(motion.force, body)), (0.0, 0.0, 0.0)
    if owner == NODE:
        return three(motion.a, i), three(motion.kick, i)
    inverse = three(net.inverse_inertia, owner)
    pull = pull_of_body(motion, owner, held[0], inverse, held[1])
    return pull, kick_so_far(motion, owner, held[0], inverse, held[1])
