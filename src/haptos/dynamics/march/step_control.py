"""Choice of steps by their error, for every explicit march with error control: of bodies on ground, joined bodies, systems. Tethers: `implicit.py`.

A step of h [s] whose error ratio is above 1 is thrown away and tried again shorter; one below it chooses the next.

    shorter    h' = h min(factor(ratio, previous), REJECTED_MOST)
    next       h' = h factor(ratio, previous),   at least what was wanted where something else had cut the step

    factor  that of `dormand_prince.step_factor`        ratio  [-] largest error over its tolerance
    previous  ratio of the accepted step before, at least LEAST_RATIO: luck does not make the control timid later

The root of a gap within a step is narrowed by regula falsi with the Illinois rule: `bracket_guess` says where to
look next, `narrower` what is left of the bracket after that.
Validity: of the root, a gap that is continuous and changes its sign once in the bracket.
Source: [DormandPrince1980] for the pair; the rules of control and the Illinois rule are textbook material.
"""

from __future__ import annotations

from haptos.core.jit import device
from haptos.dynamics.march.dormand_prince import step_factor

CITES: tuple[str, ...] = ("DormandPrince1980",)

REJECTED_MOST = 0.9  # [-] a rejected step shrinks at least this much
LEAST_RATIO = 1e-4  # [-] of errors far below their tolerance
NARROWINGS = 60  # most parts a bracket is narrowed in; Illinois needs about 8


@device
def shorter_step(h, ratio, previous):
    """Step [s] to try after one of h [s] was rejected."""
    return h * min(step_factor(ratio, previous), REJECTED_MOST)


@device
def next_step(h, ratio, previous, wanted):
    """Step [s] to try after one of h [s] was accepted, of which the control had wanted `wanted` [s] or less."""
    grown = h * step_factor(ratio, previous)
    return max(grown, wanted) if h < wanted else grown


@device
def kept_ratio(ratio):
    """What the control remembers of an accepted step."""
    return max(ratio, LEAST_RATIO)


@device
def commit_state(y, y1, k, size):
    """Make the end of a step the state, and its last stage the first of the next."""
    for i in range(size):
        y[i] = y1[i]
        k[0, i] = k[6, i]


@device
def bracket_guess(low, gap_low, high, gap_high):
    """Where the line through both ends of a bracket is zero; rounding may put that just outside."""
    return (low * gap_high - high * gap_low) / (gap_high - gap_low)


@device
def narrower(low, gap_low, high, gap_high, side, at, gap):
    """(low, gap there, high, gap there, side) after the gap at `at` was seen; side: which end was kept last, 0 none.

    The gap is above zero at the low end. An end that is kept twice counts half (Illinois).
    """
    if gap <= 0.0:
        return low, (0.5 * gap_low if side == -1 else gap_low), at, gap, -1
    return at, gap, high, (0.5 * gap_high if side == 1 else gap_high), 1
