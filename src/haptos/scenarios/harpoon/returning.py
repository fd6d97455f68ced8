"""The canister on its way back: ejection, fly-away, reeling, capture, as phases of the run."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from haptos.core.outcome import Outcome
from haptos.dynamics.cable import retrieval_run as back
from haptos.dynamics.cable.retrieval import (
    DAMPER,
    HULL,
    HULL_V,
    LENGTH,
    LOAD,
    LOAD_V,
    ORDERS,
    WORKS,
    energy,
    tension,
)
from haptos.dynamics.cable.retrieval_run import Retrieved, retrieve
from haptos.results.checks import Check
from haptos.scenarios.harpoon.config import Config
from haptos.scenarios.harpoon.model import Model, retrieval_case
from haptos.scenarios.phase_history import History

Floats = NDArray[np.float64]

ENDS = {
    back.CAPTURED: Outcome.CAPTURED, back.COLLIDED: Outcome.COLLIDED, back.OVERRAN: Outcome.OVERRAN,
    back.BROKE: Outcome.TETHER_BROKE, back.EMPTIED: Outcome.PROPELLANT_OUT, back.TIME_OVER: Outcome.TIME_OVER,
    back.UNFINISHED: Outcome.STEPS_OVER,
}  # fmt: skip


def add_retrieval(
    config: Config, model: Model, history: History, sample: float, spent: float
) -> tuple[Retrieved, Outcome]:
    """Close, eject, follow; `spent` is propellant [kg] that holding the place has taken."""
    load = config.harpoon.canister_mass_kg + sample
    hull = config.spacecraft.mass_kg - spent
    left = max(config.spacecraft.propellant_kg - spent, 1e-9)
    case = retrieval_case(config, load, hull, left)
    found = retrieve(case, interval=config.run.output_interval_s, tolerance=config.run.tolerance)
    _add_closing(config, history)
    start = history.time
    for when, what in found.events:
        history.note(what, start + when)
    _add_ejection(history, found, start)
    _add_phases(history, found, start)
    return found, ENDS[found.ended]


def spool_check(config: Config, found: Retrieved) -> Check:
    """The end of the line is not followed: a clutch that would let out more than there is, is not trusted."""
    ends = [mark[2][LENGTH] for mark in found.marks]
    largest = float(max([*found.rows[:, LENGTH], *ends, found.state[LENGTH]]))
    excess = max(largest - config.line.length_m, 0.0)
    return Check("line", excess, 0.0, "m", "Line paid out by the clutch beyond line.length_m")


def _add_closing(config: Config, history: History) -> None:
    """The canister closes while the spacecraft stays where it is."""
    assert config.sampling is not None
    last = history.parts[-1]
    wait = config.sampling.closing_time_s
    motion = {name: np.stack([last.motion[name][-1]] * 2) for name in ("hull", "load")}
    motion |= {name: np.zeros((2, 3)) for name in ("hull_v", "load_v")}
    stores = {
        "kinetic": np.full(2, last.stores["kinetic"][-1]),
        "potential": np.full(2, last.stores["potential"][-1]),
    }
    history.add("closing", history.time + np.array([0.0, wait]), motion, stores, {})


def _add_ejection(history: History, found: Retrieved, start: float) -> None:
    """The spacecraft takes up its speed, the canister its impulse; both at once and recorded as such."""
    before = history.parts[-1].stores
    y = found.marks[0][2]
    line, orders = found.line, np.zeros(ORDERS)
    kinetic, potential, _ = energy(line, orders, y)
    ejected = 0.5 * line.load * float(y[LOAD_V : LOAD_V + 3] @ y[LOAD_V : LOAD_V + 3])
    change = kinetic - ejected - float(before["kinetic"][-1])
    shifted = potential - float(before["potential"][-1])
    works = {"ejection": np.array([ejected]), "manoeuvre": np.array([change + shifted])}
    stores = {"kinetic": np.array([kinetic]), "potential": np.array([potential])}
    history.add(
        "manoeuvre", np.array([start]), _motion(found, orders, np.zeros(1), y[None]), stores, works
    )


def _motion(found: Retrieved, orders: Floats, times: Floats, rows: Floats) -> dict[str, Floats]:
    pulls = np.array(
        [tension(found.line, orders, t, y)[0] for t, y in zip(times, rows, strict=True)]
    )
    return {
        "hull": rows[:, HULL : HULL + 3], "hull_v": rows[:, HULL_V : HULL_V + 3],
        "load": rows[:, LOAD : LOAD + 3], "load_v": rows[:, LOAD_V : LOAD_V + 3],
        "length": rows[:, LENGTH], "damper": rows[:, DAMPER], "tension": pulls,
        "swing": np.array([back.line_angle(y) if not held_at(y) else math.nan for y in rows]),
    }  # fmt: skip


def held_at(y: Floats) -> bool:
    """Whether load and hull have one velocity: taken in."""
    return bool(np.array_equal(y[HULL_V : HULL_V + 3], y[LOAD_V : LOAD_V + 3]))


def _add_phases(history: History, found: Retrieved, start: float) -> None:
    """Rows between the marks of the run; the first and last row of a phase are its own."""
    ends = [*(mark[1] for mark in found.marks[1:]), math.inf]
    names = [mark[0] for mark in found.marks]
    held = found.held_from
    for k, (name, end) in enumerate(zip(names, ends, strict=True)):
        begin, y = found.marks[k][1], found.marks[k][2]
        inside = (found.times > begin) & (found.times < min(end, found.end))
        times = np.concatenate([[begin], found.times[inside], [min(end, found.end)]])
        after = found.marks[k + 1][2] if k + 1 < len(found.marks) else found.state
        rows = np.vstack([y, found.rows[inside], after])
        lost = 0.0
        if k + 1 < len(found.marks) and found.marks[k + 1][0] == "held":
            rows[-1] = found.marks[k + 1][2]
            lost = found.captured_loss
        orders = found.orders.copy()
        orders[6] = 1.0 if begin >= held else 0.0
        last_orders = orders.copy()
        if lost:
            last_orders[6] = 1.0
        stores = np.array([energy(found.line, orders, y) for y in rows[:-1]]
                          + [energy(found.line, last_orders, rows[-1])])  # fmt: skip
        works = {key: rows[:, i] - y[i] for key, i in WORKS.items()}
        works["capture"] = np.append(np.zeros(len(times) - 1), -lost)
        columns = dict(zip(("kinetic", "potential", "elastic"), stores.T, strict=True))
        motion = _motion(found, orders, times, rows)
        if orders[6] > 0.5 or lost:
            motion["swing"][-1] = math.nan
        history.add(name, start + times, motion, columns, works)
