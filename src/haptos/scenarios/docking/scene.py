"""A docking to look at: satellites, nozzle, tool, ring, boom, patches of pressure, force at the crown."""

from __future__ import annotations

from typing import Any

import numpy as np

from haptos.results.result import Result
from haptos.results.scene import (
    Arrows,
    Camera,
    Item,
    Lines,
    MovingFrame,
    ScalarMap,
    Scene,
    SceneSurface,
    Series,
)
from haptos.results.scene_parts import box, drawn_rows, stored_marks
from haptos.scenarios.docking.model import FACES, FACING

MOST_FRAMES = 600  # times of the viewer
DRAWN_SHARE = 0.7  # [-] of the sides of the satellites, so that the mechanism is seen
CHASER, CLIENT, TOOL, NOZZLE, RING = "chaser", "client", "tool", "nozzle", "ring"


def scene(result: Result) -> Scene:
    """Satellites, mechanism and loads in motion."""
    motion = result.trajectory
    part = motion.isel(time=drawn_rows(motion.sizes["time"], MOST_FRAMES))
    time = np.asarray(part["time"].values)
    config = result.config
    throat = np.array(config["client"]["throat_m"])
    frames = [
        MovingFrame(CHASER, part["r_CN_N"].values, part["quat_NC"].values),
        MovingFrame(CLIENT, part["r_TN_N"].values, part["quat_NT"].values),
        MovingFrame(NOZZLE, throat, FACING, CLIENT),
    ]
    root = np.array(config["chaser"]["root_m"])
    items: list[Item] = [
        *_hull(config, CHASER, "body", np.zeros(3)), *_hull(config, CLIENT, "other", throat * [-0.1, 0.0, 0.0]),
        _surface(result, "nozzle", NOZZLE, "other"), _surface(result, "ring", NOZZLE, "ground"),
        Lines("boom", part["boom_shape"].values + root, frame=CHASER, colour="path"),
        Arrows("force of the tool on the nozzle", "N", np.zeros((len(time), 1, 3)),
               part["force_LC"].values[:, [2, 0, 1]][:, None, :], 0.5, frame=NOZZLE),
    ]  # fmt: skip
    if "r_PN_N" in part:
        frames.append(MovingFrame(TOOL, part["r_PN_N"].values, part["quat_NP"].values))
        ahead = np.array([config["tool"]["centre_m"], 0.0, 0.0])
        items += [_surface(result, name, TOOL, "body", ahead) for name in ("crown", "bolt")]
    items += _patches(result)
    return Scene(
        time=time, items=tuple(items), frames=tuple(frames),
        cameras=(
            Camera("side", CHASER, (2.0, 0.0, 0.0), (0.0, -1.0, 0.25), (0.0, 0.0, 1.0), 7.0),
            Camera("nozzle", NOZZLE, (0.1, 0.0, 0.0), (0.7, -0.7, 0.3), (0.0, 0.0, 1.0), 0.9),
        ),
        series=tuple(
            Series(name, name.replace("_", " "), unit, time, part[name].values)
            for name, unit in (("boom_length", "m"), ("boom_tension", "N"), ("state", "-"))
        ),
        events=stored_marks(result, "event_time"),
    )  # fmt: skip


def _hull(config: dict[str, Any], name: str, colour: str, middle: np.ndarray) -> list[SceneSurface]:
    """Boxes of a satellite's hull; without them one that stands for it."""
    boxes = config[name].get("hull")
    if not boxes:
        return [box(name, DRAWN_SHARE * np.array(FACES[name]), name, colour, middle)]
    return [box(name, np.array(b["box_m"]), name, colour, np.array(b["centre_m"])) for b in boxes]


def _surface(
    result: Result, name: str, frame: str, colour: str, ahead: np.ndarray | None = None
) -> SceneSurface:
    table = result.tables[name]
    vertices = np.asarray(table["vertices"].values) + (np.zeros(3) if ahead is None else ahead)
    return SceneSurface(name, vertices, table["corners"].values, frame=frame, colour=colour)


def _patches(result: Result) -> list[SceneSurface]:
    """Polygons of the nozzle's pairs in contact, coloured by their pressure."""
    found = []
    for name, table in result.tables.items():
        if name.startswith("pressure ") and "bracket" not in name and table.sizes["polygon"]:
            colours = ScalarMap("pressure", "Pa", table["pressure"].values)
            found.append(
                SceneSurface(
                    name,
                    table["nodes"].values,
                    table["corners"].values,
                    frame=NOZZLE,
                    maps=(colours,),
                )
            )
    return found
