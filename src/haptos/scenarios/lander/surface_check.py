"""What the surface guard found in a lander run, and where the run ends in the mesh itself, as a condition for trusting it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from haptos.core.rotations import rotation_matrices
from haptos.dynamics.rigid.rigid_body import ATTITUDE, POSITION
from haptos.dynamics.touching.run_rows import IMPULSIVE
from haptos.dynamics.touching.vertex_guard import LYING_DEPTHS
from haptos.geometry.distance.distance_mesh import mesh_distances
from haptos.results.checks import Check
from haptos.scenarios.lander.model import Model

Floats = NDArray[np.float64]

NO_MESH = (0.0, np.inf)  # [m] depth below a mesh, and the trusted one, of ground that is none
MOST_CORNERS = 32  # vertices of a probe that are compared with the mesh at the end of a run


def surface_check(
    memory: np.void, parameters: np.ndarray, mesh_depth: Sequence[float] = NO_MESH
) -> Check:
    """Deepest vertex, or centre of mass, that the guard found below ground against its limit.

    mesh_depth  [m] below the mesh where the run ended, and the largest that is trusted; it counts if
    it is worse than what the guard found
    """
    depth, limit = float(memory["guard_depth"]), float(memory["guard_limit"])
    if not memory["guard_share"] > 0.0:  # never below ground
        is_compliant = parameters["law_kind"] != IMPULSIVE
        limit = float(parameters["depth_limit" if is_compliant else "flight_limit"])
    deep, bound = mesh_depth
    if deep > bound and not depth > limit:
        return Check("surface", deep, bound, "m", "The probe below the mesh", "where the run ended")
    x, y, z = memory["guard_place"].tolist()
    place = f"at ({x:.6g}, {y:.6g}, {z:.6g}) m, {float(memory['guard_time']):.6g} s after release"
    what = "centre of mass" if limit == 0.0 else "deepest vertex"
    return Check(
        "surface", depth, limit, "m", f"The {what} below ground", place if depth > 0.0 else ""
    )


def mesh_depths(models: Sequence[Model], state: Floats) -> Floats:
    """(depth [m] of centre and vertices below the mesh at the end, trusted depth [m]) of runs of one world, (n, 2).

    By exact distances, which the motion does not use: a grid that is not that of the mesh shows. A right one is
    off by no more than half the diagonal of a cell, and what lies on the ground by its reach.
    """
    world, found = models[0].world, np.zeros((len(models), 2))
    found[:, 1] = world.ground_error
    if world.solid is None:
        return found
    places = [_corners(model, row) for model, row in zip(models, state, strict=True)]
    gaps = mesh_distances(world.solid, np.concatenate(places))[0]
    ends = np.cumsum([len(some) for some in places])[:-1]
    for i, (model, own) in enumerate(zip(models, np.split(gaps, ends), strict=True)):
        p = model.parameters
        found[i, 0] = max(float(p["corner_radius"]) - float(own[1:].min()), -float(own[0]), 0.0)
        found[i, 1] += max(float(p["depth_limit"]), LYING_DEPTHS * float(p["lying_depth"]))
    return found


def _corners(model: Model, state: Floats) -> Floats:
    """Places [m] of the centre of mass and of some vertices, evenly chosen, (n, 3)."""
    corners = model.vertices[:: 1 + (len(model.vertices) - 1) // MOST_CORNERS, :3]
    dcm_AB = rotation_matrices(state[ATTITUDE : ATTITUDE + 4])
    centre = state[POSITION : POSITION + 3]
    return np.concatenate([centre[None], centre + corners @ dcm_AB.T])
