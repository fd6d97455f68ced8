"""Fractal noise: random relief with a value, a gradient and a Hessian at every point of space.

Value noise u: a periodic lattice of random numbers in [-1/2, 1/2], one per metre, between which a
quintic ramp interpolates, so that u has continuous second derivatives.

    ramp(t) = t^3 (t (6 t - 15) + 10)                                             Eq. (2.24)
    fBm(x) = sum_{i=0..n} A_i u(f_i x),   A_i = A0 L^(-H i),   f_i = f0 L^i       Eq. (2.26), (2.27)
    A0 = h_max (L^H - 1) L^(H n) / (L^(H (n + 1)) - 1)                            Eq. (2.32)

    h_max  relief from trough to peak [m]; the surface moves by at most h_max/2 either way
    f0     lowest frequency [1/m], > 0         n      octaves above the lowest, >= 0
    H      fractal increment [-], about 0.8    L      lacunarity [-], irrational and near 2
The ridged kind takes 1/2 - 2|u| in place of u in every octave: sharp crests, the same bounds.
Added to a distance the sum keeps its sign but is no longer a distance; `steepest` bounds by how much
its gradient can exceed 1.
Frame: that of x. Validity: repeats every LATTICE/f0 metres; relief is the same everywhere.
Source: [VanWal2018] section 2.3.2; ridged kind: [Ebert2003].
"""

from __future__ import annotations

import math
from collections import namedtuple

import numpy as np
from numpy.typing import NDArray

from haptos.core.jit import device, routine
from haptos.core.random_streams import stream

CITES = ("VanWal2018", "Ebert2003")
LATTICE = 16  # nodes along each edge of the periodic lattice
INCREMENT = 0.8  # [-] H
LACUNARITY = 2.0 * math.pi / 3.0  # [-] L
STEEPEST_RAMP = 1.875  # [-] largest slope of the ramp, at t = 1/2
PLAIN, RIDGED = 0, 1

# lattice (LATTICE^3) of numbers in [-1/2, 1/2]; amplitude A0 [m]; frequency f0 [1/m];
# octaves n + 1; gain L^-H and lacunarity L [-]; kind PLAIN or RIDGED
Noise = namedtuple("Noise", "lattice amplitude frequency octaves gain lacunarity kind")


def noise_lattice(seed: int) -> NDArray[np.float64]:
    """Random numbers in [-1/2, 1/2] with mean zero, shape (LATTICE,) * 3; fixed by the seed."""
    return stream(seed, 0, "noise lattice").uniform(-0.5, 0.5, (LATTICE,) * 3)


def first_amplitude(
    relief: float, octaves: int, increment: float = INCREMENT, lacunarity: float = LACUNARITY
) -> float:
    """A0 [m] of `octaves` octaves whose amplitudes add up to `relief` h_max [m]. Eq. (2.32)."""
    step = lacunarity**increment
    last = octaves - 1
    return float(relief * (step - 1.0) * step**last / (step ** (last + 1) - 1.0))


def fractal_noise(
    seed: int,
    relief: float,
    longest: float,
    octaves: int,
    *,
    increment: float = INCREMENT,
    lacunarity: float = LACUNARITY,
    kind: int = PLAIN,
) -> Noise:
    """Noise of total `relief` [m] whose widest features are `longest` [m] apart."""
    amplitude = first_amplitude(relief, octaves, increment, lacunarity)
    gain = lacunarity**-increment
    lattice = noise_lattice(seed)
    lattice.setflags(write=False)  # kernels are compiled for such arrays
    return Noise(
        lattice, amplitude, 1.0 / float(longest), int(octaves), gain, lacunarity, int(kind)
    )


def no_noise() -> Noise:
    """Flat noise, to fill the place of one in kernels that do not ask it."""
    return fractal_noise(0, 0.0, 1.0, 1)


def noise_bounds(noise: Noise) -> tuple[float, float]:
    """(largest |height| [m], largest length of the gradient [-]) of the noise, anywhere."""
    total = sum(noise.gain**octave for octave in range(noise.octaves))
    return 0.5 * noise.amplitude * total, steepest(noise)


def steepest(noise: Noise) -> float:
    """Bound [-] on the length of the gradient of the noise, anywhere."""
    per_octave = math.sqrt(3.0) * STEEPEST_RAMP * (2.0 if noise.kind == RIDGED else 1.0)
    ratio = noise.gain * noise.lacunarity
    total = sum(ratio**octave for octave in range(noise.octaves))
    return float(per_octave * noise.amplitude * noise.frequency * total)


@device
def ramp(t):
    """(value, slope, curvature) of the quintic ramp at t in [0, 1]. Eq. (2.24)."""
    return (
        t * t * t * (t * (6.0 * t - 15.0) + 10.0),
        30.0 * t * t * (1.0 - t) * (1.0 - t),
        t * (60.0 + t * (120.0 * t - 180.0)),
    )


@device
def value_noise(lattice, x):
    """(u, gradient, Hessian (xx, xy, xz, yy, yz, zz)) at the lattice position x."""
    ix, iy, iz = math.floor(x[0]), math.floor(x[1]), math.floor(x[2])
    sx, dx, ddx = ramp(x[0] - ix)
    sy, dy, ddy = ramp(x[1] - iy)
    sz, dz, ddz = ramp(x[2] - iz)
    i0, j0, k0 = int(ix) % LATTICE, int(iy) % LATTICE, int(iz) % LATTICE
    i1, j1, k1 = (i0 + 1) % LATTICE, (j0 + 1) % LATTICE, (k0 + 1) % LATTICE
    u000, u100 = lattice[i0, j0, k0], lattice[i1, j0, k0]
    u010, u110 = lattice[i0, j1, k0], lattice[i1, j1, k0]
    u001, u101 = lattice[i0, j0, k1], lattice[i1, j0, k1]
    u011, u111 = lattice[i0, j1, k1], lattice[i1, j1, k1]
    cx, cy, cz = u100 - u000, u010 - u000, u001 - u000  # trilinear in (sx, sy, sz), Eq. (2.18)
    cxy, cyz, cxz = u000 - u100 - u010 + u110, u000 - u010 - u001 + u011, u000 - u100 - u001 + u101
    cxyz = u100 + u010 + u001 + u111 - u000 - u110 - u011 - u101
    gx = cx + cxy * sy + cxz * sz + cxyz * sy * sz
    gy = cy + cxy * sx + cyz * sz + cxyz * sx * sz
    gz = cz + cxz * sx + cyz * sy + cxyz * sx * sy
    value = u000 + sx * gx + sy * (cy + cyz * sz) + sz * cz
    gradient = (gx * dx, gy * dy, gz * dz)
    hessian = (
        gx * ddx,
        (cxy + cxyz * sz) * dx * dy,
        (cxz + cxyz * sy) * dx * dz,
        gy * ddy,
        (cyz + cxyz * sx) * dy * dz,
        gz * ddz,
    )
    return value, gradient, hessian


@routine
def noise_at(noise, x):
    """(height [m], gradient [-], Hessian [1/m] (xx, xy, xz, yy, yz, zz)) at the point x [m]."""
    amplitude, frequency = noise.amplitude, noise.frequency
    height, gx, gy, gz = 0.0, 0.0, 0.0, 0.0
    hxx, hxy, hxz, hyy, hyz, hzz = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for _ in range(noise.octaves):
        u, g, h = value_noise(noise.lattice, (frequency * x[0], frequency * x[1], frequency * x[2]))
        share = amplitude
        if noise.kind == RIDGED:
            height += amplitude * (0.5 - 2.0 * abs(u))
            share = -2.0 * amplitude if u >= 0.0 else 2.0 * amplitude
        else:
            height += amplitude * u
        slope, bend = share * frequency, share * frequency * frequency
        gx, gy, gz = gx + slope * g[0], gy + slope * g[1], gz + slope * g[2]
        hxx, hxy, hxz = hxx + bend * h[0], hxy + bend * h[1], hxz + bend * h[2]
        hyy, hyz, hzz = hyy + bend * h[3], hyz + bend * h[4], hzz + bend * h[5]
        amplitude, frequency = amplitude * noise.gain, frequency * noise.lacunarity
    return height, (gx, gy, gz), (hxx, hxy, hxz, hyy, hyz, hzz)
