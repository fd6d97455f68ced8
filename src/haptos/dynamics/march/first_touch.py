"""When does a gap first close within a step? A march whose strides are bounded by geometry.

A point that moves at the speed U now, and whose acceleration stays below B until the end of the step,
goes at most U s + B s^2/2 within the share s of the step. So a gap g cannot close before

    s = 2 g / (U + sqrt(U^2 + 2 B g))                                            `stride`

and if the gap opens at the rate r on ground that bends away (a convex body), not before the positive
root of g + r s - B s^2/2:                                                       `stride(-r, B, g)`

    g [m]    U, r [m per step]    B [m per step^2]    s [steps]

The march asks clear_until(model, theta) for (until, above, below): the share of the step up to which the gap
surely stays open as seen from theta; and the share, at or before theta, at which something was found
below the surface (NO_TOUCH if nothing was), and where that was last seen above. It goes there, asks again, and
stops at the first place below. `until` must lie ahead of theta, and be at most 1 unless the gap surely stays open to the end: the
model's smallest stride, in metres, is its own choice.
The crossing is then narrowed down by regula falsi (Illinois) to a gap of -`tolerance` to 0, where
gap(model, theta) is that of what was found below.
Validity: what dips in and out within one smallest stride, from a gap smaller than that stride, can be
missed; at the deepest it goes half a stride below. The end of the step is looked at unless it is surely clear.
Source: the march is ours, after conservative advancement; the Illinois rule is textbook material.
"""

from __future__ import annotations

import math

from haptos.core.jit import device
from haptos.dynamics.march.step_control import NARROWINGS, bracket_guess, narrower

CITES: tuple[str, ...] = ()

MOST_LOOKS = (
    10_000  # of one step; a gap that stays closer than any stride then counts as a touch; assumed
)
NARROWEST = 1e-15  # [-] width of the bracket; theta itself is not known better near 1
CLOSER, CLOSER_SHARE = 40, 0.25  # looks for a short opening, each at this share of the one before
OTHERS = 8  # most other things that may be below at a touch and were not looked at just before
NO_TOUCH = 2.0  # theta that stands for "not within this step"


@device
def stride(speed, bend, way):
    """Share of a step within which a point surely goes no farther than `way` [m]; at most NO_TOUCH.

    speed  [m per step] toward the surface now, negative away from it; |speed| if the direction counts not
    bend   [m per step^2] bound of the acceleration, >= 0
    """
    if speed < 0.0:
        far = math.sqrt(speed * speed + 2.0 * bend * max(way, 0.0)) - speed
        return far / bend if far < NO_TOUCH * bend else NO_TOUCH
    if not way > 0.0:
        return 0.0
    pace = speed + math.sqrt(speed * speed + 2.0 * bend * way)
    return 2.0 * way / pace if 2.0 * way < NO_TOUCH * pace else NO_TOUCH


@device
def first_touch(clear_until, gap, also_below, model, until, tolerance):
    """theta of the first touch, gap within `tolerance` of zero there; NO_TOUCH if there is none.

    until       share of the step up to which the gap surely stays open, as seen from the start
    also_below  device function (model, theta, tolerance): whether something else is below the surface at a
                touch, and if so where it was last seen above; else NO_TOUCH. The gap is its own from then on, too.
    """
    looks = 0
    while until <= 1.0:
        ahead = until
        looks += 1
        if looks > MOST_LOOKS:
            return ahead
        until, above, below = clear_until(model, ahead)
        if below <= 1.0:
            found = _met(gap, model, above, below, tolerance)
            for _ in range(OTHERS):
                above = also_below(model, found, tolerance)
                if above > 1.0:
                    break
                found = _met(gap, model, above, found, tolerance)
            return found
        if ahead >= 1.0:
            break
        if not until > ahead:  # a stride lost to rounding
            until = min(ahead + NARROWEST, 1.0)
    return NO_TOUCH


@device
def _met(gap, model, low, high, tolerance):
    """Root of the gap between low, where nothing was below the surface, and high."""
    g_low, g_high = gap(model, low), gap(model, high)
    if g_low <= tolerance:
        low, g_low, high, g_high = _parted(gap, model, low, high, g_high)
        if g_low <= 0.0:
            return low
    return _narrowed(gap, model, low, g_low, high, g_high, tolerance)


@device
def _parted(gap, model, theta, ahead, g_ahead):
    """(low, gap there, high, gap there): a place between the two where a closed gap is open.

    A gap that is closed at theta may open and close again before `ahead`; looked for ever closer to
    theta. The low end's gap is 0 if it does not open.
    """
    for _ in range(CLOSER):
        middle = theta + CLOSER_SHARE * (ahead - theta)
        g_middle = gap(model, middle)
        if g_middle > 0.0:
            return middle, g_middle, ahead, g_ahead
        ahead, g_ahead = middle, g_middle
    return theta, 0.0, ahead, g_ahead


@device
def _narrowed(gap, model, low, g_low, high, g_high, tolerance):
    """Root of the gap between low (g >= 0) and high (g < 0), where the gap has just closed.

    Never before: a gap that stays within the tolerance for a while would end step after step.
    """
    side = 0
    for _ in range(NARROWINGS):
        theta = bracket_guess(low, g_low, high, g_high)
        g = gap(model, theta)
        if -tolerance <= g <= 0.0:
            return theta
        low, g_low, high, g_high, side = narrower(low, g_low, high, g_high, side, theta, g)
        if high - low <= NARROWEST:
            break
    return high
