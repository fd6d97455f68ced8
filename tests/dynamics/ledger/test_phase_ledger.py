"""The record of phases against a plain calculation over all steps, and what it must not lose."""

from __future__ import annotations

import numpy as np
import pytest

from haptos.core.jit import entry
from haptos.dynamics.ledger.phase_ledger import first_phase, next_phase, phase_rows, update_phase
from haptos.results.phases import Phase, phases_of
from tests.close import assert_close

CUTS = (0, 7, 19)  # steps after which a phase begins


def history(count: int = 40) -> np.ndarray:
    """Rows of time, energy, potential, resting, lost, supplied at the end of each step."""
    random = np.random.default_rng(4)
    time = np.cumsum(random.uniform(0.1, 1.0, count))
    potential = 3.0 * np.cos(time)
    resting = 1.0 + 0.5 * np.sin(2.0 * time)
    energy = potential + resting + 4.0 + random.uniform(0.0, 1.0, count)
    lost, supplied = np.cumsum(random.uniform(0.0, 0.2, (2, count)), axis=1)
    return np.stack([time, energy, potential, resting, lost, supplied], axis=1)


def walk(phases, steps, cuts):
    """Let a record see all steps; the number of phases comes back."""
    first_phase(phases, 0, 6.0, 1.0, 0.5)
    count = 1
    for n in range(len(steps)):
        for event in range(1, len(cuts)):
            if n == cuts[event]:
                count = next_phase(phases, count, event)
        time, energy, potential, resting, lost, supplied = (
            steps[n, 0], steps[n, 1], steps[n, 2], steps[n, 3], steps[n, 4], steps[n, 5],
        )  # fmt: skip
        remainder = energy - 6.0 + lost - supplied
        update_phase(phases, count, time, energy, potential, resting, lost, supplied, remainder)
    return count


def recorded(rows: int, cuts: tuple[int, ...] = CUTS) -> tuple[Phase, ...]:
    phases = phase_rows(rows)
    count = walk(phases, history(), np.array(cuts))
    return phases_of(phases, count, lambda event: f"phase {event}")


@pytest.mark.parametrize("number", range(3))
def test_a_phase_is_what_its_own_steps_say(number):
    found = recorded(3)[number]
    steps = history()
    first, last = CUTS[number], (*CUTS, len(steps))[number + 1]
    start = np.array([0.0, 6.0, 1.0, 0.5, 0.0, 0.0]) if first == 0 else steps[first - 1]
    seen = np.vstack([start, steps[first:last]])
    remainder = seen[:, 1] - 6.0 + seen[:, 4] - seen[:, 5]
    stored = seen[:, 1].max() - seen[:, 2].min() - seen[:, 3].min()
    assert (found.name, found.start, found.end) == (f"phase {number}", start[0], seen[-1, 0])
    assert_close(found.stored, stored, rtol=1e-14)
    assert_close(found.dissipated, seen[-1, 4] - seen[0, 4], rtol=1e-14)
    assert_close(found.put_in, seen[-1, 5] - seen[0, 5], rtol=1e-14)
    assert_close(found.remainder, np.abs(remainder - remainder[0]).max(), rtol=1e-14)


def test_events_beyond_the_room_leave_the_last_phase_open():
    short, whole = recorded(2), recorded(3)
    assert len(short) == 2
    assert short[1].end == whole[2].end
    assert_close(short[1].dissipated, whole[1].dissipated + whole[2].dissipated, rtol=1e-14)
    assert short[1].remainder >= whole[1].remainder


def test_what_an_earlier_phase_missed_is_not_held_against_a_later_one():
    phases = phase_rows(2)
    first_phase(phases, 0, 1.0, 0.0, 0.0)
    update_phase(phases, 1, 1.0, 1.5, 0.0, 0.0, 0.0, 0.0, 0.5)
    assert next_phase(phases, 1, 1) == 2
    update_phase(phases, 2, 2.0, 1.5, 0.0, 0.0, 0.0, 0.0, 0.5)
    assert phases["largest"].tolist() == [0.5, 0.0]


def test_a_remainder_that_is_no_number_stays():
    phases = phase_rows(1)
    first_phase(phases, 0, 1.0, 0.0, 0.0)
    update_phase(phases, 1, 1.0, np.nan, 0.0, 0.0, 0.0, 0.0, np.nan)
    update_phase(phases, 1, 2.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    assert np.isnan(phases["largest"][0])


def test_compiled_equals_plain():
    compiled, plain = (phase_rows(3) for _ in range(2))
    cuts = np.array(CUTS)
    assert entry(walk)(compiled, history(), cuts) == 3
    assert walk(plain, history(), cuts) == 3
    assert compiled.tobytes() == plain.tobytes()
