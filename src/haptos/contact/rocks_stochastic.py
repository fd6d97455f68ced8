"""Rocks as chance: at an impact the ground's normal may be replaced by one of a rock that is not there.

    P = 1 - exp(-K pi E[rho^2]),   rho^2 = a^2 + 2 a R                a rock is struck before the ground
    sin^2 theta = q y^(1/m)                                           tilt of the struck normal

    K      rocks per area [1/m^2]           a      radius of a rock [m], half its size s
    R      radius of the probe [m]          rho    largest offset at which the rock is struck [m]
    q      largest sin^2 of the tilt [-]    m      shape of the tilt law [-], > 0; 1 for one size
    y      uniform number in [0, 1)         theta  angle of the struck normal from the ground's [rad]
Rocks are taken as half balls on a plane at places of a Poisson process, and the probe as a ball that
comes down along the normal. It then touches a rock of radius a within rho, at sin theta = offset/(R + a),
so for one size sin^2 theta is uniform up to q = rho^2/(R + a)^2 and m = 1. For many sizes q is that of the
largest rock and m keeps the mean of sin^2 theta. The azimuth is uniform; a normal that the probe moves
away from is turned by half a turn about the ground's, since only faces in the way are struck. The
published model fits such laws to runs on a rocky plane: `fitted_rocks` does so from logged impacts.
Frame: that of the normal. Sign: normals out of the ground.
Validity: a baseline only. The rock is forgotten at once: nothing lodges against it, grazing hits of tall
rocks are missed, and a fit holds for one probe and one field of rocks.
Source: [Tardivel2014] for the idea, [VanWal2018] section 2.3 for its limits; the laws above are assumed.
"""

from __future__ import annotations

import math
from collections import namedtuple

import numpy as np
from numpy.typing import ArrayLike

from haptos.core.errors import GeometryError
from haptos.core.jit import device
from haptos.core.vectors import add_scaled, dot, scale, tangents
from haptos.geometry.terrain.rock_sizes import (
    mean_power,
    require_rocks_per_area,
    require_sizes,
    rock_size,
)

CITES: tuple[str, ...] = ("Tardivel2014", "VanWal2018")
QUANTILES = 4096  # sizes over which the tilt of many sizes is averaged

# chance P of striking a rock [-]; largest sin^2 of the tilt q [-]; shape m of the tilt law [-]
StochasticRocks = namedtuple("StochasticRocks", "chance largest shape")


def stochastic_rocks(
    per_area: float, alpha: float, s_min: float, s_max: float, probe_radius: float
) -> StochasticRocks:
    """Rocks of K = `per_area` [1/m^2] with sizes of Eq. (2.23) of [VanWal2018], for a probe's radius [m]."""
    require_rocks_per_area("stochastic rocks", per_area)
    require_sizes("stochastic rocks", alpha, s_min, s_max)
    if not 0.0 < probe_radius < math.inf:
        raise GeometryError(
            "stochastic rocks", f"a probe of radius {probe_radius} m", "above 0 m", "use 0.125 m"
        )
    square = 0.25 * mean_power(2.0, alpha, s_min, s_max)
    offset = square + mean_power(1.0, alpha, s_min, s_max) * probe_radius
    chance = 1.0 - math.exp(-per_area * math.pi * offset)
    largest = largest_sine_square(0.5 * s_max, probe_radius)
    a = 0.5 * rock_size((np.arange(QUANTILES) + 0.5) / QUANTILES, alpha, s_min, s_max)
    weight = a * a + 2.0 * a * probe_radius
    mean = float(np.average(0.5 * largest_sine_square(a, probe_radius), weights=weight))
    return StochasticRocks(chance, float(largest), mean / (float(largest) - mean))


def no_stochastic_rocks() -> StochasticRocks:
    """Rocks that are never struck, to fill their place in kernels."""
    return StochasticRocks(0.0, 0.0, 1.0)


@device
def largest_sine_square(a, probe_radius):
    """q [-] of rocks of radius a [m]: sin^2 of the tilt at which ground and rock are struck at once."""
    return a * (a + 2.0 * probe_radius) / ((a + probe_radius) * (a + probe_radius))


def mean_sine_square(rocks: StochasticRocks) -> float:
    """Mean of sin^2 of the tilt [-] of struck normals: q m/(m + 1)."""
    return float(rocks.largest * rocks.shape / (rocks.shape + 1.0))


@device
def struck_normal(rocks, normal, velocity, u1, u2, u3):
    """(hit, unit normal) of an impact on ground with the unit `normal`, by three uniform numbers.

    velocity  of the probe relative to the ground [m/s], closing: velocity . normal <= 0
    u1 decides the hit, u2 the tilt, u3 the azimuth; each in [0, 1)
    """
    if u1 >= rocks.chance:
        return False, normal
    square = rocks.largest * u2 ** (1.0 / rocks.shape)
    sine, cosine = math.sqrt(square), math.sqrt(max(1.0 - square, 0.0))
    first, second = tangents(normal)
    angle = 2.0 * math.pi * u3
    across = add_scaled(scale(sine * math.cos(angle), first), sine * math.sin(angle), second)
    if cosine * dot(velocity, normal) + dot(velocity, across) > 0.0:
        across = scale(-1.0, across)
    return True, add_scaled(across, cosine, normal)


def fitted_rocks(tilts: ArrayLike, impacts: int) -> StochasticRocks:
    """Rocks whose laws fit logged impacts.

    tilts    angle between struck normal and ground normal of every impact on a rock [rad], shape (n,)
    impacts  number of all impacts, on rocks and on ground, >= n
    chance = n/impacts; q and m have the largest likelihood of the density m y^(m-1), y = sin^2/q:
    q = largest sin^2, m = (n - 2)/sum ln(q/sin^2), which has no bias.
    """
    angles = np.asarray(tilts, dtype=np.float64).ravel()
    squares = np.sin(angles) ** 2
    if len(squares) < 3 or impacts < len(squares) or not np.all(squares > 0.0):
        raise GeometryError(
            "impacts to fit",
            f"{len(squares)} tilts of {impacts} impacts",
            "three tilts or more, all above 0, of as many impacts or more",
            "log more impacts; leave out those on bare ground",
        )
    if not np.all((angles > 0.0) & (angles <= 0.5 * math.pi)):
        raise GeometryError(
            "impacts to fit", "a tilt outside a quarter turn", "0 to pi/2 rad", "give radians"
        )
    largest = float(squares.max())
    total = float(np.log(largest / squares).sum())
    if not total > 0.0:
        raise GeometryError("impacts to fit", "equal tilts", "different tilts", "log more impacts")
    return StochasticRocks(len(squares) / impacts, largest, (len(squares) - 2) / total)
