"""Stop at a body by paying out a tether under constant tension, leave it by reeling in, or turn on it.

    (m_f/M_0)^2 = 1 - v_0^2/(V_c^2 (1 + e)),   V_c^2 = T/mu,   e = T/EA
    L = (M_0 - m_f)/mu,   t = M_0 v_0/T,   largest acceleration T/m_f, at the end
    Q = V_c^2 (1 + e) (M_0 - m_f)^2/(2 M_0)                           lost where the line is taken to rest
    brake (M_0 v_0^2/2 - Q)/(1 + e),   left in the line T e L/2,   feed: the rest
    reel in:  v^2 = V_c^2 (1 + e) (1 - (m_0/m_1)^2),   m_1 = m_0 + mu L,   t = m_1 v/T
    turn:     w = V/L,   dv = 2 V sin(angle/2),   tip force m V^2/L

    M_0, m_f  mass with all its line, and at rest [kg]     v_0  speed away from the anchor [m/s]
    mu, EA    of the line [kg/m], [N]                      T    tension held by the brake [N]
What is paid out rests and what is still on board moves: momentum p = m v falls by T, mass by mu v/(1 + e).
Frame: along the line. Validity: a straight line, anchored for good; no gravity. A speed of V_c sqrt(1 + e) or more
cannot be stopped by any length. Source: elementary mechanics of a line that is paid out.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from haptos.core.errors import ConfigError, require_positive

CITES: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Hitchhike:
    """What a stop takes.

    final_mass [kg], length [m] paid out, time [s]     acceleration, largest_acceleration [m/s^2] first and last
    brake_energy, line_energy, feed_loss [J]           add up to the energy of the motion at the start
    """

    final_mass: float
    length: float
    time: float
    acceleration: float
    largest_acceleration: float
    brake_energy: float
    line_energy: float
    feed_loss: float


def stopping_limit(
    tension: float, linear_density: float, axial_stiffness: float = math.inf
) -> float:
    """Speed V_c sqrt(1 + e) [m/s] from which no length of line stops a spacecraft."""
    require_positive(tension=tension, linear_density=linear_density)
    return math.sqrt(tension / linear_density * (1.0 + tension / axial_stiffness))


def hitchhike(
    mass: float, speed: float, tension: float, linear_density: float,
    axial_stiffness: float = math.inf,
) -> Hitchhike:  # fmt: skip
    """Stop of a spacecraft with all its line, mass [kg] and speed [m/s], by a tension [N].

    linear_density mu [kg/m]      axial_stiffness EA [N]
    """
    require_positive(mass=mass, speed=speed, tension=tension, linear_density=linear_density)
    strain = tension / axial_stiffness
    square = tension / linear_density * (1.0 + strain)
    share = 1.0 - speed**2 / square
    if share <= 0.0:
        found, allowed = (
            f"{speed:g} m/s",
            f"below {math.sqrt(square):.6g} m/s = sqrt(T/mu (1 + T/EA))",
        )
        raise ConfigError("speed", found, allowed, "a stronger or lighter line: no length stops it")
    final = mass * math.sqrt(share)
    length = (mass - final) / linear_density
    energy = 0.5 * mass * speed**2
    lost = 0.5 * square * (mass - final) ** 2 / mass
    brake, held = (energy - lost) / (1.0 + strain), 0.5 * tension * strain * length
    first = (tension - linear_density * speed**2 / (1.0 + strain)) / mass
    return Hitchhike(
        final, length, mass * speed / tension, first, tension / final, brake, held,
        energy - brake - held,
    )  # fmt: skip


def reel_in_speed(
    mass: float, length: float, tension: float, linear_density: float,
    axial_stiffness: float = math.inf,
) -> tuple[float, float]:  # fmt: skip
    """(speed [m/s], time [s]) of a spacecraft that reels in a line [m] at rest and then lets go; mass without it [kg].

    length  without load [m]; axial_stiffness EA [N]
    """
    require_positive(mass=mass, length=length, tension=tension, linear_density=linear_density)
    whole = mass + linear_density * length
    limit = stopping_limit(tension, linear_density, axial_stiffness)
    speed = limit * math.sqrt(1.0 - (mass / whole) ** 2)
    return speed, whole * speed / tension


def fly_by_turn(
    mass: float, speed: float, length: float, angle: float
) -> tuple[float, float, float]:
    """(tip force [N], time [s], change of velocity [m/s]) of a turn by an angle [rad] on a line of fixed length [m]."""
    require_positive(mass=mass, speed=speed, length=length, angle=angle)
    if angle > 2.0 * math.pi:
        raise ConfigError("angle", f"{math.degrees(angle):g} deg", "at most 360 deg", "60 deg")
    return mass * speed**2 / length, angle * length / speed, 2.0 * speed * math.sin(0.5 * angle)
