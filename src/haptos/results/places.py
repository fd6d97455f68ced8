"""Where the runs of a campaign end on a body, said as data; how it is drawn is the view's business."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class GroundMaps:
    """A body for charts: vertices [m], faces, and maps, one number per facet by key ('slope_deg')."""

    vertices: Floats
    faces: NDArray[np.int64]
    maps: dict[str, Floats]


@dataclass(frozen=True, slots=True)
class PlaceWords:
    """What to call the places: title of their map, "Rests" over slope, "places of rest", runs "at rest"."""

    title: str
    heading: str
    plural: str
    state: str


@dataclass(frozen=True, eq=False)
class Places:
    """Places on one body that all runs share.

    points   [m], (n, 3), A axes, of the runs that have one; n > 0
    trusted  whether the run of each is trusted, (n,)
    total    runs of the campaign
    surface  table [surface] of the body
    ground   the body with its maps, where they can be had
    """

    points: Floats
    trusted: NDArray[np.bool_]
    total: int
    surface: dict[str, Any]
    words: PlaceWords
    ground: GroundMaps | None = None
