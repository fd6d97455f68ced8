"""An active-tether run to look at: ground, spacecraft, the line coloured by its tension, the end effector."""

from __future__ import annotations

import numpy as np
import xarray

from haptos.results.result import Result
from haptos.results.scene import (
    Camera,
    Item,
    Lines,
    MovingFrame,
    Points,
    ScalarMap,
    Scene,
    Series,
)
from haptos.results.scene_parts import at_nodes, box, drawn_rows, sloping_square, stored_marks
from haptos.scenarios.active_tether.config import Config
from haptos.scenarios.worlds.site_scene import camera_frame, site_surfaces

CRAFT = "spacecraft"
MOST_FRAMES = 400


def scene(result: Result) -> Scene:
    """Spacecraft, line and end effector in motion."""
    motion = result.trajectory
    time = np.asarray(motion["time"].values)
    chosen = drawn_rows(len(time), MOST_FRAMES)
    chosen = chosen[np.append(np.diff(time[chosen]) > 0.0, True)]
    part, when = motion.isel(time=chosen), time[chosen]
    hull, turn = part["r_BN_N"].values, part["turn"].values
    quaternion = np.stack([np.cos(turn / 2), 0 * turn, np.sin(turn / 2), 0 * turn], axis=1)
    craft = result.config["spacecraft"]
    foot = np.stack(
        [-craft["lever_m"] * np.sin(turn), 0 * turn, -craft["lever_m"] * np.cos(turn)], axis=1
    )
    nodes = np.concatenate([(hull + foot)[:, None, :], part["line_N"].values], axis=1)
    pull = part["tension"].values
    size = float(result.config["line"]["length_m"])
    maps = [ScalarMap("tension", "N", _tension_at_nodes(part, pull, nodes.shape[1]))]
    if "martensite_plus" in part:
        austenite = 1.0 - part["martensite_plus"].values - part["martensite_minus"].values
        maps.append(ScalarMap("austenite", "-", _spread(austenite), 0.0, 1.0))
        maps.append(ScalarMap("temperature", "K", _spread(part["temperature"].values)))
    frames = [MovingFrame(CRAFT, hull, quaternion)]
    plane = sloping_square("ground", 0.5 * size, result.config["ground"]["slope_deg"])
    config = Config.read_back(result.config)
    axes = camera_frame(config, frames)
    items: list[Item] = [
        *site_surfaces(config, part["r_CN_N"].values[-1:], hull, frames, plane),
        box(CRAFT, [0.02 * size] * 3, CRAFT, "body"),
        Lines("line", nodes, maps=tuple(maps)),
        Points("end effector", part["r_CN_N"].values[:, None, :], colour="contact"),
    ]
    return Scene(
        time=when,
        items=tuple(items),
        cameras=(
            Camera("side", axes, (0.0, 0.0, 0.5 * size), (0.0, -1.0, 0.1), (0.0, 0.0, 1.0), 1.5 * size),
            Camera("at the ground", axes, (0.0, 0.0, 0.0), (0.3, -1.0, 0.3), (0.0, 0.0, 1.0), 0.1 * size),
        ),
        frames=tuple(frames),
        series=(
            Series("tension", "tension", "N", when, pull),
            Series("force", "contact force", "N", when, part["contact_force"].values),
        ),
        events=stored_marks(result, "event_time", "event_name"),
    )  # fmt: skip


def _tension_at_nodes(part: xarray.Dataset, pull: np.ndarray, count: int) -> np.ndarray:
    """Tension [N] at the nodes of the line: of its cells, or that at the spacecraft all along."""
    if "line_tension" not in part:
        return np.repeat(pull[:, None], count, axis=1)
    return at_nodes(part["line_tension"].values)


def _spread(values: np.ndarray) -> np.ndarray:
    """Numbers of the segments at the nodes: root, one per segment, end."""
    return np.concatenate([values[:, :1], values, values[:, -1:]], axis=1)
