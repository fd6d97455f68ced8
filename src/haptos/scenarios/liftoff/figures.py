"""What a lift-off run shows: maps of the body, curves over azimuth, flights, latitudes, limits."""

from __future__ import annotations

import numpy as np
import xarray
from numpy.typing import NDArray

from haptos.geometry.mesh.plane_section import section
from haptos.results.drawings import BodyMap, Drawing, Line, LinePlot
from haptos.results.facet_numbers import of_all_corners, of_first_known_corner, of_known_corners
from haptos.results.result import Result
from haptos.scenarios.liftoff.config import Config
from haptos.scenarios.liftoff.model import shape_of

Floats = NDArray[np.float64]

NOWHERE, NOT_ALL = "no speed lifts off", "some directions do not lift off at any speed"
CONCAVE = "concave"
PLAIN = {"shows_body": False}  # a map without a view of the body
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
        return of_all_corners(self.table[name].values, self.faces)

    def any_of(self, name: str) -> Floats:
        return of_known_corners(self.table[name].values, self.faces)

    def azimuth(self, name: str) -> Floats:
        """Direction [rad]."""
        return of_first_known_corner(np.radians(self.table[name].values), self.faces)

    def drawn(self, values: Floats, key: str, **options: object) -> BodyMap:
        return BodyMap(self.vertices, self.faces, values, key, **options)  # type: ignore[arg-type]


def _maps(result: Result) -> dict[str, Drawing]:
    body = _FacetValues(result)
    least, greatest = body.any_of("least_speed_m_per_s"), body.all_of("greatest_speed_m_per_s")
    greatest = np.where(np.isfinite(greatest), greatest, np.nan)
    toward, away = body.azimuth("least_azimuth_deg"), body.azimuth("greatest_azimuth_deg")
    away = np.where(np.isfinite(greatest), away, np.nan)
    sharp, wide = _radius(body, "curvature_largest_per_m"), _radius(body, "curvature_least_per_m")
    ridge = "ridge_speed_m_per_s"
    drawn = {
        "Least speed of lift-off": (least, "least_speed_m_per_s", {"azimuth": toward, "missing": NOWHERE}),
        "Greatest speed of lift-off": (greatest, "greatest_speed_m_per_s", {"azimuth": away, "missing": NOT_ALL}),
        "Greatest less least": (greatest - least, "speed_difference_m_per_s", {"missing": NOT_ALL, **PLAIN}),
        "Least radius of curvature": (sharp, "least_radius_m", {"missing": CONCAVE, **PLAIN}),
        "Greatest radius of curvature": (wide, "greatest_radius_m", {"missing": CONCAVE, **PLAIN}),
        "Speed over a ridge, ball of 1 m": (body.all_of(ridge), ridge, {}),
    }  # fmt: skip
    return {
        title: body.drawn(values, key, **options) for title, (values, key, options) in drawn.items()
    }


def _radius(body: _FacetValues, curvature: str) -> Floats:
    """Radius [m] of convex ground; NaN of the rest."""
    with np.errstate(divide="ignore"):
        found = 1.0 / body.all_of(curvature)
    return np.where(found > 0.0, found, np.nan)


def _lines(table: xarray.Dataset, x: str, names: dict[str, str]) -> tuple[Line, ...]:
    across = np.asarray(table[x].values)
    return tuple(Line(label, across, np.asarray(table[n].values)) for n, label in names.items())


def _rays(rays: xarray.Dataset) -> dict[str, Drawing]:
    azimuth, radius = (np.asarray(rays[n].values) for n in ("azimuth", "radius_of_curvature_m"))
    size = np.abs(radius[np.isfinite(radius)]).min()
    shown = np.where(np.abs(radius) < MOST_AZIMUTH * size, radius, np.nan)
    roots = {"speed_m_per_s": "first root, along", "speed_against_m_per_s": "second root, against"}
    drawn = {
        "Speed over azimuth": ("speed_m_per_s", _lines(rays, "azimuth", roots)),
        "Radius of curvature over azimuth": (
            "radius_of_curvature_m", (Line("ground", azimuth, shown),),
        ),
        "Plane over curved ground": (
            "speed_ratio", _lines(rays, "azimuth", {"plane_ratio": "ratio"}),
        ),
    }  # fmt: skip
    return {title: LinePlot("azimuth_deg", key, lines) for title, (key, lines) in drawn.items()}


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
