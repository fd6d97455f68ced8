"""A tether to look at: both spacecraft and the line coloured by its tension."""

from __future__ import annotations

import numpy as np

from haptos.geometry.mesh.icosphere import icosphere
from haptos.results.result import Result
from haptos.results.scene import Item, Scene, Surface
from haptos.scenarios.system_view import system_scene
from haptos.scenarios.tether.config import Config, SmallBody


def scene(result: Result) -> Scene:
    """The run in motion."""
    config = Config.model_validate(result.config)
    items: list[Item] = []
    if isinstance(config.place, SmallBody):
        vertices, faces = icosphere(4)
        shaped = vertices * np.array(config.place.semi_axes_m) - np.array(config.place.position_m)
        items.append(Surface("small body", shaped, faces, colour="ground"))
    return system_scene(result, items)
