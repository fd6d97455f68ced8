"""What reports say beyond statistics: indices and fits where the campaign allows them, maps of the body."""

from __future__ import annotations

import numpy as np
import pytest

from haptos.campaign.campaign import campaign
from haptos.campaign.findings import findings
from haptos.campaign.plan import load_plan
from haptos.scenarios.files import default
from haptos.scenarios.worlds.ground_maps import ground_maps
from tests.campaign.fake_scenario import write_study
from tests.close import assert_close

HEAD = """
base = "lander"
[campaign]
runs = {runs}
seed = 7
{more}
"""
SWEPT = (
    HEAD.format(runs=20, more="common_random_numbers = true")
    + """
[probe]
shape = {{ sweep = "grid", values = ["cube", "octahedron"] }}
[contact]
law = "impulsive"
restitution = {{ sweep = "grid", values = [0.2, 0.4, 0.6, 0.8] }}
friction = 0.5
""".replace("{{", "{").replace("}}", "}")
)


def by_restitution(configs, *, workers, should_stop=None):
    """t_f = 1000 + 500/(1-e) for the cube, twice that for others."""
    rows = []
    for config in configs:
        time = 1000.0 + 500.0 / (1.0 - config.contact.restitution)
        time *= 1.0 if config.probe.shape == "cube" else 2.0
        rows.append(
            {"outcome": "settled", "ended": "settled", "trusted": True, "settle_time_s": time}
        )
    return rows


def test_a_sweep_of_restitution_is_fitted_for_every_shape(tmp_path):
    text = SWEPT.replace('base = "lander"', 'base = "lander-bilobe"')
    done = campaign(write_study(tmp_path, text), out=tmp_path / "out", batch=by_restitution)
    (found,) = findings(done.plan, done.runs)
    assert list(found.table.index) == ["cube", "octahedron"]
    for curve, factor in zip(found.curves, (1.0, 2.0), strict=True):
        assert_close(curve.fit_y, factor * (1000.0 + 500.0 / (1.0 - curve.fit_x)), rtol=1e-9)
    assert found.table.loc["cube", "a1 [s]"].startswith("500 ")
    assert any("settle_time_s against" in part.title for part in done.report().findings)


def test_values_that_change_with_others_are_not_fitted(tmp_path):
    text = SWEPT.replace('base = "lander"', 'base = "lander-bilobe"').replace(
        "runs = 20", "runs = 1\npoints = 8"
    )
    text = text.replace('"grid", values = [0.2, 0.4, 0.6, 0.8]', '"sobol", low = 0.2, high = 0.8')
    text = text.replace('{ sweep = "grid", values = ["cube", "octahedron"] }', '"cube"')
    done = campaign(write_study(tmp_path, text), out=tmp_path / "out", batch=by_restitution)
    assert done.runs["contact.restitution"].nunique() == 8
    assert findings(done.plan, done.runs) == ()


def test_keys_drawn_at_random_get_first_order_indices(tmp_path):
    text = HEAD.format(runs=300, more="") + (
        "[contact]\n"
        'friction = { distribution = "uniform", low = 0.2, high = 0.8 }\n'
        'rolling_resistance_m = { distribution = "uniform", low = 0.001, high = 0.01 }\n'
    )

    def by_friction(configs, *, workers, should_stop=None):
        return [
            {"outcome": "settled", "ended": "settled", "trusted": True,
             "settle_time_s": 1000.0 * config.contact.friction}
            for config in configs
        ]  # fmt: skip

    done = campaign(write_study(tmp_path, text), out=tmp_path / "out", batch=by_friction)
    (found,) = findings(done.plan, done.runs)
    assert found.table.loc["contact.friction", "first"] > 0.9
    assert found.table.loc["contact.rolling_resistance_m", "first"] < 0.2


def test_nothing_is_found_where_nothing_varies_that_counts(tmp_path):
    text = HEAD.format(runs=1, more="")
    plan = load_plan(write_study(tmp_path, text))
    import pandas as pd

    assert findings(plan, pd.DataFrame({"trusted": [True], "settle_time_s": [1.0]})) == ()
    assert findings(plan, pd.DataFrame({"trusted": [True]})) == ()


def test_ground_maps_of_the_demo_body_are_those_of_its_gravity():
    table = default("lander-bilobe").as_table()
    found = ground_maps(table)
    assert found is not None
    slope = found.maps["slope_deg"]
    assert slope.shape == (len(found.faces),)
    assert 3.0 < np.median(slope) < 25.0
    still = ground_maps({**table, "spin": {"kind": "none"}})
    assert np.abs(still.maps["geopotential_m2_per_s2"] - found.maps["geopotential_m2_per_s2"]).max() > 1e-4  # fmt: skip


@pytest.mark.parametrize(
    "changes",
    [
        {"surface": {"shape": "plane"}},
        {"gravity": {"model": "point", "mu_m3_per_s2": 2.3}},
        {"surface": {"shape": "body", "body": {"sweep": "grid", "values": ["bilobe", "top"]}}},
        {"surface": {"shape": "mesh", "file": "/nowhere.obj", "unit": "m"}},
    ],
)
def test_no_maps_without_one_body_and_its_gravity(changes):
    assert ground_maps({**default("lander-bilobe").as_table(), **changes}) is None


def test_of_several_metrics_those_are_decided_that_differ(tmp_path):
    """Drift and thrust of a retrieval move the swing; the depth of the harpoon is the same in all runs."""
    file = tmp_path / "swing.toml"
    file.write_text(
        'base = "harpoon"\n[campaign]\nruns = 1\nseed = 1\npoints = 8\n[retrieval]\nlongest_s = 50.0\n'
        'drift_m_per_s = { sweep = "saltelli", low = 0.01, high = 0.1 }\n'
        'thrust_N = { sweep = "saltelli", low = 10.0, high = 30.0 }\n',
        encoding="utf-8",
    )
    done = campaign(str(file), out=str(tmp_path / "out"))
    found = findings(done.plan, done.runs)
    assert [one.metric for one in found] == ["angle_beyond_50_m_deg"]
    assert found[0].table["total"].idxmax() == "retrieval.drift_m_per_s"
