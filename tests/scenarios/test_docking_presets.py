"""Every built-in file of docking ends as its name says, trusted, with numbers that agree with each other."""

from __future__ import annotations

import math

import numpy as np
import pytest

import haptos
from haptos.scenarios.docking.metrics import MARGINS
from haptos.scenarios.files import default, preset_names

ENDS = {
    "docking": "docked", "docking-hold": "docked", "docking-heavy": "docked", "docking-narrow-shoulder": "docked",
    "docking-rigid": "docked", "docking-missed": "missed", "docking-sensor-lost": "sensor lost",
    "docking-control-lost": "control lost", "docking-timed-out": "timed out", "docking-released": "released",
    "docking-wedged": "wedged", "docking-over-force": "over-force", "docking-rebounded": "rebounded",
}  # fmt: skip
DEEPEST = 5e-4  # [m] of a docking


def test_every_built_in_file_has_its_end_here():
    assert set(ENDS) == {name for name in preset_names() if name.startswith("docking")}


@pytest.mark.slow
@pytest.mark.parametrize("name", ENDS)
def test_a_built_in_file_ends_as_it_is_called(name: str):
    found = haptos.simulate(default(name))
    assert found.ended.label == ENDS[name], found.verdict
    assert found.trusted, found.verdict
    m = found.metrics
    assert m["least_margin"] == min(m[margin] for margin in MARGINS)
    assert (m["least_margin"] < 0.0) == (ENDS[name] == "over-force")
    if ENDS[name] == "docked":
        assert m["largest_depth_m"] < DEEPEST
        assert abs(m["final_tension_N"] / 200.0 - 1.0) < 0.02
        assert f"{m['docked_s']:.3g} s" in found.answer
        assert np.isfinite(m["lock_s"]) != (name == "docking-rigid")
        assert "–" not in found.answer
    else:
        assert math.isnan(m["docked_s"])
        assert ENDS[name] in found.answer
