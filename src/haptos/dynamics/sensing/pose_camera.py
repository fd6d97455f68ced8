"""A stereo camera that sees the pose of a target: noise grows with the range, near and glare are blind.

    range    z + b_r + (s_0 + s_1 z^2) n_0                 along the line of sight, x
    lateral  y + b_y + s_2 z n_1, likewise z               across
    angles   phi + b_phi + s_3 n                           rotation vector, three components

    z    range [m], the distance to the target              n  deviates of N(0, 1), one each
    s_0  [m], s_1 [1/m], s_2 [-], s_3 [rad]                 b  bias [m, rad], constant over a run
    blind below the range z_min; glare: blind while the Sun is within an angle of the line of sight
Frame: of the camera, x along the line of sight.
Validity: s_1 z^2 is the law of a stereo pair of fixed base length at small disparity noise; distortion
of lenses and wrong matches are outside, except as a dropout.
Source: disparity noise of a stereo pair, textbook material [Hartley2004].
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from haptos.dynamics.sensing.streams import BIAS, NOISE, Stream

CITES: tuple[str, ...] = ("Hartley2004",)
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class PoseCamera:
    """Noise of a camera; symbols as above. Truth and readings: x, y, z [m], rotation vector [rad]."""

    s_0: float
    s_1: float
    s_2: float
    s_3: float
    bias: tuple[float, ...] = (0.0,) * 6
    blind_range: float = 0.0

    def sigmas(self, distance: float) -> Floats:
        """Standard deviations of the six numbers at a range [m]."""
        across = self.s_2 * distance
        along = self.s_0 + self.s_1 * distance * distance
        return np.array([along, across, across, self.s_3, self.s_3, self.s_3])

    def __call__(self, truth: Floats, sample: int, stream: Stream) -> Floats:
        distance = float(np.linalg.norm(truth[:3]))
        if distance < self.blind_range:
            return np.full(6, math.nan)
        noise = stream.normals(sample, 6, NOISE)
        return truth + np.array(self.bias) + self.sigmas(distance) * noise


def drawn_bias(position: float, angle: float, stream: Stream) -> tuple[float, ...]:
    """Bias of one run: deviates of N(0, 1) times sizes [m] and [rad]."""
    n = stream.normals(0, 6, BIAS)
    return tuple(float(x) for x in n * np.array([position] * 3 + [angle] * 3))


def is_in_glare(line_of_sight: ArrayLike, sun: ArrayLike, half_angle: float) -> bool:
    """Whether the Sun, a direction, is within an angle [rad] of the line of sight."""
    a, b = np.asarray(line_of_sight, dtype=float), np.asarray(sun, dtype=float)
    cosine = float(a @ b) / (float(np.linalg.norm(a)) * float(np.linalg.norm(b)))
    return half_angle > 0.0 and cosine > math.cos(half_angle)
