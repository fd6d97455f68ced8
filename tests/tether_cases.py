"""Tethers that several test files use."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from haptos.dynamics.cable.tether_run import TetherRun
from haptos.dynamics.cable.tether_system import (
    EndBody,
    TetherLine,
    TetherSystem,
    hold,
    prescribed,
)

TURN = 0.02  # [rad/s]


def spun_reel_in(cells: int, *, is_rigid: bool = False, gravity: Any = None) -> TetherSystem:
    """100 and 20 kg on 120 m that turn about the first at 0.02 rad/s; 60 m are reeled in along a cosine in 60 s."""
    line = TetherLine(
        total=160.0 if is_rigid else 120.0, density=0.05, stiffness=2e4, damping=200.0
    )
    if is_rigid:
        d = (1.0, 0.4, 0.0)
        first = EndBody(mass=100.0, inertia=(50.0, 50.0, 50.0), attachment=d)
        place = (121.0, 0.4, 0.0)
    else:
        first, place = EndBody(mass=100.0), (120.0, 0.0, 0.0)
    second = EndBody(mass=20.0, position=place, velocity=(0.0, 120.0 * TURN, 0.0))
    reels = (prescribed([0.0, 60.0], [0.0, -60.0], smooth=True), hold())
    system = TetherSystem(
        bodies=(first, second),
        line=line,
        cells=cells,
        reels=reels,
        stored=(40.0 if is_rigid else 0.0, 0.0),
    )
    return system if gravity is None else system.changed(field=gravity)


def reel_both_ways(cells: int) -> TetherSystem:
    """Two rigid hulls with levers, reels at both ends that pay out and take in at different times."""
    line = TetherLine(total=200.0, density=0.08, stiffness=5e4, damping=400.0)
    first = EndBody(
        mass=80.0, inertia=(40.0, 55.0, 60.0), attachment=(0.6, 0.3, -0.2), rate=(0.01, -0.02, 0.03), velocity=(0.3, -0.1, 0.2),
    )  # fmt: skip
    second = EndBody(
        mass=50.0, inertia=(20.0, 25.0, 30.0), attachment=(-0.5, 0.1, 0.2), position=(100.7, 0.2, -0.4),
        velocity=(0.5, 6.9, 0.4), rate=(-0.02, 0.01, 0.02),
    )  # fmt: skip
    reels = (
        prescribed([0.0, 20.0, 40.0], [0.0, 30.0, -10.0], smooth=True),
        prescribed([5.0, 30.0], [0.0, -25.0], smooth=True),
    )
    return TetherSystem(
        bodies=(first, second), line=line, cells=cells, reels=reels, stored=(60.0, 40.0)
    )


def run_of(system: TetherSystem, until: float, **options: Any) -> TetherRun:
    """The system marched to a time [s]."""
    run = TetherRun(system, **options)
    ended = run.advance(until, most_steps=60_000)
    assert ended.code in (1, 2), ended
    return run


def hung(
    cells: int,
    *,
    length: float = 100.0,
    density: float = 0.5,
    stiffness: float = 1e4,
    tip: float = 10.0,
) -> TetherSystem:
    """A line with a mass at its lower end, hung from a very heavy body."""
    line = TetherLine(
        total=length,
        density=density,
        stiffness=stiffness,
        damping=0.05 * math.sqrt(stiffness * density) * length,
    )
    heavy = EndBody(mass=1e12)
    return TetherSystem(
        bodies=(heavy, EndBody(mass=tip, position=(0.0, 0.0, -length))), line=line, cells=cells
    )


def positions(run: TetherRun) -> np.ndarray:
    """Positions (N, 3) of the cells [m]."""
    from haptos.dynamics.cable.tether_state import CELLS

    n = run.system.cells
    return run.state[CELLS : CELLS + 3 * n].reshape(n, 3).copy()
