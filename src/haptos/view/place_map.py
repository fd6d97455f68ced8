"""Where the runs of a campaign end on a body with a mesh, over longitude and latitude."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from haptos.core.units import DEGREE
from haptos.results.places import Places
from haptos.view.ground_mesh import ground_mesh
from haptos.view.map_figures import map_figure
from haptos.view.style import axis_label, house_style, is_many, literal, thinning

LEVEL = 5  # splits of a built-in body under the points

Floats = NDArray[np.float64]


def place_figures(places: Places) -> dict[str, Figure]:
    """{title: figure}; nothing where the mesh of the body cannot be had."""
    mesh = ground_mesh(places.surface, LEVEL)
    return {} if mesh is None else {places.words.title: place_map(*mesh, places)}


@house_style()
def place_map(vertices: Floats, faces: NDArray[np.int64], places: Places) -> Figure:
    """Places over the distance of the ground from the centre of mass."""
    radius = np.linalg.norm(vertices[faces].mean(axis=1), axis=1)
    drawn = map_figure(vertices, faces, radius, "radius_m")
    axes = drawn.axes[0]
    count = len(places.points)
    step = thinning(count)
    longitude, latitude = angles(places.points[::step])
    axes.scatter(longitude, latitude, **point_look(count))
    axes.set_xlabel(axis_label("longitude_deg", "A"))
    axes.set_ylabel(axis_label("latitude_deg", "A"))
    share = f"{count} of {places.total} runs {places.words.state}, over the distance from the centre of mass"
    axes.set_title(literal(share + (f"; one in {step} drawn" if step > 1 else "")))
    return drawn


def point_look(count: int) -> dict[str, Any]:
    """White points with a dark rim: no map has both, so they are seen on all of it, in grey as well."""
    size = 14.0 if count < 2000 else 6.0
    return {
        "color": "white", "edgecolor": "black", "linewidth": 0.7, "s": size, "zorder": 3,
        "rasterized": is_many(count),
    }  # fmt: skip


def angles(places: Floats) -> tuple[Floats, Floats]:
    """Longitude, -180 to 180, and latitude [deg] about the origin of A, of places, shape (n, 3)."""
    x, y, z = places.T
    return np.arctan2(y, x) / DEGREE, np.arctan2(z, np.hypot(x, y)) / DEGREE
