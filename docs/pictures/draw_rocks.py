"""Draws rocks.png of this folder: the nominal rocks on a plane, seen from above, in three models."""

from __future__ import annotations

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import LightSource

from haptos.core.jit import entry
from haptos.geometry.terrain.rocks_polyhedral_field import (
    polyhedral_rocks,
    polyhedral_rocks_distance,
)
from haptos.geometry.terrain.rocks_seeded import rocks_value, seeded_rocks

HERE = Path(__file__).parent
RESOLUTION = 80  # [dots per inch]
PER_AREA, LAW = 14.3, (2.8, 0.05, 0.50)  # [1/m^2]; index [-] and sizes [m] of Table 4.2
SIDE, POINTS, CLOSE = 4.0, 400, 1e-4  # [m], points along a side, [m] from the surface
CORNERS = [[-2.0, -2.0, 0.0], [7.0, -2.0, 0.0], [7.0, 7.0, 0.0], [-2.0, 7.0, 0.0]]


@entry
def seeded_heights(rocks, x, y, heights):
    """Heights of z + d_PSR = 0, from above in steps that cannot pass it."""
    for i in range(len(x)):
        for j in range(len(y)):
            h = rocks.deepest
            for _ in range(200):
                d = h + rocks_value(rocks, (x[i], y[j], h), 1.0)
                if d < CLOSE:
                    break
                h -= d / (1.0 + rocks.steepest)
            heights[i, j] = h


@entry
def polyhedral_heights(rocks, x, y, heights):
    """Heights of plane and rocks, from above in steps that cannot pass them."""
    for i in range(len(x)):
        for j in range(len(y)):
            h = rocks.reach
            for _ in range(200):
                d = min(h, polyhedral_rocks_distance(rocks, (x[i], y[j], h), 1.0)[0])
                if d < CLOSE:
                    break
                h -= d
            heights[i, j] = h


def main() -> None:
    along = np.linspace(0.0, SIDE, POINTS)
    published, exposed, facets = (np.zeros((POINTS, POINTS)) for _ in range(3))
    seeded_heights(seeded_rocks(4, PER_AREA, *LAW), along + 30.0, along + 12.0, published)
    law = seeded_rocks(4, PER_AREA, *LAW, exposed_law=True)
    seeded_heights(law, along + 30.0, along + 12.0, exposed)
    stones = polyhedral_rocks(4, CORNERS, [[0, 1, 2], [0, 2, 3]], PER_AREA, *LAW)
    polyhedral_heights(stones, along, along, facets)
    panels = {
        "seeded, published count": published,
        "seeded, exposed law": exposed,
        "polyhedral": facets,
    }
    figure, axes = plt.subplots(1, 3, figsize=(12.0, 4.2), layout="constrained")
    light = LightSource(315, 35)
    step = along[1]
    for axis, (title, heights) in zip(axes, panels.items(), strict=True):
        shaded = light.shade(
            heights.T,
            plt.colormaps["copper"],
            blend_mode="soft",
            dx=step,
            dy=step,
            vmin=-0.3,
            vmax=0.4,
        )
        axis.imshow(shaded, origin="lower", extent=(0.0, SIDE, 0.0, SIDE))
        axis.set(title=title, xlabel="x [m]", ylabel="y [m]")
    figure.savefig(HERE / "rocks.png", dpi=RESOLUTION, facecolor="white")


if __name__ == "__main__":
    main()
