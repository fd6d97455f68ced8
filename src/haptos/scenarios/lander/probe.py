"""The probe of a lander file: shape, vertices about the centre of mass, inertia."""

from __future__ import annotations

import functools
from typing import assert_never, cast

import numpy as np
from scipy.spatial import ConvexHull

from haptos.core.errors import ConfigError
from haptos.geometry.mesh import probe_shapes
from haptos.geometry.mesh.probe_shapes import ProbeShape
from haptos.scenarios.lander.config import Config
from haptos.scenarios.lander.config_probe import (
    AnyProbe,
    BoxProbe,
    MeshProbe,
    PlatonicProbe,
    PrismProbe,
    SphereProbe,
)
from haptos.scenarios.worlds.terrain import check_ball

THINNEST = 1e-9  # [-] least width over the largest; thinner ones are lost in rounding
MOST_VERTICES = 100_000  # of a probe; a step near the ground takes some 50 ms then


@functools.lru_cache(maxsize=64)
def probe_shape(probe: AnyProbe) -> ProbeShape:
    """Shape of the probe; the same shape is made once for a whole campaign."""
    if isinstance(probe, BoxProbe):
        shape = probe_shapes.box(probe.size_m)
    elif isinstance(probe, PlatonicProbe):
        edge = probe.edge_m
        if edge is None:
            volume = probe.mass_kg / cast(float, probe.density_kg_per_m3)
            edge = probe_shapes.platonic_edge(probe.shape, volume)
        shape = probe_shapes.platonic(probe.shape, edge)
    elif isinstance(probe, PrismProbe):
        shape = probe_shapes.prism(probe.sides, probe.radius_m, probe.height_m)
    elif isinstance(probe, SphereProbe):
        shape = probe_shapes.sphere(probe.radius_m)
    elif isinstance(probe, MeshProbe):
        shape = probe_shapes.from_mesh(probe.file, probe.unit)
    else:
        assert_never(probe)
    if probe.tessellation > 0 and not isinstance(probe, SphereProbe):
        shape = probe_shapes.tessellated(shape, probe.tessellation)
    if shape.corner_radius == 0.0:
        _check_thickness(shape)
    if len(shape.vertices) > MOST_VERTICES:
        raise ConfigError(
            "[probe]",
            f"a shape with {len(shape.vertices)} vertices",
            f"at most {MOST_VERTICES}: each is looked at in every step near the ground",
            "simplify its mesh, or a lower tessellation",
        )
    return shape


def _check_thickness(shape: ProbeShape) -> None:
    """Refuse a shape that is flat or a line within rounding."""
    spans = np.sort(np.ptp(shape.vertices, axis=0))
    if spans[0] < THINNEST * spans[2]:
        raise ConfigError(
            "[probe]",
            f"a shape of {spans[0]:.3g} by {spans[1]:.3g} by {spans[2]:.3g} m",
            f"a least width of {THINNEST:g} of the largest",
            "give it some thickness",
        )


@functools.lru_cache(maxsize=64)
def vertex_table(shape: ProbeShape, center_of_mass: tuple[float, float, float]) -> np.ndarray:
    """(n, 7): vertices from the centre of mass [m], their kinds, directions of edge or facet."""
    return np.column_stack(
        [shape.vertices - np.array(center_of_mass), shape.vertex_kind, shape.vertex_direction]
    )


def mass_layout(probe: AnyProbe, shape: ProbeShape) -> tuple[np.ndarray, np.ndarray]:
    """(vertices from the centre of mass [m], inertia about it [kg m^2]), B axes."""
    vertices = vertex_table(shape, probe.center_of_mass_m)
    if probe.inertia_kg_m2 is None:
        return vertices, probe.mass_kg * shape.inertia_per_mass
    check_inside(shape, np.array(probe.center_of_mass_m))
    given = np.array(probe.inertia_kg_m2, dtype=float)
    return vertices, np.diag(given) if given.ndim == 1 else given


def check_inside(shape: ProbeShape, point: np.ndarray) -> None:
    """Refuse a centre of mass no mass inside the shape can have."""
    if shape.corner_radius > 0.0:
        is_inside = bool(np.linalg.norm(point) < shape.corner_radius)
    else:
        faces = ConvexHull(shape.vertices).equations  # outward normals and offsets
        is_inside = bool(np.all(faces[:, :3] @ point + faces[:, 3] < 0.0))
    if not is_inside:
        raise ConfigError(
            "[probe] center_of_mass_m",
            f"{point.tolist()}, outside the probe",
            "a point inside the hull of the shape",
            "give it from the centroid of the shape, in metres",
        )


def check_ball_ground(config: Config) -> None:
    """Refuse a sphere on noise or seeded rocks smaller than itself."""
    if isinstance(config.probe, SphereProbe):
        check_ball(config.terrain, config.probe.radius_m)
