"""A retrieval from ejection to capture: its order of events, its numbers, its ways to end.

Thrust begins at `thrust_on`, the reel at `reel_on` with a ramp; steps end at these times and where the line gets taut or
slack. The load is captured when it comes within reach more slowly than `capture_speed`; it collides when it is faster, and
it has overrun the hull when it is above it and moves away on a slack line. Where a clutch lets out all of the line, the
run ends.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from haptos.dynamics.cable.retrieval import (
    BROKEN,
    DAMPER,
    EMPTY,
    EVENTS,
    EXTREMES,
    HULL,
    HULL_V,
    LATERAL_DV,
    LENGTH,
    LINE_OUT,
    LOAD,
    LOAD_V,
    O_STUCK,
    ORDERS,
    OVERRUN,
    REACHED_LOAD,
    SIZE,
    SLACK,
    SLACKENED,
    TAUT,
    USED,
    WORKS,
    X_ANGLE,
    X_FAR,
    X_MIDDLE,
    X_TENSION,
    X_WHEN,
    RetrievalLine,
    energy,
    march_retrieval,
    tension,
)
from haptos.dynamics.march.adaptive import EVENT, STALLED, STEPS_OVER, WHICH, changed, march_of

Floats = NDArray[np.float64]

STANDARD_GRAVITY = 9.80665  # [m/s^2]
CAPTURED, COLLIDED, OVERRAN, BROKE, EMPTIED, TIME_OVER, UNFINISHED, LINE_END = (
    "captured", "collided", "overran", "broke", "propellant out", "time over", "steps over", "tether end reached",
)  # fmt: skip
LIMITS = {"steps": 6_000_000}


@dataclass(frozen=True, slots=True)
class RetrievalFailures:
    """What fails at a time [s] after ejection: reel and clutch stand still, the clutch alone holds, the line breaks, the
    thruster goes out, the camera of the swing damping is lost, a lateral thruster along x stays on with a force [N]."""

    reel_jam: float = math.inf
    clutch_jam: float = math.inf
    line_break: float = math.inf
    thrust_off: float = math.inf
    camera_loss: float = math.inf
    thruster_stuck: float = math.inf
    stuck_force: float = 5.0

    def in_order(self) -> list[tuple[float, str]]:
        """(time [s], name) of all that fail."""
        names = (
            "reel_jam",
            "clutch_jam",
            "line_break",
            "thrust_off",
            "camera_loss",
            "thruster_stuck",
        )
        found = [(getattr(self, name), name.replace("_", " ")) for name in names]
        return sorted(one for one in found if math.isfinite(one[0]))


NO_FAILURES = RetrievalFailures()


@dataclass(frozen=True, slots=True)
class RetrievalCase:
    """A retrieval; defaults are those of docs/models/retrieval.md.

    hull, load [kg]; distance, aside, across  of the hull from the load along `up`, x, y [m]; total  all of the line [m]
    rise, drift  speed of the hull along `up` and x [m/s]; impulse  of ejection [N s], eject_angle  from `up` towards x [rad],
    eject_across  out of that plane towards y [rad]
    thrust [N] from thrust_on [s]; reel  speed of reeling in [m/s] from reel_on [s] over ramp [s]
    stiffness, damping  of the line [N], [N s];  slip, slope  of the clutch [N], [N s/m], infinite for a rigid reel
    spring, damper  of the series damper [N/m], [N s/m], 0 without;  swing  damping ratio [-] and largest acceleration [m/s^2]
    """

    hull: float = 2500.0
    load: float = 2.0
    distance: float = 100.0
    rise: float = 2.0
    drift: float = 0.05
    impulse: float = 0.1
    thrust: float = 20.0
    thrust_on: float = 0.2
    reel: float = 0.2
    reel_on: float = 5.0
    ramp: float = 1.0
    stiffness: float = 1.1343e4
    damping: float = 49.24
    slip: float = 2.0
    slope: float = 2.0
    spring: float = 113.43
    damper: float = 27.1
    least: float = 0.5
    breaking: float = 300.0
    propellant: float = 100.0
    specific_impulse: float = 220.0
    gravity: float = 0.0
    reach: float = 2.0
    capture_speed: float = 1.0
    swing_ratio: float = 0.7
    swing_largest: float = 0.0
    swing_on: float = 5.0
    after: float = 0.0
    longest: float = 3000.0
    aside: float = 0.0
    across: float = 0.0
    eject_angle: float = 0.0
    eject_across: float = 0.0
    total: float = math.inf
    failures: RetrievalFailures = NO_FAILURES


@dataclass(eq=False)
class RetrievalFigures:
    """How a retrieval went, in numbers.

    ended  one of CAPTURED ... TIME_OVER          time  of the end [s] (of capture, without what follows)
    speed, angle, pull  at the end: closing [m/s], of the line from `up` [rad], tension [N]
    """

    ended: str
    time: float
    speed: float
    angle: float
    pull: float
    peak: float
    peak_time: float
    angle_all: float
    angle_far: float
    angle_middle: float
    slack: float
    propellant: float
    lateral_dv: float


@dataclass(eq=False)
class Retrieved(RetrievalFigures):
    """How it went.

    rows  (n, 24) states at `times` [s];  events  (time [s], what);  end  time of the last state [s]
    """

    line: RetrievalLine
    times: Floats
    rows: Floats
    held_from: float
    state: Floats
    events: list[tuple[float, str]] = field(default_factory=list)
    marks: list[tuple[str, float, Floats]] = field(default_factory=list)
    captured_loss: float = 0.0
    end: float = 0.0
    orders: Floats = field(default_factory=lambda: np.zeros(ORDERS))


class _Run:
    """A march with its orders, events and marks of phases."""

    def __init__(self, case: RetrievalCase, times: Floats, tolerance: float) -> None:
        self.case = case
        self.line = line_of(case)
        self.orders, self.extremes = np.zeros(ORDERS), np.zeros(EXTREMES)
        y = first_state(case)
        scale = np.full(SIZE, tolerance)
        for work in WORKS.values():
            scale[work] = 10.0 * tolerance
        scale[SLACK], scale[USED] = 1.0, tolerance
        self.march = march_of(y, scale, events=EVENTS, step=1e-4, times=times)
        self.events: list[tuple[float, str]] = []
        self.marks: list[tuple[str, float, Floats]] = []
        self.tolerance = tolerance

    @property
    def time(self) -> float:
        return float(self.march.clock[0])

    def mark(self, name: str) -> None:
        """Begin a phase."""
        self.marks.append((name, self.time, self.march.y.copy()))

    def until(self, when: float) -> str:
        """Go on to a time; an empty text, or how the retrieval ended."""
        while self.time < when:
            done = march_retrieval(
                self.line, self.orders, self.extremes, self.march, when, self.tolerance, 5.0, LIMITS["steps"]
            )  # fmt: skip
            if done in (STALLED, STEPS_OVER):
                return UNFINISHED
            if done == EVENT and (ended := self._event(int(self.march.counts[WHICH]))):
                return ended
        return ""

    def _event(self, which: int) -> str:
        if which in (SLACKENED, TAUT):
            self.events.append((self.time, "slack" if which == SLACKENED else "taut"))
            changed(self.march)
            return ""
        if which == REACHED_LOAD:
            fast = closing_speed(self.march.y) > self.case.capture_speed
            return COLLIDED if fast else CAPTURED
        if which == EMPTY:
            self.events.append((self.time, "propellant out"))
            return EMPTIED
        return {OVERRUN: OVERRAN, BROKEN: BROKE, LINE_OUT: LINE_END}[which]


def first_state(case: RetrievalCase) -> Floats:
    """The state at ejection: the load at the origin, a line that is just taut."""
    y = np.zeros(SIZE)
    y[HULL : HULL + 3] = case.aside, case.across, case.distance
    y[HULL_V], y[HULL_V + 2] = case.drift, case.rise
    y[LOAD_V : LOAD_V + 3] = ejected(case)
    y[LENGTH] = math.hypot(case.aside, case.across, case.distance)
    return y


def ejected(case: RetrievalCase) -> tuple[float, float, float]:
    """Velocity [m/s] of the load at ejection."""
    speed, flat = case.impulse / case.load, math.cos(case.eject_across)
    return (
        speed * flat * math.sin(case.eject_angle), speed * math.sin(case.eject_across),
        speed * flat * math.cos(case.eject_angle),
    )  # fmt: skip


def line_of(case: RetrievalCase) -> RetrievalLine:
    """The constants of a case as the kernel reads them."""
    return RetrievalLine(
        case.stiffness, case.damping, case.slip, case.slope, case.spring if case.damper > 0.0 else 0.0,
        case.damper, case.least, case.breaking, case.hull, case.load, case.propellant,
        case.specific_impulse * STANDARD_GRAVITY, case.gravity, case.reach, case.total,
    )  # fmt: skip


def closing_speed(y: Floats) -> float:
    """Speed [m/s] of the load against the hull."""
    return float(np.linalg.norm(y[HULL_V : HULL_V + 3] - y[LOAD_V : LOAD_V + 3]))


def line_angle(y: Floats) -> float:
    """Angle [rad] of the line from `up`."""
    between = y[HULL : HULL + 3] - y[LOAD : LOAD + 3]
    return math.acos(min(max(float(between[2] / np.linalg.norm(between)), -1.0), 1.0))


def retrieve(case: RetrievalCase, *, interval: float = 0.0, tolerance: float = 1e-9) -> Retrieved:
    """Follow a retrieval; rows are stored at an interval [s], none if it is 0."""
    times = np.arange(0.0, case.longest + case.after, interval) if interval > 0.0 else np.zeros(0)
    run = _Run(case, times, tolerance)
    run.mark("ejection")
    plan: list[tuple[float, str]] = [
        (case.thrust_on, "fly-away"), (case.reel_on, "reeling"), (case.reel_on + case.ramp, ""),
        (max(case.swing_on, 0.0), "swing"), *case.failures.in_order(),
    ]  # fmt: skip
    ended = ""
    for when, what in sorted(plan):
        if ended := run.until(min(when, case.longest)):
            break
        if when >= case.longest:
            break
        if ended := _ordered(run, what):
            break
    ended = ended or run.until(case.longest) or TIME_OVER
    return _finished(run, ended)


def _ordered(run: _Run, what: str) -> str:
    """Give an order, or let something fail; an empty text, or how the retrieval ends by it."""
    case, orders = run.case, run.orders
    if what == "fly-away" and case.failures.thrust_off > run.time:
        orders[0] = case.thrust
    elif what == "reeling" and case.failures.reel_jam > run.time:
        orders[1:4] = (-case.reel, case.reel_on, case.ramp)
    elif what == "swing" and case.failures.camera_loss > run.time:
        orders[4:6] = (case.swing_ratio, case.swing_largest)
    elif what == "thrust off":
        orders[0] = 0.0
    elif what == "camera loss":
        orders[5] = 0.0
    elif what == "thruster stuck":
        orders[O_STUCK] = case.failures.stuck_force
    elif what in ("reel jam", "clutch jam"):
        run.line = run.line._replace(slip=math.inf)
        if what == "reel jam":
            orders[1] = 0.0
    if what in ("fly-away", "reeling"):
        run.mark(what)
    elif what not in ("swing", ""):
        run.events.append((run.time, what))
        run.mark(what)
    changed(run.march)
    return BROKE if what == "line break" else ""


def _finished(run: _Run, ended: str) -> Retrieved:
    case, y = run.case, run.march.y
    pull = float(tension(run.line, run.orders, run.time, y)[0])
    orders = run.orders.copy()
    found = Retrieved(
        ended, run.time, closing_speed(y), line_angle(y), pull, float(run.extremes[X_TENSION]),
        float(run.extremes[X_WHEN]), float(run.extremes[X_ANGLE]), float(run.extremes[X_FAR]),
        float(run.extremes[X_MIDDLE]), float(y[SLACK]), float(y[USED]), float(y[LATERAL_DV]),
        run.line, np.zeros(0), np.zeros(0), math.inf, y.copy(), run.events, run.marks,
    )  # fmt: skip
    found.orders = orders
    run.events.append((run.time, ended))
    if ended == CAPTURED:
        found.held_from = run.time
        found.captured_loss = _hold(run)
        run.mark("held")
        run.until(run.time + case.after)
        found.state = run.march.y.copy()
    found.end = run.time
    stored = int(run.march.counts[2])
    found.times, found.rows = run.march.times[:stored].copy(), run.march.rows[:stored].copy()
    return found


def _hold(run: _Run) -> float:
    """Take the load in: one velocity, no line; returns the energy lost [J]."""
    y, line = run.march.y, run.line
    before = sum(energy(line, run.orders, y))
    mass = line.hull - y[USED]
    for i in range(3):
        v = (mass * y[HULL_V + i] + line.load * y[LOAD_V + i]) / (mass + line.load)
        y[HULL_V + i] = y[LOAD_V + i] = v
    y[DAMPER] = 0.0
    run.orders[6], run.orders[1] = 1.0, 0.0
    changed(run.march)
    return before - sum(energy(line, run.orders, y))
