"""A lander on an elastic foundation: faces of its probe or feet, its ground as a reference body, the law.

The ground is a plane, sphere, ellipsoid, built-in body or mesh, by exact distances; facets are flat, as for the other
laws. The faces are those of the whole probe, or of feet fixed to it: balls and round pads.
"""

from __future__ import annotations

import functools

import numpy as np
from numpy.typing import NDArray

from haptos.contact.sets.polygons_pair import PolygonPair, fixed
from haptos.core.errors import ConfigError
from haptos.dynamics.rigid.grounded_run import Grounded
from haptos.environment.ball_drag import GroundAir
from haptos.environment.gravity import with_primary
from haptos.environment.ground_sunlight import Sun
from haptos.geometry.mesh.curved_faces import CurvedFaces
from haptos.geometry.mesh.curved_faces_build import mesh_faces, octahedron_faces
from haptos.geometry.mesh.icosphere import icosphere
from haptos.geometry.mesh.polyhedra import prism_solid
from haptos.geometry.mesh.probe_shapes import ProbeShape
from haptos.scenarios.lander.config import Config
from haptos.scenarios.lander.config_contact import Foot, FoundationContact
from haptos.scenarios.lander.config_probe import MeshProbe, SphereProbe
from haptos.scenarios.worlds.config_foundation import law_of
from haptos.scenarios.worlds.ground_reference import ground_reference
from haptos.scenarios.worlds.world import World

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

FOUNDATION = 2  # law_kind of a run on an elastic foundation; its motion is not that of the lander's own kernel
HULL_POINTS = 256  # of the probe that the guard looks at, evenly chosen; assumed
BALL_SPLITS, PAD_SIDES = 3, 48  # facets of feet


def grounded(
    config: Config, parameters: np.ndarray, vertices: Floats, state: Floats, shape: ProbeShape,
    inertia: Floats, world: World,
) -> Grounded | None:  # fmt: skip
    """Body and ground of a run on an elastic foundation; None for the other laws."""
    contact = config.contact
    if not isinstance(contact, FoundationContact):
        return None
    pair = PolygonPair(
        ground_reference(config, world), probe_faces(config, shape), law_of(contact), fixed()
    )
    every = 1 + (len(vertices) - 1) // HULL_POINTS
    gravity, settle = parameters["gravity"], parameters["settle"]
    return Grounded(
        pair,
        float(parameters["body"]["mass"]),
        inertia,
        with_primary(world.gravity, float(gravity["primary_mu"]), tuple(gravity["primary"])),
        np.array(parameters["spin"]["rate"], dtype=float),
        state[:13],
        np.ascontiguousarray(vertices[::every, :3]),
        shape.corner_radius,
        (float(settle["speed"]), float(settle["rate"]), float(settle["hold"])),
        float(parameters["run"]["escape_distance"]),
        deepest(contact, float(parameters["body"]["radius"])),
        float(parameters["run"]["duration"]),
        contact.tolerance,
        _air(parameters["air"]),
        _sun(parameters["sun"]),
    )


def _air(row: np.ndarray) -> GroundAir:
    """Air as kernels read it, of plain numbers."""
    is_on, density, thinning, strength, wind, is_flat, up, level = row.tolist()
    return GroundAir(
        is_on != 0, density, thinning, strength, tuple(wind), is_flat != 0, tuple(up), level
    )


def _sun(row: np.ndarray) -> Sun:
    is_on, direction, strength, distance, shadow = row.tolist()
    return Sun(is_on != 0, tuple(direction), strength, distance, shadow)


def ledger_bound(config: Config) -> float:
    """Largest trusted remainder of a phase."""
    contact = config.contact
    return (
        contact.ledger_bound if isinstance(contact, FoundationContact) else config.run.ledger_bound
    )


def deepest(contact: FoundationContact, radius: float) -> float:
    """Deepest contact [m] that is followed."""
    return contact.max_depth_m or contact.depth_limit * radius


def probe_faces(config: Config, shape: ProbeShape) -> CurvedFaces:
    """Faces that carry the contact, from the centre of mass, B axes."""
    contact = config.contact
    assert isinstance(contact, FoundationContact)
    centre = config.probe.center_of_mass_m
    if contact.feet:
        return _feet_faces(contact.feet, centre, contact.levels)
    if isinstance(config.probe, SphereProbe):
        if any(centre):
            raise ConfigError(
                "[probe] center_of_mass_m",
                f"{list(centre)} of a sphere on an elastic foundation",
                "its centre, or another shape",
                'shape = "mesh" with a triangulated ball',
            )
        return _ball_faces(config.probe.radius_m, contact.splits, contact.levels)
    return _solid_faces(shape, centre, contact.levels, isinstance(config.probe, MeshProbe))


@functools.lru_cache(maxsize=16)
def _ball_faces(radius: float, splits: int, levels: int) -> CurvedFaces:
    return octahedron_faces(splits, radius, levels)


@functools.lru_cache(maxsize=16)
def _solid_faces(
    shape: ProbeShape, centre: tuple[float, float, float], levels: int, curved: bool
) -> CurvedFaces:
    vertices = shape.vertices - np.array(centre)
    return mesh_faces(vertices, shape.faces, levels, curved=curved, where="[probe]")


@functools.lru_cache(maxsize=16)
def _feet_faces(
    feet: tuple[Foot, ...], centre: tuple[float, float, float], levels: int
) -> CurvedFaces:
    """Feet as one mesh of several parts, which must not overlap."""
    points: list[Floats] = []
    faces: list[Integers] = []
    for foot in feet:
        vertices, corners = _foot(foot)
        faces.append(corners + sum(len(part) for part in points))
        points.append(vertices + np.array(foot.position_m) - np.array(centre))
    return mesh_faces(
        np.concatenate(points), np.concatenate(faces), levels, curved=True, where="[contact] feet"
    )


def _foot(foot: Foot) -> tuple[Floats, Integers]:
    if foot.shape == "ball":
        unit, corners = icosphere(BALL_SPLITS)
        return foot.radius_m * unit, corners
    return prism_solid(PAD_SIDES, foot.radius_m, foot.height_m or foot.radius_m)
