"""Harpoons on the ground of a world: any surface, field and spin, against level ground, closed forms and a mesh."""

from __future__ import annotations

import copy
import math
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import haptos as hp
from haptos.core.errors import HaptosError
from haptos.core.outcome import Outcome
from haptos.geometry.mesh.icosphere import icosphere
from haptos.results.result import Result
from haptos.scenarios.files import parse
from haptos.scenarios.harpoon.scene import scene
from tests.close import assert_close
from tests.scenarios.test_harpoon import changed, table_of
from tests.validation.shape_models import FOLDER, shape_model

SITES = ("harpoon-asteroid", "harpoon-lander-comet")
LEVEL = {
    "surface": {"shape": "plane"}, "site": {"target_m": [0.0, 0.0, 0.0]},
    "gravity": {"model": "uniform", "acceleration_m_per_s2": [0.0, 0.0, -2e-4]},
}  # fmt: skip


def moved(table: dict[str, Any], **tables: dict[str, Any]) -> Result:
    """A file on a site: tables of the world replaced, gravity of the level ground left out."""
    table = copy.deepcopy(table)
    table["ground"].pop("gravity_m_per_s2", None)
    table["ground"].pop("slope_deg", None)
    for key, values in tables.items():
        table[key] = {**table.get(key, {}), **values} if key in ("line", "shot", "spacecraft", "hold") else values  # fmt: skip
    return hp.simulate(parse(table, "harpoon.toml"))


def metrics_agree(a: Result, b: Result, rtol: float, names: tuple[str, ...]) -> None:
    for name in names:
        assert_close(a.metrics[name], b.metrics[name], rtol=rtol)


@pytest.fixture(scope="module")
def sites() -> dict[str, Result]:
    return {name: hp.simulate(name) for name in SITES}


@pytest.mark.parametrize(
    ("name", "ended"),
    [("harpoon-asteroid", Outcome.CAPTURED), ("harpoon-lander-comet", Outcome.ANCHORED)],
)
def test_presets_on_sites_end_as_they_should_and_are_trusted(sites, name, ended):
    found = sites[name]
    assert found.ended is ended
    assert found.trusted, found.verdict
    assert all(one.share < 1e-6 for one in found.ledger.judged)
    assert scene(found).items


def test_cameras_of_a_site_name_its_axes_and_look_at_the_hole(sites):
    """Axes of a site turn with the body: they are not inertial."""
    drawn = scene(sites["harpoon-asteroid"])
    cameras = {one.name: one for one in drawn.cameras}
    assert cameras["side"].axes == cameras["at the ground"].axes == "site"
    result = sites["harpoon-asteroid"]
    times, names = result.events["event_time"].values, list(result.events["event_name"].values)
    row = int(np.argmin(np.abs(result.trajectory["time"].values - times[names.index("impact")])))
    hole = result.trajectory["r_CN_N"].values[row]
    assert np.linalg.norm(np.array(cameras["at the ground"].target) - hole) < 0.5
    assert np.linalg.norm(hole) > 5.0
    level = scene(hp.simulate(parse(changed("harpoon", retrieval=None), "harpoon.toml")))
    assert {one.axes for one in level.cameras} == {"world", "spacecraft", "harpoon"}


@pytest.mark.parametrize("cells", [0, 6])
def test_a_plane_is_the_level_ground(cells):
    """Straight line: the retrieval is another scheme, of the tolerance of a line of cells."""
    names = ("impact_time_s", "impact_speed_m_per_s", "depth_m", "capture_time_s", "propellant_kg", "peak_tension_N")  # fmt: skip
    flat = hp.simulate(parse(changed("harpoon", line={"cells": cells}), "harpoon.toml"))
    on_plane = moved(table_of("harpoon"), **LEVEL, line={"cells": cells})
    metrics_agree(on_plane, flat, 2e-3 if cells == 0 else 1e-7, names)
    metrics_agree(on_plane, flat, 1e-9 if cells == 0 else 1e-7, names[:3])


def test_a_tilted_plane_is_a_slope():
    tilt = math.radians(20.0)
    slope = hp.simulate(parse(changed("harpoon-st4", ground={"slope_deg": -20.0}), "h.toml"))
    world = {
        "surface": {"shape": "plane", "normal": [-math.sin(tilt), 0.0, math.cos(tilt)]},
        "site": {"target_m": [0.0, 0.0, 0.0]}, "gravity": {"model": "uniform", "acceleration_m_per_s2": [0.0, 0.0, 0.0]},
    }  # fmt: skip
    # the site's z is the normal: shot straight down is 20 deg off it, from where it is as high
    table = table_of("harpoon-st4")
    table["spacecraft"]["height_m"] *= math.cos(tilt)
    found = moved(table, **world, shot={"aim_deg": 20.0})
    metrics_agree(found, slope, 2e-4, ("incidence_deg", "depth_m", "least_capacity_N"))
    assert_close(found.metrics["incidence_deg"], 20.0, rtol=1e-6)


def sphere(radius: float) -> dict[str, Any]:
    gravity = {"model": "point", "mu_m3_per_s2": 2e-4 * radius**2}
    target = [radius, 0.0, 0.0]
    return {"surface": {"shape": "sphere", "radius_m": radius}, "gravity": gravity, "site": {"target_m": target}}  # fmt: skip


def test_a_patch_of_a_large_sphere_is_flat_to_the_order_of_its_curvature():
    """Shot 20 deg off the vertical: the ground under it is turned by h tan(20)/r, and a little lower."""
    table = changed("harpoon", shot={"aim_deg": 20.0}, retrieval=None)
    flat = moved(table, **LEVEL).metrics
    missing = []
    for radius in (1e4, 1e5, 1e6):
        found = moved(table, **sphere(radius)).metrics
        missing.append([found[name] - flat[name] for name in ("incidence_deg", "impact_time_s")])
        turned = math.degrees(100.0 * math.tan(math.radians(20.0)) / radius)
        assert_close(missing[-1][0], turned, rtol=0.03)
        assert (
            abs(found["depth_m"] / flat["depth_m"] - 1.0) < 1e-3 + 10.0 / radius
        )  # an entry ends at a step
    for before, after in pairwise(missing):
        assert_close(np.array(before) / np.array(after), 10.0 * np.ones(2), rtol=0.05)


def fall_energy(mu: float) -> tuple[float, float]:
    """(found, expected) square of the speed at a sphere of 200 m shot at from 100 m over it, with gravity of G M."""
    world = sphere(200.0) | {"gravity": {"model": "point", "mu_m3_per_s2": mu}}
    line = {"linear_density_kg_per_m": 0.0, "cells": 0}
    found = moved(changed("harpoon", retrieval=None), **world, line=line)
    assert found.trusted, found.verdict
    work = mu * (1.0 / 200.0 - 1.0 / 299.9) - 0.5 * 99.9 / 5.0
    return found.metrics["impact_speed_m_per_s"] ** 2, 100.0 + 2.0 * work


def test_a_fall_to_a_sphere_keeps_its_energy():
    assert_close(*fall_energy(3e4), rtol=1e-9)


def test_the_fall_has_teeth():
    found, _ = fall_energy(3e4 * 1.01)
    with pytest.raises(AssertionError):
        assert_close(found, fall_energy(3e4)[1], rtol=1e-6)


def test_a_shot_on_a_body_that_turns_lands_where_a_straight_way_meets_it():
    """No gravity, hardly a line: in axes that do not turn the harpoon flies straight; it left a spacecraft that turned with them."""
    period, speed, height = 0.5, 10.0, 100.0
    world = sphere(200.0) | {
        "gravity": {"model": "point", "mu_m3_per_s2": 1e-9}, "spin": {"kind": "uniform", "period_h": period},
    }  # fmt: skip
    line = {"linear_density_kg_per_m": 0.0, "tension_N": 1e-6, "cells": 0}
    found = moved(changed("harpoon", retrieval=None), **world, line=line)
    load = found.trajectory["r_CN_N"].values
    rate, high = 2.0 * math.pi / (3600.0 * period), 200.0 + height - 0.1
    place, v = np.array([high, 0.0]), np.array([-speed, rate * high])
    # |place + v t| = 200
    a, b, c = v @ v, place @ v, place @ place - 200.0**2
    t = (-b - math.sqrt(b * b - a * c)) / a
    at = place + v * t
    turned = math.atan2(at[1], at[0]) - rate * t
    flight = found.events["event_time"].values[list(found.events["event_name"].values).index("impact")]  # fmt: skip
    assert_close(flight, t, rtol=1e-6)
    names = list(np.flatnonzero(found.trajectory["time"].values >= flight))
    assert_close(load[names[0], 0], 200.0 * math.sin(turned), rtol=1e-5)  # x is east


def test_cells_do_not_turn_a_harpoon_that_flies_in_a_turning_field():
    """The couple that half cells leave had turned it by 5 deg on 4 cells, and by a sixteenth of that on 16."""
    world = sphere(8000.0) | {"spin": {"kind": "uniform", "period_h": 5.27}}
    table = changed(
        "harpoon", retrieval=None, shot={"speed_m_per_s": 20.0}, spacecraft={"height_m": 300.0}
    )
    few, many = (moved(table, **world, line={"cells": n, "length_m": 600.0}) for n in (4, 16))
    assert abs(few.metrics["attack_deg"] - many.metrics["attack_deg"]) < 0.02
    assert_close(few.metrics["depth_m"], many.metrics["depth_m"], rtol=2e-3)


def ellipsoid_file(folder: Path, level: int) -> str:
    unit, faces = icosphere(level)
    vertices = unit * np.array([270.0, 150.0, 120.0])
    lines = [f"v {x:.9f} {y:.9f} {z:.9f}" for x, y, z in vertices]
    lines += [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in faces]
    file = folder / "ellipsoid.obj"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(file)


@pytest.mark.parametrize("cells", [0, 6])
def test_a_mesh_of_an_ellipsoid_is_the_ellipsoid(tmp_path, cells):
    """Facets of 6 m lie up to 3 cm below it and are turned by up to 2 deg; their smoothed ground by less."""
    table = changed("harpoon-asteroid", retrieval=None, line={"cells": cells})
    exact = moved(table)
    surface = {"shape": "mesh", "file": ellipsoid_file(tmp_path, 5), "unit": "m", "recentre": False}
    meshed = moved(table, surface=surface)
    assert meshed.trusted, meshed.verdict
    metrics_agree(meshed, exact, 2e-3, ("impact_time_s", "impact_speed_m_per_s", "depth_m"))
    off = meshed.metrics["incidence_deg"] - exact.metrics["incidence_deg"]
    assert abs(off) < 2.0


def test_relief_turns_the_ground_under_the_harpoon(sites):
    rough = sites["harpoon-lander-comet"].metrics
    smooth = moved({k: v for k, v in table_of("harpoon-lander-comet").items() if k != "terrain"}).metrics  # fmt: skip
    assert smooth["incidence_deg"] < 1e-3
    assert 1.0 < rough["incidence_deg"] < 20.0
    assert rough["stance_load_N"] != smooth["stance_load_N"]


def test_ground_finer_than_the_entry_is_not_trusted():
    """Waves shorter than the entry is deep: it knows a plane only."""
    table = table_of("harpoon-lander-comet")
    table["surface"], table["gravity"] = LEVEL["surface"], LEVEL["gravity"]
    table["terrain"]["noise"] = {"relief_m": 0.1, "longest_m": 0.05, "octaves": 1}
    table["site"] = {"target_m": [0.31, 0.2, 0.0]}
    table.pop("spin")
    found = moved(table)
    rough = next(check for check in found.checks if check.name == "flat_ground")
    assert rough.value > rough.bound
    assert found.outcome is Outcome.NOT_TRUSTED


def test_a_late_shot_meets_the_ground_where_the_spacecraft_has_gone_to():
    """A lander that bounces at 0.3 m/s is 2.5 m up after 5 s: its line of 2.5 m is all out."""
    up = {"holds_place": False, "rise_m_per_s": 0.3}
    table = changed("harpoon-lander", spacecraft=up)
    in_time = hp.simulate(parse(table, "harpoon.toml"))
    assert in_time.ended is Outcome.ANCHORED
    late = hp.simulate(parse(changed("harpoon-lander", spacecraft=up, failures={"late_s": 5.5}), "harpoon.toml"))  # fmt: skip
    assert late.ended is Outcome.TETHER_END
    assert late.trusted, late.verdict
    time, z = late.trajectory["time"].values, late.trajectory["r_BN_N"].values[:, 2]
    at = int(np.argmin(np.abs(time - 5.5)))
    assert_close(z[at], 1.0 + 0.3 * 5.5 - 0.5 * 1.6e-4 * 5.5**2, rtol=1e-9)


@pytest.mark.parametrize("on_site", [False, True])
def test_a_spacecraft_that_comes_down_before_a_late_shot_collides(on_site):
    down = {"holds_place": False, "rise_m_per_s": -0.3}
    table = changed("harpoon-lander", spacecraft=down, failures={"late_s": 5.0})
    found = moved(table, **LEVEL) if on_site else hp.simulate(parse(table, "harpoon.toml"))
    assert found.ended is Outcome.COLLIDED
    assert found.trusted
    assert "before its harpoon" in found.answer
    assert scene(found).items


def test_a_shot_that_is_late_costs_propellant_where_the_place_is_held():
    on, late = (hp.simulate(parse(changed("harpoon", failures={"late_s": s}), "h.toml")) for s in (0.0, 100.0))  # fmt: skip
    held = (2500.0 + 5.0) * 2e-4 * 100.0 / (220.0 * 9.80665)
    assert_close(late.metrics["hover_propellant_kg"] - on.metrics["hover_propellant_kg"], held, rtol=1e-9)  # fmt: skip
    assert_close(late.metrics["impact_time_s"] - on.metrics["impact_time_s"], 100.0, rtol=1e-9)
    assert_close(late.metrics["depth_m"], on.metrics["depth_m"], rtol=1e-12)


@pytest.mark.parametrize("cells", [0, 6])
def test_a_thruster_that_stays_on_pulls_the_line_to_its_side(cells):
    """The field of both thrusters leans by atan(5/20) = 14 deg: a pendulum that hung straight swings to about twice that."""
    table = changed("harpoon", retrieval={"drift_m_per_s": 0.0}, line={"cells": cells}, failures={"thruster_stuck_s": 20.0})  # fmt: skip
    found = hp.simulate(parse(table, "harpoon.toml"))
    assert found.trusted, found.verdict
    assert "thruster stuck" in list(found.events["event_name"].values)
    lean = math.degrees(math.atan(5.0 / 20.0))
    assert 1.4 * lean < found.metrics["angle_beyond_50_m_deg"] < 2.6 * lean
    assert found.ended is Outcome.CAPTURED
    burnt = found.metrics["capture_time_s"] * 25.0 / (220.0 * 9.80665)
    assert_close(found.metrics["propellant_kg"], burnt, rtol=0.02)
    straight = hp.simulate(parse(changed("harpoon", retrieval={"drift_m_per_s": 0.0}, line={"cells": cells}), "h.toml"))  # fmt: skip
    assert straight.metrics["angle_beyond_50_m_deg"] < 0.5


def test_a_thruster_that_stays_on_may_use_up_the_propellant():
    table = changed("harpoon", spacecraft={"propellant_kg": 5.0}, failures={"thruster_stuck_s": 20.0})  # fmt: skip
    assert hp.simulate(parse(table, "harpoon.toml")).ended is Outcome.PROPELLANT_OUT


@pytest.mark.parametrize("cells", [0, 5])
def test_thrusters_hold_the_place_against_gravity_across_the_plane_of_the_shot(cells):
    across = {"model": "uniform", "acceleration_m_per_s2": [0.0, 1e-3, -2e-4]}
    table = changed("harpoon", retrieval=None, line={"cells": cells})
    level, tilted = (
        moved(table, **LEVEL | {"gravity": g}).metrics for g in (LEVEL["gravity"], across)
    )
    more = tilted["hover_propellant_kg"] - level["hover_propellant_kg"]
    assert_close(more, 2500.0 * 1e-3 * level["impact_time_s"] / (220.0 * 9.80665), rtol=5e-3)


def test_gravity_across_the_plane_of_the_entry_does_not_weigh_in_it():
    """5 m/s^2 along y, a shot in (x, z) that goes several metres deep: gravity does no work there."""
    table = changed(
        "harpoon",
        retrieval=None,
        shot={"speed_m_per_s": 200.0, "aim_deg": 10.0},
        spacecraft={"height_m": 1.0},
    )
    gravity = {"model": "uniform", "acceleration_m_per_s2": [0.0, 5.0, -1e-9]}
    found = moved(table, **LEVEL | {"gravity": gravity}, line={"linear_density_kg_per_m": 0.0})
    assert found.metrics["depth_m"] > 3.0
    assert_close(found.metrics["ground_gravity_m_per_s2"], 5.0, rtol=1e-9)
    assert abs(found.ledger.works["weight"][-1]) < 1.0


def test_a_straight_flight_does_not_pass_through_a_rock():
    """A rock is grazed 3 mm deep between two steps of the flight; on a line of cells the harpoon met it."""
    world = LEVEL | {"terrain": {
        "seed": 4, "rocks": {"model": "seeded", "rocks_per_m2": 2.0, "power": 2.5, "smallest_m": 0.5, "largest_m": 3.0},
    }}  # fmt: skip
    world["gravity"] = {"model": "uniform", "acceleration_m_per_s2": [0.0, 0.0, -1e-4]}
    table = changed("harpoon-asteroid", retrieval=None, sampling=None, spin=None)
    straight, cells = (
        moved(table, **world, shot={"aim_deg": 75.0}, line={"length_m": 400.0, "cells": n}).metrics for n in (0, 6)
    )  # fmt: skip
    assert_close(straight["impact_time_s"], cells["impact_time_s"], rtol=1e-3)
    assert_close(straight["incidence_deg"], cells["incidence_deg"], rtol=5e-3)


@pytest.mark.parametrize(
    ("tables", "word"),
    [
        ({"site": None}, "without \\[site\\]"),
        ({"surface": None}, "without \\[surface\\]"),
        ({"gravity": None}, "without \\[gravity\\]"),
        ({"ground": {"gravity_m_per_s2": 1e-4}}, "gravity_m_per_s2 with \\[site\\]"),
        ({"ground": {"slope_deg": 10.0}}, "slope_deg with \\[site\\]"),
        ({"site": {"target_m": [1e9, 0.0, 0.0]}}, "radii away"),
        ({"spin": {"kind": "tumbling", "rate_rad_per_s": [0.0, 0.0, 1e-4], "moment_ratios": [1.0, 1.0, 1.0]}}, "period_h|tumbles"),
        ({"spacecraft": {"rise_m_per_s": 1.0}}, "holds_place"),
        ({"gravity": {"model": "polyhedron"}}, "semi_axes_m|polyhedron"),
    ],
)  # fmt: skip
def test_what_cannot_be_on_a_site_is_refused(tables, word):
    with pytest.raises(HaptosError, match=word):
        hp.simulate(parse(changed("harpoon-asteroid", **tables), "harpoon.toml"))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["itokawa", "bennu", "eros", "kw4-alpha"])
def test_real_bodies_are_shot_at(name, tmp_path):
    """Shape models kept beside the project; skipped without them."""
    vertices, _ = shape_model(name)
    density = {"itokawa": 1900.0, "bennu": 1190.0, "eros": 2670.0, "kw4-alpha": 1974.0}[name]
    period = {"itokawa": 12.132, "bennu": 4.296, "eros": 5.270, "kw4-alpha": 2.7645}[name]
    surface = {"shape": "mesh", "file": str(FOLDER / f"{name}.obj"), "unit": "km"}
    target = (1.1 * vertices[int(np.argmax(vertices @ np.array([0.3, 0.2, 0.9])))]).tolist()
    world = {
        "surface": surface, "site": {"target_m": target}, "spin": {"kind": "uniform", "period_h": period},
        "gravity": {"model": "polyhedron", "density_kg_per_m3": density, "facets": 1000},
    }  # fmt: skip
    found = moved(table_of("harpoon-asteroid"), **world)
    assert found.ended in (Outcome.CAPTURED, Outcome.COLLIDED, Outcome.OVERRAN)
    assert found.ledger.closes
    assert found.metrics["depth_m"] > 0.2


@pytest.mark.parametrize("cells", [0, 4])
def test_a_turn_that_nothing_changes_rests(cells):
    """A line at the centre of mass turns nothing: 3600 deg/s rest in the flight, and are no part of its scale."""
    table = changed(
        "harpoon", retrieval=None, harpoon={"attachment_m": 0.0}, shot={"tip_off_deg_per_s": 3600.0},
        line={"cells": cells}, ground={"entry": "elements", "elements": [8, 8]},
    )  # fmt: skip
    found = hp.simulate(parse(table, "harpoon.toml"))
    flight = next(phase for phase in found.ledger.phases if phase.name == "flight")
    long = 0.03 / math.tan(math.radians(30.0)) + 0.4
    inertia = 5.0 * (long**2 / 12.0 + 0.03**2 / 4.0)
    assert_close(flight.resting, 0.5 * inertia * math.radians(3600.0) ** 2, rtol=1e-6)
    kinetic = found.ledger.stores["kinetic"]
    assert flight.stored < float(kinetic.max()) - 0.9 * flight.resting
