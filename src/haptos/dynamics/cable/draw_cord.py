"""Closing the mouth: winches reel in the lines between them after the first contact.

    t0 = t_impact + dt_d,   L_f = L_0 sqrt(1 - c),   v_w = (L_0 - L_f) / dt_c    Eqs. (2.78)-(2.80)
    L(t) = L_0 before t0;  L_0 - (n/2) v_w (t - t0);  L_f at last                Eq. (2.77)
    dm = rho_l (wound length) on the winch, taken from the line                  Eq. (2.81)
    I = I_0 (1 + dm/m_0)                                                         Eq. (2.82)

    c     reduction of the mouth area [-], 0 <= c < 1       dt_c, dt_d  duration and delay [s]
    n     working winches at the two ends of a line: 2, 1 or 0
    v_w   speed at which a line shortens [m/s]; each of its winches reels half of that
    rho_l linear density of the line [kg/m]                 m_0, I_0   winch (or bullet) at first
With one winch lost its neighbour goes on at its own speed, so that line takes 2 dt_c; with both
lost it stays open. The printed law starts at t_impact; the delay, an input, is added here.
A line that runs through rings without friction has one tension all along, that of `link_tension`
for its whole way l and the rate l' - L'; winches put -L' (T + T_e^2 / (2 EA)) [W] into a line,
    T, T_e   tension with damping, and elastic tension [N]        EA  stretching stiffness [N]
A winch without given force and power has

    F = 2 v_w sqrt(k m),   k = EA / L_0,   m = m_1 m_2 / (m_1 + m_2),   P = F v_w / 2

twice the pull of a line that becomes taut between its two free ends, m_1 and m_2 [kg], at the speed of
winding: what draws the mouth together in time, and no more once it is tight around something. P, of one winch, is
half of what F at v_w in both its lines would take.
Frame: scalars.
Validity: a winch holds its speed up to its limits (`winches`); the momentum of thread running into the
winch is left out, as in the source.
Source: [Salvi2014] section 2.8; running lines, their damping by L' and the limits of winches are ours.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from haptos.core.errors import ConfigError
from haptos.core.jit import device

CITES: tuple[str, ...] = ("Salvi2014",)

Floats = NDArray[np.float64]
NEVER = math.inf  # [s] start of closing before anything has touched
PULLS = 2.0  # [-] stall force over the pull of a line that becomes taut at the speed of winding; assumed
FULL_SPEED = (
    0.5  # [-] of the stall force up to which a winch has the power for its full speed; assumed
)


@device
def closing_length(t, start, duration, length, final, working):
    """(L [m], L' [m/s]) of a line at a time.

    start     t0 [s], infinity before it is known        duration  dt_c [s], > 0
    length    L_0 [m]        final  L_f [m]        working   winches of its two ends: 0, 1 or 2
    """
    if t < start or working <= 0:
        return length, 0.0
    speed = 0.5 * working * (length - final) / duration
    wound = speed * (t - start)
    if wound >= length - final:
        return final, 0.0
    return length - wound, -speed  # Eq. (2.77)


@device
def wound_share(works, other_works):
    """Share [-] of a line's wound length that lies on one of its winches."""
    if not works:
        return 0.0
    return 0.5 if other_works else 1.0


@device
def wound_inertia_factor(wound_mass, first_mass):
    """I / I_0 [-] of a bullet whose winch has taken up thread [kg]. Eq. (2.82)."""
    return 1.0 + wound_mass / first_mass


@device
def winding_power(tension, elastic_tension, axial_stiffness, natural_rate):
    """Work per time [W] that winches put into a line: -L' (T + T_e^2 / (2 EA)).

    tension  T [N], with damping        elastic_tension  T_e = (EA / L) (l - L) [N]
    axial_stiffness  EA [N]             natural_rate     L' [m/s]
    It is the derivative of the stored (EA / 2 L) (l - L)^2 by L, and the damper's share of -L'.
    """
    return -natural_rate * (tension + elastic_tension * elastic_tension / (2.0 * axial_stiffness))


def winch_limits(
    speed: float, axial_stiffness: float, length: float, ends: tuple[float, float]
) -> tuple[float, float]:
    """(stall force F [N], power P [W]) of a winch without given limits.

    speed   v_w [m/s] of its line       axial_stiffness  EA [N]
    length  L_0 [m]                     ends  m_1, m_2 [kg]; infinite for one that is held
    """
    light = 1.0 / ends[0] + 1.0 / ends[1]
    force = PULLS * abs(speed) * math.sqrt(axial_stiffness / (length * light))
    return force, FULL_SPEED * force * abs(speed)


@dataclass(frozen=True, eq=False)
class Closing:
    """Closing of all lines around a mouth; line k leads from winch k to winch k + 1.

    lengths, finals  L_0 and L_f [m], (w,)       duration, delay  dt_c, dt_d [s]
    works            (w,), winches that work      working  (w,), of the two ends of each line
    linear_density   rho_l [kg/m]
    """

    lengths: Floats
    finals: Floats
    duration: float
    delay: float
    works: NDArray[np.bool_]
    working: NDArray[np.int64]
    linear_density: float

    def __post_init__(self) -> None:
        for value in vars(self).values():
            if isinstance(value, np.ndarray):
                value.setflags(write=False)

    def start(self, impact: float) -> float:
        """t0 [s] from the time of the first contact [s]; infinity if there was none."""
        return impact + self.delay

    def line_lengths(self, t: float, impact: float = NEVER) -> tuple[Floats, Floats]:
        """(L [m], L' [m/s]) of every line, (w,) each, at a time [s] for a first contact [s]."""
        start = self.start(impact)
        lines = zip(self.lengths, self.finals, self.working, strict=True)
        found = [closing_length(t, start, self.duration, a, b, int(n)) for a, b, n in lines]
        values = np.array(found)
        return values[:, 0], values[:, 1]

    def winch_masses(self, t: float, impact: float = NEVER) -> Floats:
        """Thread wound on every winch [kg], (w,)."""
        wound = self.linear_density * (self.lengths - self.line_lengths(t, impact)[0])
        ahead, behind = np.roll(self.works, -1), np.roll(self.works, 1)
        own = [wound_share(bool(a), bool(b)) for a, b in zip(self.works, ahead, strict=True)]
        before = [wound_share(bool(a), bool(b)) for a, b in zip(self.works, behind, strict=True)]
        return np.array(own) * wound + np.array(before) * np.roll(wound, 1)

    def times(self, impact: float) -> Floats:
        """Times [s], rising, at which some L' jumps: integrators must step onto them."""
        start = self.start(impact)
        ends = [start + 2.0 * self.duration / n for n in self.working if n]
        return np.unique([start, *ends])


def closing(
    lengths: ArrayLike,
    area_reduction: float,
    duration: float,
    *,
    delay: float = 0.0,
    failed: ArrayLike = (),
    linear_density: float = 0.0,
) -> Closing:
    """Closing of lines with natural lengths L_0 [m], (w,), in order around the mouth.

    area_reduction  c [-]          duration, delay  dt_c, dt_d [s]
    failed          numbers of the winches that do not wind
    linear_density  rho_l [kg/m]; 0 for lines without mass
    """
    where = "closing"
    natural = np.ascontiguousarray(lengths, dtype=float)
    if natural.ndim != 1 or not (np.isfinite(natural) & (natural > 0.0)).all() or not len(natural):
        raise ConfigError(where, f"line lengths {natural}", "metres above zero", "(w,) lengths")
    if not 0.0 <= area_reduction < 1.0:
        found = f"area_reduction = {area_reduction}"
        raise ConfigError(where, found, "0 or more, below 1", "0.99 closes to a tenth in length")
    if not (math.isfinite(duration) and duration > 0.0):
        raise ConfigError(where, f"duration = {duration}", "seconds above zero", "duration = 1")
    for name, value in (("delay", delay), ("linear_density", linear_density)):
        if not (math.isfinite(value) and value >= 0.0):
            raise ConfigError(where, f"{name} = {value}", "0 or more", f"{name} = 0")
    lost = np.atleast_1d(np.asarray(failed, dtype=np.int64))
    if not ((lost >= 0) & (lost < len(natural))).all():
        found, allowed = f"failed winches {lost}", f"winches 0 to {len(natural) - 1}"
        raise ConfigError(where, found, allowed, "count winches around the mouth from 0")
    works = np.ones(len(natural), dtype=bool)
    works[lost] = False
    working = works.astype(np.int64) + np.roll(works, -1)
    finals = natural * math.sqrt(1.0 - area_reduction)  # Eq. (2.80)
    return Closing(natural, finals, duration, delay, works, working, linear_density)
