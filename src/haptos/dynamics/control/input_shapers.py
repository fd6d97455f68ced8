"""Commands in two or three steps that leave a swinging load at rest: ZV, ZVD, and by the phase of a changing length.

    ZV:   shares 1/(1 + K), K/(1 + K)              at 0, pi
    ZVD:  shares 1, 2K, K^2 over (1 + K)^2         at 0, pi, 2 pi        of the phase  int w sqrt(1 - z^2) dt
    K = exp(-z pi/sqrt(1 - z^2))
    residual (z = 0, frequency off by a factor r):  ZV |cos(pi r/2)|,   ZVD cos^2(pi r/2)

    w, z  frequency [rad/s] and damping ratio [-] of the mode       r  true over assumed frequency [-]
For a constant frequency the phase gives the textbook times pi/(w sqrt(1 - z^2)). If the length of a pendulum changes, the
later steps fall where the integral of its frequency has reached pi and 2 pi (to the lowest order of a slow change).
Validity: one linear mode; a change of the frequency per period that is small. Source: [SingerSeering1990].
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from haptos.core.errors import ConfigError, require_positive

CITES: tuple[str, ...] = ("SingerSeering1990",)
Floats = NDArray[np.float64]
PHASE_STEPS = 4096  # of the integral over the time allowed
KINDS = ("ZV", "ZVD")


def shaper_shares(kind: str, damping: float = 0.0) -> Floats:
    """Shares [-] of the command in each step, which add up to 1."""
    _require(kind, damping)
    k = math.exp(-damping * math.pi / math.sqrt(1.0 - damping**2))
    parts = np.array([1.0, k]) if kind == "ZV" else np.array([1.0, 2.0 * k, k * k])
    return np.asarray(parts / parts.sum())


def shaper_times(
    kind: str, frequency: float | Callable[[float], float], damping: float = 0.0, *,
    latest: float = math.inf,
) -> Floats:  # fmt: skip
    """Times [s] of the steps from the first; frequency [rad/s] a number, or a function of the time since then.

    latest  [s] by which the phase must have been reached, where the frequency is a function
    """
    _require(kind, damping)
    steps = np.arange(len(shaper_shares(kind, damping)), dtype=float) * math.pi
    slower = math.sqrt(1.0 - damping**2)
    if not callable(frequency):
        require_positive(frequency=frequency)
        return np.asarray(steps / (frequency * slower))
    if not math.isfinite(latest):
        raise ConfigError("latest", f"{latest}", "a time in seconds", "latest = 600.0")
    time = np.linspace(0.0, latest, PHASE_STEPS + 1)
    rate = np.array([frequency(float(t)) * slower for t in time])
    middle = np.array([frequency(float(t)) * slower for t in 0.5 * (time[1:] + time[:-1])])
    width = latest / PHASE_STEPS
    phase = np.concatenate(([0.0], np.cumsum((rate[:-1] + 4.0 * middle + rate[1:]) * width / 6.0)))
    if phase[-1] < steps[-1]:
        found = f"a phase of {phase[-1]:.3g} rad after {latest:g} s"
        raise ConfigError("latest", found, f"{steps[-1]:.3g} rad", "a longer time for the command")
    return np.asarray(np.interp(steps, phase, time))


def shaped(command: ArrayLike, time: ArrayLike, shares: Floats, delays: Floats) -> Floats:
    """A command given at times [s] (n,), sent in shares, each after its delay [s]; as before the first time until then."""
    values, when = np.asarray(command, dtype=float), np.asarray(time, dtype=float)
    late = [
        share * np.interp(when - delay, when, values)
        for share, delay in zip(shares, delays, strict=True)
    ]
    return np.asarray(np.sum(late, axis=0))


def residual_swing(kind: str, ratio: float) -> float:
    """Swing left [-] of that of an unshaped step, undamped, if the true frequency is `ratio` times the assumed one."""
    _require(kind, 0.0)
    left = abs(math.cos(0.5 * math.pi * ratio))
    return left if kind == "ZV" else left * left


def _require(kind: str, damping: float) -> None:
    if kind not in KINDS:
        raise ConfigError("shaper", f"'{kind}'", ", ".join(KINDS), "ZVD forgives a wrong frequency")
    if not 0.0 <= damping < 1.0:
        raise ConfigError("damping", f"{damping}", "0 to below 1", "damping = 0.0")
