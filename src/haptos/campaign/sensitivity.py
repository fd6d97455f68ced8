"""Which inputs decide a metric: Sobol indices, the shares of its variance.

    S_i  = Var(E[y | x_i]) / Var(y)          first order: what x_i does alone
    ST_i = 1 - Var(E[y | x_~i]) / Var(y)     total: what x_i does with all others

    x_i  a key with `sweep = "saltelli"`, uniform over its range (its logarithm with spacing = "log")
    y    the metric, averaged over the runs of a design point; all other randomness counts as noise
The design has points (k + 2) design points for k keys; the indices and their 95 % intervals (bootstrap) come from SALib.
`given_data_indices` needs no design: first-order indices from any campaign whose keys are drawn at
random, less sharp and without totals.
Validity: inputs independent of each other; every point needs a value. Indices below their interval's width
cannot be distinguished from zero. Source: [Sobol2001], [Saltelli2010], [Iwanaga2022].
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from haptos.campaign.sweeps import Saltelli
from haptos.core.errors import HaptosError
from haptos.core.name_lists import listed

if TYPE_CHECKING:
    from haptos.campaign.campaign import Campaign
    from haptos.campaign.plan import CampaignPlan

CITES: tuple[str, ...] = ("Sobol2001", "Saltelli2010", "Iwanaga2022")

RESAMPLES = 200  # [-] for the intervals
SEED = 1  # of the resampling; SALib takes 0 for no seed
FEWEST_RUNS = 100  # [-] for indices from given data; assumed

Floats = NDArray[np.float64]


def sobol_indices(found: Campaign, metric: str) -> pd.DataFrame:
    """Indices of every saltelli key of a finished campaign; see `indices_of_runs`."""
    return indices_of_runs(found.plan, found.runs, metric)


def indices_of_runs(plan: CampaignPlan, runs: pd.DataFrame, metric: str) -> pd.DataFrame:
    """One row per saltelli key: first, first_low, first_high, total, total_low, total_high."""
    from SALib.analyze import sobol

    sweeps = plan.template.sweeps
    keys = sorted(key for key, sweep in sweeps.items() if isinstance(sweep, Saltelli))
    if not keys or len(keys) < len(sweeps):
        found = ", ".join(f"{key} ({sweep.kind})" for key, sweep in sweeps.items()) or "none"
        hint = 'sweep = "saltelli" for all of them'
        raise HaptosError("sobol indices, swept keys", found, "saltelli sweeps only", hint)
    values = _point_means(runs, metric, plan.points)
    deviation = float(values.std())
    if not deviation > 0.0:
        raise _constant(f"sobol indices of {metric}")
    indices = sobol.analyze(
        _problem(keys),
        (values - values.mean()) / deviation,
        calc_second_order=False,
        num_resamples=RESAMPLES,
        seed=SEED,
    )
    columns: dict[str, Floats] = {}
    for name, short in (("first", "S1"), ("total", "ST")):
        middle, half = np.asarray(indices[short]), np.asarray(indices[f"{short}_conf"])
        columns |= {name: middle, f"{name}_low": middle - half, f"{name}_high": middle + half}
    return pd.DataFrame(columns, index=pd.Index(keys, name="key"))


def given_data_indices(runs: pd.DataFrame, keys: Sequence[str], metric: str) -> pd.DataFrame:
    """One row per column `keys` of a table of runs: first, first_low, first_high.

    Runs that are not trusted or lack the metric do not count.
    """
    from SALib.analyze import delta

    _require_columns(runs, [*keys, metric])
    usable = runs[runs["trusted"].astype(bool) & np.isfinite(runs[metric].to_numpy(dtype=float))]
    if len(usable) < FEWEST_RUNS:
        found = f"{len(usable)} usable runs"
        raise HaptosError("indices from given data", found, f"at least {FEWEST_RUNS}", "run more")
    inputs = usable[list(keys)].to_numpy(dtype=float)
    outputs = usable[metric].to_numpy(dtype=float)
    if np.ptp(outputs) == 0.0:
        raise _constant(f"indices of {metric} from given data")
    state = np.random.get_state()  # SALib seeds the numbers of all
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # its density estimates, not used here, warn about ties
            indices = delta.analyze(
                _problem(keys), inputs, outputs, num_resamples=RESAMPLES, method="sobol", seed=SEED
            )
    finally:
        np.random.set_state(state)
    middle, half = np.asarray(indices["S1"]), np.asarray(indices["S1_conf"])
    columns = {"first": middle, "first_low": middle - half, "first_high": middle + half}
    return pd.DataFrame(columns, index=pd.Index(list(keys), name="key"))


def _constant(where: str) -> HaptosError:
    hint = "choose another metric"
    return HaptosError(where, "the same value everywhere", "a metric that changes", hint)


def _problem(keys: Sequence[str]) -> dict[str, Any]:
    return {"num_vars": len(keys), "names": list(keys), "bounds": [[0.0, 1.0]] * len(keys)}


def _point_means(runs: pd.DataFrame, metric: str, points: int) -> Floats:
    """Mean of the metric over the trusted runs of each design point."""
    _require_columns(runs, ["point", metric])
    trusted = runs[runs["trusted"].astype(bool) & np.isfinite(runs[metric].to_numpy(dtype=float))]
    means = trusted.groupby("point")[metric].mean().reindex(range(points))
    missing = int(means.isna().sum())
    if missing:
        found = f"{missing} of {points} points without a value"
        hint = "choose a metric that every run has, such as end_time_s, or more runs per point"
        raise HaptosError(f"sobol indices of {metric}", found, "a value at every point", hint)
    return np.asarray(means.to_numpy(dtype=float))


def _require_columns(runs: pd.DataFrame, names: Sequence[str]) -> None:
    missing = [name for name in names if name not in runs.columns]
    if missing:
        allowed = listed(map(str, runs.columns), missing[0], "list(runs.columns)")
        raise HaptosError(
            "table of runs", f"no column {missing[0]!r}", allowed, "name one of these"
        )
