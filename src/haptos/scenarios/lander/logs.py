"""Impacts and trajectories of many landers, flat: one number per column, units in the names."""

from __future__ import annotations

import numpy as np

from haptos.dynamics.rigid.rigid_body import ATTITUDE, POSITION, RATE, VELOCITY
from haptos.dynamics.touching.run_parameters import IMPULSIVE
from haptos.dynamics.touching.stored_rows import (
    EVENT_ANGLE,
    EVENT_ASPECT,
    EVENT_CLOSING,
    EVENT_GROUND,
    EVENT_KIND,
    EVENT_KINETIC,
    EVENT_NORMAL,
    EVENT_NU_AFTER,
    EVENT_NU_BEFORE,
    EVENT_POINT,
    EVENT_SLIP,
    EVENT_TIME,
    EVENT_V_AFTER,
    EVENT_V_BEFORE,
    EVENT_VERTEX,
    EVENT_W_AFTER,
    EVENT_W_BEFORE,
    EVENT_WORKS,
    IMPACT,
    ROW_STATE,
    ROW_TIME,
    ROW_TOUCHING,
    TOUCH,
)
from haptos.scenarios.lander.model import Model

AXES, FOUR = ("x", "y", "z"), ("0", "1", "2", "3")


def _columns(pattern: str, first: int, parts: tuple[str, ...] = AXES) -> dict[str, int]:
    return {pattern.format(part): first + n for n, part in enumerate(parts)}


# Column of the log -> column of a stored event; angles in rad, vectors in the body's axes A but for
# rates, which are in the probe's axes B.
IMPACT_COLUMNS = {
    "time_s": EVENT_TIME,
    "vertex": EVENT_VERTEX,
    "ground": EVENT_GROUND,
    **_columns("point_{}_m", EVENT_POINT),
    **_columns("normal_{}", EVENT_NORMAL),
    "closing_speed_m_per_s": EVENT_CLOSING,
    "slip_speed_m_per_s": EVENT_SLIP,
    "impact_angle_rad": EVENT_ANGLE,
    "aspect_angle_rad": EVENT_ASPECT,
    **_columns("velocity_before_{}_m_per_s", EVENT_V_BEFORE),
    **_columns("velocity_after_{}_m_per_s", EVENT_V_AFTER),
    **_columns("rate_before_{}_rad_per_s", EVENT_W_BEFORE),
    **_columns("rate_after_{}_rad_per_s", EVENT_W_AFTER),
    **_columns("point_velocity_before_{}_m_per_s", EVENT_NU_BEFORE),
    **_columns("point_velocity_after_{}_m_per_s", EVENT_NU_AFTER),
    "kinetic_energy_before_J": EVENT_KINETIC,
    "normal_work_J": EVENT_WORKS,
    "friction_work_J": EVENT_WORKS + 1,
    "rolling_work_J": EVENT_WORKS + 2,
}
# Column of the log -> column of a stored row.
TRAJECTORY_COLUMNS = {
    "time_s": ROW_TIME,
    **_columns("position_{}_m", ROW_STATE + POSITION),
    **_columns("velocity_{}_m_per_s", ROW_STATE + VELOCITY),
    **_columns("quaternion_{}", ROW_STATE + ATTITUDE, FOUR),
    **_columns("rate_{}_rad_per_s", ROW_STATE + RATE),
    "contacts": ROW_TOUCHING,
}
WHOLE = ("vertex", "ground", "contacts")  # columns of whole numbers
NO_GROUND = -1  # of a touch on springs, whose ground is not given


def _typed(table: np.ndarray, columns: dict[str, int]) -> dict[str, np.ndarray]:
    values = {name: table[:, column] for name, column in columns.items()}
    for name in WHOLE:
        if name in values:
            whole = np.where(np.isnan(values[name]), NO_GROUND, values[name])
            values[name] = whole.astype(np.int64)
    return {name: np.ascontiguousarray(value) for name, value in values.items()}


def impact_log(events: np.ndarray, model: Model) -> dict[str, np.ndarray]:
    """Collisions of one run: its impacts, or on springs each touch, without what impacts only have."""
    kind = IMPACT if model.parameters["contact"]["law"] == IMPULSIVE else TOUCH
    found = _typed(events[events[:, EVENT_KIND] == kind], IMPACT_COLUMNS)
    works = [found[f"{name}_work_J"] for name in ("normal", "friction", "rolling")]
    return {**found, "loss_J": -(works[0] + works[1] + works[2])}


def trajectory_log(rows: np.ndarray) -> dict[str, np.ndarray]:
    """Motion of one run at its output times."""
    return _typed(rows, TRAJECTORY_COLUMNS)
