"""Slope, geopotential and relief of the body that all runs of a campaign share, for its charts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from haptos.core.errors import HaptosError
from haptos.core.units import DEGREE, GRAVITATIONAL_CONSTANT
from haptos.results.places import GroundMaps

if TYPE_CHECKING:
    from numpy.typing import NDArray

LEVEL = 4  # splits of a built-in body
MOST_FACETS = 5_000  # of a mesh that charts are drawn on
GRAVITY_FACETS = 1_000  # [-] gravity within about 1 %; assumed to be enough for colours


def ground_maps(table: dict[str, Any]) -> GroundMaps | None:
    """Body of a scenario table with slope [deg], geopotential [m^2/s^2] and relief [m] per facet.

    None unless every run has the same body with a mesh, the gravity of that mesh, and a steady spin.
    """
    surface, gravity, spin = (table.get(key, {}) for key in ("surface", "gravity", "spin"))
    fixed = not any(_varies(part) for part in (surface, gravity, spin))
    if not fixed or surface.get("shape") not in ("body", "mesh"):
        return None
    if gravity.get("model") != "polyhedron" or spin.get("kind", "none") == "tumbling":
        return None
    try:
        return _maps(surface, gravity, spin)
    except (HaptosError, OSError):  # a file moved since, or a mesh that cannot be coarsened
        return None


def _varies(part: dict[str, Any]) -> bool:
    return any(
        isinstance(value, dict)
        or (isinstance(value, list) and any(isinstance(one, dict) for one in value))
        for value in part.values()
    )


def _maps(surface: dict[str, Any], gravity: dict[str, Any], spin: dict[str, Any]) -> GroundMaps:
    from haptos.environment.gravity_resolution import coarser_mesh
    from haptos.environment.surface_maps import surface_maps
    from haptos.geometry.distance.surface_tables import mesh_of_table
    from haptos.geometry.mesh.mass_properties import mass_properties

    vertices, faces = mesh_of_table(surface, LEVEL)
    mu = gravity.get("mu_m3_per_s2")
    if mu is None:
        volume = mass_properties(vertices, faces).volume
        mu = GRAVITATIONAL_CONSTANT * gravity["density_kg_per_m3"] * volume
    if len(faces) > MOST_FACETS and surface["shape"] == "mesh":
        vertices, faces = coarser_mesh(vertices, faces, MOST_FACETS)
    coarse = (
        coarser_mesh(vertices, faces, GRAVITY_FACETS)
        if len(faces) > GRAVITY_FACETS
        else (vertices, faces)
    )
    names = ("slope_rad", "geopotential_m2_per_s2", "relief_m")
    found = surface_maps(
        vertices, faces, mu=mu, omega=_omega(spin), names=names, gravity_mesh=coarse
    )
    maps = {
        "slope_deg": found["slope_rad"] / DEGREE,
        "geopotential_m2_per_s2": found["geopotential_m2_per_s2"],
        "relief_m": found["relief_m"],
    }
    return GroundMaps(vertices, faces, maps)


def _omega(spin: dict[str, Any]) -> NDArray[np.float64]:
    """omega_AN_A [rad/s] of a [spin] table that does not tumble."""
    from haptos.environment.surface_maps import spin_rate

    if spin.get("kind", "none") != "uniform":
        return np.zeros(3)
    pole = np.asarray(spin.get("pole", (0.0, 0.0, 1.0)), dtype=float)
    return np.asarray(spin_rate(spin["period_h"]) * pole / np.linalg.norm(pole))
