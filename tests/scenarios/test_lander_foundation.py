"""Landers on an elastic foundation: they settle on meshes, with the outputs all landers have; refusals."""

from __future__ import annotations

import numpy as np
import pytest

import haptos
from haptos.core.errors import ConfigError, GeometryError
from haptos.core.outcome import Outcome
from haptos.geometry.mesh.icosphere import icosphere
from haptos.scenarios.lander.answer import answer
from haptos.scenarios.lander.metrics import metric_names
from haptos.scenarios.lander.simulate import simulate_batch, simulate_logged
from tests.lander_cases import lander
from tests.thin_meshes import write_obj

LAW = {
    "law": "foundation", "modulus_Pa_per_m": 1e7, "damping_Pa_s_per_m": 1e6, "damping_depth_m": 1e-5,
    "friction": 0.6, "shear_damping_Pa_s_per_m": 3e5, "levels": 2,
}  # fmt: skip
FEET = tuple(
    {"shape": "ball", "position_m": [x, y, -0.15], "radius_m": 0.05}
    for x, y in ((0.2, 0.2), (-0.2, 0.2), (0.0, -0.25))
)
PROBE = {"shape": "box", "mass_kg": 12.0, "size_m": [0.4, 0.4, 0.2]}


def on_plane(**changes):
    """A probe on feet that comes down on a plane."""
    given = {
        "probe": PROBE,
        "contact": {**LAW, "feet": FEET},
        "release": {"position_m": [0.0, 0.0, 0.25], "velocity_m_per_s": [0.01, 0.0, 0.0],
                    "attitude_yaw_pitch_roll_deg": [0.0, 4.0, 2.0], "rate_rad_per_s": [0.0, 0.0, 0.0]},
        "gravity": {"acceleration_m_per_s2": [0.0, 0.0, -0.05]},
        "run": {"duration_s": 60.0, "output_interval_s": 0.1},
    }  # fmt: skip
    return lander(**{**given, **changes})


def on_mesh(path):
    """The same on a mesh of a ball of 10 m, whose facet below the probe is level."""
    points, faces = icosphere(1)
    middle = points[faces[0]].mean(axis=0)
    up = middle / np.linalg.norm(middle)
    u = np.cross(up, [0.0, 0.0, 1.0])
    u /= np.linalg.norm(u)
    turned = points @ np.array([u, np.cross(up, u), up]).T
    file = write_obj(path, 10.0 * turned, faces)
    level = 10.0 * float(np.linalg.norm(middle))
    surface = {"shape": "mesh", "file": file, "unit": "m", "recentre": False}
    release = {"position_m": [0.0, 0.0, level + 0.25], "velocity_m_per_s": [0.01, 0.0, 0.0],
               "attitude_yaw_pitch_roll_deg": [0.0, 4.0, 2.0], "rate_rad_per_s": [0.0, 0.0, 0.0]}  # fmt: skip
    return on_plane(surface=surface, release=release)


def test_a_lander_on_feet_settles_on_a_mesh_with_a_closed_ledger(tmp_path):
    result = haptos.simulate(on_mesh(tmp_path / "ball.obj"))
    assert result.ended is Outcome.SETTLED
    assert result.trusted
    assert result.ledger.relative_remainder < 1e-6
    assert {phase.name for phase in result.ledger.phases} == {"flight", "bounces"}
    assert "comes to rest" in answer(result)
    assert "It presses at most" in answer(result)


def test_outputs_are_those_of_other_landers():
    result = haptos.simulate(on_plane())
    assert result.ended is Outcome.SETTLED
    assert result.trusted
    assert tuple(result.metrics) == metric_names()
    assert set(result.trajectory.data_vars) >= {"r_BA_A", "quat_AB", "normal_force", "depth_max"}
    load = result.trajectory["normal_force"].values[-1]
    assert abs(load / (12.0 * 0.05) - 1.0) < 1e-3  # it carries its weight
    kinds = list(result.events["kind"].values)
    assert kinds[0] == "touch"
    assert kinds[-1] == "rest"


def test_rows_of_a_campaign_are_those_of_single_runs():
    config = on_plane()
    row = simulate_batch([config, config], workers=2)
    single = haptos.simulate(config)
    assert row[0]["settle_time_s"] == single.metrics["settle_time_s"]
    assert row[0]["settle_time_s"] == row[1]["settle_time_s"]
    logged = simulate_logged([config], store="impacts", workers=1)
    assert len(logged.logs["impacts"]["time_s"]) == single.metrics["contact_phases"]


def test_laws_may_be_mixed_in_a_batch():
    rows = simulate_batch([on_plane(), lander()], workers=1)
    assert rows[0]["outcome"] == rows[1]["outcome"] == "settled"


@pytest.mark.parametrize(
    "surface",
    [
        {"shape": "sphere", "radius_m": 50.0},
        {"shape": "ellipsoid", "semi_axes_m": [50.0, 60.0, 70.0]},
    ],
)
def test_a_whole_probe_touches_spheres_and_ellipsoids(surface):
    config = on_plane(
        probe={"shape": "sphere", "mass_kg": 3.0, "radius_m": 0.2}, surface=surface,
        contact={**LAW, "damping_Pa_s_per_m": 3e6}, gravity={"model": "point", "mu_m3_per_s2": 12.5},
        release={"position_m": [50.25, 0.0, 0.0], "velocity_m_per_s": [0.0, 0.0, 0.0], "rate_rad_per_s": [0.0, 0.0, 0.0]},
    )  # fmt: skip
    result = haptos.simulate(config)
    assert result.trusted
    assert abs(result.metrics["first_touch_time_s"] - 4.510) < 0.005  # free fall of 5 cm
    load = result.trajectory["normal_force"].values[-1]  # it may roll on its facets, slowly
    assert abs(load / (3.0 * 12.5 / 50.2**2) - 1.0) < 0.02


SURROUNDINGS = {
    "air": {"air": {"density_kg_per_m3": 0.5, "drag_coefficient": 1.0, "area_m2": 0.4, "wind_m_per_s": [0.3, 0.0, 0.0]}},
    "sunlight": {"sunlight": {"direction": [0.6, 0.0, 0.8], "distance_au": 0.05, "area_m2": 3.0, "reflectivity": 0.5}},
    "primary": {"primary": {"mu_m3_per_s2": 400.0, "position_m": [200.0, 0.0, 0.0]}},
}  # fmt: skip


@pytest.mark.parametrize("name", SURROUNDINGS)
def test_surroundings_act_in_flight_as_on_other_landers_and_close_the_ledger(name):
    """The flight beside that of point contacts, and beside one without the surroundings; then it comes down."""
    world = {
        "surface": {"shape": "sphere", "radius_m": 50.0},
        "gravity": {"model": "point", "mu_m3_per_s2": 12.5},
        "spin": {"kind": "uniform", "period_h": 1.0},
        "probe": {"shape": "sphere", "mass_kg": 3.0, "radius_m": 0.2},
        "release": {"position_m": [50.3, 0.0, 0.0], "velocity_m_per_s": [0.05, 0.02, 0.0], "rate_rad_per_s": [0.0, 0.0, 0.0]},
        "run": {"duration_s": 40.0, "output_interval_s": 1.0},
    }  # fmt: skip
    law = {**LAW, "levels": 2}
    own = haptos.simulate(on_plane(**world, contact=law, **SURROUNDINGS[name]))
    other = haptos.simulate(on_plane(**world, contact={"restitution": 0.5}, **SURROUNDINGS[name]))
    plain = haptos.simulate(on_plane(**world, contact=law))
    assert own.trusted
    rows = int(np.nanmin([run.metrics["first_touch_time_s"] for run in (own, other, plain)]))
    assert rows >= 5
    places = [result.trajectory["r_BA_A"].values[:rows] for result in (own, other, plain)]
    way = np.abs(places[2] - places[0]).max()
    assert way > 1e-4  # it matters
    assert np.abs(places[1] - places[0]).max() < 1e-5 * way
    np.testing.assert_allclose(own.trajectory["time"].values[:rows], np.arange(rows), atol=1e-12)


REFUSED = {
    "terrain": {"terrain": {"noise": {"amplitude_m": 0.1, "wavelength_m": 1.0}}},
    "tumbling": {"spin": {"kind": "tumbling", "rate_rad_per_s": [0.0, 0.0, 1e-4], "moments": [1.0, 2.0, 2.5]}},
    "hops": {"hops": {"axis": [1.0, 0.0, 0.0], "largest_rate_rad_per_s": 10.0, "wheel_inertia_kg_m2": 1e-3}},
    "modulus": {"contact": {**{k: v for k, v in LAW.items() if k != "modulus_Pa_per_m"}}},
    "damping depth": {"contact": {**LAW, "damping_depth_m": 0.0}},
    "height of a ball": {"contact": {**LAW, "feet": ({**FEET[0], "height_m": 0.1},)}},
    "feet that overlap": {"contact": {**LAW, "feet": (FEET[0], {**FEET[0], "position_m": [0.22, 0.2, -0.15]})}},
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_serve_is_refused_with_four_parts(name):
    from haptos.scenarios.lander.simulate import check

    with pytest.raises((ConfigError, GeometryError), match=r"(?s)found.*allowed:.*try:"):
        check(on_plane(**REFUSED[name]))


def test_the_preset_on_feet_closes_its_ledger_far_below_its_bound():
    """Feet that leave within a step: 8.3e-7 where steps were judged by their embedded error alone."""
    result = haptos.simulate(haptos.default("lander-feet"))
    assert result.trusted
    assert str(result.outcome) == "settled"
    assert result.ledger.relative_remainder < 2e-7
