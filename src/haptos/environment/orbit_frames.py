"""Orbits about the Earth: Keplerian elements and states, and the frame of V-bar, H-bar and R-bar.

    r = p / (1 + e cos nu),  p = a (1 - e^2)
    R = r (cos nu P + sin nu Q),   V = sqrt(mu/p) (-sin nu P + (e + cos nu) Q)
    L axes:  z = -R/|R| (R-bar),  y = -(R x V)/|R x V| (H-bar),  x = y x z (V-bar)

    a   semi-major axis [m]     e  eccentricity [-]     nu  true anomaly [rad]
    P, Q  unit vectors to periapsis and 90 deg ahead of it in the plane of the orbit
    mu  G M of the primary [m^3/s^2]
Frame: N, inertial, origin in the primary, z along its spin. V-bar is the direction of flight on a
circle only; elsewhere it is the horizontal part of it.
Validity: ellipses; the L axes need R x V other than zero.
Source: [Vallado2013] ch. 2 and 3, [Battin1999] ch. 3; L axes as in [Salvi2014] Eq. (2.9).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from haptos.core.errors import ConfigError
from haptos.core.jit import device
from haptos.core.vectors import cross, norm, scale
from haptos.environment.kepler_orbit import eccentric_anomaly, perifocal_axes

CITES: tuple[str, ...] = ("Battin1999", "Salvi2014", "Vallado2013")

Floats = NDArray[np.float64]

EARTH_MU = 3.986004418e14  # [m^3/s^2], [Vallado2013] app. D
EARTH_RADIUS = 6378137.0  # [m], equatorial; [Vallado2013] app. D
NO_ANGLE = 1e-11  # [-], eccentricity or sine of inclination below which an angle has no meaning


@dataclass(frozen=True, slots=True)
class KeplerElements:
    """An ellipse and a place on it, in SI units and radians.

    semi_major_axis a [m], > 0          eccentricity e [-], 0 <= e < 1
    inclination [rad], 0 to pi          node, periapsis, true_anomaly [rad]
    """

    semi_major_axis: float
    eccentricity: float = 0.0
    inclination: float = 0.0
    node: float = 0.0
    periapsis: float = 0.0
    true_anomaly: float = 0.0

    def __post_init__(self) -> None:
        hint = "give a, e, i, node, periapsis and true anomaly in metres and radians"
        numbers = (
            self.semi_major_axis, self.eccentricity, self.inclination, self.node,
            self.periapsis, self.true_anomaly,
        )  # fmt: skip
        if not all(math.isfinite(number) for number in numbers):
            raise ConfigError("orbit", f"{numbers}", "finite numbers", hint)
        if not self.semi_major_axis > 0.0:
            raise ConfigError("orbit", f"a = {self.semi_major_axis:g} m", "above 0", hint)
        if not 0.0 <= self.eccentricity < 1.0:
            raise ConfigError("orbit", f"e = {self.eccentricity:g}", "0 <= e < 1, an ellipse", hint)
        if not 0.0 <= self.inclination <= math.pi:
            raise ConfigError("orbit", f"i = {self.inclination:g} rad", "0 to pi", hint)


@device
def lvlh_axes(r_N, v_N):
    """dcm_LN as three row tuples (V-bar, H-bar, R-bar), from place [m] and velocity [m/s]."""
    z = scale(-1.0 / norm(r_N), r_N)
    h = cross(r_N, v_N)
    y = scale(-1.0 / norm(h), h)
    return cross(y, z), y, z


def orbit_period(semi_major_axis: float, mu: float = EARTH_MU) -> float:
    """2 pi sqrt(a^3 / mu) [s], a in [m]."""
    return 2.0 * math.pi * math.sqrt(semi_major_axis**3 / mu)


def state_from_elements(elements: KeplerElements, mu: float = EARTH_MU) -> tuple[Floats, Floats]:
    """(R [m], V [m/s]), each shape (3,), in N."""
    e, nu = elements.eccentricity, elements.true_anomaly
    p, q = perifocal_axes(elements.node, elements.periapsis, elements.inclination)
    parameter = elements.semi_major_axis * (1.0 - e * e)
    c, s = math.cos(nu), math.sin(nu)
    place = parameter / (1.0 + e * c) * (c * p + s * q)
    return place, math.sqrt(mu / parameter) * ((e + c) * q - s * p)


def elements_from_state(
    place: ArrayLike, velocity: ArrayLike, mu: float = EARTH_MU
) -> KeplerElements:
    """Elements of the ellipse through a place [m] with a velocity [m/s], shape (3,) each, in N.

    On a circle the periapsis is put on the node, in the equator the node on the x axis.
    """
    r, v = np.asarray(place, dtype=float), np.asarray(velocity, dtype=float)
    distance, h = float(np.linalg.norm(r)), np.cross(r, v)
    size = float(np.linalg.norm(h))
    energy = 0.5 * float(v @ v) - mu / distance if distance > 0.0 else math.inf
    if not (size > 0.0 and energy < 0.0):
        found = f"energy {energy:g} m^2/s^2, angular momentum {size:g} m^2/s"
        hint = "slow down below the speed of escape, or give a velocity across the place"
        raise ConfigError("orbit", found, "an ellipse: energy below 0, momentum above 0", hint)
    pole = h / size
    shape = np.cross(v, h) / mu - r / distance  # points to periapsis, its length is e
    e = float(np.linalg.norm(shape))
    sine = math.hypot(pole[0], pole[1])
    node_axis = np.array([-pole[1], pole[0], 0.0]) / sine if sine > NO_ANGLE else np.eye(3)[0]
    periapsis_axis = shape / e if e > NO_ANGLE else node_axis
    return KeplerElements(
        -0.5 * mu / energy,
        e if e > NO_ANGLE else 0.0,
        math.atan2(sine, pole[2]),
        math.atan2(node_axis[1], node_axis[0]),
        _angle(node_axis, periapsis_axis, pole),
        _angle(periapsis_axis, r / distance, pole),
    )


def _angle(start: Floats, end: Floats, pole: Floats) -> float:
    """Angle [rad] from one unit vector to another, counted about the pole, in -pi to pi."""
    return math.atan2(float(np.cross(start, end) @ pole), float(start @ end))


def mean_anomaly(elements: KeplerElements) -> float:
    """M [rad] of the place on the ellipse, within half a turn of zero."""
    e, half = elements.eccentricity, 0.5 * elements.true_anomaly
    anomaly = 2.0 * math.atan2(
        math.sqrt(1.0 - e) * math.sin(half), math.sqrt(1.0 + e) * math.cos(half)
    )
    turned = anomaly - e * math.sin(anomaly)
    return math.remainder(turned, 2.0 * math.pi)


def later(elements: KeplerElements, time: float, mu: float = EARTH_MU) -> KeplerElements:
    """The same ellipse after `time` [s], two bodies only."""
    a, e = elements.semi_major_axis, elements.eccentricity
    m = mean_anomaly(elements) + math.sqrt(mu / a**3) * time
    half = 0.5 * float(eccentric_anomaly(m, e))
    nu = 2.0 * math.atan2(math.sqrt(1.0 + e) * math.sin(half), math.sqrt(1.0 - e) * math.cos(half))
    return KeplerElements(a, e, elements.inclination, elements.node, elements.periapsis, nu)
