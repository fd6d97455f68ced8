"""Many landers to look at: where they came to rest, and the ways of those that were run again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from haptos.environment.spin import uniform_attitudes
from haptos.environment.tumbling import tumbling_attitudes
from haptos.results.rests import REST
from haptos.results.result import Result
from haptos.results.scene import (
    Item,
    MovingFrame,
    Points,
    ScalarMap,
    Scene,
    SceneSurface,
)
from haptos.results.scene_parts import trails
from haptos.scenarios.lander.config import Config
from haptos.scenarios.lander.scene_cameras import extent, overview_cameras
from haptos.scenarios.lander.scene_poses import poses
from haptos.scenarios.worlds.gravity import spin_of
from haptos.scenarios.worlds.scene_ground import (
    A,
    body_surface,
    grid_lines,
    ground_normal,
    plane_patch,
    spin_notes,
    world_to_draw,
)
from haptos.scenarios.worlds.world import World

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]

OVERVIEW_FRAMES = 300  # of many runs at once
TRAIL_POINTS = 120  # of one trail among many
GROUND, FIELD = ("surface", "terrain"), ("gravity", "spin")  # tables of what is drawn of run 0


def overview(config: Config, runs: pd.DataFrame, replays: Mapping[int, Result]) -> Scene:
    """Scene of many runs at once, over the body of `config`, which is that of run 0.

    runs     one row per run            replays  run -> its result, of those simulated again
    Where the shape of the ground varies, only the runs on the drawn one are shown.
    """
    here = on_same_ground(runs)
    rest, taken = _rest_places(runs[here])
    shape = config.as_table()["surface"]
    ways = [poses(result) for result in replays.values() if result.config["surface"] == shape]
    known = [part for part in (rest, *(way["r"] for way in ways)) if len(part)]
    everything = np.concatenate(known) if known else np.array([config.release.position_m])
    world = world_to_draw(config)
    surfaces = () if world is None else (_ground(config, world, rest, everything),)
    items: list[Item] = [*surfaces]
    items += [grid_lines(surface) for surface in surfaces if surface.label == "ground"]
    if len(rest):
        colour = (ScalarMap("time to rest", "s", taken),)
        items.append(Points("places of rest", rest, frame=A, colour="end", maps=colour, size=5.0))
    end = max((float(way["t"][-1]) for way in ways), default=1.0)
    time = np.linspace(0.0, end, OVERVIEW_FRAMES)
    if ways:
        items += _many_ways(ways, time)
    normal = np.array([0.0, 0.0, 1.0])
    if world is not None and len(rest):
        normal = ground_normal(world, np.median(rest, axis=0))
    return Scene(
        time=time,
        items=tuple(items),
        cameras=overview_cameras(everything, normal, extent(surfaces, everything), surfaces),
        frames=(MovingFrame(A, quaternion=_attitudes(config, time)),),
        notes=(*_notes(runs, int(here.sum())), *spin_notes(config)),
    )


def on_same_ground(runs: pd.DataFrame) -> NDArray[np.bool_]:
    """Whether each run has the ground of run 0, by the columns of what varies."""
    here = np.ones(len(runs), dtype=bool)
    for name in _varying(runs, ("surface",)):
        values = runs[name].to_numpy()
        here &= values == values[_first(runs)]
    return here


def _first(runs: pd.DataFrame) -> int:
    """Row of run 0; the first row of a table that does not tell."""
    return int(np.argmin(runs["run"].to_numpy())) if "run" in runs else 0


def _varying(runs: pd.DataFrame, tables: Iterable[str]) -> list[str]:
    """Columns of keys of these tables of a scenario file that are not the same for every run."""
    names = [name for name in map(str, runs.columns) if name.partition(".")[0] in tables]
    return [name for name in names if runs[name].nunique() > 1]


def _notes(runs: pd.DataFrame, here: int) -> tuple[str, ...]:
    """What is drawn of run 0 alone though it varies."""
    notes = []
    ground, field = _varying(runs, GROUND), _varying(runs, FIELD)
    if ground:
        shown = f", with the {here} of {len(runs)} runs on it" if here < len(runs) else ""
        notes.append(
            f"The ground differs between runs ({', '.join(ground)}): drawn is that of run 0{shown}. "
            "Pick a run to see its own."
        )
    if field:
        notes.append(
            f"Gravity or spin differ between runs ({', '.join(field)}): slopes and the turning of "
            "the body are those of run 0. Pick a run to see its own."
        )
    return tuple(notes)


def _ground(config: Config, world: World, rest: Floats, everything: Floats) -> SceneSurface:
    if config.surface.shape == "plane":
        return plane_patch(world, everything)
    return _body_with_density(body_surface(config, world), rest)


def _attitudes(config: Config, time: Floats) -> Floats:
    """quat_NA (n, 4) of the body over time."""
    spin, moments = spin_of(config.spin)
    if moments is None:
        return uniform_attitudes(spin, time)
    return tumbling_attitudes(spin, moments, time)


def _rest_places(runs: pd.DataFrame) -> tuple[Floats, Floats]:
    """(places of rest [m] (n, 3), times to rest [s] (n,)) of the runs that have them."""
    columns = [*REST, "settle_time_s"]
    if not set(columns) <= set(runs.columns):
        return np.empty((0, 3)), np.empty(0)
    found = runs[columns].to_numpy(dtype=float, na_value=np.nan)
    found = found[np.isfinite(found).all(axis=1)]
    return found[:, :3], found[:, 3]


def _body_with_density(body: SceneSurface, places: Floats) -> SceneSurface:
    """The body with the density of places of rest first among its maps."""
    if not len(places):
        return body
    from scipy.spatial import cKDTree

    vertices = np.asarray(body.vertices, dtype=float)
    width = 0.03 * float(np.ptp(vertices, axis=0).max())
    near = cKDTree(places).query_ball_point(vertices, 3.0 * width)
    density = np.zeros(len(vertices))
    for i, members in enumerate(near):
        if members:
            apart = np.sum((places[members] - vertices[i]) ** 2, axis=1)
            density[i] = np.exp(-0.5 * apart / width**2).sum()
    density /= 2.0 * np.pi * width**2 * len(places)
    found = ScalarMap("density of places of rest", "share of runs at rest per m^2", density)
    return replace(body, maps=(found, *body.maps))


def _many_ways(ways: list[dict[str, Floats]], time: Floats) -> list[Item]:
    """Trails of all runs as one set of lines, and a dot for each run on its way."""
    dots = np.stack(
        [
            np.stack([np.interp(time, way["t"], way["r"][:, k]) for k in range(3)], axis=1)
            for way in ways
        ],
        axis=1,
    )
    return [
        trails("trails", [(way["t"], way["r"]) for way in ways], TRAIL_POINTS, frame=A),
        Points("probes", dots, frame=A, colour="body", size=6.0),
    ]
