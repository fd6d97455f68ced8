"""A bench run to look at: both bodies, the pressure at the peak, the force."""

from __future__ import annotations

import numpy as np

from haptos.results.result import Result
from haptos.results.scene import (
    Arrows,
    Camera,
    Event,
    Item,
    MovingFrame,
    ScalarMap,
    Scene,
    SceneSurface,
    Series,
)
from haptos.results.scene_parts import drawn_rows, triple

A, B = "A", "B"
MOST_FRAMES = 400  # times of the viewer


def scene(result: Result) -> Scene:
    """Both bodies in motion."""
    motion = result.trajectory
    part = motion.isel(time=drawn_rows(motion.sizes["time"], MOST_FRAMES))
    time = np.asarray(part["time"].values)
    frames = (
        MovingFrame(A, part["r_AN_N"].values, part["quat_NA"].values),
        MovingFrame(B, part["r_BN_N"].values, part["quat_NB"].values),
    )
    sampled = np.asarray(result.tables["sampled"]["vertices"].values)
    size = float(np.linalg.norm(sampled, axis=1).max())
    force = np.asarray(part["force_A"].values)[:, None, :]
    items: list[Item] = [
        _surface(result, "reference", A, "ground", size),
        _surface(result, "sampled", B, "body", size),
        Arrows("force on the sampled body", "N", np.zeros_like(force), force, 2.0 * size, frame=A),
    ]
    pressure = result.tables["pressure"]
    if pressure.sizes["polygon"]:
        colours = ScalarMap("pressure", "Pa", pressure["pressure"].values)
        nodes, corners = pressure["nodes_A"].values, pressure["corners"].values
        items.append(SceneSurface("pressure at the peak", nodes, corners, frame=A, maps=(colours,)))
    place = triple(part["r_BN_N"].values[0])
    return Scene(
        time=time,
        items=tuple(items),
        cameras=(
            Camera("side", A, place, (0.0, -1.0, 0.3), (0.0, 0.0, 1.0), 6.0 * size),
            Camera("above", A, place, (0.0, -0.2, 1.0), (0.0, 1.0, 0.0), 6.0 * size),
        ),
        frames=frames,
        series=tuple(
            Series(name, name, unit, time, part[name].values)
            for name, unit in (("depth", "m"), ("area", "m^2"), ("pressure", "Pa"))
        ),
        events=tuple(
            Event(float(t), "touch" if k == 0 else "parted")
            for k, t in enumerate(np.atleast_1d(result.events["event_time"].values))
        ),
    )


def _surface(result: Result, name: str, frame: str, colour: str, size: float) -> SceneSurface:
    table = result.tables[name]
    vertices = np.asarray(table["vertices"].values)
    if name == "reference" and result.config["reference"]["shape"] == "half_space":
        vertices = 4.0 * size * vertices
    return SceneSurface(
        name, vertices, table["corners"].values, frame=frame, colour=colour, is_flat=True
    )
