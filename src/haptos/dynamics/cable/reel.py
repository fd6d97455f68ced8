"""A tether of changing length: natural length as a broken line in time, thread on and off the reel.

    L_0(t) between (t_k, L_k) and (t_k+1, L_k+1) straight; the first before, the last after
    m_reel(t) = m_0 + rho_l (L_0(t_0) - L_0(t)),   element length L_0(t) / (n + 1)

    L_0    natural length between reel and far end [m], > 0        rho_l  linear density [kg/m]
    m_0    mass of the reel and of the thread on it at the first time [kg]
    n      nodes along the tether
A link that shortens is stiffer: k_e = EA / L_e(t). Mass goes from the nodes to the reel: the sum
stays.
Frame: scalars. The reel puts -L_0' (T + T_e^2 / (2 EA)) [W] into the tether (`winding_power`).
Validity: L_0' is held whatever the tension; thread runs on and off at the speed of the reel, its
momentum along the tether is left out.
Source: [Salvi2014] sections 2.8 and 5.4.3, variable-length links.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from haptos.core.errors import ConfigError
from haptos.core.jit import device
from haptos.dynamics.cable.thread_link import link_damping

CITES: tuple[str, ...] = ("Salvi2014",)

Floats = NDArray[np.float64]


@device
def straight_length(t, start, stop, first, last):
    """(L_0 [m], L_0' [m/s]) at a time: straight from (start [s], first [m]) to (stop, last)."""
    if t < start:
        return first, 0.0
    if t >= stop:
        return last, 0.0
    rate = (last - first) / (stop - start)
    return first + rate * (t - start), rate


@device
def reel_length(t, times, lengths, count):
    """(L_0 [m], L_0' [m/s]) at a time: straight between the first `count` (times [s], lengths [m]).

    On a corner the rate is that of the piece that begins there.
    """
    if t < times[0]:
        return lengths[0], 0.0
    if t >= times[count - 1]:
        return lengths[count - 1], 0.0
    low, high = 0, count - 1
    while high - low > 1:  # halves each time: at most 63 rounds
        middle = (low + high) // 2
        if times[middle] <= t:
            low = middle
        else:
            high = middle
    return straight_length(t, times[low], times[high], lengths[low], lengths[high])


@device
def reel_mass(first_mass, linear_density, first_length, length):
    """Mass of the reel with its thread [kg] when the tether is `length` [m] long."""
    return first_mass + linear_density * (first_length - length)


@dataclass(frozen=True, eq=False)
class LengthProfile:
    """A checked length profile: times [s] and natural lengths [m], (k,) each, read-only."""

    times: Floats
    lengths: Floats

    def at(self, t: float) -> tuple[float, float]:
        """(L_0 [m], L_0' [m/s])."""
        length, rate = reel_length(t, self.times, self.lengths, len(self.times))
        return float(length), float(rate)

    def element(
        self, t: float, nodes: int, axial_stiffness: float, linear_density: float, damping: float
    ) -> tuple[float, float, float, float]:
        """(L_e [m], L_e' [m/s], k_e [N/m], c_e [N s/m]) of each of the nodes + 1 elements.

        axial_stiffness  EA [N]     linear_density  rho_l [kg/m]     damping  zeta [-]
        """
        length, rate = self.at(t)
        short = length / (nodes + 1)
        damper = link_damping(axial_stiffness, linear_density, damping)
        return short, rate / (nodes + 1), axial_stiffness / short, damper


def reel(times: ArrayLike, lengths: ArrayLike, *, fastest: float = math.inf) -> LengthProfile:
    """A length profile from corners; refuses times that do not rise, lengths that are none, haste.

    fastest  largest |L_0'| [m/s] that the reel can do
    """
    when = np.ascontiguousarray(times, dtype=float)
    long = np.ascontiguousarray(lengths, dtype=float)
    if when.ndim != 1 or when.shape != long.shape or len(when) == 0:
        found = f"{when.shape} times and {long.shape} lengths"
        raise ConfigError("reel", found, "one length per time, one or more", "times = [0]")
    if not (np.isfinite(when).all() and (np.diff(when) > 0.0).all()):
        raise ConfigError("reel", f"times {when}", "finite and rising", "sort them, no doubles")
    if not (np.isfinite(long) & (long > 0.0)).all():
        hint = "keep some millimetres of tether, or leave the tether out"
        raise ConfigError("reel", f"lengths {long}", "metres above zero", hint)
    speed = np.abs(np.diff(long) / np.diff(when)).max(initial=0.0)
    if not speed <= fastest:
        found, allowed = f"{speed:.4g} m/s", f"at most {fastest:g} m/s"
        raise ConfigError("reel", found, allowed, "give it more time")
    for array in (when, long):
        array.setflags(write=False)
    return LengthProfile(when, long)
