"""A harpoon run to look at: ground, spacecraft, harpoon or canister, the line coloured by its tension."""

from __future__ import annotations

import math

import numpy as np
import xarray

from haptos.results.result import Result
from haptos.results.scene import (
    Camera,
    Item,
    Lines,
    MovingFrame,
    ScalarMap,
    Scene,
    SceneSurface,
    Series,
)
from haptos.results.scene_parts import at_nodes, box, drawn_rows, sloping_square, stored_marks
from haptos.scenarios.harpoon.config import Config
from haptos.scenarios.worlds.site_scene import camera_frame, site_surfaces

CRAFT, LOAD = "spacecraft", "harpoon"
MOST_FRAMES = 600  # times of the viewer


def scene(result: Result) -> Scene:
    """Spacecraft and harpoon in motion over the ground."""
    motion = result.trajectory
    time = np.asarray(motion["time"].values)
    chosen = drawn_rows(len(time), MOST_FRAMES)
    chosen = chosen[np.append(np.diff(time[chosen]) > 0.0, True)]
    part, when = motion.isel(time=chosen), time[chosen]
    hull, load = part["r_BN_N"].values, part["r_CN_N"].values
    height = float(result.config["spacecraft"]["height_m"])
    angle = (
        np.nan_to_num(part["axis_angle"].values) if "axis_angle" in part else np.zeros(len(when))
    )
    turned = np.stack([np.cos(angle / 2), 0 * angle, -np.sin(angle / 2), 0 * angle], axis=1)
    size = 0.04 * height
    rod = result.config["harpoon"]
    near = max(0.2 * height, 4.0 * float(rod["shaft_length_m"]))
    apart = float(np.median(np.linalg.norm(hull - load, axis=1)))  # most of a run is the way back
    frames = [MovingFrame(CRAFT, hull), MovingFrame(LOAD, load, turned)]
    pull = np.nan_to_num(part["tension"].values) if "tension" in part else np.zeros(len(when))
    nodes, felt = _line(part, hull, load, pull)
    colours = ScalarMap("tension", "N", felt, 0.0, float(max(felt.max(), 1e-9)))
    plane = sloping_square("ground", height, result.config["ground"]["slope_deg"])
    config, hit = Config.read_back(result.config), _hit(result, when, load)
    axes = camera_frame(config, frames)
    items: list[Item] = [
        *site_surfaces(config, hit[None], hull, frames, plane),
        box(CRAFT, [size] * 3, CRAFT, "body"),
        _rod(result, 0.5 * size),
        Lines("line", nodes, maps=(colours,)),
        Lines("path of the harpoon", load, times=when, colour="path"),
    ]
    return Scene(
        time=when,
        items=tuple(items),
        cameras=(
            Camera("side", axes, (0.0, 0.0, 0.5 * height), (0.0, -1.0, 0.1), (0.0, 0.0, 1.0), 2.0 * height),
            Camera("at the ground", axes, tuple(hit.tolist()), (0.3, -1.0, 0.4), (0.0, 0.0, 1.0), near),
            Camera("follow the spacecraft", CRAFT, (0.0, 0.0, -0.4 * apart), (0.0, -1.0, 0.15), (0.0, 0.0, 1.0), 1.3 * apart),
            Camera("follow the harpoon", LOAD, (0.0, 0.0, 0.0), (0.3, -1.0, 0.4), (0.0, 0.0, 1.0), near),
        ),
        frames=tuple(frames),
        series=(Series("tension", "tension", "N", when, pull),),
        events=stored_marks(result, "event_time", "event_name"),
    )  # fmt: skip


def _hit(result: Result, when: np.ndarray, load: np.ndarray) -> np.ndarray:
    """Where the harpoon meets the ground [m]; the origin if it does not."""
    names = list(result.events["event_name"].values)
    if "impact" not in names:
        return np.zeros(3)
    impact = float(result.events["event_time"].values[names.index("impact")])
    return np.asarray(load[int(np.argmin(np.abs(when - impact)))])


def _line(
    part: xarray.Dataset, hull: np.ndarray, load: np.ndarray, pull: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Nodes (n, m, 3) [m] of the line and the tension [N] at each: of its cells, or straight."""
    if "line_N" not in part:
        return np.stack([hull, load], axis=1), np.stack([pull, pull], axis=1)
    cells, felt = part["line_N"].values.copy(), part["line_tension"].values
    share = ((np.arange(cells.shape[1]) + 0.5) / cells.shape[1])[None, :, None]
    straight = hull[:, None] + share * (load - hull)[:, None]
    cells = np.where(np.isfinite(cells), cells, straight)
    felt = np.where(np.isfinite(felt), felt, pull[:, None])
    nodes = np.concatenate([hull[:, None], cells, load[:, None]], axis=1)
    return nodes, at_nodes(felt)


def _rod(result: Result, least: float) -> SceneSurface:
    """The harpoon with its tip at the origin, drawn at least `least` [m] long."""
    rod = result.config["harpoon"]
    cone = rod["radius_m"] / math.tan(math.radians(rod["half_angle_deg"]))
    grow = max(least / (cone + rod["shaft_length_m"]), 1.0)
    around = np.linspace(0.0, 2.0 * math.pi, 13)[:-1]
    ring = np.stack([np.cos(around), np.sin(around), 0 * around], axis=1) * rod["radius_m"]
    low, high = (ring + np.array([0.0, 0.0, z]) for z in (cone, cone + rod["shaft_length_m"]))
    vertices = grow * np.vstack([[[0.0, 0.0, 0.0]], low, high])
    faces = []
    for k in range(12):
        n = (k + 1) % 12
        faces += [[0, 1 + n, 1 + k], [1 + k, 1 + n, 13 + n], [1 + k, 13 + n, 13 + k]]
    return SceneSurface("harpoon", vertices, np.array(faces), frame=LOAD, colour="other")
