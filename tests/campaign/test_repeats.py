"""`run.repeats`: streams of their own, runs that repeat and runs that do not, refusals."""

from __future__ import annotations

import numpy as np
import pytest

import haptos as hp
from haptos.campaign.campaign import campaign
from haptos.campaign.repeats import STREAM
from haptos.core.errors import ConfigError
from haptos.core.random_streams import stream
from haptos.scenarios.files import parse, parse_toml, preset_text
from haptos.scenarios.lander.model import build
from haptos.scenarios.lander.repeats import DISTURBANCE, disturbed, refined
from haptos.scenarios.merging import laid_over
from haptos.scenarios.net.model import build as build_net
from haptos.scenarios.net.repeats import disturbed as disturbed_net
from haptos.scenarios.net.repeats import refined as refined_net
from tests.campaign.fake_scenario import STUDY, fake_batch, write_study
from tests.lander_cases import lander


def net(**changes):
    return parse(laid_over(parse_toml(preset_text("net-small"), "net-small"), changes), "test")


def test_a_lander_is_repeated_and_tells_its_scatter():
    alone = hp.simulate(lander())
    reported: list[float] = []
    result = hp.simulate(lander(run={"repeats": 2}), progress=reported.append)
    assert result.repeats is not None
    assert result.repeats.disturbed == 2
    assert len(result.repeats.outcomes) == 3
    assert result.metrics == alone.metrics  # the run itself is the same
    assert reported == sorted(reported)
    assert 0.75 < reported[-1] <= 1.0  # of four runs the last; one that rests early ends early
    # The first touch is not chaotic: it moves by about the disturbance, and by no more.
    first = result.metrics["first_touch_time_s"]
    assert 0.0 < result.scatter["first_touch_time_s"] < 100.0 * DISTURBANCE * first
    assert "further runs ended as this one" in result.summary()


def test_the_same_seed_repeats_the_same_and_another_does_not():
    first, again, other = (
        hp.simulate(lander(seed=seed, run={"repeats": 1})).repeats for seed in (1, 1, 2)
    )
    assert repr(first) == repr(again)
    assert first.metrics["rest_x_m"] != other.metrics["rest_x_m"]


def test_a_disturbance_is_a_billionth_of_the_speed_and_reaches_what_is_at_rest():
    rest = {"velocity_m_per_s": [0.0, 0.0, 0.0], "rate_rad_per_s": [0.0, 0.0, 0.0]}
    model = build(lander(release=rest))
    changed = disturbed(model, stream(1, 0, STREAM))
    speed = np.sqrt(2.0 * model.scale / float(model.parameters["body"]["mass"]))
    change = np.linalg.norm((changed.state - model.state)[3:6])
    assert 0.1 * DISTURBANCE * speed < change < 10.0 * DISTURBANCE * speed
    assert not np.array_equal(changed.state[10:13], model.state[10:13])
    assert np.array_equal(changed.state[:3], model.state[:3])


def test_a_net_is_disturbed_in_its_shots_and_velocities():
    config = net()
    model, same = build_net(config), build_net(config)
    changed = disturbed_net(config, model, stream(1, 0, STREAM))
    loads, before = (one.system.orders.loads["force"] for one in (changed, same))
    assert not np.array_equal(loads, before)
    assert np.abs(loads - before).max() < 10.0 * DISTURBANCE * np.abs(before).max()
    assert 0.0 < np.abs(changed.motion.bodies.speed - same.motion.bodies.speed).max() < 1e-7


def test_a_finer_run_has_half_the_step_or_tolerances():
    assert refined(lander()).run.relative_tolerance == 0.5 * lander().run.relative_tolerance
    least = lander(run={"relative_tolerance": 1e-13})
    assert refined(least).run.relative_tolerance == 1e-13
    assert refined_net(net()).run.step_share == 0.5 * net().run.step_share
    exact = net(run={"scheme": "dormand-prince"})
    assert refined_net(exact).run.position_tolerance_m == 0.5 * exact.run.position_tolerance_m
    assert refined_net(exact).run.step_share == exact.run.step_share


def test_campaigns_and_batches_refuse_repeats(tmp_path):
    study = write_study(tmp_path, STUDY + "[run]\nrepeats = 3\n")
    with pytest.raises(ConfigError, match="repeats"):
        campaign(study, out=tmp_path / "out", batch=fake_batch)
    swept = '[run]\nrepeats = { sweep = "grid", values = [0, 1] }\n'
    with pytest.raises(ConfigError, match="repeats"):
        campaign(write_study(tmp_path, STUDY + swept), out=tmp_path / "out", batch=fake_batch)
    with pytest.raises(ConfigError, match="repeats"):
        hp.simulate_batch([lander(run={"repeats": 1})])


def test_a_controller_is_not_repeated():
    with pytest.raises(ConfigError, match="controller"):
        hp.simulate(net(run={"repeats": 1}), controller=lambda time, bodies: None)
