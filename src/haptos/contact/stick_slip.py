"""Friction with memory: a spring in the tangent plane that holds, and yields at the Coulomb cone.

    f = -k_t s - c_t v,          |f| <= F,    F = mu N between mu_s N (rest) and mu N (sliding)
    ds/dt = v                    inside the cone: sticking, wholly elastic, so nothing creeps
    ds/dt = v - (v . s) s/|s|^2  on the cone |s| = F/k_t, going out: slipping
    stored energy k_t |s|^2 / 2, loss F (v . s)/|s| while slipping, c_t |v|^2 while sticking

    s    anchor offset: how far the spring is stretched [m], 3-tuple in the tangent plane
    v    slip: tangential relative velocity [m/s]      N    normal load [N], >= 0
    k_t  tangential stiffness [N/m], > 0                c_t  damping [N s/m], >= 0
    mu_s, mu, v_s  coefficients at rest and sliding [-], and the speed at which they part [m/s]
With v and N held over a step the motion of s has a closed form, used here: a straight elastic part
up to the cone, then a turn of s towards v along the circle |s| = F/k_t,
    tan(angle_1/2) = tan(angle_0/2) exp(-slipped length k_t/F).
The force handed back is its mean over the step, so that the work it takes from the bodies,
-f . v step, is the change of stored energy plus the loss to rounding, for any length of step.
When the load falls, the offset shrinks to the new cone at once and its energy is lost.
Frame: that of the offset; keep it in axes of the body that is touched, and carry it along when
the normal turns (`carried_offset`). f acts on the body whose velocity relative to the other is v.
Validity: dry, the same in all directions; k_t so large that offsets are small against the bodies;
a new contact starts with s = 0.
Source: spring and slider after [CundallStrack1979], elastic before it slips after [Dupont2002];
the closed form of a step is ours.
"""

from __future__ import annotations

import math

from haptos.contact.coulomb import slipping_size
from haptos.contact.regularisation import capped
from haptos.core.jit import device
from haptos.core.vectors import add, add_scaled, dot, norm, scale, tangential

CITES: tuple[str, ...] = ("CundallStrack1979", "Dupont2002")


@device
def carried_offset(offset, normal):
    """The offset [m] turned into the plane across the unit normal, its length and energy kept."""
    flat = tangential(offset, normal)
    size = norm(flat)
    if size <= 0.0:
        return (0.0, 0.0, 0.0)
    return scale(norm(offset) / size, flat)


@device
def share_held(offset, way, reach):
    """Share [-] of a straight way [m] for which the offset, within `reach` [m] at first, stays so."""
    length2 = dot(way, way)
    along = dot(offset, way)
    room = max(reach * reach - dot(offset, offset), 0.0)
    root = math.sqrt(along * along + length2 * room)
    if along > 0.0:
        held = room / (along + root)
    elif length2 > 0.0:
        held = (root - along) / length2
    else:
        held = 1.0
    return min(held, 1.0)


@device
def slipped_offset(offset, way, reach):
    """(end [m], mean [m], length along the offset [m]) of an offset dragged along its circle.

    offset  on the circle of radius `reach` [m], going out      way  what is left of the way [m]
    The last number times k_t reach is the energy lost [J].
    """
    length = norm(way)
    rho = length / reach
    ahead = scale(1.0 / length, way)
    cosine = dot(offset, ahead) / reach
    aside = add_scaled(offset, -cosine * reach, ahead)
    sine = norm(aside) / reach
    t0 = sine / (1.0 + max(cosine, 0.0))
    t1 = t0 * math.exp(-rho)
    across = scale(1.0 / (sine * reach), aside) if sine > 1e-12 else (0.0, 0.0, 0.0)
    below = 1.0 + t1 * t1
    end = add(
        scale(reach * (1.0 - t1 * t1) / below, ahead), scale(reach * 2.0 * t1 / below, across)
    )
    ahead_part = (rho + math.log(below / (1.0 + t0 * t0))) / rho
    aside_part = 2.0 * (math.atan(t0) - math.atan(t1)) / rho
    mean = add(scale(reach * ahead_part, ahead), scale(reach * aside_part, across))
    return end, mean, ahead_part * length


@device
def dragged_offset(offset, way, reach):
    """(end [m], mean [m], slipped length along the offset [m]) after a straight way [m] at one load."""
    held = share_held(offset, way, reach)
    edge = add_scaled(offset, held, way)
    mean = scale(0.5, add(offset, edge))
    left = (1.0 - held) * norm(way)
    if left <= 1e-12 * reach:
        return edge, mean, 0.0
    end, slipping, along = slipped_offset(edge, scale(1.0 - held, way), reach)
    return end, add_scaled(scale(held, mean), 1.0 - held, slipping), along


@device
def stick_force(offset, slip, load, friction, friction_at_rest, v_s, stiffness, damping, step):
    """(force [N], new offset [m], stored energy [J], lost power [W]); means over a step > 0 [s].

    offset s [m] and slip v [m/s], 3-tuples in the tangent plane     load N [N]
    friction mu, friction_at_rest mu_s [-]     v_s [m/s], > 0     stiffness k_t [N/m]
    damping c_t [N s/m]. Ledger: -force . slip step = change of stored energy + lost power step.
    """
    most = slipping_size(friction, friction_at_rest, v_s, max(load, 0.0), norm(slip))
    before = 0.5 * stiffness * dot(offset, offset)
    reach = most / stiffness
    if reach <= 0.0:
        return (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), 0.0, before / step
    end, mean, _ = dragged_offset(capped(offset, reach), scale(step, slip), reach)
    force = capped(add_scaled(scale(-stiffness, mean), -damping, slip), most)
    stored = 0.5 * stiffness * dot(end, end)
    return force, end, stored, -dot(force, slip) - (stored - before) / step
