"""The output interval changes nothing but what is stored: motion, metrics and events have the same bits."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
import pytest

from haptos.dynamics.march.snapshots import between, hermite, snapshot
from haptos.results.result import Result
from haptos.scenarios.files import default
from haptos.scenarios.merging import laid_over
from haptos.scenarios.net.config import Config
from haptos.scenarios.net.model import build
from haptos.scenarios.net.simulate import run, simulate
from haptos.scenarios.system_control import BodyState, Push
from tests.close import assert_close

INTERVALS = (0.1, 0.01, 0.0002)  # [s]
NEAR = {"target": {"distance_m": 0.75}, "tether": {"length_m": 1.0}}  # touched after 0.4 s
NETS: dict[str, dict[str, Any]] = {
    "touches": {**NEAR, "run": {"duration_s": 0.5}},
    "by error control": {
        **NEAR, "contact": {"slip_speed_m_per_s": 1e-2},
        "run": {"duration_s": 0.45, "scheme": "dormand-prince"},
    },
    "breaks": {"threads": {"breaks": True, "breaking_stress_Pa": 4e5}, "run": {"duration_s": 0.5}},
    "in an orbit": {
        "environment": {"kind": "orbit"}, "run": {"duration_s": 0.3, "scheme": "dormand-prince"},
    },
    "winds and burns": {
        **NEAR, "closing": {"kind": "running", "duration_s": 0.05, "stall_force_N": 5.0},
        "burns": [{"start_s": 0.111, "duration_s": 0.07, "force_N": [-3.0, 0.0, 1.0]}],
        "run": {"duration_s": 0.5},
    },
}  # fmt: skip


def net(changes: dict[str, Any], interval: float) -> Config:
    wanted = laid_over(changes, {"run": {"output_interval_s": interval}})
    return Config.model_validate(default("net-small", wanted).as_table())


def digests(result: Result) -> tuple[str, str, str]:
    """Of the last state, of the metrics, of events and of what broke."""
    end = result.trajectory.isel(time=-1)
    state = b"".join(np.ascontiguousarray(end[name].values).tobytes() for name in sorted(end.data_vars)
                     if not name.startswith(("f_", "t_", "winch_power")))  # fmt: skip
    events = [result.events["time"].values.tolist(), result.events["kind"].values.tolist()]
    events += [result.tables["broken"][name].values.tolist() for name in ("element", "time")]
    texts = (repr(result.metrics), repr(events), repr(result.ledger.step_remainder))
    return tuple(hashlib.sha256(part).hexdigest() for part in (state, *(t.encode() for t in texts)))  # type: ignore[return-value]


@pytest.mark.parametrize("name", NETS)
def test_bits_are_the_same_for_any_output_interval(name: str) -> None:
    runs = [simulate(net(NETS[name], interval)) for interval in INTERVALS]
    assert len({digests(result) for result in runs}) == 1
    assert {len(result.trajectory["time"]) for result in runs} != {1}
    assert runs[0].events.sizes["event"] > 0
    if name == "breaks":
        assert runs[0].metrics["broken_elements"] > 0


def test_the_digest_has_teeth() -> None:
    one, other = (
        net({"run": {"duration_s": 0.1, "longest_step_s": s}}, 0.05) for s in (2e-4, 1e-4)
    )
    assert digests(simulate(one)) != digests(simulate(other))


def test_bits_are_the_same_for_any_output_interval_under_a_controller() -> None:
    def hold(time: float, bodies: dict[str, BodyState]) -> dict[str, Push]:
        return {"chaser": Push(force=-20.0 * bodies["chaser"].velocity)}

    changes = {"run": {"duration_s": 0.3}}
    runs = [
        simulate(net(changes, interval), controller=hold, control_interval=0.03)
        for interval in (0.1, 0.007)
    ]
    assert len({digests(result) for result in runs}) == 1
    assert runs[0].metrics["steps"] > 0


def test_extremes_are_those_of_all_steps() -> None:
    """Stored at every step nothing is larger than what the kernel kept, and a coarse run keeps the same."""
    fine = simulate(net(NETS["touches"], 2e-4))
    tension = fine.trajectory["tension"].values
    largest = fine.tables["elements"]["largest_tension"].values
    assert (tension.max(axis=0) <= largest * (1.0 + 1e-12)).all()
    assert fine.metrics["largest_tension_N"] == largest.max()
    assert_close(tension.max(), largest.max(), rtol=0.2)
    assert np.abs(fine.ledger.remainder).max() <= fine.ledger.max_remainder


def test_times_are_even_and_states_lie_on_the_path() -> None:
    """Coarse states are those of a fine run at the same times."""
    coarse, fine = (simulate(net(NETS["touches"], interval)) for interval in (0.05, 0.0125))
    assert_close(coarse.trajectory["time"].values, np.linspace(0.0, 0.5, 11), rtol=1e-12)
    for name in ("r_point_N", "v_BN_N", "quat_NB", "momentum_N"):
        a, b = coarse.trajectory[name].values, fine.trajectory[name].values[::4]
        assert_close(a, b, rtol=1e-12)


def test_the_interpolant_follows_a_free_flight() -> None:
    """Nothing pulls on a chaser that turns: its pose within a step is that of a shorter march."""
    changes = {
        "chaser": {"rate_deg_per_s": [20.0, -35.0, 10.0], "velocity_m_per_s": [0.3, 0.0, 0.0]}
    }
    short = {"run": {"duration_s": 0.01, "longest_step_s": 0.01}}
    config = net(laid_over(changes, short), 0.01)
    model = build(config)
    a = snapshot(model)
    run(config, model, lambda share: None)
    b = snapshot(model)
    half = build(net(laid_over(changes, {"run": {"duration_s": 0.004}}), 0.004))
    run(net(laid_over(changes, {"run": {"duration_s": 0.004}}), 0.004), half, lambda share: None)
    found = between(model, a, b, 0.004)
    assert_close(found.attitude[0], snapshot(half).attitude[0], rtol=1e-6)
    assert_close(np.linalg.norm(found.attitude, axis=1), np.ones(len(found.attitude)), rtol=1e-12)


def test_the_cubic_has_its_values_and_rates() -> None:
    cubic = np.polynomial.Polynomial([1.0, -2.0, 0.5, 3.0])
    rate = cubic.deriv()
    ends = (np.array(cubic(t)) for t in (0.0, 0.2)), (np.array(rate(t)) for t in (0.0, 0.2))
    (first, last), (pace, end) = (tuple(pair) for pair in ends)
    for s in (0.0, 0.3, 1.0):
        assert_close(hermite(s, 0.2, first, last, pace, end), cubic(0.2 * s), rtol=1e-12)


def test_the_verdict_names_the_surface_where_the_lists_forget_a_contact() -> None:
    """The guard alone catches a kernel whose lists of near triangles stay empty."""
    from haptos.scenarios.system_checks import surface_checks

    config = net(laid_over(NETS["touches"], {"run": {"duration_s": 0.8}}), 0.1)
    model = build(config)
    run(config, model, lambda share: None)
    assert all(check.holds for check in surface_checks(model))
    model = build(config)
    model.motion.contacts.mesh.budget[:] = np.inf
    run(config, model, lambda share: None)
    failed = [check for check in surface_checks(model) if not check.holds]
    assert {check.name for check in failed} <= {"surface", "passed through"}
    assert failed
    assert "'target' at 0." in failed[0].sentence
