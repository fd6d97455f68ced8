"""How fast a ballistic probe leaves its first impact: a point, a sphere, an orbit in the equator.

    a = (r_A + r_P)/2,   eps = (r_A - r_P)/(r_A + r_P),   cos theta = (a (1 - eps^2) - R)/(eps R)    Eq. (4.2)
    cos alpha = (1 + eps cos theta)/sqrt(1 + 2 eps cos theta + eps^2),   alpha < 0
    V_1 = sqrt(mu (2/R - 1/a)) (cos alpha, sin alpha) - (Omega R, 0)
    N = (-sin beta, cos beta),   T = (cos beta, sin beta)
    V_2 = (V_1 . T) T - e (V_1 . N) N,   eta = angle(-V_1, N)                                       Eq. (4.7)

    r_P, r_A  [m], periapsis and apoapsis of the orbit, r_P <= R <= r_A     R  [m], radius of the sphere
    mu        [m^3/s^2]         Omega  [rad/s], spin of the sphere          e  [-], restitution
    theta     true anomaly of the impact, inbound (pi to 2 pi)              beta  [rad], tilt of the facet hit
    alpha     flight path angle in inertial space                           eta   0 for an impact along the normal
Frame: (east, up) at the impact, V_1 and V_2 relative to the turning ground.
Validity: a point without friction, central gravity, prograde orbit in the equator. Source: [VanWal2018]
section 4.1, whose Eq. (4.6) is taken in the only form consistent with the others.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from haptos.core.errors import ConfigError

CITES: tuple[str, ...] = ("VanWal2018",)

FEWEST_BRACKETS = 400  # [-] places along r_P where the minimum is looked for first

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class ImpactWorld:
    """Sphere of radius [m], mu [m^3/s^2], spin [rad/s]."""

    radius: float
    mu: float
    spin: float

    def __post_init__(self) -> None:
        if not (self.radius > 0.0 and self.mu > 0.0 and np.isfinite(self.spin)):
            found = f"radius {self.radius}, mu {self.mu}, spin {self.spin}"
            raise ConfigError("first impact", found, "radius, mu above 0", "give SI units")


@dataclass(frozen=True, eq=False)
class FirstImpact:
    """The impact; all arrays of the shape of the inputs together.

    eccentricity [-]   true_anomaly, path_angle [rad]   inertial_speed [m/s]
    east, up           V_1 relative to the ground [m/s]
    impact_angle       eta [rad]; NaN where the facet cannot be hit, V_1 . N > 0
    speed_after        |V_2| [m/s]; NaN likewise
    """

    eccentricity: Floats
    true_anomaly: Floats
    path_angle: Floats
    inertial_speed: Floats
    east: Floats
    up: Floats
    impact_angle: Floats
    speed_after: Floats


def first_impact(
    world: ImpactWorld,
    periapsis: ArrayLike,
    apoapsis: ArrayLike,
    restitution: ArrayLike,
    tilt: ArrayLike = 0.0,
) -> FirstImpact:
    """First impact of orbits (periapsis, apoapsis [m]) on facets tilted by `tilt` [rad]."""
    r_p, r_a, e, beta = np.broadcast_arrays(
        *(np.asarray(v, dtype=float) for v in (periapsis, apoapsis, restitution, tilt))
    )
    radius = world.radius
    if not np.all((r_p > 0.0) & (r_p <= radius) & (r_a >= radius) & (r_a > r_p)):
        allowed = "0 < periapsis <= radius <= apoapsis, not both equal"
        raise ConfigError("first impact", "an orbit that misses", allowed, "lower the periapsis")
    if not np.all((e >= 0.0) & (e <= 1.0)):
        raise ConfigError("first impact", f"restitution {e}", "0 to 1", "0.65")
    axis, eps = 0.5 * (r_a + r_p), (r_a - r_p) / (r_a + r_p)  # Eq. (4.2)
    cosine = np.clip((axis * (1.0 - eps**2) - radius) / (eps * radius), -1.0, 1.0)
    sine = -np.sqrt(1.0 - cosine**2)  # inbound
    along, speed = 1.0 + eps * cosine, np.sqrt(world.mu * (2.0 / radius - 1.0 / axis))
    size = np.sqrt(1.0 + 2.0 * eps * cosine + eps**2)
    path_angle = np.arctan2(eps * sine, along)
    east, up = speed * along / size - world.spin * radius, speed * eps * sine / size
    normal = -np.sin(beta) * east + np.cos(beta) * up
    tangential = np.cos(beta) * east + np.sin(beta) * up
    eta = np.arctan2(np.abs(tangential), -normal)
    after = np.hypot(tangential, e * normal)  # Eq. (4.7)
    turned = np.mod(np.arctan2(sine, cosine), 2.0 * np.pi)
    hit = normal <= 0.0
    anomaly = np.where(sine < 0.0, turned, np.where(cosine > 0.0, 2.0 * np.pi, np.pi))
    return FirstImpact(
        eps, anomaly, path_angle, speed, east, up, np.where(hit, eta, np.nan), np.where(hit, after, np.nan)
    )  # fmt: skip


def best_periapsis(world: ImpactWorld, apoapsis: float, restitution: float, tilt: float) -> float:
    """r_P [m] with the least speed after the impact, to 1e-7 R."""
    low, high = 1e-3 * world.radius, world.radius
    while high - low > 1e-7 * world.radius:
        tried = np.linspace(low, high, FEWEST_BRACKETS + 1)
        after = first_impact(world, tried, apoapsis, restitution, tilt).speed_after
        best = int(np.nanargmin(after))
        low, high = tried[max(best - 1, 0)], tried[min(best + 1, FEWEST_BRACKETS)]
    return float(0.5 * (low + high))


def best_tilt(world: ImpactWorld, periapsis: ArrayLike, apoapsis: ArrayLike) -> Floats:
    """beta [rad] with the least speed after the impact: the facet that is met along its normal.

    |V_2|^2 = |V_1|^2 (sin^2 eta + e^2 cos^2 eta) is least at eta = 0 for every e below 1.
    """
    found = first_impact(world, periapsis, apoapsis, 0.0)
    return np.asarray(np.arctan2(found.east, -found.up))
