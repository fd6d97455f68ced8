"""Rows of the page on landers: what is expected, what was found, how sure, and the verdict.

holds      the statement is true with 95 % confidence (or the number lies within its tolerance)
fails      the contrary is true with 95 % confidence (or the number lies outside)
undecided  the 95 % interval holds both: more runs would be needed
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from haptos.campaign.intervals import share_interval
from haptos.geometry.mesh.procedural_bodies import procedural_body
from haptos.geometry.shape.dispersion_area import NORMAL_95, dispersion_areas
from haptos.results.rests import known_rests
from tests.validation.lander_cases import ASKED, runs_of
from tests.validation.shape_models import shape_model

Verdict = Literal["holds", "fails", "undecided", "reported"]
RESAMPLES = 1000


@dataclass(frozen=True)
class Row:
    """One line of the page; `reported` is a number that no statement judges.

    runs         behind it             is_identity  it could not but hold
    otherwise    its standing if it does not hold, where that is not "ours fails" or "open"
    """

    item: str
    body: str
    what: str
    expected: str
    found: str
    verdict: Verdict
    note: str = ""
    runs: str = ""
    is_identity: bool = False
    otherwise: str = ""


@dataclass(frozen=True)
class Estimate:
    """A number with its 95 % interval."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{_short(self.value)} [{_short(self.low)}, {_short(self.high)}]"

    @property
    def is_positive(self) -> Verdict:
        return "holds" if self.low > 0.0 else "fails" if self.high < 0.0 else "undecided"

    @property
    def is_negative(self) -> Verdict:
        return Estimate(-self.value, -self.high, -self.low).is_positive

    def within(self, low: float, high: float) -> Verdict:
        """Whether the number lies in a band: surely in it, surely not, or the interval crosses an edge."""
        if low <= self.low and self.high <= high:
            return "holds"
        return "fails" if self.high < low or self.low > high else "undecided"

    def near(self, low: float, high: float) -> Verdict:
        """Whether the value itself lies in a band, as tolerances are meant."""
        return "holds" if low <= self.value <= high else "fails"


def _short(value: float) -> str:
    return f"{value:.0f}" if abs(value) >= 1000.0 else f"{value:.3g}"


def worst(verdicts: Sequence[Verdict]) -> Verdict:
    """Of several statements that all belong to one row."""
    for verdict in ("fails", "undecided", "holds"):
        if verdict in verdicts:
            return verdict  # type: ignore[return-value]
    return "reported"


def bootstrap(
    statistic: Callable[[np.ndarray], float], count: int, seed: int = 1, repeats: int = RESAMPLES
) -> Estimate:
    """Percentile interval of a statistic of row numbers, drawn with replacement."""
    generator = np.random.default_rng(seed)
    drawn = [statistic(generator.integers(count, size=count)) for _ in range(repeats)]
    low, high = np.quantile(drawn, [0.025, 0.975])
    return Estimate(float(statistic(np.arange(count))), float(low), float(high))


def values(case: str, column: str, body: str) -> np.ndarray:
    """Column of a case; NaN where a run has none."""
    return runs_of(case, body)[column].to_numpy(dtype=float)


def mean(case: str, column: str, body: str) -> Estimate:
    found = values(case, column, body)
    found = found[np.isfinite(found)]
    return bootstrap(lambda rows: float(found[rows].mean()), len(found))


def paired(first: str, second: str, column: str, body: str) -> tuple[np.ndarray, np.ndarray]:
    """A column of two cases, over the releases that have a value in both."""
    a, b = values(first, column, body), values(second, column, body)
    count = min(len(a), len(b))
    both = np.isfinite(a[:count]) & np.isfinite(b[:count])
    return a[:count][both], b[:count][both]


def change(first: str, second: str, column: str, body: str) -> Estimate:
    """Mean of second less first; releases drawn together."""
    a, b = paired(first, second, column, body)
    return bootstrap(lambda rows: float((b - a)[rows].mean()), len(a))


def relative_change(first: str, second: str, column: str, body: str) -> Estimate:
    """Mean of second over mean of first, less one; releases drawn together."""
    a, b = paired(first, second, column, body)
    return bootstrap(lambda rows: float(b[rows].mean() / a[rows].mean() - 1.0), len(a))


def share(hits: np.ndarray) -> Estimate:
    """Share of true values, Wilson interval."""
    return Estimate(float(hits.mean()), *share_interval(int(hits.sum()), len(hits)))


def skewness(sample: np.ndarray) -> Estimate:
    from scipy.stats import skew

    found = sample[np.isfinite(sample)]
    return bootstrap(lambda rows: float(skew(found[rows])), len(found))


def mesh_of(body: str) -> tuple[np.ndarray, np.ndarray]:
    """The Itokawa of a body."""
    return procedural_body("bilobe", 5) if body == "built-in" else shape_model("itokawa")


def rests(case: str, body: str) -> np.ndarray:
    """Places of rest [m], (n, 3), of the runs that came to rest."""
    return known_rests(runs_of(case, body))


def area(case: str, body: str, sigma: int = 1) -> Estimate:
    """Dispersion area [m^2] with its interval."""
    ASKED.add((case, body))
    return _area(case, body, sigma)


@functools.cache
def _area(case: str, body: str, sigma: int) -> Estimate:
    found = dispersion_areas(rests(case, body), *mesh_of(body), resamples=100)
    k = sigma - 1
    return Estimate(float(found.areas[k]), float(found.low[k]), float(found.high[k]))


def area_ratio(first: str, second: str, body: str) -> Estimate:
    """log(area of second / area of first), taken as independent."""
    a, b = area(first, body), area(second, body)
    spread = [np.log(x.high / x.low) / (2.0 * NORMAL_95) for x in (a, b)]
    ratio = float(np.log(b.value / a.value))
    half = NORMAL_95 * float(np.hypot(*spread))
    return Estimate(ratio, ratio - half, ratio + half)


def spread(places: np.ndarray) -> float:
    """Mean distance [m] of places (n, 3) from their mean."""
    return float(np.linalg.norm(places - places.mean(axis=0), axis=1).mean())


def spread_change(first: str, second: str, body: str) -> Estimate:
    """Spread of the rests of second over that of first, less one; drawn one by one."""
    a, b = rests(first, body), rests(second, body)
    generator = np.random.default_rng(1)

    def drawn(places: np.ndarray) -> float:
        return spread(places[generator.integers(len(places), size=len(places))])

    ratios = [drawn(b) / drawn(a) - 1.0 for _ in range(RESAMPLES)]
    low, high = np.quantile(ratios, [0.025, 0.975])
    return Estimate(spread(b) / spread(a) - 1.0, float(low), float(high))


def percent(x: Estimate) -> str:
    return f"{x.value:+.0%} [{x.low:+.0%}, {x.high:+.0%}]"


def longitude_latitude(places: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Degrees."""
    radius = np.linalg.norm(places, axis=1)
    longitude = np.degrees(np.arctan2(places[:, 1], places[:, 0]))
    return longitude, np.degrees(np.arcsin(places[:, 2] / radius))


def first_points(case: str, body: str) -> np.ndarray:
    columns = [f"first_point_{axis}_m" for axis in "xyz"]
    points = runs_of(case, body)[columns].to_numpy(dtype=float)
    return points[np.isfinite(points).all(axis=1)]


def incidence(case: str, body: str) -> np.ndarray:
    """eta [deg] of the first impact: angle between the velocity reversed and the normal; 0 straight down."""
    runs = runs_of(case, body)
    velocity = runs[[f"first_velocity_before_{axis}_m_per_s" for axis in "xyz"]].to_numpy()
    normal = runs[[f"first_normal_{axis}" for axis in "xyz"]].to_numpy()
    cosine = -np.sum(velocity * normal, axis=1) / np.linalg.norm(velocity, axis=1)
    found = np.degrees(np.arccos(np.clip(cosine, -1.0, 1.0)))
    return np.asarray(found[np.isfinite(found)])


def with_runs(rows: Iterator[Row]) -> Iterator[Row]:
    """The rows, each with the number of runs and cases it asked for; one that asks for none shares those of the row before."""
    reported = ""
    while True:
        ASKED.clear()
        row = next(rows, None)
        if row is None:
            return
        asked = sorted(ASKED)
        if asked:
            total = sum(len(runs_of(case, body)) for case, body in asked)
            reported = f"{total} in {len(asked)}" if len(asked) > 1 else f"{total}"
        yield row if row.runs else replace(row, runs=reported)


def one_row(make: Callable[..., Row], *arguments: str) -> Iterator[Row]:
    """A row made when it is asked for, so that the cases it needs are counted as its own."""
    yield make(*arguments)
