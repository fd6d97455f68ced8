"""A cell of shape-memory metal taken through loads and temperatures: stress-strain loops, recovery, rate effects.

Between given times stress or strain, temperature or heating change evenly. Steps are those of `sdirk_step`; a step is
accepted if the embedded estimate is below the tolerance and the stage equations are solved to 1e-9.

    work on the cell = change of sigma^2 C/2 + work of transformation
    rho c d theta = heating - exchanged + L d x_M (+ work of transformation with self-heating)

Both balances are kept beside the motion. Validity: as the law. Source: as the law and its steps.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from haptos.core.errors import ConfigError
from haptos.core.jit import device, entry
from haptos.materials.shape_memory import NITINOL, ShapeMemory
from haptos.materials.shape_memory_step import (
    BY_STRAIN,
    BY_STRESS,
    GAMMA,
    GIVEN_TEMPERATURE,
    HEAT_BALANCE,
    Cell,
    CellDrive,
    euler_step,
    heat_flow,
    sdirk_step,
    step_works,
    strain_of_cell,
)

Floats = NDArray[np.float64]

TOLERANCE = 1e-6  # [-] of the embedded estimate of fractions; true errors are below
SOLVED = 1e-9  # [-] largest residual of a stage that counts as solved

COLUMNS = ("time", "strain", "stress", "plus", "minus", "austenite", "theta", "worked", "transformed", "flowed")  # fmt: skip


@dataclass(frozen=True, eq=False)
class Cycle:
    """What a cell went through, one row a step.

    time [s], strain [-], stress [Pa], plus, minus, austenite [-], theta [K]
    worked, transformed, flowed   work on the cell, work of transformation, heat from outside [J/m^3] since the start
    fell_back   steps of order 1, taken where order 2 would have left [0, 1]
    heat_left   largest remainder of the heat balance [J/m^3]
    """

    time: Floats
    strain: Floats
    stress: Floats
    plus: Floats
    minus: Floats
    austenite: Floats
    theta: Floats
    worked: Floats
    transformed: Floats
    flowed: Floats
    fell_back: int
    heat_left: float


@device
def _drive(kind, thermal, share, row, following, outside):
    """What acts at a share of the way between two rows: time, load, temperature, heating, exchange, emission."""
    return CellDrive(
        kind,
        row[1] + share * (following[1] - row[1]),
        thermal,
        row[2] + share * (following[2] - row[2]),
        row[3] + share * (following[3] - row[3]),
        row[4],
        row[5],
        outside,
    )


@entry
def _march(material, cell, kind, thermal, plan, outside, tolerance, fixed, order, out):
    """Rows of all steps into `out`; returns (rows, steps that fell back), rows -1 if there was no room."""
    rows, fell, h = 1, 0, fixed
    worked, turned, flowed = 0.0, 0.0, 0.0
    trend = (0.0, 0.0)
    for part in range(len(plan) - 1):
        start, end = plan[part, 0], plan[part + 1, 0]
        t = start
        trend = (0.0, 0.0)
        if fixed <= 0.0:
            h = 1e-4 * (end - start)
        while t < end:
            step = min(h, end - t)
            if end - t - step < 1e-9 * (end - start):
                step = end - t
            share = (t - start) / (end - start)
            further = step / (end - start)
            middle = _drive(kind, thermal, share + GAMMA * further, plan[part], plan[part + 1], outside)  # fmt: skip
            last = _drive(kind, thermal, share + further, plan[part], plan[part + 1], outside)
            if order == 1:
                after, left = euler_step(material, cell, step, last)
                first, off, back = after, 0.0, False
            else:
                after, first, off, left, back = sdirk_step(
                    material, cell, step, middle, last, trend
                )
            if fixed <= 0.0 and (off > tolerance or left > SOLVED) and step > 1e-9 * (end - start):
                h = step * min(max(0.9 * math.sqrt(tolerance / max(off, 1e-30)), 0.2), 0.5)
                continue
            if rows == len(out):
                return -1, fell
            work, into = step_works(material, cell, after)
            worked += work
            turned += into
            weight = 0.0 if back or order == 1 else 1.0 - GAMMA
            flow = weight * heat_flow(middle, first.theta)[0]
            flow += (1.0 - weight) * heat_flow(last, after.theta)[0]
            flowed += step * flow
            fell += 1 if back else 0
            trend = ((after.sigma - cell.sigma) / step, (after.theta - cell.theta) / step)
            cell = after
            t += step
            row = (t, strain_of_cell(material, cell), cell.sigma, cell.plus, cell.minus,
                   cell.austenite, cell.theta, worked, turned, flowed)  # fmt: skip
            for c in range(10):
                out[rows, c] = row[c]
            rows += 1
            if fixed <= 0.0:
                h = step * min(max(0.9 * math.sqrt(tolerance / max(off, 1e-30)), 0.2), 2.0)
    return rows, fell


def cycle(
    times: Sequence[float],
    *,
    stress: Sequence[float] | None = None,
    strain: Sequence[float] | None = None,
    temperature: Sequence[float] | float,
    heating: Sequence[float] | float = 0.0,
    exchange: float = 0.0,
    emission: float = 0.0,
    balance: bool = False,
    start: tuple[float, float] = (0.0, 0.0),
    material: ShapeMemory = NITINOL,
    tolerance: float = TOLERANCE,
    step: float = 0.0,
    order: int = 2,
    rows: int = 400_000,
) -> Cycle:
    """Take a cell through times [s] with a stress [Pa] or a strain [-] at each.

    temperature  [K] at the times; with `balance` the first is that of the start and of the surroundings
    heating      [W/m^3] at the times      exchange, emission  a_v [W/m^3/K], e_v [1/m]
    start        (x+, x-) at the start     step  fixed [s] instead of error control    order  1 or 2
    """
    given = [one for one in (stress, strain) if one is not None]
    if len(given) != 1 or len(given[0]) != len(times):
        found = "both or neither of stress and strain, or one of another length than the times"
        raise ConfigError("cycle", found, "one of them, a value for each time", "strain=[0, 0.08, 0]")  # fmt: skip
    if min(start) < 0.0 or sum(start) > 1.0:
        raise ConfigError("cycle start", f"{start}", "fractions of sum 1 at most", "(0.5, 0.5)")
    kind = BY_STRESS if stress is not None else BY_STRAIN
    plan = np.zeros((len(times), 6))
    plan[:, 0], plan[:, 1], plan[:, 2], plan[:, 3] = times, given[0], temperature, heating
    plan[:, 4], plan[:, 5] = exchange, emission
    theta = float(plan[0, 2])
    rest = 1.0 - start[0] - start[1]
    soft = (start[0] + start[1]) / material.martensite + rest / material.austenite
    first = float(plan[0, 1])
    sigma = first if kind == BY_STRESS else (first - material.strain * (start[0] - start[1])) / soft
    cell = Cell(float(start[0]), float(start[1]), float(rest), theta, float(sigma))
    out = np.zeros((rows, len(COLUMNS)))
    out[0, :7] = (times[0], first, sigma, *cell[:4]) if kind == BY_STRAIN else (
        times[0], sigma * soft + material.strain * (start[0] - start[1]), sigma, *cell[:4])  # fmt: skip
    thermal = HEAT_BALANCE if balance else GIVEN_TEMPERATURE
    used, fell = _march(
        material, cell, kind, thermal, plan, theta, tolerance, float(step), order, out
    )
    if used < 0:
        allowed = f"a cycle of {rows} steps at most"
        raise ConfigError("cycle", "more steps than rows", allowed, "a larger tolerance, or rows")
    columns = dict(zip(COLUMNS, out[:used].T.copy(), strict=True))
    return Cycle(**columns, fell_back=fell, heat_left=_heat_left(material, columns) if balance else math.nan)  # fmt: skip


def _heat_left(material: ShapeMemory, rows: dict[str, Floats]) -> float:
    """Largest remainder [J/m^3] of the heat balance."""
    stored = material.density * material.heat * (rows["theta"] - rows["theta"][0])
    martensite = rows["plus"] + rows["minus"]
    latent = material.latent * (martensite - martensite[0])
    own = material.self_heating * rows["transformed"]
    return float(np.abs(stored - latent - own - rows["flowed"]).max())
