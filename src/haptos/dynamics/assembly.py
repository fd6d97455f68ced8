"""Points, rigid bodies and cable elements collected one by one, laid out for the kernels at the end.

A scenario fills an `Assembly` by name and asks it for the records that the kernels walk over.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from haptos.core.rotations import rotation_matrices
from haptos.dynamics.cable.thread_link import link_damping
from haptos.dynamics.motion import Motion, motion_of
from haptos.dynamics.system import (
    NODE,
    Hulls,
    LineArrays,
    PointArrays,
    ThreadArrays,
)
from haptos.geometry.mesh.point_masses import with_point_masses
from haptos.materials.threads import Thread

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class CableEnd:
    """Where a thread ends: a node, or a point fixed to a body."""

    number: int
    is_fixed: bool = False


@dataclass(frozen=True, slots=True)
class AssembledBody:
    """A rigid body at the start; one of infinite mass does not move, of infinite moments not turn.

    moments   [kg m^2], principal                 place  [m], speed [m/s], N axes
    attitude  quat_NB                             rate   [rad/s], own axes
    """

    name: str
    mass: float
    moments: Floats
    place: Floats
    speed: Floats
    attitude: Floats
    rate: Floats


@dataclass
class Assembly:
    """What a system of bodies and cables is put together from."""

    bodies: list[AssembledBody] = field(default_factory=list)
    places: list[Floats] = field(default_factory=list)
    masses: list[float] = field(default_factory=list)
    radii: list[float] = field(default_factory=list)
    speeds: dict[int, Floats] = field(default_factory=dict)
    kinds: list[int] = field(default_factory=list)
    fixed: list[tuple[int, Floats, float, int]] = field(default_factory=list)
    elements: list[tuple[CableEnd, CableEnd, float, Thread, int]] = field(default_factory=list)
    lines: list[tuple[list[CableEnd], float, Thread]] = field(default_factory=list)
    borne: list[tuple[CableEnd, float]] = field(default_factory=list)

    def node(
        self, place: ArrayLike, mass: float, radius: float, speed: Floats | None = None,
        kind: int = 0,
    ) -> CableEnd:  # fmt: skip
        """A node at a place [m] in N axes, touching as a ball of a radius [m].

        speed  [m/s], N axes; that of a point of body 0 if left out       kind  row of the pairs
        """
        if speed is not None:
            self.speeds[len(self.places)] = speed
        self.places.append(np.asarray(place, dtype=float))
        self.masses.append(float(mass))
        self.radii.append(radius)
        self.kinds.append(kind)
        return CableEnd(len(self.places) - 1)

    def point(self, body: int, offset: ArrayLike, radius: float = 0.0, kind: int = 0) -> CableEnd:
        """A point of a body, offset [m] from its centre in its own axes."""
        self.fixed.append((body, np.asarray(offset, dtype=float), radius, kind))
        return CableEnd(len(self.fixed) - 1, is_fixed=True)

    def thread(
        self, first: CableEnd, second: CableEnd, length: float, thread: Thread, kind: int
    ) -> int:
        """A thread element of a length [m]; its number. Its mass is given with its nodes."""
        self.elements.append((first, second, float(length), thread, kind))
        return len(self.elements) - 1

    def load(self, end: CableEnd, mass: float) -> None:
        """Add mass [kg] to a node, or to the body of a fixed point; see `bear_loads`."""
        if end.is_fixed:
            self.borne.append((end, float(mass)))
        else:
            self.masses[end.number] += mass

    def mass_at(self, end: CableEnd) -> float:
        """Mass [kg] of a node, or of the body of a fixed point with all that is loaded on it so far."""
        if not end.is_fixed:
            return self.masses[end.number]
        body = self.fixed[end.number][0]
        return self.bodies[body].mass + sum(m for _, m in self._loads_of(body))

    def _loads_of(self, body: int) -> list[tuple[Floats, float]]:
        """(offset [m], mass [kg]) of what is loaded on a body."""
        return [
            (self.fixed[end.number][1], mass)
            for end, mass in self.borne
            if self.fixed[end.number][0] == body
        ]

    def bear_loads(self, shifted: Collection[int] = ()) -> None:
        """Make what is loaded on bodies a part of them, once all is there.

        Bodies of the numbers `shifted` bear it where it is tied, on their axis z: their centre of mass
        moves. The others, whose shapes are given about their centres, bear it in the centre.
        """
        for number, body in enumerate(self.bodies):
            loads = self._loads_of(number)
            if not loads or not np.isfinite(body.mass):
                continue
            is_on_axis = all(not offset[:2].any() for offset, _ in loads)
            along = [float(offset[2]) for offset, _ in loads]
            if number not in shifted or not is_on_axis:
                along = [0.0] * len(loads)
            added = [mass for _, mass in loads]
            mass, shift, moments = with_point_masses(body.mass, body.moments, added, along, 2)
            moved = rotation_matrices(body.attitude) @ np.array([0.0, 0.0, shift])
            turn = rotation_matrices(body.attitude) @ body.rate
            self.bodies[number] = replace(
                body, mass=mass, moments=moments, place=body.place + moved,
                speed=body.speed + np.cross(turn, moved),
            )  # fmt: skip
            for k, (owner, offset, radius, kind) in enumerate(self.fixed):
                if owner == number:
                    self.fixed[k] = (owner, offset - np.array([0.0, 0.0, shift]), radius, kind)
        self.borne.clear()

    def place_of(self, end: CableEnd) -> Floats:
        """Where an end is at the start [m], N axes."""
        if not end.is_fixed:
            return self.places[end.number]
        body, offset, _, _ = self.fixed[end.number]
        owner = self.bodies[body]
        return np.asarray(owner.place + rotation_matrices(owner.attitude) @ offset)

    def speed_of(self, end: CableEnd) -> Floats | None:
        """Velocity of an end at the start [m/s], N axes; None where it moves with body 0."""
        if not end.is_fixed:
            return self.speeds.get(end.number)
        body, offset, _, _ = self.fixed[end.number]
        owner = self.bodies[body]
        dcm = rotation_matrices(owner.attitude)
        return None if body == 0 else np.asarray(owner.speed + dcm @ np.cross(owner.rate, offset))

    def speeds_between(self, ends: tuple[CableEnd, CableEnd], count: int) -> list[Floats | None]:
        """Velocities of nodes between two ends, straight from one to the other; None as above."""
        both = [self.speed_of(end) for end in ends]
        if both[0] is None and both[1] is None:
            return [None] * count
        first = self.bodies[0]
        turn = rotation_matrices(first.attitude) @ first.rate
        near, far = (
            first.speed + np.cross(turn, self.place_of(end) - first.place) if own is None else own
            for own, end in zip(both, ends, strict=True)
        )
        share = np.arange(1, count + 1) / (count + 1.0)
        return [near + s * (far - near) for s in share]

    def index(self, end: CableEnd) -> int:
        """Number of a point; only once all nodes are there."""
        return len(self.places) + self._order().index(end.number) if end.is_fixed else end.number

    def _order(self) -> list[int]:
        """Fixed points as they stand after the nodes: those of one body together."""
        return sorted(range(len(self.fixed)), key=lambda k: self.fixed[k][0])

    def points(self) -> PointArrays:
        """Nodes and then fixed points."""
        order = self._order()
        n = len(self.places)
        none = np.zeros((n, 3))
        offsets = [self.fixed[k][1] for k in order]
        return PointArrays(
            owner=np.array([NODE] * n + [self.fixed[k][0] for k in order], dtype=np.int64),
            offset=np.concatenate([none, np.reshape(offsets, (-1, 3))]),
            radius=np.array(self.radii + [self.fixed[k][2] for k in order]),
            kind=np.array(self.kinds + [self.fixed[k][3] for k in order], dtype=np.int64),
        )

    def threads(self, breaks: bool) -> ThreadArrays:
        """All elements; those that do not break bear any tension."""
        ends = [(self.index(a), self.index(b)) for a, b, _, _, _ in self.elements]
        made = [thread for _, _, _, thread, _ in self.elements]
        damping = [
            link_damping(t.axial_stiffness, t.linear_density, t.damping_ratio[0]) for t in made
        ]
        breaking = [t.breaking_tension if breaks else np.inf for t in made]
        return ThreadArrays(
            np.reshape(np.array(ends, dtype=np.int64), (-1, 2)),
            np.array([t.axial_stiffness for t in made]), np.array(damping), np.array(breaking),
        )  # fmt: skip

    def running_lines(self, ring: float = 0.0) -> LineArrays:
        """Lines that pass freely through points, with rings of a radius [m] there."""
        starts = np.cumsum([0, *(len(path) for path, _, _ in self.lines)])
        damping = [
            link_damping(t.axial_stiffness, t.linear_density, t.damping_ratio[0])
            for _, _, t in self.lines
        ]
        return LineArrays(
            np.asarray(starts, dtype=np.int64),
            np.array(
                [self.index(end) for path, _, _ in self.lines for end in path], dtype=np.int64
            ),
            np.array([t.axial_stiffness for _, _, t in self.lines], dtype=float),
            np.array(damping, dtype=float),
            ring,
        )

    def motion(self, pair_room: int = 0, boxes: int = 0, hulls: Hulls | None = None) -> Motion:
        """State at the start; nodes without a velocity of their own move as body 0 does."""
        points = self.points()
        lengths = [length for _, _, length, _, _ in self.elements]
        line_lengths = [length for _, length, _ in self.lines]
        mass = np.concatenate([self.masses, np.zeros(len(self.fixed))])
        motion = motion_of(
            points, mass, len(self.bodies), lengths, line_lengths, pair_room=pair_room,
            boxes=boxes, hulls=hulls,
        )  # fmt: skip
        for b, body in enumerate(self.bodies):
            motion.bodies.place[b], motion.bodies.speed[b] = body.place, body.speed
            motion.bodies.attitude[b] = body.attitude / np.linalg.norm(body.attitude)
            dcm = rotation_matrices(motion.bodies.attitude[b])
            moments = np.where(np.isfinite(body.moments), body.moments, 0.0)
            motion.bodies.momentum[b] = dcm @ (moments * body.rate)
            motion.bodies.inverse_mass[b] = 1.0 / body.mass
        first = self.bodies[0]
        turn = rotation_matrices(motion.bodies.attitude[0]) @ first.rate
        n = len(self.places)
        motion.points.x[:n] = np.reshape(self.places, (-1, 3))
        motion.points.v[:n] = first.speed + np.cross(turn, motion.points.x[:n] - first.place)
        for i, speed in self.speeds.items():
            motion.points.v[i] = speed
        return motion
