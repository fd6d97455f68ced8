"""Named streams: numbers of a sample are a function of seed, name, sample and purpose."""

from __future__ import annotations

import numpy as np

from haptos.dynamics.sensing.streams import BIAS, LOSS, NOISE, Stream


def test_numbers_do_not_depend_on_how_many_are_asked_for():
    one = Stream.named(3, "camera")
    assert np.array_equal(one.normals(7, 10)[:3], one.normals(7, 3))


def test_purposes_samples_names_and_seeds_differ():
    one = Stream.named(3, "camera")
    rows = [one.normals(7, 4), one.normals(8, 4), one.normals(7, 4, BIAS)]
    rows += [Stream.named(3, "gyro").normals(7, 4), Stream.named(4, "camera").normals(7, 4, NOISE)]
    assert len({row.tobytes() for row in rows}) == len(rows)


def test_uniform_numbers_fill_the_interval():
    numbers = np.array([Stream.named(1, "a").uniform(k, LOSS) for k in range(4000)])
    assert numbers.min() >= 0.0
    assert numbers.max() < 1.0
    assert abs(numbers.mean() - 0.5) < 3.0 / np.sqrt(12.0 * 4000.0)
