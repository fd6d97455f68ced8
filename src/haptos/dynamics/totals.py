"""Sums over all that moves in a system: mass, momentum, angular momentum; and rates of its bodies."""

from __future__ import annotations

import math
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from haptos.core.rotations import rotation_matrices
from haptos.dynamics.cable.beam_arrays import BENT, PUSHED, TWISTED
from haptos.dynamics.motion import Motion
from haptos.dynamics.system import NODE, System

Floats = NDArray[np.float64]


class Moving(Protocol):
    """A model: constant records of the kernel, what moves, and the names of its bodies."""

    @property
    def system(self) -> System: ...

    @property
    def motion(self) -> Motion: ...

    @property
    def names(self) -> tuple[str, ...]: ...


def momenta(model: Moving) -> Floats:
    """Momentum [N s], angular momentum about the origin [N m s] of all that moves, N axes, (6,).

    What is held in place, or does not turn, takes any momentum and counts with none.
    """
    system, motion = model.system, model.motion
    n = int((system.points.owner == NODE).sum())
    each = motion.points.mass[:n, None] * motion.points.v[:n]
    moving = motion.bodies.inverse_mass > 0.0
    own = motion.bodies.speed[moving] / motion.bodies.inverse_mass[moving, None]
    places = np.concatenate([motion.points.x[:n], motion.bodies.place[moving]])
    linear = np.concatenate([each, own])
    turning = motion.bodies.momentum.sum(axis=0) + motion.turning.momentum.sum(axis=0)
    angular = crosses(places, linear).sum(axis=0) + turning
    return np.concatenate([linear.sum(axis=0), angular])


def crosses(a: Floats, b: Floats) -> Floats:
    """a x b of rows, (n, 3); five times as fast as `numpy.cross` for a few of them."""
    (x, y, z), (u, v, w) = a.T, b.T
    return np.stack([y * w - z * v, z * u - x * w, x * v - y * u], axis=1)


def body_rates(model: Moving, stored: Any) -> Floats:
    """omega_BN_B [rad/s] of every body over time, (n, k, 3)."""
    dcm = rotation_matrices(stored.attitude)
    own = np.einsum("tkji,tkj->tki", dcm, stored.momentum)
    return np.asarray(own * model.system.inverse_inertia)


def bending_energies(motion: Motion) -> Floats:
    """(bending, twist) [J] that threads hold now; a slack link that is pushed together is bent."""
    tally = motion.turning.tally
    return np.array([tally[BENT] + tally[PUSHED], tally[TWISTED]])


def simulated_mass(model: Moving) -> float:
    """[kg] of all nodes and of all bodies that can move, in the kernel's arrays."""
    motion = model.motion
    n = int((model.system.points.owner == NODE).sum())
    free = motion.bodies.inverse_mass[motion.bodies.inverse_mass > 0.0]
    return math.fsum([*motion.points.mass[:n], *(1.0 / free)])
