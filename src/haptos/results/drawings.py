"""What a scenario wants drawn, said as data; how it is drawn is the view's business.

Panels (results/panels.py) show quantities of the trajectory over time, a path plot its way through
space; other drawings carry their own numbers.
Keys name quantity and unit as in `speed_m_per_s`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Line:
    """One curve; NaN and infinity leave gaps."""

    label: str
    x: Floats
    y: Floats


@dataclass(frozen=True, eq=False)
class LinePlot:
    """Curves in one frame.

    is_logarithmic  both axes           is_true_to_scale  one metre is as long along x and y
    """

    x_key: str
    y_key: str
    lines: tuple[Line, ...]
    is_logarithmic: bool = False
    is_true_to_scale: bool = False


@dataclass(frozen=True, eq=False)
class BodyMap:
    """One number per facet of a closed mesh [m]; places without a number are painted black.

    azimuth  [rad] of an arrow per facet, from east over north; none if left out, NaN for no arrow
    missing  what a place without a number means, in words
    """

    vertices: Floats
    faces: Integers
    values: Floats
    key: str
    azimuth: Floats | None = None
    missing: str = ""
    shows_body: bool = True


@dataclass(frozen=True, slots=True)
class PathPlot:
    """The path of one body in space, over the ground of the configuration's table [surface].

    position  name in Result.trajectory of places (time, 3) [m], A axes
    """

    position: str


Drawing = LinePlot | BodyMap
