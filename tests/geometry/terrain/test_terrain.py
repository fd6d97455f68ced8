"""Terrain on a ground: the sum of its parts, with their derivatives, and bounds that hold."""

from __future__ import annotations

import math

import numpy as np
import pytest

from haptos.core.jit import entry
from haptos.geometry.distance.distance_sphere import sphere_curvature, sphere_distance
from haptos.geometry.mesh.icosphere import icosphere
from haptos.geometry.terrain.land import land_of, with_terrain
from haptos.geometry.terrain.noise import RIDGED, fractal_noise, noise_at, noise_bounds
from haptos.geometry.terrain.regions import in_box, region_at, regions_on
from haptos.geometry.terrain.rocks_polyhedral_field import (
    polyhedral_rocks,
    polyhedral_rocks_distance,
)
from haptos.geometry.terrain.rocks_seeded import rocks_at, seeded_rocks
from haptos.geometry.terrain.terrain import (
    GROUND,
    ROCK,
    rock_share,
    roughened,
    smooth_terrain,
    terrain,
)
from tests.close import assert_close

RADIUS = 10.0
DIRECTIONS, FACES = icosphere(2)
VERTICES = RADIUS * DIRECTIONS


def feet(points):
    r = np.linalg.norm(points, axis=1)
    return RADIUS * points / np.maximum(r, 1e-12)[:, None], r - RADIUS


CORNER = np.full(3, RADIUS + 3.0)
NORTH = in_box((0.3, 1.6), (-math.pi, math.pi))
REGIONS = regions_on(-CORNER, CORNER, 1.0, [NORTH], (1.0, 0.3), feet, 2.0)


def noise(seed=1):
    return fractal_noise(seed, 0.4, 3.0, 4)


def seeded(seed=1, sharpness=10.0):
    return seeded_rocks(seed, 0.5, 2.8, 0.4, 1.2, sharpness=sharpness)


def polyhedral(seed=1):
    return polyhedral_rocks(seed, VERTICES, FACES, 2.0, 2.8, 0.3, 1.0)


KINDS = {
    "noise": lambda seed=1: terrain(noise=noise(seed)),
    "ridged": lambda seed=1: terrain(noise=fractal_noise(seed, 0.4, 3.0, 3, kind=RIDGED)),
    "noise with regions": lambda seed=1: terrain(
        noise=noise(seed), regions=REGIONS, rock_shares=(1.0, 0.5)
    ),
    "seeded rocks": lambda seed=1: terrain(rocks=seeded(seed)),
    "polyhedral rocks": lambda seed=1: terrain(polyhedral=polyhedral(seed)),
    "noise and seeded rocks": lambda seed=1: terrain(noise=noise(seed), rocks=seeded(seed)),
    "everything": lambda seed=1: terrain(
        noise=noise(seed), rocks=seeded(seed), polyhedral=polyhedral(seed)
    ),
}
LANDS = {name: make() for name, make in KINDS.items()}


def points_near(count: int, reach: float, seed: int = 2) -> np.ndarray:
    """Points with |gap| up to `reach`."""
    draw = np.random.default_rng(seed)
    directions = draw.normal(size=(count, 3))
    heights = RADIUS + reach * draw.uniform(-1.0, 1.0, count)
    return directions * (heights / np.linalg.norm(directions, axis=1))[:, None]


@entry
def field_in(arena, x):
    gap, gradient = sphere_distance(x, RADIUS)
    return with_terrain(arena, x, gap, gradient, sphere_curvature(x))


def field(land, x):
    """`roughened`, by the machine code that worlds share: compiling it anew takes half a minute."""
    return field_in(land_of(None, land), x)


@entry
def fill(arena, points, out):
    """Smooth gap, field, its gradient and the length of the gradient of what terrain adds."""
    for n in range(len(points)):
        x = (points[n, 0], points[n, 1], points[n, 2])
        gap, normal = sphere_distance(x, RADIUS)
        value, g, _, kind = with_terrain(arena, x, gap, normal, sphere_curvature(x))
        out[n, 0], out[n, 1], out[n, 2] = gap, value, kind
        a, b, c = g[0] - normal[0], g[1] - normal[1], g[2] - normal[2]
        out[n, 3] = math.sqrt(a * a + b * b + c * c)
        out[n, 4] = math.sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2])


def filled(land, points):
    out = np.zeros((len(points), 5))
    fill(land_of(None, land), points, out)
    return out


# ---- what it is made of -------------------------------------------------------------------------


def test_the_field_is_the_sum_of_its_parts_less_what_rocks_hide():
    land = LANDS["everything"]
    for x in map(tuple, points_near(60, 0.5).tolist()):
        gap, _ = sphere_distance(x, RADIUS)
        expected = gap + noise_at(noise(), x)[0] + rocks_at(seeded(), x, 1.0)[0]
        hidden, _, _ = polyhedral_rocks_distance(polyhedral(), x, 1.0, math.inf)
        assert_close(field(land, x)[0], min(expected, hidden), rtol=1e-15, scale=RADIUS)


def test_smooth_ground_stays_as_it_is():
    for x in map(tuple, points_near(20, 1.0).tolist()):
        gap, gradient = sphere_distance(x, RADIUS)
        smooth = (gap, gradient, sphere_curvature(x))
        assert roughened(smooth_terrain(), x, *smooth) == (*smooth, GROUND)
    assert (smooth_terrain().is_rough, smooth_terrain().reach, smooth_terrain().slope) == (0, 0, 0)


def test_regions_scale_the_noise_and_thin_the_rocks():
    land = LANDS["noise with regions"]
    rocky = terrain(rocks=seeded(), regions=REGIONS, rock_shares=(1.0, 0.0))
    south, north = (0.0, 0.0, -RADIUS), (0.0, 0.0, RADIUS)
    for x, factor in ((south, 1.0), (north, 0.3)):
        added = field(land, x)[0] - sphere_distance(x, RADIUS)[0]
        assert_close(added, factor * noise_at(noise(), x)[0], rtol=1e-12)
    assert (rock_share(rocky, south), rock_share(rocky, north)) == (1.0, 0.0)
    out = filled(rocky, points_near(2000, 0.3))
    labels = [region_at(REGIONS, tuple(x)) for x in points_near(2000, 0.3).tolist()]
    is_rock = out[:, 2] == ROCK
    assert is_rock.any()
    assert not is_rock[np.array(labels) == 1].any()


def test_what_a_point_is_made_of():
    assert set(filled(LANDS["noise"], points_near(500, 0.3))[:, 2]) == {GROUND}
    for name in ("seeded rocks", "polyhedral rocks"):
        out = filled(LANDS[name], points_near(500, 0.3))
        assert set(out[:, 2]) == {GROUND, ROCK}
        is_ground = out[:, 2] == GROUND
        assert np.all(np.abs(out[is_ground, 1] - out[is_ground, 0]) < 2e-6)
        assert np.all(out[~is_ground, 1] < out[~is_ground, 0])


@pytest.mark.parametrize("name", KINDS)
def test_the_same_seed_gives_the_same_terrain_and_another_another(name):
    points = points_near(200, 0.3)
    first, same, other = (filled(KINDS[name](seed), points) for seed in (1, 1, 2))
    assert first.tobytes() == same.tobytes()
    assert np.mean(first[:, 1] != other[:, 1]) > 0.1


# ---- derivatives --------------------------------------------------------------------------------


def differences(land, x, step):
    """(gradient, Hessian (3, 3)) of the field by fourth-order differences."""
    gradient, bend = np.zeros(3), np.zeros((3, 3))
    for axis in range(3):
        shift = np.zeros(3)
        shift[axis] = step
        at = [field(land, tuple(x + k * shift)) for k in (-2, -1, 1, 2)]
        weights = np.array([1.0, -8.0, 8.0, -1.0]) / (12.0 * step)
        gradient[axis] = sum(w * f[0] for w, f in zip(weights, at, strict=True))
        bend[axis] = sum(w * np.array(f[1]) for w, f in zip(weights, at, strict=True))
    return gradient, bend


@pytest.mark.parametrize("name", KINDS)
def test_gradient_and_hessian_are_differences_of_value_and_gradient(name):
    """At points of one smooth piece: kinks are reported by differences of two steps that disagree."""
    land = LANDS[name]
    checked = on_rock = 0
    for x in points_near(120, 0.2, seed=7):
        _, gradient, hessian, kind = field(land, tuple(x))
        slope, bend = differences(land, x, 1e-4)
        coarse, coarse_bend = differences(land, x, 3e-4)
        if np.abs(slope - coarse).max() > 1e-7 or np.abs(bend - coarse_bend).max() > 1e-4:
            continue
        checked += 1
        on_rock += kind == ROCK
        xx, xy, xz, yy, yz, zz = hessian
        assert_close(gradient, slope, rtol=1e-7, scale=1.0)
        if name not in ("polyhedral rocks", "everything") or kind == GROUND:
            assert_close([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]], bend, rtol=1e-4, scale=1.0)
    assert checked > 40
    assert on_rock > 5 or "rocks" not in name


def test_check_of_derivatives_has_teeth():
    """Noise whose relief factor is differentiated without the factor's own slope would be reported."""
    land = LANDS["noise with regions"]
    x = np.array([9.03, 1.3, 3.1])  # on the edge of the region
    slope, _ = differences(land, x, 1e-4)
    _, gradient, _, _ = field(land, tuple(x))
    assert_close(gradient, slope, rtol=1e-6, scale=1.0)
    flat = land._replace(regions=land.regions._replace(relief=np.full_like(REGIONS.relief, 0.6)))
    with pytest.raises(AssertionError, match="off by"):
        assert_close(field(flat, tuple(x))[1], slope, rtol=1e-6, scale=1.0)


# ---- bounds -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", KINDS)
def test_reach_and_slope_hold_at_ten_thousand_points(name):
    land = LANDS[name]
    out = filled(land, points_near(10_000, land.reach, seed=11))
    gap, value = out[:, 0], out[:, 1]
    assert np.all((gap < land.reach) | (value > -1e-12))  # nothing stands higher than the reach
    is_summed = np.abs(out[:, 4] - 1.0) > 1e-12 if land.has_polyhedral else np.full(len(out), True)
    assert np.all(np.abs(value - gap)[is_summed] <= land.reach * (1.0 + 1e-12))
    assert np.all(out[is_summed, 3] <= land.slope * (1.0 + 1e-9))
    assert np.all(out[:, 4] <= (1.0 + land.slope) * (1.0 + 1e-9))


@pytest.mark.parametrize("name", KINDS)
def test_ground_above_the_reach_is_free_and_below_it_is_solid(name):
    land = LANDS[name]
    points = points_near(10_000, 3.0 * land.reach, seed=12)
    out = filled(land, points)
    assert np.all(out[out[:, 0] > land.reach, 1] > 0.0)
    assert np.all(out[out[:, 0] < -land.reach, 1] < 0.0)


@pytest.mark.parametrize("name", KINDS)
def test_chords_do_not_rise_faster_than_the_slope_allows(name):
    """Over short ways, kinks and jumps included; rocks cut by the edge of a region are distinguished."""
    land = LANDS[name]
    low = points_near(10_000, 0.5 * land.reach, seed=13)
    high = low + 0.02 * np.random.default_rng(14).normal(size=low.shape)
    rise = np.abs(filled(land, high)[:, 1] - filled(land, low)[:, 1])
    assert np.all(rise <= (1.0 + land.slope) * np.linalg.norm(high - low, axis=1) * (1.0 + 1e-9))


def test_noise_uses_a_fair_part_of_its_bounds():
    """A bound far above what occurs would pass any test."""
    out = filled(LANDS["noise"], points_near(10_000, 0.3))
    highest, steepest = noise_bounds(noise())
    assert np.abs(out[:, 1] - out[:, 0]).max() > 0.4 * highest
    assert out[:, 3].max() > 0.15 * steepest


def test_compiled_call_equals_python_call_bit_for_bit():
    for name in ("noise with regions", "everything"):
        for x in map(tuple, points_near(25, 0.5, seed=15).tolist()):
            gap, gradient = sphere_distance(x, RADIUS)
            expected = roughened(LANDS[name], x, gap, gradient, sphere_curvature(x))
            assert field(LANDS[name], x) == expected
