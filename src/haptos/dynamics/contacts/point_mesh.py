"""Points of a net and its bullets against the surface of a body, over one step.

The longest ways of all points relative to the body add up to its travel. Every point knows the travel
up to which it can touch nothing, and that up to which the list of triangles near it holds: far from
the body its distance, near it a margin. Points that are safe for long are not even asked until the
travel grows by a margin, so that work follows what is near. Points that may touch are worked on one
after the other: free way in the axes of the body, gap at both ends of it, `contact_flow`, impulses.
The touched body takes each impulse at once, so that the next point sees it move.

Impulses are those of `resolve`, which keeps the momenta to rounding.
Validity: ways within a step short against the triangles; one contact per point, with the nearest
triangle. Source: the scheme is ours; the force is that of `contact_flow`.
"""

from __future__ import annotations

import math

from haptos.contact.contact_flow import OPEN, TANGENT, contact_energy, frequency_square
from haptos.core.jit import device, routine
from haptos.core.rotations import apply, apply_transposed, rotation_matrix
from haptos.core.vectors import add_scaled, dot, norm, subtract
from haptos.dynamics.cable.candidates import AMPLE
from haptos.dynamics.contacts.detect import gap_to, mesh_contact
from haptos.dynamics.contacts.glue import is_glued, stick, will_stick
from haptos.dynamics.contacts.resolve import (
    carried_to,
    largest_inverse_mass,
    pair_numbers,
    path_of,
    pose_at,
    resolve_contact,
)
from haptos.dynamics.rigid.bodies import attitude_of, fastest_square, put, rates_of, three, turned
from haptos.geometry.mesh.near_triangles import near_triangles, nearest_and_near
from haptos.geometry.mesh.triangle_tree import closest_triangle

CITES: tuple[str, ...] = ()

HALVINGS = 40  # [-] of the reach of a list that is too long
IN_PARTS = (
    0.16  # [-] of w^2 of a ball of a bullet, whose contact goes through a step in parts of its own
)
TINY = 1e-12  # [m] that a bound on a way is longer than foreseen, besides AMPLE


@routine
def body_pose(system, motion, b, time):
    """(place, dcm_NB) of a body now, and both after a time [s] of free motion."""
    later = turned(system, motion, b, time)
    place = three(motion.bodies.place, b)
    moved = add_scaled(place, time, three(motion.bodies.speed, b))
    return place, rotation_matrix(attitude_of(motion, b)), moved, rotation_matrix(later)


@routine
def renew_list(system, motion, i, y, way, stack):
    """Look up what is near point i at y, axes of the body, where a step begins; sets list and budget."""
    now = motion.contacts.search.travel - motion.contacts.search.way
    motion.contacts.mesh.clear[i] = 0.0
    tree, radius, margin = (
        system.surface.mesh.tree,
        system.points.radius[i],
        system.options.margin + way,
    )
    reach, square, row, count = radius + system.options.margin, 0.0, motion.contacts.mesh.row[i], -1
    if motion.contacts.mesh.near_count[i] > 0:
        square, row, count = nearest_and_near(
            tree, y, radius, margin, row, motion.contacts.mesh.near[i], stack
        )
    if count < 0:
        square, row = closest_triangle(tree, y, motion.contacts.mesh.row[i], stack)
    motion.contacts.mesh.row[i] = row
    distance = math.sqrt(square)
    if distance > 2.0 * reach + way:
        motion.contacts.mesh.near[i, 0], count = row, -1
        if gap_to(system.surface.mesh, motion.contacts.mesh.near[i], 1, y)[0] > 0.0:
            motion.contacts.mesh.budget[i], motion.contacts.mesh.near_count[i] = (
                now + distance - reach,
                0,
            )
            motion.contacts.mesh.clear[i] = motion.contacts.mesh.budget[i]
            return
    for _ in range(HALVINGS):
        if count >= 0:
            break
        count = near_triangles(
            tree, y, radius + distance + margin, motion.contacts.mesh.near[i], stack
        )
        margin *= 0.5 if count < 0 else 1.0
    if count <= 0:
        motion.contacts.mesh.near[i, 0], count = row, 1
    motion.contacts.mesh.near_count[i], motion.contacts.mesh.budget[i] = count, now + 0.5 * margin


@routine
def start_touching(system, motion, time):
    """Add the longest way of a step [s] to the travel, and sort points again when it is time."""
    body = system.surface.body
    way = longest_way(system, motion, body, motion.contacts.search.far, time)
    motion.contacts.search.way, motion.contacts.search.travel = (
        way,
        motion.contacts.search.travel + way,
    )
    if not motion.contacts.search.travel - motion.contacts.search.sorted_at < system.options.margin:
        sort_out(system, motion, three(motion.bodies.place, body))


@routine
def touch_nodes(system, motion, time, is_backwards, stack):
    """(largest force [N], nodes in touch).

    Balls of bullets get their lists here and are touched by `ball_mesh`.
    motion.points.x is where the step began; v the velocities with which points drift for `time` [s].
    What is written: changes of v, shifts, momenta, works; the drift itself comes after.
    """
    body = system.surface.body
    peak, touching, count = 0.0, 0, int(motion.contacts.search.point_count)
    place, dcm, _, _ = body_pose(system, motion, body, 0.0)
    for a in range(count):
        i = motion.contacts.mesh.active[count - 1 - a if is_backwards else a]
        if motion.contacts.search.travel < motion.contacts.mesh.clear[i]:
            continue
        x = three(motion.points.x, i)
        y = apply_transposed(dcm, subtract(x, place))
        if motion.contacts.search.travel >= motion.contacts.mesh.budget[i]:
            renew_list(system, motion, i, y, motion.contacts.search.way, stack)
            if motion.contacts.mesh.near_count[i] == 0:
                continue
        if system.points.owner[i] >= 0:
            continue
        moved, dcm_end = pose_at(system, motion, body, time)
        begin, v = path_of(system, motion, i)
        y_end = apply_transposed(dcm_end, subtract(add_scaled(begin, time, v), moved))
        is_touching, force = touch_point(
            system, motion, i, (y, y_end), (dcm_end, place), (x, x), (0.0, time, time)
        )
        peak = max(peak, force)
        if is_touching:
            touching += 1
    return peak, touching


@device
def note_stiffness(motion, pair, inverse, depth):
    """Keep the largest square of a frequency [1/s^2] of what presses, to choose the next step by."""
    square = frequency_square(pair, inverse, depth)
    motion.step.stiffest = max(motion.step.stiffest, square)


@routine
def held_by_points(system, motion, time):
    """Energy [J] that the contacts of points hold at the end of a step [s], all impulses given."""
    surface, energy = system.surface, 0.0
    moved, dcm = pose_at(system, motion, surface.body, time)
    for a in range(int(motion.contacts.search.point_count)):
        i = motion.contacts.mesh.active[a]
        if motion.contacts.mesh.factor[i] == OPEN:
            continue
        if system.points.owner[i] >= 0:
            end = carried_to(system, motion, i, time)
        else:
            begin, v = path_of(system, motion, i)
            end = add_scaled(begin, time, v)
        y = apply_transposed(dcm, subtract(end, moved))
        gap, _, row = mesh_contact(system, motion, i, y)
        pair = pair_numbers(surface.pairs, surface.surface[row], system.points.kind[i])
        energy += contact_energy(pair, gap)
        inverse_mass = largest_inverse_mass(system, motion, i) * (
            1.0 if system.points.owner[i] < 0 else IN_PARTS
        )
        note_stiffness(motion, pair, inverse_mass, -gap)
        if system.options.has_memory:
            offset = three(motion.contacts.mesh.offset, i)
            energy += 0.5 * pair[TANGENT] * dot(offset, offset)
    return energy


@routine
def longest_way(system, motion, body, far, time):
    """How far any point within `far` [m] of a body may move relative to it in this step [m], a bound."""
    square = fastest_square(motion.points.v, three(motion.bodies.speed, body))
    turning = norm(rates_of(system, motion, body)) * far
    return (math.sqrt(square) + turning) * time * AMPLE + TINY


@routine
def sort_out(system, motion, place):
    """Find again what is near enough to be asked in every step.

    What is left out is safe for twice the margin, and asked again once the travel has grown by one.
    """
    margin = system.options.margin
    count, far = 0, 0.0
    for i in range(len(system.points.owner)):
        arm = norm(subtract(three(motion.points.x, i), place))
        far = max(far, arm)
        if system.points.radius[i] <= 0.0:
            continue
        if (
            motion.contacts.mesh.budget[i] - motion.contacts.search.travel < 2.0 * margin
            or motion.contacts.mesh.near_count[i] > 0
        ):
            motion.contacts.mesh.active[count] = i
            count += 1
    motion.contacts.search.point_count, motion.contacts.search.sorted_at = (
        count,
        motion.contacts.search.travel,
    )
    motion.contacts.search.far = far + 2.0 * margin


@routine
def touch_point(system, motion, i, ways, pose, places, interval):
    """(touches at the end?, largest force [N]) of one point.

    ways   places at both ends of the free way, axes of the body [m]
    pose   attitude of the body at the end, its place at the start       interval  start, length, whole step [s]
    places  of the point and of the centre of its body at the start, N axes [m]
    """
    y, y_end = ways
    dcm_end, place = pose
    surface, body, owner = system.surface, system.surface.body, system.points.owner[i]
    if is_glued(system, motion, i, body):
        return False, 0.0
    radius = system.points.radius[i]
    gap_end, n_body, row = mesh_contact(system, motion, i, y_end)
    gap, _, _ = mesh_contact(system, motion, i, y)
    motion.contacts.mesh.clear[i] = 0.0
    if gap > 0.0 and gap_end > 0.0:
        motion.contacts.mesh.clear[i] = min(
            motion.contacts.mesh.budget[i],
            motion.contacts.search.travel - motion.contacts.search.way + gap,
        )
        if motion.contacts.mesh.factor[i] >= 0.0:
            motion.contacts.mesh.factor[i] = OPEN
            put(motion.contacts.mesh.offset, i, (0.0, 0.0, 0.0))
        return False, 0.0
    if will_stick(system, motion, i, (gap, gap_end)):
        stick(system, motion, i, body, ways, (gap, gap_end), n_body, interval[0] + interval[1])
        return False, 0.0
    n = apply(dcm_end, n_body)
    contact = places[0] if owner < 0 else add_scaled(places[0], -radius, n)
    lever = subtract(contact, places[1])
    pair = pair_numbers(surface.pairs, surface.surface[row], system.points.kind[i])
    memory = motion.contacts.mesh.factor[i], apply(dcm_end, three(motion.contacts.mesh.offset, i))
    found, memory = resolve_contact(
        system, motion, i, body, (subtract(contact, place), lever), n, (gap, gap_end), interval,
        pair, memory, system.options.has_memory,
    )  # fmt: skip
    motion.contacts.mesh.factor[i] = memory[0]
    put(motion.contacts.mesh.offset, i, apply_transposed(dcm_end, memory[1]))
    return found[0] < 0.0, found[1]
