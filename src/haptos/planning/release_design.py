"""Release parameters that make a probe rest in a chosen region as likely as can be found.

METHOD: a radial-basis surrogate (thin-plate splines) of the share of probes that rest in the region,
over a Sobol design of the release parameters; new points where the surrogate is best, with a
weight on distance from known points that cycles from searching to refining [Regis2007]. Every point
is tried under the same draws of errors and unknowns (common random numbers); the winner is then
judged with fresh draws, so that its probability is not that of the luckiest.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from haptos.campaign.intervals import share_interval
from haptos.campaign.runner import Batch, batch_of, many_runs
from haptos.core.errors import ConfigError
from haptos.geometry.terrain.regions import Mask
from haptos.planning.release_sequence import ReleaseSequence, releases, standard_draws
from haptos.results.rests import REST
from haptos.scenarios.files import parse_many, read_named
from haptos.scenarios.merging import laid_over

CITES: tuple[str, ...] = ("Regis2007", "Sobol1967", "Wilson1927")

Floats = NDArray[np.float64]
# (release parameters (k,), draws (n, DRAWS)) -> places of rest (n, 3) [m], NaN where there is none to trust
RestPlaces = Callable[[Floats, Floats], Floats]

METHOD = "thin-plate radial-basis surrogate over a Sobol design, stochastic infill, common random numbers"
CANDIDATES = 512  # random points among which the surrogate chooses the next one
SEARCH = (0.7, 0.4, 0.15, 0.0)  # weight of distance in the choice, cycled
PLACES = ("longitude_deg", "latitude_deg", "distance_m")  # of ReleaseSequence.moved
PARAMETERS = (*PLACES, "wait_s", "eject_speed_m_per_s", "azimuth_deg", "elevation_deg")
SMOOTHING = 1e-3  # [-], of the splines: shares of few runs are noisy


@dataclass(frozen=True, eq=False)
class ReleaseDesign:
    """The release found, and how.

    best         parameter -> value
    probability  share at rest in the region under fresh draws; low, high: Wilson's interval at 95 %
    trials       every point tried: parameters and `share` under the common draws, in order
    method       optimiser and surrogate by name          runs  probes simulated in all
    """

    best: dict[str, float]
    probability: float
    low: float
    high: float
    trials: pd.DataFrame
    method: str
    runs: int


def design_release(
    rest_places: RestPlaces,
    region: Mask,
    bounds: Mapping[str, tuple[float, float]],
    *,
    draws: int = 64,
    trials: int = 40,
    verify: int = 256,
    seed: int = 1,
) -> ReleaseDesign:
    """The release within `bounds` that most often ends at rest in `region`.

    rest_places  runs the probes, e.g. `lander_rests`        region  mask of places (n, 3) [m]
    bounds       parameter -> (low, high), in the order rest_places takes them
    draws        probes of each trial          trials  points tried          verify  fresh probes
    Validity: a share from n draws is known to about 1/sqrt(4 n): 64 tell 0.5 from 0.7, no less.
    Source: [Regis2007]; design [Sobol1967]; interval [Wilson1927].
    """
    low, high = _checked(bounds, draws, trials, verify)
    common = standard_draws(draws, seed)
    generator = np.random.default_rng(seed)
    first = max(2 * len(bounds) + 2, trials // 2)
    unit = list(_sobol(len(bounds), min(first, trials), seed))
    share = [_hits(rest_places, region, low + u * (high - low), common) / draws for u in unit]
    while len(unit) < trials:
        weight = SEARCH[len(unit) % len(SEARCH)]
        unit.append(_next_point(np.array(unit), np.array(share), weight, generator))
        share.append(_hits(rest_places, region, low + unit[-1] * (high - low), common) / draws)
    values = low + np.array(unit) * (high - low)
    best = values[int(np.argmax(share))]
    fresh = standard_draws(verify, seed + 1)
    hits = _hits(rest_places, region, best, fresh)
    interval = share_interval(hits, verify)
    tried = pd.DataFrame(values, columns=list(bounds)).assign(share=share)
    found = dict(zip(bounds, best.tolist(), strict=True))
    runs = trials * draws + verify
    return ReleaseDesign(found, hits / verify, *interval, tried, METHOD, runs)


def _checked(
    bounds: Mapping[str, tuple[float, float]], draws: int, trials: int, verify: int
) -> tuple[Floats, Floats]:
    for name, (low, high) in bounds.items():
        if not (np.isfinite(low) and np.isfinite(high) and low < high):
            found = f"{name} from {low:g} to {high:g}"
            raise ConfigError("release design", found, "finite, low < high", "exchange the two")
    if not bounds or min(draws, trials, verify) < 1:
        found = f"{len(bounds)} parameters, {draws} draws, {trials} trials, {verify} to verify"
        raise ConfigError("release design", found, "at least 1 of each", "leave them at default")
    table = np.array(list(bounds.values()), dtype=float)
    return table[:, 0], table[:, 1]


def _hits(rest_places: RestPlaces, region: Mask, values: Floats, draws: Floats) -> int:
    """How many of the draws end at rest in the region."""
    rest = np.asarray(rest_places(values, draws), dtype=float)
    still = np.isfinite(rest).all(axis=1)
    return int(np.sum(region(rest[still]))) if still.any() else 0


def _sobol(dimension: int, count: int, seed: int) -> Floats:
    from scipy.stats import qmc

    sampler = qmc.Sobol(dimension, rng=np.random.default_rng(seed))
    return np.asarray(sampler.random_base2(max(count - 1, 1).bit_length())[:count])


def _next_point(
    unit: Floats, share: Floats, weight: float, generator: np.random.Generator
) -> Floats:
    """The candidate with the best mix of a high surrogate and a large distance from known points."""
    from scipy.interpolate import RBFInterpolator
    from scipy.spatial.distance import cdist

    surrogate = RBFInterpolator(unit, share, kernel="thin_plate_spline", smoothing=SMOOTHING)
    anywhere = generator.random((CANDIDATES, unit.shape[1]))
    spread = 0.2 if weight > 0.0 else 0.05  # [-] of the range
    near = unit[int(np.argmax(share))] + spread * generator.standard_normal(anywhere.shape)
    candidates = np.concatenate([anywhere, np.clip(near, 0.0, 1.0)])
    value, away = surrogate(candidates), cdist(candidates, unit).min(axis=1)
    merit = (1.0 - weight) * _scaled(value) + weight * _scaled(away)
    merit[away < 1e-9] = -np.inf  # the same point twice would break the splines
    return np.asarray(candidates[int(np.argmax(merit))])


def _scaled(values: Floats) -> Floats:
    low, high = values.min(), values.max()
    return (values - low) / (high - low) if high > low else np.zeros_like(values)


def lander_rests(
    base: str | Mapping[str, Any],
    plan: ReleaseSequence,
    names: Sequence[str],
    *,
    unknowns: Callable[[Floats], list[dict[str, Any]]] | None = None,
    workers: int = 1,
    batch: Batch | None = None,
) -> RestPlaces:
    """A RestPlaces that runs probes: `base` scenario, released by `plan` with `names` changed.

    A run that is not trusted has no place of rest.

    base      built-in name, file, or table of a scenario with a [release]
    names     of PARAMETERS, in the order of the values
    unknowns  gives, for the draws, a table laid over the scenario of each run: restitution, friction,
              mu (use a generator of your own with a fixed seed, so that numbers stay common)
    """
    for name in names:
        if name not in PARAMETERS:
            raise ConfigError("release design", f"'{name}'", ", ".join(PARAMETERS), "rename it")
    table = read_named(base)[0] if isinstance(base, str) else dict(base)
    run = batch or batch_of(str(table["scenario"]))

    def rest_places(values: Floats, draws: Floats) -> Floats:
        chosen = dict(zip(names, (float(value) for value in values), strict=True))
        place = {name: chosen.pop(name) for name in PLACES if name in chosen}
        sequence = replace(plan, **chosen).moved(**place)  # type: ignore[arg-type]
        extra = [{} for _ in draws] if unknowns is None else unknowns(draws)
        tables = [
            laid_over(laid_over(table, more), {"release": release})
            for more, release in zip(extra, releases(sequence, draws).tables(), strict=True)
        ]
        rows = many_runs(run(parse_many(tables, "release design"), workers=workers)).rows
        rest = np.array([[row[name] for name in REST] for row in rows], dtype=float)
        rest[[not row["trusted"] for row in rows]] = np.nan
        return rest

    return rest_places
