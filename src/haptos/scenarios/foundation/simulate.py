"""Run a bench file: press, slide, drop or spread, with ledger, phases, checks and tables."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from haptos.contact import coulomb, stick_slip
from haptos.contact.laws import foundation, foundation_modulus
from haptos.contact.sets import polygons
from haptos.contact.sets.polygons_step import (
    A_PEAK,
)
from haptos.contact.sets.polygons_sum import ELASTIC, POLYGONS
from haptos.core.outcome import Outcome
from haptos.dynamics.march import dormand_prince
from haptos.dynamics.rigid.touching_pair_march import (
    FULL,
    STALLED,
    STEPS_OVER,
    SUNK,
    TIME_OVER,
)
from haptos.dynamics.rigid.touching_pair_run import Mover, PairRun
from haptos.geometry.distance import section
from haptos.geometry.mesh import curved_faces
from haptos.results.balances import momentum_check
from haptos.results.checks import Check
from haptos.results.ledger import EnergyLedger
from haptos.results.phases import Phase
from haptos.results.provenance import provenance
from haptos.results.result import Result
from haptos.scenarios.foundation.config import (
    Config,
    Drop,
    FoundationPress,
    FoundationSlide,
    Spread,
)
from haptos.scenarios.foundation.guard import guard_checks
from haptos.scenarios.foundation.model import (
    Model,
    build,
    refuse_sunk,
    solid_inertia,
    start_depth,
    way_to_touch,
)
from haptos.scenarios.foundation.tables import (
    events,
    kept_rows,
    metrics,
    peak_map,
    tables,
    trajectory,
)

Floats = NDArray[np.float64]

OUTCOMES = (
    Outcome.COMPLETED,
    Outcome.MISSED,
    Outcome.SUNK,
    Outcome.STEPS_OVER,
    Outcome.STALLED,
)
LAWS = (
    foundation,
    foundation_modulus,
    coulomb,
    stick_slip,
    polygons,
    section,
    curved_faces,
    dormand_prince,
)
STORES = ("kinetic", "potential", "elastic", "stick")
LOSSES = ("damping", "viscous", "friction", "released", "remesh")
INPUTS = ("drive", "actuator")
ROWS = 20_000  # of the log; a longer run keeps every second of them
THIN_WAY = 0.1  # [-] of the thickness of thin parts: way of a step near them
STRETCHES = 40  # [-] steps of a driven stretch at least, so that curves are smooth


@dataclass
class Bench:
    """A run with the names and ends [s] of its phases."""

    run: PairRun
    phases: list[tuple[str, float]] = field(default_factory=list)

    def stretch(
        self, name: str, velocity: Floats, duration: float, energy: float, length: float
    ) -> bool:
        """Drive B for a while; whether the run goes on."""
        self.run.drive(velocity)
        ended = self.run.go(duration, longest=duration / STRETCHES, energy=energy, length=length)
        self.phases.append((name, self.run.time))
        return ended == TIME_OVER


def simulate(config: Config, *, progress: Callable[[float], None] | None = None) -> Result:
    """One run of the bench; `progress` gets the share of the work done."""
    began = time.perf_counter()
    model = build(config)
    start_depth(config, model)
    refuse_sunk(config, model)
    bench = _carried_out(config, model)
    if progress is not None:
        progress(1.0)
    table = config.as_table()
    rows = kept_rows(bench.run)
    ledger = bench.run.ledger()
    peak = peak_map(model, bench.run)
    return Result(
        scenario=config.scenario,
        name=config.name,
        config=table,
        trajectory=trajectory(bench.run, rows),
        events=events(bench.run),
        ledger=EnergyLedger(
            time=ledger["time"][rows],
            stores={name: ledger[name][rows] for name in STORES},
            works={name: ledger[name][rows] for name in (*LOSSES, *INPUTS)},
            bound=config.run.ledger_bound,
            max_remainder=float(np.abs(ledger["remainder"]).max()),
            phases=_phases(bench, ledger),
        ),
        ended=_outcome(bench.run),
        metrics=metrics(config, model, bench.run, peak),
        provenance=provenance(table, config.seed, time.perf_counter() - began),
        cites=sources(config),
        tables=tables(config, model, bench.run, peak),
        checks=(*_checks(config, bench.run), *guard_checks(config, model, bench.run)),
    )


def _carried_out(config: Config, model: Model) -> Bench:
    motion = config.motion
    if isinstance(motion, Drop):
        return _dropped(config, model, motion)
    if isinstance(motion, Spread):
        return _spread(config, model, motion)
    return _driven(config, model, motion)


def _run(config: Config, model: Model, first: Mover, second: Mover, **options: object) -> PairRun:
    return PairRun(
        model.pair,
        first,
        second,
        back=model.back,
        tolerance=config.run.tolerance,
        max_depth=config.contact.max_depth_m or math.inf,
        longest_way=THIN_WAY * model.thin,
        steps=config.run.steps,
        rows=ROWS,
        **options,  # type: ignore[arg-type]
    )


def _driven(config: Config, model: Model, motion: FoundationPress | FoundationSlide) -> Bench:
    """In to the depth, to and fro if asked, and back."""
    n = np.array(motion.direction) / np.linalg.norm(motion.direction)
    start = model.position + way_to_touch(config, model, n) * n
    depth, speed = motion.depth_m, motion.speed_m_per_s
    peak = model.pair.sums(start + depth * n, model.quaternion)[0]
    energy = max(float(peak[ELASTIC]), 1e-30)
    second = Mover(1.0, np.eye(3), start, model.quaternion)
    bench = Bench(_run(config, model, Mover(), second))
    stretches = [("pressing", n, depth)]
    if isinstance(motion, FoundationSlide):
        along = np.array(motion.along) / np.linalg.norm(motion.along)
        stretches.append(("sliding", along, motion.amplitude_m))
        for _ in range(motion.cycles):
            stretches.append(("sliding back", -along, 2.0 * motion.amplitude_m))
            stretches.append(("sliding", along, 2.0 * motion.amplitude_m))
    stretches.append(("releasing", -n, depth))
    for name, way, length in stretches:
        if not bench.stretch(name, speed * way, length / speed, energy, depth):
            break
    return bench


def _dropped(config: Config, model: Model, motion: Drop) -> Bench:
    inertia = (
        np.diag(motion.inertia_kg_m2)
        if motion.inertia_kg_m2 is not None
        else solid_inertia(model.pair.faces, motion.mass_kg)
    )
    second = Mover(
        motion.mass_kg, inertia, model.position, model.quaternion,
        motion.velocity_m_per_s, motion.rate_rad_per_s,
    )  # fmt: skip
    first = Mover()
    if motion.reference_mass_kg is not None and motion.reference_inertia_kg_m2 is not None:
        first = Mover(motion.reference_mass_kg, np.diag(motion.reference_inertia_kg_m2))
    run = _run(config, model, first, second, gravity=motion.gravity_m_per_s2)
    v, w = np.array(motion.velocity_m_per_s), np.array(motion.rate_rad_per_s)
    fall = float(np.linalg.norm(motion.gravity_m_per_s2)) * motion.duration_s
    size = model.pair.faces.size
    energy = 0.5 * motion.mass_kg * (float(v @ v) + min(fall, 1.0) ** 2) + 0.5 * float(
        w @ inertia @ w
    )
    run.go(motion.duration_s, energy=max(energy, 1e-30), length=1e-3 * size)
    bench = Bench(run)
    touch, leave = float(run.account[5]), float(run.account[6])
    if touch > 0.0:
        bench.phases.append(("approach", touch))
    if touch >= 0.0:
        end = leave if leave > touch and not _touches_at_end(run) else run.time
        bench.phases.append(("contact", end))
    if not bench.phases or bench.phases[-1][1] < run.time:
        bench.phases.append(("after contact" if touch >= 0.0 else "flight", run.time))
    return bench


def _touches_at_end(run: PairRun) -> bool:
    return bool(run.pair.sums[POLYGONS] > 0.0)


def _spread(config: Config, model: Model, motion: Spread) -> Bench:
    second = Mover(1.0, np.eye(3), model.position, model.quaternion)
    ramp = [[0.0] * 4, [0.0, 1.0 / motion.duration_s, 0.0, motion.duration_s]]
    run = _run(config, model, Mover(), second, spread=ramp)
    peak = model.pair.sums(model.position, model.quaternion, spreads=(0.0, 1.0))[0]
    bench = Bench(run)
    energy, length = max(float(peak[ELASTIC]), 1e-30), 1e-3 * model.pair.faces.size
    bench.stretch("spreading", np.zeros(3), motion.duration_s, energy, length)
    return bench


def _outcome(run: PairRun) -> Outcome:
    ended = {
        SUNK: Outcome.SUNK,
        STEPS_OVER: Outcome.STEPS_OVER,
        STALLED: Outcome.STALLED,
        FULL: Outcome.STEPS_OVER,
    }.get(run.ended)
    if ended is not None:
        return ended
    return Outcome.COMPLETED if run.account[A_PEAK] > 0.0 else Outcome.MISSED


def _phases(bench: Bench, ledger: dict[str, Floats]) -> tuple[Phase, ...]:
    """Phases between their ends, from all rows of the log."""
    when = ledger["time"]
    total = np.sum([ledger[name] for name in STORES], axis=0)
    lost = -np.sum([ledger[name] for name in LOSSES], axis=0)
    given = np.sum([ledger[name] for name in INPUTS], axis=0)
    found: list[Phase] = []
    first = 0
    start = float(when[0])
    for name, end in bench.phases:
        last = max(int(np.searchsorted(when, end, side="right")) - 1, first)
        part = slice(first, last + 1)
        resting = max(float(ledger["turning"][part].min()), 0.0)
        stored = float(total[part].max() - ledger["potential"][part].min()) - resting
        missing = float(np.abs(ledger["remainder"][part] - ledger["remainder"][first]).max())
        works = (float(lost[last] - lost[first]), float(given[last] - given[first]))
        found.append(Phase(name, start, end, stored, *works, missing, resting))
        first, start = last, end
    return tuple(found)


def _checks(config: Config, run: PairRun) -> tuple[Check, ...]:
    ledger = run.ledger()
    peak = float(run.account[A_PEAK])
    worst = float(np.abs(ledger["remesh"]).max())
    remesh = Check(
        name="remesh",
        value=worst / peak if peak > 0.0 else 0.0,
        bound=config.run.remesh_bound,
        unit="",
        subject="Energy of leaves that change at one pose, as a share of the largest elastic energy",
    )
    motion = config.motion
    if not isinstance(motion, Drop) or motion.reference_mass_kg is None:
        return (remesh,)
    before, after = run.log[0, 1:], run.log[-1, 1:]
    change = sum(after[k : k + 3] - before[k : k + 3] for k in (7, 20))
    weight = motion.mass_kg + motion.reference_mass_kg
    impulse = weight * np.array(motion.gravity_m_per_s2) * (run.log[-1, 0] - run.log[0, 0])
    scale = sum(float(np.linalg.norm(row[k : k + 3])) for row in (before, after) for k in (7, 20))
    return (remesh, momentum_check(change, impulse, scale))


def sources(config: Config) -> tuple[str, ...]:
    """Bibliography keys of the laws a run uses."""
    return tuple(dict.fromkeys(key for law in LAWS for key in law.CITES))
