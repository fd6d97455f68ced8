"""Numbers of a scenario file that cannot belong together, by ratios that need no model.

Each number may be allowed and all of them together still be nonsense, mostly by a unit that is wrong by a factor
of 1000. Two kinds are refused as a file is read:

units      a number beyond the range that its unit has in spaceflight, whatever its key: RANGES
ratios     two numbers of the file, as a `Proportion`; a scenario lists its own in `proportions.py`

Bounds lie halfway, in powers of ten, between what is known and what such a slip leads to. What is known:
speeds     bodies of the Solar System meet at up to 72 km/s; things touch at no more than 1,000 times the
           speed that a push by hand, a fall, an escape, a shot or an orbit explains (assumed)
rims       fibres hold together at up to 2 km/s, sqrt(strength/density) of the best
densities  the densest metal has 22,600 kg/m^3
parts      what is fixed to a body is at most 100 of its radii away (assumed)
orbits     up to 1,000 radii of what is orbited, as for releases (`plausibility.py`)
Ratios that need a mesh or a table are those of `plausibility.py`.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from haptos.core.errors import ConfigError
from haptos.core.units import GRAVITATIONAL_CONSTANT, split_unit
from haptos.scenarios.plausibility import FARTHEST, LEAST_DENSITY, MOST_DENSITY
from haptos.scenarios.registry import scenario
from haptos.scenarios.schema import ScenarioConfig, Table

# Unit of a key -> least size that is not 0, largest size, and what that is.
RANGES: dict[str, tuple[float, float, str]] = {
    "m/s": (0.0, 1.0e5, "bodies of the Solar System meet at up to 72 km/s"),
    "kg": (1.0e-9, 1.0e18, "a grain of dust to a small body"),
    "kg/m^3": (0.0, 1.0e5, "the densest metal has 22,600 kg/m^3"),
    "m": (0.0, 1.0e13, "beyond Neptune"),
}
UNEXPLAINED = 1000.0  # [-] of a speed over the fastest that the file explains
HAND = ("a push by hand", 1.0)  # [m/s]
FASTEST_RIM = 1.0e4  # [m/s]
FARTHEST_PART = (
    100.0  # [-] of the radius of a body that a part fixed to it may be away from its centre
)
USUAL_GROUND = (10.0, 1.0e5)  # [kg/m^3] of a body whose density is typed in
CHECK_UNITS = "check the units of these numbers"


@dataclass(frozen=True, slots=True)
class Proportion:
    """One ratio of numbers of a file, and between what it may lie.

    where    tables or keys                 found        the numbers in words
    ratio    of them                        least, most  in its unit
    allowed  the bounds in words, with what they come from
    """

    where: str
    found: str
    ratio: float
    most: float
    allowed: str
    least: float = 0.0

    @property
    def holds(self) -> bool:
        return self.least <= self.ratio <= self.most


def check_numbers(config: ScenarioConfig, where: str) -> None:
    """Refuse numbers of a file that do not occur in spaceflight, or cannot belong together."""
    for key, value, unit in _numbers(config, ""):
        least, most, known = RANGES[unit]
        if abs(value) > most or 0.0 < abs(value) < least:
            allowed = f"{least:g} to {most:g} {unit}: {known}"
            raise ConfigError(f"{where} {key}", f"{value:g} {unit}", allowed, CHECK_UNITS)
    listed = scenario(config.scenario).running.proportions
    if listed is None:
        return
    for one in listed(config):
        require(one, where)


def require(one: Proportion, where: str = "") -> None:
    """Refuse a ratio that does not hold; where: the file, if it is known."""
    if not one.holds:
        raise ConfigError(f"{where} {one.where}".strip(), one.found, one.allowed, CHECK_UNITS)


def _numbers(table: Table, place: str) -> Iterator[tuple[str, float, str]]:
    """(key, number, unit) of all numbers of a table and those within whose unit has a range."""
    for name in type(table).model_fields:
        value = getattr(table, name)
        unit = _ranged(name)
        if unit:
            for number in value if isinstance(value, tuple) else (value,):
                if isinstance(number, float):
                    yield f"[{place}] {name}" if place else name, number, unit
        elif isinstance(value, Table):
            yield from _numbers(value, f"{place}.{name}" if place else name)
        elif isinstance(value, tuple):
            for row in value:
                if isinstance(row, Table):
                    yield from _numbers(row, f"{place}.{name}" if place else name)


@functools.cache
def _ranged(key: str) -> str:
    """Unit of a key if there is a range for it, else an empty text."""
    unit = split_unit(key)[1]
    return unit if unit in RANGES else ""


def speed(
    where: str, found: str, value: float, explained: Mapping[str, float] | None = None
) -> Proportion:
    """A speed [m/s] over the fastest that the file explains: words -> [m/s]; a push by hand always does."""
    known = dict((HAND,)) | dict(explained or {})
    words = max(known, key=lambda name: known[name])
    ratio = value / known[words]
    found = f"{found} at {value:.3g} m/s, {ratio:.3g} times {words} ({known[words]:.3g} m/s)"
    return Proportion(where, found, ratio, UNEXPLAINED, f"up to {UNEXPLAINED:g} times that")


def rim(where: str, found: str, rate: float, reach: float) -> Proportion:
    """The speed of what lies `reach` [m] from the axis of a turn of `rate` [rad/s]."""
    value = rate * reach
    words = f"{found}, {reach:.3g} m from the axis, at {value:.3g} m/s by its turn"
    allowed = f"up to {FASTEST_RIM:g} m/s: the best fibres hold together at up to 2 km/s"
    return Proportion(where, words, value, FASTEST_RIM, allowed)


def bulk(where: str, found: str, mass: float, volume: float) -> Proportion:
    """The density [kg/m^3] of a body of a mass [kg] and a volume [m^3]."""
    density = mass / volume
    words = f"{found} of {mass:.3g} kg in {volume:.3g} m^3, {density:.3g} kg/m^3"
    allowed = f"{LEAST_DENSITY:g} to {MOST_DENSITY:g} kg/m^3"
    return Proportion(where, words, density, MOST_DENSITY, allowed, LEAST_DENSITY)


def reach(where: str, found: str, distance: float, radius: float) -> Proportion:
    """The distance [m] of a part from the centre of the body of a radius [m] that it is fixed to."""
    words = f"{found} {distance:.3g} m away, {distance / radius:.3g} radii of its body"
    return Proportion(
        where, words, distance / radius, FARTHEST_PART, f"up to {FARTHEST_PART:g} radii"
    )


def ground(where: str, density: float) -> Proportion:
    """A density [kg/m^3] of a small body that is typed in."""
    least, most = USUAL_GROUND
    allowed = f"{least:g} to {most:g} kg/m^3; known ones have 200 to 10,000"
    return Proportion(where, f"a body of {density:.3g} kg/m^3", density, most, allowed, least)


def size(
    where: str, small: str, value: float, large: str, other: float, most: float = 1.0, unit: str = "m"
) -> Proportion:  # fmt: skip
    """A number over another one of the same unit, which it should not pass `most` times."""
    ratio = value / other if other > 0.0 else 0.0 if value == 0.0 else math.inf
    found = f"{small} of {value:.3g} {unit}, {ratio:.3g} times {large} ({other:.3g} {unit})"
    return Proportion(where, found, ratio, most, f"up to {most:g} times that")


def orbit(where: str, distance: float, radius: float, mu: float | None = None) -> list[Proportion]:
    """An orbit at a distance [m] from the centre of a primary [m], and what that would be made of."""
    ratio = distance / radius
    found = (
        f"an orbit {distance:.3g} m from the centre of a body of {radius:.3g} m: {ratio:.4g} radii"
    )
    allowed = f"up to {FARTHEST:g} radii, about the Hill radius at 5 au"
    ratios = [Proportion(where, found, ratio, FARTHEST, allowed)]
    if mu is not None:
        volume = 4.0 / 3.0 * math.pi * radius**3
        ratios.append(bulk(where, "a primary", mu / GRAVITATIONAL_CONSTANT, volume))
    return ratios


def length(vector: Sequence[float]) -> float:
    """Euclidean length of a vector of a file."""
    return math.hypot(*vector)


def box_volume(size_m: Sequence[Any]) -> float:
    """Volume [m^3] of a cuboid by its edges [m]."""
    return float(math.prod(size_m))
