"""Loads by the clock on the bodies of a net: shots, burns, profiles, as rows of the kernel."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from haptos.core.errors import ConfigError
from haptos.core.units import DEGREE
from haptos.dynamics.assembly import AssembledBody
from haptos.dynamics.nets.shot import Shot
from haptos.dynamics.rigid.load_rows import NOBODY, load_row
from haptos.dynamics.system import (
    LOAD,
    SHOT,
    THRUST,
    rows_of,
)
from haptos.scenarios.net.body_numbers import CHASER
from haptos.scenarios.net.bullet_orders import bullet_delays
from haptos.scenarios.net.column_files import checked_times, header_of, read_columns
from haptos.scenarios.net.config import Config
from haptos.scenarios.net.config_profiles import COLUMNS, Profile

Floats = NDArray[np.float64]
MOST_ROWS = 20_000  # [-] of all profiles; every step looks at every row


def loads_of(
    config: Config,
    bodies: list[AssembledBody],
    axes: Floats,
    shots: tuple[Shot | None, ...],
    first: int,
) -> tuple[Floats, Floats]:
    """(rows of loads, time each bullet is held until [s]); first is the number of the first bullet.

    A bullet that is not shot is free once the first one is: the net drags it along. If none is shot
    all are held.
    """
    rows, held = [], np.full(len(shots), math.inf)
    delays = bullet_delays(config)
    for b, shot in enumerate(shots):
        if shot is None:
            continue
        row = load_row(first + b, delays[b], delays[b] + shot.duration, SHOT)
        row["reaction"] = row["axes"] = CHASER
        row["force"] = row["force_end"] = shot.force * axes[b]
        rows.append(row)
        held[b] = delays[b]
    held = np.minimum(held, np.maximum(delays, held.min(initial=math.inf)))
    names = [body.name for body in bodies]
    for burn in config.burns:
        body = names.index(burn.body)
        row = load_row(body, burn.start_s, burn.start_s + burn.duration_s, THRUST)
        row["axes"] = body if burn.axes == "chaser" else NOBODY
        row["after_touch"] = float(burn.after_touch)
        row["force"] = burn.force_N
        row["force_end"] = burn.end_force_N or burn.force_N
        row["torque"] = row["torque_end"] = burn.torque_N_m
        rows.append(row)
    for n, profile in enumerate(config.profiles):
        rows += _profile_rows(f"[[profiles]] {n + 1}", profile, bodies, names.index(profile.body))
    if len(config.profiles) and len(rows) > MOST_ROWS:
        found = f"profiles and burns of {len(rows)} pieces"
        raise ConfigError("[[profiles]]", found, f"at most {MOST_ROWS}", "fewer times")
    return rows_of(LOAD, rows), held


def _profile_rows(
    where: str, given: Profile, bodies: list[AssembledBody], number: int
) -> list[Floats]:
    """One row for each piece between two times."""
    times, values = _tables(given)
    body = bodies[number]
    force, torque = (values.get(key, np.zeros((len(times), 3))) for key in list(COLUMNS)[:2])
    if "accelerations_m_per_s2" in values:
        _require_free(where, "acceleration", body.name, body.mass)
        force = force + body.mass * values["accelerations_m_per_s2"]
    if "angular_accelerations_deg_per_s2" in values:
        _require_free(where, "angular acceleration", body.name, float(body.moments.max()))
        torque = torque + body.moments * values["angular_accelerations_deg_per_s2"] * DEGREE
    rows = []
    for k in range(len(times) - 1):
        row = load_row(number, times[k], times[k + 1], THRUST)
        row["axes"] = number if given.axes == "body" else NOBODY
        row["after_touch"] = float(given.after_touch)
        row["point"] = given.point_m
        row["force"], row["force_end"] = force[k : k + 2]
        row["torque"] = torque[k]
        row["torque_end"] = torque[k + 1]
        rows.append(row)
    return rows


def _require_free(where: str, what: str, name: str, inertia: float) -> None:
    """What is held, of infinite mass or moment, cannot be given an acceleration."""
    if not math.isfinite(inertia):
        found = f"an {what} of the {name}, which is held"
        raise ConfigError(where, found, "a body that moves", "remove holds_place or the profile")


def _tables(given: Profile) -> tuple[Floats, dict[str, Floats]]:
    """(times [s], key -> rows (n, 3)) of a profile, from its lists or its file."""
    if given.file is None:
        lists = {key: np.array(getattr(given, key)) for key in COLUMNS if getattr(given, key)}
        return np.array(given.times_s), lists
    found = header_of(given.file) or ["time_s", *COLUMNS["forces_N"]]  # its reader refuses it
    groups = [key for key, columns in COLUMNS.items() if set(columns) & set(found)]
    known = ("time_s", *(column for columns in COLUMNS.values() for column in columns))
    if not groups or "time_s" not in found or not set(found) <= set(known):
        allowed = "; ".join(", ".join(columns) for columns in COLUMNS.values())
        hint = f"time_s, {', '.join(COLUMNS['forces_N'])}"
        raise ConfigError(given.file, "columns " + ", ".join(found), f"time_s and {allowed}", hint)
    values = dict(zip(found, read_columns(given.file, tuple(found)), strict=True))
    times = checked_times(given.file, values["time_s"])
    none = np.zeros(len(times))  # of what no column tells
    if "angular_accelerations_deg_per_s2" in groups and given.axes != "body":
        raise ConfigError(
            given.file, "angular accelerations in inertial axes", "the axes of the body",
            "axes = 'body'",
        )  # fmt: skip
    return times, {
        key: np.stack([values.get(column, none) for column in COLUMNS[key]], axis=1)
        for key in groups
    }
