"""What a campaign says beyond its statistics: which inputs decide, and curves against e and f.

Only what the campaign allows: Sobol indices of a saltelli design, first-order indices of keys drawn at random,
and the fits of `campaign/fits.py` where restitution or friction is swept. What cannot be had is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from haptos.campaign.fits import (
    FEWEST_FRICTIONS,
    FEWEST_RESTITUTIONS,
    Fit,
    fit_friction,
    fit_restitution,
    friction_curve,
    restitution_curve,
    saturation_friction,
)
from haptos.campaign.intervals import mean_interval
from haptos.campaign.sensitivity import given_data_indices, indices_of_runs
from haptos.campaign.sweeps import Saltelli
from haptos.campaign.swept_outcomes import VALUE_BY_VALUE
from haptos.core.errors import HaptosError
from haptos.core.number_text import short_number
from haptos.core.units import split_unit
from haptos.results.campaign_summary import Curve, Finding
from haptos.scenarios.registry import scenario

if TYPE_CHECKING:
    from haptos.campaign.plan import CampaignPlan

MOST_RUNS = 5_000  # of which indices are taken; more cost minutes and tell the same
RESTITUTION, FRICTION = "contact.restitution", "contact.friction"
FEWEST = {RESTITUTION: FEWEST_RESTITUTIONS, FRICTION: FEWEST_FRICTIONS}
MOST_CURVES = (
    6  # of one figure, so that they can be distinguished; with more groups all runs are one
)
CURVE_POINTS = 80  # of a drawn curve


def findings(plan: CampaignPlan, runs: pd.DataFrame) -> tuple[Finding, ...]:
    """Sensitivity and fits of the metrics that the scenario names; empty where there is none to be had."""
    asked = scenario(plan.scenario).studying
    named = asked.sensitivity_of
    metrics = (named,) if isinstance(named, str) else named
    # of several metrics, those that runs of this campaign have and that differ between them
    known = [
        name for name in metrics if name in runs and (len(metrics) == 1 or runs[name].nunique() > 1)
    ]
    decided = [found for name in known for found in _sensitivity(plan, runs, name)]
    fitted = _fits(plan, runs, asked.fits_of) if asked.fits_of in runs else ()
    return (*decided, *fitted)


def _sensitivity(plan: CampaignPlan, runs: pd.DataFrame, metric: str) -> Iterator[Finding]:
    kinds = [isinstance(sweep, Saltelli) for sweep in plan.template.sweeps.values()]
    try:
        if kinds and all(kinds):
            table = indices_of_runs(plan, runs, metric)
            note = "Shares of the variance: alone (first) and with all others (total); 95 % intervals. SALib, [Saltelli2010]."
            yield Finding(f"Sobol indices of {metric}", table, note, metric=metric)
        elif not kinds:
            keys = [key for key in _random_numbers(plan) if runs[key].nunique() > 1]
            if len(keys) > 1:
                step = max(1, -(-len(runs) // MOST_RUNS))
                table = given_data_indices(runs[::step], keys, metric)
                note = "Share of the variance that each key decides alone, from runs drawn at random; 95 % intervals. An index below its interval's width cannot be distinguished from zero."
                yield Finding(f"Sensitivity of {metric}", table, note, metric=metric)
    except (HaptosError, ImportError, ValueError):
        return


def _random_numbers(plan: CampaignPlan) -> list[str]:
    """Columns of plain numbers drawn at random, attitudes left out."""
    return [
        column
        for key, law in plan.template.distributions.items()
        if law.column_type == "double" and "quaternion" not in key
        for column in plan.columns_of(key)
    ]


def _fits(plan: CampaignPlan, runs: pd.DataFrame, metric: str) -> Iterator[Finding]:
    unit = split_unit(metric)[1]
    rise = [f"b0 [{unit}]", f"b1 [{unit}]", "b2 [-]", "b3 [-]"]
    laws: dict[str, tuple[Callable[..., Fit], Callable[..., np.ndarray], list[str]]] = {
        RESTITUTION: (fit_restitution, restitution_curve, [f"a0 [{unit}]", f"a1 [{unit}]"]),
        FRICTION: (fit_friction, friction_curve, rise),
    }
    for key, (fit, curve, names) in laws.items():
        sweep = plan.template.sweeps.get(key)
        if sweep is None or sweep.kind not in VALUE_BY_VALUE or runs[key].nunique() < FEWEST[key]:
            continue
        rows, numbers, curves = [], [], []
        for label, part in _groups(plan, runs, key):
            drawn = _points(part, key, metric)
            try:
                found = fit(drawn["x"], drawn["mean"])
            except HaptosError:
                continue
            rows.append(_row(label, names, found, key))
            numbers.append(_numbers(label, names, found, key))
            along = np.linspace(drawn["x"].min(), drawn["x"].max(), CURVE_POINTS)
            x, mean, low, high = drawn.to_numpy().T
            fitted = curve(along, *found.parameters)
            curves.append(Curve(label, x, mean, low, high, along, fitted))
        if rows:
            words = "a0 + a1/(1 - e)" if key == RESTITUTION else "b0 + b1/(1 + exp(-b2 (f - b3)))"
            note = f"Mean {metric} = {words}, least squares over the means; brackets are 95 % intervals, R2 the share explained. [VanWal2018]"
            table = pd.DataFrame(rows).set_index("runs of")
            plain = pd.DataFrame(numbers).set_index("runs of")
            yield Finding(f"{metric} against {key}", table, note, key, metric, tuple(curves), plain)


def _groups(plan: CampaignPlan, runs: pd.DataFrame, key: str) -> Iterator[tuple[str, pd.DataFrame]]:
    """Runs by the values of all other swept keys; all of them if there is none, or if there are too many."""
    others = [c for k in plan.template.sweeps if k != key for c in plan.columns_of(k)]
    groups = [(", ".join(map(str, name)), part) for name, part in runs.groupby(others)] if others else []  # fmt: skip
    yield from groups if 0 < len(groups) <= MOST_CURVES else [("all", runs)]


def _points(part: pd.DataFrame, key: str, metric: str) -> pd.DataFrame:
    """x, mean, low, high of every value of the key, over trusted runs."""
    rows = []
    for _, group in part[part["trusted"].astype(bool)].groupby(key):
        values = group[metric].to_numpy(dtype=float)
        values = values[np.isfinite(values)]
        if len(values):
            x = float(group[key].iloc[0])
            rows.append([x, float(values.mean()), *mean_interval(values)])
    return pd.DataFrame(rows, columns=["x", "mean", "low", "high"])


def _row(label: str, names: list[str], fit: Fit, key: str) -> dict[str, str]:
    row = {"runs of": label}
    for name, value, low, high in zip(names, fit.parameters, fit.low, fit.high, strict=True):
        row[name] = f"{short_number(value, 4)} [{short_number(low, 4)}, {short_number(high, 4)}]"
    if key == FRICTION:
        row["saturation [-]"] = f"{saturation_friction(fit):.2f}"
    row["R2 [-]"] = f"{fit.explained:.3f}"
    return row


def _numbers(label: str, names: list[str], fit: Fit, key: str) -> dict[str, str | float]:
    """The same with all digits, a column each for the value and the ends of its interval."""
    row: dict[str, str | float] = {"runs of": label}
    for name, value, low, high in zip(names, fit.parameters, fit.low, fit.high, strict=True):
        short, _, unit = name.partition(" ")
        row |= {f"{short} {unit}": float(value), f"{short}_low {unit}": float(low),
                 f"{short}_high {unit}": float(high)}  # fmt: skip
    if key == FRICTION:
        row["saturation [-]"] = float(saturation_friction(fit))
    return row | {"R2 [-]": float(fit.explained)}
