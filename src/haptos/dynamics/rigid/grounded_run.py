"""A body in polygonal contact with the ground of a small body, carried to rest: ends, touches, phases, guard.

    calm    slower than two thresholds, in contact; rest after a while of it (contact/settling.py)
    ledger  stored = kinetic + potential + elastic + stick, lost = damping + viscous + friction + released + drag,
            put in = work of sunlight

The march of `touching_pair_march.py` does the motion, in axes that turn with the ground, which is its fixed reference
body. It stops after a number of steps, never at a time, so that the motion has the same bits whatever is stored;
between two stops its rows, one for each step, are judged here. Stored rows are those of the output times, within steps.
The guard asks the distance of points of the hull at the ends of steps: it uses neither faces nor sets of the contact.
Validity: as touching_pair.py; even spin. Source: rest as contact/settling.py; the rest elementary.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from haptos.contact.sets.polygons_pair import PolygonPair
from haptos.contact.sets.polygons_step import A_DEPTH, A_TOUCH
from haptos.contact.settling import NOT_CALM, calm_since, is_settled
from haptos.core.rotations import rotation_matrices
from haptos.dynamics.ledger.phase_ledger import phase_rows
from haptos.dynamics.rigid.rigid_body import ATTITUDE, POSITION, RATE, VELOCITY
from haptos.dynamics.rigid.touching_pair import (
    ANGULAR,
    BODY,
    MOMENTUM,
    W_DAMPING,
    W_DRAG,
    W_LIGHT,
    W_VISCOUS,
)
from haptos.dynamics.rigid.touching_pair import ATTITUDE as TURN
from haptos.dynamics.rigid.touching_pair_march import (
    L_ELASTIC,
    L_FRICTION,
    L_KINETIC,
    L_POLYGONS,
    L_POTENTIAL,
    L_RELEASED,
    L_STATE,
    L_STEP,
    L_STICK,
    L_TIME,
    STEPS_OVER,
)
from haptos.dynamics.rigid.touching_pair_run import NO_AIR, NO_SUN, Mover, PairRun
from haptos.environment.ball_drag import GroundAir
from haptos.environment.gravity import Gravity
from haptos.environment.ground_sunlight import Sun
from haptos.geometry.distance.reference import gaps_of

CITES: tuple[str, ...] = ()

Floats = NDArray[np.float64]

STEPS_AT_ONCE = 2_000  # between two looks
FLIGHT, TOUCHED = 0, 1  # events that begin a phase of the ledger
SETTLED, TOO_FAR = 100, 101  # ends besides those of the march
TOUCH, LIFT, REST = 0, 1, 2  # kinds of events


@dataclass(frozen=True, eq=False)
class Grounded:
    """A body, its ground and what ends its run.

    pair      faces of the body (or its feet) from its centre of mass, the ground as reference, the law
    mass [kg], inertia (3, 3) [kg m^2] in B axes        gravity, spin [rad/s] (3,) of the ground, A axes
    state     (13,) as rigid_body.py            hull (n, 3) [m] from the centre of mass, corner_radius [m] about each
    rest      speed [m/s], rate [rad/s], duration [s]       farthest [m], deepest [m], duration [s]
    tolerance of a step [-], as a share of scales of energy and length       air, sun  that act on the body
    """

    pair: PolygonPair
    mass: float
    inertia: Floats
    gravity: Gravity
    spin: Floats
    state: Floats
    hull: Floats
    corner_radius: float
    rest: tuple[float, float, float]
    farthest: float
    deepest: float
    duration: float
    tolerance: float = 1e-7
    air: GroundAir = NO_AIR
    sun: Sun = NO_SUN


@dataclass
class GroundedRun:
    """What came out; rows are those of the march's log, events (time, kind, row of the march at its end)."""

    ended: int = 0
    rows: list[Floats] = field(default_factory=list)
    events: list[tuple[float, int, Floats]] = field(default_factory=list)
    last: Floats = field(default_factory=lambda: np.zeros(0))
    first_energy: float = math.nan
    calm: float = NOT_CALM
    touch_time: float = math.nan
    touch_speed: float = math.nan
    fastest_touch: float = 0.0  # [m/s] of any of its points while it touches, at most
    contact_time: float = 0.0
    contact_steps: int = 0
    path: float = 0.0
    largest_rise: float = 0.0
    largest_remainder: float = 0.0
    guard_depth: float = 0.0
    guard_time: float = 0.0
    guard_place: Floats = field(default_factory=lambda: np.zeros(3))
    deepest: float = 0.0
    phases: NDArray[np.void] = field(default_factory=lambda: np.asarray(phase_rows(2)))
    phase_count: int = 0
    steps: tuple[int, int] = (0, 0)


def run_grounded(
    made: Grounded,
    *,
    energy: float,
    length: float,
    interval: float,
    steps: int,
    look: Callable[[float], None] | None = None,
) -> GroundedRun:
    """Carry a body to its end.

    energy, length  scales [J], [m] that the tolerance is a share of
    interval   of stored rows [s]; 0 stores every step, inf only the ends
    look       gets the share of the time done between two calls of the kernel
    """
    run, found = _pair_run(made, _output_times(made.duration, interval)), GroundedRun()
    ended = STEPS_OVER
    while ended == STEPS_OVER:
        run.steps = min(run.steps_taken[0] + STEPS_AT_ONCE, steps)
        ended = run.go(made.duration - run.time, energy=energy, length=length)
        rows = run.take_log()
        if len(rows):
            own = _judged(made, run, found, rows, interval)
            ended = own or ended
        if run.steps_taken[0] >= steps:
            break
        if look is not None:
            look(min(run.time / made.duration, 1.0))
    found.ended, found.steps = ended, run.steps_taken
    found.deepest = float(run.account[A_DEPTH])
    _store_end(found, run.outputs)
    return found


def _output_times(duration: float, interval: float) -> Floats:
    """Times [s] at which rows are stored within steps."""
    if not (interval > 0.0 and math.isfinite(interval)):
        return np.zeros(0)
    count = math.floor(duration / interval * (1.0 + 1e-12)) + 1
    return np.asarray(interval * np.arange(count), dtype=np.float64)


def _pair_run(made: Grounded, times: Floats) -> PairRun:
    y = made.state
    dcm = rotation_matrices(y[ATTITUDE : ATTITUDE + 4])
    body = Mover(
        made.mass, made.inertia, y[POSITION : POSITION + 3], y[ATTITUDE : ATTITUDE + 4],
        y[VELOCITY : VELOCITY + 3], dcm @ y[RATE : RATE + 3],
    )  # fmt: skip
    return PairRun(
        made.pair, Mover(), body, gravity=made.gravity, spin=made.spin, tolerance=made.tolerance,
        max_depth=made.deepest, rows=STEPS_AT_ONCE + 2, times=times, air=made.air, sun=made.sun,
    )  # fmt: skip


def states_of(made: Grounded, rows: Floats) -> Floats:
    """(n, 13) states as rigid_body.py of rows of the march's log."""
    b = rows[:, L_STATE + BODY :]
    states = np.empty((len(rows), 13))
    r, p = b[:, 0:3], b[:, MOMENTUM : MOMENTUM + 3]
    q = b[:, TURN : TURN + 4] / np.linalg.norm(b[:, TURN : TURN + 4], axis=1)[:, None]
    spin = b[:, ANGULAR : ANGULAR + 3]
    dcm = rotation_matrices(q)
    states[:, POSITION : POSITION + 3], states[:, VELOCITY : VELOCITY + 3] = r, p / made.mass
    states[:, ATTITUDE : ATTITUDE + 4] = q
    own = np.einsum("nji,nj->ni", dcm, spin)
    states[:, RATE : RATE + 3] = own @ np.linalg.inv(made.inertia).T
    return states


def losses_of(rows: Floats) -> tuple[Floats, Floats, Floats]:
    """(damping and viscous, friction and released, drag) [J] so far, of rows of the march's log."""
    damping = rows[:, L_STATE + W_DAMPING] + rows[:, L_STATE + W_VISCOUS]
    return damping, rows[:, L_FRICTION] + rows[:, L_RELEASED], -rows[:, L_STATE + W_DRAG]


def supplied_to(rows: Floats) -> Floats:
    """Work [J] of sunlight so far."""
    return np.asarray(rows[:, L_STATE + W_LIGHT])


def _judged(made: Grounded, run: PairRun, found: GroundedRun, rows: Floats, interval: float) -> int:
    """Take rows of the march into what was found; how the body ended there, 0 if it goes on."""
    states = states_of(made, rows)
    speeds = np.linalg.norm(states[:, VELOCITY : VELOCITY + 3], axis=1)
    rates = np.linalg.norm(states[:, RATE : RATE + 3], axis=1)
    touches = rows[:, L_POLYGONS] > 0.0
    far = np.linalg.norm(states[:, POSITION : POSITION + 3], axis=1) > made.farthest
    v_f, w_f, hold = made.rest
    ended, last = 0, len(rows)
    for i, t in enumerate(rows[:, L_TIME].tolist()):
        count = 1 if touches[i] else 0
        found.calm = calm_since(found.calm, t, speeds[i], rates[i], count, v_f, w_f)
        if is_settled(found.calm, t, hold):
            ended, last = SETTLED, i + 1
            break
        if far[i]:
            ended, last = TOO_FAR, i + 1
            break
    rows, states = rows[:last], states[:last]
    speeds_at_most = speeds + rates * _reach(made)
    found.fastest_touch = max(
        found.fastest_touch, *speeds_at_most[:last][touches[:last]].tolist(), 0.0
    )
    _note_touches(run, found, rows, speeds, touches)
    _note_energy(found, rows, rows[:, L_KINETIC] - 0.5 * made.mass * speeds[:last] ** 2)
    _note_path(made, found, rows, states)
    _guard(made, found, rows, states)
    _store(found, rows, interval)
    if ended == SETTLED:
        found.events.append((float(rows[-1, L_TIME]), REST, rows[-1]))
    found.last = rows[-1]
    return ended


def _reach(made: Grounded) -> float:
    """Farthest point [m] of the body from its centre of mass."""
    return made.corner_radius + float(np.linalg.norm(made.hull, axis=1).max())


def _note_touches(
    run: PairRun, found: GroundedRun, rows: Floats, speeds: Floats, touches: NDArray[np.bool_]
) -> None:
    before = bool(found.last[L_POLYGONS] > 0.0) if len(found.last) else False
    for i, row in enumerate(rows):
        if touches[i] and not before:
            time = float(row[L_TIME])
            if math.isnan(found.touch_time):
                first = float(run.account[A_TOUCH])
                time = first if 0.0 <= first <= time else time
                found.touch_time, found.touch_speed = time, float(speeds[i])
            found.events.append((time, TOUCH, row))
        if before and not touches[i]:
            found.events.append((float(row[L_TIME]), LIFT, row))
        if touches[i] and row[L_TIME] > 0.0:
            found.contact_time += float(row[L_STEP])
            found.contact_steps += 1
        before = bool(touches[i])


def _note_energy(found: GroundedRun, rows: Floats, turning: Floats) -> None:
    """Phases of the ledger, the largest remainder and the largest rise of a step.

    turning  (n,) energy of the turn [J]
    """
    energy = rows[:, [L_KINETIC, L_POTENTIAL, L_ELASTIC, L_STICK]].sum(axis=1)
    lost, given = np.sum(losses_of(rows), axis=0), supplied_to(rows)
    if found.phase_count == 0:
        found.first_energy = float(energy[0])
    remainder = energy - found.first_energy + lost - given
    before = found.phases["energy"][found.phase_count - 1] if found.phase_count else energy[0]
    found.largest_rise = max(
        found.largest_rise, float(np.diff(np.concatenate([[before], energy])).max())
    )
    worst = np.abs(remainder).max()
    if worst > found.largest_remainder or worst != worst:
        found.largest_remainder = float(worst)
    is_touched = rows[:, L_TIME] >= found.touch_time  # False for NaN
    columns = np.column_stack(
        [rows[:, L_TIME], energy, rows[:, L_POTENTIAL], turning, lost, given, remainder]
    )
    for event, part in ((FLIGHT, ~is_touched), (TOUCHED, is_touched)):
        if np.any(part):
            _update_phase(found, event, columns[part])


def _update_phase(found: GroundedRun, event: int, columns: Floats) -> None:
    """Take rows of one phase into the ledger; as phase_ledger.py does row by row."""
    time, energy, potential, resting, lost, given, remainder = columns.T
    phases = found.phases
    if found.phase_count == 0 or phases["event"][found.phase_count - 1] != event:
        row = phases[found.phase_count]
        row["event"] = event
        start = phases[found.phase_count - 1] if found.phase_count else None
        row["highest"] = start["energy"] if start is not None else energy[0]
        row["lowest"] = start["potential"] if start is not None else potential[0]
        row["least_resting"] = start["resting"] if start is not None else resting[0]
        found.phase_count += 1
    row = phases[found.phase_count - 1]
    origin = phases["remainder"][found.phase_count - 2] if found.phase_count > 1 else 0.0
    row["end"], row["energy"], row["potential"] = time[-1], energy[-1], potential[-1]
    row["lost"], row["supplied"], row["remainder"] = lost[-1], given[-1], remainder[-1]
    row["highest"] = max(row["highest"], energy.max())
    row["lowest"] = min(row["lowest"], potential.min())
    row["resting"], row["least_resting"] = resting[-1], min(row["least_resting"], resting.min())
    missing = np.abs(remainder - origin).max()
    if missing > row["largest"] or missing != missing:
        row["largest"] = missing


def _note_path(made: Grounded, found: GroundedRun, rows: Floats, states: Floats) -> None:
    """Length of the path, by Simpson's rule on cubic curves between ends of steps."""
    x, v, t = states[:, 0:3], states[:, 3:6], rows[:, L_TIME]
    if len(found.last):
        b = found.last[L_STATE + BODY :]
        x, v = np.vstack([b[0:3], x]), np.vstack([b[MOMENTUM:ANGULAR] / made.mass, v])
        t = np.concatenate([[found.last[L_TIME]], t])
    h = np.diff(t)[:, None]
    middle = 1.5 * np.diff(x, axis=0) / np.where(h > 0.0, h, 1.0) - 0.25 * (v[1:] + v[:-1])
    speed, half = np.linalg.norm(v, axis=1), np.linalg.norm(middle, axis=1)
    found.path += float((h[:, 0] * (speed[:-1] + 4.0 * half + speed[1:])).sum() / 6.0)


def _guard(made: Grounded, found: GroundedRun, rows: Floats, states: Floats) -> None:
    """Deepest point of the hull below ground at the ends of steps near it."""
    reach = _reach(made)
    gaps = gaps_of(made.pair.reference, states[:, 0:3])[0]
    near = np.flatnonzero(gaps < reach)
    if len(near) == 0:
        return
    dcm = rotation_matrices(states[near, ATTITUDE : ATTITUDE + 4])
    points = states[near, None, 0:3] + np.einsum("nij,pj->npi", dcm, made.hull)
    own = gaps_of(made.pair.reference, points.reshape(-1, 3))[0].reshape(len(near), -1)
    depth = np.maximum(made.corner_radius - own.min(axis=1), -gaps[near])
    worst = int(np.argmax(depth))
    if depth[worst] > found.guard_depth:
        found.guard_depth = float(depth[worst])
        found.guard_time = float(rows[near[worst], L_TIME])
        found.guard_place = states[near[worst], 0:3].copy()


def _store(found: GroundedRun, rows: Floats, interval: float) -> None:
    """Keep the rows of steps that are wanted: all, or the first."""
    if interval == 0.0:
        found.rows.append(rows)
    elif math.isinf(interval) and not found.rows:
        found.rows.append(rows[:1])


def _store_end(found: GroundedRun, outputs: Floats) -> None:
    """Rows of output times up to the end, and the end."""
    reached = outputs[outputs[:, L_TIME] <= found.last[L_TIME]]
    if len(reached):
        found.rows.append(reached)
    if not found.rows or found.rows[-1][-1, L_TIME] < found.last[L_TIME]:
        found.rows.append(found.last[None])
