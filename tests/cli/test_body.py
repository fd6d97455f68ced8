"""`haptos body`: what it tells, what it writes, what it refuses."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
import trimesh

from haptos.cli import body_maps
from haptos.geometry.mesh.mesh_export import write_ply
from haptos.geometry.mesh.polyhedra import box_solid
from haptos.geometry.mesh.procedural_bodies import procedural_body
from haptos.geometry.mesh.tessellation import subdivided
from haptos.view.map_figures import facets_seen
from tests.cli.commands import assert_refused, haptos
from tests.close import assert_close


def box_file(directory: Path, shift: tuple[float, float, float] = (0.3, 0.0, -0.1)) -> Path:
    """A box of 2 x 1 x 0.5 km off the origin, in kilometres."""
    vertices, faces = box_solid((2.0, 1.0, 0.5))
    for _ in range(2):
        vertices, faces = subdivided(vertices, faces)
    return write_ply(directory / "box.ply", vertices + np.array(shift), faces)


def test_a_box_is_told_by_its_closed_forms(tmp_path: Path):
    done = haptos("body", box_file(tmp_path), "--unit", "km", "--mu-m3-per-s2", 100.0, "--json")
    assert done.code == 0, done
    reported = json.loads(done.out)
    assert (reported["vertices"], reported["edges"], reported["facets"]) == (98, 288, 192)
    assert (reported["euler_number"], reported["genus"], reported["defects"]) == (2, 0, {})
    assert_close(reported["volume_m3"], 1e9, rtol=1e-12)
    assert_close(reported["area_m2"], 7e6, rtol=1e-12)
    assert_close(reported["centre_of_mass_in_file_m"], [300.0, 0.0, -100.0], rtol=1e-12)
    assert_close(reported["extent_m"], [2000.0, 1000.0, 500.0], rtol=1e-12)
    sides = np.array([4e6, 1e6, 0.25e6]) / 12.0
    moments = [sides[1] + sides[2], sides[0] + sides[2], sides[0] + sides[1]]
    assert_close(reported["principal_moments_per_mass_m2"], moments, rtol=1e-12)
    assert_close(np.abs(reported["principal_axes"]), np.eye(3), rtol=1e-12)
    assert_close(reported["mu_m3_per_s2"], 100.0, rtol=1e-14)
    assert_close(reported["mass_kg"], reported["density_kg_per_m3"] * 1e9, rtol=1e-12)
    assert reported["advised_grid_spacing_m"] == reported["mean_facet_side_m"]
    assert_close(reported["feature_ceiling_m"], 3.0 * reported["mean_facet_side_m"], rtol=1e-14)


def test_the_spin_is_compared_where_the_body_is_farthest_from_its_axis(tmp_path: Path):
    """A pyramid along x: its apex is 3 m from the centre of mass, half of its length is 2 m."""
    vertices = np.array(
        [[-1.0, y, z] for y in (-1.0, 1.0) for z in (-1.0, 1.0)] + [[3.0, 0.0, 0.0]]
    )
    faces = np.array([[0, 1, 3], [0, 3, 2], [0, 4, 1], [1, 4, 3], [3, 4, 2], [2, 4, 0]])
    file = write_ply(tmp_path / "pyramid.ply", vertices, faces)
    done = haptos(
        "body", file, "--unit", "m", "--mu-m3-per-s2", 2.0, "--period-h", 0.01, "--json"
    )  # fmt: skip
    assert done.code == 0, done
    found = json.loads(done.out)
    expected = 2.0 * math.pi / 36.0 * math.sqrt(27.0 / 2.0)
    assert_close(found["spin_share"], expected, rtol=1e-12)


def test_built_in_bodies_are_told_in_words():
    done = haptos("body", "top", "--level", 3)
    assert done.code == 0
    for words in ("642 vertices, 1920 edges, 1280 facets", "Euler number 2", "none", "sphericity"):
        assert words in done.out
    assert haptos("body", "top", "--quiet").out == ""


def few_pixels(vertices: np.ndarray, faces: np.ndarray) -> np.ndarray:
    return facets_seen(vertices, faces, (36, 72))


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Maps of a small body, with the figures of one of them."""
    out = tmp_path_factory.mktemp("body") / "top"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(body_maps, "DRAWN", ("slope_deg",))
        patch.setattr("haptos.view.map_figures.facets_seen", few_pixels)
        done = haptos(
            "body", "top", "--level", 2, "--density-kg-per-m3", 1190.0, "--period-h", 4.3,
            "--gravity-facets", 200, "--out", out,
        )  # fmt: skip
    assert done.code == 0, done
    assert "slope_deg" in done.out
    assert f"stored in {out}" in done.out
    return out


def test_everything_the_summary_names_is_there(stored: Path):
    reported = json.loads((stored / "body.json").read_text())
    names = {path.name for path in stored.iterdir()}
    assert names == {"body.json", *reported["maps"]["files"]}
    for name in reported["maps"]["files"]:
        if name.endswith(".png"):
            assert (stored / name).read_bytes().startswith(b"\x89PNG")
    assert {"slope_deg-map.png", "slope_deg-mollweide.png", "slope_deg-body.png"} <= names
    assert 100 <= reported["maps"]["gravity_facets"] <= 200
    slope = reported["maps"]["values"]["slope_deg"]
    assert 0.0 <= slope["least"] < slope["median"] < slope["greatest"] < 90.0
    assert_close(reported["spin_rad_per_s"], 2.0 * math.pi / (4.3 * 3600.0), rtol=1e-14)


def test_table_and_mesh_hold_the_same_numbers(stored: Path):
    vertices, faces = procedural_body("top", 2)
    table = pq.read_table(stored / "facets.parquet")
    assert table.num_rows == len(faces)
    centres = np.stack([table[f"{axis}_m"].to_numpy() for axis in "xyz"], axis=1)
    assert_close(centres, vertices[faces].mean(axis=1), rtol=1e-14)
    mesh = trimesh.load_mesh(stored / "body.ply", process=False)
    assert np.array_equal(mesh.faces, faces)
    found = mesh.metadata["_ply_raw"]["face"]["data"]
    for name in ("slope_deg", "geopotential_m2_per_s2", "roughness_angle_deg"):
        assert_close(np.ravel(found[name]), table[name].to_numpy(), rtol=1e-6)


def test_an_earlier_body_is_written_over_and_anything_else_is_not(
    stored: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(body_maps, "DRAWN", ())
    monkeypatch.setattr("haptos.view.map_figures.facets_seen", few_pixels)
    assert haptos("body", "top", "--level", 2, "--out", stored.parent / "new", "-q").code == 0
    assert haptos("body", "top", "--level", 2, "--out", stored.parent / "new", "-q").code == 0
    (tmp_path / "mine.txt").write_text("mine")
    assert_refused(haptos("body", "top", "--out", tmp_path), "mine.txt", "another --out")
    assert_refused(haptos("body", "top", "--out", "."), "--out")
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


REFUSED = {
    "nobody": ("nobody", "bilobe"),
    "top --unit km": ("--unit", "built-in"),
    "top --repair": ("--repair", "built-in"),
    "top --level 99": ("level 99", "2 to 8"),
    "none.obj": ("none.obj", "no file of that name"),
    "top --density-kg-per-m3 -1": ("--density-kg-per-m3", "> 0"),
    "top --density-kg-per-m3 nan": ("--density-kg-per-m3", "finite"),
    "top --density-kg-per-m3 1 --mu-m3-per-s2 1": ("--mu-m3-per-s2", "one of the two"),
    "top --period-h 4": ("--period-h", "with a mass"),
    "top --period-h 0 --mu-m3-per-s2 1": ("--period-h", "> 0"),
    "top --roughness-radius-m 0": ("--roughness-radius-m", "> 0"),
    "top --gravity-facets 0": ("--gravity-facets", "> 0"),
}


@pytest.mark.parametrize("line", REFUSED)
def test_mistakes_are_refused(line: str):
    assert_refused(haptos("body", *line.split()), *REFUSED[line])


def test_files_need_their_unit_and_must_be_solids(tmp_path: Path):
    file = box_file(tmp_path)
    assert_refused(haptos("body", file), "--unit", "m, km, cm, mm")
    assert_refused(haptos("body", file, "--unit", "mile"), "'mile'")
    assert_refused(haptos("body", file, "--unit", "km", "--level", 3), "--level")
    vertices, faces = box_solid((1.0, 1.0, 1.0))
    open_box = write_ply(tmp_path / "open.ply", vertices, faces[1:])
    assert_refused(haptos("body", open_box, "--unit", "m"), "open", "closed")


def test_a_rover_gets_speed_limits_beside_the_slope(tmp_path: Path, monkeypatch):
    monkeypatch.setattr(body_maps, "DRAWN", ("wheel_limit_m_per_s",))
    mass = ("--density-kg-per-m3", 1900.0, "--period-h", 12.132)
    done = haptos(
        "body", "bilobe", "--level", 2, *mass, "--wheel-radius-m", 0.1, "--out", tmp_path / "a",
        "--json",
    )  # fmt: skip
    assert done.code == 0, done
    reported = json.loads(done.out)["maps"]["values"]
    table = pq.read_table(tmp_path / "a" / "facets.parquet").to_pydict()
    wheel, slope = np.array(table["wheel_limit_m_per_s"]), np.array(table["slope_deg"])
    assert reported["wheel_limit_m_per_s"]["unit"] == "m/s"
    # half of sqrt(R G) where the ground is level, less on slopes
    load = np.array(table["normal_gravity_m_per_s2"])
    level = slope < 10.0
    assert np.all(wheel[level] < 0.5 * np.sqrt(0.1 * load[level]) * 1.1)
    assert wheel.max() > 0.3 * np.sqrt(0.1 * load.max())
    assert np.all(np.array(table["hop_limit_m_per_s"]) > 0.0)
    assert_refused(haptos("body", "bilobe", "--wheel-radius-m", 0.1), "--wheel-radius-m")
