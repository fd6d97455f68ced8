"""Resistance of soil to a cone-tipped rod that enters along its axis.

    F = int over the wetted surface of
        { [1/2 C_D rho V^2 sin^2 th' + sigma + g N_q m(z)] (sin th' + mu_f cos th') + k_v V cos^2 th' } dA

    R, th      radius [m] and half angle of the cone [rad]      r_t  radius of a flat tip [m], 0 for a point
    th'        th on the cone, pi/2 on the flat tip, 0 on the shaft; shaft stresses are multiplied by chi
    chi        [-] share of the stress that the shaft feels: 1 closed on it, 0 the cavity stays open
    d, V       depth of the tip [m], speed [m/s] > 0 inward     z    depth of a surface element [m]
    sigma, rho strength [Pa] and density [kg/m^3] of the soil   m(z) mass above it per area [kg/m^2]
    C_D, mu_f  drag coefficient, friction [-]                   k_v  viscosity [Pa s/m]
    N_q        exp(pi tan phi) tan^2(pi/4 + phi/2), phi angle of internal friction [rad]; N_c = (N_q - 1) cot phi
Soil comes in layers of constant properties; the integrals over the surface are closed forms of the
part of cone and shaft in each layer, so a layer boundary costs no accuracy.
The drag coefficient is a number, or that of steady cylindrical cavity expansion behind a shock:

    C_D = 2/((1 - eta) cos^2 th) { [(1 - eta) + 1/al + eta/(2 - al)]/eta^(al/2) - 1/al - 1/(2 - al) }
    al = 3 lam/(3 + 2 lam),  lam = tan phi,  eta = 1 - rho/rho_locked,  0 < eta < 1

With gravity, overburden, viscosity and shaft left out there are closed forms: strength alone stops the rod at
m V^2/(2 sigma pi R^2) + 2 h_c/3; drag and strength, from speed V1 where the cone is covered, at
h_c + (m/(C rho A)) ln(1 + C rho V1^2/(2 sigma f)), A = pi R^2, f = 1 + mu_f cot th, C = C_D sin^2 th f.
Sign: forces > 0 resist. Validity: below about 200 m/s, axial motion, no plugging; the cavity closes at once.
Source: [Quadrelli2017] Eqs. (26) and (27); bearing factors [Terzaghi1943], [Meyerhof1951].
"""

from __future__ import annotations

import itertools
import math
from collections import namedtuple
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from haptos.core.errors import ConfigError
from haptos.core.jit import device

CITES: tuple[str, ...] = ("Quadrelli2017", "Terzaghi1943", "Meyerhof1951")

FLATTEST = 0.05  # [-] least cosine of a tilt

# Depth of the top [m], strength [Pa], density [kg/m^3], N_q [-], friction [-], drag coefficient of the
# cone and of a flat tip [-], viscosity [Pa s/m], mass above the top [kg/m^2]
LAYER = np.dtype(
    [(name, np.float64) for name in (
        "top", "strength", "density", "bearing", "friction", "drag", "flat_drag", "viscosity", "above"
    )]
)  # fmt: skip

# Radius, radius of the flat tip, height of the cone, length of the shaft [m], sine and cosine of the
# half angle, share of stress on the shaft [-]
Rod = namedtuple("Rod", "radius tip_radius cone_height shaft_length sine cosine chi")

# Forces [N] against the motion
Resistance = namedtuple("Resistance", "drag cone shaft overburden viscous")


@dataclass(frozen=True, slots=True)
class SoilLayer:
    """Soil of constant properties from a depth downward.

    strength  sigma [Pa], >= 0       density  rho [kg/m^3]      friction_angle  phi [rad], 0 to below pi/2
    friction  mu_f [-]               drag     C_D [-]           viscosity  k_v [Pa s/m]
    top       depth of its upper side [m]                       flat_drag  C_D of a flat tip [-]
    """

    strength: float
    density: float
    friction_angle: float
    friction: float = 0.2
    drag: float = 1.0
    viscosity: float = 0.0
    top: float = 0.0
    flat_drag: float = 1.0


def bearing_factor(friction_angle: float) -> float:
    """N_q [-] of an angle of internal friction [rad]."""
    return math.exp(math.pi * math.tan(friction_angle)) * (
        math.tan(math.pi / 4.0 + friction_angle / 2.0) ** 2
    )


def cohesion_factor(friction_angle: float) -> float:
    """N_c [-]; 2 + pi, its limit, without internal friction."""
    if friction_angle < 1e-6:
        return 2.0 + math.pi
    return (bearing_factor(friction_angle) - 1.0) / math.tan(friction_angle)


def cavity_drag(friction_angle: float, compaction: float, half_angle: float) -> float:
    """C_D [-] of cavity expansion; compaction eta = 1 - rho/rho_locked in (0, 1). Eq. (27)"""
    if not 0.0 < compaction < 1.0:
        allowed = "between 0 and 1, both excluded: 1 - density/locked density"
        raise ConfigError("compaction", f"{compaction:g}", allowed, "0.1")
    if not 0.0 < friction_angle < math.pi / 2.0:
        found = f"{math.degrees(friction_angle):g} deg"
        raise ConfigError("friction angle", found, "above 0 and below 90 deg", "35 deg")
    lam = math.tan(friction_angle)
    al = 3.0 * lam / (3.0 + 2.0 * lam)
    grown = (1.0 - compaction) + 1.0 / al + compaction / (2.0 - al)
    bracket = grown / compaction ** (al / 2.0) - 1.0 / al - 1.0 / (2.0 - al)
    return 2.0 / ((1.0 - compaction) * math.cos(half_angle) ** 2) * bracket


def rod(
    radius: float,
    half_angle: float,
    shaft_length: float = math.inf,
    tip_radius: float = 0.0,
    chi: float = 1.0,
) -> Rod:
    """A rod [m] with a cone of a half angle [rad]; refuses shapes outside 5 to 85 deg."""
    if not 0.0 < radius < math.inf:
        raise ConfigError("radius", f"{radius:g} m", "above 0", "0.0095")
    if not math.radians(5.0) <= half_angle <= math.radians(85.0) + 1e-12:
        found = f"{math.degrees(half_angle):g} deg"
        raise ConfigError("half angle", found, "5 to 85 deg", "30 deg")
    if not 0.0 <= tip_radius < radius:
        raise ConfigError("tip radius", f"{tip_radius:g} m", "0 to below the radius", "0")
    if not shaft_length >= 0.0:
        raise ConfigError("shaft length", f"{shaft_length:g} m", "0 or more", "0.4")
    height = (radius - tip_radius) / math.tan(half_angle)
    sine, cosine = math.sin(half_angle), math.cos(half_angle)
    return Rod(radius, tip_radius, height, shaft_length, sine, cosine, chi)


def layer_rows(layers: Sequence[SoilLayer]) -> NDArray[np.void]:
    """Layers as the kernel reads them, the first at the surface, tops increasing."""
    tops = [one.top for one in layers]
    if not layers or tops[0] != 0.0 or any(b <= a for a, b in itertools.pairwise(tops)):
        allowed = "a first layer at 0 and tops that increase"
        raise ConfigError("soil layers", f"tops at {tops} m", allowed, "[0, 0.2]")
    rows = np.zeros(len(layers), LAYER)
    above = 0.0
    for k, one in enumerate(layers):
        if k:
            above += layers[k - 1].density * (one.top - layers[k - 1].top)
        bearing = bearing_factor(one.friction_angle)
        rows[k] = (one.top, one.strength, one.density, bearing, one.friction, one.drag,
                   one.flat_drag, one.viscosity, above)  # fmt: skip
    return rows


def depth_per_length(tilt: float) -> float:
    """Depth over distance along the axis [-] of a rod tilted [rad] from the normal; not below that of 87 deg."""
    return max(math.cos(tilt), FLATTEST)


def layers_along(layers: Sequence[SoilLayer], tilt: float) -> tuple[SoilLayer, ...]:
    """Layers as a rod meets them along its axis, which is tilted [rad] from the normal of the ground: each is longer there.

    Gravity goes with it times the cosine of the tilt, so that the mass above an element is that of its depth.
    """
    return tuple(replace(one, top=one.top / depth_per_length(tilt)) for one in layers)


@device
def cone_part(body, first, last):
    """(area [m^2], integral of the distance from the tip over it [m^3]) of the cone between two distances."""
    scale = 2.0 * math.pi / body.cosine
    tangent = body.sine / body.cosine
    squares = 0.5 * (last * last - first * first)
    cubes = (last * last * last - first * first * first) / 3.0
    return (
        scale * (body.tip_radius * (last - first) + tangent * squares),
        scale * (body.tip_radius * squares + tangent * cubes),
    )


@device
def shaft_part(body, first, last):
    """The same of the shaft."""
    scale = 2.0 * math.pi * body.radius
    return scale * (last - first), 0.5 * scale * (last * last - first * first)


@device
def resistance(body, layers, gravity, d, v):
    """Forces [N] on a rod at depth d [m] and speed v [m/s]. Eq. (26)"""
    drag, cone, shaft, overburden, viscous = 0.0, 0.0, 0.0, 0.0, 0.0
    count = len(layers)
    back = min(d, body.cone_height + body.shaft_length)
    covered = min(d, body.cone_height)
    for k in range(count):
        top = layers[k].top
        if top >= d:
            break
        bottom = layers[k + 1].top if k + 1 < count else math.inf
        sigma, rho, mu_f = layers[k].strength, layers[k].density, layers[k].friction
        near, far = max(d - bottom, 0.0), d - top  # distances from the tip
        pressure = 0.5 * rho * v * v
        weight = gravity * layers[k].bearing
        # overburden at a distance x from the tip: weight (above + rho (d - x - top))
        deepest = layers[k].above + rho * (d - top)
        if far > near and near < covered:
            area, moment = cone_part(body, near, min(far, covered))
            along = body.sine + mu_f * body.cosine
            drag += layers[k].drag * pressure * body.sine * body.sine * along * area
            cone += sigma * along * area
            overburden += weight * (deepest * area - rho * moment) * along
            viscous += layers[k].viscosity * v * body.cosine * body.cosine * area
        if near == 0.0 and body.tip_radius > 0.0 and d <= bottom:
            area = math.pi * body.tip_radius * body.tip_radius
            drag += layers[k].flat_drag * pressure * area
            cone += sigma * area
            overburden += weight * deepest * area
        first = max(near, body.cone_height)
        if min(far, back) > first:
            area, moment = shaft_part(body, first, min(far, back))
            shaft += body.chi * mu_f * sigma * area
            overburden += body.chi * mu_f * weight * (deepest * area - rho * moment)
            viscous += body.chi * layers[k].viscosity * v * area
    return Resistance(drag, cone, shaft, overburden, viscous)


def constant_strength_depth(mass: float, speed: float, strength: float, body: Rod) -> float:
    """Depth [m] where strength alone, without friction, stops a pointed rod; deeper than its cone."""
    return (
        mass * speed**2 / (2.0 * strength * math.pi * body.radius**2) + 2.0 * body.cone_height / 3.0
    )


def poncelet_depth(mass: float, speed: float, layer: SoilLayer, body: Rod) -> float:
    """Depth [m] of a pointed rod without stress on its shaft, from a speed [m/s] where the cone is covered."""
    area = math.pi * body.radius**2
    f = 1.0 + layer.friction * body.cosine / body.sine
    c = layer.drag * body.sine**2 * f
    ratio = c * layer.density * speed**2 / (2.0 * layer.strength * f)
    return body.cone_height + mass / (c * layer.density * area) * math.log1p(ratio)
