"""Gravity of a 14,744-facet body at 10,000 points on two threads: at least twice as fast as polyhedral-gravity.

Potential, acceleration and gradient at the same points for both, in the same run. Points lie inside,
outside and at the surface. The peer is timed on a part of the points, since it takes minutes for all
(its time per point does not depend on their number); errors are reported against extended precision.
The body is eros.obj of ../shared/bodies, or a lumpy ellipsoid with as many facets without it.
"""

from __future__ import annotations

import os
import statistics
import time
from pathlib import Path
from typing import Any

import numpy as np
from _size import NO_PEER, ended, sized

from haptos.environment.gravity_polyhedron import PolyhedronField
from haptos.geometry.mesh.mesh_files import read_mesh
from haptos.geometry.mesh.polyhedra import platonic_solid
from haptos.geometry.mesh.tessellation import face_normals, subdivided

POINTS, PEER_POINTS, EXACT_POINTS, ROUNDS = sized((10_000, 600, 60, 3), (60, 12, 6, 1))
THREADS, SEED = 2, 1
DENSITY = 2670.0  # [kg/m^3]
FACTOR = 2.0  # claimed


def body() -> PolyhedronField:
    file = Path(__file__).parents[2] / "shared" / "bodies" / "eros.obj"
    if sized(file.is_file(), False):
        vertices, faces = read_mesh(file)
        return PolyhedronField(vertices * 1e3, faces, DENSITY)
    vertices, faces = platonic_solid("icosahedron")
    for _ in range(sized(5, 2)):
        vertices, faces = subdivided(vertices, faces)
        vertices = vertices / np.linalg.norm(vertices, axis=1)[:, None]
    bumps = 1.0 + 0.1 * np.sin(9.0 * vertices[:, :1]) * np.cos(7.0 * vertices[:, 1:2])
    return PolyhedronField(vertices * bumps * (17e3, 6e3, 6e3), faces, DENSITY)


def places(field: PolyhedronField) -> np.ndarray:
    """A third inside, a third outside, a third within a metre of a facet [m]; shuffled."""
    generator = np.random.default_rng(SEED)
    third = POINTS // 3
    direction = generator.normal(size=(third, 3))
    direction /= np.linalg.norm(direction, axis=1)[:, None]
    outside = field.radius * direction * generator.uniform(1.1, 8.0, (third, 1))
    chosen = generator.integers(0, len(field.faces), POINTS - third)
    feet = field.vertices[field.faces[chosen]].mean(axis=1)
    inside = feet[:third] * generator.uniform(0.05, 0.9, (third, 1))
    surface = feet[third:] + face_normals(field.vertices, field.faces)[chosen[third:]]
    return generator.permutation(np.concatenate([inside, outside, surface]))


def exact(field: PolyhedronField, points: np.ndarray) -> np.ndarray:
    """g [m/s^2] from the sides of every facet in extended precision."""
    place, faces = field.vertices.astype(np.longdouble), field.faces
    corners = place[faces]
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normal /= np.sqrt(np.sum(normal**2, axis=1))[:, None]
    total = np.zeros((len(points), 3), dtype=np.longdouble)
    for row, x in zip(total, points.astype(np.longdouble), strict=True):
        away = corners - x
        distance = np.sqrt(np.sum(away**2, axis=2))
        (a, b, c), (i, j, k) = away.transpose(1, 0, 2), distance.T
        dots = i * np.sum(b * c, 1) + j * np.sum(c * a, 1) + k * np.sum(a * b, 1)
        angle = 2.0 * np.arctan2(np.sum(a * np.cross(b, c), axis=1), i * j * k + dots)
        row += (np.sum(normal * a, axis=1) * angle) @ normal
        for one, two, r, s in ((a, b, i, j), (b, c, j, k), (c, a, k, i)):
            along = two - one
            length = np.sqrt(np.sum(along**2, axis=1))
            beside = np.sum(np.cross(along / length[:, None], normal) * one, axis=1)
            row -= (beside * np.log((r + s + length) / (r + s - length))) @ normal
    return np.asarray(field.strength * total, dtype=float)


def worst(found: np.ndarray, expected: np.ndarray) -> float:
    """Largest relative error of g over the points."""
    error = np.linalg.norm(found - expected, axis=1)
    return float(np.max(error / np.linalg.norm(expected, axis=1)))


def peer_of(field: PolyhedronField) -> Any:
    """The peer's function of points, None if it is not installed."""
    try:
        import polyhedral_gravity as peer
    except ImportError:
        print("polyhedral-gravity is not installed: `pip install polyhedral-gravity` to compare")
        return None
    return peer.GravityEvaluable(
        peer.Polyhedron(
            polyhedral_source=(field.vertices, field.faces),
            density=DENSITY,
            normal_orientation=peer.NormalOrientation.OUTWARDS,
            integrity_check=peer.PolyhedronIntegrity.DISABLE,
        )
    )


def main() -> int:
    os.environ.setdefault("OMP_NUM_THREADS", str(THREADS))
    field = body()
    points = places(field)
    theirs = peer_of(field)
    field.field(points[:1], workers=THREADS)  # compile
    seconds: dict[str, list[float]] = {"ours": [], "peer": []}
    for _ in range(ROUNDS):
        began = time.perf_counter()
        found = field.field(points, workers=THREADS)
        seconds["ours"].append((time.perf_counter() - began) / POINTS)
        if theirs is not None:
            began = time.perf_counter()
            other = theirs(points[:PEER_POINTS], parallel=True)
            seconds["peer"].append((time.perf_counter() - began) / PEER_POINTS)
    truth = exact(field, points[:EXACT_POINTS])
    errors = {"ours": worst(found.gravity[:EXACT_POINTS], truth)}
    if theirs is not None:
        there = np.array([value[1] for value in other])[:EXACT_POINTS]
        errors["peer"] = worst(there, truth)
    median = {name: statistics.median(times) for name, times in seconds.items() if times}
    for name in median:
        per_face = 1e9 * median[name] / len(field.faces)
        print(
            f"{name}  {median[name] * POINTS:8.2f} s for {POINTS} points   "
            f"{per_face:7.2f} ns per point and facet   largest error of g {errors[name]:.1e}"
        )
    if theirs is None:
        return NO_PEER
    ratio = median["peer"] / median["ours"]
    print(f"polyhedral-gravity / haptos = {ratio:.1f} in time on {THREADS} threads")
    return int(ratio < FACTOR or errors["ours"] > 1e-12)


if __name__ == "__main__":
    raise SystemExit(ended(main()))
