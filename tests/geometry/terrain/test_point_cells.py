"""Points sorted into cubes are all found again, each in its own cube."""

from __future__ import annotations

import numpy as np
import pytest

from haptos.geometry.terrain.point_cells import bucket_of, sort_cells


def sorted_points(x, radius, begin, size):
    count = len(x)
    buckets = 1 << (count - 1).bit_length()
    cell, order = np.zeros((count, 3), np.int64), np.full(count, -1)
    start = np.zeros(buckets + 1, np.int64)
    sort_cells(x, radius, begin, size, cell, order, start)
    return cell, order, start


@pytest.mark.parametrize("begin", [0, 20])
def test_every_point_that_takes_part_stands_once_in_the_bucket_of_its_cube(begin):
    generator = np.random.default_rng(3)
    x = generator.normal(size=(150, 3))
    radius = np.where(generator.random(150) < 0.2, 0.0, 0.1)
    cell, order, start = sorted_points(x, radius, begin, 0.3)
    taking_part = [i for i in range(begin, 150) if radius[i] > 0.0]
    assert sorted(order[: start[-1]]) == taking_part
    for bucket in range(len(start) - 1):
        for i in order[start[bucket] : start[bucket + 1]]:
            assert (cell[i] == np.floor(x[i] / 0.3)).all()
            assert bucket_of(*map(int, cell[i]), len(start) - 1) == bucket


def test_cubes_left_of_the_origin_have_buckets_too():
    assert 0 <= bucket_of(-5, -7, -1, 64) < 64
