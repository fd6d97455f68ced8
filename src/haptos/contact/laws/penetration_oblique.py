"""Stress of soil on surface elements of a rod that enters at an angle.

On an element below ground that moves with v_n = v.n along its outward normal and v_t across it:

    p = f_s { [sigma + g N_q m(z)] s(v_n) + 1/2 C_D rho max(v_n, 0)^2 },   friction mu_f p against v_t,
    viscosity f_s k_v v_t against v_t, on the shaft times s

    s    on tip and cone clip(v_n/v_s, 0, 1); on the shaft chi at v_n = 0, rising to 1 at v_s and falling to 0
         at -v_s (wake)
    f_s  free surface: clip(l_n/(4 R), 0, 1), l_n distance to the surface along n, infinite if n points down
    v_s  speed [m/s] over which the stress turns on, assumed; friction turns on over a hundredth of it. It must be small
         beside the speed of impact: 1 m/s, or 2 % of that if it is less
Other symbols as in contact/laws/penetration.py, to which this reduces for axial motion faster than v_s/sin th.
An element that the surface or a layer boundary cuts counts by its share on each side, so forces are continuous in time.
Motion is planar: axis, velocity and surface normal lie in one plane, and a half turn of elements counts twice.
Frame: a along the axis to the tip, b across it in the plane; a = (sin q, -cos q), b = (cos q, sin q) in (x along
the ground, z out of it). Sign: forces act on the rod. Validity: rigid rod, flat ground; v_s, f_s, chi are assumed:
no test data stand behind the ricochet they give.
Source: differential area law and free surface [BernardCreighton1979]; [Quadrelli2017] section 5.
"""

from __future__ import annotations

import itertools
import math
from collections import namedtuple

import numpy as np
from numpy.typing import NDArray

from haptos.contact.laws.penetration import Rod
from haptos.core.errors import ConfigError
from haptos.core.jit import device

CITES: tuple[str, ...] = ("Quadrelli2017", "BernardCreighton1979")

# One element: axial place from the tip (backward) and distance from the axis [m], cosine and sine of its
# place around, axial and radial part of the normal, area [m^2], lengths along the generator and around
# [m], whether it belongs to the shaft
ELEMENT = np.dtype(
    [(name, np.float64) for name in (
        "back", "radius", "cosine", "sine", "normal_a", "normal_r", "area", "length", "width", "shaft"
    )]
)  # fmt: skip

TURN_ON_SPEED = 1.0  # [m/s] largest v_s, assumed
TURN_ON_SHARE = 0.02  # [-] of the speed of impact, largest v_s: a slow rod goes 0.1 % deeper by it
FREE_SURFACE_RADII = 4.0  # [-] depth in radii from which the free surface is not felt, assumed
SLIP_SHARE = 0.01  # [-] of v_s over which friction turns on, assumed

# Forces [N] along a and b, moment [N m] about the rod's origin, wetted area [m^2], powers [W]
Traction = namedtuple(
    "Traction", "along across moment wetted strength drag friction overburden viscous"
)


def rod_elements(body: Rod, along: int = 24, around: int = 16) -> NDArray[np.void]:
    """Elements of cone, shaft and flat tip: `along` x `around` on each of cone and shaft, a half turn of them."""
    if along < 2 or around < 4 or around % 2:
        found = f"{along} x {around} elements"
        raise ConfigError(
            "elements", found, "2 or more along, 4 or more and even around", "24 x 16"
        )
    if not math.isfinite(body.shaft_length):
        allowed = "a finite shaft"
        raise ConfigError("shaft length", "infinite", allowed, "the length of the rod")
    h, cot = body.cone_height, body.sine / body.cosine
    parts = [_strip(x0, x1, body.tip_radius + cot * x0, body.tip_radius + cot * x1,
                    (body.sine, body.cosine), around, 0.0) for x0, x1 in _cuts(0.0, h, along)]  # fmt: skip
    if body.shaft_length > 0.0:
        cuts = _cuts(h, h + body.shaft_length, along)
        parts += [
            _strip(x0, x1, body.radius, body.radius, (0.0, 1.0), around, 1.0) for x0, x1 in cuts
        ]
    if body.tip_radius > 0.0:
        rings = _cuts(0.0, body.tip_radius, max(along // 4, 2))
        parts += [_strip(0.0, 0.0, r0, r1, (1.0, 0.0), around, 0.0) for r0, r1 in rings]
    return np.concatenate(parts)


def _cuts(first: float, last: float, count: int) -> list[tuple[float, float]]:
    edges = np.linspace(first, last, count + 1).tolist()
    return list(itertools.pairwise(edges))


def _strip(
    x0: float,
    x1: float,
    r0: float,
    r1: float,
    normal: tuple[float, float],
    around: int,
    shaft: float,
) -> NDArray[np.void]:
    """A ring of elements between two places of the section, half of it; areas are those of the full turn."""
    rows = np.zeros(around // 2, ELEMENT)
    length = math.hypot(x1 - x0, r1 - r0)
    area = math.pi * (r0 + r1) * length
    centre = (r0 * r0 + r0 * r1 + r1 * r1) / (1.5 * (r0 + r1))  # area-weighted radius of the ring
    share = (centre - r0) / (r1 - r0) if r1 > r0 else 0.5
    angle = (np.arange(around // 2) + 0.5) * (2.0 * math.pi / around)
    rows["back"], rows["radius"] = x0 + share * (x1 - x0), centre
    rows["cosine"], rows["sine"] = np.cos(angle), np.sin(angle)
    rows["normal_a"], rows["normal_r"] = normal
    rows["area"], rows["shaft"] = area / (around // 2), shaft
    rows["length"], rows["width"] = length, centre * 2.0 * math.pi / around
    return rows


@device
def share_below(depth, half):
    """Share [-] of an element with a half extent [m] across a level whose centre is `depth` [m] below it."""
    if half < 1e-15:
        return 1.0 if depth > 0.0 else 0.0
    return min(max(0.5 + 0.5 * depth / half, 0.0), 1.0)


@device
def turned_on(v_n, speed, shaft, chi):
    """s [-]: share of the strength that an element feels at a normal speed [m/s]."""
    x = v_n / speed
    if shaft > 0.5:
        if x >= 0.0:
            return chi + (1.0 - chi) * min(x, 1.0)
        return chi * max(1.0 + x, 0.0)
    return min(max(x, 0.0), 1.0)


@device
def traction(body, elements, layers, gravity, on_speed, z_tip, q, v_a, v_b, w, origin):
    """Sum over all elements for a rod whose tip is at height z_tip [m], turned by q [rad].

    v_a, v_b  velocity of the point `origin` [m] behind the tip along a and b [m/s];  w  turning rate [rad/s]
    """
    sine, cosine = math.sin(q), math.cos(q)
    f_a, f_b, moment, wetted = 0.0, 0.0, 0.0, 0.0
    p_strength, p_drag, p_friction, p_over, p_viscous = 0.0, 0.0, 0.0, 0.0, 0.0
    count = len(layers)
    for i in range(len(elements)):
        e = elements[i]
        offset = e.radius * e.cosine
        depth = -(z_tip + e.back * cosine + offset * sine)
        # generator direction is (-normal_r, normal_a) in (a, radial)
        rise = e.length * (e.normal_r * cosine + e.normal_a * e.cosine * sine)
        half = 0.5 * (abs(rise) + e.width * abs(e.sine * sine))
        below = share_below(depth, half)
        if below <= 0.0:
            continue
        arm = origin - e.back  # along a from the origin
        u_a, u_b = v_a - w * offset, v_b + w * arm
        n_a, n_b = e.normal_a, e.normal_r * e.cosine
        v_n = u_a * n_a + u_b * n_b
        v_t = math.sqrt(max(u_a * u_a + u_b * u_b - v_n * v_n, 0.0))
        out = n_b * sine - n_a * cosine
        free = 1.0
        if out > 0.0:
            mean = depth if below >= 1.0 else below * half
            free = min(mean / (out * FREE_SURFACE_RADII * body.radius), 1.0)
        on = turned_on(v_n, on_speed, e.shaft, body.chi)
        push = max(v_n, 0.0)
        area = e.area
        strength, drag, over, rubbed, viscous = 0.0, 0.0, 0.0, 0.0, 0.0
        closed = on if e.shaft > 0.5 else 1.0
        is_flat = e.normal_r == 0.0
        for k in range(count):
            inside = share_below(depth - layers[k].top, half)
            if k + 1 < count:
                inside -= share_below(depth - layers[k + 1].top, half)
            if inside > 0.0:
                rho = layers[k].density
                held = inside * free * layers[k].strength * on
                c_d = layers[k].flat_drag if is_flat else layers[k].drag
                pushed = inside * free * 0.5 * c_d * rho * push * push
                above = layers[k].above + rho * max(depth - layers[k].top, 0.0)
                covered = inside * free * gravity * layers[k].bearing * above * on
                strength += held
                drag += pushed
                over += covered
                rubbed += layers[k].friction * (held + pushed + covered)
                viscous += inside * free * layers[k].viscosity * closed
        p = strength + drag + over
        slip = 1.0 / max(v_t, SLIP_SHARE * on_speed)
        shear = rubbed * slip + viscous
        g_a = -area * (p * n_a + shear * (u_a - v_n * n_a))
        g_b = -area * (p * n_b + shear * (u_b - v_n * n_b))
        f_a += g_a
        f_b += g_b
        moment += g_b * arm - g_a * offset
        wetted += below * area
        p_strength -= area * strength * v_n
        p_drag -= area * drag * v_n
        p_over -= area * over * v_n
        p_friction -= area * rubbed * slip * v_t * v_t
        p_viscous -= area * viscous * v_t * v_t
    return Traction(f_a, f_b, moment, wetted, p_strength, p_drag, p_friction, p_over, p_viscous)
