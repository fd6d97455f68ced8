"""Temperature of the cells of a tether, with line that runs through the grid.

    m c theta' = mu c [w_+ (theta_+ - theta) - w_- (theta_- - theta)] + D (absorbed - emitted) + damping heat

    theta  [K]     m, D  mass [kg] and width [m] of a cell     w  speed of the grid in the material [m/s]
    theta_+, theta_-  of the line that crosses an interface: that of the cell it comes from (upwind), of the reel
    absorbed, emitted [W/m] of Sun, planet and Joule heat, by the laws of `environment/heat.py`
Order 1 in N where line runs, exact in the heat that it carries: the sum over cells changes by what is absorbed, emitted
and fed alone.
Frame: N axes. Validity: one temperature across the line, no conduction along it.
Source: [Quadrelli2017] Eq. (16), per metre.
"""

from __future__ import annotations

from collections import namedtuple

from haptos.core.jit import device, routine
from haptos.core.vectors import norm, scale
from haptos.dynamics.cable.tether_cells import cell_width, three, widths
from haptos.dynamics.cable.tether_loads import from_centre, lit_share, stretched
from haptos.dynamics.cable.tether_state import (
    CELLS,
    HEAT_ABSORBED,
    HEAT_EMITTED,
    HEAT_FED,
    THERMAL,
    WORKS,
)
from haptos.environment.heat import emitted_power, planet_power, sun_power

CITES: tuple[str, ...] = ("Quadrelli2017",)

TetherHeat = namedtuple(
    "TetherHeat",
    "is_on absorptivity emissivity flux albedo infrared planet_radius joule reel_temperature",
)
# flux of the Sun [W/m^2]   albedo [-], infrared [W/m^2], radius [m] of the planet   joule [W/m]   reels [K]


@device
def cell_heating(tether, x, axis, theta):
    """(absorbed, emitted) [W/m] of the line at a place [m] along a unit vector, at a temperature [K]."""
    heat, d = tether.heat, tether.line.diameter
    lit, to_sun = lit_share(tether, x), three(tether.light.to_sun, 0)
    absorbed = sun_power(heat.absorptivity, heat.flux, lit, d, axis, to_sun) + heat.joule
    if heat.planet_radius > 0.0:
        place = from_centre(tether.field, x)
        surface = (heat.absorptivity, heat.emissivity)
        planet = (heat.planet_radius, heat.flux, heat.albedo, heat.infrared)
        reflected, warm = planet_power(surface, planet, d, place, axis, to_sun)
        absorbed += reflected + warm
    return absorbed, emitted_power(heat.emissivity, d, theta)


@routine
def heat_rates(tether, t, y, ends, dy):
    """Rates of all temperatures, and the heat ledger; zero if heat is off."""
    n, first = tether.line.count, CELLS + 6 * tether.line.count
    heat, line, s, w = tether.heat, tether.line, tether.springs, tether.grid
    if heat.is_on == 0.0:
        for i in range(n):
            dy[first + i] = 0.0
        return
    d_0, d_1 = widths(tether, y)
    capacity = line.density * line.heat_capacity
    taken, given = 0.0, 0.0
    for i in range(n):
        d = cell_width(tether, i, d_0, d_1)
        theta = y[first + i]
        above = y[first + i + 1] if i < n - 1 else heat.reel_temperature
        below = y[first + i - 1] if i > 0 else heat.reel_temperature
        high = above if w[i + 1] > 0.0 else theta
        low = theta if w[i] > 0.0 else below
        along = stretched(tether, y, ends, i)
        size = norm(along)
        axis = scale(1.0 / size if size > 0.0 else 0.0, along)
        absorbed, emitted = cell_heating(tether, three(y, CELLS + 3 * i), axis, theta)
        damped = _damping_heat(s, i) + _damping_heat(s, i + 1)
        power = d * (absorbed - emitted) + line.heat_share * damped
        dy[first + i] = (w[i + 1] * (high - theta) - w[i] * (low - theta)) / d + power / (
            capacity * d
        )
        taken += d * absorbed
        given += d * emitted
    dy[WORKS + HEAT_ABSORBED], dy[WORKS + HEAT_EMITTED] = taken, given
    if n > 0:
        out = y[first + n - 1] if w[n] <= 0.0 else heat.reel_temperature
        back = y[first] if w[0] > 0.0 else heat.reel_temperature
        dy[WORKS + HEAT_FED] = capacity * (w[n] * out - w[0] * back)


@routine
def thermal_work(tether, dy):
    """Book what springs give as their natural length follows the temperature: -T_e length eps_free'."""
    n, line, s = tether.line.count, tether.line, tether.springs
    if tether.heat.is_on == 0.0 or line.expansion == 0.0 or n == 0:
        return
    first, power = CELLS + 6 * n, 0.0
    for j in range(n + 1):
        change = 0.5 * (dy[first + max(j - 1, 0)] + dy[first + min(j, n - 1)])
        power -= s.elastic[j] * s.length[j] * line.expansion * change
    dy[WORKS + THERMAL] += power


@device
def _damping_heat(s, j):
    """Power [W] that one of the two cells of spring j gets of its damper; end springs have one cell."""
    loss = (s.tension[j] - s.elastic[j] - s.offset[j] * s.mode[j]) * s.rate[j] * s.length[j]
    return loss if j == 0 or j == len(s.rate) - 1 else 0.5 * loss
