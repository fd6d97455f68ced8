"""The lander's own figure shows contact where there is some, in the look of the house."""

from __future__ import annotations

import haptos
from haptos.reports import scenario_figures
from haptos.view.style import svg
from tests.lander_cases import lander


def test_contact_figure_has_a_labelled_panel_for_load_slip_and_depth():
    drawn = scenario_figures(haptos.simulate(lander(run={"duration_s": 30.0})))["Contact"]
    labels = ["normal load [N]", "slip speed [m/s]", "largest depth [m]"]
    assert [axes.get_ylabel() for axes in drawn.axes] == labels
    assert drawn.axes[-1].get_xlabel() == "time [s]"
    assert "currentColor" in svg(drawn, "contact")  # follows a light or a dark page


def test_a_flight_without_contact_has_no_contact_figure():
    drawn = scenario_figures(haptos.simulate(lander(run={"duration_s": 2.0})))
    assert set(drawn) == {"Path", "Motion"}
