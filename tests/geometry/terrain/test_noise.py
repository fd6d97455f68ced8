"""Fractal noise: amplitudes, bounds, derivatives, period, and the same bits everywhere."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from haptos.core.jit import entry
from haptos.geometry.terrain.noise import (
    LATTICE,
    PLAIN,
    RIDGED,
    Noise,
    first_amplitude,
    fractal_noise,
    noise_at,
    noise_lattice,
    ramp,
    steepest,
    value_noise,
)
from tests.close import assert_close

KINDS = pytest.mark.parametrize("kind", [PLAIN, RIDGED])
places = st.tuples(*[st.floats(-500.0, 500.0)] * 3)


def noise_of(kind: int = PLAIN, octaves: int = 5) -> Noise:
    return fractal_noise(3, 4.8, 20.0, octaves, kind=kind)


@entry
def compiled_noise(noise, points, heights, gradients):
    for i in range(len(points)):
        h, g, _ = noise_at(noise, (points[i, 0], points[i, 1], points[i, 2]))
        heights[i] = h
        gradients[i, 0], gradients[i, 1], gradients[i, 2] = g


def sampled(noise: Noise, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    heights, gradients = np.zeros(len(points)), np.zeros((len(points), 3))
    compiled_noise(noise, points, heights, gradients)
    return heights, gradients


@pytest.mark.parametrize(("last", "amplitude"), [(1, 3.0897), (3, 2.3650), (5, 2.2065)])
def test_first_amplitude_gives_the_worked_values(last, amplitude):
    # h_max = 4.8 m, H = 0.8, L = 2 pi/3, to the four decimals worked out by hand
    assert_close(first_amplitude(4.8, last + 1), amplitude, rtol=2e-5)


@pytest.mark.parametrize("octaves", [1, 2, 7])
def test_amplitudes_of_all_octaves_add_up_to_the_relief(octaves):
    noise = noise_of(octaves=octaves)
    total = sum(noise.amplitude * noise.gain**i for i in range(octaves))
    assert_close(total, 4.8, rtol=1e-14)


def test_ramp_joins_smoothly_to_the_second_derivative():
    assert ramp(0.0) == (0.0, 0.0, 0.0)
    assert_close(ramp(1.0), (1.0, 0.0, 0.0), rtol=1e-15)
    t = np.linspace(0.0, 1.0, 2001)
    value, slope, curvature = np.array([ramp(x) for x in t]).T
    assert_close(np.gradient(value, t)[1:-1], slope[1:-1], rtol=1e-5)
    assert_close(np.gradient(slope, t)[1:-1], curvature[1:-1], rtol=1e-5)


def test_noise_takes_the_lattice_values_at_its_nodes():
    lattice = noise_lattice(1)
    for i, j, k in [(0, 0, 0), (3, 15, 7), (15, 15, 15)]:
        assert value_noise(lattice, (float(i), float(j), float(k)))[0] == lattice[i, j, k]


@given(place=places)
def test_noise_repeats_with_the_lattice(place):
    lattice = noise_lattice(1)
    moved = (place[0] + LATTICE, place[1] - 2 * LATTICE, place[2])
    assert abs(value_noise(lattice, place)[0] - value_noise(lattice, moved)[0]) < 1e-11


def step_noise(noise: Noise, place, shift, size):
    moved = tuple(p + size * s for p, s in zip(place, shift, strict=True))
    return noise_at(noise, moved)


def differences(noise: Noise, place, size):
    """(gradient, Hessian) by central differences."""
    gradient, rows = [], []
    for axis in np.eye(3):
        ahead, behind = step_noise(noise, place, axis, size), step_noise(noise, place, axis, -size)
        gradient.append((ahead[0] - behind[0]) / (2.0 * size))
        rows.append((np.array(ahead[1]) - np.array(behind[1])) / (2.0 * size))
    return np.array(gradient), np.array(rows)


def spread(hessian) -> np.ndarray:
    xx, xy, xz, yy, yz, zz = hessian
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


@given(place=places)
def test_gradient_and_hessian_are_the_derivatives(place):
    noise = noise_of(PLAIN, 3)
    gradient, hessian = differences(noise, place, 1e-4)
    _, g, h = noise_at(noise, place)
    assert_close(g, gradient, rtol=1e-5, scale=steepest(noise))
    bend = steepest(noise) * noise.frequency * noise.lacunarity**2
    assert_close(spread(h), hessian, rtol=1e-4, scale=4.0 * bend)


def test_ridged_gradient_is_the_derivative_beside_the_crests():
    noise = noise_of(RIDGED, 1)
    rng = np.random.default_rng(2)
    seen = 0
    for place in rng.uniform(-300.0, 300.0, (200, 3)).tolist():
        scaled = tuple(noise.frequency * p for p in place)
        if abs(value_noise(noise.lattice, scaled)[0]) < 1e-3:
            continue  # on a crest the gradient jumps
        gradient, _ = differences(noise, place, 1e-4)
        assert_close(noise_at(noise, place)[1], gradient, rtol=1e-5, scale=steepest(noise))
        seen += 1
    assert seen > 150


@KINDS
def test_height_and_slope_stay_within_their_bounds(kind):
    noise = noise_of(kind)
    points = np.random.default_rng(4).uniform(-400.0, 400.0, (200_000, 3))
    heights, gradients = sampled(noise, points)
    assert np.max(np.abs(heights)) <= 0.5 * 4.8
    assert np.max(np.abs(heights)) > 0.2 * 4.8  # the bound is not idle
    slopes = np.linalg.norm(gradients, axis=1)
    assert np.max(slopes) <= steepest(noise)
    assert np.max(slopes) > 0.1 * steepest(noise)


@KINDS
def test_mean_height_is_near_zero(kind):
    noise = noise_of(kind, 1)
    period = LATTICE / noise.frequency
    points = np.random.default_rng(5).uniform(0.0, period, (200_000, 3))
    heights, _ = sampled(noise, points)
    # 16^3 independent numbers of spread 0.29, so the mean of one lattice is about 0.0045 wide;
    # interpolation pulls |u| down, so the ridged kind stands a little above zero.
    limit = 0.02 if kind == PLAIN else 0.25
    assert abs(heights.mean()) < limit * noise.amplitude


def test_seed_decides_the_lattice():
    assert noise_lattice(1).tobytes() == noise_lattice(1).tobytes()
    assert noise_lattice(1).tobytes() != noise_lattice(2).tobytes()


def test_derivative_check_has_teeth():
    noise = noise_of(PLAIN, 3)
    spoiled = noise._replace(amplitude=1.01 * noise.amplitude)
    place = (1.3, 2.7, -8.1)
    gradient, _ = differences(noise, place, 1e-4)
    with pytest.raises(AssertionError):
        assert_close(noise_at(spoiled, place)[1], gradient, rtol=1e-3)
