"""Lift-off: how fast something must move along the ground to leave it.

A thing of negligible size that slides or rolls along the direction d, tangent to the ground, is
pressed on it with the force per mass

    n(V) = G - 2 Omega_b V - k V^2
    G = N . (Omega x (Omega x P) - a_E),   Omega_b = Omega . (N x d),   k = k_n(d)

and leaves at the least V > 0 with n = 0:

    V = (-Omega_b + sqrt(Omega_b^2 + k G)) / k = G / (Omega_b + sqrt(Omega_b^2 + k G))

    P      place from the centre of mass [m]        N    outward unit normal
    Omega  spin of the body [rad/s], uniform        d    unit vector of travel
    a_E    acceleration of what is free, in inertial space [m/s^2]: gravity, tide, sunlight
    k_n    normal curvature along d [1/m], > 0 convex
    k > 0  always an answer                   k = 0  G / (2 Omega_b), only with the spin: Omega_b > 0
    k < 0  only for Omega_b > 0 and Omega_b^2 >= |k| G; then it leaves between two speeds, and faster
           still it is pressed again
The projection on N is exact for every path along the ground, since its curvature along N is k_n
whatever else it does; the second derivative of height in free flight started at V is zero.
A ball of radius R is its centre moving over the ground raised by R: k -> k / (1 + k R) of each principal
curvature, P -> P + R N. Between the principal directions k_n of the raised ground follows from its own two.

The published form projects on the plane through d and gravity instead, with Meusnier's curvature of
that tilted section; `section_terms` gives its G, Omega_b and k for the same formula. It is the same where
gravity stands upright on the ground, and some percent off where not.
Frame: axes fixed to the body. Validity: motion along the ground, uniform spin, smooth ground.
Source: [VanWal2018] eqs. (3.9)-(3.32); the projection on N replaces that on the section.
"""

from __future__ import annotations

import math

from haptos.core.jit import device
from haptos.core.vectors import add_scaled, cross, dot, norm, scale, subtract

CITES: tuple[str, ...] = ("VanWal2018",)

NORMAL, PLANE_GRAVITY, PLANE_NET = 0, 1, 2
MODES = ("normal", "plane_gravity", "plane_net")
NEVER = math.inf  # [m/s] no speed lifts off


@device
def liftoff_speed(pressing, turning, curvature):
    """V [m/s]; infinity if no speed lifts off, 0 if it does not stay at rest either.

    pressing   G [m/s^2]        turning  Omega_b [rad/s]        curvature  k [1/m]
    """
    if not pressing > 0.0:
        return 0.0
    square = turning * turning + curvature * pressing
    if square < 0.0:
        return NEVER
    root = math.sqrt(square)
    if turning >= 0.0:
        below = turning + root
        return pressing / below if below > 0.0 else NEVER
    return (root - turning) / curvature if curvature > 0.0 else NEVER  # Eq. (3.15)


@device
def pressed_again_speed(pressing, turning, curvature):
    """Speed [m/s] above which concave ground holds a thing again; infinity if there is none."""
    square = turning * turning + curvature * pressing
    if not (curvature < 0.0 and turning > 0.0 and square >= 0.0):
        return NEVER
    return (turning + math.sqrt(square)) / -curvature


@device
def pressing_acceleration(pressing, turning, curvature, speed):
    """n(V) [m/s^2], the force of the ground per mass at a speed [m/s]."""
    return pressing - (2.0 * turning + curvature * speed) * speed


@device
def resting_load(omega, place, external):
    """Omega x (Omega x P) - a_E [m/s^2]: what the ground must supply to a thing at rest."""
    return subtract(cross(omega, cross(omega, place)), external)


@device
def raised_curvature(curvature, radius):
    """k / (1 + k R) [1/m] of a principal curvature, raised by a ball's radius R [m]; < 0 where it does not fit.

    A ball larger than a hollow touches its rim, not its bottom: the answer is then -1e300.
    """
    below = 1.0 + curvature * radius
    return curvature / below if below > 0.0 else -1e300


@device
def section_terms(mode, normal, toward, omega, load, external, curvature):
    """(G, Omega_b, k) of the chosen projection.

    mode       NORMAL; or the plane through d and a_E (PLANE_GRAVITY) or through d and the load
               (PLANE_NET)
    normal     N          toward  d, unit          load  of resting_load [m/s^2]
    curvature  k_n(d) [1/m]; the section's is k_n / cos delta                    Eq. (3.36)
    A section that lies flat on the ground has no answer: G = 0.
    """
    if mode == NORMAL:
        return dot(normal, load), dot(omega, cross(normal, toward)), curvature
    up = load if mode == PLANE_NET else scale(-1.0, external)
    up = add_scaled(up, -dot(up, toward), toward)
    length = norm(up)
    if not length > 0.0:
        return 0.0, 0.0, 0.0
    up = scale(1.0 / length, up)
    cosine = dot(up, normal)
    if not cosine > 0.0:
        return 0.0, 0.0, 0.0
    return dot(up, load), dot(omega, cross(up, toward)), curvature / cosine


@device
def plane_speed(pressing, turning):
    """V [m/s] on a plane, by Coriolis alone: G / (2 Omega_b); infinity against the spin."""
    return liftoff_speed(pressing, turning, 0.0)  # Eq. (3.28)


@device
def concave_limit(pressing, turning):
    """Radius [m] a hollow must have for lift-off along it: G / Omega_b^2; infinity against the spin.

    At it the speed is G / Omega_b, twice that of the plane.
    """
    return pressing / (turning * turning) if turning > 0.0 else NEVER  # Eq. (3.31)


@device
def ridge_speed(pressing, turning, radius):
    """V_R [m/s] of a ball of radius R [m] that turns over a sharp ridge: curvature 1 / R.

    sqrt(R G) without the small term of Omega_b; with pressing = -N . a_E that is the published short
    form, which leaves out the spin and is wrong where the spin nearly carries the ground away.
    """
    return liftoff_speed(pressing, turning, 1.0 / radius)  # Eqs. (3.23), (3.25)
