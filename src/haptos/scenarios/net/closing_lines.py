"""Closing lines of a net: where they run, and the rows of the winches that wind them."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

from haptos.dynamics.assembly import Assembly, CableEnd
from haptos.dynamics.cable.draw_cord import FULL_SPEED, Closing, closing, winch_limits
from haptos.dynamics.cable.laying import laid
from haptos.geometry.nets.net_closing import ClosingLines, closing_lines
from haptos.geometry.nets.net_nodes import NetNodes
from haptos.geometry.nets.net_topology import CLOSING, NetMesh
from haptos.materials.threads import Thread
from haptos.scenarios.net.config import Config
from haptos.scenarios.net.config_closing import NetClosing
from haptos.scenarios.net.config_surfaces import THREADS
from haptos.scenarios.net.tethers import thread_of

RING = 2e-3  # [m] radius of the rings a closing line runs through; assumed
AFTER_TOUCH = 1.0  # winches count from the first touch


def add_closing(
    config: Config, made: Assembly, mesh: NetMesh, nodes: NetNodes, knots: list[CableEnd]
) -> list[list[Any]]:
    """Add the closing lines; the rows of their winches."""
    given = config.closing
    if given is None:
        return []
    kind = "free" if given.kind == "free" else "interlaced"
    lines = closing_lines(mesh, nodes.bullet_knots, kind)
    thread = thread_of(config, given.diameter_m)
    plan = closing(
        lines.lengths, given.area_reduction, given.duration_s, delay=given.delay_s,
        failed=tuple(winch for winch in given.failed if winch >= 0),
        linear_density=thread.linear_density,
    )  # fmt: skip
    strung = [
        _strung(made, lines, line, knots, thread, given) for line in range(len(lines.lengths))
    ]
    rows = []
    for line, pieces in enumerate(strung):  # once all lines load the bullets
        if plan.working[line]:
            winch = _winch(plan, lines, line, knots)
            limits = _limits(made, given, plan, line, _ends(lines, line, knots), thread)
            rows += _winch_rows(given, plan, line, pieces, winch, thread, limits)
    return rows


def _strung(
    made: Assembly, lines: ClosingLines, line: int, knots: list[CableEnd], thread: Thread,
    given: NetClosing,
) -> list[tuple[float, float]]:  # fmt: skip
    """Add a line; (number, length [m]) of each of its elements, or of itself if it runs."""
    between = slice(lines.path_start[line], lines.path_start[line + 1])
    path = [knots[int(k)] for k in lines.path_knots[between]]
    if given.nodes:
        whole, ends = float(lines.lengths[line]), (path[0], path[-1])
        elements = laid(made, "[closing]", ends, whole, given.nodes, thread, CLOSING, THREADS)
        return [(element, whole / len(elements)) for element in elements]
    for end in path:
        made.load(end, thread.linear_density * lines.lengths[line] / len(path))
    if given.kind == "running":
        number = -1.0 - len(made.lines)
        made.lines.append((path, float(lines.lengths[line]), thread))
        return [(number, float(lines.lengths[line]))]
    lengths = lines.segment_lengths[lines.segment_line == line]
    return [
        (made.thread(first, second, length, thread, CLOSING), float(length))
        for first, second, length in zip(path[:-1], path[1:], lengths, strict=True)
    ]


def _winch(plan: Closing, lines: ClosingLines, line: int, knots: list[CableEnd]) -> CableEnd:
    """Where the thread of a line goes: to its first winch, or to the other if that one failed."""
    ends = (line, (line + 1) % len(lines.winch_knots))
    return knots[int(lines.winch_knots[ends[0] if plan.works[ends[0]] else ends[1]])]


def _ends(lines: ClosingLines, line: int, knots: list[CableEnd]) -> tuple[CableEnd, CableEnd]:
    """Where a line begins and ends."""
    path = lines.path_knots[lines.path_start[line] : lines.path_start[line + 1]]
    return knots[int(path[0])], knots[int(path[-1])]


def _corners(given: NetClosing, plan: Closing) -> list[tuple[float, float]]:
    """(time [s], share of the way to the final length) along a winding, after its delay."""
    if given.winding_times_s:
        return list(zip(given.winding_times_s, given.winding_shares, strict=True))
    return [(0.0, 0.0), (plan.duration, 1.0)]


def _limits(
    made: Assembly, given: NetClosing, plan: Closing, line: int, ends: tuple[CableEnd, CableEnd],
    thread: Thread,
) -> tuple[float, float]:  # fmt: skip
    """(stall force [N], power [W]) of the winches of a line, for the whole line."""
    if not given.limited:
        return math.inf, math.inf
    working = int(plan.working[line])
    way = float(plan.lengths[line] - plan.finals[line])
    fastest = max(abs(b[1] - a[1]) / (b[0] - a[0]) for a, b in pairwise(_corners(given, plan)))
    masses = made.mass_at(ends[0]), made.mass_at(ends[1])
    force, _ = winch_limits(
        way * fastest, thread.axial_stiffness, float(plan.lengths[line]), masses
    )
    force = given.stall_force_N or force
    power = given.power_W or FULL_SPEED * force * way * fastest
    return force, 0.5 * working * power  # a winch has two lines, a line one or two winches


def _winch_rows(
    given: NetClosing, plan: Closing, line: int, pieces: list[tuple[float, float]], winch: CableEnd,
    thread: Thread, limits: tuple[float, float],
) -> list[list[Any]]:  # fmt: skip
    """Rows of the kernel for the winding of a line, one for each of its pieces and intervals.

    limits  stall force [N] and power [W] of the line; its pieces share the power by their lengths
    """
    share = plan.finals[line] / plan.lengths[line]
    slower = 2.0 / int(plan.working[line])
    corners = _corners(given, plan)
    whole = sum(length for _, length in pieces)
    density = thread.linear_density if given.carries_mass else 0.0
    force, power = limits
    return [
        [number, *interval, AFTER_TOUCH, winch, density, force, power * length / whole]
        for number, length in pieces
        for interval in _intervals(corners, (length, share * length), plan.delay, slower)
    ]


def _intervals(
    corners: list[tuple[float, float]], lengths: tuple[float, float], delay: float, slower: float
) -> list[tuple[float, float, float, float]]:
    """(first, last length [m], start, stop [s]) of each part of a winding between two lengths."""
    lengths_at = [
        (delay + slower * t, lengths[0] + s * (lengths[1] - lengths[0])) for t, s in corners
    ]
    return [(first, last, start, stop) for (start, first), (stop, last) in pairwise(lengths_at)]
