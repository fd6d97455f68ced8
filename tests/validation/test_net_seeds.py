"""Captures and tows of several seeds are different runs: their nets lie otherwise and their bullets fly otherwise."""

from __future__ import annotations

import numpy as np
import pytest

import haptos as hp
from haptos.scenarios.net.bullet_orders import bullet_angles, bullet_speeds
from haptos.scenarios.net.model import build
from tests.validation.net_chain import tow_changes
from tests.validation.net_trials import CAPTURES, FAILURES, REFERENCE, capture_changes

SET_UPS = {
    "tow": lambda seed: tow_changes(400.0, seed),
    **{
        failure: (
            lambda seed, failure=failure: {
                **capture_changes(REFERENCE["Planar8"], failure, "free"),
                "seed": seed,
            }
        )
        for failure in FAILURES
    },
}


@pytest.mark.parametrize("set_up", SET_UPS)
def test_seeds_of_captures_and_tows_draw_their_folding_and_bullets(set_up):
    configs = [hp.default("net", SET_UPS[set_up](seed)) for seed in CAPTURES]
    for drawn in (bullet_speeds, bullet_angles):
        found = np.array([drawn(config) for config in configs])
        assert len(np.unique(found, axis=0)) == len(CAPTURES)
    nodes = [build(config).motion.points.x for config in configs[:2]]
    assert np.abs(nodes[0] - nodes[1]).max() > 1e-3
