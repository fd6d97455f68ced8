"""Places of contact leave out events that tell the centre of mass."""

from __future__ import annotations

import numpy as np
import xarray

from haptos.results.contacts import contact_points
from tests.close import assert_close
from tests.results.hop import REST, SPEED, TOUCH, hop


def test_contacts_are_the_points_of_the_events():
    expected = [[SPEED * TOUCH, 0.0, 0.0], [SPEED * REST, 0.0, 0.0]]
    assert_close(contact_points(hop()), expected, rtol=1e-14)


def test_events_of_the_whole_probe_and_unknown_places_are_no_contacts():
    result = hop()
    changed = result.events.copy(deep=True)
    changed["vertex"].values[1] = -1
    assert len(contact_points(with_events(result, changed))) == 1
    changed["point_A"].values[0, 1] = np.nan
    assert contact_points(with_events(result, changed)).shape == (0, 3)


def test_a_run_without_events_has_no_contacts():
    assert contact_points(with_events(hop(), xarray.Dataset())).shape == (0, 3)


def with_events(result, events):
    from dataclasses import replace

    return replace(result, events=events)
