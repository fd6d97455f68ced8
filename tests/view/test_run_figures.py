"""Figures of a run show what the run holds."""

from __future__ import annotations

import dataclasses
import functools
import io
from dataclasses import replace

import matplotlib
import numpy as np
import pytest
from matplotlib import pyplot
from matplotlib.figure import Figure

from haptos.core.outcome import Outcome
from haptos.geometry.mesh.procedural_bodies import procedural_body
from haptos.results.phases import Phase
from haptos.results.result import Result
from haptos.view.ground_mesh import coarse, whole_body
from haptos.view.path_figure import ground_patch
from haptos.view.run_figures import contact_phases
from haptos.view.style import DASHES, svg
from tests.close import assert_close
from tests.geometry.closed_meshes import brute_distance
from tests.results.hop import hop
from tests.view.figures import run_figures


@functools.cache
def drawn() -> dict[str, Figure]:
    return run_figures(hop())


def labels(figure: Figure) -> list[str]:
    return [text for axes in figure.axes for text in (axes.get_xlabel(), axes.get_ylabel()) if text]


def without(result: Result, *names: str) -> Result:
    return dataclasses.replace(result, trajectory=result.trajectory.drop_vars(list(names)))


def test_a_lander_run_has_path_motion_and_energy() -> None:
    assert list(drawn()) == ["Path", "Motion", "Energy"]


def test_axes_are_labelled_with_unit_and_frame() -> None:
    assert drawn()["Path"].axes[0].get_xlabel() == "x [m], A axes"
    assert labels(drawn()["Motion"]) == ["speed [m/s]", "time [s]", "angular rate [rad/s]"]
    assert labels(drawn()["Energy"])[-2:] == ["time [s]", "remainder [J]"]


def test_a_result_without_position_or_spin_shows_what_is_left() -> None:
    assert list(run_figures(without(hop(), "r_BA_A", "v_BA_A", "omega_BA_B"))) == ["Energy"]
    only_speed = run_figures(without(hop(), "omega_BA_B", "contact_count"))
    assert labels(only_speed["Motion"]) == ["time [s]", "speed [m/s]"]


def test_the_path_marks_start_touches_and_end() -> None:
    result = hop(ended=Outcome.TIME_OVER)
    axes = run_figures(result)["Path"].axes[0]
    lines = {str(line.get_label()): np.array(line.get_data_3d()).T for line in axes.lines}  # type: ignore[attr-defined]
    path = result.trajectory["r_BA_A"].values
    assert list(lines) == ["path", "contact", "start", "end: time over"]
    assert np.array_equal(lines["path"], path)
    assert np.array_equal(lines["start"], path[:1])
    assert np.array_equal(lines["end: time over"], path[-1:])
    assert np.array_equal(lines["contact"], result.events["point_A"].values)


def test_the_energy_lines_are_the_ledger() -> None:
    result = hop()
    held, done, rest = run_figures(result)["Energy"].axes
    assert [line.get_label() for line in held.lines] == ["kinetic", "potential", "elastic", "total"]
    assert np.array_equal(held.lines[-1].get_ydata(), result.ledger.total)
    assert np.array_equal(done.lines[1].get_ydata(), result.ledger.works["friction"])
    assert rest.get_yscale() == "log"
    remainder, largest, bound = rest.lines
    assert np.array_equal(
        remainder.get_ydata()[1:],  # type: ignore[index]
        np.abs(result.ledger.remainder[1:]),
    )
    assert largest.get_ydata()[0] == result.ledger.max_remainder  # type: ignore[index]
    assert bound.get_ydata()[0] == result.ledger.bound * result.ledger.scale  # type: ignore[index]


def test_every_phase_has_its_own_bound() -> None:
    phases = (
        Phase("flight", 0.0, 10.0, stored=0.02, dissipated=0.0, put_in=0.0, remainder=1e-12),
        Phase("bounces", 10.0, 30.0, stored=0.01, dissipated=0.02, put_in=5.0, remainder=1e-12),
    )
    result = hop()
    shown = replace(result, ledger=replace(result.ledger, phases=phases, bound=1e-3))
    bound = run_figures(shown)["Energy"].axes[2].lines[-1]
    assert np.array_equal(bound.get_xdata()[[0, 1, 3, 4]], [0.0, 10.0, 10.0, 30.0])  # type: ignore[index]
    levels = bound.get_ydata()[[0, 1, 3, 4]]  # type: ignore[index]
    assert np.allclose(levels, [2e-5, 2e-5, 3e-5, 3e-5], rtol=1e-12, atol=0.0)


def test_lines_of_one_panel_differ_in_dash_so_that_they_show_in_grey() -> None:
    done = drawn()["Energy"].axes[1]
    assert len({str(line.get_linestyle()) for line in done.lines}) == len(done.lines) == 3
    assert len(set(DASHES)) == len(DASHES)


def test_of_many_works_those_that_are_nothing_are_not_drawn() -> None:
    result = hop()
    ledger = result.ledger
    nothing = {f"work {n}": np.zeros_like(ledger.time) for n in range(9)}
    worked = {name: series for name, series in ledger.works.items() if series.any()}
    many = replace(result, ledger=replace(ledger, works={**nothing, **ledger.works}))
    done = run_figures(many)["Energy"].axes[1]
    assert [line.get_label() for line in done.lines] == list(worked)


def test_speeds_are_norms_on_log_axes_with_gaps_at_rest() -> None:
    result = hop()
    speed, rate = run_figures(result)["Motion"].axes
    assert speed.get_yscale() == rate.get_yscale() == "log"
    shown = np.asarray(speed.lines[0].get_ydata())
    expected = np.linalg.norm(result.trajectory["v_BA_A"].values, axis=1)
    moving = expected > 0.0
    assert_close(shown[moving], expected[moving], rtol=1e-15)
    assert np.isnan(shown[~moving]).all()
    assert (~moving).any()


@pytest.mark.parametrize(
    ("count", "phases"),
    [
        ([0, 0, 0, 0], []),
        ([1, 1, 1, 1], [(0.0, 3.0)]),
        ([0, 1, 0, 0], [(0.5, 1.5)]),
        ([2, 0, 0, 1], [(0.0, 0.5), (2.5, 3.0)]),
        ([0, 0, 3, 3], [(1.5, 3.0)]),
    ],
)
def test_contact_phases_are_the_times_nearest_to_samples_in_contact(
    count: list[int], phases: list[tuple[float, float]]
) -> None:
    assert contact_phases(np.arange(4.0), np.array(count)) == phases


def test_a_single_sample_in_contact_has_no_length_to_shade() -> None:
    assert contact_phases(np.array([2.0]), np.array([1])) == [(2.0, 2.0)]


def test_contact_phases_are_shaded() -> None:
    result = hop()
    axes = run_figures(result)["Motion"].axes[0]
    phases = contact_phases(
        result.trajectory["time"].values, result.trajectory["contact_count"].values
    )
    assert len(axes.collections[0].get_paths()) == len(phases) == 2


SPHERE = {"shape": "sphere", "radius_m": 2.0}
ELLIPSOID = {"shape": "ellipsoid", "semi_axes_m": [3.0, 2.0, 1.0]}


@pytest.mark.parametrize(
    ("surface", "lengths"), [(SPHERE, [2.0] * 3), (ELLIPSOID, [3.0, 2.0, 1.0])]
)
@pytest.mark.parametrize("reach", [0.1, 5.0])
def test_the_ground_of_a_round_body_lies_on_it(
    surface: dict[str, object], lengths: list[float], reach: float
) -> None:
    end = np.array([0.3, 0.2, 1.0]) * lengths
    path = end + reach * np.linspace(1.0, 0.0, 20)[:, None] * np.array([0.5, -0.2, 0.6])
    x, y, z = ground_patch(surface, path)  # type: ignore[misc]
    a, b, c = lengths
    assert_close((x / a) ** 2 + (y / b) ** 2 + (z / c) ** 2, np.ones(x.shape), rtol=1e-12)


def test_the_ground_of_a_plane_lies_in_it_and_under_the_path() -> None:
    surface = {"shape": "plane", "point_m": [0.0, 0.0, 0.5], "normal": [0.0, 3.0, 4.0]}
    path = np.linspace([0.0, 0.0, 3.0], [2.0, 1.0, 1.0], 30)
    patch = ground_patch(surface, path)
    assert patch is not None
    offset = np.tensordot([0.0, 0.6, 0.8], patch - np.array([0, 0, 0.5])[:, None, None], axes=1)
    assert np.abs(offset).max() < 1e-14
    assert patch[0].min() < 0.0
    assert patch[0].max() > 2.0


def test_the_ground_of_a_body_is_put_on_its_mesh() -> None:
    surface = {"shape": "body", "body": "top", "level": 3}
    vertices, faces = procedural_body("top", 3)
    centre = vertices[faces[100]].mean(axis=0)
    out = centre / np.linalg.norm(centre)
    side = np.cross(out, [0.0, 0.0, 1.0])
    path = centre + 5.0 * out + np.linspace(0.0, 12.0, 9)[:, None] * side
    patch = ground_patch(surface, path)
    assert patch is not None
    gaps = brute_distance(vertices, faces, patch.reshape(3, -1).T)
    assert np.abs(gaps).max() < 1e-9
    away = path[-1][:, None, None] - patch
    assert np.sqrt(np.sum(away**2, axis=0)).max() < 40.0  # near the path, not all over the body


def test_a_path_round_a_body_is_drawn_over_all_of_it() -> None:
    turn = np.linspace(0.0, 6.0, 50)
    path = 400.0 * np.stack([np.cos(turn), np.sin(turn), 0.0 * turn], axis=1)
    vertices, faces = whole_body({"shape": "body", "body": "bilobe", "level": 6}, path)  # type: ignore[misc]
    assert len(faces) == 1280
    fine = procedural_body("bilobe", 5)
    points, triangles = coarse(*fine)
    assert 200 < len(triangles) < 4000
    assert_close(np.ptp(points, axis=0), np.ptp(vertices, axis=0), rtol=0.1)
    assert whole_body({"shape": "body", "body": "bilobe"}, path[:2]) is None


def test_an_unknown_ground_is_left_out() -> None:
    assert ground_patch({"shape": "mesh"}, np.zeros((3, 3))) is None
    gone = {"shape": "mesh", "file": "/nowhere/body.obj", "unit": "m"}
    assert ground_patch(gone, np.ones((3, 3))) is None
    result = hop()
    bare = dataclasses.replace(result, config={"surface": "rocky"})
    assert not run_figures(bare)["Path"].axes[0].collections


def assert_all_drawn(figures: dict[str, Figure]) -> None:
    """Every figure is there and can be written, larger than an empty picture would be."""
    assert figures
    for name, figure in figures.items():
        page = io.BytesIO()
        figure.savefig(page, dpi=40)
        assert len(page.getvalue()) > 1000, name


@pytest.mark.parametrize(
    "result",
    [
        hop(count=2),
        hop(event_count=0),
        hop(error=0.0),
        hop(error=float("nan")),
        hop(name="$x_1 $", error=1.0),
    ],
)
def test_odd_runs_can_be_drawn_without_warnings(result: Result) -> None:
    assert_all_drawn(run_figures(result))


def test_a_run_that_never_moved_can_be_drawn() -> None:
    result = hop()
    still = result.trajectory.copy(deep=True)
    for name in ("r_BA_A", "v_BA_A", "omega_BA_B"):
        still[name].values[:] = 0.0
    assert_all_drawn(run_figures(dataclasses.replace(result, trajectory=still)))


def test_a_path_with_gaps_is_drawn_without_them() -> None:
    result = hop()
    broken = result.trajectory.copy(deep=True)
    broken["r_BA_A"].values[::7] = np.nan
    figure = run_figures(dataclasses.replace(result, trajectory=broken))["Path"]
    drawn = io.BytesIO()
    figure.savefig(drawn, format="png", dpi=40)
    assert drawn.getvalue().startswith(b"\x89PNG")


def test_long_runs_become_pixels_and_stay_small() -> None:
    long = svg(run_figures(hop(count=60_000))["Energy"], "energy")
    assert "data:image/png;base64" in long
    assert len(long) < 600_000


def test_drawing_leaves_no_trace_in_matplotlib() -> None:
    before = dict(matplotlib.rcParams)
    svg(run_figures(hop(count=20))["Path"], "path")
    assert dict(matplotlib.rcParams) == before
    assert pyplot.get_fignums() == []


def test_which_variables_are_drawn_is_for_the_scenario_to_say() -> None:
    unknown = dataclasses.replace(hop(), scenario="of nobody")
    assert list(run_figures(unknown)) == ["Energy"]
