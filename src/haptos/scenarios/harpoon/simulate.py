"""Run a harpoon file: shot, flight, entry, hold, sample, retrieval, each a phase with its energy."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from haptos.contact.laws.anchor import Anchor, mass_above
from haptos.contact.laws.penetration import depth_per_length, layers_along
from haptos.core.outcome import Outcome
from haptos.dynamics.cable.line_shot import (
    HIT,
    HOLD_X,
    HOLD_Z,
    LINE_END,
    MISSED,
    PAID,
    RATE,
    SIZE,
    LineFlight,
    ShotMotion,
)
from haptos.dynamics.cable.line_shot_space import SpaceFlight
from haptos.dynamics.cable.line_shot_tether import CellFlight
from haptos.dynamics.cable.retrieval_run import STANDARD_GRAVITY, Retrieved
from haptos.dynamics.cable.retrieval_tether import LineRetrieved
from haptos.results.checks import Check
from haptos.results.provenance import provenance
from haptos.results.result import Result
from haptos.scenarios.harpoon.checks import run_checks
from haptos.scenarios.harpoon.config import Config
from haptos.scenarios.harpoon.entry import (
    Entered,
    HarpoonImpact,
    enter,
    impact,
    site_impact,
)
from haptos.scenarios.harpoon.firing import fired
from haptos.scenarios.harpoon.holding import Pulled, anchored, pull, pushed, stance_limit
from haptos.scenarios.harpoon.model import Model, build, check, sources
from haptos.scenarios.harpoon.returning import add_retrieval
from haptos.scenarios.harpoon.tables import events, metrics, tables, trajectory
from haptos.scenarios.harpoon.waiting import (
    SpacecraftMotion,
    add_closing,
    add_waiting,
    motion_before_shot,
    spacecraft_motion,
)
from haptos.scenarios.phase_history import History

Floats = NDArray[np.float64]

LOSSES = (
    "line brake", "feed loss", "soil drag", "soil strength", "soil friction", "overburden", "soil viscosity",
    "anchor slip", "clutch", "series damper", "line damping", "line break", "capture", "grid",
)  # fmt: skip
INPUTS = (
    "shot", "line turning", "weight", "ejection", "manoeuvre", "thrust", "lateral thrust", "propellant", "motor", "push",
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
    space: SpaceFlight | None = None
    checks: tuple[Check, ...] = ()

    @property
    def motion(self) -> ShotMotion | None:
        """The flight in three dimensions; None of one in a plane."""
        found = self.flown or self.space
        return None if found is None else found.motion


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
        checks=run_checks(story),
    )


def carried_out(config: Config) -> HarpoonHistory:
    """The phases one after the other, until one of them ends the run."""
    model = build(config)
    before = motion_before_shot(config, model)
    if before.is_down:
        return _stopped(config, model, before)
    story = _shot(config, model, before)
    if story.hover_propellant > config.spacecraft.propellant_kg:
        return _ended(story, Outcome.PROPELLANT_OUT)
    if story.flight.ended != HIT:
        end = Outcome.TETHER_END if story.flight.ended == LINE_END else Outcome.MISSED
        if story.flown is not None and story.flown.broke:
            end = Outcome.TETHER_BROKE
        return _ended(story, end)
    if model.site is not None and story.motion is not None:
        story.hit = site_impact(model, model.site, story.motion, float(story.flight.last[PAID]))
    else:
        story.hit = impact(model, story.flight)
    story.entered = enter(config, model, story.hit)
    _add_entry(story)
    if story.entered.outcome is not None:
        return _ended(story, story.entered.outcome)
    if config.hold.push_N > 0.0 and not _is_pushed(story, story.entered, story.hit):
        return _ended(story, Outcome.SUNK)
    story.held = anchored(config, model, story.entered, story.hit.gravity)
    if config.stance is not None:
        story.stance = stance_limit(config, config.stance, story.held, model.site)
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


def _stopped(config: Config, model: Model, before: SpacecraftMotion) -> HarpoonHistory:
    """The spacecraft comes down before its harpoon is shot: nothing flies."""
    history = History(LOSSES, INPUTS)
    add_waiting(history, config, model, before)
    still = LineFlight(MISSED, np.zeros(1), np.zeros((1, SIZE)), False)
    return _ended(HarpoonHistory(config, model, history, still, 0.0), Outcome.COLLIDED)


def _shot(config: Config, model: Model, before: SpacecraftMotion) -> HarpoonHistory:
    """Fire and fly; the first row is the moment before the shot, or before the wait for one that is late."""
    shot = fired(config, model, before.place, before.velocity)
    flight, motion, stores, works = shot.flight, shot.motion, shot.stores, shot.works
    history = History(LOSSES, INPUTS)
    if before.is_idle:
        stand = {"hull": motion["hull"][:1], "load": motion["load"][:1]}
        still = {name: np.zeros((1, 3)) for name in ("hull_v", "load_v")}
        start = np.array([0.0])
        history.add("before", start, stand | still, {"potential": stores["potential"][:1]}, {})
    else:
        add_waiting(history, config, model, before)
        # what the shot gives, and the way of the harpoon down the barrel
        had = sum(float(store[-1]) for store in history.parts[-1].stores.values())
        gave = sum(float(store[0]) for store in stores.values()) - had
        works["shot"] = np.full(len(flight.times), gave)
    history.note("shot")
    history.add("flight", history.time + flight.times, motion, stores, works, shot.turning)
    found = shot.flown or shot.space
    held = flight.last[[HOLD_X, HOLD_Z]] if found is None else found.held
    impulse = float(np.abs(held).sum()) + before.impulse
    if config.spacecraft.holds_place:
        impulse += model.mass * config.muzzle[0]
    used = impulse / (config.spacecraft.specific_impulse_s * STANDARD_GRAVITY)
    return HarpoonHistory(config, model, history, flight, used, flown=shot.flown, space=shot.space)


def _add_entry(story: HarpoonHistory) -> None:
    """Penetration as a phase: the tip moves along the normal, the hull rests or goes on as it was."""
    entered, history, last, hit = story.entered, story.history, story.flight.last, story.hit
    assert entered is not None
    assert hit is not None
    count = len(entered.times)
    tip = hit.place - entered.depths[:, None] * hit.out
    flight = history.parts[-1].motion
    hull_v = flight["hull_v"][-1]
    hull = flight["hull"][-1] + entered.times[:, None] * hull_v
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
    pointed = axis_of(hit, entered.turned)
    motion = {
        "hull": hull, "hull_v": np.tile(hull_v, (count, 1)), "load": tip,
        "axis": np.arctan2(pointed[:, 0], -pointed[:, 2]),
        "depth": entered.depths, "length": np.full(count, last[PAID]),
    }  # fmt: skip
    stores = {"kinetic": entered.kinetic + base, "potential": potential}
    history.add("entry", history.time + entered.times, motion, stores, works, entered.turning)
    history.note("rest" if entered.outcome is None else entered.outcome.label)


def _line_energy(story: HarpoonHistory, mass: float) -> float:
    """Energy [J] of a line of cells at impact, besides that of `mass` [kg] of it that moves with the hull."""
    before, last = story.history.parts[-1].stores, story.flight.last
    body = story.model.mass - story.model.shot.density * float(last[PAID])
    hull = story.config.spacecraft.mass_kg + mass
    v, w = (story.history.parts[-1].motion[name][-1] for name in ("hull_v", "load_v"))
    others = 0.5 * hull * float(v @ v) + 0.5 * body * float(w @ w)
    turning = 0.5 * story.model.inertia * float(last[RATE]) ** 2
    return float(before["kinetic"][-1] + before["elastic"][-1]) - others - turning


def _is_pushed(story: HarpoonHistory, entered: Entered, hit: HarpoonImpact) -> bool:
    """Push the harpoon on, as two rows before and after; whether it stops."""
    found, history = pushed(story.config, story.model, entered, hit.gravity), story.history
    depth = entered.depth + found.way * depth_per_length(entered.tilt)
    story.entered = replace(entered, depth=depth, length=found.depth, pushed=found)
    before = history.parts[-1]
    works = {
        "push": found.strength + found.friction + found.overburden,
        "soil strength": -found.strength, "soil friction": -found.friction, "overburden": -found.overburden,
    }  # fmt: skip
    motion = {
        "hull": np.stack([before.motion["hull"][-1]] * 2), "hull_v": np.stack([before.motion["hull_v"][-1]] * 2),
        "load": np.stack([before.motion["load"][-1], hit.place - depth * hit.out]),
        "axis": np.full(2, before.motion["axis"][-1]), "depth": np.array([before.motion["depth"][-1], depth]),
        "length": np.full(2, before.motion["length"][-1]),
    }  # fmt: skip
    stores = {name: np.full(2, before.stores[name][-1]) for name in ("kinetic", "potential")}
    history.note("push")
    history.add("push", np.full(2, history.time), motion, stores, {name: np.array([0.0, work]) for name, work in works.items()})  # fmt: skip
    return found.is_held


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
    layers = layers_along(story.model.layers, entered.tilt)
    story.sample = sampling.tube_area_m2 * mass_above(layers, filled)
    if story.config.retrieval is None:
        return _ended(story, Outcome.SAMPLED)
    if story.config.failures.no_release:
        return _ended(story, Outcome.WEDGED)
    outcome = _closed(story)
    if outcome is not None:
        return _ended(story, outcome)
    assert story.hit is not None
    outward = -axis_of(story.hit, entered.turned[-1:])[0]
    story.retrieved, outcome, story.checks = add_retrieval(
        story.config, story.history, story.sample, story.hover_propellant, outward, story.hit.place, story.model.site
    )  # fmt: skip
    return _ended(story, outcome)


def _closed(story: HarpoonHistory) -> Outcome | None:
    """Wait until the canister is closed; what ends the run before it leaves."""
    config, history, hit, entered = story.config, story.history, story.hit, story.entered
    assert config.sampling is not None
    assert hit is not None
    assert entered is not None
    last, wait = history.parts[-1].motion, config.sampling.closing_time_s
    mass = config.spacecraft.mass_kg + story.model.shot.density * float(story.flight.last[PAID])
    place, velocity = last["hull"][-1], last["hull_v"][-1]
    during = spacecraft_motion(config, story.model, place, velocity, wait, mass)
    add_closing(history, story.model, during, mass)
    if config.spacecraft.holds_place:  # while the harpoon entered too
        held = spacecraft_motion(
            config, story.model, place, velocity, entered.time + wait, mass
        ).impulse
        story.hover_propellant += held / (config.spacecraft.specific_impulse_s * STANDARD_GRAVITY)
    if during.is_down:
        return Outcome.COLLIDED
    if story.hover_propellant > config.spacecraft.propellant_kg:
        return Outcome.PROPELLANT_OUT
    if float(np.linalg.norm(during.place - hit.place)) > config.line.length_m:
        return Outcome.TETHER_END
    return None


def axis_of(hit: HarpoonImpact, turned: Floats) -> Floats:
    """Ways (n, 3) the tip points at angles (n,) from the inward normal, axes of the run."""
    return np.sin(turned)[:, None] * hit.along - np.cos(turned)[:, None] * hit.out
