"""Gravity of a homogeneous ellipsoid, inside and outside."""

from __future__ import annotations

from haptos.core.jit import device
from haptos.environment.carlson import carlson_rd_triple

CITES: tuple[str, ...] = ("Chandrasekhar1969", "VanWal2018", "Carlson1995")

ITERATIONS = 64  # [-], bound of the Newton loop; 1 to 5, up to 10 for flat bodies
STEP_TOLERANCE = 1e-9  # [-], of a Newton step; convergence is quadratic, so the error is its square


@device
def ellipsoid_gravity(x, semi_axes, mu):
    """(U [m^2/s^2], g [m/s^2]) of a homogeneous triaxial ellipsoid about the origin.

    U = 3/4 mu int_l^inf (1 - sum_i x_i^2 / (a_i^2 + u)) du / D(u)
    g_i = -3/2 mu x_i int_l^inf du / ((a_i^2 + u) D(u)) = -mu x_i R_D,i
    D(u) = sqrt((a_1^2 + u) (a_2^2 + u) (a_3^2 + u)); l = 0 inside, outside it is the largest root
    of sum_i x_i^2 / (a_i^2 + l) = 1.

    x          point [m], 3-tuple         semi_axes  a [m], 3-tuple, > 0, in any order
    mu         gravitational parameter G M = 4/3 pi G rho a_1 a_2 a_3 [m^3/s^2]
    Frame: principal axes of the ellipsoid. Sign: U > 0 attracts, g = +grad U.
    Validity: constant density; exact inside, on and outside the surface, for spheres and
    spheroids too. Second derivatives jump at the surface, U and g do not.
    Source: [Chandrasekhar1969] ch. 3; [VanWal2018] ch. 3; [Carlson1995] for the integrals.
    """
    x0, x1, x2 = x[0] * x[0], x[1] * x[1], x[2] * x[2]
    p0, p1, p2 = _confocal_squares((x0, x1, x2), semi_axes)
    r0, r1, r2 = carlson_rd_triple(p0, p1, p2)
    # 3 R_F = sum_i p_i R_D,i turns the potential into a sum of terms that are never negative.
    u = 0.5 * mu * ((p0 - x0) * r0 + (p1 - x1) * r1 + (p2 - x2) * r2)
    return u, (-mu * x[0] * r0, -mu * x[1] * r1, -mu * x[2] * r2)


@device
def _confocal_squares(squares, semi_axes):
    """Squared semi-axes a_i^2 + l of the confocal ellipsoid through the point [m^2].

    With s = l + min(a)^2: Newton on 1 / phi(s) = 1, phi = sum_i x_i^2 / (s + d_i), concave and
    rising, so the iterates climb to the root from the left and never pass it.
    """
    x0, x1, x2 = squares
    a0, a1, a2 = semi_axes
    shortest = min(a0, a1, a2)
    d0 = (a0 - shortest) * (a0 + shortest)
    d1 = (a1 - shortest) * (a1 + shortest)
    d2 = (a2 - shortest) * (a2 + shortest)
    s = max(shortest * shortest, x0 + x1 + x2 - max(d0, d1, d2))
    for _ in range(ITERATIONS):
        w0, w1, w2 = 1.0 / (s + d0), 1.0 / (s + d1), 1.0 / (s + d2)
        f0, f1, f2 = x0 * w0, x1 * w1, x2 * w2
        phi = f0 + f1 + f2
        if not phi > 1.0:
            break
        step = phi * (phi - 1.0) / (f0 * w0 + f1 * w1 + f2 * w2)
        s += step
        if not step > STEP_TOLERANCE * s:
            break
    return s + d0, s + d1, s + d2
