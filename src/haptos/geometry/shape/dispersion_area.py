"""How much ground the places of rest cover: areas that hold 68.27, 95.45, 99.73 % of them.

    f_g = C sum_i exp(-|c_g - c_i|^2 / (2 h^2)),   sum_g f_g A_g = 1,   h = s (4 / ((d + 2) n))^(1/(d+4))
    A_p = sum of A_g where f_g >= f_p

    c_g, A_g   centre [m] and area [m^2] of facet g         c_i   centre of the facet nearest to place i
    n          number of places                             d     2, the dimension of the ground
    s          fourth root of the product of the two largest eigenvalues of their covariance [m]
    f_p        level of density that a share p of the places exceeds, each judged by the others only
Taking the level from the places keeps A_p free of the widening by the kernel. The published form
(`published=True`) has d = 3 and adds facets by falling density until sum f A reaches p, which at
1000 places is some 10 % more. Intervals are A_p exp(-+ z S), S the spread of log A_p over random halves
of the places, which is that of samples as large as the whole; draws with replacement repeat places
and would see too little spread. None is given where fewer than thirty places lie outside.
Frame: axes of the mesh. Validity: near-equal facets, smaller than the area; places on or close to the
mesh; one bandwidth for the whole body, so for separate clusters of very unlike size it is too wide for the small one.
Source: [VanWal2018] section 4.2 (areas), [Silverman1986] (bandwidth), [Hyndman1996] (level),
[Shao1989] (halves).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from haptos.core.errors import GeometryError
from haptos.geometry.mesh.facet_measures import facet_areas, facet_centres

CITES: tuple[str, ...] = ("VanWal2018", "Silverman1986", "Hyndman1996", "Shao1989")

SIGMA_SHARES = (0.6827, 0.9545, 0.9973)  # [-] of a normal law within 1, 2, 3 sigma
FEWEST_PLACES = 10  # [-] assumed; fewer say nothing about an area
FEWEST_OUTSIDE = 30.0  # [-] places beyond an edge for its interval; with ten it covers 86 %
KERNEL_REACH = 4.0  # [bandwidths] beyond which the kernel is below 4e-4 of its top
MOST_PAIRS = 60_000_000  # [-] of facets within reach of each other, about 1 GB
NORMAL_95 = 1.959964  # [-] half of a 95 % interval, in standard deviations

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class DispersionAreas:
    """Areas per share, and the density behind them.

    shares     [-], (k,)                  areas      [m^2], (k,)
    low, high  95 % intervals [m^2], (k,); NaN where they cannot be known
    levels     density at the edge of each area [1/m^2], (k,)
    density    [1/m^2], per facet, (m,); its sum times facet areas is 1
    bandwidth  h [m]                      places     number of places of rest
    """

    shares: Floats
    areas: Floats
    low: Floats
    high: Floats
    levels: Floats
    density: Floats
    bandwidth: float
    places: int

    @property
    def zones(self) -> Integers:
        """Per facet: 1 within the smallest area, 2 within the next, ...; 0 outside all."""
        within = (self.density[:, None] >= self.levels) & (self.density[:, None] > 0.0)
        return np.where(within.any(axis=1), len(self.levels) + 1 - within.sum(axis=1), 0)


def dispersion_areas(
    places: ArrayLike,
    vertices: ArrayLike,
    faces: ArrayLike,
    *,
    shares: ArrayLike = SIGMA_SHARES,
    bandwidth: float | None = None,
    published: bool = False,
    resamples: int = 200,
    seed: int = 0,
) -> DispersionAreas:
    """Dispersion areas of places of rest [m], (n, 3), on the mesh (vertices [m], faces).

    bandwidth  h [m] > 0, by the rule above if left out; never below a quarter of a facet's side
    resamples  draws for the intervals; 0 for none
    """
    from scipy.spatial import cKDTree

    points = np.asarray(places, dtype=float)
    wanted = np.asarray(shares, dtype=float)
    _check(points, wanted, bandwidth)
    areas, centres = facet_areas(vertices, faces), facet_centres(vertices, faces)
    tree = cKDTree(centres)
    counts = np.bincount(tree.query(points)[1], minlength=len(centres)).astype(float)
    width = _bandwidth(points, 3 if published else 2) if bandwidth is None else float(bandwidth)
    width = max(width, 0.25 * float(np.sqrt(np.median(areas))))  # a facet is the finest there is
    occupied = np.flatnonzero(counts)
    kernel = _kernel(tree, centres[occupied], width)
    found = _Resampling(areas, occupied, kernel, wanted, published)
    estimate, levels, density = found.areas_of(counts[occupied])
    spread = found.spread(counts[occupied], resamples, seed)
    factor = np.exp(NORMAL_95 * spread)
    scale = float(density @ areas)
    return DispersionAreas(
        wanted,
        estimate,
        estimate / factor,
        estimate * factor,
        levels / scale,
        density / scale,
        width,
        len(points),
    )


@dataclass(frozen=True, eq=False)
class _Resampling:
    """What all resamples share: facet areas, which facets hold places, kernel between them."""

    areas: Floats
    occupied: Integers
    kernel: Any  # sparse, (facets, occupied)
    shares: Floats
    published: bool

    def areas_of(self, counts: Floats) -> tuple[Floats, Floats, Floats]:
        """(areas [m^2], levels, density), not yet normalised, of places per occupied facet."""
        density = self.kernel @ counts
        if self.published:
            order = np.argsort(-density, kind="stable")
            held = np.cumsum((density * self.areas)[order])
            last = np.minimum(np.searchsorted(held, self.shares * held[-1]), len(held) - 1)
            levels = density[order][last]
        else:
            others = density[self.occupied] - 1.0  # without the place itself, whose kernel is 1
            present = counts > 0.0
            levels = _weighted_levels(others[present], counts[present], self.shares)
        reached = (density[:, None] >= levels) & (density[:, None] > 0.0)
        return self.areas @ reached, levels, density

    def spread(self, counts: Floats, resamples: int, seed: int) -> Floats:
        """Standard deviation of log area over halves of the places, that of the whole of them."""
        if resamples < 2:
            return np.full(len(self.shares), np.nan)
        total = int(counts.sum())
        generator = np.random.default_rng(seed)
        whole = counts.astype(np.int64)
        drawn = generator.multivariate_hypergeometric(
            whole, total // 2, size=resamples, method="marginals"
        )
        logs = np.log([self.areas_of(sample.astype(float))[0] for sample in drawn])
        known = (1.0 - self.shares) * total >= FEWEST_OUTSIDE
        return np.where(known, logs.std(axis=0, ddof=1), np.nan)


def _weighted_levels(density: Floats, weights: Floats, shares: Floats) -> Floats:
    """Level that each share of the weight exceeds."""
    order = np.argsort(-density, kind="stable")
    held = np.cumsum(weights[order])
    last = np.minimum(np.searchsorted(held, shares * held[-1]), len(held) - 1)
    return np.asarray(density[order][last])


def _bandwidth(points: Floats, dimension: int) -> float:
    """h [m] by the rule of [Silverman1986]."""
    spreads = np.linalg.eigvalsh(np.cov(points.T))
    side = float(max(spreads[1], 0.0) * spreads[2]) ** 0.25
    exponent = 1.0 / (dimension + 4.0)
    return side * (4.0 / ((dimension + 2.0) * len(points))) ** exponent


def _kernel(tree: Any, places: Floats, width: float) -> Any:
    """exp(-r^2 / 2 h^2) between all facets and those that hold places, sparse."""
    from scipy.sparse import csr_array
    from scipy.spatial import cKDTree

    own, reach = cKDTree(places), KERNEL_REACH * width
    pairs = int(own.count_neighbors(tree, reach))
    if pairs > MOST_PAIRS:
        found = f"{pairs} pairs of facets within {reach:.4g} m"
        hint = "use a coarser mesh of the body, or give a smaller bandwidth"
        raise GeometryError("dispersion area", found, f"at most {MOST_PAIRS}", hint)
    near = tree.sparse_distance_matrix(own, reach, output_type="ndarray")
    weight = np.exp(-0.5 * (near["v"] / width) ** 2)
    return csr_array((weight, (near["i"], near["j"])), shape=(tree.n, len(places)))


def _check(points: Floats, shares: Floats, bandwidth: float | None) -> None:
    where = "dispersion area"
    if bandwidth is not None and not 0.0 < bandwidth < np.inf:
        hint = "leave it out for the rule"
        raise GeometryError(where, f"bandwidth {bandwidth}", "metres above 0", hint)
    if points.ndim != 2 or points.shape[1] != 3 or not np.isfinite(points).all():
        found = f"places of shape {points.shape}, or not finite"
        raise GeometryError(where, found, "finite places, shape (n, 3)", "drop runs not at rest")
    if len(points) < FEWEST_PLACES:
        hint = "run more"
        raise GeometryError(where, f"{len(points)} places", f"at least {FEWEST_PLACES}", hint)
    if shares.ndim != 1 or not np.all((shares > 0.0) & (shares < 1.0)):
        hint = f"shares = {SIGMA_SHARES}"
        raise GeometryError(where, f"shares {shares.tolist()}", "between 0 and 1", hint)
