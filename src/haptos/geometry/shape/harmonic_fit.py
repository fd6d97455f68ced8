"""Spherical harmonics through the vertices of a mesh, with the error at vertices left out.

    minimise  sum_i (r(phi_i, lambda_i) - r_i)^2     over the (J + 1)^2 coefficients

by linear least squares on most vertices; the root mean square of the radius error at the others,
drawn at random, tells a degree that smooths too much from one that follows single vertices. That
number depends on the draw: a hundred vertices give it to about 11 %, so `best_degree` takes the
median over several draws.
Validity: vertices seen once from the centre, and more of them than coefficients.
Source: [VanWal2018] chapter 3, who fits the residual in several passes [Shen2006] instead; the linear
fit is the minimum that such passes approach.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from haptos.core.errors import GeometryError
from haptos.core.random_streams import stream
from haptos.geometry.shape.legendre import LARGEST_DEGREE, legendre_functions, rows
from haptos.geometry.shape.spherical_harmonics import HarmonicSurface, latitude_longitude

CITES: tuple[str, ...] = ("VanWal2018", "Shen2006")

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

WHERE = "fit of spherical harmonics"
HELD_OUT = 100  # vertices, as in the source
SEEDS = (0, 1, 2, 3, 4)  # draws whose median `best_degree` takes
OVERHANG = 1e-3  # [-] share of the surface that may face the centre: stray facets, no overhang
STEEPEST = 20.0  # [-] radius change over way across, between neighbours seen from the centre
SMALLEST_PIVOT = 1e-5  # [-], below this share of the largest the fit has no unique answer

# surface, held_out_rms_m and fit_rms_m [m], root mean square errors of the radius
HarmonicFit = namedtuple("HarmonicFit", "surface held_out_rms_m fit_rms_m")
# best degree; degrees tried and, for each, median errors over the draws [m]
DegreeScan = namedtuple("DegreeScan", "degree degrees held_out_rms_m fit_rms_m")


def fit_harmonics(
    vertices: ArrayLike,
    degree: int,
    held_out: int = HELD_OUT,
    seed: int = 0,
    *,
    faces: ArrayLike | None = None,
    centre: ArrayLike = (0.0, 0.0, 0.0),
) -> HarmonicFit:
    """(surface, held_out_rms_m, fit_rms_m): the series of a degree through vertices [m], (n, 3).

    held_out  vertices left out of the fit, drawn by `seed`; 0 for none, the error is then NaN
    faces     corner indices (m, 3), outward; with them a body with overhangs is refused exactly,
              without them only where neighbouring vertices show it
    centre    [m] that the rays start from
    """
    lengths, columns = _checked(vertices, [degree], held_out, faces, centre)
    ((values, held, fitted),) = _solved(lengths, columns, [degree], held_out, seed)
    j, k = rows(degree)
    cosine, sine = np.zeros((degree + 1, degree + 1)), np.zeros((degree + 1, degree + 1))
    cosine[j, k] = values[j * j + k]
    sine[j, k] = np.where(k > 0, values[j * j + k + np.where(k > 0, j, 0)], 0.0)
    return HarmonicFit(HarmonicSurface(cosine, sine, centre), held, fitted)


def best_degree(
    vertices: ArrayLike,
    degrees: Sequence[int],
    held_out: int = HELD_OUT,
    seeds: Sequence[int] = SEEDS,
    *,
    faces: ArrayLike | None = None,
    centre: ArrayLike = (0.0, 0.0, 0.0),
) -> DegreeScan:
    """The degree with the smallest held-out error, and the errors of all that were tried.

    Errors are medians over the draws of `seeds`; otherwise as `fit_harmonics`.
    """
    tried = sorted(set(degrees))
    if not tried or not seeds or held_out < 1:
        found = f"{len(tried)} degrees, {len(seeds)} seeds, {held_out} vertices held out"
        raise GeometryError(WHERE, found, "at least one of each", "degrees=range(4, 33, 4)")
    lengths, columns = _checked(vertices, tried, held_out, faces, centre)
    gram = columns.T @ columns
    errors = np.array(
        [
            [fit[1:] for fit in _solved(lengths, columns, tried, held_out, seed, gram)]
            for seed in seeds
        ]
    )
    held, fitted = np.median(errors, axis=0).T
    return DegreeScan(tried[int(np.argmin(held))], np.array(tried), held, fitted)


def _checked(
    vertices: ArrayLike,
    degrees: Sequence[int],
    held_out: int,
    faces: ArrayLike | None,
    centre: ArrayLike,
) -> tuple[Floats, Floats]:
    """(radii [m], (n,), harmonics of the highest degree there (n, (J + 1)^2)), or a refusal."""
    points = np.asarray(vertices, dtype=float)
    if points.ndim != 2 or points.shape[1] != 3 or not np.all(np.isfinite(points)):
        found = f"vertices of shape {points.shape}, or not finite"
        raise GeometryError(WHERE, found, "finite, shape (n, 3)", "vertices of a mesh in metres")
    highest, lowest = max(degrees), min(degrees)
    if lowest < 0 or highest > LARGEST_DEGREE:
        found = f"degrees {lowest} to {highest}"
        raise GeometryError(WHERE, found, f"0 to {LARGEST_DEGREE}", "16 for a few thousand")
    if held_out < 0 or len(points) - held_out < (highest + 1) ** 2:
        largest = int(np.sqrt(max(len(points) - held_out, 1))) - 1
        raise GeometryError(
            WHERE,
            f"{len(points)} vertices, {held_out} of them held out, for "
            f"{(highest + 1) ** 2} coefficients of degree {highest}",
            "more vertices than coefficients",
            f"degree {max(largest // 2, 0)}, or a finer mesh",
        )
    rays = points - np.asarray(centre, dtype=float)
    lengths = np.linalg.norm(rays, axis=1)
    _require_star_shape(rays, lengths, faces)
    return lengths, harmonic_columns(highest, *latitude_longitude(rays))


def harmonic_columns(degree: int, latitude: Floats, longitude: Floats) -> Floats:
    """All harmonics at n places, shape (n, (J + 1)^2): cosines then sines of degree 0, 1, 2, ..."""
    j, k = rows(degree)
    table = legendre_functions(degree, latitude)
    angle = np.arange(degree + 1)[:, None] * longitude
    columns = np.empty(((degree + 1) ** 2, len(latitude)))
    columns[j * j + k] = table * np.cos(angle)[k]
    waves = k > 0
    columns[(j * j + j + k)[waves]] = (table * np.sin(angle)[k])[waves]
    return columns.T


def _solved(
    lengths: Floats,
    columns: Floats,
    degrees: Sequence[int],
    held_out: int,
    seed: int,
    gram: Floats | None = None,
) -> list[tuple[Floats, float, float]]:
    """(coefficients in the order of the columns, held-out error, fit error [m]) of each degree.

    One Cholesky factor of the normal equations serves all degrees: that of a lower degree is its
    leading block. One step of refinement gives back the digits that squaring the columns costs.
    """
    from scipy.linalg import solve_triangular

    order = stream(seed, 0, "held-out vertices").permutation(len(lengths))
    out, kept = order[:held_out], np.sort(order[held_out:])
    if gram is None:
        gram = columns.T @ columns
    factor = _cholesky(gram - columns[out].T @ columns[out])
    fits = []
    for degree in degrees:
        count = (degree + 1) ** 2
        used, left = columns[:, :count], lengths.copy()
        left[out] = 0.0
        values = np.zeros(count)
        for _ in range(2):
            right = used.T @ left
            half = solve_triangular(factor[:count, :count], right, lower=True)
            values += solve_triangular(factor[:count, :count], half, lower=True, trans="T")
            left = lengths - used @ values
            left[out] = 0.0
        error = used @ values - lengths
        held = float(np.sqrt(np.mean(error[out] ** 2))) if held_out else float("nan")
        fits.append((values, held, float(np.sqrt(np.mean(error[kept] ** 2)))))
    return fits


def _cholesky(gram: Floats) -> Floats:
    """Lower factor of the normal equations, or a refusal where they have no one answer."""
    from scipy.linalg import LinAlgError, cholesky

    try:
        factor = np.asarray(cholesky(gram, lower=True))
        pivots = np.diag(factor)
        is_unique = float(pivots.min()) > SMALLEST_PIVOT * float(pivots.max())
    except LinAlgError:
        is_unique = False
    if not is_unique:
        raise GeometryError(
            WHERE,
            f"vertices that do not fix the {len(gram)} coefficients",
            "vertices all around the body",
            "a lower degree, or a mesh without gaps",
        )
    return factor


def _require_star_shape(rays: Floats, lengths: Floats, faces: ArrayLike | None) -> None:
    if lengths.min() <= 1e-9 * lengths.max():
        found = "a vertex on the centre"
        raise GeometryError(WHERE, found, "a centre inside the body", "the centre of mass")
    if faces is None:
        _require_one_radius(rays, lengths)
        return
    a, b, c = (rays[np.asarray(faces)[:, k]] for k in range(3))
    normal = np.cross(b - a, c - a)
    area = np.linalg.norm(normal, axis=1)
    toward = np.einsum("fi,fi->f", a, normal) <= 0.0
    share = float(area[toward].sum() / area.sum())
    if share > OVERHANG:
        raise GeometryError(
            WHERE,
            f"a body whose facets face its centre on {100.0 * share:.2g} % of the surface: "
            "rays from the centre meet it more than once",
            f"a star-shaped body (at most {100.0 * OVERHANG:g} %)",
            "another centre, or use the mesh as it is",
        )
    turns = float(np.sum(_solid_angles(a, b, c)) / (4.0 * np.pi))
    if abs(turns - 1.0) > 0.1:
        found = f"a surface that goes round the centre {turns:.3g} times"
        raise GeometryError(WHERE, found, "once", "a centre inside a closed mesh")


def _solid_angles(a: Floats, b: Floats, c: Floats) -> Floats:
    """Solid angle [sr] of triangles seen from the origin, > 0 seen from inside."""
    la, lb, lc = (np.linalg.norm(side, axis=1) for side in (a, b, c))
    ab, bc, ca = (np.einsum("fi,fi->f", p, q) for p, q in ((a, b), (b, c), (c, a)))
    triple = np.einsum("fi,fi->f", a, np.cross(b, c))
    return np.asarray(2.0 * np.arctan2(triple, la * lb * lc + ab * lc + bc * la + ca * lb))


def _require_one_radius(rays: Floats, lengths: Floats) -> None:
    """Refuse vertices that lie behind each other: more apart along the ray than any slope."""
    from scipy.spatial import cKDTree

    toward = rays / lengths[:, None]
    distance, index = cKDTree(toward).query(toward, k=2)
    apart = np.abs(lengths - lengths[index[:, 1]])
    across = lengths * distance[:, 1]
    spacing = lengths * np.sqrt(4.0 * np.pi / len(lengths))
    behind = (apart > STEEPEST * across) & (apart > spacing)
    if np.any(behind):
        raise GeometryError(
            WHERE,
            f"{int(behind.sum())} vertices that lie behind others, seen from the centre",
            "a star-shaped body: every ray meets the surface once",
            "another centre, or use the mesh as it is",
        )
