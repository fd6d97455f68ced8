"""Tethers that are still, or turn as one rigid thing: their cells found by Newton's method on the rates of the engine."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq, root

from haptos.dynamics.cable.tether_march import ask_rates
from haptos.dynamics.cable.tether_run import TetherRun
from haptos.dynamics.cable.tether_state import BODY, CELLS, MOMENTUM, POSITION
from haptos.dynamics.cable.tether_system import TetherSystem

Floats = NDArray[np.float64]


def balanced(system: TetherSystem, start: Floats, turn: Floats) -> tuple[TetherRun, Floats, Floats]:
    """(run at its balance, cells (N, 3) [m], tensions (N + 1,) [N]) of a line that turns at a rate [rad/s] about the N origin.

    start  places of the cells and of every body that is not fixed (n, 3) [m], bodies last
    """
    run, n = TetherRun(system), system.cells
    free = [k for k, body in enumerate(system.bodies) if not body.is_fixed]
    rates, totals = np.zeros(len(run.state)), np.zeros(3)
    masses = [system.line.density * system.deployed / n] * n
    masses += [system.bodies[k].mass + system.line.density * system.stored[k] for k in free]
    m = np.array(masses)[:, None]

    def excess(flat: Floats) -> Floats:
        """Acceleration [m/s^2] beyond that of the turn."""
        places = flat.reshape(-1, 3)
        momenta = m * np.cross(turn, places)
        y = run.state
        y[CELLS : CELLS + 3 * n], y[CELLS + 3 * n : CELLS + 6 * n] = (
            places[:n].ravel(),
            momenta[:n].ravel(),
        )
        for i, k in enumerate(free):
            y[BODY * k + POSITION : BODY * k + POSITION + 3] = places[n + i]
            y[BODY * k + MOMENTUM : BODY * k + MOMENTUM + 3] = momenta[n + i]
        run.tether.springs.mode[:] = 1
        ask_rates(run.tether, 0.0, y, rates, totals)
        parts = [rates[CELLS + 3 * n : CELLS + 6 * n].reshape(n, 3)]
        parts += [rates[BODY * k + MOMENTUM : BODY * k + MOMENTUM + 3][None] for k in free]
        return np.asarray(
            (np.concatenate(parts) / m - np.cross(turn, np.cross(turn, places))).ravel()
        )

    found = root(excess, start.ravel(), method="hybr", tol=1e-13)
    excess(found.x)
    return run, found.x.reshape(-1, 3)[:n].copy(), run.tether.springs.tension.copy()


def catenary(s: Floats, span: float, length: float, weight: float, stiffness: float) -> Floats:
    """Places (n, 2) [m] along an elastic catenary between two supports of one height, at natural arc lengths s [m].

    x(s) = H s/EA + H/w (asinh(V/H) - asinh((V - w s)/H)),
    z(s) = -s/EA (V - w s/2) - H/w (sqrt(1 + (V/H)^2) - sqrt(1 + ((V - w s)/H)^2)), V = w L/2, H from x(L) = span.
    """
    v = 0.5 * weight * length

    def across(h: float, at: Floats | float) -> Floats:
        return np.asarray(
            h * at / stiffness
            + h / weight * (math.asinh(v / h) - np.arcsinh((v - weight * at) / h))
        )

    h = float(
        brentq(lambda tried: float(across(tried, length)) - span, 1e-3 * v, 1e3 * v, xtol=1e-14)
    )
    steep = np.sqrt(1.0 + ((v - weight * s) / h) ** 2)
    z = -s / stiffness * (v - 0.5 * weight * s) - h / weight * (math.hypot(1.0, v / h) - steep)
    return np.stack([across(h, s), z], axis=1)
