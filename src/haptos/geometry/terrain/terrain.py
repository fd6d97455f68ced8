"""Terrain finer than the shape: noise and rocks on top of a distance, one composition for all.

    d(x) = min(d_0(x) + s(x) n(x) + p(x), q(x))

    d_0   gap from the smooth ground [m]           n  noise [m], s  its relief factor [-] by region
    p     seeded rocks [m], never above zero       q  gap from polyhedral rocks [m]
d has the right sign, and its zero is the ground; where n and p vary it is not a distance, so its
gradient is not of length one. `reach` bounds |d - d_0| near the ground and `slope` the length of
the gradient of d - d_0: with them far bodies are seen as far, and searches cannot pass a rock.
Frame: A axes. Validity: a seeded rock on the edge of two regions with different rock shares is cut
there. Source: [VanWal2018] section 2.3, Eq. (2.27).
"""

from __future__ import annotations

import functools
from collections import namedtuple

import numpy as np

from haptos.core.jit import device
from haptos.core.vectors import add, add_scaled, scale
from haptos.geometry.terrain.noise import Noise, no_noise, noise_at, noise_bounds
from haptos.geometry.terrain.regions import Regions, no_regions, region_at, relief_at
from haptos.geometry.terrain.rocks_polyhedral_field import (
    PolyhedralRocks,
    no_polyhedral_rocks,
    polyhedral_rocks_distance,
    polyhedral_rocks_field,
)
from haptos.geometry.terrain.rocks_seeded import SeededRocks, no_rocks, rocks_at, rocks_value

CITES = ("VanWal2018",)

GROUND, ROCK = 0, 1  # what a point of the terrain is made of
ROCK_DEPTH = 1e-6  # [m] of seeded rock above the ground that counts as rock, assumed

ROCKS_WITHIN = 2.0  # [reaches] farther from the smooth ground rocks are not looked for

# is_rough, has_noise, has_regions, has_rocks, has_polyhedral: 0 or 1
# noise, regions, rocks, polyhedral: of their files     shares (n,): share of rocks by label
# reach [m], slope [-]: bounds, see above
Terrain = namedtuple(
    "Terrain",
    "is_rough has_noise noise has_regions regions has_rocks rocks has_polyhedral polyhedral "
    "shares reach slope",
)


def terrain(
    *,
    noise: Noise | None = None,
    regions: Regions | None = None,
    rocks: SeededRocks | None = None,
    polyhedral: PolyhedralRocks | None = None,
    rock_shares: tuple[float, ...] = (1.0,),
    rock_lift: float = 0.0,
    ground_slope: float = 1.0,
) -> Terrain:
    """Terrain of the parts given.

    regions      relief factors of the noise and labels     rock_shares  by label, 0 to 1
    rock_lift    [m] most that the facets under polyhedral rocks are off the smooth ground
    ground_slope [-] largest slope of the field of the smooth ground; 1 of a distance
    """
    highest, steepest = (0.0, 0.0) if noise is None else noise_bounds(noise)
    if regions is not None:
        most = float(regions.relief.max())
        # The product's gradient: factor times slope, and height times the factor's own slope.
        jump = np.sqrt(3.0) * float(np.ptp(regions.relief)) / regions.spacing
        highest, steepest = most * highest, most * steepest + highest * jump
    reach, slope = highest, steepest
    if rocks is not None:
        reach, slope = reach + float(rocks.deepest), slope + float(rocks.steepest)
    if polyhedral is not None:
        reach = max(reach, float(rock_lift + ground_slope * polyhedral.reach))
    shares = np.array(rock_shares, dtype=np.float64)
    shares.setflags(write=False)
    return Terrain(
        int(noise is not None or rocks is not None or polyhedral is not None),
        int(noise is not None),
        no_noise() if noise is None else noise,
        int(regions is not None),
        no_regions() if regions is None else regions,
        int(rocks is not None),
        no_rocks() if rocks is None else rocks,
        int(polyhedral is not None),
        no_polyhedral_rocks() if polyhedral is None else polyhedral,
        shares,
        float(reach),
        float(slope),
    )


@functools.cache
def smooth_terrain() -> Terrain:
    """Nothing on the ground."""
    return terrain()


@device
def rock_share(land, x):
    """Share [-] of the rocks that exist at the point x [m]."""
    if land.has_regions == 0:
        return land.shares[0]
    return land.shares[min(region_at(land.regions, x), len(land.shares) - 1)]


@device
def six_sum(a, s, b):
    """a + s b of symmetric matrices as six numbers."""
    return (
        a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2],
        a[3] + s * b[3], a[4] + s * b[4], a[5] + s * b[5],
    )  # fmt: skip


@device
def _noise_field(land, x, gap, gradient, hessian):
    """The field with the noise added, relief factor and its derivatives included."""
    n, grad_n, hess_n = noise_at(land.noise, x)
    if land.has_regions == 0:
        return gap + n, add(gradient, grad_n), six_sum(hessian, 1.0, hess_n)
    s, grad_s, hess_s = relief_at(land.regions, x)
    both = (
        2.0 * grad_s[0] * grad_n[0], grad_s[0] * grad_n[1] + grad_s[1] * grad_n[0],
        grad_s[0] * grad_n[2] + grad_s[2] * grad_n[0], 2.0 * grad_s[1] * grad_n[1],
        grad_s[1] * grad_n[2] + grad_s[2] * grad_n[1], 2.0 * grad_s[2] * grad_n[2],
    )  # fmt: skip
    gradient = add_scaled(add_scaled(gradient, s, grad_n), n, grad_s)
    hessian = six_sum(six_sum(six_sum(hessian, s, hess_n), n, hess_s), 1.0, both)
    return gap + s * n, gradient, hessian


@device
def roughened(land, x, gap, gradient, hessian):
    """(d [m], gradient [-], Hessian [1/m], GROUND or ROCK): the smooth field with terrain on it.

    gap, gradient, Hessian (xx, xy, xz, yy, yz, zz): of the smooth ground at the point x [m].
    Farther than ROCKS_WITHIN reaches from the smooth ground rocks are not looked for.
    """
    kind = GROUND
    near = abs(gap) <= ROCKS_WITHIN * land.reach
    if land.has_noise != 0:
        gap, gradient, hessian = _noise_field(land, x, gap, gradient, hessian)
    if near and land.has_rocks != 0:
        p, grad_p, hess_p = rocks_at(land.rocks, x, rock_share(land, x))
        if p < 0.0:
            gap, gradient = gap + p, add(gradient, grad_p)
            hessian = six_sum(hessian, 1.0, hess_p)
            if p < -ROCK_DEPTH:
                kind = ROCK
    if near and land.has_polyhedral != 0:
        q, normal, bend, is_found = polyhedral_rocks_field(
            land.polyhedral, x, rock_share(land, x), gap
        )
        if is_found and q < gap:
            gap, gradient, hessian, kind = q, scale(1.0, normal), bend, ROCK
    return gap, gradient, hessian, kind


@device
def roughened_gap(land, x, gap):
    """The field d [m] of `roughened` alone; gap [m]: of the smooth ground at the point x [m]."""
    near = abs(gap) <= ROCKS_WITHIN * land.reach
    if land.has_noise != 0:
        n, _, _ = noise_at(land.noise, x)
        if land.has_regions != 0:
            n *= relief_at(land.regions, x)[0]
        gap += n
    if near and land.has_rocks != 0:
        gap += rocks_value(land.rocks, x, rock_share(land, x))
    if near and land.has_polyhedral != 0:
        q, _, is_found = polyhedral_rocks_distance(land.polyhedral, x, rock_share(land, x), gap)
        if is_found:
            gap = min(gap, q)
    return gap
