"""Which rigid bodies of a net touch each other, and with what numbers: chaser, target, own bodies."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from haptos.contact.hertz import contact_modulus, sphere_plane_stiffness
from haptos.core.errors import ConfigError
from haptos.core.rotations import rotation_matrices
from haptos.dynamics.assembly import AssembledBody
from haptos.dynamics.contacts.detect import box_gap
from haptos.dynamics.contacts.element_edge import sharp_edges
from haptos.dynamics.contacts.memories import HULL_MET, HULL_PEAK
from haptos.dynamics.motion import Motion
from haptos.dynamics.system import (
    Hulls,
    SystemSurface,
    no_hulls,
)
from haptos.geometry.distance.distance_mesh import mesh_distances
from haptos.geometry.mesh.corner_points import corner_points
from haptos.geometry.mesh.polyhedra import box_solid
from haptos.scenarios.net.body_numbers import CHASER, TARGET
from haptos.scenarios.net.config import Config
from haptos.scenarios.net.touching import contact_row

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

NEAR = 1e-9  # [m] that bodies may overlap at the start: rounding


@dataclass(frozen=True, eq=False)
class CollidingHull:
    """A body that touches others: its number, corners [m], half sides if it is a box [m], modulus [Pa]."""

    body: int
    corners: Floats
    half: Floats
    modulus: float


def hulls_of(
    config: Config,
    bodies: list[AssembledBody],
    target: tuple[Floats, Integers] | None,
    surface: SystemSurface,
) -> Hulls:
    """Pairs of bodies that touch each other; refuses those that overlap at the start.

    target  (vertices [m], faces) in its principal axes      surface  of the target, for the kernel
    """
    if not config.contact.bodies:
        return no_hulls(len(bodies))
    found = [_box(CHASER, config.chaser.size_m, config.contact.chaser_modulus_Pa)]
    if target is not None and surface.body >= 0:
        corners = corner_points(target[0], surface.edges)
        found.append(CollidingHull(TARGET, corners, np.zeros(3), config.contact.target_modulus_Pa))
    names = [body.name for body in bodies]
    found += [_box(names.index(own.name), own.size_m, own.modulus_Pa) for own in config.bodies]
    pairs = [
        (a, b)
        for a in found
        for b in found
        if a is not b and (np.isfinite(bodies[a.body].mass) or np.isfinite(bodies[b.body].mass))
    ]
    if not pairs:
        return no_hulls(len(bodies))
    for a, b in pairs:
        _refuse_inside(bodies, a, b, surface)
    return _laid_out(config, len(bodies), found, pairs)


def _box(body: int, size: tuple[float, float, float], modulus: float) -> CollidingHull:
    """A box by its corners, points along its edges, and the middles of its faces.

    Corners and edges of a face that meets one of the same size in line lie on the rim of the other and find no depth.
    """
    vertices, faces = box_solid((1.0, 1.0, 1.0))
    vertices, half = vertices * np.asarray(size, dtype=float), 0.5 * np.asarray(size, dtype=float)
    edges, _ = sharp_edges(vertices, faces)
    middles = np.concatenate([np.diag(half), np.diag(-half)])
    corners = np.concatenate([corner_points(vertices, edges), middles])
    return CollidingHull(body, corners, half, modulus)


def _refuse_inside(
    bodies: list[AssembledBody], a: CollidingHull, b: CollidingHull, surface: SystemSurface
) -> None:
    """No corner of one body may start inside the other."""
    own, other = bodies[a.body], bodies[b.body]
    places = a.corners @ rotation_matrices(own.attitude).T + own.place
    away = (places - other.place) @ rotation_matrices(other.attitude)
    near = np.linalg.norm(away, axis=1) <= _reach(b)
    if not near.any():
        return
    if b.half[0] > 0.0:
        gaps = np.array([box_gap(tuple(b.half), tuple(y))[0] for y in away[near]])
    else:
        gaps = mesh_distances(surface.mesh, away[near])[0]
    if gaps.min() < -NEAR:
        found = f"'{own.name}' reaches {-gaps.min():.3g} m into '{other.name}' at the start"
        hint = "move one of them, or contact.bodies = false"
        raise ConfigError("[contact] bodies", found, "bodies apart that touch each other", hint)


def _reach(hull: CollidingHull) -> float:
    return float(np.linalg.norm(np.concatenate([hull.corners, [hull.half]]), axis=1).max())


def _laid_out(
    config: Config,
    count: int,
    found: list[CollidingHull],
    pairs: list[tuple[CollidingHull, CollidingHull]],
) -> Hulls:
    given = config.contact
    starts = np.cumsum([0, *(len(hull.corners) for hull in found)])
    begin = {hull.body: int(start) for hull, start in zip(found, starts[:-1], strict=True)}
    reach, half = np.zeros(count), np.zeros((count, 3))
    for hull in found:
        reach[hull.body], half[hull.body] = _reach(hull), hull.half
    rows = []
    for a, b in pairs:
        modulus = contact_modulus(a.modulus, given.poisson, b.modulus, given.poisson)
        stiffness = sphere_plane_stiffness(modulus, given.corner_radius_m)
        rows.append([contact_row(config, stiffness, given.bodies_friction)])
    owner = np.array([a.body for a, _ in pairs], dtype=np.int64)
    first = np.array([begin[a.body] for a, _ in pairs], dtype=np.int64)
    return Hulls(
        owner, np.array([b.body for _, b in pairs], dtype=np.int64), first,
        first + np.array([len(a.corners) for a, _ in pairs]),
        np.concatenate([hull.corners for hull in found]), reach, half, np.array(rows),
    )  # fmt: skip


def collisions(hulls: Hulls, motion: Motion) -> dict[str, float]:
    """Largest force of one corner [N] and number of contacts of bodies with each other."""
    if len(hulls.owner) == 0:
        return {}
    tally = motion.contacts.hulls.tally
    return {
        "bodies_peak_force_N": float(tally[:, HULL_PEAK].max()),
        "bodies_contacts": float(tally[:, HULL_MET].sum()),
    }
