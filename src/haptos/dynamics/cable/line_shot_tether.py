"""A body shot with its spool, on the tether of cells: the line has mass and stretch, the hull recoils, all in three dimensions.

The shot is that of `line_shot.py`. The body is a rigid end body whose reel is a brake: it holds the line up to the tension and pays
out above it, from a coil, so that line jumps from rest on the spool to the speed of the line that is out. The line leaves behind
the centre of mass, and steadies the body. Ground is a plane, or that of a `ShotPlace`; the centre of mass stands for the tip, as in
`line_shot.py`.
Frame: N axes that do not turn, z out of level ground, or those of a `ShotPlace`; the aim lies in the (x, z) plane. Validity: as `tether.py`.
Source: [Quadrelli2017] section 7 for the set-up.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from haptos.core.rotations import rotation_matrices
from haptos.dynamics.cable.line_shot import (
    ANGLE,
    BRAKE,
    FEED,
    HIT,
    HOLD_X,
    HOLD_Z,
    LINE_END,
    LONGEST_FLIGHT,
    MISSED,
    MUZZLE,
    PAID,
    RATE,
    SIZE,
    LineFlight,
    LineShot,
    ShotMotion,
)
from haptos.dynamics.cable.reel_build import ReelParts, brake
from haptos.dynamics.cable.retrieval_tether import keep_row
from haptos.dynamics.cable.tether_loads import TetherGround
from haptos.dynamics.cable.tether_run import TetherRun
from haptos.dynamics.cable.tether_state import (
    ATTITUDE,
    BODY,
    CELLS,
    MOMENTUM,
    STORED,
    WORK_NAMES,
    WORKS,
)
from haptos.dynamics.cable.tether_state import RATE as TURNING
from haptos.dynamics.cable.tether_steps import EVENT
from haptos.dynamics.cable.tether_steps import TIME_OVER as REACHED
from haptos.dynamics.cable.tether_system import (
    EndBody,
    TetherLine,
    TetherSystem,
    TetherWatch,
    ground_under,
    hold,
)
from haptos.dynamics.field import no_field, uniform_field
from haptos.dynamics.system import Field
from haptos.geometry.distance.surface import plane

CITES: tuple[str, ...] = ("Quadrelli2017",)

Floats = NDArray[np.float64]
LOSS_TIME = (
    2e-5  # [s] least damping over stiffness of the line: a brake needs a damper to hold its tension
)
MOST_STEPS = 3_000_000


@dataclass(frozen=True, slots=True)
class LineOfCells:
    """The line: EA [N], damping per strain rate [N s], breaking tension [N], number of cells."""

    stiffness: float
    damping: float
    breaking: float
    cells: int


@dataclass(frozen=True, eq=False)
class ShotPlace:
    """Where it is shot, in place of level ground and uniform gravity: field and ground in axes N, which may turn with a body.

    gravity  (3,) [m/s^2] at the origin, against which the hull holds its place
    """

    field: Field
    ground: TetherGround
    gravity: Floats


@dataclass(frozen=True, eq=False)
class CellFlight:
    """How it flew: rows as those of `line_shot.py` and in three dimensions, and the tether's run beside them."""

    flight: LineFlight
    run: TetherRun
    start: Floats  # [N s] momentum at the muzzle
    broke: bool
    motion: ShotMotion
    held: Floats  # [N s] impulse that holds the hull, (3,), at the end

    @property
    def cells(self) -> Floats:
        """Places of the cells (n, N, 3) [m] along the rows."""
        n = self.run.system.cells
        return self.run.rows[:, CELLS : CELLS + 3 * n].reshape(-1, n, 3)


def shot_system(
    shot: LineShot, line: LineOfCells, hull: Floats, speed: float, aim: float, tip_off: float, before: Floats,
    place: ShotPlace | None = None,
) -> tuple[TetherSystem, tuple[Floats, Floats]]:  # fmt: skip
    """(hull, line and body at the muzzle; places and velocities of the cells); hull, before  its place [m], its velocity [m/s]."""
    way = np.array([math.sin(aim), 0.0, -math.cos(aim)])
    out = MUZZLE * float(hull[2])
    recoil = np.zeros(3) if shot.holds else -shot.body / shot.hull * speed * way + before
    first = EndBody(
        shot.hull, position=tuple(hull), velocity=tuple(recoil), is_fixed=shot.holds
    )  # fmt: skip
    own = shot.body - shot.density * shot.length
    # a harpoon is light: the couple of a half cell would turn it by tens of degrees on lines of few cells
    second = EndBody(
        own, [shot.inertia, shot.inertia, shot.inertia], attachment=(0.0, 0.0, shot.arm),
        position=tuple(hull + (out + shot.arm) * way), velocity=tuple(speed * way + before),
        attitude=(math.cos(0.5 * aim), 0.0, -math.sin(0.5 * aim), 0.0), rate=(0.0, -tip_off, 0.0), takes_couple=False,
    )  # fmt: skip
    made = TetherLine(
        shot.length, shot.density, line.stiffness, max(line.damping, LOSS_TIME * line.stiffness), line.breaking
    )  # fmt: skip
    normal = (math.sin(shot.slope), 0.0, math.cos(shot.slope))
    if place is not None:
        ground, down = place.ground, place.field
    else:
        ground = ground_under(plane((0.0, 0.0, 0.0), normal), stiffness=1.0, friction=0.0)
        down = no_field() if shot.gravity == 0.0 else uniform_field((0.0, 0.0, -shot.gravity))
    system = TetherSystem(
        (first, second), made, line.cells, (hold(), brake(shot.tension, parts=ReelParts(is_drum=False))),
        (0.0, shot.length - out), field=down, ground=ground, watches=(TetherWatch("range rate below", 0.0),),
        stops=("touches ground", "tether end reached", "tether broke", "supercritical pay-out"),
    )  # fmt: skip
    xi = ((np.arange(line.cells) + 0.5) / line.cells)[:, None]
    return system, (hull + xi * out * way, np.tile(recoil, (line.cells, 1)))


def flight_on_tether(
    shot: LineShot, line: LineOfCells, height: float, speed: float, *, aim: float = 0.0, tip_off: float = 0.0,
    interval: float = 0.1, tolerance: float = 1e-7, aside: tuple[float, float] = (0.0, 0.0),
    velocity: tuple[float, float, float] = (0.0, 0.0, 0.0), place: ShotPlace | None = None,
) -> CellFlight:  # fmt: skip
    """Fly from a height [m] with a muzzle speed [m/s], as `line_flight` does; aside [m], velocity [m/s]  of the hull before."""
    start = np.array([aside[0], aside[1], height])
    system, cells = shot_system(shot, line, start, speed, aim, tip_off, np.array(velocity), place)
    run = TetherRun(system, tolerance=tolerance, cells=cells)
    run.marks[0] = (0.0, "flight", *run.marks[0][2:])
    momentum = run.momentum()[0]
    last = min(LONGEST_FLIGHT, 100.0 * shot.length / speed)
    span = 2.0 * height / speed
    ended, broke = "", False
    while not ended:
        looks = interval * np.arange(
            math.floor(run.time / interval) + (run.time > 0.0),
            math.ceil((run.time + span) / interval),
        )
        looks = looks[(looks >= run.time) & (looks < run.time + span)]
        done = run.advance(run.time + span, looks, most_steps=MOST_STEPS)
        broke = done.event == "tether broke"
        if done.code == EVENT:
            ended = {"touches ground": HIT, "tether end reached": LINE_END}.get(done.event, MISSED)
        elif run.time >= last or done.code != REACHED:
            ended = MISSED
    keep_row(run)
    motion = _motion(shot, run)
    gravity = np.array([0.0, 0.0, -shot.gravity]) if place is None else place.gravity
    held = _held(shot, run, momentum, gravity)
    rows = _rows(shot, run, motion, held)
    if ended == HIT and float(np.linalg.norm(motion.body[-1])) > shot.reach:
        ended = MISSED
    flight = LineFlight(ended, run.row_times, rows, False)
    return CellFlight(flight, run, momentum, broke, motion, held[-1])


def _motion(shot: LineShot, run: TetherRun) -> ShotMotion:
    states = run.rows
    axes = rotation_matrices(states[:, BODY + ATTITUDE : BODY + ATTITUDE + 4])
    reel = shot.density * states[:, STORED + 1]
    mass = run.tether.hulls[1].mass + reel
    rate = states[:, BODY + TURNING : BODY + TURNING + 3]
    swing = np.einsum("nij,nj->ni", axes, np.cross(rate, [0.0, 0.0, shot.arm]))
    body_p = states[:, BODY + MOMENTUM : BODY + MOMENTUM + 3]
    body_v = (body_p - reel[:, None] * swing) / mass[:, None]
    hull_v = states[:, MOMENTUM : MOMENTUM + 3] / run.tether.hulls[0].mass
    turning = np.einsum("nij,nj->ni", axes, rate)
    return ShotMotion(
        states[:, 0:3], hull_v, states[:, BODY : BODY + 3], body_v, -axes[:, :, 2], turning
    )


def _held(shot: LineShot, run: TetherRun, momentum: Floats, gravity: Floats) -> Floats:
    """Impulse [N s] that holds the hull where it is, along the rows (n, 3); zero where it is free."""
    states, n = run.rows, run.system.cells
    if not shot.holds:
        return np.zeros((len(states), 3))
    total = states[:, BODY + MOMENTUM : BODY + MOMENTUM + 3]
    total = total + states[:, CELLS + 3 * n : CELLS + 6 * n].reshape(-1, n, 3).sum(axis=1)
    weight = run.row_times[:, None] * (shot.body + shot.hull) * gravity
    return np.asarray(total - momentum - weight)


def _rows(shot: LineShot, run: TetherRun, motion: ShotMotion, held: Floats) -> Floats:
    """States as rows of `line_shot.py`; turning is that in the plane of the aim."""
    states, tip = run.rows, motion.tip
    rows = np.zeros((len(states), SIZE))
    rows[:, 0:2], rows[:, 2:4] = motion.hull[:, 0:3:2], motion.hull_v[:, 0:3:2]
    rows[:, 4:6], rows[:, 6:8] = motion.body[:, 0:3:2], motion.body_v[:, 0:3:2]
    rows[:, PAID] = shot.length - states[:, STORED + 1]
    rows[:, ANGLE] = np.arctan2(tip[:, 0], -tip[:, 2])
    rows[:, RATE] = -states[:, BODY + TURNING + 1]
    rows[:, HOLD_X], rows[:, HOLD_Z] = held[:, 0], held[:, 2]
    rows[:, BRAKE], rows[:, FEED] = (_work(run, name) for name in ("shaft_1", "feed_loss_1"))
    return rows


def _work(run: TetherRun, name: str) -> Floats:
    return run.rows[:, WORKS + WORK_NAMES.index(name)]


def cell_potential(shot: LineShot, run: TetherRun) -> Floats:
    """Potential energy [J] of hull, body with its spool, and line along the rows; the hull as it is without line."""
    states, n = run.rows, run.system.cells
    out = shot.length - states[:, STORED + 1]
    body = run.tether.hulls[1].mass * states[:, BODY + 2]
    axes = rotation_matrices(states[:, BODY + ATTITUDE : BODY + ATTITUDE + 4])
    spool = shot.density * states[:, STORED + 1] * (states[:, BODY + 2] + shot.arm * axes[:, 2, 2])
    heights = states[:, CELLS : CELLS + 3 * n].reshape(-1, n, 3)[:, :, 2].mean(axis=1)
    return np.asarray(
        shot.gravity * (shot.hull * states[:, 2] + body + spool + shot.density * out * heights)
    )
