"""The ground that holds 1, 2, 3 sigma of the places where runs end: a map of the zones and their areas."""

from __future__ import annotations

import numpy as np
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from numpy.typing import ArrayLike, NDArray

from haptos.core.errors import GeometryError
from haptos.core.number_text import short_number
from haptos.geometry.shape.dispersion_area import FEWEST_PLACES, DispersionAreas, dispersion_areas
from haptos.results.places import Places
from haptos.view.ground_mesh import ground_mesh
from haptos.view.map_figures import facets_seen
from haptos.view.place_map import LEVEL
from haptos.view.style import SEQUENCE, WIDTH, axis_label, figure, house_style

MOST_FACETS = 60_000  # of a mesh file; finer ones are left to Python, they cost minutes
OUTSIDE = (0.93, 0.93, 0.93, 1.0)

Floats = NDArray[np.float64]


def dispersion_figures(places: Places) -> dict[str, Figure]:
    """{'Dispersion areas': figure}; nothing unless the body holds enough places.

    Runs that are not trusted do not count, as in the statistics.
    """
    points = places.points[places.trusted]
    mesh = ground_mesh(places.surface, LEVEL) if len(points) >= FEWEST_PLACES else None
    if mesh is None or len(mesh[1]) > MOST_FACETS:
        return {}
    try:
        found = dispersion_areas(points, *mesh)
    except GeometryError:  # too wide a spread for so fine a mesh
        return {}
    return {"Dispersion areas": dispersion_map(*mesh, found)}


@house_style()
def dispersion_map(vertices: ArrayLike, faces: ArrayLike, found: DispersionAreas) -> Figure:
    """Zones over longitude and latitude, their areas with 95 % intervals beside them."""
    drawn = figure(WIDTH, 4.3)
    axes = drawn.add_subplot()
    count = len(found.areas)
    shades = [SEQUENCE(0.1 + 0.75 * k / max(count - 1, 1)) for k in range(count)]
    axes.imshow(
        found.zones[facets_seen(vertices, faces)],
        origin="lower",
        extent=(-180.0, 180.0, -90.0, 90.0),
        cmap=ListedColormap([OUTSIDE, *shades]),
        vmin=-0.5,
        vmax=count + 0.5,
        interpolation="nearest",
    )
    axes.set_xticks(range(-180, 181, 60))
    axes.set_yticks(range(-90, 91, 30))
    axes.set_xlabel(axis_label("longitude_deg", "A"))
    axes.set_ylabel(axis_label("latitude_deg", "A"))
    keys = [Patch(color=shade, label=area_words(found, k)) for k, shade in enumerate(shades)]
    axes.legend(handles=keys, loc="lower left", bbox_to_anchor=(0.0, 1.0), ncols=1)
    return drawn


def area_words(found: DispersionAreas, k: int) -> str:
    """'68.27 % of 4000 places on 1234 m² [1200, 1270]'"""
    words = f"{100.0 * found.shares[k]:.4g} % of {found.places} places on {short_number(found.areas[k], 4)} m²"
    if np.isfinite(found.low[k]):
        words += f" [{short_number(found.low[k], 4)}, {short_number(found.high[k], 4)}]"
    return words
