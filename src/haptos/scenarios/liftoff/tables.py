"""What a lift-off run found as described tables, and in single numbers."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import xarray

from haptos.core.frames import NO_FRAME, Frame
from haptos.dynamics.liftoff.liftoff import concave_limit, plane_speed, ridge_speed
from haptos.dynamics.liftoff.liftoff_flight import Flights
from haptos.dynamics.liftoff.liftoff_map import LiftoffMap
from haptos.geometry.shape.curvature import KINDS, azimuth_vectors
from haptos.geometry.shape.spherical_harmonics import latitude_longitude
from haptos.results.result import described, described_columns
from haptos.scenarios.liftoff.config import Config
from haptos.scenarios.liftoff.model import Model

if TYPE_CHECKING:
    from haptos.scenarios.liftoff.simulate import Found

A = str(Frame.SMALL_BODY)
MOST_RATIO = 1e3  # [-] of plane to ground, above which Coriolis is next to nothing
QUANTILES = {"least_speed": (5, 50, 95), "greatest_speed": (5, 50, 75)}  # [%] reported of each
SINGLE = (  # metrics besides quantiles and shares of kinds of ground
    "held_share", "ridge_speed_median_m_per_s", "ridge_speed_published_median_m_per_s",
    "wheel_open_share", "wheel_limit_median_m_per_s", "hop_limit_min_m_per_s", "mu_m3_per_s2",
    "vertices", "gravity_facets", "place_latitude_deg", "place_longitude_deg",
    "place_speed_m_per_s", "place_azimuth_deg", "flight_speed_m_per_s", "flight_duration_s",
    "flight_confirmed_s",
)  # fmt: skip
RADII = np.logspace(-2.0, 1.0, 31)  # [m] of balls, for the speed over ridges


def flight_table(flights: Flights) -> xarray.Dataset:
    """Position, velocity and height of each flight, B1, B2 ... in the order of the shares."""
    axes = ("time", "axis")
    held = {}
    for k, share in enumerate(flights.shares):
        body, words = f"B{k + 1}", f"of the stone at {share:g} V"
        held[f"r_{body}A_A"] = described(axes, flights.position[k], "m", A, f"position {words}")
        held[f"v_{body}A_A"] = described(axes, flights.velocity[k], "m/s", A, f"velocity {words}")
        held[f"height_{body}"] = described(
            ("time",), flights.height[k], "m", NO_FRAME, f"height over the ground {words}"
        )
    time = described(("time",), flights.time, "s", NO_FRAME, "time since the start")
    return xarray.Dataset(held, coords={"time": time, "axis": ["x", "y", "z"]})


def no_events() -> xarray.Dataset:
    """A map has no events."""
    text = "time of the event"
    return xarray.Dataset({"event_time": described(("event",), np.empty(0), "s", NO_FRAME, text)})


def tables(config: Config, model: Model, found: Found) -> dict[str, xarray.Dataset]:
    """Name -> table: map (per vertex), mesh (facets), rays, ridges, latitudes, and fit if any."""
    held = {
        "map": map_table(model, found),
        "mesh": xarray.Dataset(
            {"corners": described(("facet", "corner"), model.shape.mesh[1], "-", NO_FRAME,
                                  "vertices of each facet, outward")}
        ),
        "rays": rays_table(found),
        "ridges": ridges_table(found),
        "latitudes": latitudes_table(found),
    }  # fmt: skip
    if model.shape.scan is not None:
        held["fit"] = fit_table(model)
    return held


def map_table(model: Model, found: Found) -> xarray.Dataset:
    """One row per vertex."""
    mapped, limits = found.map, found.limits
    ground = mapped.ground
    latitude, longitude = latitude_longitude(ground.points)
    columns = {
        "latitude_deg": (np.degrees(latitude), "deg", "of the vertex"),
        "longitude_deg": (np.degrees(longitude), "deg", "of the vertex"),
        "least_speed_m_per_s": (mapped.least, "m/s", "least speed of lift-off; inf for none"),
        "least_azimuth_deg": (np.degrees(mapped.least_azimuth), "deg", "from east over north"),
        "greatest_speed_m_per_s": (
            mapped.greatest, "m/s", "greatest speed of lift-off; inf where some direction has none",
        ),
        "greatest_azimuth_deg": (np.degrees(mapped.greatest_azimuth), "deg", "of that"),
        "possible_share": (mapped.possible, "-", "share of directions that lift off"),
        "curvature_largest_per_m": (ground.largest, "1/m", "largest normal curvature"),
        "curvature_least_per_m": (ground.least, "1/m", "least normal curvature"),
        "kind": (ground.kind.astype(float), "-", "0 convex, 1 mixed, 2 concave"),
        "normal_load_m_per_s2": (mapped.pressing, "m/s^2", "load at rest into the ground"),
        "slope_deg": (np.degrees(mapped.slope), "deg", "load at rest to the inward normal"),
        "geopotential_m2_per_s2": (mapped.geopotential, "m^2/s^2", "of gravity, tide and spin"),
        "ridge_speed_m_per_s": (mapped.ridge, "m/s", "over a ridge, ball of 1 m; as its root"),
        "ridge_speed_published_m_per_s": (mapped.ridge_published, "m/s", "without the spin"),
        "wheel_limit_m_per_s": (limits.wheel, "m/s", "limit for wheels; 0 where they slip"),
        "roll_limit_m_per_s": (limits.roll, "m/s", "limit for things that roll"),
        "hop_limit_m_per_s": (limits.hop, "m/s", "limit for hops: bound in every direction"),
    }  # fmt: skip
    other = model.shape.other
    if other is not None:
        radius = float(np.mean(np.linalg.norm(ground.points, axis=1)))
        series, mesh = (ground, other) if model.shape.uses_series else (other, ground)
        error = (mesh.gaussian - series.gaussian) * radius**2
        text = "Gaussian curvature of the mesh less that of the harmonics, over that of a ball"
        columns["curvature_difference"] = (error, "-", text)
    held = described_columns(("vertex",), columns)
    held["r_A"] = described(("vertex", "axis"), ground.points, "m", A, "place of the vertex")
    held["normal_A"] = described(("vertex", "axis"), ground.normal, "-", A, "outward normal")
    return xarray.Dataset(held, coords={"axis": ["x", "y", "z"]})


def rays_table(found: Found) -> xarray.Dataset:
    """Speeds and radius of curvature over azimuth, at the place of the flights."""
    mapped = found.map
    at, azimuth = mapped.ground.chosen([found.place]), np.radians(np.arange(0.0, 361.0, 1.0))
    with_it, again = (row[0] for row in mapped.along(azimuth, found.place))
    against = mapped.along(azimuth + np.pi, found.place)[0][0]
    toward, turning = _turning(mapped, found.place, azimuth)
    bend = np.array([float(at.along(d)[0]) for d in toward])
    load = float(mapped.pressing[found.place])
    flat = np.array([plane_speed(load, float(w)) for w in turning])
    hollow = np.array([concave_limit(load, float(w)) for w in turning])
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(flat < MOST_RATIO * with_it, flat / with_it, np.nan)
        radius = np.where(bend != 0.0, 1.0 / bend, np.inf)
    columns = {
        "speed_m_per_s": (with_it, "m/s", "of lift-off along the azimuth"),
        "speed_against_m_per_s": (-against, "m/s", "second root: along the opposite azimuth, < 0"),
        "pressed_again_m_per_s": (again, "m/s", "above this concave ground presses again"),
        "radius_of_curvature_m": (radius, "m", "of the ground along the azimuth; < 0 concave"),
        "plane_speed_m_per_s": (flat, "m/s", "of a plane in the same place"),
        "plane_ratio": (ratio, "-", "speed of the plane over that of the ground"),
        "concave_limit_m": (hollow, "m", "least radius of a hollow that lets go"),
    }
    held = described_columns(("azimuth",), columns)
    angle = described(("azimuth",), np.degrees(azimuth), "deg", NO_FRAME, "from east over north")
    return xarray.Dataset(held, coords={"azimuth": angle})


def _turning(mapped: LiftoffMap, place: int, azimuth: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(unit vectors (a, 3), Omega_b [rad/s] (a,)) of azimuths at one vertex."""
    normal = mapped.ground.normal[place : place + 1]
    spin = np.array(mapped.omega)
    toward = azimuth_vectors(normal, spin, azimuth)
    return toward, np.cross(normal, toward) @ spin


def ridges_table(found: Found) -> xarray.Dataset:
    """Speed over a ridge against the ball's radius: full, short, and as published."""
    mapped, k = found.map, found.place
    _, turning = _turning(mapped, k, np.array([0.0]))
    load = float(mapped.pressing[k])
    full = np.array([ridge_speed(load, float(turning[0]), radius) for radius in RADII.tolist()])
    published = np.sqrt(RADII) * float(mapped.ridge_published[k])
    text = "speed over a ridge"
    columns = {
        "full_m_per_s": (full, "m/s", f"{text}, eastward, with all terms"),
        "short_m_per_s": (np.sqrt(RADII * load), "m/s", f"{text}, without Coriolis"),
        "published_m_per_s": (published, "m/s", f"{text}, without the spin"),
    }
    held = described_columns(("radius",), columns)
    radius = described(("radius",), RADII, "m", NO_FRAME, "of the ball")
    return xarray.Dataset(held, coords={"radius": radius})


def latitudes_table(found: Found) -> xarray.Dataset:
    """Latitudes of release per meridian and share of kept energy."""
    got = found.latitudes
    lines = {
        "north_deg": (np.degrees(got.north), "deg", "least latitude of release in the north"),
        "south_deg": (np.degrees(got.south), "deg", "the same in the south"),
    }
    ridge, text = np.degrees(got.ridge_latitude), "where least speed along the meridian lifts off"
    meridians = {
        "ridge_latitude_deg": (ridge, "deg", text),
        "ridge_speed_m_per_s": (got.ridge_speed, "m/s", "that speed"),
    }
    held = described_columns(("share", "longitude"), lines)
    held |= described_columns(("longitude",), meridians)
    along, longitude = ("longitude",), np.degrees(got.longitude)
    coords = {
        "share": described(("share",), got.shares, "-", NO_FRAME, "of the released energy kept"),
        "longitude": described(along, longitude, "deg", NO_FRAME, "of the meridian"),
    }
    return xarray.Dataset(held, coords=coords)


def fit_table(model: Model) -> xarray.Dataset:
    """Errors of the harmonic fit over its degree."""
    scan = model.shape.scan
    assert scan is not None
    columns = {
        "held_out_rms_m": (scan.held_out_rms_m, "m", "radius error at vertices left out"),
        "fit_rms_m": (scan.fit_rms_m, "m", "radius error at fitted vertices"),
    }
    held = described_columns(("degree",), columns)
    degree = described(("degree",), scan.degrees.astype(float), "-", NO_FRAME, "of the series")
    return xarray.Dataset(held, coords={"degree": degree})


def metric_names() -> tuple[str, ...]:
    """Names of all metrics, before there is a run."""
    return (*(f"{name}_q{mark:02d}_m_per_s" for name, marks in QUANTILES.items() for mark in marks),
            "least_speed_min_m_per_s", *(f"{kind}_share" for kind in KINDS), *SINGLE)  # fmt: skip


def metrics(config: Config, model: Model, found: Found) -> dict[str, float]:
    """Single numbers of a run."""
    mapped, flights = found.map, found.flights
    held = mapped.is_held
    least, greatest = mapped.least, mapped.greatest  # both 0 where nothing stays
    spot = latitude_longitude(mapped.ground.points[found.place])
    numbers: dict[str, float] = {}
    for name, values in (("least_speed", least), ("greatest_speed", greatest)):
        finite = values[np.isfinite(values)]
        for mark in QUANTILES[name]:
            value = float(np.percentile(finite, mark)) if finite.size else math.nan
            numbers[f"{name}_q{mark:02d}_m_per_s"] = value
    numbers["least_speed_min_m_per_s"] = float(least.min())
    numbers |= {f"{k}_share": v for k, v in zip(KINDS, mapped.shares(), strict=True)}
    numbers |= {
        "held_share": float(held.mean()),
        "ridge_speed_median_m_per_s": float(np.median(mapped.ridge)),
        "ridge_speed_published_median_m_per_s": float(np.median(mapped.ridge_published)),
        "wheel_open_share": float(found.limits.is_open.mean()),
        "wheel_limit_median_m_per_s": _median(found.limits.wheel[found.limits.is_open]),
        "hop_limit_min_m_per_s": float(found.limits.hop.min()),
        "mu_m3_per_s2": model.mu,
        "vertices": float(len(mapped.ground)),
        "gravity_facets": float(model.gravity_facets),
        "place_latitude_deg": math.degrees(float(spot[0])),
        "place_longitude_deg": math.degrees(float(spot[1])),
        "place_speed_m_per_s": _place_speed(found),
        "place_azimuth_deg": math.degrees(flights.azimuth),
        "flight_speed_m_per_s": flights.speed,
        "flight_duration_s": float(flights.time[-1]),
        "flight_confirmed_s": flights.confirmed_until,
    }
    return numbers


def _place_speed(found: Found) -> float:
    """Speed [m/s] of lift-off there along the azimuth of the flights, of what the map is for."""
    speeds, _ = found.map.along(found.flights.azimuth, found.place)
    return float(speeds[0, 0])


def _median(values: np.ndarray) -> float:
    return float(np.median(values)) if values.size else math.nan
