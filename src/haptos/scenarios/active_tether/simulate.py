"""Run an active-tether file: approach, touch and dwell of a boom; pull and release of a tether."""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from haptos.core.outcome import Outcome
from haptos.dynamics.cable.active_pull import SAMPLE, LinePull, rising
from haptos.dynamics.cable.boom import (
    BOTTOM,
    NODES,
    O_CHANGE,
    TRIGGER,
    WORK_NAMES,
    X_BOW,
    X_GRIP,
    X_RATE,
)
from haptos.dynamics.cable.boom_run import BoomRun, Keeper
from haptos.dynamics.cable.tether_extremes import TENSION, TURN_0
from haptos.results.checks import Check
from haptos.results.provenance import provenance
from haptos.results.result import Result
from haptos.scenarios.active_tether.config import (
    ActiveTetherPress,
    Config,
    MetalBoom,
    MetalWire,
    PolymerLine,
    Pull,
)
from haptos.scenarios.active_tether.model import (
    ELASTIC,
    bent_strain,
    build,
    check,
    left_out,
    sources,
    start_height,
)
from haptos.scenarios.active_tether.on_cells import heat_check, pulled_on_cells
from haptos.scenarios.active_tether.tables import events, metrics, tables, trajectory
from haptos.scenarios.line_results import LineRows
from haptos.scenarios.phase_history import History
from haptos.scenarios.worlds.site import site_of

Floats = NDArray[np.float64]

OUTCOMES = (
    Outcome.SAMPLED, Outcome.NO_SAMPLE, Outcome.RATES_EXCEEDED, Outcome.BUCKLED, Outcome.BOTTOMED,
    Outcome.PULLED_OUT, Outcome.OVERHEATED, Outcome.MISSED, Outcome.STALLED,
)  # fmt: skip
LOSSES = ("axial damping", "bending damping", "contact damping", "friction", "released", "grid")
INPUTS = ("shape control", "active material", "force stage", "thrust", "propellant", "weight")
GAP = 1e-3  # [m] above ground at the start
LEFT_OUT = 0.01  # [-] of the wanted force, assumed
LOOKS = 2000  # times of the dwell at which the force is judged, whatever is stored


@dataclass(eq=False)
class ActiveTetherHistory:
    """What happened: the run, when it touched, how much of the dwell the force was held."""

    config: Config
    run: BoomRun | None
    history: History
    touched: float = math.nan
    dwell_end: float = math.nan
    held: float = math.nan
    released: float = 0.0
    outcome: Outcome = Outcome.SAMPLED
    pulled: LinePull | None = None
    rows: LineRows | None = None

    @property
    def boom(self) -> BoomRun:
        """The run of the chain."""
        assert self.run is not None
        return self.run


def simulate(config: Config, *, progress: Callable[[float], None] | None = None) -> Result:
    """One run; `progress` gets the share of the work done."""
    began = time.perf_counter()
    check(config)
    story = pulled_story(config) if config.is_on_cells else carried_out(config)
    if progress is not None:
        progress(1.0)
    table = config.as_table()
    return Result(
        scenario=config.scenario,
        name=config.name,
        config=table,
        trajectory=trajectory(story),
        events=events(story.history),
        ledger=story.history.ledger(config.run.ledger_bound),
        ended=story.outcome,
        metrics=metrics(story),
        provenance=provenance(table, config.seed, time.perf_counter() - began),
        cites=sources(config),
        tables=tables(story),
        checks=_checks(story),
    )


def _checks(story: ActiveTetherHistory) -> tuple[Check, ...]:
    """Heat of a wire; on a site that the line stays out of the ground, or that what a boom leaves out is small."""
    config = story.config
    checks = _bending(story) if story.pulled is None else heat_check(config, story.pulled)
    site = site_of(config)
    if site is None:
        return checks
    if story.pulled is not None:
        depth, when = story.pulled.run.deepest
        subject = "The deepest point of spacecraft or line below the ground, which they do not feel"
        return (
            *checks,
            Check("ground", depth, config.effector.radius_m, "m", subject, f"at {when:.6g} s"),
        )
    nodes = story.history.column("nodes")[:, :-1].reshape(-1, 3)
    depth = max(0.0, -float(site.at(nodes)[0].min()))
    subject = (
        "The deepest node of the boom below the ground, which it does not feel, at stored times"
    )
    share = "The largest force on spacecraft or end effector that the boom leaves out, over the wanted force"
    return (
        *checks, Check("ground", depth, config.effector.radius_m, "m", subject, ""),
        Check("left_out", left_out(config, site), LEFT_OUT, "-", share, ""),
    )  # fmt: skip


def _bending(story: ActiveTetherHistory) -> tuple[Check, ...]:
    """A boom that bows stays elastic."""
    line = story.config.line
    if not isinstance(line, MetalBoom):
        return ()
    strain = bent_strain(line, float(story.boom.extremes[X_BOW]))
    subject = (
        "The strain of the tube where it bows as a half sine; beyond the bound it is not elastic"
    )
    return (Check("strain", strain, ELASTIC, "-", subject, ""),)


def pulled_story(config: Config) -> ActiveTetherHistory:
    """Pull on the tether of cells, then judge: what failed first counts."""
    story = ActiveTetherHistory(
        config, None, History(LOSSES, INPUTS), touched=0.0, dwell_end=config.touch.dwell_s
    )
    looks = look_times(config, config.touch.dwell_s)
    found, rows = pulled_on_cells(config, story.history, looks, site_of(config))
    story.pulled, story.rows = found, rows
    story.held = _held(story, np.stack([rows.time, np.abs(rows.tension[:, 0])], axis=1))
    for when, what in found.events:
        story.history.note(what, when)
    wanted, extremes = config.wanted, found.run.extremes
    if not found.is_whole:
        story.outcome = Outcome.STALLED
    elif found.is_hot:
        story.outcome = Outcome.OVERHEATED
    elif extremes[TENSION] > config.effector.grip_N:
        story.outcome = Outcome.PULLED_OUT
    elif math.degrees(extremes[TURN_0]) > wanted.largest_rate_deg_per_s:
        story.outcome = Outcome.RATES_EXCEEDED
    elif story.held < wanted.held_share:
        story.outcome = Outcome.NO_SAMPLE
    story.history.note(story.outcome.label)
    return story


def look_times(config: Config, span: float) -> Floats:
    """Even times [s] up to `span`, a fixed share of the dwell apart."""
    return np.arange(0.0, span, config.touch.dwell_s / LOOKS)


def carried_out(config: Config) -> ActiveTetherHistory:
    """Press or pull, then judge."""
    touch = config.touch
    approach = (
        GAP / touch.approach_m_per_s + touch.after_s
        if isinstance(touch, ActiveTetherPress)
        else 0.0
    )
    span = touch.dwell_s + 2.0 * approach
    stored, looks = np.arange(0.0, span, config.run.output_interval_s), look_times(config, span)
    noise = config.line.curvature_noise_per_m if isinstance(config.line, MetalBoom) else 0.0
    site = site_of(config)
    run = BoomRun(
        build(config, site),
        config.run.tolerance,
        np.union1d(stored, looks),
        noise=noise,
        seed=config.seed,
    )
    story = ActiveTetherHistory(config, run, History(LOSSES, INPUTS))
    try:
        if isinstance(touch, ActiveTetherPress):
            _press(story, touch, None if site is None else start_height(config, site, GAP))
        else:
            _pull(story, touch)
    except FloatingPointError:
        story.outcome = Outcome.STALLED
    _add_phases(story, stored, looks)
    if story.outcome is not Outcome.STALLED and story.outcome is not Outcome.MISSED:
        story.outcome = _judged(story)
    for when, what in run.events:
        story.history.note(what, when)
    story.history.note(story.outcome.label)
    return story


def _press(story: ActiveTetherHistory, touch: ActiveTetherPress, height: float | None) -> None:
    config, run = story.config, story.boom
    line = config.line
    run.start(GAP, (touch.drift_m_per_s, -touch.approach_m_per_s), line.imperfection_m if isinstance(line, MetalBoom) else 0.0, height=height)  # fmt: skip
    run.mark("approach")
    if run.until(2.0 * GAP / touch.approach_m_per_s + 1e-9, (TRIGGER,)) != TRIGGER:
        story.outcome = Outcome.MISSED
        return
    story.touched = run.time
    end = run.time + touch.dwell_s
    story.dwell_end = end
    force = touch.force_N or 0.0
    if touch.has_stage and touch.force_N is not None:
        run.order(stage=force)
        story.released = run.released  # what the lock lets go of when the stage is switched on
    run.mark("dwell")
    stops = (BOTTOM,) if touch.has_stage else ()
    keeper = None
    if config.spacecraft.keeps_place and touch.has_stage:
        rest = float(run.state[1]) - 0.3 * touch.stroke_m
        keeper = _keeper(config, (float(run.state[0]), rest))
    which = -1
    for until, rate in _parts(line, story.touched, end):
        if rate != run.orders[O_CHANGE]:
            run.order(change=rate)
        which = run.until(until, stops) if keeper is None else run.hold(until, keeper, -force, stops)  # fmt: skip
        if which >= 0:
            break
    if which >= 0:
        story.dwell_end = run.time
        return
    run.order(thrust_x=0.0, thrust_z=config.spacecraft.axial_thrust_N, torque=0.0)
    run.mark("ascent")
    run.until(end + touch.after_s, stops)


def _parts(
    line: MetalBoom | MetalWire | PolymerLine, touched: float, end: float
) -> list[tuple[float, float]]:
    """(until [s], rate of the change [1/s]) of the parts of a dwell."""
    change = line.change if isinstance(line, MetalBoom) else None
    if change is None:
        return [(end, 0.0)]
    begin = touched + change.begin_s
    over = min(begin + change.duration_s, end)
    return [(begin, 0.0), (over, 1.0 / change.duration_s), (end, 0.0)]


def _keeper(config: Config, place: tuple[float, float]) -> Keeper:
    craft = config.spacecraft
    return Keeper(
        place, craft.bandwidth_rad_per_s, craft.attitude_bandwidth_rad_per_s, 0.1, craft.lateral_thrust_N,
        craft.axial_thrust_N, craft.wheel_torque_N_m,
    )  # fmt: skip


def _pull(story: ActiveTetherHistory, touch: Pull) -> None:
    run = story.boom
    run.start(-1e-4, (0.0, 0.0), 0.0, stretch=touch.first_force_N / run.boom.axial)
    run.order(grip=1.0)
    story.touched, story.dwell_end = 0.0, touch.dwell_s
    rate = touch.rise_N_per_s or math.inf
    run.order(loop=1.0)
    run.mark("pull")
    while run.time < touch.dwell_s:
        force = rising(touch.first_force_N, touch.force_N, rate, run.time)
        run.order(force=force, thrust_z=force if touch.feeds_forward else 0.0)
        run.until(min(run.time + SAMPLE, touch.dwell_s) if force < touch.force_N else touch.dwell_s)
    run.released = 0.0


def _judged(story: ActiveTetherHistory) -> Outcome:
    """How it ended: what failed first counts."""
    config, run = story.config, story.boom
    line, touch, wanted = config.line, config.touch, config.wanted
    if run.bottomed:
        return Outcome.BOTTOMED
    if isinstance(touch, Pull) and run.extremes[X_GRIP] > config.effector.grip_N:
        return Outcome.PULLED_OUT
    if isinstance(line, MetalBoom) and run.extremes[X_BOW] > line.largest_bow_share * line.length_m:
        return Outcome.BUCKLED
    if math.degrees(run.extremes[X_RATE]) > wanted.largest_rate_deg_per_s:
        return Outcome.RATES_EXCEEDED
    return Outcome.SAMPLED if story.held >= wanted.held_share else Outcome.NO_SAMPLE


def _add_phases(story: ActiveTetherHistory, stored: Floats, looks: Floats) -> None:
    """Rows between marks at the times stored, with energies and works; the force that is judged, at all looks."""
    run, n = story.boom, story.boom.boom.count
    done = int(run.march.counts[2])
    times, rows = run.march.times[:done], run.march.rows[:done]
    marks = [*run.marks, ("", run.time, run.state.copy(), run.orders.copy())]
    forces: list[tuple[float, float]] = []
    for (name, begin, first, orders), (_, end, last, _) in itertools.pairwise(marks):
        seen = np.isin(times, looks) & (times > begin) & (times < end)
        felt = run.along(rows[seen], orders)[:, 5 if name != "pull" else 3]
        forces += list(zip(times[seen], np.abs(felt), strict=True))
        inside = np.isin(times, stored) & (times > begin) & (times < end)
        when = np.concatenate([[begin], times[inside], [end]])
        states = np.vstack([first, rows[inside], last])
        found = run.along(states, orders)
        energy, felt = found[:, :3], found[:, 3:]
        works = {key: states[:, k] - first[k] for key, k in WORK_NAMES.items()}
        motion = {
            "hull": _spatial(states[:, 0:2]), "turn": states[:, 2], "rate": states[:, 5],
            "effector": _spatial(states[:, NODES + 2 * n : NODES + 2 + 2 * n]), "tension": felt[:, 0], "moment": felt[:, 1],
            "contact": felt[:, 2], "stroke": felt[:, 3], "activation": states[:, 6],
            "nodes": np.stack([_spatial(states[:, NODES + 2 * i : NODES + 2 + 2 * i]) for i in range(n + 1)], axis=1),
        }  # fmt: skip
        columns = dict(zip(("kinetic", "potential", "elastic"), energy.T, strict=True))
        if name == "dwell":
            works["released"] = np.full(len(when), -story.released)
        turning = 0.5 * run.boom.inertia * states[:, 5] ** 2
        story.history.add(name, when, motion, columns, works, turning)
    story.held = _held(story, np.array(forces).reshape(-1, 2))


def _held(story: ActiveTetherHistory, forces: Floats) -> float:
    """Share of the dwell, after settling, in which the force is within its band."""
    wanted, force = story.config.wanted, story.config.touch.force_N
    if force is None or not math.isfinite(story.touched):
        return 0.0
    inside = (forces[:, 0] >= story.touched + wanted.settling_s) & (forces[:, 0] <= story.dwell_end)
    if not inside.any():
        return 0.0
    return float(np.mean(np.abs(forces[inside, 1] - force) <= wanted.band_share * force))


def _spatial(rows: Floats) -> Floats:
    """(n, 2) of the plane of motion as (n, 3)."""
    return np.stack([rows[:, 0], np.zeros(len(rows)), rows[:, 1]], axis=1)
