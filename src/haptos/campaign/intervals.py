"""How well a sample knows its mean, its quantiles and a share: 95 % intervals.

    mean       m - t* s / sqrt(n),  t* quantiles of (m_b - m) sqrt(n) / s_b over samples drawn anew    bootstrap-t
    quantile   from x_(l) to x_(u+1),  l and u quantiles of the binomial law of n draws at p           order statistics
    share      p of which p_0 = k/n is the edge of what a normal law at p, variance p (1 - p)/n, allows   Wilson

The bootstrap-t interval follows the skew of settling times, which Student's does not. Below 20 values there is too
little to draw from, above 2000 both agree, and Student's is taken; so it is where one value is so frequent that a draw
holds nothing else and has no t (a count that is nearly always zero). The interval of a quantile is the limit
of its bootstrap with endless draws, so nothing is drawn; NaN where the sample is too small to bound it.
Draws depend on the number of values only: the same table gives the same interval on every machine.
Validity: independent runs. Source: [Efron1993] chapter 12, [David2003] section 7.1, [Wilson1927].
"""

from __future__ import annotations

import functools
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from haptos.core.errors import HaptosError
from haptos.core.random_streams import stream

CITES: tuple[str, ...] = ("Efron1993", "David2003", "Wilson1927")

CONFIDENCE = 0.95  # [-]
RESAMPLES = 1999  # [-] the 2.5 % points of t are then known to 3 %
FEWEST_DRAWN, MOST_DRAWN = 20, 2000  # [values] between which the mean is bootstrapped
QUANTILES = {
    "q05": 0.05,
    "q25": 0.25,
    "median": 0.5,
    "q75": 0.75,
    "q95": 0.95,
}  # reported of a metric

Floats = NDArray[np.float64]


def mean_interval(values: ArrayLike) -> tuple[float, float]:
    """(low, high) of the mean of finite values; NaN for fewer than two."""
    finite = _finite(values)
    count = len(finite)
    if count < 2:
        return float("nan"), float("nan")
    mean, deviation = float(finite.mean()), float(finite.std(ddof=1))
    if np.ptp(finite) == 0.0 or not deviation > 0.0:  # a mean's rounding is no deviation
        return float(finite[0]), float(finite[0])
    drawn = None
    if FEWEST_DRAWN <= count <= MOST_DRAWN:
        drawn = _drawn_quantiles((finite - mean) / deviation)
    above, below = _student(count) if drawn is None else drawn
    step = deviation / count**0.5
    return mean - above * step, mean - below * step


def quantile_intervals(values: ArrayLike, shares: Sequence[float]) -> list[tuple[float, float]]:
    """(low, high) of each quantile of finite values; NaN for a side the sample cannot bound."""
    from scipy.stats import binom

    finite = np.sort(_finite(values))
    count, tail = len(finite), 0.5 * (1.0 - CONFIDENCE)
    intervals = []
    for share in shares:
        if not 0.0 < share < 1.0:
            raise HaptosError("quantile interval", f"share {share}", "between 0 and 1", "0.5")
        # P(x_(l) > quantile) = P(Bin < l) <= tail, and likewise above.
        low = int(binom.ppf(tail, count, share)) - 1 if count else -1
        high = int(binom.ppf(1.0 - tail, count, share)) if count else 0
        bounded = (low >= 0, high < count)
        ends = (finite[low] if bounded[0] else np.nan, finite[high] if bounded[1] else np.nan)
        intervals.append((float(ends[0]), float(ends[1])))
    return intervals


def share_interval(hits: int, runs: int) -> tuple[float, float]:
    """(low, high) of the share hits / runs, Wilson's; NaN without runs. Source: [Wilson1927]."""
    from scipy.stats import binomtest

    if runs == 0:
        return float("nan"), float("nan")
    interval = binomtest(hits, runs).proportion_ci(CONFIDENCE, method="wilson")
    return float(interval.low), float(interval.high)


def _finite(values: ArrayLike) -> Floats:
    found = np.asarray(values, dtype=float)
    return np.asarray(found[np.isfinite(found)])


@functools.lru_cache(maxsize=64)
def _student(count: int) -> tuple[float, float]:
    from scipy.stats import t

    half = float(t.ppf(0.5 + 0.5 * CONFIDENCE, count - 1))
    return half, -half


def _drawn_quantiles(standard: Floats) -> tuple[float, float] | None:
    """(upper, lower) quantile of t* over samples drawn anew from standardised values.

    None where a draw holds one value over and over: its t is infinite, and left out would cut off a tail.
    """
    count = len(standard)
    weights = _weights(count)
    mean = weights @ standard / count
    square = weights @ standard**2 / count
    variance = np.maximum((square - mean**2) * count / (count - 1.0), 0.0)
    if not np.all(variance > 1e-12):  # [-] of 1, the variance of the values
        return None
    t_star = mean * count**0.5 / np.sqrt(variance)
    upper, lower = np.quantile(t_star, [0.5 + 0.5 * CONFIDENCE, 0.5 - 0.5 * CONFIDENCE])
    return float(upper), float(lower)


@functools.lru_cache(maxsize=2)
def _weights(count: int) -> Floats:
    """How often each value is drawn in each resample, (RESAMPLES, count); up to 32 MB."""
    generator = stream(0, count, name="bootstrap")
    drawn = generator.integers(count, size=(RESAMPLES, count))
    places = drawn + count * np.arange(RESAMPLES)[:, None]
    counts = np.bincount(places.ravel(), minlength=RESAMPLES * count)
    return counts.reshape(RESAMPLES, count).astype(float)
