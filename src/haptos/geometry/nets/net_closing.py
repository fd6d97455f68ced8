"""Closing lines of a net: from winch to winch around the mouth, free or through its knots.

A free line runs straight from one winch to the next; an interlaced line passes through a ring at
every mouth knot between them. Every line is reeled in from both of its ends, half each.
Source: [Salvi2014] section 2.8 and figure 5.6.
"""

from __future__ import annotations

import difflib
import math
from dataclasses import dataclass

import numpy as np

from haptos.core.errors import GeometryError
from haptos.geometry.nets.net_topology import Floats, Integers, NetMesh

CITES: tuple[str, ...] = ("Salvi2014",)
FREE, INTERLACED = "free", "interlaced"


@dataclass(frozen=True, eq=False)
class ClosingLines:
    """Lines 0, 1, ... around the mouth; line k leads from winch k to winch k + 1, the last to 0.

    winch_knots     (w,), knots that carry the winches     lengths  [m], (w,), natural, all open
    path_knots      all lines' knots one after the other, both winches included
    path_start      (w + 1,), where each line begins in path_knots; the last is their number
    segments        (s, 2), pairs of neighbours along the lines
    segment_line    (s,), line of each                     segment_lengths  [m], (s,), natural
    """

    winch_knots: Integers
    lengths: Floats
    path_knots: Integers
    path_start: Integers
    segments: Integers
    segment_line: Integers
    segment_lengths: Floats

    def __post_init__(self) -> None:
        for value in vars(self).values():
            value.setflags(write=False)


def closing_lines(
    mesh: NetMesh, winch_knots: Integers, kind: str = FREE, *, slack: float = 1.0
) -> ClosingLines:
    """Closing lines between winches at mouth knots in their order around the mouth.

    kind   "free" or "interlaced"        slack  natural length over the deployed one [-], >= 1
    """
    where = f"closing lines of net {mesh.kind}"
    if kind not in (FREE, INTERLACED):
        close = difflib.get_close_matches(kind, (FREE, INTERLACED), n=1, cutoff=0.4)
        hint = f"did you mean '{close[0]}'?" if close else "kind = 'free'"
        raise GeometryError(where, f"kind '{kind}'", f"{FREE}, {INTERLACED}", hint)
    if not (math.isfinite(slack) and slack >= 1.0):
        found, allowed = f"slack = {slack}", "1 or more, or the lines would pull before they close"
        raise GeometryError(where, found, allowed, "slack = 1")
    places = _places(where, mesh, winch_knots)
    paths = _paths(mesh, places, kind)
    start = np.concatenate([[0], np.cumsum([len(path) for path in paths])]).astype(np.int64)
    segments = np.concatenate([np.stack([path[:-1], path[1:]], axis=1) for path in paths])
    line = np.repeat(np.arange(len(paths)), [len(path) - 1 for path in paths]).astype(np.int64)
    ends = mesh.knots[segments]
    lengths = slack * np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1)
    return ClosingLines(
        np.array([path[0] for path in paths], dtype=np.int64),
        np.add.reduceat(lengths, start[:-1] - np.arange(len(paths))),
        np.concatenate(paths), start, segments, line, lengths,
    )  # fmt: skip


def _places(where: str, mesh: NetMesh, winch_knots: Integers) -> Integers:
    """Places of the winches around the mouth, rising."""
    if len(mesh.mouth_knots) < 3:
        hint = "number the mouth knots in the column 'mouth'"
        raise GeometryError(where, "no mouth", "mouth knots in order", hint)
    place_of = {int(knot): place for place, knot in enumerate(mesh.mouth_knots)}
    wanted = [int(knot) for knot in winch_knots]
    outside = [knot for knot in wanted if knot not in place_of]
    if len(set(wanted)) < 2 or len(set(wanted)) != len(wanted) or outside:
        found = f"winches at knots {', '.join(map(str, wanted)) or 'none'}"
        raise GeometryError(where, found, "two or more different mouth knots", "use the corners")
    return np.array(sorted(place_of[knot] for knot in wanted), dtype=np.int64)


def _paths(mesh: NetMesh, places: Integers, kind: str) -> list[Integers]:
    mouth, around = mesh.mouth_knots, len(mesh.mouth_knots)
    paths = []
    for here, there in zip(places, np.append(places[1:], places[0] + around), strict=True):
        steps = [here, there] if kind == FREE else range(here, there + 1)
        paths.append(mouth[np.asarray(steps) % around])
    return paths
