"""What the chaser does in each state: wheels, thrusters, boom, crown."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from haptos.dynamics.control.attitude_loop import AttitudeLoop, wheel_torques
from haptos.dynamics.control.modes import LoopMode
from haptos.dynamics.control.pulse_selection import PulseSelection, selection_table
from haptos.dynamics.control.speed_loops import SpeedLoop
from haptos.dynamics.control.translation_loop import TranslationLoop, tidal_acceleration
from haptos.dynamics.joined.plant import Plant
from haptos.scenarios.docking.model import BOOM, CHASER, CLIENT, CROWN, Model
from haptos.scenarios.docking.sensors import LENGTH, SPREAD, STROKE, rotation_vector
from haptos.scenarios.docking.states import (
    ABORT,
    BEFORE_LOCK,
    DOCKED,
    HOLD,
    HOLD_MATED,
    INSERT,
    LOCK,
    MATED,
    RELEASE,
    RETRACT,
    RETREAT,
    TENSION,
    THROAT,
    TOUCHDOWN,
    Seen,
)
from haptos.scenarios.docking.watch import DockingWatch, pull

Floats = NDArray[np.float64]
ATTITUDE_PERIOD = 0.1  # [s] of the attitude loop: that of the gyro
LEAST_CHANGE = 1e-4  # [m/s] of a drive's command that is passed on
HOLDS = 0.6  # [-] spread from which the crown cannot go back through the throat: the boom follows until then
FREED = 0.003  # [m] the crown is let out before it folds
OPEN_SHARE = 1.5  # [-] of the opening speed that is flown for


@dataclass(eq=False)
class DriveCommands:
    """What was last asked of the drives and loops, for the log: force [N], torque [N m], speeds [m/s]."""

    force: Floats = field(default_factory=lambda: np.zeros(3))
    torque: Floats = field(default_factory=lambda: np.zeros(3))
    boom: float = math.nan
    stroke: float = math.nan
    spread: float = math.nan


@dataclass(eq=False)
class Loops:
    """Loops of the chaser in a run; `act` is called at every tick."""

    model: Model
    watch: DockingWatch
    attitude: AttitudeLoop = field(init=False)
    translation: TranslationLoop = field(init=False)
    pulses: PulseSelection = field(init=False)
    insertion: SpeedLoop = field(init=False)
    given: DriveCommands = field(default_factory=DriveCommands)
    reference: Floats = field(default_factory=lambda: np.zeros(3))
    next_attitude: float = 0.0
    next_pulse: float = 0.0
    entry_length: float = 0.0
    entry_stroke: float = 0.0
    is_tight: bool = False
    override: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        control, boom, model = self.model.config.control, self.model.config.boom, self.model
        self.attitude = AttitudeLoop(
            model.inertia, control.attitude_rad_per_s, control.attitude_damping
        )
        self.translation = TranslationLoop(
            model.mass, control.translation_rad_per_s, control.translation_damping, control.place_band_m,
            control.speed_band_m_per_s,
        )  # fmt: skip
        table = selection_table(
            np.array([jet.position for jet in model.jets]), np.array([jet.direction for jet in model.jets]),
            "[chaser.thrusters]",
        )  # fmt: skip
        thrust = np.array([jet.thrust for jet in model.jets])
        self.pulses = PulseSelection(table, thrust, model.jets[0].minimum_on, control.period_s)
        self.insertion = SpeedLoop(boom.insertion_m_per_s, control.approach_gain_per_s, 0.0)

    def entered(self, state: str, before: str) -> None:
        """A new state: remember where drives stand."""
        self.entry_length = float(self.watch.drives[LENGTH])
        self.entry_stroke = float(self.watch.drives[STROKE])
        self.is_tight = False
        if state == HOLD:
            self.watch.has_touched = False
        if state == HOLD_MATED and before != TOUCHDOWN:
            self.entry_length = -math.inf  # nothing to pay out

    @property
    def attitude_error(self) -> Floats:
        """Measured rotation [rad] from the attitude that is commanded."""
        return self.watch.attitude - self.reference

    def mode(self, state: str, time: float) -> LoopMode:
        """What the loops of the chaser do."""
        control = self.model.config.control
        if control.off_at_s is not None and time >= control.off_at_s:
            return LoopMode.FREE
        if (
            state in MATED
            or (state in BEFORE_LOCK and self.watch.has_touched)
            or state in (DOCKED, RELEASE)
        ):
            return LoopMode(control.aocs_in_contact)
        return LoopMode.ACTIVE

    def act(self, time: float, state: str, seen: Seen, plant: Plant) -> None:
        """Give the commands of a tick."""
        mode = self.mode(state, time)
        if time >= self.next_attitude - 1e-9:
            self.next_attitude += ATTITUDE_PERIOD
            self._turn(time, mode, plant)
        if time >= self.next_pulse - 1e-9:
            self.next_pulse += self.model.config.control.period_s
            self._push(time, mode, state, seen, plant)
        self._drive(state, seen, plant)
        if self.model.slides:
            self._move_crown(state, plant)

    def _turn(self, time: float, mode: LoopMode, plant: Plant) -> None:
        control, config = self.model.config.control, self.model.config
        if control.aligns_with_nozzle and mode is LoopMode.ACTIVE and not self.watch.has_touched:
            pose, _ = self.watch.estimate.at(time)
            if np.isfinite(pose).all():
                self.reference = self.watch.attitude + pose[3:] * np.array([0.0, 1.0, 1.0])
        stored = plant.wheels(CHASER) @ self.model.wheel_axes
        torque = self.attitude.torque(mode, self.attitude_error, self.watch.rate, stored)
        torque = np.asarray(self.override.get("torque", torque), dtype=float)
        shares = wheel_torques(self.model.wheel_axes, torque, config.chaser.wheels.torque_N_m)
        if control.wheel_off_at_s is not None and time >= control.wheel_off_at_s:
            shares[0] = 0.0
        self.given.torque = torque
        plant.set_wheel_torques(CHASER, shares)
        if config.client.holds:
            self._hold_client(plant)

    def _hold_client(self, plant: Plant) -> None:
        client = self.model.config.client
        state = plant.body(CLIENT)
        loop = AttitudeLoop(
            np.array(client.inertia_kg_m2), client.hold_frequency_rad_per_s, client.hold_damping
        )
        start = self.model.bodies[1].quaternion
        error = rotation_vector(_between(np.asarray(start, dtype=float), state.quaternion))
        torque = loop.torque(LoopMode.ACTIVE, error, state.rate_body)
        others = [0.0] * (len(self.model.bodies[1].wheels) - 3)
        plant.set_wheel_torques(CLIENT, [*others, *torque])

    def _push(self, time: float, mode: LoopMode, state: str, seen: Seen, plant: Plant) -> None:
        pose, rates = self.watch.estimate.at(time)
        force = np.zeros(3)
        if np.isfinite(pose).all() and mode is not LoopMode.FREE:
            place, speed = self._errors(state, seen, pose, rates)
            n2, up = pull(self.model.config)
            held = tidal_acceleration(n2, up, pose[:3])
            force = self.translation.force(mode, place, speed, held)
        force = np.asarray(self.override.get("force", force), dtype=float)
        if not force.any():
            self.pulses.clear()
        widths = self.pulses.widths(force)
        self.given.force = force
        given = widths * self.pulses.thrust @ np.array([jet.direction for jet in self.model.jets])
        self.watch.estimate.pushed = given / (self.pulses.period * self.model.mass)
        plant.fire(CHASER, widths)

    def _errors(self, state: str, seen: Seen, pose: Floats, rates: Floats) -> tuple[Floats, Floats]:
        """Errors of the chaser's place [m] and speed [m/s]: those of the throat, the other way round."""
        config = self.model.config
        wanted = np.array([config.boom.length_m + config.start.distance_m, 0.0, 0.0])
        place, speed = wanted - pose[:3], -rates[:3]
        backs_off = state == ABORT or (state == RETREAT and seen.boom_in)
        if backs_off or state == RETREAT:
            place = np.zeros(3)
        if backs_off:
            speed = speed + np.array([OPEN_SHARE * config.sequence.open_m_per_s, 0.0, 0.0])
        return place, speed

    def _drive(self, state: str, seen: Seen, plant: Plant) -> None:
        """Speed of the boom: > 0 pays out."""
        config = self.model.config
        boom, out = config.boom, config.boom.insertion_m_per_s
        back = boom.retraction_m_per_s
        speed = 0.0
        if state in (INSERT, THROAT) or (state == LOCK and seen.spread < HOLDS):
            is_open = seen.off_axis <= config.sequence.funnel_share * seen.room or state != INSERT
            speed = self.insertion.forward(
                seen.range + config.sequence.past_m, 1.0, is_open=is_open
            )
        elif state in (RETRACT, TOUCHDOWN):
            speed = -back
        elif state == TENSION:
            speed = self._tightened(seen, back)
        elif state == HOLD_MATED:
            speed = back if seen.length < self.entry_length + config.sequence.pay_out_m else 0.0
        elif state == RELEASE:
            speed = -back if seen.folded else 0.0
        elif state in (RETREAT, ABORT):
            speed = 0.0 if seen.boom_in else -out
        elif state == HOLD:
            away = boom.length_m - seen.length
            speed = math.copysign(min(out, abs(away)), away) if abs(away) > 2e-3 else 0.0
        self._set_boom(float(self.override.get("boom_speed", speed)), plant)

    def _tightened(self, seen: Seen, back: float) -> float:
        """Draw in until the spring is at its stop, slower as it comes near, then hold."""
        boom = self.model.config.boom
        stop = boom.spring_preload_N + boom.spring_N_per_m * boom.spring_stroke_m
        self.is_tight = self.is_tight or seen.tension >= stop
        share = min(max((1.05 * stop - seen.tension) / (0.3 * stop), 0.1), 1.0)
        return 0.0 if self.is_tight else -back * share

    def _set_boom(self, speed: float, plant: Plant) -> None:
        boom, faults = self.model.config.boom, self.model.config.faults
        if speed == self.given.boom or (
            speed != 0.0 and abs(speed - self.given.boom) < LEAST_CHANGE
        ):
            return
        stall = boom.insertion_stall_N if speed > 0.0 else boom.retraction_stall_N
        lower = faults.insertion_stall_N if speed > 0.0 else faults.retraction_stall_N
        plant.set_boom_speed(BOOM, speed, min(stall, lower or math.inf), boom.ramp_s)
        self.given.boom = speed

    def _move_crown(self, state: str, plant: Plant) -> None:
        crown, faults = self.model.config.crown, self.model.config.faults
        drives = self.watch.drives
        stroke, spread, until = 0.0, 0.0, 0.0
        if state == LOCK:
            stroke, spread, until = crown.speed_m_per_s, 1.0 / crown.spread_s, crown.spreads_to
        elif state in (RELEASE, RETREAT, ABORT, HOLD):
            stroke = -crown.speed_m_per_s if drives[STROKE] > 1e-5 else 0.0
            is_free = drives[STROKE] < max(self.entry_stroke - FREED, 1e-4) or state != RELEASE
            spread = -1.0 / crown.spread_s if is_free and drives[SPREAD] > 0.0 else 0.0
        stroke = float(self.override.get("stroke_speed", stroke))
        spread = float(self.override.get("spread_rate", spread))
        if stroke != self.given.stroke:
            plant.set_stroke_speed(
                CROWN, stroke, min(crown.stall_N, faults.crown_stall_N or math.inf)
            )
            self.given.stroke = stroke
        if spread != self.given.spread:
            plant.set_spread_rate(CROWN, spread, crown.spread_stall_N, until)
            self.given.spread = spread


def _between(first: Floats, second: Floats) -> Floats:
    """Quaternion of the turn from one attitude to another, axes of the first."""
    from haptos.core.rotations import quaternion_product

    return np.array(quaternion_product(first * np.array([1.0, -1.0, -1.0, -1.0]), second))
