"""Built-in bodies: closed, centred, aligned, of the size and kind they claim, the same everywhere."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest

from haptos.core.errors import GeometryError
from haptos.geometry.mesh.mass_properties import mass_properties
from haptos.geometry.mesh.mesh_checks import require_solid
from haptos.geometry.mesh.procedural_bodies import BODIES, procedural_body
from tests.close import assert_close

NAMES = sorted(BODIES)
EXTENTS = {  # [m] along the principal axes; relief moves them by a few per cent
    "bilobe": (536.0, 294.0, 210.0),
    "top": (517.0, 500.0, 460.0),
    "spinner": (1460.0, 1420.0, 1310.0),
    "comet": (5600.0, 3300.0, 2200.0),
    "potato": (26000.0, 22800.0, 18200.0),
}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("level", [2, 4])
def test_body_is_one_closed_outward_surface(name, level):
    vertices, faces = procedural_body(name, level)
    require_solid(name, vertices, faces)
    assert len(vertices) == 10 * 4**level + 2
    assert len(faces) == 2 * len(vertices) - 4  # closed, without handles


@pytest.mark.parametrize("name", NAMES)
def test_body_lies_in_its_centre_of_mass_and_principal_axes(name):
    vertices, faces = procedural_body(name)
    mass = mass_properties(vertices, faces)
    size = np.cbrt(mass.volume)
    assert np.max(np.abs(mass.centroid)) < 1e-12 * size
    moments = np.diag(mass.inertia_per_mass)
    assert_close(mass.inertia_per_mass, np.diag(moments), rtol=1e-12, scale=float(moments.max()))
    assert moments[0] < moments[1] < moments[2]


@pytest.mark.parametrize("name", NAMES)
def test_body_has_the_size_it_claims(name):
    vertices, _ = procedural_body(name)
    assert_close(np.ptp(vertices, axis=0), EXTENTS[name], rtol=0.05, scale=EXTENTS[name][0])


@pytest.mark.parametrize("name", NAMES)
def test_volume_converges_with_the_mesh_at_second_order(name):
    volumes = [mass_properties(*procedural_body(name, level)).volume for level in (4, 5, 6, 7)]
    steps = np.diff(volumes)
    orders = np.log2(steps[:-1] / steps[1:])
    assert_close(orders, np.full(2, 2.0), rtol=0.2)


def width_at(name: str, x: float) -> float:
    """Extent along y of a slice across x."""
    vertices, _ = procedural_body(name)
    near = np.abs(vertices[:, 0] - x) < 0.02 * np.ptp(vertices[:, 0])
    return float(np.ptp(vertices[near, 1]))


@pytest.mark.parametrize("name", ["bilobe", "comet"])
def test_two_lobes_have_a_neck_between_them(name):
    vertices, _ = procedural_body(name)
    along = np.linspace(vertices[:, 0].min(), vertices[:, 0].max(), 41)[4:-4]
    widths = np.array([width_at(name, x) for x in along])
    inner = widths[1:-1]
    necks = np.flatnonzero((inner < widths[:-2]) & (inner < widths[2:])) + 1
    deepest = min(min(widths[:n].max(), widths[n + 1 :].max()) - widths[n] for n in necks)
    assert deepest > 0.0
    assert max(min(widths[:n].max(), widths[n + 1 :].max()) / widths[n] for n in necks) > 1.03


def test_the_top_has_its_ridge_at_the_equator():
    vertices, faces = procedural_body("top", 6)
    corners = vertices[faces]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    height = corners[:, :, 2].mean(axis=1) / vertices[:, 2].max()
    rise = np.abs(normals[:, 2])
    beside = (np.abs(height) > 0.05) & (np.abs(height) < 0.12)
    # An ellipsoid of these axes rises by less than 0.12 there, a ridge leans by tens of degrees.
    assert np.median(rise[beside]) > 0.3


def test_relief_follows_the_seed_and_nothing_else():
    def digest(seed: int) -> str:
        vertices, _ = procedural_body("bilobe", 3, seed)
        return hashlib.sha256(np.round(vertices, 6).tobytes()).hexdigest()

    assert digest(0) == digest(0)
    assert digest(0) != digest(1)


@pytest.mark.parametrize(("name", "level"), [("pebble", 5), ("top", 1), ("top", 9)])
def test_what_is_not_there_is_refused(name, level):
    with pytest.raises(GeometryError):
        procedural_body(name, level)


def test_size_check_has_teeth():
    vertices, _ = procedural_body("potato")
    with pytest.raises(AssertionError):
        assert_close(1.07 * np.ptp(vertices, axis=0), EXTENTS["potato"], rtol=0.05)
