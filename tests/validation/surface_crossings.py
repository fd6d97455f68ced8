"""Random impulsive runs over thin bodies, meshes and terrain: does any cross a surface unseen?

    python -m tests.validation.surface_crossings --runs 100000 --checked 1000

Every run is made and marched to its outcome by itself, so that memory does not grow with their number. A run *crosses unseen* if its surface check holds although its
path, stored densely, has the centre of mass inside the ground or a vertex deeper in it than a body may lie;
ground by exact distances that share nothing with the run: of a box, of an ellipsoid, of the triangles of a mesh, and for
terrain the sign of the ground's field. Checked so are `--checked` runs, evenly chosen.
Gravity is uniform or the body's own; steps are limited, so that strong gravity costs no more than weak.
"""

from __future__ import annotations

import argparse
import collections
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from haptos.core.errors import ConfigError
from haptos.core.jit import entry
from haptos.core.outcome import Outcome
from haptos.core.rotations import random_quaternion
from haptos.dynamics.touching.batch import batch_of
from haptos.dynamics.touching.batch_march import march, march_recorded
from haptos.dynamics.touching.stored_rows import ROW_STATE
from haptos.dynamics.touching.vertex_guard import LYING_DEPTHS
from haptos.geometry.distance.distance_mesh import mesh_distances, solid_mesh
from haptos.geometry.distance.surface import gap_and_gradient
from haptos.geometry.shape.aspect_angle import lattice_directions
from haptos.scenarios.lander.config import Config
from haptos.scenarios.lander.model import Model, build
from haptos.scenarios.lander.surface_check import surface_check
from tests.thin_worlds import corners, slab

MOST_STEPS = 3000
BALL_POINTS = 100
STORED = 1500  # places along a path that is checked
Distances = Callable[[Model, np.ndarray], np.ndarray]


@entry
def fill_field(surface, points, found):
    """Field [m] of the ground at points (n, 3)."""
    for n in range(len(points)):
        found[n], _ = gap_and_gradient(surface, (points[n, 0], points[n, 1], points[n, 2]))


def of_field(model: Model, points: np.ndarray) -> np.ndarray:
    """Field of terrain: negative exactly inside."""
    flat = np.ascontiguousarray(points.reshape(-1, 3))
    found = np.empty(len(flat))
    fill_field(model.world.surface, flat, found)
    return found.reshape(points.shape[:-1])


def of_mesh(model: Model, points: np.ndarray) -> np.ndarray:
    """Exact distance from the triangles."""
    assert model.world.mesh is not None
    flat = points.reshape(-1, 3)
    gaps = mesh_distances(solid_mesh(*model.world.mesh), flat)[0]
    return np.asarray(gaps).reshape(points.shape[:-1])


def of_box(half: tuple[float, float, float]) -> Distances:
    """Exact distance from a box about the origin."""

    def distances(_: Model, points: np.ndarray) -> np.ndarray:
        q = np.abs(points) - np.array(half)
        outside = np.linalg.norm(np.maximum(q, 0.0), axis=-1)
        return np.asarray(outside + np.minimum(q.max(axis=-1), 0.0))

    return distances


def of_ellipsoid(axes: tuple[float, float, float]) -> Distances:
    """Depth inside an ellipsoid, at most: (|x/e| - 1) min(e); its sign outside."""

    def distances(_: Model, points: np.ndarray) -> np.ndarray:
        return np.asarray((np.linalg.norm(points / np.array(axes), axis=-1) - 1.0) * min(axes))

    return distances


@dataclass(frozen=True)
class Ground:
    """A ground, where to release over it [m], its gravities, and its exact distance."""

    name: str
    tables: dict[str, Any]
    size: float
    thickness: float
    gravities: tuple[str, ...]
    distances: Distances
    slack: float = 0.0  # [m] by which the grid may differ from the exact ground


def grounds(folder: Path) -> list[Ground]:
    """All grounds; mesh files go to the folder."""
    found = []
    for half, spacing in (((10.0, 10.0, 1.0), 0.5), ((3.0, 3.0, 0.15), 0.075)):
        file = slab(folder / f"slab-{half[2]}.obj", half)
        mesh = {"shape": "mesh", "file": file, "unit": "m", "grid_spacing_m": spacing}
        found.append(
            Ground(f"slab {half[2]}", {"surface": mesh}, half[0], half[2], ("uniform",), of_box(half), 0.55 * spacing)
        )  # fmt: skip
    for axes in ((2.0, 1.8, 1.0), (10.0, 9.0, 5.0), (6.0, 6.0, 0.2)):
        surface = {"shape": "ellipsoid", "semi_axes_m": list(axes)}
        # A point mass within a lens pulls a thousand times harder at its middle than springs are made for.
        own = ("uniform",) if axes[2] < 1.0 else ("uniform", "point")
        found.append(
            Ground(f"ellipsoid {axes}", {"surface": surface}, axes[0], axes[2], own, of_ellipsoid(axes))
        )  # fmt: skip
    body = {"shape": "body", "body": "bilobe", "level": 3}
    found.append(Ground("bilobe", {"surface": body}, 200.0, 200.0, ("point",), of_mesh, 6.0))
    flat = {"shape": "plane"}
    noise = {"noise": {"relief_m": 0.5, "longest_m": 3.0, "octaves": 4}}
    rocks = {"rocks": {"model": "seeded", "rocks_per_m2": 3.0, "power": 2.8, "smallest_m": 0.1, "largest_m": 0.6}}  # fmt: skip
    found.append(Ground("noise", {"surface": flat, "terrain": noise}, 20.0, 1.0, ("uniform",), of_field))  # fmt: skip
    found.append(Ground("rocks", {"surface": flat, "terrain": rocks}, 20.0, 1.0, ("uniform",), of_field))  # fmt: skip
    ball = {"shape": "sphere", "radius_m": 20.0}
    found.append(Ground("rocky ball", {"surface": ball, "terrain": rocks}, 20.0, 20.0, ("point",), of_field))  # fmt: skip
    return found


def probes(rng: np.random.Generator) -> dict[str, Any]:
    """A cube, a plate, a ball or a rod."""
    size = float(10.0 ** rng.uniform(-1.3, 0.0))
    kind = rng.integers(4)
    if kind == 0:
        return {"shape": "sphere", "mass_kg": 2.0, "radius_m": 0.5 * size}
    flat = [(1.0, 1.0, 1.0), (1.0, 1.0, 0.2), (1.0, 0.2, 0.2)][kind - 1]
    return {"shape": "box", "mass_kg": 2.0, "size_m": [size * part for part in flat]}


def drawn(ground: Ground, rng: np.random.Generator) -> Config:
    """A random run over a ground, released within a few sizes of the probe or of the body above it."""
    pull = float(10.0 ** rng.uniform(-5.0, 1.0))
    probe = probes(rng)
    reach = max(probe.get("size_m", [2.0 * probe.get("radius_m", 0.0)]))
    height = reach * float(10.0 ** rng.uniform(0.1, 1.5))
    is_own = ground.gravities[rng.integers(len(ground.gravities))] == "point"
    gravity: dict[str, Any]
    place = np.array([*rng.uniform(-0.5, 0.5, 2) * ground.size, ground.thickness + height])
    if is_own:
        gravity = {"model": "point", "mu_m3_per_s2": pull * ground.size**2}
        direction = rng.normal(size=3)
        place = direction / np.linalg.norm(direction) * (1.8 * ground.size + height)
    else:
        gravity = {"model": "uniform", "acceleration_m_per_s2": [0.0, 0.0, -pull]}
    fall = np.sqrt(2.0 * pull * height)
    velocity = fall * rng.normal(size=3) * rng.choice([0.0, 0.3, 3.0])
    return Config.model_validate(
        {
            "scenario": "lander",
            "seed": 1,
            "probe": probe,
            **ground.tables,
            "gravity": gravity,
            "contact": {
                "law": "impulsive",
                "restitution": float(rng.uniform(0.0, 0.95)),
                "friction": float(rng.uniform(0.0, 1.0)),
            },
            "release": {
                "position_m": place.tolist(),
                "velocity_m_per_s": velocity.tolist(),
                "rate_rad_per_s": (rng.normal(size=3) * rng.choice([0.0, 0.1, 3.0])).tolist(),
                "attitude_quaternion": random_quaternion(rng).tolist(),
            },
            "run": {
                "duration_s": float(10.0 ** rng.uniform(0.5, 3.0)) * float(np.sqrt(height / pull)),
                "max_steps": MOST_STEPS,
                "output_interval_s": 0.0,
                "escape_distance_m": 100.0 * ground.size,
            },
        }
    )


def models_over(ground: Ground, count: int, rng: np.random.Generator) -> Iterator[Model]:
    """Models of random runs; those that would start inside the ground are drawn again."""
    made = 0
    while made < count:
        try:
            yield build(drawn(ground, rng))
        except ConfigError:
            continue
        made += 1


def crossed(ground: Ground, model: Model) -> float:
    """How far [m] the path of a run is beyond what a body may sink in, by exact distances; <= 0 if it is not."""
    quick = batch_of([model])
    march(quick, workers=1)
    model.parameters["run"]["output_interval"] = (
        max(float(quick.memory["step"]["time"][0]), 1e-9) / STORED
    )
    _, rows, _ = march_recorded(model)
    places = rows[:, ROW_STATE : ROW_STATE + 3]
    vertices = corners(hull(model), places, rows[:, ROW_STATE + 6 : ROW_STATE + 10])
    allowed = LYING_DEPTHS * float(model.parameters["contact"]["lying_depth"]) + ground.slack
    allowed += float(model.parameters["guard"]["flight_limit"])
    radius = float(model.parameters["body"]["corner_radius"])
    if ground.distances is of_field and radius > 0.0:  # a ball feels terrain at its centre
        deep = radius - of_field(model, places).min() - allowed
    else:
        deep = -ground.distances(model, vertices).min() - allowed
    inside = -ground.distances(model, places).min() - ground.slack
    return float(max(deep, inside))


def hull(model: Model) -> np.ndarray:
    """Points of the probe's surface that may touch, (n, 3) [m]: its vertices, of a ball many around it."""
    radius = float(model.parameters["body"]["corner_radius"])
    if radius == 0.0:
        return np.asarray(model.vertices[:, :3])
    return np.asarray(radius * lattice_directions(BALL_POINTS))


@dataclass
class Found:
    """Counts over many runs."""

    runs: int = 0
    impacts: int = 0
    not_trusted: int = 0
    checked: int = 0
    unseen: int = 0
    worst: float = 0.0


def surveyed(
    ground: Ground, count: int, checked: int, seed: int, reported: Callable[[str], None] = print
) -> Found:
    """Random runs over one ground, `checked` of them against exact distances."""
    rng = np.random.default_rng(seed)
    found = Found(runs=count)
    ended: collections.Counter[str] = collections.Counter()
    every = max(count // max(checked, 1), 1)
    for n, model in enumerate(
        models_over(ground, count, rng)
    ):  # one at a time: memory is that of one
        batch = batch_of([model])
        march(batch, workers=1)
        memory = batch.memory[0]
        check = surface_check(memory, model.parameters)
        ended[Outcome.from_code(memory["outcome"]).label] += 1
        found.impacts += int(memory["impacts"]["count"])
        if not check.holds:
            found.not_trusted += 1
            reported(f"    {ground.name} run {n} of seed {seed}: {check.sentence}")
        elif checked and n % every == 0:
            found.checked += 1
            beyond = crossed(ground, model)
            found.worst = max(found.worst, beyond)
            if beyond > 0.0:
                found.unseen += 1
                reported(
                    f"    {ground.name} run {n} of seed {seed}: UNSEEN, {beyond:.3g} m too deep"
                )
    reported(
        f"{ground.name:26s} {count} runs, {found.impacts} impacts, {found.not_trusted} not trusted, "
        f"{found.checked} checked, {found.unseen} unseen; {dict(ended)}"
    )
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    choice = argparse.ArgumentParser(description=__doc__)
    choice.add_argument("--runs", type=int, default=100_000)
    choice.add_argument("--checked", type=int, default=1000)
    choice.add_argument("--seed", type=int, default=1)
    given = choice.parse_args(arguments)
    unseen = not_trusted = runs = 0
    began = time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        kinds = grounds(Path(folder))
        for number, ground in enumerate(kinds):
            share = given.runs // len(kinds)
            found = surveyed(ground, share, given.checked // len(kinds), given.seed + number)
            unseen, not_trusted, runs = (
                unseen + found.unseen,
                not_trusted + found.not_trusted,
                runs + share,
            )
            sys.stdout.flush()
    print(
        f"{runs} runs: {unseen} crossed unseen, {not_trusted} not trusted; {time.process_time() - began:.0f} s of CPU"
    )
    return 1 if unseen else 0


if __name__ == "__main__":
    raise SystemExit(main())
