"""Small nets and single things for tests of the net's kernel."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from haptos.contact.contact_flow import FIXED_FACTOR, PAIR_SIZE
from haptos.dynamics.cable.thread_link import link_damping
from haptos.dynamics.contacts.element_edge import edge_tree, sharp_edges
from haptos.dynamics.contacts.ground_arrays import Ground, ground_memory
from haptos.dynamics.field import NO_FIELD, UNIFORM, body_field
from haptos.dynamics.march.splitting import march
from haptos.dynamics.motion import (
    Motion,
    motion_of,
    scratch_of,
)
from haptos.dynamics.system import (
    LOAD,
    NODE,
    WINCH_ROW,
    Boxes,
    Field,
    Hulls,
    LineArrays,
    Options,
    Orders,
    PointArrays,
    Spheres,
    System,
    SystemSurface,
    ThreadArrays,
    no_boxes,
    no_hulls,
    no_spheres,
    no_surface,
    rows_of,
)
from haptos.geometry.distance.distance_mesh import solid_mesh
from haptos.geometry.mesh.cuboids import Cuboid, cuboid_body, cuboid_moments
from haptos.scenarios.net.touching import joined

Floats = NDArray[np.float64]
MOST = 1e9  # [-] steps
LONGEST = 1e-3  # [s] step
STRAIGHT = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))  # axes that do not lean


def contact_numbers(stiffness: float, alpha: float, friction: float) -> Floats:
    """One pair of surfaces with Hunt-Crossley's factor 3/2 alpha."""
    row = np.zeros(PAIR_SIZE)
    row[:] = (stiffness, FIXED_FACTOR, 0, 1.5 * alpha, friction, 1e-4, 1e-5, friction, 1e5, 0.0, 0)
    return row.reshape(1, 1, PAIR_SIZE)


def box_surface(size: ArrayLike, pairs: Floats) -> SystemSurface:
    """Surface of body 0, a box about its centre."""
    made = cuboid_body([Cuboid(tuple(np.asarray(size, dtype=float).tolist()), 1.0)])
    edges, _ = sharp_edges(made.vertices, made.faces)
    return SystemSurface(
        0, solid_mesh(made.vertices, made.faces), np.zeros(len(made.faces), dtype=np.int64), pairs,
        edges, edge_tree(edges), np.zeros(len(edges), dtype=np.int64),
    )  # fmt: skip


def small_net(
    places: ArrayLike,
    masses: ArrayLike,
    *,
    elements: ArrayLike = (),
    lengths: ArrayLike = (),
    stretching: float = 1e3,
    damping: float = 0.0,
    radius: float = 0.0,
    bodies: int = 1,
    fixed: list[tuple[int, tuple[float, float, float]]] | None = None,
    surface: SystemSurface | None = None,
    gravity: ArrayLike = (0.0, 0.0, 0.0),
    loads: ArrayLike = (),
    winches: ArrayLike = (),
    held: ArrayLike | None = None,
    has_edges: bool = True,
    breaking: float = np.inf,
    pair_radius: ArrayLike = 0.0,
    touching: tuple[bool, bool, bool] = (False, False, False),
    pairs: Floats | None = None,
    boxes: Boxes | None = None,
    hulls: Hulls | None = None,
) -> tuple[System, Motion]:
    """Nodes, threads and bodies that do not move until moved."""
    x = np.asarray(places, dtype=float).reshape(-1, 3)
    fixed = fixed or []
    n, m = len(x), len(np.asarray(lengths))
    offsets = np.array([offset for _, offset in fixed]).reshape(-1, 3)
    points = PointArrays(
        np.array([NODE] * n + [body for body, _ in fixed], dtype=np.int64),
        np.concatenate([np.zeros((n, 3)), offsets]),
        np.array([radius] * n + [0.0] * len(fixed)), np.zeros(n + len(fixed), dtype=np.int64),
    )  # fmt: skip
    ends = np.asarray(elements, dtype=np.int64).reshape(-1, 2)
    threads = ThreadArrays(ends, np.full(m, stretching), np.full(m, damping), np.full(m, breaking))
    p, kinds = n + len(fixed), np.zeros(n + len(fixed), dtype=np.int64)
    spheres, kinds[n:] = no_spheres(p), 1 if any(touching) else 0
    points = points._replace(kind=kinds)
    if any(touching):
        radii = np.broadcast_to(np.asarray(pair_radius, dtype=float), p).copy()
        numbers = contact_numbers(1e6, 0.0, 0.0) if pairs is None else pairs
        table = np.broadcast_to(numbers, (2, 2, PAIR_SIZE)).copy()
        spheres = Spheres(radii, table, *joined(points, ends))
    boxes = boxes or no_boxes()
    lines = LineArrays(np.zeros(1, np.int64), np.zeros(0, np.int64), np.zeros(0), np.zeros(0))
    g = np.asarray(gravity, dtype=float)
    path = (1.0, 0.0, 1.0, 0.0, (1.0, 0.0, 0.0), (0.0, 1.0, 0.0))
    waiting = np.full(bodies, -np.inf) if held is None else np.asarray(held, dtype=float)
    net = System(
        threads, lines, points, np.zeros((bodies, 3)), surface or no_surface(),
        Orders(
            rows_of(LOAD, loads),
            rows_of(WINCH_ROW, winches), waiting, -np.inf,
        ),
        Field(UNIFORM if g.any() else NO_FIELD, g, 1.0, path, np.zeros(6), np.zeros(9)),
        Options(False, has_edges, 0.005, 0.005, *touching), spheres, boxes,
        hulls=hulls or no_hulls(bodies),
    )  # fmt: skip
    motion = motion_of(
        points, np.concatenate([masses, np.zeros(len(fixed))]), bodies, lengths, [],
        pair_room=32 * p if any(touching) else 0, boxes=len(boxes.body), hulls=hulls,
    )  # fmt: skip
    motion.points.x[:n] = x
    return net, motion


def thrown_grid(**options: Any) -> tuple[System, Motion]:
    """A square net with heavy corners flying onto a turning box of 83 kg."""
    count, mesh, rho = 11, 0.1, 1e-3
    damping = options.pop("damping_ratio", 0.0)
    alpha, friction = options.pop("alpha", 0.0), options.pop("friction", 0.0)
    stretching, size, mass = 200.0, (0.3, 0.3, 0.3), 83.0
    index = np.arange(count * count).reshape(count, count)
    across = (index % count - 5) * mesh
    up = (index // count - 5) * mesh
    x = np.stack([np.full(index.size, -0.3), across.ravel(), up.ravel()], axis=1)
    along = np.stack([index[:, :-1].ravel(), index[:, 1:].ravel()], axis=1)
    over = np.stack([index[:-1].ravel(), index[1:].ravel()], axis=1)
    elements = np.concatenate([along, over])
    masses = np.zeros(len(x))
    np.add.at(masses, elements.ravel(), 0.5 * rho * mesh)
    masses[[0, count - 1, -count, -1]] += 0.02
    net, motion = small_net(
        x, masses, elements=elements, lengths=np.full(len(elements), mesh), stretching=stretching,
        damping=link_damping(stretching, rho, damping), radius=5e-4,
        surface=box_surface(size, contact_numbers(1e5, alpha, friction)), **options,
    )  # fmt: skip
    motion.points.v[:, 0] = 1.0
    moments = np.asarray(cuboid_moments(mass, size))
    net.inverse_inertia[0], motion.bodies.inverse_mass[0] = 1.0 / moments, 1.0 / mass
    motion.bodies.momentum[0] = moments * (0.3, -0.6, 0.2)
    return net, motion


def marched(net: System, motion: Motion, until: float, share: float = 0.4) -> None:
    """March to a time [s]."""
    assert march(net, motion, scratch_of(motion), until, share, LONGEST, MOST)


def momenta(net: System, motion: Motion) -> tuple[Floats, Floats]:
    """(momentum [N s], angular momentum about the origin [N m s]) of all that moves."""
    n = int((net.points.owner == NODE).sum())
    each = motion.points.mass[:n, None] * motion.points.v[:n]
    momentum, angular = each.sum(axis=0), np.cross(motion.points.x[:n], each).sum(axis=0)
    for b, inverse in enumerate(motion.bodies.inverse_mass):
        own = motion.bodies.speed[b] / inverse if inverse > 0.0 else np.zeros(3)
        momentum = momentum + own
        angular = angular + np.cross(motion.bodies.place[b], own) + motion.bodies.momentum[b]
    return momentum, angular + motion.turning.momentum.sum(axis=0)


def on_ground(
    net: System, motion: Motion, ground: Any, pairs: Floats, *, field: Field | None = None,
    arm: ArrayLike = (0.0, 0.0, 0.0), axes: ArrayLike = STRAIGHT,
) -> tuple[System, Motion]:  # fmt: skip
    """The same above a ground, `geometry.distance.surface`; arm [m] of the N origin from that of the ground."""
    bodies = len(motion.bodies.place)
    dcm = np.ascontiguousarray(np.asarray(axes, dtype=float))
    made = Ground(True, ground, np.asarray(arm, dtype=float), dcm, pairs, np.zeros(bodies))
    tracks = len(net.points.owner) + len(net.threads.stretching) + bodies
    memory = ground_memory(len(net.points.owner), tracks)
    changed = net._replace(ground=made) if field is None else net._replace(ground=made, field=field)
    return changed, motion._replace(contacts=motion.contacts._replace(ground=memory))


def small_body_field(
    gravity: Any, spin: ArrayLike = (0.0, 0.0, 0.0), arm: ArrayLike = (0.0, 0.0, 0.0),
    axes: ArrayLike = STRAIGHT,
) -> Field:  # fmt: skip
    """Field of a small body whose axes turn with a spin [rad/s], N axes."""
    given = {"arm": np.asarray(arm, dtype=float), "axes": np.asarray(axes, dtype=float)}
    return body_field(gravity, np.asarray(spin, dtype=float), **given)
