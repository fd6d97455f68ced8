"""Numbers that are each allowed and cannot belong together: refused by the ratio that gives them away."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from haptos.core.errors import ConfigError
from haptos.geometry.mesh.procedural_bodies import procedural_body
from haptos.scenarios.files import default, parse_checked
from haptos.scenarios.plausibility import check_density, check_release, check_spin, mesh_volume
from tests.cli.commands import assert_refused, haptos

BENNU = Path(__file__).parents[3] / "shared" / "bodies" / "bennu.obj"  # in kilometres
MU = 4.89  # [m^3/s^2] of Bennu


def write_obj(path: Path, scale: float) -> Path:
    """A Bennu-like body of radius 0.25 km, in so many metres per unit."""
    vertices, faces = procedural_body("top", 2, 0)
    lines = [f"v {x / scale!r} {y / scale!r} {z / scale!r}" for x, y, z in vertices.tolist()]
    lines += [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in faces.tolist()]
    path.write_text("\n".join(lines) + "\n")
    return path


def scene(file: Path, unit: str, gravity: dict, position: list[float]) -> dict:
    """A cube of 0.3 m above a mesh."""
    table = default("lander-bilobe").as_table()
    table["probe"] = {"shape": "cube", "mass_kg": 5.0, "edge_m": 0.3}
    table["surface"] = {"shape": "mesh", "file": str(file), "unit": unit}
    table["gravity"] = gravity
    table["release"]["position_m"] = position
    return table


@pytest.fixture
def kilometres(tmp_path: Path) -> Path:
    return write_obj(tmp_path / "body.obj", 1000.0)


def test_a_body_in_the_wrong_unit_is_refused_by_its_density(kilometres: Path) -> None:
    gravity = {"model": "point", "mu_m3_per_s2": MU}
    parse_checked(scene(kilometres, "km", gravity, [0.0, 0.0, 400.0]), "here")
    with pytest.raises(ConfigError, match="kg/m\\^3") as caught:
        parse_checked(scene(kilometres, "m", gravity, [0.0, 0.0, 0.5]), "here")
    assert 'surface.unit = "km"' in caught.value.hint
    assert "[surface]" in caught.value.where


def test_a_body_in_the_wrong_unit_is_refused_by_the_distance_of_the_release(
    kilometres: Path,
) -> None:
    gravity = {"model": "polyhedron", "density_kg_per_m3": 1190.0, "facets": 100}
    table = scene(kilometres, "m", gravity, [0.0, 0.0, 400.0])
    table["probe"]["edge_m"] = 0.1
    with pytest.raises(ConfigError, match="radii away") as caught:
        parse_checked(table, "here")
    assert "1." in caught.value.found
    assert "1000 radii" in caught.value.allowed


def test_a_body_smaller_than_the_probe_is_refused(kilometres: Path) -> None:
    gravity = {"model": "uniform", "acceleration_m_per_s2": [0.0, 0.0, -1e-4]}
    with pytest.raises(ConfigError, match="times that of the probe"):
        parse_checked(scene(kilometres, "cm", gravity, [0.0, 0.0, 1.0]), "here")


def test_small_bodies_of_tests_still_pass(tmp_path: Path) -> None:
    """2 m across with a cube of 0.3 m, in uniform gravity and in that of a heavy point."""
    ball = {"shape": "sphere", "radius_m": 1.0}
    uniform = {"model": "uniform", "acceleration_m_per_s2": [0.0, 0.0, -9.81]}
    for gravity in (uniform, {"model": "point", "mu_m3_per_s2": 1.0}):
        table = scene(tmp_path, "m", gravity, [0.0, 0.0, 2.0]) | {"surface": ball}
        parse_checked(table, "here")


@pytest.mark.skipif(not BENNU.is_file(), reason="needs a shape file that is not in the package")
def test_bennu_taken_as_metres_is_refused_within_seconds(tmp_path: Path) -> None:
    path = tmp_path / "bennu.toml"
    path.write_text(f'''
scenario = "lander"
[probe]
shape = "cube"
mass_kg = 5.0
edge_m = 0.3
[surface]
shape = "mesh"
file = "{BENNU}"
unit = "m"
[gravity]
model = "polyhedron"
mu_m3_per_s2 = {MU}
[contact]
law = "impulsive"
restitution = 0.5
friction = 0.5
[release]
position_m = [0.0, 0.0, 500.0]
[run]
duration_s = 10000.0
''')
    began = time.process_time()
    assert_refused(haptos("check", path), "kg/m^3", 'surface.unit = "km"')
    assert time.process_time() - began < 30.0


@pytest.mark.parametrize("factor", [0.99, 1.01])
def test_bounds_are_where_the_page_says(factor: float) -> None:
    volume = 1.0e6
    for mu, keeps in ((6.6743e-11 * 1e-2 * volume, factor > 1), (6.6743e-11 * 1e7 * volume, factor < 1)):  # fmt: skip
        if keeps:
            check_density(factor * mu, volume, "m", "body.obj")
        else:
            with pytest.raises(ConfigError):
                check_density(factor * mu, volume, "m", "body.obj")
    if factor < 1:
        check_release((1000.0 * factor, 0.0, 0.0), 1.0)
        check_spin((1e8 * factor) ** 0.5, 1.0, 1.0)
    else:
        with pytest.raises(ConfigError, match=r"1\.01e"):
            check_release((1000.0 * factor, 0.0, 0.0), 1.0)
        with pytest.raises(ConfigError, match="times gravity"):
            check_spin((1e8 * factor) ** 0.5, 1.0, 1.0)


def test_a_map_of_a_body_that_flies_apart_is_refused() -> None:
    done = haptos("run", "liftoff", "--set", "spin.period_h=1e-12", "--out", "never")
    assert_refused(done, "times gravity", "[spin]")


def test_volume_of_a_mesh_is_that_of_its_tetrahedra() -> None:
    vertices, faces = procedural_body("top", 2, 0)
    assert mesh_volume(2.0 * vertices, faces) == pytest.approx(8.0 * mesh_volume(vertices, faces))
    assert 3e7 < mesh_volume(vertices, faces) < 1e8
