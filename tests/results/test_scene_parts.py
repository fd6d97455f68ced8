"""Pieces of scenes: rows to draw, boxes, slopes, trails, marks, numbers at nodes."""

from __future__ import annotations

import numpy as np
import pytest

from haptos.core.errors import HaptosError
from haptos.geometry.mesh.mass_properties import mass_properties
from haptos.results.scene_parts import (
    at_nodes,
    box,
    check_complete,
    dots,
    drawn_rows,
    largest_at_points,
    marks,
    rows_at,
    sloping_square,
    trails,
    triple,
)
from tests.close import assert_close


def test_drawn_rows_keep_both_ends_and_are_no_more_than_asked():
    assert drawn_rows(5, 100).tolist() == [0, 1, 2, 3, 4]
    rows = drawn_rows(10_001, 400)
    assert (rows[0], rows[-1], len(rows)) == (0, 10_000, 400)
    assert np.ptp(np.diff(rows)) <= 1


def test_a_box_is_closed_and_looks_outward():
    made = box("hull", (2.0, 3.0, 4.0), "B", "body", (1.0, 0.0, -1.0))
    volume = mass_properties(np.asarray(made.vertices), np.asarray(made.faces)).volume
    assert_close(volume, 24.0, rtol=1e-14)  # below 0 if its faces look inward
    assert np.asarray(made.vertices).min(axis=0).tolist() == [0.0, -1.5, -3.0]
    assert (made.frame, made.colour, made.is_flat) == ("B", "body", True)


def test_a_sloping_square_falls_along_x_by_its_angle():
    corners = np.asarray(sloping_square("ground", 2.0, 30.0).vertices)
    low, high = corners[np.argmax(corners[:, 0])], corners[np.argmin(corners[:, 0])]
    assert_close((high[2] - low[2]) / (low[0] - high[0]), np.tan(np.radians(30.0)), rtol=1e-12)
    assert_close(np.ptp(corners[:, 1]), 4.0, rtol=1e-15)


def test_marks_are_times_with_names():
    found = marks(np.array([0.5, 2.0]), np.array(["touch", "rest"]))
    assert [(mark.time, mark.label) for mark in found] == [(0.5, "touch"), (2.0, "rest")]


def test_numbers_of_pieces_at_their_nodes():
    between = np.array([[2.0, 4.0, 8.0]])
    assert at_nodes(between).tolist() == [[2.0, 3.0, 6.0, 8.0]]
    ends = np.array([[0, 1], [1, 2], [1, 3]])
    assert largest_at_points(between, ends, 5).tolist() == [[2.0, 8.0, 4.0, 8.0, 0.0]]


def test_trails_are_not_joined_to_each_other():
    times = [np.linspace(0.0, 1.0, 50), np.linspace(0.0, 2.0, 3)]
    ways = [(time, np.outer(time, [1.0, 2.0, 3.0])) for time in times]
    lines = trails("ways", ways, 10, values=[5.0, 6.0], meaning=("speed", "m/s"))
    assert lines.segments is not None
    segments = np.asarray(lines.segments)
    assert len(np.asarray(lines.positions)) == 13
    assert len(segments) == 9 + 2
    assert not any(first < 10 <= second for first, second in segments)
    assert np.asarray(lines.maps[0].values).tolist() == [5.0] * 10 + [6.0] * 3
    assert np.asarray(lines.times)[[9, 12]].tolist() == [1.0, 2.0]


def test_a_triple_is_plain_numbers():
    assert triple(np.array([1, 2, 3])) == (1.0, 2.0, 3.0)


def test_dots_go_each_along_its_own_way_and_stay_at_its_end():
    ways = [
        (np.array([0.0, 2.0]), np.array([[0.0, 0.0, 0.0], [2.0, 0.0, 4.0]])),
        (np.array([0.0, 1.0]), np.array([[5.0, 5.0, 5.0], [6.0, 5.0, 5.0]])),
    ]
    found = dots("runs", ways, np.array([0.0, 1.0, 2.0]), frame="A")
    places = np.asarray(found.positions)
    assert places.shape == (3, 2, 3)
    assert places[1].tolist() == [[1.0, 0.0, 2.0], [6.0, 5.0, 5.0]]
    assert places[2, 1].tolist() == [6.0, 5.0, 5.0]


def test_rows_at_times_are_those_that_come_next_or_the_last():
    stored = np.array([0.0, 1.0, 2.0])
    assert rows_at(stored, np.array([0.0, 0.5, 1.0, 9.0])).tolist() == [0, 1, 1, 2]


def test_a_stored_result_that_lacks_what_is_drawn_is_refused():
    check_complete("trajectory", ("a", "b"), {"a": 1, "b": 2})
    with pytest.raises(HaptosError, match="no b, c"):
        check_complete("trajectory", ("a", "b", "c"), {"a": 1})
    with pytest.raises(HaptosError, match="tables of this version"):
        check_complete("tables", ("map",), {}, "tables of this version")
