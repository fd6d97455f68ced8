"""How well a net has opened: the quality index, the capture distance, and what predicts them.

    Q = (1 - e / e_ref) 100,   e = sum |x_ref,i - x_i|,   e_ref = sum |x_ref,i|   Eqs. (6.15)-(6.17)
    v_CoM = BR v_b cos a                                                          Eq. (6.19)
    d = (L / sqrt 2) / tan a                 bullets reach the corners of a square net of side L
    dt_wrap = pi R / (2 v_CoM),   R = (L - L_target) / 2                          Eq. (6.20)

    x_i, x_ref,i  knots [m] from the centre of mass, now and deployed; knots only, not nodes
    BR  bullet ratio [-]        v_b  speed of bullets [m/s]        a  divergence angle [rad]
    v_CoM  speed of net and bullets along the shot [m/s]           d  capture distance [m]
    L, L_target  sides of the net and of the face it strikes [m]   dt_wrap  [s]
Capture distance is the travel of the net at the largest Q; its band is where Q stays above 70 %.
Frame: axes that do not turn, x along the shooting direction, the same for both sets of knots.
Validity: a net shot straight, on its own; Q says nothing once the net has touched.
Source: [Salvi2014] section 6.3; the formula of d is ours, after figure 6.20.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from haptos.core.errors import ConfigError

CITES: tuple[str, ...] = ("Salvi2014",)

Floats = NDArray[np.float64]
THRESHOLD = 70.0  # [%] of quality that a capture needs


def centre_of_mass(positions: ArrayLike, masses: ArrayLike) -> Floats:
    """Centre [m], (..., 3), of nodes [m], (..., n, 3), with masses [kg], (n,) or (..., n)."""
    weights = np.asarray(masses, dtype=float)
    total = weights.sum(axis=-1, keepdims=True)
    return np.einsum("...ni,...n->...i", np.asarray(positions, dtype=float), weights / total)


def quality_index(
    knots: ArrayLike, centre: ArrayLike, reference: ArrayLike, reference_centre: ArrayLike
) -> Floats:
    """Q [%], (...,), of knots [m], (..., n, 3), about a centre [m], (..., 3).

    reference, reference_centre   knots of the deployed net [m], (n, 3), and its centre [m], (3,)
    100 if deployed; 0 for all knots in one point; negative if farther off than that.
    """
    wanted = np.asarray(reference, dtype=float) - np.asarray(reference_centre, dtype=float)
    found = np.asarray(knots, dtype=float) - np.asarray(centre, dtype=float)[..., None, :]
    if found.shape[-2:] != wanted.shape:
        shapes = f"{found.shape[-2:]} and {wanted.shape}"
        raise ConfigError("quality index", f"knots {shapes}", "the same knots", "leave nodes out")
    error = np.linalg.norm(wanted - found, axis=-1).sum(axis=-1)
    return (1.0 - error / np.linalg.norm(wanted, axis=-1).sum()) * 100.0  # Eq. (6.15)


@dataclass(frozen=True, slots=True)
class Deployment:
    """What a curve of quality over travel says.

    best_quality  [%]            capture_distance  travel at it [m]
    tolerance     width of the band over the capture distance [-]; NaN without a band, or for a net that is
                  widest where it starts, at no travel
    band          travels [m] between which Q stays above the threshold around the best; both NaN
                  if it never does
    is_band_complete  the curve fell below the threshold on both sides
    """

    best_quality: float
    capture_distance: float
    band: tuple[float, float]
    is_band_complete: bool

    @property
    def tolerance(self) -> float:
        """Width of the band over the capture distance [-]; NaN where one of them is missing."""
        if not self.capture_distance > 0.0:
            return math.nan
        return (self.band[1] - self.band[0]) / self.capture_distance


def deployment(
    travel: ArrayLike, quality: ArrayLike, *, threshold: float = THRESHOLD
) -> Deployment:
    """Capture distance and band of a curve: travel [m], rising, (k,), and Q [%], (k,).

    The top is that of the parabola through the best sample and its neighbours; the ends of the band
    are interpolated linearly.
    """
    way, curve = np.asarray(travel, dtype=float), np.asarray(quality, dtype=float)
    if way.shape != curve.shape or way.ndim != 1 or len(way) < 2 or not (np.diff(way) > 0.0).all():
        found = f"{way.shape} travels and {curve.shape} qualities"
        raise ConfigError("deployment", found, "rising travels, one quality each", "sort them")
    top = int(np.argmax(curve))
    distance, best = _top(way, curve, top)
    if not curve[top] > threshold:
        return Deployment(best, distance, (math.nan, math.nan), False)
    below = curve <= threshold
    before, after = np.flatnonzero(below[:top]), np.flatnonzero(below[top:])
    low = _crossing(way, curve, int(before[-1]), threshold) if len(before) else float(way[0])
    high = (
        _crossing(way, curve, top + int(after[0]) - 1, threshold) if len(after) else float(way[-1])
    )
    return Deployment(best, distance, (low, high), bool(len(before) and len(after)))


def _top(way: Floats, curve: Floats, top: int) -> tuple[float, float]:
    """(place, height) of the parabola through three samples; the sample itself at an end."""
    if top in (0, len(way) - 1):
        return float(way[top]), float(curve[top])
    x, y = way[top - 1 : top + 2] - way[top], curve[top - 1 : top + 2] - curve[top]
    left, right = y[0] / x[0], y[2] / x[2]
    bend = (right - left) / (x[2] - x[0])
    if not bend < 0.0:
        return float(way[top]), float(curve[top])
    slope = left - bend * x[0]
    shift = -slope / (2.0 * bend)
    return float(way[top] + shift), float(curve[top] + slope * shift + bend * shift**2)


def _crossing(way: Floats, curve: Floats, first: int, level: float) -> float:
    """Where the curve passes a level between a sample and the next."""
    share = (level - curve[first]) / (curve[first + 1] - curve[first])
    return float(way[first] + share * (way[first + 1] - way[first]))


def predicted_speed(bullet_ratio: float, speed: float, divergence: float) -> float:
    """v_CoM [m/s] of the net along the shooting direction. Eq. (6.19)."""
    return bullet_ratio * speed * math.cos(divergence)


def predicted_distance(net_size: float, divergence: float) -> float:
    """Capture distance d [m] of a square net of side L [m]."""
    if not 0.0 < divergence < 0.5 * math.pi:
        found = f"a divergence of {math.degrees(divergence):g} degrees"
        raise ConfigError("capture distance", found, "above 0, below 90", "30 degrees")
    return net_size / math.sqrt(2.0) / math.tan(divergence)


def predicted_wrap_time(net_size: float, target_size: float, net_speed: float) -> float:
    """Time [s] from impact to the end of wrapping around a face of some size [m]. Eq. (6.20).

    Zero if the target is as wide as the net: nothing is left to swing around.
    """
    if not net_speed > 0.0:
        raise ConfigError("wrap time", f"{net_speed} m/s", "above zero", "a faster shot")
    return math.pi * max(0.5 * (net_size - target_size), 0.0) / (2.0 * net_speed)
