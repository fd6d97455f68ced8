"""Probes over meshes with parts thinner than their facets: they land, or the file is refused; none falls through."""

from __future__ import annotations

import numpy as np
import pytest

import haptos
from haptos.core.errors import GeometryError
from haptos.core.outcome import Outcome
from haptos.geometry.distance.grid_build import build_grid
from haptos.scenarios.lander.simulate import simulate_batch
from haptos.scenarios.worlds import ground as world_ground
from tests.thin_meshes import angle_section, bowl, grooved, write_obj
from tests.thin_worlds import cube_over

MESHES = {
    "L 1 m": angle_section(20.0, 1.0, 20.0, 5),
    "L 0.2 m": angle_section(10.0, 0.2, 10.0, 5),
    "L 0.05 m": angle_section(5.0, 0.05, 5.0, 5),
    "bowl": bowl(5.0, 0.4, 20, 5),
}
COARSE = {"L 1 m": 4.0, "L 0.2 m": 2.0, "L 0.05 m": 1.0, "bowl": 2.0}  # [m]
FLOOR = {"L 1 m": 1.0, "L 0.2 m": 0.2, "L 0.05 m": 0.05, "bowl": -4.6}  # [m] where probes land


def over(path, name, seed, **surface):
    vertices, faces = MESHES[name]
    if name != "bowl":  # the foot of the L below the origin
        vertices = vertices - [0.3 * np.ptp(vertices[:, 0]), 0.0, 0.0]
    given = {
        "shape": "mesh",
        "file": write_obj(path, vertices, faces),
        "unit": "m",
        "recentre": False,
    }
    rng = np.random.default_rng(seed)
    return cube_over({**given, **surface}, 0.01, 600.0, FLOOR[name] + 1.0, rng, spread=0.5)


@pytest.mark.parametrize("name", MESHES)
def test_probes_come_to_rest_on_thin_ground(tmp_path, name):
    for seed in range(3):
        result = haptos.simulate(over(tmp_path / "thin.obj", name, seed))
        assert result.ended is Outcome.SETTLED
        assert result.trusted
        height = float(result.trajectory["r_BA_A"].values[-1, 2])
        assert FLOOR[name] < height < FLOOR[name] + 0.35


@pytest.mark.parametrize("name", MESHES)
def test_a_spacing_that_misses_the_ground_is_refused(tmp_path, name):
    config = over(tmp_path / "thin.obj", name, 0, grid_spacing_m=COARSE[name])
    with pytest.raises(
        GeometryError, match=r"misses parts of the body(.|\n)*try: grid_spacing_m ="
    ):
        haptos.simulate(config)


def test_a_spacing_that_fills_a_gap_is_refused(tmp_path):
    file = write_obj(tmp_path / "grooved.obj", *grooved(0.5, 40))
    surface = {"shape": "mesh", "file": file, "unit": "m", "grid_spacing_m": 1.0}
    with pytest.raises(GeometryError, match="fills gaps in the body"):
        haptos.simulate(cube_over(surface, 0.01, 600.0, 4.0, np.random.default_rng(0)))


def test_a_run_on_a_grid_that_is_not_that_of_its_mesh_is_not_trusted(tmp_path, monkeypatch):
    """The mesh is asked where the run ends, whatever its grid says."""

    def lowered(vertices, faces, spacing, **_):
        return build_grid(vertices - [0.0, 0.0, 0.9], faces, spacing)

    monkeypatch.setattr(world_ground, "cached_grid", lowered)
    monkeypatch.setattr(world_ground, "require_resolved", lambda *_: None)
    config = over(tmp_path / "shifted.obj", "L 1 m", 0, grid_spacing_m=0.3)
    result, (row,) = haptos.simulate(config), simulate_batch([config], workers=1)
    assert result.ended is Outcome.SETTLED
    assert not result.trusted
    assert row["not_trusted_because"] == "surface"
    (check,) = [check for check in result.checks if check.name == "surface"]
    assert check.subject == "The probe below ground"
    assert check.bound < check.value < 1.0
