"""One step of a pair of Runge-Kutta methods of order 5: implicit where something is stiff, or explicit.

    implicit  Y_i = y_n + z_i,  z_i = h sum_j<=i a^I_ij k_j,  k_i = f(t_i, Y_i),  a^I_ii = g = 2/9
              Newton: (1 - h g A) dz = h sum_j<i a^I_ij k_j + h g f(Y_i) - z_i,   then k_i = (z_i - h sum_j<i a^I_ij k_j)/(h g)
              y_n+1 = Y_8 (stiffly accurate, L-stable),   error = (1 - h g A)^-1 h sum (b_i - b^_i) k_i
    explicit  Y_i = y_n + h sum_j<i a^E_ij k_j,   y_n+1 = y_n + h sum b_i k_i,   error = h sum (b_i - b^_i) k_i

    A  what is stiff of the Jacobian of f, frozen at the start of the step      f  rate(model, t, y, dy)
A decides how fast Newton's method converges, not the order: an approximation that holds the stiff terms will do.
`solve(model, h g, right, z)` gives z of (1 - h g A) z = right. Starts of Newton's method extrapolate k from stages before.
What f and A keep linear (mass, momentum) y_n+1 keeps to rounding, however far Newton's method is carried.
Validity: rates smooth within a step; jumps belong between steps. Stages of the implicit method are of order 2, which
components that are stiff and driven may feel as a lower order; the error estimate sees it.
Source: the tables of ARK5(4)8L[2]SA, second version, of [KennedyCarpenter2019], used one at a time; iteration and
filter of the error [HairerWanner1996] IV.8.
"""

from __future__ import annotations

import numpy as np

from haptos.core.jit import device, routine
from haptos.dynamics.march.dormand_prince import BROKEN
from haptos.dynamics.march.tableau import lower_table

CITES: tuple[str, ...] = ("HairerWanner1996", "KennedyCarpenter2019")

STAGES = 8
DIAGONAL = 2.0 / 9.0  # [-] g
MOST_ROUNDS = 7  # of Newton's method in one stage; then the step is too long
FREE_ROUNDS = 3  # in which changes may grow: A with old directions throws an error sideways before it shrinks it
SAFETY = 0.9  # [-] aim below the tolerance, so that most steps are accepted
SHRINK_MOST, GROW_MOST = 0.2, 4.0  # [-] from one step to the next
LEAST_RATIO = 1e-10  # [-] of errors far below their tolerance
CLOSED = 0.02  # [-] last change of a stage over the tolerance of the step
FROM = (
    (0,),
    (0, 1),
    (0, 1, 2),
    (0, 1, 3),
    (1, 2, 4),
    (1, 2, 3),
    (1, 5, 6),
)  # stages a start is extrapolated from


EXPLICIT = lower_table([
    [],
    [4 / 9],
    [1 / 9, 1183333538310 / 1827251437969],
    [895379019517 / 9750411845327, 477606656805 / 13473228687314, -112564739183 / 9373365219272],
    [-4458043123994 / 13015289567637, -2500665203865 / 9342069639922, 983347055801 / 8893519644487,
     2185051477207 / 2551468980502],
    [-167316361917 / 17121522574472, 1605541814917 / 7619724128744, 991021770328 / 13052792161721,
     2342280609577 / 11279663441611, 3012424348531 / 12792462456678],
    [6680998715867 / 14310383562358, 5029118570809 / 3897454228471, 2415062538259 / 6382199904604,
     -3924368632305 / 6964820224454, -4331110370267 / 15021686902756, -3944303808049 / 11994238218192],
    [2193717860234 / 3570523412979, 2193717860234 / 3570523412979, 5952760925747 / 18750164281544,
     -4412967128996 / 6196664114337, 4151782504231 / 36106512998704, 572599549169 / 6265429158920,
     -457874356192 / 11306498036315],
])  # fmt: skip

WEIGHTS = np.array([
    0.0, 0.0, 3517720773327 / 20256071687669, 4569610470461 / 17934693873752, 2819471173109 / 11655438449929,
    3296210113763 / 10722700128969, -1142099968913 / 5710983926999, 2 / 9,
])  # fmt: skip

IMPLICIT = lower_table([
    [],
    [2 / 9, 2 / 9],
    [2366667076620 / 8822750406821, 2366667076620 / 8822750406821, 2 / 9],
    [-257962897183 / 4451812247028, -257962897183 / 4451812247028, 128530224461 / 14379561246022, 2 / 9],
    [-486229321650 / 11227943450093, -486229321650 / 11227943450093, -225633144460 / 6633558740617,
     1741320951451 / 6824444397158, 2 / 9],
    [621307788657 / 4714163060173, 621307788657 / 4714163060173, -125196015625 / 3866852212004,
     940440206406 / 7593089888465, 961109811699 / 6734810228204, 2 / 9],
    [2036305566805 / 6583108094622, 2036305566805 / 6583108094622, -3039402635899 / 4450598839912,
     -1829510709469 / 31102090912115, -286320471013 / 6931253422520, 8651533662697 / 9642993110008, 2 / 9],
    list(WEIGHTS),
])  # fmt: skip

ERROR = WEIGHTS - np.array([
    0.0, 0.0, 520639020421 / 8300446712847, 4550235134915 / 17827758688493, 1482366381361 / 6201654941325,
    5551607622171 / 13911031047899, -5266607656330 / 36788968843917, 1074053359553 / 5740751784926,
])  # fmt: skip

TIMES = np.array([
    0.0, 4 / 9, 6456083330201 / 8509243623797, 1632083962415 / 14158861528103, 6365430648612 / 17842476412687,
    18 / 25, 191 / 200, 1.0,
])  # fmt: skip


def _starts() -> np.ndarray:
    """Weights that extrapolate k of the stages in FROM to each stage, by Lagrange's polynomial."""
    table = np.zeros((STAGES, STAGES))
    for s, used in enumerate(FROM, start=1):
        for j in used:
            others = [m for m in used if m != j]
            table[s, j] = np.prod([(TIMES[s] - TIMES[m]) / (TIMES[j] - TIMES[m]) for m in others])
    return table


STARTS = _starts()


@device
def implicit_stage(rates, solve, model, t, h, y, size, k, s, right, z, work, scale):
    """Rounds of Newton's method for stage s: its z and k[s]; 0 if it does not converge. y + z is left in `work`."""
    pace = h * DIAGONAL
    for i in range(size):
        before, start = 0.0, 0.0
        for j in range(s):
            before += IMPLICIT[s, j] * k[j, i]
            start += STARTS[s, j] * k[j, i]
        right[i] = h * before
        z[i] = right[i] + pace * start
    last = BROKEN
    for rounds in range(1, MOST_ROUNDS + 1):
        for i in range(size):
            work[i] = y[i] + z[i]
        rates(model, t + TIMES[s] * h, work, k[s])
        for i in range(size):
            work[i] = right[i] + pace * k[s, i] - z[i]
        solve(model, pace, work, k[s])
        change = 0.0
        for i in range(size):
            ratio = abs(k[s, i]) / scale[i]
            change = max(change, ratio) if ratio == ratio else BROKEN
            z[i] += k[s, i]
        if change >= BROKEN or (rounds > FREE_ROUNDS and not change < 2.0 * last):
            return 0
        last = change
        if change <= CLOSED:
            for i in range(size):
                k[s, i] = (z[i] - right[i]) / pace
            return rounds
    return 0


@device
def implicit_step(rates, solve, model, t, h, y, size, k, right, z, work, scale, is_explicit):
    """(rates asked, error ratio) of one step of size h from (t, y), whose rate is k[0]; the change of y is in z.

    k (STAGES, size); right, z, work (size,): room; scale (size,): tolerance of each number of the state.
    (0, BROKEN) if Newton's method does not converge.
    """
    asked = 0
    if is_explicit:
        for s in range(1, STAGES):
            for i in range(size):
                total = 0.0
                for j in range(s):
                    total += EXPLICIT[s, j] * k[j, i]
                work[i] = y[i] + h * total
            rates(model, t + TIMES[s] * h, work, k[s])
        for i in range(size):
            total = 0.0
            for s in range(2, STAGES):
                total += WEIGHTS[s] * k[s, i]
            z[i] = h * total
        asked = STAGES - 1
    else:
        for s in range(1, STAGES):
            rounds = implicit_stage(rates, solve, model, t, h, y, size, k, s, right, z, work, scale)
            if rounds == 0:
                return 0, BROKEN
            asked += rounds
    for i in range(size):
        error = 0.0
        for s in range(2, STAGES):
            error += ERROR[s] * k[s, i]
        right[i] = h * error
    if not is_explicit:
        solve(model, h * DIAGONAL, right, work)
        return asked, largest_ratio(work, scale, size)
    return asked, largest_ratio(right, scale, size)


@routine
def largest_ratio(error, scale, size):
    """Largest error over its tolerance; a NaN anywhere gives BROKEN."""
    worst = 0.0
    for i in range(size):
        ratio = abs(error[i]) / scale[i]
        if ratio != ratio:
            return BROKEN
        worst = max(worst, ratio)
    return worst


@device
def implicit_factor(ratio):
    """How much longer the next step may be, [-] of this one, by its largest error over the tolerance.

    It does not remember the ratio before, as that of explicit steps does: a step that Newton's method cut says nothing of errors.
    """
    return min(max(SAFETY * max(ratio, LEAST_RATIO) ** -0.2, SHRINK_MOST), GROW_MOST)
