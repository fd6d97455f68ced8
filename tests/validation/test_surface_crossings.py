"""Random runs over thin bodies, meshes and terrain: none crosses a surface unseen."""

from __future__ import annotations

import numpy as np
import pytest

from haptos.dynamics.touching.batch import batch_of
from haptos.dynamics.touching.batch_march import march
from haptos.scenarios.lander.surface_check import surface_check
from tests.validation.surface_crossings import crossed, grounds, models_over, surveyed


@pytest.fixture(scope="module")
def all_grounds(tmp_path_factory):
    return {ground.name: ground for ground in grounds(tmp_path_factory.mktemp("slabs"))}


NAMES = (
    "slab 1.0", "slab 0.15", "ellipsoid (2.0, 1.8, 1.0)", "ellipsoid (10.0, 9.0, 5.0)",
    "ellipsoid (6.0, 6.0, 0.2)", "bilobe", "noise", "rocks", "rocky ball",
)  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_none_crosses_unseen(all_grounds, name):
    found = surveyed(all_grounds[name], 30, 4, seed=101)
    assert found.unseen == 0
    assert found.not_trusted <= 2  # a rock between the corners of a rod, seen by the guard
    assert found.impacts > 30


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_none_of_many_crosses_unseen(all_grounds, name):
    found = surveyed(all_grounds[name], 2000, 20, seed=7)
    assert found.unseen == 0
    assert found.not_trusted <= 60


def test_the_reference_sees_a_blind_search(all_grounds):
    """With a search that looks at the ends of steps only, the exact distances show paths through the slab."""
    ground = all_grounds["slab 1.0"]
    through = 0
    for model in models_over(ground, 40, np.random.default_rng(5)):
        model.parameters["accuracy"]["least_stride"] = 1e9
        beyond = crossed(ground, model)
        batch = batch_of([model])
        march(batch, workers=1)
        if beyond > 0.1:
            through += 1
            assert not surface_check(batch.memory[0], model.parameters).holds
    assert through >= 5
