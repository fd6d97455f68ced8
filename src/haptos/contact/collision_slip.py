"""Sliding during an impact, as a power series: the slip turns and no closed form is known.

    d tau = dp / s                        stretched impulse: s > 0 for every tau   Eq. (2.81), (2.82)
    g + i h = b y - f alpha - f beta y^2,      y = exp(-i phi)                     Eq. (2.72)-(2.75)
    dy/dtau = -i h y          ds/dtau = g s            dp/dtau = s
    dnu3/dtau = (M33 - f Re(b y)) s                    dP_T/dtau = -f conj(y) s
    dxi/dtau = nu3 s          dW/dtau = -f s^2

    s, phi  slip speed and its direction         b = M13 + i M23
    nu3     normal speed, > 0 apart              alpha = (M11 + M22)/2,  beta = (M11 - M22)/2 + i M12
    p, P_T  normal and tangential impulse        xi, W   work of the normal and of the friction impulse
Every right side is a product of the unknowns, so the series of all of them follow term by term
from Cauchy products. A step is as long as its last two terms allow; inside a step the series are
the answer to rounding, so that events are roots of polynomials.
Units: none here. The caller divides speeds by |nu|, impulses by |nu|/M33 and M by M33.
Frame: contact frame, complex numbers in its tangent plane.
Validity: f > 0, s > 0.
Source: [VanWal2018] section 2.5.2, stretched impulse of [Bhatt1995]; series: [Jorba2005].
"""

from __future__ import annotations

import math

from haptos.core.jit import device, routine

CITES: tuple[str, ...] = ("VanWal2018", "Bhatt1995", "Jorba2005")

ORDER = 20  # [-] of the series; steps get longer with it, and dearer with its square
LENGTH = ORDER + 1
TRUNCATION = 1e-14  # [-] last terms of a step, speeds relative to |nu|
LEAST_WEIGHT = 1e-2  # [-] of the error of the direction, while slip is slower
LONGEST = 60.0  # [-] step times the size of the rates; series that end early have no other bound
MOST_ROOT_STEPS = 100  # [-] a bisection needs 60

# Columns of the scratch array: series in tau, one term per row.
G, RISE, Y_RE, Y_IM, NU3, SLIP, H, P1, P2, P, WORK, RUB = range(12)
COLUMNS = 12


@routine
def fill_series(m, f, y, s, nu3, series):
    """Fill the columns of `series`, shape (LENGTH, COLUMNS), from the state at tau = 0; the step in tau.

    Impulses and works start at zero: they are those of this step.
    """
    b1, b2 = m[2], m[4]
    alpha = f * 0.5 * (m[0] + m[3])
    beta1, beta2 = f * 0.5 * (m[0] - m[3]), f * m[1]
    first = series[0]
    first[Y_RE], first[Y_IM], first[SLIP], first[NU3] = y[0], y[1], s, nu3
    first[P1], first[P2], first[P], first[WORK], first[RUB] = 0.0, 0.0, 0.0, 0.0, 0.0
    for k in range(ORDER):
        square1, square2 = 0.0, 0.0
        for j in range((k + 1) // 2):
            one, other = series[j], series[k - j]
            square1 += one[Y_RE] * other[Y_RE] - one[Y_IM] * other[Y_IM]
            square2 += one[Y_RE] * other[Y_IM] + one[Y_IM] * other[Y_RE]
        square1, square2 = 2.0 * square1, 2.0 * square2
        if k % 2 == 0:
            re, im = series[k // 2, Y_RE], series[k // 2, Y_IM]
            square1, square2 = square1 + re * re - im * im, square2 + 2.0 * re * im
        here, after = series[k], series[k + 1]
        turned1 = b1 * here[Y_RE] - b2 * here[Y_IM]
        turned2 = b1 * here[Y_IM] + b2 * here[Y_RE]
        constant = 1.0 if k == 0 else 0.0
        here[G] = turned1 - beta1 * square1 + beta2 * square2 - constant * alpha
        here[H] = turned2 - beta1 * square2 - beta2 * square1
        here[RISE] = constant * m[5] - f * turned1
        re, im, slip, nu, p1, p2, work, rub = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        for j in range(k + 1):
            one, other = series[j], series[k - j]
            now = one[SLIP]
            slip += now * other[G]
            nu += now * other[RISE]
            p1 += now * other[Y_RE]
            p2 += now * other[Y_IM]
            work += now * other[NU3]
            rub += now * other[SLIP]
            re += one[H] * other[Y_IM]
            im += one[H] * other[Y_RE]
        over = 1.0 / (k + 1)
        after[Y_RE], after[Y_IM] = over * re, -over * im
        after[SLIP], after[NU3] = over * slip, over * nu
        after[P1], after[P2] = -over * f * p1, over * f * p2
        after[P], after[WORK], after[RUB] = over * here[SLIP], over * work, -over * f * rub
    size = alpha + abs(beta1) + abs(beta2) + abs(b1) + abs(b2)
    return min(
        LONGEST / size, _step(series[ORDER], ORDER, s), _step(series[ORDER - 1], ORDER - 1, s)
    )


@device
def _step(last, k, s):
    """tau at which the k-th terms have the size TRUNCATION.

    Errors of direction and slip speed count by what they do to velocities, with some reserve for
    slip that nearly halts and grows again.
    """
    weight = max(s, LEAST_WEIGHT)
    terms = weight * max(abs(last[Y_RE]), abs(last[Y_IM]))
    terms = max(terms, abs(last[SLIP]), abs(last[NU3]), abs(last[WORK]), abs(last[RUB]))
    return math.exp(math.log(TRUNCATION / max(terms, 1e-290)) / k)


@routine
def series_values(series, t):
    """(Y_RE, Y_IM, SLIP, NU3, P1, P2, P, WORK, RUB) at tau = t, side by side."""
    last = series[ORDER]
    re, im, slip, nu3 = last[Y_RE], last[Y_IM], last[SLIP], last[NU3]
    p1, p2, p, work, rub = last[P1], last[P2], last[P], last[WORK], last[RUB]
    for k in range(ORDER - 1, -1, -1):
        row = series[k]
        re, im = re * t + row[Y_RE], im * t + row[Y_IM]
        slip, nu3 = slip * t + row[SLIP], nu3 * t + row[NU3]
        p1, p2, p = p1 * t + row[P1], p2 * t + row[P2], p * t + row[P]
        work, rub = work * t + row[WORK], rub * t + row[RUB]
    return re, im, slip, nu3, p1, p2, p, work, rub


@routine
def series_value(series, row, t):
    """Value of one row at tau = t."""
    value = series[ORDER, row]
    for k in range(ORDER - 1, -1, -1):
        value = value * t + series[k, row]
    return value


@routine
def crossing(series, row, level, high):
    """tau in [0, high] at which a row rises through `level`; it is below at 0 and above at high.

    Newton steps inside a shrinking bracket, to the last digit; the first guess is the root of the
    first three terms, however near it is.
    """
    low, t = 0.0, high
    rise = level - series[0, row]
    square = series[1, row] * series[1, row] + 4.0 * series[2, row] * rise
    if series[1, row] >= 0.0 and square > 0.0:
        t = min(2.0 * rise / (series[1, row] + math.sqrt(square)), high)
    for _ in range(MOST_ROOT_STEPS):
        value, slope = series[ORDER, row], 0.0
        for k in range(ORDER - 1, -1, -1):
            slope = slope * t + value
            value = value * t + series[k, row]
        if value < level:
            low = t
        else:
            high = t
        after = t - (value - level) / slope if slope > 0.0 else low
        if not low < after < high:
            after = 0.5 * (low + high)
        if abs(after - t) <= 2e-16 * t:
            return after
        t = after
    return t
