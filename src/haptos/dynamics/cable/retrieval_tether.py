"""A retrieval on the tether of cells: the line has mass, waves run along it, and a camera looks at it.

The case is that of `retrieval_run.py`; hull, line, reel, clutch and series damper are those of `tether_system.py`:

    reel   a profile of lengths that slips at T_slip with slope b: the clutch      damper  in series at the hull
    swing  a lateral acceleration by `swing_damping.py`, from where a camera at the hull sees the load, every SAMPLE

    th     direction from load to hull, with noise of a standard deviation [rad]; th' from samples, smoothed over SMOOTHED
           (the line at the hull is no measure of it: waves turn its first half cell the more, the shorter that is)
With the series damper the line's own damping is left out, as in the model of one link, except for LOSS_TIME EA: damped cells near no
tension change between taut and slack without end.
Frame: N axes that do not turn, z = up; the load starts at the origin. Validity: as `tether.py`; angles and distances are those of
looks LOOK apart; slack counts where any part of the line is slack.
Source: [Quadrelli2017] section 7; the reel's clutch and the series damper as assumed in docs/models/retrieval.md.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from haptos.dynamics.cable.reel_build import ReelParts, prescribed
from haptos.dynamics.cable.retrieval_run import (
    BROKE,
    CAPTURED,
    COLLIDED,
    EMPTIED,
    LINE_END,
    OVERRAN,
    TIME_OVER,
    UNFINISHED,
    RetrievalCase,
    RetrievalFigures,
    ejected,
)
from haptos.dynamics.cable.tether_events import cut_spring
from haptos.dynamics.cable.tether_extremes import SLACK_TIME, TENSION, TENSION_AT
from haptos.dynamics.cable.tether_loads import TetherGround
from haptos.dynamics.cable.tether_reel import LARGEST_FORCE, SLOPE, Reel
from haptos.dynamics.cable.tether_run import TetherRun
from haptos.dynamics.cable.tether_state import BODY, JAMMED, MOMENTUM, PROPELLANT, STORED
from haptos.dynamics.cable.tether_steps import EVENT
from haptos.dynamics.cable.tether_steps import TIME_OVER as REACHED
from haptos.dynamics.cable.tether_system import (
    EndBody,
    EndThruster,
    TetherLine,
    TetherSystem,
    TetherWatch,
    hold,
    no_ground,
)
from haptos.dynamics.control.swing_damping import swing_acceleration
from haptos.dynamics.field import no_field, uniform_field
from haptos.dynamics.system import Field

CITES: tuple[str, ...] = ("Quadrelli2017",)

Floats = NDArray[np.float64]
SAMPLE = 0.5  # [s] between two pictures of the camera, assumed
SMOOTHED = 5.0  # [s] over which the rate of the line is smoothed, assumed
LOOK = 0.1  # [s] between two looks at angle and distance
LOSS_TIME = 2e-5  # [s] damping over stiffness of a line with a series damper, assumed
SPARE = 1.5  # [-] of the distance: line of a case that gives no length, assumed
RAMP_PARTS = 10  # of the ramp of the reel
MOST_STEPS = 3_000_000


@dataclass(frozen=True, slots=True)
class LineCamera:
    """What looks at the load: noise of a direction [rad, one standard deviation], seed of its numbers."""

    noise: float = 0.0
    seed: int = 0


@dataclass(eq=False)
class LineRetrieved(RetrievalFigures):
    """How it went, with the run of the tether beside it.

    slack  time [s] in which any part of the line was slack     marks  (phase, time [s], state, energies [J])
    """

    run: TetherRun
    events: list[tuple[float, str]] = field(default_factory=list)


def reel_profile(case: RetrievalCase) -> Reel:
    """A reel that takes in the line at its speed after a ramp, and slips as a clutch does."""
    parts = RAMP_PARTS
    times, lengths = [0.0], [0.0]
    for i in range(parts + 1):
        times.append(case.reel_on + case.ramp * i / parts)
        lengths.append(-0.5 * case.reel * case.ramp * (i / parts) ** 2)
    times.append(case.longest + case.reel_on + case.ramp)
    lengths.append(lengths[-1] - case.reel * case.longest)
    if case.reel_on <= 0.0:
        times, lengths = times[1:], lengths[1:]
    reel = prescribed(times, lengths, parts=ReelParts(force=case.slip))
    reel.numbers[SLOPE] = case.slope
    return reel


# Field and ground in N axes with their origin at the load, which may turn with a body
Surroundings = tuple[Field, TetherGround]


def retrieval_system(
    case: RetrievalCase, density: float, cells: int, surroundings: Surroundings | None = None
) -> TetherSystem:
    """Hull, line and load at ejection; the line is straight and just taut."""
    out = math.hypot(case.aside, case.across, case.distance)
    total = case.total if math.isfinite(case.total) else SPARE * out
    thruster = EndThruster(
        (0.0, 0.0, 0.0), (0.0, 0.0, 1.0), case.thrust, case.specific_impulse,
        case.thrust_on, case.failures.thrust_off,
    )  # fmt: skip
    hull = EndBody(
        case.hull - case.propellant, position=(case.aside, case.across, case.distance),
        velocity=(case.drift, 0.0, case.rise), propellant=case.propellant, thrusters=(thruster,),
    )  # fmt: skip
    way = ejected(case)
    has_damper = case.damper > 0.0
    line = TetherLine(
        total, density if cells else 0.0, case.stiffness,
        LOSS_TIME * case.stiffness if has_damper else case.damping, case.breaking,
        series=((case.spring, case.damper) if has_damper else None, None),
    )  # fmt: skip
    if surroundings is not None:
        down, ground = surroundings
    else:
        down = no_field() if case.gravity == 0.0 else uniform_field((0.0, 0.0, -case.gravity))
        ground = no_ground()
    watches = (TetherWatch("distance below", case.reach), TetherWatch("deployed below", case.least))
    return TetherSystem(
        (hull, EndBody(case.load, velocity=way)), line, cells, (reel_profile(case), hold()),
        (total - out, 0.0), field=down, ground=ground, watches=watches,
        stops=("tether end reached", "tether broke", "propellant out", "supercritical pay-out"),
    )  # fmt: skip


def keep_row(run: TetherRun) -> None:
    """Store the state of now as a row, if the last one is not it."""
    if not len(run.row_times) or run.row_times[-1] < run.time:
        run.row_times = np.append(run.row_times, run.time)
        run.rows = np.vstack([run.rows, run.state])


class _Retrieval:
    """A run with its looks, its camera and its orders."""

    def __init__(
        self, case: RetrievalCase, density: float, cells: int, tolerance: float, camera: LineCamera,
        surroundings: Surroundings | None = None,
    ) -> None:  # fmt: skip
        self.case, self.camera = case, camera
        self.run = TetherRun(
            retrieval_system(case, density, cells, surroundings), tolerance=tolerance
        )
        self.random = np.random.default_rng(camera.seed)
        self.seen: tuple[float, Floats] | None = None
        self.rate = np.zeros(3)
        self.lateral_dv = 0.0
        self.events: list[tuple[float, str]] = []
        self.least_reached = False
        self.stuck = np.zeros(3)  # [N] of a thruster that stays on

    def until(self, when: float) -> str:
        """March to a time [s] with looks; an empty text, or how the retrieval ended."""
        run = self.run
        while run.time < when:
            first = math.floor(run.time / LOOK) + 1
            looks = LOOK * np.arange(first, math.ceil(when / LOOK) + 1)
            looks = looks[(looks > run.time) & (looks < when)]
            before, began = run.counts["steps"], run.time
            done = run.advance(when, looks, most_steps=MOST_STEPS)
            mass = self.case.hull - self.case.propellant + float(run.state[PROPELLANT])
            self.lateral_dv += float(np.linalg.norm(self.stuck)) / mass * (run.time - began)
            if self._overran(len(looks)):
                return OVERRAN
            if done.code == EVENT and (ended := self._event(done.event)):
                return ended
            if done.code not in (EVENT, REACHED) or run.counts["steps"] == before:
                return UNFINISHED
        return ""

    def _event(self, name: str) -> str:
        if name == "watch":
            gap = distance_of(self.run.state)
            if gap <= self.case.reach * (1.0 + 1e-6):
                fast = relative_speed(self.run) > self.case.capture_speed
                return COLLIDED if fast else CAPTURED
            self.run.tether.reels[0].lengths[:] = 0.0  # the reel is at its least length
            self.events.append((self.run.time, "least length"))
            return ""
        return {
            "tether end reached": LINE_END, "tether broke": BROKE, "propellant out": EMPTIED,
            "supercritical pay-out": UNFINISHED,
        }[name]  # fmt: skip

    def _overran(self, count: int) -> bool:
        """Whether the load was above the hull and moving away on a slack line at one of the last looks."""
        rows = self.run.rows[-count:] if count else self.run.rows[:0]
        if not len(rows):
            return False
        away = rows[:, 0:3] - rows[:, BODY : BODY + 3]
        r = np.linalg.norm(away, axis=1)
        out = self.run.system.line.total - rows[:, STORED] - rows[:, STORED + 1]
        leaving = np.gradient(r) > 0.0 if len(r) > 1 else np.zeros(len(r), dtype=bool)
        return bool(((away[:, 2] < 0.0) & (r < out) & leaving).any())

    def steer(self, when: float) -> str:
        """Damp the swing by lateral thrust until a time [s]."""
        case, run = self.case, self.run
        while run.time < when:
            self._look()
            out = run.system.line.total - run.state[STORED] - run.state[STORED + 1]
            mass = case.hull - (case.propellant - run.state[PROPELLANT])
            turning = float(np.linalg.norm(self.rate))
            wanted = np.zeros(3)
            if turning > 0.0:
                size = swing_acceleration(
                    turning, out, -case.reel, case.thrust / mass, case.swing_ratio, case.swing_largest
                )  # fmt: skip
                wanted = mass * size * self.rate / turning
            run.commands[0, :3] = wanted + self.stuck
            span = min(SAMPLE, when - run.time)
            before = run.time
            ended = self.until(before + span)
            self.lateral_dv += float(np.linalg.norm(wanted)) / mass * (run.time - before)
            if ended:
                return ended
        return ""

    def _look(self) -> None:
        """One picture: direction of the load with noise; its rate, smoothed."""
        y = self.run.state
        along = y[0:3] - y[BODY : BODY + 3]
        seen = along / np.linalg.norm(along)
        seen = seen + self.camera.noise * self.random.standard_normal(3)
        seen /= np.linalg.norm(seen)
        if self.seen is not None:
            span = self.run.time - self.seen[0]
            raw = (seen - self.seen[1]) / max(span, 1e-9)
            share = min(span / SMOOTHED, 1.0) if self.camera.noise > 0.0 else 1.0
            self.rate += share * (raw - self.rate)
        self.seen = (self.run.time, seen)


def distance_of(y: Floats) -> float:
    """Distance [m] of hull and load."""
    return float(np.linalg.norm(y[0:3] - y[BODY : BODY + 3]))


def relative_speed(run: TetherRun) -> float:
    """Speed [m/s] of the load against the hull."""
    return float(np.linalg.norm(np.subtract(*velocities(run, run.state[None])[:, 0])))


def velocities(run: TetherRun, rows: Floats) -> Floats:
    """Velocities (2, n, 3) [m/s] of hull and load, both points, of states (n, size)."""
    found = []
    for k in (0, 1):
        mass = run.tether.hulls[k].mass + rows[:, BODY * k + PROPELLANT]
        mass = mass + run.system.line.density * rows[:, STORED + k]
        found.append(rows[:, BODY * k + MOMENTUM : BODY * k + MOMENTUM + 3] / mass[:, None])
    return np.array(found)


def retrieve_on_tether(
    case: RetrievalCase, *, density: float, cells: int, tolerance: float = 1e-6, camera: LineCamera | None = None,
    surroundings: Surroundings | None = None,
) -> LineRetrieved:  # fmt: skip
    """Follow a retrieval with a line of cells (density [kg/m]), or on one link without mass (cells = 0).

    surroundings  field and ground in place of uniform gravity and none
    """
    job = _Retrieval(case, density, cells, tolerance, camera or LineCamera(), surroundings)
    run = job.run
    run.marks[0] = (0.0, "ejection", *run.marks[0][2:])
    keep_row(run)
    plan = [(case.thrust_on, "fly-away"), (case.reel_on, "reeling"), *case.failures.in_order(), (case.longest, "")]  # fmt: skip
    ended, steers = "", False
    for when, what in sorted(one for one in plan if one[0] <= case.longest):
        going = job.steer if steers else job.until
        if ended := going(when):
            break
        steers = _ordered(job, what, steers)
        if what == "line break":
            ended = BROKE
            break
    return _finished(job, ended or TIME_OVER)


def _ordered(job: _Retrieval, what: str, steers: bool) -> bool:
    """Begin a phase, or let something fail; whether the swing is damped from here on."""
    run, case = job.run, job.case
    if what:
        keep_row(run)
        run.mark(what)
    if what in ("reel jam", "clutch jam"):
        run.tether.reels[0].numbers[LARGEST_FORCE] = math.inf
        if what == "reel jam":
            run.tether.status[JAMMED] = 1.0
    if what == "line break":
        cut_spring(run.tether, run.state, run.system.cells // 2)
    if what not in ("fly-away", "reeling", ""):
        job.events.append((run.time, what))
    if what == "thruster stuck":
        job.stuck[0] = case.failures.stuck_force
        run.commands[0, :3] += job.stuck
    if what in ("thrust off", "camera loss"):
        run.commands[0, :3] = job.stuck
        return False
    if what == "reeling":
        return case.swing_largest > 0.0 and case.failures.camera_loss > run.time
    return steers


def _finished(job: _Retrieval, ended: str) -> LineRetrieved:
    run, y = job.run, job.run.state
    run.commands[0, :3] = 0.0
    run.refresh()
    away = np.vstack([run.rows[:, 0:3] - run.rows[:, BODY : BODY + 3], y[0:3] - y[BODY : BODY + 3]])
    r = np.linalg.norm(away, axis=1)
    angle = np.arccos(np.clip(away[:, 2] / r, -1.0, 1.0))

    def largest(beyond: float) -> float:
        inside = r > beyond
        return float(angle[inside].max()) if inside.any() else 0.0

    job.events.append((run.time, ended))
    return LineRetrieved(
        ended, run.time, relative_speed(run), float(angle[-1]), float(run.tether.springs.tension[0]),
        float(run.extremes[TENSION]), float(run.extremes[TENSION_AT]), largest(0.0), largest(50.0), largest(10.0),
        float(run.extremes[SLACK_TIME]), job.case.propellant - float(y[PROPELLANT]), job.lateral_dv, run, job.events,
    )  # fmt: skip
