"""Rows of docs/validation/tethers.md that take seconds: stops, reel-in, spun lines, heat, snatch against closed forms."""

from __future__ import annotations

import pytest

from haptos.dynamics.cable.hitchhike import hitchhike
from haptos.dynamics.cable.tether_state import STORED
from tests.close import assert_close
from tests.validation import tether_rows
from tests.validation.tethers import EA, MU, OTHERS, ROWS, stop


@pytest.mark.parametrize(
    "name", ["t4", pytest.param("t6", marks=pytest.mark.slow), "t7", "t11", "t16"]
)
def test_rows_hold(name):
    rows = list(ROWS[name]())
    assert rows
    assert all(row.holds for row in rows), "\n".join(str(row) for row in rows if not row.holds)


@pytest.mark.parametrize("name", OTHERS)
def test_rows_of_lines_at_rest_hold(name):
    rows = list(getattr(tether_rows, name)())
    assert rows
    assert all(row.holds for row in rows), "\n".join(str(row) for row in rows if not row.holds)


def test_gravity_one_percent_off_is_seen_in_the_tension_of_a_spun_line():
    assert tether_rows.spun_with_gravity_error(20, 1.01) > 1e-4


def test_a_stop_in_one_dimension_is_the_hitchhike_equation():
    closed = hitchhike(2000.0, 1400.0, 24776.0, MU, EA)
    run = stop(20, EA, 1400.0, 24776.0, 100.0)
    out = run.system.line.total - float(run.state[STORED]) - 100.0
    assert_close((out, run.time), (closed.length, closed.time), rtol=1e-6)
    assert_close(-run.works()["shaft_0"], closed.brake_energy, rtol=1e-6)


def test_a_line_one_percent_heavier_is_seen():
    closed = hitchhike(2000.0, 1400.0, 24776.0, 1.01 * MU, EA)
    run = stop(20, EA, 1400.0, 24776.0, 100.0)
    out = run.system.line.total - float(run.state[STORED]) - 100.0
    with pytest.raises(AssertionError):
        assert_close(out, closed.length, rtol=1e-3)
