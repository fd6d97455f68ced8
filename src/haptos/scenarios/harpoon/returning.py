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
from haptos.dynamics.cable.retrieval_tether import LineRetrieved
from haptos.results.checks import Check
from haptos.scenarios.harpoon.config import Config
from haptos.scenarios.harpoon.model import retrieval_case
from haptos.scenarios.harpoon.on_cells import add_cell_phases, retrieval_on_cells
from haptos.scenarios.phase_history import History
from haptos.scenarios.worlds.site import Site

Floats = NDArray[np.float64]

ENDS = {
    back.CAPTURED: Outcome.CAPTURED, back.COLLIDED: Outcome.COLLIDED, back.OVERRAN: Outcome.OVERRAN,
    back.BROKE: Outcome.TETHER_BROKE, back.EMPTIED: Outcome.PROPELLANT_OUT, back.TIME_OVER: Outcome.TIME_OVER,
    back.UNFINISHED: Outcome.STEPS_OVER, back.LINE_END: Outcome.TETHER_END,
}  # fmt: skip


def add_retrieval(
    config: Config, history: History, sample: float, spent: float, outward: Floats, origin: Floats,
    site: Site | None = None,
) -> tuple[Retrieved | LineRetrieved, Outcome, tuple[Check, ...]]:  # fmt: skip
    """Eject, follow; how it went, how it ended, checks.

    spent  propellant [kg] that holding the place has taken     outward  unit vector along the harpoon's axis
    origin  where it hit the ground [m]: the canister leaves from there
    """
    load = config.harpoon.canister_mass_kg + sample
    hull = config.spacecraft.mass_kg - spent
    left = max(config.spacecraft.propellant_kg - spent, 1e-9)
    apart = history.parts[-1].motion["hull"][-1] - origin
    case = retrieval_case(config, load, hull, left, tuple(apart.tolist()), tuple(outward.tolist()))
    start = history.time
    checks: tuple[Check, ...] = ()
    if config.line.cells > 0 or site is not None:
        line = retrieval_on_cells(config, case, origin, site)
        _note(history, line.events, start)
        _add_jump(history, 0.5 * load * (case.impulse / load) ** 2, sum(line.run.marks[0][3]))
        checks = add_cell_phases(config, history, line, start, origin, load, site)
        return line, _ending(config, line), checks
    found = retrieve(case, interval=config.run.output_interval_s, tolerance=config.run.tolerance)
    _note(history, found.events, start)
    _add_ejection(history, found, start, origin)
    _add_phases(history, found, start, origin)
    return found, _ending(config, found), checks


def _ending(config: Config, found: Retrieved | LineRetrieved) -> Outcome:
    """The outcome; a canister that is not back because the reel stood still is a jam."""
    jam = config.failures.reel_jam_s
    if found.ended == back.TIME_OVER and jam is not None and jam < found.time:
        return Outcome.REEL_JAMMED
    return ENDS[found.ended]


def _note(history: History, events: list[tuple[float, str]], start: float) -> None:
    for when, what in events:
        history.note(what, start + when)


def _add_jump(history: History, ejected: float, energy: float) -> None:
    """Ejection and manoeuvre before a run on cells: the change of energy at once."""
    before = history.parts[-1]
    total = sum(float(store[-1]) for store in before.stores.values())
    potential = float(before.stores["potential"][-1])
    works = {
        "ejection": np.array([ejected]),
        "manoeuvre": np.array([energy + potential - total - ejected]),
    }
    stores = {"kinetic": np.array([energy]), "potential": np.array([potential])}
    motion = {name: before.motion[name][-1:] for name in ("hull", "load", "hull_v", "load_v")}
    history.add("manoeuvre", np.array([history.time]), motion, stores, works)


def _add_ejection(history: History, found: Retrieved, start: float, origin: Floats) -> None:
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
        "manoeuvre",
        np.array([start]),
        _motion(found, orders, np.zeros(1), y[None], origin),
        stores,
        works,
    )


def _motion(
    found: Retrieved, orders: Floats, times: Floats, rows: Floats, origin: Floats
) -> dict[str, Floats]:
    pulls = np.array(
        [tension(found.line, orders, t, y)[0] for t, y in zip(times, rows, strict=True)]
    )
    return {
        "hull": origin + rows[:, HULL : HULL + 3], "hull_v": rows[:, HULL_V : HULL_V + 3],
        "load": origin + rows[:, LOAD : LOAD + 3], "load_v": rows[:, LOAD_V : LOAD_V + 3],
        "length": rows[:, LENGTH], "damper": rows[:, DAMPER], "tension": pulls,
        "swing": np.array([back.line_angle(y) if not held_at(y) else math.nan for y in rows]),
    }  # fmt: skip


def held_at(y: Floats) -> bool:
    """Whether load and hull have one velocity: taken in."""
    return bool(np.array_equal(y[HULL_V : HULL_V + 3], y[LOAD_V : LOAD_V + 3]))


def _add_phases(history: History, found: Retrieved, start: float, origin: Floats) -> None:
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
        motion = _motion(found, orders, times, rows, origin)
        if orders[6] > 0.5 or lost:
            motion["swing"][-1] = math.nan
        history.add(name, start + times, motion, columns, works)
