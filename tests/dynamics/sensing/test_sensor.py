"""The chain of a sensor: mean, deviation, delay and losses as stated, and streams that do not touch each other."""

from __future__ import annotations

import math

import numpy as np
import pytest

from haptos.dynamics.sensing.quantised import Quantised
from haptos.dynamics.sensing.readings import SensorFault
from haptos.dynamics.sensing.sensor import Chain, Sensor
from haptos.dynamics.sensing.streams import Stream

COUNT = 20_000  # tests/validation takes 100 000
SIGMA, BIAS, DELAY, DROPOUT, BURST = 0.003, 0.002, 0.3, 0.01, 3


def sensor(name: str = "range", seed: int = 5, **changes: object) -> Sensor:
    chain = Chain(interval=0.5, delay=DELAY, dropout=DROPOUT, burst=BURST)
    options: dict = {"disturb": Quantised(sigma=SIGMA, bias=BIAS), **changes}
    return Sensor(name, options.pop("chain", chain), Stream.named(seed, name), **options)


def sampled(one: Sensor, count: int) -> np.ndarray:
    return np.array([one.sample([1.0]).values[0] for _ in range(count)])


@pytest.fixture(scope="module")
def many() -> tuple[Sensor, np.ndarray]:
    one = sensor()
    return one, sampled(one, COUNT)


def within_three_sigma(found: float, expected: float, deviation: float) -> bool:
    return abs(found - expected) < 3.0 * deviation


def test_mean_and_deviation_of_many_samples_are_those_stated(many):
    values = many[1][np.isfinite(many[1])]
    assert within_three_sigma(values.mean(), 1.0 + BIAS, SIGMA / math.sqrt(len(values)))
    assert within_three_sigma(values.std(), SIGMA, SIGMA / math.sqrt(2.0 * len(values)))


def test_the_share_of_lost_samples_is_that_stated_and_losses_come_in_bursts(many):
    lost = ~np.isfinite(many[1])
    # Samples of a burst are lost together: the count varies as that of bursts times their length.
    deviation = math.sqrt(DROPOUT * BURST / COUNT)
    assert within_three_sigma(lost.mean(), DROPOUT, deviation)
    lengths = np.diff(np.flatnonzero(np.diff(np.concatenate([[0], lost.astype(int), [0]]))))[::2]
    assert lengths.min() >= BURST


def test_samples_arrive_after_the_delay_with_the_time_they_are_of(many):
    one = many[0]
    late = np.array([reading.arrives - reading.time for reading in one.log])
    assert np.allclose(late, DELAY, rtol=0.0, atol=1e-9)
    assert [r.time for r in one.log[:4]] == [0.0, 0.5, 1.0, 1.5]


def test_the_check_has_teeth(many):
    values = many[1][np.isfinite(many[1])]
    assert not within_three_sigma(values.std(), 1.03 * SIGMA, SIGMA / math.sqrt(2.0 * len(values)))


def test_a_reading_waits_in_the_queue_until_it_arrives():
    one = sensor()
    one.sample([1.0])
    assert one.delivered(0.29) == []
    assert [r.sample for r in one.delivered(0.3)] == [0]
    assert one.delivered(10.0) == []


def test_same_seed_same_bits_whatever_other_sensors_do():
    alone = sampled(sensor(), 50)
    first, other = sensor(), sensor("lateral")
    beside = []
    for _ in range(50):
        other.sample([3.0])
        beside.append(first.sample([1.0]).values[0])
    assert alone.tobytes() == np.array(beside).tobytes()
    assert not np.array_equal(alone, sampled(sensor(seed=6), 50))
    assert not np.array_equal(alone, sampled(sensor("lateral"), 50))


def test_a_perfect_sensor_has_no_noise_and_no_losses_but_the_same_times():
    chain = Chain(interval=0.5, delay=DELAY, dropout=0.5, mode="perfect")
    one = sensor(chain=chain)
    assert (sampled(one, 200) == 1.0).all()
    assert one.log[1].arrives == 0.5 + DELAY


def test_faults_fail_bias_and_freeze_from_their_time_on():
    clean = Chain(interval=0.5)
    kinds = {
        "failed": SensorFault("failed", 2.0), "bias": SensorFault("bias", 2.0, (0.25,)),
        "frozen": SensorFault("frozen", 2.0),
    }  # fmt: skip
    found = {}
    for kind, fault in kinds.items():
        one = sensor(chain=clean, faults=(fault,))
        found[kind] = sampled(one, 8)
    healthy = sampled(sensor(chain=clean), 8)
    for values in found.values():
        assert np.array_equal(values[:4], healthy[:4])
    assert np.isnan(found["failed"][4:]).all()
    assert np.array_equal(found["bias"][4:], healthy[4:] + 0.25)
    assert (found["frozen"][4:] == healthy[3]).all()


def test_a_blinded_sample_is_lost():
    assert not sensor().sample([1.0], is_blinded=True).is_valid
