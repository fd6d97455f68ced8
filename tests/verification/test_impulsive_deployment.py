"""Whole deployments with impulsive contact on a bilobed body: the ledger closes, the bits are the same."""

from __future__ import annotations

import functools
import itertools
import math
from typing import Any

import numpy as np
import pytest

import haptos
from haptos.core.outcome import Outcome
from haptos.results.result import Result
from haptos.scenarios.lander.config import Config
from haptos.scenarios.lander.simulate import simulate_batch
from tests.close import assert_close
from tests.hard_cases import CUBE, ROUND, bounce, hard, impacts, kinds
from tests.lander_cases import tolerances

SEEDS = range(1, 21)
BODY = {
    "surface": {"shape": "body", "body": "bilobe", "level": 4},
    "gravity": {"model": "polyhedron", "mu_m3_per_s2": 2.341, "facets": 1280},
    "spin": {"kind": "uniform", "period_h": 12.132},
    "probe": {"shape": "cube", "mass_kg": 5.0, "density_kg_per_m3": 500.0},
}
RUN = {"duration_s": 2e5, "output_interval_s": 0.0, "escape_distance_m": 5e3, "max_steps": 100_000}


def deployment(seed: int, **changes: Any) -> Config:
    """A cube let go 350 m from the centre, toward the body, turning."""
    rng = np.random.default_rng(seed)
    out, attitude = rng.normal(size=3), rng.normal(size=4)
    out /= np.linalg.norm(out)
    release = {
        "position_m": (350.0 * out).tolist(),
        "velocity_m_per_s": (0.02 * rng.normal(size=3) - 0.06 * out).tolist(),
        "attitude_quaternion": (attitude / np.linalg.norm(attitude)).tolist(),
        "rate_rad_per_s": (0.02 * rng.normal(size=3)).tolist(),
    }
    contact = {"restitution": 0.6, "friction": 0.6}
    return hard(
        **{**BODY, "seed": seed, "contact": contact, "release": release, "run": RUN} | changes
    )


@functools.cache
def landed(seed: int, relative: float) -> Result:
    run = {**RUN, **tolerances(relative, speed=0.1)}
    return haptos.simulate(deployment(seed, run=run))


def flight_drift(result: Result) -> float:
    """Largest change of stored energy less work between two impacts, as a share of the scale."""
    ledger = sum(result.ledger.stores.values()) - sum(result.ledger.works.values())
    times = np.asarray(result.ledger.time)
    edges = [0.0, *np.unique(impacts(result)["time"]), times[-1]]
    spans = [ledger[(times >= a) & (times < b)] for a, b in itertools.pairwise(edges)]
    return max(float(np.ptp(span)) for span in spans if len(span) > 1) / result.ledger.scale


@pytest.mark.slow
@pytest.mark.parametrize("relative", [1e-10, 1e-12])
def test_the_books_of_whole_deployments_close(relative):
    results = [landed(seed, relative) for seed in SEEDS]
    assert all(result.ended is Outcome.SETTLED for result in results)
    assert all(result.metrics["impacts"] > 5 for result in results)
    remainders = [result.ledger.max_remainder / result.ledger.scale for result in results]
    drifts = [flight_drift(result) for result in results]
    # The drift is that of the steps: a hundredth of the tolerance, a hundredth of the drift.
    assert max(remainders) < (1e-6 if relative == 1e-10 else 1e-8)
    assert max(drifts) < (2e-7 if relative == 1e-10 else 1e-8)


def rows_of(configs: list[Config], workers: int) -> list[bytes]:
    """Numbers of each run as bytes, so that NaN equals itself."""
    rows = simulate_batch(configs, workers=workers)
    return [np.array([v for v in row.values() if isinstance(v, float)]).tobytes() for row in rows]


SHORT = {"duration_s": 3000.0, "output_interval_s": 0.0, "max_steps": 20_000}


def thrown(seed: int) -> Config:
    """A cube thrown onto a ball of 100 m."""
    rng = np.random.default_rng(seed)
    release = {
        "position_m": [0.0, 0.0, 101.0],
        "velocity_m_per_s": (0.01 * rng.normal(size=3)).tolist(),
        "rate_rad_per_s": (0.1 * rng.normal(size=3)).tolist(),
    }
    return hard(probe=CUBE, **ROUND, seed=seed, release=release, run=SHORT)


def dropped(seed: int) -> Config:
    """A cube thrown onto a plane."""
    release = {"position_m": [0.0, 0.0, 0.6], "rate_rad_per_s": [0.1, 0.05 * seed, 0.0]}
    return hard(probe=CUBE, release=release, run=SHORT)


def test_threads_batches_storage_and_other_worlds_do_not_change_a_bit():
    configs = [thrown(seed) for seed in range(8)]
    alone = rows_of(configs, 1)
    assert len(set(alone)) == 8
    assert rows_of(configs, 2) == alone
    assert [rows_of([config], 1)[0] for config in configs] == alone
    assert rows_of((configs * 25)[:200], 2) == alone * 25
    planes = [dropped(seed) for seed in range(8)]
    mixed = rows_of([config for pair in zip(configs, planes, strict=True) for config in pair], 2)
    assert mixed[0::2] == alone
    assert mixed[1::2] == rows_of(planes, 1)
    for config, row in zip(configs[:3], simulate_batch(configs[:3], workers=1), strict=True):
        stored = haptos.simulate(config).metrics
        names = [name for name, value in stored.items() if not math.isnan(value)]
        assert {name: stored[name] for name in names} == {name: row[name] for name in names}


@pytest.mark.parametrize("speed", [0.0, 0.05, 0.2, 0.5])
def test_regolith_takes_more_of_a_steep_impact(speed):
    soft = {"normal_restitution": 0.2, "grazing_restitution": 0.9, "critical_angle_deg": 45.0}
    result = haptos.simulate(
        hard(
            contact={"friction": 0.0, "regolith": soft},
            release={"velocity_m_per_s": [speed, 0.0, 0.0]},
            run={"duration_s": 15.0},
        )
    )
    hit = impacts(result)
    angle = math.degrees(math.atan2(0.1, speed))  # it falls 0.5 m at 0.01 m/s^2
    assert_close(np.degrees(hit["impact_angle"][0]), angle, rtol=1e-9)
    assert_close(bounce(hit), 0.9 - 0.7 * min(angle, 45.0) / 45.0, rtol=1e-9)


def test_stochastic_rocks_tilt_some_normals_and_have_their_own_coefficients():
    rocks = {"rocks_per_m2": 5.0, "smallest_m": 0.05, "largest_m": 0.5}
    contact = {"friction": 0.0, "stochastic_rocks": rocks, "rocks": {"restitution": 0.9}}
    struck = []
    for seed in range(60):
        hit = impacts(haptos.simulate(hard(seed=seed, contact=contact, run={"duration_s": 15.0})))
        is_rock = hit["ground"][0] == 8.0
        assert is_rock == (hit["normal_A"][0][2] < 1.0)
        assert_close(bounce(hit), 0.9 if is_rock else 0.5, rtol=1e-9)
        struck.append(is_rock)
    # The chance is 0.139: 60 throws give 8 +- 2.7.
    assert 2 <= sum(struck) <= 17


@pytest.mark.parametrize(("side", "e", "f"), [(1.0, 0.1, 0.0), (-1.0, 0.5, 0.5)])
def test_a_region_has_its_own_coefficients(side, e, f):
    cap = {
        "name": "cap", "latitude_deg": [30.0, 90.0], "longitude_deg": [-180.0, 180.0],
        "restitution": 0.1, "friction": 0.0,
    }  # fmt: skip
    release = {"position_m": [0.0, 1.0, side * 101.0], "velocity_m_per_s": [0.01, 0.0, 0.0]}
    hit = impacts(
        haptos.simulate(hard(**ROUND, regions=[cap], release=release, run={"duration_s": 150.0}))
    )
    assert hit["ground"][0] == (1.0 if side > 0.0 else 0.0)
    assert_close(bounce(hit), e, rtol=1e-9)
    assert (hit["friction_work"][0] < 0.0) == (f > 0.0)


def test_rocks_of_the_terrain_have_their_own_coefficients():
    rocks = {"model": "seeded", "rocks_per_m2": 4.0, "smallest_m": 0.2, "largest_m": 0.8}
    found = {0.0: 0, 8.0: 0}
    for place in range(12):
        result = haptos.simulate(
            hard(
                terrain={"seed": 3, "rocks": rocks},
                contact={"friction": 0.0, "rocks": {"restitution": 0.95}},
                release={"position_m": [0.37 * place, 0.0, 1.5]},
                run={"duration_s": 30.0},
            )
        )
        hit = impacts(result)
        assert kinds(result)[0] == "impact"
        if np.sum(hit["time"] == hit["time"][0]) > 1:  # a rock and the ground at once
            continue
        assert_close(bounce(hit), 0.95 if hit["ground"][0] == 8.0 else 0.5, rtol=1e-9)
        found[float(hit["ground"][0])] += 1
    assert found[0.0] > 0
    assert found[8.0] > 0
