"""The worked surface of docs/extending.md under scenarios: a lander and a net meet it, polygons refuse it."""

from __future__ import annotations

import numpy as np
import pytest

import haptos as hp
from haptos.core.errors import ConfigError
from haptos.core.outcome import Outcome
from tests.close import assert_close

RADIUS, LENGTH = 2.0, 10.0
SURFACE = {"shape": "capsule", "radius_m": RADIUS, "length_m": LENGTH}
DOWN = {"model": "uniform", "acceleration_m_per_s2": [0.0, 0.0, -1e-3]}


def dropped(position, **tables):
    return hp.default(
        "lander",
        {
            "surface": SURFACE,
            "gravity": DOWN,
            "release": {"position_m": position, "velocity_m_per_s": [0.0, 0.0, 0.0], "rate_rad_per_s": [0.0, 0.0, 0.0]},
            **tables,
        },
    )  # fmt: skip


def test_a_ball_comes_to_rest_on_top_of_the_cylinder():
    probe = {"shape": "sphere", "mass_kg": 5.0, "radius_m": 0.2}
    result = hp.simulate(dropped([3.0, 0.0, 3.0], probe=probe))
    assert result.outcome == Outcome.SETTLED
    assert result.trusted
    x, y, z = result.trajectory["r_BA_A"].values[-1]
    assert_close(x, 3.0, rtol=1e-6, scale=1.0)  # the cylinder does not bend along its axis
    assert_close(np.hypot(y, z), RADIUS + 0.2, rtol=1e-3, scale=1.0)


def test_a_cube_on_the_round_end_slides_off_and_is_trusted():
    result = hp.simulate(dropped([6.5, 0.0, 3.0], run={"escape_distance_m": 50.0}))
    assert result.trusted
    assert result.outcome == Outcome.ESCAPED
    assert result.trajectory["r_BA_A"].values[-1, 0] > 7.0


def test_polygons_refuse_it_before_work():
    with pytest.raises(ConfigError, match="capsule"):
        hp.default("lander-feet", {"surface": SURFACE})


@pytest.mark.parametrize("bad", [{"radius_m": -1.0}, {"length_m": 0.0}, {"radius_m": float("nan")}])
def test_bad_sizes_are_refused(bad):
    with pytest.raises(ConfigError):
        hp.default("lander", {"surface": SURFACE | bad, "gravity": DOWN})
