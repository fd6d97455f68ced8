"""Regions: outlines on the sphere, labels in the raster, and a relief factor without jumps."""

from __future__ import annotations

import math

import numpy as np
import pytest

from haptos.core.errors import GeometryError
from haptos.geometry.terrain import regions as region_maps
from haptos.geometry.terrain.regions import (
    directions_of,
    in_box,
    in_polygon,
    no_regions,
    region_at,
    regions_on,
    relief_at,
)
from tests.close import assert_close

DEGREE = math.pi / 180.0
RADIUS, SPACING = 1.0, 0.05


def place(longitude: float, latitude: float, radius: float = RADIUS) -> np.ndarray:
    return radius * directions_of(np.array([[longitude, latitude]]) * DEGREE)


def box(south, north, west, east):
    return in_box((south * DEGREE, north * DEGREE), (west * DEGREE, east * DEGREE))


def polygon(*corners):
    return in_polygon(np.array(corners) * DEGREE)


def feet(points):
    r = np.linalg.norm(points, axis=1)
    return RADIUS * points / np.maximum(r, 1e-12)[:, None], r - RADIUS


def raster(masks, reliefs, spacing=SPACING, band=0.2):
    corner = np.full(3, RADIUS + 3.0 * spacing)
    return regions_on(-corner, corner, spacing, masks, reliefs, feet, band)


# ---- outlines -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("longitude", "latitude", "is_in"),
    [
        (0.0, 0.0, True), (29.9, 9.9, True), (-29.9, -9.9, True),
        (30.1, 0.0, False), (-30.1, 0.0, False), (0.0, 10.1, False), (0.0, -10.1, False),
        (180.0, 0.0, False), (0.0, 90.0, False),
    ],
)  # fmt: skip
def test_a_box_holds_what_is_between_its_limits(longitude, latitude, is_in):
    mask = box(-10.0, 10.0, -30.0, 30.0)
    assert mask(place(longitude, latitude)).tolist() == [is_in]
    assert mask(place(longitude, latitude, 7.0)).tolist() == [is_in]  # however far out


@pytest.mark.parametrize(("west", "east"), [(170.0, -170.0), (170.0, 190.0), (-190.0, -170.0)])
def test_a_box_goes_east_over_the_date_line(west, east):
    mask = box(-20.0, 20.0, west, east)
    for longitude in (171.0, 179.9, 180.0, -179.9, -171.0):
        assert mask(place(longitude, 5.0)).all()
    for longitude in (169.0, -169.0, 0.0, 90.0, -90.0):
        assert not mask(place(longitude, 5.0)).any()


def test_a_box_over_all_longitudes_is_a_cap_or_a_belt():
    around = np.concatenate([place(longitude, 75.0) for longitude in range(-180, 181, 15)])
    assert box(70.0, 90.0, -180.0, 180.0)(around).all()
    assert box(70.0, 90.0, 0.0, 360.0)(around).all()
    assert not box(80.0, 90.0, -180.0, 180.0)(around).any()


@pytest.mark.parametrize("west", [-353.0, -308.0, -180.0, 0.0, 17.0])
def test_a_box_a_whole_turn_wide_holds_every_longitude(west):
    """52 deg less -308 deg is a turn and half an ulp: its remainder is no width of nothing."""
    points = directions_of(np.radians([[x, 0.0] for x in range(-180, 180, 7)]))
    assert box(-90.0, 90.0, west, west + 360.0)(points).all()
    east = 0.3 + west * DEGREE
    assert in_box((-1.0, 1.0), (east - math.pi, east + math.pi))(points).all()
    assert not in_box((-1.0, 1.0), (0.0, 1e-10))(points[1:]).any()


def test_polygon_between_meridians_and_great_circles():
    mask = polygon((-20.0, -20.0), (20.0, -20.0), (20.0, 20.0), (-20.0, 20.0))
    assert mask(place(0.0, 0.0)).all()
    assert mask(place(0.0, 20.9)).all()  # the great circle bulges over the parallel of 20 deg
    assert not mask(place(0.0, 22.0)).any()
    assert not mask(place(21.0, 0.0)).any()
    assert not mask(place(180.0, 0.0)).any()  # the corners go round the far side as well


def test_polygon_runs_either_way_round():
    corners = [(150.0, -10.0), (-150.0, -15.0), (170.0, 40.0)]  # over the date line
    clockwise, counter = polygon(*corners), polygon(*corners[::-1])
    points = np.random.default_rng(3).normal(size=(2000, 3))
    inside = clockwise(points)
    assert np.array_equal(inside, counter(points))
    assert clockwise(place(175.0, 0.0)).all()
    assert not clockwise(place(0.0, 0.0)).any()


@pytest.mark.parametrize("pole", [90.0, -90.0])
def test_polygon_around_a_pole(pole):
    corners = [(longitude, math.copysign(60.0, pole)) for longitude in range(0, 360, 10)]
    mask = polygon(*corners)
    assert mask(place(0.0, pole)).all()
    for longitude in range(0, 360, 30):
        assert mask(place(longitude, math.copysign(61.0, pole))).all()
        assert not mask(place(longitude, math.copysign(59.0, pole))).any()
        assert not mask(place(longitude, math.copysign(61.0, -pole))).any()


def test_triangle_of_three_right_angles_is_an_eighth_of_the_sphere():
    mask = polygon((0.0, 0.0), (90.0, 0.0), (0.0, 90.0))
    points = np.random.default_rng(4).normal(size=(4000, 3))
    assert np.array_equal(mask(points), np.all(points > 0.0, axis=1))


def test_a_concave_polygon_leaves_its_notch_out():
    mask = polygon((-30.0, -30.0), (30.0, -30.0), (30.0, 30.0), (0.0, -10.0), (-30.0, 30.0))
    assert not mask(place(0.0, 5.0)).any()
    assert mask(place(0.0, -20.0)).all()
    assert mask(place(25.0, 10.0)).all()


# ---- the raster ---------------------------------------------------------------------------------


def test_labels_on_the_ground_are_those_of_the_outlines_but_for_half_a_cell():
    masks = [box(-20.0, 20.0, 150.0, -150.0), box(60.0, 90.0, -180.0, 180.0)]
    regions = raster(masks, (1.0, 1.0, 1.0))
    points = np.random.default_rng(5).normal(size=(4000, 3))
    points *= RADIUS / np.linalg.norm(points, axis=1)[:, None]
    expected = np.where(masks[1](points), 2, np.where(masks[0](points), 1, 0))
    found = np.array([region_at(regions, tuple(x)) for x in points.tolist()])
    wrong = points[found != expected]
    assert set(found) == {0, 1, 2}
    assert len(wrong) < 0.05 * len(points)
    shifts = SPACING * math.sqrt(3.0) / 2.0 * np.random.default_rng(6).normal(size=(200, 3))
    for x in wrong:  # every one of them has another label within half a diagonal
        near = x + shifts / np.maximum(np.linalg.norm(shifts, axis=1) / SPACING, 1.0)[:, None]
        assert len(set(masks[0](near))) > 1 or len(set(masks[1](near))) > 1


def test_the_later_region_wins_where_two_overlap():
    first, second = box(-40.0, 40.0, -40.0, 40.0), box(-10.0, 10.0, -10.0, 10.0)
    centre, side = tuple(place(0.0, 0.0)[0]), tuple(place(25.0, 0.0)[0])
    nested = raster([first, second], (1.0, 1.0, 1.0))
    assert (region_at(nested, centre), region_at(nested, side)) == (2, 1)
    hidden = raster([second, first], (1.0, 1.0, 1.0))
    assert (region_at(hidden, centre), region_at(hidden, side)) == (2, 2)


def test_a_point_above_the_ground_has_the_label_of_its_foot():
    regions = raster([box(0.0, 90.0, -180.0, 180.0)], (1.0, 1.0))
    for height in (-0.1, 0.0, 0.1):
        for latitude in (10.0, 50.0, 85.0):
            assert region_at(regions, tuple(place(33.0, latitude, RADIUS + height)[0])) == 1
            assert region_at(regions, tuple(place(33.0, -latitude, RADIUS + height)[0])) == 0


def test_points_outside_the_raster_have_the_label_at_its_edge_and_nothing_breaks():
    regions = raster([box(-90.0, 90.0, -180.0, 180.0)], (1.0, 0.5))
    for x in ((50.0, 0.0, 0.0), (-50.0, 1e9, 3.0), (math.nan, 0.0, 0.0)):
        assert region_at(regions, x) in (0, 1)
        assert math.isfinite(relief_at(regions, x)[0]) or math.isnan(x[0])


def test_ground_without_regions_is_the_rest_of_it_with_factor_one():
    assert region_at(no_regions(), (3.0, 4.0, 5.0)) == 0
    assert relief_at(no_regions(), (0.3, 0.4, 0.5))[:2] == (1.0, (0.0, 0.0, 0.0))


# ---- the relief factor --------------------------------------------------------------------------

MIXED = raster([box(-20.0, 30.0, -60.0, 40.0), box(50.0, 90.0, -180.0, 180.0)], (1.0, 0.2, 2.5))
NEAR = np.random.default_rng(8).normal(size=(400, 3))
NEAR *= np.random.default_rng(9).uniform(0.9, 1.1, 400)[:, None] / np.linalg.norm(NEAR, axis=1)[:, None]  # fmt: skip


def test_far_from_an_edge_the_factor_is_that_of_the_region():
    for longitude, latitude, factor in ((0.0, 0.0, 0.2), (120.0, 0.0, 1.0), (77.0, 80.0, 2.5)):
        value, gradient, hessian = relief_at(MIXED, tuple(place(longitude, latitude)[0]))
        assert_close(value, factor, rtol=1e-14)
        assert_close(gradient, np.zeros(3), rtol=1e-12, scale=1.0 / SPACING)
        assert_close(hessian, np.zeros(6), rtol=1e-12, scale=1.0 / SPACING**2)


def test_the_factor_is_between_those_of_the_regions_and_its_slope_bounded():
    for x in NEAR:
        value, gradient, _ = relief_at(MIXED, tuple(x))
        assert 0.2 - 1e-12 <= value <= 2.5 + 1e-12
        assert math.hypot(*gradient) <= math.sqrt(3.0) * 2.3 / SPACING


def test_the_factor_is_continuous_across_cells():
    step = 1e-9
    worst = 0.0
    for x in NEAR:
        nodes = np.array(MIXED.origin) + SPACING * np.round((x - MIXED.origin) / SPACING)
        for axis in range(3):
            wall = x.copy()
            wall[axis] = nodes[axis]
            low, high = wall.copy(), wall.copy()
            low[axis] -= step
            high[axis] += step
            jump = relief_at(MIXED, tuple(high))[0] - relief_at(MIXED, tuple(low))[0]
            worst = max(worst, abs(jump))
    assert worst < 4.0 * step / SPACING * 2.3


def cells_inside(x, step):
    """Whether x is at least `step` from every wall of its cell."""
    part = (np.asarray(x) - MIXED.origin) / SPACING % 1.0 * SPACING
    return np.all((part > step) & (part < SPACING - step))


def test_gradient_and_hessian_are_differences_of_value_and_gradient():
    step, checked = 1e-5, 0
    for x in NEAR:
        value, gradient, hessian = relief_at(MIXED, tuple(x))
        if not cells_inside(x, 2.0 * step) or math.hypot(*gradient) == 0.0:
            continue
        checked += 1
        ends = [
            [relief_at(MIXED, tuple(x + sign * step * axis)) for sign in (-1.0, 1.0)]
            for axis in np.eye(3)
        ]
        slope = [(high[0] - low[0]) / (2.0 * step) for low, high in ends]
        assert_close(gradient, slope, rtol=1e-9, scale=max(1.0, abs(value)) / SPACING)
        bend = np.array([np.subtract(high[1], low[1]) / (2.0 * step) for low, high in ends])
        xx, xy, xz, yy, yz, zz = hessian
        full = [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]
        assert_close(full, bend, rtol=1e-8, scale=1.0 / SPACING**2)
    assert checked > 30


# ---- refusals -----------------------------------------------------------------------------------


def test_too_many_regions_and_too_many_cells_are_refused():
    everywhere = box(-90.0, 90.0, -180.0, 180.0)
    with pytest.raises(GeometryError, match="8 regions"):
        raster([everywhere] * (region_maps.MOST_REGIONS + 1), (1.0,) * 9)
    with pytest.raises(GeometryError, match="larger cells"):
        raster([everywhere], (1.0, 1.0), spacing=1e-4)
