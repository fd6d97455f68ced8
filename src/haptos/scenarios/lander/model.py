"""A lander configuration made ready for the kernel: one row of parameters, vertices, first state."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import cast

import numpy as np

from haptos.contact.collision import LAWS
from haptos.contact.compliant import vertex_gap
from haptos.contact.restitution import damping
from haptos.contact.rocks_stochastic import stochastic_rocks
from haptos.contact.spring_damper import spring_energy
from haptos.core.arena import Arena
from haptos.core.counter_random import random_key
from haptos.core.errors import ConfigError
from haptos.core.rotations import (
    quaternion_from_yaw_pitch_roll,
    rotation_matrices,
    rotation_matrix,
)
from haptos.core.symmetric import six_of
from haptos.core.units import DEGREE
from haptos.core.vectors import add_scaled, cross, dot, norm, subtract
from haptos.dynamics.first_touch import MARCHES
from haptos.dynamics.free_rotation import top_axis
from haptos.dynamics.rigid_body import (
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
    WORK_SPIN,
    kinetic_energy,
    relative_velocity,
)
from haptos.environment import gravity as gravities
from haptos.environment.gravity_terms import (
    ASTRONOMICAL_UNIT,
    sunlight_acceleration,
)
from haptos.geometry import surface as surfaces
from haptos.geometry.land import is_rough
from haptos.geometry.probe_shapes import ProbeShape
from haptos.scenarios.lander.batch_layout import IMPULSIVE, PARAMETERS, ROCKS
from haptos.scenarios.lander.config import Config, Run
from haptos.scenarios.lander.config_contact import CompliantContact, ImpulsiveContact
from haptos.scenarios.lander.config_hops import AnyHops
from haptos.scenarios.lander.config_world import Coefficients
from haptos.scenarios.lander.probe import mass_layout, probe_shape
from haptos.scenarios.lander.world import World, spin_of, world_of

CONTACT_STEP = 0.1  # [-] of sqrt(m/k): a sixtieth of a contact's period, tried first after touch
ROUNDING = 4e-15  # [world radii] places on the ground are not known better than this
TOUCH_TOLERANCE = 1e-10  # [probe radii] how closely the instant of touch is met
DEEPEST_START = (
    0.02  # [probe radii] a release may be pressed in this far, as at rest on soft ground
)
LEAST_PULL = 1e-9  # [m/s^2] gravity below which contact is as stiff as with this much
SOFTEST, HARDEST = 0.05, 0.99  # [-] restitution of those springs
PULSE_STIFFNESS = (
    100.0  # [-] swings of the ground, in radians, in the time of a pulse: it feels rigid
)
SMOOTH_LOOKS, ROUGH_LOOKS = 8.0, 400.0  # for touches in a step of a run with impacts, assumed
LEAST_STEP = 1e-12  # [contact steps] a shorter step of a run with impacts is none
LEAST_ENERGY = 1e-300  # [J] tolerance of a run without energy: nothing is divided by zero


@dataclass(frozen=True, slots=True)
class Model:
    """What the kernel needs for one run; everything in SI.

    parameters  one record of PARAMETERS, with first_vertex = 0
    vertices    (n, 7) place [m] from the centre of mass, kind, direction; B axes   state  (FULL_SIZE,) at time zero
    scale       [J] initial energy: kinetic, of being carried round by the spin, elastic, and
                potential above the nearest ground; and what hops can add
    """

    parameters: np.ndarray
    vertices: np.ndarray
    state: np.ndarray
    scale: float
    shape: ProbeShape
    world: World

    @property
    def land(self) -> Arena:
        """Tables shared by all runs of this world, and the functions they call."""
        if self.parameters["law_kind"] == IMPULSIVE:
            return self.world.land_with_impacts
        return self.world.surface.land


def build(config: Config) -> Model:
    """Model of one run."""
    shape = probe_shape(config.probe)
    vertices, inertia = mass_layout(config.probe, shape)
    spin, moments = spin_of(config.spin)
    p = np.zeros((), dtype=PARAMETERS)
    p["mass"] = config.probe.mass_kg
    p["inertia"], p["inverse_inertia"] = six_of(inertia), six_of(np.linalg.inv(inertia))
    p["vertex_count"], p["corner_radius"] = len(vertices), shape.corner_radius
    p["radius"] = np.linalg.norm(vertices[:, :3], axis=1).max() + shape.corner_radius
    world = world_of(config)
    surface, gravity = world.surface, world.gravity
    pull = ground_pull(config, world)
    fill_hops(p, config)
    fill_laws(p, config, pull)
    p["surface_kind"], p["surface"] = surface.kind, surface[1:5]
    p["gravity_kind"], p["gravity"] = gravity.kind, gravity[1:5]
    p["primary"] = (0.0, 1.0, 0.0, 0.0)
    if config.primary is not None:
        p["primary"] = (config.primary.mu_m3_per_s2, *config.primary.position_m)
        gravity = gravities.with_primary(
            gravity, config.primary.mu_m3_per_s2, config.primary.position_m
        )
    fill_sunlight(p, config, world.radius)
    p["spin"], p["moments"] = spin, moments if moments is not None else 1.0
    p["is_tumbling"] = moments is not None
    top = top_axis(inertia)
    if top is not None and moments is None and p["law_kind"] == IMPULSIVE and p["hops"] == 0:
        p["is_top"], p["top"] = 1, (*top[0], top[1])
    state = first_state(config, spin)
    scale = initial_energy(p, vertices, state, surface, gravity) + hop_energy(config, inertia)
    fill_run(p, config, scale, world)
    return Model(p, vertices, state, scale, shape, world)


def fill_hops(p: np.ndarray, config: Config) -> None:
    """Momentum device; nothing where no hop is asked for."""
    hops = hops_of(config)
    if hops is None:
        return
    p["hops"] = hops.count
    torque = hops.impulse / hops.duration_s
    p["hop"] = (hops.wait_s, torque, hops.duration_s, hops.first_momentum)
    if hops.axis is not None:
        p["hop_axis"] = np.array(hops.axis) / math.hypot(*hops.axis)
    if hops.toward_m is not None:
        p["hop_target"], p["has_hop_target"] = hops.toward_m, 1


def hops_of(config: Config) -> AnyHops | None:
    """The table [hops], if it asks for any."""
    return None if config.hops is None or config.hops.count == 0 else config.hops


def hop_energy(config: Config, inertia: np.ndarray) -> float:
    """Energy [J] all pulses can give to a hull that turns about the axis with its least moment."""
    hops = hops_of(config)
    if hops is None:
        return 0.0
    return float(0.5 * hops.count * hops.impulse**2 / np.linalg.eigvalsh(inertia)[0])


def pushed_springs(p: np.ndarray, hops: AnyHops) -> tuple[float, float]:
    """Spring [N/m] and damper [N s/m] of a vertex while the device acts.

    Neither its weight nor the speed of its rim sinks the body by more than lying_depth, and the ground
    follows the pulse like a rigid one.
    """
    six, radius = p["inverse_inertia"], float(p["radius"])
    rim = radius * hops.impulse * float(six[0] + six[1] + six[2])  # trace: more than any moment's
    rate = max(
        float(p["correction"]), rim / float(p["lying_depth"]), PULSE_STIFFNESS / hops.duration_s
    )
    mass = float(p["mass"])
    return mass * rate * rate, damping(SOFTEST, mass * rate * rate, mass)


def ground_pull(config: Config, world: World) -> float:
    """Gravity and centrifugal acceleration [m/s^2] on the ground below the release."""
    place = np.array([config.release.position_m])
    foot, _ = surfaces.ground_feet(world.surface, place)
    x = tuple(foot[0].tolist())
    _, g = gravities.potential_and_gravity(world.gravity, x)
    spin = tuple(spin_of(config.spin)[0].tolist())
    return norm(subtract(g, cross(spin, cross(spin, x))))


def fill_laws(p: np.ndarray, config: Config, pull: float) -> None:
    """Contact law of the ground, of each region and of rocks."""
    contact, mass = config.contact, config.probe.mass_kg
    p["has_regions"] = len(config.regions) > 0
    if isinstance(contact, ImpulsiveContact):
        fill_impulsive(p, config, contact, pull)
        return
    p["laws"] = contact_law(contact, mass)
    for label, region in enumerate(config.regions, start=1):
        p["laws"][label] = contact_law(region_contact(contact, region), mass)


def fill_impulsive(p: np.ndarray, config: Config, contact: ImpulsiveContact, pull: float) -> None:
    """Coefficients of impacts, and the springs a body at several vertices lies on."""
    p["law_kind"] = IMPULSIVE
    kinds: list[Coefficients | None] = [None, *config.regions]
    for row in range(len(p["grounds"])):
        own = contact.rocks if row == ROCKS else kinds[row] if row < len(kinds) else None
        p["grounds"][row] = coefficients(contact, own)
    p["rolling_axes"], p["restitution_law"] = contact.rolling_axes, LAWS[contact.restitution_law]
    if contact.regolith is not None:
        soft = contact.regolith
        p["regolith"] = (
            soft.grazing_restitution, soft.normal_restitution, soft.critical_angle_deg * DEGREE
        )  # fmt: skip
    if contact.stochastic_rocks is not None:
        rocks = contact.stochastic_rocks
        p["stochastic"] = stochastic_rocks(
            rocks.rocks_per_m2, rocks.power, rocks.smallest_m, rocks.largest_m, float(p["radius"])
        )
    p["contact_speed"], p["has_contact_motion"] = (
        contact.contact_speed_m_per_s,
        contact.contact_motion,
    )
    p["rests_in_balance"] = config.settle.balance
    p["stick"] = (contact.stick_speed_m_per_s, contact.stick_rate_rad_per_s)
    p["key"] = random_key(config.seed, "impacts")
    rate = math.sqrt(max(pull, LEAST_PULL) / (contact.lying_depth * float(p["radius"])))
    p["correction"], p["lying_depth"] = rate, contact.lying_depth * float(p["radius"])
    hops = hops_of(config)
    if hops is not None:
        p["push"] = pushed_springs(p, hops)
    stiffness = config.probe.mass_kg * rate * rate
    for label in range(len(p["laws"])):
        e, f, c_rr = p["grounds"][label]
        bounce = min(max(e, SOFTEST), HARDEST)
        p["laws"][label] = (
            stiffness, damping(bounce, stiffness, config.probe.mass_kg), f, f, c_rr,
            contact.stick_speed_m_per_s, contact.stick_rate_rad_per_s,
        )  # fmt: skip


def coefficients(contact: ImpulsiveContact, own: Coefficients | None) -> tuple[float, ...]:
    """Restitution, friction, rolling length: of its own, or those of the rest of the ground."""
    names = ("restitution", "friction", "rolling_resistance_m")
    given = [None if own is None else getattr(own, name) for name in names]
    return tuple(
        getattr(contact, name) if value is None else value
        for name, value in zip(names, given, strict=True)
    )


def region_contact(contact: CompliantContact, region: Coefficients) -> CompliantContact:
    """Coefficients of a region: its own, those of the rest of the ground where it has none."""
    changes: dict[str, float | None] = {}
    if region.restitution is not None:
        changes |= {"restitution": region.restitution, "damping_N_s_per_m": None}
    if region.friction is not None:
        changes |= {"friction": region.friction, "static_friction": None}
    if region.rolling_resistance_m is not None:
        changes["rolling_resistance_m"] = region.rolling_resistance_m
    return contact.model_copy(update=changes)


def fill_sunlight(p: np.ndarray, config: Config, shadow: float) -> None:
    """Pressure of sunlight on the probe; the shadow is that of the ball around the body."""
    p["sun"] = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0)
    sunlight = config.sunlight
    if sunlight is None:
        return
    direction = np.array(sunlight.direction) / math.hypot(*sunlight.direction)
    distance = sunlight.distance_au * ASTRONOMICAL_UNIT
    ratio = sunlight.area_m2 / config.probe.mass_kg
    push = sunlight_acceleration((-1.0, 0.0, 0.0), distance, ratio, sunlight.reflectivity)
    p["is_sunlit"], p["sun"] = 1, (*direction, push[0], distance, shadow)


def contact_law(contact: CompliantContact, mass: float) -> tuple[float, ...]:
    """k, c, mu, mu_s, c_rr, v_s, w_s."""
    c = contact.damping_N_s_per_m
    if c is None:
        e = cast(float, contact.restitution)  # the table holds exactly one of the two
        c = damping(e, contact.stiffness_N_per_m, mass)
    mu_s = contact.friction if contact.static_friction is None else contact.static_friction
    return (
        contact.stiffness_N_per_m, c, contact.friction, mu_s, contact.rolling_resistance_m,
        contact.stick_speed_m_per_s, contact.stick_rate_rad_per_s,
    )  # fmt: skip


def first_state(config: Config, spin: np.ndarray) -> np.ndarray:
    """State at release, relative to the rotating body."""
    release = config.release
    y = np.zeros(FULL_SIZE)
    if release.attitude_quaternion is not None:
        quat_AB = np.array(release.attitude_quaternion)
        quat_AB /= np.linalg.norm(quat_AB)
    else:
        angles = np.array(release.attitude_yaw_pitch_roll_deg or (0.0, 0.0, 0.0)) * DEGREE
        quat_AB = quaternion_from_yaw_pitch_roll(*angles)
    x, v = np.array(release.position_m), np.array(release.velocity_m_per_s)
    w_B = np.array(release.rate_rad_per_s)
    if release.frame == "inertial":
        v = np.array(relative_velocity(v, spin, x))
        w_B = w_B - rotation_matrices(quat_AB).T @ spin
    y[POSITION : POSITION + 3], y[VELOCITY : VELOCITY + 3] = x, v
    y[ATTITUDE : ATTITUDE + 4], y[RATE : RATE + 3] = quat_AB, w_B
    y[FRAME_ATTITUDE], y[FRAME_RATE : FRAME_RATE + 3] = 1.0, spin
    return y


def initial_energy(
    p: np.ndarray,
    vertices: np.ndarray,
    state: np.ndarray,
    surface: surfaces.Surface,
    gravity: gravities.Gravity,
) -> float:
    """Scale of the ledger [J]; refuses a release that starts inside the ground."""
    x, v, w = (tuple(state[i : i + 3].tolist()) for i in (POSITION, VELOCITY, RATE))
    dcm_AB = rotation_matrix(tuple(state[ATTITUDE : ATTITUDE + 4].tolist()))
    mass, radius, corner = float(p["mass"]), float(p["radius"]), float(p["corner_radius"])
    gaps = [vertex_gap(surface, vertices, corner, j, dcm_AB, x)[0] for j in range(len(vertices))]
    if -min(gaps) > DEEPEST_START * radius:
        raise ConfigError(
            "[release] position_m",
            f"a probe {-min(gaps):.6g} m inside the ground at time zero",
            f"vertices above ground, or pressed in by at most {DEEPEST_START * radius:.3g} m",
            "release it higher",
        )
    height, normal = surfaces.gap_and_normal(surface, x)
    here, _ = gravities.potential_and_gravity(gravity, x)
    there, _ = gravities.potential_and_gravity(gravity, add_scaled(x, -height, normal))
    elastic = 0.0
    if p["law_kind"] != IMPULSIVE:
        elastic = sum(spring_energy(float(p["laws"][0, 0]), gap) for gap in gaps)
    kinetic = kinetic_energy(mass, tuple(p["inertia"].tolist()), v, w)
    carried = cross(tuple(p["spin"].tolist()), x)
    kinetic += 0.5 * mass * dot(carried, carried)
    return float(kinetic + elastic + mass * abs(there - here))


def fill_run(p: np.ndarray, config: Config, scale: float, world: World) -> None:
    """Times, tolerances, thresholds."""
    run: Run = config.run
    tolerance = np.full(FULL_SIZE, run.energy_tolerance * scale)
    tolerance[POSITION : POSITION + 3] = run.position_tolerance_m
    tolerance[VELOCITY : VELOCITY + 3] = run.velocity_tolerance_m_per_s
    tolerance[ATTITUDE : ATTITUDE + 4] = run.attitude_tolerance
    tolerance[RATE : RATE + 3] = run.rate_tolerance_rad_per_s
    tolerance[WORK_DAMPING : WORK_SPIN + 1] = max(run.energy_tolerance * scale, LEAST_ENERGY)
    tolerance[FRAME_ATTITUDE : FRAME_ATTITUDE + 4] = run.attitude_tolerance
    tolerance[FRAME_RATE : FRAME_RATE + 3] = run.rate_tolerance_rad_per_s
    tolerance[WORK_ACTUATOR] = tolerance[WORK_DAMPING]
    tolerance[WHEEL_MOMENTUM:] = 1.0  # constant, or linear in time: integrated without error
    p["absolute_tolerance"], p["relative_tolerance"] = tolerance, run.relative_tolerance
    p["duration"], p["output_interval"] = run.duration_s, run.output_interval_s
    p["max_steps"] = run.max_steps
    p["depth_limit"] = config.contact.depth_limit * p["radius"]
    p["escape_distance"] = math.inf if run.escape_distance_m is None else run.escape_distance_m
    p["settle"] = (
        config.settle.speed_m_per_s, config.settle.rate_rad_per_s, config.settle.hold_s
    )  # fmt: skip
    size = world.radius or math.hypot(*config.release.position_m)
    p["touch_tolerance"] = max(TOUCH_TOLERANCE * float(p["radius"]), ROUNDING * size)
    p["contact_step"] = CONTACT_STEP * math.sqrt(p["mass"] / p["laws"][0, 0])
    p["looks"] = MARCHES
    if p["law_kind"] == IMPULSIVE:
        p["looks"] = ROUGH_LOOKS if is_rough(world.surface.land) else SMOOTH_LOOKS
    p["least_step"] = LEAST_STEP * p["contact_step"]
