"""Air and light of a net's surroundings for the kernel: density table, faces, bullets, threads."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from haptos.dynamics.assembly import Assembly
from haptos.dynamics.system import (
    FaceArrays,
    SystemAir,
    no_air,
    no_faces,
)
from haptos.environment import (
    atmosphere,
    bullet_drag,
    eclipse,
    face_drag,
    gravity_gradient,
    gravity_j2,
    orbital_origin,
    origin_table,
    parabolic_flight,
    radiation_pressure,
    thread_drag,
)
from haptos.environment.atmosphere import EARTH_RATE, AirTable
from haptos.environment.bullet_drag import (
    AIR,
    flat_nose_coefficient,
    newtonian_coefficient,
    stagnation_coefficient,
)
from haptos.environment.radiation_pressure import SOLAR_PRESSURE
from haptos.scenarios.net.config import Config
from haptos.scenarios.net.surfaces import face_classes, outer_numbers
from haptos.scenarios.net.surroundings import axes_of, elements_of
from haptos.scenarios.worlds.air import density_table

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
SLOW_CYLINDER = 1.2  # [-], drag coefficient of a cylinder across slow air; assumed
SAME_PLANE = 9  # [-], decimals by which normals, and offsets in sizes of the body, agree
FLAT = 1e-12  # [-], area of a triangle in squares of the body's size that has no normal


def air_of(
    config: Config, made: Assembly, target: tuple[Floats, Integers] | None, first_bullet: int
) -> SystemAir:
    """Air and light of a scenario; target (vertices [m], faces) in its principal axes."""
    given, kind = config.environment, config.surroundings
    has_light = given.sunlight or given.earthlight
    if not (given.has_drag or has_light):
        return no_air()
    table = air_table(config) if given.has_drag else AirTable(np.zeros(2), 1.0, "none")
    down = np.array(given.ground_gravity) if kind == "ground" else np.zeros(3)
    size = float(np.linalg.norm(down))
    from_sun = axes_of(elements_of(config)) @ np.array(given.from_sun)
    air = given.atmosphere
    bullets = np.arange(first_bullet, len(made.bodies))
    return SystemAir(
        has_drag=given.has_drag,
        has_light=has_light,
        log_density=table.log_density,
        spacing=table.spacing,
        altitude=air.site_altitude_m,
        up=-down / size if size > 0.0 else np.zeros(3),
        wind=np.array(air.wind_m_per_s),
        rate=EARTH_RATE if air.turns else 0.0,
        from_sun=from_sun / max(float(np.linalg.norm(from_sun)), 1e-300),
        sun=SOLAR_PRESSURE if given.sunlight else 0.0,
        earth=1.0 if given.earthlight else 0.0,
        faces=_faces(config, len(made.bodies), target),
        bullets=_bullets(config, bullets) if given.bullet_drag else np.zeros((0, 6)),
        threads=_threads(config, [t.diameter for _, _, _, t, _ in made.elements]),
        lines=_threads(config, [t.diameter for _, _, t in made.lines]),
    )


def laws_of(config: Config) -> dict[ModuleType, bool]:
    """Laws of the surroundings, and whether this run uses each."""
    given, kind = config.environment, config.surroundings
    has_light = given.sunlight or given.earthlight
    return {
        orbital_origin: kind == "orbit", parabolic_flight: kind == "flight",
        gravity_j2: given.j2, origin_table: given.j2, gravity_gradient: given.gravity_gradient,
        atmosphere: given.has_drag, face_drag: given.body_drag, bullet_drag: given.bullet_drag,
        thread_drag: given.thread_drag, radiation_pressure: has_light, eclipse: given.sunlight,
    }  # fmt: skip


def air_table(config: Config) -> AirTable:
    """Density of the air against altitude, as the scenario asks for it."""
    return density_table(config.environment.atmosphere, is_orbit=config.surroundings == "orbit")


def flat_faces(vertices: ArrayLike, triangles: ArrayLike) -> tuple[Floats, Floats, Floats]:
    """(normals (f, 3), centres (f, 3) [m], areas (f,) [m^2]) of the faces of a mesh.

    Triangles of one plane count as one face; vertices [m], (n, 3), in the axes of the body.
    """
    corners = np.asarray(vertices, dtype=float)[np.asarray(triangles)]
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    doubled = np.linalg.norm(across, axis=1)
    size = float(np.abs(corners).max())
    kept = doubled > FLAT * size * size
    normals, areas = across[kept] / doubled[kept, None], 0.5 * doubled[kept]
    centres = corners[kept].mean(axis=1)
    offset = (normals * centres).sum(axis=1) / size
    key = np.round(np.column_stack([normals, offset]), SAME_PLANE) + 0.0
    _, group = np.unique(key, axis=0, return_inverse=True)
    group = group.ravel()
    count = int(group.max()) + 1
    total = np.bincount(group, areas, count).astype(float)
    middle, normal = np.empty((count, 3)), np.empty((count, 3))
    for k in range(3):
        middle[:, k] = np.bincount(group, areas * centres[:, k], count) / total
        normal[:, k] = np.bincount(group, areas * normals[:, k], count) / total
    normal /= np.linalg.norm(normal, axis=1)[:, None]
    return normal, middle, total


def _faces(config: Config, bodies: int, target: tuple[Floats, Integers] | None) -> FaceArrays:
    """Faces of chaser, target and the user's own bodies; bullets have none."""
    given = config.environment
    if not (given.body_drag or given.sunlight or given.earthlight):
        return no_faces(bodies)
    parts = [_box_faces(config.chaser.size_m)]
    coefficients: list[tuple[Any, Any]] = [
        (config.chaser.drag_coefficient, config.chaser.reflection)
    ]
    if target is not None and config.target is not None:
        part, numbers = _target_faces(config, *target)
        parts.append(part)
        coefficients.append(numbers)
    for body in config.bodies:
        parts.append(_box_faces(body.size_m))
        coefficients.append((body.drag_coefficient, body.reflection))
    counts = [len(part[2]) for part in parts] + [0] * (bodies - len(parts))
    drag = [
        np.full(len(p[2]), c[0] * given.body_drag) for p, c in zip(parts, coefficients, strict=True)
    ]
    bright = [np.full(len(p[2]), c[1]) for p, c in zip(parts, coefficients, strict=True)]
    return FaceArrays(
        np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        np.concatenate([p[0] for p in parts]), np.concatenate([p[1] for p in parts]),
        np.concatenate([p[2] for p in parts]), np.concatenate(drag), np.concatenate(bright),
    )  # fmt: skip


def _target_faces(
    config: Config, vertices: Floats, triangles: Integers
) -> tuple[tuple[Floats, Floats, Floats], tuple[Floats, Floats]]:
    """((normals, centres, areas), (drag, reflection)) of the target, each surface for itself."""
    classes = face_classes(config, len(triangles))
    drag, bright = outer_numbers(config, np.arange(int(classes.max(initial=0)) + 1))
    pieces = [(flat_faces(vertices, triangles[classes == c]), c) for c in np.unique(classes)]
    of_face = np.concatenate([np.full(len(piece[2]), c) for piece, c in pieces])
    joined = [np.concatenate([piece[k] for piece, _ in pieces]) for k in range(3)]
    return (joined[0], joined[1], joined[2]), (drag[of_face], bright[of_face])


def _box_faces(size: tuple[float, float, float]) -> tuple[Floats, Floats, Floats]:
    """(normals, centres [m], areas [m^2]) of a box of some sides [m] about the origin."""
    sides = np.array(size)
    normals = np.vstack([np.eye(3), -np.eye(3)])
    return normals, 0.5 * normals * sides, np.tile(sides.prod() / sides, 2)


def _bullets(config: Config, bodies: Integers) -> Floats:
    """Rows of bullets: body, radius, height [m], coefficients of base, side; whether it leans."""
    given, mach = config.bullets, config.environment.atmosphere.mach
    is_orbit = config.surroundings == "orbit"
    base, side = given.base_drag_coefficient, given.side_drag_coefficient
    if base is None and is_orbit:
        base = stagnation_coefficient(mach, AIR)
    elif base is None:
        base = flat_nose_coefficient(0.5 * given.length_m / given.radius_m)
    if side is None:
        side = newtonian_coefficient(mach, AIR) if is_orbit else SLOW_CYLINDER
    numbers = (given.radius_m, given.length_m, base, side, float(given.side_leans))
    return np.array([(float(body), *numbers) for body in bodies], dtype=float).reshape(-1, 6)


def _threads(config: Config, diameters: list[float]) -> Floats:
    """(drag coefficient, diameter [m]) of each; a coefficient of 0 where threads feel no air."""
    coefficient = config.threads.drag_coefficient
    if coefficient is None:
        is_orbit = config.surroundings == "orbit"
        mach = config.environment.atmosphere.mach
        coefficient = newtonian_coefficient(mach, AIR) if is_orbit else SLOW_CYLINDER
    rows = [(coefficient * config.environment.thread_drag, d) for d in diameters]
    return np.array(rows, dtype=float).reshape(-1, 2)
