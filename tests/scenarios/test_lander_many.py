"""A batch of very many runs: some of them in memory at a time, the same bits as all together."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Sequence

import pytest

import haptos as hp
from haptos.scenarios.files import default
from haptos.scenarios.lander import simulate as lander

SLOPES = ([0.0, 0.0, 1.0], [0.0, 0.6, 0.8])  # two worlds, in turns


def config(run: int):
    table = default("lander").as_table()
    table["run"]["duration_s"] = 60.0
    table["release"]["velocity_m_per_s"] = [0.05, 0.001 * run, 0.0]
    table["surface"]["normal"] = SLOPES[run % 2]
    return type(default("lander")).model_validate(table)


class MadeWhenAsked(Sequence):
    """Configurations that nobody holds."""

    def __init__(self, count: int) -> None:
        self.count = count

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, run: int):
        if run >= self.count:
            raise IndexError
        return config(run)


@pytest.fixture
def five():
    return [config(run) for run in range(5)]


def test_a_batch_in_lots_has_the_bits_of_one(five, monkeypatch):
    together = lander.simulate_batch(five, workers=1)
    assert len({row["ledger_change_J"] for row in together}) == 5
    for lot in (1, 2, 4):
        monkeypatch.setattr(lander, "RUNS_AT_ONCE", lot)
        assert repr(lander.simulate_batch(five, workers=2)) == repr(together)


def test_logs_in_lots_are_those_of_one(five, monkeypatch):
    together = lander.simulate_logged(five, store="trajectories", workers=1)
    monkeypatch.setattr(lander, "RUNS_AT_ONCE", 2)
    lots = lander.simulate_logged(five, store="trajectories", workers=1)
    assert repr(lots.rows) == repr(together.rows)
    for name in together.logs:
        for column, values in together.logs[name].items():
            assert values.tobytes() == lots.logs[name][column].tobytes()


def test_models_of_one_lot_are_gone_before_the_next_is_made(monkeypatch):
    alive: list[weakref.ref] = []
    made: list[int] = []
    real = lander.build_many

    class Held(list):
        """A list that can be watched."""

    def watched(configs):
        gc.collect()
        made.append(len(configs))
        assert not [one for one in alive if one() is not None]
        models = Held(real(configs))
        alive.append(weakref.ref(models))
        return models

    monkeypatch.setattr(lander, "build_many", watched)
    monkeypatch.setattr(lander, "RUNS_AT_ONCE", 2)
    runs = hp.simulate_batch(MadeWhenAsked(5), workers=1).runs
    assert made == [2, 2, 1]
    assert len(runs) == 5
