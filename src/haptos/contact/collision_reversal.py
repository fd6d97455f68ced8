"""When the slip of a colliding point comes to a halt: does it stick, or slip away again, and where to?

    f* z* = A^-1 b                          friction that holds the point             Eq. (2.66)-(2.70)
    stick     f >= f*:  dP/dp = [-f* z*, 1]                                           Eq. (2.71)
    reversal  f <  f*:  dP/dp = [-f z_r, 1],  z_r = (cos phi_r, sin phi_r)            Eq. (2.78)
    h(phi_r) = 0 with g(phi_r) > 0                                                    Eq. (2.74), (2.75)
    g = b . z - f z . A z,      h = z x (b - f A z)

    A = [M11 M12; M12 M22], b = (M13, M23)  parts of the collision matrix [1/kg]
    f   coefficient of friction [-]         g  rate of the slip speed per normal impulse [1/kg]
    h   rate of turning times slip speed [1/kg]
h = 0 and g = k > 0 mean (f A + k) z = b, and |(f A + k)^-1 b| falls from f*/f to 0 as k grows: there
is exactly one direction of reversal. Three Householder steps from phi* find it, Eq. (2.76); where
they do not, the falling function of k is solved in a bracket, which cannot fail.
Frame: the contact frame, see collision_geometry. h and its derivatives follow from its definition:
the printed third derivative has M23 with the wrong sign.
Validity: A positive definite; dry friction, the same in all directions.
Source: [VanWal2018] section 2.5.2; the equation in k has the form of [More1983].
"""

from __future__ import annotations

import math

from haptos.core.jit import device, routine

CITES: tuple[str, ...] = ("VanWal2018", "More1983")

HOUSEHOLDER_STEPS = 3  # [-] enough, [VanWal2018]; what is not converged goes to the bracket
CONVERGED = 1e-13  # [-] |h| over the size of its terms
MOST_BISECTIONS = 200  # [-] more than a bracket of floats has halves, Newton steps apart


@device
def holding_friction(m):
    """(f* cos phi*, f* sin phi*) [-] from the six numbers of M. Eq. (2.66)-(2.70)."""
    determinant = m[0] * m[3] - m[1] * m[1]
    return (m[3] * m[2] - m[1] * m[4]) / determinant, (m[0] * m[4] - m[1] * m[2]) / determinant


@device
def slip_rates(m, f, c, s):
    """(g, h) [1/kg] for the slip direction (c, s): ds/dp and s dphi/dp. Eq. (2.72)-(2.75)."""
    a1 = m[2] - f * (m[0] * c + m[1] * s)
    a2 = m[4] - f * (m[1] * c + m[3] * s)
    return c * a1 + s * a2, c * a2 - s * a1


@device
def direction_slope(m, f, c, s):
    """dh/dphi [1/kg]: where h = 0, slip turns towards the direction if it is negative, away if not."""
    return f * ((m[0] - m[3]) * (c * c - s * s) + 4.0 * m[1] * c * s) - m[4] * s - m[2] * c


@routine
def reversal_direction(m, f):
    """(cos phi_r, sin phi_r), for 0 < f < f*: Householder steps, and the bracket if they fail."""
    t1, t2 = holding_friction(m)
    phi = math.atan2(t2, t1)
    for _ in range(HOUSEHOLDER_STEPS):
        phi = _householder(m, f, phi)
    c, s = math.cos(phi), math.sin(phi)
    g, h = slip_rates(m, f, c, s)
    size = f * (m[0] + m[3]) + abs(m[2]) + abs(m[4])
    if g > 0.0 and abs(h) <= CONVERGED * size:
        return c, s
    return bracketed_direction(m, f)


@device
def _householder(m, f, phi):
    """One third-order step towards h = 0. Eq. (2.76)."""
    c, s = math.cos(phi), math.sin(phi)
    c2, s2 = c * c - s * s, 2.0 * c * s
    d, m12 = f * (m[0] - m[3]), f * m[1]
    h = 0.5 * d * s2 - m12 * c2 + m[4] * c - m[2] * s  # Eq. (2.74)
    h1 = d * c2 + 2.0 * m12 * s2 - m[4] * s - m[2] * c
    h2 = -2.0 * d * s2 + 4.0 * m12 * c2 - m[4] * c + m[2] * s
    h3 = -4.0 * d * c2 - 8.0 * m12 * s2 + m[4] * s + m[2] * c  # Eq. (2.77)
    below = 6.0 * h1 * h1 * h1 - 6.0 * h * h1 * h2 + h * h * h3
    if below == 0.0:
        return phi
    return phi - (6.0 * h * h1 * h1 - 3.0 * h * h * h2) / below


@routine
def bracketed_direction(m, f):
    """The same direction from |(f A + k)^-1 b| = 1: Newton on 1/|.|, kept inside a bracket of k."""
    low, high = 0.0, math.sqrt(m[2] * m[2] + m[4] * m[4])  # |(f A + k)^-1 b| < |b| / k
    k = 0.0
    x, y = 1.0, 0.0
    for _ in range(MOST_BISECTIONS):
        a11, a12, a22 = f * m[0] + k, f * m[1], f * m[3] + k
        determinant = a11 * a22 - a12 * a12
        x = (a22 * m[2] - a12 * m[4]) / determinant
        y = (a11 * m[4] - a12 * m[2]) / determinant
        square = x * x + y * y
        if square > 1.0:
            low = k
        else:
            high = k
        # d|z|^2/dk = -2 z . (f A + k)^-1 z
        slope = (a22 * x * x - 2.0 * a12 * x * y + a11 * y * y) / determinant
        length = math.sqrt(square)
        after = k + (length - 1.0) * square / slope
        if not low < after < high:
            after = 0.5 * (low + high)
        if abs(after - k) <= 4e-16 * high or high - low <= 4e-16 * high:
            break
        k = after
    length = math.sqrt(x * x + y * y)
    return x / length, y / length
