"""What a run of a body on ground stores, as described tables: unit, frame and meaning with every variable.

Rows and events are those of `dynamics/touching/stored_rows.py`, whatever law of contact and march they come from.
"""

from __future__ import annotations

import numpy as np
import xarray

from haptos.dynamics.rigid.rigid_body import (
    ATTITUDE,
    FRAME_ATTITUDE,
    FRAME_RATE,
    POSITION,
    RATE,
    VELOCITY,
    WHEEL_AXIS,
    WHEEL_MOMENTUM,
)
from haptos.dynamics.touching.run_parameters import ROCKS
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
    LIFT,
    PULSE,
    RELEASE,
    REST,
    ROW_DEEPEST,
    ROW_LOAD,
    ROW_SLIP,
    ROW_STATE,
    ROW_TIME,
    ROW_TOUCHING,
    SLIDE,
    TAKE_OFF,
    TOUCH,
)
from haptos.environment.spin import uniform_attitudes
from haptos.results.result import described

EVENT_NAMES = {
    TOUCH: "touch", RELEASE: "release", REST: "rest", IMPACT: "impact", SLIDE: "slide",
    LIFT: "lift", PULSE: "pulse", TAKE_OFF: "take-off",
}  # fmt: skip


def frame_motion(rows: np.ndarray, parameters: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(omega_AN_A, quat_NA) over time: integrated for a tumbling body, closed form otherwise."""
    if parameters["spin"]["is_tumbling"]:
        rate = rows[:, ROW_STATE + FRAME_RATE : ROW_STATE + FRAME_RATE + 3]
        return rate, rows[:, ROW_STATE + FRAME_ATTITUDE : ROW_STATE + FRAME_ATTITUDE + 4]
    spin = np.array(parameters["spin"]["rate"], dtype=float)
    return np.tile(spin, (len(rows), 1)), uniform_attitudes(spin, rows[:, ROW_TIME])


def trajectory_table(rows: np.ndarray, parameters: np.ndarray) -> xarray.Dataset:
    """Motion over time of a run with these parameters, a row of `run_parameters.PARAMETERS`."""
    frame_rate, frame_attitude = frame_motion(rows, parameters)
    along, vector = ("time",), ("time", "axis")

    def state(first: int, count: int = 3) -> np.ndarray:
        return rows[:, ROW_STATE + first : ROW_STATE + first + count]

    variables = {
        "r_BA_A": described(
            vector, state(POSITION), "m", "A", "centre of mass from the origin of the small body"
        ),
        "v_BA_A": described(
            vector, state(VELOCITY), "m/s", "A", "velocity relative to the rotating small body"
        ),
        "quat_AB": described(
            ("time", "quaternion"), state(ATTITUDE, 4), "-", "AB",
            "attitude, scalar first: turns B components into A components",
        ),
        "omega_BA_B": described(
            vector, state(RATE), "rad/s", "B", "rate relative to the rotating small body"
        ),
        "omega_AN_A": described(
            vector, frame_rate, "rad/s", "A", "spin of the small body"
        ),
        "quat_NA": described(
            ("time", "quaternion"), frame_attitude, "-", "NA",
            "attitude of the small body: turns A components into inertial ones",
        ),
        "contact_count": described(
            along, rows[:, ROW_TOUCHING].astype(np.int64), "-", "-", "vertices in contact"
        ),
        "normal_force": described(along, rows[:, ROW_LOAD], "N", "C", "total normal load"),
        "slip_speed": described(
            along, rows[:, ROW_SLIP], "m/s", "C", "tangential speed of the application point"
        ),
        "depth_max": described(along, rows[:, ROW_DEEPEST], "m", "C", "depth of the deepest vertex"),
    }  # fmt: skip
    if parameters["hops"]["count"] > 0:
        momentum = state(WHEEL_MOMENTUM, 1) * state(WHEEL_AXIS)
        variables["wheel_momentum_B"] = described(
            vector, momentum, "N m s", "B", "angular momentum of the momentum device's wheel"
        )
    time = described(along, rows[:, ROW_TIME], "s", "-", "time since release")
    return xarray.Dataset(variables, coords={"time": time})


def events_table(events: np.ndarray) -> xarray.Dataset:
    """Touches, releases and rest, in order of time."""
    along, vector = ("event",), ("event", "axis")
    kinds = np.array([EVENT_NAMES[int(kind)] for kind in events[:, EVENT_KIND]], dtype=object)
    point = events[:, EVENT_POINT : EVENT_POINT + 3]
    normal = events[:, EVENT_NORMAL : EVENT_NORMAL + 3]
    return xarray.Dataset(
        {
            "time": described(along, events[:, EVENT_TIME], "s", "-", "time since release"),
            "kind": described(along, kinds, "-", "-", "touch, release, impact, slide, lift, pulse, take-off or rest"),
            "vertex": described(
                along, events[:, EVENT_VERTEX].astype(np.int64), "-", "-",
                "index of the vertex; -1 for the whole probe",
            ),
            "point_A": described(vector, point, "m", "A", "contact point; for the whole probe its centre of mass"),
            "normal_A": described(vector, normal, "-", "A", "unit normal out of the ground"),
            "closing_speed": described(
                along, events[:, EVENT_CLOSING], "m/s", "C", "speed into the ground, > 0 approaching"
            ),
            "slip_speed": described(
                along, events[:, EVENT_SLIP], "m/s", "C", "tangential speed of the vertex"
            ),
            "kinetic_energy": described(
                along, events[:, EVENT_KINETIC], "J", "A", "energy of motion relative to the ground"
            ),
            **_impact_columns(events),
        }
    )  # fmt: skip


def _impact_columns(events: np.ndarray) -> dict[str, xarray.Variable]:
    """What only impacts have; NaN for other events."""
    along, vector = ("event",), ("event", "axis")

    def three(first: int) -> np.ndarray:
        return events[:, first : first + 3]

    works = ("normal", "friction", "rolling")
    return {
        "v_before_A": described(vector, three(EVENT_V_BEFORE), "m/s", "A", "velocity before"),
        "v_after_A": described(vector, three(EVENT_V_AFTER), "m/s", "A", "velocity after; of the whole probe now"),
        "omega_before_B": described(vector, three(EVENT_W_BEFORE), "rad/s", "B", "rate before"),
        "omega_after_B": described(vector, three(EVENT_W_AFTER), "rad/s", "B", "rate after; of the whole probe now"),
        "point_velocity_before_A": described(
            vector, three(EVENT_NU_BEFORE), "m/s", "A", "velocity of the contact point before"
        ),
        "point_velocity_after_A": described(
            vector, three(EVENT_NU_AFTER), "m/s", "A", "velocity of the contact point after"
        ),
        "impact_angle": described(
            along, events[:, EVENT_ANGLE], "rad", "C", "of the contact point's velocity, 0 grazing"
        ),
        "aspect_angle": described(
            along, events[:, EVENT_ASPECT], "rad", "C",
            "between the normal and the line from contact point to centre of mass",
        ),
        **{
            f"{name}_work": described(
                along, events[:, EVENT_WORKS + n], "J", "A", f"work of the {name} impulse"
            )
            for n, name in enumerate(works)
        },
        "ground": described(
            along, events[:, EVENT_GROUND], "-", "-", f"region struck; 0 none, {ROCKS} a rock"
        ),
    }  # fmt: skip
