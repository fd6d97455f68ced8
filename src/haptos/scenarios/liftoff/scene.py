"""A lift-off map to look at: the body in the colours of its maps, directions, and the check flights."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from haptos.environment.spin import uniform_attitudes
from haptos.geometry.shape.curvature import azimuth_vectors
from haptos.results.result import Result
from haptos.results.scene import (
    Arrows,
    Camera,
    Item,
    Lines,
    MovingFrame,
    Points,
    ScalarMap,
    Scene,
    SceneSurface,
    Series,
)
from haptos.results.scene_parts import check_complete, triple
from haptos.scenarios.liftoff.config import Config
from haptos.scenarios.liftoff.model import omega_of, shape_of

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]

A = "A"  # axes fixed to the body
MOST_MAPS = 12  # of a campaign, as colours of one body
MOST_ARROWS = 1500  # directions of least speed shown
TAIL = 1.0  # [%] of the vertices at the upper end that share the last colour
MAPS = {  # what the body can be coloured by: column -> words, unit
    "least_speed_m_per_s": ("least speed of lift-off", "m/s"),
    "greatest_speed_m_per_s": ("greatest speed of lift-off", "m/s"),
    "ridge_speed_m_per_s": ("speed over a ridge, ball of 1 m", "m/s"),
    "wheel_limit_m_per_s": ("speed limit for wheels", "m/s"),
    "hop_limit_m_per_s": ("speed limit for hops", "m/s"),
    "slope_deg": ("slope", "deg"),
    "possible_share": ("share of directions that lift off", "-"),
    "geopotential_m2_per_s2": ("geopotential", "m^2/s^2"),
}


def scene(result: Result) -> Scene:
    """The body with its maps, arrows along the least speed, and the flights over it."""
    allowed = "tables map and mesh of this version"
    check_complete("tables", ("map", "mesh"), result.tables, allowed)
    check_complete("tables", (*MAPS, "least_azimuth_deg"), result.tables["map"], allowed)
    table, motion = result.tables["map"], result.trajectory
    vertices = np.asarray(table["r_A"].values)
    faces = np.asarray(result.tables["mesh"]["corners"].values)
    time = np.asarray(motion["time"].values)
    shares = result.config["flight"]["shares"]
    size = float(np.linalg.norm(vertices, axis=1).max())
    body = SceneSurface("body", vertices, faces, frame=A, maps=_maps(result))
    items: list[Item] = [body, _directions(result, size)]
    for k, share in enumerate(shares, start=1):
        path = np.asarray(motion[f"r_B{k}A_A"].values)
        items.append(Lines(f"flight at {share:g} V", path, frame=A, times=time))
        items.append(
            Points(f"stone at {share:g} V", path[:, None, :], frame=A, colour="body", size=8.0)
        )
    start = np.asarray(motion["r_B1A_A"].values[0])
    items.append(Points("place of the flights", start[None], frame=A, colour="start", size=9.0))
    return Scene(
        time=time,
        items=tuple(items),
        cameras=_cameras(result, start, size),
        frames=(MovingFrame(A, quaternion=uniform_attitudes(_spin(result), time)),),
        series=tuple(
            Series("height", f"{share:g} V", "m", time, motion[f"height_B{k}"].values)
            for k, share in enumerate(shares, start=1)
        ),
        notes=("grey: no speed lifts off, or not in every direction",),
    )


def overview(config: Config, runs: pd.DataFrame, replays: Mapping[int, Result]) -> Scene:
    """Scene of many maps at once: the body of run 0, coloured by the least speed of each."""
    vertices, faces = shape_of(config).mesh
    shape = config.as_table()["surface"]
    alike = {run: one for run, one in replays.items() if one.config["surface"] == shape}
    maps = []
    for run, result in list(alike.items())[:MOST_MAPS]:
        values = np.asarray(result.tables["map"]["least_speed_m_per_s"].values)
        shown = np.where(np.isfinite(values), values, np.nan)
        maps.append(ScalarMap(f"least speed, run {run}", "m/s", shown))
    size = float(np.linalg.norm(vertices, axis=1).max())
    return Scene(
        time=np.zeros(1),
        items=(SceneSurface("body", vertices, faces, frame=A, maps=tuple(maps)),),
        cameras=(_whole(size),),
        frames=(MovingFrame(A),),
        notes=(_reported(len(runs), len(maps), len(replays) - len(alike)),),
    )


def _reported(runs: int, shown: int, others: int) -> str:
    note = f"Maps of {shown} of {runs} runs on the body of run 0."
    if others:
        note += f" {others} run again have bodies of another shape. Pick a run to see its own."
    return note


def _maps(result: Result) -> tuple[ScalarMap, ...]:
    """Colours of the body; infinite speeds have none."""
    maps = []
    for column, (words, unit) in MAPS.items():
        values = np.asarray(result.tables["map"][column].values)
        finite = values[np.isfinite(values)]
        if finite.size:
            shown = np.where(np.isfinite(values), values, np.nan)
            high = float(np.percentile(finite, 100.0 - TAIL))
            maps.append(ScalarMap(words, unit, shown, float(finite.min()), high))
    return tuple(maps)


def _directions(result: Result, size: float) -> Arrows:
    """Directions of least speed at vertices spread over the body."""
    table = result.tables["map"]
    azimuth = np.radians(table["least_azimuth_deg"].values)
    known = np.flatnonzero(np.isfinite(azimuth))
    chosen = known[:: max(1, len(known) // MOST_ARROWS)]
    normal = np.asarray(table["normal_A"].values)[chosen]
    toward = azimuth_vectors(normal, _spin(result), azimuth[chosen])
    speed = np.asarray(table["least_speed_m_per_s"].values)[chosen, None]
    place = np.asarray(table["r_A"].values)[chosen] + 0.005 * size * normal
    return Arrows(
        "directions of least speed", "m/s", place, speed * toward, 0.08 * size, frame=A,
        colour="velocity", shown=False,
    )  # fmt: skip


def _spin(result: Result) -> Floats:
    return np.array(omega_of(Config.read_back(result.config)))


def _cameras(result: Result, start: Floats, size: float) -> tuple[Camera, ...]:
    """The whole body turning with it, and the flights from the side."""
    table = result.tables["map"]
    place = int(np.argmin(np.linalg.norm(table["r_A"].values - start, axis=1)))
    up = np.asarray(table["normal_A"].values)[place]
    ahead = np.asarray(result.trajectory["v_B1A_A"].values[0])
    side = np.cross(ahead / np.linalg.norm(ahead), up) + 0.15 * up
    paths = [v.values for n, v in result.trajectory.data_vars.items() if str(n).startswith("r_B")]
    reach = max(float(np.linalg.norm(path - start, axis=1).max()) for path in paths)
    return (
        _whole(size, _beside(start)),
        Camera("flights", A, triple(start), triple(side), triple(up), 3.0 * reach),
    )


def _whole(size: float, direction: tuple[float, float, float] = (1.0, -1.0, 0.6)) -> Camera:
    return Camera("body", A, A, direction, (0.0, 0.0, 1.0), 3.2 * size)


def _beside(place: Floats) -> tuple[float, float, float]:
    """Direction from which a place of the body is seen, somewhat from the side."""
    outward = place / np.linalg.norm(place)
    east = np.cross([0.0, 0.0, 1.0], outward)
    east = east / np.linalg.norm(east) if east.any() else np.array([1.0, 0.0, 0.0])
    return triple(outward + 0.5 * east + np.array([0.0, 0.0, 0.25]))
