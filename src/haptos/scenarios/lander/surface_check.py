"""What the surface guard found in a lander run, and where the run ends in the mesh itself, as a condition for trusting it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from haptos.core.rotations import rotation_matrices
from haptos.dynamics.rigid.rigid_body import ATTITUDE, POSITION
from haptos.dynamics.touching.run_parameters import IMPULSIVE
from haptos.dynamics.touching.vertex_guard import LYING_DEPTHS
from haptos.geometry.distance.distance_mesh import mesh_distances
from haptos.geometry.distance.surface import CAPSULE, ELLIPSOID, SPHERE, Surface
from haptos.results.checks import Check
from haptos.scenarios.lander.model import Model

Floats = NDArray[np.float64]

NO_MESH = (0.0, np.inf)  # [m] depth below a mesh, and the trusted one, of ground that is none
ROUND = (SPHERE, ELLIPSOID, CAPSULE)
FACE_DEPTH = 0.1  # [radii] that round ground may reach into the faces of a probe; assumed
MOST_CORNERS = 32  # vertices of a probe that are compared with the mesh at the end of a run


def surface_check(
    memory: np.void, parameters: np.ndarray, mesh_depth: Sequence[float] = NO_MESH
) -> Check:
    """Deepest vertex, or centre of mass, that the guard found below ground against its limit.

    mesh_depth  [m] below the mesh, or of round ground in a face, where the run ended, and the largest that is trusted;
    it counts if it is worse than what the guard found
    """
    guard, contact = memory["guard"], parameters["contact"]
    depth, limit = float(guard["depth"]), float(guard["limit"])
    if not guard["share"] > 0.0:  # never below ground
        is_impulsive = contact["law"] == IMPULSIVE
        limit = float(
            parameters["guard"]["flight_limit"] if is_impulsive else contact["depth_limit"]
        )
    deep, bound = mesh_depth
    if deep > bound and not depth > limit:
        return Check("surface", deep, bound, "m", "The probe below ground", "where the run ended")
    x, y, z = guard["place"].tolist()
    place = f"at ({x:.6g}, {y:.6g}, {z:.6g}) m, {float(guard['time']):.6g} s after release"
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
        return face_depths(models, state)
    places = [_corners(model, row) for model, row in zip(models, state, strict=True)]
    gaps = mesh_distances(world.solid, np.concatenate(places))[0]
    ends = np.cumsum([len(some) for some in places])[:-1]
    for i, (model, own) in enumerate(zip(models, np.split(gaps, ends), strict=True)):
        contact, radius = model.parameters["contact"], model.parameters["body"]["corner_radius"]
        found[i, 0] = max(float(radius) - float(own[1:].min()), -float(own[0]), 0.0)
        found[i, 1] += max(
            float(contact["depth_limit"]), LYING_DEPTHS * float(contact["lying_depth"])
        )
    return found


def face_depths(models: Sequence[Model], state: Floats) -> Floats:
    """(depth [m] by which smooth round ground reaches into faces of the probe at the end, trusted depth [m]), (n, 2).

    Only vertices touch, so that a flat face sinks by w^2/(2 R) on ground of radius R if its corners are w from its middle.
    Centres of facets and of their edges are looked at.
    """
    found = np.tile(NO_MESH, (len(models), 1))
    world = models[0].world
    if world.surface.kind not in ROUND or world.smallest_feature < np.inf:
        return found
    for i, (model, row) in enumerate(zip(models, state, strict=True)):
        faces = model.shape.faces
        if model.foundation is None and len(faces) > 0:
            middles = _placed(_face_points(model), row)
            found[i] = (
                _round_depth(middles, world.surface),
                FACE_DEPTH * float(model.parameters["body"]["radius"]),
            )
    return found


def _face_points(model: Model) -> Floats:
    """Centres of some facets of the probe, evenly chosen, and of their edges [m], B axes."""
    faces = model.shape.faces
    corners = model.vertices[faces[:: 1 + (len(faces) - 1) // MOST_CORNERS], :3]
    edges = 0.5 * (corners + np.roll(corners, 1, axis=1))
    return np.concatenate([corners.mean(axis=1), edges.reshape(-1, 3)])


def _round_depth(places: Floats, ground: Surface) -> float:
    """Largest depth [m] of places below round ground, 0 if none is; of first order in the depth over its axes."""
    a, b, c = ground.a, ground.b, ground.c
    if ground.kind == CAPSULE:
        places = places - np.clip(places[:, :1], -b, b) * np.eye(3)[0]
    axes = np.array([a, b, c] if ground.kind == ELLIPSOID else [a, a, a], dtype=float)
    scaled = places / axes
    level = np.sqrt(np.sum(scaled * scaled, axis=1))
    slope = np.sqrt(np.sum((scaled / axes) ** 2, axis=1))
    below = np.where(slope > 0.0, level * (1.0 - level) / np.maximum(slope, 1e-300), axes.min())
    return float(max(below.max(initial=0.0), 0.0))


def _corners(model: Model, state: Floats) -> Floats:
    """Places [m] of the centre of mass and of some vertices, evenly chosen, (n, 3)."""
    corners = model.vertices[:: 1 + (len(model.vertices) - 1) // MOST_CORNERS, :3]
    return np.concatenate([state[None, POSITION : POSITION + 3], _placed(corners, state)])


def _placed(points: Floats, state: Floats) -> Floats:
    """Points of the probe [m], B axes, where it is, A axes."""
    dcm_AB = rotation_matrices(state[ATTITUDE : ATTITUDE + 4])
    return np.asarray(state[POSITION : POSITION + 3] + points @ dcm_AB.T)
