"""Histories that follow from what a net run stores: forces on bodies, momenta, winches, opening."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from haptos.core.rotations import rotation_matrices
from haptos.dynamics.motion import MET_PEAK
from haptos.dynamics.nets.opening_quality import centre_of_mass, quality_index
from haptos.dynamics.system import WORK_KINDS
from haptos.environment.orbit_frames import lvlh_axes
from haptos.geometry.nets.net_topology import CLOSING
from haptos.scenarios.net.body_numbers import CHASER, TARGET
from haptos.scenarios.net.model import Model

if TYPE_CHECKING:
    from haptos.dynamics.march.snapshots import Stored
    from haptos.scenarios.net.config import Config
    from haptos.scenarios.net.windows import Windows

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


def slopes(time: Floats, values: Floats) -> Floats:
    """Mean rate of change since the time before, same shape; zero at the first."""
    steps = np.diff(time)
    change = np.diff(values, axis=0) / steps.reshape(-1, *([1] * (values.ndim - 1)))
    return np.concatenate([np.zeros((1, *values.shape[1:])), change])


def force_on_target(
    config: Config, model: Model, stored: Stored | Windows
) -> tuple[Floats, Floats]:
    """(force [N], torque about its centre [N m]) of net and bullets on the target, N axes, (n, 3).

    Means since the stored time before: what the target gained, less its own burns and the gravity
    of the ground. The tide of an orbit (below a millinewton), drag and light are in it. NaN for a
    target that is held.
    """
    nothing = np.full((len(stored.time), 3), math.nan)
    inverse = float(model.motion.bodies.inverse_mass[TARGET])
    if inverse == 0.0:
        return nothing, nothing
    force = slopes(stored.time, stored.speed[:, TARGET]) / inverse
    torque = slopes(stored.time, stored.momentum[:, TARGET])
    pushed, turned = _burns(model, stored, TARGET)
    force -= pushed
    torque -= turned
    if config.surroundings == "ground":
        force[1:] -= np.asarray(config.environment.ground_gravity) / inverse
    return force, torque


def in_orbit_axes(stored: Stored, vectors: Floats) -> Floats:
    """Vectors in N axes, (n, 3), along V-bar, H-bar, R-bar of the N origin at each time instead."""
    found = np.empty_like(vectors)
    for k, (state, vector) in enumerate(zip(stored.origin, vectors, strict=True)):
        found[k] = np.array(lvlh_axes(tuple(state[:3]), tuple(state[3:]))) @ vector
    return found


def bullet_forces(model: Model, stored: Stored | Windows) -> Floats:
    """Size of the force [N] of threads and contacts on each bullet, (n, b): means as above."""
    found = []
    for b in model.bullets:
        mass = 1.0 / model.motion.bodies.inverse_mass[b]
        pull = mass * slopes(stored.time, stored.speed[:, b]) - _burns(model, stored, int(b))[0]
        found.append(np.linalg.norm(pull, axis=1))
    return np.stack(found, axis=1)


def contact_forces(config: Config, stored: Stored | Windows, bodies: Integers) -> Floats:
    """Force of contacts alone [N] on some bodies, N axes, (n, b, 3).

    Means since the stored time before; NaN with the scheme of dormand-prince, which keeps no
    impulses of contacts.
    """
    if config.run.scheme != "verlet":
        return np.full((len(stored.time), len(bodies), 3), math.nan)
    return slopes(stored.time, stored.met[:, bodies, :3])


def bullet_peaks(config: Config, model: Model, stored: Stored) -> Floats:
    """Largest force [N] of one contact of each bullet in the run, (b,); NaN as above."""
    peaks = np.asarray(stored.met[-1, model.bullets, MET_PEAK])
    return peaks if config.run.scheme == "verlet" else np.full(len(peaks), math.nan)


def _burns(model: Model, stored: Stored | Windows, body: int) -> tuple[Floats, Floats]:
    """Mean (force [N], torque about its centre [N m]) of loads on a body, N axes, (n, 3) each.

    Axes and arms are those at the end of each interval.
    """
    force, torque = np.zeros((len(stored.time), 3)), np.zeros((len(stored.time), 3))
    touched = float(model.motion.step.touched_at)
    for row in model.system.orders.loads:
        own = int(row["body"])
        if body not in (own, int(row["reaction"])):
            continue
        late = touched if row["after_touch"] else 0.0
        if not math.isfinite(late):
            continue
        sign = 1.0 if own == body else -1.0
        push = sign * _mean_load(row, stored, "force", late)
        point = rotation_matrices(stored.attitude[:, own]) @ row["point"]
        arm = stored.place[:, own] + point - stored.place[:, body]
        twist = sign * _mean_load(row, stored, "torque", late)
        force += push
        torque += np.cross(arm, push) + twist
    return force, torque


def _mean_load(row: Any, stored: Stored | Windows, part: str, late: float) -> Floats:
    """Mean of a part of a load, force or torque, since the stored time before, N axes, (n, 3).

    late  [s] by which its times count from the first touch
    """
    start, stop = row["start"] + late, row["stop"] + late
    first, last = (row[name] for name in (part, f"{part}_end"))
    share = np.clip((stored.time - start) / (stop - start), 0.0, 1.0)[:, None]
    impulse = (stop - start) * (share * first + 0.5 * share**2 * (last - first))
    mean = slopes(stored.time, impulse)
    axes = int(row["axes"])
    if axes < 0:
        return mean
    return np.einsum("tij,tj->ti", rotation_matrices(stored.attitude[:, axes]), mean)


def recoil(model: Model, end: float) -> float:
    """Change of the chaser's speed [m/s] by the shots alone, until a time [s]; 0 for one that is held.

    Impulses add up in the axes of the chaser, which hardly turns within a shot.
    """
    given = np.zeros(3)
    for row in model.system.orders.loads:
        if int(row["reaction"]) == CHASER:
            time = np.clip(end - row["start"], 0.0, row["stop"] - row["start"])
            given -= time * row["force"]
    return float(np.linalg.norm(given) * model.motion.bodies.inverse_mass[CHASER])


def closing_history(model: Model, stored: Stored) -> tuple[Floats, Floats]:
    """(length without load [m] of all closing lines, largest tension [N] in one), (n,) each."""
    chosen = model.element_class == CLOSING
    length = stored.length[:, chosen].sum(axis=1) + stored.line_length.sum(axis=1)
    tension = np.max(stored.tension[:, chosen], axis=1, initial=0.0)
    return length, np.maximum(tension, np.max(stored.line_tension, axis=1, initial=0.0))


def winch_power(stored: Stored | Windows) -> Floats:
    """Mean power of winches and reels [W] since the stored time before, (n,)."""
    return slopes(stored.time, stored.work[:, WORK_KINDS.index("winch")])


def largest_of(model: Model, stored: Stored, kind: int) -> Floats:
    """Largest tension [N] in the elements of one class, (n,)."""
    return np.max(stored.tension[:, model.element_class == kind], axis=1, initial=0.0)


def travel(model: Model, stored: Stored) -> Floats:
    """Way of the middle of the knots from where it was [m], N axes, (n, 3)."""
    middle = stored.x[:, model.knots].mean(axis=1)
    return np.asarray(middle - middle[0])


def quality(model: Model, stored: Stored) -> Floats:
    """How far the net is open [%], (n,)."""
    return np.asarray(quality_of(model, stored.x[:, model.knots]))


def quality_of(model: Model, knots: Floats) -> Any:
    """How far a net with these knots [m], (..., k, 3), is open [%]."""
    reference, masses = model.mesh.knots, np.ones(len(model.knots))
    spread = centre_of_mass(reference, masses)
    return quality_index(knots, centre_of_mass(knots, masses), reference, spread)


def largest_tension(model: Model, kind: int) -> float:
    """Largest tension [N] of the run, over all steps, in the elements of one class."""
    return float(
        np.max(model.motion.ledger.extremes.tension[model.element_class == kind], initial=0.0)
    )
