"""Signed distance of a body of revolution: the 2-D distance of its section, turned about the axis.

    rho = sqrt(y^2 + z^2),   gap(x, y, z) = section_gap(x, rho),   n = (n_x, n_r y/rho, n_r z/rho)

The nearest point of the body lies in the half-plane of the point, so this is exact. Balls, cylinders,
cones, tori and capsules are sections of lines and arcs, so they are exact too.
Frame: axis along x. Sign: gap > 0 outside. On the axis the normal of a ring is taken along y.
Validity: as the section's. Source: elementary.
"""

from __future__ import annotations

import itertools
import math

from haptos.core.errors import GeometryError
from haptos.core.jit import device
from haptos.geometry.distance.section import Section, section_gap
from haptos.geometry.distance.section_build import Arc, Piece, SectionLine, section
from haptos.geometry.distance.section_near import kept_gap

CITES: tuple[str, ...] = ()


@device
def revolution_gap(profile, p, spread, guess, stack):
    """(gap [m], unit normal, wall motion [m] per unit of spread, segment) of the point p [m]."""
    rho = math.sqrt(p[1] * p[1] + p[2] * p[2])
    gap, normal, moved, k = section_gap(profile, p[0], rho, spread, guess, stack)
    return gap, _turned(normal, p, rho), moved, k


@device
def kept_revolution_gap(profile, p, spread, guess, stack, row):
    """As `revolution_gap` of a point that moves little, with a row that is kept for it (section_near.py)."""
    rho = math.sqrt(p[1] * p[1] + p[2] * p[2])
    gap, normal, moved, k = kept_gap(profile, p[0], rho, spread, guess, stack, row)
    return gap, _turned(normal, p, rho), moved, k


@device
def _turned(normal, p, rho):
    """Normal (x, r) of the half-plane of p, in space."""
    nx, nr = normal
    if rho > 0.0:
        return nx, nr * p[1] / rho, nr * p[2] / rho
    return nx, nr, 0.0


def _positive(where: str, **lengths: float) -> None:
    for name, value in lengths.items():
        if not (math.isfinite(value) and value > 0.0):
            raise GeometryError(where, f"{name} = {value:g}", "a finite number above 0", "0.1")


def ball_pieces(radius: float) -> list[Piece]:
    """Half a circle about the origin."""
    _positive("ball", radius=radius)
    return [Arc((0.0, 0.0), radius, math.pi, -math.pi)]


def cylinder_pieces(radius: float, length: float) -> list[Piece]:
    """A cylinder about the x axis, its middle at the origin, with sharp edges."""
    _positive("cylinder", radius=radius, length=length)
    x = 0.5 * length
    return [
        SectionLine((-x, 0.0), (-x, radius)),
        SectionLine((-x, radius), (x, radius)),
        SectionLine((x, radius), (x, 0.0)),
    ]


def capsule_pieces(radius: float, length: float) -> list[Piece]:
    """A cylinder of `length` between two half balls."""
    _positive("capsule", radius=radius, length=length)
    x, quarter = 0.5 * length, 0.5 * math.pi
    return [
        Arc((-x, 0.0), radius, math.pi, -quarter),
        SectionLine((-x, radius), (x, radius)),
        Arc((x, 0.0), radius, quarter, -quarter),
    ]


def cone_pieces(half_angle: float, length: float) -> list[Piece]:
    """A solid cone [rad], tip at the origin, base at x = length."""
    _positive("cone", half_angle=half_angle, length=length, below_90_deg=0.5 * math.pi - half_angle)
    wide = length * math.tan(half_angle)
    return [SectionLine((0.0, 0.0), (length, wide)), SectionLine((length, wide), (length, 0.0))]


def funnel_pieces(half_angle: float, length: float) -> list[Piece]:
    """The wall of a hollow cone [rad], tip at the origin; take the solid outside of it."""
    _positive(
        "funnel", half_angle=half_angle, length=length, below_90_deg=0.5 * math.pi - half_angle
    )
    return [SectionLine((0.0, 0.0), (length, length * math.tan(half_angle)))]


def torus_pieces(ring_radius: float, tube_radius: float) -> list[Piece]:
    """A ring about the x axis: circle of `tube_radius` at the distance `ring_radius` from the axis."""
    _positive("torus", tube_radius=tube_radius, hole=ring_radius - tube_radius)
    return [Arc((0.0, ring_radius), tube_radius, 0.0, -2.0 * math.pi)]


def nozzle_pieces() -> list[Piece]:
    """Inner wall of a 400 N apogee engine: chamber, throat of 8 mm radius, bell of 120 mm.

    Chamber radius 22 mm, convergent cone 45 deg, arcs of 3 mm, 30 deg behind the throat, quadratic
    bell with 10 deg at the exit, 300 mm behind the throat. Representative dimensions: assumed.
    """
    quarter, steep, flat = 0.5 * math.pi, math.radians(45.0), math.radians(30.0)
    r_t, arc, chamber = 0.008, 0.003, 0.022
    upstream = Arc((0.0, r_t + arc), arc, -quarter - steep, steep)
    downstream = Arc((0.0, r_t + arc), arc, -quarter, flat)
    run = chamber - upstream.start[1]
    corner = (upstream.start[0] - run, chamber)
    bell = _quadratic(downstream.end, math.tan(flat), (0.3, 0.12), math.tan(math.radians(10.0)))
    return [
        SectionLine((corner[0] - 0.05, chamber), corner),
        SectionLine(corner, upstream.start),
        upstream,
        downstream,
        *bell,
    ]


def _quadratic(
    start: tuple[float, float], slope: float, end: tuple[float, float], last: float, count: int = 64
) -> list[Piece]:
    """Lines along the quadratic Bezier curve between two points with given slopes."""
    x = (end[1] - start[1] + slope * start[0] - last * end[0]) / (slope - last)
    middle = (x, start[1] + slope * (x - start[0]))
    points = []
    for k in range(count + 1):
        t = k / count
        a, b, c = (1.0 - t) ** 2, 2.0 * t * (1.0 - t), t * t
        points.append(tuple(a * start[i] + b * middle[i] + c * end[i] for i in range(2)))
    points[0], points[-1] = start, end
    pairs = itertools.pairwise(points)
    return [SectionLine((p[0], p[1]), (q[0], q[1])) for p, q in pairs]


def plain_section(pieces: list[Piece], solid: str = "inside") -> Section:
    """A section that does not change."""
    return section(pieces, solid)
