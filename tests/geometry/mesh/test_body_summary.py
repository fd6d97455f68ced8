"""Measures of a body that are known in closed form."""

from __future__ import annotations

import math

import numpy as np

from haptos.geometry.mesh.body_summary import body_summary
from haptos.geometry.mesh.polyhedra import box_solid
from tests.close import assert_close
from tests.geometry.closed_meshes import ball, torus


def test_a_ball_is_round_and_a_ring_has_a_handle():
    summary = body_summary(*ball(4, 100.0))
    assert_close(summary.sphericity, 1.0, rtol=2e-3)
    assert_close(summary.mean_radius, 100.0, rtol=2e-3)
    assert_close(summary.area, 4e4 * math.pi, rtol=3e-3)
    assert_close(summary.moments, np.full(3, 4e3), rtol=4e-3)
    assert summary.report.genus == 0
    assert body_summary(*torus()).report.genus == 1


def test_a_tilted_box_tells_its_tilt():
    vertices, faces = box_solid((3.0, 2.0, 1.0))
    s, c = math.sin(0.2), math.cos(0.2)
    turned = vertices @ np.array([[1.0, 0.0, 0.0], [0.0, c, s], [0.0, -s, c]])
    summary = body_summary(turned, faces)
    assert_close(summary.axis_tilt, 0.2, rtol=1e-12)
    assert_close(summary.as_json()["axis_tilt_deg"], math.degrees(0.2), rtol=1e-12)
    assert body_summary(vertices, faces).axis_tilt < 1e-7
