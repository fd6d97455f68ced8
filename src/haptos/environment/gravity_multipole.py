"""Gravity of a homogeneous polyhedron from far away: its multipoles.

1 / |x - y| = Re sum_n sum_{m=0..n} (2 - delta_m0) conj(R_nm(y)) I_nm(x)
R_nm = r^n P_nm(cos theta) exp(i m phi) / (n + m)!
I_nm = (n - m)! P_nm(cos theta) exp(i m phi) / r^(n + 1)

The moments of the body are the integrals of R_nm over its volume. In this scaling a derivative of
I_nm is a neighbour of it, up to a sign and a half, so that g and its gradient are sums over the same
I_nm with shifted moments; they are shifted once, when the body is built.
Validity: outside the sphere about the centre that holds the body; the part left out falls like
(radius / distance)^(degree + 1) and is below 1e-13 beyond FAR radii at DEGREE.
Source: [Epton1995] for the two families; [Werner1997] for moments of a polyhedron.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from haptos.core.jit import device, entry, routine

CITES: tuple[str, ...] = ("Epton1995", "Werner1997")

Floats = NDArray[np.float64]
Complexes = NDArray[np.complex128]

DEGREE = 12  # [-], moments kept
FAR = 10.0  # [radii], where DEGREE leaves out less than 1e-13 and sums over faces lose as much
MULTIPOLE_SUMS = 10  # U, g (3), gradient (xx, xy, xz, yy, yz, zz)


def multipole_table(corners: Floats, degree: int = DEGREE) -> Floats:
    """Weights of Re I_nm and Im I_nm in U, g and gradient, shape (terms, 2, 10).

    For unit G rho. Terms run over n = m .. degree + 2 for m = 0, 1, ...: two derivatives raise
    the degree by two.
    corners  (f, 3, 3) face corners [radii] from the centre, outward
    """
    nodes, weights = _triangle_rule(degree)
    packed = np.zeros((degree + 1, degree + 1, 2))
    sum_moments(np.ascontiguousarray(corners), nodes, weights, packed)
    rank = degree + 3
    moments: Complexes = np.zeros((rank, rank), dtype=complex)
    moments[: degree + 1, : degree + 1] = packed[..., 0] + 1j * packed[..., 1]
    moments[:, 1:] *= 2.0
    x, y, z = _slopes(moments)
    second = [_slopes(part) for part in (x, y, z)]
    xx, xy, xz, yy, yz, zz = (second[i][j] for i in range(3) for j in range(i, 3))
    ten = np.stack([moments, x, y, z, xx, xy, xz, yy, yz, zz], axis=-1)
    terms = np.concatenate([ten[m:, m] for m in range(rank)])
    return np.ascontiguousarray(np.stack([terms.real, terms.imag], axis=1))


def _slopes(a: Complexes) -> tuple[Complexes, Complexes, Complexes]:
    """Moments of the derivatives along x, y, z of the field with moments a[n, m].

    With D = d/dx + i d/dy: D I_nm = -I_(n+1)(m+1), conj(D) I_nm = I_(n+1)(m-1) for m > 0,
    d/dz I_nm = -I_(n+1)m.
    """
    x, y, z = (np.zeros_like(a) for _ in range(3))
    z[1:] = -a[:-1]
    x[1:, 1] -= a[:-1, 0]
    y[1:, 1] -= 1j * a[:-1, 0]
    x[1:, 2:] -= 0.5 * a[:-1, 1:-1]
    y[1:, 2:] -= 0.5j * a[:-1, 1:-1]
    x[1:, :-1] += 0.5 * a[:-1, 1:]
    y[1:, :-1] -= 0.5j * a[:-1, 1:]
    for part in (x, y):
        part[:, 0] = part[:, 0].real  # I_n0 is real, so this half of the weight never counts
    return x, y, z


def _triangle_rule(degree: int) -> tuple[Floats, Floats]:
    """Barycentric nodes (q, 3) and weights (q,) on a triangle of area 1/2, exact to `degree`."""
    count = degree // 2 + 1  # the fold of the square adds one degree
    nodes, weights = np.polynomial.legendre.leggauss(count)
    u, wu = 0.5 * (nodes + 1.0), 0.5 * weights
    first = np.repeat(u, count)
    second = np.tile(u, count) * (1.0 - first)
    weight = np.repeat(wu * (1.0 - u), count) * np.tile(wu, count)
    return np.stack([1.0 - first - second, first, second], axis=1), weight


@entry
def sum_moments(corners, nodes, weights, moments):
    """Add the integrals of R_nm over the cones from the centre to every face; (n, m, 2) parts.

    A cone over a face with corners p, q, r: integral = p . q x r / (n + 3) times the mean over the
    face, since R_nm is homogeneous of degree n.
    """
    degree = moments.shape[0] - 1
    regular = np.zeros((degree + 1, degree + 1, 2))
    for f in range(len(corners)):
        p, q, r = corners[f, 0], corners[f, 1], corners[f, 2]
        volume = (
            p[0] * (q[1] * r[2] - q[2] * r[1])
            + p[1] * (q[2] * r[0] - q[0] * r[2])
            + p[2] * (q[0] * r[1] - q[1] * r[0])
        )
        for k in range(len(nodes)):
            a, b, c = nodes[k, 0], nodes[k, 1], nodes[k, 2]
            x = a * p[0] + b * q[0] + c * r[0]
            y = a * p[1] + b * q[1] + c * r[1]
            z = a * p[2] + b * q[2] + c * r[2]
            _regular_harmonics(x, y, z, regular)
            for n in range(degree + 1):
                weight = weights[k] * volume / (n + 3.0)
                for m in range(n + 1):
                    moments[n, m, 0] += weight * regular[n, m, 0]
                    moments[n, m, 1] += weight * regular[n, m, 1]


@routine
def _regular_harmonics(x, y, z, out):
    """R_nm into out[n, m] (real, imaginary) for n up to its size."""
    degree = out.shape[0] - 1
    r2 = x * x + y * y + z * z
    out[0, 0, 0], out[0, 0, 1] = 1.0, 0.0
    for m in range(degree + 1):
        if m > 0:
            re, im = out[m - 1, m - 1, 0], out[m - 1, m - 1, 1]
            out[m, m, 0] = (x * re - y * im) / (2.0 * m)
            out[m, m, 1] = (x * im + y * re) / (2.0 * m)
        for n in range(m + 1, degree + 1):
            scale = 1.0 / ((n + m) * (n - m))
            for part in range(2):
                below = out[n - 2, m, part] if n > m + 1 else 0.0
                out[n, m, part] = scale * ((2 * n - 1) * z * out[n - 1, m, part] - r2 * below)


@device
def _sector(m, px, py, re, im):
    """I_mm from I_(m-1)(m-1); (px, py) = (x, y) / r^2."""
    return (2 * m - 1) * (px * re - py * im), (2 * m - 1) * (px * im + py * re)


@device
def _rank(table):
    """Number of degrees in a table of rank (rank + 1) / 2 terms."""
    return int(math.sqrt(2.0 * len(table)))


@routine
def add_multipoles(table, x, out):
    """U, g and gradient (ten values) at the point x [radii], far away, into out[:10]; out[10] = 0.

    I_mm = (2 m - 1) (x + i y) / r^2 I_(m-1)(m-1)
    I_nm = ((2 n - 1) z I_(n-1)m - ((n - 1)^2 - m^2) I_(n-2)m) / r^2
    """
    for s in range(MULTIPOLE_SUMS + 1):
        out[s] = 0.0
    r2 = x[0] * x[0] + x[1] * x[1] + x[2] * x[2]
    px, py, pz = x[0] / r2, x[1] / r2, x[2] / r2
    sector_re, sector_im = 1.0 / math.sqrt(r2), 0.0
    rank, index = _rank(table), 0
    for m in range(rank):
        if m > 0:
            sector_re, sector_im = _sector(m, px, py, sector_re, sector_im)
        re, im, last_re, last_im = sector_re, sector_im, 0.0, 0.0
        for n in range(m, rank):
            if n > m:
                a, b = (2 * n - 1) * pz, ((n - 1) * (n - 1) - m * m) / r2
                re, last_re = a * re - b * last_re, re
                im, last_im = a * im - b * last_im, im
            for s in range(MULTIPOLE_SUMS):
                out[s] += table[index, 0, s] * re + table[index, 1, s] * im
            index += 1


@routine
def multipole_gravity(table, x):
    """(U, g) at the point x [radii], far away, from the first four sums of a table; no scratch."""
    r2 = x[0] * x[0] + x[1] * x[1] + x[2] * x[2]
    px, py, pz = x[0] / r2, x[1] / r2, x[2] / r2
    sector_re, sector_im = 1.0 / math.sqrt(r2), 0.0
    u, gx, gy, gz = 0.0, 0.0, 0.0, 0.0
    rank, index = _rank(table), 0
    for m in range(rank):
        if m > 0:
            sector_re, sector_im = _sector(m, px, py, sector_re, sector_im)
        re, im, last_re, last_im = sector_re, sector_im, 0.0, 0.0
        for n in range(m, rank):
            if n > m:
                a, b = (2 * n - 1) * pz, ((n - 1) * (n - 1) - m * m) / r2
                re, last_re = a * re - b * last_re, re
                im, last_im = a * im - b * last_im, im
            u += table[index, 0, 0] * re + table[index, 1, 0] * im
            gx += table[index, 0, 1] * re + table[index, 1, 1] * im
            gy += table[index, 0, 2] * re + table[index, 1, 2] * im
            gz += table[index, 0, 3] * re + table[index, 1, 3] * im
            index += 1
    return u, (gx, gy, gz)
