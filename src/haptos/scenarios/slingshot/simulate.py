"""Run a sling-shot: brake, reel in or turn, until it is done or the line ends, breaks or cannot be braked."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from haptos.core.outcome import Outcome
from haptos.dynamics.cable import (
    hitchhike,
    reel_laws,
    reel_power,
    spun_tether,
    tether_cells,
    tether_ends,
    tether_events,
    tether_reel,
)
from haptos.dynamics.cable.tether_events import cut_spring
from haptos.dynamics.cable.tether_run import TetherRun
from haptos.dynamics.cable.tether_state import JAMMED, MOMENTUM
from haptos.dynamics.cable.tether_steps import EVENT, STALLED, STEPS_OVER, TIME_OVER
from haptos.dynamics.march import implicit
from haptos.environment import gravity_ellipsoid
from haptos.results.provenance import provenance
from haptos.results.result import Result
from haptos.scenarios.line_results import (
    ground_checks,
    line_checks,
    line_elements,
    line_events,
    line_ledger,
    line_motion,
    line_rows,
)
from haptos.scenarios.line_surroundings import line_laws
from haptos.scenarios.slingshot.config import Config, Leave, SlingshotHitchhike, Turn
from haptos.scenarios.slingshot.metrics import further_events, metrics, stop_table
from haptos.scenarios.slingshot.model import NAMES, hull_mass, started

Floats = NDArray[np.float64]
OUTCOMES = (
    Outcome.CAPTURED,
    Outcome.DEPARTED,
    Outcome.TURNED,
    Outcome.TETHER_END,
    Outcome.TETHER_BROKE,
    Outcome.SUPERCRITICAL,
    Outcome.REEL_JAMMED,
    Outcome.TANGLED,
    Outcome.TIME_OVER,
    Outcome.STEPS_OVER,
    Outcome.STALLED,
)
LAWS = (
    tether_cells, tether_ends, tether_events, tether_reel, reel_laws, reel_power, implicit, hitchhike, spun_tether,
)  # fmt: skip
BY_EVENT = {
    "tether broke": Outcome.TETHER_BROKE,
    "tether end reached": Outcome.TETHER_END,
    "supercritical pay-out": Outcome.SUPERCRITICAL,
    "slack tangle": Outcome.TANGLED,
}
NEAR = 1e-8  # [rad] of the angle of a turn
PART = 0.2  # [rad] that a spacecraft on a taut line turns by at most in one march
SLACK_PART = 0.002  # [rad] the same, while it does not turn: the line may get taut at any moment
PARTS = 20_000  # marches of a run at most


@dataclass
class March:
    """A run on its way: output times, steps that are left, and how it ended."""

    run: TetherRun
    config: Config
    progress: Callable[[float], None] | None
    ended: Outcome | None = None
    jammed_at: float = math.nan
    cut_at: float = math.inf
    swept: float = math.nan

    def to(self, until: float) -> bool:
        """March to a time [s]; whether it goes on."""
        if self.ended is not None or until <= self.run.time:
            return self.ended is None
        every, run = self.config.run.output_interval_s, self.run
        first = len(run.row_times)
        times = every * np.arange(first, math.floor(until / every) + 2)
        times = times[(times >= run.time) & (times < until)]
        found = run.advance(until, rows=times, most_steps=self.config.run.max_steps)
        if self.progress is not None:
            self.progress(min(run.time / self.config.run.duration_s, 1.0))
        if found.code == TIME_OVER:
            return True
        if found.code == EVENT:
            done = (
                Outcome.DEPARTED if isinstance(self.config.manoeuvre, Leave) else Outcome.CAPTURED
            )
            self.ended = BY_EVENT.get(found.event, done)
        else:
            self.ended = {STALLED: Outcome.STALLED, STEPS_OVER: Outcome.STEPS_OVER}[found.code]
        return False


def simulate(config: Config, *, progress: Callable[[float], None] | None = None) -> Result:
    """One run; `progress` gets the share of the time done."""
    began = time.perf_counter()
    run = started(config)
    built = sum(float(part) for part in (hull_mass(config), run.system.bodies[1].mass))
    built += run.system.line.density * config.tether.length_m
    first = run.momentum()
    march = March(run, config, progress)
    _carried_out(march)
    ended = march.ended or Outcome.TIME_OVER
    if math.isfinite(march.jammed_at) and ended in (Outcome.TIME_OVER, Outcome.TETHER_BROKE):
        ended = Outcome.REEL_JAMMED
    if progress is not None:
        progress(1.0)
    rows = line_rows(run, march.cut_at)
    table = config.as_table()
    return Result(
        scenario=config.scenario,
        name=config.name,
        config=table,
        trajectory=line_motion(run, rows, NAMES),
        events=line_events(run, further_events(config, run, rows, march.jammed_at, march.cut_at)),
        ledger=line_ledger(run, rows, config.run.ledger_bound),
        ended=ended,
        metrics=metrics(config, run, rows, march.swept),
        provenance=provenance(table, config.seed, time.perf_counter() - began),
        cites=sources(config),
        tables={"elements": line_elements(rows), "closed_form": stop_table(config, run)},
        checks=(*line_checks(run, built, first), *(ground_checks(run) if config.contact else ())),
    )


def _carried_out(march: March) -> None:
    """All parts of the manoeuvre, failures among them, in order of time."""
    config, run = march.config, march.run
    run.marks[0] = (
        run.marks[0][0],
        "ramp" if _ramp(config) > 0.0 else _name(config),
        *run.marks[0][2:],
    )
    stages: list[tuple[float, str]] = []
    if _ramp(config) > 0.0:
        stages.append((_ramp(config), _name(config)))
    if config.reel.jam_s is not None:
        stages.append((config.reel.jam_s, "jammed"))
    if config.failure is not None:
        stages.append((config.failure.break_at_s, "cut"))
    for when, name in sorted(stages):
        if when >= config.run.duration_s or not march.to(when):
            break
        if name == "jammed":
            run.tether.status[JAMMED] = 1.0
            march.jammed_at = when
            run.refresh()  # the tension jumps
            tension = run.tether.springs.tension
            if tension.max() >= run.system.line.breaking:
                _cut(march, int(np.argmax(tension)))
        if name == "cut" and config.failure is not None:
            _cut(march, round(config.failure.break_share * run.system.cells))
        run.mark(name)
    if isinstance(config.manoeuvre, Turn):
        _turned(march, math.radians(config.manoeuvre.angle_deg))
    else:
        march.to(config.run.duration_s)


def _cut(march: March, spring: int) -> None:
    """Part the line at a spring, which ends the run."""
    cut_spring(march.run.tether, march.run.state, spring)
    march.cut_at = march.run.time
    march.ended = Outcome.TETHER_BROKE


def _ramp(config: Config) -> float:
    return 0.0 if isinstance(config.manoeuvre, Turn) else config.reel.ramp_s


def _name(config: Config) -> str:
    kinds = {SlingshotHitchhike: "braking", Leave: "reeling in", Turn: "turning"}
    return kinds[type(config.manoeuvre)]


def _turned(march: March, angle: float) -> None:
    """March until the velocity has turned by an angle [rad] towards the anchor: ever nearer, from before.

    Parts are short enough that the angle of one is never ambiguous, also where a slack line gets taut.
    """
    run, duration = march.run, march.config.run.duration_s
    at = slice(MOMENTUM, MOMENTUM + 3)
    last, march.swept = run.state[at].copy(), 0.0
    usual = march.config.speed / march.config.distance  # [rad/s] of a taut line across the velocity
    line = run.system.line
    snatch = usual + 2.0 * math.sqrt(line.stiffness * line.density) / hull_mass(march.config)
    rate, fastest = usual, usual
    while march.ended is None and run.time < duration:
        begun, turns = run.time, rate > 0.1 * usual
        longest = max((PART if turns else SLACK_PART) / usual, duration / PARTS)
        aimed = 0.97 * (angle - march.swept) / fastest
        least = 0.0 if turns else 1e-6 * duration
        march.to(min(begun + max(min(aimed, longest), least), duration))
        now = run.state[at].copy()
        moved = math.atan2(-float(np.cross(last, now)[2]), float(last @ now))
        march.swept += moved
        before, rate = rate, moved / max(run.time - begun, 1e-300)
        # a wave of the line that comes in changes the rate by c mu v over the momentum, twice where it is reflected
        fastest = max(rate, usual) if abs(rate - before) < 0.01 * rate else max(rate, 0.0) + snatch
        last = now
        if march.ended is None and angle - march.swept < NEAR:
            march.ended = Outcome.TURNED


def sources(config: Config) -> tuple[str, ...]:
    """Bibliography keys of the laws a run uses."""
    target = config.target
    laws = [
        *LAWS,
        *line_laws(config.air, config.sun, config.heat, config.third_body, config.contact),
    ]
    if target is not None and target.mu_m3_per_s2 is not None:
        laws.append(gravity_ellipsoid)
    return tuple(dict.fromkeys(key for law in laws for key in law.CITES))
