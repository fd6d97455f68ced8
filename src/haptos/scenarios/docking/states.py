"""The sequence of a docking: states, conditions on what is measured, time-outs, and what a failure is called."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from haptos.core.outcome import Outcome
from haptos.dynamics.control.state_machine import Change, StateMachine, Transition, after
from haptos.scenarios.docking.config import Config

HOLD, INSERT, THROAT, LOCK = "HOLD", "INSERT", "THROAT", "LOCK"
RETRACT, TOUCHDOWN, TENSION, DOCKED = "RETRACT", "TOUCHDOWN", "TENSION", "DOCKED"
HOLD_MATED, RELEASE, RETREAT, ABORT, SAFE = "HOLD_MATED", "RELEASE", "RETREAT", "ABORT", "SAFE"
STATES = (
    HOLD, INSERT, THROAT, LOCK, RETRACT, TOUCHDOWN, TENSION, DOCKED, HOLD_MATED, RELEASE, RETREAT, ABORT, SAFE,
)  # fmt: skip
ENDS = (DOCKED, SAFE)
BEFORE_LOCK = (HOLD, INSERT, THROAT)
MATED = (LOCK, RETRACT, TOUCHDOWN, TENSION, HOLD_MATED)
CONTACT = (INSERT, THROAT, *MATED)

MISSED, REBOUNDED, WEDGED, OVER_FORCE = "missed", "rebounded", "wedged", "over-force"
SENSOR_LOST, CONTROL_LOST, RELEASED, TIMED_OUT = (
    "sensor lost",
    "control lost",
    "released",
    "timed out",
)
DONE = "docked"
DAMAGE, SIDE_FORCE = f"{OVER_FORCE}: damage", f"{OVER_FORCE}: side force"
CALM_WINDOW = 10.0  # [s] one slow oscillation
OUTCOMES = {
    DONE: Outcome.DOCKED, MISSED: Outcome.MISSED, REBOUNDED: Outcome.REBOUNDED, WEDGED: Outcome.WEDGED,
    OVER_FORCE: Outcome.OVER_FORCE, SENSOR_LOST: Outcome.SENSOR_LOST, CONTROL_LOST: Outcome.CONTROL_LOST,
    RELEASED: Outcome.RELEASED, TIMED_OUT: Outcome.TIMED_OUT,
}  # fmt: skip


@dataclass
class Seen:
    """What is measured, and simple things made of it: all that the sequence knows.

    lateral [m], angle [rad], speed [m/s], rate [rad/s]  of the nozzle's axis against the boom's
    pose_valid_s, pose_lost_s   since when there is a pose, or none [s]
    attitude_error [rad]        of the chaser from what is commanded
    off_axis, room [m]          of the tool's rim from the nozzle's axis; room there before it touches
    to_throat [m]               of the folded crown before the throat, by distance sensors; NaN if they see nothing
    past_by_stroke [m]          of the bolt's end past the throat, by boom length
    agreeing                    distance sensors that agree with it
    opening [m/s]               rate at which the range of the throat from the tip grows    has_touched  a contact was felt
    side_force, drive_force, tension, crown_force, spring_force [N]; moment [N m] at the root
    advanced [m]                of the boom in the last seconds of `wedged_s`
    spread [-]                  of the crown; is_stalled: its drive does not move
    shoulder, bracket           switches that are closed, 0 to 3
    length [m]                  of the boom
    overload                    part beyond its limit for long enough, with load and limit, "" if none
    folded, past_throat, clear  crown: folded; drawn out of the throat; clear of the exit plane
    boom_in                     boom at its shortest          range [m] of the throat from the tip
    """

    lateral: float = 0.0
    angle: float = 0.0
    speed: float = 0.0
    rate: float = 0.0
    pose_valid_s: float = 0.0
    pose_lost_s: float = 0.0
    attitude_error: float = 0.0
    off_axis: float = 0.0
    room: float = math.inf
    to_throat: float = math.nan
    past_by_stroke: float = -1.0
    agreeing: int = 0
    opening: float = 0.0
    has_touched: bool = False
    side_force: float = 0.0
    drive_force: float = 0.0
    tension: float = 0.0
    crown_force: float = 0.0
    spring_force: float = 0.0
    moment: float = 0.0
    advanced: float = math.inf
    spread: float = 0.0
    is_stalled: bool = False
    shoulder: int = 0
    bracket: int = 0
    length: float = 0.0
    overload: str = ""
    folded: bool = True
    past_throat: bool = True
    clear: bool = True
    boom_in: bool = False
    range: float = math.inf


When = Callable[[Seen, float], bool]


@dataclass
class Docking:
    """The machine of one run, with what it has to remember: tries, the cause of a failure, moments at entry."""

    config: Config
    machine: StateMachine[Seen] = field(init=False)
    tries_left: int = 0
    cause: str = ""
    retreats_after_lock: bool = False
    entry_moment: float = 0.0
    touchdown_retries: int = 0

    def __post_init__(self) -> None:
        self.tries_left = self.config.sequence.tries
        first = HOLD if self.config.sequence.start == "hold" else INSERT
        first = RETRACT if self.config.contact.lc_is_rigid else first
        self.machine = StateMachine(_table(self), first)

    @property
    def state(self) -> str:
        return self.machine.state

    @property
    def is_over(self) -> bool:
        """Whether the state is the last one, or the last that the file asks for."""
        return self.state in ENDS or (self._ends_locked and self.state in (RETRACT, ABORT))

    @property
    def _ends_locked(self) -> bool:
        return self.config.sequence.until == "locked"

    @property
    def outcome(self) -> Outcome:
        """How it ended; time-over is a time-out if it did not."""
        if self.state == DOCKED:
            return Outcome.DOCKED
        if self._ends_locked and self.state == RETRACT:
            return Outcome.CAPTURED
        return OUTCOMES[self.cause if self.state in (SAFE, ABORT) and self.cause else TIMED_OUT]

    def update(self, time: float, seen: Seen) -> str:
        """Look at what is measured at a time [s]; the state after it."""
        before = self.state
        change = self.machine.update(time, seen)
        if change is not None:
            self._name_load(change, seen)
            self._remember(before, change.target, change.cause, seen)
        elif self.state == HOLD_MATED and time - self.machine.entered < CALM_WINDOW:
            # Amplitude at entry: the largest moment of the first slow oscillation.
            self.entry_moment = max(self.entry_moment, seen.moment)
        return self.state

    def _name_load(self, change: Change, seen: Seen) -> None:
        """Write part and load of an over-force into the log."""
        if change.cause == DAMAGE:
            cause = f"{OVER_FORCE}: {seen.overload}"
        elif change.cause == SIDE_FORCE:
            cause = f"{SIDE_FORCE} {seen.side_force:.3g} N, limit {self.config.sequence.side_force_N:g} N"
        else:
            return
        self.machine.changes[-1] = replace(change, cause=cause)

    def _remember(self, before: str, target: str, cause: str, seen: Seen) -> None:
        kind = cause.split(":")[0]
        if target == HOLD_MATED:
            self.entry_moment = seen.moment
            if before == TOUCHDOWN:
                self.touchdown_retries += 1
        if target == RELEASE:
            self.cause = OVER_FORCE if kind == OVER_FORCE else RELEASED
        elif target == RETREAT and before != RELEASE:
            self.cause = kind
        elif target == HOLD:
            self.tries_left -= 1
            self.cause = ""
        elif (target == ABORT and before != RETREAT) or (target == SAFE and before != ABORT):
            self.cause = kind
        elif target == ABORT and kind == TIMED_OUT:
            self.cause = self.cause or TIMED_OUT


def _table(docking: Docking) -> tuple[Transition[Seen], ...]:
    """Transitions in the order they are looked at."""
    return (*_safety(docking), *_approach(docking), *_mated(docking), *_way_back(docking))


def _safety(docking: Docking) -> tuple[Transition[Seen], ...]:
    """What ends an attempt whatever else is seen."""
    s = docking.config.sequence
    tilt = math.radians(s.attitude_deg)
    return (
        Transition(BEFORE_LOCK, ABORT, f"{CONTROL_LOST}: attitude", lambda x, _: x.attitude_error > tilt),
        Transition(CONTACT, RELEASE, DAMAGE, lambda x, _: bool(x.overload)),
        Transition((INSERT, THROAT), ABORT, f"{REBOUNDED}: range opens",
                   lambda x, _: x.has_touched and x.opening > s.rebound_m_per_s, s.rebound_s),
    )  # fmt: skip


def _approach(docking: Docking) -> tuple[Transition[Seen], ...]:
    s = docking.config.sequence
    angle, rate = math.radians(s.hold_angle_deg), math.radians(s.hold_rate_deg_per_s)

    def is_aligned(x: Seen, _: float) -> bool:
        return (
            x.pose_valid_s >= s.hold_valid_s and x.lateral < s.hold_lateral_m and x.angle < angle
            and x.speed < s.hold_speed_m_per_s and x.rate < rate
        )  # fmt: skip

    def is_through(x: Seen, _: float) -> bool:
        return x.past_by_stroke >= s.lock_past_m and x.agreeing >= 2

    def is_wedged(x: Seen, lasted: float) -> bool:
        return lasted >= s.wedged_s and x.advanced < 1e-3 and x.drive_force > s.wedged_N

    return (
        Transition((HOLD,), INSERT, "aligned", is_aligned),
        Transition((HOLD,), ABORT, f"{TIMED_OUT}: HOLD", after(s.hold_s)),
        Transition((INSERT,), ABORT, f"{MISSED}: off the funnel",
                   lambda x, _: x.off_axis > s.funnel_share * x.room, s.funnel_s),
        Transition((INSERT,), ABORT, SIDE_FORCE, lambda x, _: x.side_force > s.side_force_N),
        Transition((INSERT,), ABORT, f"{SENSOR_LOST}: pose", lambda x, _: x.pose_lost_s > s.pose_lost_s),
        Transition((INSERT,), THROAT, "crown near the throat", lambda x, _: x.to_throat <= s.throat_m),
        Transition((INSERT,), ABORT, f"{TIMED_OUT}: INSERT", after(s.insert_s)),
        Transition((THROAT,), LOCK, "bolt past the throat", is_through),
        Transition((THROAT,), RETREAT, f"{WEDGED}: no advance", is_wedged),
        Transition((THROAT,), RETREAT, f"{TIMED_OUT}: THROAT", after(s.throat_s)),
    )  # fmt: skip


def _mated(docking: Docking) -> tuple[Transition[Seen], ...]:
    s, boom = docking.config.sequence, docking.config.boom
    axes = math.radians(s.axes_deg)
    stop = boom.spring_preload_N + boom.spring_N_per_m * boom.spring_stroke_m
    way = (boom.lock_m - boom.end_m) / boom.retraction_m_per_s + s.retract_extra_s

    def is_locked(x: Seen, _: float) -> bool:
        return x.spread > 0.98 and x.crown_force >= s.lock_N and x.shoulder == 3

    def is_blocked(x: Seen, _: float) -> bool:
        return x.spread < 0.9 and x.is_stalled

    def contradict(x: Seen, _: float) -> bool:
        return x.crown_force >= s.lock_N and x.spread > 0.98 and 0 < x.shoulder < 3

    def strained(x: Seen, _: float) -> bool:
        return x.tension > s.tension_N or x.angle > axes

    def calmed(x: Seen, lasted: float) -> bool:
        return (
            lasted >= CALM_WINDOW
            and not strained(x, lasted)
            and x.moment <= 0.5 * docking.entry_moment
        )

    def entered_too_often(x: Seen, _: float) -> bool:
        return docking.machine.count(HOLD_MATED) > s.mated_entries

    return (
        Transition((LOCK,), RELEASE, "spread blocked", is_blocked),
        Transition((LOCK,), RELEASE, "crown force", lambda x, _: x.crown_force > s.lock_most_N),
        Transition((LOCK,), RELEASE, "switches contradict", contradict, 1.0),
        Transition((LOCK,), RETRACT, "locked", is_locked, 1.0),
        Transition((LOCK,), RELEASE, f"{TIMED_OUT}: LOCK", after(s.lock_s)),
        Transition((RETRACT,), HOLD_MATED, "tension or angle", strained),
        Transition((RETRACT,), TOUCHDOWN, "ring near the brackets",
                   lambda x, _: x.bracket > 0 or x.length < boom.end_m + s.near_end_m),
        Transition((RETRACT,), HOLD_MATED, f"{TIMED_OUT}: RETRACT", after(way)),
        Transition((TOUCHDOWN,), TENSION, "on all brackets", lambda x, _: x.bracket == 3, 0.5),
        Transition((TOUCHDOWN,), RELEASE, f"{TIMED_OUT}: TOUCHDOWN again",
                   lambda _, lasted: docking.touchdown_retries > 0 and lasted >= s.touchdown_s),
        Transition((TOUCHDOWN,), HOLD_MATED, f"{TIMED_OUT}: TOUCHDOWN", after(s.touchdown_s)),
        Transition((TENSION,), DOCKED, DONE, lambda x, _: x.spring_force >= 0.97 * stop, 2.0),
        Transition((TENSION,), HOLD_MATED, f"{TIMED_OUT}: TENSION", after(s.tension_s)),
        Transition((HOLD_MATED,), RELEASE, "held too often", entered_too_often),
        Transition((HOLD_MATED,), RETRACT, "calmed", calmed),
        Transition((HOLD_MATED,), RELEASE, f"{TIMED_OUT}: HOLD_MATED", after(s.mated_s)),
    )  # fmt: skip


def _way_back(docking: Docking) -> tuple[Transition[Seen], ...]:
    s = docking.config.sequence

    def may_try_again(x: Seen, _: float) -> bool:
        return x.clear and x.pose_valid_s > 0.0 and docking.tries_left > 0

    def is_safe(x: Seen, _: float) -> bool:
        return x.boom_in and x.opening >= s.open_m_per_s and x.range > s.safe_m

    return (
        Transition((RELEASE,), RETREAT, "folded and out of the throat", lambda x, _: x.folded and x.past_throat),
        Transition((RELEASE,), SAFE, f"{WEDGED}: RELEASE", after(s.release_s)),
        Transition((RETREAT,), HOLD, "clear: try again", may_try_again),
        Transition((RETREAT,), ABORT, "clear: no tries left", lambda x, _: x.clear and docking.tries_left == 0),
        Transition((RETREAT,), ABORT, f"{TIMED_OUT}: RETREAT", after(s.retreat_s)),
        Transition((ABORT,), SAFE, "away", is_safe),
        Transition((ABORT,), SAFE, f"{TIMED_OUT}: ABORT", after(s.abort_s)),
    )  # fmt: skip
