"""Every study that comes with the package: it can be read, a few runs of each end as they should, any shape file will do."""

from __future__ import annotations

from pathlib import Path

import pytest

from haptos.campaign.plan import load_plan
from haptos.cli.builtin import builtin_text, campaign_names, loaded_plan
from haptos.scenarios.lander.probe import probe_shape
from haptos.scenarios.lander.simulate import simulate_batch
from tests.close import assert_close
from tests.validation.shape_models import FOLDER

STUDIES = [
    name for name in campaign_names() if name.startswith(("itokawa-", "spinner-", "shapes-"))
]
PUBLISHED = {  # design points of the source, by study
    "itokawa-high-restitution": 4,
    "itokawa-low-rolling": 3,
    "itokawa-low-friction": 3,
    "itokawa-high-rocks": 6,
    "shapes-solids": 5,
    "shapes-contact-motion": 10,
}


def runs_of(name: str, path: Path | None = None) -> list[dict]:
    """One run of the first and of the last design point."""
    plan = loaded_plan(name) if path is None else load_plan(path)
    chosen = sorted({0, plan.total - 1})
    return simulate_batch(plan.configs(chosen), workers=2)


def test_there_is_a_study_for_every_scenario_of_the_source():
    assert len(STUDIES) >= 30
    for name, points in PUBLISHED.items():
        assert loaded_plan(name).points == points


@pytest.mark.parametrize("name", STUDIES)
def test_runs_of_a_study_reach_the_ground_and_an_end(name):
    for row in runs_of(name):
        assert row["first_touch_time_s"] > 300.0
        assert 0.01 < row["first_touch_speed_m_per_s"] < 1.0
        assert row["ended"] in {"settled", "time over", "steps over"}
        assert row["trusted"] or row["ended"] == "steps over"
        if not name.startswith("spinner"):
            assert row["ended"] == "settled"
        if name == "spinner-005":  # rolls for nine hours: its steps must last that long
            assert row["trusted"]


@pytest.mark.parametrize("name", [name for name in STUDIES if name.startswith("shapes-")])
def test_the_probes_of_the_shapes_have_one_mass_and_volume(name):
    plan = loaded_plan(name)
    for point in range(plan.points):
        probe = plan.config(point * plan.settings.runs).probe
        assert probe.mass_kg == 5.0
        assert_close(probe_shape(probe).volume, 0.01, rtol=2e-4)


@pytest.mark.parametrize(
    ("name", "file"), [("itokawa-high", "itokawa.obj"), ("spinner-090", "kw4-alpha.obj")]
)
def test_one_key_puts_a_study_on_a_shape_file(name, file, tmp_path):
    if not (FOLDER / file).is_file():
        pytest.skip(f"no {file} in ../shared/bodies beside the project")
    text = builtin_text(name)
    assert f'# surface = {{ shape = "mesh", file = "{file}"' in text
    mine = text.replace("# surface = ", "surface = ").replace(f'"{file}"', f'"{FOLDER / file}"')
    path = tmp_path / "mine.toml"
    path.write_text(mine, encoding="utf-8")
    plan = load_plan(path)
    assert plan.table["surface"]["shape"] == "mesh"
    assert plan.config(0).surface.file == str(FOLDER / file)
