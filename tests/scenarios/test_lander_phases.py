"""Phases of a lander's energy ledger: what they hold, against the stored series of the same run."""

from __future__ import annotations

import numpy as np

import haptos
from haptos.scenarios.lander.simulate import simulate_batch
from tests.close import assert_close
from tests.hard_cases import CUBE, hard
from tests.hop_cases import BRAKE, EASY, hopper
from tests.lander_cases import lander

EVERY_STEP = {"duration_s": 200.0, "output_interval_s": 0.0}


def test_flight_ends_at_the_first_touch_with_the_energy_of_the_release():
    result = haptos.simulate(lander(run=EVERY_STEP))
    flight, bounces = result.ledger.phases
    assert (flight.name, bounces.name) == ("flight", "bounces")
    assert flight.end == bounces.start == result.metrics["first_touch_time_s"]
    assert bounces.end == result.metrics["end_time_s"]
    assert flight.dissipated == flight.put_in == 0.0
    # 5 kg at 0.6 m with 0.05 m/s, turning: kinetic at the release and weight times height.
    kinetic = float(result.ledger.stores["kinetic"][0])
    assert flight.resting == 0.0  # its turn is what the ground acts on
    assert_close(flight.stored, kinetic + 5.0 * 5.7e-3 * 0.6, rtol=1e-9)


def test_a_phase_is_what_the_stored_steps_of_it_say():
    result = haptos.simulate(lander(run=EVERY_STEP))
    ledger, bounces = result.ledger, result.ledger.phases[1]
    inside = (ledger.time >= bounces.start) & (ledger.time <= bounces.end)
    potential = ledger.stores["potential"][inside]
    assert_close(bounces.stored, ledger.total[inside].max() - potential.min(), rtol=1e-9)
    lost = sum(series[inside] for series in ledger.works.values())
    assert_close(bounces.dissipated, lost[0] - lost[-1], rtol=1e-9)
    missing = ledger.remainder[inside]
    assert_close(bounces.remainder, np.abs(missing - missing[0]).max(), rtol=1e-3)


def test_impulsive_contact_has_a_phase_on_the_ground():
    contact = {"restitution": 0.5, "friction": 0.5}
    result = haptos.simulate(hard(probe=CUBE, contact=contact))
    names = [phase.name for phase in result.ledger.phases]
    assert names[:2] == ["flight", "bounces"]
    assert set(names) <= {"flight", "bounces", "ground"}
    flight, bounces, *_ = result.ledger.phases
    assert flight.end == result.metrics["first_touch_time_s"]
    # Free fall in uniform gravity is exact, and the impact is not part of it.
    assert flight.remainder < 1e-12 * flight.stored
    assert bounces.dissipated > 0.5 * flight.stored


def test_each_hop_is_a_phase():
    hops = {**BRAKE, "count": 3}
    result = haptos.simulate(hopper(hops, contact=EASY["impulsive"]))
    names = [phase.name for phase in result.ledger.phases]
    assert names[-3:] == ["hop 1", "hop 2", "hop 3"]
    put_in = [phase.put_in for phase in result.ledger.phases]
    assert min(put_in[-3:]) > 0.0
    assert all(given == 0.0 for given in put_in[:-3])
    assert_close(sum(put_in), -result.ledger.dissipated["actuator"], rtol=1e-12)


def test_a_run_alone_and_in_a_batch_give_the_same_row():
    hops = {**BRAKE, "count": 2}
    configs = [
        hopper(hops, contact=EASY["impulsive"]),
        hopper({**BRAKE, "count": 1}, contact=EASY["impulsive"]),
        hard(probe=CUBE),
    ]
    rows = simulate_batch(configs, workers=2)
    assert [repr(haptos.simulate(config).as_row()) for config in configs] == list(map(repr, rows))
    assert all(row["ledger_relative_remainder"] <= 1e-6 for row in rows)


def test_a_probe_that_starts_on_the_ground_is_measured_by_its_height():
    release = {"position_m": [0.0, 0.0, 0.1]}
    result = haptos.simulate(hard(release=release, run={"duration_s": 50.0}))
    first = result.ledger.phases[0]
    weight = float(result.config["probe"]["mass_kg"]) * 9.81
    assert first.stored > 0.0
    assert first.stored < 10.0 * weight
    assert result.trusted
