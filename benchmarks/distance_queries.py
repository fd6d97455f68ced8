"""Gap and normal from a distance grid: ten million a second per core, whatever the spacing.

A point bounces along the surface of a body, as the vertices of a lander do. Beside it, in the same
run: SciPy's interpolation of a dense grid (gap only), and libigl's exact search if it is installed
(`pip install libigl`). The error reported is that of the gap against the exact distance.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from _size import CLAIM_MISSED, ended, sized

from haptos.core.jit import entry
from haptos.geometry.distance.distance_grid import BLOCK_CELLS, Grid, grid_distance, grid_gap
from haptos.geometry.distance.distance_mesh import Mesh, mesh_distances, solid_mesh
from haptos.geometry.distance.grid_build import build_grid
from haptos.geometry.mesh.mesh_files import read_mesh
from haptos.geometry.mesh.procedural_bodies import procedural_body

SHAPE = Path(__file__).parents[2] / "shared" / "bodies" / "itokawa.obj"  # in kilometres
QUERIES, ROUNDS = sized(2_000_000, 20_000), sized(5, 1)
SPACINGS = sized((16.0, 8.0, 4.0), (40.0, 20.0))  # [m]
FEWEST, MOST_SPREAD = 1e7, 1.5  # [1/s] per core, [-] between spacings


@entry
def look_up(grid, points, gaps, normals):
    for i in range(len(points)):
        gap, n = grid_distance(grid, (points[i, 0], points[i, 1], points[i, 2]))
        gaps[i] = gap
        normals[i, 0], normals[i, 1], normals[i, 2] = n[0], n[1], n[2]


@entry
def fill_dense(grid, points, gaps):
    for i in range(len(points)):
        gaps[i] = grid_gap(grid, (points[i, 0], points[i, 1], points[i, 2]))


def path_over(mesh: Mesh, vertices: np.ndarray) -> np.ndarray:
    """Points of bounces up to 20 m high around the body, about a centimetre apart."""
    t = np.linspace(0.0, 1.0, QUERIES // 1000)
    turns = np.stack([np.cos(40 * t), np.sin(40 * t), 0.8 * np.sin(9 * t)], axis=1)
    start = vertices.mean(axis=0) + 1.2 * np.max(np.ptp(vertices, axis=0)) * turns
    gaps, normals, _ = mesh_distances(mesh, start)
    feet = start - gaps[:, None] * normals + 20.0 * np.abs(np.sin(300 * t))[:, None] * normals
    fine = np.linspace(0.0, 1.0, QUERIES)
    return np.stack([np.interp(fine, t, feet[:, k]) for k in range(3)], axis=1)


def processor_seconds(work: Callable[[], object]) -> float:
    times = []
    for _ in range(ROUNDS):
        began = time.thread_time()
        work()
        times.append(time.thread_time() - began)
    return statistics.median(times)


def dense_values(grid: Grid) -> np.ndarray:
    shape = [BLOCK_CELLS * n + 1 for n in grid.counts]
    index = np.indices(shape).reshape(3, -1).T
    values = np.empty(len(index))
    fill_dense(grid, np.array(grid.origin) + grid.spacing * index, values)
    return values.reshape(shape)


def main() -> int:
    if sized(SHAPE.is_file(), False):
        vertices, faces = read_mesh(SHAPE)
        vertices = 1e3 * vertices
    else:
        vertices, faces = procedural_body("bilobe", sized(6, 3))
    mesh = solid_mesh(vertices, faces)
    points = path_over(mesh, vertices)
    gaps, normals = np.empty(QUERIES), np.empty((QUERIES, 3))
    some = points[::997]
    exact = mesh_distances(mesh, some)[0]
    rates = []
    for spacing in SPACINGS:
        grid = build_grid(vertices, faces, spacing)
        look_up(grid, points[:10], gaps, normals)
        seconds = processor_seconds(lambda grid=grid: look_up(grid, points, gaps, normals))  # type: ignore[misc]
        rates.append(QUERIES / seconds)
        error = np.abs(gaps[::997] - exact)
        print(
            f"spacing {spacing:4.0f} m: {rates[-1] / 1e6:5.1f} million/s per core; gap off by "
            f"{error.mean():.3f} m mean, {error.max():.2f} m worst"
        )
    beside_peers(grid, points, vertices, faces, rates[-1])
    missed = [] if min(rates) >= FEWEST else ["ten million a second"]
    missed += [] if max(rates) / min(rates) <= MOST_SPREAD else ["whatever the spacing"]
    print(f"claim missed: {', '.join(missed)}" if missed else "claim holds")
    return CLAIM_MISSED if missed else 0


def beside_peers(
    grid: Grid, points: np.ndarray, vertices: np.ndarray, faces: np.ndarray, ours: float
) -> None:
    from scipy.ndimage import map_coordinates

    dense = dense_values(grid)
    places = ((points - np.array(grid.origin)) / grid.spacing).T
    seconds = processor_seconds(lambda: map_coordinates(dense, places, order=1))
    print(
        f"SciPy, dense grid, gap only: {QUERIES / seconds / 1e6:5.1f} million/s; ratio {ours * seconds / QUERIES:.1f}"
    )
    try:
        import igl
    except ImportError:
        print("libigl is not installed: `pip install libigl` to compare")
        return
    few = np.ascontiguousarray(points[::10])
    began = time.process_time()
    kind = igl.SignedDistanceType.SIGNED_DISTANCE_TYPE_PSEUDONORMAL  # the fastest with signs
    igl.signed_distance(few, vertices, faces, sign_type=kind)
    rate = len(few) / (time.process_time() - began)
    print(f"libigl, exact search: {rate / 1e6:5.2f} million/s per core; ratio {ours / rate:.0f}")


if __name__ == "__main__":
    raise SystemExit(ended(main()))
