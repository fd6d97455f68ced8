"""Same seed, same bits: threads, batches, pauses and full storage do not change a lander's run."""

from __future__ import annotations

import numpy as np
import pytest

import haptos
from haptos.core.outcome import Outcome
from haptos.core.random_streams import stream
from haptos.core.rotations import random_quaternion
from haptos.core.stop import Stopped
from haptos.dynamics.touching.batch import BodyBatch, batch_of
from haptos.dynamics.touching.batch_kernel import advance_range, advance_runs
from haptos.dynamics.touching.batch_march import march
from haptos.dynamics.touching.stored_rows import EVENT_SIZE, ROW_SIZE
from haptos.dynamics.touching.working_arrays import working_arrays
from haptos.scenarios.lander.config import Config
from haptos.scenarios.lander.model import build
from haptos.scenarios.lander.simulate import simulate_batch
from tests.lander_cases import lander


def thrown(run: int) -> Config:
    """A cube with the attitude and probe of this run index; every third one is a sphere."""
    generator = stream(3, run)
    changes = {
        "release": {
            "attitude_quaternion": random_quaternion(generator).tolist(),
            "attitude_yaw_pitch_roll_deg": None,
            "velocity_m_per_s": [0.05, float(generator.normal(0.0, 0.01)), 0.0],
        }
    }
    if run % 3 == 0:
        changes["probe"] = {"shape": "sphere", "mass_kg": 5.0, "radius_m": 0.12}
    return lander(**changes)


def marched(count: int, workers: int) -> BodyBatch:
    batch = batch_of([build(thrown(run)) for run in range(count)])
    march(batch, workers=workers)
    return batch


def bits(batch: BodyBatch, run: int) -> bytes:
    return batch.state[run].tobytes() + batch.memory[run].tobytes()


def test_one_and_two_threads_give_the_same_bits():
    one, two = marched(40, 1), marched(40, 2)
    assert one.state.tobytes() == two.state.tobytes()
    assert one.memory.tobytes() == two.memory.tobytes()
    assert len(np.unique(one.state[:, 0])) == 40  # forty different runs


def test_a_run_alone_equals_the_same_run_in_a_large_batch():
    large = marched(250, 2)
    for run in (0, 1, 125, 249):
        alone = batch_of([build(thrown(run))])
        march(alone, workers=1)
        assert bits(alone, 0) == bits(large, run)


def test_a_run_stored_in_full_equals_its_row_in_a_batch():
    config = thrown(1)
    row = simulate_batch([thrown(0), config], workers=1)[1]
    assert haptos.simulate(config).as_row() == row


@pytest.mark.parametrize("budget", [1, 7, 1000])
def test_pauses_do_not_change_a_run(budget):
    whole = marched(1, 1)
    paused = batch_of([build(thrown(0))])
    nothing = (False, np.zeros((1, ROW_SIZE)), np.zeros((1, EVENT_SIZE)))
    calls = 0
    while paused.memory["outcome"][0] == Outcome.RUNNING.code:
        advance_runs(*paused.arrays(), *nothing, 0, 1, budget)
        calls += 1
    assert calls > 1
    assert bits(paused, 0) == bits(whole, 0)


def test_output_interval_does_not_change_the_motion():
    fine = haptos.simulate(lander(run={"output_interval_s": 0.0}))
    coarse = haptos.simulate(lander(run={"output_interval_s": 7.0}))
    assert fine.metrics == coarse.metrics
    assert fine.ledger.step_remainder == coarse.ledger.step_remainder
    at = coarse.trajectory["time"].values[5]
    assert at == 35.0
    assert coarse.trajectory["contact_count"].values[5] == 0
    found = coarse.trajectory["r_BA_A"].values[5, :2]  # in flight x and y are linear in time
    nearby = fine.trajectory["r_BA_A"].interp(time=at).values[:2]
    assert np.max(np.abs(found - nearby)) < 1e-12


def test_a_wish_to_stop_is_heard():
    batch = batch_of([build(thrown(run)) for run in range(8)])
    with pytest.raises(Stopped):
        march(batch, workers=2, should_stop=lambda: True)


def test_plain_python_equals_the_compiled_kernel():
    """The kernel's functions, run by the interpreter, give the compiled bits."""
    model = build(lander(run={"duration_s": 14.0}))
    compiled, plain = batch_of([model]), batch_of([model])
    march(compiled, workers=1)
    nothing = (False, np.zeros((1, ROW_SIZE)), np.zeros((1, EVENT_SIZE)))
    land, *arrays = plain.arrays()
    arrays = [a.view(np.recarray) if a.dtype.names else a for a in arrays]
    working = working_arrays(plain.touching.shape[1])
    advance_range.py_func(land, *arrays, working, *nothing, 0, 1, 10**9)
    assert compiled.memory["contact"]["phases"][0] == 1  # the first touch is in it
    assert bits(plain, 0) == bits(compiled, 0)
