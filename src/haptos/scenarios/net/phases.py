"""Phases of a net run for its energy ledger: by which events they begin, and what they are called."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from haptos.dynamics.ledger.phase_events import NO_EVENTS
from haptos.dynamics.motion import Motion
from haptos.dynamics.system import System
from haptos.results.phases import Phase, phases_of
from haptos.scenarios.net.config import Config

Floats = NDArray[np.float64]
MOST_EVENTS = 32  # [-] every step looks at each; later ones begin no phase


def events_of(config: Config, winches: Any, held_until: float) -> Floats:
    """Rows of the kernel: time [s] of each event, and 1 if it counts from the first touch."""
    timed = [(time, after) for _, time, after in _timed(config, winches, held_until)]
    return np.concatenate([NO_EVENTS, np.reshape(timed, (-1, 2))])


def last_held(bodies: Floats, nodes: float) -> float:
    """Time [s] at which the chaser lets go of the last thing it will let go of; -inf if none."""
    times = np.append(bodies, nodes)
    return float(np.max(times[times < np.inf], initial=-np.inf))


def ledger_phases(config: Config, net: System, motion: Motion) -> tuple[Phase, ...]:
    """Phases of a finished run."""
    held = last_held(net.orders.held, net.orders.nodes_held)
    names = ["flight", "touch", *(name for name, _, _ in _timed(config, net.orders.winches, held))]
    return phases_of(
        motion.ledger.phases, int(motion.ledger.energy.phase_count), lambda event: names[event]
    )


def _timed(config: Config, winches: Any, held_until: float) -> list[tuple[str, float, float]]:
    """(name of the phase, time [s], whether after the first touch) of every event with a time."""
    found: list[tuple[str, float, float]] = []
    if np.isfinite(held_until) and held_until > 0.0:
        found.append(("released", held_until, 0.0))
    for after, begins, ends in ((1.0, "closing", "closed"), (0.0, "reeling", "reeled")):
        rows = winches[winches["after_touch"] == after]
        if len(rows):
            found.append((begins, float(rows["start"].min()), after))
            found.append((ends, float(rows["stop"].max()), after))
    for n, burn in enumerate(config.burns, start=1):
        after = float(burn.after_touch)
        found.append((f"burn {n}", burn.start_s, after))
        found.append((f"after burn {n}", burn.start_s + burn.duration_s, after))
    return found[:MOST_EVENTS]
