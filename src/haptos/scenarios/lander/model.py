"""A lander configuration made ready for the kernel: one row of parameters, vertices, first state."""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass
from typing import assert_never, cast

import numpy as np
from scipy.spatial import ConvexHull

from haptos.contact.compliant import vertex_gap
from haptos.contact.restitution import damping
from haptos.contact.spring_damper import spring_energy
from haptos.core.errors import ConfigError
from haptos.core.rotations import (
    quaternion_from_yaw_pitch_roll,
    rotation_matrices,
    rotation_matrix,
)
from haptos.core.symmetric import six_of
from haptos.core.units import DEGREE, HOUR
from haptos.core.vectors import add_scaled, cross, dot
from haptos.dynamics.rigid_body import (
    ATTITUDE,
    FRAME_ATTITUDE,
    FRAME_RATE,
    FULL_SIZE,
    POSITION,
    RATE,
    VELOCITY,
    WORK_DAMPING,
    WORK_SPIN,
    kinetic_energy,
    relative_velocity,
)
from haptos.environment import gravity as gravities
from haptos.geometry import probe_shapes
from haptos.geometry import surface as surfaces
from haptos.geometry.probe_shapes import ProbeShape
from haptos.scenarios.lander.batch_layout import PARAMETERS
from haptos.scenarios.lander.config import (
    AnyGravity,
    AnyProbe,
    AnySpin,
    AnySurface,
    BoxProbe,
    Config,
    Contact,
    MeshProbe,
    PlaneSurface,
    PlatonicProbe,
    PointGravity,
    PrismProbe,
    Run,
    SphereProbe,
    SphereSurface,
    TumblingSpin,
    UniformGravity,
    UniformSpin,
)

CONTACT_STEP = 0.1  # [-] of sqrt(m/k): a sixtieth of a contact's period, tried first after touch
TOUCH_TOLERANCE = 1e-10  # [probe radii] how closely the instant of touch is met
DEEPEST_START = (
    0.02  # [probe radii] a release may be pressed in this far, as at rest on soft ground
)
LEAST_ENERGY = 1e-300  # [J] tolerance of a run without energy: nothing is divided by zero


@dataclass(frozen=True, slots=True)
class Model:
    """What the kernel needs for one run; everything in SI.

    parameters  one record of PARAMETERS, with first_vertex = 0
    vertices    (n, 3) [m] from the centre of mass, B axes        state  (FULL_SIZE,) at time zero
    scale       [J] initial energy: kinetic, of being carried round by the spin, elastic, and
                potential above the nearest ground
    """

    parameters: np.ndarray
    vertices: np.ndarray
    state: np.ndarray
    scale: float
    shape: ProbeShape


def build(config: Config) -> Model:
    """Model of one run."""
    shape = probe_shape(config.probe)
    vertices, inertia = mass_layout(config.probe, shape)
    spin, moments = spin_of(config.spin)
    p = np.zeros((), dtype=PARAMETERS)
    p["mass"] = config.probe.mass_kg
    p["inertia"], p["inverse_inertia"] = six_of(inertia), six_of(np.linalg.inv(inertia))
    p["vertex_count"], p["corner_radius"] = len(vertices), shape.corner_radius
    p["radius"] = np.linalg.norm(vertices, axis=1).max() + shape.corner_radius
    p["law"] = contact_law(config.contact, config.probe.mass_kg)
    surface, gravity = surface_of(config.surface), gravity_of(config.gravity)
    p["surface_kind"], p["surface"] = surface.kind, surface[1:]
    p["gravity_kind"], p["gravity"] = gravity.kind, gravity[1:]
    p["spin"], p["moments"] = spin, moments if moments is not None else 1.0
    p["is_tumbling"] = moments is not None
    state = first_state(config, spin)
    scale = initial_energy(p, vertices, state, surface, gravity)
    fill_run(p, config, scale)
    return Model(p, vertices, state, scale, shape)


@functools.lru_cache(maxsize=64)
def probe_shape(probe: AnyProbe) -> ProbeShape:
    """Shape of the probe; the same shape is made once for a whole campaign."""
    if isinstance(probe, BoxProbe):
        shape = probe_shapes.box(probe.size_m)
    elif isinstance(probe, PlatonicProbe):
        edge = probe.edge_m
        if edge is None:
            volume = probe.mass_kg / cast(float, probe.density_kg_per_m3)
            edge = probe_shapes.platonic_edge(probe.shape, volume)
        shape = probe_shapes.platonic(probe.shape, edge)
    elif isinstance(probe, PrismProbe):
        shape = probe_shapes.prism(probe.sides, probe.radius_m, probe.height_m)
    elif isinstance(probe, SphereProbe):
        shape = probe_shapes.sphere(probe.radius_m)
    elif isinstance(probe, MeshProbe):
        shape = probe_shapes.from_mesh(probe.file, probe.unit)
    else:
        assert_never(probe)
    if probe.tessellation > 0 and not isinstance(probe, SphereProbe):
        shape = probe_shapes.tessellated(shape, probe.tessellation)
    return shape


def mass_layout(probe: AnyProbe, shape: ProbeShape) -> tuple[np.ndarray, np.ndarray]:
    """(vertices from the centre of mass [m], inertia about it [kg m^2]), B axes."""
    vertices = np.ascontiguousarray(shape.vertices - np.array(probe.center_of_mass_m))
    if probe.inertia_kg_m2 is None:
        return vertices, probe.mass_kg * shape.inertia_per_mass
    check_inside(shape, np.array(probe.center_of_mass_m))
    given = np.array(probe.inertia_kg_m2, dtype=float)
    return vertices, np.diag(given) if given.ndim == 1 else given


def check_inside(shape: ProbeShape, point: np.ndarray) -> None:
    """Refuse a centre of mass no mass inside the shape can have."""
    if shape.corner_radius > 0.0:
        is_inside = bool(np.linalg.norm(point) < shape.corner_radius)
    else:
        faces = ConvexHull(shape.vertices).equations  # outward normals and offsets
        is_inside = bool(np.all(faces[:, :3] @ point + faces[:, 3] < 0.0))
    if not is_inside:
        raise ConfigError(
            "[probe] center_of_mass_m",
            f"{point.tolist()}, outside the probe",
            "a point inside the hull of the shape",
            "give it from the centroid of the shape, in metres",
        )


def contact_law(contact: Contact, mass: float) -> tuple[float, ...]:
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


def surface_of(surface: AnySurface) -> surfaces.Surface:
    """Ground as the kernel knows it."""
    if isinstance(surface, PlaneSurface):
        return surfaces.plane(surface.point_m, surface.normal)
    if isinstance(surface, SphereSurface):
        return surfaces.sphere(surface.radius_m)
    return surfaces.ellipsoid(surface.semi_axes_m)


def gravity_of(gravity: AnyGravity) -> gravities.Gravity:
    """Field as the kernel knows it."""
    if isinstance(gravity, UniformGravity):
        return gravities.uniform(gravity.acceleration_m_per_s2)
    if isinstance(gravity, PointGravity):
        return gravities.point(gravity.mu_m3_per_s2)
    mu = gravity.mu_m3_per_s2
    if mu is None:
        density = cast(float, gravity.density_kg_per_m3)  # the table holds exactly one of the two
        mu = gravities.ellipsoid_mu(gravity.semi_axes_m, density)
    return gravities.ellipsoid(gravity.semi_axes_m, mu)


def spin_of(spin: AnySpin) -> tuple[np.ndarray, np.ndarray | None]:
    """omega_AN_A [rad/s] at the start, and the moments of a tumbling body or None."""
    if isinstance(spin, UniformSpin):
        pole = np.array(spin.pole) / math.hypot(*spin.pole)
        return 2.0 * math.pi / (spin.period_h * HOUR) * pole, None
    if isinstance(spin, TumblingSpin):
        return np.array(spin.rate_rad_per_s), np.array(spin.moment_ratios)
    return np.zeros(3), None


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
    elastic = sum(spring_energy(float(p["law"][0]), gap) for gap in gaps)
    kinetic = kinetic_energy(mass, tuple(p["inertia"].tolist()), v, w)
    carried = cross(tuple(p["spin"].tolist()), x)
    kinetic += 0.5 * mass * dot(carried, carried)
    return float(kinetic + elastic + mass * abs(there - here))


def fill_run(p: np.ndarray, config: Config, scale: float) -> None:
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
    p["absolute_tolerance"], p["relative_tolerance"] = tolerance, run.relative_tolerance
    p["duration"], p["output_interval"] = run.duration_s, run.output_interval_s
    p["max_steps"] = run.max_steps
    p["depth_limit"] = config.contact.depth_limit * p["radius"]
    p["escape_distance"] = math.inf if run.escape_distance_m is None else run.escape_distance_m
    p["settle"] = (
        config.settle.speed_m_per_s, config.settle.rate_rad_per_s, config.settle.hold_s
    )  # fmt: skip
    p["touch_tolerance"] = TOUCH_TOLERANCE * p["radius"]
    p["contact_step"] = CONTACT_STEP * math.sqrt(p["mass"] / p["law"][0])
