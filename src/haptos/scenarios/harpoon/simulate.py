"""Run a harpoon file: shot, flight, entry, hold, sample, retrieval, each a phase with its energy."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from haptos.contact.laws.anchor import Anchor
from haptos.core.outcome import Outcome
from haptos.dynamics.cable.line_shot import (
    ANGLE,
    BRAKE,
    FEED,
    HIT,
    HOLD_X,
    HOLD_Z,
    LINE_END,
    PAID,
    PITCH,
    RATE,
    LineFlight,
    flight_energy,
    line_flight,
)
from haptos.dynamics.cable.line_shot_tether import CellFlight
from haptos.dynamics.cable.retrieval_run import STANDARD_GRAVITY, Retrieved
from haptos.dynamics.cable.retrieval_tether import LineRetrieved
from haptos.results.balances import momentum_check
from haptos.results.checks import Check
from haptos.results.provenance import provenance
from haptos.results.result import Result
from haptos.scenarios.harpoon.config import Config
from haptos.scenarios.harpoon.entry import Entered, HarpoonImpact, enter, impact
from haptos.scenarios.harpoon.holding import Pulled, anchored, pull, stance_limit
from haptos.scenarios.harpoon.model import Model, build, check, sources
from haptos.scenarios.harpoon.on_cells import (
    along_line,
    flight_check,
    flight_energies,
    shot_on_cells,
)
from haptos.scenarios.harpoon.returning import add_retrieval
from haptos.scenarios.harpoon.tables import events, metrics, tables, trajectory
from haptos.scenarios.line_results import line_rows
from haptos.scenarios.phase_history import History

Floats = NDArray[np.float64]

LOSSES = (
    "line brake", "feed loss", "soil drag", "soil strength", "soil friction", "overburden", "soil viscosity",
    "anchor slip", "clutch", "series damper", "line damping", "line break", "capture", "grid",
)  # fmt: skip
INPUTS = (
    "shot", "line turning", "weight", "ejection", "manoeuvre", "thrust", "lateral thrust", "propellant", "motor",
)  # fmt: skip
OUTCOMES = (
    Outcome.CAPTURED, Outcome.SAMPLED, Outcome.ANCHORED, Outcome.NOT_HELD, Outcome.MISSED, Outcome.TETHER_END,
    Outcome.RICOCHET, Outcome.BROADSIDE, Outcome.SUNK, Outcome.NO_SAMPLE, Outcome.SLIPPED, Outcome.PULLED_OUT,
    Outcome.TETHER_BROKE, Outcome.OVERRAN, Outcome.COLLIDED, Outcome.PROPELLANT_OUT, Outcome.TIME_OVER,
    Outcome.REEL_JAMMED, Outcome.WEDGED, Outcome.STEPS_OVER,
)  # fmt: skip


@dataclass(eq=False)
class HarpoonHistory:
    """All that happened; what did not is None."""

    config: Config
    model: Model
    history: History
    flight: LineFlight
    hover_propellant: float
    outcome: Outcome = Outcome.COMPLETED
    hit: HarpoonImpact | None = None
    entered: Entered | None = None
    held: Anchor | None = None
    pulled: Pulled | None = None
    stance: float = math.nan
    sample: float = math.nan
    retrieved: Retrieved | LineRetrieved | None = None
    flown: CellFlight | None = None
    checks: tuple[Check, ...] = ()


def simulate(config: Config, *, progress: Callable[[float], None] | None = None) -> Result:
    """One run; `progress` gets the share of the work done."""
    began = time.perf_counter()
    check(config)
    story = carried_out(config)
    if progress is not None:
        progress(1.0)
    table = config.as_table()
    return Result(
        scenario=config.scenario,
        name=config.name,
        config=table,
        trajectory=trajectory(story.history),
        events=events(story.history),
        ledger=story.history.ledger(config.run.ledger_bound),
        ended=story.outcome,
        metrics=metrics(story),
        provenance=provenance(table, config.seed, time.perf_counter() - began),
        cites=sources(config),
        tables=tables(story),
        checks=_checks(story),
    )


def carried_out(config: Config) -> HarpoonHistory:
    """The phases one after the other, until one of them ends the run."""
    model = build(config)
    story = _shot(config, model)
    if story.flight.ended != HIT:
        end = Outcome.TETHER_END if story.flight.ended == LINE_END else Outcome.MISSED
        if story.flown is not None and story.flown.broke:
            end = Outcome.TETHER_BROKE
        return _ended(story, end)
    story.hit = impact(model, story.flight)
    story.entered = enter(config, model, story.hit)
    _add_entry(story)
    if story.entered.outcome is not None:
        return _ended(story, story.entered.outcome)
    story.held = anchored(config, model, story.entered)
    if config.stance is not None:
        story.stance = stance_limit(config, config.stance, story.held)
    if config.hold.pull_speed_m_per_s > 0.0:
        story.pulled = pull(config, story.held, float(story.flight.last[PAID]))
        _add_pull(story)
        if story.pulled.outcome is not None:
            return _ended(story, story.pulled.outcome)
    if config.sampling is None:
        enough = story.held.least >= config.hold.required_N
        return _ended(story, Outcome.ANCHORED if enough else Outcome.NOT_HELD)
    return _sampled(story)


def _ended(story: HarpoonHistory, outcome: Outcome) -> HarpoonHistory:
    story.outcome = outcome
    story.history.note(outcome.label)
    return story


def _shot(config: Config, model: Model) -> HarpoonHistory:
    """Fire and fly; the first row is the moment before the shot."""
    flown = shot_on_cells(config, model) if config.line.cells > 0 else None
    flight = flown.flight if flown is not None else line_flight(
        model.shot, config.spacecraft.height_m, config.shot.speed_m_per_s, aim=math.radians(config.shot.aim_deg),
        tip_off=math.radians(config.shot.tip_off_deg_per_s), interval=config.run.output_interval_s,
    )  # fmt: skip
    rows = flight.rows
    motion = {
        "hull": _spatial(rows[:, 0:2]), "hull_v": _spatial(rows[:, 2:4]), "load": _spatial(rows[:, 4:6]),
        "load_v": _spatial(rows[:, 6:8]), "axis": rows[:, ANGLE], "length": rows[:, PAID],
        "tension": np.full(len(rows), model.shot.tension),
    }  # fmt: skip
    if flown is not None:
        motion |= along_line(flown.run, line_rows(flown.run))
        stores, works = flight_energies(model, flown)
    else:
        kinetic, potential = flight_energy(model.shot, rows)
        stores = {"kinetic": kinetic, "potential": potential}
        works = {
            "shot": np.full(len(rows), kinetic[0]), "line brake": rows[:, BRAKE], "feed loss": rows[:, FEED],
            "line turning": rows[:, PITCH],
        }  # fmt: skip
    history = History(LOSSES, INPUTS)
    start = np.array([0.0])
    place = {"hull": _spatial(rows[:1, 0:2]), "load": _spatial(rows[:1, 4:6])}
    still = {name: np.zeros((1, 3)) for name in ("hull_v", "load_v")}
    history.add("before", start, place | still, {"potential": stores["potential"][:1]}, {})
    history.note("shot")
    history.add("flight", flight.times, motion, stores, works)
    impulse = abs(float(rows[-1, HOLD_Z])) + abs(float(rows[-1, HOLD_X]))
    if config.spacecraft.holds_place:
        impulse += model.mass * config.shot.speed_m_per_s
    used = impulse / (config.spacecraft.specific_impulse_s * STANDARD_GRAVITY)
    return HarpoonHistory(config, model, history, flight, used, flown=flown)


def _spatial(rows: Floats) -> Floats:
    """(n, 2) of the plane of the shot as (n, 3)."""
    return np.stack([rows[:, 0], np.zeros(len(rows)), rows[:, 1]], axis=1)


def _add_entry(story: HarpoonHistory) -> None:
    """Penetration as a phase: the tip moves along the normal, the hull rests or goes on as it was."""
    entered, history, last = story.entered, story.history, story.flight.last
    assert entered is not None
    side = story.hit.side if story.hit is not None else 1.0
    count = len(entered.times)
    slope = story.model.shot.slope
    out = np.array([math.sin(slope), 0.0, math.cos(slope)])
    tip = np.array([last[4], 0.0, last[5]]) - entered.depths[:, None] * out
    hull_v = np.array([last[2], 0.0, last[3]])
    hull = np.array([last[0], 0.0, last[1]]) + entered.times[:, None] * hull_v
    before = history.parts[-1].stores
    hull_mass = story.config.spacecraft.mass_kg + story.model.shot.density * float(last[PAID])
    base = 0.5 * hull_mass * float(hull_v @ hull_v)
    lift = story.model.shot.gravity * hull_mass * (hull[:, 2] - last[1])
    # the weight of the harpoon counts as work here: its potential energy ends at the surface
    potential = before["potential"][-1] + lift
    history.note("impact")
    works = entered.works | {"thrust": lift}
    if story.flown is not None:
        # what the line holds at impact is no longer followed
        works["line damping"] = np.full(count, -_line_energy(story, hull_mass - story.config.spacecraft.mass_kg))  # fmt: skip
    motion = {
        "hull": hull, "hull_v": np.tile(hull_v, (count, 1)), "load": tip, "axis": side * entered.turned - slope,
        "depth": entered.depths, "length": np.full(count, last[PAID]),
    }  # fmt: skip
    stores = {"kinetic": entered.kinetic + base, "potential": potential}
    history.add("entry", history.time + entered.times, motion, stores, works)
    history.note("rest" if entered.outcome is None else entered.outcome.label)


def _line_energy(story: HarpoonHistory, mass: float) -> float:
    """Energy [J] of a line of cells at impact, besides that of `mass` [kg] of it that moves with the hull."""
    before, last = story.history.parts[-1].stores, story.flight.last
    body = story.model.mass - story.model.shot.density * float(last[PAID])
    hull = story.config.spacecraft.mass_kg + mass
    others = 0.5 * hull * float(last[2:4] @ last[2:4]) + 0.5 * body * float(last[6:8] @ last[6:8])
    turning = 0.5 * story.model.inertia * float(last[RATE]) ** 2
    return float(before["kinetic"][-1] + before["elastic"][-1]) - others - turning


def _add_pull(story: HarpoonHistory) -> None:
    """The pull as two rows: before it, at its end."""
    pulled, history = story.pulled, story.history
    assert pulled is not None
    before = history.parts[-1]
    start = history.time
    mass = story.config.spacecraft.mass_kg
    speed = story.config.hold.pull_speed_m_per_s
    kinetic = before.stores["kinetic"][-1] + np.array(
        [pulled.given, 0.5 * mass * pulled.speed_left**2]
    )
    motion = {
        "hull": np.stack([before.motion["hull"][-1]] * 2),
        "hull_v": np.array([[0.0, 0.0, speed], [0.0, 0.0, pulled.speed_left]]),
        "load": np.stack([before.motion["load"][-1]] * 2), "tension": np.array([0.0, pulled.peak]),
    }  # fmt: skip
    stores = {
        "kinetic": kinetic,
        "potential": np.full(2, before.stores["potential"][-1]),
        "elastic": np.array([0.0, pulled.stored]),
    }
    works = {
        "manoeuvre": np.full(2, pulled.given),
        "anchor slip": np.array([0.0, -pulled.dissipated]),
    }
    history.note("pull")
    history.add("pull", start + np.array([0.0, pulled.time]), motion, stores, works)


def _sampled(story: HarpoonHistory) -> HarpoonHistory:
    """Close the canister; take the sample; bring it back if the file asks for it."""
    sampling, entered = story.config.sampling, story.entered
    assert sampling is not None
    assert entered is not None
    if entered.depth < sampling.least_depth_m:
        return _ended(story, Outcome.NO_SAMPLE)
    filled = min(entered.length, sampling.tube_length_m)
    density = story.model.layers[0].density
    story.sample = filled * sampling.tube_area_m2 * density
    if story.config.retrieval is None:
        return _ended(story, Outcome.SAMPLED)
    if story.config.failures.no_release:
        return _ended(story, Outcome.WEDGED)
    assert story.hit is not None
    axis = story.hit.side * float(entered.turned[-1]) - story.model.shot.slope
    story.retrieved, outcome, story.checks = add_retrieval(
        story.config, story.history, story.sample, story.hover_propellant, axis,
        _spatial(story.flight.rows[-1:, 4:6])[0],
    )  # fmt: skip
    return _ended(story, outcome)


def _checks(story: HarpoonHistory) -> tuple[Check, ...]:
    checks = (*story.checks, *_ground(story))
    if story.flown is not None:
        return *flight_check(story.model, story.flown), *checks
    return (_momentum(story), *checks)


def _ground(story: HarpoonHistory) -> tuple[Check, ...]:
    """How deep spacecraft or canister get below the ground, which they do not feel, after ejection."""
    if story.retrieved is None:
        return ()
    names = [part.name for part in story.history.parts]
    after = story.history.parts[names.index("manoeuvre") + 1 :]
    slope, origin = story.model.shot.slope, _spatial(story.flight.rows[-1:, 4:6])[0]
    out = np.array([math.sin(slope), 0.0, math.cos(slope)])
    heights = [((part.motion[k] - origin) @ out).min() for part in after for k in ("hull", "load")]
    subject = "The deepest point of spacecraft or canister below the ground, which they do not feel"
    bound = story.config.harpoon.radius_m
    return (Check("ground", max(0.0, -float(min(heights))), bound, "m", subject, ""),)


def _momentum(story: HarpoonHistory) -> Check:
    """Momentum of hull and harpoon in flight, against weight and the thrusters that hold the hull."""
    shot, rows = story.model.shot, story.flight.rows
    hull, body = shot.hull + shot.density * rows[:, PAID], shot.body - shot.density * rows[:, PAID]
    total = hull[:, None] * rows[:, 2:4] + body[:, None] * rows[:, 6:8]
    weight = np.array(
        [0.0, -(shot.hull + shot.body) * shot.gravity * float(story.flight.times[-1])]
    )
    given = rows[-1, [HOLD_X, HOLD_Z]] + weight
    change = np.append(total[-1] - total[0], 0.0)
    sizes = hull[:, None] * np.abs(rows[:, 2:4]) + body[:, None] * np.abs(rows[:, 6:8])
    scale = float(sizes.max()) + float(np.abs(given).max())  # the total may be zero
    return momentum_check(change, np.append(given, 0.0), scale)
