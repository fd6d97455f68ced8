"""Powers of a tether: what reels put in, what dampers take, and what the grid carries that cells do not resolve.

    winch     -u [T (1 + eps) - U - mu u^2 (1 + eps)^2/2]            into the line from a reel, U = EA eps^2/2
    damping   -(T - T_e) eps' length                                where the tension is cut off, too
    transport -u mu |v_1 - v_feed|^2/2 + couple . w                  kinetic part, at a feeding end
              + d/dt sum(length U) - sum(T_e eps' length) - u_0 U_0 - u_1 U_1        elastic part, by the grid

Transport is the difference between what flows through the cells of a finite grid and through a smooth line; it falls as
N^-2 and is listed. All of it is found from rates, none from energies: the ledger compares both.
Frame: scalars. Validity: as `tether_cells.py`. Source: [Quadrelli2017] with the terms of changing mass, derived.
"""

from __future__ import annotations

from haptos.core.jit import routine
from haptos.core.vectors import dot, subtract
from haptos.dynamics.cable.tether_cells import three
from haptos.dynamics.cable.tether_reel import reel_powers, reel_state_rates
from haptos.dynamics.cable.tether_state import (
    ACTIVE,
    BRAKE_HEAT,
    CELLS,
    CUT,
    DAMPING,
    DRAWN,
    EXCHANGED,
    FEED_LOSS,
    GRID,
    HEAT_DAMPING,
    RECOVERED,
    REEL,
    REEL_STATES,
    SERIES,
    SERIES_LOSS,
    SHAFT,
    STORED,
    TRANSPORT,
    WINCH,
    WORKS,
)

CITES: tuple[str, ...] = ("Quadrelli2017",)


@routine
def reel_work(tether, y, k, fed, cell, numbers, dy):
    """Rates of reel k: its length, its own numbers, its powers, and the kinetic transport at its feed."""
    line, s = tether.line, tether.springs
    payout, feed, v_feed, slide = fed
    j = 0 if k == 0 else line.count
    tension = s.tension[j]
    dy[STORED + k] = -payout
    dy[SERIES + k] = slide
    _, loss, is_on = line.series[k]
    if is_on != 0.0:
        dy[WORKS + SERIES_LOSS] -= loss * slide * slide
    rates = reel_state_rates(tether.reels[k], feed, payout, tension, numbers)
    for c in range(REEL_STATES):
        dy[REEL + REEL_STATES * k + c] = rates[c]
    shaft, lost, drawn, recovered, heat = reel_powers(
        tether.reels[k], feed, payout, tension, numbers
    )
    dy[WORKS + SHAFT + k], dy[WORKS + FEED_LOSS + k] = shaft, lost
    dy[WORKS + DRAWN + k], dy[WORKS + RECOVERED + k] = drawn, recovered
    dy[WORKS + BRAKE_HEAT + k] = heat
    stretch = 1.0 + feed.strain
    dy[WORKS + WINCH + k] = -payout * (
        tension * stretch - feed.energy - 0.5 * line.density * payout * payout * stretch * stretch
    )
    if line.count > 0:
        apart = subtract(cell[1], v_feed)
        dy[WORKS + TRANSPORT] -= 0.5 * line.density * payout * dot(apart, apart)


@routine
def spring_work(tether, y, payout_0, payout_1, v_0, v_1, slides, dy):
    """Powers of all springs: damping, active tension, thermal strain, elastic transport.

    v_0, v_1  velocities of the attachments [m/s]     slides  rates of the series stretches [m/s]
    """
    n, s, cut = tether.line.count, tether.springs, int(tether.status[CUT])
    damping, active, carried = 0.0, 0.0, 0.0
    for j in range(n + 1):
        if j == cut:
            continue
        direction, length = three(s.direction[j], 0), s.length[j]
        elastic, rate = s.elastic[j], s.rate[j]
        offset = s.offset[j] if s.mode[j] == 1 else 0.0
        damping += (s.tension[j] - elastic - offset) * rate * length
        active -= offset * rate * length
        low = v_0 if j == 0 else three(dy, CELLS + 3 * j - 3)
        high = v_1 if j == n else three(dy, CELLS + 3 * j)
        slide = 0.0
        if j == 0:
            slide += slides[0]
        if j == n:
            slide += slides[1]
        widens = _widening(tether, j, payout_0, payout_1)
        energy = 0.5 * elastic * max(s.strain[j], 0.0)
        stretch = (
            s.distance[j] - (y[SERIES] if j == 0 else 0.0) - (y[SERIES + 1] if j == n else 0.0)
        ) / length
        parts = dot(direction, subtract(high, low)) - slide
        carried += elastic * (parts - stretch * widens - rate * length) + energy * widens
        if j == 0:
            carried -= payout_0 * energy
        if j == n:
            carried -= payout_1 * energy
    dy[WORKS + DAMPING] -= damping
    dy[WORKS + HEAT_DAMPING] += tether.line.heat_share * damping
    dy[WORKS + ACTIVE] += active
    dy[WORKS + TRANSPORT] += carried


@routine
def _widening(tether, j, payout_0, payout_1):
    """Rate of the natural length of spring j [m/s]."""
    n, cut = tether.line.count, int(tether.status[CUT])
    if n == 0:
        return payout_0 + payout_1
    half = 0.5 if j == 0 or j == n else 1.0
    if cut < 0:
        return half * (payout_0 + payout_1) / n
    if j < cut:
        return half * payout_0 / cut
    return half * payout_1 / (n - cut)


@routine
def sum_exchanged(dy):
    """Add the sizes of all powers that change the energy."""
    total = 0.0
    for e in range(GRID + 1):
        total += abs(dy[WORKS + e])
    dy[WORKS + EXCHANGED] = 0.5 * total
