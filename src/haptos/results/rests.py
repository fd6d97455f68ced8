"""Places of rest in a table of runs: the columns that hold them, and the runs that have one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import pandas

REST = ("rest_x_m", "rest_y_m", "rest_z_m")  # centre of mass, A axes


def has_rests(runs: pandas.DataFrame) -> bool:
    """Whether a table has the columns of places of rest."""
    return set(REST) <= set(runs.columns)


def rest_columns(runs: pandas.DataFrame) -> NDArray[np.float64]:
    """Places of rest [m], (n, 3), A axes, a row for each run; NaN where it has none."""
    return np.asarray(runs[list(REST)].to_numpy(dtype=float, na_value=np.nan))


def known_rests(runs: pandas.DataFrame) -> NDArray[np.float64]:
    """Places of rest [m], (n, 3), A axes, of the runs that have one."""
    places = rest_columns(runs)
    return np.asarray(places[np.isfinite(places).all(axis=1)])
