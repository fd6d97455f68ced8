"""No probe passes through the ground; and a guard of its own sees it if one does."""

from __future__ import annotations

import numpy as np
import pytest

from haptos.core.outcome import Outcome
from haptos.dynamics.touching.batch import BodyBatch, batch_of
from haptos.dynamics.touching.batch_march import march, march_recorded
from haptos.dynamics.touching.vertex_guard import LYING_DEPTHS
from haptos.results.row import distrust
from haptos.scenarios.lander.model import Model, build, build_many
from haptos.scenarios.lander.simulate import simulate, simulate_batch
from haptos.scenarios.lander.surface_check import surface_check
from tests.hard_cases import CUBE, hard
from tests.lander_cases import lander
from tests.thin_worlds import corners, cube_over, ellipsoids, slab, tables_of

TABLE = np.array([10.0, 10.0, 1.0])  # [m] half sizes
BLIND = {"least_stride": 1e9}  # [m] of a search that only looks at the end of a step


@pytest.fixture(scope="module")
def over_tables(tmp_path_factory):
    return build_many(tables_of(tmp_path_factory.mktemp("table") / "table.obj"))


@pytest.fixture(scope="module")
def over_ellipsoids():
    return build_many(ellipsoids())


def by_world(models: list[Model]) -> list[list[Model]]:
    worlds: dict[int, list[Model]] = {}
    for model in models:
        worlds.setdefault(id(model.land), []).append(model)
    return list(worlds.values())


def marched(
    models: list[Model], **parameters: dict[str, float]
) -> list[tuple[Model, BodyBatch, int]]:
    """Every run to its outcome, with parameters exchanged by record: (model, batch, place in it)."""
    found = []
    for members in by_world(models):
        batch = batch_of(members)
        for record, values in parameters.items():
            for name, value in values.items():
                batch.parameters[record][name] = value
        march(batch, workers=1)
        found += [(model, batch, n) for n, model in enumerate(members)]
    return found


def box_distance(points: np.ndarray) -> np.ndarray:
    """Exact signed distance [m] from the table; (..., 3) -> (...)."""
    q = np.abs(points) - TABLE
    outside = np.linalg.norm(np.maximum(q, 0.0), axis=-1)
    return np.asarray(outside + np.minimum(q.max(axis=-1), 0.0))


def ellipsoid_side(points: np.ndarray, axes: np.ndarray) -> np.ndarray:
    """|x/e| - 1: negative inside an ellipsoid; (..., 3) -> (...)."""
    return np.asarray(np.linalg.norm(points / axes, axis=-1) - 1.0)


def outline(model: Model) -> np.ndarray:
    """Places of all vertices at every step of a run, shape (steps, vertices, 3)."""
    model.parameters["run"]["output_interval"] = 0.0
    _, rows, _ = march_recorded(model)
    return corners(model.vertices, rows[:, 1:4], rows[:, 7:11])


def test_no_cube_falls_through_a_table(over_tables):
    for model, batch, n in marched(over_tables):
        check = surface_check(batch.memory[n], model.parameters)
        assert check.holds, check.sentence
        assert batch.state[n, 2] > 1.0  # none has left the table, all are above it
    for model in over_tables[::5]:
        assert box_distance(outline(model)).min() > -5e-3  # lying depth of the springs: 0.01 radii


def test_no_cube_falls_through_an_ellipsoid(over_ellipsoids):
    for model, batch, n in marched(over_ellipsoids):
        check = surface_check(batch.memory[n], model.parameters)
        assert check.holds, check.sentence
    for model in over_ellipsoids[::3]:
        axes = np.array([model.world.surface.a, model.world.surface.b, model.world.surface.c])
        assert ellipsoid_side(outline(model), axes).min() > -5e-3 / axes.min()


@pytest.mark.parametrize("world", ["over_tables", "over_ellipsoids"])
def test_the_guard_alone_sees_a_search_that_misses_the_ground(world, request):
    """With a search that looks at the ends of steps only, most probes fall through: none is trusted."""
    through = 0
    for model, batch, n in marched(request.getfixturevalue(world), accuracy=BLIND):
        memory, half = batch.memory[n], 1.0 if world == "over_tables" else model.world.surface.c
        if batch.state[n, 2] > 0.5 * half or (
            memory["impacts"]["count"] == 0 and memory["guard"]["share"] == 0.0
        ):
            continue
        beside = np.hypot(*batch.state[n, :2]) > model.world.radius
        if beside:  # rolled off an ellipsoid
            continue
        through += 1
        check = surface_check(memory, model.parameters)
        assert not check.holds
        assert f"{memory['guard']['time']:.6g} s after release" in check.sentence
        ended = Outcome.from_code(memory["outcome"])
        assert distrust(ended, True, (check,)) == "surface"
    assert through >= 8


def test_single_runs_and_rows_say_the_same(over_ellipsoids):
    config = ellipsoids()[-1]
    result = simulate(config)
    (row,) = simulate_batch([config], workers=1)
    assert result.trusted
    assert row["trusted"]
    (check,) = [check for check in result.checks if check.name == "surface"]
    assert check.name == "surface"
    assert 0.0 <= check.value <= check.bound


# ---- what is allowed ----------------------------------------------------------------------------


def worst(config):
    (check,) = [check for check in simulate(config).checks if check.name == "surface"]
    return check


def test_springs_are_allowed_their_depth_limit():
    check = worst(lander())
    assert check.bound == 0.5 * build(lander()).parameters["body"]["radius"]
    assert 0.0 < check.value < check.bound


def test_bouncing_bodies_are_allowed_a_few_tolerances_and_lying_ones_a_few_depths():
    ball = worst(hard())
    assert 0.0 <= ball.value <= ball.bound < 1e-7
    tilted = {"attitude_yaw_pitch_roll_deg": [10.0, 20.0, 30.0]}
    cube = worst(hard(probe=CUBE, release=tilted))
    lying = LYING_DEPTHS * 0.01 * 0.1 * 3.0**0.5
    assert 0.0 < cube.value <= cube.bound
    assert cube.bound == pytest.approx(lying)


def test_a_centre_below_ground_is_never_allowed(over_ellipsoids):
    """Whatever the depth limit of the vertices."""
    for model, batch, n in marched(over_ellipsoids[-4:], accuracy=BLIND):
        memory = batch.memory[n]
        if batch.state[n, 2] < -20.0:
            assert memory["guard"]["limit"] == 0.0
            assert surface_check(memory, model.parameters).subject.startswith("The centre of mass")


def test_a_run_without_guard_moves_by_the_same_bits(over_ellipsoids):
    with_guard, without = (marched(over_ellipsoids[:6], guard={"is_on": flag}) for flag in (1, 0))
    for (_, one, n), (_, other, _) in zip(with_guard, without, strict=True):
        np.testing.assert_array_equal(one.state[n], other.state[n])


def test_release_beside_a_thin_slab_is_told_apart_from_passing_it(tmp_path):
    """A probe that falls past the edge of a slab is on its other side, and trusted: it went around."""
    file = slab(tmp_path / "slab.obj", (1.0, 1.0, 0.2))
    surface = {"shape": "mesh", "file": file, "unit": "m", "grid_spacing_m": 0.1}
    config = cube_over(surface, 0.01, 60.0, 1.0, np.random.default_rng(1))
    aside = config.model_copy(
        update={"release": config.release.model_copy(update={"position_m": (2.0, 0.0, 1.0)})}
    )
    result = simulate(aside)
    assert result.trusted
    assert float(result.trajectory["r_BA_A"].values[-1, 2]) < -1.0


# ---- dips ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("share", [0.06, 0.1, 0.2])
def test_the_guard_sees_a_corner_that_dips_into_a_narrow_ridge(share):
    """A cube flies past with a corner down, and the search looks at the ends of steps only.

    No dip deeper than 0.05 radii is missed, though the ground has a radius of 0.05 m there.
    """
    top, radius, half = 0.8, 0.1 * 3.0**0.5, 0.5 * np.arccos(1.0 / 3.0**0.5)
    corner_down = [np.cos(half), *(np.sin(half) * np.array([1.0, -1.0, 0.0]) / 2.0**0.5)]
    runs = [
        build(
            hard(
                probe=CUBE,
                surface={"shape": "ellipsoid", "semi_axes_m": [0.2, top, top]},
                gravity={"model": "uniform", "acceleration_m_per_s2": [0.0, 0.0, -1e-12]},
                release={
                    "position_m": [-3.0 - 0.02 * n, 0.0, top + (1.0 - share) * radius],
                    "velocity_m_per_s": [0.1, 0.0, 0.0],
                    "attitude_quaternion": corner_down,
                },
                run={"duration_s": 60.0},
            )
        )
        for n in range(12)
    ]
    for _, batch, n in marched(runs, accuracy=BLIND):
        seen = batch.memory[n]["guard"]["depth"]
        assert (share - 0.05) * radius <= seen <= 1.0001 * share * radius
