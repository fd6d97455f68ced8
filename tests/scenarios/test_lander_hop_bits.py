"""Same seed, same bits for hopping landers: threads, batches, pauses and full storage."""

from __future__ import annotations

import numpy as np
import pytest

import haptos
from haptos.core.outcome import Outcome
from haptos.dynamics.touching.batch import BodyBatch, batch_of
from haptos.dynamics.touching.batch_kernel import advance_runs
from haptos.dynamics.touching.batch_march import march
from haptos.dynamics.touching.stored_rows import EVENT_SIZE, ROW_SIZE
from haptos.scenarios.lander.model import build
from haptos.scenarios.lander.simulate import simulate_batch
from tests.hop_cases import BRAKE, EASY, PULSE, hopper


def hopping(run: int):
    device = {**(BRAKE if run % 2 else PULSE), "count": 2 + run % 3, "wait_s": float(run)}
    release = {"position_m": [0.0, 0.0, 0.3], "velocity_m_per_s": [0.01 * run, 0.0, 0.0]}
    law = ("impulsive", "compliant")[run % 3 == 0]
    return hopper(device, law=law, contact=EASY[law], release=release)


def bits(batch: BodyBatch, run: int) -> bytes:
    return batch.state[run].tobytes() + batch.memory[run].tobytes()


def grouped(workers: int) -> list[dict]:
    return simulate_batch([hopping(run) for run in range(8)], workers=workers)


def test_threads_and_batches_give_the_same_rows():
    one = grouped(1)
    assert repr(one) == repr(grouped(2))
    for run in (0, 5):
        assert repr(simulate_batch([hopping(run)], workers=1)[0]) == repr(one[run])
    assert {row["hop_count"] for row in one} == {2, 3, 4}


@pytest.mark.parametrize("run", [1, 3, 4])
def test_a_run_stored_in_full_equals_its_row(run):
    row = simulate_batch([hopping(run)], workers=1)[0]
    assert repr(haptos.simulate(hopping(run)).as_row()) == repr(row)


@pytest.mark.parametrize("run", [1, 3])
@pytest.mark.parametrize("budget", [1, 7, 1000])
def test_pauses_do_not_change_a_run(budget, run):
    model = build(hopping(run))
    whole, paused = batch_of([model]), batch_of([model])
    march(whole, workers=1)
    nothing = (False, np.zeros((1, ROW_SIZE)), np.zeros((1, EVENT_SIZE)))
    while paused.memory["outcome"][0] == Outcome.RUNNING.code:
        advance_runs(*paused.arrays(), *nothing, 0, 1, budget)
    assert bits(paused, 0) == bits(whole, 0)
    assert whole.memory["hops"]["count"][0] > 1
