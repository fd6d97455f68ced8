"""Sliding during an impact, as a power series: the slip turns and no closed form is known.

    d tau = dp / s                        stretched impulse: s > 0 for every tau   Eq. (2.81), (2.82)
    dV/dtau = b s - f A V,   s^2 = V . V                                          Eq. (2.59), (2.65)
    dp/dtau = s              dP_T/dtau = -f V          dnu3/dtau = M33 s - f b . V
    dxi/dtau = nu3 s         dW/dtau = -f s^2

    V = (nu1, nu2), s  slip velocity and speed     A = [M11 M12; M12 M22], b = (M13, M23)
    nu3     normal speed, > 0 apart                p, P_T  normal and tangential impulse
    xi, W   work of the normal and of the friction impulse
In tau the slip velocity obeys a linear equation but for its length, so the series of all follow term
by term with two Cauchy products: V . V = s s gives s, nu3 s gives xi. A step is as long as its last
two terms allow; inside a step the series are the answer to rounding, so that events are roots of
polynomials.
Units: none here. The caller divides speeds by |nu|, impulses by |nu|/M33 and M by M33.
Frame: contact frame.
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
LEAST_WEIGHT = 1e-2  # [-] slip below which its error is counted relative to it
LONGEST = 60.0  # [-] step times the size of the rates; series that end early have no other bound
MOST_ROOT_STEPS = 100  # [-] a bisection needs 60

# Columns of the scratch array: series in tau, one term per row. RISE is dnu3/dtau.
V1, V2, SLIP, NU3, RISE, P1, P2, P, WORK, RUB = range(10)
COLUMNS = 10


@routine
def fill_series(m, f, v1, v2, nu3, series):
    """Fill the columns of `series`, shape (LENGTH, COLUMNS), from the state at tau = 0; the step in tau.

    Impulses and works start at zero: they are those of this step.
    """
    a11, a12, a22, b1, b2 = f * m[0], f * m[1], f * m[3], m[2], m[4]
    speed = math.sqrt(v1 * v1 + v2 * v2)
    half = 0.5 / speed
    series[0, V1], series[0, V2], series[0, SLIP], series[0, NU3] = v1, v2, speed, nu3
    for column in range(P1, COLUMNS):
        series[0, column] = 0.0
    for k in range(ORDER):
        dots, squares = _squares(series, k)
        if k > 0:
            series[k, SLIP] = half * (dots - squares)
        work = 0.0
        for j in range(k + 1):
            work += series[j, SLIP] * series[k - j, NU3]
        n, over = k + 1, 1.0 / (k + 1)
        s, v1, v2 = series[k, SLIP], series[k, V1], series[k, V2]
        series[k, RISE] = m[5] * s - f * (b1 * v1 + b2 * v2)
        series[n, V1] = over * (b1 * s - a11 * v1 - a12 * v2)
        series[n, V2] = over * (b2 * s - a12 * v1 - a22 * v2)
        series[n, NU3], series[n, P] = over * series[k, RISE], over * s
        series[n, P1], series[n, P2] = -over * f * v1, -over * f * v2
        series[n, WORK], series[n, RUB] = over * work, -over * f * dots
    dots, squares = _squares(series, ORDER)
    series[ORDER, SLIP] = half * (dots - squares)
    series[ORDER, RISE] = 0.0
    size = a11 + abs(a12) + a22 + abs(b1) + abs(b2)
    longest = LONGEST / size
    return min(longest, _step(series, ORDER, speed), _step(series, ORDER - 1, speed))


@device
def _squares(series, k):
    """k-th terms of V . V, and of s s without those that hold the k-th term of s."""
    dots, squares = 0.0, 0.0
    if k == 0:
        return series[0, SLIP] * series[0, SLIP], 0.0
    for j in range(1, (k + 1) // 2):
        i = k - j
        dots += series[j, V1] * series[i, V1] + series[j, V2] * series[i, V2]
        squares += series[j, SLIP] * series[i, SLIP]
    dots += series[0, V1] * series[k, V1] + series[0, V2] * series[k, V2]
    dots, squares = 2.0 * dots, 2.0 * squares
    if k % 2 == 0:
        i = k // 2
        dots += series[i, V1] * series[i, V1] + series[i, V2] * series[i, V2]
        squares += series[i, SLIP] * series[i, SLIP]
    return dots, squares


@device
def _step(series, k, s):
    """tau at which the k-th terms have the size TRUNCATION.

    Errors of slow slip count more than by their size: it may nearly halt and grow again.
    """
    slip = max(abs(series[k, V1]), abs(series[k, V2]), abs(series[k, SLIP]))
    terms = max(slip * max(1.0, LEAST_WEIGHT / s), abs(series[k, NU3]), abs(series[k, WORK]))
    terms = max(terms, abs(series[k, RUB]))
    return math.exp(math.log(TRUNCATION / max(terms, 1e-290)) / k)


@routine
def series_values(series, t):
    """(V1, V2, NU3, P1, P2, P, WORK, RUB) at tau = t, side by side."""
    last = series[ORDER]
    v1, v2, nu3, p1, p2 = last[V1], last[V2], last[NU3], last[P1], last[P2]
    p, work, rub = last[P], last[WORK], last[RUB]
    for k in range(ORDER - 1, -1, -1):
        row = series[k]
        v1, v2, nu3 = v1 * t + row[V1], v2 * t + row[V2], nu3 * t + row[NU3]
        p1, p2, p = p1 * t + row[P1], p2 * t + row[P2], p * t + row[P]
        work, rub = work * t + row[WORK], rub * t + row[RUB]
    return v1, v2, nu3, p1, p2, p, work, rub


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
