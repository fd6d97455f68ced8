"""Where a small body is on its ellipse about the Sun, from published osculating elements."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from haptos.core.errors import ConfigError

CITES: tuple[str, ...] = ("Battin1999", "Farnocchia2021", "Giorgini1996", "JetPropulsion2020")

Floats = NDArray[np.float64]

SUN_MU = 2.9591220828411951e-04  # [au^3/day^2], of the Sun in DE441; printed by JPL Horizons
J2000_OBLIQUITY = math.radians(84381.448 / 3600.0)  # [rad], IAU 1976; axes of published elements
NEWTON_STEPS = 50  # [-], bound of the loop; six are enough below e = 0.9
CLOSED = 1e-15  # [rad], step of Newton's method at which Kepler's equation is solved


@dataclass(frozen=True)
class OrbitElements:
    """Osculating heliocentric elements, referred to the ecliptic and equinox of J2000.

    semi_major_axis_au [au]     eccentricity [-], 0 <= e < 1     inclination_deg [deg]
    node_deg           longitude of the ascending node [deg]
    perihelion_deg     argument of perihelion [deg]
    mean_anomaly_deg   at the epoch [deg]
    epoch_jd           Julian date of the epoch in TDB [day]     source  where the numbers are from
    """

    semi_major_axis_au: float
    eccentricity: float
    inclination_deg: float
    node_deg: float
    perihelion_deg: float
    mean_anomaly_deg: float
    epoch_jd: float
    source: str = "given by the user"

    def __post_init__(self) -> None:
        hint = "copy a, e, i, node, peri, M and epoch from one published solution"
        numbers = (
            self.semi_major_axis_au, self.eccentricity, self.inclination_deg, self.node_deg,
            self.perihelion_deg, self.mean_anomaly_deg, self.epoch_jd,
        )  # fmt: skip
        if not all(math.isfinite(number) for number in numbers):
            raise ConfigError("orbit elements", f"{numbers}", "finite numbers", hint)
        if not self.semi_major_axis_au > 0.0:
            found = f"semi_major_axis_au = {self.semi_major_axis_au:g}"
            raise ConfigError("orbit elements", found, "above 0", hint)
        if not 0.0 <= self.eccentricity < 1.0:
            found = f"eccentricity = {self.eccentricity:g}"
            raise ConfigError("orbit elements", found, "0 <= e < 1, an ellipse", hint)


PUBLISHED = {
    "bennu": OrbitElements(
        1.1263910258948120, 0.2037450762416414, 6.0349437702479403, 2.060866195696420,
        66.22306084084298, 101.7039520024729, 2455562.5,
        "JPL Horizons, solution of 7 January 2021 [Farnocchia2021]",
    ),
    "eros": OrbitElements(
        1.458276, 0.223, 10.829, 304.401, 178.664, 320.215, 2453300.5,
        "JPL Small-Body Database, few digits [Giorgini1996]",
    ),
    "itokawa": OrbitElements(
        1.3241, 0.2801, 1.6214, 69.081, 162.82, 288.88, 2458600.5,
        "JPL Small-Body Database, few digits [Giorgini1996]",
    ),
    "ryugu": OrbitElements(
        1.18967955809115, 0.1903011683594156, 5.881927349717035, 251.5783325590754,
        211.4853172247412, 193.6376475170805, 2459000.5,
        "JPL Small-Body Database, solution JPL 206 [JetPropulsion2020]",
    ),
}  # fmt: skip


def published_elements(name: str) -> OrbitElements:
    """Elements of a body by name; those of Eros and Itokawa have few digits, good to about a degree.

    Source: [Farnocchia2021] for Bennu, [JetPropulsion2020] for Ryugu, [Giorgini1996] for others.
    """
    if name not in PUBLISHED:
        hint = "give your own OrbitElements, from ssd.jpl.nasa.gov"
        raise ConfigError("orbit elements", f"body '{name}'", ", ".join(sorted(PUBLISHED)), hint)
    return PUBLISHED[name]


def eccentric_anomaly(mean_anomaly: ArrayLike, eccentricity: float) -> Floats:
    """E [rad] of Kepler's equation M = E - e sin E, by Newton's method from above the root.

    mean_anomaly  M [rad], any shape        eccentricity  e [-], 0 <= e < 1
    Validity: ellipses. From E = pi (M taken in 0..pi, by symmetry) the steps never overshoot.
    Source: [Battin1999] sec. 5.4.
    """
    anomaly = np.asarray(mean_anomaly, dtype=np.float64)
    wrapped = np.remainder(anomaly + np.pi, 2.0 * np.pi) - np.pi
    target = np.abs(wrapped)
    e = np.full(target.shape, np.pi)
    for _ in range(NEWTON_STEPS):
        step = (e - eccentricity * np.sin(e) - target) / (1.0 - eccentricity * np.cos(e))
        e = e - step
        if np.all(np.abs(step) <= CLOSED):
            break
    return np.asarray(np.copysign(e, wrapped))


def heliocentric_position(elements: OrbitElements, jd_tdb: ArrayLike) -> Floats:
    """Place of the body seen from the Sun [au], equatorial J2000 (ICRF) axes, shape (..., 3).

    r = a (cos E - e) P + a sqrt(1 - e^2) sin E Q,   M = M0 + sqrt(mu / a^3) (t - t0)

    P, Q    unit vectors to perihelion and 90 deg ahead of it in the plane of the orbit
    jd_tdb  Julian dates in TDB [day], any shape
    Frame: ecliptic elements turned by the obliquity of J2000 into equatorial axes.
    Validity: two bodies; planets shift an asteroid near the Earth by some tenths of a degree
    within years of the epoch, and by more through a close encounter: take elements near the date.
    Source: [Battin1999] ch. 3 and 4.
    """
    a, e = elements.semi_major_axis_au, elements.eccentricity
    days = np.asarray(jd_tdb, dtype=np.float64) - elements.epoch_jd
    mean = math.radians(elements.mean_anomaly_deg) + math.sqrt(SUN_MU / a**3) * days
    anomaly = eccentric_anomaly(mean, e)
    ahead, aside = _orbit_axes(elements)
    along = a * (np.cos(anomaly) - e)
    across = a * math.sqrt(1.0 - e * e) * np.sin(anomaly)
    return along[..., None] * ahead + across[..., None] * aside


def _orbit_axes(elements: OrbitElements) -> tuple[Floats, Floats]:
    """(P, Q) in equatorial J2000 axes."""
    angles = (elements.node_deg, elements.perihelion_deg, elements.inclination_deg)
    p, q = perifocal_axes(*(math.radians(x) for x in angles))
    return equatorial(p), equatorial(q)


def perifocal_axes(node: float, periapsis: float, inclination: float) -> tuple[Floats, Floats]:
    """(P, Q) [-]: unit vectors to periapsis and 90 deg ahead of it, from three angles [rad].

    Frame: the one whose xy plane and x axis the angles are counted from.
    Source: [Battin1999] ch. 3.
    """
    cn, sn, cp, sp = math.cos(node), math.sin(node), math.cos(periapsis), math.sin(periapsis)
    ci, si = math.cos(inclination), math.sin(inclination)
    p = np.array([cn * cp - sn * sp * ci, sn * cp + cn * sp * ci, sp * si])
    q = np.array([-cn * sp - sn * cp * ci, -sn * sp + cn * cp * ci, cp * si])
    return p, q


def equatorial(ecliptic: ArrayLike) -> Floats:
    """Equatorial J2000 components of vectors given in ecliptic J2000 axes, shape (..., 3)."""
    v = np.asarray(ecliptic, dtype=np.float64)
    c, s = math.cos(J2000_OBLIQUITY), math.sin(J2000_OBLIQUITY)
    return np.stack([v[..., 0], c * v[..., 1] - s * v[..., 2], s * v[..., 1] + c * v[..., 2]], -1)
