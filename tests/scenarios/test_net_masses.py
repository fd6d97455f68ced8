"""Built mass is simulated mass, whatever is tied to what; momentum is what came from outside."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import haptos as hp
from haptos.dynamics.totals import simulated_mass
from haptos.geometry.nets.bullet_spheres import bullet_moments
from haptos.results.balances import MASS_BOUND
from haptos.results.result import Result
from haptos.scenarios.net.config import Config
from haptos.scenarios.net.masses import built_mass
from haptos.scenarios.net.model import Model, build
from tests.close import assert_close

SET_UPS: dict[str, dict[str, Any]] = {
    "as it comes": {},
    "closing, running": {"closing": {"kind": "running"}},
    "closing, interlaced": {"closing": {"kind": "interlaced"}},
    "closing, straight": {"closing": {"kind": "free"}},
    "closing, straight with nodes": {"closing": {"kind": "free", "nodes": 3}},
    "links to bullets": {"bullets": {"link_length_m": 0.1}},
    "links to bullets, one lost": {"bullets": {"link_length_m": 0.1, "lost": [0]}},
    "bullets lost": {"bullets": {"lost": [1, 2]}},
    "heavy knots": {"net": {"knot_ratio": 2.0, "bullet_knot_ratio": 5.0, "tether_knot_ratio": 3.0}},
    "tied to the chaser": {"tether": {"length_m": 0.0}},
    "chaser held": {"chaser": {"holds_place": True}},
    "tied to a chaser that is held": {"tether": {"length_m": 0.0}, "chaser": {"holds_place": True}},
    "target held": {"target": {"holds_place": True}},
    "nodes within links": {"net": {"nodes_per_link": 2}},
    "a body and a tether of the user": {
        "bodies": [{"name": "buoy", "mass_kg": 2.0, "size_m": [0.1, 0.1, 0.1], "position_m": [0.0, 2.0, 0.0]}],
        "tethers": [{"body": "buoy", "corner": 0, "length_m": 4.0, "nodes": 2}],
    },
}  # fmt: skip


def set_up(name: str, **more: Any) -> Config:
    found: Config = hp.default("net-small", {**SET_UPS[name], **more})  # type: ignore[assignment]
    return found


def masses(config: Config) -> tuple[float, float, Model]:
    """(built, simulated [kg], model)."""
    model = build(config)
    built = built_mass(config, model.mesh, model.nodes, model.bullet_masses)
    return built, simulated_mass(model), model


@pytest.mark.parametrize("name", SET_UPS)
def test_what_is_built_is_what_moves(name: str) -> None:
    built, simulated, _ = masses(set_up(name))
    assert abs(simulated - built) <= MASS_BOUND * built


def test_a_knot_that_is_left_out_would_be_seen() -> None:
    built, simulated, model = masses(set_up("as it comes"))
    knot = float(model.nodes.masses[model.nodes.bullet_knots[0]])
    assert knot > 1e3 * MASS_BOUND * built
    assert abs(simulated - knot - built) > MASS_BOUND * built


def test_a_bullet_and_its_knot_are_one_body_with_its_own_centre() -> None:
    _, _, model = masses(set_up("as it comes"))
    bare, knot = model.bullet_masses[0], model.nodes.masses[model.nodes.bullet_knots[0]]
    body = int(model.bullets[0])
    assert_close(1.0 / model.motion.bodies.inverse_mass[body], bare + knot, rtol=1e-14)
    fixed = np.flatnonzero(model.system.points.owner == body)
    tied = model.system.points.offset[fixed, 2].min()
    shift = -0.015 * knot / (bare + knot)  # the knot is at the foot of a bullet of 30 mm
    assert_close(tied, -0.015 - shift, rtol=1e-12)
    moments = np.array(bullet_moments(float(bare), 0.01, 0.03))
    across = bare * shift**2 + knot * (0.015 + shift) ** 2
    assert_close(
        1.0 / model.system.inverse_inertia[body],
        moments + np.array([across, across, 0.0]),
        rtol=1e-12,
    )
    bullet_alone = build(set_up("links to bullets", bullets={"link_length_m": 0.1}))
    assert bullet_alone.thrown_masses[0] < bare + knot


def test_heavy_knots_at_the_bullets_change_the_motion() -> None:
    def speed(ratio: float) -> float:
        changes = {"net": {"bullet_knot_ratio": ratio}, "run": {"duration_s": 0.3}}
        bullets = {"mass_kg": 1e-3, "ratio": None, "largest_ratio": 0.99}
        table = hp.default("net-small", changes).as_table()
        table["bullets"] = {
            k: v for k, v in {**table["bullets"], **bullets}.items() if v is not None
        }
        found = hp.simulate(Config.model_validate(table))
        assert [check.name for check in found.checks if not check.holds] == []
        return float(found.trajectory["v_BN_N"].values[-1, 2, 0])

    assert abs(speed(20.0) / speed(1.0) - 1.0) > 0.05  # heavy corners are slowed less by the net


@pytest.fixture(scope="module")
def closed() -> Result:
    closing = {"kind": "running", "duration_s": 0.3, "carries_mass": True}
    reel = {"reel_to_m": 1.5, "reel_duration_s": 1.0, "reel_carries_mass": True}
    return hp.simulate(hp.default("net-small", {"closing": closing, "tether": reel}))


def test_thread_that_winches_take_up_stays_accounted_for(closed: Result) -> None:
    mass = next(check for check in closed.checks if check.name == "mass")
    assert mass.holds
    assert closed.ledger.works["reeled mass"][-1] < 0.0  # and mass was moved


def test_momentum_is_kept_and_a_burn_explains_its_own() -> None:
    burn = {"start_s": 0.1, "duration_s": 0.1, "force_N": [-3.0, 0.0, 1.0], "end_force_N": [-5.0, 0.0, 0.0]}  # fmt: skip
    run = {"duration_s": 0.3}
    for changes in ({"run": run}, {"burns": [burn], "run": run}):
        found = hp.simulate(hp.default("net-small", changes))
        held = {check.name: check.holds for check in found.checks}
        assert held["mass"]
        assert held["momentum"]


@pytest.mark.parametrize(
    "changes",
    [
        {"chaser": {"holds_place": True}},
        {"burns": [{"start_s": 0.0, "duration_s": 0.05, "force_N": [1.0, 0.0, 0.0], "axes": "chaser"}]},
        {"environment": {"kind": "ground"}, "chaser": {"holds_place": True}},
    ],
)  # fmt: skip
def test_momentum_is_not_judged_where_outside_forces_are_not_known(changes: dict[str, Any]) -> None:
    found = hp.simulate(hp.default("net-small", {**changes, "run": {"duration_s": 0.1}}))
    names = [check.name for check in found.checks]
    assert "mass" in names
    assert "momentum" not in names


def test_recoil_is_that_of_the_shots_whatever_pulls_later() -> None:
    burn = {"start_s": 0.2, "duration_s": 0.2, "force_N": [-50.0, 0.0, 0.0]}
    run = {"duration_s": 0.5}
    bare = hp.simulate(hp.default("net-small", {"run": run}))
    towed = hp.simulate(hp.default("net-small", {"run": run, "burns": [burn]}))
    assert towed.metrics["recoil_m_per_s"] == bare.metrics["recoil_m_per_s"]
    model = build(hp.default("net-small", {}))  # type: ignore[arg-type]
    momentum = 2.0 * np.cos(np.pi / 6.0) * model.thrown_masses.sum()
    expected = momentum * model.motion.bodies.inverse_mass[0]
    assert_close(bare.metrics["recoil_m_per_s"], expected, rtol=1e-9)


@pytest.mark.parametrize("angle", [2.0, 7.0, 12.0])
def test_nets_that_never_open_have_a_result(angle: float) -> None:
    found = hp.simulate(hp.default("net-small", {"shot": {"angle_deg": angle}}))
    assert found.metrics["capture_distance_m"] == 0.0  # widest in its canister
    assert np.isnan(found.metrics["tolerance"])
    assert found.metrics["best_quality_percent"] >= found.metrics["quality_at_touch_percent"]


def test_the_best_quality_is_not_below_that_at_the_touch() -> None:
    for interval in (0.02, 0.13, 0.4):
        found = hp.simulate(hp.default("net-small", {"run": {"output_interval_s": interval}}))
        at_touch = found.metrics["quality_at_touch_percent"]
        assert found.metrics["best_quality_percent"] >= at_touch
