"""A net whose threads bend: shot, flight, touch, and the ledger of a whole run."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pytest

from haptos.core.errors import HaptosError
from haptos.dynamics.cable.beam_arrays import SWIVEL
from haptos.results.result import Result
from haptos.scenarios.files import default, parse_checked, parse_toml, preset_text
from haptos.scenarios.merging import laid_over
from haptos.scenarios.net.model import Model, build
from haptos.scenarios.net.simulate import simulate
from tests.close import assert_close

STIFF = {"model": "beam", "bending_stiffness_N_m2": 5e-6, "torsion_stiffness_N_m2": 1e-5}
LIMP = {"model": "beam", "bending_stiffness_N_m2": 1e-13, "torsion_stiffness_N_m2": 1e-13}


def built(threads: dict[str, Any], **tables: dict[str, Any]) -> Model:
    return build(default("net-small", {"threads": threads, **tables}))  # type: ignore[arg-type]


@functools.cache
def flown(bending: float, until: float = 1.6) -> Result:
    """The small net with an EJ [N m^2]; 0 for links."""
    threads = {**STIFF, "bending_stiffness_N_m2": bending, "torsion_stiffness_N_m2": bending}
    return simulate(  # type: ignore[arg-type]
        default("net-small", {"threads": threads if bending > 0.0 else {}, "run": {"duration_s": until}})
    )  # fmt: skip


def test_a_net_of_beams_is_shot_strikes_and_its_books_close() -> None:
    result = flown(5e-6)
    assert result.trusted
    assert result.metrics["first_touch_s"] > 0.2
    assert result.ledger.relative_remainder < 5e-3
    assert result.metrics["bending_energy_J"] > 0.1 * result.metrics["twist_energy_J"] > 0.0


def test_ledger_has_stores_of_bending_and_twist() -> None:
    stores = flown(5e-6).ledger.stores
    assert set(stores) == {"kinetic", "threads", "contacts", "bending", "twist"}
    assert stores["bending"][0] > stores["bending"][-1] > 0.0
    assert float(stores["threads"].min()) > -1e-12
    assert set(flown(0.0, 0.3).ledger.stores) == {"kinetic", "threads", "contacts"}


def test_momenta_of_a_run_are_kept() -> None:
    trajectory = flown(5e-6).trajectory
    for name in ("momentum_N", "angular_momentum_N"):
        assert np.ptp(trajectory[name].values, axis=0).max() < 1e-10


def test_without_stiffness_the_net_opens_as_one_of_links() -> None:
    limp, links = flown(1e-13, 0.3), flown(0.0, 0.3)
    for name, bound in (("r_BN_N", 1e-4), ("r_point_N", 1e-3)):
        gap = limp.trajectory[name].values - links.trajectory[name].values
        assert np.abs(gap).max() < bound
    assert limp.metrics["bending_energy_J"] < 1e-9


def test_books_of_a_crumpled_net_close_as_its_threads_straighten() -> None:
    """Nodes within links and folding at random: elements bent by more than half a turn."""
    changes = {
        "threads": {**STIFF, "bending_stiffness_N_m2": 1.34e-6},
        "net": {"nodes_per_link": 2}, "shot": {"random_share": 1.0}, "run": {"duration_s": 0.1},
    }  # fmt: skip
    result = simulate(default("net-small", changes))  # type: ignore[arg-type]
    assert result.ledger.relative_remainder < 1e-4


def test_stiffness_changes_the_opening() -> None:
    stiff, links = flown(5e-6), flown(0.0)
    assert abs(stiff.metrics["best_quality_percent"] - links.metrics["best_quality_percent"]) > 0.1


def test_a_folded_net_starts_with_little_torque_on_its_nodes() -> None:
    model = built(STIFF)
    beams, turning = model.system.beams, model.motion.turning
    from haptos.dynamics.cable.beams import beam_forces

    beam_forces(model.system, model.motion, np.zeros_like(model.motion.points.x), 1.0)
    most = 12.0 * 5e-6 / 0.25  # [N m] of a chord across its ends
    assert np.abs(turning.torque[: len(turning.momentum)]).max() < 1e-2 * most
    assert len(beams.element) == 44
    assert_close(np.linalg.norm(turning.attitude, axis=1), np.ones(len(turning.attitude)), rtol=1e-12)  # fmt: skip


def test_bodies_and_tethers_hang_on_swivels() -> None:
    model = built(STIFF)
    nodes, holder = len(model.motion.turning.momentum), model.system.beams.holder
    owner = model.system.points.owner
    for c, e in enumerate(model.system.beams.element):
        for side in (0, 1):
            point = model.system.threads.ends[e, side]
            if owner[point] >= 0:
                assert holder[c, side] == SWIVEL
    assert (holder < nodes).all()
    tether = holder[40:]
    assert tether[0, 0] == SWIVEL
    assert tether[-1, 1] == SWIVEL
    assert (tether[1:, 0] == tether[:-1, 1]).all()


def test_nodes_start_with_the_rate_of_the_chaser() -> None:
    model = built(STIFF, chaser={"rate_deg_per_s": [0.0, 0.0, 10.0]})
    from haptos.dynamics.cable.beams import renew_rates

    renew_rates(model.system, model.motion)
    rates = model.motion.turning.rate[: len(model.motion.turning.momentum)]
    assert_close(rates, np.tile([0.0, 0.0, np.radians(10.0)], (len(rates), 1)), rtol=1e-9)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"threads": {"model": "beam"}}, "technora braid"),
        ({"threads": STIFF, "tether": {"reel_to_m": 1.0}}, "reel"),
        ({"threads": STIFF, "run": {"scheme": "dormand-prince"}}, "threads that bend"),
        ({"threads": {"model": "rod"}}, "'link' or 'beam'"),
        ({"threads": {**STIFF, "bending_stiffness_N_m2": -1.0}}, "above 0"),
    ],
)
def test_what_beams_cannot_be_is_refused(changes: dict[str, Any], words: str) -> None:
    table = laid_over(parse_toml(preset_text("net-small"), "net-small"), changes)
    with pytest.raises(HaptosError) as caught:
        parse_checked(table, "mine.toml")
    error = caught.value
    assert all((error.found, error.allowed, error.hint))
    assert words in f"{error.found} {error.allowed} {error.hint}"
