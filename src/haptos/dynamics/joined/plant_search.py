"""When the polygons of a contact are searched anew, and how stretches of friction and accounts go on.

    |shift| + size |turn| + growth |spread|  <= margin        since the last search: no node was missed
A contact that is far away keeps an empty set for as long as its clearance lasts, at no cost in a step; one that
rests keeps its set, and only its memory goes on.
Validity: as contact/sets/polygons.py. Source: distance bound elementary.
"""

from __future__ import annotations

import math

from haptos.contact.sets.polygons import LEAVES, NODES, OVERFLOW, find_polygons
from haptos.contact.sets.polygons_memory import recall
from haptos.contact.sets.polygons_sum import (
    AREA,
    DEPTH,
    ELASTIC,
    FORCE,
    POLYGONS,
    PRESSURE,
    STICK,
    SUMS,
    TORQUE,
    load_nodes,
)
from haptos.core.inlining import routine
from haptos.core.jit import device
from haptos.core.vectors import dot, norm, subtract
from haptos.dynamics.flexible.drives import asked_speed
from haptos.dynamics.joined.plant_balance import contact_losses
from haptos.dynamics.joined.plant_booms import drive_of
from haptos.dynamics.joined.plant_contacts import contact_pose, contact_spread, contact_twist
from haptos.dynamics.joined.plant_model import (
    A_ELASTIC,
    A_FRICTION,
    A_PEAK,
    A_RELEASED,
    A_REMESH,
    A_STICK,
    F_NODES,
    F_POLYGONS,
    F_SEARCHES,
    MARGIN,
    SEARCHED_SPREAD,
    X_AREA,
    X_AXIAL,
    X_DEPTH,
    X_FORCE,
    X_LATERAL,
    X_PRESSURE,
    X_TORQUE,
)
from haptos.dynamics.joined.plant_outer import three
from haptos.geometry.distance.reference import reference_gap

CITES: tuple[str, ...] = ()

ROOM = 1.6  # [-] of the way that a step is expected to take
LEAST_MARGIN = 1e-5  # [m] of a search of bodies that touch; assumed: longer than most steps go
WIDE_MARGIN = 5e-4  # [m] of a search of bodies that do not touch


@routine
def way_since_search(plant, k, y):
    """Bound [m] of the way of B's nodes relative to A since the polygons of contact k were searched."""
    contact = plant.contacts[k]
    pose, _, _, _, _ = contact_pose(plant, k, y)
    then, size = contact.pose, contact.faces.size
    turn = 0.0
    for i in range(3):
        d = subtract(pose[1][i], three(then, 3 + 3 * i))
        turn += dot(d, d)
    spread = abs(contact_spread(plant, k, y) - contact.limits[SEARCHED_SPREAD])
    return norm(subtract(pose[0], three(then, 0))) + size * (math.sqrt(turn) + spread)


@routine
def _closing_bound(plant, k, t, y):
    """Largest speed [m/s] of a node of B relative to A that a contact can have now."""
    contact = plant.contacts[k]
    pose, _, dcm_NA, arm_A, arm_B = contact_pose(plant, k, y)
    v, w = contact_twist(plant, k, pose[0], dcm_NA, (arm_A, arm_B), 0.0)
    bound = norm(v) + norm(w) * contact.faces.size
    n = contact.bodies[2]
    if n >= 0:
        bound += abs(asked_speed(drive_of(plant.slides.stroke, n), t))
        rate = asked_speed(drive_of(plant.slides.spread, n), t)
        bound += 1.5 * abs(rate) * contact.faces.size
    return bound


@routine
def prepare_contact(plant, k, t, y, h):
    """Make sure that a step of h [s] finds the polygons of contact k; False if they do not fit their room.

    What does not touch is searched widely, so that it need not be searched again soon.
    """
    way = ROOM * _closing_bound(plant, k, t, y) * h
    if _is_ready(plant, k, y, way):
        return True
    if _is_far(plant, k, y, way):
        return True
    margin = max(3.0 * way, LEAST_MARGIN)
    if plant.contacts[k].kept[POLYGONS] == 0.0:
        margin = max(4.0 * way, WIDE_MARGIN)
    search_contact(plant, k, y, margin)
    return plant.contacts[k].found.counts[OVERFLOW] == 0


@device
def _is_ready(plant, k, y, way):
    """Whether the last search still holds for a way [m], and is not far wider than bodies that touch need."""
    margin = plant.contacts[k].limits[MARGIN]
    is_wide = margin > max(8.0 * way, 4.0 * LEAST_MARGIN)
    if plant.contacts[k].kept[POLYGONS] > 0.0 and is_wide:
        return False
    return way_since_search(plant, k, y) + way <= margin


@routine
def _is_far(plant, k, y, way):
    """Whether contact k is so far away that its set is empty for longer than the way of a step [m]."""
    contact = plant.contacts[k]
    place = contact_pose(plant, k, y)[0][0]
    gap, _, _, _ = reference_gap(contact.reference, place, 0.0, 0, contact.found.search)
    clearance = gap - contact.faces.size
    if clearance <= 4.0 * way + WIDE_MARGIN:
        return False
    counts = contact.found.counts
    counts[NODES], counts[LEAVES], counts[OVERFLOW] = 0, 0, 0
    _note_search(plant, k, y, clearance)
    _go_on(contact)
    return True


@routine
def _note_search(plant, k, y, margin):
    contact = plant.contacts[k]
    pose = contact_pose(plant, k, y)[0]
    contact.limits[SEARCHED_SPREAD], contact.limits[MARGIN] = contact_spread(plant, k, y), margin
    for i in range(3):
        contact.pose[i] = pose[0][i]
        for j in range(3):
            contact.pose[3 + 3 * i + j] = pose[1][i][j]


@routine
def search_contact(plant, k, y, margin):
    """Polygons within the margin, with their stretches; what changes by it goes to `remesh`."""
    contact = plant.contacts[k]
    _remember(contact)
    contact.flags[F_SEARCHES] += 1
    find_polygons(
        contact.reference,
        contact.faces,
        contact.refinement,
        contact_pose(plant, k, y)[0],
        (0.0, contact_spread(plant, k, y)),
        margin,
        contact.found,
    )
    load_nodes(contact.law, contact.found, contact.sums)
    recall(contact.memory, contact.faces, contact.found)
    _go_on(contact)
    is_all = contact.found.counts[OVERFLOW] == 0
    _note_search(plant, k, y, margin if is_all else -1.0)


@routine
def _go_on(contact):
    """Start of a step on a new set: stretches, areas and places as they are, the difference to `remesh`."""
    found, account = contact.found, contact.account
    stick = 0.0
    elastic = contact.sums[ELASTIC] if found.counts[NODES] > 0 else 0.0
    for k in range(found.counts[NODES]):
        found.weight_before[k] = found.weight[k]
        a = three(found.stretch[k], 0)
        stick += 0.5 * contact.law.shear * found.weight[k] * dot(a, a)
        for c in range(3):
            found.point_before[k, c] = found.point[k, c]
    account[A_REMESH] += elastic - account[A_ELASTIC] + stick - account[A_STICK]
    account[A_ELASTIC], account[A_STICK] = elastic, stick


@routine
def _remember(contact):
    """Names, stretches and areas at the last accepted step, for the set to come."""
    memory, found = contact.memory, contact.found
    count = 0
    for k in range(found.counts[NODES]):
        if found.weight_before[k] > 0.0:
            memory.weight[count] = found.weight_before[k]
            for c in range(2):
                memory.names[count, c] = found.names[k, c]
            for c in range(3):
                memory.stretch[count, c] = found.stretch[k, c]
            count += 1
    memory.count[0] = count


@routine
def keep_contact(plant, k, y, y1):
    """Account for an accepted step of contact k and let its memory go on; the sums are those of its end."""
    contact = plant.contacts[k]
    sums, kept, account, flags = contact.sums, contact.kept, contact.account, contact.flags
    if contact.found.counts[NODES] > 0:
        friction, released = contact_losses(plant, k, y, y1)
        account[A_FRICTION] += friction
        account[A_RELEASED] += released
        account[A_STICK], account[A_ELASTIC] = sums[STICK], sums[ELASTIC]
        _carry(contact)
    for c in range(SUMS):
        kept[c] = sums[c]
    if sums[POLYGONS] > 0.0:
        account[A_PEAK] = max(account[A_PEAK], sums[ELASTIC])
        _note_extremes(sums, contact.extremes)
        flags[F_POLYGONS] = max(flags[F_POLYGONS], int(sums[POLYGONS]))
        flags[F_NODES] = max(flags[F_NODES], contact.found.counts[NODES])


@routine
def _carry(contact):
    """Stretches, areas and places of the nodes at the end of a step are those at the start of the next."""
    found = contact.found
    for k in range(found.counts[NODES]):
        w = found.weight[k]
        lets_go = w <= 0.0 or (contact.law.resets == 1 and found.slips[k] == 1)
        found.weight_before[k] = w
        for c in range(3):
            found.stretch[k, c] = 0.0 if lets_go else found.held[k, c]
            found.point_before[k, c] = found.point[k, c]


@device
def _note_extremes(sums, most):
    f, m = three(sums, FORCE), three(sums, TORQUE)
    most[X_FORCE] = max(most[X_FORCE], norm(f))
    most[X_LATERAL] = max(most[X_LATERAL], math.sqrt(f[1] * f[1] + f[2] * f[2]))
    most[X_AXIAL] = max(most[X_AXIAL], abs(f[0]))
    most[X_TORQUE] = max(most[X_TORQUE], norm(m))
    most[X_DEPTH] = max(most[X_DEPTH], sums[DEPTH])
    most[X_PRESSURE] = max(most[X_PRESSURE], sums[PRESSURE])
    most[X_AREA] = max(most[X_AREA], sums[AREA])
