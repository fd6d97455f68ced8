"""The lander's own figure shows contact where there is some."""

from __future__ import annotations

import haptos
from haptos.scenarios.lander.figures import PANELS, figures
from tests.lander_cases import lander


def test_contact_figure_has_a_labelled_panel_for_load_slip_and_depth():
    drawn = figures(haptos.simulate(lander(run={"duration_s": 30.0})))["Contact"]
    assert [axes.get_ylabel() for axes in drawn.axes] == [label for _, label in PANELS]
    assert drawn.axes[-1].get_xlabel() == "time [s]"
    assert all(axes.lines[0].get_xdata().size > 100 for axes in drawn.axes)


def test_a_flight_without_contact_has_no_contact_figure():
    assert figures(haptos.simulate(lander(run={"duration_s": 2.0}))) == {}
