"""Stiffness of an elastic foundation: pressure over depth, from layers or from a wanted depth.

    confined layer (default)   K = M/h,  M = E (1 - nu)/((1 + nu)(1 - 2 nu))
    unconfined, slippery pad   M = E/(1 - nu^2)
    bonded pad                 1/M = 1/(E (1 + 2 S^2)) + 3 (1 - 2 nu)/E
    layers of both bodies      1/K = sum 1/K_i;  a rigid body adds nothing
    shear of the layer         K_T = K (1 - 2 nu)/(2 (1 - nu))

    K   foundation modulus [Pa/m]      E   Young's modulus [Pa]     h  thickness [m]
    nu  Poisson's ratio [-], 0 to 0.45 for a confined layer: above, it is nearly incompressible
    S   shape factor [-]: loaded area over free side area
Validity: depth small against the layer's thickness and the radii; neighbouring points do not feel each
other, so a ball gives F ~ d^2 where Hertz gives d^1.5.
Source: [Hippmann2004], [Johnson1985]; bonded pad [GentLindley1959].
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from haptos.contact.hertz import hertz_force
from haptos.core.errors import ConfigError

CITES: tuple[str, ...] = ("Hippmann2004", "Johnson1985", "GentLindley1959")

LARGEST_POISSON = 0.45  # [-] of a confined layer; at 0.49 the modulus is 17 E, at 0.5 infinite


def layer_modulus(
    young: float,
    poisson: float,
    thickness: float,
    model: str = "confined",
    shape_factor: float | None = None,
) -> float:
    """K [Pa/m] of one layer; refuses a confined layer that is nearly incompressible."""
    _require(young > 0.0, "youngs_modulus_Pa", young, "above 0", "1e7")
    _require(thickness > 0.0, "thickness_m", thickness, "above 0", "0.01")
    _require(0.0 <= poisson < 0.5, "poisson", poisson, "0 to below 0.5", "0.3")
    if model == "unconfined":
        return young / (1.0 - poisson**2) / thickness
    if model == "bonded_pad":
        given = shape_factor if shape_factor is not None else math.nan
        _require(given > 0.0, "shape_factor", given, "above 0, loaded over free area", "5.0")
        soft = 1.0 / (young * (1.0 + 2.0 * given**2)) + 3.0 * (1.0 - 2.0 * poisson) / young
        return 1.0 / soft / thickness
    if model != "confined":
        allowed = "confined, unconfined, bonded_pad"
        raise ConfigError("layer", f"model = '{model}'", allowed, "confined")
    if poisson > LARGEST_POISSON:
        hint = 'give modulus_Pa_per_m, or model = "unconfined" or "bonded_pad" with a shape_factor'
        allowed = f"0 to {LARGEST_POISSON} in a confined layer"
        raise ConfigError("layer", f"poisson = {poisson:g}", allowed, hint)
    confined = young * (1.0 - poisson) / ((1.0 + poisson) * (1.0 - 2.0 * poisson))
    return confined / thickness


def series_modulus(*moduli: float) -> float:
    """K [Pa/m] of layers that carry the same pressure; math.inf is a rigid body."""
    soft = sum(0.0 if math.isinf(k) else 1.0 / k for k in moduli)
    if not soft > 0.0:
        hint = "give one body a layer or a modulus"
        raise ConfigError("layers", "two rigid bodies", "at least one that yields", hint)
    return 1.0 / soft


def strain_per_depth(moduli: Sequence[float], thicknesses: Sequence[float]) -> float:
    """Compression of the layer that yields most over its thickness, for each metre of depth [1/m].

    Layers carry the same pressure, so each takes K/K_i of the depth; math.inf is a rigid body.
    """
    whole = series_modulus(*moduli)
    return max(whole / k / h for k, h in zip(moduli, thicknesses, strict=True))


def shear_modulus(modulus: float, poisson: float) -> float:
    """K_T [Pa/m] of a layer: its shear over its confined modulus, times K."""
    return modulus * (1.0 - 2.0 * poisson) / (2.0 * (1.0 - poisson))


def modulus_from_depth(shape: str, load: float, depth: float, **lengths: float) -> float:
    """K [Pa/m] that gives a depth [m] at a load [N] on a plane.

    ball      radius R               F = pi K R d^2
    cylinder  radius R, length L     F = K L (4/3) sqrt(2 R) d^1.5, small d
    ring      radius P, tube_radius R; a cylinder of length 2 pi P
    """
    _require(load > 0.0, "load", load, "above 0", "100")
    _require(depth > 0.0, "depth", depth, "above 0", "1e-4")
    if shape == "ball":
        return load / (math.pi * lengths["radius"] * depth**2)
    width = 4.0 / 3.0 * math.sqrt(2.0 * lengths.get("tube_radius", lengths["radius"])) * depth**1.5
    if shape == "cylinder":
        return load / (lengths["length"] * width)
    if shape == "ring":
        return load / (2.0 * math.pi * lengths["radius"] * width)
    raise ConfigError("calibration", f"shape '{shape}'", "ball, cylinder, ring", "ball")


def modulus_like_hertz(radius: float, stiffness: float, depth: float) -> float:
    """K [Pa/m] of a ball that carries, at one depth [m], what a Hertz contact F = k d^1.5 carries."""
    return float(hertz_force(stiffness, depth)) / (math.pi * radius * depth**2)


def damping_for(ratio: float, modulus: float, mass: float, area: float) -> float:
    """D [Pa s/m] of a damping ratio zeta [-] of a mass [kg] on a patch of `area` [m^2]."""
    return 2.0 * ratio * math.sqrt(modulus * mass / area)


def _require(holds: bool, key: str, value: float, allowed: str, hint: str) -> None:
    if not (holds and math.isfinite(value)):
        raise ConfigError(key, f"{value:g}", allowed, hint)
