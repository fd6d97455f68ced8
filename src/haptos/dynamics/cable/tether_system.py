"""A tether between two end bodies, put together and checked: line, bodies, reels, surroundings."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from haptos.contact.laws.normal import SPRING_DAMPER
from haptos.core.errors import ConfigError
from haptos.core.rotations import rotation_matrices
from haptos.core.symmetric import six_of
from haptos.dynamics.cable import reel_build
from haptos.dynamics.cable.reel_build import ReelParts
from haptos.dynamics.cable.reel_build import hold as hold
from haptos.dynamics.cable.reel_laws import HOLD
from haptos.dynamics.cable.tether_heat import TetherHeat
from haptos.dynamics.cable.tether_loads import TetherAir, TetherGround, TetherLight, ThirdBody
from haptos.dynamics.cable.tether_reel import Reel
from haptos.dynamics.cable.tether_segments import METAL_SEGMENTS, Segments, no_segments
from haptos.dynamics.cable.tether_state import STATUS, Factors, Hull, LineNumbers, Springs, Tether
from haptos.dynamics.field import no_field
from haptos.environment.circling import circling
from haptos.environment.gravity_terms import ASTRONOMICAL_UNIT
from haptos.geometry.distance import surface as surfaces

Floats = NDArray[np.float64]
Vector = tuple[float, float, float]
MOST_CELLS = 4096
STILL: Vector = (0.0, 0.0, 0.0)


def _positive(where: str, value: float, *, zero: bool = False) -> None:
    if not (math.isfinite(value) and (value > 0.0 or (zero and value == 0.0))):
        raise ConfigError(where, f"{value:g}", "0 or more" if zero else "above 0", f"{where} = 1.0")


@dataclass(frozen=True)
class TetherLine:
    """A line: total length [m], linear density [kg/m], EA [N], c [N s], breaking tension [N], diameter [m]."""

    total: float
    density: float
    stiffness: float
    damping: float = 0.0
    breaking: float = math.inf
    diameter: float = 1e-3
    expansion: float = 0.0  # [1/K]
    reference_temperature: float = 293.15  # [K]
    heat_capacity: float = 1000.0  # [J/kg/K]
    heat_share: float = 0.0  # [-] of the damping that warms the line
    series: tuple[tuple[float, float] | None, tuple[float, float] | None] = (
        None,
        None,
    )  # (k_d, c_d)

    def __post_init__(self) -> None:
        _positive("line.total", self.total)
        _positive("line.density", self.density, zero=True)
        _positive("line.stiffness", self.stiffness)
        _positive("line.damping", self.damping, zero=True)
        _positive("line.diameter", self.diameter)
        if not self.breaking > 0.0:
            raise ConfigError("line.breaking", f"{self.breaking:g} N", "above 0", "breaking = inf")

    @property
    def wave_speed(self) -> float:
        """sqrt(EA/mu) [m/s]."""
        return math.sqrt(self.stiffness / self.density) if self.density > 0.0 else math.inf


@dataclass(frozen=True)
class EndThruster:
    """A thruster: place and direction in B axes [m], [-], largest force [N], Isp [s], when it burns [s], level [-]."""

    place: Vector
    direction: Vector
    force: float
    isp: float = 220.0
    start: float = 0.0
    stop: float = math.inf
    level: float = 1.0

    def row(self) -> list[float]:
        size = math.sqrt(sum(c * c for c in self.direction))
        return [
            *self.place,
            *(c / size for c in self.direction),
            self.force,
            self.isp,
            self.start,
            self.stop,
            self.level,
        ]


@dataclass(frozen=True)
class EndBody:
    """A hull: dry mass [kg], inertia [kg m^2] (3, 3) or three moments, None for a point; attachment [m], B axes.

    wheels  (largest torque [N m], largest momentum [N m s]) per axis      hold  gains of angle and rate
    takes_couple  whether it takes the couple that its half cell leaves as it feeds: angular momentum is exact, but a light body
                  is turned by an error of the grid; False leaves that error in the line
    """

    mass: float
    inertia: ArrayLike | None = None
    attachment: Vector = STILL
    position: Vector = STILL
    velocity: Vector = STILL
    attitude: tuple[float, float, float, float] = (1.0, 0.0, 0.0, 0.0)
    rate: Vector = STILL
    propellant: float = 0.0
    wheels: tuple[float, float] | None = None
    hold: tuple[float, float] = (0.0, 0.0)
    thrusters: tuple[EndThruster, ...] = ()
    radius: float = 0.0
    is_fixed: bool = False
    drag_area: float = 0.0  # c_d A [m^2]
    light_area: float = 0.0  # c_R A [m^2]
    pressure_centre: Vector = STILL  # [m], B axes, where air and light push
    takes_couple: bool = True

    def __post_init__(self) -> None:
        _positive("body.mass", self.mass)
        _positive("body.propellant", self.propellant, zero=True)
        if self.is_fixed and any(c != 0.0 for c in (*self.velocity, *self.rate)):
            raise ConfigError(
                "body.velocity", f"{self.velocity}", "0, 0, 0 for a fixed body", "is_fixed = false"
            )

    def hull(self) -> Hull:
        matrix = np.eye(3) if self.inertia is None else np.asarray(self.inertia, dtype=float)
        if matrix.ndim == 1:
            matrix = np.diag(matrix)
        if not (np.linalg.eigvalsh(matrix) > 0.0).all():
            raise ConfigError(
                "body.inertia", f"{matrix.tolist()}", "moments above 0", "inertia = [300, 300, 200]"
            )
        rows = np.array([t.row() for t in self.thrusters], dtype=float).reshape(-1, 11)
        attachment = STILL if self.inertia is None else tuple(float(c) for c in self.attachment)
        if self.inertia is None and any(c != 0.0 for c in self.attachment):
            raise ConfigError(
                "body.attachment",
                f"{self.attachment}",
                "0, 0, 0 for a point mass",
                "give an inertia",
            )
        if self.inertia is None and any(c != 0.0 for c in self.pressure_centre):
            raise ConfigError(
                "body.pressure_centre",
                f"{self.pressure_centre}",
                "0, 0, 0 for a point mass",
                "give an inertia",
            )
        wheels = (
            (0.0, 1.0) if self.wheels is None else (float(self.wheels[0]), float(self.wheels[1]))
        )
        hold = (float(self.hold[0]), float(self.hold[1]))
        return Hull(
            float(self.mass),
            six_of(matrix),
            attachment,
            self.inertia is not None,
            bool(self.is_fixed),
            wheels,
            hold,
            rows,
            float(self.radius),
            (
                float(self.drag_area),
                float(self.light_area),
                tuple(float(c) for c in self.pressure_centre),
            ),
            bool(self.takes_couple),
        )

    @property
    def feed(self) -> tuple[Floats, Floats]:
        """(place [m], velocity [m/s]) of the attachment, N axes."""
        dcm = rotation_matrices(np.array([self.attitude]))[0]
        d = np.zeros(3) if self.inertia is None else np.asarray(self.attachment, dtype=float)
        swing = dcm @ np.cross(np.asarray(self.rate, dtype=float), d)
        return np.asarray(self.position, dtype=float) + dcm @ d, np.asarray(
            self.velocity, dtype=float
        ) + swing


def prescribed(
    times: ArrayLike, paid_out: ArrayLike, *, smooth: bool = False, is_drum: bool = True
) -> Reel:
    """A reel that pays out lengths [m] along a broken line in time [s], or along cosines between its corners."""
    parts = ReelParts(is_drum=is_drum)
    return reel_build.prescribed(times, paid_out, smooth=smooth, parts=parts)


def no_air() -> TetherAir:
    return TetherAir(False, 2.2, np.zeros(2), 1.0, 0.0, np.zeros(3), np.zeros(3), 0.0)


def sun_light(
    to_sun: Vector = (1.0, 0.0, 0.0), *, pressure: float = 0.0, reflection: float = 1.0,
    distance: float = ASTRONOMICAL_UNIT, shadow: float = 0.0, axis: Vector = (0.0, 0.0, 1.0), rate: float = 0.0,
) -> TetherLight:  # fmt: skip
    """Sunlight from a direction, N axes; it turns about an axis at a rate [rad/s] where N axes turn.

    pressure  [N/m^2] of absorbed light, 0 for light that only warms     reflection  c_R of the line, 1 to 2
    distance  of the Sun [m]      shadow  radius [m] of the ball about the field's centre that casts one, 0 for none
    """
    size = math.sqrt(sum(c * c for c in to_sun))
    path = circling((to_sun[0] / size, to_sun[1] / size, to_sun[2] / size), axis, rate)
    return TetherLight(
        pressure > 0.0, float(pressure), float(reflection), path, float(distance), float(shadow), np.zeros(3)
    )  # fmt: skip


def no_light() -> TetherLight:
    return sun_light()


def third_body(
    mu: float, place: Vector, *, axis: Vector = (0.0, 0.0, 1.0), rate: float = 0.0
) -> ThirdBody:
    """A body of G M [m^3/s^2] at a place [m] from the field's centre, N axes, that circles at a rate [rad/s]."""
    _positive("third_body.mu", mu)
    return ThirdBody(float(mu), circling(place, axis, rate), np.zeros(3))


def no_third() -> ThirdBody:
    return ThirdBody(0.0, circling((1.0, 0.0, 0.0)), np.zeros(3))


def ground_under(
    surface: Any, *, arm: ArrayLike = STILL, axes: ArrayLike | None = None, law: int = SPRING_DAMPER,
    stiffness: float = 1.5e4, loss: float = 0.0, friction: float = 0.5, fade: float = 1e-3, is_felt: bool = True,
) -> TetherGround:  # fmt: skip
    """Ground of `geometry.distance.surface` (plane, sphere, ellipsoid, grid of a mesh, with terrain) under a tether.

    arm   of the N origin from that of the surface [m], N axes; in orbit it follows the origin       axes  dcm_NA
    law, stiffness, loss  of `contact/laws/normal.py`        friction [-], fade [m/s] speed of full friction
    is_felt  False: depths are only looked for, nothing touches it
    """
    turned = np.eye(3) if axes is None else np.ascontiguousarray(axes, dtype=float)
    return TetherGround(
        bool(is_felt), True, surface, np.array(arm, dtype=float), turned, int(law), float(stiffness), float(loss),
        float(friction), float(fade),
    )  # fmt: skip


def no_ground() -> TetherGround:
    return ground_under(surfaces.no_ground(), is_felt=False)._replace(is_watched=False)


def no_heat() -> TetherHeat:
    return TetherHeat(0.0, 0.5, 0.8, 0.0, 0.0, 0.0, 0.0, 0.0, 293.15)


@dataclass(frozen=True)
class TetherWatch:
    """Something to look for: what falls through a bound; `stops` ends the march there."""

    what: str
    bound: float
    stops: bool = True


@dataclass(frozen=True)
class TetherSystem:
    """Two bodies, a line of `cells` cells, reels with `stored` metres at both ends, and what is around them."""

    bodies: tuple[EndBody, EndBody]
    line: TetherLine
    cells: int
    reels: tuple[Reel, Reel] = dataclasses.field(default_factory=lambda: (hold(), hold()))
    stored: tuple[float, float] = (0.0, 0.0)
    field: Any = dataclasses.field(default_factory=no_field)
    air: TetherAir = dataclasses.field(default_factory=no_air)
    light: TetherLight = dataclasses.field(default_factory=no_light)
    heat: TetherHeat = dataclasses.field(default_factory=no_heat)
    ground: TetherGround = dataclasses.field(default_factory=no_ground)
    third: ThirdBody = dataclasses.field(default_factory=no_third)
    watches: Sequence[TetherWatch] = ()
    stops: Sequence[str] = ("supercritical pay-out",)
    pauses: Sequence[float] = ()
    tangle: tuple[float, float] = (
        0.0,
        0.1,
    )  # share of the line that is slack [-], gap [m]; share 0 for never
    extra: int = 0
    material: Segments = dataclasses.field(default_factory=no_segments)

    def __post_init__(self) -> None:
        if not 0 <= self.cells <= MOST_CELLS:
            raise ConfigError("cells", f"{self.cells}", f"0 to {MOST_CELLS}", "cells = 20")
        if self.cells == 0 and self.line.density > 0.0:
            hint = "cells = 20, or density = 0"
            raise ConfigError("cells", "0 with a line that has mass", "1 or more", hint)
        if self.cells > 0 and self.line.density == 0.0:
            raise ConfigError("line.density", "0 with cells", "above 0, or no cells", "cells = 0")
        if min(self.stored) < 0.0 or not sum(self.stored) < self.line.total:
            found = f"{self.stored[0]:g} and {self.stored[1]:g} m"
            raise ConfigError(
                "stored",
                found,
                f"0 or more, below {self.line.total:g} m together",
                "stored = [0, 0]",
            )
        feeds = any(reel.kind != HOLD for reel in self.reels)
        if feeds and self.material.kind == METAL_SEGMENTS:
            raise ConfigError("segments", "metal with reels that run", "polymer, or reels that hold", "hold()")  # fmt: skip
        if feeds and 0 < self.cells < 3:
            raise ConfigError(
                "cells", f"{self.cells} with reels that run", "0, or 3 or more", "cells = 10"
            )

    @property
    def deployed(self) -> float:
        """Natural length between the reels at the start [m]."""
        return self.line.total - sum(self.stored)

    def record(self) -> Tether:
        """What the kernels take: constants, and room."""
        n, made = self.cells, self.line
        series = tuple(
            (0.0, 1.0, 0.0) if d is None else (float(d[0]), float(d[1]), 1.0) for d in made.series
        )
        line = LineNumbers(
            n, float(made.total), float(made.density), float(made.stiffness), float(made.damping),
            float(made.breaking), float(made.diameter), float(made.expansion), float(made.reference_temperature),
            float(made.heat_capacity), float(made.heat_share), series,
        )  # fmt: skip
        springs = Springs._make(
            [
                np.zeros((n + 1, 3)),
                *np.zeros((9, n + 1)),
                np.zeros(n + 1, dtype=np.int64),
                *np.zeros((2, n + 1)),
            ]
        )
        blocks = [*np.zeros((3, n + 1, 3, 3))]
        factors = Factors._make(
            [
                np.zeros((n + 1, 3, 3)), *np.zeros((3, n + 1)), *blocks, np.zeros((n + 1, 3)), *np.zeros((2, 3, 3)),
                np.zeros(n), *np.zeros((2, 2, 3, 3)), np.zeros((2, 6)),
            ]
        )  # fmt: skip
        status = np.zeros(STATUS)
        status[0] = -1.0
        return Tether(
            line, tuple(b.hull() for b in self.bodies), tuple(self.reels), self.field, springs, factors,
            np.zeros(n + 1), np.zeros((2, 6)), status, self.material, self.air,
            self.light._replace(to_sun=np.zeros(3)), self.heat, self.ground._replace(arm=self.ground.arm.copy()),
            self.third._replace(place=np.zeros(3)),
        )  # fmt: skip

    def changed(self, **changes: Any) -> TetherSystem:
        return replace(self, **changes)
