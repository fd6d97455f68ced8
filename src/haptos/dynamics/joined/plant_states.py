"""What joined bodies answer with: states of a body, a boom, a slide, a contact."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class JoinedBodyState:
    """Place [m], quat_NB, velocity [m/s] of a body's origin, N axes; rate [rad/s] in body axes; momenta about N's origin."""

    position: Floats
    quaternion: Floats
    velocity: Floats
    rate_body: Floats
    momentum: Floats
    angular_momentum: Floats


@dataclass(frozen=True, eq=False)
class BoomState:
    """Length [m], its rate [m/s], force of the drive [N], tension [N]; loads of the boom on tip and root in root axes.

    place [m] and turn [rad] of the tip in root axes; energy [J]; extension of the spring [m], whether at its stop;
    share of the length at which each plane (xy, xz) has an inflection, nan without
    """

    length: float
    speed: float
    drive_force: float
    tension: float
    force: Floats
    moment_tip: Floats
    moment_root: Floats
    place: Floats
    turn: Floats
    energy: float
    extension: float
    at_stop: bool
    inflection: tuple[float, float]


@dataclass(frozen=True)
class SlideState:
    """Stroke [m], its speed [m/s] and load [N]; spread [-], its rate [1/s] and load [N]."""

    stroke: float
    stroke_speed: float
    stroke_force: float
    spread: float
    spread_rate: float
    spread_force: float


@dataclass(frozen=True, eq=False)
class ContactState:
    """Force [N] and torque [N m] about its origin on the faces' body in axes of the reference's place, depth [m],
    area, sticking area [m^2], polygons, pressure [Pa], energies [J]."""

    force: Floats
    torque: Floats
    depth: float
    area: float
    polygons: int
    pressure: float
    sticking: float
    elastic: float
    stick: float
