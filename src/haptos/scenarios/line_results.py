"""A run of a tether with reels as tables, ledger and checks, in the form that `system_view` draws."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import xarray
from numpy.typing import NDArray

from haptos.core.frames import NO_FRAME
from haptos.core.rotations import rotation_matrices
from haptos.dynamics.cable import tether_extremes as extremes
from haptos.dynamics.cable.tether_grid import GriddedRun, deployed_length
from haptos.dynamics.cable.tether_march import ask_rates
from haptos.dynamics.cable.tether_run import TetherRun
from haptos.dynamics.cable.tether_state import (
    ATTITUDE,
    BODY,
    CELLS,
    CUT,
    ENERGY_ENTRIES,
    FEED,
    MOMENTUM,
    POSITION,
    PROPELLANT,
    RATE,
    STORED,
    WORK_NAMES,
    WORKS,
)
from haptos.dynamics.guard.ground_guard import ELEMENT_DEPTH
from haptos.dynamics.rigid.rigid_body import turn_energy
from haptos.results.balances import mass_check, momentum_check
from haptos.results.checks import Check
from haptos.results.ledger import EnergyLedger
from haptos.results.phases import Phase
from haptos.results.result import described
from haptos.scenarios.contact_speed import impact_check
from haptos.scenarios.system_tables import event_table

Floats = NDArray[np.float64]
STORES = ("kinetic", "elastic", "series")
LOSSES = (
    "damping", "series", "feed_loss_0", "feed_loss_1", "drag", "contact", "friction", "breakage",
)  # fmt: skip
# Always the same, so that runs of a campaign have the same columns; shaft and feed are what a reel's work is made of.
LEDGER_ENTRIES = (
    *(name for name in ENERGY_ENTRIES if not name.startswith("winch")),
    "shaft_0", "shaft_1", "feed_loss_0", "feed_loss_1",
)  # fmt: skip
ROW_SERIES = ("time", "state", "tension", "energy", "payout")
EVENT_KINDS = "what happened"
HEAT_BOUND = 1e-8  # [-] of the heat exchanged
IMPULSE_SHARE = 0.1  # [-] of the tolerance of a step
STRAIN_BOUND = 1.0  # [-] T/EA: no line of twice its length follows the linear law, and waves no longer pass its reels


@dataclass(frozen=True, eq=False)
class LineRows:
    """Rows of a run with what its springs say of each.

    time (n,) [s]       state (n, size)      tension (n, N + 1) [N]    energy (n, 3) [J], of STORES
    payout (n, 2) [m/s]    is_whole (N + 1,) springs that are not cut at the end
    """

    time: Floats
    state: Floats
    tension: Floats
    energy: Floats
    payout: Floats
    is_whole: NDArray[np.bool_]

    def body(self, k: int, first: int, size: int = 3) -> Floats:
        """Numbers of body k along the rows."""
        return self.state[:, BODY * k + first : BODY * k + first + size]

    def work(self, name: str) -> Floats:
        """Work put in [J] since the start, along the rows."""
        return self.state[:, WORKS + WORK_NAMES.index(name)]

    def at(self, chosen: NDArray[np.bool_]) -> LineRows:
        """Some of the rows."""
        return replace(self, **{name: getattr(self, name)[chosen] for name in ROW_SERIES})


def all_rows(run: GriddedRun, cut_at: float = np.inf) -> LineRows:
    """Rows of a run that changed its cells, as of the largest number of them: places and tensions between are interpolated."""
    parts = [line_rows(part, cut_at, ends=part is run.run) for part in run.parts]
    count = max(len(part.is_whole) for part in parts) - 1
    made = [_resampled(part, count) for part in parts if len(part.time)]
    if len(made) == 1:
        return made[0]
    joined = {name: np.concatenate([getattr(p, name) for p in made]) for name in ROW_SERIES}
    return LineRows(**joined, is_whole=np.ones(count + 1, dtype=bool))


def _resampled(rows: LineRows, count: int) -> LineRows:
    """The rows with another number of cells."""
    n = len(rows.is_whole) - 1
    if n == count:
        return rows
    old, new = (np.arange(n) + 0.5) / n, (np.arange(count) + 0.5) / count
    edges, finer = np.arange(n + 1) / n, np.arange(count + 1) / count
    state = np.zeros((len(rows.time), CELLS + 7 * count))
    state[:, :CELLS] = rows.state[:, :CELLS]
    for row, source in zip(state, rows.state, strict=True):
        for block, share in ((0, 1.0), (1, n / count)):
            cells = source[CELLS + 3 * n * block : CELLS + 3 * n * (block + 1)].reshape(n, 3)
            made = np.stack([np.interp(new, old, cells[:, k]) for k in range(3)], axis=1)
            row[CELLS + 3 * count * block : CELLS + 3 * count * (block + 1)] = share * made.ravel()
        row[CELLS + 6 * count :] = np.interp(new, old, source[CELLS + 6 * n : CELLS + 7 * n])
    tension = np.array([np.interp(finer, edges, row) for row in rows.tension])
    whole = np.ones(count + 1, dtype=bool)
    return LineRows(rows.time, state, tension, rows.energy, rows.payout, whole)


def line_rows(run: TetherRun, cut_at: float = np.inf, *, ends: bool = True) -> LineRows:
    """All rows of a run and its last state, asked for tensions and energies; cut_at [s] of a cut that is no event.

    ends  False leaves out the last state
    """
    times, states = run.row_times, run.rows
    if ends and (not len(times) or times[-1] < run.time):
        times = np.append(times, run.time)
        states = np.vstack([states, run.state])
    springs, status = run.tether.springs, run.tether.status
    kept_mode, kept_status = springs.mode.copy(), status.copy()
    count, rates, totals = len(springs.tension), np.zeros(states.shape[1]), np.zeros(3)
    tension, energy, payout = (np.zeros((len(times), n)) for n in (count, 3, 2))
    cut_time = next((when for when, name, *_ in run.events if name == "tether broke"), cut_at)
    for i, (when, state) in enumerate(zip(times, states, strict=True)):
        status[CUT] = kept_status[CUT] if when >= cut_time else -1.0
        springs.mode[:] = kept_mode
        for _ in range(2):  # the second time with the modes that the first found
            ask_rates(run.tether, float(when), state, rates, totals)
            springs.mode[:] = springs.gap > 0.0
        tension[i], energy[i] = springs.tension, totals
        payout[i] = status[FEED], status[FEED + 2]
    springs.mode[:], status[:] = kept_mode, kept_status
    run.refresh()
    is_whole = np.arange(count) != int(kept_status[CUT])
    return LineRows(times, states, tension, energy, payout, is_whole)


def line_points(run: TetherRun, states: Floats, count: int) -> Floats:
    """Feed point, cells, the other feed point (n, N + 2, 3) [m] of states (n, size) with a number of cells."""
    ends = []
    for k in (0, 1):
        at = BODY * k
        dcm = rotation_matrices(states[:, at + ATTITUDE : at + ATTITUDE + 4])
        arm = np.asarray(run.tether.hulls[k].attachment, dtype=float)
        ends.append(states[:, at + POSITION : at + POSITION + 3] + np.einsum("nij,j->ni", dcm, arm))
    cells = states[:, CELLS : CELLS + 3 * count].reshape(len(states), count, 3)
    return np.concatenate([ends[0][:, None], cells, ends[1][:, None]], axis=1)


def body_velocities(run: TetherRun, states: Floats) -> Floats:
    """Velocities (n, 2, 3) [m/s] of the hulls' centres of mass, of states (n, size)."""
    found = []
    for k in (0, 1):
        hull, own = run.tether.hulls[k], states[:, BODY * k : BODY * (k + 1)]
        dcm = rotation_matrices(own[:, ATTITUDE : ATTITUDE + 4])
        arm = np.asarray(hull.attachment, dtype=float)
        reel = run.system.line.density * states[:, STORED + k]
        mass = hull.mass + own[:, PROPELLANT] + reel
        swing = np.einsum("nij,nj->ni", dcm, np.cross(own[:, RATE : RATE + 3], arm))
        found.append((own[:, MOMENTUM : MOMENTUM + 3] - reel[:, None] * swing) / mass[:, None])
    return np.stack(found, axis=1)


def line_motion(run: TetherRun, rows: LineRows, names: Sequence[str]) -> xarray.Dataset:
    """Bodies, cells, tensions, lengths along time."""
    count = len(rows.is_whole) - 1
    places = np.stack([rows.body(k, POSITION) for k in (0, 1)], axis=1)
    turns = np.stack([rows.body(k, ATTITUDE, 4) for k in (0, 1)], axis=1)
    rates = np.stack([rows.body(k, RATE) for k in (0, 1)], axis=1)
    speeds = body_velocities(run, rows.state)
    points = line_points(run, rows.state, count)
    apart = points[:, -1] - points[:, 0]
    stored = rows.state[:, STORED : STORED + 2]
    body, vector = ("time", "body"), ("time", "body", "axis")
    time = described(("time",), rows.time, "s", NO_FRAME, "time since the start")
    series = {
        "r_BN_N": described(vector, places, "m", "N", "centres of mass of the bodies"),
        "v_BN_N": described(vector, speeds, "m/s", "N", "their velocities"),
        "quat_NB": described((*body, "quaternion"), turns, "-", "NB", "attitude, scalar first"),
        "omega_BN_B": described(vector, rates, "rad/s", "B", "rates, own axes"),
        "r_point_N": described(
            ("time", "point", "axis"), points, "m", "N", "feed point, cells, the other feed point"
        ),
        "tension": described(("time", "element"), rows.tension, "N", NO_FRAME, "between points"),
        "stored": described(body, stored, "m", NO_FRAME, "line on the reel of each body"),
        "payout": described(body, rows.payout, "m/s", NO_FRAME, "of each reel, above 0 out of it"),
        "deployed": described(
            ("time",), run.system.line.total - stored.sum(axis=1), "m", NO_FRAME, "line off the reels"
        ),
        "distance": described(
            ("time",), np.linalg.norm(apart, axis=1), "m", NO_FRAME, "between the feed points"
        ),
        "temperature": described(
            ("time", "cell"), rows.state[:, CELLS + 6 * count : CELLS + 7 * count], "K", NO_FRAME, "of the cells"
        ),
    }  # fmt: skip
    return xarray.Dataset(series, coords={"time": time, "body": list(names)})


def line_elements(rows: LineRows) -> xarray.Dataset:
    """Which points each spring joins, and whether it is whole at the end."""
    count = len(rows.is_whole)
    ends = np.stack([np.arange(count), np.arange(count) + 1], axis=1)
    kinds = np.full(count, "tether", dtype=object)
    return xarray.Dataset({
        "ends": described(("element", "end"), ends, "-", NO_FRAME, "points it joins"),
        "kind": described(("element",), kinds, "-", NO_FRAME, "tether"),
        "is_whole": described(("element",), rows.is_whole.astype(np.int64), "-", NO_FRAME, "0 if it is cut"),
        "largest_tension": described(("element",), rows.tension.max(axis=0), "N", NO_FRAME, "of the stored times"),
    })  # fmt: skip


def line_events(run: TetherRun, further: Iterable[tuple[float, str]] = ()) -> xarray.Dataset:
    """Events of the run without those of the user's watches, and further ones."""
    own = [(when, name) for when, name, *_ in run.events if name != "watch"]
    return event_table([*own, *further], EVENT_KINDS)


def hull_turning(run: TetherRun, states: Floats) -> Floats:
    """Energy [J] of the turns of the hulls about their centres, wheels apart, of states (n, size)."""
    found = np.zeros(len(states))
    for k in (0, 1):
        hull, first = run.tether.hulls[k], BODY * k + RATE
        if hull.can_turn:
            found += turn_energy(hull.inertia, states[:, first : first + 3].T)
    return found


def line_ledger(run: TetherRun, rows: LineRows, bound: float) -> EnergyLedger:
    """Stores and works along the rows; phases between the marks of the run, over all of its steps."""
    works = {name: rows.work(name) for name in LEDGER_ENTRIES}
    stores = {name: rows.energy[:, i] for i, name in enumerate(STORES)}
    renamed = {f"{name}_damper" if name in stores else name: value for name, value in works.items()}
    total = rows.energy.sum(axis=1)
    remainder = total - total[0] - sum(works.values(), np.zeros(len(total)))
    ends = [(mark[0], mark[2]) for mark in run.marks[1:]]
    ends.append((float(rows.time[-1]), run.state[WORKS:CELLS]))
    phases = tuple(
        line_phase(mark, *end, extremes_of_phase)
        for mark, end, extremes_of_phase in zip(run.marks, ends, run.phase_extremes(), strict=True)
    )
    first = missing_at(run.marks[0])
    of_steps = max(max(most - first, first - least) for _, _, least, most in run.phase_extremes())
    return EnergyLedger(
        time=rows.time, stores=stores, works=renamed, bound=bound,
        max_remainder=float(np.fmax(np.abs(remainder).max(), of_steps)) if of_steps == of_steps else of_steps,
        phases=phases,
    )  # fmt: skip


def missing_at(mark: tuple[float, str, Floats, tuple[float, float, float]]) -> float:
    """Energy [J] at a mark less all that was put in until then."""
    return float(sum(mark[3]) - mark[2][: len(ENERGY_ENTRIES)].sum())


def line_phase(
    mark: tuple[float, str, Floats, tuple[float, float, float]],
    end: float,
    works: Floats,
    extremes_of_phase: Floats,
) -> Phase:
    """The phase from a mark to an end [s], when these works had been put in [J]."""
    start, name, before, _ = mark
    highest, resting, least, most = (float(x) for x in extremes_of_phase)
    change = dict(zip(WORK_NAMES, (works - before).tolist(), strict=True))
    losses = -sum(change[name] for name in LOSSES)
    given = sum(change[name] for name in LEDGER_ENTRIES if name not in LOSSES)
    origin = missing_at(mark)
    missing = max(most - origin, origin - least)
    return Phase(name, start, end, highest - resting, losses, given, missing, resting)


def line_checks(
    run: TetherRun, built: float, first: tuple[Floats, Floats, float]
) -> tuple[Check, ...]:
    """Mass, momentum, tension, heat: `built` mass [kg], and what `run.momentum()` said at the start."""
    p, _, mass = run.momentum()
    impulse = run.impulse()
    scale = sum(float(np.linalg.norm(part)) for part in (first[0], p, impulse))
    for k in (0, 1):
        at = BODY * k + MOMENTUM
        scale += float(np.linalg.norm(run.state[at : at + 3]))
    expelled = run.works()["expelled"]
    momentum = momentum_check(p - first[0], impulse, scale)
    if any(hull.is_fixed for hull in run.tether.hulls):
        # the impulse of an anchor is integrated beside the motion, to a share of the tolerance
        momentum = replace(momentum, bound=max(momentum.bound, IMPULSE_SHARE * run.tolerance))
    checks = (mass_check(built, (first[2], mass + expelled)), momentum, *tension_checks(run))
    return checks if run.tether.heat.is_on == 0.0 else (*checks, heat_check(run))


def tension_checks(run: TetherRun) -> tuple[Check, ...]:
    """The line within its law; and, of a line that broke or was cut, its parts, which do not break again."""
    line, x = run.system.line, run.extremes
    at = f"at {x[extremes.TENSION_AT]:.6g} s"
    subject = "The largest tension over EA, where the linear law of the line ends"
    strain = Check(
        "strain", float(x[extremes.TENSION]) / line.stiffness, STRAIN_BOUND, "-", subject, at
    )
    if run.tether.status[CUT] < 0.0 or not np.isfinite(line.breaking):
        return (strain,)
    subject = "The largest tension of the parts of the broken line, which would break again, over that of breaking"
    parts = float(x[extremes.PART_TENSION]) / line.breaking
    return strain, Check("parts", parts, 1.0, "-", subject, "")


def heat_check(run: TetherRun) -> Check:
    """Heat of the line: what it holds now, less what it held, is what came in less what was radiated."""
    works, line, n = run.works(), run.system.line, run.system.cells
    per_kelvin = line.density * line.heat_capacity
    width = deployed_length(run) / n
    held = per_kelvin * width * float(run.state[CELLS + 6 * n : CELLS + 7 * n].sum())
    before = per_kelvin * run.system.deployed * run.first_temperature
    got = works["heat_absorbed"] + works["heat_damping"] + works["heat_fed"]
    off = abs(held - before - got + works["heat_emitted"])
    exchanged = works["heat_absorbed"] + works["heat_emitted"] + abs(works["heat_fed"]) + before
    subject = "Heat of the line against what it absorbed, radiated and was fed, over what it exchanged and holds"
    return Check("heat", off / exchanged, max(HEAT_BOUND, run.tolerance), "-", subject, "")


def ground_checks(run: TetherRun) -> tuple[Check, ...]:
    """The deepest point of the path of bodies and line below ground, and how fast they meet it; none without a ground.

    Where the ground is felt the middle between cells may cut what is smaller than a piece of line.
    """
    if not run.tether.ground.is_watched:
        return ()
    depth, when = run.deepest
    is_felt = bool(run.tether.ground.is_on)
    bound = ELEMENT_DEPTH * deployed_length(run) / max(run.system.cells, 1) if is_felt else 0.0
    subject = "The deepest point of bodies and line below the ground"
    subject += "" if is_felt else ", which they do not feel"
    ground = Check("ground", depth, bound, "m", subject, f"at {when:.6g} s" if depth else "")
    return (
        (ground, impact_check(float(run.extremes[extremes.GROUND_SPEED]))) if is_felt else (ground,)
    )
