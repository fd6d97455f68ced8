"""A sling-shot to look at: the body, the spacecraft, the line coloured by its tension."""

from __future__ import annotations

import numpy as np

from haptos.geometry.mesh.icosphere import icosphere
from haptos.results.result import Result
from haptos.results.scene import Item, Scene, SceneSurface
from haptos.scenarios.slingshot.config import Config
from haptos.scenarios.system_view import system_scene


def scene(result: Result) -> Scene:
    """The manoeuvre in motion."""
    config = Config.read_back(result.config)
    items: list[Item] = []
    if config.target is not None:
        vertices, faces = icosphere(4)
        shaped = np.array(config.target.centre_m) + vertices * np.array(config.target.semi_axes_m)
        items.append(SceneSurface("target", shaped, faces, colour="ground"))
    return system_scene(result, items, still=("anchor",))
