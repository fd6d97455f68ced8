"""What the chaser makes of its sensors: the estimate of the nozzle's pose, and the record the sequence decides by."""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from haptos.dynamics.control.translation_loop import tidal_acceleration
from haptos.dynamics.joined.plant import Plant
from haptos.dynamics.sensing.alpha_beta import AlphaBeta
from haptos.dynamics.sensing.contact_switch import ContactSwitch, SwitchFault
from haptos.environment.orbit_frames import EARTH_MU
from haptos.scenarios.docking.config import Config
from haptos.scenarios.docking.model import BOOM, BRACKETS, NOZZLE_PAIRS, SHOULDER, Model
from haptos.scenarios.docking.recordings import CAMERA, DISTANCE, DRIVES, GYRO, TRACKER
from haptos.scenarios.docking.sensors import (
    CROWN_FORCE,
    DRIVE,
    LENGTH,
    MOMENT,
    SIDE,
    SPREAD,
    STROKE,
    TENSION,
    Suite,
    make_suite,
)
from haptos.scenarios.docking.shapes import room
from haptos.scenarios.docking.states import Seen

Floats = NDArray[np.float64]
BLIND = 5.0  # [s] after the last pose the boom's bending tells the angle between the axes
STALE = 1.0  # [s] a pose older than two samples and the delay is none
TOUCH_N = (
    2.0  # [N] on load cells that counts as a contact before switches, above their noise: assumed
)
COASTING = 2.0  # [s] without a pose after which the estimate is carried on step by step
OPENING = 0.5  # [s] over which the speed of the boom is taken from its length
NOZZLE_LATERAL, NOZZLE_AXIAL = "nozzle, lateral force", "nozzle, axial force"
NOZZLE_MOMENT, NOZZLE_PRESSURE = "nozzle, moment", "nozzle, pressure"
BOOM_MOMENT, BOOM_FORCE = "boom, moment", "boom, force"
UNITS = {
    NOZZLE_LATERAL: "N", NOZZLE_AXIAL: "N", NOZZLE_MOMENT: "N m", NOZZLE_PRESSURE: "Pa", BOOM_MOMENT: "N m",
    BOOM_FORCE: "N",
}  # fmt: skip
MOMENT_WINDOW = 10.0  # [s] over which the amplitude of the moment is taken: one slow oscillation


def pull(config: Config) -> tuple[float, Floats]:
    """(n^2 [1/s^2], unit vector from the Earth in N axes) of the orbit; n = 0 without one."""
    if config.orbit is None:
        return 0.0, np.array([1.0, 0.0, 0.0])
    a = math.radians(config.orbit.angle_deg)
    return EARTH_MU / config.orbit.radius_m**3, np.array([math.cos(a), math.sin(a), 0.0])


@dataclass(eq=False)
class Estimate:
    """Pose of the nozzle in root axes: filtered camera, range by the distance sensors when near.

    The boom's travel is measured, so the filter sees the throat from the root, which does not move with the
    boom. Relative orbital motion is that of the Clohessy-Wiltshire equations in axes that do not turn; what the
    thrusters were asked to give, `pushed` [m/s^2], is known too.
    """

    config: Config
    filter: AlphaBeta = field(init=False)
    lengths: deque[tuple[float, float]] = field(default_factory=deque)
    last_pose: float = -math.inf
    last_near: float = -math.inf
    valid_since: float = math.inf
    started: float = 0.0
    near: AlphaBeta = field(init=False)
    to_throat: float = math.nan
    agreeing: int = 0
    pushed: Floats = field(default_factory=lambda: np.zeros(3))

    def __post_init__(self) -> None:
        given, (n2, up) = self.config.estimator, pull(self.config)

        def tide(x: Floats, v: Floats) -> Floats:
            a = np.zeros_like(x)
            a[:3] = tidal_acceleration(n2, up, x[:3]) - self.pushed
            return a

        self.filter = AlphaBeta(
            given.alpha, given.beta, 1.0 / self.config.sensors.camera.rate_Hz, tide
        )
        self.near = AlphaBeta(given.alpha, given.beta, 1.0 / self.config.sensors.distance.rate_Hz)

    def length_at(self, time: float) -> float:
        """Boom length [m] read at a time [s], the newest not after it."""
        found = self.lengths[0][1]
        for when, length in self.lengths:
            if when > time + 1e-9:
                break
            found = length
        return found

    def update(self, time: float, suite: Suite) -> None:
        """Take what camera and distance sensors have delivered by a time [s]."""
        while len(self.lengths) > 2 and self.lengths[1][0] < time - 3.0:
            self.lengths.popleft()
        for reading in suite.delivered(CAMERA, time):
            if reading.is_valid:
                pose = reading.values.copy()
                pose[0] += self.length_at(reading.time)
                self.filter.correct(reading.time, pose)
                self.last_pose = reading.time
        for reading in suite.delivered(DISTANCE, time):
            self._take_ways(suite.crown_places(reading.values), reading.time)
        if self.filter.has_started and time - self.filter.time > COASTING:
            self.filter.x, self.filter.v = self.filter.at(time)  # thrust changes from now on
            self.filter.time = time
        if time - max(self.last_pose, self.last_near) > STALE:
            self.valid_since = math.inf
        else:
            self.valid_since = min(self.valid_since, time)

    def _take_ways(self, places: Floats, time: float) -> None:
        seen = places[np.isfinite(places)]
        if len(seen) < 2:
            self.to_throat, self.agreeing = math.nan, 0
            return
        middle = float(np.median(seen))
        self.to_throat = float(np.mean(seen)) if len(seen) == 3 else middle
        self.agreeing = int((np.abs(seen - middle) <= self.config.sensors.distance.agree_m).sum())
        self.near.correct(time, [self.to_throat + self.length_at(time)])
        if self.to_throat < self.config.estimator.near_m:
            self.last_near = time

    def lost_s(self, time: float) -> float:
        """Time [s] without a pose."""
        return time - max(self.last_pose, self.last_near, self.started)

    def at(self, time: float) -> tuple[Floats, Floats]:
        """(pose, rates) of the throat from the root now: x, y, z [m], turn [rad]."""
        if not self.filter.has_started:
            return np.full(6, math.nan), np.zeros(6)
        x, v = self.filter.at(time)
        if self.near.has_started and time - self.last_near < STALE:
            near, speed = self.near.at(time)
            x[0], v[0] = near[0], speed[0]
        return x, v


@dataclass(eq=False)
class DockingWatch:
    """Everything measured in a run: sensors, switches, estimate, timers, the `Seen` of each tick."""

    model: Model
    suite: Suite = field(init=False)
    estimate: Estimate = field(init=False)
    shoulder: list[ContactSwitch] = field(init=False)
    bracket: list[ContactSwitch] = field(init=False)
    drives: Floats = field(default_factory=lambda: np.zeros(8))
    attitude: Floats = field(default_factory=lambda: np.zeros(3))
    rate: Floats = field(default_factory=lambda: np.zeros(3))
    history: deque[tuple[float, float]] = field(default_factory=deque)
    moments: deque[tuple[float, float]] = field(default_factory=deque)
    beyond: dict[str, float] = field(default_factory=dict)
    largest: dict[str, float] = field(default_factory=dict)
    has_touched: bool = False
    stalled_since: float = math.inf
    closed: tuple[tuple[bool, ...], tuple[bool, ...]] = ((False,) * 3, (False,) * 3)

    def __post_init__(self) -> None:
        config = self.model.config
        self.suite, self.estimate = make_suite(self.model), Estimate(config)
        self.shoulder = [_switch(config, "shoulder", k) for k in range(3)]
        self.bracket = [_switch(config, "bracket", k) for k in range(3)]
        self.drives[LENGTH] = self.model.boom.length

    def look(self, time: float, plant: Plant, attitude_error: Floats, is_spreading: bool) -> Seen:
        """Sample, filter and judge at a time [s]."""
        self.suite.sample(time, plant)
        for reading in self.suite.delivered(DRIVES, time):
            if reading.is_valid:
                self.drives = reading.values
                self.estimate.lengths.append((reading.time, float(reading.values[LENGTH])))
        for name in (TRACKER, GYRO):
            for reading in self.suite.delivered(name, time):
                if reading.is_valid and name == TRACKER:
                    self.attitude = reading.values
                elif reading.is_valid:
                    self.rate = reading.values
        if not self.estimate.lengths:
            self.estimate.lengths.append((time, float(self.drives[LENGTH])))
        self.estimate.update(time, self.suite)
        self._press_switches(time, plant)
        return self._seen(time, plant, attitude_error, is_spreading)

    def _press_switches(self, time: float, plant: Plant) -> None:
        sectors = np.zeros(3)
        if self.model.slides:
            sectors = plant.sector_loads(SHOULDER, 3, 0.5 * math.pi)
        pads = [float(np.linalg.norm(plant.contact(name).force)) for name in BRACKETS]
        first = tuple(s.update(time, float(f)) for s, f in zip(self.shoulder, sectors, strict=True))
        second = tuple(s.update(time, f) for s, f in zip(self.bracket, pads, strict=True))
        self.closed = (first, second)

    def _seen(self, time: float, plant: Plant, attitude_error: Floats, is_spreading: bool) -> Seen:
        config, d = self.model.config, self.drives
        pose, rates = self.estimate.at(time)
        length, crown = float(d[LENGTH]), float(d[CROWN_FORCE])
        before = pose[0] - length  # of the tip before the throat
        rim = before + config.tool.rim_m
        felt = max(float(d[SIDE]), float(-d[TENSION])) > 2.0 * TOUCH_N or any(self.closed[0])
        self.has_touched = self.has_touched or (felt and before < config.nozzle.length_m + 0.02)
        self._remember(time, length, float(d[MOMENT]), is_spreading, crown)
        past = d[STROKE] - before  # of the crown, drawn back by its stroke
        shortest = config.boom.shortest_m
        return Seen(
            lateral=math.hypot(pose[1], pose[2]), angle=self._angle(time, pose, length),
            speed=float(np.linalg.norm(rates[:3])), rate=float(np.linalg.norm(rates[3:])),
            pose_valid_s=time - self.estimate.valid_since if math.isfinite(self.estimate.valid_since) else 0.0,
            pose_lost_s=self.estimate.lost_s(time), attitude_error=float(np.linalg.norm(attitude_error)),
            off_axis=_off_axis(pose, rim), room=room(self.model.shapes.wall, rim) - config.tool.radius_m,
            to_throat=self.estimate.to_throat, past_by_stroke=config.tool.bolt_ahead_m - before, agreeing=self.estimate.agreeing,
            opening=float(rates[0]) - self.pay_out_speed(), has_touched=self.has_touched, side_force=float(d[SIDE]),
            drive_force=float(d[DRIVE]), tension=float(d[TENSION]), crown_force=crown,
            spring_force=float(d[TENSION]), moment=self.amplitude(), advanced=self.advanced(),
            spread=float(d[SPREAD]), is_stalled=time - self.stalled_since > 0.5,
            shoulder=sum(self.closed[0]), bracket=sum(self.closed[1]), length=length,
            overload=self._overload(time, plant), folded=bool(d[SPREAD] < 0.02), past_throat=bool(past < -0.005),
            clear=bool(before > config.nozzle.length_m + 0.01), boom_in=length < shortest + 0.005, range=float(before),
        )  # fmt: skip

    def _angle(self, time: float, pose: Floats, length: float) -> float:
        """Angle [rad] between boom and nozzle: as seen, or when nothing is seen, as the boom is bent."""
        if time - self.estimate.last_pose < BLIND:
            return float(np.linalg.norm(pose[4:]))
        boom = self.model.config.boom
        soft = length / boom.bending_N_m2 + 1.0 / boom.root_turn_N_m_per_rad
        return float(self.drives[MOMENT]) * soft

    def _remember(
        self, time: float, length: float, moment: float, is_spreading: bool, crown: float
    ) -> None:
        self.history.append((time, length))
        while self.history[0][0] < time - self.model.config.sequence.wedged_s:
            self.history.popleft()
        while self.moments and self.moments[-1][1] <= moment:
            self.moments.pop()  # a later and larger one outlasts it: the first is the largest
        self.moments.append((time, moment))
        while self.moments[0][0] < time - MOMENT_WINDOW:
            self.moments.popleft()
        stall = self.model.config.crown.stall_N
        moves = is_spreading and float(self.drives[SPREAD]) < 0.98 and crown < 0.9 * stall
        self.stalled_since = (
            math.inf if moves or not is_spreading else min(self.stalled_since, time)
        )

    def advanced(self) -> float:
        """Way [m] of the boom within the window of `wedged_s`."""
        return abs(self.history[-1][1] - self.history[0][1])

    def pay_out_speed(self) -> float:
        """Speed [m/s] of the boom's length over the last OPENING seconds: what the range closes by without the bodies."""
        last, length = self.history[-1]
        since, before = last, length
        for when, then in reversed(self.history):
            if when < last - OPENING:
                break
            since, before = when, then
        return (length - before) / (last - since) if last > since else 0.0

    def amplitude(self) -> float:
        """Largest moment [N m] at the root within the window."""
        return self.moments[0][1]

    def _overload(self, time: float, plant: Plant) -> str:
        """Part that has been beyond its limit for long enough, with its load and limit; "" if none."""
        limits = self.model.config.damage
        for name, load, limit in loads(self.model, plant):
            self.largest[name] = max(self.largest.get(name, 0.0), load)
            if load <= limit:
                self.beyond.pop(name, None)
                continue
            since = self.beyond.setdefault(name, time)
            if time - since >= limits.for_s - 1e-9:
                return f"{name} {load:.3g} {UNITS[name]}, limit {limit:.3g} {UNITS[name]}"
        return ""


def loads(model: Model, plant: Plant) -> list[tuple[str, float, float]]:
    """(part, load, limit) of all that can be damaged, in SI units."""
    limits, found = model.config.damage, []
    if model.slides:
        pairs = [plant.contact(c.name) for c in plant.contacts if c.name in NOZZLE_PAIRS]
        force = sum((p.force for p in pairs), np.zeros(3))
        torque = sum((p.torque for p in pairs), np.zeros(3))
        found = [
            (
                NOZZLE_LATERAL,
                float(math.hypot(force[1], force[2])),
                limits.nozzle_lateral_N,
            ),
            (
                NOZZLE_AXIAL,
                max(abs(float(p.force[0])) for p in pairs),
                limits.nozzle_axial_N,
            ),
            (NOZZLE_MOMENT, float(math.hypot(torque[1], torque[2])), limits.nozzle_moment_N_m),
            (NOZZLE_PRESSURE, max(p.pressure for p in pairs), limits.pressure_Pa),
        ]
    boom = plant.boom(BOOM)
    moment = max(float(np.linalg.norm(boom.moment_root)), float(np.linalg.norm(boom.moment_tip)))
    return [
        *found,
        (BOOM_MOMENT, moment, limits.boom_moment_N_m),
        (BOOM_FORCE, abs(boom.tension), limits.boom_N),
    ]


def _off_axis(pose: Floats, rim: float) -> float:
    """Distance [m] of the tool's rim from the nozzle's axis, `rim` before the throat along the boom.

    The exit leans by the turn of the nozzle: a point of its axis at the distance s from the throat lies at
    (y, z) + s (sin of the turn) in root axes.
    """
    turn = pose[3:]
    y = pose[1] + rim * -turn[2]
    z = pose[2] + rim * turn[1]
    return math.hypot(y, z)


def _switch(config: Config, group: str, index: int) -> ContactSwitch:
    given = config.sensors.switches
    fault = next((f for f in given.faults if f.switch == group and f.index == index), None)
    return ContactSwitch(
        given.threshold_N, given.hold_s, given.bounce_s,
        None if fault is None else SwitchFault(fault.kind, fault.at_s),
    )  # fmt: skip
