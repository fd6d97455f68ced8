"""Bodies and tethers the user adds to a net, and nets that start from a table of states."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import haptos
from haptos.core.errors import HaptosError
from haptos.scenarios.files import default, parse_checked, parse_toml, preset_text
from haptos.scenarios.merging import laid_over
from haptos.scenarios.net.config import Config
from haptos.scenarios.net.model import build
from haptos.scenarios.net.scene import scene
from haptos.scenarios.net.simulate import run
from haptos.scenarios.net.world import mesh_of
from tests.close import assert_close

TUG = {"name": "tug", "mass_kg": 30.0, "size_m": [0.2, 0.3, 0.4], "position_m": [0.5, 2.0, 0.0]}
CLEAR = {"target": {"distance_m": 30.0}, "run": {"duration_s": 0.4}}  # nothing is touched


def config_of(changes: dict[str, Any]) -> Config:
    return Config.model_validate(default("net-small", changes).as_table())


def test_two_bodies_on_a_tether_keep_their_momentum_and_pull_straight() -> None:
    pair = [
        TUG | {"velocity_m_per_s": [0.0, 1.0, 0.0]},
        TUG | {"name": "barge", "mass_kg": 60.0, "position_m": [0.5, 2.9, 0.0]},
    ]
    line = {"first_body": "barge", "body": "tug", "length_m": 1.0, "nodes": 4, "diameter_m": 1e-3}
    line |= {"axial_stiffness_N": 50.0, "damping_ratio": 0.0}
    pair[0]["position_m"] = [0.5, 3.85, 0.0]
    found = haptos.simulate(
        config_of(laid_over(CLEAR, {"bodies": pair, "tethers": [line], "run": {"duration_s": 1.5}}))
    )
    names = [str(name) for name in found.trajectory["body"].values]
    assert names[:4] == ["chaser", "target", "tug", "barge"]
    speed = found.trajectory["v_BN_N"].values[:, :, 1]
    tug, barge = speed[:, names.index("tug")], speed[:, names.index("barge")]
    assert_close((30.0 * tug + 60.0 * barge)[-1], 30.0, rtol=1e-3)  # the thread weighs a gram
    assert barge[-1] > 0.05
    assert found.ledger.relative_remainder < 1e-3
    assert {"tug", "barge"} <= {item.label for item in scene(found).items}


def test_tethers_from_corners_and_knots_hold_their_lengths() -> None:
    changes = {
        "bodies": [TUG],
        "tethers": [
            {"corner": 1, "body": "tug", "point_m": [0.0, -0.15, 0.0], "length_m": 2.5, "nodes": 3,
             "material": "kevlar 29", "reel_to_m": 2.3, "reel_duration_s": 0.2},
            {"knot": 3, "body": "chaser", "point_m": [0.5, 0.1, 0.1], "length_m": 2.0, "nodes": 2},
        ],
    }  # fmt: skip
    config = config_of(laid_over(CLEAR, changes))
    model = build(config)
    stored, _, is_complete = run(config, model, lambda share: None)
    assert is_complete
    assert_close(stored.length[-1, -7:-3].sum(), 2.3, rtol=1e-12)
    assert_close(stored.length[-1, -3:].sum(), 2.0, rtol=1e-12)
    assert model.sections[-1] != model.sections[0]


def test_a_net_may_touch_a_body_of_the_users_own() -> None:
    wall = {"name": "wall", "mass_kg": 50.0, "size_m": [0.2, 2.0, 2.0], "position_m": [1.0, 0, 0]}
    found = haptos.simulate(
        config_of({"target": {"distance_m": 30.0}, "bodies": [wall | {"touches": True}]})
    )
    assert found.metrics["wall_contacts"] > 0
    assert found.metrics["wall_peak_force_N"] > 0.0
    assert found.trajectory["v_BN_N"].values[-1, 2, 0] > 0.0
    assert found.ledger.relative_remainder < 0.01


def state_rows(config: Config, speed: tuple[float, float, float]) -> str:
    mesh = mesh_of(config)
    rows = ["x_m,y_m,z_m,vx_m_per_s,vy_m_per_s,vz_m_per_s"]
    for x, y, z in 0.95 * mesh.knots + (1.0, 0.0, 0.0):
        rows.append(",".join(f"{value:.17g}" for value in (x, y, z, *speed)))
    return "\n".join(rows) + "\n"


def with_states(file: Path) -> dict[str, Any]:
    shot = {"speed_m_per_s": 1.0}  # as if nothing were said
    return laid_over(CLEAR, {"net": {"states_file": str(file)}, "shot": shot})


def test_a_net_starts_as_its_table_of_states_says(tmp_path: Path) -> None:
    file = tmp_path / "states.csv"
    file.write_text(state_rows(config_of({}), (2.0, 0.3, 0.0)))
    config = config_of(with_states(file))
    config = config.model_copy(update={"tether": None})
    model = build(config)
    stored, _, is_complete = run(config, model, lambda share: None)
    assert is_complete
    start, end = stored.x[0][model.knots], stored.x[-1][model.knots]
    way = 0.4 * np.array([2.0, 0.3, 0.0])
    assert_close(end - start, np.tile(way, (len(start), 1)), rtol=1e-9)
    assert_close(stored.place[0, model.bullets, 0], np.full(4, 1.0), rtol=0.02)
    assert_close(stored.totals[-1, :3], stored.totals[0, :3], rtol=1e-12)


def test_a_tether_between_net_and_chaser_starts_with_the_speeds_of_its_ends(tmp_path: Path) -> None:
    file = tmp_path / "states.csv"
    file.write_text(state_rows(config_of({}), (2.0, 0.0, 0.0)))
    changes = with_states(file)
    changes["tether"] = {"length_m": 2.0}
    model = build(config_of(changes))
    speeds = np.unique(np.round(model.motion.points.v[:, 0], 9))
    assert {0.5, 1.0, 1.5} <= set(speeds.tolist())


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"bodies": [TUG | {"name": "chaser"}]}, "name of its own"),
        ({"bodies": [TUG, TUG]}, "tug 2"),
        ({"bodies": [TUG | {"inertia_kg_m2": [1.0, 1.0, 3.0]}]}, "add up"),
        ({"bodies": [TUG | {"attitude_quaternion": [0.0] * 4}]}, "not all zero"),
        ({"tethers": [{"length_m": 1.0}]}, "exactly one"),
        ({"tethers": [{"length_m": 1.0, "corner": 4}]}, "0 to 3"),
        ({"tethers": [{"length_m": 9.0, "knot": 99}]}, "count knots"),
        ({"tethers": [{"length_m": 9.0, "knot": 0, "body": "tug"}]}, "name one of them"),
        (
            {"bodies": [TUG], "tethers": [{"length_m": 0.1, "knot": 0, "body": "tug"}]},
            "length_m = 2.137",
        ),
        ({"tethers": [{"length_m": 1.0, "first_body": "chaser"}]}, "two bodies"),
        (
            {
                "bodies": [TUG],
                "tethers": [{"length_m": 9.0, "knot": 0, "body": "tug"}],
                "shot": {"delay_s": 1.0},
            },
            "without delay",
        ),
        ({"net": {"states_file": "x.csv"}}, "remove [shot]"),
        ({"net": {"states_file": "x.csv"}, "shot": {"speed_m_per_s": 1.0}}, "no such file"),
    ],
)
def test_what_does_not_fit_is_refused(changes: dict[str, Any], words: str) -> None:
    table = laid_over(parse_toml(preset_text("net-small"), "net-small"), changes)
    with pytest.raises(HaptosError) as caught:
        parse_checked(table, "mine.toml")
    assert words in str(caught.value)


def test_states_of_too_few_knots_or_stretched_links_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "states.csv"
    text = state_rows(config_of({}), (0.0, 0.0, 0.0))
    file.write_text("\n".join(text.splitlines()[:-1]) + "\n")
    changes = with_states(file)
    with pytest.raises(HaptosError, match="one row for each knot"):
        build(config_of(changes))
    lines = text.splitlines()
    lines[-1] = "1,2,2,0,0,0"  # far from its neighbours
    file.write_text("\n".join(lines) + "\n")
    with pytest.raises(HaptosError, match="states"):
        build(config_of(changes))
