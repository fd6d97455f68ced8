"""Bodies of a net that touch by polygons: the example of its page, refusals, bodies on the ground."""

from __future__ import annotations

import math
import re
import tomllib
from pathlib import Path

import numpy as np
import pytest

from haptos.core.errors import ConfigError
from haptos.scenarios.files import parse
from haptos.scenarios.net.simulate import check, simulate
from tests.close import assert_close

PAGE = Path(__file__).parents[2] / "docs" / "models" / "body-polygons.md"


def example() -> dict:
    (text,) = re.findall(r"```toml\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    return tomllib.loads(text)


def built(table: dict):
    return parse(table, "net.toml")


def test_the_crate_of_the_page_bounces_and_the_run_is_trusted():
    result = simulate(built(example()))
    assert result.trusted, result.checks
    assert result.metrics["bodies_contacts"] >= 1.0
    assert 0.0 < result.metrics["bodies_deepest_m"] < 0.01
    assert result.metrics["bodies_peak_pressure_Pa"] > 0.0
    assert result.ledger.relative_remainder < 1e-2


def test_error_control_refuses_bodies_that_touch_by_polygons():
    table = example()
    table["run"]["scheme"] = "dormand-prince"
    table["closing"] = {"limited": False}
    with pytest.raises(ConfigError, match="bodies that touch by polygons"):
        check(built(table))


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ({"bodies": False}, "bodies = false"),
        ({"foundation": {"modulus_Pa_per_m": -1.0}}, "modulus_Pa_per_m"),
        ({"foundation": {"modulus_Pa_per_m": 1e8, "damping_Pa_s_per_m": 1.0}}, "damping_depth_m"),
        ({"foundation": {}}, "no modulus"),
    ],
)
def test_what_makes_no_law_is_refused(change, found):
    table = example()
    table["contact"] |= change
    with pytest.raises(ConfigError, match=re.escape(found)):
        check(built(table))


def test_a_run_whose_bodies_go_too_deep_is_not_trusted():
    table = example()
    table["contact"]["foundation"]["modulus_Pa_per_m"] = 1e5
    table["contact"]["foundation"]["damping_Pa_s_per_m"] = 0.0
    result = simulate(built(table))
    assert not result.trusted
    assert any(check.name == "depth" and not check.holds for check in result.checks)


def test_a_crate_falls_on_the_ground_of_a_site_and_lies_there():
    """Flat on a ball of 50 m with 0.5 m/s^2: it comes to rest where pi K R d^2 is its weight, 36 um deep."""
    table = {
        "schema": 1, "scenario": "net", "name": "crate on a ball of rock",
        "net": {"width_m": 1.0, "height_m": 1.0, "strings": 3, "rings": 3, "nodes_per_link": 0},
        "threads": {"material": "nylon 66"}, "chaser": {"holds_place": True},
        "surface": {"shape": "sphere", "radius_m": 50.0},
        "gravity": {"model": "point", "mu_m3_per_s2": 1250.0}, "site": {"position_m": [0.0, 0.0, 53.0]},
        "bodies": [{"name": "crate", "mass_kg": 4.0, "size_m": [0.2, 0.3, 0.3], "position_m": [2.85, 0.0, 0.0]}],
        "contact": {"foundation": {
            "modulus_Pa_per_m": 1e7, "damping_Pa_s_per_m": 3e5, "damping_depth_m": 1e-5, "friction": 0.5,
            "shear_damping_Pa_s_per_m": 1e5, "levels": 6, "two_pass": False,
        }},
        "run": {"duration_s": 1.5, "output_interval_s": 0.05, "longest_step_s": 1e-3},
    }  # fmt: skip
    result = simulate(built(table))
    assert result.trusted, result.checks
    assert result.metrics["bodies_contacts"] >= 1.0
    centre = result.trajectory["r_BN_N"].sel(body="crate").values[-1]
    depth = 50.1 - np.linalg.norm(centre - [53.0, 0.0, 0.0])
    weight = 4.0 * 1250.0 / 50.1**2
    assert_close(depth, math.sqrt(weight / (math.pi * 1e7 * 50.0)), rtol=0.01)
