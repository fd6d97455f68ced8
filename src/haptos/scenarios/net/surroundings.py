"""Field of a net's surroundings: the ground, an orbit with or without J2, a flight, a small body."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from haptos.core.errors import ConfigError
from haptos.core.units import DEGREE
from haptos.dynamics.field import FLIGHT, NO_FIELD, ORBIT, UNIFORM
from haptos.dynamics.system import Field
from haptos.environment.gravity_j2 import EARTH_J2
from haptos.environment.orbit_frames import (
    EARTH_MU,
    EARTH_RADIUS,
    KeplerElements,
    elements_from_state,
    lvlh_axes,
    state_from_elements,
)
from haptos.environment.orbital_origin import origin_path
from haptos.environment.origin_table import origin_table
from haptos.environment.parabolic_flight import disturbance_table, rate_profile
from haptos.scenarios.net.column_files import read_columns
from haptos.scenarios.net.config import Config
from haptos.scenarios.net.config_environment import ALTITUDE, INCLINATION, PITCH_RATE
from haptos.scenarios.net.site import small_body_field

Floats = NDArray[np.float64]
KINDS = {"free": NO_FIELD, "ground": UNIFORM, "orbit": ORBIT, "flight": FLIGHT}
PITCH_COLUMNS = ("time_s", "rate_deg_per_s")
DISTURBANCE_COLUMNS = ("time_s", "x_m_per_s2", "y_m_per_s2", "z_m_per_s2")


def field_of(config: Config) -> Field:
    """Field of the environment. In orbit N axes are those of LVLH at time zero, x along V-bar."""
    given, kind = config.environment, config.surroundings
    if kind == "body":
        return small_body_field(config)
    uniform = np.zeros(3)
    if kind == "ground":
        uniform[:] = given.ground_gravity
    fields: dict[str, Any] = _flight(config) if kind == "flight" else {}
    elements = elements_of(config)
    dcm_NE = axes_of(elements)
    a, e, n, m0, p, q = origin_path(elements)
    first, second = (tuple(map(float, dcm_NE @ np.array(side))) for side in (p, q))
    path = (a, e, n, m0, first, second)
    turning = fields.pop("turning", np.zeros(9))
    if given.j2:
        spacing, rows = origin_table(*state_from_elements(elements), config.run.duration_s)
        turned = np.concatenate([rows[:, :3] @ dcm_NE.T, rows[:, 3:] @ dcm_NE.T], axis=1)
        fields |= {"j2": EARTH_J2, "spacing": spacing, "rows": np.ascontiguousarray(turned)}
    return Field(
        KINDS[kind], uniform, EARTH_MU, path, np.zeros(6), turning, radius=EARTH_RADIUS,
        axes=dcm_NE, has_gradient=given.gravity_gradient, **fields,
    )  # fmt: skip


def elements_of(config: Config) -> KeplerElements:
    """Orbit of the N origin at time zero; refuses one that meets the ground."""
    given, orbit = config.environment, config.environment.orbit
    if orbit is None:
        tilt = INCLINATION if given.inclination_deg is None else given.inclination_deg
        return KeplerElements(
            EARTH_RADIUS + (given.altitude_m or ALTITUDE),
            inclination=DEGREE * tilt,
            true_anomaly=DEGREE * (given.latitude_argument_deg or 0.0),
        )
    if orbit.position_m is not None and orbit.velocity_m_per_s is not None:
        elements = elements_from_state(orbit.position_m, orbit.velocity_m_per_s)
    else:
        elements = KeplerElements(
            float(orbit.semi_major_axis_m or 0.0), orbit.eccentricity,
            orbit.inclination_deg * DEGREE, orbit.node_deg * DEGREE, orbit.periapsis_deg * DEGREE,
            orbit.true_anomaly_deg * DEGREE,
        )  # fmt: skip
    lowest = elements.semi_major_axis * (1.0 - elements.eccentricity)
    if lowest <= EARTH_RADIUS:
        found = f"an orbit whose lowest point is {lowest:.6g} m from the Earth's centre"
        allowed = f"above {EARTH_RADIUS:.7g} m"
        raise ConfigError("[environment.orbit]", found, allowed, "check metres and kilometres")
    return elements


def axes_of(elements: KeplerElements) -> Floats:
    """dcm_NE: N axes (LVLH at time zero) from axes with z along the Earth's spin."""
    place, speed = state_from_elements(elements)
    rows = lvlh_axes(tuple(map(float, place)), tuple(map(float, speed)))
    return np.ascontiguousarray(np.array(rows))


def _flight(config: Config) -> dict[str, Any]:
    """Members of the field that a flight has."""
    given, flight = config.environment, config.environment.flight
    turning = np.zeros(9)
    even = PITCH_RATE if given.pitch_rate_deg_per_s is None else given.pitch_rate_deg_per_s
    turning[1] = even * DEGREE
    fields: dict[str, Any] = {"turning": turning}
    if flight is None:
        return fields
    fields |= {"arm": np.array(flight.place_m), "sensor": np.array(flight.sensor_m)}
    end = config.run.duration_s
    if flight.pitch_times_s or flight.pitch_file is not None:
        times, rates = np.array(flight.pitch_times_s), np.array(flight.pitch_rates_deg_per_s)
        if flight.pitch_file is not None:
            columns = read_columns(flight.pitch_file, PITCH_COLUMNS)
            times, rates = columns[0], columns[1]
        profile = rate_profile(times, rates * DEGREE)
        _require_cover("[environment.flight] pitch profile", times, end)
        fields |= {"pitch_times": profile.times, "pitch_pieces": profile.pieces}
    if flight.disturbance_times_s or flight.disturbance_file is not None:
        times, values = np.array(flight.disturbance_times_s), np.array(flight.disturbance_m_per_s2)
        if flight.disturbance_file is not None:
            columns = read_columns(flight.disturbance_file, DISTURBANCE_COLUMNS)
            times, values = columns[0], columns[1:].T
        times, values = disturbance_table(times, values)
        _require_cover("[environment.flight] disturbance", times, end)
        fields |= {"reading_times": times, "readings": values}
    return fields


def _require_cover(where: str, times: Floats, end: float) -> None:
    """Times [s] of a table must reach from 0 to the end of the run [s]."""
    if times[0] > 0.0 or times[-1] < end:
        found = f"times from {times[0]:g} to {times[-1]:g} s"
        raise ConfigError(where, found, f"0 to {end:g} s, the whole run", "shorten run.duration_s")
