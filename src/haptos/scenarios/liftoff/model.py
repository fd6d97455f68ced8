"""The body of a lift-off file made ready: places on a mesh, their curvature, gravity, spin."""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from haptos.core.errors import ConfigError
from haptos.core.units import GRAVITATIONAL_CONSTANT, HOUR
from haptos.environment import gravity as gravities
from haptos.environment.gravity_points import World
from haptos.environment.gravity_polyhedron import PolyhedronField
from haptos.environment.gravity_resolution import coarser_mesh
from haptos.geometry.mesh.body_mesh import load_body_mesh
from haptos.geometry.mesh.icosphere import icosphere
from haptos.geometry.mesh.mass_properties import mass_properties
from haptos.geometry.mesh.procedural_bodies import procedural_body
from haptos.geometry.shape.curvature import CurvedGround
from haptos.geometry.shape.curvature_ellipsoid import ellipsoid_curvature
from haptos.geometry.shape.curvature_harmonics import harmonic_curvature
from haptos.geometry.shape.curvature_polyhedron import mesh_curvature
from haptos.geometry.shape.harmonic_files import read_harmonics
from haptos.geometry.shape.harmonic_fit import DegreeScan, best_degree, fit_harmonics
from haptos.geometry.shape.spherical_harmonics import HarmonicSurface, latitude_longitude
from haptos.scenarios.bodies import MeshFile
from haptos.scenarios.liftoff.config import (
    AnySurface,
    Config,
    Harmonics,
    HarmonicsSurface,
    LiftoffBody,
    LiftoffEllipsoid,
    LiftoffGravity,
    LiftoffSphere,
)
from haptos.scenarios.plausibility import check_density, check_spin, mesh_volume
from haptos.scenarios.worlds.config import UniformSpin

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Mesh = tuple[Floats, Integers]

SHAPES_KEPT = 4


@dataclass(frozen=True, eq=False)
class Shape:
    """A body's surface: a mesh of places, their curvature, and a fitted series if there is one.

    mesh      (vertices [m], faces) from the centre of mass       ground  curvature at its vertices
    other     curvature there of the other model, or None; the series is `ground` if uses_series
    series    fitted or given harmonics, or None                  scan    errors over the degree
    messages  what was done on loading
    """

    mesh: Mesh
    ground: CurvedGround
    other: CurvedGround | None = None
    series: HarmonicSurface | None = None
    scan: DegreeScan | None = None
    messages: tuple[str, ...] = ()
    uses_series: bool = False


@dataclass(frozen=True, eq=False)
class Model:
    """What a map needs, SI, A axes.

    omega  spin [rad/s]           gravity_facets  of the polyhedron; 0 for closed forms
    mu     G M [m^3/s^2]          primary         (G M, place) or None
    """

    shape: Shape
    world: World
    mu: float
    omega: tuple[float, float, float]
    primary: tuple[float, tuple[float, float, float]] | None
    gravity_facets: int


def shape_of(config: Config) -> Shape:
    """Shape of a file; the same object for the same tables and an unchanged file."""
    stamp = None
    if isinstance(config.surface, MeshFile | HarmonicsSurface):
        path = Path(config.surface.file)
        stamp = (path.stat().st_mtime_ns, path.stat().st_size) if path.is_file() else None
    return _shapes(config.surface, config.harmonics, stamp)


def build(config: Config) -> Model:
    """Everything but the map itself."""
    shape = shape_of(config)
    mu = _mu(config.gravity, config.surface, shape.mesh)
    if isinstance(config.surface, MeshFile) and config.gravity.mu_m3_per_s2 is not None:
        file = Path(config.surface.file).name
        check_density(mu, mesh_volume(*shape.mesh), config.surface.unit, file)
    radius = float(np.linalg.norm(shape.mesh[0], axis=1).max())
    check_spin(float(np.linalg.norm(omega_of(config))), radius, mu)
    world, facets = _world(config.surface, config.gravity, mu, shape.mesh)
    primary = config.primary
    return Model(
        shape,
        world,
        mu,
        omega_of(config),
        None if primary is None else (primary.mu_m3_per_s2, primary.position_m),
        facets,
    )


@functools.lru_cache(maxsize=SHAPES_KEPT)
def _shapes(surface: AnySurface, harmonics: Harmonics | None, _: tuple[int, int] | None) -> Shape:
    if isinstance(surface, LiftoffSphere | LiftoffEllipsoid):
        axes = np.array(_semi_axes(surface))
        toward, faces = icosphere(surface.level)
        points = toward / np.linalg.norm(toward / axes, axis=1)[:, None]
        return Shape((points, faces), ellipsoid_curvature(axes, points))
    if isinstance(surface, HarmonicsSurface):
        return _harmonic_shape(surface)
    messages: tuple[str, ...] = ()
    if isinstance(surface, LiftoffBody):
        vertices, faces = procedural_body(surface.body, surface.level, surface.relief_seed)
    else:
        body = load_body_mesh(surface.file, surface.unit, repair=surface.repair)
        vertices, faces, messages = body.vertices, body.faces, body.messages
    ground = mesh_curvature(vertices, faces).ground
    if harmonics is None:
        return Shape((vertices, faces), ground, messages=messages)
    return _with_series(harmonics, (vertices, faces), ground, messages)


def _harmonic_shape(surface: HarmonicsSurface) -> Shape:
    series = read_harmonics(surface.file)
    vertices, faces = series.mesh(surface.level)
    centroid = mass_properties(vertices, faces).centroid
    series = HarmonicSurface(series.cosine, series.sine, series.centre - centroid)
    vertices = vertices - centroid
    ground = harmonic_curvature(series, *latitude_longitude(vertices - series.centre))
    moved = f"origin moved by {np.linalg.norm(centroid):.4g} m to the centre of mass"
    return Shape((vertices, faces), ground, series=series, messages=(moved,))


def _with_series(
    harmonics: Harmonics, mesh: Mesh, ground: CurvedGround, messages: tuple[str, ...]
) -> Shape:
    vertices, faces = mesh
    fits = [n for n in harmonics.degrees if (n + 1) ** 2 < len(vertices) // 2]
    if not fits:
        found = f"degrees {list(harmonics.degrees)} for {len(vertices)} vertices"
        raise ConfigError("[harmonics]", found, "fewer coefficients than vertices", "degrees = [8]")
    scan = best_degree(vertices, fits, faces=faces)
    degree = scan.degree if harmonics.degree is None else harmonics.degree
    series = fit_harmonics(vertices, degree, held_out=0, faces=faces).surface
    smooth = harmonic_curvature(series, *latitude_longitude(vertices))
    said = f"harmonics of degree {degree}, held-out error {scan.held_out_rms_m.min():.4g} m"
    first, second = (smooth, ground) if harmonics.use else (ground, smooth)
    return Shape(mesh, first, second, series, scan, (*messages, said), harmonics.use)


def _semi_axes(surface: LiftoffSphere | LiftoffEllipsoid) -> tuple[float, float, float]:
    if isinstance(surface, LiftoffSphere):
        return (surface.radius_m,) * 3
    return surface.semi_axes_m


def _mu(gravity: LiftoffGravity, surface: AnySurface, mesh: Mesh) -> float:
    if gravity.mu_m3_per_s2 is not None:
        return gravity.mu_m3_per_s2
    assert gravity.density_kg_per_m3 is not None
    if isinstance(surface, LiftoffSphere | LiftoffEllipsoid):
        return gravities.ellipsoid_mu(_semi_axes(surface), gravity.density_kg_per_m3)
    volume = mass_properties(*mesh).volume
    return float(GRAVITATIONAL_CONSTANT * gravity.density_kg_per_m3 * volume)


def _world(
    surface: AnySurface, gravity: LiftoffGravity, mu: float, mesh: Mesh
) -> tuple[World, int]:
    """(gravity, facets it is computed from); a coarser mesh keeps the mass."""
    if isinstance(surface, LiftoffSphere):
        return gravities.point(mu), 0
    if isinstance(surface, LiftoffEllipsoid):
        return gravities.ellipsoid(_semi_axes(surface), mu), 0
    if len(mesh[1]) > gravity.facets:
        mesh = coarser_mesh(*mesh, gravity.facets)
    density = mu / (GRAVITATIONAL_CONSTANT * mass_properties(*mesh).volume)
    return PolyhedronField(*mesh, density), len(mesh[1])


def omega_of(config: Config) -> tuple[float, float, float]:
    """Spin [rad/s] of the body, A axes."""
    if not isinstance(config.spin, UniformSpin):
        return 0.0, 0.0, 0.0
    x, y, z = config.spin.pole
    rate = 2.0 * math.pi / (config.spin.period_h * HOUR) / math.hypot(x, y, z)
    return rate * x, rate * y, rate * z
