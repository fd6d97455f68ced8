"""Wall of a rocket nozzle as a section: chamber, cone, two arcs at the throat, quadratic bell; rim and outside.

    chamber r_c, cone at an angle, arc of radius R upstream and downstream of the throat r_t at x = 0,
    then a quadratic Bezier curve from the bell's first angle to that of the exit, r_e at x = length;
    at the exit a flat rim out to r_max + wall, and from there a cylinder back to the chamber

Frame: x out of the exit, throat at x = 0. Solid outside of the inner wall and within the cylinder.
Validity: angles below 90 deg, the bell narrowing: its first angle above that of the exit.
Source: elementary.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

from haptos.core.errors import GeometryError
from haptos.geometry.distance.section_build import Arc, Piece, SectionLine

CHAMBER = 0.05  # [m] of the chamber's wall that is drawn straight
CUTS = 64  # lines of the bell


def nozzle_section(
    throat: float, chamber: float, cone: float, arc: float, bell: float, exit_radius: float, exit_angle: float,
    length: float,
) -> list[Piece]:  # fmt: skip
    """Pieces of the wall from the chamber to the exit: radii and length [m], angles of the walls [rad]."""
    quarter = 0.5 * math.pi
    upstream = Arc((0.0, throat + arc), arc, -quarter - cone, cone)
    downstream = Arc((0.0, throat + arc), arc, -quarter, bell)
    run = (chamber - upstream.start[1]) / math.tan(cone)
    for name, value in (
        ("throat", throat), ("arc", arc), ("chamber beyond the throat", run),
        ("exit beyond the throat", exit_radius - downstream.end[1]), ("length", length - downstream.end[0]),
        ("bell angle beyond that of the exit", bell - exit_angle),
    ):  # fmt: skip
        if not (math.isfinite(value) and value > 0.0):
            raise GeometryError(
                "nozzle",
                f"{name} of {value:.4g}",
                "more than 0",
                "larger radii, or a smaller angle",
            )
    corner = (upstream.start[0] - run, chamber)
    wall = _bell(downstream.end, math.tan(bell), (length, exit_radius), math.tan(exit_angle))
    return [
        SectionLine((corner[0] - CHAMBER, chamber), corner),
        SectionLine(corner, upstream.start),
        upstream,
        downstream,
        *wall,
    ]


def walled(pieces: Sequence[Piece], wall: float) -> list[Piece]:
    """An inner wall from chamber to exit with a rim and an outside, `wall` [m] beyond its widest place.

    The wall ends at its exit: what is before the exit plane touches the rim or nothing.
    """
    if not (math.isfinite(wall) and wall > 0.0):
        raise GeometryError("nozzle", f"a wall of {wall:.4g} m", "more than 0", "0.005")
    if pieces[0].start[0] > pieces[-1].end[0]:
        pieces = [piece.reversed() for piece in reversed(pieces)]
    first, last = pieces[0].start, pieces[-1].end
    if math.dist(first, last) < wall:
        hint = "points along the inner wall alone: rim and outside are added"
        raise GeometryError("nozzle", "a wall that ends where it begins", "chamber to exit", hint)
    widest = max(
        piece.centre[1] + piece.radius
        if isinstance(piece, Arc)
        else max(piece.start[1], piece.end[1])
        for piece in pieces
    )
    outside = max(widest, last[1]) + wall
    back = min(first[0], last[0] - wall)
    return [
        *pieces,
        SectionLine(last, (last[0], outside)),
        SectionLine((last[0], outside), (back, outside)),
    ]


def _bell(
    start: tuple[float, float], slope: float, end: tuple[float, float], last: float
) -> list[Piece]:
    """Lines along the quadratic curve between two points with given slopes."""
    x = (end[1] - start[1] + slope * start[0] - last * end[0]) / (slope - last)
    r = start[1] + slope * (x - start[0])
    if not start[0] < x < end[0]:
        hint = "angles between which a curve goes from throat to exit"
        raise GeometryError(
            "nozzle",
            f"a bell whose tangents meet at x = {x:.4g} m",
            "between throat and exit",
            hint,
        )
    points = [start]
    for k in range(1, CUTS):
        t = k / CUTS
        a, b, c = (1.0 - t) ** 2, 2.0 * t * (1.0 - t), t * t
        points.append((a * start[0] + b * x + c * end[0], a * start[1] + b * r + c * end[1]))
    points.append(end)
    return [SectionLine(p, q) for p, q in itertools.pairwise(points)]
