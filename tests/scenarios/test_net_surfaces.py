"""What parts of a target are made of, numbers in series, glue, forces of contacts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import haptos
from haptos.contact.contact_flow import FRICTION, LOSS, LOSS_KIND, NOMINAL, PAIR_SIZE, STIFFNESS
from haptos.core.errors import HaptosError
from haptos.core.rotations import rotation_matrices
from haptos.dynamics.contacts.mesh_surface import pieces_mesh
from haptos.geometry.distance.distance_mesh import mesh_distance, solid_mesh
from haptos.geometry.mesh.triangle_tree import STACK
from haptos.results.result import Result
from haptos.scenarios.files import default, parse_checked, parse_toml, preset_text
from haptos.scenarios.merging import laid_over
from haptos.scenarios.net.config import Config
from haptos.scenarios.net.model import build
from tests.close import assert_close

BOXES = [
    {"size_m": [0.3, 0.3, 0.3], "mass_kg": 20.0},
    {"size_m": [0.1, 0.6, 0.2], "mass_kg": 2.0, "position_m": [0.3, 0.0, 0.0]},
]
SERIES = {
    "threads": {"stiffness_N_per_m1p5": 1e6, "damping_N_s_per_m2p5": 3e4, "friction": 0.2},
    "bullets": {"stiffness_N_per_m1p5": 4e6, "friction": 0.4},
    "target": {"stiffness_N_per_m1p5": 1e6, "damping_N_s_per_m2p5": 3e4, "friction": 0.6},
}


def config_of(changes: dict[str, Any]) -> Config:
    return Config.model_validate(default("net-small", changes).as_table())


def with_parts(*surfaces: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"target": {"boxes": BOXES, "distance_m": 1.6, "surfaces": list(surfaces)}, **more}


def test_faces_of_a_side_have_the_numbers_of_their_surface() -> None:
    panel = {"name": "panel", "boxes": [1], "sides": ["+y"], "friction": 0.9, "restitution": 0.4}
    foil = {"name": "foil", "boxes": [0], "bullet_friction": 0.05, "modulus_Pa": 1e9}
    surface = build(config_of(with_parts(panel, foil))).system.surface
    assert surface.pairs.shape[:2] == (3, 4)
    corners = surface.mesh.tree.triangles[:, :3]
    normals = surface.mesh.tree.discs[:, 3:6]
    one = surface.surface == 1
    assert one.sum() == 2  # the triangles of one side
    assert np.ptp(normals[one] @ normals[one][0]) < 1e-12
    assert (surface.surface == 2).sum() == 12
    assert np.abs(corners[one] @ normals[one][0]).max() > 0.25  # the far side of the long box
    assert surface.pairs[1, 0, FRICTION] == 0.9
    assert (surface.pairs[1, 0, LOSS_KIND], surface.pairs[1, 0, LOSS]) == (NOMINAL, 0.4)
    assert surface.pairs[2, 1, FRICTION] == 0.05
    assert surface.pairs[2, 0, STIFFNESS] < surface.pairs[0, 0, STIFFNESS]
    assert set(surface.edge_surface.tolist()) <= {0, 1, 2}


def test_a_target_of_several_boxes_is_as_far_as_the_nearest_of_them() -> None:
    model = build(config_of(with_parts()))
    assert model.surface is not None
    vertices, faces = model.surface
    mesh = pieces_mesh(vertices, faces)
    generator = np.random.default_rng(3)
    points = generator.uniform(-0.6, 0.6, (200, 3))
    stack = np.empty((STACK, 2))
    each = [solid_mesh(vertices[8 * b : 8 * b + 8], faces[:12]) for b in range(2)]
    for point in points:
        found = mesh_distance(mesh, tuple(point), 0, stack)[0]
        own = [mesh_distance(one, tuple(point), 0, stack)[0] for one in each]
        if min(own) > 0.0:
            assert_close(found, min(own), rtol=1e-9)


def test_surfaces_in_series_combine_as_springs_do() -> None:
    own = {"stiffness_N_per_m1p5": 3e6, "damping_N_s_per_m2p5": 3e4, "friction": 0.0}
    changes = with_parts({"name": "foil", "boxes": [1], "own": own}, contact={"series": SERIES})
    pairs = build(config_of(changes)).system.surface.pairs
    assert_close(pairs[0, 0, STIFFNESS], 5e5, rtol=1e-12)
    assert_close(pairs[0, 0, LOSS], 1.5e4 / 5e5, rtol=1e-12)
    assert_close(pairs[0, 0, FRICTION], 0.4, rtol=1e-12)
    assert_close(pairs[1, 0, STIFFNESS], 7.5e5, rtol=1e-12)
    assert_close(pairs[1, 1, FRICTION], 0.2, rtol=1e-12)
    assert pairs[0, 1, LOSS] == 0.0  # no damping on one side is none at all


def test_every_kind_of_thread_has_its_own_row_on_every_surface() -> None:
    reported = [
        {"surface": "panel", "of": "tether", "friction": 0.7, "restitution": 0.2},
        {"of": "reinforced", "stiffness_N_per_m1p5": 123.0},
    ]
    changes = with_parts({"name": "panel", "boxes": [1]}, contact={"pairs": reported, "self": True})
    net = build(config_of(laid_over(changes, {"threads": {"reinforced_diameter_m": 2e-3}}))).system
    pairs = net.surface.pairs
    assert pairs[1, 3, FRICTION] == 0.7
    assert (pairs[1, 3, LOSS_KIND], pairs[1, 3, LOSS]) == (NOMINAL, 0.2)
    assert pairs[0, 2, STIFFNESS] == 123.0
    assert np.array_equal(pairs[0, 3], pairs[0, 0])
    assert net.spheres.numbers.shape == (4, 4, PAIR_SIZE)
    assert set(net.points.kind.tolist()) == {0, 1, 2, 3}
    assert (net.points.kind == 3).sum() == 3  # nodes of the tether


def test_drag_and_light_are_those_of_each_surface() -> None:
    dark = {"name": "dark", "boxes": [0], "reflection": 1.0, "drag_coefficient": 3.0}
    orbit = {"kind": "orbit", "body_drag": True, "sunlight": True}
    faces = build(config_of(with_parts(dark, environment=orbit))).system.air.faces
    mine = slice(faces.start[1], faces.start[2])
    area = faces.area[mine]
    chosen = faces.reflection[mine] == 1.0
    assert_close(area[chosen].sum(), 6 * 0.09, rtol=1e-9)
    assert_close(faces.drag[mine][chosen], np.full(chosen.sum(), 3.0), rtol=1e-12)
    assert_close(faces.drag[mine][~chosen], np.full((~chosen).sum(), 2.2), rtol=1e-12)


def on_a_plate(**contact: Any) -> dict[str, Any]:
    """Changes for a net on a wide plate that turns."""
    size = {"size_m": [0.2, 3.0, 3.0], "mass_kg": 50.0}
    plate = {"boxes": [size], "distance_m": 1.2, "rate_deg_per_s": [20.0, 0.0, 0.0]}
    return {"target": plate, "contact": contact}


@pytest.fixture(scope="module")
def runs() -> dict[str, Result]:
    return {
        name: haptos.simulate(default("net-small", on_a_plate(**keys)))
        for name, keys in {
            "elastic": {"friction": 0.0, "bullet_friction": 0.0, "alpha_s_per_m": 0.0},
            "sticky": {"model": "sticky"},
        }.items()
    }


def test_a_sticky_net_stays_where_it_touched(runs: dict[str, Result]) -> None:
    """By the motion of points against the target between the last two times."""
    lost = {name: run.ledger.works["contact damping"][-1] for name, run in runs.items()}
    assert lost["sticky"] < 0.0
    assert abs(lost["elastic"]) < 1e-9
    for run in runs.values():
        assert run.ledger.relative_remainder < 0.01
    assert runs["sticky"].metrics["glued_points"] > 20.0
    assert runs["sticky"].metrics["unglued_points"] == 0.0
    assert "glued_points" not in runs["elastic"].metrics
    late = runs["sticky"].trajectory.isel(time=slice(-2, None))
    axes = rotation_matrices(late["quat_NB"].values[:, 1])
    away = late["r_point_N"].values - late["r_BN_N"].values[:, 1, None]
    seen = np.einsum("tki,tij->tkj", away, axes)
    still = np.ptp(seen, axis=0).max(axis=1) < 1e-6
    assert still.sum() > 20


def test_glue_breaks_at_its_strength_and_is_named_only_with_glue() -> None:
    weak = config_of(on_a_plate(model="sticky", glue_strength_N=0.01))
    options = build(weak).system.options
    assert (options.has_glue, options.glue_strength) == (True, 0.01)
    assert not build(config_of({})).system.options.has_glue
    run = haptos.simulate(weak)
    assert run.metrics["unglued_points"] > 0.0
    assert run.ledger.relative_remainder < 0.01


def test_forces_of_contacts_are_all_the_target_feels(runs: dict[str, Result]) -> None:
    """The target is held by nothing but contacts: their impulses are its change of momentum."""
    for run in runs.values():
        motion = run.trajectory
        assert_close(motion["f_contact_target_N"].values, motion["f_target_N"].values, rtol=1e-9)
        assert run.metrics["target_contact_force_N"] > 0.0


def test_a_bullet_that_strikes_tells_its_peak_apart_from_the_pull_of_threads() -> None:
    wide: dict[str, Any] = {
        "target": {"boxes": [{"size_m": [0.2, 3.0, 3.0], "mass_kg": 50.0}], "distance_m": 1.2}
    }
    wide["target"]["rate_deg_per_s"] = [0.0, 0.0, 0.0]
    run = haptos.simulate(default("net-small", laid_over(wide, {"run": {"duration_s": 0.7}})))
    peaks = run.tables["bullets"]["peak_contact_force"].values
    assert (peaks > 0.0).all()
    assert run.metrics["bullet_contact_force_N"] == peaks.max()
    impulse = run.trajectory["f_contact_bullet_N"].values.sum(axis=0) * 0.02
    assert (impulse[:, 0] < 0.0).all()  # thrown back
    assert (np.linalg.norm(impulse, axis=1) < peaks * 0.6).all()


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        (with_parts({"name": "a"}), "boxes, sides or faces"),
        (with_parts({"name": "a", "boxes": [2]}), "0 to 1"),
        (with_parts({"name": "a", "faces": [0]}), "boxes or sides"),
        (with_parts({"name": "a", "boxes": [0]}, {"name": "b", "sides": ["+x"]}), "share faces"),
        (with_parts({"name": "a", "boxes": [0], "own": SERIES["threads"]}), "add [contact.series]"),
        (
            with_parts({"name": "a", "boxes": [0], "friction": 0.1}, contact={"series": SERIES}),
            "own numbers",
        ),
        ({"contact": {"series": SERIES, "restitution": 0.5}}, "remove [contact.series]"),
        ({"contact": {"model": "glue"}}, "sticky"),
        ({"contact": {"glue_strength_N": 1.0}}, "with model = 'sticky'"),
        ({"contact": {"model": "sticky", "glue_strength_N": 0.0}}, "above 0"),
        ({"contact": {"pairs": [{"surface": "panel", "friction": 0.1}]}}, "name one of them"),
        ({"contact": {"pairs": [{"friction": 0.1}, {"friction": 0.2}]}}, "keep one"),
    ],
)
def test_surfaces_that_do_not_fit_are_refused(changes: dict[str, Any], words: str) -> None:
    table = laid_over(parse_toml(preset_text("net-small"), "net-small"), changes)
    with pytest.raises(HaptosError) as caught:
        parse_checked(table, "mine.toml")
    assert words in str(caught.value)
