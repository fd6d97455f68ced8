"""What became of each landing: success, or the first requirement it fails."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from haptos.core.errors import ConfigError, HaptosError
from haptos.core.outcome import Outcome
from haptos.environment.illumination import in_sight, lit_share, off_ground
from haptos.geometry.distance.distance_mesh import Mesh, mesh_distances
from haptos.geometry.terrain.regions import Mask
from haptos.results.rests import REST, has_rests, rest_columns

Floats = NDArray[np.float64]

SUCCESS = "success"
# In this order: a landing has the first class that fits.
CLASSES = (
    "not trusted", "escaped", "no first impact", "impact too fast", "unsettled", "excluded region",
    "in shadow", "out of sight", SUCCESS,
)  # fmt: skip
IMPACT_SPEED = "first_touch_speed_m_per_s"
FARTHEST = 0.05  # [-] of the body's length that a place of rest may lie off its mesh, assumed


@dataclass(frozen=True)
class LandingRequirements:
    """What a landing must meet; whatever is left out is not asked.

    largest_impact_speed_m_per_s  of the first touch [m/s], >= 0
    excluded                      masks of forbidden ground (geometry.regions: in_box, in_polygon)
    least_light                   share of the given Sun directions [-], 0 to 1
    suns_A                        directions to the Sun in A, shape (k, 3)
    mothership_A                  where the mothership listens [m], A axes, (3,)
    """

    largest_impact_speed_m_per_s: float | None = None
    excluded: tuple[Mask, ...] = ()
    least_light: float | None = None
    suns_A: Floats | None = None
    mothership_A: Floats | None = None

    def __post_init__(self) -> None:
        where = "landing requirements"
        if (self.least_light is None) != (self.suns_A is None):
            hint = "suns_over_a_day(sun_A) and least_light=0.3, say"
            allowed = "least_light and suns_A together"
            raise ConfigError(where, "one of the two alone", allowed, hint)
        if self.least_light is not None and not 0.0 <= self.least_light <= 1.0:
            found = f"least_light = {self.least_light}"
            raise ConfigError(where, found, "a share, 0 to 1", "least_light=0.3 for 30 %")
        limit = self.largest_impact_speed_m_per_s
        if limit is not None and not limit >= 0.0:
            found = f"largest_impact_speed_m_per_s = {limit}"
            raise ConfigError(where, found, ">= 0", "leave it out for no limit")

    @property
    def needs_shape(self) -> bool:
        """Whether a mesh is needed to judge."""
        return self.suns_A is not None or self.mothership_A is not None


def rest_points(runs: pd.DataFrame) -> Floats:
    """Places of rest [m], shape (n, 3), A axes; NaN where a run did not settle."""
    if not has_rests(runs):
        raise _no_column(runs, REST)
    return rest_columns(runs)


def _no_column(runs: pd.DataFrame, needed: Sequence[str]) -> HaptosError:
    missing = next(name for name in needed if name not in runs.columns)
    hint = "give Campaign.runs of probes that come to rest"
    return HaptosError("table of runs", f"no column {missing!r}", ", ".join(needed), hint)


def facet_values(points: Floats, mesh: Mesh, values: ArrayLike) -> Floats:
    """The value of the facet nearest to each point, (n,); NaN for points that are none.

    values  one for each facet, as `surface_maps` gives: slope, geopotential, roughness
    """
    found = np.full(len(points), np.nan)
    known = np.isfinite(points).all(axis=1)
    if known.any():
        found[known] = np.asarray(values, dtype=float)[mesh_distances(mesh, points[known])[2]]
    return found


def judged(
    runs: pd.DataFrame, requirements: LandingRequirements, mesh: Mesh | None = None
) -> pd.DataFrame:
    """The table of runs with three more columns.

    landing    its class
    lit_share  of the directions suns_A [-]; NaN where it is not asked for, or a run is not at rest
    in_sight   of the mothership; missing (pandas' NA) likewise
    mesh       of the body (geometry.distance_mesh.solid_mesh); needed for light and sight, for which
               a place below its facets counts as one on them
    """
    if requirements.needs_shape and not isinstance(mesh, Mesh):
        hint = "mesh=solid_mesh(vertices, faces)"
        raise ConfigError("judged", "no mesh", "a mesh, for light and sight", hint)
    if IMPACT_SPEED not in runs.columns:
        raise _no_column(runs, [IMPACT_SPEED])
    rest = rest_points(runs)
    settled = np.isfinite(rest).all(axis=1)
    light, sight = np.full(len(runs), np.nan), np.full(len(runs), np.nan)
    if mesh is not None and requirements.needs_shape and settled.any():
        places = _seen_from(mesh, rest[settled])
        if requirements.suns_A is not None:
            light[settled] = lit_share(mesh.tree, places, requirements.suns_A)
        if requirements.mothership_A is not None:
            sight[settled] = in_sight(mesh.tree, places, requirements.mothership_A)
    names = _classes(runs, requirements, rest, settled, light, sight)
    return runs.assign(
        landing=names, lit_share=light, in_sight=pd.array(sight, dtype="boolean")
    )  # fmt: skip


def _seen_from(mesh: Mesh, rest: Floats) -> Floats:
    """Places of rest just off the mesh; refuses a mesh that they do not lie on."""
    places = off_ground(mesh, rest)
    size = float(np.ptp(mesh.tree.boxes[0].reshape(2, 3), axis=0).max())
    beside = float(np.abs(mesh_distances(mesh, rest)[0]).max())
    if beside > FARTHEST * size:
        found = f"a place of rest {beside:.4g} m from the mesh, which is {size:.4g} m long"
        hint = "give the body of the runs, in metres"
        raise HaptosError("judged", found, f"up to {FARTHEST:.0%} of its length", hint)
    return places


def _classes(
    runs: pd.DataFrame, asked: LandingRequirements, rest: Floats, settled: ArrayLike,
    light: Floats, sight: Floats,
) -> NDArray[np.str_]:  # fmt: skip
    """First class of CLASSES that fits each run."""
    still = np.asarray(settled)
    first = runs[IMPACT_SPEED].to_numpy(dtype=float)
    limit = asked.largest_impact_speed_m_per_s
    forbidden = np.zeros(len(runs), dtype=bool)
    for mask in asked.excluded:
        forbidden[still] |= mask(rest[still])
    fits = [
        ~runs["trusted"].to_numpy(dtype=bool),
        (runs["outcome"].astype(str) == Outcome.ESCAPED.label).to_numpy(),
        ~np.isfinite(first),
        first > (np.inf if limit is None else limit),
        ~still,
        forbidden,
        light < (0.0 if asked.least_light is None else asked.least_light),
        sight == 0.0,
    ]
    return np.select(fits, CLASSES[:-1], default=SUCCESS)


def class_shares(landings: pd.Series) -> pd.DataFrame:
    """Count and share of every class, in the order of CLASSES, classes without runs too."""
    counts = landings.value_counts().reindex(list(CLASSES), fill_value=0)
    return pd.DataFrame({"count": counts, "share": counts / max(len(landings), 1)})
