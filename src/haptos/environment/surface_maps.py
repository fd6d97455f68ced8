"""Maps of a spinning body's surface: one number per facet, at the facet's centre.

    W = U + 1/2 |Omega x r|^2                 geopotential [m^2/s^2]; water would lie at equal W
    a = g - Omega x (Omega x r)               effective gravity [m/s^2] of what rests on the surface
    slope = angle between -a and the outward normal of the facet [rad]

    U      potential [m^2/s^2], > 0, g = grad U        Omega  spin [rad/s], through the centre of mass
    r      from the centre of mass [m]
Low ground, towards which things roll, has high W. Slope above pi/2: what lies there falls off.
Frame: the axes of the mesh. Validity: homogeneous body, uniform spin, no tide. U and g are exact for
the mesh that gravity is taken from; a coarser one for gravity than for the surface costs about 1 % at
20,000 facets.
Source: [Scheeres2012]; [VanWal2018] chapter 3.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from haptos.core.errors import ConfigError, GeometryError
from haptos.core.units import DEGREE, GRAVITATIONAL_CONSTANT
from haptos.environment.effective_gravity import (
    effective_gravity,
    pressing_gravity,
    slope_angles,
)
from haptos.environment.gravity_polyhedron import PolyhedronField
from haptos.geometry.mesh.facet_measures import (
    equivalent_sides,
    facet_areas,
    facet_centres,
    facet_sizes,
)
from haptos.geometry.mesh.mass_properties import mass_properties
from haptos.geometry.mesh.mesh_checks import require_solid
from haptos.geometry.mesh.tessellation import face_normals
from haptos.geometry.terrain.relief import relief
from haptos.geometry.terrain.roughness import roughness

CITES: tuple[str, ...] = ("Scheeres2012", "VanWal2018")

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Mesh = tuple[Floats, Integers]

WHERE = "surface maps"
NEIGHBOURHOOD = 3.0  # [-] radius of the roughness in mean facet sides, if none is given


@dataclass(frozen=True)
class MapKind:
    """What a map holds; `needs_gravity` if only a body with mass has it."""

    unit: str
    description: str
    needs_gravity: bool = False


MAPS = {
    "radius_m": MapKind("m", "distance from the centre of mass"),
    "relief_m": MapKind("m", "height above the ellipsoid of the same volume and moments"),
    "facet_area_m2": MapKind("m^2", "area of the facet"),
    "facet_side_m": MapKind("m", "side of the equilateral triangle of the same area"),
    "roughness_angle_rad": MapKind("rad", "root mean square tilt of the facets around"),
    "roughness_height_m": MapKind("m", "root mean square height above the local plane"),
    "potential_m2_per_s2": MapKind("m^2/s^2", "gravitational potential, > 0", True),
    "geopotential_m2_per_s2": MapKind("m^2/s^2", "potential of gravity and spin, > 0", True),
    "gravity_m_per_s2": MapKind("m/s^2", "size of gravity", True),
    "effective_gravity_m_per_s2": MapKind("m/s^2", "size of gravity with spin", True),
    "normal_gravity_m_per_s2": MapKind(
        "m/s^2", "effective gravity into the ground, < 0 where it lifts off", True
    ),
    "slope_rad": MapKind("rad", "effective gravity to the inward normal", True),
}


def map_names(*, has_gravity: bool) -> list[str]:
    """Maps there are, with or without a mass."""
    return [name for name, kind in MAPS.items() if has_gravity or not kind.needs_gravity]


def surface_maps(
    vertices: ArrayLike,
    faces: ArrayLike,
    *,
    density: float | None = None,
    mu: float | None = None,
    omega: ArrayLike = (0.0, 0.0, 0.0),
    names: Iterable[str] | None = None,
    gravity_mesh: Mesh | None = None,
    roughness_radius: float | None = None,
    workers: int | None = None,
    progress: Callable[[float], None] | None = None,
) -> dict[str, Floats]:
    """Name -> value per facet, shape (m,), for names out of MAPS (which tells unit and meaning).

    vertices [m], faces   closed mesh, outward             names  all that can be had if left out
    density [kg/m^3] or mu = G M [m^3/s^2]                 one of them for maps of gravity
    omega [rad/s]         spin in the axes of the mesh, about its centre of mass
    gravity_mesh          coarser mesh of the same body to take gravity from; mu is then kept
    roughness_radius [m]  of a neighbourhood, three mean sides if left out
    progress              gets the share of the gravity done, 0 to 1
    """
    points, corners = np.array(vertices, dtype=float), np.array(faces, dtype=np.int64)
    require_solid(WHERE, points, corners)
    wanted = _wanted(names, has_gravity=density is not None or mu is not None)
    omega = np.asarray(omega, dtype=float)
    if omega.shape != (3,) or not np.all(np.isfinite(omega)):
        found = f"a spin {omega.tolist()}"
        raise GeometryError(WHERE, found, "three finite numbers [rad/s]", "(0.0, 0.0, 1e-4)")
    maps: dict[str, Floats] = {}
    if any(MAPS[name].needs_gravity for name in wanted):
        density = _density(points, corners, density, mu)
        maps |= _gravity_maps(points, corners, density, omega, gravity_mesh, workers, progress)
    maps |= _shape_maps(points, corners, wanted, roughness_radius)
    return {name: maps[name] for name in wanted}


def shown(name: str, values: ArrayLike) -> tuple[str, Floats]:
    """(name, values) for people: angles in degrees."""
    given = np.asarray(values, dtype=float)
    return (
        (f"{name.removesuffix('_rad')}_deg", given / DEGREE)
        if name.endswith("_rad")
        else (name, given)
    )


def spin_rate(period_h: float) -> float:
    """Rate [rad/s] of one turn in a period [h]."""
    return 2.0 * math.pi / (3600.0 * period_h)


def _wanted(names: Iterable[str] | None, *, has_gravity: bool) -> list[str]:
    if names is None:
        return map_names(has_gravity=has_gravity)
    wanted = list(names)
    for name in wanted:
        if name not in MAPS:
            raise ConfigError.unknown_key(WHERE, name, MAPS)
        if MAPS[name].needs_gravity and not has_gravity:
            hint = "give a density or mu"
            raise GeometryError(WHERE, f"'{name}' of a body without mass", "maps of shape", hint)
    return wanted


def _density(vertices: Floats, faces: Integers, density: float | None, mu: float | None) -> float:
    if density is not None and mu is not None:
        found = "a density and a mu"
        raise GeometryError(WHERE, found, "one of them", "leave out mu: it follows from the mesh")
    if density is None:
        assert mu is not None
        density = mu / (GRAVITATIONAL_CONSTANT * mass_properties(vertices, faces).volume)
    if not (math.isfinite(density) and density > 0.0):
        found, hint = f"a density of {density} kg/m^3", "1000 to 4000 kg/m^3 for rock"
        raise GeometryError(WHERE, found, "> 0, finite", hint)
    return float(density)


def _gravity_maps(
    vertices: Floats,
    faces: Integers,
    density: float,
    omega: Floats,
    gravity_mesh: Mesh | None,
    workers: int | None,
    progress: Callable[[float], None] | None,
) -> dict[str, Floats]:
    mass = mass_properties(vertices, faces)
    source = (vertices, faces) if gravity_mesh is None else gravity_mesh
    # The coarser mesh has another volume; the mass is that of the finer.
    share = mass.volume / mass_properties(*source).volume
    centre = facet_centres(vertices, faces)
    field = PolyhedronField(*source, density * share).field(
        centre, workers=workers, progress=progress
    )
    away = centre - mass.centroid
    swept = np.cross(omega, away)
    effective = effective_gravity(field.gravity, omega, away)
    normal = face_normals(vertices, faces)
    return {
        "potential_m2_per_s2": field.potential,
        "geopotential_m2_per_s2": field.potential + 0.5 * np.einsum("fi,fi->f", swept, swept),
        "gravity_m_per_s2": np.linalg.norm(field.gravity, axis=1),
        "effective_gravity_m_per_s2": np.linalg.norm(effective, axis=1),
        "normal_gravity_m_per_s2": pressing_gravity(effective, normal),
        "slope_rad": slope_angles(effective, normal),
    }


def _shape_maps(
    vertices: Floats, faces: Integers, wanted: list[str], radius: float | None
) -> dict[str, Floats]:
    centroid = mass_properties(vertices, faces).centroid
    areas = facet_areas(vertices, faces)
    maps = {
        "radius_m": np.linalg.norm(facet_centres(vertices, faces) - centroid, axis=1),
        "facet_area_m2": areas,
        "facet_side_m": equivalent_sides(areas),
    }
    if "relief_m" in wanted:
        maps["relief_m"] = relief(vertices, faces)
    if any(name.startswith("roughness") for name in wanted):
        around = radius or NEIGHBOURHOOD * facet_sizes(vertices, faces).mean_side
        angle, height = roughness(vertices, faces, around)
        maps |= {"roughness_angle_rad": angle, "roughness_height_m": height}
    return maps
