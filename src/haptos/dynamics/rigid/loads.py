"""Loads on the bodies of a net that follow the clock: shots, thrust, torques, given profiles.

A load changes linearly from its first to its last value between two times, in the axes of a body or
in inertial ones, and acts at a point of a body. A kick takes exactly the impulse of the time it
stands for, so that a pulse much shorter than a step is not lost and its times need not be steps.
A load with a reaction acts on the other body with the opposite sign in the same point: both momenta
stay as they are. Work is impulse times the mean speed of the point before and after: exact.

    J = integral of f dt,   W = J . (v + v')/2 + L . (w + w')/2

    f  force [N]            J, L  impulse and angular impulse of the load [N s], [N m s]
    v, v'  velocity of the point before and after [m/s]      w, w'  rate of the body [rad/s]
Frame: N axes; the rows of loads hold theirs in the axes they name.
Validity: axes turn little within a step. Source: elementary mechanics.
"""

from __future__ import annotations

import math

from haptos.core.jit import device, routine
from haptos.core.rotations import apply, rotation_matrix
from haptos.core.vectors import add, cross, dot, scale, subtract
from haptos.dynamics.rigid.bodies import attitude_of, rates_of, strike, three
from haptos.dynamics.system import SLIVER

CITES: tuple[str, ...] = ()


@device
def clock_times(start, stop, after_touch, touched_at):
    """(start, stop) [s] by the clock; never if they count from a touch that has not been."""
    if after_touch > 0.0:
        return start + touched_at, stop + touched_at
    return start, stop


@device
def load_times(loads, row, touched_at):
    """(start, stop) [s] of a load by the clock."""
    return clock_times(loads[row].start, loads[row].stop, loads[row].after_touch, touched_at)


@device
def span_of(loads, row, begin, end, touched_at):
    """(first, last) share [-] of the load's own time within begin to end [s], and that time [s]."""
    start, stop = load_times(loads, row, touched_at)
    if not (start < end and stop > begin):
        return 0.0, 0.0, 0.0
    whole = stop - start
    return max(begin - start, 0.0) / whole, min(end - start, whole) / whole, whole


@device
def impulse_of(first, last, shares):
    """Integral [N s] or [N m s] of a linear load over part of its time: three numbers.

    first, last  (3,) its values at both ends      shares  of `span_of`
    """
    a, b, whole = shares
    middle, time = 0.5 * (a + b), (b - a) * whole
    return (
        time * ((1.0 - middle) * first[0] + middle * last[0]),
        time * ((1.0 - middle) * first[1] + middle * last[1]),
        time * ((1.0 - middle) * first[2] + middle * last[2]),
    )


@device
def point_speed(system, motion, b, place):
    """Velocity [m/s] of the point of a body that is at a place [m]."""
    return add(
        three(motion.bodies.speed, b),
        cross(rates_of(system, motion, b), subtract(place, three(motion.bodies.place, b))),
    )


@device
def pushed(system, motion, b, place, impulse, angular):
    """Work [J] of an impulse [N s] at a place [m] and an angular one [N m s] a body is given."""
    before, turned = point_speed(system, motion, b, place), rates_of(system, motion, b)
    arm = subtract(place, three(motion.bodies.place, b))
    strike(motion, b, impulse, add(cross(arm, impulse), angular))
    after, turning = point_speed(system, motion, b, place), rates_of(system, motion, b)
    return 0.5 * (dot(impulse, add(before, after)) + dot(angular, add(turned, turning)))


@device
def load_place(loads, row, motion):
    """Where a load acts now [m], N axes."""
    body = int(loads[row].body)
    point = loads[row].point
    own = rotation_matrix(attitude_of(motion, body))
    return add(three(motion.bodies.place, body), apply(own, (point[0], point[1], point[2])))


@routine
def kick_loads(system, motion, begin, end):
    """Let every load act for the part of begin to end [s] in which it is on; records its work."""
    loads = system.orders.loads
    for row in range(len(loads)):
        shares = span_of(loads, row, begin, end, motion.step.touched_at)
        if not shares[1] > shares[0] or not math.isfinite(shares[2]):
            continue
        body, axes = int(loads[row].body), int(loads[row].axes)
        impulse = impulse_of(loads[row].force, loads[row].force_end, shares)
        angular = impulse_of(loads[row].torque, loads[row].torque_end, shares)
        if axes >= 0:
            dcm = rotation_matrix(attitude_of(motion, axes))
            impulse, angular = apply(dcm, impulse), apply(dcm, angular)
        place = load_place(loads, row, motion)
        work = pushed(system, motion, body, place, impulse, angular)
        other = int(loads[row].reaction)
        if other >= 0:
            work += pushed(system, motion, other, place, scale(-1.0, impulse), scale(-1.0, angular))
        motion.ledger.work[int(loads[row].work)] += work


@routine
def load_limit(system, motion):
    """Longest step [s] that ends where a load begins or ends, and takes a short pulse in four."""
    loads, now = system.orders.loads, motion.step.time
    step = math.inf
    for row in range(len(loads)):
        start, stop = load_times(loads, row, motion.step.touched_at)
        if not stop - now > SLIVER or not math.isfinite(start):
            continue
        if start - now > SLIVER:
            step = min(step, start - now)
        else:
            step = min(step, stop - now, 0.25 * (stop - start))
    return step
