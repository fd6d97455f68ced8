"""Maps of bodies whose geopotential and slope are known in closed form."""

from __future__ import annotations

import math

import numpy as np
import pytest

from haptos.core.errors import ConfigError, GeometryError
from haptos.core.units import GRAVITATIONAL_CONSTANT
from haptos.environment.surface_maps import MAPS, map_names, shown, spin_rate, surface_maps
from haptos.geometry.mesh.facet_measures import facet_centres
from haptos.geometry.mesh.mass_properties import mass_properties
from tests.close import assert_close
from tests.geometry.closed_meshes import ball

RADIUS, DENSITY = 250.0, 2000.0
RATE = 4.0e-4  # [rad/s], about three quarters of what lifts off at the equator
G_RHO = GRAVITATIONAL_CONSTANT * DENSITY
MASS_MAPS = ("geopotential_m2_per_s2", "effective_gravity_m_per_s2", "slope_rad")


def sphere_of_equal_mass(level: int) -> tuple[np.ndarray, np.ndarray, float]:
    vertices, faces = ball(level, RADIUS)
    return vertices, faces, 4.0 / 3.0 * math.pi * G_RHO * RADIUS**3


def test_a_sphere_at_rest_is_level():
    vertices, faces, mu = sphere_of_equal_mass(4)
    maps = surface_maps(vertices, faces, mu=mu)
    size = math.sqrt(4.0 * math.pi / len(faces))  # [rad] of a facet
    assert maps["slope_rad"].max() < 0.1 * size  # a facet's normal meets the sphere off its centre
    assert_close(maps["potential_m2_per_s2"], np.full(len(faces), mu / RADIUS), rtol=size**2)
    assert_close(maps["gravity_m_per_s2"], np.full(len(faces), mu / RADIUS**2), rtol=2 * size**2)
    assert np.array_equal(maps["potential_m2_per_s2"], maps["geopotential_m2_per_s2"])


def rotating_sphere(faces: np.ndarray, vertices: np.ndarray, mu: float) -> dict[str, np.ndarray]:
    """Closed forms on the sphere under the facet centres."""
    centre = facet_centres(vertices, faces)
    sine = np.abs(centre[:, 2]) / np.linalg.norm(centre, axis=1)
    cosine = np.sqrt(1.0 - sine**2)
    g, c = mu / RADIUS**2, RATE**2 * RADIUS
    down, along = g - c * cosine**2, c * cosine * sine
    return {
        "geopotential_m2_per_s2": mu / RADIUS + 0.5 * (RATE * RADIUS * cosine) ** 2,
        "effective_gravity_m_per_s2": np.hypot(down, along),
        "slope_rad": np.arctan2(along, down),
    }


# The normal of a facet is that of the sphere under its circumcentre, not under its centre, and
# skew facets stay skew when split: slopes converge at first order, all others at second.
@pytest.mark.parametrize(("name", "order"), list(zip(MASS_MAPS, (2.0, 2.0, 1.0), strict=True)))
def test_a_rotating_sphere_converges_to_its_closed_form(name: str, order: float):
    errors = []
    for level in (2, 3, 4):
        vertices, faces, mu = sphere_of_equal_mass(level)
        found = surface_maps(vertices, faces, mu=mu, omega=(0, 0, RATE), names=[name])[name]
        expected = rotating_sphere(faces, vertices, mu)[name]
        errors.append(np.sqrt(np.mean((found - expected) ** 2)) / np.abs(expected).max())
    assert errors[-1] < (2e-3 if order == 2.0 else 1e-2)
    assert np.all(np.log2(np.divide(errors[:-1], errors[1:])) > 0.95 * order)


def maclaurin_rate(eccentricity: float) -> float:
    """Spin [rad/s] of a fluid spheroid, Maclaurin's formula."""
    e, flat = eccentricity, math.sqrt(1.0 - eccentricity**2)
    square = 2.0 * flat / e**3 * (3.0 - 2.0 * e**2) * math.asin(e) - 6.0 / e**2 * (1.0 - e**2)
    return math.sqrt(math.pi * G_RHO * square)


def spheroid(level: int, eccentricity: float) -> tuple[np.ndarray, np.ndarray]:
    vertices, faces = ball(level, RADIUS)
    return vertices * [1.0, 1.0, math.sqrt(1.0 - eccentricity**2)], faces


def steepest(level: int, rate_share: float = 1.0) -> tuple[float, float]:
    """Root mean square slope [rad] and spread of W [-] of a Maclaurin spheroid."""
    vertices, faces = spheroid(level, 0.7)
    omega = (0.0, 0.0, rate_share * maclaurin_rate(0.7))
    maps = surface_maps(vertices, faces, density=DENSITY, omega=omega, names=MASS_MAPS)
    w = maps["geopotential_m2_per_s2"]
    return float(np.sqrt(np.mean(maps["slope_rad"] ** 2))), float(np.std(w) / np.mean(w))


def test_a_fluid_spheroid_is_level_at_its_own_spin():
    slopes, spreads = np.array([steepest(level) for level in (2, 3, 4)]).T
    assert slopes[-1] < 2e-3
    assert spreads[-1] < 2e-4
    assert np.all(slopes[:-1] > 1.9 * slopes[1:])
    assert np.all(spreads[:-1] > 3.3 * spreads[1:])


def test_a_fluid_spheroid_is_not_level_at_another_spin():
    assert steepest(4, 1.05)[0] > 3.0 * steepest(4)[0]


def test_the_spin_goes_through_the_centre_of_mass_and_turns_with_the_axes():
    vertices, faces = spheroid(3, 0.7)
    omega = np.array([0.0, 0.0, RATE])
    plain = surface_maps(vertices, faces, density=DENSITY, omega=omega)
    away = np.array([900.0, -50.0, 3.0])
    moved = surface_maps(vertices + away, faces, density=DENSITY, omega=omega)
    turn = np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    turned = surface_maps(vertices @ turn.T, faces, density=DENSITY, omega=turn @ omega)
    for name in MAPS:
        assert_close(moved[name], plain[name], rtol=1e-7)
        assert_close(turned[name], plain[name], rtol=1e-7)


def test_density_and_mu_say_the_same():
    vertices, faces = spheroid(2, 0.5)
    mu = G_RHO * mass_properties(vertices, faces).volume
    by_density = surface_maps(vertices, faces, density=DENSITY, names=["gravity_m_per_s2"])
    by_mu = surface_maps(vertices, faces, mu=mu, names=["gravity_m_per_s2"])
    assert_close(by_mu["gravity_m_per_s2"], by_density["gravity_m_per_s2"], rtol=1e-13)
    spoiled = surface_maps(vertices, faces, mu=1.01 * mu, names=["gravity_m_per_s2"])
    with pytest.raises(AssertionError):
        assert_close(spoiled["gravity_m_per_s2"], by_density["gravity_m_per_s2"], rtol=1e-13)


def test_gravity_from_a_coarser_mesh_keeps_the_mass():
    vertices, faces, mu = sphere_of_equal_mass(4)
    coarse = ball(3, RADIUS)
    name = "potential_m2_per_s2"
    fine = surface_maps(vertices, faces, mu=mu, names=[name])
    rough = surface_maps(vertices, faces, mu=mu, names=[name], gravity_mesh=coarse)
    assert_close(rough[name], fine[name], rtol=5e-3)


def test_what_lifts_off_has_a_slope_above_a_right_angle():
    vertices, faces, mu = sphere_of_equal_mass(3)
    maps = surface_maps(vertices, faces, mu=mu, omega=(0.0, 0.0, 1e-3))
    lifts = maps["normal_gravity_m_per_s2"] < 0.0
    assert lifts.any()
    assert np.array_equal(lifts, maps["slope_rad"] > 0.5 * math.pi)


def test_without_a_mass_there_are_maps_of_shape_only():
    vertices, faces = ball(2, RADIUS)
    assert list(surface_maps(vertices, faces)) == map_names(has_gravity=False)
    assert list(surface_maps(vertices, faces, density=1.0)) == list(MAPS)
    assert spin_rate(1.0) == pytest.approx(2.0 * math.pi / 3600.0, rel=1e-15)
    assert shown("slope_rad", [math.pi])[0] == "slope_deg"
    assert_close(shown("slope_rad", [math.pi])[1], [180.0], rtol=1e-15)


def test_requests_that_make_no_sense_are_refused():
    vertices, faces = ball(2, RADIUS)
    with pytest.raises(GeometryError, match="without mass"):
        surface_maps(vertices, faces, names=["slope_rad"])
    with pytest.raises(ConfigError, match="slope_rad"):
        surface_maps(vertices, faces, density=1.0, names=["slope"])
    with pytest.raises(GeometryError, match="one of them"):
        surface_maps(vertices, faces, density=1.0, mu=1.0)
    for density in (0.0, -1.0, math.nan):
        with pytest.raises(GeometryError, match="density"):
            surface_maps(vertices, faces, density=density)
    with pytest.raises(GeometryError, match="spin"):
        surface_maps(vertices, faces, omega=(0.0, math.nan, 0.0))
    with pytest.raises(GeometryError, match="open mesh"):
        surface_maps(vertices, faces[1:])
