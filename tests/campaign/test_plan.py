"""Plans: what each run gets, and what that depends on."""

from __future__ import annotations

import copy

import pytest

from haptos.campaign.plan import load_plan
from haptos.core.random_streams import stream
from haptos.scenarios.files import default, parse
from haptos.scenarios.merging import laid_over
from tests.campaign.fake_scenario import STUDY, write_study


@pytest.fixture
def plan(tmp_path):
    return load_plan(write_study(tmp_path))


def plan_of(tmp_path, text, name="other.toml"):
    return load_plan(write_study(tmp_path, text, name))


def test_the_plan_counts_points_runs_and_shards(plan):
    assert (plan.points, plan.total, plan.shard_count) == (3, 36, 8)
    assert [len(plan.shard(i)) for i in range(8)] == [5] * 7 + [1]
    assert [run for i in range(8) for run in plan.shard(i)] == list(range(36))
    assert [plan.point(run) for run in (0, 11, 12, 35)] == [0, 0, 1, 2]


def test_columns_name_keys_and_elements(plan):
    assert list(plan.varied_values(0)) == list(plan.columns) == [
        "contact.friction",
        "contact.rolling_resistance_m",
        *(f"release.attitude_quaternion[{i}]" for i in range(4)),
        "release.velocity_m_per_s[1]",
    ]  # fmt: skip
    assert set(plan.columns.values()) == {"double"}


def test_what_varies_is_told_in_words(plan):
    assert plan.varied[0] == {
        "key": "contact.friction",
        "kind": "uniform",
        "description": "uniform in 0.2 to 0.8",
    }
    assert [entry["kind"] for entry in plan.varied] == [
        "uniform",
        "grid",
        "random_attitude",
        "normal",
    ]


def test_a_run_is_the_base_with_its_own_values(plan):
    table, values = plan.config_table(17), plan.varied_values(17)
    assert table["contact"]["friction"] == values["contact.friction"]
    assert table["contact"]["rolling_resistance_m"] == 0.005
    assert table["release"]["velocity_m_per_s"] == [
        0.05,
        values["release.velocity_m_per_s[1]"],
        0.0,
    ]
    assert table["release"]["position_m"] == [0.0, 0.0, 0.6]
    assert table["contact"]["stiffness_N_per_m"] == 50.0
    assert plan.config(17) == parse(table, "x")
    assert plan.configs(range(10, 20))[7] == plan.config(17)


def test_tables_given_out_are_not_shared(plan):
    table, before = plan.config_table(3), copy.deepcopy(plan.config_table(4))
    table["contact"]["friction"] = 9.0
    table["release"]["position_m"][0] = 9.0
    assert plan.config_table(4) == before


def test_draws_are_those_of_the_stream_of_seed_key_and_run(plan):
    for run in (0, 5, 35):
        expected = 0.2 + (0.8 - 0.2) * stream(7, run, name="contact.friction").random()
        assert plan.varied_values(run)["contact.friction"] == expected


def test_many_values_in_a_row_equal_values_one_by_one(plan):
    runs = [3, 35, 0, 1, 34]
    assert list(plan.values_of(runs)) == [plan.values(run) for run in runs]


def test_the_order_of_keys_and_other_keys_do_not_matter(plan, tmp_path):
    head, contact = STUDY.split("[contact]")
    contact, release = contact.split("[release]")
    swapped = plan_of(tmp_path, f"{head}[release]{release}[contact]{contact}")
    assert [swapped.values(run) for run in range(36)] == [plan.values(run) for run in range(36)]
    assert swapped.fingerprint == plan.fingerprint
    more = 'rate_rad_per_s = [0.0, 0.0, { distribution = "normal", mean = 0, sigma = 1 }]\n'
    wider = plan_of(tmp_path, STUDY + more)
    assert wider.values(9)["contact.friction"] == plan.values(9)["contact.friction"]
    assert wider.fingerprint != plan.fingerprint


def test_common_random_numbers_repeat_the_draws_at_every_point(plan, tmp_path):
    common = plan_of(tmp_path, STUDY.replace("seed = 7", "seed = 7\ncommon_random_numbers = true"))
    friction = [common.values(run)["contact.friction"] for run in range(36)]
    assert friction[:12] == friction[12:24] == friction[24:]
    assert len(set(friction)) == 12
    assert len({plan.values(run)["contact.friction"] for run in range(36)}) == 36


def test_the_fingerprint_sees_every_change_and_no_comment(plan, tmp_path):
    def mark(old, new):
        return plan_of(tmp_path, STUDY.replace(old, new)).fingerprint

    assert mark("seed = 7", "seed = 7 # lucky") == plan.fingerprint
    changes = [("seed = 7", "seed = 8"), ("high = 0.8", "high = 0.81"), ("runs = 12", "runs = 13")]
    changes += [("shard_runs = 5", "shard_runs = 6"), ("[0.05,", "[0.06,")]
    marks = {mark(*change) for change in changes}
    assert len(marks | {plan.fingerprint}) == 6


def test_the_fingerprint_sees_the_contents_of_data_files(tmp_path):
    probe = '[probe]\nshape = "mesh"\nmass_kg = 1.0\nunit = "m"\nfile = "a.obj"\n'
    (tmp_path / "a.obj").write_text("one")
    first = plan_of(tmp_path, STUDY + probe)
    assert first.table["probe"]["file"] == str(tmp_path / "a.obj")
    assert "density_kg_per_m3" not in first.table["probe"]
    (tmp_path / "a.obj").write_text("two")
    assert plan_of(tmp_path, STUDY + probe).fingerprint != first.fingerprint


def test_a_study_that_is_moved_with_its_data_is_the_same_study(tmp_path):
    probe = '\n[probe]\nshape = "mesh"\nfile = "probe.obj"\nunit = "m"\nmass_kg = 5.0\n'
    marks = set()
    for name in ("here", "there"):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "probe.obj").write_text("v 0 0 0\n", encoding="utf-8")
        marks.add(plan_of(folder, STUDY + probe).fingerprint)
    assert len(marks) == 1


def test_a_varying_file_is_found_beside_the_campaign(tmp_path):
    values = '{ sweep = "list", values = ["a.obj", "b.obj"] }'
    probe = f'[probe]\nshape = "mesh"\nmass_kg = 1.0\nunit = "m"\nfile = {values}\n'
    plan = plan_of(tmp_path, STUDY + probe)
    assert plan.values(plan.total - 1)["probe.file"] == str(tmp_path / "b.obj")
    assert plan.columns["probe.file"] == "string"


def test_no_variation_at_all_repeats_the_scenario(tmp_path):
    plan = plan_of(tmp_path, 'base = "lander"\n[campaign]\nruns = 3\n')
    assert plan.total == 3
    assert plan.config(2) == default("lander")
    assert plan.varied == []


def test_another_law_of_contact_brings_its_own_table():
    hard = {"law": "impulsive", "restitution": 0.5, "friction": 0.4}
    assert default("lander", {"contact": hard}).contact.law == "impulsive"
    soft = default("lander", {"contact": {"law": "compliant", "friction": 0.4}}).contact
    assert (soft.friction, soft.stiffness_N_per_m) == (0.4, 50.0)  # the same law: laid over
    kept = default("lander-bilobe", {"contact": {"law": "impulsive", "friction": 0.4}}).contact
    assert kept.restitution == default("lander-bilobe").contact.restitution


def test_a_file_can_be_based_on_another_file(tmp_path):
    text = write_study(tmp_path, 'scenario = "lander"\nname = "mine"\n', "mine.toml")
    assert text.exists()
    plan = plan_of(tmp_path, 'base = "mine.toml"\n[campaign]\n')
    assert plan.table == {"scenario": "lander", "name": "mine"}


def test_whole_numbers_and_texts_keep_their_types(tmp_path):
    extra = """
[probe]
tessellation = { sweep = "grid", values = [0, 1] }
[spin]
kind = { distribution = "choice", values = ["none"] }
[settle]
hold_s = { sweep = "list", values = [1, 2.5] }
"""
    plan = plan_of(tmp_path, STUDY + extra)
    assert plan.columns["probe.tessellation"] == "int64"
    assert plan.columns["spin.kind"] == "string"
    assert plan.columns["settle.hold_s"] == "double"
    assert type(plan.values(0)["probe.tessellation"]) is int
    plan.config(plan.total - 1)


def test_runs_outside_the_campaign_do_not_exist(plan):
    with pytest.raises(IndexError):
        plan.values(36)
    with pytest.raises(IndexError):
        plan.config_table(-1)


def test_another_tag_replaces_the_table_and_an_alternative_key_its_partner():
    old = {
        "scenario": "lander",
        "gravity": {"model": "uniform", "g": 1},
        "contact": {"restitution": 0.5, "k": 1},
    }
    new = {"gravity": {"model": "point", "mu": 2}, "contact": {"damping_N_s_per_m": 3}}
    before = copy.deepcopy(old)
    assert laid_over(old, new) == {
        "scenario": "lander",
        "gravity": {"model": "point", "mu": 2},
        "contact": {"k": 1, "damping_N_s_per_m": 3},
    }
    assert old == before


def test_a_table_gives_way_to_a_variation_and_the_other_way_round():
    varying = {"distribution": "random_attitude"}
    assert laid_over({"a": {"b": 1}}, {"a": varying}) == {"a": varying}
    assert laid_over({"a": varying}, {"a": {"b": 1}}) == {"a": {"b": 1}}
