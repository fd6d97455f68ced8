"""Energies over time: stores first, then works, with or without those that do nothing."""

from __future__ import annotations

from haptos.results.over_time import energy_plot
from tests.results.hop import hop


def test_energies_and_works_are_lines_over_time():
    ledger = hop().ledger
    labels = [line.label for line in energy_plot(ledger).lines]
    assert labels == ["kinetic", "potential", "elastic", "damping", "friction", "rolling"]


def test_works_that_do_nothing_can_be_left_out():
    labels = [line.label for line in energy_plot(hop().ledger, hides_idle=True).lines]
    assert "damping" in labels
    assert "rolling" not in labels
    assert "elastic" in labels  # a store, though it is zero
