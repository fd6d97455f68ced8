"""Surroundings of tethers from their files: light, air, third body, heat, ground; guard of the ground; cells by length."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from haptos.core.errors import ConfigError
from haptos.dynamics.cable.reel_build import hold as held
from haptos.dynamics.cable.reel_build import prescribed
from haptos.dynamics.cable.tether_grid import GriddedRun
from haptos.dynamics.cable.tether_run import TetherRun
from haptos.environment.gravity_terms import SOLAR_PRESSURE, primary_tide, sunlit_share
from haptos.environment.heat import SOLAR_CONSTANT, emitted_power, planet_power, sun_power
from haptos.results.result import Result
from haptos.scenarios.files import parse
from haptos.scenarios.worlds.air import Atmosphere, density_table
from tests.close import assert_close
from tests.scenarios.test_tether import EARTH_MU, changed, run
from tests.tether_cases import spun_reel_in

STILL = {"spin_deg_per_s": [0.0, 0.0, 0.0], "tension_N": 0.0}
FREE = {"kind": "free"}


def hold(duration: float) -> list[dict[str, object]]:
    return [{"kind": "hold", "duration_s": duration}]


def mean_place(result: Result) -> np.ndarray:
    """Place [m] of the middle of the two bodies at the end."""
    return np.asarray(result.trajectory["r_BN_N"].values[-1].mean(axis=0))


def test_sunlight_presses_on_bodies_and_line():
    """Two equal bodies in free space, the line across the light: m a = (1 + r) P (2 A + d l)."""
    body = {"mass_kg": 50.0, "light_area_m2": 4.0, "reflectivity": 0.5}
    line = {"length_m": 40.0, "linear_density_kg_per_m": 0.05, "diameter_m": 0.01}
    start = {**STILL, "distance_m": 40.0, "direction": [0.0, 1.0, 0.0]}
    sun = {
        "direction": [0.0, 0.0, 2.0],
        "distance_au": 2.0,
        "pushes": True,
        "line_reflectivity": 0.0,
    }
    common = {
        "place": FREE,
        "first": body,
        "second": body,
        "line": line,
        "start": start,
        "steps": hold(100.0),
    }
    result = run("tether-spin", **common, sun=sun, run={"cells": 4})
    push = SOLAR_PRESSURE / 4.0 * (1.5 * 2.0 * 4.0 + 0.01 * 40.0)
    mass = 100.0 + 0.05 * 40.0
    trajectory = result.trajectory
    bodies = np.asarray(trajectory["r_BN_N"].values[-1, :, 2])
    cells = np.asarray(trajectory["r_point_N"].values[-1, 1:-1, 2])
    centre = (50.0 * bodies.sum() + 0.5 * cells.sum()) / mass
    assert_close(centre, -0.5 * push / mass * 100.0**2, rtol=1e-8)
    assert result.trusted


def in_orbit(**tables: object) -> Result:
    """Two equal bodies 20 m apart along the vertical at 350 km, for 100 s."""
    body = {"mass_kg": 50.0, "drag_area_m2": 2.0, "drag_coefficient": 2.0}
    return run(
        "tether-libration", **{
            "place": {"kind": "orbit", "semi_major_axis_km": 6728.137, "inclination_deg": 0.0}, "first": body, "second": body,
            "line": {"length_m": 20.0, "linear_density_kg_per_m": 1e-4, "stiffness_N": 1e4, "damping_N_s": 1e3},
            "start": {**STILL, "distance_m": 20.0, "direction": [0.0, 0.0, 1.0], "relative_velocity_m_per_s": [0.0, 0.0, 0.0]},
            "steps": hold(100.0), "run": {"cells": 4}, **tables,
        },
    )  # fmt: skip


def test_air_brakes_bodies_in_orbit_by_its_density():
    still = mean_place(in_orbit())
    air = {"model": "standard", "line_drag_coefficient": 2.2}
    slowed = mean_place(in_orbit(air=air)) - still
    table = density_table(Atmosphere(model="standard"), is_orbit=True)
    density = math.exp(
        np.interp(350e3, table.spacing * np.arange(len(table.log_density)), table.log_density)
    )
    speed = math.sqrt(EARTH_MU / 6728.137e3)
    braking = 0.5 * density * speed**2 * 4.0 / 50.0
    # along flight at the start, to 1 % : the frame turns by 6.6 degrees and what falls behind is drawn down
    assert_close(float(np.linalg.norm(slowed)), 0.5 * braking * 100.0**2, rtol=0.01)


def test_a_third_body_pulls_by_its_tide():
    moon = {
        "mu_m3_per_s2": 4.9e18,
        "position_m": [3.8e8, 1e8, 5e7],
    }  # a million Moons, so that it shows
    moved = mean_place(in_orbit(third_body=moon)) - mean_place(in_orbit())
    n = math.sqrt(EARTH_MU / 6728.137e3**3)
    place, pull = np.array(moon["position_m"]), []
    times = np.linspace(0.0, 100.0, 201)
    for t in times:
        x = 6728.137e3 * np.array([math.cos(n * t), math.sin(n * t), 0.0])
        pull.append(primary_tide(tuple(x), tuple(place), 4.9e18)[1])
    weight = (100.0 - times)[:, None]
    expected = np.trapezoid(weight * np.array(pull), times, axis=0)
    assert_close(moved, expected, rtol=2e-2, scale=float(np.linalg.norm(expected)))
    assert np.linalg.norm(moved) > 1.0


def test_a_line_in_orbit_has_the_temperature_of_one_cord_through_an_eclipse():
    """Against the heat balance of one cord on the circular orbit, along the vertical."""
    heat = {
        "start_K": 290.0,
        "absorptance": 0.5,
        "emissivity": 0.8,
        "specific_heat_J_per_kg_K": 1000.0,
        "damping_share": 0.0,
    }
    line = {
        "length_m": 20.0,
        "linear_density_kg_per_m": 8.33e-3,
        "stiffness_N": 1e4,
        "damping_N_s": 1e3,
        "diameter_m": 2.6076e-3,
    }
    sun = {"direction": [1.0, 0.3, 0.2]}
    result = in_orbit(heat=heat, line=line, sun=sun, steps=hold(4000.0), run={"cells": 4, "output_interval_s": 50.0})  # fmt: skip
    found = np.asarray(result.trajectory["temperature"].values)[:, 1]
    times = np.asarray(result.trajectory["time"].values)
    radius, d = 6378.137e3, 2.6076e-3
    n = math.sqrt(EARTH_MU / 6728.137e3**3)
    to_sun = np.array(sun["direction"]) / np.linalg.norm(sun["direction"])

    def rate(t: float, y: np.ndarray) -> list[float]:
        up = (math.cos(n * t), math.sin(n * t), 0.0)
        x = tuple(6728.137e3 * c for c in up)
        s = tuple(to_sun)
        lit = sunlit_share(x, s, 149_597_870_700.0, radius)
        power = sun_power(0.5, SOLAR_CONSTANT, lit, d, up, s)
        power += sum(planet_power((0.5, 0.8), (radius, SOLAR_CONSTANT, 0.3, 239.7), d, x, up, s))
        return [(power - emitted_power(0.8, d, float(y[0]))) / (8.33e-3 * 1000.0)]

    exact = solve_ivp(
        rate, (0.0, 4000.0), [290.0], t_eval=times, rtol=1e-9, atol=1e-9, max_step=5.0
    ).y[0]
    assert np.abs(found - exact).max() < 0.1
    assert found.min() < 230.0 < 280.0 < found.max()
    assert next(check for check in result.checks if check.name == "heat").holds
    assert result.trusted


@pytest.mark.parametrize("start", [220.0, 300.0])
def test_joule_heat_warms_a_line_that_then_is_longer_or_else_pulls(start):
    """Free space without sunlight: j = pi d e sigma T^4 at 273 K; from below it lengthens, from above it shortens and pulls."""
    heat = {
        "start_K": start, "unstretched_K": start, "emissivity": 0.8, "expansion_per_K": 1e-4, "joule_W_per_m": 0.8,
        "specific_heat_J_per_kg_K": 100.0, "absorptance": 0.0,
    }  # fmt: skip
    line = {
        "length_m": 40.0, "linear_density_kg_per_m": 2e-3, "stiffness_N": 1e4, "damping_N_s": 1e4, "diameter_m": 1e-3,
    }  # fmt: skip
    result = run(
        "tether-spin", place=FREE, heat=heat, line=line, start={**STILL, "distance_m": 40.0}, steps=hold(600.0),
        run={"cells": 4, "output_interval_s": 50.0, "tangle_share": 0.0},
    )  # fmt: skip
    warm = np.asarray(result.trajectory["temperature"].values)[-1]
    expected = (0.8 / (math.pi * 1e-3 * 0.8 * 5.670374419e-8)) ** 0.25
    assert_close(warm, np.full(4, expected), rtol=1e-4)
    assert (result.metrics["peak_tension_N"] > 1e-3) == (start > expected)
    assert result.trusted


def dropped(
    surface: dict[str, object], position: list[float], way: list[float], **tables: object
) -> Result:
    """Two bodies of 30 kg, 10 m apart along the ground, dropped on it by gravity of 1e-2 m/s^2 towards -z or the centre."""
    body = {"mass_kg": 30.0, "radius_m": 0.25}
    gravity = {"model": "uniform", "acceleration_m_per_s2": [0.0, 0.0, -1e-2]}
    return run(
        "tether-spin", **{
            "place": {"kind": "site", "position_m": position}, "surface": surface, "gravity": gravity, "first": body, "second": body,
            "contact": {"law": "kelvin-voigt", "damping_N_s_per_m": 1000.0},
            "line": {"length_m": 12.0, "linear_density_kg_per_m": 0.02, "stiffness_N": 1e3, "damping_N_s": 50.0},
            "start": {**STILL, "distance_m": 10.0, "direction": way}, "steps": hold(60.0),
            "run": {"cells": 4, "tangle_share": 0.0, "output_interval_s": 1.0, "max_steps": 2_000_000}, **tables,
        },
    )  # fmt: skip


@pytest.mark.parametrize(
    ("surface", "height"),
    [
        ({"shape": "plane"}, 0.0),
        ({"shape": "ellipsoid", "semi_axes_m": [3e4, 2e4, 1e4]}, 1e4),
        ({"shape": "sphere", "radius_m": 1e4}, 1e4),
    ],
    ids=["plane", "ellipsoid", "sphere"],
)
def test_end_bodies_and_line_come_to_rest_on_the_ground(surface, height):
    result = dropped(surface, [-5.0, 0.0, height + 1.0], [1.0, 0.0, 0.0])
    places = np.asarray(result.trajectory["r_BN_N"].values[-1]) + np.array(
        [-5.0, 0.0, height + 1.0]
    )
    sink = 30.0 * 1e-2 / 1.5e4
    drop = 25.0 / 2e4 if surface["shape"] == "sphere" else 0.0
    assert_close(places[:, 2] - height, np.full(2, 0.25 - sink - drop), rtol=1e-3)
    kinds = [str(kind) for kind in result.events["kind"].values]
    assert kinds.count("touches ground") >= 2
    speeds = np.linalg.norm(result.trajectory["v_BN_N"].values[-1], axis=1)
    assert speeds.max() < 1e-3
    assert result.trusted, [(c.name, c.value, c.bound) for c in result.checks]


def test_the_guard_of_the_ground_does_not_depend_on_stored_times():
    lowered = [{"kind": "deploy", "duration_s": 100.0, "length_m": 100.0, "shape": "linear"}]
    start = {"relative_velocity_m_per_s": [0.0, 0.0, -0.9]}
    place = {"position_m": [0.0, 0.0, 200.0]}
    depths = []
    for every in (7.0, 100.0):
        few = {"cells": 5, "tangle_share": 0.0, "output_interval_s": every}
        result = run("tether-small-body", place=place, start=start, steps=lowered, run=few)
        depths.append(next(check.value for check in result.checks if check.name == "ground"))
    assert depths[0] == depths[1] > 50.0


MISFITS = {
    "surface in orbit": ("tether-libration", {"surface": {"shape": "plane"}}, "only over a site"),
    "site without gravity": ("tether-small-body", {"gravity": None}, "gravity"),
    "air in free space": ("tether-spin", {"place": FREE, "air": {}}, "in orbit or over a site"),
    "wind in orbit": ("tether-libration", {"air": {"wind_m_per_s": [1.0, 0.0, 0.0]}}, "wind"),
    "a key of air that only nets use": ("tether-libration", {"air": {"mach": 10.0}}, "unknown key 'mach'"),
    "sun of no length": ("tether-libration", {"sun": {"direction": [0.0, 0.0, 0.0]}}, "direction"),
    "third body at the centre": (
        "tether-libration", {"third_body": {"mu_m3_per_s2": 1.0, "position_m": [0.0, 0.0, 0.0]}}, "position_m",
    ),
    "hertz without stiffness": ("tether-small-body", {"contact": {"law": "hertz"}}, "stiffness_N_per_m1p5"),
    "lever of a point": ("tether-spin", {"second": {"pressure_centre_m": [1.0, 0.0, 0.0]}}, "point mass"),
}  # fmt: skip


@pytest.mark.parametrize("case", MISFITS)
def test_surroundings_that_cannot_be_are_refused(case):
    name, tables, word = MISFITS[case]
    with pytest.raises(ConfigError, match=word):
        parse(changed(name, **tables), "tether.toml")


def test_cells_double_and_halve_with_the_length_and_keep_mass_and_momentum():
    reels = (
        prescribed([0.0, 60.0], [0.0, -62.0], smooth=True),
        held(),
    )  # 2 m past half of the length
    run = GriddedRun(TetherRun(spun_reel_in(24).changed(reels=reels), tolerance=1e-9))
    p, _, m = run.run.momentum()
    ended = run.advance(60.0, rows=np.linspace(0.0, 60.0, 13), most_steps=60_000)
    assert ended.time == 60.0
    assert [(before, after) for _, before, after in run.changes] == [(24, 12)]
    now = run.run.momentum()
    assert_close(now[0], p, rtol=1e-12)
    assert abs(now[2] - m) <= 1e-12 * m
    assert abs(run.run.balance()["relative"]) < 1e-6
    assert sum(len(part.row_times) for part in run.parts) == 13


def test_a_scenario_with_regridding_has_one_table_of_rows():
    steps = [{"kind": "retrieve", "duration_s": 60.0, "length_m": 70.0}]
    result = run("tether-spin", steps=steps, run={"cells": 16, "regrid": True})
    kinds = [str(kind) for kind in result.events["kind"].values]
    assert "16 to 8 cells" in kinds
    assert result.trajectory["tension"].shape[1] == 17
    assert np.isfinite(result.trajectory["r_point_N"].values).all()
    assert result.trusted
