"""The scheme of a net scenario: chosen in [run], refused where it does not fit."""

from __future__ import annotations

import numpy as np
import pytest
from pydantic import ValidationError

from haptos.core.errors import ConfigError
from haptos.scenarios.net.simulate import check, simulate, sources
from tests.scenarios.test_net import changed

DORMAND = {"scheme": "dormand-prince"}


def test_edges_winches_and_contacts_within_the_net_pass():
    check(
        changed(
            run=DORMAND,
            contact={
                "edges": True,
                "self": True,
                "bullets_net": True,
                "bullets": True,
                "chaser": True,
            },
            closing={"kind": "running", "duration_s": 1.0},
        )
    )


def test_a_delayed_shot_is_refused():
    with pytest.raises(ConfigError, match="held past time zero"):
        check(changed(run=DORMAND, contact={"edges": False}, shot={"delay_s": 0.2}))


def test_winches_that_stall_are_refused():
    with pytest.raises(ConfigError, match="stall"):
        check(changed(run=DORMAND, closing={"duration_s": 1.0, "stall_force_N": 5.0}))


def test_an_unknown_scheme_is_refused():
    with pytest.raises(ValidationError, match="verlet"):
        changed(run={"scheme": "euler"})


def test_a_fitting_net_passes_and_cites_the_pair():
    config = changed(run=DORMAND, contact={"edges": False})
    check(config)
    assert "DormandPrince1980" in sources(config)
    assert "DormandPrince1980" not in sources(changed())


@pytest.mark.slow
def test_both_schemes_shoot_and_open_a_small_net_alike():
    shared = {
        "net": {"strings": 5, "rings": 5, "width_m": 1.0, "height_m": 1.0},
        "shot": {"speed_m_per_s": 2.0},
        "contact": {"edges": False},
    }
    run = {"duration_s": 0.6, "output_interval_s": 0.05}
    ours = simulate(changed(**shared, run={**run, "step_share": 0.1}))
    other = simulate(changed(**shared, run={**run, **DORMAND}))
    bullets = [n for n, name in enumerate(ours.trajectory["body"].values) if "bullet" in str(name)]
    places = [result.trajectory["r_BN_N"].values[:, bullets] for result in (ours, other)]
    assert np.abs(places[0] - places[1]).max() < 5e-3  # of 1.2 m; nodes themselves are chaotic
    assert other.ledger.max_remainder < 1e-3 * other.ledger.scale


def test_a_march_is_cut_in_parts_that_add_up_to_the_steps_allowed():
    import numpy as np

    from haptos.dynamics.net_layout import CLOCK_SIZE, STEPS
    from haptos.scenarios.net.schemes import PART, in_parts

    class Moving:
        clock = np.zeros(CLOCK_SIZE)

    asked: list[float] = []

    def go(until: float, steps: float) -> bool:
        asked.append(steps)
        Moving.clock[STEPS] = steps
        return steps >= until

    assert in_parts(go, Moving, 1e9)(2.5 * PART)
    assert asked == [PART, 2 * PART, 3 * PART]
    assert not in_parts(go, Moving, 3.5 * PART)(9 * PART)
    assert asked[-1] == 3.5 * PART
