"""Lay a cable between two ends of an assembly, and wind it by a reel."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from haptos.core.errors import ConfigError
from haptos.dynamics.assembly import Assembly, CableEnd
from haptos.geometry.nets.net_nodes import cut_links
from haptos.materials.threads import Thread

NOWHERE = -1.0  # point of a reel that takes up length without its mass


def laid(
    made: Assembly, where: str, ends: tuple[CableEnd, CableEnd], length: float, nodes: int, line: Thread,
    kind: int = 0, touches_as: int = 0,
) -> list[int]:  # fmt: skip
    """Add a thread of a length [m] on the straight way between two ends; its elements.

    kind  class of the elements        touches_as  row of the pairs its nodes touch by
    """
    near, far = made.place_of(ends[0]), made.place_of(ends[1])
    apart = float(np.linalg.norm(far - near))
    if apart > length:
        found = f"length_m = {length} between ends {apart:.4g} m apart"
        raise ConfigError(
            f"{where} length_m", found, f"at least {apart:.4g} m", f"length_m = {1.01 * apart:.4g}"
        )
    links = np.array([[0, 1]])
    places, pairs, lengths, _ = cut_links(np.stack([near, far]), links, np.array([length]), nodes)
    joined = dict(enumerate(ends))
    mass = line.linear_density * float(lengths[0])
    radius = 0.5 * line.diameter
    speeds = made.speeds_between(ends, nodes)
    joined |= {
        i: made.node(places[i], mass, radius, speeds[i - 2], touches_as)
        for i in range(2, len(places))
    }
    for end in ends:
        made.load(end, 0.5 * mass)
    return [
        made.thread(joined[int(i)], joined[int(j)], long, line, kind)
        for (i, j), long in zip(pairs, lengths, strict=True)
    ]


def reel_rows(
    made: Assembly, elements: list[int], times: ArrayLike, lengths: ArrayLike,
    on: tuple[CableEnd, float] | None = None, *, stall: float = math.inf, power: float = math.inf,
) -> list[list[Any]]:  # fmt: skip
    """Rows of a reel that changes the length of a cable, one for each piece and each element.

    times, lengths   corners of its profile [s], [m], of the whole cable; before the first it stays as it is
    on       end that takes up the cable with its linear density [kg/m]; None: length without mass
    stall, power     largest tension [N] it winds against, and power [W] it has
    """
    count = len(elements)
    winch = (NOWHERE, 0.0) if on is None else on
    corners = list(zip(np.asarray(times), np.asarray(lengths) / count, strict=True))
    return [
        [element, first, last, start, stop, 0.0, *winch, stall, power]
        for (start, first), (stop, last) in itertools.pairwise(corners)
        for element in elements
    ]
