"""Sites, or release longitudes, put in order by how well landings there went."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from haptos.campaign.intervals import share_interval
from haptos.core.errors import ConfigError, HaptosError
from haptos.geometry.shape.dispersion_area import FEWEST_PLACES, SIGMA_SHARES, dispersion_areas
from haptos.planning.landing_classes import SUCCESS, rest_points

Floats = NDArray[np.float64]

# Whether more is better; the names are columns of `site_table`.
BETTER = {
    "success": True, "dispersion_m": False, "area_m2": False, "settle_time_s": False,
    "slope_deg": False, "lit_share": True,
}  # fmt: skip
WEIGHTS = {
    "success": 3.0, "dispersion_m": 1.0, "area_m2": 1.0, "settle_time_s": 1.0, "slope_deg": 1.0,
    "lit_share": 1.0,
}  # fmt: skip


def dispersion(points: Floats) -> float:
    """Root mean square distance [m] of points (n, 3) from their median; NaN for fewer than two."""
    if len(points) < 2:
        return float("nan")
    away = np.linalg.norm(points - np.median(points, axis=0), axis=1)
    return float(np.sqrt(np.mean(away * away)))


def site_table(
    landings: pd.DataFrame, key: str, mesh: tuple[ArrayLike, ArrayLike] | None = None
) -> pd.DataFrame:
    """One row for each value of `key` (a site, a longitude), from runs that were `judged`.

    success, success_low, success_high  share of successes with Wilson's interval at 95 %
    dispersion_m                        of the places of rest; with a mesh (vertices [m], faces) in
                                        its place area_m2, which holds 68.27 % of them
    settle_time_s, lit_share, slope_deg  where the table has them: means over runs at rest
    Places and means are those of trusted runs; a run that is not trusted is no success.
    """
    for column in (key, "landing"):
        if column not in landings.columns:
            hint = "judge the runs first: judged(runs, requirements, mesh)"
            names = ", ".join(map(str, landings.columns))
            raise HaptosError("table of landings", f"no column {column!r}", names, hint)
    if landings.empty or landings[key].isna().any():
        found = "no rows" if landings.empty else f"rows without a {key!r}"
        hint = "name the site of each run"
        raise HaptosError("table of landings", found, "runs, each with its site", hint)
    rows = {site: _site_row(part, mesh) for site, part in landings.groupby(key, sort=True)}
    table = pd.DataFrame.from_dict(rows, orient="index")
    table.index.name = key
    return table


def _site_row(part: pd.DataFrame, mesh: tuple[ArrayLike, ArrayLike] | None) -> dict[str, float]:
    """Row of `site_table` from the runs of one site."""
    rest = rest_points(part)
    still = np.isfinite(rest).all(axis=1) & part["trusted"].to_numpy(dtype=bool)
    count = int((part["landing"] == SUCCESS).sum())
    low, high = share_interval(count, len(part))
    row = {"runs": len(part), "success": count / len(part)}
    row |= {"success_low": low, "success_high": high}
    if mesh is None:
        row["dispersion_m"] = dispersion(rest[still])
    else:
        row["area_m2"] = _area(rest[still], mesh)
    for name in ("settle_time_s", "slope_deg", "lit_share"):
        if name in part.columns:
            values = part[name].to_numpy(dtype=float)[still]
            values = values[np.isfinite(values)]
            row[name] = float(values.mean()) if len(values) else float("nan")
    return row


def _area(places: Floats, mesh: tuple[ArrayLike, ArrayLike]) -> float:
    """Area [m^2] that holds 68.27 % of the places; NaN for too few of them."""
    if len(places) < FEWEST_PLACES:
        return float("nan")
    return float(dispersion_areas(places, *mesh, shares=SIGMA_SHARES[:1], resamples=0).areas[0])


def ranked(sites: pd.DataFrame, weights: Mapping[str, float] | None = None) -> pd.DataFrame:
    """The sites with columns score and rank, best first; sites with equal scores share the better rank.

    score = sum of weight times place / sum of weights: place is 1 for the best site by a criterion, 0
    for the worst, linear between; what is unknown counts as worst, what all share counts for none.

    weights  criterion (a key of BETTER) -> weight >= 0; WEIGHTS if left out
    """
    chosen = dict(WEIGHTS if weights is None else weights)
    unknown = sorted(set(chosen) - set(BETTER))
    if unknown or not all(0.0 <= weight < math.inf for weight in chosen.values()):
        found = f"weights = {chosen}"
        raise ConfigError("ranking", found, f"{', '.join(BETTER)}; >= 0", "leave out weights")
    if "success" not in sites.columns:
        names = ", ".join(map(str, sites.columns))
        raise HaptosError("table of sites", "no column 'success'", names, "give a site_table")
    total, score = 0.0, np.zeros(len(sites))
    for name, weight in chosen.items():
        if name not in sites.columns:
            continue
        place = _places(sites[name].to_numpy(dtype=float), BETTER[name])
        if place is not None:
            total, score = total + weight, score + weight * place
    score = score / total if total > 0.0 else score
    table = sites.assign(score=score)
    table = table.sort_values(["score", "success"], ascending=False, kind="stable")
    rank = table["score"].rank(method="min", ascending=False).astype(int)
    return table.assign(rank=rank)


def _places(values: Floats, more_is_better: bool) -> Floats | None:
    """0 (worst) to 1 (best) of each value; None where they do not differ."""
    known = np.isfinite(values)
    if not known.any():
        return None
    low, high = values[known].min(), values[known].max()
    if low == high:
        return None if known.all() else known.astype(float)
    place = (values - low) / (high - low)
    return np.where(known, place if more_is_better else 1.0 - place, 0.0)
