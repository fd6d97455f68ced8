"""Every mistake in a campaign file is reported with file, place, allowed and remedy, before any work."""

from __future__ import annotations

import pytest

from haptos.campaign.campaign import campaign
from haptos.core.errors import ConfigError
from tests.campaign.fake_scenario import STUDY, fake_batch, write_study

FRICTION = '{ distribution = "uniform", low = 0.2, high = 0.8 }'
GRID = '{ sweep = "grid", values = [0.002, 0.005, 0.01] }'


def refusal(tmp_path, text: str) -> ConfigError:
    out = tmp_path / "out"
    with pytest.raises(ConfigError) as caught:
        campaign(write_study(tmp_path, text), out=out, batch=fake_batch)
    assert not out.exists(), "refused, but left something behind"
    return caught.value


@pytest.mark.parametrize(
    ("old", "new", "where", "found"),
    [
        (FRICTION, '{ distribution = "uniform", low = 0.8, high = 0.2 }', "[contact] friction",
         "low = 0.8, high = 0.2"),
        (FRICTION, '{ distribution = "unifrom", low = 0.2, high = 0.8 }', "[contact] friction",
         "distribution = 'unifrom'"),
        (FRICTION, '{ distribution = 3, low = 0.2, high = 0.8 }', "[contact] friction",
         "distribution = 3"),
        (FRICTION, '{ distribution = "uniform", low = 0.2 }', "[contact] friction",
         "distribution = \"uniform\" without 'high'"),
        (FRICTION, '{ distribution = "uniform", low = 0.2, hi = 0.8 }', "[contact] friction",
         "unknown key 'hi'"),
        (FRICTION, '{ distribution = "uniform", low = 0.2, high = nan }', "[contact] friction",
         "high = nan"),
        (FRICTION, '{ distribution = "uniform", low = "0.2", high = 1.0 }', "[contact] friction",
         "low = '0.2'"),
        (FRICTION, '{ distribution = "choice", values = [0.1, 0.2], weights = [1] }',
         "[contact] friction", "weights = [1]"),
        (FRICTION, '{ distribution = "uniform", sweep = "grid" }', "[contact] friction",
         "distribution and sweep"),
        (FRICTION, '{ distribution = "normal", mean = 0.0, sigma = 0.01, low = 1.0, high = 0.5 }',
         "[contact] friction", "low = 1, high = 0.5"),
        (GRID, '{ sweep = "gird", values = [1.0] }', "[contact] rolling_resistance_m",
         "sweep = 'gird'"),
        (GRID, '{ sweep = "grid", values = [] }', "[contact] rolling_resistance_m", "values = []"),
        (GRID, '{ sweep = "sobol", low = 0.0, high = 1.0 }', "[campaign]", "no key 'points'"),
        (GRID, '{ sweep = "latin_hypercube", low = 0.0, high = 1.0 }', "[campaign]",
         "no key 'points'"),
        ("mean = 0.0, sigma = 0.01", "mean = 0.0, sigma = 0", "[release] velocity_m_per_s[1]",
         "sigma = 0"),
        ("runs = 12", "runs = 0", "[campaign]", "runs = 0"),
        ("runs = 12", "runs = -3", "[campaign]", "runs = -3"),
        ("runs = 12", "runs = 2.5", "[campaign]", "runs = 2.5"),
        ("runs = 12", "runs = true", "[campaign]", "runs = True"),
        ("runs = 12", "runs = 50_000_000\npoints = 3", "[campaign]", "points = 3"),
        ("runs = 12", "runs = 50_000_000", "[campaign]", "150000000 runs in all"),
        ("runs = 12", "rums = 12", "[campaign]", "unknown key 'rums'"),
        ("seed = 7", "seed = -1", "[campaign]", "seed = -1"),
        ("seed = 7", "seed = 7\ncommon_random_numbers = 1", "[campaign]",
         "common_random_numbers = 1"),
        ("shard_runs = 5", "shard_runs = 0", "[campaign]", "shard_runs = 0"),
        ("runs = 12", "runs = 1000000", "[campaign]", "shard_runs = 5, which makes 600000 files"),
        ("runs = 12", 'runs = { distribution = "uniform", low = 1, high = 5 }', "[campaign] runs",
         "a varying value"),
        ("[campaign]", "[campaing]", "study.toml", "no table [campaign]"),
        ('base = "lander"', 'base = "landre"', "study.toml", "base = 'landre'"),
        ('base = "lander"', 'base = "no-such.toml"', "no-such.toml", "no such file"),
        ('base = "lander"', "base = 3", "study.toml", "base = 3"),
        ('base = "lander"', 'base = "study.toml"', "study.toml", "base = 'study.toml', a campaign"),
        ('scenario = "lander"', 'scenario = { sweep = "grid", values = ["lander"] }', "study.toml",
         "scenario = {"),
        ('scenario = "lander"', 'scenario = "landre"', "study.toml", "scenario = 'landre' over"),
        ("friction =", "frictoin =", "[contact]", "unknown key 'frictoin'"),
        ("[contact]", "[contract]", "study.toml", "unknown key 'contract'"),
        ('base = "lander"', "", "study.toml", "no key"),
        ("schema = 1", 'schema = { sweep = "grid", values = [1] }', "study.toml", "a varying 'schema'"),
    ],
)  # fmt: skip
def test_mistakes_are_refused(tmp_path, old, new, where, found):
    assert old in STUDY
    error = refusal(tmp_path, STUDY.replace(old, new))
    assert where in error.where
    assert error.found.startswith(found)
    assert error.allowed
    assert error.hint


def test_list_sweeps_of_unequal_length_are_refused(tmp_path):
    text = STUDY.replace(GRID, '{ sweep = "list", values = [1.0, 2.0] }')
    text = text.replace(FRICTION, '{ sweep = "list", values = [0.1, 0.2, 0.3] }')
    error = refusal(tmp_path, text)
    assert error.found == (
        "contact.friction with 3 values, contact.rolling_resistance_m with 2 values"
    )


def test_a_misspelt_distribution_is_guessed(tmp_path):
    error = refusal(tmp_path, STUDY.replace('"uniform"', '"unifrom"'))
    assert error.hint == 'write distribution = "uniform"'


def test_a_campaign_that_is_no_table_is_refused(tmp_path):
    assert refusal(tmp_path, 'base = "lander"\ncampaign = 3\n').found == "campaign = 3"


def test_a_sampled_value_out_of_range_names_run_key_value_and_remedy(tmp_path):
    text = STUDY.replace(FRICTION, '{ distribution = "normal", mean = 0.5, sigma = 0.25 }')
    text = text.replace("runs = 12", "runs = 200")
    error = refusal(tmp_path, text)
    assert "study.toml run " in error.where
    assert error.found.startswith("contact.friction = -")
    assert error.allowed == "0 or more"
    assert error.hint == "contact.friction: truncate the normal with low = ... or high = ..."


def test_the_named_run_is_the_first_that_is_refused(tmp_path):
    from haptos.campaign.plan import load_plan

    text = STUDY.replace(FRICTION, '{ distribution = "normal", mean = 0.5, sigma = 0.25 }')
    text = text.replace("runs = 12", "runs = 200")
    plan = load_plan(write_study(tmp_path, text))
    first = next(r for r in range(plan.total) if plan.values(r)["contact.friction"] < 0.0)
    error = refusal(tmp_path, text)
    assert error.where.endswith(f"study.toml run {first}")
    assert error.found == f"contact.friction = {plan.values(first)['contact.friction']!r}"


@pytest.mark.parametrize(
    ("extra", "found", "hint"),
    [
        ('[probe]\ntessellation = { distribution = "uniform", low = 0.0, high = 3.0 }',
         "probe.tessellation = ", "give whole numbers"),
        ('[run]\nduration_s = { sweep = "grid", values = [10.0, -10.0] }',
         "run.duration_s = -10.0", "remove that value"),
        ('[run]\nduration_s = { distribution = "uniform", low = -5.0, high = -1.0 }',
         "run.duration_s = -", "narrow low and high"),
        ('[settle]\nhold_s = { distribution = "random_attitude" }',
         "settle.hold_s = [", "only keys that hold a quaternion"),
        ('[spin]\nkind = { sweep = "list", values = ["none", "wobbly"] }',
         "spin.kind = 'wobbly'", "remove that value"),
    ],
)  # fmt: skip
def test_values_the_scenario_refuses_are_traced_to_their_key(tmp_path, extra, found, hint):
    error = refusal(tmp_path, STUDY + extra)
    assert "study.toml run " in error.where
    assert error.found.startswith(found)
    assert hint in error.hint


def test_a_kind_that_does_not_fit_its_keys_is_traced(tmp_path):
    values = '{ sweep = "list", values = ["none", "uniform"] }'
    error = refusal(tmp_path, STUDY + f"[spin]\nkind = {values}\n")
    assert error.where.endswith("study.toml run 36")
    assert error.found == "no key 'period_h' with spin.kind = 'uniform'"


def test_a_rule_between_keys_names_all_that_vary_in_the_table(tmp_path):
    text = STUDY.replace("[release]", "static_friction = 0.3\n[release]")
    error = refusal(tmp_path, text)
    assert "contact.friction = " in error.found
    assert error.allowed == "static_friction >= friction"


@pytest.mark.parametrize("workers", [0, -1, 2.0, True, 10**6])
def test_an_impossible_number_of_workers_is_refused(tmp_path, workers):
    with pytest.raises(ConfigError, match="--workers"):
        campaign(write_study(tmp_path), out=tmp_path / "out", workers=workers, batch=fake_batch)


def test_a_missing_campaign_file_is_refused(tmp_path):
    with pytest.raises(ConfigError, match="no such file"):
        campaign(tmp_path / "none.toml", out=tmp_path / "out")


def test_a_study_of_no_scenario_is_refused(tmp_path):
    bare = "[campaign]\nruns = 3\n"
    assert refusal(tmp_path, bare).found == "neither base nor scenario"
    assert refusal(tmp_path, f'scenario = "landre"\n{bare}').found == "scenario = 'landre'"
    (tmp_path / "mine.toml").write_text('name = "no scenario"\n', encoding="utf-8")
    assert refusal(tmp_path, f'base = "mine.toml"\n{bare}').found == "no key 'scenario'"


def test_a_mesh_that_is_refused_is_named(tmp_path):
    text = 'base = "lander-bilobe"\nsurface = { shape = "mesh", file = "none.obj", unit = "m" }\n'
    error = refusal(tmp_path, f"{text}[campaign]\nruns = 3\n")
    assert (error.found, error.where.endswith("none.obj)")) == ("no such file", True)
