"""The last stretch of a slip that comes to a halt: what it still brings, as series in its direction.

Slip that halts runs into a direction phi0 with h(phi0) = 0, h'(phi0) < 0, g(phi0) < 0. From speed s and
direction phi = phi0 + d until s = 0 it brings

    p = s F(d)     P_T = -f s Z(d)     nu3 gains s G(d)     int s^2 dtau = s^2 R(d)     int G s^2 dtau = s^2 K(d)
    h F' + g F = -1      h Z' + g Z = -(cos phi, sin phi)      h G' + g G = -(M33 - f (M13 cos phi + M23 sin phi))
    h R' + 2 g R = -1    h K' + 2 g K = -G

    xi = nu3_end p - s^2 K,    W = -f s^2 R      works of the normal and of the friction impulse
since s, phi and nu3 obey ds/dtau = g s, dphi/dtau = h, dp = s dtau (collision_slip). h vanishes at d = 0, so
every equation has one solution that is smooth there: its Taylor series. The sums k h' + g and
k h' + 2 g in front of the k-th terms are negative, never zero.
Units and frame: as collision_slip.
Validity: |d| below the distance to the next root of h, complex ones included; the last terms tell.
Source: ours, from the equations of [VanWal2018] section 2.5.2.
"""

from __future__ import annotations

import math

from haptos.contact.collision_reversal import direction_slope, slip_rates
from haptos.contact.collision_slip import ORDER
from haptos.core.jit import device, routine

CITES: tuple[str, ...] = ("VanWal2018",)

NEAR = 0.5  # [rad] farther from phi0 the series are not tried
LEFT_OUT = 1e-15  # [-] last terms relative to the sum; more sends the slip back to steps in tau
NEWTON_STEPS = 6  # [-] from within NEAR of a root of h
# Columns of the scratch array
HK, GK, F, Z1, Z2, GAIN, R, K = range(8)


@device
def halting_direction(m, f, c, s):
    """(found, d, cos phi0, sin phi0) of the direction in which slip in the direction (c, s) halts."""
    d = 0.0
    c0, s0 = c, s
    for _ in range(NEWTON_STEPS):
        g, h = slip_rates(m, f, c0, s0)
        slope = direction_slope(m, f, c0, s0)
        if not (g < 0.0 and slope < 0.0 and abs(h) <= -NEAR * slope):
            return False, 0.0, c, s
        d += h / slope
        if abs(d) > NEAR:
            return False, 0.0, c, s
        c0, s0 = c * math.cos(d) + s * math.sin(d), s * math.cos(d) - c * math.sin(d)
        if abs(h) <= -1e-9 * slope:  # the next error is its square
            return True, d, c0, s0
    return False, 0.0, c, s


@routine
def halt_sums(m, f, d, c, s, table):
    """(converged, (F, Z1, Z2, G, R, K)) at d = phi - phi0, (c, s) being the direction phi0."""
    single1, single2 = m[2] * c + m[4] * s, m[4] * c - m[2] * s  # b along phi0 and across
    spread, skew = 0.5 * f * (m[0] - m[3]), f * m[1]
    c2, s2 = c * c - s * s, 2.0 * c * s
    double1, double2 = spread * c2 + skew * s2, spread * s2 - skew * c2
    alpha = 0.5 * f * (m[0] + m[3])
    total = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    power, previous = 1.0, 1e300
    one, two = 1.0, 1.0  # 1/k!, 2^k/k!
    for k in range(ORDER + 1):
        constant = 1.0 if k == 0 else 0.0
        b1 = one * single1
        table[k, GK] = b1 - two * double1 - constant * alpha
        table[k, HK] = one * single2 + two * double2
        right = (constant, one * c, one * s, constant * m[5] - f * b1, constant)
        term = _next_term(k, right, table)
        total = (
            total[0] + power * term[0], total[1] + power * term[1], total[2] + power * term[2],
            total[3] + power * term[3], total[4] + power * term[4], total[5] + power * term[5],
        )  # fmt: skip
        last = abs(power) * max(abs(term[0]), abs(term[3]), abs(term[4]), abs(term[5]))
        if last + previous <= LEFT_OUT * (abs(total[0]) + abs(total[4])):
            return True, total
        previous = last
        power *= d
        # Derivatives go round: cos, -sin, -cos, sin.
        single1, single2 = single2, -single1
        double1, double2 = -double2, double1
        c, s = -s, c
        one, two = one / (k + 1), 2.0 * two / (k + 1)
    return False, total


@device
def _next_term(k, right, table):
    """k-th terms of F, Z1, Z2, G, R, K into the table, from all terms before and the right sides."""
    x0, x1, x2, x3, x4, x5 = right[0], right[1], right[2], right[3], right[4], 0.0
    for i in range(1, k + 1):
        before, rate = table[k - i], table[i, GK]
        turn = table[i + 1, HK] * (k - i) if i < k else 0.0
        x0 += (turn + rate) * before[F]
        x1 += (turn + rate) * before[Z1]
        x2 += (turn + rate) * before[Z2]
        x3 += (turn + rate) * before[GAIN]
        x4 += (turn + 2.0 * rate) * before[R]
        x5 += (turn + 2.0 * rate) * before[K]
    slope = k * table[1, HK] if k > 0 else 0.0
    once, twice = -1.0 / (slope + table[0, GK]), -1.0 / (slope + 2.0 * table[0, GK])
    gain = once * x3
    term = (once * x0, once * x1, once * x2, gain, twice * x4, twice * (x5 + gain))
    row = table[k]
    row[F], row[Z1], row[Z2], row[GAIN], row[R], row[K] = term
    return term
