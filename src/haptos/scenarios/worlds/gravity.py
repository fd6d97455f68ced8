"""What pulls in a world and how it turns: gravity, spin, geopotential of a scenario file."""

from __future__ import annotations

import math
from typing import cast

import numpy as np

from haptos.core.arena import Arena
from haptos.core.units import GRAVITATIONAL_CONSTANT, HOUR
from haptos.environment import gravity as gravities
from haptos.environment import gravity_ellipsoid, gravity_point, gravity_table, gravity_uniform
from haptos.environment.gravity_polyhedron import PolyhedronField
from haptos.environment.gravity_resolution import coarser_mesh
from haptos.environment.gravity_table import GravityTable
from haptos.environment.gravity_table_build import table_values
from haptos.environment.gravity_table_files import cached_gravity_table
from haptos.environment.spin import tumbling_acceleration
from haptos.geometry.mesh.mass_properties import mass_properties
from haptos.scenarios.worlds.config import (
    AnyGravity,
    AnySpin,
    EllipsoidGravity,
    PointGravity,
    PolyhedronGravity,
    TumblingSpin,
    UniformGravity,
    UniformSpin,
)
from haptos.scenarios.worlds.ground import Floats, Integers, Mesh
from haptos.scenarios.worlds.progress import progress_of

GRAVITY_LAWS = {
    "uniform": gravity_uniform, "point": gravity_point, "ellipsoid": gravity_ellipsoid,
    "polyhedron": gravity_table,
}  # modules, for what they cite  # fmt: skip
TURNS = 100.0  # [-] rows of the table of a tumbling spin per radian it turns
MOST_ROWS = 200_000  # of that table; later ones are wider apart
SPACINGS_PER_RADIUS = 40.0  # of a gravity table if nothing is said, assumed: 0.3 % at the ground


def gravity_of(gravity: AnyGravity, land: Arena, table: GravityTable | None) -> gravities.Gravity:
    """Field as the kernel knows it."""
    if isinstance(gravity, UniformGravity):
        return gravities.uniform(gravity.acceleration_m_per_s2)
    if isinstance(gravity, PointGravity):
        return gravities.point(gravity.mu_m3_per_s2)
    if table is not None:
        return gravities.tabulated(land, table.mu)
    given = cast(EllipsoidGravity, gravity)
    mu = given.mu_m3_per_s2
    if mu is None:
        density = cast(float, given.density_kg_per_m3)  # the table holds exactly one of the two
        mu = gravities.ellipsoid_mu(given.semi_axes_m, density)
    return gravities.ellipsoid(given.semi_axes_m, mu)


def gravity_table_of(gravity: PolyhedronGravity, mesh: Mesh) -> GravityTable:
    """Table of the body's field; its spacing is a share of the radius if nothing is said."""
    field = polyhedron_field(gravity, *mesh)
    spacing = gravity.table_spacing_m or field.radius / SPACINGS_PER_RADIUS
    return cached_gravity_table(field, spacing, progress=progress_of("gravity table"))


def polyhedron_field(
    gravity: PolyhedronGravity, vertices: Floats, faces: Integers
) -> PolyhedronField:
    """Exact field of the mesh, or of a coarser one of the same mass."""
    mu = gravity.mu_m3_per_s2
    if mu is None:
        density = cast(float, gravity.density_kg_per_m3)
        mu = GRAVITATIONAL_CONSTANT * density * mass_properties(vertices, faces).volume
    if len(faces) > gravity.facets:
        vertices, faces = coarser_mesh(vertices, faces, gravity.facets)
    volume = mass_properties(vertices, faces).volume
    return PolyhedronField(vertices, faces, mu / (GRAVITATIONAL_CONSTANT * volume))


def spin_of(spin: AnySpin) -> tuple[Floats, Floats | None]:
    """omega_AN_A [rad/s] at the start, and the moments of a tumbling body or None."""
    if isinstance(spin, UniformSpin):
        pole = np.array(spin.pole) / math.hypot(*spin.pole)
        return 2.0 * math.pi / (spin.period_h * HOUR) * pole, None
    if isinstance(spin, TumblingSpin):
        return np.array(spin.rate_rad_per_s), np.array(spin.moment_ratios)
    return np.zeros(3), None


def spin_table(spin: Floats, moments: Floats, duration: float) -> tuple[float, Floats]:
    """(spacing [s], rows (n, 6) of the rate [rad/s] and its rate) of a body that tumbles freely, A axes."""
    from scipy.integrate import solve_ivp

    own = tuple(moments.tolist())
    rate = max(float(np.linalg.norm(spin)), 1e-300)
    count = int(min(max(math.ceil(TURNS * rate * duration), 2), MOST_ROWS))
    solved = solve_ivp(
        lambda _, w: tumbling_acceleration(tuple(w.tolist()), own), (0.0, duration), spin,
        method="DOP853", t_eval=np.linspace(0.0, duration, count + 1), rtol=1e-11, atol=1e-14 * rate,
    )  # fmt: skip
    rates = solved.y.T
    changes = np.array([tumbling_acceleration(tuple(w), own) for w in rates.tolist()])
    return duration / count, np.concatenate([rates, changes], axis=1)


def geopotential(
    field: gravities.Gravity, table: GravityTable | None, spin: Floats, points: Floats
) -> Floats:
    """U + |Omega x r|^2/2 [m^2/s^2] at points (n, 3) [m]; larger is lower ground."""
    if table is not None:
        potential = table_values(table, points)[0]
    else:
        rows = points.tolist()
        potential = np.array([gravities.own_gravity(field, tuple(row))[0] for row in rows])
    return np.asarray(potential + 0.5 * np.sum(np.cross(spin, points) ** 2, axis=1))
