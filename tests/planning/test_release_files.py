"""Campaign files of releases: every run is one release, bit for bit."""

from __future__ import annotations

import pytest

from haptos.campaign.plan import load_plan
from haptos.core.errors import ConfigError
from haptos.planning.release_files import joined, write_release_campaign
from haptos.planning.release_sequence import (
    ReleaseErrors,
    ReleaseSequence,
    releases,
    standard_draws,
)

PLAN = ReleaseSequence(
    position_m=(300.0, 0.0, 20.0),
    spin_rad_per_s=(0.0, 0.0, 1.4e-4),
    mu_m3_per_s2=2.341,
    errors=ReleaseErrors(position_m=(15.0, 15.0, 3.0), attitude_deg=3.0),
)


def test_each_run_of_the_file_is_one_release(tmp_path):
    draws = standard_draws(3, 5)
    found = joined([releases(PLAN.over_longitude(x), draws) for x in (0.0, 90.0)])
    plan = load_plan(write_release_campaign(tmp_path / "sweep.toml", "lander-ellipsoid", found))
    assert plan.total == 6
    for run, table in enumerate(found.tables()):
        release = plan.config(run).release
        assert list(release.position_m) == table["position_m"]
        assert list(release.velocity_m_per_s) == table["velocity_m_per_s"]
        assert release.frame == "rotating"


def test_no_releases_are_refused():
    with pytest.raises(ConfigError, match="at least one"):
        joined([])


def test_a_file_without_a_release_is_not_written(tmp_path):
    with pytest.raises(ConfigError, match="no releases"):
        write_release_campaign(
            tmp_path / "none.toml", "lander", releases(PLAN, standard_draws(0, 1))
        )
    assert not list(tmp_path.iterdir())
