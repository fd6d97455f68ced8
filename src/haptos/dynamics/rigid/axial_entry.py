"""A rod that enters layered soil along its axis, until it stops: depth, time, peak, work of every resistance.

    m V' = m g_a - F(d, V),   d' = V;   works W_i' = -F_i V

    d, V  depth of the tip [m], speed [m/s]     F  resistance of contact/laws/penetration.py [N]
    g_a   component of gravity along the axis [m/s^2], > 0 inward
Steps are those of an explicit pair of order 5(4) in time. Where a kink of F lies within a step (the cone is
covered, the shaft is, a layer boundary passes tip, shoulder or rear) the step is taken again with depth as the
independent variable, so that it ends on the kink; the last step has speed as independent variable and ends at
rest. Nothing is interpolated.
Sign: works < 0 take energy. Validity: as the law; the rod stops, or passes `depth_limit`.
Source: [Henon1982] for the exchange of variables; steps [DormandPrince1980].
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from haptos.contact.laws.penetration import Rod, SoilLayer, layer_rows, resistance
from haptos.core.errors import ConfigError
from haptos.core.jit import device, entry
from haptos.dynamics.march.dormand_prince import error_ratio, step, step_factor
from haptos.dynamics.march.thinned_log import keep_row, kept_rows, new_log

CITES: tuple[str, ...] = ("Henon1982", "DormandPrince1980")

Floats = NDArray[np.float64]

SIZE = 9
TIME, DEPTH, SPEED = 0, 1, 2  # state: time, depth, speed, then works
WORKS = ("drag", "cone", "shaft", "overburden", "viscous", "weight")
STOPPED, TOO_DEEP, STEPS_OVER = 0, 1, 2
TOLERANCE = 1e-11  # [-] of depth, speed and works per step; energy then closes to 1e-9
MOST_STEPS = 100_000


@dataclass(frozen=True, eq=False)
class AxialEntry:
    """How a rod stopped.

    depth [m], time [s], peak_deceleration [m/s^2]; works  name -> work on the rod [J]
    ended  STOPPED or TOO_DEEP          remainder  energy that does not add up [J]
    rows   (n, 9) steps: time, depth, speed, works in the order of WORKS
    """

    depth: float
    time: float
    peak_deceleration: float
    works: dict[str, float]
    remainder: float
    ended: int
    rows: Floats


@device
def _rate(model, s, y, dy):
    """Rates with respect to component `independent` of the state."""
    body, layers, mass, gravity, along, independent = model
    v = y[2]
    f = resistance(body, layers, gravity, y[1], v)
    dy[0] = 1.0
    dy[1] = v
    dy[2] = along - (f.drag + f.cone + f.shaft + f.overburden + f.viscous) / mass
    dy[3] = -f.drag * v
    dy[4] = -f.cone * v
    dy[5] = -f.shaft * v
    dy[6] = -f.overburden * v
    dy[7] = -f.viscous * v
    dy[8] = mass * along * v
    if independent > 0:
        scale = 1.0 / dy[independent]
        for i in range(9):
            dy[i] *= scale


@device
def _deceleration(body, layers, mass, gravity, along, y):
    f = resistance(body, layers, gravity, y[1], y[2])
    return (f.drag + f.cone + f.shaft + f.overburden + f.viscous) / mass - along


@entry
def _march(
    body,
    layers,
    mass,
    gravity,
    along,
    kinks,
    limit,
    y,
    k,
    y1,
    absolute,
    relative,
    log,
    counters,
    most,
):
    """Step until rest; returns (how it ended, largest deceleration)."""
    h = 1e-3 * min(body.cone_height, body.radius) / y[2]
    last, peak, next_kink = 1.0, 0.0, 0
    keep_row(log, counters, y[0], y, 9)
    while next_kink < len(kinks) and kinks[next_kink] <= y[1]:
        next_kink += 1
    for _ in range(most):
        independent, size = 0, h
        step(_rate, (body, layers, mass, gravity, along, 0), 0.0, h, y, 9, k, y1, 0)
        if next_kink < len(kinks) and y1[1] > kinks[next_kink] and y1[2] > 0.0:
            independent, size = 1, kinks[next_kink] - y[1]
        elif not y1[2] > 0.0:
            independent, size = 2, -y[2]
        if independent > 0:
            step(
                _rate,
                (body, layers, mass, gravity, along, independent),
                y[independent],
                size,
                y,
                9,
                k,
                y1,
                0,
            )
            if independent == 2 and next_kink < len(kinks) and y1[1] > kinks[next_kink]:
                independent, size = 1, kinks[next_kink] - y[1]
                step(_rate, (body, layers, mass, gravity, along, 1), y[1], size, y, 9, k, y1, 0)
        ratio = error_ratio(size, y, y1, 9, k, absolute, relative)
        if not ratio <= 1.0:
            h = step_factor(ratio, 1.0) * min(h, y1[0] - y[0] if y1[0] > y[0] else h)
            continue
        if independent == 1:
            y1[1] = kinks[next_kink]
            next_kink += 1
        if independent == 2:
            y1[2] = 0.0
        for i in range(9):
            y[i] = y1[i]
        keep_row(log, counters, y[0], y, 9)
        peak = max(peak, _deceleration(body, layers, mass, gravity, along, y))
        if independent == 2:
            return 0, peak
        if y[1] >= limit:
            return 1, peak
        if independent == 0:
            h *= step_factor(ratio, last)
        last = max(ratio, 1e-4)
    return 2, peak


def kink_depths(body: Rod, layers: Sequence[SoilLayer]) -> Floats:
    """Depths [m] of the tip where the resistance has a kink."""
    passing = [0.0, body.cone_height, body.cone_height + body.shaft_length]
    found = {top + x for top in (one.top for one in layers) for x in passing}
    return np.array(sorted(x for x in found if 0.0 < x < math.inf))


def axial_entry(
    mass: float,
    speed: float,
    body: Rod,
    layers: Sequence[SoilLayer],
    *,
    gravity: float = 0.0,
    along: float | None = None,
    depth: float = 0.0,
    depth_limit: float = 1e4,
) -> AxialEntry:
    """Enter at a speed [m/s] from a depth [m] of the tip until rest.

    gravity  of the overburden [m/s^2]       along  its component along the axis; all of it if left out
    """
    if not (mass > 0.0 and speed > 0.0):
        found = f"mass {mass:g} kg, speed {speed:g} m/s"
        raise ConfigError("entry", found, "both above 0", "1 kg, 100 m/s")
    y = np.zeros(SIZE)
    y[DEPTH], y[SPEED] = depth, speed
    energy = 0.5 * mass * speed**2
    length = max(body.cone_height, body.radius)
    absolute = TOLERANCE * np.array([length / speed, length, speed] + [energy] * 6)
    log, counters = new_log(SIZE)
    own = gravity if along is None else along
    ended, peak = _march(
        body, layer_rows(layers), mass, gravity, own, np.append(kink_depths(body, layers), depth_limit),
        depth_limit, y, np.zeros((7, SIZE)), np.zeros(SIZE), absolute, TOLERANCE, log, counters, MOST_STEPS,
    )  # fmt: skip
    if ended == STEPS_OVER:
        found = f"no rest after {MOST_STEPS} steps"
        raise ConfigError("entry", found, "soil that stops the rod", "a larger strength_Pa")
    works = dict(zip(WORKS, y[3:].tolist(), strict=True))
    remainder = 0.5 * mass * y[SPEED] ** 2 - energy - math.fsum(works.values())
    return AxialEntry(
        float(y[DEPTH]),
        float(y[TIME]),
        float(peak),
        works,
        remainder,
        ended,
        kept_rows(log, counters, y[TIME], y)[:, 1:],
    )
