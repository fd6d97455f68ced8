"""What a scenario wants drawn over time, said as data; how it is drawn is the view's business."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Panel:
    """One quantity of the trajectory over time, on a logarithmic axis.

    variable  name in Result.trajectory, one number per time, or a vector whose length is drawn
    key       words and unit of the axis, as in `normal_load_N`
    """

    variable: str
    key: str
