"""A boom or an active tether through a touch: approach, contact, dwell, ascent; or gripped, pulled, released."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from haptos.dynamics.cable.boom import (
    BOTTOM,
    EVENTS,
    EXTREMES,
    NODES,
    O_CHANGE,
    O_GRIP,
    O_GRIP_X,
    O_LOOP,
    O_STAGE,
    O_THRUST_X,
    O_THRUST_Z,
    O_TORQUE,
    O_WANTED,
    ORDERS,
    STAGE_BODY,
    TRIGGER,
    WORK_NAMES,
    WORKS,
    Boom,
    BoomChange,
    boom_rows,
    march_boom,
)
from haptos.dynamics.cable.tether_loads import TetherGround
from haptos.dynamics.cable.tether_system import no_ground
from haptos.dynamics.march.adaptive import EVENT, STALLED, STEPS_OVER, WHICH, changed, march_of

Floats = NDArray[np.float64]

MOST_STEPS = 20_000_000
LONGEST_STEP = 0.05  # [s]
SENSING = 0.1  # [s] between samples of the curvature; assumed, as of other sensors


@dataclass(frozen=True, slots=True)
class BoomShape:
    """What a boom is made of.

    length [m], density [kg/m], axial, bending  EA [N], EI [N m^2] without control     ratio  damping ratio of its first modes [-]
    is_string  it cannot push     clamped  at the spacecraft     gain, rate_gain, largest  of the curvature control
    later  EA [N] after the change, later_gain  gain [-] after it; what they are before if None
    """

    length: float
    density: float
    axial: float
    bending: float = 0.0
    ratio: float = 0.02
    is_string: bool = False
    clamped: bool = False
    gain: float = 0.0
    rate_gain: float = 0.0
    largest: float = math.inf
    later: float | None = None
    later_gain: float | None = None


def boom_of(
    shape: BoomShape, count: int, *, ground: TetherGround | None = None, **others: float
) -> Boom:
    """The record of the kernel; `others` are its remaining fields, 0 where left out; ground  in place of a tilted plane."""
    piece = shape.length / count
    node = shape.density * piece
    slow = 0.5 * math.pi / shape.length * math.sqrt(shape.axial / shape.density)
    bent = (math.pi / shape.length) ** 2 * math.sqrt(max(shape.bending, 1e-30) / shape.density)
    values = dict.fromkeys(Boom._fields, 0.0) | {
        "response": 5e-3, "lock": 1e5, "lock_damping": 1e3, "stiffness": 1.5e4, "radius": 0.25, "stroke": 0.5, "grip": math.inf,
        "mass": 500.0, "inertia": 300.0, "effector": 30.0,
    } | {key: float(value) for key, value in others.items()}  # fmt: skip
    values["mass"] += 0.5 * node
    values |= {
        "count": count, "piece": piece, "node": node, "axial": shape.axial, "bending": shape.bending,
        "axial_damping": 2.0 * shape.ratio / slow * shape.axial,
        "bending_damping": 2.0 * shape.ratio / bent * shape.bending if shape.bending > 0.0 else 0.0,
        "string": 1.0 if shape.is_string else 0.0, "clamped": 1.0 if shape.clamped else 0.0,
        "gain": shape.gain, "rate_gain": shape.rate_gain, "largest": shape.largest,
    }  # fmt: skip
    change = BoomChange(
        0.0 if shape.later is None else shape.axial / shape.later - 1.0,
        0.0 if shape.later_gain is None else shape.later_gain - shape.gain,
    )
    return Boom(**values | {"ground": no_ground() if ground is None else ground, "change": change})


def euler_load(bending: float, length: float, gain: float = 0.0) -> float:
    """Load [N] at which a pinned boom buckles."""
    return (1.0 + gain) * math.pi**2 * bending / length**2


@dataclass(frozen=True, slots=True)
class Keeper:
    """Keeps the spacecraft at a place [m]: bandwidths [rad/s], sampling [s], limits [N], [N], [N m]."""

    place: tuple[float, float]
    rate: float = 0.3
    turning: float = 0.6
    interval: float = 0.1
    lateral: float = 5.0
    axial: float = 100.0
    torque: float = 0.2


def _bowed(n: int, piece: float, bow: float, stage: float, low: float) -> tuple[Floats, Floats]:
    """Places x, z [m] of n + 1 nodes, `piece` [m] apart on a half sine, and of the end effector at (0, low), `stage` [m] in line with them."""
    x = bow * np.sin(np.pi * np.arange(n + 1) / n)
    x[n] = 0.0
    aside = np.diff(x)
    aside = np.append(aside, stage / piece * aside[-1])
    long = np.append(np.full(n, piece), stage)
    down = np.sqrt(long * long - aside * aside)
    return -np.append(np.cumsum(aside[::-1])[::-1], 0.0), low + np.append(np.cumsum(down[::-1])[::-1], 0.0)  # fmt: skip


@dataclass(eq=False)
class BoomRun:
    """A boom on its way: state, orders, extremes, marks of phases, events, rows."""

    boom: Boom
    tolerance: float = 1e-9
    times: ArrayLike = ()
    noise: float = 0.0  # [1/m] of the sensed curvature, of one sample
    seed: int = 0
    extremes: Floats = field(default_factory=lambda: np.zeros(EXTREMES))
    events: list[tuple[float, str]] = field(default_factory=list)
    marks: list[tuple[str, float, Floats, Floats]] = field(default_factory=list)
    released: float = 0.0
    bottomed: bool = False
    kept: list[tuple[float, Floats, Floats, float]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.orders: Floats = np.zeros(ORDERS + self.boom.count + 1)

    def start(
        self,
        gap: float,
        velocity: tuple[float, float],
        imperfection: float = 0.0,
        stretch: float = 0.0,
        height: float | None = None,
        is_upright: bool = False,
    ) -> None:
        """Above the ground, the effector `gap` [m] from it, all moving alike; bowed by a half sine [m], of unstretched length.

        The stage is in line with the end of the boom, and so is the spacecraft with a clamped root: a kink there would be
        a moment that grows with the number of cells, and the spacecraft would be turned by it.
        height  of the middle of the effector over the origin [m], for a ground of its own
        is_upright  whether the spacecraft stands upright all the same
        """
        boom, n = self.boom, self.boom.count
        size = NODES + 4 * (n + 1)
        y = np.zeros(size)
        low = (boom.radius + gap) / math.cos(boom.slope) if height is None else height
        x, z = _bowed(n, boom.piece * (1.0 + stretch), imperfection, boom.stroke + STAGE_BODY, low)
        turn = 0.0
        if boom.clamped > 0.5 and not is_upright:
            turn = math.atan2(x[0] - x[1], z[0] - z[1])
        s, c = math.sin(turn), math.cos(turn)
        y[:3] = (
            x[0] + boom.lever * s - boom.offset * c,
            z[0] + boom.offset * s + boom.lever * c,
            turn,
        )
        y[3:5] = velocity
        for i in range(1, n + 2):
            at = NODES + 2 * (i - 1)
            y[at : at + 2] = x[i], z[i]
            y[at + 2 * (n + 1) : at + 2 * (n + 1) + 2] = velocity
        scale = np.full(size, self.tolerance)
        scale[WORKS : WORKS + 10] = 10.0 * self.tolerance
        scale[WORKS + 9] = 1.0
        self.orders[O_STAGE] = -1.0
        self.march = march_of(y, scale, events=EVENTS, step=1e-5, times=self.times)
        self._forces = np.zeros((n + 2, 2))
        self._scratch = np.zeros(size)

    @property
    def time(self) -> float:
        return float(self.march.clock[0])

    @property
    def state(self) -> Floats:
        return np.asarray(self.march.y)

    def mark(self, name: str) -> None:
        """Begin a phase."""
        self.marks.append((name, self.time, self.state.copy(), self.orders.copy()))

    def along(self, rows: Floats, orders: Floats) -> Floats:
        """(n, 7) of states: kinetic, potential, elastic [J], tension at the root, largest moment, contact force, stroke used."""
        out = np.zeros((len(rows), 7))
        boom_rows(self.boom, orders, np.ascontiguousarray(rows), self._scratch, self._forces, out)
        return out

    def energies(self, y: Floats, orders: Floats) -> tuple[float, float, float]:
        """(kinetic, potential, elastic) [J] of a state."""
        found = self.along(y[None], orders)[0]
        return float(found[0]), float(found[1]), float(found[2])

    def forces(self, y: Floats, orders: Floats) -> tuple[float, float, float, float]:
        """(tension at the root, largest moment, contact force, stroke used) of a state."""
        found = self.along(y[None], orders)[0]
        return float(found[3]), float(found[4]), float(found[5]), float(found[6])

    def order(self, **wanted: float) -> None:
        """Change orders: stage, grip, thrust_x, thrust_z, force, loop, torque, change; energy that a switch releases is kept apart."""
        before = sum(self.energies(self.state, self.orders))
        places = {"stage": O_STAGE, "grip": O_GRIP, "thrust_x": O_THRUST_X, "thrust_z": O_THRUST_Z, "force": O_WANTED, "loop": O_LOOP, "torque": O_TORQUE, "change": O_CHANGE}  # fmt: skip
        for name, value in wanted.items():
            self.orders[places[name]] = value
            if name == "grip" and value > 0.5:
                n = self.boom.count
                self.orders[O_GRIP_X : O_GRIP_X + 2] = self.state[NODES + 2 * n : NODES + 2 * n + 2]
        self.released += before - sum(self.energies(self.state, self.orders))
        changed(self.march)

    def until(self, when: float, stops: Sequence[int] = ()) -> int:
        """Go on to a time or to one of some events; the event, or -1. Stalls raise."""
        while self.time < when:
            done = march_boom(
                self.boom, self.orders, self._forces, self.extremes, self.march, self._sense(when), self.tolerance,
                LONGEST_STEP, MOST_STEPS,
            )  # fmt: skip
            if done in (STALLED, STEPS_OVER):
                raise FloatingPointError(f"the boom stalled at {self.time:g} s")
            if done == EVENT:
                which = int(self.march.counts[WHICH])
                self.events.append((self.time, "touch" if which == TRIGGER else "stage bottomed"))
                self.bottomed = self.bottomed or which == BOTTOM
                if which in stops:
                    return which
        return -1

    def _sense(self, when: float) -> float:
        """Take the errors of the sample of now; time [s] at which it ends, or `when`."""
        if self.noise == 0.0:
            return when
        sample = math.floor(self.time / SENSING + 1e-9)
        drawn = np.random.default_rng((self.seed, sample)).standard_normal(self.boom.count + 1)
        self.orders[ORDERS:] = self.noise * drawn
        changed(self.march)
        return min(when, (sample + 1) * SENSING)

    def hold(self, until: float, keeper: Keeper, force: float, stops: Sequence[int] = ()) -> int:
        """Go on with thrusters and wheels that keep place and attitude, sampled; `force` [N] is fed forward along z."""
        while self.time < until:
            y, place = self.state, keeper.place
            mass, inertia = self.boom.mass, self.boom.inertia
            wanted = [
                mass * (keeper.rate**2 * (place[k] - y[k]) - 1.4 * keeper.rate * y[3 + k]) for k in range(2)
            ]  # fmt: skip
            turn = -inertia * (keeper.turning**2 * y[2] + 1.8 * keeper.turning * y[5])
            self.order(
                thrust_x=float(np.clip(wanted[0], -keeper.lateral, keeper.lateral)),
                thrust_z=float(np.clip(wanted[1] + force, -keeper.axial, keeper.axial)),
                torque=float(np.clip(turn, -keeper.torque, keeper.torque)),
            )
            which = self.until(min(self.time + keeper.interval, until), stops)
            if which >= 0:
                return which
        return -1

    def works(self, y: Floats) -> dict[str, float]:
        """Works [J] since the start, by name."""
        return {name: float(y[k]) for name, k in WORK_NAMES.items()}
