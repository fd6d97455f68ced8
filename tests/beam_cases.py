"""Rods of threads that bend, for tests of the net's kernel."""

from __future__ import annotations

import math
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from haptos.dynamics.cable.beam_layout import Span, lay_beams
from haptos.dynamics.cable.thread_link import link_damping
from haptos.dynamics.motion import Motion
from haptos.dynamics.system import (
    LOAD,
    THRUST,
    System,
    no_loads,
    rows_of,
)
from haptos.materials.threads import Thread
from tests.net_cases import small_net

Floats = NDArray[np.float64]
WALL, TIP = 0, 1


def stiff_thread(
    *, axial: float = 2e3, torsion: float = 0.03, bending: float = 0.05, diameter: float = 0.02,
    damping: tuple[float, float, float] = (0.0, 0.0, 0.0), density: float = 0.02,
) -> Thread:  # fmt: skip
    """A soft thick rod, so that no frequency is far above that of its bending."""
    section = 0.25 * math.pi * diameter**2
    none = MappingProxyType({"all": "assumed"})
    return Thread(
        "rod", diameter, section, axial, torsion, bending, density, math.inf, damping, none
    )


def rod(
    count: int, length: float, thread: Thread, *, tip: bool = False, wall: bool = False,
    loads: Any = (), gravity: Any = (0.0, 0.0, 0.0),
) -> tuple[System, Motion]:  # fmt: skip
    """A straight rod of `count` elements along x from the origin.

    wall  its first end is clamped in body 0, which does not move
    tip   its last end is clamped in body 1, a light ball
    """
    element = length / count
    first, last = (1 if wall else 0), (count if tip else count + 1)
    nodes = np.arange(first, last)
    places = np.stack([nodes * element, 0.0 * nodes, 0.0 * nodes], axis=1)
    mass = thread.linear_density * element
    masses = np.where((nodes == 0) | (nodes == count), 0.5 * mass, mass)
    n = len(nodes)
    point = {int(k): i for i, k in enumerate(nodes)}
    holder = dict(point)
    fixed = []
    if wall:
        point[0], holder[0] = n + len(fixed), n + WALL
        fixed.append((WALL, (0.0, 0.0, 0.0)))
    if tip:
        point[count], holder[count] = n + len(fixed), n + TIP
        fixed.append((TIP, (0.0, 0.0, 0.0)))
    ends = [(point[k], point[k + 1]) for k in range(count)]
    net, motion = small_net(
        places, masses, elements=ends, lengths=[element] * count,
        stretching=thread.axial_stiffness, bodies=2, fixed=fixed, loads=loads, gravity=gravity,
        damping=link_damping(thread.axial_stiffness, thread.linear_density, thread.damping_ratio[0]),
    )  # fmt: skip
    ball, moment = 0.5 * mass, mass * element**2 / 24.0
    if tip:
        motion.bodies.place[TIP] = (length, 0.0, 0.0)
        motion.bodies.inverse_mass[TIP], net.inverse_inertia[TIP] = 1.0 / ball, 1.0 / moment
    spans = [
        Span(k, ends[k], (holder[k], holder[k + 1]), thread, element, element, (1.0, 0.0, 0.0))
        for k in range(count)
    ]
    light = np.concatenate(
        [1.0 / motion.points.mass[:n], [1.0 / ball if b == TIP else 0.0 for b, _ in fixed]]
    )
    still = np.tile([1.0, 0.0, 0.0, 0.0], (2, 1))
    beams, turning = lay_beams(
        spans, n, light, bodies=2, body_inverse=net.inverse_inertia, body_rests=still
    )
    return net._replace(beams=beams), motion._replace(turning=turning)


def tip_load(force: Any = (0.0, 0.0, 0.0), torque: Any = (0.0, 0.0, 0.0)) -> Floats:
    """Constant load on the tip of a rod, N axes."""
    row = no_loads(1)[0]
    row["body"], row["reaction"], row["axes"] = TIP, -1, -1
    row["start"], row["stop"] = 0.0, 1e6
    row["work"], row["after_touch"] = THRUST, 0.0
    row["force"] = row["force_end"] = force
    row["torque"] = row["torque_end"] = torque
    return rows_of(LOAD, row)
