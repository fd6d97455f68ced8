"""From a scenario file to the arrays of the net's kernel."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from haptos.core.errors import ConfigError
from haptos.core.rotations import rotation_matrices
from haptos.core.units import DEGREE
from haptos.dynamics.assembly import AssembledBody, Assembly, CableEnd
from haptos.dynamics.build import guarded
from haptos.dynamics.contacts.mesh_surface import pieces_mesh, surface_of
from haptos.dynamics.motion import Motion, with_phases
from haptos.dynamics.nets.shot import Shot, shot_axes
from haptos.dynamics.system import (
    WINCH_ROW,
    Orders,
    System,
    SystemSurface,
    no_surface,
    rows_of,
)
from haptos.geometry.mesh.cuboids import cuboid_moments
from haptos.geometry.nets.bullet_spheres import bullet_moments, bullet_spheres
from haptos.geometry.nets.net_folding import Canister, folded
from haptos.geometry.nets.net_nodes import NetNodes, net_nodes
from haptos.geometry.nets.net_topology import REINFORCED, NetMesh
from haptos.materials.threads import Thread
from haptos.scenarios.net.beams import bent
from haptos.scenarios.net.body_numbers import CHASER, TARGET
from haptos.scenarios.net.bullet_orders import (
    bullet_angles,
    bullet_masses,
    bullet_shots,
    bullet_speeds,
)
from haptos.scenarios.net.closing_lines import RING, add_closing
from haptos.scenarios.net.colliding import hulls_of
from haptos.scenarios.net.config import Config
from haptos.scenarios.net.config_surfaces import BULLETS, REINFORCED_KIND, THREADS
from haptos.scenarios.net.extras import add_own_tethers, given_states, own_bodies
from haptos.scenarios.net.orders import loads_of
from haptos.scenarios.net.phases import events_of, last_held
from haptos.scenarios.net.pressing import polygons_of
from haptos.scenarios.net.site import grounded
from haptos.scenarios.net.surfaces import face_classes, pairs_of
from haptos.scenarios.net.surroundings import field_of
from haptos.scenarios.net.tethers import add_tether, thread_of
from haptos.scenarios.net.touching import boxes_of, options_of, pair_room, spheres_of
from haptos.scenarios.net.weather import air_of
from haptos.scenarios.net.world import mesh_of, target_of

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
MOST_NODES = 200_000  # [-] of a net; assumed
MOST_BYTES = 4e9  # [byte] of what is stored of a run; assumed
NODE_BYTES, ELEMENT_BYTES = 24, 17  # [byte] of each at a stored time
States = tuple[Floats, Floats] | None  # places [m], velocities [m/s] of all nodes, N axes


@dataclass(frozen=True, eq=False)
class Model:
    """A net ready to run.

    system, motion  arrays of the kernel; motion as it is at the start
    mesh, nodes   the net as generated, and cut into elements
    knots         (k,) point of every knot of the mesh        bullets  (b,) bodies of the bullets
    sections, element_class   (m,) [m^2], thread class of the elements, tether and closing included
    bullet_masses, thrown_masses   (b,) as given, and with the knots and threads tied to them [kg]
    muzzle_speeds (b,) of the bullets, relative to the chaser [m/s]
    shots         of the bullets, None for one that is not shot
    surface       (vertices [m], faces) of the target in its principal axes, or None
    """

    system: System
    motion: Motion
    mesh: NetMesh
    nodes: NetNodes
    knots: Integers
    bullets: Integers
    bullet_masses: Floats
    thrown_masses: Floats
    muzzle_speeds: Floats
    sections: Floats
    element_class: Integers
    shots: tuple[Shot | None, ...]
    names: tuple[str, ...]
    surface: tuple[Floats, Integers] | None


def build(config: Config) -> Model:
    """Model of a scenario; refuses what does not fit together."""
    mesh = mesh_of(config)
    _refuse_size(config, mesh)
    plain = thread_of(config, config.threads.diameter_m)
    strong = thread_of(config, config.threads.reinforced_diameter_m or config.threads.diameter_m)
    density = (plain.linear_density, strong.linear_density, strong.linear_density)
    nodes = net_nodes(
        mesh, config.net.nodes_per_link, density if config.bullets.link_length_m else density[:2],
        bullets=config.bullets.count, bullet_link_length=config.bullets.link_length_m,
        knot_ratio=config.net.knot_ratio, tether_knot_ratio=config.net.tether_knot_ratio,
        bullet_knot_ratio=config.net.bullet_knot_ratio,
    )  # fmt: skip
    made = Assembly()
    made.bodies.append(_chaser(config))
    target = target_of(config)
    if target is not None:
        made.bodies.append(target[0])
        _refuse_overlap(config, target[1], target[0])
    made.bodies += own_bodies(config)
    states = given_states(config, mesh, nodes)
    masses = bullet_masses(config, nodes)
    axes, held = _bullets(config, made, nodes, masses, states)
    knots = _net(config, made, nodes, held, (plain, strong, strong), states)
    winches = add_tether(config, made, knots[nodes.tether_knot])
    winches += add_own_tethers(config, made, nodes, knots)
    winches += add_closing(config, made, mesh, nodes, knots)
    made.bear_loads(range(len(made.bodies) - len(masses), len(made.bodies)))
    return _laid_out(config, made, (mesh, nodes), knots, target, (masses, axes), winches)


def _refuse_size(config: Config, mesh: NetMesh) -> None:
    """A net must fit in memory, with all that is stored of it."""
    within, links = config.net.nodes_per_link, len(mesh.links)
    nodes = mesh.knot_count + within * links
    if nodes > MOST_NODES:
        hint = "fewer strings and rings, or a smaller nodes_per_link"
        raise ConfigError("[net]", f"a net of {nodes} nodes", f"at most {MOST_NODES}", hint)
    times = config.run.duration_s / config.run.output_interval_s
    size = times * (NODE_BYTES * nodes + ELEMENT_BYTES * (within + 1) * links)
    if size > MOST_BYTES:
        found = f"{times:.0f} stored times of a net of {nodes} nodes, {size / 1e9:.0f} GB"
        hint = f"output_interval_s = {config.run.output_interval_s * size / MOST_BYTES:.2g}"
        raise ConfigError(
            "[run] output_interval_s", found, f"at most {MOST_BYTES / 1e9:g} GB", hint
        )


def _chaser(config: Config) -> AssembledBody:
    """The chaser as it is at the start, its centre in the N origin."""
    given = config.chaser
    moments = given.inertia_kg_m2 or cuboid_moments(given.mass_kg, given.size_m)
    attitude = np.asarray(given.attitude_quaternion, dtype=float)
    return AssembledBody(
        "chaser", math.inf if given.holds_place else given.mass_kg,
        np.full(3, math.inf) if given.holds_attitude else np.asarray(moments, dtype=float),
        np.zeros(3), np.asarray(given.velocity_m_per_s, dtype=float),
        attitude / np.linalg.norm(attitude), np.asarray(given.rate_deg_per_s) * DEGREE,
    )  # fmt: skip


def _refuse_overlap(config: Config, vertices: Floats, body: AssembledBody) -> None:
    """The target must be clear of the chaser: nothing starts inside something else."""
    dcm = rotation_matrices(body.attitude)
    nearest = float((vertices @ dcm.T + body.place)[:, 0].min())
    front = 0.5 * config.chaser.size_m[0]
    if config.net.states_file is None:
        front += config.bullets.length_m  # bullets stand before the chaser
    if nearest <= front:
        found = f"a target that reaches to x = {nearest:.4g} m, bullets to {front:.4g} m"
        assert config.target is not None
        hint = f"distance_m = {config.target.distance_m + front - nearest + 1.0:.3g}"
        raise ConfigError(
            "[target] distance_m", found, "a target in front of the chaser and its bullets", hint
        )


def _bullets(
    config: Config, made: Assembly, nodes: NetNodes, masses: Floats, states: States
) -> tuple[Floats, list[CableEnd]]:
    """(barrels in chaser axes, connection points) after adding the bullets around the canister.

    With states each bullet is behind its knot, and moves with it.
    """
    from scipy.spatial.transform import Rotation

    given, chaser = config.bullets, made.bodies[CHASER]
    corner = nodes.bullet_points
    azimuth = np.arctan2(corner[:, 2], corner[:, 1])
    axes = shot_axes(bullet_angles(config), azimuth)
    reach = 0.5 * max(config.shot.canister_m[1:]) + given.radius_m
    dcm = rotation_matrices(chaser.attitude)
    turn = dcm @ chaser.rate
    centres, radii = bullet_spheres(given.radius_m, given.length_m)
    held = []
    for b in range(given.count):
        out = np.array([0.0, math.cos(azimuth[b]), math.sin(azimuth[b])])
        base = np.array([0.5 * config.chaser.size_m[0], 0.0, 0.0]) + reach * out
        place = dcm @ (base + 0.5 * given.length_m * axes[b])
        side = np.cross(axes[b], out if abs(axes[b] @ out) < 0.9 else [1.0, 0.0, 0.0])
        side /= np.linalg.norm(side)
        own = np.stack([np.cross(side, axes[b]), side, axes[b]], axis=1)
        quaternion = np.asarray(Rotation.from_matrix(dcm @ own).as_quat(scalar_first=True))
        moments = np.asarray(bullet_moments(masses[b], given.radius_m, given.length_m))
        speed = chaser.speed + np.cross(turn, place)
        rate = own.T @ chaser.rate
        if states is not None:
            knot = int(nodes.bullet_knots[b])
            place = states[0][knot] + 0.5 * given.length_m * dcm @ axes[b]
            speed, rate = states[1][knot], np.zeros(3)
        made.bodies.append(
            AssembledBody(f"bullet {b + 1}", masses[b], moments, place, speed, quaternion, rate)
        )
        number = len(made.bodies) - 1
        held.append(made.point(number, (0.0, 0.0, -0.5 * given.length_m)))
        for centre, radius in zip(centres, radii, strict=True):
            made.point(number, centre, float(radius), BULLETS)
    return axes, held


def _net(
    config: Config, made: Assembly, nodes: NetNodes, held: list[CableEnd], threads: tuple[Thread, ...],
    states: States,
) -> list[CableEnd]:  # fmt: skip
    """Fold the net into its canister, or take it as given, and add it; the points of its knots."""
    chaser = made.bodies[CHASER]
    dcm = rotation_matrices(chaser.attitude)
    opening = np.array([0.5 * config.chaser.size_m[0], 0.0, 0.0])
    has_links = config.bullets.link_length_m > 0.0
    pins = nodes.node_count + np.arange(len(held)) if has_links else nodes.bullet_knots
    if states is None:
        places = _folded(config, made, nodes, held, pins, threads)
    else:
        places = states[0] @ dcm - opening
    radius = 0.5 * config.threads.diameter_m
    lost = config.bullets.lost
    ends = {int(pin): held[b] for b, pin in enumerate(pins) if b not in lost}
    if config.tether is not None and config.tether.length_m == 0.0:
        knot = nodes.tether_knot
        ends[knot] = made.point(CHASER, opening + places[knot])
    for i, end in ends.items():  # these knots are parts of bodies
        made.load(end, _mass_of(nodes, threads[2], i))
    strong = set(nodes.elements[nodes.element_class == REINFORCED].ravel().tolist())
    for i in range(len(places)):
        if i not in ends:
            kind = REINFORCED_KIND if i in strong else THREADS
            mass = _mass_of(nodes, threads[2], i)
            speed = None if states is None else states[1][i]
            ends[i] = made.node(dcm @ (opening + places[i]), mass, radius, speed, kind)
    for (i, j), length, kind in zip(
        nodes.elements, nodes.lengths, nodes.element_class, strict=True
    ):
        made.thread(ends[int(i)], ends[int(j)], length, threads[min(int(kind), 2)], int(kind))
    return [ends[i] for i in range(nodes.knot_count)]


def _folded(
    config: Config, made: Assembly, nodes: NetNodes, held: list[CableEnd], pins: Integers,
    threads: tuple[Thread, ...],
) -> Floats:  # fmt: skip
    """Places of all nodes in the canister [m], chaser axes from its opening; pins are held."""
    dcm = rotation_matrices(made.bodies[CHASER].attitude)
    opening = np.array([0.5 * config.chaser.size_m[0], 0.0, 0.0])
    own = [made.fixed[end.number] for end in held]
    pinned = [
        dcm.T @ (made.bodies[b].place + rotation_matrices(made.bodies[b].attitude) @ offset)
        - opening
        for b, offset, _, _ in own
    ]
    has_links = config.bullets.link_length_m > 0.0
    spread = (
        np.concatenate([nodes.positions, nodes.bullet_points]) if has_links else nodes.positions
    )
    section = np.array([threads[min(kind, 2)].section for kind in nodes.element_class])
    return folded(
        spread, nodes.elements, nodes.lengths, Canister(*config.shot.canister_m),
        random_share=config.shot.random_share, seed=config.seed, held=pins,
        held_points=np.array(pinned), thread_volume=float((section * nodes.lengths).sum()),
    )  # fmt: skip


def _mass_of(nodes: NetNodes, thread: Thread, end: int) -> float:
    """Mass [kg] of a node, or of the end of a bullet's thread: half of its last element."""
    if end < nodes.node_count:
        return float(nodes.masses[end])
    last = (nodes.elements == end).any(axis=1)
    return 0.5 * thread.linear_density * float(nodes.lengths[last].sum())


def _surface(
    config: Config, target: tuple[AssembledBody, Floats, Integers] | None
) -> SystemSurface:
    """Surface of the target for the kernel; none without one, or if nothing touches it."""
    if target is None or not config.contact.is_on:
        return no_surface()
    pairs = pairs_of(config, 0.5 * config.threads.diameter_m)
    classes = face_classes(config, len(target[2]))
    return surface_of(TARGET, target[1], target[2], pairs, classes, "[target]")


def _laid_out(
    config: Config,
    made: Assembly,
    generated: tuple[NetMesh, NetNodes],
    knots: list[CableEnd],
    target: tuple[AssembledBody, Floats, Integers] | None,
    fired: tuple[Floats, Floats],
    winches: list[list[Any]],
) -> Model:
    """The arrays of the kernel for all that was put together.

    generated  the net, and cut into nodes          knots  points of its knots
    target     body, vertices [m], faces            winches  rows, points
    fired      masses [kg] and barrels of the bullets
    """
    masses, axes = fired
    count = len(made.bodies)
    first = count - len(masses)
    thrown = np.array([body.mass for body in made.bodies[first:]])
    shots = bullet_shots(config, thrown)
    loads, held = loads_of(config, made.bodies, axes, shots, first)
    rows = [[made.index(x) if isinstance(x, CableEnd) else x for x in row] for row in winches]
    lengths = np.array([length for _, _, length, _, _ in made.elements])
    surface = _surface(config, target)
    bodies_held = np.full(count, -math.inf)
    bodies_held[first:] = held
    first_shot = float(np.min(held[np.isfinite(held)], initial=math.inf))
    if config.net.states_file is not None:
        bodies_held[:] = first_shot = -math.inf  # nothing is held: it flies as given
    points, threads = made.points(), made.threads(config.threads.breaks)
    lines = made.running_lines(RING)
    winding = rows_of(WINCH_ROW, rows)
    events = events_of(config, winding, last_held(bodies_held, first_shot))
    net = System(
        threads=threads,
        lines=lines,
        points=points,
        inverse_inertia=np.array([1.0 / body.moments for body in made.bodies]),
        surface=surface,
        orders=Orders(loads, winding, bodies_held, first_shot, events),
        field=field_of(config),
        options=options_of(config, lengths),
        spheres=spheres_of(config, points, threads, lengths, lines),
        boxes=boxes_of(config),
        air=air_of(config, made, None if target is None else target[1:], first),
        hulls=hulls_of(config, made.bodies, None if target is None else target[1:], surface),
        polygons=polygons_of(config, made.bodies, None if target is None else target[1:]),
    )  # fmt: skip
    motion = made.motion(pair_room(config, len(points.owner)), len(net.boxes.body), net.hulls)
    motion = with_phases(motion, len(events))
    net, motion = bent(config, made, generated[1], net, motion)
    net, motion = grounded(config, net, motion, None if target is None else target[1])
    own_mesh = None if target is None else pieces_mesh(*target[1:], "[target]")
    net, motion = guarded(net, motion, own_mesh)
    return Model(
        system=net,
        motion=motion,
        mesh=generated[0],
        nodes=generated[1],
        knots=np.array([made.index(end) for end in knots], dtype=np.int64),
        bullets=np.arange(first, count),
        bullet_masses=masses,
        thrown_masses=thrown,
        muzzle_speeds=np.where([s is not None for s in shots], bullet_speeds(config), 0.0),
        sections=np.array([t.section for _, _, _, t, _ in made.elements]),
        element_class=np.array([kind for *_, kind in made.elements], dtype=np.int64),
        shots=shots,
        names=tuple(body.name for body in made.bodies),
        surface=None if target is None else target[1:],
    )
