"""Tables of a net scenario that follow the clock: forces, torques, accelerations over time."""

from __future__ import annotations

import itertools
from typing import Literal

from pydantic import Field, model_validator

from haptos.scenarios.schema import Number, Table, Text, Vector3, refused

Vectors = tuple[Vector3, ...]
# Key -> columns of a file that hold the same.
COLUMNS = {
    "forces_N": ("force_x_N", "force_y_N", "force_z_N"),
    "torques_N_m": ("torque_x_N_m", "torque_y_N_m", "torque_z_N_m"),
    "accelerations_m_per_s2": (
        "acceleration_x_m_per_s2", "acceleration_y_m_per_s2", "acceleration_z_m_per_s2",
    ),
    "angular_accelerations_deg_per_s2": (
        "angular_acceleration_x_deg_per_s2", "angular_acceleration_y_deg_per_s2",
        "angular_acceleration_z_deg_per_s2",
    ),
}  # fmt: skip


class Profile(Table):
    """What pushes a body over time: straight between the times given, nothing before and after."""

    body: Text = Field(default="chaser", description="chaser, target, bullet 1 ... or its own name")
    times_s: tuple[Number, ...] = Field(default=(), description="rising; two or more")
    forces_N: Vectors = Field(default=(), description="at each time, at the point below")
    torques_N_m: Vectors = Field(default=(), description="at each time")
    accelerations_m_per_s2: Vectors = Field(
        default=(), description="at each time: forces of the body's mass at the start"
    )
    angular_accelerations_deg_per_s2: Vectors = Field(
        default=(), description="at each time: torques of its moments at the start; axes = 'body'"
    )
    file: Text | None = Field(
        default=None, description="CSV with time_s and columns force_x_N ..., in place of the lists"
    )
    axes: Literal["inertial", "body"] = Field(
        default="inertial", description="of all vectors; of a target: its principal axes"
    )
    point_m: Vector3 = Field(default=(0.0, 0.0, 0.0), description="forces act at, axes of the body")
    after_touch: bool = Field(default=False, description="times count from the first touch")

    @model_validator(mode="after")
    def _lists_fit(self) -> Profile:
        given = [key for key in COLUMNS if getattr(self, key)]
        if self.file is not None and (given or self.times_s):
            found = "file beside " + ", ".join(given or ["times_s"])
            raise refused(found, "a file, or times_s with lists", "remove one of them")
        if self.file is None and not given:
            raise refused("no list and no file", ", ".join((*COLUMNS, "file")), "forces_N = [...]")
        for key in given:
            count = len(getattr(self, key))
            if count != len(self.times_s):
                found = f"{key} with {count} rows at {len(self.times_s)} times"
                raise refused(found, "one row for each of times_s", "count them")
        if self.file is None:
            refuse_times(self.times_s)
        if self.angular_accelerations_deg_per_s2 and self.axes != "body":
            found = "angular_accelerations_deg_per_s2 in inertial axes"
            raise refused(found, "the axes of the body", "axes = 'body'")
        return self


def refuse_times(times: tuple[float, ...]) -> None:
    """Times of a profile are two or more, and rise."""
    if len(times) < 2 or any(b <= a for a, b in itertools.pairwise(times)):
        found = f"times_s = {list(times[:6])}{' ...' if len(times) > 6 else ''}"
        raise refused(found, "two or more rising times", "sort them, no doubles")


def body_names(has_target: bool, bullets: int, own: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Names of all bodies in the order of their numbers."""
    target = ("target",) if has_target else ()
    return ("chaser", *target, *own, *(f"bullet {b + 1}" for b in range(bullets)))
