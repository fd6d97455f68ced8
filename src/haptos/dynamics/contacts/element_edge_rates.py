"""Thread elements pressed on sharp edges of the target: forces of the moment, and which contacts there are.

    depth = r + b - gap,   f on the thread at p + s u,   shares 1 - s and s to its two ends

    gap  of the straight lines of thread and edge [m]     r  radius of the thread [m]
    b    bias [m] <= 0: depth at which the contact was found, given back as the thread comes out
Which contacts there are is settled between steps. Within a step a contact acts as that of two endless
lines, a smooth law even where the thread slides off the end of the edge or on to its next element;
such a step is cut where that happens, and what the contact held is recorded as lost, as in `element_edge`.

Frame: N. Validity: straight elements; convex edges; SLOTS contacts of one element at a time.
Source: geometry of `segment_pair`, force of `point_mesh_rates`.
"""

from __future__ import annotations

from haptos.contact.contact_flow import NORMAL_LAW, OPEN, STIFFNESS, entry_factor
from haptos.contact.laws.normal import normal_energy
from haptos.core.jit import device, routine
from haptos.core.rotations import apply, apply_transposed
from haptos.core.vectors import add_scaled, dot, scale, subtract
from haptos.dynamics.contacts.detect import edge_contact
from haptos.dynamics.contacts.element_edge import slot_of
from haptos.dynamics.contacts.element_edge_search import near_elements, renew_edges
from haptos.dynamics.contacts.memories import SLOTS
from haptos.dynamics.contacts.point_mesh_rates import (
    book_press,
    force_of,
    push_body,
    surface_pose,
    way_against,
)
from haptos.dynamics.contacts.resolve import pair_numbers
from haptos.dynamics.ledger.extremes import note_contact_speed
from haptos.dynamics.rigid.bodies import three
from haptos.dynamics.rigid.loads import point_speed
from haptos.dynamics.system import CONTACT_DAMPING, NODE

CITES: tuple[str, ...] = ()


@routine
def crossing(system, motion, e, edge, pose):
    """(gap [m] of the surfaces, normal, s, whether they touch as segments) of an element and an edge."""
    i, j = system.threads.ends[e, 0], system.threads.ends[e, 1]
    y_i = apply_transposed(pose[1], subtract(three(motion.points.x, i), pose[0]))
    y_j = apply_transposed(pose[1], subtract(three(motion.points.x, j), pose[0]))
    gap, n_body, s, is_one = edge_contact(system, edge, (y_i, y_j))
    return (
        gap - max(system.points.radius[i], system.points.radius[j]),
        apply(pose[1], n_body),
        s,
        is_one,
    )


@device
def edge_pair(system, e, edge):
    """Numbers of contact of an element and an edge."""
    kind = system.points.kind[system.threads.ends[e, 0]]
    return pair_numbers(system.surface.pairs, system.surface.edge_surface[edge], kind)


@routine
def crossing_speed(system, motion, e, s):
    """(velocity against the target [m/s], place [m]) of the thread where it crosses an edge."""
    i, j = system.threads.ends[e, 0], system.threads.ends[e, 1]
    x = add_scaled(scale(1.0 - s, three(motion.points.x, i)), s, three(motion.points.x, j))
    v = add_scaled(scale(1.0 - s, three(motion.points.v, i)), s, three(motion.points.v, j))
    return subtract(v, point_speed(system, motion, system.surface.body, x)), x


@routine
def give_point(system, motion, scratch, i, share, f):
    """Add a share of a force [N] to a point."""
    owner = system.points.owner[i]
    if owner < 0:
        for k in range(3):
            scratch.force[i, k] += share * f[k]
    else:
        push_body(motion, scratch, owner, three(motion.points.x, i), share, f)


@routine
def press_edges(system, motion, scratch, dy, works):
    """Push the elements in contact with edges away from them."""
    if system.surface.body < 0 or not system.options.has_edges:
        return
    pose = surface_pose(system, motion)
    for a in range(int(motion.contacts.search.element_count)):
        e = motion.contacts.edges.active[a]
        for k in range(SLOTS):
            edge = motion.contacts.edges.slot[e, k]
            if edge < 0:
                continue
            gap, n, s, _ = crossing(system, motion, e, edge, pose)
            depth = motion.contacts.edges.bias[e, k] - gap
            if not depth > 0.0:
                continue
            relative, place = crossing_speed(system, motion, e, s)
            pair = edge_pair(system, e, edge)
            f, load, powers, _ = force_of(
                pair, motion.contacts.edges.factor[e, k], depth, relative, n
            )
            give_point(system, motion, scratch, system.threads.ends[e, 0], 1.0 - s, f)
            give_point(system, motion, scratch, system.threads.ends[e, 1], s, f)
            push_body(motion, scratch, system.surface.body, place, -1.0, f)
            book_press(motion, dy, works, pair, depth, powers, load)


@routine
def look_at_crossings(system, motion):
    """(least gap [m] of elements with edges beyond their bias, a metre if none is; how many slid off).

    Those press although the thread has slid off the end of the edge, or on to its next element.
    """
    nearest, count = 1.0, 0
    if system.surface.body < 0 or not system.options.has_edges:
        return nearest, count
    pose = surface_pose(system, motion)
    for a in range(int(motion.contacts.search.element_count)):
        e = motion.contacts.edges.active[a]
        for k in range(SLOTS):
            edge = motion.contacts.edges.slot[e, k]
            if edge < 0:
                continue
            gap, _, _, is_one = crossing(system, motion, e, edge, pose)
            beyond = gap - motion.contacts.edges.bias[e, k]
            nearest = min(nearest, beyond)
            if not is_one and beyond < 0.0:
                count += 1
    return nearest, count


@routine
def renew_crossings(system, motion, time, stack):
    """Settle which elements touch which edges before a step [s]; the energy [J] that was let go."""
    lost = 0.0
    if system.surface.body < 0 or not system.options.has_edges or len(system.surface.edges) == 0:
        return lost
    pose = surface_pose(system, motion)
    for e in range(len(motion.elements.whole)):
        if motion.elements.whole[e] == 0:
            for k in range(SLOTS):
                lost += _keep(system, motion, e, k, pose)
    near_elements(system, motion)
    for a in range(int(motion.contacts.search.element_count)):
        e = motion.contacts.edges.active[a]
        way = _way(system, motion, e, time)
        if motion.contacts.edges.budget[e] < way:
            i, j = system.threads.ends[e, 0], system.threads.ends[e, 1]
            y_i = apply_transposed(pose[1], subtract(three(motion.points.x, i), pose[0]))
            y_j = apply_transposed(pose[1], subtract(three(motion.points.x, j), pose[0]))
            renew_edges(system, motion, e, y_i, y_j, 2.0 * way, stack)
        for k in range(SLOTS):
            lost += _keep(system, motion, e, k, pose)
        for c in range(motion.contacts.edges.count[e]):
            _find(system, motion, e, motion.contacts.edges.near[e, c], pose, 2.0 * way)
    motion.ledger.work[CONTACT_DAMPING] -= lost
    return lost


@device
def _way(system, motion, e, time):
    """How far an element may move against the target in a step [s]."""
    first = way_against(system, motion, system.threads.ends[e, 0], time)
    return max(first, way_against(system, motion, system.threads.ends[e, 1], time))


@routine
def _keep(system, motion, e, k, pose):
    """Renew bias and factor of a contact, or let it go; the energy [J] it held then."""
    edge = motion.contacts.edges.slot[e, k]
    if edge < 0:
        return 0.0
    gap, n, s, is_one = crossing(system, motion, e, edge, pose)
    depth = motion.contacts.edges.bias[e, k] - gap
    pair = edge_pair(system, e, edge)
    if not is_one or motion.elements.whole[e] == 0:
        motion.contacts.edges.slot[e, k], motion.contacts.edges.factor[e, k] = -1, OPEN
        return normal_energy(pair[NORMAL_LAW], pair[STIFFNESS], depth)
    if not depth > 0.0:
        motion.contacts.edges.bias[e, k], motion.contacts.edges.factor[e, k] = min(gap, 0.0), OPEN
    elif motion.contacts.edges.factor[e, k] == OPEN:
        relative, _ = crossing_speed(system, motion, e, s)
        note_contact_speed(motion, NODE, relative, 1.0)
        motion.contacts.edges.factor[e, k] = entry_factor(pair, max(-dot(relative, n), 0.0))
    return 0.0


@routine
def _find(system, motion, e, edge, pose, reach):
    """Give a slot to a contact that may press within a reach [m]."""
    slot = slot_of(motion, e, edge)
    if slot < 0 or motion.contacts.edges.slot[e, slot] == edge:
        return
    gap, _, _, is_one = crossing(system, motion, e, edge, pose)
    if is_one and -system.options.margin <= gap < reach:
        motion.contacts.edges.slot[e, slot], motion.contacts.edges.factor[e, slot] = edge, OPEN
        motion.contacts.edges.bias[e, slot] = min(gap, 0.0)


@routine
def use_up_edges(system, motion, time):
    """Take the ways of a step [s] that was accepted from the budgets of elements."""
    if system.surface.body < 0 or not system.options.has_edges:
        return
    for a in range(int(motion.contacts.search.element_count)):
        e = motion.contacts.edges.active[a]
        motion.contacts.edges.budget[e] -= _way(system, motion, e, time)
