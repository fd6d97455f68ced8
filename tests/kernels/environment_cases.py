"""Gravity, air, light, orbits and turning frames, compiled and in Python."""

from __future__ import annotations

import math

from haptos.environment import (
    atmosphere,
    bullet_drag,
    eclipse,
    face_drag,
    gravity,
    gravity_gradient,
    gravity_j2,
    gravity_multipole,
    gravity_terms,
    orbit_frames,
    orbital_origin,
    origin_table,
    parabolic_flight,
    radiation_pressure,
    spin,
    thread_drag,
    turning_frame,
)
from haptos.environment.orbit_frames import EARTH_MU, KeplerElements, state_from_elements
from tests.environment import test_gravity, test_gravity_multipole
from tests.environment.face_bodies import box_faces
from tests.environment.test_parabolic_flight import PROFILES
from tests.kernels.harness import Case, vectors

EARTH = 6378137.0  # [m]
ORBIT = 6878e3  # [m]
SUN = (1.0, 0.0, 0.0)
DISTANCE = gravity_terms.ASTRONOMICAL_UNIT
OMEGA, MOMENTS = (1e-4, -3e-4, 2e-4), (1.0, 2.0, 2.5)
PITCH = PROFILES["spline"]
SAMPLES = parabolic_flight.disturbance_table([0.0, 10.0], [[0.0, 0.0, 0.0], [0.1, 0.2, 0.3]])
STANDARD = atmosphere.standard_table()
PATH = orbital_origin.origin_path(KeplerElements(9e6, 0.25, 1.2, 2.0, -0.7, 1.0))
CIRCLE = KeplerElements(7e6, 0.0, 0.9, 0.4, 0.0, 0.3)

CASES = {
    "potential_and_gravity": Case(
        gravity.potential_and_gravity,
        lambda: ((field, x) for field in test_gravity.FIELDS for x in test_gravity.POINTS),
    ),
    "multipole_gravity": Case(
        gravity_multipole.multipole_gravity,
        lambda: (
            (test_gravity_multipole.BODY.kernel.multipoles, tuple(x))
            for x in (6.0 * test_gravity_multipole.DIRECTIONS).tolist()
        ),
    ),
    "j2_gravity": Case(
        gravity_j2.j2_gravity, lambda: ((x, EARTH_MU, EARTH, 1.08e-3) for x in vectors(20, 7e6)), rtol=1e-15
    ),
    "gravity_gradient_torque": Case(
        gravity_gradient.gravity_gradient_torque,
        lambda: ((x, (900.0, 30.0, -20.0, 1500.0, 10.0, 2100.0), EARTH_MU) for x in vectors(20, 7e6)),
        rtol=1e-14,
    ),
    "gravity_gradient_energy": Case(
        gravity_gradient.gravity_gradient_energy,
        lambda: ((x, (900.0, 30.0, -20.0, 1500.0, 10.0, 2100.0), EARTH_MU) for x in vectors(20, 7e6)),
        rtol=1e-13,
    ),
    "locked_tide": Case(gravity_terms.locked_tide, lambda: ((x, 2e-4) for x in vectors(20, 400.0))),
    "primary_tide": Case(
        gravity_terms.primary_tide, lambda: ((x, (-9e6, 2e6, 1e6), 4.282837e13) for x in vectors(20, 400.0))
    ),
    "sunlight_acceleration": Case(
        gravity_terms.sunlight_acceleration, lambda: [(SUN, DISTANCE, 0.02, 0.3)]
    ),
    "sunlit_share": Case(
        gravity_terms.sunlit_share,
        lambda: ((x, SUN, DISTANCE, 300.0) for x in [(-400.0, 299.0, 10.0), *vectors(40, 400.0)]),
    ),
    "lvlh_axes": Case(
        orbit_frames.lvlh_axes, lambda: [((7e6, 1e5, -3e6), (1e3, 7e3, 200.0))], rtol=1e-15
    ),
    "origin_state": Case(
        orbital_origin.origin_state, lambda: ((PATH, t) for t in (-40.0, 0.0, 1234.5, 1e5)), rtol=1e-14
    ),
    "differential_gravity": Case(
        orbital_origin.differential_gravity,
        lambda: ((r, (7e6, 1e6, -3e6), EARTH_MU) for r in vectors(20, 5.0)),
        rtol=1e-14,
    ),
    "tabled_state": Case(
        origin_table.tabled_state,
        lambda: ((*origin_table.origin_table(*state_from_elements(CIRCLE), 10.0), t) for t in (0.0, 3.3, 9.9)),
        rtol=1e-15,
    ),
    "is_lit": Case(
        eclipse.is_lit,
        lambda: ((x, SUN, EARTH) for x in ((ORBIT, 0.0, 0.0), (-ORBIT, 0.0, 0.0), (0.0, ORBIT, 0.0))),
    ),
    "thread_drag": Case(
        thread_drag.thread_drag,
        lambda: ((1.225, 1.2, 1e-3, a, v) for a, v in zip(vectors(40), vectors(40, 9.0, 3), strict=True)),
    ),
    "bullet_drag": Case(
        bullet_drag.bullet_drag,
        lambda: ((1.225, v, (0.3, 0.1, 2.0), 0.02, 0.1, 0.9, 1.1, leans) for v in vectors(20, 5.0) for leans in (True, False)),
        rtol=1e-13,
    ),
    "newtonian_coefficient": Case(
        bullet_drag.newtonian_coefficient, lambda: [(9.0, 1.4), (1.5, 1.4)], rtol=1e-14
    ),
    "face_drag": Case(
        face_drag.face_drag,
        lambda: ((1.2, v, (0.1, -0.2, 0.3), *box_faces(2.0, 3.0, 1.0)) for v in vectors(20, 3.0)),
        rtol=1e-14,
    ),
    "earth_pressure": Case(radiation_pressure.earth_pressure, lambda: [(5e5, EARTH)], rtol=1e-14),
    "face_pressure": Case(
        radiation_pressure.face_pressure,
        lambda: ((4.5e-6, along, *box_faces(1.0, 2.0, 3.0, 1.2)) for along in ((0.6, 0.0, 0.8), SUN)),
        rtol=1e-14,
    ),
    "air_density": Case(
        atmosphere.air_density,
        lambda: ((h, STANDARD.log_density, STANDARD.spacing) for h in (-1.0, 0.0, 123456.7, 1e6, 2e6)),
        rtol=1e-14,
    ),
    "tumbling_acceleration": Case(spin.tumbling_acceleration, lambda: [(OMEGA, MOMENTS)]),
    "uniform_attitude": Case(
        spin.uniform_attitude, lambda: ((OMEGA, t) for t in (0.0, 1234.5, 1e6))
    ),
    "pitch": Case(
        parabolic_flight.pitch, lambda: ((PITCH.times, PITCH.pieces, t) for t in (0.0, 4.2, 9.0)), rtol=1e-14
    ),
    "interpolated": Case(
        parabolic_flight.interpolated, lambda: ((*SAMPLES, t) for t in (0.0, 4.2, 11.0)), rtol=1e-14
    ),
    "apparent_acceleration": Case(
        turning_frame.apparent_acceleration,
        lambda: ((r, v, (0.0, math.radians(4.0), 0.0), (0.0, 0.1, 0.0), (0.1, 0.2, 0.3)) for r, v in zip(vectors(20), vectors(20, seed=4), strict=True)),
        rtol=1e-14,
    ),
    "disturbance_from_imu": Case(
        parabolic_flight.disturbance_from_imu,
        lambda: ((d, (0.0, 0.07, 0.0), (0.0, 0.1, 0.0), r) for d, r in zip(vectors(20), vectors(20, seed=4), strict=True)),
        rtol=1e-14,
    ),
}  # fmt: skip
