"""An element of a thread between two ends with attitudes: it stretches, bends and twists.

    U = 1/2 k_b |e_a - e_b|^2 + 1/2 K l/L |u - m|^2 + 2 k_t x^2 + P(l)     m = (e_a + e_b)/2
    P'(l) = -N,   N = min(EA (L - l)/L, N*)  where l < L,   N* = pi^2 EJ/L_link^2

    d    from the first end to the second [m], l = |d|, u = d/l      L  length without load [m]
    e_a, e_b  x axes of the ends, along which an element without load lies
    x    of the quaternion from the first end's axes to the second's: sin(t/2) of a twist t
    k_b = EJ/L, k_t = GJp/L, K = 12 EJ/L [N m/rad]       N, N*  thrust and the most of it [N]
    L_link  length of the thread from knot to knot [m]
For small turns this is the element of Euler and Bernoulli, `beam_stiffness`: of its end moments
4 EJ/L and 2 EJ/L, the even part EJ/L bends, and the odd part 3 EJ/L turns the chord against the
mean of both ends. Turns may be of any size: U has no seam, and loads are its slopes. A thread that is
pushed together gives way at its buckling load, and pulls by `thread_link` where l > L; with EJ and
GJp at 0 nothing but that is left. Dampers stand beside the bending springs with one time c_b/k_b, and
beside the twist. An end on a swivel bears no moment: U = 1/8 K l/L |u - e|^2 + P, e of the other end.
Frame: N axes. Loads act on the ends named; the first bears what balances the force.
Validity: Euler-Bernoulli rods whose ends turn by less than about 1 rad against each other; beyond, an
element is softer than its rod (moments go with the sine), and past half a turn of twist it slips.
Source: [Salvi2014] section 2.6.1, Eqs. (2.47)-(2.58); its form for large turns is ours.
"""

from __future__ import annotations

from haptos.core.jit import device, routine
from haptos.core.rotations import apply, rotation_matrix
from haptos.core.vectors import add, add_scaled, cross, dot, norm, scale, subtract

CITES: tuple[str, ...] = ("Salvi2014",)

CHORD, CHORD_ON_SWIVEL = 12.0, 3.0  # [-] of EJ/L that turns the chord against the ends


@device
def thrust_of(axial, most, length, distance):
    """(thrust N [N], energy P [J]) of an element shorter than its length; axial EA/L [N/m]."""
    short = length - distance
    if short <= 0.0 or axial <= 0.0:
        return 0.0, 0.0
    if axial * short < most:
        return axial * short, 0.5 * axial * short * short
    return most, most * (short - 0.5 * most / axial)


@device
def twist_load(torsion, qa, qb, dcm):
    """(moment on the second end [N m], energy [J]) of a twist; on the first end its opposite.

    dcm  of the second end, axes to N axes
    """
    s = qa[0] * qb[0] + qa[1] * qb[1] + qa[2] * qb[2] + qa[3] * qb[3]
    x = qa[0] * qb[1] - qa[1] * qb[0] - qa[2] * qb[3] + qa[3] * qb[2]
    y = qa[0] * qb[2] - qa[2] * qb[0] - qa[3] * qb[1] + qa[1] * qb[3]
    z = qa[0] * qb[3] - qa[3] * qb[0] - qa[1] * qb[2] + qa[2] * qb[1]
    size = -2.0 * torsion * x
    return apply(dcm, (size * s, -size * z, size * y)), 2.0 * torsion * x * x


@device
def chord_load(stiffness, damping, length, d, v, m, turn):
    """(force on the second end, pull on m, energy, drag on the second end, power lost) of a chord.

    force, drag [N]    pull [N m]    energy [J]    power [W]

    stiffness, damping  CHORD times EJ/L and c_b [N m/rad], [N m s/rad]
    m, turn             mean of the x axes of the ends, and of their rates [rad/s]
    """
    distance = norm(d)
    share, square = 0.5 * stiffness / length, 1.0 + dot(m, m)
    force = scale(2.0 * share, m)
    if distance > 0.0:
        force = add_scaled(force, -share * square / distance, d)
    slip = subtract(v, cross(turn, d))
    across = add_scaled(slip, -dot(slip, m), m)
    drag = damping / (length * length)
    draw = scale(2.0 * share, add_scaled(d, -distance, m))
    energy = share * (distance * square - 2.0 * dot(d, m))
    return force, draw, energy, scale(-drag, across), drag * dot(slip, across)


@routine
def beam_load(joint, length, d, v, a, b):
    """(force on the second end [N], moment on the first, on the second [N m], energies, power lost).

    energies  of bending and of twist [J]          power [W]
    joint  BeamJoint of the element: stiffness and damping      d, v  second end from the first
    a, b   (unit quaternion, rate in N axes [rad/s]) of the ends, x along the element
    """
    qa, wa = a
    qb, wb = b
    dcm = rotation_matrix(qb)
    ea = apply(rotation_matrix(qa), (1.0, 0.0, 0.0))
    eb = (dcm[0][0], dcm[1][0], dcm[2][0])
    m, turn = scale(0.5, add(ea, eb)), scale(0.5, add(wa, wb))
    force, draw, leaning, drag, lost = chord_load(
        CHORD * joint.bending, CHORD * joint.bending_damping, length, d, v, m, turn
    )
    both = scale(-0.5, cross(d, drag))
    turning = subtract(wb, wa)
    slowed = scale(joint.bending_damping, turning)
    extra = (joint.torsion_damping - joint.bending_damping) * dot(turning, m)
    slowed = add_scaled(slowed, extra, m)
    twisted, held = twist_load(joint.torsion, qa, qb, dcm)
    bend = add_scaled(subtract(slowed, twisted), joint.bending, cross(ea, eb))
    first = add(add(both, bend), scale(0.5, cross(ea, draw)))
    second = add(subtract(both, bend), scale(0.5, cross(eb, draw)))
    bent = leaning + joint.bending * (1.0 - dot(ea, eb))
    return add(force, drag), first, second, (bent, held), lost + dot(slowed, turning)


@routine
def swivel_load(joint, length, d, v, end):
    """(force on the second end [N], moment on the other [N m], energy [J], power lost [W])."""
    q, w = end
    e = apply(rotation_matrix(q), (1.0, 0.0, 0.0))
    force, draw, energy, drag, lost = chord_load(
        CHORD_ON_SWIVEL * joint.bending, CHORD_ON_SWIVEL * joint.bending_damping, length, d, v, e, w
    )
    return add(force, drag), subtract(cross(e, draw), cross(d, drag)), energy, lost
