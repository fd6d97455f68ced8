"""A rigid rod that enters the ground at an angle: does it stick, turn over, or ricochet?

    m v' = F + m g,   I w' = M,   works W_i' = P_i

    v, w  velocity of the centre of mass [m/s], turning rate [rad/s]     I  inertia across the axis [kg m^2]
    g     gravity [m/s^2], along itself: on a slope it has a part along the ground; overburden feels its size
    F, M, P_i  sums over surface elements (contact/laws/penetration_oblique.py)
The run ends at rest (speed below `stop_speed` and rate below `stop_rate`, which follow v_s for slow rods), as a ricochet (no wetted area left, centre
moving outward) or broadside (axis turned by more than 60 deg from its direction at the start).
Incidence is the angle of the velocity from the inward normal, attack that of the axis from the velocity.
Frame: x along the ground, z out of it; axis a = (sin q, -cos q). Validity: as the law.
Source: [Quadrelli2017] section 5; steps [DormandPrince1980].
"""

from __future__ import annotations

import math
from collections import namedtuple
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from haptos.contact.laws.penetration import Rod, SoilLayer, layer_rows
from haptos.contact.laws.penetration_oblique import (
    TURN_ON_SHARE,
    TURN_ON_SPEED,
    rod_elements,
    traction,
)
from haptos.core.errors import ConfigError
from haptos.core.jit import device, entry, routine
from haptos.dynamics.march.adaptive import (
    GO_ON,
    PREVIOUS,
    STOP,
    TIME,
    advance,
    all_of_it,
    always_fits,
    march_of,
    no_gaps,
)
from haptos.dynamics.march.thinned_log import keep_row, kept_rows, new_log

CITES: tuple[str, ...] = ("Quadrelli2017", "DormandPrince1980")

Floats = NDArray[np.float64]

SIZE = 12  # x, z of the centre, angle; velocities and rate; works: strength, drag, friction, overburden, weight, viscosity
WORKS = ("strength", "drag", "friction", "overburden", "weight", "viscosity")
STUCK, RICOCHET, BROADSIDE, STEPS_OVER = 0, 1, 2, 3
STOP_SPEED, STOP_RATE = 0.3, 5.0  # [m/s], [rad/s], assumed
TURNED = math.radians(60.0)  # of the axis: broadside
TOLERANCE = 1e-7  # [-] of a step; energy then closes to 1e-6
MOST_STEPS = 200_000
DEEPEST, MOST_TURNED, PEAK, ENDED = range(4)  # entries of `seen`: [m], [rad], [m/s^2], how it ended

# rod: the model of `_rate`   march: AdaptiveMarch   limits: speed, rate, turn at which it ends   start: angle [rad]
# relative: tolerance   seen: (4,) extremes   log, counters: of thinned_log
EntryRun = namedtuple("EntryRun", "rod march limits start relative seen log counters")


@dataclass(frozen=True, eq=False)
class ObliqueEntry:
    """How a rod ended.

    ended  STUCK, RICOCHET or BROADSIDE          depth  deepest place of the tip below ground [m]
    speed  left at the end [m/s]                 turned  of the axis since the start [rad], largest size
    time [s], peak_deceleration [m/s^2], works name -> [J], remainder [J]
    rows   (n, 13): time, then the state, of accepted steps
    """

    ended: int
    depth: float
    last_depth: float
    speed: float
    turned: float
    time: float
    peak_deceleration: float
    works: dict[str, float]
    remainder: float
    rows: Floats


@routine
def _rate(model, t, y, dy):
    body, elements, layers, mass, inertia, weight, on_speed, centre = model
    gravity, down_x, down_z = weight
    q = y[2]
    sine, cosine = math.sin(q), math.cos(q)
    v_a, v_b = y[3] * sine - y[4] * cosine, y[3] * cosine + y[4] * sine
    z_tip = y[1] - centre * cosine
    f = traction(body, elements, layers, gravity, on_speed, z_tip, q, v_a, v_b, y[5], centre)
    dy[0] = y[3]
    dy[1] = y[4]
    dy[2] = y[5]
    dy[3] = (f.along * sine + f.across * cosine) / mass + gravity * down_x
    dy[4] = (f.across * sine - f.along * cosine) / mass + gravity * down_z
    dy[5] = f.moment / inertia
    dy[6] = f.strength
    dy[7] = f.drag
    dy[8] = f.friction
    dy[9] = f.overburden
    dy[10] = mass * gravity * (down_x * y[3] + down_z * y[4])
    dy[11] = f.viscous


@routine
def _motion_rate(run, t, y, dy):
    _rate(run.rod, t, y, dy)


@device
def _wetted(rod, y):
    body, elements, layers, _mass, _inertia, weight, on_speed, centre = rod
    z_tip = y[1] - centre * math.cos(y[2])
    f = traction(body, elements, layers, weight[0], on_speed, z_tip, y[2], 0.0, 0.0, 0.0, centre)
    return f.wetted


@device
def _accept(run, t, h, y, y1):
    """Keep a row and extremes of a step; STOP where the entry has ended."""
    gravity, down_x, down_z = run.rod[5]
    stop_speed, stop_rate, turned = run.limits
    seen, end = run.seen, run.march.k[6]
    keep_row(run.log, run.counters, t + h, y1, SIZE)
    seen[DEEPEST] = max(seen[DEEPEST], run.rod[7] * math.cos(y1[2]) - y1[1])
    seen[MOST_TURNED] = max(seen[MOST_TURNED], abs(y1[2] - run.start))
    felt = math.hypot(end[3] - gravity * down_x, end[4] - gravity * down_z)
    seen[PEAK] = max(seen[PEAK], felt)
    if seen[MOST_TURNED] > turned:
        seen[ENDED] = BROADSIDE
    elif seen[PEAK] > 0.0 and y1[4] > 0.0 and felt == 0.0 and _wetted(run.rod, y1) == 0.0:
        seen[ENDED] = RICOCHET
    elif math.hypot(y1[3], y1[4]) < stop_speed and abs(y1[5]) < stop_rate:
        seen[ENDED] = STUCK
    else:
        return GO_ON
    return STOP


@entry
def _march(run):
    """Step until the end."""
    return advance(
        _motion_rate, all_of_it, always_fits, _accept, no_gaps, run, run.march, math.inf, run.relative, math.inf,
        MOST_STEPS,
    )  # fmt: skip


def oblique_entry(
    mass: float,
    speed: float,
    body: Rod,
    layers: Sequence[SoilLayer],
    *,
    incidence: float,
    attack: float = 0.0,
    rate: float = 0.0,
    gravity: float = 0.0,
    lean: float = 0.0,
    elements: tuple[int, int] = (24, 16),
    inertia: float | None = None,
    centre: float | None = None,
    on_speed: float | None = None,
    stop_speed: float | None = None,
    stop_rate: float | None = None,
    tolerance: float = TOLERANCE,
) -> ObliqueEntry:
    """Enter with the tip on the ground at the start.

    incidence, attack [rad]; rate  turning rate [rad/s];  gravity  [m/s^2]
    lean     angle [rad] of gravity from the inward normal, towards the way the rod goes along the ground
    inertia  across the axis [kg m^2]; m (L^2/12 + R^2/4) if left out
    centre   of mass behind the tip [m]; half the length if left out
    on_speed, stop_speed, stop_rate  v_s [m/s] and what counts as rest [m/s], [rad/s]: 1, 0.3 and 5, less for slow rods if left out
    """
    if not (mass > 0.0 and speed > 0.0 and 0.0 <= incidence < math.pi / 2.0):
        found = f"mass {mass:g} kg, speed {speed:g} m/s, incidence {math.degrees(incidence):g} deg"
        raise ConfigError("entry", found, "mass and speed above 0, incidence 0 to 90 deg", "45 deg")
    turn_on = min(TURN_ON_SPEED, TURN_ON_SHARE * speed) if on_speed is None else on_speed
    slow = min(turn_on / TURN_ON_SPEED, 1.0)
    stops = slow * STOP_SPEED if stop_speed is None else stop_speed
    stops_turning = slow * STOP_RATE if stop_rate is None else stop_rate
    long = body.cone_height + body.shaft_length
    own = mass * (long**2 / 12.0 + body.radius**2 / 4.0) if inertia is None else inertia
    middle = 0.5 * long if centre is None else centre
    q = incidence + attack
    y = np.zeros(SIZE)
    y[:6] = (-middle * math.sin(q), middle * math.cos(q), q, speed * math.sin(incidence),
             -speed * math.cos(incidence), rate)  # fmt: skip
    energy = 0.5 * mass * speed**2 + 0.5 * own * rate**2
    scale = [body.radius, body.radius, body.radius / long, speed, speed, speed / long] + [
        energy
    ] * len(WORKS)
    model = (
        body, rod_elements(body, *elements), layer_rows(layers), float(mass), float(own),
        (float(gravity), math.sin(lean), -math.cos(lean)),
        float(turn_on), float(middle),
    )  # fmt: skip
    log, counters = new_log(SIZE)
    march = march_of(y, tolerance * np.array(scale), step=1e-3 * body.radius / speed)
    march.clock[PREVIOUS] = 1.0  # no step before it
    limits = (float(stops), float(stops_turning), TURNED)
    seen = np.array([0.0, 0.0, 0.0, STEPS_OVER])
    keep_row(log, counters, 0.0, y, SIZE)
    _march(EntryRun(model, march, limits, float(q), float(tolerance), seen, log, counters))
    y, t = march.y, float(march.clock[TIME])
    deepest, turned, peak = (float(number) for number in seen[:3])
    ended = int(seen[ENDED])
    if ended == STEPS_OVER:
        found = f"no end after {MOST_STEPS} steps"
        raise ConfigError("entry", found, "soil that stops the rod", "a larger strength_Pa")
    works = dict(zip(WORKS, y[6:].tolist(), strict=True))
    left = 0.5 * mass * (y[3] ** 2 + y[4] ** 2) + 0.5 * own * y[5] ** 2
    remainder = left - energy - math.fsum(works.values())
    return ObliqueEntry(
        ended, deepest, float(middle * math.cos(y[2]) - y[1]), math.hypot(y[3], y[4]), turned,
        t, peak, works, remainder, kept_rows(log, counters, t, y),
    )  # fmt: skip
