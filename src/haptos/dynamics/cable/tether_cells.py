"""Cells of a tether whose length changes: springs between them, line that runs through the grid, momentum.

    widths D = l/N, masses mu D;  grid s = s_I + xi l, speed of the grid in the material w(xi) = -u_0 + xi (u_0 + u_1)
    rho_i' = v_i + [w_+ (r_+ - rho_i) + w_- (rho_i - r_-)]/D                                             (9)
    q_i'   = T_+ t_+ - T_- t_- + mu (w_+ v_+ - w_- v_-) + F_i,    q_i = mu D v_i                          (10)
    inside: r, v of an interface are means of its two cells; at an end: the attachment p, and the line's own
    velocity there p' + u (1 + eps) e;  springs of length D between cells, D/2 at the ends
    eps = (distance - l_d)/length - 1 - eps_free,   eps' = t . (v_b - v_a)/length      material strain rate

    rho, v, q  mean position [m], velocity [m/s], momentum [N s] of a cell        u_k  payout of reel k [m/s]
    mu  linear density [kg/m]      T, t  tension [N] and direction of a spring        F  loads [N]
A cell is the seed's "average position". Momentum telescopes exactly; a feeding end leaves the couple and the
power of `tether_ends.py`. A spring that is cut holds nothing and no line runs through it: on its two sides the grid
is that of two tethers.
Frame: N axes. Validity: thin line without bending or torsion.
Source: [Quadrelli2017] Eqs. (9), (10), with the terms that make them independent of the origin.
"""

from __future__ import annotations

import math

from haptos.core.jit import device, routine
from haptos.dynamics.cable.tether_material import spring_law
from haptos.dynamics.cable.tether_state import CELLS, CUT, CUT_AT, STORED

CITES: tuple[str, ...] = ("Quadrelli2017",)


@device
def three(row, first):
    """Three numbers of a row as a tuple."""
    return (row[first], row[first + 1], row[first + 2])


@device
def widths(tether, y):
    """Widths [m] of the cells before and after the cut; the same if there is none."""
    line, status = tether.line, tether.status
    n, cut = line.count, int(status[CUT])
    if cut < 0:
        d = (line.total - y[STORED] - y[STORED + 1]) / max(n, 1)
        return d, d
    first = (status[CUT_AT] - y[STORED]) / max(cut, 1)
    second = (line.total - y[STORED + 1] - status[CUT_AT]) / max(n - cut, 1)
    return first, second


@device
def cell_width(tether, i, first, second):
    """Width [m] of cell i."""
    cut = int(tether.status[CUT])
    return second if cut >= 0 and i >= cut else first


@routine
def fill_grid(tether, payout_0, payout_1):
    """Speed of the grid in the material [m/s] at every interface."""
    n, cut, w = tether.line.count, int(tether.status[CUT]), tether.grid
    for j in range(n + 1):
        if cut < 0:
            w[j] = -payout_0 + (payout_0 + payout_1) * j / max(n, 1)
        elif j <= cut:
            w[j] = -payout_0 * (1.0 - j / max(cut, 1))
        else:
            w[j] = payout_1 * (j - cut) / (n - cut)


@device
def temperature_of(tether, y, j):
    """Temperature [K] at spring j: mean of its cells."""
    n = tether.line.count
    if n == 0 or tether.heat.is_on == 0.0:
        return tether.line.reference_temperature
    first = CELLS + 6 * n
    a, b = y[first + max(j - 1, 0)], y[first + min(j, n - 1)]
    return 0.5 * (a + b)


@routine
def inner_springs(tether, t, y):
    """Fill the springs between cells: direction, strain, rate, tension and its slopes."""
    n, s, status = tether.line.count, tether.springs, tether.status
    first, second = widths(tether, y)
    cut, mu = int(status[CUT]), tether.line.density
    place, momentum = CELLS, CELLS + 3 * n
    for j in range(1, n):
        d = first if cut < 0 or j < cut else second
        inverse = 1.0 / (mu * d)
        a, b = place + 3 * (j - 1), momentum + 3 * (j - 1)
        x, z, q = y[a + 3] - y[a], y[a + 4] - y[a + 1], y[a + 5] - y[a + 2]
        distance = math.sqrt(x * x + z * z + q * q)
        back = 1.0 / distance if distance > 0.0 else 0.0
        x, z, q = back * x, back * z, back * q
        rate = inverse / d * (
            x * (y[b + 3] - y[b]) + z * (y[b + 4] - y[b + 1]) + q * (y[b + 5] - y[b + 2])
        )  # fmt: skip
        s.direction[j, 0], s.direction[j, 1], s.direction[j, 2] = x, z, q
        s.distance[j], s.length[j], s.rate[j] = distance, d, rate
        along = y[STORED] + j * first if cut < 0 or j < cut else status[CUT_AT] + (j - cut) * d
        stiffness, damping, offset, free = spring_law(
            tether, t, along, temperature_of(tether, y, j), y
        )
        strain = distance / d - 1.0 - free
        spring = stiffness * strain + offset
        s.strain[j], s.offset[j] = strain, offset
        if j == cut:
            s.elastic[j] = s.tension[j] = s.stiffness[j] = s.damping[j] = 0.0
            s.gap[j] = -1.0
            continue
        taut = s.mode[j]
        s.elastic[j] = taut * stiffness * max(strain, 0.0)
        s.gap[j] = spring + min(damping * rate, 0.0)
        s.tension[j] = taut * (spring + damping * rate)
        s.stiffness[j], s.damping[j] = taut * stiffness / d, taut * damping / d


@routine
def cell_rates(tether, y, ends, dy):
    """Rates of positions and momenta by (9) and (10), loads apart.

    ends  (place [m], velocity of the line [m/s]) at both attachments, N axes
    """
    n, s, w = tether.line.count, tether.springs, tether.grid
    mu = tether.line.density
    first, second = widths(tether, y)
    place, momentum = CELLS, CELLS + 3 * n
    (p_0, v_0), (p_1, v_1) = ends
    for i in range(n):
        d = cell_width(tether, i, first, second)
        inverse = 1.0 / (mu * d)
        low, high = w[i], w[i + 1]
        a, b = place + 3 * i, momentum + 3 * i
        other, next_width = inverse, inverse
        if i > 0:
            other = 1.0 / (mu * cell_width(tether, i - 1, first, second))
        if i < n - 1:
            next_width = 1.0 / (mu * cell_width(tether, i + 1, first, second))
        for c in range(3):
            here, v = y[a + c], inverse * y[b + c]
            r_low = p_0[c] if i == 0 else 0.5 * (y[a + c - 3] + here)
            v_low = v_0[c] if i == 0 else 0.5 * (other * y[b + c - 3] + v)
            r_high = p_1[c] if i == n - 1 else 0.5 * (here + y[a + c + 3])
            v_high = v_1[c] if i == n - 1 else 0.5 * (v + next_width * y[b + c + 3])
            dy[a + c] = v + (high * (r_high - here) + low * (here - r_low)) / d  # Eq. (9)
            dy[b + c] = (
                s.tension[i + 1] * s.direction[i + 1, c] - s.tension[i] * s.direction[i, c]
                + mu * (high * v_high - low * v_low)
            )  # Eq. (10)  # fmt: skip
