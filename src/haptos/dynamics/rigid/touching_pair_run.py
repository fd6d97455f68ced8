"""Runs of two bodies in polygonal contact from Python: free pairs, driven bodies, pushes, spreading shapes.

Validity: as touching_pair.py. Source: as touching_pair.py.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from haptos.contact.sets.polygons_memory import polygon_memory
from haptos.contact.sets.polygons_pair import PolygonPair
from haptos.contact.sets.polygons_step import (
    A_LEAVE,
    A_TOUCH,
    ACCOUNT,
)
from haptos.contact.sets.polygons_sum import SUMS
from haptos.core.errors import ConfigError
from haptos.core.rotations import rotation_matrices
from haptos.core.symmetric import six_of
from haptos.dynamics.rigid.touching_pair import (
    ANGULAR,
    ATTITUDE,
    BODY,
    DRIVEN,
    FIXED,
    FREE,
    MOMENTUM,
    SIZE,
    W_ACTUATOR,
    W_DAMPING,
    W_DRIVE,
    W_PUSH,
    W_VISCOUS,
    WORKS,
    TouchingPair,
)
from haptos.dynamics.rigid.touching_pair_march import (
    C_REJECTED,
    C_ROWS,
    C_STEPS,
    C_STRIDE,
    COUNTERS,
    L_ELASTIC,
    L_FRICTION,
    L_KINETIC,
    L_POTENTIAL,
    L_RELEASED,
    L_REMESH,
    L_STATE,
    L_STICK,
    L_TIME,
    LOG,
    STEPS_OVER,
    TIME_OVER,
    march,
)
from haptos.environment.gravity import Gravity, uniform

CITES: tuple[str, ...] = ()

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Mover:
    """How a body starts and moves.

    mass [kg], inertia (3, 3) [kg m^2] in body axes; a body without mass stays where it is
    position [m], quaternion quat_NB, velocity [m/s], rate [rad/s], all in N axes
    """

    mass: float = math.inf
    inertia: ArrayLike = field(default_factory=lambda: np.eye(3))
    position: ArrayLike = (0.0, 0.0, 0.0)
    quaternion: ArrayLike = (1.0, 0.0, 0.0, 0.0)
    velocity: ArrayLike = (0.0, 0.0, 0.0)
    rate: ArrayLike = (0.0, 0.0, 0.0)


class PairRun:
    """A pair in motion: A free or fixed, B free or driven."""

    def __init__(
        self,
        pair: PolygonPair,
        first: Mover,
        second: Mover,
        *,
        gravity: Gravity | ArrayLike = (0.0, 0.0, 0.0),
        spin: ArrayLike = (0.0, 0.0, 0.0),
        push_times: ArrayLike = (0.0,),
        pushes: ArrayLike = ((0.0, 0.0, 0.0),),
        spread: ArrayLike = ((0.0, 0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 0.0)),
        tolerance: float = 1e-9,
        max_depth: float = math.inf,
        steps: int = 1_000_000,
        rows: int = 20_000,
    ) -> None:
        """A pair at time zero.

        gravity, spin  [m/s^2] and [rad/s], or a field of environment/gravity.py: of axes N that turn with a small body
        """
        self.movers = (first, second)
        self.found = pair.new_set()
        masses = np.array([m.mass for m in self.movers], dtype=np.float64)
        inertia = [np.asarray(m.inertia, dtype=np.float64) for m in self.movers]
        self.pair = TouchingPair(
            pair.law, pair.reference, pair.faces, pair.refinement, self.found,
            polygon_memory(self.found), masses,
            np.array([six_of(np.linalg.inv(i)) for i in inertia]),
            np.array([six_of(i) for i in inertia]),
            np.array([FREE if math.isfinite(m) else FIXED for m in masses]),
            _field(gravity), _three(spin), np.zeros(6),
            np.asarray(push_times, dtype=np.float64).reshape(-1),
            np.asarray(pushes, dtype=np.float64).reshape(-1, 3),
            np.array(spread, dtype=np.float64), np.zeros(SUMS),
        )  # fmt: skip
        self.y = np.concatenate([_state(m) for m in self.movers] + [np.zeros(SIZE - WORKS)])
        self.account = np.zeros(ACCOUNT)
        self.account[A_TOUCH], self.account[A_LEAVE] = -1.0, math.nan
        self.counters = np.zeros(COUNTERS, dtype=np.int64)
        self.counters[C_STRIDE] = 1
        self._rows = np.zeros((rows, LOG))
        self.time, self.step = 0.0, 0.0
        self.tolerance, self.max_depth, self.steps = tolerance, max_depth, steps
        self.ended = TIME_OVER

    def go(
        self, duration: float, *, longest: float = math.inf, energy: float, length: float
    ) -> int:
        """Carry on for a duration [s]; how it ended.

        energy, length  scales [J], [m] that the tolerance is a share of
        """
        absolute = self._absolute(energy, length)
        first = self.step if self.step > 0.0 else min(duration * 1e-4, longest)
        times = np.array([self.time, self.time + duration, first])
        y1, k, work = np.empty(SIZE), np.zeros((7, SIZE)), np.empty(SIZE)
        limits = np.array([longest, self.steps, self.max_depth])
        self.ended = march(
            self.pair, times, self.y, y1, k, work, absolute, 0.0, limits, self.account, self.counters,
            self._rows,
        )  # fmt: skip
        self.time, self.step = float(times[0]), float(times[2])
        return int(self.ended)

    def drive(self, velocity: ArrayLike, rate: ArrayLike = (0.0, 0.0, 0.0)) -> None:
        """Let B follow a velocity [m/s] and rate [rad/s] in N axes from now on."""
        self.pair.motion[1] = DRIVEN
        self.pair.drive[:3], self.pair.drive[3:] = velocity, rate

    def _absolute(self, energy: float, length: float) -> Floats:
        if not (energy > 0.0 and length > 0.0):
            hint = "give the energy and the depth that are expected"
            raise ConfigError("run", f"scales {energy:g} J, {length:g} m", "both above 0", hint)
        scale = np.full(SIZE, energy)
        for k, mover in enumerate(self.movers):
            first = k * BODY
            momentum = math.sqrt(2.0 * energy * mover.mass) if math.isfinite(mover.mass) else 1.0
            scale[first : first + 3] = length
            scale[first + ATTITUDE : first + MOMENTUM] = length / self.pair.faces.size
            scale[first + MOMENTUM : first + ANGULAR] = momentum
            scale[first + ANGULAR : first + BODY] = momentum * self.pair.faces.size
        return self.tolerance * scale

    @property
    def log(self) -> Floats:
        """Rows of the log, at the ends of steps."""
        return self._rows[: self.counters[C_ROWS]]

    @property
    def steps_taken(self) -> tuple[int, int]:
        """(accepted, rejected) steps."""
        return int(self.counters[C_STEPS]), int(self.counters[C_REJECTED])

    @property
    def has_time_left(self) -> bool:
        return self.ended not in (TIME_OVER, STEPS_OVER)

    def ledger(self) -> dict[str, Floats]:
        """Stores and works [J] along the log, and what does not add up."""
        rows = self.log
        state = rows[:, L_STATE : L_STATE + SIZE]
        stores = {
            "kinetic": rows[:, L_KINETIC],
            "potential": rows[:, L_POTENTIAL],
            "elastic": rows[:, L_ELASTIC],
            "stick": rows[:, L_STICK],
        }
        works = {
            "damping": -state[:, W_DAMPING],
            "viscous": -state[:, W_VISCOUS],
            "friction": -rows[:, L_FRICTION],
            "released": -rows[:, L_RELEASED],
            "remesh": rows[:, L_REMESH],
            "actuator": state[:, W_ACTUATOR],
            "drive": state[:, W_DRIVE],
            "push": state[:, W_PUSH],
        }
        total = np.sum(list(stores.values()), axis=0)
        done = np.sum(list(works.values()), axis=0)
        remainder = total - total[0] - (done - done[0])
        return {**stores, **works, "time": rows[:, L_TIME], "remainder": remainder}


def _three(given: ArrayLike) -> tuple[float, float, float]:
    x, y, z = (float(part) for part in np.asarray(given, dtype=np.float64))
    return x, y, z


def _field(given: Gravity | ArrayLike) -> Gravity:
    """Gravity as kernels ask it, of a uniform acceleration [m/s^2] if that is given."""
    return given if isinstance(given, Gravity) else uniform(_three(given))


def _state(mover: Mover) -> Floats:
    """Position, attitude, momentum, angular momentum about N's origin."""
    r, v = (np.asarray(x, dtype=np.float64) for x in (mover.position, mover.velocity))
    q = np.asarray(mover.quaternion, dtype=np.float64)
    q = q / np.linalg.norm(q)
    if not math.isfinite(mover.mass):
        return np.concatenate([r, q, np.zeros(6)])
    dcm = rotation_matrices(q[None])[0]
    spin = dcm @ np.asarray(mover.inertia) @ dcm.T @ np.asarray(mover.rate, dtype=np.float64)
    momentum = mover.mass * v
    return np.concatenate([r, q, momentum, np.cross(r, momentum) + spin])
