"""Landers on bodies: built in or from a file, with terrain, regions, tables of gravity and sunlight."""

from __future__ import annotations

import math
import os
from pathlib import Path

import numpy as np
import pytest

import haptos
from haptos.core.errors import ConfigError, HaptosError
from haptos.environment.gravity import potential_and_gravity
from haptos.environment.gravity_point import point_gravity
from haptos.geometry.distance.surface import gap_and_normal, ground_feet
from haptos.geometry.mesh.polyhedra import platonic_solid
from haptos.geometry.terrain.land import has_regions, is_rough, regions_in
from haptos.geometry.terrain.regions import region_at
from haptos.scenarios.lander.model import build
from haptos.scenarios.lander.simulate import simulate_batch
from haptos.scenarios.worlds.world import world_of
from tests.close import assert_close
from tests.geometry.closed_meshes import ball
from tests.hard_cases import hard, kinds
from tests.lander_cases import lander

BILOBE = {"shape": "body", "body": "bilobe", "level": 3}
PULL = {"model": "point", "mu_m3_per_s2": 2.1}  # [m^3/s^2] of Itokawa
TOP = (0.0, 0.0, 140.0)  # [m] above the waist of the bilobe
SHORT = {"duration_s": 60.0, "output_interval_s": 1.0}
PROBE = {"shape": "sphere", "mass_kg": 1.0, "radius_m": 0.5}


@pytest.fixture(scope="module", autouse=True)
def own_cache(tmp_path_factory):
    """Grids and tables of these tests go into a folder of their own; kernels stay where they are."""
    patch = pytest.MonkeyPatch()
    folder = tmp_path_factory.mktemp("cache")
    for module in ("geometry.distance.grid_files", "environment.gravity_table_files"):
        patch.setattr(f"haptos.{module}.cache_home", lambda kind: folder / kind)
    yield
    patch.undo()


def above(surface, direction, height):
    """Point [m] at a height above the smooth ground in a direction from the origin."""
    foot = ground_feet(surface, np.array([direction], dtype=float))[0][0]
    _, normal = gap_and_normal(surface, tuple(foot))
    return (foot + height * np.array(normal)).tolist(), np.array(normal)


def on_body(**changes):
    """A ball let fall from 1 m above the waist of a small bilobe."""
    base = {"surface": BILOBE, "gravity": PULL, "probe": PROBE, "run": SHORT}
    base["release"] = {
        "position_m": list(TOP),
        "velocity_m_per_s": [0.0, 0.0, 0.0],
        "rate_rad_per_s": [0.0, 0.0, 0.0],
    }
    config = lander(**(base | changes))
    if "release" not in changes:
        place, normal = above(world_of(config).surface, TOP, 1.2)
        falling = {"position_m": place, "velocity_m_per_s": (-0.05 * normal).tolist()}
        config = lander(**(base | changes | {"release": {**base["release"], **falling}}))
    return config


def obj_file(path: Path, vertices, faces) -> Path:
    lines = [f"v {x!r} {y!r} {z!r}" for x, y, z in vertices.tolist()]
    lines += [f"f {a} {b} {c}" for a, b, c in (faces + 1).tolist()]
    path.write_text("\n".join(lines) + "\n")
    return path


def mesh(file: Path, **more):
    return {"shape": "mesh", "file": str(file), "unit": "m", **more}


def assert_trusted(result):
    assert result.trusted
    assert result.ledger.max_remainder < 1e-6 * result.ledger.scale


# ---- bodies and files ---------------------------------------------------------------------------


def test_a_ball_falls_on_a_built_in_body_and_closes_its_ledger():
    result = haptos.simulate(on_body())
    assert_trusted(result)
    assert result.metrics["contact_phases"] >= 1
    expected = 0.7 / 0.05  # [s], 0.7 m at the speed of release; gravity adds a little
    assert 0.6 * expected < result.metrics["first_touch_time_s"] < expected
    assert result.metrics["deepest_m"] < 0.5


def test_a_mesh_file_of_a_ball_is_as_good_as_the_sphere(tmp_path):
    vertices, faces = ball(4, 20.0)
    file = obj_file(tmp_path / "ball.obj", vertices, faces)
    release = {"position_m": [0.0, 0.0, 21.5], "velocity_m_per_s": [0.0, 0.0, -0.05], "rate_rad_per_s": [0.0, 0.0, 0.0]}  # fmt: skip
    runs = [
        haptos.simulate(lander(surface=surface, gravity=PULL, probe=PROBE, run=SHORT, release=release))
        for surface in ({"shape": "sphere", "radius_m": 20.0}, mesh(file))
    ]  # fmt: skip
    times = [run.metrics["first_touch_time_s"] for run in runs]
    assert_close(times[1], times[0], rtol=3e-3)  # facets lie up to 20 m (1 - cos 2 deg) = 12 mm low
    assert_trusted(runs[1])


def test_a_ball_dropped_on_an_apex_bounces_straight_up(tmp_path):
    """It was sent off by 44 degrees: nodes lie on the axis, and the slope of one side alone was taken."""
    vertices, faces = platonic_solid("octahedron")
    surface = mesh(
        obj_file(tmp_path / "octahedron.obj", 20.0 * vertices, faces), grid_spacing_m=1.5
    )
    top = 20.0 * float(vertices[:, 2].max())
    release = {"position_m": [0.0, 0.0, top + 1.0], "velocity_m_per_s": [0.0, 0.0, -0.05], "rate_rad_per_s": [0.0, 0.0, 0.0]}  # fmt: skip
    uniform = {"model": "uniform", "acceleration_m_per_s2": [0.0, 0.0, -1e-3]}
    result = haptos.simulate(hard(surface=surface, gravity=uniform, probe=PROBE, run=SHORT, release=release))  # fmt: skip
    v = result.events["v_after_A"].values[kinds(result).index("impact")]
    assert v[2] > 0.02
    assert np.hypot(v[0], v[1]) < 1e-6 * v[2]


def test_a_file_in_kilometres_off_its_centre_is_the_same_body(tmp_path):
    vertices, faces = ball(2, 20.0)
    plain = mesh(obj_file(tmp_path / "a.obj", vertices, faces))
    shifted = mesh(
        obj_file(tmp_path / "b.obj", 1e-3 * (vertices + np.array([1.0, 2.0, 3.0])), faces)
    )
    shifted["unit"] = "km"
    a, b = (
        world_of(lander(surface=surface, gravity=PULL, release={"position_m": [0.0, 0.0, 30.0]}))
        for surface in (plain, shifted)
    )
    assert_close(b.mesh[0], a.mesh[0], rtol=1e-12)
    assert any("centre" in message for message in b.messages)


def test_the_world_follows_the_content_of_the_file(tmp_path):
    vertices, faces = ball(2, 20.0)
    file = obj_file(tmp_path / "ball.obj", vertices, faces)
    config = lander(surface=mesh(file), gravity=PULL, release={"position_m": [0.0, 0.0, 60.0]})
    first = world_of(config)
    assert world_of(config) is first
    obj_file(file, 2.0 * vertices, faces)
    os.utime(file, ns=(1, 1))  # whatever the clock says
    second = world_of(config)
    assert second is not first
    assert_close(second.radius, 40.0, rtol=1e-12)


# ---- gravity, tide, sunlight --------------------------------------------------------------------


def test_gravity_of_the_mesh_is_that_of_its_mass_afar_and_not_near():
    tabulated = {"model": "polyhedron", "mu_m3_per_s2": 2.1, "facets": 320, "table_spacing_m": 30.0}
    config = on_body(gravity=tabulated)
    field = world_of(config).gravity
    for x, share in (((3000.0, 0.0, 0.0), 0.01), ((0.0, 0.0, 3000.0), 0.01)):
        assert_close(potential_and_gravity(field, x)[1], point_gravity(x, 2.1)[1], rtol=share)
    near = tuple(above(world_of(config).surface, TOP, 1.0)[0])
    pulls = np.array([potential_and_gravity(field, near)[1], point_gravity(near, 2.1)[1]])
    assert np.linalg.norm(pulls[0] - pulls[1]) > 0.05 * np.linalg.norm(pulls[0])
    assert_trusted(haptos.simulate(config))


def test_density_and_mu_of_a_mesh_say_the_same():
    by_mu = {"model": "polyhedron", "mu_m3_per_s2": 2.1, "facets": 320, "table_spacing_m": 60.0}
    config = on_body(gravity=by_mu)
    vertices, faces = world_of(config).mesh
    volume = np.einsum("fi,fi->f", vertices[faces[:, 0]], np.cross(vertices[faces[:, 1]], vertices[faces[:, 2]])).sum() / 6.0  # fmt: skip
    by_density = {**by_mu, "density_kg_per_m3": 2.1 / (6.67430e-11 * volume)}
    del by_density["mu_m3_per_s2"]
    x, release = (0.0, 0.0, 300.0), {"position_m": list(TOP)}
    one, two = (
        potential_and_gravity(world_of(on_body(gravity=table, release=release)).gravity, x)[1]
        for table in (by_mu, by_density)
    )
    assert_close(two, one, rtol=1e-12)


def test_a_primary_pulls_its_tide():
    primary = {"mu_m3_per_s2": 4.0e13, "position_m": [9.4e6, 0.0, 0.0]}  # Mars from Phobos
    release = {"position_m": list(TOP), "velocity_m_per_s": [0.0, 0.0, 0.0]}
    config = on_body(primary=primary, release=release, run={"duration_s": 20.0})
    result = haptos.simulate(config)
    assert_trusted(result)
    x = np.array(TOP)
    tide = -4.0e13 / 9.4e6**3 * x  # along z, across the line to the primary
    g = -2.1 / np.linalg.norm(x) ** 3 * x
    rate = result.trajectory["v_BA_A"].sel(time=10.0, method="nearest").values / 10.0
    assert_close(rate[2], (g + tide)[2], rtol=1e-3)


SUNLIGHT = {"direction": [0.6, 0.0, 0.8], "area_m2": 1.0, "distance_au": 0.1}


@pytest.mark.parametrize("spin", [{"kind": "none"}, {"kind": "uniform", "period_h": 0.2}])
def test_work_of_sunlight_is_booked_and_the_ledger_closes(spin):
    lit = haptos.simulate(on_body(sunlight=SUNLIGHT, spin=spin))
    assert_trusted(lit)
    dark = haptos.simulate(on_body(spin=spin))
    assert lit.metrics["first_touch_time_s"] < dark.metrics["first_touch_time_s"]


def test_work_of_sunlight_is_told():
    lit = haptos.simulate(on_body(sunlight=SUNLIGHT))
    assert np.any(lit.ledger.works["sunlight"] != 0.0)
    stores = sum(lit.ledger.stores.values())
    works = sum(lit.ledger.works.values())
    remainder = np.abs(stores - stores[0] - works).max()
    assert remainder < 1e-6 * lit.ledger.scale


# ---- terrain and regions ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "terrain",
    [
        {"noise": {"relief_m": 2.0, "longest_m": 20.0, "octaves": 4}},
        {"rocks": {"model": "seeded", "rocks_per_m2": 0.05, "smallest_m": 1.0, "largest_m": 4.0}},
        {"rocks": {"model": "polyhedral", "rocks_per_m2": 0.5, "smallest_m": 1.0, "largest_m": 4.0}},
    ],
    ids=["noise", "seeded", "polyhedral"],
)  # fmt: skip
def test_a_cube_on_rough_ground_closes_its_ledger(terrain):
    cube = {"shape": "cube", "mass_kg": 5.0, "edge_m": 0.4}
    release = {"position_m": above(world_of(on_body()).surface, TOP, 6.0)[0]}
    release["velocity_m_per_s"] = [0.0, 0.0, -0.2]
    config = on_body(terrain={**terrain, "seed": 6}, probe=cube, release=release)
    world = world_of(config)
    assert is_rough(world.surface.land)
    result = haptos.simulate(config)
    assert_trusted(result)
    assert result.metrics["contact_phases"] >= 1
    smooth = haptos.simulate(on_body(probe=cube, release=release))
    assert result.metrics["first_touch_time_s"] != smooth.metrics["first_touch_time_s"]
    other = world_of(on_body(terrain={**terrain, "seed": 4}, probe=cube, release=release))
    assert not np.array_equal(other.surface.land.numbers, world.surface.land.numbers)


@pytest.mark.parametrize(
    ("outline", "found"),
    [
        ({}, "0 outlines"),
        ({"latitude_deg": [60.0, 30.0]}, "latitude_deg"),
        ({"longitude_deg": [10.0, 10.0]}, "longitude_deg"),
        ({"polygon_deg": [[0.0, 0.0], [1.0, 1.0]]}, "2 corners"),
        ({"geopotential_share": 0.1, "longitude_deg": [0.0, 90.0]}, "2 outlines"),
    ],
)
def test_outlines_that_hold_nothing_are_refused(outline, found):
    with pytest.raises(ConfigError, match=found):
        lander(surface=BILOBE, gravity=PULL, probe=PROBE, regions=[outline])


def test_regions_have_their_own_coefficients():
    north = {"name": "north", "latitude_deg": [0.0, 90.0], "restitution": 0.1, "friction": 0.9}
    everywhere = {"contact": {"restitution": 0.8, "friction": 0.5}}
    plain, soft = (
        haptos.simulate(on_body(**everywhere, **more)) for more in ({}, {"regions": [north]})
    )
    bounce = [
        run.trajectory["r_BA_A"].sel(time=60.0, method="nearest").values for run in (plain, soft)
    ]
    heights = [gap_and_normal(world_of(on_body()).surface, tuple(x))[0] for x in bounce]
    assert heights[0] > heights[1] + 0.05
    model = build(on_body(**everywhere, regions=[north]))
    laws = model.parameters["ground"]["laws"]
    assert laws["mu"][0] == 0.5
    assert laws["mu"][1] == 0.9
    assert has_regions(model.world.surface.land)


def test_regions_of_the_other_side_change_nothing():
    south = {"latitude_deg": [-90.0, -10.0], "restitution": 0.1}
    plain, other = (haptos.simulate(on_body(**more)) for more in ({}, {"regions": [south]}))
    assert_close(other.metrics["path_length_m"], plain.metrics["path_length_m"], rtol=1e-9)


def test_lowlands_are_a_share_of_the_ground_and_lie_low():
    spin = {"kind": "uniform", "period_h": 12.1}
    tabulated = {"model": "polyhedron", "mu_m3_per_s2": 2.1, "facets": 320, "table_spacing_m": 30.0}
    config = on_body(gravity=tabulated, spin=spin, regions=[{"geopotential_share": 0.2}])
    world = world_of(config)
    vertices, faces = world.mesh
    centres = vertices[faces].mean(axis=1)
    labels = np.array(
        [region_at(regions_in(world.surface.land), tuple(x)) for x in centres.tolist()]
    )
    assert abs(labels.mean() - 0.2) < 0.04
    rate = 2.0 * math.pi / (12.1 * 3600.0)
    potential = [potential_and_gravity(world.gravity, tuple(x))[0] for x in centres.tolist()]
    height = np.array(potential) + 0.5 * rate**2 * np.sum(centres[:, :2] ** 2, axis=1)
    assert np.median(height[labels == 1]) > np.quantile(height, 0.75)


# ---- batches ------------------------------------------------------------------------------------


def test_a_batch_of_two_worlds_gives_the_bits_of_each_alone():
    rough = {"noise": {"relief_m": 1.0, "longest_m": 20.0, "octaves": 3}}
    release = {"position_m": above(world_of(on_body()).surface, TOP, 4.0)[0]}
    release["velocity_m_per_s"] = [0.0, 0.0, -0.2]
    configs = [
        on_body(release=release), lander(run=SHORT), on_body(release=release, terrain=rough),
        on_body(release=release, contact={"friction": 0.2}),
    ]  # fmt: skip
    together = simulate_batch(configs, workers=2)
    for config, row in zip(configs, together, strict=True):
        (alone,) = simulate_batch([config], workers=1)
        assert repr(alone) == repr(row)
    assert len({repr(row) for row in together}) == 4
    assert haptos.simulate(configs[2]).as_row() == together[2]


# ---- refusals -----------------------------------------------------------------------------------

REFUSALS = {
    "unknown body": ({"surface": {"shape": "body", "body": "egg"}}, "surface", "'egg'"),
    "level": ({"surface": {**BILOBE, "level": 9}}, "surface", "9"),
    "spacing": ({"surface": {**BILOBE, "grid_spacing_m": 0.0}}, "surface", "0"),
    "no unit": ({"surface": {"shape": "mesh", "file": "a.obj"}}, "surface", "no key 'unit'"),
    "no such file": ({"surface": {"shape": "mesh", "file": "nowhere.obj", "unit": "m"}}, "nowhere.obj", ""),
    "no strength": ({"gravity": {"model": "polyhedron"}}, "gravity", "neither"),
    "two strengths": (
        {"gravity": {"model": "polyhedron", "mu_m3_per_s2": 1.0, "density_kg_per_m3": 2.0}},
        "gravity", "both",
    ),
    "polyhedron of a plane": (
        {"surface": {"shape": "plane"}, "gravity": {"model": "polyhedron", "mu_m3_per_s2": 1.0}},
        "", "polyhedron",
    ),
    "few facets": (
        {"gravity": {"model": "polyhedron", "mu_m3_per_s2": 1.0, "facets": 20}}, "gravity", "20",
    ),
    "noise without relief": ({"terrain": {"noise": {"longest_m": 3.0}}}, "terrain.noise", "relief_m"),
    "octaves": (
        {"terrain": {"noise": {"relief_m": 1.0, "longest_m": 3.0, "octaves": 0}}}, "terrain.noise", "0",
    ),
    "rock model": (
        {"terrain": {"rocks": {"model": "square", "rocks_per_m2": 1.0}}}, "terrain.rocks", "square",
    ),
    "rock sizes": (
        {"terrain": {"rocks": {"model": "seeded", "rocks_per_m2": 1.0, "smallest_m": 2.0, "largest_m": 1.0}}},
        "terrain.rocks", "smallest_m = 2",
    ),
    "rocks without facets": (
        {"surface": {"shape": "plane"}, "terrain": {"rocks": {"model": "polyhedral", "rocks_per_m2": 1.0}}},
        "", "polyhedral",
    ),
    "no outline": ({"regions": [{"friction": 0.2}]}, "regions", "0 outlines"),
    "two outlines": (
        {"regions": [{"latitude_deg": [0.0, 10.0], "geopotential_share": 0.1}]}, "regions", "2 outlines",
    ),
    "latitudes": ({"regions": [{"latitude_deg": [10.0, 0.0]}]}, "regions", "latitude_deg"),
    "beyond the pole": ({"regions": [{"latitude_deg": [10.0, 100.0]}]}, "regions", "100"),
    "two corners": ({"regions": [{"polygon_deg": [[0.0, 0.0], [1.0, 1.0]]}]}, "regions", "2 corners"),
    "eight regions": ({"regions": [{"geopotential_share": 0.1}] * 8}, "", "regions"),
    "regions on a plane": (
        {"surface": {"shape": "plane"}, "regions": [{"latitude_deg": [0.0, 10.0]}]}, "", "plane",
    ),
    "unknown key": ({"regions": [{"latitude_deg": [0.0, 9.0], "frction": 1.0}]}, "regions", "frction"),
    "primary at the centre": (
        {"primary": {"mu_m3_per_s2": 1.0, "position_m": [0.0, 0.0, 0.0]}}, "primary", "position_m",
    ),
    "sun nowhere": (
        {"sunlight": {"direction": [0.0, 0.0, 0.0], "area_m2": 1.0}}, "sunlight", "direction",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSALS)
def test_bad_worlds_are_refused_with_four_parts(name):
    changes, where, found = REFUSALS[name]
    with pytest.raises(HaptosError) as caught:
        build(on_body(release={"position_m": list(TOP)}, **changes))
    error = caught.value
    for part in (error.where, error.found, error.allowed, error.hint):
        assert part
    text = str(error)
    assert where in error.where
    assert found in text
    assert "pydantic" not in text.lower()


def test_a_mesh_with_a_hole_or_a_flipped_facet_is_refused(tmp_path):
    vertices, faces = ball(1, 20.0)
    flipped = faces.copy()
    flipped[3] = flipped[3, ::-1]
    for name, broken in (("hole", faces[1:]), ("flipped", flipped)):
        file = obj_file(tmp_path / f"{name}.obj", vertices, broken)
        config = lander(surface=mesh(file), gravity=PULL, release={"position_m": [0.0, 0.0, 30.0]})
        with pytest.raises(HaptosError) as caught:
            build(config)
        assert file.name in str(caught.value)
