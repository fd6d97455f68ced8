"""What a lift-off run shows: maps of the body, curves over azimuth, flights, latitudes, limits."""

from __future__ import annotations

import numpy as np
import xarray
from numpy.typing import NDArray

from haptos.results.drawings import BodyMap, Drawing, Line, LinePlot
from haptos.results.result import Result
from haptos.scenarios.liftoff.config import Config
from haptos.scenarios.liftoff.model import shape_of

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

NOWHERE, NOT_ALL = "no speed lifts off", "some directions do not lift off at any speed"
MOST_AZIMUTH = 400.0  # times the least radius: above, a section is drawn as straight


def figures(result: Result) -> dict[str, Drawing]:
    """Title -> drawing."""
    return {
        **_maps(result),
        **_rays(result.tables["rays"]),
        **_ridges(result.tables["ridges"]),
        **_flights(result),
        **_latitudes(result.tables["latitudes"]),
        **_limits(result),
        **_series(result),
    }


class _FacetValues:
    """Mesh of a result and its vertex numbers as facet numbers."""

    def __init__(self, result: Result) -> None:
        self.table = result.tables["map"]
        self.vertices = np.asarray(self.table["r_A"].values)
        self.faces = np.asarray(result.tables["mesh"]["corners"].values)

    def all_of(self, name: str) -> Floats:
        """Mean of the corners; no number where one corner has none."""
        return np.asarray(self.table[name].values[self.faces].mean(axis=1))

    def any_of(self, name: str) -> Floats:
        """Mean of the corners that have a number."""
        corners = self.table[name].values[self.faces]
        return mean_of(corners, np.isfinite(corners))

    def azimuth(self, name: str) -> Floats:
        """Direction [rad] of the first corner that has one."""
        corners = np.radians(self.table[name].values[self.faces])
        first = np.argmax(np.isfinite(corners), axis=1)
        return np.asarray(corners[np.arange(len(corners)), first])

    def drawn(self, values: Floats, key: str, **options: object) -> BodyMap:
        return BodyMap(self.vertices, self.faces, values, key, **options)  # type: ignore[arg-type]


def mean_of(values: Floats, counted: NDArray[np.bool_]) -> Floats:
    """Mean along rows of what counts; NaN where nothing does."""
    total = np.where(counted, values, 0.0).sum(axis=1)
    count = counted.sum(axis=1)
    return np.asarray(np.where(count > 0, total / np.maximum(count, 1), np.nan))


def _maps(result: Result) -> dict[str, Drawing]:
    body = _FacetValues(result)
    least, greatest = body.any_of("least_speed_m_per_s"), body.all_of("greatest_speed_m_per_s")
    greatest = np.where(np.isfinite(greatest), greatest, np.nan)
    with np.errstate(divide="ignore"):
        sharp = 1.0 / body.all_of("curvature_largest_per_m")
        wide = 1.0 / body.all_of("curvature_least_per_m")
    flat = {"shows_body": False, "missing": "concave"}
    return {
        "Least speed of lift-off": body.drawn(
            least, "least_speed_m_per_s", azimuth=body.azimuth("least_azimuth_deg"), missing=NOWHERE
        ),
        "Greatest speed of lift-off": body.drawn(
            greatest,
            "greatest_speed_m_per_s",
            azimuth=np.where(np.isfinite(greatest), body.azimuth("greatest_azimuth_deg"), np.nan),
            missing=NOT_ALL,
        ),
        "Greatest less least": body.drawn(
            greatest - least, "speed_difference_m_per_s", missing=NOT_ALL, shows_body=False
        ),
        "Least radius of curvature": body.drawn(
            np.where(sharp > 0.0, sharp, np.nan), "least_radius_m", **flat
        ),
        "Greatest radius of curvature": body.drawn(
            np.where(wide > 0.0, wide, np.nan), "greatest_radius_m", **flat
        ),
        "Speed over a ridge, ball of 1 m": body.drawn(
            body.all_of("ridge_speed_m_per_s"), "ridge_speed_m_per_s"
        ),
    }


def _lines(table: xarray.Dataset, x: str, names: dict[str, str]) -> tuple[Line, ...]:
    across = np.asarray(table[x].values)
    return tuple(Line(label, across, np.asarray(table[n].values)) for n, label in names.items())


def _rays(rays: xarray.Dataset) -> dict[str, Drawing]:
    radius = np.asarray(rays["radius_of_curvature_m"].values)
    size = np.abs(radius[np.isfinite(radius)]).min()
    shown = np.where(np.abs(radius) < MOST_AZIMUTH * size, radius, np.nan)
    return {
        "Speed over azimuth": LinePlot(
            "azimuth_deg",
            "speed_m_per_s",
            _lines(
                rays,
                "azimuth",
                {
                    "speed_m_per_s": "first root, along",
                    "speed_against_m_per_s": "second root, against",
                },
            ),
        ),
        "Radius of curvature over azimuth": LinePlot(
            "azimuth_deg",
            "radius_of_curvature_m",
            (Line("ground", np.asarray(rays["azimuth"].values), shown),),
        ),
        "Plane over curved ground": LinePlot(
            "azimuth_deg", "speed_ratio", _lines(rays, "azimuth", {"plane_ratio": "ratio"})
        ),
    }


def _ridges(ridges: xarray.Dataset) -> dict[str, Drawing]:
    names = {
        "full_m_per_s": "all terms, eastward",
        "short_m_per_s": "without Coriolis",
        "published_m_per_s": "without the spin",
    }
    lines = _lines(ridges, "radius", names)
    plot = LinePlot("ball_radius_m", "ridge_speed_m_per_s", lines, is_logarithmic=True)
    return {"Speed over a ridge by size": plot}


def _flights(result: Result) -> dict[str, Drawing]:
    """Paths in the plane of the start, with the ground, and heights over time."""
    motion, table = result.trajectory, result.tables["map"]
    count = sum(1 for name in motion.variables if str(name).startswith("height_"))
    shares = result.config["flight"]["shares"]
    start = np.asarray(motion["r_B1A_A"].values[0])
    place = int(np.argmin(np.linalg.norm(table["r_A"].values - start, axis=1)))
    normal = np.asarray(table["normal_A"].values[place])
    ahead = np.asarray(motion["v_B1A_A"].values[0])
    ahead = ahead / np.linalg.norm(ahead)
    paths, heights = [], []
    for k in range(1, count + 1):
        away = motion[f"r_B{k}A_A"].values - start
        label = f"{shares[k - 1]:g} V"
        paths.append(Line(label, away @ ahead, away @ normal))
        height = np.asarray(motion[f"height_B{k}"].values)
        heights.append(Line(label, np.asarray(motion["time"].values), height))
    # The ground under a flight is its path less its height.
    ground = Line("ground", paths[0].x, paths[0].y - heights[0].y)
    return {
        "Flights from the place of least speed"
        if "place" not in result.config
        else "Flights from the place": LinePlot("way_m", "up_m", (*paths, ground)),
        "Height of the flights": LinePlot("time_s", "height_m", tuple(heights)),
    }


def _latitudes(table: xarray.Dataset) -> dict[str, Drawing]:
    longitude = np.asarray(table["longitude"].values)
    lines = [Line("ridge", longitude, np.asarray(table["ridge_latitude_deg"].values))]
    for z, share in enumerate(table["share"].values):
        both = np.concatenate(
            [table["north_deg"].values[z], [np.nan], table["south_deg"].values[z]]
        )
        across = np.concatenate([longitude, [np.nan], longitude])
        lines.append(Line(f"{share:g} kept", across, both))
    return {"Least latitude of release": LinePlot("longitude_deg", "latitude_deg", tuple(lines))}


def _limits(result: Result) -> dict[str, Drawing]:
    body = _FacetValues(result)
    wheel = body.all_of("wheel_limit_m_per_s")
    closed = np.any(body.table["wheel_limit_m_per_s"].values[body.faces] <= 0.0, axis=1)
    slips = "too steep for the wheels"
    return {
        "Speed limit for wheels": body.drawn(
            np.where(closed, np.nan, wheel), "wheel_limit_m_per_s", missing=slips
        ),
        "Speed limit for hops": body.drawn(
            body.all_of("hop_limit_m_per_s"), "hop_limit_m_per_s", shows_body=False
        ),
        "Slope": body.drawn(body.all_of("slope_deg"), "slope_deg", shows_body=False),
    }


def _series(result: Result) -> dict[str, Drawing]:
    """The harmonic fit beside the mesh, if there is one."""
    if "fit" not in result.tables:
        return {}
    body = _FacetValues(result)
    names = {"held_out_rms_m": "vertices held out", "fit_rms_m": "fitted vertices"}
    fit = LinePlot("degree", "radius_error_m", _lines(result.tables["fit"], "degree", names))
    drawings: dict[str, Drawing] = {
        "Error of the harmonic fit": fit,
        "Curvature of mesh less harmonics": body.drawn(
            body.all_of("curvature_difference"), "curvature_difference", shows_body=False
        ),
    }
    series = shape_of(Config.read_back(result.config)).series
    if series is not None:
        angle = np.linspace(-np.pi, np.pi, 721)
        points = series.points(0.0 * angle, angle)
        mesh = section(body.vertices, body.faces)
        lines = (
            Line("mesh", mesh[:, 0], mesh[:, 1]),
            Line("harmonics", points[:, 0], points[:, 1]),
        )
        drawings["Section at the equator"] = LinePlot("x_m", "y_m", lines, is_true_to_scale=True)
    return drawings


def section(vertices: Floats, faces: Integers) -> Floats:
    """Points (x, y) [m] of a closed mesh in the plane z = 0, in the order of their longitude."""
    start, end = faces.ravel(), np.roll(faces, -1, axis=1).ravel()
    p, q = vertices[start], vertices[end]
    crosses = (p[:, 2] > 0.0) & (q[:, 2] <= 0.0)
    p, q = p[crosses], q[crosses]
    share = p[:, 2] / (p[:, 2] - q[:, 2])
    points = (p + share[:, None] * (q - p))[:, :2]
    order = np.argsort(np.arctan2(points[:, 1], points[:, 0]))
    return np.asarray(points[np.append(order, order[0])])
