"""Both ends of a tether: where the hulls are, what their reels do, and the pull between line and hull.

    velocity of the line at the feed point = p' + u (1 + eps) e
    P' = F + T e - mu u (p' + u (1 + eps) e)                          momentum of hull and reel
    F_I = [T - mu u^2 (1 + eps)] e                                    pull on the reel, in the turning of the hull
    couple on the hull = mu u (rho_1 - p) x (v_1 - v_feed)            opposite of what the half cell leaves

    p, e  attachment [m] and unit vector from it into the line     u  payout [m/s]     mu  linear density [kg/m]
The flux force mu u^2 (1 + eps) lowers the pull whether line runs out or in. With the couple the angular momentum of
bodies, reels and line is kept exactly; point masses cannot take it.
Frame: N axes. Validity: as `end_body.py` and `tether_cells.py`. Source: [Quadrelli2017] Eqs. (13), (14), corrected.
"""

from __future__ import annotations

from collections import namedtuple

from haptos.core.jit import device, routine
from haptos.core.rotations import apply, rotation_matrix
from haptos.core.vectors import add, add_scaled, dot, norm, scale, subtract
from haptos.dynamics.cable.tether_cells import temperature_of, three, widths
from haptos.dynamics.cable.tether_material import series_tension, spring_law
from haptos.dynamics.cable.tether_reel import Feed, feed_tension, reel_payout
from haptos.dynamics.cable.tether_state import (
    ATTITUDE,
    BACK,
    BODY,
    CELLS,
    CUT,
    FEED,
    JAMMED,
    MOMENTUM,
    POSITION,
    PROPELLANT,
    RATE,
    REEL,
    REEL_STATES,
    SERIES,
    STORED,
)
from haptos.dynamics.rigid.end_body import hull_velocity

CITES: tuple[str, ...] = ("Quadrelli2017",)

TetherEnd = namedtuple("TetherEnd", "dcm hull reel place velocity attachment feed rate")
# dcm_NB   hull, reel masses [kg]   place, velocity of the hull   attachment, feed: place [m] and velocity [m/s] of
# the attachment, N axes   rate omega_BN_B


@routine
def end_of(tether, y, k):
    """Where the hull at end k is and how it moves."""
    hull, at = tether.hulls[k], BODY * k
    a = at + ATTITUDE
    dcm = rotation_matrix((y[a], y[a + 1], y[a + 2], y[a + 3]))
    rate = three(y, at + RATE)
    hull_mass = hull.mass + y[at + PROPELLANT]
    reel_mass = tether.line.density * y[STORED + k]
    d = hull.attachment
    v, feed = hull_velocity(three(y, at + MOMENTUM), rate, dcm, d, hull_mass, reel_mass)
    place = three(y, at + POSITION)
    return TetherEnd(dcm, hull_mass, reel_mass, place, v, add(place, apply(dcm, d)), feed, rate)


@device
def reel_numbers(y, k):
    """The four numbers of reel k's own law."""
    first = REEL + REEL_STATES * k
    return (y[first], y[first + 1], y[first + 2], y[first + 3])


@device
def first_cell(tether, y, k, d):
    """(position [m], velocity [m/s]) of the cell next to end k, of width d [m]."""
    n = tether.line.count
    i = 0 if k == 0 else n - 1
    inverse = 1.0 / (tether.line.density * d)
    return three(y, CELLS + 3 * i), scale(inverse, three(y, CELLS + 3 * n + 3 * i))


@routine
def end_spring(tether, t, y, k, near, far, length, taken):
    """Fill spring 0 or N; (payout [m/s], Feed, velocity of the line at the feed, rate of the series stretch).

    near  (place, velocity) of the attachment     far  of the first cell, or of the other attachment without cells
    taken  payout of the other reel where both share one spring [m/s]
    """
    line, s, status = tether.line, tether.springs, tether.status
    n = line.count
    j = 0 if k == 0 else n
    away = subtract(far[0], near[0])
    distance = norm(away)
    e = scale(1.0 / distance if distance > 0.0 else 0.0, away)
    sign = 1.0 if k == 0 else -1.0
    along = y[STORED] if k == 0 else line.total - y[STORED + 1]
    stiffness, damping, offset, free = spring_law(tether, t, along, temperature_of(tether, y, j), y)
    l_d, series = y[SERIES + k], line.series[k]
    stretch = (distance - l_d) / length
    strain = stretch - 1.0 - free
    is_cut = int(status[CUT]) == j
    taut = 0.0 if is_cut else float(s.mode[j])
    elastic = taut * stiffness * max(strain, 0.0)
    spring = stiffness * strain + offset
    approach = dot(e, subtract(far[1], near[1])) - taken * stretch
    feed = Feed(
        k, t, y[STORED + k], line.total - y[STORED] - y[STORED + 1], length, stretch - 1.0, approach,
        spring, 0.5 * elastic * max(strain, 0.0), damping, line.density, taut != 0.0, series, l_d,
    )  # fmt: skip
    payout, yields = reel_payout(tether.reels[k], feed, reel_numbers(y, k))
    if is_cut or status[JAMMED + k] != 0.0:
        payout, yields = 0.0, 0.0
    tension = feed_tension(feed, payout)
    pull = approach - payout * stretch
    slide = 0.0
    if series[2] != 0.0:
        if taut != 0.0:
            slide = series_tension(series, l_d, spring, damping / length, pull)[1]
        else:
            slide = -series[0] * l_d / series[1]
    s.direction[j, 0], s.direction[j, 1], s.direction[j, 2] = sign * e[0], sign * e[1], sign * e[2]
    s.distance[j], s.length[j], s.strain[j] = distance, length, strain
    s.rate[j] = (pull - slide) / length
    s.elastic[j], s.tension[j], s.offset[j] = 0.0 if is_cut else elastic, tension, offset
    s.gap[j] = -1.0 if is_cut else spring + min(damping * s.rate[j], 0.0)
    share = taut * (1.0 - yields) / length
    if series[2] != 0.0:
        share *= series[1] / (series[1] + damping / length)
    s.stiffness[j], s.damping[j] = share * stiffness, share * damping
    line_velocity = add_scaled(near[1], payout * stretch, e)
    side = tension - line.density * payout * payout * stretch
    status[FEED + 2 * k], status[FEED + 2 * k + 1] = payout, side
    status[BACK + 2 * k], status[BACK + 2 * k + 1] = stretch - 1.0, tension
    return payout, feed, line_velocity, slide


@device
def both_ends(tether, t, y, a, b):
    """((payout, Feed, velocity of the line, slide) of end 0, the same of end 1)."""
    n = tether.line.count
    near, far = (a.attachment, a.feed), (b.attachment, b.feed)
    if n == 0:
        length = tether.line.total - y[STORED] - y[STORED + 1]
        second = end_spring(tether, t, y, 1, far, near, length, 0.0)
        first = end_spring(tether, t, y, 0, near, far, length, second[0])
        return first, second
    d_0, d_1 = widths(tether, y)
    if int(tether.status[CUT]) == 0:
        d_0 = d_1
    if int(tether.status[CUT]) == n:
        d_1 = d_0
    first = end_spring(tether, t, y, 0, near, first_cell(tether, y, 0, d_0), 0.5 * d_0, 0.0)
    second = end_spring(tether, t, y, 1, far, first_cell(tether, y, 1, d_1), 0.5 * d_1, 0.0)
    return first, second
