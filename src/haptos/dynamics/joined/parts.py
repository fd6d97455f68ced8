"""Parts that joined bodies are made of: bodies with wings, wheels and thrusters, booms, slides, contacts, an orbit."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from haptos.contact.laws.foundation import FoundationLaw
from haptos.contact.sets.polygons import Refinement
from haptos.contact.sets.polygons_pair import fixed
from haptos.dynamics.flexible.appendages import ClampedMode
from haptos.dynamics.rigid.thrusters import Thruster
from haptos.environment.orbit_frames import EARTH_MU, KeplerElements
from haptos.geometry.distance.reference import Reference
from haptos.geometry.mesh.curved_faces import CurvedFaces


@dataclass(frozen=True)
class BodyFrame:
    """A frame fixed to a body: its origin [m] from the body's origin in body axes, and quat_BF."""

    body: str
    position: ArrayLike = (0.0, 0.0, 0.0)
    quaternion: ArrayLike = (1.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Wing:
    """A flexible wing: root [m], direction along it and normal of the panel in body axes.

    mass [kg], length, width [m], clamped modes; angle [rad] and rate [rad/s] of its drive about `along`
    """

    root: ArrayLike
    along: ArrayLike
    normal: ArrayLike
    mass: float
    length: float
    width: float
    modes: tuple[ClampedMode, ...] = ()
    angle: float = 0.0
    rate: float = 0.0


@dataclass(frozen=True)
class Wheel:
    """A reaction or momentum wheel: axis in body axes, momentum [N m s], limits, lag [s].

    noise [N m] one sigma, drawn with every command; friction [1/s] over the wheel's inertia
    """

    axis: ArrayLike
    momentum: float = 0.0
    torque_limit: float = math.inf
    momentum_limit: float = math.inf
    lag: float = 0.0
    noise: float = 0.0
    friction: float = 0.0


@dataclass(frozen=True)
class Light:
    """Faces that light falls on: normals (n, 3), centres (n, 3) [m], areas (n,) [m^2], reflections (n,) 1 to 2."""

    normals: ArrayLike
    centres: ArrayLike
    areas: ArrayLike
    reflections: ArrayLike


@dataclass(frozen=True)
class JoinedBody:
    """A rigid hub with its wings, wheels and thrusters.

    mass [kg], inertia (3, 3) [kg m^2] of the hub about its centre of mass, the origin of body axes
    position [m], quaternion quat_NB, velocity [m/s], rate [rad/s] at the start, N axes
    tank [m] place of its propellant in body axes, a point of the hub; propellant [kg] there at the start, no more
    than half the hub; None that half. Without propellant its thrusters are silent
    """

    name: str
    mass: float
    inertia: ArrayLike
    position: ArrayLike = (0.0, 0.0, 0.0)
    quaternion: ArrayLike = (1.0, 0.0, 0.0, 0.0)
    velocity: ArrayLike = (0.0, 0.0, 0.0)
    rate: ArrayLike = (0.0, 0.0, 0.0)
    wings: tuple[Wing, ...] = ()
    wheels: tuple[Wheel, ...] = ()
    thrusters: tuple[Thruster, ...] = ()
    light: Light | None = None
    tank: ArrayLike = (0.0, 0.0, 0.0)
    propellant: float | None = None


@dataclass(frozen=True)
class SafetySpring:
    """Spring in line with a boom: rigid up to its preload [N], then a stiffness [N/m] over a stroke [m], then a stop."""

    preload: float
    stiffness: float
    stroke: float


@dataclass(frozen=True)
class JoinedBoom:
    """A boom of changing length between two places; x of both along it. Give half its mass to each body.

    through  names of bodies at its inner nodes, root to tip, x along it: elements of equal shares of its length
    between them (`boom_nodes` makes them); none: one element
    stretch_damping_time beta [s] of the stretch of all elements but the first; None: damping_time
    length, shortest, longest [m]; bending EI, torsion GJ [N m^2], axial EA [N]; damping_time beta [s]
    stiffnesses of root, drive and tip, infinite where rigid [N m/rad], [N/m]
    """

    name: str
    root: BodyFrame
    tip: BodyFrame
    length: float
    bending: float
    torsion: float
    axial: float
    shortest: float = 0.0
    longest: float = math.inf
    root_turn_stiffness: float = math.inf
    root_lateral_stiffness: float = math.inf
    root_torsion_stiffness: float = math.inf
    drive_stiffness: float = math.inf
    tip_turn_stiffness: float = math.inf
    tip_lateral_stiffness: float = math.inf
    damping_time: float = 0.0
    spring: SafetySpring | None = None
    root_turn: bool = False
    through: tuple[str, ...] = ()
    stretch_damping_time: float | None = None


def boom_joints(boom: JoinedBoom) -> list[BodyFrame]:
    """Places that a boom runs through: root, nodes, tip."""
    return [boom.root, *(BodyFrame(name) for name in boom.through), boom.tip]


@dataclass(frozen=True)
class Slide:
    """Surfaces that a drive moves along -x of a place by a stroke [m], and spreads by sigma in [0, 1].

    growth [m] of their radius over the whole spread, which makes a force of the spread's load
    """

    name: str
    place: BodyFrame
    stroke: float = 0.0
    longest: float = math.inf
    spread: float = 0.0
    growth: float = 1.0


@dataclass(frozen=True)
class JoinedContact:
    """Faces of one body on the reference shape of another, each in a place of its body, under one law.

    max_depth [m] ends the run; slide: name of the slide that carries the faces; capacity: leaves at once
    """

    name: str
    reference: Reference
    reference_place: BodyFrame
    faces: CurvedFaces
    faces_place: BodyFrame
    law: FoundationLaw
    refinement: Refinement = field(default_factory=fixed)
    max_depth: float = 2e-3
    slide: str | None = None
    capacity: int = 20_000


@dataclass(frozen=True)
class OrbitalGravity:
    """Gravity about an origin on a Kepler ellipse; sun: unit vector to it in N axes, for light with eclipses."""

    elements: KeplerElements
    mu: float = EARTH_MU
    gravity_gradient: bool = True
    sun: ArrayLike | None = None


@dataclass(frozen=True)
class Plume:
    """Thrusters of one body blow on a ball of another: place in its body axes, radius [m], exponent of the jet."""

    source: str
    target: str
    position: ArrayLike = (0.0, 0.0, 0.0)
    radius: float = 1.0
    exponent: float = 10.0


def unit(direction: ArrayLike) -> np.ndarray:
    """Direction of length 1."""
    d = np.asarray(direction, dtype=float)
    return d / np.linalg.norm(d)
