"""Cameras of a scene of bodies and cables look past what stands there, not through it."""

from __future__ import annotations

import numpy as np
import pytest

import haptos as hp
from haptos.scenarios.slingshot.scene import scene
from haptos.scenarios.tether.scene import scene as tether_scene


@pytest.mark.parametrize("name", ["slingshot", "slingshot-turn", "slingshot-leave"])
def test_no_camera_stands_inside_the_target(name):
    result = hp.simulate(name)
    centre = np.array(result.config["target"]["centre_m"])
    semi_axes = np.array(result.config["target"]["semi_axes_m"])
    for camera in scene(result).cameras:
        if isinstance(camera.target, str):
            continue
        way = np.array(camera.direction) / np.linalg.norm(camera.direction)
        eye = np.array(camera.target) + camera.distance * way
        assert np.linalg.norm((eye - centre) / semi_axes) > 1.0


def test_with_nothing_in_the_way_it_is_seen_from_one_side():
    camera = tether_scene(hp.simulate("tether-spin")).cameras[0]
    assert camera.direction == (0.3, -1.0, 0.45)
