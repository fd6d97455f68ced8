"""Runs of two bodies in polygonal contact from Python: free pairs, driven bodies, pushes, spreading shapes.

Validity: as touching_pair.py. Source: as touching_pair.py.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from haptos.contact.sets.polygons_memory import polygon_memory
from haptos.contact.sets.polygons_pair import PolygonPair, foundation_law
from haptos.contact.sets.polygons_step import A_LEAVE, A_TOUCH, ACCOUNT
from haptos.contact.sets.polygons_sum import SUMS
from haptos.core.errors import ConfigError
from haptos.core.rotations import rotation_matrices
from haptos.core.symmetric import six_of
from haptos.dynamics.march.adaptive import ACCEPTED, NEXT, REJECTED, TIME, changed, march_of
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
    W_DRAG,
    W_DRIVE,
    W_LIGHT,
    W_PUSH,
    W_VISCOUS,
    WORKS,
    Pass,
    TouchingPair,
)
from haptos.dynamics.rigid.touching_pair_march import (
    C_OUTPUTS,
    C_ROWS,
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
    PairMarch,
    march_pair,
)
from haptos.environment.ball_drag import GroundAir
from haptos.environment.gravity import Gravity, uniform
from haptos.environment.ground_sunlight import Sun, no_sun
from haptos.geometry.distance.reference import half_space
from haptos.geometry.mesh.curved_faces_build import octahedron_faces

CITES: tuple[str, ...] = ()

Floats = NDArray[np.float64]

NO_AIR = GroundAir(False, 0.0, 0.0, 0.0, (0.0, 0.0, 0.0), False, (0.0, 0.0, 0.0), 0.0)
NO_SUN = no_sun()
_NOTHING = PolygonPair(
    half_space(), octahedron_faces(0, 1.0, 0), foundation_law(1.0)
)  # of a pass that is not taken


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
        back: PolygonPair | None = None,
        gravity: Gravity | ArrayLike = (0.0, 0.0, 0.0),
        spin: ArrayLike = (0.0, 0.0, 0.0),
        air: GroundAir = NO_AIR,
        sun: Sun = NO_SUN,
        push_times: ArrayLike = (0.0,),
        pushes: ArrayLike = ((0.0, 0.0, 0.0),),
        spread: ArrayLike = ((0.0, 0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 0.0)),
        tolerance: float = 1e-9,
        max_depth: float = math.inf,
        longest_way: float = math.inf,
        steps: int = 1_000_000,
        rows: int = 20_000,
        times: ArrayLike = (),
    ) -> None:
        """A pair at time zero.

        back           faces of A on distances of B, for two passes: the force is the mean of both
        gravity, spin  [m/s^2] and [rad/s], or a field of environment/gravity.py: of axes N that turn with a small body
        longest_way    [m] of a step near contact, besides a share of the bodies' size: a part of what is thin
        air, sun       that act on B        times  at which rows are wanted besides those of the log [s], rising
        """
        self.movers = (first, second)
        masses = np.array([m.mass for m in self.movers], dtype=np.float64)
        inertia = [np.asarray(m.inertia, dtype=np.float64) for m in self.movers]
        share = 1.0 if back is None else 0.5
        size = max(pair.faces.size, 0.0 if back is None else back.faces.size)
        self.pair = TouchingPair(
            _pass(pair, share), _pass(back or _NOTHING, share), 1 if back is None else 2, float(size), masses,
            np.array([six_of(np.linalg.inv(i)) for i in inertia]),
            np.array([six_of(i) for i in inertia]),
            np.array([FREE if math.isfinite(m) else FIXED for m in masses]),
            _field(gravity), _three(spin), air, sun, np.zeros(6),
            np.asarray(push_times, dtype=np.float64).reshape(-1),
            np.asarray(pushes, dtype=np.float64).reshape(-1, 3),
            np.array(spread, dtype=np.float64), np.zeros(SUMS), np.zeros(ACCOUNT),
        )  # fmt: skip
        self.account = self.pair.account
        self.account[A_TOUCH], self.account[A_LEAVE] = -1.0, math.nan
        is_free = math.isfinite(first.mass)
        start = np.concatenate([_state(m, is_free) for m in self.movers] + [np.zeros(SIZE - WORKS)])
        self.march = march_of(start, np.ones(SIZE))
        wanted = np.array(times, dtype=np.float64)
        self.model = PairMarch(
            self.pair, self.march, np.array([max_depth, longest_way]), np.array([-math.inf, 0.0, math.inf]),
            np.array([0, 1, 0, 0, 0, 0]), np.zeros((rows, LOG)), wanted, np.zeros((len(wanted), LOG)),
            np.zeros((2, 4)), np.zeros(SUMS),
        )  # fmt: skip
        self.tolerance, self.steps = tolerance, steps
        self.ended = TIME_OVER

    @property
    def y(self) -> Floats:
        """State of now."""
        return self.march.y

    @property
    def time(self) -> float:
        return float(self.march.clock[TIME])

    def go(
        self, duration: float, *, longest: float = math.inf, energy: float, length: float
    ) -> int:
        """Carry on for a duration [s]; how it ended.

        energy, length  scales [J], [m] that the tolerance is a share of
        """
        self.march.absolute[:] = self._absolute(energy, length)
        until, most = self.time + duration, self.steps + self.steps_taken[1]
        self.ended = march_pair(self.model, until, longest, most)
        while self.ended == STEPS_OVER and self.steps_taken[0] < self.steps:
            most = self.steps + self.steps_taken[1]
            self.ended = march_pair(self.model, until, longest, most)
        return int(self.ended)

    def drive(self, velocity: ArrayLike, rate: ArrayLike = (0.0, 0.0, 0.0)) -> None:
        """Let B follow a velocity [m/s] and rate [rad/s] in N axes from now on; the next step is tried afresh."""
        self.pair.motion[1] = DRIVEN
        self.pair.drive[:3], self.pair.drive[3:] = velocity, rate
        self.march.clock[NEXT] = 0.0
        changed(self.march)

    def _absolute(self, energy: float, length: float) -> Floats:
        if not (energy > 0.0 and length > 0.0):
            hint = "give the energy and the depth that are expected"
            raise ConfigError("run", f"scales {energy:g} J, {length:g} m", "both above 0", hint)
        scale = np.full(SIZE, energy)
        for k, mover in enumerate(self.movers):
            first = k * BODY
            momentum = math.sqrt(2.0 * energy * mover.mass) if math.isfinite(mover.mass) else 1.0
            scale[first : first + 3] = length
            scale[first + ATTITUDE : first + MOMENTUM] = length / self.pair.size
            scale[first + MOMENTUM : first + ANGULAR] = momentum
            scale[first + ANGULAR : first + BODY] = momentum * self.pair.size
        return self.tolerance * scale

    @property
    def log(self) -> Floats:
        """Rows of the log, at the ends of steps."""
        return self.model.log[: self.model.counters[C_ROWS]]

    def take_log(self) -> Floats:
        """Rows of the log so far, which begins anew."""
        rows = self.log.copy()
        self.model.counters[C_ROWS] = 0
        return rows

    @property
    def outputs(self) -> Floats:
        """Rows at the times wanted that were reached."""
        return self.model.outputs[: self.model.counters[C_OUTPUTS]]

    @property
    def steps_taken(self) -> tuple[int, int]:
        """(accepted, rejected) steps."""
        return int(self.march.counts[ACCEPTED]), int(self.march.counts[REJECTED])

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
            "drag": state[:, W_DRAG],
            "light": state[:, W_LIGHT],
        }
        total = np.sum(list(stores.values()), axis=0)
        done = np.sum(list(works.values()), axis=0)
        remainder = total - total[0] - (done - done[0])
        return {
            **stores,
            **works,
            "time": rows[:, L_TIME],
            "turning": self._turning(rows),
            "remainder": remainder,
        }

    def _turning(self, rows: Floats) -> Floats:
        """Energy [J] of the turns of free bodies along rows of the log: what of their motion is no drift."""
        found = rows[:, L_KINETIC].copy()
        for k in range(2):
            if self.pair.motion[k] == FREE:
                first = L_STATE + k * BODY + MOMENTUM
                found -= 0.5 * (rows[:, first : first + 3] ** 2).sum(axis=1) / self.pair.mass[k]
        return found


def _pass(pair: PolygonPair, share: float) -> Pass:
    """One pass with a share of the law's moduli."""
    law, found = pair.law, pair.new_set()
    law = law._replace(
        modulus=share * law.modulus, damping=share * law.damping, shear=share * law.shear,
        shear_damping=share * law.shear_damping,
    )  # fmt: skip
    return Pass(
        law, pair.reference, pair.faces, pair.refinement, found, polygon_memory(found), np.zeros(SUMS),
        np.zeros(ACCOUNT),
    )  # fmt: skip


def _three(given: ArrayLike) -> tuple[float, float, float]:
    x, y, z = (float(part) for part in np.asarray(given, dtype=np.float64))
    return x, y, z


def _field(given: Gravity | ArrayLike) -> Gravity:
    """Gravity as kernels ask it, of a uniform acceleration [m/s^2] if that is given."""
    return given if isinstance(given, Gravity) else uniform(_three(given))


def _state(mover: Mover, is_free: bool) -> Floats:
    """Position, attitude, momentum, angular momentum about N's origin if both are free, else about its own centre."""
    r, v = (np.asarray(x, dtype=np.float64) for x in (mover.position, mover.velocity))
    q = np.asarray(mover.quaternion, dtype=np.float64)
    q = q / np.linalg.norm(q)
    if not math.isfinite(mover.mass):
        return np.concatenate([r, q, np.zeros(6)])
    dcm = rotation_matrices(q[None])[0]
    spin = dcm @ np.asarray(mover.inertia) @ dcm.T @ np.asarray(mover.rate, dtype=np.float64)
    momentum = mover.mass * v
    carried = np.cross(r, momentum) if is_free else np.zeros(3)
    return np.concatenate([r, q, momentum, carried + spin])
