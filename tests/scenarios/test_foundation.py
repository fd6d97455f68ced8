"""The contact bench: what it reports, what it refuses, and files with random damage."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest

import haptos as hp
from haptos.core.errors import HaptosError
from haptos.core.outcome import Outcome
from haptos.core.rotations import rotation_matrices
from haptos.geometry.distance.reference import gaps_of
from haptos.results.result import open_result
from haptos.scenarios.files import parse
from haptos.scenarios.foundation.answer import answer
from haptos.scenarios.foundation.figures import figures
from haptos.scenarios.foundation.model import NodesOnTheirWay, build, nodes_of, way_to_touch
from haptos.scenarios.foundation.scene import scene
from tests.close import assert_close

BALL = {
    "schema": 1, "scenario": "foundation", "name": "ball",
    "reference": {"shape": "half_space"}, "sampled": {"shape": "ball", "radius_m": 0.05},
    "faces": {"splits": 3, "levels": 4}, "placement": {"position_m": [0.0, 0.0, 0.06]},
    "contact": {"modulus_Pa_per_m": 3e9}, "motion": {"kind": "press", "depth_m": 2e-4},
}  # fmt: skip


def bench(**changes: Any) -> dict[str, Any]:
    """The ball's file with some tables replaced or extended."""
    table = json.loads(json.dumps(BALL))
    for name, value in changes.items():
        if isinstance(value, dict) and name not in ("reference", "sampled", "motion"):
            table[name] = {**table.get(name, {}), **value}
        else:
            table[name] = value
    return table


def run(**changes: Any) -> hp.Result:
    return hp.simulate(parse(bench(**changes), "bench.toml"))


def test_a_pressed_ball_has_the_force_of_its_depth_and_gives_all_back(tmp_path):
    result = run(faces={"splits": 4})
    assert result.outcome is Outcome.COMPLETED
    assert_close(result.metrics["peak_force_N"], math.pi * 3e9 * 0.05 * 4e-8, rtol=5e-3)
    assert_close(result.metrics["peak_area_m2"], 2 * math.pi * 0.05 * 2e-4, rtol=3e-3)
    assert result.ledger.relative_remainder < 1e-6
    assert abs(result.metrics["put_in_J"]) < 1e-6 * result.metrics["peak_elastic_J"]
    assert result.metrics["patches"] == 1
    assert "N at a depth of" in answer(result)
    assert {"Force against depth", "Force against way", "Energy over time"} <= set(figures(result))
    assert len(scene(result).items) == 4
    result.save(tmp_path)
    assert open_result(tmp_path).equals(result)


def test_two_passes_exchange_roles():
    """Balls of 5 and 8 cm, K pi R_eff d^2 with 1/R_eff = 1/R_1 + 1/R_2; leaves miss some of it, each body its own share."""
    forces = []
    for two_pass in (False, True):
        result = run(
            reference={"shape": "ball", "radius_m": 0.08}, placement={"position_m": [0.0, 0.0, 0.14]},
            faces={"splits": 4, "levels": 4, "two_pass": two_pass},
        )  # fmt: skip
        assert result.trusted
        forces.append(result.metrics["peak_force_N"])
    exact = math.pi * 3e9 * 0.05 * 0.08 / 0.13 * 4e-8
    assert_close(forces[0], exact, rtol=2e-2)
    assert_close(forces[1], exact, rtol=2e-2)
    assert abs(forces[1] / forces[0] - 1.0) > 1e-4


def test_a_slide_loses_what_its_cycle_must():
    result = run(
        contact={"shear_modulus_Pa_per_m": 2e9, "friction": 0.3, "stick_speed_m_per_s": 1.0},
        motion={"kind": "slide", "depth_m": 2e-4, "amplitude_m": 9e-5}, faces={"splits": 4},
    )  # fmt: skip
    assert result.trusted
    phases = {one.phase.name: one.phase for one in result.ledger.judged}
    back = phases["sliding back"].dissipated + phases["sliding"].dissipated
    assert_close(back, 6.78584e-4, rtol=0.02)
    assert "Friction over the slide" in figures(result)


def test_a_dropped_ball_comes_back_with_its_restitution():
    result = run(
        faces={"splits": 4},
        contact={"damping_Pa_s_per_m": 3e6, "damping_depth_m": 2e-5},
        placement={"position_m": [0.0, 0.0, 0.0501]},
        motion={"kind": "drop", "mass_kg": 5.0, "velocity_m_per_s": [0.0, 0.0, -0.05], "duration_s": 0.03},
    )  # fmt: skip
    assert_close(result.metrics["restitution"], 0.75560, rtol=3e-3)
    assert_close(result.metrics["contact_time_s"], 20.17e-3, rtol=3e-3)
    assert [one.phase.name for one in result.ledger.judged] == [
        "approach",
        "contact",
        "after contact",
    ]
    assert "closing speed" in answer(result)


def test_a_free_pair_is_checked_for_momentum():
    result = run(
        reference={"shape": "capsule", "radius_m": 0.05, "length_m": 0.1},
        sampled={"shape": "box", "edges_m": [0.04, 0.05, 0.06]}, faces={"levels": 3},
        placement={"position_m": [0.01, 0.0, 0.1], "yaw_pitch_roll_deg": [10.0, 20.0, 30.0]},
        contact={"modulus_Pa_per_m": 3e8, "friction": 0.3},
        motion={"kind": "drop", "mass_kg": 2.0, "velocity_m_per_s": [0.1, 0.0, -0.3], "duration_s": 0.1,
                "rate_rad_per_s": [1.0, 2.0, 0.0], "reference_mass_kg": 3.0,
                "reference_inertia_kg_m2": [0.005, 0.01, 0.01]},
    )  # fmt: skip
    checks = {check.name: check for check in result.checks}
    assert checks["momentum"].value < 1e-12
    motion = result.trajectory  # force and torque at each body's own origin, in its own axes
    dcm_NA, dcm_NB = (rotation_matrices(motion[name].values) for name in ("quat_NA", "quat_NB"))
    force, torque = (
        np.einsum("nij,nj->ni", dcm_NA, motion[name].values) for name in ("force_A", "torque_A")
    )
    apart = motion["r_BN_N"].values - motion["r_AN_N"].values
    own = np.einsum("nij,nj->ni", dcm_NB, motion["torque_B"].values)
    assert np.abs(own).max() > 1e-3
    np.testing.assert_allclose(
        own + np.cross(apart, force), torque, atol=1e-12 * np.abs(torque).max()
    )
    assert result.metrics["peak_force_N"] > 0.0
    assert result.trusted


def test_a_crown_is_paid_by_its_drive():
    result = hp.simulate(hp.default("foundation-crown"))
    assert result.trusted
    found = result.metrics
    assert found["put_in_J"] > 1e-3
    stored = sum(series[-1] for series in result.ledger.stores.values())
    assert_close(found["put_in_J"], stored + found["lost_J"], rtol=1e-4)


@pytest.mark.parametrize(
    ("body", "shape"),
    [
        ("reference", {"shape": "box", "edges_m": [0.2, 0.2, 0.2]}),
        ("reference", {"shape": "torus", "ring_radius_m": 0.1, "tube_radius_m": 0.03}),
        ("reference", {"shape": "cylinder", "radius_m": 0.1, "length_m": 0.3}),
        ("sampled", {"shape": "capsule", "radius_m": 0.03, "length_m": 0.05}),
        ("sampled", {"shape": "cylinder", "radius_m": 0.03, "length_m": 0.05}),
        ("sampled", {"shape": "section", "points_m": [[-0.04, 0.0], [0.0, 0.03], [0.04, 0.0]]}),
        ("sampled", {"shape": "box", "edges_m": [0.04, 0.04, 0.04]}),
    ],
)
def test_every_shape_can_be_pressed(body, shape):
    far = {"placement": {"position_m": [0.02, 0.03, 0.3], "yaw_pitch_roll_deg": [5.0, 8.0, 3.0]}}
    result = run(**{body: shape}, **far, faces={"splits": 2, "levels": 5, "chord_error_m": 1e-3})
    assert result.metrics["peak_force_N"] > 0.0
    assert result.trusted


def test_meshes_can_be_pressed(tmp_path):
    from haptos.geometry.mesh.icosphere import icosphere

    points, faces = icosphere(2)
    file = tmp_path / "ball.obj"
    lines = [f"v {x} {y} {z}" for x, y, z in 50.0 * points]
    lines += [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in faces]
    file.write_text("\n".join(lines), encoding="utf-8")
    mesh = {"shape": "mesh", "file": str(file), "unit": "mm"}
    result = run(sampled=mesh, faces={"levels": 3})
    assert_close(result.metrics["peak_force_N"], math.pi * 3e9 * 0.05 * 4e-8, rtol=0.1)
    both = run(
        sampled=mesh,
        reference=mesh,
        placement={"position_m": [0.0, 0.0, 0.12]},
        faces={"levels": 4},
    )
    assert both.trusted
    file.write_text("\n".join(lines[:-1]), encoding="utf-8")
    with pytest.raises(HaptosError, match="open mesh"):
        run(sampled=mesh)
    plate = tmp_path / "plate.obj"
    plate.write_text(
        "v -200 -200 0\nv 200 -200 0\nv 200 200 0\nv -200 200 0\nf 1 2 3\nf 1 3 4\n",
        encoding="utf-8",
    )
    thin = {"shape": "mesh", "file": str(plate), "unit": "mm", "thickness_m": 0.01}
    on_plate = run(reference=thin, faces={"splits": 4})
    assert_close(on_plate.metrics["peak_force_N"], math.pi * 3e9 * 0.05 * 4e-8, rtol=5e-3)


def test_a_ball_is_pressed_on_a_grid_of_heights(tmp_path):
    """A dome of heights of radius 8 cm: K pi R_eff d^2 with 1/R_eff = 1/R_1 + 1/R_2."""
    at = 5e-3 * (np.arange(21) - 10.0)
    x, y = np.meshgrid(at, at)
    file = tmp_path / "dome.npy"
    np.save(file, 1e3 * (np.sqrt(0.08**2 - x**2 - y**2) - 0.08))
    grid = {
        "shape": "height_grid",
        "file": str(file),
        "unit": "mm",
        "spacing_m": 5e-3,
        "below_m": 0.05,
    }
    result = run(reference=grid, faces={"splits": 4})
    assert result.trusted
    assert_close(
        result.metrics["peak_force_N"], math.pi * 3e9 * 0.05 * 0.08 / 0.13 * 4e-8, rtol=2e-2
    )


def test_nodes_that_cannot_touch_yet_are_not_asked_and_the_way_is_the_same():
    table = bench(
        reference={"shape": "torus", "ring_radius_m": 0.1, "tube_radius_m": 0.03},
        sampled={"shape": "box", "edges_m": [0.04, 0.05, 0.06]}, faces={"levels": 3},
        placement={"position_m": [0.02, 0.05, 0.3], "yaw_pitch_roll_deg": [5.0, 8.0, 3.0]},
    )  # fmt: skip
    config = parse(table, "bench.toml")
    model = build(config)
    nodes, n = nodes_of(model), np.array([0.0, 0.0, -1.0])
    some = NodesOnTheirWay(model.pair.reference, nodes, n)
    way = 0.0
    for _ in range(20):
        gap = float(gaps_of(model.pair.reference, nodes + way * n)[0].min())
        assert some.least_gap(way, 1e-9) == gap
        way += gap
    assert gap < 1e-8
    assert abs(way_to_touch(config, model, n) - way) < 1e-8


def test_a_corner_between_nodes_is_where_a_body_first_touches():
    """A ball meets a corner of a box on its way along the diagonal at the corner, not where a node of it comes by."""
    edge, n = 0.1, np.ones(3) / math.sqrt(3.0)
    table = bench(
        reference={"shape": "box", "edges_m": [edge] * 3}, faces={"levels": 3},
        placement={"position_m": [0.2 * x for x in n]},
        motion={"kind": "press", "depth_m": 4e-3, "direction": [-x for x in n]},
    )  # fmt: skip
    config = parse(table, "bench.toml")
    model = build(config)
    exact = 0.2 - 0.5 * math.sqrt(3.0) * edge - 0.05
    assert_close(way_to_touch(config, model, -n), exact, rtol=1e-8)
    nodes = NodesOnTheirWay(model.pair.reference, nodes_of(model), -n)
    assert nodes.least_gap(exact, 1e-9) > 1e-4
    table["placement"]["position_m"] = [(0.2 - exact - 1e-4) * x for x in n]
    with pytest.raises(HaptosError, match="inside the reference"):
        hp.simulate(parse(table, "bench.toml"))


def test_a_mesh_that_cuts_itself_is_refused(tmp_path):
    """Folded surface would carry pressure twice: one end of a bar is turned about its axis by half a turn."""
    corners = [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
    faces = [[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1],
             [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]]  # fmt: skip
    for turned in (False, True):
        points = [(3 * x, -y, -z) if turned and x > 0 else (3 * x, y, z) for x, y, z in corners]
        file = tmp_path / "bar.obj"
        lines = [f"v {x} {y} {z}" for x, y, z in points]
        lines += [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in faces]
        file.write_text("\n".join(lines), encoding="utf-8")
        table = bench(reference={"shape": "mesh", "file": str(file), "unit": "cm"})
        if not turned:
            build(parse(table, "bench.toml"))
            continue
        with pytest.raises(HaptosError, match=r"cut or touch|itself|inside out"):
            build(parse(table, "bench.toml"))


def test_too_deep_ends_the_run():
    result = run(contact={"max_depth_m": 1e-4})
    assert result.ended is Outcome.SUNK
    assert result.metrics["peak_depth_m"] >= 1e-4


def test_a_drop_that_misses_says_so():
    result = run(
        motion={"kind": "drop", "mass_kg": 1.0, "velocity_m_per_s": [0, 0, 1.0], "duration_s": 0.1}
    )
    assert result.ended is Outcome.MISSED
    assert answer(result) == "The bodies never touched."


FALLING = {"kind": "drop", "mass_kg": 1.0, "velocity_m_per_s": [0.0, 0.0, -0.1], "duration_s": 1.0}
PLATE = {"shape": "box", "edges_m": [0.2, 0.2, 0.002]}
SMALL = {"shape": "ball", "radius_m": 0.03}


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"reference": PLATE, "sampled": SMALL, "contact": {"modulus_Pa_per_m": 1e7},
          "motion": {**FALLING, "velocity_m_per_s": [0, 0, -5.0], "duration_s": 0.1}}, "depth"),
        ({"reference": {"shape": "box", "edges_m": [0.2, 0.2, 0.02]}, "sampled": SMALL,
          "contact": {"modulus_Pa_per_m": 1e3}, "motion": FALLING}, "depth"),
        ({"sampled": PLATE, "contact": {"modulus_Pa_per_m": 1e4}, "motion": FALLING}, "depth"),
        ({"reference": {"shape": "ball", "radius_m": 0.003}, "contact": {"modulus_Pa_per_m": 1e8},
          "sampled": {"shape": "cylinder", "radius_m": 0.1, "length_m": 0.05}, "faces": {"levels": 2},
          "placement": {"position_m": [0.02, 0.013, 0.05], "yaw_pitch_roll_deg": [0.0, 90.0, 0.0]},
          "motion": FALLING}, "hidden"),
        ({"sampled": SMALL, "contact": {"modulus_Pa_per_m": 1e16}, "motion": FALLING}, "leaves"),
        ({"faces": {"levels": 0}}, "leaves"),
    ],
)  # fmt: skip
def test_contacts_that_the_law_does_not_describe_are_not_trusted(changes, reason):
    """Through a plate, through a soft box, deeper than it is thick, a bump in a leaf, shallower than a leaf, flat faces."""
    result = run(**changes)
    assert not result.trusted
    assert result.ledger.relative_remainder < 1e-4
    assert reason in {check.name for check in result.checks if not check.holds}


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({"sampled": {"shape": "ball", "radius_m": -1.0}}, "above 0"),
        ({"sampled": {"shape": "section", "points_m": [[0.0, 0.0], [0.1, -0.1]]}}, "negative radius"),
        ({"sampled": {"shape": "section", "points_m": [[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.2]]}}, "crosses"),
        ({"sampled": {"shape": "torus", "ring_radius_m": 0.01, "tube_radius_m": 0.02}}, "above 0"),
        ({"contact": {"layers": [{"youngs_modulus_Pa": 1e7, "poisson": 0.3, "thickness_m": 0.01}]}}, "one of modulus"),
        ({"contact": {"modulus_Pa_per_m": None, "layers": [
            {"youngs_modulus_Pa": 1e7, "poisson": 0.48, "thickness_m": 0.01}]}}, "0 to 0.45"),
        ({"contact": {"modulus_Pa_per_m": None}}, "one of modulus"),
        ({"contact": {"damping_Pa_s_per_m": 1e6}}, "damping_depth_m"),
        ({"contact": {"friction": 0.3, "friction_at_rest": 0.1}}, "at rest"),
        ({"placement": {"position_m": [0.0, 0.0, 0.04]}}, "inside the reference"),
        ({"motion": {"kind": "press", "depth_m": 1e-4, "direction": [0.0, 0.0, 1.0]}}, "does not meet"),
        ({"motion": {"kind": "press", "depth_m": 1e-4, "direction": [0.0, 0.0, 0.0]}}, "a direction"),
        ({"motion": {"kind": "press"}}, "depth_m"),
        ({"motion": {"kind": "press", "depth_m": 3.0}}, "sinks the sampled body"),
        ({"sampled": {"shape": "torus", "ring_radius_m": 1e12, "tube_radius_m": 0.01}}, "chord error"),
        ({"motion": {"kind": "spread", "duration_s": 1.0}}, "spread"),
        ({"faces": {"levels": 9}}, "6"),
        ({"faces": {"splits": 6, "levels": 6}}, "20000000 leaves"),
        ({"sampled": {"shape": "torus", "ring_radius_m": 1.0, "tube_radius_m": 0.9}, "faces": {"chord_error_m": 2e-6}},
         "1000000 faces"),
        ({"reference": {"shape": "nozzle"}, "placement": {"position_m": [-0.0044, 0.0, 0.0]},
          "sampled": {"shape": "torus", "ring_radius_m": 0.055, "tube_radius_m": 0.002, "spread_ring_radius_m": 0.0085},
          "motion": {"kind": "spread", "duration_s": 1.0}}, "sinks the sampled body"),
        ({"motion": {"kind": "drop", "mass_kg": 1.0, "duration_s": 1.0, "reference_mass_kg": 2.0}}, "both or neither"),
    ],
)  # fmt: skip
def test_bad_files_are_refused_with_a_reason(changes, word):
    table = bench(**changes)
    contact = table["contact"]
    table["contact"] = {key: value for key, value in contact.items() if value is not None}
    with pytest.raises(HaptosError, match=word):
        hp.simulate(parse(table, "bench.toml"))


def damaged(rng: np.random.Generator) -> dict[str, Any]:
    """The file with one or two values, keys or tables replaced, removed or added."""
    table = bench(contact={"friction": 0.3, "damping_Pa_s_per_m": 1e5, "damping_depth_m": 1e-5})
    odd = [
        -1.0,
        0.0,
        1e300,
        1e-300,
        math.nan,
        math.inf,
        "text",
        None,
        [],
        [1.0],
        {},
        True,
        -7,
        10**30,
        "half_space",
    ]
    for _ in range(int(rng.integers(1, 3))):
        names = [name for name in table if isinstance(table[name], dict)]
        where = table if rng.random() < 0.2 else table[names[int(rng.integers(len(names)))]]
        if not where:
            continue
        key = list(where)[int(rng.integers(len(where)))]
        kind = rng.random()
        if kind < 0.2:
            del where[key]
        elif kind < 0.3:
            where[f"{key}x"] = where[key]
        else:
            where[key] = odd[int(rng.integers(len(odd)))]
    return table


def test_200_random_damages_are_refused_or_run():
    rng = np.random.default_rng(17)
    refused = 0
    for _ in range(200):
        table = damaged(rng)
        table.setdefault("faces", {})
        try:
            config = parse(table, "bench.toml")
            from haptos.scenarios.foundation.model import check

            check(config)
        except HaptosError:
            refused += 1
    assert 120 < refused < 200


def test_command_line_runs_the_bench(tmp_path):
    from tests.cli.commands import haptos

    done = haptos("run", "foundation", "--set", "faces.levels=2", "--out", tmp_path / "x", "--json")
    assert done.code == 0, done.err
    reported = json.loads(done.out)
    assert reported["outcome"] == "completed"
    assert reported["metrics"]["peak_force_N"] > 15.0
