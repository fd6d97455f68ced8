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
from collections import namedtuple
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from haptos.contact.laws.penetration import Rod, SoilLayer, layer_rows, resistance
from haptos.core.errors import ConfigError
from haptos.core.jit import device, entry, routine
from haptos.dynamics.march.dormand_prince import error_ratio, step
from haptos.dynamics.march.step_control import kept_ratio, next_step, shorter_step
from haptos.dynamics.march.step_loop import StepFunctions, march_steps, no_part, nothing, to_the_end
from haptos.dynamics.march.thinned_log import keep_row, kept_rows, new_log

CITES: tuple[str, ...] = ("Henon1982", "DormandPrince1980")

Floats = NDArray[np.float64]

SIZE = 9
TIME, DEPTH, SPEED = 0, 1, 2  # state: time, depth, speed, then works
WORKS = ("drag", "cone", "shaft", "overburden", "viscous", "weight")
STOPPED, TOO_DEEP, STEPS_OVER = 0, 1, 2
TOLERANCE = 1e-11  # [-] of depth, speed and works per step; energy then closes to 1e-9
MOST_STEPS = 100_000
NEXT, PREVIOUS, PEAK = range(
    3
)  # entries of `clock`: step [s], error ratio before, deceleration [m/s^2]
KINK, INDEPENDENT, TRIES, ENDED = range(4)  # entries of `counts`

# rod: body, layers, mass, gravity, its part along the axis    kinks: depths [m], the last of which ends the entry
# y, k, y1, absolute: state, stages, end of a step, tolerances    log, counters: of thinned_log
AxialRun = namedtuple("AxialRun", "rod kinks y k y1 absolute clock counts log counters")


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
def _deceleration(rod, y):
    body, layers, mass, gravity, along = rod
    f = resistance(body, layers, gravity, y[1], y[2])
    return (f.drag + f.cone + f.shaft + f.overburden + f.viscous) / mass - along


@device
def _goes_on(run):
    counts = run.counts
    counts[TRIES] += 1
    return counts[TRIES] <= MOST_STEPS and counts[ENDED] == STEPS_OVER


@device
def _propose(run):
    return run.clock[NEXT]


@routine
def _step_over(run, independent, size):
    """A step with a component of the state as independent variable, 0 for the time."""
    body, layers, mass, gravity, along = run.rod
    model = (body, layers, mass, gravity, along, independent)
    step(_rate, model, run.y[independent], size, run.y, SIZE, run.k, run.y1, 0)


@device
def _attempt(run, h):
    """A step in time; if a kink or the rest lies within it, one that ends there. Its error ratio."""
    y, y1, counts = run.y, run.y1, run.counts
    independent, size, kink = TIME, h, run.kinks[min(counts[KINK], len(run.kinks) - 1)]
    is_ahead = counts[KINK] < len(run.kinks)
    for _ in range(3):
        _step_over(run, independent, size)
        if (
            independent != DEPTH
            and is_ahead
            and y1[DEPTH] > kink
            and (y1[SPEED] > 0.0 or independent == SPEED)
        ):
            independent, size = DEPTH, kink - y[DEPTH]
        elif independent == TIME and not y1[SPEED] > 0.0:
            independent, size = SPEED, -y[SPEED]
        else:
            break
    counts[INDEPENDENT] = independent
    return error_ratio(size, y, y1, SIZE, run.k, run.absolute, TOLERANCE)


@device
def _reject(run, h, ratio):
    spent = run.y1[TIME] - run.y[TIME]
    run.clock[NEXT] = shorter_step(min(h, spent if spent > 0.0 else h), ratio, 1.0)


@device
def _choose(run, h, ratio):
    if run.counts[INDEPENDENT] == TIME:
        run.clock[NEXT] = next_step(h, ratio, run.clock[PREVIOUS], h)
    run.clock[PREVIOUS] = kept_ratio(ratio)


@device
def _commit(run, h):
    """The end of the step becomes the state: exactly on the kink, or exactly at rest."""
    y, y1, counts = run.y, run.y1, run.counts
    if counts[INDEPENDENT] == DEPTH:
        y1[DEPTH] = run.kinks[counts[KINK]]
        counts[KINK] += 1
    if counts[INDEPENDENT] == SPEED:
        y1[SPEED] = 0.0
    for i in range(SIZE):
        y[i] = y1[i]
    keep_row(run.log, run.counters, y[TIME], y, SIZE)
    run.clock[PEAK] = max(run.clock[PEAK], _deceleration(run.rod, y))


@device
def _conclude(run, h):
    if run.counts[INDEPENDENT] == SPEED:
        run.counts[ENDED] = STOPPED
    elif run.y[DEPTH] >= run.kinks[len(run.kinks) - 1]:
        run.counts[ENDED] = TOO_DEEP


@entry
def _march(run):
    """Step until rest, or to the last kink."""
    functions = StepFunctions(
        _goes_on, _propose, _attempt, _reject, to_the_end, no_part, _choose, nothing, nothing, _commit, nothing, _conclude
    )  # fmt: skip
    march_steps(functions, run)


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
    rod = (body, layer_rows(layers), float(mass), float(gravity), float(own))
    kinks = np.append([one for one in kink_depths(body, layers) if one < depth_limit], depth_limit)
    clock = np.array([1e-3 * min(body.cone_height, body.radius) / speed, 1.0, 0.0])
    counts = np.array([np.searchsorted(kinks, depth, side="right"), 0, 0, STEPS_OVER])
    keep_row(log, counters, 0.0, y, SIZE)
    _march(
        AxialRun(
            rod,
            kinks,
            y,
            np.zeros((7, SIZE)),
            np.zeros(SIZE),
            absolute,
            clock,
            counts,
            log,
            counters,
        )
    )
    ended, peak = int(counts[ENDED]), clock[PEAK]
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
