"""Sweeps and the design points they span."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from haptos.campaign.design import Design
from haptos.campaign.sweeps import GridSweep, LatinHypercube, ListSweep, Sobol
from haptos.core.errors import ConfigError
from tests.close import assert_close


def design(sweeps, points=None, seed=7):
    made = Design(sweeps, points, seed, "study.toml")
    made.draw()
    return made


def column(made: Design, key: str) -> list:
    return [made.value(key, point) for point in range(made.count)]


def test_list_sweeps_step_together():
    made = design({"a": ListSweep((1, 2, 3)), "b": ListSweep(("x", "y", "z"))})
    assert made.count == 3
    assert list(zip(column(made, "a"), column(made, "b"), strict=True)) == [
        (1, "x"),
        (2, "y"),
        (3, "z"),
    ]


def test_grids_meet_in_every_combination():
    made = design(
        {"a": GridSweep((1, 2)), "b": GridSweep((10, 20, 30)), "c": GridSweep((0.5, 0.6))}
    )
    triples = list(zip(*(column(made, key) for key in "abc"), strict=True))
    assert triples == list(itertools.product((1, 2), (10, 20, 30), (0.5, 0.6)))


def test_lists_grids_and_joint_designs_multiply():
    made = design(
        {"a": ListSweep((1, 2)), "b": GridSweep((3, 4, 5)), "c": LatinHypercube(0.0, 1.0)}, points=4
    )
    assert made.count == 2 * 3 * 4
    triples = set(zip(*(column(made, key) for key in "abc"), strict=True))
    joint = {triple[2] for triple in triples}
    assert triples == set(itertools.product((1, 2), (3, 4, 5), joint))
    assert len(joint) == 4


def test_the_order_of_keys_does_not_matter():
    sweeps = {
        "b": GridSweep((1, 2)),
        "a": GridSweep((3, 4)),
        "d": Sobol(0.0, 1.0),
        "c": Sobol(0.0, 1.0),
    }
    one, other = design(sweeps, 8), design(dict(reversed(sweeps.items())), 8)
    assert all(column(one, key) == column(other, key) for key in sweeps)


def test_grid_ranges_are_even_or_even_in_the_logarithm():
    assert GridSweep(low=0.0, high=1.0, count=5).values == (0.0, 0.25, 0.5, 0.75, 1.0)
    values = GridSweep(low=1e-3, high=10.0, count=5, spacing="log").values
    assert_close(np.log10(values), [-3.0, -2.0, -1.0, 0.0, 1.0], rtol=1e-15)
    assert (values[0], values[-1]) == (1e-3, 10.0)


def test_latin_hypercube_meets_every_slice_of_every_key_once():
    sweeps = {"a": LatinHypercube(2.0, 4.0), "b": LatinHypercube(0.01, 1.0, spacing="log")}
    made = design(sweeps, points=50)
    a = (np.array(column(made, "a")) - 2.0) / 2.0
    b = (np.log10(column(made, "b")) + 2.0) / 2.0
    for fractions in (a, b):
        assert sorted(np.floor(fractions * 50).astype(int)) == list(range(50))
    assert abs(np.corrcoef(a, b)[0, 1]) < 4.0 / np.sqrt(50)


def test_another_key_does_not_disturb_a_latin_hypercube():
    alone = design({"a": LatinHypercube(0.0, 1.0)}, points=16)
    beside = design({"0": LatinHypercube(0.0, 1.0), "a": LatinHypercube(0.0, 1.0)}, points=16)
    assert column(alone, "a") == column(beside, "a")
    assert column(beside, "0") != column(beside, "a")


def test_sobol_points_fill_every_elementary_interval():
    made = design({"a": Sobol(0.0, 1.0), "b": Sobol(0.0, 1.0)}, points=64)
    a, b = np.array(column(made, "a")), np.array(column(made, "b"))
    for fractions in (a, b):
        assert sorted(np.floor(fractions * 64).astype(int)) == list(range(64))
    boxes = set(zip(np.floor(a * 8).astype(int), np.floor(b * 8).astype(int), strict=True))
    assert len(boxes) == 64


def test_sobol_takes_any_number_of_points_without_a_warning():
    assert design({"a": Sobol(1.0, 2.0)}, points=50).count == 50


@pytest.mark.parametrize("kind", [LatinHypercube, Sobol])
def test_joint_designs_depend_on_the_seed_alone(kind):
    sweeps = {"a": kind(0.0, 1.0)}
    assert column(design(sweeps, 16), "a") == column(design(sweeps, 16), "a")
    assert column(design(sweeps, 16), "a") != column(design(sweeps, 16, seed=8), "a")


@pytest.mark.parametrize(
    ("make", "found"),
    [
        (lambda: GridSweep(), "no low"),
        (lambda: GridSweep(low=0.0, high=1.0), "no count"),
        (lambda: GridSweep(low=1.0, high=0.0, count=3), "low = 1, high = 0"),
        (lambda: GridSweep(low=0.0, high=1.0, count=1), "count = 1"),
        (lambda: GridSweep(low=0.0, high=1.0, count=3.0), "count = 3.0"),
        (lambda: GridSweep(low=0.0, high=1.0, count=10**7), "count = 10000000"),
        (lambda: GridSweep(low=0.0, high=1.0, count=3, spacing="log"), "low = 0"),
        (lambda: GridSweep(low=0.0, high=1.0, count=3, spacing="cubic"), "spacing = 'cubic'"),
        (lambda: GridSweep(values=(1, 2), count=3), "values and count"),
        (lambda: GridSweep(values=()), "values = ()"),
        (lambda: ListSweep(()), "values = ()"),
        (lambda: LatinHypercube(1.0, 0.0), "low = 1, high = 0"),
        (lambda: Sobol(0.0, 1.0, spacing="log"), "low = 0"),
        (
            lambda: design({"a": ListSweep((1,)), "b": ListSweep((1, 2))}),
            "a with 1 values, b with 2",
        ),
        (lambda: design({"a": Sobol(0.0, 1.0)}), "no key 'points' for a"),
        (lambda: design({"a": LatinHypercube(0.0, 1.0)}), "no key 'points' for a"),
        (lambda: design({"a": GridSweep((1, 2))}, points=4), "points = 4"),
        (
            lambda: design({"a": LatinHypercube(0.0, 1.0), "b": Sobol(0.0, 1.0)}, points=4),
            "a (latin_hypercube), b (sobol)",
        ),
    ],
)
def test_impossible_sweeps_are_refused(make, found):
    with pytest.raises(ConfigError) as caught:
        make()
    assert caught.value.found.startswith(found)
    assert caught.value.allowed
