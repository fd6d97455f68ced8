"""Places where runs end over slope, geopotential and relief: equal-area charts, and ones turned to where they lie.

On a chart of longitude and latitude a site near a pole is torn apart. The turned chart has its origin at the mean
direction of the places: there the two axes are arcs along and across the meridian of that point.
"""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from haptos.core.units import DEGREE
from haptos.results.places import GroundMaps, Places
from haptos.view.map_figures import facets_seen, map_figure
from haptos.view.place_map import angles, point_look
from haptos.view.style import axis_label, house_style, literal, thinning

Floats = NDArray[np.float64]

NAMES = {
    "slope_deg": "slope",
    "geopotential_m2_per_s2": "geopotential",
    "relief_m": "relief",
}
BARS = {  # where the key alone says too little
    "relief_m": "relief above the mean ellipsoid [m]",
    "geopotential_m2_per_s2": "geopotential [m^2/s^2], high on low ground",
}
ROOM = 15.0  # [deg] around the places on the turned chart


def place_charts(places: Places) -> dict[str, Figure]:
    """Title -> figure; nothing without maps of the body."""
    ground, points, words = places.ground, places.points, places.words.plural
    if ground is None:
        return {}
    over = f"{places.words.heading} over"
    seen = facets_seen(ground.vertices, ground.faces)
    keys = [key for key in NAMES if key in ground.maps]
    drawn = {
        f"{over} {NAMES[key]}, equal areas": equal_area_chart(ground, key, points, words, seen)
        for key in keys
    }
    if "relief_m" in keys:
        drawn[f"{over} relief"] = plain_chart(ground, "relief_m", points, words, seen)
    turned_vertices = ground.vertices @ turning(points)[0].T
    seen = facets_seen(turned_vertices, ground.faces)
    for key in keys:
        if key != "geopotential_m2_per_s2":  # as smooth on the small as on the large
            title = f"{over} {NAMES[key]}, turned to their middle"
            drawn[title] = turned_chart(ground, key, points, words, seen)
    return drawn


@house_style()
def plain_chart(
    ground: GroundMaps,
    key: str,
    places: Floats,
    words: str = "places",
    seen: NDArray[np.int64] | None = None,
) -> Figure:
    """Places [m], (n, 3), over longitude and latitude about the centre of mass."""
    drawn = _background(ground.vertices, ground, key, seen=seen)
    axes = drawn.axes[0]
    step = thinning(len(places))
    axes.scatter(*angles(places[::step]), **point_look(len(places)))
    axes.set_xlabel(axis_label("longitude_deg", "A"))
    axes.set_ylabel(axis_label("latitude_deg", "A"))
    axes.set_title(literal(_words(len(places), words, step)))
    return drawn


@house_style()
def equal_area_chart(
    ground: GroundMaps,
    key: str,
    places: Floats,
    words: str = "places",
    seen: NDArray[np.int64] | None = None,
) -> Figure:
    """Places [m], (n, 3), on Mollweide's projection of a map, about the centre of mass."""
    drawn = _background(ground.vertices, ground, key, projection="mollweide", seen=seen)
    axes = drawn.axes[0]
    step = thinning(len(places))
    longitude, latitude = angles(places[::step])
    axes.scatter(longitude * DEGREE, latitude * DEGREE, **point_look(len(places)))
    axes.set_xlabel("longitude [deg], A axes", labelpad=8.0)
    axes.set_ylabel("latitude [deg], A axes")
    axes.set_title(literal(_words(len(places), words, step)))
    return drawn


@house_style()
def turned_chart(
    ground: GroundMaps,
    key: str,
    places: Floats,
    words: str = "places",
    seen: NDArray[np.int64] | None = None,
) -> Figure:
    """Places [m], (n, 3), over a map, both turned so that their mean direction is the origin.

    seen  `facets_seen` of the turned mesh, if at hand
    """
    dcm, (east, north) = turning(places)
    step = thinning(len(places))
    drawn = _background(ground.vertices @ dcm.T, ground, key, seen=seen)
    axes = drawn.axes[0]
    x, y = angles(places[::step] @ dcm.T)
    axes.scatter(x, y, **point_look(len(places)))
    wide = float(np.clip(np.abs(x).max() + ROOM, 30.0, 180.0))
    high = float(np.clip(np.abs(y).max() + ROOM, 30.0, 90.0))
    axes.set_xlim(-wide, wide)
    axes.set_ylim(-high, high)
    for axis, limit in ((axes.xaxis, wide), (axes.yaxis, high)):
        spacing = 60.0 if limit > 120.0 else 30.0 if limit > 45.0 else 15.0
        axis.set_ticks(np.arange(-spacing * (limit // spacing), limit + 0.1, spacing))
    axes.set_xlabel("turned longitude [deg], about the origin of the chart")
    axes.set_ylabel("turned latitude [deg], about the same")
    middle = f"origin at longitude {east:.0f}, latitude {north:.0f} deg, A axes"
    axes.set_title(literal(f"{_words(len(places), words, step)}; {middle}"), fontsize=9.0)
    return drawn


def turning(places: Floats) -> tuple[Floats, tuple[float, float]]:
    """(rotation of A axes into those of the chart, longitude and latitude [deg] of its origin).

    The x axis of the chart points to the mean direction of the places, (n, 3); its z axis lies in the
    meridian of that point, to the north. A mean direction at a pole has the meridian of longitude 0.
    """
    mean = (places / np.linalg.norm(places, axis=1)[:, None]).mean(axis=0)
    size = float(np.linalg.norm(mean))
    forward = mean / size if size > 1e-9 else np.array([1.0, 0.0, 0.0])  # spread evenly over all
    across = np.cross([0.0, 0.0, 1.0], forward)
    length = float(np.linalg.norm(across))
    left = across / length if length > 1e-9 else np.array([0.0, 1.0, 0.0])
    dcm = np.stack([forward, left, np.cross(forward, left)])
    longitude, latitude = angles(forward[None, :])
    return dcm, (float(longitude[0]), float(latitude[0]))


def _background(
    vertices: Floats,
    ground: GroundMaps,
    key: str,
    *,
    projection: str = "equirectangular",
    seen: NDArray[np.int64] | None,
) -> Figure:
    """The map under the places, its colour bar in full words."""
    drawn = map_figure(vertices, ground.faces, ground.maps[key], key, projection=projection, seen=seen)  # fmt: skip
    if key in BARS:
        drawn.axes[1].set_ylabel(BARS[key])
    return drawn


def _words(count: int, words: str, step: int) -> str:
    return f"{count} {words}" + (f", one in {step} drawn" if step > 1 else "")
