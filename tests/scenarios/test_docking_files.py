"""Docking files: what is refused before work starts, and what every built-in file is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from haptos.core.errors import HaptosError
from haptos.geometry.distance.reference import gaps_of
from haptos.scenarios.docking.config import Config
from haptos.scenarios.docking.model import BRACKETS, build
from haptos.scenarios.docking.shapes import crown_meets, make_shapes, room, seat
from haptos.scenarios.files import default, parse_checked, parse_toml, preset_text
from haptos.scenarios.merging import laid_over
from tests.close import assert_close

REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"nozzle": {"throat_radius_m": -0.008}}, "throat_radius_m"),
    ({"nozzle": {"points_m": [[-0.05, 0.02], [0.0, 0.008], [0.1, 0.06], [0.05, 0.01], [0.04, 0.07], [0.3, 0.12]]}}, "cross"),
    ({"nozzle": {"exit_wall_m": 0.003}}, "twice contact.max_depth_m"),
    ({"crown": {"folded_ring_m": 0.0065}}, "the folded crown must pass"),
    ({"crown": {"spread_ring_m": 0.0055}}, "the spread crown must hold"),
    ({"brackets": {"radius_m": 0.55}}, "on the flat face of the ring"),
    ({"boom": {"end_m": 1.1}}, "end_m below lock_m"),
    ({"boom": {"spring_stroke_m": 0.05}}, "the spring cannot reach its stop"),
    ({"start": {"distance_m": 0.6}}, "out of reach"),
    ({"sequence": {"lock_N": 120.0}}, "LOCK could not end"),
    ({"boom": {"spring_N_per_m": 20000.0}}, "DOCKED could not be reached"),
    ({"boom": {"insertion_m_per_s": 0.004}}, "insert_s"),
    ({"sequence": {"lock_past_m": 0.02}}, "past_m"),
    ({"nozzle": {"poisson": 0.47}}, "bonded_pad"),
    ({"nozzle": {"mesh_file": "nowhere.stl"}}, "nowhere.stl"),
    ({"tool": {"shoulder_ring_m": 0.2, "radius_m": 0.3}}, "fits into the nozzle"),
    ({"sensors": {"camera": {"replay_file": "nowhere.csv"}}}, "no file"),
    ({"sensors": {"camera": {"faults": [{"kind": "bias"}]}}}, "an offset for a bias"),
    ({"estimator": {"alpha": 1.5}}, "alpha"),
    ({"orbit": {"sun": [0.0, 0.0, 0.0]}}, "a direction"),
    ({"contact": {"friction": 0.4}}, "friction_at_rest"),
    ({"start": {"distance_m": 0.05, "offset_m": 0.05}}, "a start without contact"),
    ({"tool": {"rim_m": 0.06}}, "outside of the wall when the shoulder seats"),
    ({"tool": {"radius_m": 0.05}}, "outside of the wall when the shoulder seats"),
    ({"crown": {"stroke_m": 0.005}}, "the spread crown meets the wall"),
    ({"nozzle": {"points_m": [[0.0, 0.008], [0.3, 0.12]]}}, "the crown holds there"),
    ({"nozzle": {"displaced_m": 1.0}}, "less than the exit's radius"),
    ({"tool": {"points_m": [[-0.1, 0.0], [-0.06, 0.03]]}}, "closed, or from the axis to the axis"),
    ({"tool": {"points_m": [[0.38, 0.0], [0.38, 0.2], [0.4, 0.2], [0.4, 0.0]]}}, "a start without contact"),
    ({"chaser": {"inertia_kg_m2": [1.0, 1.0, 1000.0]}}, "triangle inequality"),
    ({"chaser": {"thrusters": {"propellant_kg": 5000.0}}}, "it is in it"),
    ({"chaser": {"thrusters": {"minimum_on_s": 5.0}}}, "a pulse lasts no longer"),
    ({"brackets": {"azimuths_deg": [90.0, 90.0, 90.0]}}, "a ring tips over"),
    ({"sequence": {"lock_most_N": 50.0}}, "more than lock_N"),
    ({"sequence": {"near_end_m": 5.0}}, "less than the way"),
    ({"sensors": {"camera": {"faults": [{"kind": "bias", "offset": [0.01]}]}}}, "6: one for each reading"),
    ({"sensors": {"gyro": {"faults": [{"kind": "bias", "offset": [0.01, 0.0]}]}}}, "1 or 3: one for each reading"),
]  # fmt: skip


def checked(changes: dict[str, Any]) -> Config:
    table = laid_over(parse_toml(preset_text("docking"), "docking"), changes)
    return parse_checked(table, "mine.toml")  # type: ignore[return-value]


@pytest.mark.parametrize(("changes", "words"), REFUSED)
def test_what_cannot_be_is_refused_in_four_parts(changes: dict[str, Any], words: str):
    with pytest.raises(HaptosError) as caught:
        checked(changes)
    assert words in str(caught.value)
    assert "allowed:" in str(caught.value)


def test_an_open_mesh_is_refused(tmp_path):
    file = tmp_path / "open.obj"
    file.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    with pytest.raises(HaptosError):
        checked({"nozzle": {"mesh_file": str(file)}})


def test_soft_rubber_is_taken_with_a_choice():
    changes = {"nozzle": {"poisson": 0.47}, "contact": {"nearly_incompressible": "bonded_pad"}}
    assert build(checked(changes)).shapes.modulus > 0.0


def test_the_foundation_modulus_of_nozzle_and_tool_is_that_of_both_layers():
    assert_close(build(default("docking")).shapes.modulus, 1.03550e10, rtol=1e-5)


def test_the_shoulder_seats_where_the_wall_is_as_far_as_its_round():
    shapes = make_shapes(default("docking"))
    # A straight wall of 30 deg from (1.5, 8.4) mm: 6 mm from (x, 9.5 mm) is at x - 1.5 = (6/cos 30 + 1.1)/tan 30.
    slope = np.tan(np.radians(30.0))
    straight = np.array([[0.0, 0.008], [0.0015, 0.0084], [0.2, 0.0084 + slope * 0.1985]])
    expected = 0.0015 + (0.006 / np.cos(np.radians(30.0)) + 0.0011) / slope
    assert_close(seat(straight, 0.0095, 0.006), expected, rtol=1e-9)
    wide = seat(shapes.wall, 0.029, 0.006)
    assert room(shapes.wall, wide) > 0.029
    assert_close(room(shapes.wall, 0.4), 0.12, rtol=1e-9)


def test_a_crown_meets_the_cone_after_the_stroke_of_the_closed_form():
    """A wire of 2 mm on a ring of 8.5 mm on a cone of 45 deg: both touch where their distance is the wire's radius."""
    shapes = make_shapes(checked({}))
    cone = 0.011 - 0.003 * np.sqrt(2.0)  # r + x along it: it leaves the arc at 45 deg
    expected = cone - 0.0085 - 0.002 * np.sqrt(2.0)
    assert abs(crown_meets(shapes.wall, 0.0085, 0.002) - expected) < 3e-5


def test_pads_stand_where_the_ring_meets_them_at_the_end():
    model = build(default("docking"))
    pads = np.array([c.faces_place.position for c in model.contacts if c.name in BRACKETS])
    assert_close(np.hypot(pads[:, 1], pads[:, 2]), np.full(3, 0.597), rtol=1e-12)
    assert_close(pads[:, 0], np.full(3, 0.8 + 0.2 - 0.0155), rtol=1e-12)


def test_the_pair_starts_at_rest_about_its_centre():
    bodies = build(default("docking")).bodies
    masses = np.array([b.mass + sum(w.mass for w in b.wings) for b in bodies])
    assert_close(
        masses @ np.array([b.position for b in bodies]), np.zeros(3), rtol=1e-9, scale=masses.sum()
    )
    assert_close(
        masses @ np.array([b.velocity for b in bodies]), np.zeros(3), rtol=1e-12, scale=masses.sum()
    )


def test_a_tilted_exit_leans_to_its_azimuth():
    from haptos.core.rotations import rotation_matrices

    config = default(
        "docking", {"start": {"tilt_deg": 10.0, "tilt_azimuth_deg": 90.0, "offset_m": 0.02}}
    )
    client = build(config).bodies[1]
    axis = -rotation_matrices(np.array(client.quaternion)[None])[0][:, 0]
    assert_close(axis, [-np.cos(np.radians(10)), 0.0, np.sin(np.radians(10))], rtol=1e-12)


def test_beyond_the_exit_plane_nothing_is_touched():
    """The wall ends with a rim: a cone that went on stopped a tool more than a metre before the nozzle."""
    own = {"points_m": [[-0.05, 0.02], [0.0, 0.008], [0.1, 0.06], [0.3, 0.12]], "exit_wall_m": 0.01}
    for nozzle in ({}, own):
        shapes = make_shapes(checked({"nozzle": nozzle}))
        outside = 0.12 + (0.01 if nozzle else 0.005)
        x, r = np.array([0.31, 0.6, 1.35, 1.35]), np.array([0.122, 0.18, 0.31, 0.0])
        points = np.stack([x, np.zeros(4), r], axis=1)
        expected = np.hypot(x - 0.3, np.maximum(r - outside, 0.0) + np.maximum(0.12 - r, 0.0))
        assert_close(gaps_of(shapes.nozzle, points)[0], expected, rtol=1e-12)


def test_a_mesh_without_points_on_one_side_of_the_throat_is_refused(tmp_path: Path):
    """A cube has vertices at its two ends alone: no wall that a shoulder could seat on is known between them."""
    corners = [f"v {x} {y} {z}" for x in (-0.1, 0.1) for y in (-0.1, 0.1) for z in (-0.1, 0.1)]
    sides = ("1 2 4", "1 4 3", "5 7 8", "5 8 6", "1 5 6", "1 6 2", "3 4 8", "3 8 7", "1 3 7", "1 7 5", "2 6 8", "2 8 4")  # fmt: skip
    file = tmp_path / "cube.obj"
    file.write_text("\n".join([*corners, *(f"f {side}" for side in sides)]))
    with pytest.raises(HaptosError, match="the shoulder seats there"):
        checked({"nozzle": {"mesh_file": str(file)}})
