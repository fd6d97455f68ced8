"""Maps of a body's surface: over latitude and longitude, and on the body itself.

A map is one number per facet; its key names quantity and unit (`slope_deg`). Drawn as pixels, so that
a mesh of hundreds of thousands of facets costs seconds and the file stays small.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.collections import PolyCollection
from matplotlib.colors import Colormap, Normalize
from matplotlib.figure import Figure
from matplotlib.patheffects import withStroke
from numpy.typing import ArrayLike, NDArray

from haptos.view.style import INK, SEQUENCE, WIDTH, axis_label, figure, house_style, literal

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

PIXELS = (360, 720)  # rows and columns of a map: half a degree
CANDIDATES = 12  # facets tried per pixel, nearest in direction first
TAIL = 0.5  # [%] of the facets at either end that share the last colour, so that one spike does not
# take all the colours
DARKEST = 0.45  # [-] of a colour, where a facet turns away from the viewer
LIGHT = np.array([-0.5, 0.6, 1.0])  # right, up, towards the viewer: over the left shoulder
FINE = 30_000  # facets in sight above which they are about as small as pixels
VIEWS = ((-60.0, 25.0), (120.0, 25.0))  # [deg] longitude and latitude of the viewer


@house_style()
def map_figure(
    vertices: ArrayLike,
    faces: ArrayLike,
    values: ArrayLike,
    key: str,
    *,
    projection: str = "equirectangular",
    title: str = "",
    seen: Integers | None = None,
    missing: str = INK,
) -> Figure:
    """A map over latitude and longitude about the origin of the vertices.

    values      one per facet, shape (m,)      key  name with unit: 'slope_deg'
    projection  'equirectangular' or 'mollweide' (equal areas on a sphere)
    seen        `facets_seen` of this mesh, if at hand: most of the work
    missing     colour of facets without a number
    Where a ray meets the surface more than once the outermost facet is shown.
    """
    if projection not in ("equirectangular", "mollweide"):
        raise ValueError(f"projection '{projection}': equirectangular or mollweide")
    numbers = np.asarray(values, dtype=float)
    picture = numbers[facets_seen(vertices, faces) if seen is None else seen]
    scale = _scale(numbers)
    rows, columns = picture.shape
    if projection == "mollweide":
        drawn = figure(WIDTH, 4.1)
        axes = drawn.add_subplot(projection="mollweide")
        longitude = np.linspace(-np.pi, np.pi, columns + 1)
        latitude = np.linspace(-np.pi / 2, np.pi / 2, rows + 1)
        axes.pcolormesh(
            longitude, latitude, picture, cmap=_colours(missing), norm=scale, rasterized=True
        )
        axes.set_xticks(np.radians(np.arange(-120, 121, 60)))
        axes.set_yticks(np.radians(np.arange(-60, 61, 30)))
        axes.tick_params(axis="x", colors="white")
        for words in axes.get_xticklabels():
            words.set_path_effects([withStroke(linewidth=2.0, foreground="black", alpha=0.6)])
    else:
        drawn = figure(WIDTH, 3.9)
        axes = drawn.add_subplot()
        axes.imshow(
            picture,
            origin="lower",
            extent=(-180.0, 180.0, -90.0, 90.0),
            cmap=_colours(missing),
            norm=scale,
            interpolation="nearest",
        )
        axes.set_xticks(range(-180, 181, 60))
        axes.set_yticks(range(-90, 91, 30))
        axes.set_xlabel(axis_label("longitude_deg"))
        axes.set_ylabel(axis_label("latitude_deg"))
    axes.grid(True, color="white", alpha=0.35, linewidth=0.5)
    axes.set_axisbelow(False)
    _bar(drawn, [axes], numbers, scale, key)
    if title:
        axes.set_title(literal(title))
    return drawn


@house_style()
def body_figure(
    vertices: ArrayLike,
    faces: ArrayLike,
    values: ArrayLike,
    key: str,
    *,
    views: tuple[tuple[float, float], ...] = VIEWS,
    title: str = "",
    missing: str = INK,
) -> Figure:
    """The body coloured by a map and shaded, seen from some directions, without perspective.

    views  longitude and latitude [deg] of the viewer, one picture each, side by side; z is up
    """
    points, corners = np.asarray(vertices, dtype=float), np.asarray(faces)
    numbers = np.asarray(values, dtype=float)
    scale = _scale(numbers)
    colours = _colours(missing)(np.ma.masked_invalid(scale(numbers)))
    middle = 0.5 * (points.min(axis=0) + points.max(axis=0))
    seen = [(points - middle) @ _camera(*view) for view in views]
    wide, high = 1.04 * np.max([np.abs(flat).max(axis=0) for flat in seen], axis=0)[:2]
    drawn = figure(WIDTH, 0.8 + 0.88 * WIDTH / len(views) * high / wide)
    panels = np.atleast_1d(drawn.subplots(1, len(views), sharex=True, sharey=True))
    for axes, flat, (longitude, latitude) in zip(panels, seen, views, strict=True):
        _draw_body(axes, flat, corners, colours)
        axes.set_aspect("equal")
        axes.set_xlim(-wide, wide)
        axes.set_ylim(-1.15 * high, high)
        axes.axis("off")
        words = f"from longitude {longitude:g}°, latitude {latitude:g}°"
        axes.set_title(words, loc="center", y=-0.02, va="top", fontsize=8.5)
    _length_bar(panels[0], float(wide), float(high))
    _bar(drawn, list(panels), numbers, scale, key)
    if title:
        drawn.suptitle(literal(title), x=0.02, ha="left", fontsize=10.0)
    return drawn


@house_style()
def histogram_figure(
    values: ArrayLike, areas: ArrayLike | None, key: str, *, title: str = ""
) -> Figure:
    """How much of the surface has which value: in shares of the area, or of the facets if None."""
    numbers = np.asarray(values, dtype=float)
    weights = np.ones(len(numbers)) if areas is None else np.asarray(areas, dtype=float)
    finite = np.isfinite(numbers)
    drawn = figure(WIDTH, 2.6)
    axes = drawn.add_subplot()
    share = 100.0 * weights[finite] / weights.sum()
    axes.hist(numbers[finite], bins=60, weights=share, color=SEQUENCE(0.35))
    axes.set_xlabel(axis_label(key))
    axes.set_ylabel(f"share of the {'facets' if areas is None else 'area'} [%]")
    if title:
        axes.set_title(literal(title))
    return drawn


def facets_seen(
    vertices: ArrayLike, faces: ArrayLike, pixels: tuple[int, int] = PIXELS
) -> Integers:
    """Number of the facet that the ray of each pixel meets farthest out, shape `pixels`.

    Rows run from south to north, columns from longitude -180 to 180 deg. A pixel that meets none of
    the facets nearest in direction takes the nearest.
    """
    from scipy.spatial import cKDTree

    corners = np.asarray(vertices, dtype=float)[np.asarray(faces)]
    centre = corners.mean(axis=1)
    radius = np.linalg.norm(centre, axis=1)
    rows, columns = pixels
    phi = np.pi * ((np.arange(rows) + 0.5) / rows - 0.5)[:, None]
    lam = 2.0 * np.pi * ((np.arange(columns) + 0.5) / columns - 0.5)[None, :]
    rays = np.stack(
        np.broadcast_arrays(np.cos(phi) * np.cos(lam), np.cos(phi) * np.sin(lam), np.sin(phi)),
        axis=-1,
    ).reshape(-1, 3)
    tree = cKDTree(centre / radius[:, None])
    _, near = tree.query(rays, k=min(CANDIDATES, len(centre)), workers=-1)
    near = near.reshape(len(rays), -1)
    a, b, c = (corners[:, k] for k in range(3))
    walls = [np.cross(a, b), np.cross(b, c), np.cross(c, a)]
    best, farthest = near[:, 0].copy(), np.zeros(len(rays))
    for tried in near.T:
        sides = np.stack([np.einsum("pi,pi->p", wall[tried], rays) for wall in walls])
        met = np.all(sides >= 0.0, axis=0) & (radius[tried] > farthest)
        best[met], farthest[met] = tried[met], radius[tried][met]
    return np.asarray(best.reshape(pixels))


def _camera(longitude: float, latitude: float) -> Floats:
    """Columns: to the right, up, and towards a viewer at longitude and latitude [deg]."""
    lam, phi = np.radians([longitude, latitude])
    toward = np.array([np.cos(phi) * np.cos(lam), np.cos(phi) * np.sin(lam), np.sin(phi)])
    right = np.array([-np.sin(lam), np.cos(lam), 0.0])
    return np.stack([right, np.cross(toward, right), toward], axis=1)


def _draw_body(axes: Axes, points: Floats, faces: Integers, colours: Floats) -> None:
    """Facets that face the viewer, the nearest last, darker where they turn from the light."""
    a, b, c = (points[faces[:, k]] for k in range(3))
    normal = np.cross(b - a, c - a)
    shown = np.flatnonzero(normal[:, 2] > 0.0)
    shown = shown[np.argsort(points[faces[shown], 2].sum(axis=1), kind="stable")]
    toward = normal[shown] @ LIGHT / (np.linalg.norm(LIGHT) * np.linalg.norm(normal[shown], axis=1))
    fill = colours[shown].copy()
    fill[:, :3] *= DARKEST + (1.0 - DARKEST) * np.clip(toward, 0.0, 1.0)[:, None]
    # Edges in the colour of their facet close the hair lines between smoothed neighbours; where
    # facets are as small as pixels neither smoothing nor edges show.
    is_fine = len(shown) > FINE
    edges = {"edgecolors": "none"} if is_fine else {"edgecolors": fill, "linewidths": 0.25}
    axes.add_collection(
        PolyCollection(
            list(points[faces[shown], :2]),
            facecolors=fill,
            antialiaseds=not is_fine,
            rasterized=True,
            **edges,
        )
    )


def _length_bar(axes: Axes, wide: float, high: float) -> None:
    """A round length drawn under the body."""
    power = 10.0 ** np.floor(np.log10(wide))
    length = power * max(step for step in (1.0, 2.0, 5.0) if step * power <= wide)
    axes.plot([-wide, length - wide], [-1.1 * high] * 2, color=INK, ls="-", lw=2.0, clip_on=False)
    words = f"{length / 1e3:g} km" if length >= 1e3 else f"{length:g} m"
    axes.text(-wide, -1.08 * high, words, fontsize=8.5, va="bottom")


def _scale(values: Floats) -> Normalize:
    """Colours from a low to a high percentile, so that single facets do not take them all."""
    finite = values[np.isfinite(values)]
    if not finite.size:
        return Normalize(0.0, 1.0)
    low, high = np.percentile(finite, [TAIL, 100.0 - TAIL])
    return Normalize(low, high if high > low else low + max(abs(low), 1.0) * 1e-9)


def _colours(missing: str = INK) -> Colormap:
    found: Colormap = SEQUENCE.with_extremes(bad=missing)
    return found


def _bar(drawn: Figure, axes: Sequence[Axes], values: Floats, scale: Normalize, key: str) -> None:
    """Colour bar with the unit; points where values lie beyond its ends."""
    finite = values[np.isfinite(values)]
    beyond = (
        bool(finite.size) and float(finite.min()) < (scale.vmin or 0.0),
        bool(finite.size) and float(finite.max()) > (scale.vmax or 0.0),
    )
    ends = {(True, True): "both", (True, False): "min", (False, True): "max"}
    bar = drawn.colorbar(
        ScalarMappable(scale, _colours()),
        ax=axes,
        extend=ends.get(beyond, "neither"),
        shrink=0.85,
        pad=0.03,
        label=axis_label(key),
    )
    bar.outline.set_visible(False)
