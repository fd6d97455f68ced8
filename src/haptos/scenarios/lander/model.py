"""A lander configuration made ready for the kernel: one row of parameters, vertices, first state."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np

from haptos.contact.collision import LAWS
from haptos.contact.collision_call import collision_numbers
from haptos.contact.compliant import CompliantLaw
from haptos.contact.laws.normal import SPRING_DAMPER
from haptos.contact.laws.normal_choice import CHOICES
from haptos.contact.restitution import damping, damping_ratio
from haptos.contact.rocks_stochastic import stochastic_rocks
from haptos.core.arena import Arena, with_functions
from haptos.core.arena_slots import COLLISION
from haptos.core.counter_random import random_key
from haptos.core.errors import ConfigError
from haptos.core.rotations import (
    quaternion_from_yaw_pitch_roll,
    rotation_matrices,
)
from haptos.core.symmetric import six_of
from haptos.core.units import DEGREE
from haptos.dynamics.rigid.free_rotation import top_axis
from haptos.dynamics.rigid.grounded_run import Grounded
from haptos.dynamics.rigid.rigid_body import (
    ATTITUDE,
    FRAME_ATTITUDE,
    FRAME_RATE,
    FULL_SIZE,
    POSITION,
    RATE,
    VELOCITY,
    WHEEL_MOMENTUM,
    WORK_ACTUATOR,
    WORK_DAMPING,
    WORK_DRAG,
    WORK_SPIN,
    relative_velocity,
)
from haptos.dynamics.touching.run_parameters import IMPULSIVE, PARAMETERS, ROCKS
from haptos.dynamics.touching.vertex_clearance import LARGEST, LEAST_STRIDE
from haptos.dynamics.touching.vertex_guard import STEP_ERRORS, TOLERANCES
from haptos.environment.gravity_terms import (
    ASTRONOMICAL_UNIT,
    sunlight_acceleration,
)
from haptos.geometry.distance.surface import PLANE
from haptos.geometry.mesh.probe_shapes import ProbeShape
from haptos.scenarios.lander.config import Config, Release, Run, Settle
from haptos.scenarios.lander.config_contact import (
    CompliantContact,
    FoundationContact,
    ImpulsiveContact,
)
from haptos.scenarios.lander.foundation_contact import FOUNDATION, grounded
from haptos.scenarios.lander.hop_model import fill_hops, fill_push, hop_energy
from haptos.scenarios.lander.probe import check_ball_ground, mass_layout, probe_shape
from haptos.scenarios.lander.releases import release_energies
from haptos.scenarios.plausibility import check_probe, check_release
from haptos.scenarios.worlds.config import GroundCoefficients, UniformGravity
from haptos.scenarios.worlds.config_foundation import law_of
from haptos.scenarios.worlds.gravity import spin_of
from haptos.scenarios.worlds.world import World, checked_radius, world_of

CONTACT_STEP = 0.1  # [-] of sqrt(m/k): a sixtieth of a contact's period, tried first after touch
ROUNDING = 4e-15  # [world radii] places on the ground are not known better than this
TOUCH_TOLERANCE = 1e-10  # [probe radii] how closely the instant of touch is met
LEAST_PULL = 1e-9  # [m/s^2] gravity below which contact is as stiff as with this much
LEAST_RESTITUTION = (
    2e-3  # [-] of springs: half the default step limit on real bodies; 1e-3 exceeds it
)
SOFTEST, HARDEST = 0.05, 0.99  # [-] restitution of those springs
LEAST_STEP = 1e-12  # [contact steps] a shorter step of a run with impacts is none
SCENE = ("probe", "surface", "terrain", "regions", "gravity", "primary", "sunlight", "air", "spin")
LAWS_AND_TIMES = (
    "contact",
    "settle",
    "hops",
    "run",
    "seed",
)  # tables that only some numbers depend on
LEAST_ENERGY = 1e-300  # [J] tolerance of a run without energy: nothing is divided by zero


@dataclass(frozen=True, slots=True)
class Model:
    """What the kernel needs for one run; everything in SI.

    parameters  one record of PARAMETERS, with first_vertex = 0
    vertices    (n, 7) place [m] from the centre of mass, kind, direction; B axes   state  (FULL_SIZE,) at time zero
    scale       [J] initial energy: kinetic, of being carried round by the spin, elastic, and
                potential above the nearest ground; and what hops can add
    foundation  the body on an elastic foundation, which marches in its own kernel; None for other laws
    """

    parameters: np.ndarray
    vertices: np.ndarray
    state: np.ndarray
    scale: float
    shape: ProbeShape
    world: World
    foundation: Grounded | None = None

    @property
    def land(self) -> Arena:
        """Tables shared by all runs of this world, and the functions they call."""
        if self.parameters["contact"]["law"] == IMPULSIVE:
            land: Arena = with_functions(
                self.world.surface.land, {COLLISION: collision_numbers.address}
            )
            return land
        return self.world.surface.land


def build(config: Config) -> Model:
    """Model of one run."""
    return build_many([config])[0]


def build_many(configs: Sequence[Config]) -> list[Model]:
    """Models of many runs; neighbours that share their tables cost little more than one."""
    models: list[Model] = []
    for group in alike(configs, SCENE):
        models += _of_one_scene(group)
    return models


def alike(configs: Sequence[Config], tables: tuple[str, ...]) -> Iterator[Sequence[Config]]:
    """Neighbours whose named tables are equal, together; tables are mostly the same objects."""
    first, held = 0, None
    for n, config in enumerate(configs):
        own = [config.__dict__[name] for name in tables]
        if held is not None and own != held:
            yield configs[first:n]
            first, held = n, None
        held = own if held is None else held
    if configs:
        yield configs[first:]


def _of_one_scene(configs: Sequence[Config]) -> list[Model]:
    """Models of runs that differ in release, laws and times only."""
    config = configs[0]
    shape = probe_shape(config.probe)
    vertices, inertia = mass_layout(config.probe, shape)
    spin, moments = spin_of(config.spin)
    radius = float(np.linalg.norm(vertices[:, :3], axis=1).max() + shape.corner_radius)
    body_radius = check_scene(config, radius)
    for one in configs:
        check_release(one.release.position_m, body_radius)
    world = world_of(config)
    rows = np.zeros(len(configs), dtype=PARAMETERS)
    body = rows["body"]
    body["mass"] = config.probe.mass_kg
    body["inertia"], body["inverse_inertia"] = six_of(inertia), six_of(np.linalg.inv(inertia))
    body["vertex_count"], body["corner_radius"] = len(vertices), shape.corner_radius
    body["radius"] = radius
    fill_world(rows, config, world)
    rows["spin"]["rate"], rows["spin"]["moments"] = spin, moments if moments is not None else 1.0
    rows["spin"]["is_tumbling"] = moments is not None
    top = None if moments is not None else top_axis(inertia)
    parts: list[tuple[slice, Config]] = []
    for alikes in alike(configs, LAWS_AND_TIMES):
        first = parts[-1][0].stop if parts else 0
        parts.append((slice(first, first + len(alikes)), alikes[0]))
    for part, one in parts:
        fill_laws(rows[part], one)
        if top is not None and one.contact.law == "impulsive":
            body["is_top"][part], body["top_axis"][part], body["top_ratio"][part] = 1, *top
        fill_hops(rows[part], one)
    states = first_states(configs, spin)
    scales, pulls = release_energies(rows, vertices, states, world)
    for part, one in parts:
        scales[part] += hop_energy(one, inertia)
        if isinstance(one.contact, ImpulsiveContact):
            fill_springs(rows[part], one.contact, pulls[part])
            fill_push(rows[part], one)
        fill_run(rows[part], one, scales[part], states[part], world)
    return [
        Model(
            rows[n],
            vertices,
            states[n],
            float(scales[n]),
            shape,
            world,
            grounded(one, rows[n], vertices, states[n], shape, inertia, world),
        )
        for n, one in enumerate(configs)
    ]


def check_scene(config: Config, probe_radius: float) -> float:
    """Refuse, before any grid or table is built, a body that does not fit its gravity or the probe.

    Radius [m] of a body with gravity of its own, for `check_release`; infinite without.
    """
    radius = checked_radius(config)
    check_ball_ground(config)
    if config.surface.shape == "plane":
        return math.inf
    check_probe(probe_radius, radius)
    return math.inf if isinstance(config.gravity, UniformGravity) else radius


def fill_world(rows: np.ndarray, config: Config, world: World) -> None:
    """Ground, gravity, primary, sunlight."""
    surface, gravity = world.surface, world.gravity
    rows["surface"]["kind"], rows["surface"]["numbers"] = surface.kind, surface[1:5]
    rows["gravity"]["kind"], rows["gravity"]["numbers"] = gravity.kind, gravity[1:5]
    rows["gravity"]["primary"] = (1.0, 0.0, 0.0)
    if config.primary is not None:
        rows["gravity"]["primary_mu"] = config.primary.mu_m3_per_s2
        rows["gravity"]["primary"] = config.primary.position_m
    fill_sunlight(rows, config, world.radius)
    fill_air(rows, config, world)


def fill_laws(rows: np.ndarray, config: Config) -> None:
    """Contact law of the ground, of each region and of rocks."""
    contact, mass = config.contact, config.probe.mass_kg
    rows["ground"]["has_regions"] = len(config.regions) > 0
    if isinstance(contact, ImpulsiveContact):
        fill_impulsive(rows, config, contact)
        return
    if isinstance(contact, FoundationContact):
        rows["contact"]["law"] = FOUNDATION
        rows["ground"]["laws"]["k"] = law_of(contact).modulus * rows["body"]["radius"][:, None] ** 2
        return
    rows["ground"]["laws"] = contact_law(contact, mass)
    for label, region in enumerate(config.regions, start=1):
        rows["ground"]["laws"][:, label] = contact_law(region_contact(contact, region), mass)


def fill_impulsive(rows: np.ndarray, config: Config, contact: ImpulsiveContact) -> None:
    """Coefficients of impacts."""
    rows["contact"]["law"] = IMPULSIVE
    kinds: list[GroundCoefficients | None] = [None, *config.regions]
    for row in range(rows["ground"]["pairs"].shape[1]):
        own = contact.rocks if row == ROCKS else kinds[row] if row < len(kinds) else None
        rows["ground"]["pairs"][:, row] = coefficients(contact, own)
    rows["contact"]["rolling_axes"] = contact.rolling_axes
    rows["impact"]["law"] = LAWS[contact.restitution_law]
    radius = float(rows["body"]["radius"][0])
    if contact.regolith is not None:
        soft = contact.regolith
        rows["impact"]["regolith"] = (
            soft.grazing_restitution, soft.normal_restitution, soft.critical_angle_deg * DEGREE
        )  # fmt: skip
    if contact.stochastic_rocks is not None:
        rocks = contact.stochastic_rocks
        rows["impact"]["rocks"] = stochastic_rocks(
            rocks.rocks_per_m2, rocks.power, rocks.smallest_m, rocks.largest_m, radius
        )
    rows["contact"]["speed"] = contact.contact_speed_m_per_s
    rows["contact"]["has_motion"] = contact.contact_motion
    rows["settle"]["in_balance"] = config.settle.balance
    rows["contact"]["stick_speed"] = contact.stick_speed_m_per_s
    rows["contact"]["stick_rate"] = contact.stick_rate_rad_per_s
    rows["impact"]["key"] = random_key(config.seed, "impacts")
    rows["contact"]["lying_depth"] = contact.lying_depth * radius


def fill_springs(rows: np.ndarray, contact: ImpulsiveContact, pulls: np.ndarray) -> None:
    """Springs that a body at several vertices lies on: it sinks by the lying depth."""
    rates = np.sqrt(np.maximum(pulls, LEAST_PULL) / rows["contact"]["lying_depth"])
    rows["contact"]["correction"] = rates
    mass = float(rows["body"]["mass"][0])
    stiffness = mass * rates * rates
    laws = rows["ground"]["laws"]
    for label in range(laws.shape[1]):
        pair = rows["ground"]["pairs"][0, label]
        ratio = damping_ratio(min(max(float(pair["restitution"]), SOFTEST), HARDEST))
        laws[:, label] = CompliantLaw(
            0.0, 0.0, float(pair["friction"]), float(pair["friction"]), float(pair["rolling"]),
            contact.stick_speed_m_per_s, contact.stick_rate_rad_per_s, SPRING_DAMPER,
        )  # fmt: skip
        laws["k"][:, label] = stiffness
        laws["c"][:, label] = 2.0 * ratio * np.sqrt(stiffness * mass)


def coefficients(contact: ImpulsiveContact, own: GroundCoefficients | None) -> tuple[float, ...]:
    """Restitution, friction, rolling length: of its own, or those of the rest of the ground."""
    names = ("restitution", "friction", "rolling_resistance_m")
    given = [None if own is None else getattr(own, name) for name in names]
    return tuple(
        getattr(contact, name) if value is None else value
        for name, value in zip(names, given, strict=True)
    )


def region_contact(contact: CompliantContact, region: GroundCoefficients) -> CompliantContact:
    """Coefficients of a region: its own, those of the rest of the ground where it has none."""
    changes: dict[str, float | None] = {}
    if region.restitution is not None:
        changes |= {"restitution": region.restitution, "damping_N_s_per_m": None}
    if region.friction is not None:
        changes |= {"friction": region.friction, "static_friction": None}
    if region.rolling_resistance_m is not None:
        changes["rolling_resistance_m"] = region.rolling_resistance_m
    return contact.model_copy(update=changes)


def fill_sunlight(rows: np.ndarray, config: Config, shadow: float) -> None:
    """Pressure of sunlight on the probe; the shadow is that of the ball around the body."""
    rows["sun"] = (0, (1.0, 0.0, 0.0), 0.0, 1.0, 0.0)
    sunlight = config.sunlight
    if sunlight is None:
        return
    direction = np.array(sunlight.direction) / math.hypot(*sunlight.direction)
    distance = sunlight.distance_au * ASTRONOMICAL_UNIT
    ratio = sunlight.area_m2 / config.probe.mass_kg
    push = sunlight_acceleration((-1.0, 0.0, 0.0), distance, ratio, sunlight.reflectivity)
    rows["sun"] = (1, tuple(direction), push[0], distance, shadow)


def fill_air(rows: np.ndarray, config: Config, world: World) -> None:
    """Air and its drag; altitudes from the plane, or from the ball around the body."""
    air = config.air
    if air is None:
        return
    thinning = 0.0 if air.scale_height_m is None else 1.0 / air.scale_height_m
    strength = air.drag_coefficient * air.area_m2 / config.probe.mass_kg
    ground = world.surface
    is_flat = ground.kind == PLANE
    up = (ground.a, ground.b, ground.c) if is_flat else (0.0, 0.0, 0.0)
    level = ground.d if is_flat else world.radius
    rows["air"] = (
        1, air.density_kg_per_m3, thinning, strength, air.wind_m_per_s, is_flat, up, level
    )  # fmt: skip


def contact_law(contact: CompliantContact, mass: float) -> CompliantLaw:
    """Law of springs, damper and friction of a table [contact] under a mass [kg]."""
    c = contact.damping_N_s_per_m
    if c is None:
        e = cast(float, contact.restitution)  # the table holds exactly one of the two
        damper_of = CHOICES[contact.normal].damping
        assert damper_of is not None  # the table offers linear laws only
        c = damper_of(e, contact.stiffness_N_per_m, mass)
    check_damping(contact, c, mass)
    mu_s = contact.friction if contact.static_friction is None else contact.static_friction
    return CompliantLaw(
        contact.stiffness_N_per_m, c, contact.friction, mu_s, contact.rolling_resistance_m,
        contact.stick_speed_m_per_s, contact.stick_rate_rad_per_s, CHOICES[contact.normal].tag,
    )  # fmt: skip


def check_damping(contact: CompliantContact, c: float, mass: float) -> None:
    """Refuse dampers [N s/m] that no explicit step can follow: steps grow in number as 1/restitution."""
    most = damping(LEAST_RESTITUTION, contact.stiffness_N_per_m, mass)
    if c <= most * (1.0 + 1e-9):
        return
    if contact.damping_N_s_per_m is None:
        raise ConfigError(
            "[contact] restitution",
            f"{contact.restitution:g} with springs",
            f"{LEAST_RESTITUTION:g} to 1: the steps of stronger dampers are too many",
            'restitution = 0.01, or law = "impulsive", which takes 0',
        )
    raise ConfigError(
        "[contact] damping_N_s_per_m",
        f"{c:g}",
        f"up to {most:.4g}, which gives a restitution of {LEAST_RESTITUTION:g}",
        f"damping_N_s_per_m = {damping(0.01, contact.stiffness_N_per_m, mass):.3g}",
    )


def first_states(configs: Sequence[Config], spin: np.ndarray) -> np.ndarray:
    """States at release, relative to the rotating body: one row for each run."""
    releases = [config.release for config in configs]
    y = np.zeros((len(configs), FULL_SIZE))
    y[:, POSITION : POSITION + 3] = [release.position_m for release in releases]
    y[:, VELOCITY : VELOCITY + 3] = [release.velocity_m_per_s for release in releases]
    y[:, RATE : RATE + 3] = [release.rate_rad_per_s for release in releases]
    y[:, ATTITUDE : ATTITUDE + 4] = [first_attitude(release) for release in releases]
    y[:, FRAME_ATTITUDE], y[:, FRAME_RATE : FRAME_RATE + 3] = 1.0, spin
    for row, release in zip(y, releases, strict=True):
        if release.frame == "inertial":
            x, v = row[POSITION : POSITION + 3], row[VELOCITY : VELOCITY + 3]
            row[VELOCITY : VELOCITY + 3] = relative_velocity(v, spin, x)
            dcm_AB = rotation_matrices(row[ATTITUDE : ATTITUDE + 4])
            row[RATE : RATE + 3] -= dcm_AB.T @ spin
    return y


def first_attitude(release: Release) -> tuple[float, ...]:
    """Unit quaternion quat_AB of a release."""
    if release.attitude_quaternion is None:
        return _turned(release.attitude_yaw_pitch_roll_deg or (0.0, 0.0, 0.0))
    quat_AB = np.array(release.attitude_quaternion)
    return tuple(quat_AB / np.linalg.norm(quat_AB))


@functools.lru_cache(maxsize=16)
def _turned(angles_deg: tuple[float, float, float]) -> tuple[float, ...]:
    return tuple(quaternion_from_yaw_pitch_roll(*(np.array(angles_deg) * DEGREE)))


def fill_run(
    rows: np.ndarray, config: Config, scales: np.ndarray, states: np.ndarray, world: World
) -> None:
    """Times, tolerances, thresholds."""
    run: Run = config.run
    accuracy, radii = rows["accuracy"], rows["body"]["radius"]
    tolerance = accuracy["absolute"]
    tolerance[:] = (run.energy_tolerance * scales)[:, None]
    tolerance[:, POSITION : POSITION + 3] = run.position_tolerance_m
    tolerance[:, VELOCITY : VELOCITY + 3] = run.velocity_tolerance_m_per_s
    tolerance[:, ATTITUDE : ATTITUDE + 4] = run.attitude_tolerance
    tolerance[:, RATE : RATE + 3] = run.rate_tolerance_rad_per_s
    works = np.maximum(run.energy_tolerance * scales, LEAST_ENERGY)
    tolerance[:, WORK_DAMPING : WORK_SPIN + 1] = works[:, None]
    tolerance[:, FRAME_ATTITUDE : FRAME_ATTITUDE + 4] = run.attitude_tolerance
    tolerance[:, FRAME_RATE : FRAME_RATE + 3] = run.rate_tolerance_rad_per_s
    tolerance[:, WORK_ACTUATOR] = works
    tolerance[:, WHEEL_MOMENTUM:WORK_DRAG] = 1.0  # constant, or linear in time: no error
    tolerance[:, WORK_DRAG] = works
    accuracy["relative"] = run.relative_tolerance
    far = math.inf if run.escape_distance_m is None else run.escape_distance_m
    rows["run"] = (run.duration_s, run.output_interval_s, run.max_steps, far)
    rows["contact"]["depth_limit"] = config.contact.depth_limit * radii
    fill_settling(rows["settle"], config.settle, rows["body"]["radius"])
    places = states[:, POSITION : POSITION + 3].tolist()
    size = world.radius or np.array([math.hypot(*place) for place in places])
    accuracy["touch"] = np.maximum(TOUCH_TOLERANCE * radii, ROUNDING * size)
    stiffness = rows["ground"]["laws"]["k"][:, 0]
    accuracy["contact_step"] = CONTACT_STEP * np.sqrt(rows["body"]["mass"] / stiffness)
    accuracy["least_step"] = LEAST_STEP * accuracy["contact_step"]
    feature = rows["surface"]["feature"]
    feature[:] = min(world.smallest_feature, LARGEST)
    accuracy["least_stride"] = LEAST_STRIDE * np.minimum(radii, feature)
    error = run.position_tolerance_m + run.relative_tolerance * size
    rows["guard"]["flight_limit"] = TOLERANCES * accuracy["touch"] + STEP_ERRORS * error
    rows["guard"]["is_on"] = 1


def fill_settling(rows: np.ndarray, settle: Settle, radii: np.ndarray) -> None:
    """When a probe of a radius [m] counts as at rest."""
    rows["speed"], rows["rate"] = settle.speed_m_per_s, settle.rate_rad_per_s
    rows["hold"] = settle.hold_s
    rows["place"], rows["place_hold"] = settle.place_share * radii, settle.place_hold_s
