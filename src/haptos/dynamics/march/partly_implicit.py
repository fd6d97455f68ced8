"""One step of an additive Runge-Kutta pair of orders 4(3): what is stiff implicit, all else explicit, in one state.

    y' = f = f_E + f_I
    Y_i = y_n + h sum_j<i a^E_ij f_E(Y_j) + h sum_j<=i a^I_ij f_I(Y_j),   a^I_ii = g = 1/4
    y_n+1 = y_n + h sum b_i f(Y_i),   error = (1 - hg A)^-1 h sum (b_i - b^_i) f(Y_i)     order 4, companion of order 3

    rate(model, t, y, dy)           f
    settle(model, t, y, hg, part)   y becomes the Y of Y = y + hg f_I(t, Y); f_I(t, Y) into `part`; hg = 0 asks for it only
    calm(model, t, y, hg, error)    error becomes (1 - hg A)^-1 error, A the slope of f_I: without it the companion sees
                                    in what is stiff an error that the step does not have
f_I acts on few components and is solved exactly, so a stage asks f once. The implicit table is L-stable; the explicit one
is stable up to about h w = 4 for vibrations w.
k has ROWS rows: rates at six stages, at the end of the step, then f_I at the stages; the first of these ends as the error. Weights are those of f as a whole, so
what f keeps (momentum, works beside energies) the step keeps to rounding, as an explicit one does.
Validity: f smooth within a step; f_I stiff, f_E not. Stages are of order 2 for what is stiff.
Source: tables of ARK4(3)6L[2]SA of [KennedyCarpenter2003]; filter of the error [HairerWanner1996] IV.8; its interpolant
here is the cubic of both ends.
"""

from __future__ import annotations

import numpy as np

from haptos.core.jit import device, routine
from haptos.dynamics.march.dormand_prince import BROKEN
from haptos.dynamics.march.tableau import lower_table

CITES: tuple[str, ...] = ("HairerWanner1996", "KennedyCarpenter2003")

STAGES, END = 6, 6
PARTS = END + 1  # first row of f_I
ROWS = PARTS + STAGES
DIAGONAL = 0.25  # [-] g


EXPLICIT = lower_table([
    [],
    [1 / 2],
    [13861 / 62500, 6889 / 62500],
    [-116923316275 / 2393684061468, -2731218467317 / 15368042101831, 9408046702089 / 11113171139209],
    [-451086348788 / 2902428689909, -2682348792572 / 7519795681897, 12662868775082 / 11960479115383,
     3355817975965 / 11060851509271],
    [647845179188 / 3216320057751, 73281519250 / 8382639484533, 552539513391 / 3454668386233,
     3354512671639 / 8306763924573, 4040 / 17871],
])  # fmt: skip
IMPLICIT = lower_table([
    [],
    [1 / 4, 1 / 4],
    [8611 / 62500, -1743 / 31250, 1 / 4],
    [5012029 / 34652500, -654441 / 2922500, 174375 / 388108, 1 / 4],
    [15267082809 / 155376265600, -71443401 / 120774400, 730878875 / 902184768, 2285395 / 8070912, 1 / 4],
    [82889 / 524892, 0.0, 15625 / 83664, 69875 / 102672, -2260 / 8211, 1 / 4],
])  # fmt: skip
WEIGHTS = IMPLICIT[5].copy()
COMPANION = np.array([
    4586570599 / 29645900160, 0.0, 178811875 / 945068544, 814220225 / 1159782912, -3700637 / 11593932,
    61727 / 225920,
])  # fmt: skip
TIMES = np.array([0.0, 1 / 2, 83 / 250, 31 / 50, 17 / 20, 1.0])
BESIDE = IMPLICIT - EXPLICIT  # weights of f_I beside those of f
ERROR = WEIGHTS - COMPANION


@device
def additive_step(rate, settle, calm, model, t, h, y, size, k, y1, first):
    """Fill k and y1 with one step of size h from (t, y); first = 1 if k[0] holds the rate at (t, y), else 0."""
    settle(model, t, y, 0.0, k[PARTS])
    for s in range(first, STAGES + 1):
        _combine(s, h, y, size, k, y1)
        time = t + h
        if s < STAGES:
            time = t + TIMES[s] * h
        if 0 < s < STAGES:
            settle(model, time, y1, DIAGONAL * h, k[PARTS + s])
        rate(model, time, y1, k[s])
    _estimate(h, size, k)
    calm(model, t + h, y1, DIAGONAL * h, k[PARTS])


@routine
def _estimate(h, size, k):
    """Difference of both orders, into the first row of f_I."""
    for i in range(size):
        error = 0.0
        for s in range(STAGES):
            error += ERROR[s] * k[s, i]
        k[PARTS, i] = h * error


@routine
def _combine(s, h, y, size, k, y1):
    """Start of stage s, or the end of the step, from the stages before."""
    for i in range(size):
        y1[i] = 0.0
    for j in range(min(s, STAGES)):
        a, b = WEIGHTS[j], 0.0
        if s < STAGES:
            a, b = EXPLICIT[s, j], BESIDE[s, j]
        for i in range(size):
            y1[i] += a * k[j, i] + b * k[PARTS + j, i]
    for i in range(size):
        y1[i] = y[i] + h * y1[i]


@routine
def additive_error(h, y, y1, size, k, absolute, relative):
    """Largest error over its tolerance absolute[i] + relative |y_i|; <= 1 is accepted, NaN gives BROKEN."""
    worst = 0.0
    for i in range(size):
        ratio = abs(k[PARTS, i]) / (absolute[i] + relative * max(abs(y[i]), abs(y1[i])))
        if not ratio <= worst:
            worst = ratio
        if ratio != ratio:
            return BROKEN
    return worst


@routine
def cubic_between(theta, h, y, y1, size, k, out):
    """State at t0 + theta h, theta in [0, 1], into `out`: the cubic with the values and rates of both ends."""
    rest = 1.0 - theta
    for i in range(size):
        change = y1[i] - y[i]
        bend = h * k[0, i] - change
        twist = change - h * k[END, i] - bend
        out[i] = y[i] + theta * (change + rest * (bend + theta * twist))
