"""Two balls that cannot turn, over a short time: how they meet, press and part while nothing else acts.

The force acts along the line of centres, so that neither energy nor angular momentum has anywhere to
go. The way of one centre past the other is followed in steps as short as the contact asks, from the
moment the balls meet, however far the free way goes beyond: nothing passes unseen.

    d'' = f n/m,   f = k depth^(3/2) max(0, 1 + a rate),   depth = reach - |d|
    over a step h:  d_1 = d + h (w + w_1)/2,   w_1 = w + h f n/m,   n = (d + d_1)/(|d| + |d_1|)
                    f = (U(depth_1) - U(depth))/(depth_1 - depth) max(0, 1 + a r)

    d, w   from the second centre to the first [m], [m/s]      r  (depth_1 - depth)/h [m/s]
    reach  sum of radii [m]                                    m  reduced mass [kg]
As n (d_1 - d) = |d_1| - |d| the energy is kept to rounding for steps of any length; as n lies along the
mean of d and d_1, so is d x w. Each kick counts as given at the middle of its step.
Frame: any. Validity: balls without friction, as a force across the line of centres would turn them.
Source: [Gonzalez1996]; the law of the force is `impact_damping`.
"""

from __future__ import annotations

import math

from haptos.contact.contact_flow import (
    MOST_STEPS,
    NORMAL_LAW,
    OPEN,
    STIFFNESS,
    entry_factor,
    longest_step,
    mean_spring,
)
from haptos.contact.laws.normal import normal_energy, normal_load, with_losses
from haptos.core.jit import device, routine
from haptos.core.vectors import add_scaled, dot, norm, scale

CITES: tuple[str, ...] = ("Gonzalez1996",)

ROUNDS = 30  # [-] of the search for the force, each of which gains a digit or more
TURN = 0.1  # [-] way within one step as a share of the reach


@device
def meeting_time(d, w, reach):
    """Time [s] until two centres at d [m] moving apart by w [m/s] are a reach [m] apart; inf if never.

    0 if they are nearer already.
    """
    along, apart = dot(d, w), dot(d, d) - reach * reach
    if apart <= 0.0:
        return 0.0
    if along >= 0.0:
        return math.inf
    under = along * along - dot(w, w) * apart
    if under < 0.0:
        return math.inf
    return apart / (math.sqrt(under) - along)


@device
def central_step(law, stiffness, factor, inverse, reach, d, w, h):
    """(kick over m [m/s], force, spring part of it [N], d at the end) of one step h [s]."""
    middle = add_scaled(d, 0.5 * h, w)
    across = norm(middle)
    n = scale(1.0 / across, middle) if across > 0.0 else scale(1.0 / norm(w), w)
    start, force, share, spring = norm(d), 0.0, 1.0, 0.0
    end, after = d, start
    for _ in range(ROUNDS):
        end = add_scaled(add_scaled(d, h, w), 0.5 * h * h * inverse * force * share, n)
        after = norm(end)
        spring = mean_spring(law, stiffness, reach - start, reach - after)
        new = with_losses(law, spring, factor, (start - after) / h)
        # |d + d_1| is known along n, whatever the force
        turned = (2.0 * across + 0.5 * h * h * inverse * force * share) / (start + after)
        is_found = abs(new - force) <= 1e-14 * abs(new) and abs(turned - share) <= 1e-15
        force, share = new, turned
        if is_found:
            break
    return scale(h * inverse * force * share, n), force, spring, end


@routine
def ball_flow(pair, factor, reach, d, w, time, inverse):
    """What two balls do to each other over a time [s].

    pair     row of numbers of `contact_flow`; friction is not used
    factor   a [s/m] from before, OPEN if apart        inverse  1/m [1/kg]
    Returns (impulse on the first ball [N s], its sum weighted with the time since the start [N s^2]),
    (loss [J], largest force [N]), factor.
    """
    left, lost, peak = time, 0.0, 0.0
    pushed, early = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    law, stiffness = pair[NORMAL_LAW], pair[STIFFNESS]
    for _ in range(MOST_STEPS):
        if norm(d) >= reach:
            factor = OPEN
            wait = meeting_time(d, w, reach)
            if not wait < left or dot(d, w) >= 0.0:
                break
            d, left = add_scaled(d, wait, w), left - wait
        distance = norm(d)
        rate = -dot(d, w) / distance if distance > 0.0 else 0.0
        depth = max(reach - distance, 0.0)
        if factor == OPEN:
            factor = entry_factor(pair, max(rate, 0.0))
        step = longest_step(pair, inverse, depth, rate, False, inverse)
        speed = norm(w)
        if speed > 0.0:
            step = min(step, TURN * reach / speed)
        h = min(step, left)
        kick, force, spring, end = central_step(law, stiffness, factor, inverse, reach, d, w, h)
        lost += (force - spring) * (distance - norm(end))
        pushed = add_scaled(pushed, 1.0 / inverse, kick)
        early = add_scaled(early, (time - left + 0.5 * h) / inverse, kick)
        d, w, left = end, add_scaled(w, 1.0, kick), left - h
        distance = norm(d)
        rate = -dot(d, w) / distance if distance > 0.0 else 0.0
        peak = max(peak, force, normal_load(law, stiffness, factor, reach - distance, rate))
        if not left > 0.0:
            break
    if norm(add_scaled(d, left, w)) >= reach:
        factor = OPEN
    return (pushed, early), (lost, peak), factor


@device
def ball_energy(pair, reach, distance):
    """Elastic energy [J] of two balls whose centres are a distance [m] apart."""
    return normal_energy(pair[NORMAL_LAW], pair[STIFFNESS], reach - distance)
