"""What holds a rod in the ground: capacity in any direction, elastic hold, slip, pull-out.

    (F_a/Q_a)^2 + (F_l/Q_l)^2 <= 1        F_a outward along the axis, F_l across it [N]
    Q_a = mu_f chi_r int sigma dA_shaft + (c N_c + g m(z) N_q) A_barb + adhesion
    Q_l = int_0^x q dz - int_x^D q dz,  x the turning centre: int_0^x q z dz = int_x^D q z dz
    q = 2 R p_u,   p_u = c min(9, 2 + 7 z/(6 R)) + 3 K_p g m(z),   K_p = tan^2(pi/4 + phi/2)

    chi_r  residual grip on the shaft [-]     A_barb  area of the barbs [m^2]    c  cohesion [Pa], sigma/N_c if not given
    D      depth of the tip [m]               z  depth [m]                       other symbols as in penetration.py
A rod pushed inward (F_a < 0) meets the resistance of penetration.py at rest, Q_i in place of Q_a: a slow load drives it on to
the first depth where that resistance is the load (`pushed_in`).
Below capacity the hold is elastic, k_a; at capacity the rod slips along the force, which stays at capacity
(radial return); it is out when the outward slip exceeds its depth. Uniform q gives Q_l = (sqrt 2 - 1) q D about x = D/sqrt 2.
Sign: forces are those of the load on the rod. Validity: rigid short rod, pulled where it enters; capacity does not fall while slipping.
Source: short piles [Broms1964]; bearing factors [Terzaghi1943]; requirement and law [Quadrelli2017]; chi_r, k_a, barbs assumed.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq

from haptos.contact.laws.penetration import (
    Rod,
    SoilLayer,
    bearing_factor,
    cohesion_factor,
    depth_per_length,
    layer_rows,
    layers_along,
    resistance,
    shaft_part,
)
from haptos.core.jit import device

CITES: tuple[str, ...] = ("Broms1964", "Terzaghi1943", "Quadrelli2017")

Floats = NDArray[np.float64]

RESIDUAL_GRIP = 0.1  # [-] chi_r, assumed
BARB_AREA = 4 * 5e-3 * 10e-3  # [m^2] four barbs of 5 x 10 mm, assumed
BARB_EDGE = 4 * 2 * (5e-3 + 10e-3)  # [m] around them
STIFFNESS = 1e6  # [N/m] k_a, assumed
LOOKS = 33  # at the resistance between two depths where it changes its law
REQUIRED = 450.0  # [N] in any direction, Deep Space 4 [Quadrelli2017]


@dataclass(frozen=True, slots=True)
class Anchor:
    """A rod in the ground.

    axial, lateral, inward  Q_a, Q_l, Q_i [N]      depth  of the tip [m]     stiffness  k_a [N/m]
    """

    axial: float
    lateral: float
    inward: float
    depth: float
    stiffness: float = STIFFNESS

    def capacity(self, angle: float) -> float:
        """Largest load [N] at an angle [rad] from the outward axis."""
        along = self.axial if math.cos(angle) >= 0.0 else self.inward
        return 1.0 / math.hypot(_over(math.cos(angle), along), _over(math.sin(angle), self.lateral))

    @property
    def least(self) -> float:
        """Least capacity [N] over all directions out of the ground."""
        return min(self.axial, self.lateral)

    def margin(self, required: float = REQUIRED) -> float:
        """Least capacity over what is required, less one [-]; below 0 it does not hold."""
        return self.least / required - 1.0


def _over(share: float, capacity: float) -> float:
    if abs(share) < 1e-15:
        return 0.0
    return share / capacity if capacity > 0.0 else math.inf


def anchor(
    body: Rod,
    layers: Sequence[SoilLayer],
    depth: float,
    *,
    tilt: float = 0.0,
    gravity: float = 0.0,
    cohesion: float | None = None,
    barb_area: float = BARB_AREA,
    residual_grip: float = RESIDUAL_GRIP,
    adhesion: float = 0.0,
    stiffness: float = STIFFNESS,
) -> Anchor:
    """Capacities of a rod whose tip is `depth` [m] in the ground, along its axis; barbs open at the shoulder of the cone
    and bear on the strongest layer they have passed, so that a harpoon behind a plate hangs on the plate.

    tilt  of the axis from the normal [rad]: layers, what lies above and the surface count by depth, not along the axis
    """
    layers, depth_share = layers_along(layers, tilt), depth_per_length(tilt)
    gravity = gravity * depth_share
    rows = layer_rows(layers).view(np.recarray)  # called from Python
    inward = sum(resistance(body, rows, gravity, depth, 0.0))
    if depth <= 0.0:
        return Anchor(0.0, 0.0, 0.0, 0.0, stiffness)
    grip = residual_grip * _shaft_grip(body, layers, depth)
    barbs = 0.0
    shoulder = depth - body.cone_height
    if shoulder > 0.0:
        barbs = _barb_hold(layers, shoulder, barb_area, gravity, cohesion)
    lateral = lateral_capacity(
        body, layers, depth, gravity=gravity, cohesion=cohesion, depth_share=depth_share
    )
    return Anchor(grip + barbs + adhesion, lateral, inward, depth, stiffness)


@dataclass(frozen=True, slots=True)
class PushedIn:
    """A rod after a slow push: depth and way [m] along its axis, works [J] of soil on cone and shaft and of overburden; whether
    it stopped."""

    depth: float
    way: float
    strength: float
    friction: float
    overburden: float
    is_held: bool


def pushed_in(
    body: Rod,
    layers: Sequence[SoilLayer],
    depth: float,
    load: float,
    *,
    tilt: float = 0.0,
    gravity: float = 0.0,
    deepest: float = 1e4,
) -> PushedIn:
    """Push a rod on along its axis by a load [N] that grows slowly to its size; it goes no further than `deepest` [m].

    Between depths where an end of cone or shaft meets a layer the resistance is a cubic of depth, so works are exact.
    """
    rows = layer_rows(layers_along(layers, tilt)).view(np.recarray)

    def left(d: float) -> float:
        return load - float(sum(resistance(body, rows, gravity * depth_per_length(tilt), d, 0.0)))

    works = np.zeros(3)
    if left(depth) <= 0.0:
        return PushedIn(depth, 0.0, 0.0, 0.0, 0.0, True)
    for a, b in itertools.pairwise(_knots(body, rows["top"], depth, deepest)):
        looks = np.linspace(a, b, LOOKS)
        stop = next((k for k in range(1, LOOKS) if left(looks[k]) <= 0.0), None)
        if stop is None:
            works += _push_works(body, rows, gravity * depth_per_length(tilt), a, b)
            continue
        # a jump between two layers stops a flat tip where it meets the harder one
        end = float(brentq(left, looks[stop - 1], looks[stop], xtol=1e-14)) if left(looks[stop - 1]) > 0.0 else a  # fmt: skip
        works += _push_works(body, rows, gravity * depth_per_length(tilt), a, end)
        return PushedIn(end, end - depth, float(works[0]), float(works[1]), float(works[2]), True)
    return PushedIn(
        deepest, deepest - depth, float(works[0]), float(works[1]), float(works[2]), False
    )


def _knots(body: Rod, tops: Floats, depth: float, deepest: float) -> list[float]:
    """Depths [m] between which the resistance is one cubic, a part that has no end in doubled lengths."""
    back = [0.0, body.cone_height, body.cone_height + body.shaft_length]
    found = {top + x for top in tops.tolist() for x in back if depth < top + x < deepest}
    last = max(found, default=depth)
    step = max(body.cone_height, last - depth)
    while last + step < deepest:
        found.add(last + step)
        step *= 2.0
    return [depth, *sorted(found), deepest]


def _push_works(body: Rod, rows: NDArray[np.void], gravity: float, a: float, b: float) -> Floats:
    """Works [J] of cone, shaft and overburden between two depths."""
    found = np.zeros(3)
    for x, weight in ((-math.sqrt(0.6), 5.0), (0.0, 8.0), (math.sqrt(0.6), 5.0)):
        felt = resistance(body, rows, gravity, 0.5 * (a + b + x * (b - a)), 0.0)
        found += weight / 18.0 * (b - a) * np.array([felt.cone, felt.shaft, felt.overburden])
    return found


def _barb_hold(
    layers: Sequence[SoilLayer], z: float, area: float, gravity: float, cohesion: float | None
) -> float:
    """Force [N] on barbs at a depth: bearing in their own layer, or on one above it that they have passed.

    A layer that was passed gives way in shear, over its thickness around the barbs, if that takes less.
    """
    own = layer_at(layers, z)
    found = area * _bearing(own, layers, z, gravity, cohesion)
    edge = BARB_EDGE * area / BARB_AREA
    for one, below in itertools.pairwise(layers):
        if below.top <= z and one is not own:
            torn = edge * (below.top - one.top) * cohesion_of(one, cohesion)
            found = max(found, min(area * _bearing(one, layers, z, gravity, cohesion), torn))
    return found


def _bearing(
    one: SoilLayer, layers: Sequence[SoilLayer], z: float, gravity: float, cohesion: float | None
) -> float:
    """Stress [Pa] on barbs in a layer: c N_c + g m(z) N_q."""
    held = cohesion_of(one, cohesion) * cohesion_factor(one.friction_angle)
    return held + gravity * mass_above(layers, z) * bearing_factor(one.friction_angle)


def layer_at(layers: Sequence[SoilLayer], z: float) -> SoilLayer:
    """The layer at a depth [m]."""
    return [one for one in layers if one.top <= z][-1]


def mass_above(layers: Sequence[SoilLayer], z: float) -> float:
    """Mass above a depth per area [kg/m^2]."""
    bottoms = [one.top for one in layers[1:]] + [math.inf]
    return sum(
        one.density * max(min(z, bottom) - one.top, 0.0)
        for one, bottom in zip(layers, bottoms, strict=True)
    )


def cohesion_of(layer: SoilLayer, given: float | None) -> float:
    """c [Pa]: as given, else strength over N_c."""
    return given if given is not None else layer.strength / cohesion_factor(layer.friction_angle)


def _shaft_grip(body: Rod, layers: Sequence[SoilLayer], depth: float) -> float:
    """int mu_f sigma dA over the shaft below ground [N]."""
    bottoms = [one.top for one in layers[1:]] + [math.inf]
    back = min(depth, body.cone_height + body.shaft_length)
    total = 0.0
    for one, bottom in zip(layers, bottoms, strict=True):
        first = max(depth - bottom, body.cone_height)
        last = min(depth - one.top, back)
        if last > first:
            total += one.friction * one.strength * shaft_part(body, first, last)[0]
    return total


def lateral_stress(
    body: Rod,
    layers: Sequence[SoilLayer],
    z: float,
    gravity: float,
    cohesion: float | None,
    depth_share: float = 1.0,
) -> float:
    """p_u [Pa] at a distance from the surface [m] along the rod; depth_share  depth over that distance."""
    one = layer_at(layers, z)
    passive = math.tan(math.pi / 4.0 + one.friction_angle / 2.0) ** 2
    held = cohesion_of(one, cohesion) * min(9.0, 2.0 + 7.0 * depth_share * z / (6.0 * body.radius))
    return held + 3.0 * passive * gravity * mass_above(layers, z)


def lateral_capacity(
    body: Rod,
    layers: Sequence[SoilLayer],
    depth: float,
    *,
    gravity: float = 0.0,
    cohesion: float | None = None,
    depth_share: float = 1.0,
) -> float:
    """Q_l [N]: p_u is piecewise linear, so force and moment of each piece are exact."""
    head = max(depth - body.cone_height - body.shaft_length, 0.0)
    cuts = {head, depth, *(x for x in (6.0 * body.radius / depth_share, *(one.top for one in layers)) if head < x < depth)}  # fmt: skip
    knots = sorted(cuts)
    pieces = []
    for a, b in itertools.pairwise(knots):
        near, far = a + 1e-9 * (b - a), b - 1e-9 * (b - a)
        q = [
            2.0 * body.radius * lateral_stress(body, layers, z, gravity, cohesion, depth_share)
            for z in (near, far)
        ]
        pieces.append((a - head, b - head, q[0], q[1]))
    length = depth - head
    total = _pieces_until(pieces, length)[1]
    low, high = 0.0, length
    for _ in range(200):  # to rounding: the moment rises with x
        x = 0.5 * (low + high)
        low, high = (x, high) if 2.0 * _pieces_until(pieces, x)[1] < total else (low, x)
    return 2.0 * _pieces_until(pieces, x)[0] - _pieces_until(pieces, length)[0]


def _pieces_until(pieces: list[tuple[float, float, float, float]], x: float) -> tuple[float, float]:
    """(force [N], moment about the head [N m]) of linear pieces from the head to x."""
    force = moment = 0.0
    for a, b, first, last in pieces:
        if x <= a:
            break
        end = min(b, x)
        slope = (last - first) / (b - a)
        w = end - a
        force += first * w + 0.5 * slope * w * w
        moment += a * (first * w + 0.5 * slope * w * w) + 0.5 * first * w * w + slope * w**3 / 3.0
    return force, moment


@device
def hold(axial, lateral, inward, stiffness, u_a, u_l, slip_a, slip_l):
    """(force along, across [N], new slip along, across [m]) of the load for a displacement of the rod [m].

    Radial return: beyond the ellipse the force is scaled back to it and the rest becomes slip.
    """
    f_a, f_l = stiffness * (u_a - slip_a), stiffness * (u_l - slip_l)
    along = axial if f_a >= 0.0 else inward
    used = math.hypot(f_a / along, f_l / lateral)
    if used > 1.0:
        f_a /= used
        f_l /= used
        slip_a, slip_l = u_a - f_a / stiffness, u_l - f_l / stiffness
    return f_a, f_l, slip_a, slip_l


@dataclass(frozen=True, slots=True)
class PullOut:
    """A pull on an anchor, followed step by step.

    slipped [m] outward; worked, dissipated, stored [J]; peak [N]; is_out  whether it came out
    """

    slipped: float
    worked: float
    dissipated: float
    stored: float
    peak: float
    is_out: bool


def pull(held: Anchor, angle: float, distance: float, steps: int = 1000) -> PullOut:
    """Move the head by a distance [m] at an angle [rad] from the outward axis."""
    slip_a = slip_l = worked = dissipated = peak = f_a = f_l = 0.0
    way = (math.cos(angle), math.sin(angle))
    for k in range(1, steps + 1):
        x = distance * k / steps
        before = (f_a, f_l, slip_a, slip_l)
        f_a, f_l, slip_a, slip_l = hold(
            held.axial, held.lateral, held.inward, held.stiffness, x * way[0], x * way[1], slip_a, slip_l
        )  # fmt: skip
        mean = (0.5 * (before[0] + f_a), 0.5 * (before[1] + f_l))
        worked += (mean[0] * way[0] + mean[1] * way[1]) * distance / steps
        dissipated += mean[0] * (slip_a - before[2]) + mean[1] * (slip_l - before[3])
        peak = max(peak, math.hypot(f_a, f_l))
        if slip_a >= held.depth:
            break
    stored = 0.5 * (f_a**2 + f_l**2) / held.stiffness
    return PullOut(slip_a, worked, dissipated, stored, peak, slip_a >= held.depth)
