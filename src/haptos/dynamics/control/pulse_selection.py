"""Which thrusters fire, and for how long: a fixed table, and what is too short is carried on.

    J = sum over the twelve signed directions of table[direction] * size        impulses [N s]
    width_k = J_k / F_k + carried_k;    fired only if at least t_min, at most T_c; the rest is carried

Each row of the table holds the impulses, none negative, that give one unit along one signed axis of force or
torque and nothing else, with the least sum: a linear program solved once. So what the table gives is exact, and the impulse of
many periods follows the request to within one impulse bit F t_min a thruster.
    F_k  thrust [N]       t_min  least on-time [s]        T_c  control period [s]
One impulse bit M at an arm r changes the rate of a body of the inertia I by M r / I. In a deadband +-theta the
body then goes to and fro at half of it: 4 theta / (M r / (2 I)) a cycle, `limit_cycle`.
Frame: axes of the body, about its centre of mass.
Validity: thrusters that do not heat, age or share a feed line.
Source: textbook material [Wie2008] ch. 7; pulse accumulation as [Fehse2003].
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from haptos.core.errors import ConfigError

CITES: tuple[str, ...] = ("Fehse2003", "Wie2008")
Floats = NDArray[np.float64]
DIRECTIONS = 12


def selection_table(places: ArrayLike, directions: ArrayLike, where: str = "thrusters") -> Floats:
    """(12, n) impulses for +x, -x, +y .. of force, then of torque, per unit [N s] or [N m s].

    places, directions  (n, 3) [m] about the centre of mass, and unit: of the force on the body
    """
    from scipy.optimize import linprog

    r, d = np.asarray(places, dtype=float), np.asarray(directions, dtype=float)
    effects = np.concatenate([d, np.cross(r, d)], axis=1).T  # (6, n)
    table = np.zeros((DIRECTIONS, len(r)))
    for row in range(DIRECTIONS):
        wanted = np.zeros(6)
        wanted[row // 2] = 1.0 if row % 2 == 0 else -1.0
        found = linprog(np.ones(len(r)), A_eq=effects, b_eq=wanted, method="highs")
        if not found.success:
            axis = ("force", "torque")[row // 6] + " along " + "+-"[row % 2] + "xyz"[row // 2 % 3]
            allowed = "thrusters that give every force and torque alone"
            hint = "add thrusters that push the other way"
            raise ConfigError(where, f"none that give {axis}", allowed, hint)
        table[row] = found.x
    return table


@dataclass
class PulseSelection:
    """Pulse widths of a set of thrusters from period to period.

    table  of `selection_table`     thrust (n,) [N]     least_on [s]     period [s]
    """

    table: Floats
    thrust: Floats
    least_on: float
    period: float
    carried: Floats = field(default_factory=lambda: np.zeros(0))

    def __post_init__(self) -> None:
        self.carried = np.zeros(len(self.thrust))

    def widths(self, force: ArrayLike, torque: ArrayLike = (0.0, 0.0, 0.0)) -> Floats:
        """On-times [s] of the next period for a mean force [N] and torque [N m]: 0, or least_on to period."""
        six = self.period * np.concatenate([np.asarray(force, float), np.asarray(torque, float)])
        asked = np.stack([np.maximum(six, 0.0), np.maximum(-six, 0.0)], axis=1).reshape(-1)
        wanted = asked @ self.table / self.thrust + self.carried
        fired = np.where(wanted >= self.least_on, np.minimum(wanted, self.period), 0.0)
        # A request beyond the period is lost, not carried: it would go on long after it is wanted.
        self.carried = np.where(fired < self.period, wanted - fired, 0.0)
        return np.asarray(fired)

    def clear(self) -> None:
        """Forget what was carried, when the loop is switched off."""
        self.carried = np.zeros(len(self.thrust))


def limit_cycle(
    impulse_bit: float, arm: float, inertia: float, half_band: float
) -> tuple[float, float]:
    """(rate step [rad/s], period [s]) of the cycle between the edges of a deadband +-half_band [rad].

    A pulse M at the arm r changes the rate by M r / I; the body crosses the band at half of it, one way and back.
    """
    step = impulse_bit * arm / inertia
    return step, 2.0 * (2.0 * half_band) / (0.5 * step)
