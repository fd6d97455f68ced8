"""What became of each landing: success, or the first requirement it fails."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from haptos.core.errors import ConfigError, HaptosError
from haptos.core.outcome import Outcome
from haptos.environment.illumination import in_sight, lit_share
from haptos.geometry.distance_mesh import Mesh, mesh_distances
from haptos.geometry.regions import Mask
from haptos.geometry.triangle_tree import Tree

Floats = NDArray[np.float64]

SUCCESS = "success"
# In this order: a landing has the first class that fits.
CLASSES = (
    "not trusted", "escaped", "no first impact", "impact too fast", "unsettled", "excluded region",
    "in shadow", "out of sight", SUCCESS,
)  # fmt: skip
REST = ["rest_x_m", "rest_y_m", "rest_z_m"]


@dataclass(frozen=True)
class LandingRequirements:
    """What a landing must meet; whatever is left out is not asked.

    largest_impact_speed_m_per_s  of the first touch [m/s]
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
        if (self.least_light is None) != (self.suns_A is None):
            hint = "suns_over_a_day(sun_A) and least_light=0.3, say"
            allowed = "least_light and suns_A together"
            raise ConfigError("landing requirements", "one of the two alone", allowed, hint)

    @property
    def needs_shape(self) -> bool:
        """Whether a mesh is needed to judge."""
        return self.suns_A is not None or self.mothership_A is not None


def rest_points(runs: pd.DataFrame) -> Floats:
    """Places of rest [m], shape (n, 3), A axes; NaN where a run did not settle."""
    missing = [name for name in REST if name not in runs.columns]
    if missing:
        hint = "give Campaign.runs of a lander campaign"
        raise HaptosError("table of runs", f"no column {missing[0]!r}", ", ".join(REST), hint)
    return runs[REST].to_numpy(dtype=float)


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
    runs: pd.DataFrame, requirements: LandingRequirements, tree: Tree | None = None
) -> pd.DataFrame:
    """The table of runs with three more columns: landing (its class), lit_share, in_sight.

    tree  of the body's mesh (geometry.triangle_tree); needed for light and sight
    """
    if requirements.needs_shape and tree is None:
        hint = "tree=triangle_tree(vertices, faces)"
        raise ConfigError("judged", "no mesh", "a mesh, for light and sight", hint)
    rest = rest_points(runs)
    settled = np.isfinite(rest).all(axis=1)
    light, sight = np.full(len(runs), np.nan), np.zeros(len(runs), dtype=bool)
    if tree is not None and settled.any():
        if requirements.suns_A is not None:
            light[settled] = lit_share(tree, rest[settled], requirements.suns_A)
        if requirements.mothership_A is not None:
            sight[settled] = in_sight(tree, rest[settled], requirements.mothership_A)
    names = _classes(runs, requirements, rest, settled, light, sight)
    return runs.assign(landing=names, lit_share=light, in_sight=sight)


def _classes(
    runs: pd.DataFrame, asked: LandingRequirements, rest: Floats, settled: ArrayLike,
    light: Floats, sight: ArrayLike,
) -> NDArray[np.str_]:  # fmt: skip
    """First class of CLASSES that fits each run."""
    still = np.asarray(settled)
    first = runs["first_touch_speed_m_per_s"].to_numpy(dtype=float)
    limit = asked.largest_impact_speed_m_per_s
    forbidden = np.zeros(len(runs), dtype=bool)
    for mask in asked.excluded:
        forbidden[still] |= mask(rest[still])
    dark = (
        np.zeros(len(runs), dtype=bool) if asked.least_light is None else light < asked.least_light
    )
    unseen = np.zeros(len(runs), dtype=bool) if asked.mothership_A is None else ~np.asarray(sight)
    fits = [
        ~runs["trusted"].to_numpy(dtype=bool),
        (runs["outcome"].astype(str) == Outcome.ESCAPED.label).to_numpy(),
        ~np.isfinite(first),
        first > (np.inf if limit is None else limit),
        ~still,
        forbidden,
        dark,
        unseen,
    ]
    return np.select(fits, CLASSES[:-1], default=SUCCESS)


def class_shares(landings: pd.Series) -> pd.DataFrame:
    """Count and share of every class, in the order of CLASSES, classes without runs too."""
    counts = landings.value_counts().reindex(list(CLASSES), fill_value=0)
    return pd.DataFrame({"count": counts, "share": counts / max(len(landings), 1)})
