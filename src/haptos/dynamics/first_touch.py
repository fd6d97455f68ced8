"""When does a gap first close within a step? A march that cannot jump over a thin feature.

A gap that shrinks no faster than `fastest` cannot close sooner than gap/fastest: the march takes
that stride along the step's interpolant, looks again, and stops at the first negative gap. The
crossing is then narrowed down by regula falsi (Illinois) to a gap of -`tolerance` to 0.

The gap is a device function of the fraction theta of the step, in [0, 1]. The march asks for
bound(model, theta), never above the gap and below zero exactly where it is; the search within a
bracket for gap(model, theta).
Validity: strides are at least 1/looks of the step, so a dip briefer than that, from a gap that is
already nearly closed, can be missed; the end of the step is always looked at. Smooth ground needs
few looks; ground with small features as many as they are smaller than a step.
Source: the march is ours; the Illinois rule is textbook material.
"""

from __future__ import annotations

from haptos.core.jit import device

CITES: tuple[str, ...] = ()

MARCHES = 24  # looks per step that serve smooth ground and springs
NARROWINGS = 60  # most halvings of the bracket; Illinois needs about 8
NARROWEST = 1e-15  # [-] width of the bracket; theta itself is not known better near 1
CLOSER, CLOSER_SHARE = 40, 0.25  # looks for a short opening, each at this share of the one before
NO_TOUCH = 2.0  # theta that stands for "not within this step"


@device
def first_touch(bound, gap, model, start_gap, fastest, tolerance, looks):
    """theta of the first touch, gap within `tolerance` of zero there; NO_TOUCH if there is none.

    start_gap [m]: gap at theta = 0, >= 0.   fastest [m]: most the gap can close over the step.
    looks: most strides of the march, MARCHES or more where features are small.
    """
    theta, g = 0.0, start_gap
    if fastest <= 0.0:
        return NO_TOUCH
    while g <= fastest * (1.0 - theta):
        stride = max(g / fastest, 1.0 / looks)
        ahead = min(theta + stride, 1.0)
        g_ahead = bound(model, ahead)
        if g_ahead < 0.0:
            if g <= tolerance:
                theta, g, ahead, g_ahead = _parted(gap, model, theta, ahead, g_ahead)
                if g <= 0.0:
                    return theta
            return _narrowed(gap, model, theta, g, ahead, g_ahead, tolerance)
        theta, g = ahead, g_ahead
        if theta >= 1.0:
            break
    return NO_TOUCH


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
        theta = (low * g_high - high * g_low) / (g_high - g_low)
        g = gap(model, theta)
        if -tolerance <= g <= 0.0:
            return theta
        if g < 0.0:
            high, g_high = theta, g
            if side == -1:
                g_low *= 0.5
            side = -1
        else:
            low, g_low = theta, g
            if side == 1:
                g_high *= 0.5
            side = 1
        if high - low <= NARROWEST:
            break
    return high
