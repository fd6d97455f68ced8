"""A docking file as parts of joined bodies: satellites, tool, boom, crown, contacts, orbit, and where they start."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from haptos.core.rotations import quaternion_product, rotation_matrices
from haptos.dynamics.flexible.appendages import ClampedMode, beam_modes, hinge_mode
from haptos.dynamics.joined.boom_nodes import boom_nodes
from haptos.dynamics.joined.parts import (
    BodyFrame,
    JoinedBody,
    JoinedBoom,
    JoinedContact,
    Light,
    OrbitalGravity,
    Plume,
    SafetySpring,
    Slide,
    Wheel,
    Wing,
)
from haptos.dynamics.joined.plant import Plant, Scales
from haptos.dynamics.rigid.thrusters import Thruster
from haptos.environment.orbit_frames import KeplerElements
from haptos.scenarios.docking.config import Config
from haptos.scenarios.docking.config_vehicles import DockingThrusters, DockingWheels, Wings
from haptos.scenarios.docking.shapes import Shapes, make_shapes

Floats = NDArray[np.float64]
BOOM, CROWN, CHASER, CLIENT, TOOL = "boom", "crown", "chaser", "client", "tool"
SHOULDER, BOLT, BODY = "shoulder", "bolt", "tool body"
BRACKETS = ("bracket 1", "bracket 2", "bracket 3")
NOZZLE_PAIRS = (SHOULDER, CROWN, BOLT, BODY)
PAIRS = (*NOZZLE_PAIRS, *BRACKETS)
FACING = (
    0.0,
    0.0,
    0.0,
    1.0,
)  # quaternion: half a turn about z, x of the nozzle is -x of the client
PROPELLANT_SHARE = 0.05  # [-] of the chaser's mass where the file does not say: assumed
# [s] longest step with nodes: with 5 ms the worst phase left 1.7e-3 and the run was not trusted, with 3 ms 1e-4
LONGEST_WITH_NODES = 0.003
SCALES = Scales(length=0.01, angle=0.01)  # of gaps and misalignments in a nozzle
# Polygons of parts that are halved: an edge pressed into the bell all around has 30,000
FINE_CAPACITY = 100_000
FACES = {
    CHASER: (1.4, 1.4, 2.0), CLIENT: (2.2, 1.8, 2.3),
}  # [m] boxes that light falls on, assumed  # fmt: skip


@dataclass(frozen=True, eq=False)
class Model:
    """Parts of a docking, and the places on them that sensors and loops speak of.

    root, tip, throat  places; wheel_axes (4, 3); jets: thrusters of the chaser
    total_mass [kg] and inertia (3, 3) [kg m^2] of the chaser with its wings, boom and tool drawn in
    """

    config: Config
    shapes: Shapes
    bodies: tuple[JoinedBody, ...]
    boom: JoinedBoom
    contacts: tuple[JoinedContact, ...]
    slides: tuple[Slide, ...]
    orbit: OrbitalGravity | None
    plumes: tuple[Plume, ...]
    root: BodyFrame
    tip: BodyFrame
    throat: BodyFrame
    wheel_axes: Floats
    jets: tuple[Thruster, ...]
    mass: float
    inertia: Floats

    def plant(self, output_times: Floats | tuple[()] = ()) -> Plant:
        """Joined bodies at the start of a run."""
        run = self.config.run
        longest = (
            min(run.longest_step_s, LONGEST_WITH_NODES) if self.boom.through else run.longest_step_s
        )
        return Plant(
            self.bodies, (self.boom,), self.contacts, self.slides, self.orbit, self.plumes,
            seed=self.config.seed, output_times=output_times, tolerance=run.tolerance,
            longest=longest, steps=run.max_steps, scales=SCALES,
        )  # fmt: skip


def build(config: Config) -> Model:
    """Parts of a file."""
    shapes = make_shapes(config)
    rigid = config.contact.lc_is_rigid
    chaser, client, tool = config.chaser, config.client, config.tool
    root = BodyFrame(CHASER, chaser.root_m)
    throat = BodyFrame(CLIENT, client.throat_m, FACING)
    if rigid:
        behind = (client.throat_m[0] + tool.seat_m, *client.throat_m[1:])
        tip = BodyFrame(CLIENT, behind)
    else:
        tip = BodyFrame(TOOL, (tool.centre_m, 0.0, 0.0))
    ends = _bodies(config, rigid)
    boom, nodes = boom_nodes(
        _boom(config, root, tip, rigid), ends, config.boom.elements, _boom_mass(config)
    )
    bodies = _centred((*ends, *nodes))
    mass, inertia = _held(config)
    return Model(
        config, shapes, bodies, boom, _contacts(config, shapes, tip, throat, rigid),
        () if rigid else (_crown(config, tip),), _orbit(config), _plumes(config), root, tip, throat,
        _wheel_axes(), _thrusters(chaser.thrusters), mass, inertia,
    )  # fmt: skip


def _client_attitude(config: Config) -> tuple[float, ...]:
    """quat_NB of the client: its nozzle's axis tilted so that the exit leans away at the azimuth."""
    t, a = math.radians(config.start.tilt_deg), math.radians(config.start.tilt_azimuth_deg)
    s = math.sin(0.5 * t)
    return (math.cos(0.5 * t), 0.0, s * math.sin(a), -s * math.cos(a))


def _boom_mass(config: Config) -> float:
    return config.boom.density_kg_per_m * config.boom.lock_m


def _centred(bodies: tuple[JoinedBody, ...]) -> tuple[JoinedBody, ...]:
    """Bodies with their common centre of mass at the origin and at rest."""
    masses = [body.mass + sum(wing.mass for wing in body.wings) for body in bodies]
    total = sum(masses)
    centre = sum(m * np.asarray(b.position) for m, b in zip(masses, bodies, strict=True)) / total
    drift = sum(m * np.asarray(b.velocity) for m, b in zip(masses, bodies, strict=True)) / total
    return tuple(
        replace(b, position=np.asarray(b.position) - centre, velocity=np.asarray(b.velocity) - drift)
        for b in bodies
    )  # fmt: skip


def _bodies(config: Config, rigid: bool) -> tuple[JoinedBody, ...]:
    """Satellites and tool where they start, the chaser's centre at the origin and at rest; boom's mass at its ends."""
    start, boom, chaser, client = config.start, config.boom, config.chaser, config.client
    q = np.array(_client_attitude(config))
    dcm = rotation_matrices(q[None])[0]
    length = boom.lock_m if rigid else boom.length_m
    a = math.radians(start.offset_azimuth_deg)
    ahead = -config.tool.seat_m if rigid else start.distance_m
    tip = np.array(chaser.root_m) + np.array([length, 0.0, 0.0])
    throat = tip + np.array([ahead, start.offset_m * math.cos(a), start.offset_m * math.sin(a)])
    places = [
        np.zeros(3),
        throat - dcm @ np.array(client.throat_m),
        tip - [config.tool.centre_m, 0, 0],
    ]
    half = 0.5 * _boom_mass(config) / boom.elements
    w = np.radians(start.chaser_rate_deg_per_s)
    speeds = [np.zeros(3), np.array(start.velocity_m_per_s), np.cross(w, places[2])]
    made = [
        JoinedBody(CHASER, chaser.mass_kg + half - _wing_mass(chaser.wings), np.diag(chaser.inertia_kg_m2),
             places[0], velocity=speeds[0], rate=w, wings=_wings(chaser.wings),
             wheels=_wheels(chaser.wheels), thrusters=_thrusters(chaser.thrusters), light=_light(config, CHASER),
             tank=chaser.thrusters.tank_m, propellant=_propellant(config)),
        JoinedBody(CLIENT, client.mass_kg - _wing_mass(client.wings), np.diag(client.inertia_kg_m2),
             places[1], q, speeds[1], dcm @ np.radians(start.rate_deg_per_s),
             wings=_wings(client.wings), wheels=_client_wheels(config), light=_light(config, CLIENT)),
    ]  # fmt: skip
    if not rigid:
        mass = config.tool.mass_kg + half
        tool = JoinedBody(TOOL, mass, _tool_inertia(config, mass), places[2], velocity=speeds[2], rate=w)  # fmt: skip
        made.append(tool)
    return tuple(made)


def _propellant(config: Config) -> float:
    """Propellant [kg] of the chaser at the start."""
    given = config.chaser.thrusters.propellant_kg
    return PROPELLANT_SHARE * config.chaser.mass_kg if given is None else given


def _tool_inertia(config: Config, mass: float) -> Floats:
    """A uniform cylinder of the tool's size."""
    r, h = config.tool.radius_m, config.tool.length_m
    across = mass * (r * r / 4.0 + h * h / 12.0)
    return np.diag([0.5 * mass * r * r, across, across])


def _held(config: Config) -> tuple[float, Floats]:
    """Mass [kg] and inertia [kg m^2] of what the chaser's loops move: hub and wings, rigid."""
    chaser = config.chaser
    inertia = np.diag(chaser.inertia_kg_m2).astype(float)
    if chaser.wings is not None:
        w = chaser.wings
        far = w.root_m + 0.5 * w.length_m
        along = 2.0 * w.mass_kg * w.width_m**2 / 12.0
        across = 2.0 * w.mass_kg * (far * far + w.length_m**2 / 12.0)
        inertia += np.diag([across, along, across])
    return chaser.mass_kg + config.tool.mass_kg, inertia


def _wing_mass(wings: Wings | None) -> float:
    return 0.0 if wings is None else 2.0 * wings.mass_kg


def _modes(wings: Wings) -> tuple[ClampedMode, ...]:
    if wings.modes:
        return tuple(
            ClampedMode(one.frequency_Hz, one.damping, (*one.translation_sqrt_kg, *one.rotation_sqrt_kg_m))
            for one in wings.modes
        )  # fmt: skip
    assert wings.out_of_plane_Hz is not None
    if wings.model == "hinge":
        return (hinge_mode(wings.mass_kg, wings.length_m, wings.out_of_plane_Hz, wings.damping),)
    return tuple(beam_modes(
        wings.mass_kg, wings.length_m, wings.width_m, out_of_plane=wings.out_of_plane_Hz,
        in_plane=wings.in_plane_Hz, torsion=wings.torsion_Hz, damping=wings.damping,
    ))  # fmt: skip


def _wings(wings: Wings | None) -> tuple[Wing, ...]:
    if wings is None:
        return ()
    angle, rate = math.radians(wings.angle_deg), math.radians(wings.rate_deg_per_s)
    return tuple(
        Wing((0.0, sign * wings.root_m, 0.0), (0.0, sign, 0.0), (1.0, 0.0, 0.0), wings.mass_kg,
             wings.length_m, wings.width_m, _modes(wings), sign * angle, sign * rate)
        for sign in (1.0, -1.0)
    )  # fmt: skip


def _wheel_axes() -> Floats:
    return np.array(
        [[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [1.0, 1.0, -1.0], [1.0, -1.0, 1.0]]
    ) / math.sqrt(3.0)


def _wheels(wheels: DockingWheels) -> tuple[Wheel, ...]:
    return tuple(
        Wheel(axis, 0.0, wheels.torque_N_m, wheels.momentum_N_m_s, wheels.lag_s, wheels.noise_N_m)
        for axis in _wheel_axes()
    )


def _client_wheels(config: Config) -> tuple[Wheel, ...]:
    bias = np.array(config.client.wheel_momentum_N_m_s)
    found: list[Wheel] = []
    if np.any(bias):
        size = float(np.linalg.norm(bias))
        found.append(Wheel(bias / size, size))
    if config.client.holds:
        found += [Wheel(axis, 0.0, config.client.hold_torque_N_m) for axis in np.eye(3)]
    return tuple(found)


def _thrusters(thrusters: DockingThrusters) -> tuple[Thruster, ...]:
    """Two on each side of the box, side by side across it, that push it inwards."""
    half = 0.5 * np.array(thrusters.box_m)
    found = []
    for axis, sign, side in itertools.product(range(3), (1.0, -1.0), (1.0, -1.0)):
        place, way = np.zeros(3), np.zeros(3)
        other = (axis + 1) % 3
        place[axis], place[other], way[axis] = -sign * half[axis], 0.8 * side * half[other], sign
        found.append(Thruster(place, way, thrusters.thrust_N, thrusters.minimum_on_s, thrusters.delay_s,
                              thrusters.rise_s, thrusters.noise, thrusters.specific_impulse_s))  # fmt: skip
    return tuple(found)


def _boom(config: Config, root: BodyFrame, tip: BodyFrame, rigid: bool) -> JoinedBoom:
    b = config.boom
    return JoinedBoom(
        BOOM, root, tip, b.lock_m if rigid else b.length_m, b.bending_N_m2, b.torsion_N_m2, b.axial_N,
        b.shortest_m, b.longest_m, b.root_turn_N_m_per_rad, b.root_lateral_N_per_m, b.root_torsion_N_m_per_rad,
        b.drive_N_per_m, damping_time=b.damping / (math.pi * b.damping_Hz),
        spring=SafetySpring(b.spring_preload_N, b.spring_N_per_m, b.spring_stroke_m), root_turn=b.root_turn,
    )  # fmt: skip


def _crown(config: Config, tip: BodyFrame) -> Slide:
    crown = config.crown
    growth = crown.spread_ring_m - crown.folded_ring_m
    return Slide(CROWN, tip, longest=crown.stroke_m, growth=growth)


def _contacts(
    config: Config, shapes: Shapes, tip: BodyFrame, throat: BodyFrame, rigid: bool
) -> tuple[JoinedContact, ...]:
    depth = config.contact.max_depth_m
    found: list[JoinedContact] = []
    if not rigid:
        wall = _moved(throat, (0.0, config.nozzle.displaced_m, 0.0))
        tool = config.tool
        middle = tool.bolt_ahead_m - tool.bolt_radius_m - 0.5 * tool.bolt_length_m
        found += [
            JoinedContact(SHOULDER, shapes.nozzle, wall, shapes.shoulder, _moved(tip, (shapes.shoulder_x, 0, 0)),
                    shapes.law, max_depth=depth, capacity=FINE_CAPACITY),
            JoinedContact(CROWN, shapes.nozzle, wall, shapes.crown, tip, shapes.law, max_depth=depth, slide=CROWN),
            JoinedContact(BOLT, shapes.nozzle, wall, shapes.bolt, _moved(tip, (middle, 0, 0)), shapes.law, max_depth=depth,
                    capacity=FINE_CAPACITY),
        ]  # fmt: skip
        if shapes.body is not None:
            behind = _moved(tip, (-(tool.rim_m + 0.5 * tool.length_m), 0, 0))
            body = JoinedContact(
                BODY, shapes.nozzle, wall, shapes.body, behind, shapes.law, max_depth=depth, capacity=FINE_CAPACITY,
            )  # fmt: skip
            found.append(body)
    ring = _ring_place(config, throat)
    height = config.boom.end_m - config.tool.seat_m - config.ring.ahead_m
    for name, azimuth in zip(BRACKETS, np.radians(config.brackets.azimuths_deg), strict=True):
        r = config.brackets.radius_m
        stands = np.array([height, r * math.cos(azimuth), r * math.sin(azimuth)])
        place = np.array(config.chaser.root_m) + stands
        found.append(JoinedContact(name, shapes.ring, ring, shapes.pad, BodyFrame(CHASER, tuple(place)), shapes.pad_law,
                             max_depth=depth))  # fmt: skip
    return tuple(found)


def _moved(place: BodyFrame, by: tuple[float, float, float]) -> BodyFrame:
    """The place moved in its own axes."""
    dcm = rotation_matrices(np.array(place.quaternion, dtype=float)[None])[0]
    return BodyFrame(
        place.body, tuple(np.array(place.position) + dcm @ np.array(by)), place.quaternion
    )


def _ring_place(config: Config, throat: BodyFrame) -> BodyFrame:
    """Frame of the ring, x towards the chaser: tilted and shifted against the nozzle's."""
    ring = config.ring
    a, t = math.radians(ring.tilt_azimuth_deg), math.radians(ring.tilt_deg)
    out = np.array([0.0, -math.cos(a), math.sin(a)])  # y of the nozzle is -y of the chaser
    axis = np.cross(out, [1.0, 0.0, 0.0])
    turn = np.array([math.cos(0.5 * t), *(math.sin(0.5 * t) * axis)])
    moved = _moved(throat, (ring.ahead_m, -ring.offset_m, 0.0))
    q = quaternion_product(np.array(throat.quaternion, dtype=float), turn)
    return BodyFrame(throat.body, moved.position, tuple(float(x) for x in q))


def _orbit(config: Config) -> OrbitalGravity | None:
    if config.orbit is None:
        return None
    given = config.orbit
    elements = KeplerElements(given.radius_m, true_anomaly=math.radians(given.angle_deg))
    sun = None
    if given.sun is not None:
        sun = np.array(given.sun) / np.linalg.norm(given.sun)
    return OrbitalGravity(elements, gravity_gradient=given.gravity_gradient, sun=sun)


def _plumes(config: Config) -> tuple[Plume, ...]:
    if config.orbit is None or not config.orbit.plume:
        return ()
    return (Plume(CHASER, CLIENT, config.client.throat_m, 1.2),)


def _light(config: Config, name: str) -> Light | None:
    if config.orbit is None or config.orbit.sun is None:
        return None
    x, y, z = FACES[name]
    normals = np.concatenate([np.eye(3), -np.eye(3)])
    areas = np.array([y * z, x * z, x * y] * 2)
    return Light(normals, 0.5 * normals * np.array([x, y, z]), areas, np.full(6, 1.3))
