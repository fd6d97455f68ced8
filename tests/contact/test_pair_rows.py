"""Rows of contact numbers: what they mean to the law that reads them."""

from __future__ import annotations

import math

import pytest

from haptos.contact.contact_flow import EMPIRICAL, FRICTION, NOMINAL, entry_factor
from haptos.contact.impact_damping import DAMPING_LAWS, empirical_factor, hysteresis_factor
from haptos.contact.pair_rows import empirical_loss, pair_row, restitution_loss


@pytest.mark.parametrize("damping", list(DAMPING_LAWS))
def test_a_row_reads_back_as_the_law_it_was_made_of(damping: str) -> None:
    numbers = {"damping": damping, "slip_speed": 1e-3}
    nominal = pair_row(1e5, 0.3, restitution_loss(0.6), **numbers)
    fitted = pair_row(1e5, 0.3, empirical_loss(0.1), **numbers)
    law = DAMPING_LAWS[damping]
    assert entry_factor(nominal, 2.0) == hysteresis_factor(law, 0.6, 2.0)
    assert entry_factor(fitted, 2.0) == empirical_factor(law, 0.1, 2.0)
    assert nominal[FRICTION] == 0.3
    assert not math.isclose(entry_factor(nominal, 2.0), entry_factor(nominal, 1.0))


def test_the_two_kinds_of_loss_differ() -> None:
    assert restitution_loss(0.5)[0] == NOMINAL
    assert empirical_loss(0.5)[0] == EMPIRICAL
