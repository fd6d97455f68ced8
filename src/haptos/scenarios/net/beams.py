"""Threads of a net scenario as beams: which elements bend, what bears their moments, how they start.

A net without load is spread out, all its links straight and its knots stiff; folded into the canister it
holds energy of bending, and springs. Bodies hold threads on swivels, and so do knots the tethers tied
to them. Closing lines stay limp.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from haptos.core.errors import ConfigError
from haptos.core.rotations import rotation_matrices
from haptos.dynamics.assembly import Assembly, CableEnd
from haptos.dynamics.cable.beam_arrays import (
    BEAM_BENDING_DAMPING,
    BEAM_TORSION_DAMPING,
    SWIVEL,
)
from haptos.dynamics.cable.beam_layout import Span, lay_beams
from haptos.dynamics.cable.beams import relax
from haptos.dynamics.motion import Motion
from haptos.dynamics.rigid.bodies import lightest, place_points
from haptos.dynamics.system import System
from haptos.geometry.nets.net_nodes import NetNodes
from haptos.geometry.nets.net_topology import CLOSING
from haptos.scenarios.net.body_numbers import CHASER
from haptos.scenarios.net.config import Config
from haptos.scenarios.net.config_surfaces import TETHER_KIND

Floats = NDArray[np.float64]
ROUNDS = 400  # [-] of turning nodes to where the folded net holds little energy


def bent(
    config: Config, made: Assembly, nodes: NetNodes, net: System, motion: Motion
) -> tuple[System, Motion]:
    """The net with beams where the scenario asks for them; else as it is."""
    if config.threads.model == "link":
        return net, motion
    _refuse(config, made)
    spans = _net_spans(made, nodes, net) + _tether_spans(made, len(nodes.elements), net)
    n, points = len(made.places), range(len(net.points.owner))
    light = [lightest(net.points, net.inverse_inertia, motion, i) for i in points]
    beams, turning = lay_beams(
        spans, n, light, bodies=len(made.bodies), body_inverse=net.inverse_inertia,
        frame=made.bodies[CHASER].attitude,
    )  # fmt: skip
    net, motion = net._replace(beams=beams), motion._replace(turning=turning)
    _start(made, net, motion)
    return net, motion


def _refuse(config: Config, made: Assembly) -> None:
    """Refuse threads without stiffness, and lengths that change."""
    where = "[threads] model"
    for *_, thread, kind in made.elements:
        if kind != CLOSING and not min(thread.bending_stiffness, thread.torsion_stiffness) > 0.0:
            found = f"'beam' with {thread.material}, of which no stiffness in bending is known"
            allowed = "a braid that was measured, or EJ and GJp of your own"
            hint = 'material = "technora braid", or give bending_ and torsion_stiffness_N_m2'
            raise ConfigError(where, found, allowed, hint)
    given = {"[tether]": config.tether}
    given |= {f"[[tethers]] {k + 1}": own for k, own in enumerate(config.tethers)}  # type: ignore[misc]
    for table, tether in given.items():
        if tether is not None and tether.is_reeled:
            found, allowed = f"'beam' with a reel in {table}", "tethers of constant length"
            raise ConfigError(where, found, allowed, 'model = "link", or no reel')


def _net_spans(made: Assembly, nodes: NetNodes, net: System) -> list[Span]:
    """Elements of the net, and between it and its bullets; straight where it is spread out."""
    spread = np.concatenate([nodes.positions, nodes.bullet_points])
    links = np.bincount(nodes.element_link, weights=nodes.lengths)
    found = []
    for e, (i, j) in enumerate(nodes.elements):
        first, second, length, thread, _ = made.elements[e]
        along = tuple((spread[j] - spread[i]) / np.linalg.norm(spread[j] - spread[i]))
        found.append(
            Span(
                e, _points(net, e), (_node(first), _node(second)), thread, length,
                float(links[nodes.element_link[e]]), along,
            )
        )  # fmt: skip
    return found


def _tether_spans(made: Assembly, start: int, net: System) -> list[Span]:
    """Elements of tethers, straight from end to end as they are laid."""
    dcm = rotation_matrices(made.bodies[CHASER].attitude)
    groups: list[list[int]] = []
    for e in range(start, len(made.elements)):
        first, *_, kind = made.elements[e]
        if kind == CLOSING:
            continue
        if not _is_within(made, first):
            groups.append([])
        groups[-1].append(e)
    found = []
    for group in groups:
        whole = sum(made.elements[e][2] for e in group)
        ends = made.elements[group[0]][0], made.elements[group[-1]][1]
        way = dcm.T @ (made.place_of(ends[1]) - made.place_of(ends[0]))
        size = float(np.linalg.norm(way))
        along = tuple(way / size) if size > 0.0 else (1.0, 0.0, 0.0)
        for e in group:
            first, second, length, thread, _ = made.elements[e]
            holders = tuple(
                end.number if _is_within(made, end) else SWIVEL for end in (first, second)
            )
            found.append(Span(e, _points(net, e), holders, thread, length, whole, along))  # type: ignore[arg-type]
    return found


def _is_within(made: Assembly, end: CableEnd) -> bool:
    """Whether an end is a node of a tether, and not of the net or a body."""
    return not end.is_fixed and made.kinds[end.number] == TETHER_KIND


def _node(end: CableEnd) -> int:
    return SWIVEL if end.is_fixed else end.number


def _points(net: System, e: int) -> tuple[int, int]:
    first, second = net.threads.ends[e]
    return int(first), int(second)


def _start(made: Assembly, net: System, motion: Motion) -> None:
    """Turn the nodes to where the net as it lies holds little energy; they move with the chaser."""
    place_points(net, motion)
    limp = net.beams.numbers.copy()
    limp[:, [BEAM_BENDING_DAMPING, BEAM_TORSION_DAMPING]] = 0.0
    n = len(motion.turning.momentum)
    relax(
        net._replace(beams=net.beams._replace(numbers=limp)), motion, np.zeros_like(motion.points.x),
        np.zeros(n), ROUNDS,
    )  # fmt: skip
    motion.turning.tally[:] = 0.0
    chaser = made.bodies[CHASER]
    rate = rotation_matrices(chaser.attitude) @ chaser.rate
    dcm = rotation_matrices(motion.turning.attitude[:n])
    inverse = net.beams.inverse_inertia
    moments = np.divide(1.0, inverse, out=np.zeros_like(inverse), where=inverse > 0.0)
    own = np.einsum("nji,j->ni", dcm, rate)
    motion.turning.momentum[:] = np.einsum("nij,nj->ni", dcm, moments * own)
