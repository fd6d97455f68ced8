"""Free flights that start along the ground, to see the speed of lift-off happen.

    r'' = a_E - 2 Omega x v - Omega x (Omega x r)              seen from the turning body
    e = 1/2 |v|^2 - U - 1/2 |Omega x r|^2                      constant along each flight (Jacobi)
    h = z + 1/2 (k+ x^2 + k- y^2)                              height above the osculating surface

    x, y, z  from the starting point along e+, N x e+ and N [m]     U, a_E  potential and acceleration
             of gravity and tides                                   k+-     principal curvatures [1/m]
A thing slower than V sinks below the surface (the ground would hold it), one as fast follows it, one
faster leaves. Along a sphere the flight at V follows forever, elsewhere as long as the curvature holds.
Frame: axes fixed to the body. Validity: uniform spin; h up to third powers of the way over the radius.
Source: [VanWal2018] section 3.4, the check at 0.9, 1.0 and 1.1 V; the integral: [Scheeres2012].
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from haptos.core.errors import ConfigError
from haptos.dynamics.ledger.phase_ledger import first_phase, phase_rows, update_phase
from haptos.dynamics.liftoff.liftoff_map import liftoff_along
from haptos.environment.gravity_points import Field, World, field_at
from haptos.geometry.shape.curvature import CurvedGround, east_north

CITES: tuple[str, ...] = ("VanWal2018", "Scheeres2012")

Floats = NDArray[np.float64]

SHARES = (0.9, 1.0, 1.1)  # [-] of V
REACH = 0.1  # [radii of curvature] how far a flight goes if nothing is said
TOLERANCE = 1e-12  # [-] of one step
TRACKS = 0.25  # [-] share of the others' heights within which the flight at V stays


@dataclass(frozen=True, eq=False)
class Flights:
    """Flights from one point in one direction at shares of the speed of lift-off.

    speed     V [m/s]                        azimuth   [rad] from east over north
    shares    [-], shape (s,)                time      [s], shape (t,)
    position  [m], shape (s, t, 3)           velocity  [m/s], shape (s, t, 3), over the ground
    height    [m], shape (s, t)
    kinetic, potential  [m^2/s^2], shape (s, t); their sum is the constant of each flight
    phases    (s, 1) ledger of each flight over all steps, as `phase_ledger` keeps it, per mass
    """

    speed: float
    azimuth: float
    shares: Floats
    time: Floats
    position: Floats
    velocity: Floats
    height: Floats
    kinetic: Floats
    potential: Floats
    phases: NDArray[np.void]

    @property
    def largest_remainder(self) -> float:
        """Largest change of kinetic + potential [m^2/s^2] along any flight, over all steps."""
        return float(np.max(self.phases["largest"]))

    @property
    def confirmed_until(self) -> float:
        """Time [s] up to which slower ones are below the surface, faster ones above, and the one at
        V between them; 0 if that does not even hold at first."""
        slower, faster = self.height[self.shares < 1.0], self.height[self.shares > 1.0]
        apart = np.abs(np.concatenate([slower, faster]))
        at = np.abs(self.height[self.shares == 1.0])
        holds = np.all(slower < 0.0, axis=0) & np.all(faster > 0.0, axis=0)
        if at.size and apart.size:
            holds &= at.max(axis=0) <= TRACKS * apart.min(axis=0)
        holds[0] = True  # all start at height zero
        return float(self.time[-1 if holds.all() else int(np.argmin(holds)) - 1])


def liftoff_flights(
    ground: CurvedGround,
    number: int,
    world: World,
    omega: ArrayLike,
    azimuth: float,
    *,
    shares: Sequence[float] = SHARES,
    duration: float | None = None,
    samples: int = 121,
    primary: tuple[float, tuple[float, float, float]] | None = None,
    locked_rate: float = 0.0,
) -> Flights:
    """Flights from point `number` of a ground along an azimuth [rad]; see `liftoff_map` for the rest.

    Flights are those of small things at the exact speed, whatever a map was made for.
    duration  [s]; if left out, the time to go REACH of the radius of curvature at V
    """
    from scipy.integrate import solve_ivp

    at = ground.chosen([number])
    spin = np.asarray(omega, dtype=float)

    def field(places: Floats) -> Field:
        return field_at(world, places, primary=primary, locked_rate=locked_rate)

    _, gravity = field(at.points)
    speed = float(liftoff_along(at, gravity, spin, azimuth)[0][0, 0])
    if not 0.0 < speed < math.inf:
        found = "a place and direction without a speed of lift-off"
        raise ConfigError("flights", found, "0 < V < infinity", "another place or azimuth")
    toward = _toward(at, spin, azimuth)
    bend = abs(float(at.along(toward)[0]))
    if duration is None:
        far = float(np.linalg.norm(at.points[0]))
        duration = REACH * min(far, 1.0 / bend if bend > 0.0 else far) / speed
    factors = np.asarray(shares, dtype=float)
    count = len(factors)

    def rate(time: float, state: Floats) -> Floats:
        place, velocity = state.reshape(2, count, 3)
        _, pull = field(place)
        turned = 2.0 * np.cross(spin, velocity) + np.cross(spin, np.cross(spin, place))
        return np.concatenate([velocity, pull - turned]).ravel()

    start = np.concatenate([np.tile(at.points, (count, 1)), speed * factors[:, None] * toward])
    time = np.linspace(0.0, duration, samples)
    small = TOLERANCE * np.repeat([float(np.linalg.norm(at.points)), speed], 3 * count)
    found = solve_ivp(
        rate,
        (0.0, duration),
        start.ravel(),
        "DOP853",
        rtol=TOLERANCE,
        atol=small,
        dense_output=True,
    )
    kinetic, potential = _energies(_by_flight(found.y, count), spin, field)
    phases = [_phase(found.t, k, u) for k, u in zip(kinetic, potential, strict=True)]
    states = _by_flight(found.sol(time), count)
    return _flights(at, states, time, factors, speed, azimuth, spin, field, np.stack(phases))


def _by_flight(found: Floats, count: int) -> Floats:
    """Places and velocities, shape (2, s, t, 3), of rows of numbers of s flights at t times."""
    return np.ascontiguousarray(found.reshape(2, count, 3, -1).transpose(0, 1, 3, 2))


def _energies(
    states: Floats, spin: Floats, field: Callable[[Floats], Field]
) -> tuple[Floats, Floats]:
    """(kinetic, potential) [m^2/s^2], shape (s, t), of places and velocities."""
    position, velocity = states
    flat = position.reshape(-1, 3)
    potential, _ = field(flat)
    swept = np.cross(spin, flat)
    held = -(potential + 0.5 * np.einsum("ni,ni->n", swept, swept))
    return 0.5 * np.einsum("sti,sti->st", velocity, velocity), held.reshape(position.shape[:2])


def _phase(time: Floats, kinetic: Floats, potential: Floats) -> NDArray[np.void]:
    """The ledger of one flight over all its steps; energies per mass."""
    row = phase_rows(1)
    total = kinetic + potential
    first_phase(row, 0, total[0], potential[0], 0.0)
    for t, energy, held in zip(time[1:], total[1:], potential[1:], strict=True):
        update_phase(row, 1, t, energy, held, 0.0, 0.0, 0.0, energy - total[0])
    return np.asarray(row)


def _flights(
    at: CurvedGround,
    states: Floats,
    time: Floats,
    shares: Floats,
    speed: float,
    azimuth: float,
    spin: Floats,
    field: Callable[[Floats], Field],
    phases: NDArray[np.void],
) -> Flights:
    position, velocity = states
    kinetic, potential = _energies(states, spin, field)
    away = position - at.points[0]
    normal, first = at.normal[0], at.direction[0]
    x, y, z = away @ first, away @ np.cross(normal, first), away @ normal
    height = z + 0.5 * (at.largest[0] * x**2 + at.least[0] * y**2)
    return Flights(
        speed,
        float(azimuth),
        shares,
        time,
        position,
        velocity,
        height,
        kinetic,
        potential,
        phases,
    )


def _toward(at: CurvedGround, spin: Floats, azimuth: float) -> Floats:
    """Unit vector of an azimuth at the one point of a ground, shape (3,)."""
    east, north = east_north(at.normal, spin)
    return np.asarray(math.cos(azimuth) * east[0] + math.sin(azimuth) * north[0])
