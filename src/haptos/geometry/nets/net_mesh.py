"""Five kinds of nets by size and numbers of threads, deployed, in N axes (x: shooting direction).

    planar-a   strings x rings at right angles, square cells; knots Ns Nr
               links Ns (Nr - 1) + Nr (Ns - 1)
    planar-b   S radial strings and square rings about a central knot; knots 1 + S Nr, links 2 S Nr
               p = f (r/Nr) (y/2 cos th, z/2 sin th), th = pi/4 + 2 pi s/S, f = 1/max(|cos|, |sin|)
    planar-c   planar-a with diagonal links: along the two main diagonals, or in every cell
    pyramidal  planar-b with x = depth r/Nr: the apex holds the tether, the mouth lies ahead
    conical    pyramidal with round rings, f = 1

Strings run along z (radially in b, pyramidal, conical), rings across them. Reinforced are the mouth,
the middle string and ring (a, c) and the diagonals (b, c, pyramidal, conical); of diagonals in every
cell only those that lie on the two main ones.
Validity: thread sag and knot size left out; links are straight between knots.
Source: [Salvi2014] section 5.4.1; recipes and the choice of diagonals are ours.
"""

from __future__ import annotations

import difflib
import math

import numpy as np

from haptos.core.errors import GeometryError
from haptos.geometry.nets.net_topology import (
    NORMAL,
    REINFORCED,
    Floats,
    Integers,
    NetMesh,
    checked_net,
)

CITES: tuple[str, ...] = ("Salvi2014",)

KINDS = ("planar-a", "planar-b", "planar-c", "pyramidal", "conical")
DEEP = ("pyramidal", "conical")
DIAGONALS = ("main", "every-cell")
MOST_KNOTS = 4_000_000  # [-], assumed; more is a mistake in the number of strings


def net_mesh(
    kind: str,
    width: float,
    height: float,
    strings: int,
    rings: int,
    *,
    depth: float = 0.0,
    diagonals: str = "main",
) -> NetMesh:
    """A net of one of the KINDS.

    width, height  y and z size of the mouth [m]      depth  x size [m], of pyramidal and conical only
    strings, rings numbers of threads: odd, 3 or more (a, c); strings a power of two, 4 or more, and
                   rings 1 or more (b, pyramidal, conical)
    diagonals      of planar-c: "main" (needs strings = rings) or "every-cell"
    """
    if kind not in KINDS:
        close = difflib.get_close_matches(kind.lower(), KINDS, n=1, cutoff=0.5)
        hint = f"did you mean '{close[0]}'?" if close else "kind = 'planar-a'"
        raise GeometryError("net", f"kind '{kind}'", ", ".join(KINDS), hint)
    where = f"net {kind}"
    _require_sizes(where, kind, width, height, depth)
    if kind in ("planar-a", "planar-c"):
        _require_odd(where, strings=strings, rings=rings)
        return _grid(where, kind, width, height, strings, rings, diagonals)
    _require_power_of_two(where, strings)
    _require_whole(where, 1, rings=rings)
    _require_few(where, 1 + strings * rings)
    return _radial(where, kind, width, height, strings, rings, depth)


def _grid(
    where: str, kind: str, width: float, height: float, strings: int, rings: int, diagonals: str
) -> NetMesh:
    """Planar-a and planar-c; knot (i, j) has the number i rings + j."""
    _require_few(where, strings * rings)
    i, j = np.meshgrid(np.arange(strings), np.arange(rings), indexing="ij")
    knots = np.zeros((strings * rings, 3))
    knots[:, 1] = (-0.5 * width + width * i / (strings - 1)).reshape(-1)
    knots[:, 2] = (-0.5 * height + height * j / (rings - 1)).reshape(-1)
    number = (i * rings + j).astype(np.int64)
    middle, centre = strings // 2, rings // 2
    along_y = _pairs(number[:-1], number[1:])
    strong_y = np.isin(j[:-1], (0, centre, rings - 1)).reshape(-1)
    along_z = _pairs(number[:, :-1], number[:, 1:])
    strong_z = np.isin(i[:, :-1], (0, middle, strings - 1)).reshape(-1)
    links, strong = [along_y, along_z], [strong_y, strong_z]
    if kind == "planar-c":
        slant, is_main = _diagonal_links(where, number, diagonals)
        links.append(slant)
        strong.append(is_main)
    corners = [number[-1, -1], number[0, -1], number[0, 0], number[-1, 0]]
    sides = [number[middle, -1], number[0, centre], number[middle, 0], number[-1, centre]]
    mouth = np.concatenate(
        [number[::-1, -1][:-1], number[0, ::-1][:-1], number[:-1, 0], number[-1, :-1]]
    )
    classes = np.where(np.concatenate(strong), REINFORCED, NORMAL)
    return checked_net(
        where, kind, knots, np.concatenate(links), classes, int(number[middle, centre]),
        corners, sides, mouth,
    )  # fmt: skip


def _diagonal_links(where: str, number: Integers, diagonals: str) -> tuple[Integers, np.ndarray]:
    """Links across cells, all leaning towards the centre, and which lie on the main diagonals."""
    if diagonals not in DIAGONALS:
        close = difflib.get_close_matches(diagonals, DIAGONALS, n=1, cutoff=0.4)
        hint = f"did you mean '{close[0]}'?" if close else "diagonals = 'main'"
        raise GeometryError(where, f"diagonals '{diagonals}'", ", ".join(DIAGONALS), hint)
    strings, rings = number.shape
    if diagonals == "main" and strings != rings:
        found, allowed = f"{strings} strings and {rings} rings", "as many strings as rings"
        raise GeometryError(where, found, allowed, "diagonals = 'every-cell', or equal numbers")
    i, j = np.meshgrid(np.arange(strings - 1), np.arange(rings - 1), indexing="ij")
    rising = (i < strings // 2) == (j < rings // 2)  # from the corner (i, j) of the cell
    first = np.where(rising, number[:-1, :-1], number[:-1, 1:])
    second = np.where(rising, number[1:, 1:], number[1:, :-1])
    is_main = ((i == j) | (i + j == strings - 2)) & (strings == rings)
    chosen = is_main if diagonals == "main" else np.ones_like(is_main)
    return _pairs(first[chosen], second[chosen]), is_main[chosen].reshape(-1)


def _radial(
    where: str, kind: str, width: float, height: float, strings: int, rings: int, depth: float
) -> NetMesh:
    """Planar-b, pyramidal, conical; knot 0 in the middle, knot (r, s) has 1 + (r - 1) strings + s."""
    turn = 0.25 * math.pi + 2.0 * math.pi * np.arange(strings) / strings
    rim = np.stack([np.cos(turn), np.sin(turn)], axis=1)
    if kind != "conical":
        rim = np.round(rim / np.abs(rim).max(axis=1, keepdims=True), 15)
    share = np.arange(1, rings + 1) / rings
    knots = np.zeros((1 + strings * rings, 3))
    knots[1:, 0] = np.repeat(depth * share, strings)
    knots[1:, 1:] = (share[:, None, None] * rim * [0.5 * width, 0.5 * height]).reshape(-1, 2)
    number = 1 + np.arange(rings * strings, dtype=np.int64).reshape(rings, strings)
    inner = np.vstack([np.zeros((1, strings), dtype=np.int64), number[:-1]])
    radial = _pairs(inner, number)
    strong_radial = np.tile(np.arange(strings) % (strings // 4) == 0, rings)
    around = _pairs(number, np.roll(number, -1, axis=1))
    strong_around = np.repeat(np.arange(rings) == rings - 1, strings)
    mouth = number[-1]
    sides = mouth[strings // 8 :: strings // 4] if strings >= 8 else mouth[:0]
    classes = np.where(np.concatenate([strong_radial, strong_around]), REINFORCED, NORMAL)
    return checked_net(
        where, kind, knots, np.concatenate([radial, around]), classes, 0,
        mouth[:: strings // 4], sides, mouth,
    )  # fmt: skip


def _pairs(first: Integers, second: Integers) -> Integers:
    return np.stack([first.reshape(-1), second.reshape(-1)], axis=1)


def mesh_width(mesh: NetMesh) -> float:
    """Median natural length of the links [m], about the side of a cell."""
    lengths: Floats = mesh.lengths
    return float(np.median(lengths))


def _require_sizes(where: str, kind: str, width: float, height: float, depth: float) -> None:
    needed = {"width": width, "height": height} | ({"depth": depth} if kind in DEEP else {})
    for name, value in needed.items():
        if not (math.isfinite(value) and value > 0.0):
            found, hint = f"{name} = {value}", f"give {name} in metres"
            raise GeometryError(where, found, "a finite number above zero", hint)
    if kind not in DEEP and depth != 0.0:
        hint = "leave depth out, or choose pyramidal or conical"
        raise GeometryError(where, f"depth = {depth}", "no depth: this net is flat", hint)


def _require_whole(where: str, least: int, **numbers: int) -> None:
    for name, value in numbers.items():
        if not isinstance(value, (int, np.integer)) or isinstance(value, bool) or value < least:
            found, allowed = f"{name} = {value}", f"a whole number, {least} or more"
            raise GeometryError(where, found, allowed, f"{name} = {least}")


def _require_odd(where: str, **numbers: int) -> None:
    _require_whole(where, 3, **numbers)
    for name, value in numbers.items():
        if value % 2 == 0:
            allowed = "an odd number, so that a knot lies in the middle"
            hint = f"{name} = {value - 1} or {value + 1}"
            raise GeometryError(where, f"{name} = {value}", allowed, hint)


def _require_power_of_two(where: str, strings: int) -> None:
    _require_whole(where, 4, strings=strings)
    if strings & (strings - 1):
        below = 1 << (int(strings).bit_length() - 1)
        allowed, hint = "a power of two: 4, 8, 16...", f"strings = {below} or {2 * below}"
        raise GeometryError(where, f"strings = {strings}", allowed, hint)


def _require_few(where: str, knots: int) -> None:
    if knots > MOST_KNOTS:
        found, allowed = f"{knots} knots", f"at most {MOST_KNOTS}"
        raise GeometryError(where, found, allowed, "fewer strings or rings")
