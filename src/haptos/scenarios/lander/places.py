"""Where the landers of a campaign come to rest on their body, for its maps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from haptos.results.places import Places, PlaceWords
from haptos.results.rests import has_rests, rest_columns
from haptos.scenarios.worlds.ground_maps import ground_maps

if TYPE_CHECKING:
    import pandas as pd

WORDS = PlaceWords(
    title="Settling map", heading="Rests", plural="places of rest", state="at rest"
)  # fmt: skip


def places(table: dict[str, Any], runs: pd.DataFrame) -> Places | None:
    """Places of rest; None unless all runs share one body with a mesh and one came to rest."""
    surface = table.get("surface", {})
    varied = any(isinstance(value, dict) for value in surface.values())  # not one body for all
    if varied or surface.get("shape") not in ("body", "mesh") or not has_rests(runs):
        return None
    points = rest_columns(runs)
    known = np.isfinite(points).all(axis=1)
    if not known.any():
        return None
    trusted = (
        runs["trusted"].to_numpy(dtype=bool) if "trusted" in runs else np.ones(len(runs), bool)
    )
    return Places(points[known], trusted[known], len(runs), surface, WORDS, ground_maps(table))
