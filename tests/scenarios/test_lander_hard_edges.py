"""Impulsive contact at its edges: every run ends with an outcome or a refusal, within seconds."""

from __future__ import annotations

import math
import time

import numpy as np
import pytest

import haptos
from haptos.core.errors import ConfigError, HaptosError
from haptos.core.outcome import Outcome
from haptos.dynamics.touching.batch import batch_of
from haptos.dynamics.touching.batch_kernel import advance_runs
from haptos.dynamics.touching.stored_rows import EVENT_SIZE, ROW_SIZE
from haptos.scenarios.lander.model import build
from tests.hard_cases import BALL, CUBE, ROUND, hard, impacts, kinds
from tests.lander_cases import lander

RUN = {"duration_s": 3000.0, "output_interval_s": 30.0, "max_steps": 20_000}
DROPPED = {"position_m": [0.0, 0.0, 101.0], "velocity_m_per_s": [0.02, 0.0, 0.0]}
OUTCOMES = {Outcome.SETTLED, Outcome.TIME_OVER, Outcome.STEPS_OVER, Outcome.MISSED}
LONGEST = 20.0  # [s] of work; each takes well below a second on an idle core


def ended(**changes):
    """Result of a run over a ball of 100 m, or of what a test lays over it."""
    result_of = hard(**{**ROUND, "release": DROPPED, "run": RUN, **changes})
    build(result_of)
    began = time.perf_counter()
    result = haptos.simulate(result_of)
    assert time.perf_counter() - began < LONGEST
    assert result.ended in OUTCOMES
    assert result.ledger.relative_remainder <= 1e-6
    assert result.metrics["largest_energy_rise_J"] <= 1e-6 * result.ledger.scale
    return result


@pytest.fixture(scope="module", autouse=True)
def kernel_is_compiled():
    """Compiling is no part of the seconds a run may take."""
    haptos.simulate(hard(run={"duration_s": 1.0}))


PROBES = pytest.mark.parametrize("probe", [BALL, CUBE], ids=["ball", "cube"])


@PROBES
def test_a_release_on_the_ground_settles(probe):
    found = ended(probe=probe, release={"position_m": [0.0, 0.0, 100.1]})
    assert found.ended is Outcome.SETTLED
    assert found.metrics["settle_time_s"] < 3.0
    assert found.metrics["displacement_m"] < 1e-3


@PROBES
def test_a_release_inside_is_refused(probe):
    with pytest.raises(HaptosError, match="inside the ground"):
        ended(probe=probe, release={"position_m": [0.0, 0.0, 50.0]})


@PROBES
def test_a_release_far_away_misses(probe):
    far = {"position_m": [0.0, 0.0, 9e4]}
    assert ended(probe=probe, release=far).ended is Outcome.MISSED
    leaving = {**far, "velocity_m_per_s": [0.0, 0.0, 1.0]}
    found = ended(probe=probe, release=leaving, run={**RUN, "escape_distance_m": 1e4})
    assert found.ended is Outcome.MISSED


@PROBES
def test_a_release_without_speed_comes_to_rest(probe):
    found = ended(probe=probe, release={"position_m": [0.0, 0.0, 102.0]})
    assert found.ended is Outcome.SETTLED
    assert found.metrics["end_speed_m_per_s"] == 0.0


@PROBES
def test_a_huge_spin_is_no_trouble(probe):
    spinning = {"position_m": [0.0, 0.0, 101.0], "rate_rad_per_s": [600.0, -500.0, 620.0]}
    found = ended(probe=probe, release=spinning)
    assert found.metrics["impacts"] >= 1


@PROBES
@pytest.mark.parametrize("e", [0.0, 1.0])
@pytest.mark.parametrize("f", [0.0, 10.0])
def test_extreme_coefficients_end(probe, e, f):
    found = ended(probe=probe, contact={"restitution": e, "friction": f})
    assert found.metrics["impacts"] >= 1
    if e == 1.0 and f == 0.0:
        assert sum(found.ledger.works["damping"]) == pytest.approx(0.0, abs=1e-12)
    if f == 0.0:
        assert abs(found.ledger.works["friction"][-1]) < 1e-15


@pytest.mark.parametrize(
    "probe",
    [
        {**BALL, "radius_m": 8e-4, "mass_kg": 1e-6},
        {**CUBE, "size_m": [8e-4] * 3, "mass_kg": 1e-6},
        {**CUBE, "size_m": [50.0] * 3, "mass_kg": 1e6},
        {**CUBE, "size_m": [0.5, 0.1, 0.02]},
    ],
    ids=["small ball", "small cube", "house", "plate"],
)
def test_small_and_large_probes_end(probe):
    height = 100.0 + 2.0 * max(probe.get("size_m", [0.5]))
    ended(probe=probe, release={**DROPPED, "position_m": [0.0, 0.0, height]})


def test_a_cube_of_half_a_millimetre_does_not_hang():
    probe = {**CUBE, "size_m": [5e-4] * 3, "mass_kg": 1e-6}
    batch = batch_of([build(hard(probe=probe, **ROUND, release=DROPPED, run=RUN))])
    advance_runs(
        *batch.arrays(), False, np.zeros((1, ROW_SIZE)), np.zeros((1, EVENT_SIZE)), 0, 1, 40_000
    )
    assert batch.memory["outcome"][0] != Outcome.RUNNING.code


@pytest.mark.slow
def test_a_probe_of_ten_thousand_vertices_ends():
    plate = {"shape": "prism", "mass_kg": 2.0, "sides": 12, "radius_m": 0.1, "height_m": 0.1}
    config = hard(
        probe={**plate, "tessellation": 4}, **ROUND, release=DROPPED,
        run={**RUN, "max_steps": 2000},
    )  # fmt: skip
    model = build(config)
    assert len(model.vertices) > 5000
    assert haptos.simulate(config).ended in OUTCOMES


def test_without_contact_motion_the_first_slow_impact_ends_the_run():
    release = {"position_m": [0.0, 0.0, 0.6], "rate_rad_per_s": [0.1, 0.2, 0.0]}
    found = haptos.simulate(hard(probe=CUBE, release=release, contact={"contact_motion": False}))
    assert found.ended is Outcome.SETTLED
    assert found.metrics["contact_steps"] == 0
    assert found.metrics["lying_steps"] == 0
    assert kinds(found)[-1] == "rest"
    speeds = impacts(found)["closing_speed"]
    assert speeds[:-8].max() > 1e-4
    assert speeds.min() < 1e-4
    assert found.metrics["end_speed_m_per_s"] == 0.0
    longer = haptos.simulate(hard(probe=CUBE, release=release))
    assert longer.metrics["lying_steps"] + longer.metrics["contact_steps"] > 0
    assert math.isfinite(longer.metrics["settle_time_s"])


def test_a_probe_with_too_many_vertices_is_refused_before_work(monkeypatch):
    monkeypatch.setattr("haptos.scenarios.lander.probe.MOST_VERTICES", 90)
    with pytest.raises(ConfigError, match="98 vertices") as refused:
        build(lander(probe={"tessellation": 2}))
    assert "simplify" in str(refused.value)
