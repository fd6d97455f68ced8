"""Curvature of a surface r(phi, lambda) given by spherical harmonics, of any degree.

With the gradient g_i and second derivatives h_ij of the radius on the unit sphere, along north (n)
and east (e):

    g_n = r_phi,   g_e = r_lambda / cos phi
    h_nn = r_phiphi,   h_ne = (r_philambda + tan phi r_lambda) / cos phi
    h_ee = r_lambdalambda / cos^2 phi - tan phi r_phi
    I_ij = r^2 d_ij + g_i g_j
    II_ij = (r^2 d_ij + 2 g_i g_j - r h_ij) / w,   w = sqrt(r^2 + |g|^2),   N = (r u - g) / w

    r  radius [m] along the unit vector u          I, II  fundamental forms [m^2], [m]
Frame: that of the series. Validity: star-shaped surfaces; the chart divides by cos phi, so points
closer to a pole than CUT are taken at CUT from it, which moves them by 1e-4 of the radius.
Source: [DoCarmo1976] ch. 3 for the forms; [VanWal2018] section 3.3 for the use.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from haptos.geometry.shape.curvature import CurvedGround, from_forms
from haptos.geometry.shape.spherical_harmonics import HarmonicSurface

CITES: tuple[str, ...] = ("DoCarmo1976", "VanWal2018")

Floats = NDArray[np.float64]

CUT = 1e-4  # [rad]; rounding grows as 1 / cos^2 phi, to 1e-8 here


def harmonic_curvature(
    surface: HarmonicSurface, latitude: ArrayLike, longitude: ArrayLike
) -> CurvedGround:
    """Normals and curvatures at latitudes and longitudes [rad], arrays that broadcast, flattened."""
    phi, lam = (
        np.ravel(angle)
        for angle in np.broadcast_arrays(
            np.asarray(latitude, dtype=float), np.asarray(longitude, dtype=float)
        )
    )
    phi = np.clip(phi, -0.5 * np.pi + CUT, 0.5 * np.pi - CUT)
    at = surface.derivatives(phi, lam)
    cosine, tangent = np.cos(phi), np.tan(phi)
    north, east = at.by_phi, at.by_lambda / cosine
    h_nn = at.by_phi_phi
    h_ne = (at.by_phi_lambda + tangent * at.by_lambda) / cosine
    h_ee = at.by_lambda_lambda / cosine**2 - tangent * at.by_phi
    square, width = at.radius**2, np.sqrt(at.radius**2 + north**2 + east**2)
    second = np.stack(
        [
            square + 2.0 * north**2 - at.radius * h_nn,
            2.0 * north * east - at.radius * h_ne,
            square + 2.0 * east**2 - at.radius * h_ee,
        ],
        axis=1,
    )
    up, to_north, to_east = _directions(phi, lam)
    r, g_n, g_e, w = (part[:, None] for part in (at.radius, north, east, width))
    normal = (r * up - g_n * to_north - g_e * to_east) / w
    tangents = (g_n * up + r * to_north, g_e * up + r * to_east)
    return from_forms(surface.centre + r * up, normal, tangents, second / w)


def _directions(phi: Floats, lam: Floats) -> tuple[Floats, Floats, Floats]:
    """(up, north, east) unit vectors of the sphere, each of shape (n, 3)."""
    c, s, cl, sl = np.cos(phi), np.sin(phi), np.cos(lam), np.sin(lam)
    up = np.stack([c * cl, c * sl, s], axis=1)
    north = np.stack([-s * cl, -s * sl, c], axis=1)
    return up, north, np.stack([-sl, cl, np.zeros_like(sl)], axis=1)
