"""Surface of a body as a series of spherical harmonics about its centre.

    r(phi, lambda) = sum_{j=0..J} sum_{k=0..j} (A_jk cos k lambda + B_jk sin k lambda) P_jk(sin phi)
                                                                                        Eq. (2.7)
    x = r cos phi cos lambda,  y = r cos phi sin lambda,  z = r sin phi, from the centre

    phi, lambda  latitude and longitude [rad]        J  degree of the series
    A_jk, B_jk   coefficients [m]; kept for fully normalised functions (see legendre.py), given and
                 taken in the unnormalised form of Eq. (2.7) by `from_unnormalised`, `unnormalised`
Frame: the axes of the body, latitude from its xy plane, longitude from its x axis.
Validity: star-shaped bodies: every ray from the centre meets the surface once. The series and its
derivatives in phi and lambda are finite everywhere. What is singular is the chart: at the poles all
longitudes are one point, the position does not change with lambda, and normals or curvatures built
from these derivatives divide by cos phi. Turn the axes there.
Source: [VanWal2018] section 2.2.1; normalised functions: [Holmes2002].
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from haptos.core.errors import GeometryError
from haptos.geometry.mesh.icosphere import icosphere
from haptos.geometry.shape.legendre import (
    LARGEST_DEGREE,
    latitude_derivative,
    legendre_functions,
    normalisation,
    rows,
)

CITES: tuple[str, ...] = ("VanWal2018", "Holmes2002")

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

WHERE = "spherical harmonics"
NUMBERS_AT_ONCE = 2_000_000  # of one table of Legendre functions, 16 MB
LEVELS = range(9)  # of meshes: 12 to 655,362 vertices

# radius [m] and its partial derivatives [m/rad, m/rad^2] at n places, each of shape (n,)
RadiusDerivatives = namedtuple(
    "RadiusDerivatives", "radius by_phi by_lambda by_phi_phi by_phi_lambda by_lambda_lambda"
)


@dataclass(frozen=True, eq=False)
class HarmonicSurface:
    """Radius over latitude and longitude.

    cosine, sine  A_jk and B_jk [m] of fully normalised functions, shape (J + 1, J + 1): row j,
                  column k; zero where k > j, and B_j0 = 0
    centre        [m], (3,), point of the body's frame that rays start from
    """

    cosine: Floats
    sine: Floats
    centre: Floats

    def __init__(
        self, cosine: ArrayLike, sine: ArrayLike, centre: ArrayLike = (0.0, 0.0, 0.0)
    ) -> None:
        parts = {"cosine": cosine, "sine": sine, "centre": centre}
        for name, given in parts.items():
            values = np.array(given, dtype=float)
            if not np.all(np.isfinite(values)):
                found = f"a value of {name} that is not finite"
                raise GeometryError(WHERE, found, "finite numbers", "check where they come from")
            values.flags.writeable = False
            object.__setattr__(self, name, values)
        _require_triangles(self.cosine, self.sine)
        if self.centre.shape != (3,):
            found = f"a centre of shape {self.centre.shape}"
            raise GeometryError(WHERE, found, "shape (3,)", "(0.0, 0.0, 0.0)")

    @classmethod
    def from_unnormalised(
        cls,
        cosine: ArrayLike,
        sine: ArrayLike,
        centre: ArrayLike = (0.0, 0.0, 0.0),
        *,
        alternating: bool = False,
    ) -> HarmonicSurface:
        """Surface from the coefficients of Eq. (2.7) [m], shape (J + 1, J + 1).

        alternating  whether their functions carry the factor (-1)^k
        """
        given = np.array(cosine, dtype=float)
        factor = _factor(len(given) - 1, alternating)
        return cls(given / factor, np.array(sine, dtype=float) / factor, centre)

    def unnormalised(self, *, alternating: bool = False) -> tuple[Floats, Floats]:
        """(A, B) [m] of Eq. (2.7), shape (J + 1, J + 1)."""
        factor = _factor(self.degree, alternating)
        return self.cosine * factor, self.sine * factor

    @property
    def degree(self) -> int:
        """J, highest degree of the series."""
        return len(self.cosine) - 1

    def radius(self, latitude: ArrayLike, longitude: ArrayLike) -> Floats:
        """r [m] at latitudes and longitudes [rad], arrays of one shape or that broadcast."""
        phi, lam = np.broadcast_arrays(
            np.asarray(latitude, dtype=float), np.asarray(longitude, dtype=float)
        )
        a, b = self._columns()
        _, k = rows(self.degree)
        parts = []
        for p, angle in _pieces(self.degree, phi.ravel(), lam.ravel()):
            wave = a * np.cos(angle)[k] + b * np.sin(angle)[k]
            parts.append(np.einsum("rn,rn->n", wave, legendre_functions(self.degree, p)))
        return np.concatenate(parts or [np.empty(0)]).reshape(phi.shape)

    def derivatives(self, latitude: ArrayLike, longitude: ArrayLike) -> RadiusDerivatives:
        """r and its first and second derivatives in phi and lambda, shapes as for `radius`."""
        phi, lam = np.broadcast_arrays(
            np.asarray(latitude, dtype=float), np.asarray(longitude, dtype=float)
        )
        a, b = self._columns()
        _, k = rows(self.degree)
        k_column = k[:, None].astype(float)
        parts: list[Floats] = []
        for p, angle in _pieces(self.degree, phi.ravel(), lam.ravel()):
            c, s = np.cos(angle)[k], np.sin(angle)[k]
            wave, along = a * c + b * s, k_column * (b * c - a * s)
            table = legendre_functions(self.degree, p)
            slope = latitude_derivative(self.degree, table)
            bend = latitude_derivative(self.degree, slope)
            terms = (
                (wave, table), (wave, slope), (along, table), (wave, bend), (along, slope),
                (-(k_column**2) * wave, table),
            )  # fmt: skip
            parts.append(np.array([np.einsum("rn,rn->n", one, two) for one, two in terms]))
        six = np.concatenate(parts or [np.empty((6, 0))], axis=1)
        return RadiusDerivatives(*(row.reshape(phi.shape) for row in six))

    def points(self, latitude: ArrayLike, longitude: ArrayLike) -> Floats:
        """Points [m] of the surface in the body's frame, shape (..., 3)."""
        phi, lam = np.broadcast_arrays(
            np.asarray(latitude, dtype=float), np.asarray(longitude, dtype=float)
        )
        toward = np.stack(
            [np.cos(phi) * np.cos(lam), np.cos(phi) * np.sin(lam), np.sin(phi)], axis=-1
        )
        return np.asarray(self.centre + self.radius(phi, lam)[..., None] * toward)

    def mesh(self, level: int = 5) -> tuple[Floats, Integers]:
        """(vertices [m], faces): closed, outward, on directions spread evenly over the sphere.

        level  times an icosahedron is split: 10 4^level + 2 vertices, 20 4^level facets. Waves of
        degree J need facets well below pi/J rad: level 5 (2 deg) shows degrees up to about 40.
        """
        if level not in LEVELS:
            allowed = f"{LEVELS[0]} to {LEVELS[-1]}"
            raise GeometryError(WHERE, f"level {level}", allowed, "level 5")
        toward, faces = icosphere(level)
        length = self.radius(*latitude_longitude(toward))
        if length.min() <= 0.0:
            found = f"a radius of {length.min():.4g} m"
            hint = "a lower degree, or another centre"
            raise GeometryError(WHERE, found, "radii > 0 in every direction", hint)
        return self.centre + length[:, None] * toward, faces

    def _columns(self) -> tuple[Floats, Floats]:
        """Coefficients in the order of a Legendre table, shape (rows, 1)."""
        j, k = rows(self.degree)
        return self.cosine[j, k][:, None], self.sine[j, k][:, None]


def latitude_longitude(toward: ArrayLike) -> tuple[Floats, Floats]:
    """Latitude and longitude [rad] of vectors of any length > 0, shape (..., 3)."""
    x, y, z = np.moveaxis(np.asarray(toward, dtype=float), -1, 0)
    return np.arctan2(z, np.hypot(x, y)), np.arctan2(y, x)


def _pieces(degree: int, phi: Floats, lam: Floats) -> Iterator[tuple[Floats, Floats]]:
    """(latitudes, k lambda for k = 0..J) of so many places that their tables stay small."""
    size = max(1, NUMBERS_AT_ONCE // len(rows(degree)[0]))
    orders = np.arange(degree + 1)[:, None]
    for low in range(0, len(phi), size):
        yield phi[low : low + size], orders * lam[low : low + size]


def _factor(degree: int, alternating: bool) -> Floats:
    """Unnormalised over normalised coefficients, refused where it is no longer a number."""
    factor = normalisation(degree)
    if factor.min() < np.finfo(float).tiny:
        raise GeometryError(
            WHERE,
            f"degree {degree} in unnormalised form",
            "degrees whose factors a double holds, up to about 150",
            "normalised coefficients",
        )
    return factor * (-1.0) ** np.arange(degree + 1) if alternating else factor


def _require_triangles(cosine: Floats, sine: Floats) -> None:
    shape = cosine.shape
    if len(shape) != 2 or shape[0] != shape[1] or sine.shape != shape or shape[0] == 0:
        found = f"coefficients of shapes {shape} and {sine.shape}"
        raise GeometryError(WHERE, found, "two squares (J + 1, J + 1)", "rows j, columns k")
    if shape[0] - 1 > LARGEST_DEGREE:
        found = f"degree {shape[0] - 1}"
        raise GeometryError(WHERE, found, f"up to {LARGEST_DEGREE}", "a lower degree")
    if np.any(np.triu(cosine, 1)) or np.any(np.triu(sine, 1)) or np.any(sine[:, 0]):
        found = "a coefficient that belongs to no harmonic"
        hint = "zeros there; check that rows are degrees and columns orders"
        raise GeometryError(WHERE, found, "zero for k > j, and B_j0 = 0", hint)
