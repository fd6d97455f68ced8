"""A hull with a reel on it, as the end of a tether: velocities from momenta, and what forces do to it.

    P = (m_h + m_r) V + m_r w x d                                        momentum of hull and reel
    (m_h + m_r) V' + m_r w' x d = F - m_r w x (w x d)
    J w' + m_r d x (V' + w' x d) + w x (J w + h) = G - m_r d x (w x (w x d))
    so  [J + m (d^2 - d d^T)] w' = G - w x (J w + h) - m_r d x (w x (w x d)) - m_r/M d x (F - m_r w x (w x d))
        M = m_h + m_r,   m = m_r m_h/M

    m_h   hull with propellant [kg]      m_r  line on the reel [kg], a point mass at the feed point d (B axes) [m]
    F, G  sum of forces [N] and of moments about the hull's centre of mass [N m], those of the line and of
          gravity on the reel included         h  momentum of the wheels [N m s]
Without the reel's own terms a hull with d not zero would turn when it falls freely, and the momentum of a system that
reels would depend on who looks.
Frame: V, P, F in N axes, w, d, G in B axes. Validity: a rigid hull; the reel is small.
Source: [Quadrelli2017] Eqs. (13), (14), with the reel where it is; a gyrostat [Hughes1986].
"""

from __future__ import annotations

from haptos.core.jit import device
from haptos.core.rotations import apply, apply_transposed
from haptos.core.symmetric import apply_symmetric, solve_symmetric
from haptos.core.vectors import add, add_scaled, cross, dot, scale, subtract

CITES: tuple[str, ...] = ("Hughes1986", "Quadrelli2017")


@device
def hull_velocity(momentum, rate_B, dcm_NB, attachment, hull_mass, reel_mass):
    """(V of the hull's centre of mass, velocity of the attachment) [m/s], N axes."""
    turning = apply(dcm_NB, cross(rate_B, attachment))
    whole = hull_mass + reel_mass
    v = scale(1.0 / whole, add_scaled(momentum, -reel_mass, turning))
    return v, add(v, turning)


@device
def inertia_with_reel(inertia, attachment, hull_mass, reel_mass):
    """J + m (d^2 - d d^T) [kg m^2], six numbers."""
    m = reel_mass * hull_mass / (hull_mass + reel_mass)
    d = attachment
    square = dot(d, d)
    return (
        inertia[0] + m * (square - d[0] * d[0]), inertia[1] - m * d[0] * d[1],
        inertia[2] - m * d[0] * d[2], inertia[3] + m * (square - d[1] * d[1]),
        inertia[4] - m * d[1] * d[2], inertia[5] + m * (square - d[2] * d[2]),
    )  # fmt: skip


@device
def turning_rate(inertia, attachment, hull_mass, reel_mass, rate_B, wheels, force_B, moment_B):
    """w' [rad/s^2] of a hull under a force [N] and a moment [N m], B axes."""
    whole = inertia_with_reel(inertia, attachment, hull_mass, reel_mass)
    swing = cross(rate_B, cross(rate_B, attachment))
    f = add_scaled(force_B, -reel_mass, swing)
    spin = cross(rate_B, add(apply_symmetric(inertia, rate_B), wheels))
    g = subtract(moment_B, spin)
    g = add_scaled(g, -reel_mass, cross(attachment, swing))
    g = add_scaled(g, -reel_mass / (hull_mass + reel_mass), cross(attachment, f))
    return solve_symmetric(whole, g)


@device
def response_to_pull(inertia, attachment, can_turn, hull_mass, reel_mass, dcm_NB, pull):
    """(w' [rad/s^2] B, acceleration [m/s^2] N) of the attachment, of a unit force `pull` (N axes) on it."""
    whole = hull_mass + reel_mass
    if not can_turn:
        return (0.0, 0.0, 0.0), scale(1.0 / whole, pull)
    lever = cross(attachment, apply_transposed(dcm_NB, pull))
    turned = inertia_with_reel(inertia, attachment, hull_mass, reel_mass)
    rate = scale(hull_mass / whole, solve_symmetric(turned, lever))
    swing = apply(dcm_NB, cross(rate, attachment))
    return rate, add_scaled(scale(1.0 / whole, pull), hull_mass / whole, swing)


@device
def hull_energy(v, rate_B, dcm_NB, inertia, attachment, hull_mass, reel_mass, can_turn):
    """Kinetic energy [J] of hull and reel, wheels apart."""
    turning = apply(dcm_NB, cross(rate_B, attachment))
    reel = add(v, turning)
    energy = 0.5 * hull_mass * dot(v, v) + 0.5 * reel_mass * dot(reel, reel)
    if can_turn:
        energy += 0.5 * dot(rate_B, apply_symmetric(inertia, rate_B))
    return energy
