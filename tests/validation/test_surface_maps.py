"""Geopotential of a shape model against values computed elsewhere."""

from __future__ import annotations

import numpy as np
import pytest

from haptos.environment.surface_maps import spin_rate, surface_maps
from haptos.geometry.mesh.facet_measures import facet_areas, facet_centres
from tests.close import assert_close
from tests.validation.shape_models import shape_model

PERIOD, MU = 2.7645, 157.04  # [h], [m^3/s^2], of [VanWal2018]
W = "geopotential_m2_per_s2"


@pytest.fixture(scope="module")
def geopotential() -> dict[str, float]:
    """Mean W [m^2/s^2] of 1999 KW4 Alpha within 10 deg of its poles and 3 deg of its ridge."""
    vertices, faces = shape_model("kw4-alpha")
    omega = (0.0, 0.0, spin_rate(PERIOD))
    values = surface_maps(vertices, faces, mu=MU, omega=omega, names=[W])[W]
    centre, area = facet_centres(vertices, faces), facet_areas(vertices, faces)
    latitude = np.degrees(np.arcsin(centre[:, 2] / np.linalg.norm(centre, axis=1)))
    places = {"south": latitude < -80, "north": latitude > 80, "ridge": np.abs(latitude) < 3}
    return {k: float(np.average(values[at], weights=area[at])) for k, at in places.items()}


@pytest.mark.parametrize(
    ("place", "expected"), [("south", 0.2309), ("north", 0.2368), ("ridge", 0.3300)]
)
def test_kw4_alpha_is_low_at_its_ridge_and_high_at_its_poles(
    geopotential: dict[str, float], place: str, expected: float
):
    assert_close(geopotential[place], expected, rtol=3e-3)
