"""Whether a probe, a body, its gravity, its spin and a release can belong together.

A length in the wrong unit makes a body a thousand times too small or too large, and its density a thousand million
times too high or too low: each number is allowed, all of them together are not. Bounds lie halfway, in powers of ten,
between what is known and what such a slip leads to, so that hardly a real case is refused and no slip passes:
DENSITY     bodies have 200 to 10,000 kg/m^3; metres for kilometres make that 2e11 or more, or 1e-5 or less
FARTHEST    1,000 radii: the Hill radius at 5 au of a body of 3,000 kg/m^3 is 960 of its radii; it grows with the
            distance from the Sun, and bodies beyond are held to the same bound (assumed)
FASTEST     centrifugal acceleration over gravity: loose stones leave the equator at 1, boulders that turn
            in 40 s have 1e5
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from haptos.core.errors import ConfigError
from haptos.core.units import GRAVITATIONAL_CONSTANT, LENGTH_UNITS, LengthUnit

LEAST_DENSITY, MOST_DENSITY = 1.0e-2, 1.0e7  # [kg/m^3]
USUAL_DENSITY = (200.0, 10_000.0)  # [kg/m^3] of bodies; a unit that leads there is suggested
FARTHEST = 1000.0  # [body radii] of a release, from the centre of a body with gravity of its own
FASTEST = 1.0e8  # [-] centrifugal acceleration over gravity at the surface


def mesh_volume(vertices: NDArray[np.float64], faces: NDArray[np.int64]) -> float:
    """Volume [m^3] of a closed mesh whose facets look outward."""
    a, b, c = (vertices[faces[:, corner]] for corner in range(3))
    return float(np.einsum("ni,ni->", a, np.cross(b, c)) / 6.0)


def check_density(mu: float, volume: float, unit: LengthUnit, file: str) -> None:
    """Refuse G M [m^3/s^2] and the volume [m^3] of a mesh file that make no density of matter."""
    density = mu / (GRAVITATIONAL_CONSTANT * volume)
    if LEAST_DENSITY <= density <= MOST_DENSITY:
        return
    found = f"a body of {density:.3g} kg/m^3: mu_m3_per_s2 = {mu:g} and {volume:.3g} m^3 of {file}"
    allowed = f"{LEAST_DENSITY:g} to {MOST_DENSITY:g} kg/m^3"
    raise ConfigError("[surface] unit and [gravity]", found, allowed, _unit_hint(density, unit))


def _unit_hint(density: float, unit: LengthUnit) -> str:
    for other, length in LENGTH_UNITS.items():
        scaled = density * (LENGTH_UNITS[unit] / length) ** 3
        if USUAL_DENSITY[0] <= scaled <= USUAL_DENSITY[1]:
            return f'surface.unit = "{other}", which makes it {scaled:.3g} kg/m^3'
    return "check surface.unit and gravity.mu_m3_per_s2"


def check_probe(probe_radius: float, body_radius: float) -> None:
    """Refuse a body [m] that is smaller than the probe [m] that lands on it."""
    if body_radius < probe_radius:
        ratio = body_radius / probe_radius
        found = (
            f"a body of radius {body_radius:.3g} m, {ratio:.2g} times that of the probe "
            f"({probe_radius:.3g} m)"
        )
        hint = "check the unit of the body's file or its size, and the size of the probe"
        raise ConfigError("[surface] and [probe]", found, "a body larger than the probe", hint)


def check_release(place: tuple[float, float, float], body_radius: float) -> None:
    """Refuse a release [m] too far from a body with gravity of its own."""
    far = math.hypot(*place)
    if far > FARTHEST * body_radius:
        found = (
            f"a release {far:.3g} m from the centre of a body of radius {body_radius:.3g} m: "
            f"{far / body_radius:.3g} radii away"
        )
        allowed = f"up to {FARTHEST:g} radii, about the Hill radius at 5 au"
        hint = "check the unit of the body's file or its size, and where the run starts"
        raise ConfigError("[surface] and [release]", found, allowed, hint)


def check_spin(rate: float, body_radius: float, mu: float) -> None:
    """Refuse a spin [rad/s] whose pull outward leaves gravity without any meaning."""
    ratio = rate**2 * body_radius**3 / mu
    if ratio > FASTEST:
        found = f"a pull outward {ratio:.3g} times gravity at {body_radius:.3g} m"
        if rate > 0.0:
            found += f", turning once in {2.0 * math.pi / rate:.3g} s"
        hint = "check spin.period_h, the strength of gravity and the size of the body"
        raise ConfigError("[spin] and [gravity]", found, f"up to {FASTEST:g} times", hint)
