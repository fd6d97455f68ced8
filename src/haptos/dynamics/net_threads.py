"""Forces of all thread elements and running lines on the points they join.

A running line passes freely through rings: one tension along all of its way,
T = max(0, EA (l - L)/L + c l') with l the sum of the distances from ring to ring, so that a ring at
x feels T (u_next - u_previous). Source: [Salvi2014] section 2.8 for the interlaced closing thread;
that it runs without friction is assumed.
"""

from __future__ import annotations

import math

from haptos.core.jit import device, routine
from haptos.dynamics.net_layout import BREAKAGE
from haptos.dynamics.thread_link import link_energy, link_tension

CITES: tuple[str, ...] = ("Salvi2014",)


@device
def pulled(x, v, i, j):
    """(distance [m], its rate [m/s], unit vector from point i to point j); no direction at 0."""
    dx, dy, dz = x[j, 0] - x[i, 0], x[j, 1] - x[i, 1], x[j, 2] - x[i, 2]
    distance = math.sqrt(dx * dx + dy * dy + dz * dz)
    if distance <= 0.0:
        return 0.0, 0.0, (0.0, 0.0, 0.0)
    u = (dx / distance, dy / distance, dz / distance)
    rate = (
        (v[j, 0] - v[i, 0]) * u[0] + (v[j, 1] - v[i, 1]) * u[1] + (v[j, 2] - v[i, 2]) * u[2]
    )
    return distance, rate, u


@device
def pull(force, i, j, size, u):
    """Add a tension [N] along u to the forces on two points."""
    for k in range(3):
        force[i, k] += size * u[k]
        force[j, k] -= size * u[k]


@routine
def thread_forces(threads, motion, force):
    """(energy held [J], power lost in dampers [W], broken now) after adding forces on points [N].

    An element that reaches its breaking tension is cut at once; its energy goes to the books.
    """
    x, v = motion.x, motion.v
    held, lost, broken = 0.0, 0.0, 0
    for e in range(len(threads.stretching)):
        if motion.whole[e] == 0:
            continue
        i, j = threads.ends[e, 0], threads.ends[e, 1]
        dx, dy, dz = x[j, 0] - x[i, 0], x[j, 1] - x[i, 1], x[j, 2] - x[i, 2]
        square = dx * dx + dy * dy + dz * dz
        length = motion.length[e]
        if square <= length * length:
            motion.tension[e] = 0.0
            continue
        distance, rate, u = pulled(x, v, i, j)
        tension, spring = link_tension(
            threads.stretching[e], threads.damping[e], length, distance, rate
        )
        energy = link_energy(threads.stretching[e], length, distance)
        if tension >= threads.breaking[e]:
            motion.whole[e], motion.tension[e] = 0, 0.0
            motion.books[BREAKAGE] -= energy
            broken += 1
            continue
        motion.tension[e] = tension
        pull(force, i, j, tension, u)
        held += energy
        lost += (tension - spring) * rate
    return held, lost, broken


@routine
def line_forces(lines, motion, force):
    """(energy held [J], power lost in dampers [W]) after adding forces of running lines [N]."""
    held, lost = 0.0, 0.0
    for q in range(len(lines.stretching)):
        distance, rate = 0.0, 0.0
        for s in range(lines.start[q], lines.start[q + 1] - 1):
            part, speed, _ = pulled(motion.x, motion.v, lines.point[s], lines.point[s + 1])
            distance, rate = distance + part, rate + speed
        tension, spring = link_tension(
            lines.stretching[q], lines.damping[q], motion.line_length[q], distance, rate
        )
        if tension == 0.0 and spring == 0.0:
            continue
        for s in range(lines.start[q], lines.start[q + 1] - 1):
            i, j = lines.point[s], lines.point[s + 1]
            _, _, u = pulled(motion.x, motion.v, i, j)
            pull(force, i, j, tension, u)
        held += link_energy(lines.stretching[q], motion.line_length[q], distance)
        lost += (tension - spring) * rate
    return held, lost


@routine
def highest_frequency(threads, points, inverse_inertia, motion):
    """A bound [rad/s] on the frequencies of the net, every whole element taken as taut.

    Gershgorin's circles of the stiffness scaled by the masses: at each point the sum over its
    elements of k/m + k/sqrt(m m'), where a fixed point counts with the inverse mass it could at
    most show, 1/M + r^2/I.
    """
    p = len(points.owner)
    worst = 0.0
    for i in range(p):
        motion.a[i, 0] = 0.0
    for e in range(len(threads.stretching)):
        if motion.whole[e] == 0:
            continue
        i, j = threads.ends[e, 0], threads.ends[e, 1]
        k = threads.stretching[e] / motion.length[e]
        mi = lightest(points, inverse_inertia, motion, i)
        mj = lightest(points, inverse_inertia, motion, j)
        both = math.sqrt(mi * mj)
        motion.a[i, 0] += k * (mi + both)
        motion.a[j, 0] += k * (mj + both)
    for i in range(p):
        worst = max(worst, motion.a[i, 0])
        motion.a[i, 0] = 0.0
    return math.sqrt(worst)


@device
def lightest(points, inverse_inertia, motion, i):
    """Largest inverse mass [1/kg] a point can show to a pull."""
    body = points.owner[i]
    if body < 0:
        return 1.0 / motion.mass[i]
    r2 = points.offset[i, 0] ** 2 + points.offset[i, 1] ** 2 + points.offset[i, 2] ** 2
    turn = max(
        inverse_inertia[body, 0], inverse_inertia[body, 1], inverse_inertia[body, 2]
    )
    return motion.inverse_mass[body] + r2 * turn
