"""Boom: a massless beam-column of changing length between two rigid bodies.

    U(pose, L) = W(u; L) + 1/2 sum q^T K(L) q + 1/2 k_t(L) phi_x^2            loads = -grad U
    q = (p_y, phi_z) and (p_z, -phi_y)                                       one pair per bending plane
    K = C^-1,   C = [L^3/3EI + L^2/k_r + 1/k_l, L^2/2EI + L/k_r ; ., L/EI + 1/k_r] + tip      1/k_t = L/GJ + 1/k_x
    u = p_x - L + 1/2 sum q^T G q,   G = [6/5L, -1/10 ; -1/10, 2L/15]        stretch with foreshortening
    W   series of L/EA, the drive k_d and a spring that is rigid up to F_0, then k_s over a stroke, then stops
    F_d = dU/dL at one pose = -N (1 - 1/2 sum q^T G' q) - N^2/2EA + 1/2 sum q^T K' q + 1/2 k_t' phi_x^2
    damping: beta times each stiffness on the rates of u, q and phi_x, L' included

    p, phi  place [m] and rotation vector [rad] of the tip in root axes, x along the boom     L  length [m]
    EI, GJ [N m^2], EA [N]; k_r, k_x [N m/rad], k_l, k_d [N/m]: turn, torsion and shift of the root, drive
    N = dW/du tension [N]; it stiffens bending by N G, thrust softens it until it buckles
    F_d  force of the drive [N], > 0 pays out against thrust; its work is int F_d L' dt, signed
    beta = zeta/(pi f) [s]: damping ratio zeta at the frequency f, growing with frequency
`root_turn` takes the turn of the root into G: with t = [L, 1] K/k_r, A = 1 - [L ; 1] t, e = [1, 0] A
    G_r = A^T G A + L t^T t + t^T e + e^T t
The wrench on the tip acts at the tip's place, its opposite on the root's body at the same place, so that both
momenta are kept; moments follow from grad U by the transposed inverse of the map from the rate of phi to the
angular velocity, so that they do exactly the work that U stores.
Frame: root axes. Sign: loads on the tip.
Validity: slender, small strains; turns below 1 rad; mass of the boom at its ends, its own bending far faster
than that of the bodies; with a root that turns and without `root_turn` it buckles 4 % early.
Source: Euler-Bernoulli beam-column, textbook material [Przemieniecki1968]; energy of changing length: ours.
"""

from __future__ import annotations

import math
from collections import namedtuple

from haptos.core.inlining import routine
from haptos.core.jit import device
from haptos.core.vectors import add, add_scaled, cross, dot, scale

CITES: tuple[str, ...] = ("Przemieniecki1968",)

# EI, GJ [N m^2], EA [N]; compliances of the root (turn, lateral, torsion), of the drive and of the tip (turn,
# lateral) [rad/(N m)], [m/N]; beta [s]; preload [N], stiffness [N/m] and stroke [m] of the spring; root_turn 0 or 1; beta of the stretch [s]
BoomLaw = namedtuple(
    "BoomLaw",
    "bending torsion axial turn lateral twist drive tip_turn tip_lateral beta preload spring stroke root_turn "
    "stretch_beta",
)
NO_SPRING = math.inf  # [N] preload that is never reached
SMALL_TURN = 1e-4  # [rad] below which the map of rates is taken by its series

# What a boom does at one pose and rate. force, moment on the tip in root axes; tension [N]; energy [J];
# loss [W]; drive_force [N] at L' = 0 and resistance [N s/m], so that F_d = drive_force + resistance L';
# extension of the spring [m]
BoomLoad = namedtuple(
    "BoomLoad", "force moment tension energy loss drive_force resistance extension"
)


@device
def bending_stiffness(law, length):
    """(K_vv, K_vp, K_pp) and their derivatives in L, for place v and turn psi of the tip."""
    c11 = length**3 / (3.0 * law.bending) + length**2 * law.turn + law.lateral + law.tip_lateral
    c12 = length**2 / (2.0 * law.bending) + length * law.turn
    c22 = length / law.bending + law.turn + law.tip_turn
    d11, d12, d22 = length**2 / law.bending + 2.0 * length * law.turn, 0.0, 1.0 / law.bending
    d12 = length / law.bending + law.turn
    below = 1.0 / (c11 * c22 - c12 * c12)
    a, b, c = c22 * below, -c12 * below, c11 * below
    x11, x12 = d11 * a + d12 * b, d11 * b + d12 * c
    x21, x22 = d12 * a + d22 * b, d12 * b + d22 * c
    change = (-(a * x11 + b * x21), -(a * x12 + b * x22), -(b * x12 + c * x22))
    return (a, b, c), change


@device
def shortening(law, length, k, dk):
    """(G_vv, G_vp, G_pp) and their derivatives in L; k, dk as of `bending_stiffness`."""
    g = (1.2 / length, -0.1, 2.0 * length / 15.0)
    dg = (-1.2 / (length * length), 0.0, 2.0 / 15.0)
    if law.root_turn == 0.0:
        return g, dg
    t1, t2 = law.turn * (length * k[0] + k[1]), law.turn * (length * k[1] + k[2])
    s1 = law.turn * (k[0] + length * dk[0] + dk[1])
    s2 = law.turn * (k[1] + length * dk[1] + dk[2])
    a = (1.0 - length * t1, -length * t2, -t1, 1.0 - t2)  # A row by row
    b = (-t1 - length * s1, -t2 - length * s2, -s1, -s2)  # dA/dL
    return _turned_root(a, g, length, t1, t2), _turned_root_change(
        a, b, g, dg, length, (t1, t2), (s1, s2)
    )


@device
def _form(a, g, b):
    """Columns a^T G b of two 2 x 2 matrices given row by row: (11, 12, 21, 22)."""
    x11, x12 = g[0] * b[0] + g[1] * b[2], g[0] * b[1] + g[1] * b[3]
    x21, x22 = g[1] * b[0] + g[2] * b[2], g[1] * b[1] + g[2] * b[3]
    return (
        a[0] * x11 + a[2] * x21,
        a[0] * x12 + a[2] * x22,
        a[1] * x11 + a[3] * x21,
        a[1] * x12 + a[3] * x22,
    )


@device
def _turned_root(a, g, length, t1, t2):
    w = _form(a, g, a)
    return (
        w[0] + length * t1 * t1 + 2.0 * t1 * a[0],
        w[1] + length * t1 * t2 + t1 * a[1] + t2 * a[0],
        w[3] + length * t2 * t2 + 2.0 * t2 * a[1],
    )


@device
def _turned_root_change(a, b, g, dg, length, t, s):
    w, x, z = _form(a, dg, a), _form(b, g, a), _form(a, g, b)
    return (
        w[0] + x[0] + z[0] + t[0] * t[0] + 2.0 * length * t[0] * s[0]
        + 2.0 * (s[0] * a[0] + t[0] * b[0]),
        w[1] + x[1] + z[1] + t[0] * t[1] + length * (s[0] * t[1] + t[0] * s[1])
        + s[0] * a[1] + t[0] * b[1] + s[1] * a[0] + t[1] * b[0],
        w[3] + x[3] + z[3] + t[1] * t[1] + 2.0 * length * t[1] * s[1]
        + 2.0 * (s[1] * a[1] + t[1] * b[1]),
    )  # fmt: skip


@device
def axial(law, length, u):
    """(tension [N], energy [J], stiffness [N/m], extension of the spring [m]) at the stretch u [m]."""
    soft = length / law.axial + law.drive
    tension = u / soft
    if tension <= law.preload:
        return tension, 0.5 * u * tension, 1.0 / soft, 0.0
    most = law.preload + law.spring * law.stroke
    both = 1.0 / (soft + 1.0 / law.spring)
    tension = law.preload + (u - soft * law.preload) * both
    if tension <= most:
        held = 0.5 * (tension * tension - law.preload * law.preload) / law.spring
        extension = (tension - law.preload) / law.spring
        return tension, 0.5 * soft * tension * tension + held, both, extension
    tension = (u - law.stroke) / soft
    held = 0.5 * (most * most - law.preload * law.preload) / law.spring
    return tension, 0.5 * soft * tension * tension + held, 1.0 / soft, law.stroke


@device
def turn_share(phi):
    """b of J^-1 = 1 - 1/2 [phi] + b [phi]^2."""
    square = dot(phi, phi)
    angle = math.sqrt(square)
    if angle < SMALL_TURN:
        return 1.0 / 12.0 + square / 720.0
    return 1.0 / square - (1.0 + math.cos(angle)) / (2.0 * angle * math.sin(angle))


@device
def rotation_vector_rate(phi, omega):
    """d phi/dt from the angular velocity [rad/s] of the tip seen from the root, root axes: J^-1 omega."""
    once = cross(phi, omega)
    return add_scaled(add_scaled(omega, -0.5, once), turn_share(phi), cross(phi, once))


@device
def moment_of_gradient(phi, gradient):
    """J^-T gradient: moment [N m] that does the work of a gradient in phi."""
    once = cross(phi, gradient)
    return add_scaled(add_scaled(gradient, 0.5, once), turn_share(phi), cross(phi, once))


@device
def _times(k, q):
    return (k[0] * q[0] + k[1] * q[1], k[1] * q[0] + k[2] * q[1])


@device
def _both(a, b):
    return a[0] * b[0] + a[1] * b[1]


@routine
def boom_load(law, length, p, phi, p_rate, omega, length_rate):
    """`BoomLoad` at a pose and its rate; `loss` and loads take the length's rate into account.

    p [m], phi [rad]  pose of the tip in root axes      p_rate, omega  its velocity and turn seen from the root
    """
    phi_rate = rotation_vector_rate(phi, omega)
    k, dk = bending_stiffness(law, length)
    g, dg = shortening(law, length, k, dk)
    q, r = (p[1], phi[2]), (p[2], -phi[1])
    q_rate, r_rate = (p_rate[1], phi_rate[2]), (p_rate[2], -phi_rate[1])
    gq, gr = _times(g, q), _times(g, r)
    u = p[0] - length + 0.5 * (_both(q, gq) + _both(r, gr))
    tension, energy, stiffness, extension = axial(law, length, u)
    slope = 1.0 - 0.5 * (_both(q, _times(dg, q)) + _both(r, _times(dg, r)))  # -du/dL
    free = p_rate[0] + _both(gq, q_rate) + _both(gr, r_rate)
    drag = law.stretch_beta * stiffness
    u_rate = free - slope * length_rate
    pull = tension + drag * u_rate
    kq, kr, kq_rate, kr_rate = _times(k, q), _times(k, r), _times(k, q_rate), _times(k, r_rate)
    twist = 1.0 / (length / law.torsion + law.twist)
    across = (
        kq[0] + pull * gq[0] + law.beta * kq_rate[0],
        kr[0] + pull * gr[0] + law.beta * kr_rate[0],
    )
    turning = (
        twist * (phi[0] + law.beta * phi_rate[0]),
        -(kr[1] + pull * gr[1] + law.beta * kr_rate[1]),
        kq[1] + pull * gq[1] + law.beta * kq_rate[1],
    )
    energy += 0.5 * (_both(q, kq) + _both(r, kr) + twist * phi[0] * phi[0])
    loss = drag * u_rate * u_rate + law.beta * (
        _both(q_rate, kq_rate) + _both(r_rate, kr_rate) + twist * phi_rate[0] * phi_rate[0]
    )
    drive = (
        -(tension + drag * free) * slope
        - 0.5 * tension * tension / law.axial
        + 0.5 * (_both(q, _times(dk, q)) + _both(r, _times(dk, r)))
        - 0.5 * twist * twist / law.torsion * phi[0] * phi[0]
    )
    force = (-pull, -across[0], -across[1])
    moment = scale(-1.0, moment_of_gradient(phi, turning))
    return BoomLoad(force, moment, tension, energy, loss, drive, drag * slope * slope, extension)


@device
def _is(c, i):
    return 1.0 if c == i else 0.0


@routine
def boom_slope(law, length, p, phi, weight, stretch, out):
    """(6, 6) `weight`, of the stretch `stretch`, times the stiffness of the wrench on the tip against small motions of it seen from the root.

    weight, stretch  1: stiffness [N/m], [N m/rad]; beta, stretch_beta [s]: damping
    The tension's own part N G is left out: it has no damping, and a step does not need it.
    """
    k, dk = bending_stiffness(law, length)
    g, _ = shortening(law, length, k, dk)
    q, r = (p[1], phi[2]), (p[2], -phi[1])
    gq, gr = _times(g, q), _times(g, r)
    u = p[0] - length + 0.5 * (_both(q, gq) + _both(r, gr))
    drag = stretch * axial(law, length, u)[2]
    twist = weight / (length / law.torsion + law.twist)
    for c in range(6):
        v = (_is(c, 0), _is(c, 1), _is(c, 2))
        w = rotation_vector_rate(phi, (_is(c, 3), _is(c, 4), _is(c, 5)))
        pull = drag * (v[0] + _both(gq, (v[1], w[2])) + _both(gr, (v[2], -w[1])))
        kq, kr = _times(k, (v[1], w[2])), _times(k, (v[2], -w[1]))
        turning = (twist * w[0], -(weight * kr[1] + pull * gr[1]), weight * kq[1] + pull * gq[1])
        moment = moment_of_gradient(phi, turning)
        out[0, c], out[1, c] = pull, weight * kq[0] + pull * gq[0]
        out[2, c] = weight * kr[0] + pull * gr[0]
        out[3, c], out[4, c], out[5, c] = moment[0], moment[1], moment[2]


@device
def root_moment(p, force, moment):
    """Moment [N m] of the boom on its root, root axes, of the wrench on its tip."""
    return scale(-1.0, add(moment, cross(p, force)))


def deflection(xi: float, place: float, turn: float, length: float) -> float:
    """w [m] at the share xi of the length: v (3 xi^2 - 2 xi^3) + psi L (xi^3 - xi^2)."""
    return place * (3.0 * xi**2 - 2.0 * xi**3) + turn * length * (xi**3 - xi**2)


def inflection(place: float, turn: float, length: float) -> float:
    """Share of the length at which an S-bend turns, nan for a bend to one side."""
    below = 6.0 * place - 3.0 * turn * length
    share = (3.0 * place - turn * length) / below if below != 0.0 else math.nan
    return share if 0.0 < share < 1.0 else math.nan
