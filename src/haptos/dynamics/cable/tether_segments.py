"""Active segments of a tether: spans of the material that contract by a signal or by heat, and move with the line.

    segment k covers the material coordinates [s_0 + k W, s_0 + (k + 1) W]; a spring feels the parts of segments it covers, in series:
    eps = sum_k w_k [(T - T_0k) C_k + eps_k]  ->  T = (eps - sum w_k eps_k + sum w_k T_0k C_k)/sum w_k C_k

    polymer  C = 1/(E_p A), T_0 = A sigma_max a, eps_k = 0;   a' = (u - a)/tau_r                       `electro_active.py`
    metal    C = (x_M/E_M + x_A/E_A)/A, T_0 = 0, eps_k = e0 (x+ - x-);   x' and theta' as in            `shape_memory.py`
             rho c theta' = j/A - a_v (theta - theta_0) - sigma_SB e_v (theta^4 - theta_0^4) + L (x+' + x-')
    force loop   u = g_p e + I,  I' = g_i e while u is within 0 and 1,   e = F - T at the first end

    w_k  share of a spring's length     W  length of a segment [m]     A  section [m^2]     a, u  activation, signal [-]
    j    heating per length [W/m]       F  wanted force [N]            x+, x-  fractions of martensite [-]
Energy: active work -T_0 eps' of the polymer, transformation work -A [sigma e0 (x+' - x-') + sigma^2/2 (1/E_M - 1/E_A)(x+' + x-')] of the
metal, both in the entry `active`. Heat apart: Joule heat put in, heat given off; latent heat is their difference with what warms.
Segments that are dead get no signal and no heating. A sensor that is stuck shows the loop one number.
Frame: scalars along the line. Validity: small strain; stress of a metal segment is that of the spring at its middle, so cells as short
as segments; metal segments with reels that hold.
Source: [Quadrelli2017] sections 4 and 6; [SeeleckeMuller2004].
"""

from __future__ import annotations

import math
from collections import namedtuple

import numpy as np
from numpy.typing import ArrayLike

from haptos.core.errors import ConfigError
from haptos.core.inlining import routine
from haptos.core.jit import device
from haptos.dynamics.cable.tether_state import ACTIVE, CELLS, STORED, WORKS
from haptos.materials.electro_active import POLYMER, ElectroActive, activation_rate
from haptos.materials.shape_memory import (
    NITINOL,
    STEFAN_BOLTZMANN,
    ShapeMemory,
    compliance,
    transition_rates,
)

CITES: tuple[str, ...] = ("Quadrelli2017", "SeeleckeMuller2004")

PASSIVE, POLYMER_SEGMENTS, METAL_SEGMENTS = range(3)
EACH = 3  # numbers of a segment: activation, or x+, x-, temperature
GATHERED, JOULE, GIVEN_OFF, SHARED = range(4)  # numbers of all: I [-], heats [J]
WANTED, IS_ON, PROPORTIONAL, INTEGRAL, IS_STUCK, STUCK_AT, LOOP = range(7)

Segments = namedtuple(
    "Segments", "kind first width count area inputs alive loop surroundings polymer metal"
)
# first s_0, width W [m]   area A [m^2]   inputs (count,): signal u [-], or heating j [W/m]   alive (count,) 1 or 0
# loop (LOOP,) of the force loop   surroundings (3,): a_v [W/m^3/K], e_v [1/m], theta_0 [K]


def no_segments() -> Segments:
    """A passive line."""
    return Segments(
        PASSIVE, 0.0, 1.0, 0, 1.0, np.zeros(1), np.ones(1), np.zeros(LOOP), np.zeros(3), POLYMER, NITINOL
    )  # fmt: skip


def polymer_segments(
    first: float, width: float, count: int, area: float, *, material: ElectroActive = POLYMER
) -> Segments:
    """Segments of electro-active polymer along a line of the same polymer."""
    _checked(width, count, area)
    return no_segments()._replace(
        kind=POLYMER_SEGMENTS, first=float(first), width=float(width), count=int(count), area=float(area),
        inputs=np.zeros(count), alive=np.ones(count), polymer=material,
    )  # fmt: skip


def metal_segments(
    first: float, width: float, count: int, area: float, *, material: ShapeMemory = NITINOL,
    exchange: float = 0.0, emission: float = 0.0, outside: float = 300.0,
) -> Segments:  # fmt: skip
    """Segments of shape-memory metal: exchange a_v [W/m^3/K], emission e_v [1/m], surroundings [K]."""
    _checked(width, count, area)
    return no_segments()._replace(
        kind=METAL_SEGMENTS, first=float(first), width=float(width), count=int(count), area=float(area),
        inputs=np.zeros(count), alive=np.ones(count), metal=material,
        surroundings=np.array([exchange, emission, outside], dtype=float),
    )  # fmt: skip


def _checked(width: float, count: int, area: float) -> None:
    if not (width > 0.0 and area > 0.0 and count >= 1):
        found = f"{count} segments of {width:g} m and {area:g} m^2"
        raise ConfigError("segments", found, "one or more, both above 0", "width = 10.0")


def extra_numbers(segments: Segments) -> int:
    """Numbers of the state that the segments take."""
    return 0 if segments.kind == PASSIVE else EACH * segments.count + SHARED


def segment_start(segments: Segments, rows: ArrayLike) -> np.ndarray:
    """The extra numbers of a state: rows (count, EACH), or one row for all."""
    state = np.zeros(extra_numbers(segments))
    state[: EACH * segments.count].reshape(-1, EACH)[:] = np.asarray(rows, dtype=float)
    return state


@device
def window(tether, place, y):
    """Material coordinates [m] that the spring at a place covers, and half a cell."""
    line = tether.line
    low, high = y[STORED], line.total - y[STORED + 1]
    half = 0.5 * (high - low) / max(line.count, 1)
    return max(place - half, low), min(place + half, high)


@device
def segment_law(segments, y, base, k):
    """(C [1/N], T_0 [N], eps_k [-]) of segment k."""
    at = base + EACH * k
    if segments.kind == POLYMER_SEGMENTS:
        material = segments.polymer
        return (
            1.0 / (material.modulus * segments.area),
            segments.area * material.largest * y[at],
            0.0,
        )
    metal, plus, minus = segments.metal, y[at], y[at + 1]
    soft = compliance(metal, plus + minus, 1.0 - plus - minus) / segments.area
    return soft, 0.0, metal.strain * (plus - minus)


@routine
def active_spring(tether, place, y):
    """(EA [N], T_0 [N], eps_free [-]) of the spring at a material coordinate: segments and passive line in series."""
    g, line = tether.material, tether.line
    low, high = window(tether, place, y)
    base = CELLS + 7 * line.count
    left, soft, drive, free = high - low, 0.0, 0.0, 0.0
    whole = left
    k = max(math.floor((low - g.first) / g.width), 0)
    while k < g.count and g.first + k * g.width < high:
        part = min(high, g.first + (k + 1) * g.width) - max(low, g.first + k * g.width)
        if part > 0.0:
            c, pull, strain = segment_law(g, y, base, k)
            soft += part * c
            drive += part * c * pull
            free += part * strain
            left -= part
        k += 1
    soft += max(left, 0.0) / line.stiffness
    return whole / soft, drive / soft, free / whole


@routine
def segment_rates(tether, y, dy):
    """Rates of all segments, of the loop and of the heats; transformation work into the ledger."""
    g, line, s = tether.material, tether.line, tether.springs
    base = CELLS + 7 * line.count
    shared = base + EACH * g.count
    out = line.total - y[STORED] - y[STORED + 1]
    d = out / line.count
    loop = g.loop
    felt = loop[STUCK_AT] if loop[IS_STUCK] != 0.0 else s.tension[0]
    error = loop[WANTED] - felt
    wanted = loop[PROPORTIONAL] * error + y[shared + GATHERED]
    dy[shared + GATHERED] = 0.0
    if loop[IS_ON] != 0.0 and ((wanted < 1.0 and error > 0.0) or (wanted > 0.0 and error < 0.0)):
        dy[shared + GATHERED] = loop[INTEGRAL] * error
    dy[shared + JOULE] = dy[shared + GIVEN_OFF] = 0.0
    for k in range(g.count):
        at = base + EACH * k
        if g.kind == POLYMER_SEGMENTS:
            signal = wanted if loop[IS_ON] != 0.0 else g.inputs[k]
            dy[at] = activation_rate(g.polymer, y[at], signal * g.alive[k])
            dy[at + 1] = dy[at + 2] = 0.0
            continue
        j = math.floor((g.first + (k + 0.5) * g.width - y[STORED]) / d + 0.5)
        pull = s.tension[min(max(j, 0), line.count)]
        _metal_rates(g, k, pull / g.area, at, shared, y, dy)
    if g.kind == METAL_SEGMENTS:
        _transformation_work(tether, base, y, dy)


@device
def _metal_rates(g, k, sigma, at, shared, y, dy):
    """Rates of phases and temperature of metal segment k at a stress [Pa]."""
    metal, plus, minus, theta = g.metal, y[at], y[at + 1], y[at + 2]
    austenite = 1.0 - plus - minus
    p = transition_rates(metal, sigma, theta)
    up = austenite * p.enter_plus - plus * p.leave_plus
    down = austenite * p.enter_minus - minus * p.leave_minus
    exchange, emission, outside = g.surroundings[0], g.surroundings[1], g.surroundings[2]
    heating = g.inputs[k] * g.alive[k] / g.area
    lost = exchange * (theta - outside) + STEFAN_BOLTZMANN * emission * (theta**4 - outside**4)
    dy[at] = up
    dy[at + 1] = down
    dy[at + 2] = (heating - lost + metal.latent * (up + down)) / (metal.density * metal.heat)
    volume = g.area * g.width
    dy[shared + JOULE] += heating * volume
    dy[shared + GIVEN_OFF] += lost * volume


@routine
def _transformation_work(tether, base, y, dy):
    """Powers [W] with which springs lose or gain elastic energy as their phases change."""
    g, line, s = tether.material, tether.line, tether.springs
    out = line.total - y[STORED] - y[STORED + 1]
    soft = (1.0 / g.metal.martensite - 1.0 / g.metal.austenite) / g.area
    for j in range(line.count + 1):
        low, high = window(tether, y[STORED] + j * out / line.count, y)
        k = max(math.floor((low - g.first) / g.width), 0)
        pull = s.elastic[j]
        while k < g.count and g.first + k * g.width < high:
            part = min(high, g.first + (k + 1) * g.width) - max(low, g.first + k * g.width)
            at = base + EACH * k
            k += 1
            if part > 0.0:
                strain = g.metal.strain * (dy[at] - dy[at + 1])
                softer = soft * (dy[at] + dy[at + 1])
                dy[WORKS + ACTIVE] -= part * (pull * strain + 0.5 * pull * pull * softer)
