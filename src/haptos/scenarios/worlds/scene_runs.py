"""Many runs on one world to look at: what of it differs between them, its ground with their places of rest, its turning.

Drawn is the world of run 0. Source: presentation.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from haptos.environment.spin import uniform_attitudes
from haptos.environment.tumbling import tumbling_attitudes
from haptos.results.scene import ScalarMap, SceneSurface
from haptos.scenarios.worlds.config import PlaneSurface, WorldTables
from haptos.scenarios.worlds.gravity import spin_of
from haptos.scenarios.worlds.scene_ground import body_surface, plane_patch
from haptos.scenarios.worlds.world import World

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]

GROUND, FIELD = ("surface", "terrain"), ("gravity", "spin")  # tables of what is drawn of run 0


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


def notes_on_differences(runs: pd.DataFrame, here: int) -> tuple[str, ...]:
    """What is drawn of run 0 alone though it varies; here: how many runs have its ground."""
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


def ground_of_runs(
    config: WorldTables, world: World, rest: Floats, everything: Floats
) -> SceneSurface:
    """The whole body with the density of places of rest (n, 3) [m], or the plane under everything (n, 3) [m]."""
    if isinstance(config.surface, PlaneSurface):
        return plane_patch(world, everything)
    return _body_with_density(body_surface(config, world), rest)


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


def body_attitudes(config: WorldTables, time: Floats) -> Floats:
    """quat_NA (n, 4) of the body over time."""
    spin, moments = spin_of(config.spin)
    if moments is None:
        return uniform_attitudes(spin, time)
    return tumbling_attitudes(spin, moments, time)
