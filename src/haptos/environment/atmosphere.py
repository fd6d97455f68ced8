"""Density of the air against altitude, as a table that kernels read.

    ln rho is linear between entries of a uniform table; rho = 0 above its top
    standard    US Standard Atmosphere 1976: below 86 km its seven layers,
                T = T_b + L (H - H_b),  p = p_b (T_b/T)^(g0 M/(R L))  or  p_b exp(-g0 M (H - H_b)/(R T)),
                rho = p M/(R T),  H = r0 h/(r0 + h);  above, a spline of ln rho through printed values
    isothermal  rho = rho_0 exp(-h/h*)
    msis        NRLMSIS for a date and given solar and magnetic activity, at a place or on average

    h  geometric altitude [m]         H  geopotential altitude [m]        rho  density [kg/m^3]
Tables are made before a run, so that a run never waits for a model and never asks a network.
Validity: 0 to 1000 km; below 0 the value of 0 is taken. The standard atmosphere is a mean: at 500 km
the real density varies tenfold with the Sun's activity. Between printed values above 86 km the
spline is within 1 %.
Source: [COESA1976]; [Emmert2021] and [Picone2002] through the package pymsis; the isothermal law and
the limit of 1000 km [Salvi2014] Eq. (2.16); the Earth's rate [Vallado2013].
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from haptos.core.errors import ConfigError
from haptos.core.jit import device

CITES: tuple[str, ...] = ("COESA1976", "Emmert2021", "Picone2002", "Salvi2014", "Vallado2013")

Floats = NDArray[np.float64]

TOP = 1e6  # [m], where drag ends
SPACING = 1e3  # [m] of the tables
EARTH_RATE = 7.292115e-5  # [rad/s], [Vallado2013] app. D
TURBOPAUSE = 86e3  # [m], end of the layers
GRAVITY, MOLAR_MASS, GAS_CONSTANT = 9.80665, 0.0289644, 8.31432  # SI, those of the 1976 standard
GEOPOTENTIAL_RADIUS = 6356766.0  # [m]
SEA_PRESSURE = 101325.0  # [Pa]
# Geopotential altitude of the foot [m], temperature there [K], its slope [K/m]
LAYERS = (
    (0.0, 288.15, -6.5e-3), (11e3, 216.65, 0.0), (20e3, 216.65, 1e-3), (32e3, 228.65, 2.8e-3),
    (47e3, 270.65, 0.0), (51e3, 270.65, -2.8e-3), (71e3, 214.65, -2e-3),
)  # fmt: skip
# Altitude [km], density [kg/m^3]: printed values of the 1976 standard
PRINTED = (
    (86, 6.958e-6), (90, 3.416e-6), (95, 1.393e-6), (100, 5.604e-7), (105, 2.325e-7),
    (110, 9.708e-8), (115, 4.289e-8), (120, 2.222e-8), (130, 8.152e-9), (140, 3.831e-9),
    (150, 2.076e-9), (160, 1.233e-9), (175, 6.339e-10), (180, 5.194e-10), (200, 2.541e-10),
    (250, 6.073e-11), (300, 1.916e-11), (350, 7.014e-12), (400, 2.803e-12), (450, 1.184e-12),
    (500, 5.215e-13), (550, 2.384e-13), (600, 1.137e-13), (650, 5.712e-14), (700, 3.070e-14),
    (750, 1.788e-14), (800, 1.136e-14), (850, 7.824e-15), (900, 5.759e-15), (950, 4.453e-15),
    (1000, 3.561e-15),
)  # fmt: skip


@dataclass(frozen=True)
class AirTable:
    """ln rho at altitudes 0, spacing, 2 spacing ...; what `air_density` reads.

    log_density  natural logarithm of rho / (kg/m^3), shape (n,)       spacing  [m]
    source       where the values are from
    """

    log_density: Floats
    spacing: float
    source: str


@device
def air_density(altitude, log_density, spacing):
    """rho [kg/m^3] at an altitude [m]; 0 above the table, the lowest entry below it."""
    place = max(altitude, 0.0) / spacing
    last = len(log_density) - 1
    if place > last:
        return 0.0
    index = min(int(place), last - 1)
    share = place - index
    return math.exp((1.0 - share) * log_density[index] + share * log_density[index + 1])


@device
def isothermal_density(altitude, surface_density, thinning):
    """rho [kg/m^3] at an altitude [m] of the isothermal law; thinning 1/h* [1/m], 0 for no change."""
    return surface_density * math.exp(-altitude * thinning)


@device
def turning_air(place, rate):
    """Velocity [m/s] of air that turns with the planet, at a place [m]; rate about z [rad/s].

    To be taken from a body's velocity before drag; a rate of 0 is still air.
    """
    return (-rate * place[1], rate * place[0], 0.0)


def _layer_density(altitude: float) -> float:
    """rho [kg/m^3] below 86 km."""
    high = GEOPOTENTIAL_RADIUS * altitude / (GEOPOTENTIAL_RADIUS + altitude)
    weight = GRAVITY * MOLAR_MASS / GAS_CONSTANT  # [K/m]
    pressure, temperature = SEA_PRESSURE, LAYERS[0][1]
    for n, (foot, warm, slope) in enumerate(LAYERS):
        top = min(high, LAYERS[n + 1][0]) if n + 1 < len(LAYERS) else high
        temperature = warm + slope * (top - foot)
        if slope == 0.0:
            pressure *= math.exp(-weight * (top - foot) / warm)
        else:
            pressure *= (warm / temperature) ** (weight / slope)
        if top == high:
            break
    return pressure * MOLAR_MASS / (GAS_CONSTANT * temperature)


def standard_table() -> AirTable:
    """US Standard Atmosphere 1976, 0 to 1000 km, every kilometre."""
    from scipy.interpolate import CubicSpline

    altitudes = np.arange(0.0, TOP + 0.5 * SPACING, SPACING)
    low = altitudes < TURBOPAUSE
    printed = np.array(PRINTED)
    high = CubicSpline(1e3 * printed[:, 0], np.log(printed[:, 1]))(altitudes[~low])
    layers = np.log([_layer_density(float(h)) for h in altitudes[low]])
    return AirTable(np.concatenate([layers, high]), SPACING, "US Standard Atmosphere 1976")


def isothermal_table(surface_density: float = 1.225, scale_height: float = 7110.0) -> AirTable:
    """rho_0 [kg/m^3] exp(-h/h*), h* [m]; exact between entries. Far too thin above 120 km."""
    for name, found in (("surface_density", surface_density), ("scale_height", scale_height)):
        if not (math.isfinite(found) and found > 0.0):
            raise ConfigError("atmosphere", f"{name} = {found:g}", "above 0", "1.225 and 7110")
    altitudes = np.arange(0.0, TOP + 0.5 * SPACING, SPACING)
    values = math.log(surface_density) - altitudes / scale_height
    return AirTable(values, SPACING, "isothermal")


def msis_table(
    date: str,
    f107: float,
    f107_mean: float,
    ap: float,
    latitude: float | None = None,
    longitude: float | None = None,
    version: float = 2.1,
) -> AirTable:
    """NRLMSIS from 0 to 1000 km for a UTC date, at one place or averaged over the globe.

    f107, f107_mean  radio flux of the day before and its 81-day mean [1e-22 W/(m^2 Hz)]
    ap               daily magnetic index [-]             version  0 (NRLMSISE-00), 2.0 or 2.1
    latitude, longitude  [rad]; both left out: mean over the globe
    Needs the extra: pip install 'haptos[atmosphere]'. Nothing is downloaded, since the activity is
    given. MSIS 2 has a licence of its own; see the package pymsis.
    """
    msis = _pymsis()
    _check_activity(f107=f107, f107_mean=f107_mean, ap=ap)
    try:
        day = np.datetime64(date)
    except ValueError:
        hint = 'write "2018-09-21" or "2018-09-21T04:06"'
        raise ConfigError("atmosphere, date", f"'{date}'", "a date of ISO 8601", hint) from None
    if (latitude is None) != (longitude is None):
        hint = "give both for one place, none for the mean over the globe"
        raise ConfigError("atmosphere", "one of latitude and longitude", "both or none", hint)
    lats = np.arange(-85.0, 86.0, 10.0) if latitude is None else np.degrees([latitude])
    lons = np.arange(0.0, 360.0, 30.0) if longitude is None else np.degrees([longitude])
    kilometres = 1e-3 * np.arange(0.0, TOP + 0.5 * SPACING, SPACING)
    given = {"f107s": f107, "f107as": f107_mean, "aps": [[ap] * 7], "version": version}
    found = np.asarray(msis.calculate(day, lons, lats, kilometres, **given), dtype=float)
    density = found[0, :, :, :, 0].mean(axis=0)
    weights = np.cos(np.radians(lats))
    mean = weights @ density / weights.sum()
    return AirTable(
        np.log(mean), SPACING, f"NRLMSIS {version:g}, {date}, F10.7 {f107:g}, ap {ap:g}"
    )


def _check_activity(**given: float) -> None:
    for name, found in given.items():
        if not 0.0 <= found <= 500.0:
            hint = "70 is a quiet Sun, 150 a mean one, 250 an active one; ap is 4 on quiet days"
            raise ConfigError(f"atmosphere, {name}", f"{found:g}", "0 to 500", hint)


def _pymsis() -> Any:
    try:
        import pymsis
    except ImportError:
        hint = "pip install 'haptos[atmosphere]', or use the standard table"
        raise ConfigError("atmosphere", "no package pymsis", "pymsis installed", hint) from None
    return pymsis
