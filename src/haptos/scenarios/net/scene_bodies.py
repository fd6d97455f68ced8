"""Chaser and target of a net scene as surfaces."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from haptos.results.result import Result
from haptos.results.scene import SceneSurface

BOX = np.array(
    [[0, 2, 1], [0, 3, 2], [4, 5, 6], [4, 6, 7], [0, 1, 5], [0, 5, 4], [1, 2, 6], [1, 6, 5],
     [2, 3, 7], [2, 7, 6], [3, 0, 4], [3, 4, 7]]
)  # fmt: skip


def body_surfaces(result: Result) -> tuple[SceneSurface, ...]:
    """Chaser, target and bodies of the user's own, each in a frame of its name."""
    found = [box_surface("chaser", result.config["chaser"]["size_m"], "chaser", "other")]
    if "target" in result.tables:
        table = result.tables["target"]
        found.append(
            SceneSurface("target", table["r_B"].values, table["corners"].values, frame="target",
                    colour="ground", is_flat=True)
        )  # fmt: skip
    for body in result.config.get("bodies", ()):
        found.append(box_surface(body["name"], body["size_m"], body["name"], "other"))
    return tuple(found)


def box_surface(label: str, size: Sequence[float], frame: str, colour: str) -> SceneSurface:
    """A box of some sides [m] about the origin of a frame."""
    half = 0.5 * np.asarray(size)
    signs = np.array(
        [[-1, -1, -1], [1, -1, -1], [1, 1, -1], [-1, 1, -1],
         [-1, -1, 1], [1, -1, 1], [1, 1, 1], [-1, 1, 1]]
    )  # fmt: skip
    return SceneSurface(label, signs * half, BOX, frame=frame, colour=colour, is_flat=True)
