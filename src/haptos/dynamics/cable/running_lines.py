"""Running lines: one tension along a way through rings, and how a step sees it set in and end.

    T = max(0, k s + c s')  if s > 0, else 0,     s = l - L,  k = EA/L,  f_i = -T g_i,  g_i = dl/dx_i

    l, g   way from ring to ring [m], sum of `ring_way`, and its slope by the place of a ring [-]
    L, L'  length without load [m] and its rate [m/s]      w = sum g_i^2/m_i  inverse mass of the way [1/kg]
All rings swing together on a line, so that its frequency is not that of one ring on a spring:

    w_max^2 <= k w + 4 max(T/(m way)),        step = share 2/w_max         m of the lighter end

A line that becomes taut or slack within a step did not pull for half of it, nor not at all. What the
kick gave is taken back and an impulse p is given instead that takes from the rings, or gives them, just
what the spring gets or held, E:

    taut    p (r - w p/2) = E,    p = 2 E/(r + sqrt(r^2 - 2 w E))          r = s' without the line's pull
    slack   p (w p/2 - r) = E,    p = (r + sqrt(r^2 + 2 w E))/w

Frame: N axes. Validity: rings without friction; that of `thread_link`. The damper of a line that becomes
taut acts for s/s', that of one that becomes slack loses its share of E.
Source: [Salvi2014] section 2.8 for the interlaced closing line; that it runs freely is assumed.
"""

from __future__ import annotations

import math

from haptos.core.jit import device, routine
from haptos.dynamics.cable.elements import pull, tug
from haptos.dynamics.cable.thread_link import link_energy, link_tension
from haptos.dynamics.motion import (
    LINE_LOST,
    LINE_RATE,
    LINE_SLACK,
    LINE_SPRING,
    LINE_TENSION,
    LINE_WAS_LOST,
)
from haptos.dynamics.rigid.bodies import lightest, place_points
from haptos.dynamics.system import THREAD_DAMPING, WINCH

CITES: tuple[str, ...] = ("Salvi2014",)


@device
def ring_way(motion, i, j, ring):
    """(way [m] of a line between two rings, its rate [m/s], its gradient by the place of the second).

    sqrt(d^2 + r^2) - r for rings of radius r at a distance d, which has no kink where they meet.
    """
    x, v = motion.points.x, motion.points.v
    dx, dy, dz = x[j, 0] - x[i, 0], x[j, 1] - x[i, 1], x[j, 2] - x[i, 2]
    way = math.sqrt(dx * dx + dy * dy + dz * dz + ring * ring)
    if way <= 0.0:
        return 0.0, 0.0, (0.0, 0.0, 0.0)
    u = (dx / way, dy / way, dz / way)
    rate = (v[j, 0] - v[i, 0]) * u[0] + (v[j, 1] - v[i, 1]) * u[1] + (v[j, 2] - v[i, 2]) * u[2]
    return way - ring, rate, u


@routine
def line_way(lines, motion, q):
    """(way of line q [m], rate [m/s] of that way over the line's own length)."""
    distance, rate = 0.0, 0.0
    for s in range(lines.start[q], lines.start[q + 1] - 1):
        part, speed, _ = ring_way(motion, lines.point[s], lines.point[s + 1], lines.ring)
        distance, rate = distance + part, rate + speed
    return distance, rate - motion.lines.pace[q]


@routine
def line_frequency(lines, points, inverse_inertia, motion, q, tension):
    """w_max^2 [1/s^2] of line q at a tension [N]: its rings swing together along it, and across."""
    along, across = 0.0, 0.0
    before = (0.0, 0.0, 0.0)
    first, last = lines.start[q], lines.start[q + 1] - 1
    for s in range(first, last + 1):
        i, u = lines.point[s], (0.0, 0.0, 0.0)
        light = lightest(points, inverse_inertia, motion, i)
        if s < last:
            way, _, u = ring_way(motion, i, lines.point[s + 1], lines.ring)
            other = lightest(points, inverse_inertia, motion, lines.point[s + 1])
            across = max(across, max(light, other) / max(way + lines.ring, 1e-9))
        slope = (before[0] - u[0], before[1] - u[1], before[2] - u[2])
        along += light * (slope[0] * slope[0] + slope[1] * slope[1] + slope[2] * slope[2])
        before = u
    return lines.stretching[q] / motion.lines.length[q] * along + 4.0 * tension * across


@routine
def line_forces(lines, points, inverse_inertia, motion, force, share):
    """(energy held [J], power lost in dampers [W], longest step [s]) with the forces of lines [N].

    What each line did before goes to `motion.lines.was`, for `catch_lines`.
    """
    held, lost, step = 0.0, 0.0, math.inf
    for q in range(len(lines.stretching)):
        distance, rate = line_way(lines, motion, q)
        length, was = motion.lines.length[q], motion.lines.was
        tension, spring = link_tension(
            lines.stretching[q], lines.damping[q], length, distance, rate
        )
        was[q, LINE_TENSION], was[q, LINE_SPRING] = motion.lines.tension[q], motion.lines.spring[q]
        was[q, LINE_WAS_LOST] = was[q, LINE_LOST]
        was[q, LINE_SLACK] = length - distance
        motion.lines.tension[q], motion.lines.spring[q] = tension, spring
        if tension == 0.0 and spring == 0.0:
            continue
        for s in range(lines.start[q], lines.start[q + 1] - 1):
            i, j = lines.point[s], lines.point[s + 1]
            _, _, u = ring_way(motion, i, j, lines.ring)
            pull(force, i, j, tension, u)
        square = line_frequency(lines, points, inverse_inertia, motion, q, tension)
        step = min(step, 2.0 * share / math.sqrt(square)) if square > 0.0 else step
        held += link_energy(lines.stretching[q], length, distance)
        lost += (tension - spring) * rate
    return held, lost, step


@routine
def tug_line(system, motion, q, size):
    """Let line q pull on its rings with an impulse [N s]; fixed points get the speed of their bodies."""
    lines = system.lines
    for s in range(lines.start[q], lines.start[q + 1] - 1):
        i, j = lines.point[s], lines.point[s + 1]
        _, _, u = ring_way(motion, i, j, lines.ring)
        tug(system, motion, i, size, u)
        tug(system, motion, j, -size, u)
    place_points(system, motion)


@device
def without_pull(system, motion, q, given):
    """(s' [m/s] after an impulse [N s] that line q gave is taken back, inverse mass of its way [1/kg])."""
    with_it = line_way(system.lines, motion, q)[1]
    tug_line(system, motion, q, -given)
    without = line_way(system.lines, motion, q)[1]
    return without, (without - with_it) / given


@routine
def catch_lines(system, motion, half):
    """Power [W] lost in the dampers of lines, which get the impulses of a step of twice half [s].

    That is those that became taut or slack within it.
    """
    lost, was = 0.0, motion.lines.was
    for q in range(len(system.lines.stretching)):
        before, now, is_caught = was[q, LINE_SPRING], motion.lines.spring[q], False
        if before > 0.0 and now == 0.0:
            release_line(system, motion, q, half)
        elif before == 0.0 and now > 0.0:
            is_caught = catch_line(system, motion, q, half)
        was[q, LINE_LOST] = 0.0
        if now == 0.0:
            continue
        rate = line_way(system.lines, motion, q)[1]
        was[q, LINE_RATE] = rate + motion.lines.pace[q]
        was[q, LINE_LOST] = (motion.lines.tension[q] - now) * rate
        lost += was[q, LINE_LOST]
        if is_caught:  # all of it is recorded
            motion.ledger.work[THREAD_DAMPING] += half * was[q, LINE_LOST]
    return lost


@device
def catch_line(system, motion, q, half):
    """Whether a line that became taut gave an impulse: what its spring holds, its damper for s/s'."""
    tension, spring = motion.lines.tension[q], motion.lines.spring[q]
    given = half * tension
    if given <= 0.0:
        return False
    rate, light = without_pull(system, motion, q, given)
    stretch = -motion.lines.was[q, LINE_SLACK]
    if rate <= 0.0 or light <= 0.0:
        tug_line(system, motion, q, given)
        return False
    braked = min(stretch / rate, 2.0 * half) * (tension - spring)
    slower = rate - 0.5 * light * braked
    root = max(slower * slower - light * spring * stretch, 0.0)
    impulse = braked + min(spring * stretch / (slower + math.sqrt(root)), slower / light)
    tug_line(system, motion, q, impulse)
    motion.ledger.work[THREAD_DAMPING] -= braked * (rate - 0.5 * light * impulse)
    book_impulse(system, motion, q, impulse - given, half * spring * spring)
    return True


@device
def release_line(system, motion, q, half):
    """A line became slack: its rings get what the spring held, less the share its damper takes."""
    tension, spring = motion.lines.was[q, LINE_TENSION], motion.lines.was[q, LINE_SPRING]
    length = motion.lines.length[q] - 2.0 * half * motion.lines.pace[q]
    energy = 0.5 * spring * spring * length / system.lines.stretching[q]
    left, given, impulse = energy * min(tension / spring, 1.0), half * tension, 0.0
    if given > 0.0:
        without, light = without_pull(system, motion, q, given)
        rate, first = without - light * given, motion.lines.was[q, LINE_RATE] - motion.lines.pace[q]
        left_over = left + given * (first - 0.5 * light * given)
        root = math.sqrt(max(rate * rate + 2.0 * light * left_over, 0.0))
        more = rate + (root if rate <= 0.0 else -root)  # the smaller one where it stretches again
        impulse = max(given + more / max(light, 1e-300), 0.0)
        tug_line(system, motion, q, impulse)
    motion.ledger.work[THREAD_DAMPING] -= energy - left - half * motion.lines.was[q, LINE_WAS_LOST]
    book_impulse(system, motion, q, impulse - given, half * spring * spring)


@device
def book_impulse(system, motion, q, more, square):
    """Put the winch's work right: an impulse more [N s], and no T_e^2/(2 EA) over time [N^2 s]."""
    motion.ledger.work[WINCH] -= motion.lines.pace[q] * (
        more - 0.5 * square / system.lines.stretching[q]
    )


@device
def line_pull(lines, motion, q):
    """l'' [m/s^2] of the way of line q, as its points speed up and turn about each other now."""
    found = 0.0
    for s in range(lines.start[q], lines.start[q + 1] - 1):
        i, j = lines.point[s], lines.point[s + 1]
        way, rate, u = ring_way(motion, i, j, lines.ring)
        square = 0.0
        for k in range(3):
            apart = motion.points.v[j, k] - motion.points.v[i, k]
            square += apart * apart
            found += (motion.points.a[j, k] - motion.points.a[i, k]) * u[k]
        found += (square - rate * rate) / max(way + lines.ring, 1e-9)
    return found


@routine
def line_limit(system, motion, share, longest):
    """Longest step [s], not over `longest`, that ends where a slack line becomes taut.

    Those slack by more than all their points can go in that time are passed over.
    """
    lines, step = system.lines, longest
    for q in range(len(lines.stretching)):
        slack, count = motion.lines.was[q, LINE_SLACK], lines.start[q + 1] - lines.start[q]
        if (
            slack <= 0.0
            or slack > 2.0 * count * motion.lists.state.fastest * step - motion.lines.pace[q] * step
        ):
            continue
        rate, speeding = line_way(lines, motion, q)[1], line_pull(lines, motion, q)
        root = rate * rate + 2.0 * speeding * slack
        below = rate + math.sqrt(max(root, 0.0))
        if root < 0.0 or below <= 0.0 or 2.0 * slack >= below * step:
            continue
        square = line_frequency(lines, system.points, system.inverse_inertia, motion, q, 0.0)
        stable = 2.0 * share / math.sqrt(max(square, 1e-300))
        step = min(step, max(2.0 * slack / below, stable))
    return step
