"""Runge-Kutta 5(4) of Dormand and Prince: one step, its error, its interpolant, the next step.

    y1 = y0 + h sum b_i k_i,   k_i = f(t0 + c_i h, y0 + h sum_j a_ij k_j)          order 5
    error = h sum (b_i - b^_i) k_i                                                order 4 companion
    y(t0 + theta h): quartic interpolant, order 4, C1 between steps

The right-hand side is a device function rate(model, t, y, dy). State and stages are rows of
scratch arrays given by the caller: k has shape (7, size); on return k[6] holds f(t1, y1), which is
k[0] of the next step (first same as last).
Validity: a rate that is smooth within a step and not stiff; jumps belong between steps.
Source: [DormandPrince1980]; interpolant and control: [HairerNorsettWanner1993] II.5, II.6, IV.2.
"""

from __future__ import annotations

import math

import numpy as np

from haptos.core.jit import device, routine

CITES: tuple[str, ...] = ("DormandPrince1980", "HairerNorsettWanner1993")

SAFETY = 0.9  # [-] aim below the tolerance, so that most steps are accepted
SHRINK_MOST, GROW_MOST = 0.2, 5.0  # [-] bounds of one change of step size
PI_MEMORY = 0.04  # [-] weight of the previous error: calms the control where stability limits h
FAULTLESS = 1e-10  # [-] error ratio below which a step grows at its bound; zero has no power -0.17
BROKEN = 1e300  # [-] error ratio that stands for NaN: finite, and far above any that is accepted

# Row s: weights of the stages before s; the last row is also the step's own, order 5.
A = np.array(
    [
        [0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
        [1 / 5, 0.0, 0.0, 0.0, 0.0, 0.0],
        [3 / 40, 9 / 40, 0.0, 0.0, 0.0, 0.0],
        [44 / 45, -56 / 15, 32 / 9, 0.0, 0.0, 0.0],
        [19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729, 0.0, 0.0],
        [9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656, 0.0],
        [35 / 384, 0.0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84],
    ]
)
C = np.array([0.0, 1 / 5, 3 / 10, 4 / 5, 8 / 9, 1.0, 1.0])
STAGES = 7


@device
def step(rate, model, t, h, y, size, k, y1, first):
    """Fill k[first:7] and y1 with one step of size h from (t, y).

    first = 1 if k[0] already holds the rate at (t, y), else 0. The rate stands once in the loop:
    it is the bulk of the code, and this way it is compiled and inlined once.
    """
    for s in range(first, STAGES):
        for i in range(size):
            y1[i] = 0.0
        for j in range(s):
            a = A[s, j]
            for i in range(size):
                y1[i] += a * k[j, i]
        for i in range(size):
            y1[i] = y[i] + h * y1[i]
        rate(model, t + C[s] * h, y1, k[s])


@routine
def error_ratio(h, y, y1, size, k, absolute, relative):
    """Largest error over its tolerance absolute[i] + relative |y_i|; <= 1 is accepted.

    A NaN anywhere gives BROKEN, so such a step is rejected.
    """
    worst = 0.0
    for i in range(size):
        error = h * (
            71.0 / 57600.0 * k[0, i]
            - 71.0 / 16695.0 * k[2, i]
            + 71.0 / 1920.0 * k[3, i]
            - 17253.0 / 339200.0 * k[4, i]
            + 22.0 / 525.0 * k[5, i]
            - 1.0 / 40.0 * k[6, i]
        )
        ratio = abs(error) / (absolute[i] + relative * max(abs(y[i]), abs(y1[i])))
        if not ratio <= worst:
            worst = ratio
        if ratio != ratio:
            return BROKEN
    return worst


@routine
def interpolate(theta, h, y, y1, size, k, out):
    """State at t0 + theta h, theta in [0, 1], into `out`."""
    interpolate_rows(theta, h, y, y1, 0, size, k, out)


@device
def interpolate_rows(theta, h, y, y1, first, end, k, out):
    """As `interpolate` for components first..end-1."""
    for i in range(first, end):
        out[i] = _interpolated(i, theta, h, y, y1, k)


@device
def _quartic(i, h, y, y1, k):
    """Coefficients (change, bend, twist, quartic) of `interpolate` for component i."""
    change = y1[i] - y[i]
    bend = h * k[0, i] - change
    quartic = h * (
        -12715105075.0 / 11282082432.0 * k[0, i]
        + 87487479700.0 / 32700410799.0 * k[2, i]
        - 10690763975.0 / 1880347072.0 * k[3, i]
        + 701980252875.0 / 199316789632.0 * k[4, i]
        - 1453857185.0 / 822651844.0 * k[5, i]
        + 69997945.0 / 29380423.0 * k[6, i]
    )
    return change, bend, change - h * k[6, i] - bend, quartic


@device
def _interpolated(i, theta, h, y, y1, k):
    change, bend, twist, quartic = _quartic(i, h, y, y1, k)
    rest = 1.0 - theta
    return y[i] + theta * (change + rest * (bend + theta * (twist + rest * quartic)))


@device
def interpolated_vector(first, theta, h, y, y1, k):
    """The three components from `first` of the state that `interpolate` gives, in the same bits."""
    return (
        _interpolated(first, theta, h, y, y1, k),
        _interpolated(first + 1, theta, h, y, y1, k),
        _interpolated(first + 2, theta, h, y, y1, k),
    )


@device
def control_points(i, h, y, y1, k):
    """Component i of the five Bernstein control points of the interpolant, its ends included.

    The interpolant lies in the convex hull of its control points, and is no longer than their polygon.
    Source: the Bernstein form of a polynomial, textbook material.
    """
    change, bend, twist, quartic = _quartic(i, h, y, y1, k)
    return (
        y[i],
        y[i] + 0.25 * (change + bend),
        y[i] + 0.5 * change + bend / 3.0 + (twist + quartic) / 6.0,
        y[i] + 0.75 * change + 0.25 * (bend + twist),
        y1[i],
    )


@routine
def interpolated_bounds(first, h, y, y1, k):
    """(size, rate): bounds of |v| and of |dv/dt| along the step, v the three components from `first`.

    Both from the control points of the interpolant (differences of them for the rate), so they hold
    for all theta in [0, 1] whatever the step.
    """
    s0, s1, s2, s3, s4 = 0.0, 0.0, 0.0, 0.0, 0.0
    r0, r1, r2, r3 = 0.0, 0.0, 0.0, 0.0
    for i in range(first, first + 3):
        p0, p1, p2, p3, p4 = control_points(i, h, y, y1, k)
        s0, s1, s2, s3, s4 = s0 + p0 * p0, s1 + p1 * p1, s2 + p2 * p2, s3 + p3 * p3, s4 + p4 * p4
        r0, r1 = r0 + (p1 - p0) * (p1 - p0), r1 + (p2 - p1) * (p2 - p1)
        r2, r3 = r2 + (p3 - p2) * (p3 - p2), r3 + (p4 - p3) * (p4 - p3)
    return math.sqrt(max(s0, s1, s2, s3, s4)), 4.0 * math.sqrt(max(r0, r1, r2, r3)) / h


@device
def step_factor(ratio, previous):
    """Factor for the next step from this error ratio and the one accepted before."""
    if ratio < FAULTLESS:
        return GROW_MOST
    factor = SAFETY * ratio ** (-(0.2 - 0.75 * PI_MEMORY)) * previous**PI_MEMORY
    return min(max(factor, SHRINK_MOST), GROW_MOST)
