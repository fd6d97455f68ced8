"""The ground of a world as surfaces to look at: the whole body, and the very ground near the contacts."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
from numpy.typing import NDArray

from haptos.core.errors import HaptosError
from haptos.core.units import DEGREE
from haptos.environment import gravity as gravities
from haptos.environment.effective_gravity import effective_gravity, slope_angles
from haptos.environment.gravity_resolution import coarser_mesh
from haptos.environment.gravity_table import GravityTable
from haptos.environment.gravity_table_build import table_values
from haptos.environment.spin import tumbling_acceleration
from haptos.geometry.distance import surface as surfaces
from haptos.geometry.mesh.vertex_normals import vertex_normals
from haptos.geometry.terrain.land import is_rough
from haptos.results.scene import Lines, ScalarMap, SceneSurface
from haptos.scenarios.worlds.config import (
    PlaneSurface,
    PolyhedronGravity,
    WorldTables,
)
from haptos.scenarios.worlds.gravity import gravity_table_of, spin_of
from haptos.scenarios.worlds.ground import mesh_of, mesh_to_draw
from haptos.scenarios.worlds.rough_points import rough_points
from haptos.scenarios.worlds.world import World, world_of

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

MOST_FACETS = 200_000  # drawn of a body; a finer mesh is coarsened
PATCH = 65  # grid lines of the ground near the contacts
MAPS_KEPT = 4
A = "A"


def ground(config: WorldTables, touches: Floats, path: Floats) -> tuple[SceneSurface, ...]:
    """Surfaces in A axes: the body with a hole near the contacts, and a fine patch in the hole.

    touches  [m], (n, 3) places of contact, or of the end if there were none
    path     [m], (n, 3) of the centre of mass
    Nothing where the shape file is not to be had any more.
    """
    world = world_to_draw(config)
    if world is None:
        return ()
    if isinstance(config.surface, PlaneSurface):
        return (plane_patch(world, path),)
    centre = touches[-1]
    late = touches[len(touches) // 2 :]
    spread = float(np.linalg.norm(late - centre, axis=1).max())
    half = float(np.clip(1.5 * spread, 0.01 * world.radius, 0.1 * world.radius))
    patch = _patch_surface(config, world, centre, half)
    whole = body_surface(config, world)
    hole = (*centre.tolist(), 0.9 * half)
    return (
        SceneSurface(
            whole.label, whole.vertices, whole.faces, frame=A, maps=whole.maps, hole=hole
        ),
        patch,
    )  # fmt: skip


def body_surface(
    config: WorldTables, world: World, more: tuple[ScalarMap, ...] = ()
) -> SceneSurface:
    """The whole body with its maps: slope, distance from the centre, and those given."""
    vertices, faces, slope = _body_and_slope(config.surface, config.gravity, config.spin, world)
    centre = ScalarMap("distance from the centre", "m", np.linalg.norm(vertices, axis=1))
    maps = (*more, ScalarMap("slope", "deg", slope), centre)
    return SceneSurface("body", vertices, faces, frame=A, maps=maps)


def spin_notes(config: WorldTables) -> tuple[str, ...]:
    """What a reader has to know of the slopes of a tumbling body."""
    if spin_of(config.spin)[1] is None or isinstance(config.surface, PlaneSurface):
        return ()
    return ("The body tumbles: its slopes change all the time; shown are those at release.",)


def world_to_draw(config: WorldTables) -> World | None:
    """World of a stored run; None if its shape file has moved or changed."""
    try:
        return world_of(config)
    except (HaptosError, OSError):
        return None


@functools.lru_cache(maxsize=MAPS_KEPT)
def _body_and_slope(
    surface: Any, gravity: Any, spin: Any, world: World
) -> tuple[Floats, Integers, Floats]:
    """(vertices [m], faces, slope [deg] at the vertices) of the drawn body."""
    drawn = mesh_to_draw(surface) if world.mesh is None else world.mesh
    assert drawn is not None
    vertices, faces = drawn
    if len(faces) > MOST_FACETS:
        vertices, faces = coarser_mesh(vertices, faces, MOST_FACETS)
    return vertices, faces, _slopes_deg(gravity, surface, spin, world, vertices, faces)


def _slopes_deg(
    gravity: Any, surface: Any, spin: Any, world: World, points: Floats, faces: Integers
) -> Floats:
    """Slopes [deg] at the vertices (n, 3) [m] of drawn ground, (n,), at the time of release."""
    omega, moments = spin_of(spin)
    pull = effective_gravity(_gravity_at(gravity, surface, world, points), omega, points)
    if moments is not None:
        change = tumbling_acceleration(tuple(omega.tolist()), tuple(moments.tolist()))
        pull = pull - np.cross(change, points)  # the axes are not only turning, but ever faster
    return slope_angles(pull, vertex_normals(points, faces)) / DEGREE


def _gravity_at(gravity: Any, surface: Any, world: World, points: Floats) -> Floats:
    """Gravity [m/s^2] of the body at points (n, 3) [m]."""
    if isinstance(gravity, PolyhedronGravity):
        return np.asarray(table_values(_table(gravity, surface), points)[1])
    rows = [gravities.own_gravity(world.gravity, tuple(x))[1] for x in points.tolist()]
    return np.array(rows)


@functools.lru_cache(maxsize=MAPS_KEPT)
def _table(gravity: PolyhedronGravity, surface: Any) -> GravityTable:
    mesh, _ = mesh_of(surface)
    assert mesh is not None  # the configuration refuses this gravity without a mesh
    return gravity_table_of(gravity, mesh)


def plane_patch(world: World, path: Floats) -> SceneSurface:
    """Flat ground, with its terrain, under the whole path."""
    normal = np.array([world.surface.a, world.surface.b, world.surface.c])
    feet = path - np.outer(path @ normal - world.surface.d, normal)
    middle = 0.5 * (feet.min(axis=0) + feet.max(axis=0))
    reach = float(np.linalg.norm(feet - middle, axis=1).max())
    height = float((path @ normal).max() - world.surface.d)
    half = 1.25 * reach + 0.6 * height + 1e-3
    vertices, faces = ground_patch(world, middle, normal, half)
    return SceneSurface("ground", vertices, faces, frame=A, maps=_relief(vertices, normal))


def _patch_surface(config: WorldTables, world: World, centre: Floats, half: float) -> SceneSurface:
    """The very ground around a place, with the maps of the body and its own relief."""
    normal = ground_normal(world, centre)
    vertices, faces = ground_patch(world, centre, normal, half)
    given = (config.gravity, config.surface, config.spin)
    slope = _slopes_deg(*given, world, vertices, faces)
    maps = (
        ScalarMap("slope", "deg", slope),
        ScalarMap("distance from the centre", "m", np.linalg.norm(vertices, axis=1)),
        *_relief(vertices, normal),
    )
    return SceneSurface("ground near the contacts", vertices, faces, frame=A, maps=maps)


def grid_lines(surface: SceneSurface) -> Lines:
    """Lines on a patch of ground at a round spacing, for a sense of size."""
    vertices = np.asarray(surface.vertices).reshape(PATCH, PATCH, 3)
    width = float(np.linalg.norm(vertices[-1, 0] - vertices[0, 0]))
    power = 10.0 ** np.floor(np.log10(width / 8.0))
    spacing = float(power * max(d for d in (1.0, 2.0, 5.0) if d * power <= width / 8.0))
    count = int(width / spacing)
    places = 0.5 * (PATCH - 1) + (np.arange(count + 1) - 0.5 * count) * spacing / width * (
        PATCH - 1
    )
    parts = []
    for place in places[(places >= 0.0) & (places <= PATCH - 1)]:
        low = min(int(place), PATCH - 2)
        share = place - low
        parts.append((1.0 - share) * vertices[low] + share * vertices[low + 1])
        parts.append((1.0 - share) * vertices[:, low] + share * vertices[:, low + 1])
    row = np.arange(PATCH - 1)
    segments = [np.stack([row, row + 1], axis=1) + n * PATCH for n in range(len(parts))]
    return Lines(
        f"grid of {spacing:g} m", np.concatenate(parts), np.concatenate(segments),
        frame=surface.frame, colour="other",
    )  # fmt: skip


def _relief(vertices: Floats, normal: Floats) -> tuple[ScalarMap, ...]:
    heights = vertices @ normal
    heights = heights - heights.mean()
    if float(np.ptp(heights)) < 1e-6:
        return ()
    return (ScalarMap("relief", "m", heights),)


def ground_normal(world: World, place: Floats) -> Floats:
    """Unit normal of the smooth ground near a place [m]."""
    _, gradient = surfaces.smooth_gap_and_gradient(world.surface, tuple(place.tolist()))
    return np.array(surfaces.direction(gradient))


def ground_patch(
    world: World, centre: Floats, normal: Floats, half: float
) -> tuple[Floats, Integers]:
    """(vertices [m], faces) of a square of the true ground, 2 half wide, across `normal`."""
    first = np.cross(normal, np.eye(3)[int(np.argmin(np.abs(normal)))])
    first /= np.linalg.norm(first)
    second = np.cross(normal, first)
    steps = np.linspace(-half, half, PATCH)
    u, v = np.meshgrid(steps, steps, indexing="ij")
    points = centre + u.reshape(-1, 1) * first + v.reshape(-1, 1) * second
    if world.surface.kind != surfaces.PLANE:
        points, _ = surfaces.ground_feet(world.surface, points)
    if is_rough(world.surface.land):
        points = rough_points(world.surface, normal, points)
    index = np.arange(PATCH * PATCH).reshape(PATCH, PATCH)
    a, b, c, d = index[:-1, :-1], index[1:, :-1], index[1:, 1:], index[:-1, 1:]
    corners = np.stack([a, b, c, a, c, d], axis=-1).reshape(-1, 3)
    return points, corners
