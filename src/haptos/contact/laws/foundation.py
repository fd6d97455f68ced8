"""Elastic foundation: pressure proportional to depth, damping that fades in, friction with anchors.

    p   = max(0, K s + D g(s) sdot),   g = min(1, s/s_d0)
    tau = -(K_T a + D_T v_T)           while |tau| <= mu p: sticking
    tau = -mu p a/|a|                  slipping, the stretch a kept on the cone |K_T a| = mu p
    mu  = mu_s below v_T0, falling linearly to mu at 2 v_T0

    s, sdot  depth [m] and its rate [m/s]          K, D      foundation modulus [Pa/m], damping [Pa s/m]
    s_d0     depth over which damping fades in [m]  g         its share [-]
    a        stretch of the tangential spring [m]   v_T       slip [m/s], both in the tangent plane
    K_T, D_T tangential modulus [Pa/m], damping [Pa s/m]        mu_s, mu  friction at rest, slipping [-]
Leaves: on a triangle with depths s_1, s_2, s_3 at its corners the depth is linear and cut off at zero,
and the integrals of s, s^2, and s lambda_i have a closed form (`leaf_integrals`). The loads of the
corners are the derivatives of the leaf's energy 1/2 K int s^2, so a fixed set of leaves is conservative.
Expansion: NO_TENSION as above; NO_EXPANSION_DAMPING drops D while the bodies part; FULL keeps tension,
for diagnosis, and reports its work.
Sign: p pushes apart; tau acts on the body whose slip is v_T.
Validity: depth small against radii and layer; no coupling between neighbouring points, so not Hertz.
Source: [Hippmann2004]; damping and friction after [Krenn2008], whose ramp alone would allow
adhesion and whose anchors jump; the cone with a kept spring and the closed form of loads are ours.
"""

from __future__ import annotations

import math
from collections import namedtuple

from haptos.contact.coulomb import slipping_size
from haptos.contact.stick_slip import carried_offset
from haptos.core.jit import device, routine
from haptos.core.vectors import add_scaled, dot, norm, scale

CITES: tuple[str, ...] = ("Hippmann2004", "Krenn2008")

NO_TENSION, NO_EXPANSION_DAMPING, FULL = 0, 1, 2
CLIPPED, CENTRES, INSIDE = (
    0,
    1,
    2,
)  # integral over a leaf: closed form, its centre, centre if all inside

# modulus K [Pa/m], damping D [Pa s/m], damping_depth s_d0 [m], expansion, shear K_T [Pa/m],
# shear_damping D_T [Pa s/m], friction_at_rest mu_s, friction mu [-], stick_speed v_T0 [m/s],
# integral: CLIPPED ..., resets: whether a slip lets go of the stretch as printed in [Krenn2008]
FoundationLaw = namedtuple(
    "FoundationLaw",
    "modulus damping damping_depth expansion shear shear_damping friction_at_rest friction stick_speed "
    "integral resets",
)


@device
def _corner_integrals(s, sa, sb):
    """Of the corner where depth keeps the sign of s, on a leaf of area 1: sa and sb have the other sign.

    (int s lambda of the corner, of a, of b, int lambda of the corner, of a, of b, int s^2).
    """
    a, b = s / (s - sa), s / (s - sb)
    area = a * b
    load, weight = area * s / 12.0, area / 3.0
    return (
        load * (4.0 - a - b),
        load * a,
        load * b,
        weight * (3.0 - a - b),
        weight * a,
        weight * b,
        area * s * s / 6.0,
    )


@routine
def leaf_integrals(s1, s2, s3):
    """(int s+ lambda_1, _2, _3, int_{s>0} lambda_1, _2, _3, int (s+)^2) on a leaf of area 1.

    s1, s2, s3  depths of the corners [m], negative outside
    """
    inside = (1 if s1 > 0.0 else 0) + (1 if s2 > 0.0 else 0) + (1 if s3 > 0.0 else 0)
    if inside == 0:
        return 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    if inside == 1:
        if s1 > 0.0:
            return _corner_integrals(s1, s2, s3)
        if s2 > 0.0:
            f2, f3, f1, w2, w3, w1, q = _corner_integrals(s2, s3, s1)
            return f1, f2, f3, w1, w2, w3, q
        f3, f1, f2, w3, w1, w2, q = _corner_integrals(s3, s1, s2)
        return f1, f2, f3, w1, w2, w3, q
    total = s1 + s2 + s3
    squares = (s1 * s1 + s2 * s2 + s3 * s3 + s1 * s2 + s2 * s3 + s3 * s1) / 6.0
    third = 1.0 / 3.0
    f1, f2, f3 = (total + s1) / 12.0, (total + s2) / 12.0, (total + s3) / 12.0
    if inside == 3:
        return f1, f2, f3, third, third, third, squares
    if s1 <= 0.0:
        g1, g2, g3, w1, w2, w3, q = _corner_integrals(s1, s2, s3)
    elif s2 <= 0.0:
        g2, g3, g1, w2, w3, w1, q = _corner_integrals(s2, s3, s1)
    else:
        g3, g1, g2, w3, w1, w2, q = _corner_integrals(s3, s1, s2)
    return f1 - g1, f2 - g2, f3 - g3, third - w1, third - w2, third - w3, squares - q


@device
def centre_integrals(s1, s2, s3, needs_all):
    """As `leaf_integrals` with the depth of the leaf's middle everywhere; none if a corner is outside."""
    s = (s1 + s2 + s3) / 3.0
    if s <= 0.0 or (needs_all and min(s1, s2, s3) <= 0.0):
        return 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    third = 1.0 / 3.0
    return s * third, s * third, s * third, third, third, third, s * s


@device
def pressure(law, depth, depth_rate):
    """(p [Pa], part of it that is damping [Pa]) at a depth >= 0 [m] and its rate [m/s]."""
    elastic = law.modulus * depth
    if law.damping == 0.0 or (law.expansion == NO_EXPANSION_DAMPING and depth_rate < 0.0):
        return elastic, 0.0
    share = min(1.0, depth / law.damping_depth)
    p = elastic + law.damping * share * depth_rate
    if law.expansion != FULL:
        p = max(p, 0.0)
    return p, p - elastic


@device
def stretched(stretch, way, normal, weight_before, weight):
    """Trial stretch [m] after a way [m] of the node, when its area went from `weight_before` to `weight`.

    Area that is new comes unstretched, so that the force goes on without a jump; area that leaves takes its share.
    """
    a = carried_offset(stretch, normal)
    along = add_scaled(way, -dot(way, normal), normal)
    if weight <= weight_before:
        return add_scaled(a, 1.0, along)
    old = weight_before / weight
    return add_scaled(scale(old, a), 0.5 * (1.0 + old), along)


@device
def shear(law, stretch, slip, p):
    """(traction [Pa], stretch on or within the cone [m], whether it slips) at the pressure p [Pa].

    stretch  trial stretch [m]        slip  v_T [m/s]
    """
    most = slipping_size(
        law.friction, law.friction_at_rest, law.stick_speed, max(p, 0.0), norm(slip)
    )
    if most <= 0.0 or law.shear <= 0.0:
        return (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), True
    size = law.shear * norm(stretch)
    if size >= most:
        held = scale(most / size, stretch)
        return scale(-law.shear, held), held, True
    elastic = scale(-law.shear, stretch)
    viscous = scale(-law.shear_damping, slip)
    share = _share_within(elastic, viscous, most)
    return add_scaled(elastic, share, viscous), stretch, False


@device
def _share_within(elastic, viscous, most):
    """Largest share in [0, 1] of the viscous part for which the sum is no longer than `most`."""
    square, along = dot(viscous, viscous), dot(elastic, viscous)
    room = most * most - dot(elastic, elastic)
    if square <= 0.0 or square + 2.0 * along <= room:
        return 1.0
    root = math.sqrt(max(along * along + square * room, 0.0))
    return min(max((root - along) / square, 0.0), 1.0)
