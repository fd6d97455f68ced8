"""Towing with fixed attachment points: two rigid bodies, threads between points of them, a thrust.

    m r'' = F,   I w' = M - w x I w,   q' = 1/2 q (x) (0, w)
    T = max(0, k (l - L) + c l') if l > L, else 0;   +T u on the chaser's point, -T u on the target's
    energy + damping = first energy + work of thrust,   damping' = (T - k (l - L)) l'

    m, I   mass [kg], moments [kg m^2] of a body      F, M   force [N], moment [N m] on it
    r, q, w  place [m], attitude quat_NB, rate [rad/s]
    l, u   distance [m] and direction from the chaser's to the target's point
    L      natural length [m]                         T      tension [N]
    k, c   stiffness [N/m] and damping [N s/m] of a thread
This is the reduced model against which capture by contact is judged: the target cannot slip in the
net, so nothing but the threads' own damping takes its spin, and the angular momentum goes on
swinging.
Frame: N axes that fall with the whole; w in principal axes of each body, quat_NB scalar first.
Validity: free space, no gravity gradient over the tether; points fixed to the bodies; the thrust
keeps its direction in N and acts at the chaser's centre. Threads have no mass.
Source: [Salvi2014] section 6.4 (the reduced simulator there called MUST); tension Eq. (2.60).
"""

from __future__ import annotations

import math
from collections import namedtuple
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from haptos.core.errors import ConfigError
from haptos.core.jit import device, entry, routine
from haptos.core.rotations import (
    apply,
    apply_transposed,
    quaternion_rate,
    rotation_matrices,
    rotation_matrix,
)
from haptos.core.vectors import add, cross, dot, norm, scale, subtract
from haptos.dynamics.cable.thread_link import link_tension
from haptos.dynamics.march.adaptive import (
    ACCEPTED,
    REACHED,
    REJECTED,
    TIME,
    advance,
    all_of_it,
    always_fits,
    changed,
    keep_nothing,
    march_of,
    no_gaps,
)

CITES: tuple[str, ...] = ("Salvi2014",)

Floats = NDArray[np.float64]
BODY_SIZE, STATE_SIZE = 13, 28  # place, velocity, attitude, rate; twice, then two works
WORK_THRUST, WORK_DAMPING = 26, 27
MOST_STEPS = 20_000_000  # [-] of one burn or coast; more is a thread too stiff for this model
FIRST_STEP = 1e-3  # [s] tried first; the control finds its own

# masses [kg] and moments [kg m^2] of chaser and target; points of the threads in body axes, (n, 3);
# natural lengths [m], stretching EA = k L [N], damping [N s/m], (n,); thrust [N] in N axes
TowModel = namedtuple(
    "TowModel",
    "masses chaser_moments target_moments near far lengths stretching damping thrust",
)


@dataclass(frozen=True, eq=False)
class TowSystem:
    """Two bodies and n threads between them.

    chaser_mass, target_mass        [kg]       chaser_moments, target_moments  [kg m^2], (3,)
    chaser_points, target_points    [m], (n, 3), in principal axes from each centre of mass
    lengths  L [m], (n,)            stiffness  k [N/m], (n,)       damping  c [N s/m], (n,)
    """

    chaser_mass: float
    chaser_moments: Floats
    target_mass: float
    target_moments: Floats
    chaser_points: Floats
    target_points: Floats
    lengths: Floats
    stiffness: Floats
    damping: Floats


@dataclass(frozen=True, slots=True)
class TowBody:
    """First state of a body: place [m], velocity [m/s], quat_NB, rate [rad/s] in its own axes."""

    place: tuple[float, float, float]
    velocity: tuple[float, float, float] = (0.0, 0.0, 0.0)
    attitude: tuple[float, float, float, float] = (1.0, 0.0, 0.0, 0.0)
    rate: tuple[float, float, float] = (0.0, 0.0, 0.0)


@dataclass(frozen=True, eq=False)
class Tow:
    """Motion at times [s], (k,). Vectors in N axes unless they are rates.

    chaser_place, target_place  [m], (k, 3)        chaser_rate, target_rate  [rad/s], (k, 3)
    tensions   T [N], (k, n)                       target_momentum  I w in N axes [N m s], (k, 3)
    momentum   of both [N s], (k, 3)               angular_momentum of both about the origin, (k, 3)
    energies   kinetic, rotational, elastic [J], (k, 3)
    work_thrust, work_damping  [J], (k,)
    """

    times: Floats
    states: Floats
    tensions: Floats
    target_momentum: Floats
    momentum: Floats
    angular_momentum: Floats
    energies: Floats
    work_thrust: Floats
    work_damping: Floats

    @property
    def distance(self) -> Floats:
        """Between the centres of mass [m], (k,)."""
        return np.linalg.norm(self.states[:, 13:16] - self.states[:, 0:3], axis=1)

    @property
    def remainder(self) -> Floats:
        """What the energy ledger does not close [J], (k,)."""
        total = self.energies.sum(axis=1)
        return total - total[0] - self.work_thrust + self.work_damping


def tow_system(
    chaser_mass: float,
    chaser_moments: ArrayLike,
    target_mass: float,
    target_moments: ArrayLike,
    chaser_points: ArrayLike,
    target_points: ArrayLike,
    lengths: ArrayLike,
    stiffness: ArrayLike,
    damping: ArrayLike = 0.0,
) -> TowSystem:
    """A checked system; one number stands for all threads, one point for the same point of all."""
    first, second = (np.atleast_2d(np.asarray(p, float)) for p in (chaser_points, target_points))
    count = max(len(first), len(second))
    if (
        first.shape[1:] != (3,)
        or second.shape[1:] != (3,)
        or {len(first), len(second)} - {1, count}
    ):
        found = f"points {first.shape} and {second.shape}"
        raise ConfigError("tow", found, "(n, 3) each, or one for all", "as many on both bodies")
    parts = {
        "chaser_mass": chaser_mass, "target_mass": target_mass, "chaser_moments": chaser_moments,
        "target_moments": target_moments, "lengths": lengths, "stiffness": stiffness,
    }  # fmt: skip
    for name, value in parts.items():
        numbers = np.asarray(value, dtype=float)
        if not (np.isfinite(numbers).all() and (numbers > 0.0).all()):
            raise ConfigError("tow", f"{name} = {numbers}", "above zero", "in SI units")
    if not (np.isfinite(np.asarray(damping, float)) & (np.asarray(damping, float) >= 0.0)).all():
        raise ConfigError("tow", f"damping = {np.asarray(damping)}", "0 or more", "damping = 0")
    return TowSystem(
        float(chaser_mass), _three(chaser_moments), float(target_mass), _three(target_moments),
        np.broadcast_to(first, (count, 3)).copy(), np.broadcast_to(second, (count, 3)).copy(),
        *(
            np.broadcast_to(np.asarray(numbers, float), count).copy()
            for numbers in (lengths, stiffness, damping)
        ),
    )  # fmt: skip


def tow(
    system: TowSystem,
    chaser: TowBody,
    target: TowBody,
    thrust: ArrayLike,
    times: ArrayLike,
    *,
    burn: float = math.inf,
    tolerance: float = 1e-9,
) -> Tow:
    """The tow at times [s], rising from 0, under a thrust [N], (3,), for the first `burn` seconds.

    Dormand-Prince 5(4); tolerance is the error per step of every place [m], velocity [m/s], rate
    [rad/s] and work [J]. The end of the burn is a step.
    """
    when = np.ascontiguousarray(times, dtype=float)
    if when.ndim != 1 or len(when) < 2 or when[0] != 0.0 or not (np.diff(when) > 0.0).all():
        raise ConfigError("tow", "other times", "rising from 0", "numpy.linspace(0, 300, 301)")
    if not (math.isfinite(tolerance) and tolerance > 0.0):
        raise ConfigError("tow", f"tolerance = {tolerance}", "above zero", "tolerance = 1e-9")
    y = np.zeros(STATE_SIZE)
    for start, body in ((0, chaser), (BODY_SIZE, target)):
        y[start : start + BODY_SIZE] = (*body.place, *body.velocity, *body.attitude, *body.rate)
    push, none = np.asarray(thrust, dtype=float), np.zeros(3)
    march = march_of(y, tolerance, step=FIRST_STEP, times=when)
    corner = min(max(burn, 0.0), float(when[-1]))
    for end, force in ((corner, push), (float(when[-1]), none)):
        march.counts[ACCEPTED], march.counts[REJECTED] = 0, 0
        if advance_tow(_model(system, force), march, end) != REACHED:
            found = f"{MOST_STEPS} steps by {march.clock[TIME]:g} s"
            raise ConfigError("tow", found, "fewer steps", "a larger tolerance, softer threads")
        changed(march)
    states = march.rows
    return _reported(system, when, states)


def _model(system: TowSystem, thrust: Floats) -> TowModel:
    """The system under a thrust [N], (3,), as the kernel wants it."""
    return TowModel(
        (system.chaser_mass, system.target_mass), _tuple(system.chaser_moments),
        _tuple(system.target_moments), system.chaser_points, system.target_points,
        system.lengths, system.stiffness * system.lengths, system.damping, _tuple(thrust),
    )  # fmt: skip


def _tuple(vector: Floats) -> tuple[float, float, float]:
    return (float(vector[0]), float(vector[1]), float(vector[2]))


@device
def _body(y, start):
    """(place, velocity, unit quaternion, rate, dcm_NB) of a body within the state."""
    q0, q1, q2, q3 = y[start + 6], y[start + 7], y[start + 8], y[start + 9]
    size = 1.0 / math.sqrt(q0 * q0 + q1 * q1 + q2 * q2 + q3 * q3)
    attitude = (size * q0, size * q1, size * q2, size * q3)
    place = (y[start], y[start + 1], y[start + 2])
    velocity = (y[start + 3], y[start + 4], y[start + 5])
    rate = (y[start + 10], y[start + 11], y[start + 12])
    return place, velocity, attitude, rate, rotation_matrix(attitude)


@device
def _body_rates(dy, start, body, force, moment, mass, moments):
    """Write the derivative of a body: force [N] in N axes, moment [N m] in its own."""
    _, velocity, attitude, w, _ = body
    left = subtract(moment, cross(w, (moments[0] * w[0], moments[1] * w[1], moments[2] * w[2])))
    swing = quaternion_rate(attitude, w)
    for i in range(3):
        dy[start + i] = velocity[i]
        dy[start + 3 + i] = force[i] / mass
        dy[start + 10 + i] = left[i] / moments[i]
    for i in range(4):
        dy[start + 6 + i] = swing[i]


@routine
def tow_rate(model, t, y, dy):
    """Derivative of the state: two bodies of 13 numbers, work of thrust, work of damping."""
    chaser, target = _body(y, 0), _body(y, BODY_SIZE)
    force, chaser_moment, target_moment = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    damped = 0.0
    for n in range(len(model.lengths)):
        near = (model.near[n, 0], model.near[n, 1], model.near[n, 2])
        far = (model.far[n, 0], model.far[n, 1], model.far[n, 2])
        away = subtract(
            add(target[0], apply(target[4], far)), add(chaser[0], apply(chaser[4], near))
        )
        length, natural = norm(away), model.lengths[n]
        if length > natural:
            u = scale(1.0 / length, away)
            far_velocity = add(target[1], apply(target[4], cross(target[3], far)))
            near_velocity = add(chaser[1], apply(chaser[4], cross(chaser[3], near)))
            rate = dot(u, subtract(far_velocity, near_velocity))
            tension, spring = link_tension(
                model.stretching[n], model.damping[n], natural, length, rate
            )  # Eq. (2.60)
            pull = scale(tension, u)
            force = add(force, pull)
            chaser_moment = add(chaser_moment, cross(near, apply_transposed(chaser[4], pull)))
            target_moment = subtract(target_moment, cross(far, apply_transposed(target[4], pull)))
            damped += (tension - spring) * rate
    pushed = add(force, model.thrust)
    _body_rates(dy, 0, chaser, pushed, chaser_moment, model.masses[0], model.chaser_moments)
    back = scale(-1.0, force)
    _body_rates(dy, BODY_SIZE, target, back, target_moment, model.masses[1], model.target_moments)
    dy[WORK_THRUST] = dot(model.thrust, chaser[1])
    dy[WORK_DAMPING] = damped


@entry
def advance_tow(model, march, until):
    """Carry a tow on to a time [s]; as `advance`."""
    return advance(
        tow_rate, all_of_it, always_fits, keep_nothing, no_gaps, model, march, until, 1e-14, math.inf, MOST_STEPS
    )  # fmt: skip


def _reported(system: TowSystem, times: Floats, states: Floats) -> Tow:
    """What follows from the states, (k, STATE_SIZE), at times [s]."""
    near = _carried(states[:, :BODY_SIZE], system.chaser_points, system.chaser_moments)
    target = states[:, BODY_SIZE : 2 * BODY_SIZE]
    far = _carried(target, system.target_points, system.target_moments)
    away, moving = far.points - near.points, far.velocities - near.velocities
    length = np.linalg.norm(away, axis=2)
    rate = np.einsum("kni,kni->kn", away, moving) / np.maximum(length, 1e-300)
    over = np.maximum(length - system.lengths, 0.0)
    pull = np.maximum(0.0, system.stiffness * over + system.damping * rate)  # Eq. (2.60)
    v_first, v_second = states[:, 3:6], target[:, 3:6]
    first, second = system.chaser_mass * v_first, system.target_mass * v_second
    kinetic = 0.5 * ((first * v_first).sum(axis=1) + (second * v_second).sum(axis=1))
    whole = near.spin + np.cross(states[:, 0:3], first)
    whole = whole + far.spin + np.cross(target[:, 0:3], second)
    return Tow(
        times=times,
        states=states,
        tensions=np.where(over > 0.0, pull, 0.0),
        target_momentum=far.spin,
        momentum=first + second,
        angular_momentum=whole,
        energies=np.stack(
            [kinetic, near.turning + far.turning, 0.5 * (over**2) @ system.stiffness], axis=1
        ),
        work_thrust=states[:, WORK_THRUST],
        work_damping=states[:, WORK_DAMPING],
    )


@dataclass(frozen=True, eq=False)
class _Carried:
    """A body over time, vectors in N axes.

    points [m], velocities [m/s], (k, n, 3)        spin  I w [N m s], (k, 3)
    turning  energy of it [J], (k,)
    """

    points: Floats
    velocities: Floats
    spin: Floats
    turning: Floats


def _carried(part: Floats, offsets: Floats, moments: Floats) -> _Carried:
    """Points at offsets [m], (n, 3), in body axes and spin from its states, (k, BODY_SIZE)."""
    quaternion = part[:, 6:10] / np.linalg.norm(part[:, 6:10], axis=1, keepdims=True)
    dcm, rate = rotation_matrices(quaternion), part[:, 10:13]
    arms = np.einsum("kij,nj->kni", dcm, offsets)
    turn = np.einsum("kij,kj->ki", dcm, rate)
    return _Carried(
        part[:, None, 0:3] + arms,
        part[:, None, 3:6] + np.cross(turn[:, None], arms),
        np.einsum("kij,kj->ki", dcm, moments * rate),
        0.5 * (rate**2) @ moments,
    )


def _three(moments: ArrayLike) -> Floats:
    """Three moments, from three or from one for all [kg m^2]."""
    numbers = np.asarray(moments, dtype=float)
    return np.broadcast_to(numbers, (3,)).copy()
