"""A tether between two end bodies, put together and checked: line, bodies, reels, surroundings."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from haptos.core.errors import ConfigError
from haptos.core.rotations import rotation_matrices
from haptos.core.symmetric import six_of
from haptos.dynamics.cable import reel_build
from haptos.dynamics.cable.reel_build import ReelParts
from haptos.dynamics.cable.reel_build import hold as hold
from haptos.dynamics.cable.reel_laws import HOLD
from haptos.dynamics.cable.tether_heat import TetherHeat
from haptos.dynamics.cable.tether_loads import TetherAir, TetherGround, TetherLight
from haptos.dynamics.cable.tether_reel import Reel
from haptos.dynamics.cable.tether_state import STATUS, Factors, Hull, Line, Springs, Tether
from haptos.dynamics.field import no_field

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
class Thruster:
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
    thrusters: tuple[Thruster, ...] = ()
    radius: float = 0.0
    is_fixed: bool = False

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


def no_light() -> TetherLight:
    return TetherLight(False, 0.0, 1.0, (1.0, 0.0, 0.0), 1.496e11, 0.0)


def no_ground() -> TetherGround:
    return TetherGround(False, STILL, (0.0, 0.0, 1.0), 1, 1.0, 0.0, 0.0, 1e-3)


def no_heat() -> TetherHeat:
    return TetherHeat(0.0, 0.5, 0.8, 0.0, 0.0, 0.0, 0.0, 0.0, 293.15)


@dataclass(frozen=True)
class Watch:
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
    watches: Sequence[Watch] = ()
    stops: Sequence[str] = ("supercritical pay-out",)
    pauses: Sequence[float] = ()
    tangle: tuple[float, float] = (
        0.0,
        0.1,
    )  # share of the line that is slack [-], gap [m]; share 0 for never
    extra: int = 0
    material: Any = (0.0,)

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
        line = Line(
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
        factors = Factors._make(
            [
                np.zeros((n + 1, 3)),
                *np.zeros((7, n + 1)),
                np.zeros(n),
                np.zeros((2, 7)),
                np.zeros((2, 6)),
            ]
        )
        status = np.zeros(STATUS)
        status[0] = -1.0
        return Tether(
            line, tuple(b.hull() for b in self.bodies), tuple(self.reels), self.field, springs, factors,
            np.zeros(n + 1), np.zeros((2, 6)), status, self.material, self.air, self.light, self.heat, self.ground,
        )  # fmt: skip

    def changed(self, **changes: Any) -> TetherSystem:
        return replace(self, **changes)
