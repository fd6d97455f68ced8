"""Sections made from points, splines, lines and arcs; what is no section is refused."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from haptos.core.errors import GeometryError
from haptos.geometry.distance.section import (
    AFTER,
    ANGLE,
    ARC,
    AXIS_END,
    BEFORE,
    CHANGE,
    COLUMNS,
    COSINE,
    KIND,
    LINE,
    MIDDLE_R,
    MIDDLE_X,
    OPEN_END,
    SHAPE,
    TURN,
    Section,
    tree_of_boxes,
)

Floats = NDArray[np.float64]

LONG_END = 10.0  # [-] of the section's size: how far a wall that ends off the axis goes on straight
ROUNDING = 1e-9  # [-] of the section's size: points closer than this are one


@dataclass(frozen=True, slots=True)
class SectionLine:
    """A straight piece between two points (x, r) [m]."""

    start: tuple[float, float]
    end: tuple[float, float]

    def reversed(self) -> SectionLine:
        return SectionLine(self.end, self.start)


@dataclass(frozen=True, slots=True)
class Arc:
    """Part of a circle: centre (x, r) and radius [m], first angle and angle turned through [rad]."""

    centre: tuple[float, float]
    radius: float
    angle: float
    turn: float

    @property
    def start(self) -> tuple[float, float]:
        return self._at(self.angle)

    @property
    def end(self) -> tuple[float, float]:
        return self._at(self.angle + self.turn)

    def _at(self, angle: float) -> tuple[float, float]:
        r = self.centre[1] + self.radius * math.sin(angle)
        close = abs(r) < ROUNDING * self.radius
        return (self.centre[0] + self.radius * math.cos(angle), 0.0 if close else r)

    def reversed(self) -> Arc:
        return Arc(self.centre, self.radius, self.angle + self.turn, -self.turn)


Piece = SectionLine | Arc


def polyline(points: ArrayLike) -> list[Piece]:
    """Straight pieces through points (x, r) [m], shape (n, 2)."""
    rows = np.asarray(points, dtype=np.float64)
    if rows.ndim != 2 or rows.shape[1] != 2 or len(rows) < 2 or not np.all(np.isfinite(rows)):
        found = f"points of shape {rows.shape}"
        raise GeometryError(
            "section", found, "at least two rows x, r of finite numbers", "[[0, 0]…]"
        )
    rows = rows.tolist()
    return [SectionLine((a[0], a[1]), (b[0], b[1])) for a, b in itertools.pairwise(rows)]


def spline(points: ArrayLike, chord_error: float, shortest: float, longest: float) -> list[Piece]:
    """Pieces of a cubic spline, finer where it is curved: l = clamp(sqrt(8 e/kappa), l_min, l_max).

    points  (n, 2) [m]    chord_error e, shortest l_min, longest l_max [m], > 0
    The curve is followed in steps of l taken at their start, each shortened to end at a point.
    """
    from scipy.interpolate import CubicSpline

    rows = np.asarray(points, dtype=np.float64)
    along = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(rows, axis=0), axis=1))])
    curve = CubicSpline(along, rows)
    fine = np.linspace(0.0, along[-1], 200 * len(rows))
    first, second = curve(fine, 1), curve(fine, 2)
    speed = np.linalg.norm(first, axis=1)
    bend = np.abs(first[:, 0] * second[:, 1] - first[:, 1] * second[:, 0]) / speed**3
    length = np.clip(np.sqrt(8.0 * chord_error / np.maximum(bend, 1e-300)), shortest, longest)
    count = np.concatenate([[0.0], np.cumsum(np.diff(fine) * (speed / length)[:-1])])
    steps = max(int(np.ceil(count[-1])), 1)
    at = np.interp(np.linspace(0.0, count[-1], steps + 1), count, fine)
    return polyline(curve(at))


def section(
    pieces: Sequence[Piece],
    solid: str = "inside",
    second: Sequence[Piece] = (),
    *,
    straight_ends: bool = True,
) -> Section:
    """A section with its solid `inside` (towards the axis, or within a closed line) or `outside`.

    second         the same pieces in the second shape of a section that changes in time
    straight_ends  whether a wall that ends off the axis goes on; without, only faces may be made of it
    """
    if solid not in ("inside", "outside"):
        raise GeometryError("section", f"solid = '{solid}'", "inside, outside", "inside")
    _check(pieces)
    other = list(second) or list(pieces)
    _check_second(pieces, other)
    clockwise = _area(pieces) < 0.0
    if clockwise != (solid == "inside"):
        pieces = [piece.reversed() for piece in reversed(pieces)]
        other = [piece.reversed() for piece in reversed(other)]
    if straight_ends:
        pieces, other = _with_long_ends(pieces), _with_long_ends(other)
    rows = _rows(pieces, other)
    low, high = _bounds(rows)
    boxes, leaves = tree_of_boxes(low, high)
    sizes = [piece.radius if isinstance(piece, Arc) else _length(piece) for piece in pieces]
    return Section(rows, boxes, leaves, float(min(sizes)))


def _length(piece: SectionLine) -> float:
    return math.dist(piece.start, piece.end)


def _corners(pieces: Sequence[Piece]) -> Floats:
    """Points along the pieces, arcs every few degrees; for areas and crossings."""
    points: list[tuple[float, float]] = []
    for piece in pieces:
        points.append(piece.start)
        if isinstance(piece, Arc):
            count = max(int(abs(piece.turn) / math.radians(5.0)), 1)
            inner = [piece.angle + piece.turn * k / count for k in range(1, count)]
            points += [piece._at(angle) for angle in inner]
    return np.array([*points, pieces[-1].end])


def _area(pieces: Sequence[Piece]) -> float:
    """Signed area [m^2] below the pieces down to the axis, or within them; < 0 is clockwise."""
    x, r = _corners(pieces).T
    return float(-0.5 * np.sum((r[1:] + r[:-1]) * np.diff(x)))


def _is_closed(pieces: Sequence[Piece]) -> bool:
    size = float(np.max(np.ptp(_corners(pieces), axis=0)))
    return math.dist(pieces[0].start, pieces[-1].end) <= ROUNDING * size


def _check(pieces: Sequence[Piece]) -> None:
    if not pieces:
        raise GeometryError("section", "no pieces", "at least one line or arc", "add points")
    points = _corners(pieces)
    if not np.all(np.isfinite(points)):
        raise GeometryError("section", "a point that is not finite", "finite numbers", "check them")
    size = float(np.max(np.ptp(points, axis=0)))
    low = float(points[:, 1].min())
    if low < -ROUNDING * size:
        found, hint = f"a negative radius, r = {low:g} m", "give r as the distance from the axis"
        raise GeometryError("section", found, "r >= 0 everywhere", hint)
    for piece in pieces:
        if isinstance(piece, Arc) and not (piece.radius > 0.0 and 0.0 < abs(piece.turn) < 7.0):
            raise GeometryError(
                "section", f"{piece}", "radius > 0 and a turn up to 2 pi", "check it"
            )
        if isinstance(piece, SectionLine) and _length(piece) <= ROUNDING * size:
            found = f"a piece without length at {piece.start}"
            raise GeometryError("section", found, "points that differ", "remove doubled points")
    for a, b in itertools.pairwise(pieces):
        if math.dist(a.end, b.start) > 1e-6 * size:
            found = f"a gap between {a.end} and {b.start}"
            raise GeometryError(
                "section", found, "pieces that join", "end each at the next's start"
            )
    crossing = _first_crossing(points, _is_closed(pieces))
    if crossing is not None:
        found = f"a section that crosses itself near x = {crossing[0]:g}, r = {crossing[1]:g} m"
        raise GeometryError("section", found, "a line that does not cross itself", "reorder it")


def _first_crossing(points: Floats, closed: bool) -> Floats | None:
    """A point where two pieces that are not neighbours cross; None without one."""
    a, b = points[:-1], points[1:]
    n = len(a)
    for i in range(n - 2):
        last = n - 1 if closed and i == 0 else n
        p, d = a[i], b[i] - a[i]
        q, e = a[i + 2 : last], b[i + 2 : last] - a[i + 2 : last]
        if len(q) == 0:
            continue
        below = d[0] * e[:, 1] - d[1] * e[:, 0]
        safe = np.where(below == 0.0, 1.0, below)
        w = q - p
        t = (w[:, 0] * e[:, 1] - w[:, 1] * e[:, 0]) / safe
        u = (w[:, 0] * d[1] - w[:, 1] * d[0]) / safe
        hit = (below != 0.0) & (t >= 0.0) & (t <= 1.0) & (u >= 0.0) & (u <= 1.0)
        if np.any(hit):
            return np.asarray(p + t[np.argmax(hit)] * d)
    return None


def _check_second(pieces: Sequence[Piece], other: Sequence[Piece]) -> None:
    _check(other)
    alike = len(pieces) == len(other) and all(
        type(a) is type(b)
        and (isinstance(a, SectionLine) or (a.angle, a.turn) == (b.angle, b.turn))  # type: ignore[union-attr]
        for a, b in zip(pieces, other, strict=True)
    )
    if not alike:
        hint = "give both shapes the same lines and arcs, with the same angles"
        raise GeometryError("section", "two shapes of different pieces", "pieces alike", hint)


def _with_long_ends(pieces: Sequence[Piece]) -> list[Piece]:
    """The pieces with straight ones added where a wall ends off the axis."""
    found = list(pieces)
    if _is_closed(pieces):
        return found
    size = float(np.max(np.ptp(_corners(pieces), axis=0)))
    for at_end in (False, True):
        piece = found[-1 if at_end else 0]
        point = piece.end if at_end else piece.start
        if point[1] <= ROUNDING * size:
            continue
        way = _direction(piece, at_end)
        reach = LONG_END * size
        if way[1] < 0.0:  # not beyond the axis
            reach = min(reach, 0.999 * point[1] / -way[1])
        far = (point[0] + reach * way[0], point[1] + reach * way[1])
        if at_end:
            found.append(SectionLine(point, far))
        else:
            found.insert(0, SectionLine(far, point))
    return found


def _direction(piece: Piece, at_end: bool) -> tuple[float, float]:
    """Unit vector along the piece and out of it at an end."""
    if isinstance(piece, SectionLine):
        length = _length(piece)
        sign = 1.0 if at_end else -1.0
        dx, dr = (piece.end[k] - piece.start[k] for k in range(2))
        return sign * dx / length, sign * dr / length
    angle = piece.angle + (piece.turn if at_end else 0.0)
    sign = math.copysign(1.0, piece.turn) * (1.0 if at_end else -1.0)
    return -sign * math.sin(angle), sign * math.cos(angle)


def _rows(pieces: Sequence[Piece], other: Sequence[Piece]) -> Floats:
    rows = np.zeros((len(pieces), COLUMNS))
    for k, (piece, moved) in enumerate(zip(pieces, other, strict=True)):
        rows[k, KIND] = LINE if isinstance(piece, SectionLine) else ARC
        now, then = _numbers(piece), _numbers(moved)
        rows[k, SHAPE : SHAPE + 7] = now
        rows[k, CHANGE : CHANGE + 7] = then - now
        rows[k, BEFORE], rows[k, AFTER] = k - 1, k + 1
        if isinstance(piece, Arc):
            middle = piece.angle + 0.5 * piece.turn
            rows[k, ANGLE], rows[k, TURN] = piece.angle, piece.turn
            rows[k, MIDDLE_X], rows[k, MIDDLE_R] = math.cos(middle), math.sin(middle)
            whole = abs(piece.turn) >= 2.0 * math.pi * (1.0 - 1e-12)
            rows[k, COSINE] = -2.0 if whole else math.cos(0.5 * abs(piece.turn))
    last = len(pieces) - 1
    if _is_closed(pieces):
        rows[0, BEFORE], rows[last, AFTER] = last, 0
    else:
        low = ROUNDING * float(np.max(np.ptp(_corners(pieces), axis=0)))
        rows[0, BEFORE] = AXIS_END if pieces[0].start[1] <= low else OPEN_END
        rows[last, AFTER] = AXIS_END if pieces[-1].end[1] <= low else OPEN_END
    return rows


def _numbers(piece: Piece) -> Floats:
    if isinstance(piece, SectionLine):
        return np.array([*piece.start, *piece.end, 0.0, 0.0, 0.0])
    return np.array([*piece.start, *piece.end, *piece.centre, piece.radius])


def _bounds(rows: Floats) -> tuple[Floats, Floats]:
    """Least and most (x, r) of every segment over both shapes, shapes (n, 2)."""
    low, high = np.full((len(rows), 2), np.inf), np.full((len(rows), 2), -np.inf)
    for spread in (0.0, 1.0):
        v = rows[:, SHAPE : SHAPE + 7] + spread * rows[:, CHANGE : CHANGE + 7]
        is_arc = rows[:, KIND] == ARC
        ends_low = np.minimum(v[:, 0:2], v[:, 2:4])
        ends_high = np.maximum(v[:, 0:2], v[:, 2:4])
        round_low, round_high = v[:, 4:6] - v[:, 6:7], v[:, 4:6] + v[:, 6:7]
        low = np.minimum(low, np.where(is_arc[:, None], round_low, ends_low))
        high = np.maximum(high, np.where(is_arc[:, None], round_high, ends_high))
    return low, high
