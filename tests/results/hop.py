"""A made-up run for tests of results and views: a ballistic hop with one bounce, then rest.

Closed form: free fall from 0.6 m under 5.7e-3 m/s^2 with 0.05 m/s sideways, one bounce with
restitution 0.5, then rest at the second touch. The impact takes what the ledger says it takes.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import xarray

from haptos.core.outcome import Outcome
from haptos.results.ledger import EnergyLedger
from haptos.results.provenance import provenance
from haptos.results.result import Result

MASS, GRAVITY, HEIGHT, SPEED, BOUNCE = 5.0, 5.7e-3, 0.6, 0.05, 0.5  # [kg, m/s^2, m, m/s, -]
TOUCH = float(np.sqrt(2.0 * HEIGHT / GRAVITY))  # [s]
REST = TOUCH * (1.0 + 2.0 * BOUNCE)  # [s]


def hop_config(name: str = "hop on a plane") -> dict[str, Any]:
    return {
        "schema": 1,
        "scenario": "lander",
        "name": name,
        "seed": 1,
        "probe": {"shape": "cube", "mass_kg": MASS, "edge_m": 0.2},
        "surface": {"shape": "plane", "point_m": [0.0, 0.0, 0.0], "normal": [0.0, 0.0, 1.0]},
        "gravity": {"model": "uniform", "acceleration_m_per_s2": [0.0, 0.0, -GRAVITY]},
        "contact": {"stiffness_N_per_m": 50.0, "restitution": BOUNCE, "friction": 0.5},
        "release": {"position_m": [0.0, 0.0, HEIGHT], "velocity_m_per_s": [SPEED, 0.0, 0.0]},
        "run": {"duration_s": 400.0, "ledger_bound": 1e-6},
    }


def described(unit: str, frame: str, text: str) -> dict[str, str]:
    return {"unit": unit, "frame": frame, "description": text}


def heights(time: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Height [m] and vertical velocity [m/s]."""
    late = time - TOUCH
    up = BOUNCE * GRAVITY * TOUCH
    z = np.where(late < 0.0, HEIGHT - 0.5 * GRAVITY * time**2, up * late - 0.5 * GRAVITY * late**2)
    w = np.where(late < 0.0, -GRAVITY * time, up - GRAVITY * late)
    resting = time >= REST
    return np.where(resting, 0.0, z), np.where(resting, 0.0, w)


def trajectory(count: int) -> xarray.Dataset:
    time = np.linspace(0.0, REST + 20.0, count)
    z, w = heights(time)
    moving = time < REST
    x = SPEED * np.minimum(time, REST)
    y = 0.002 * np.sin(0.2 * x / SPEED)
    r = np.stack([x, y, z], axis=1)
    v = np.stack([SPEED * moving, np.gradient(y, time) * moving, w], axis=1)
    omega = np.where(moving, 0.25, 0.0)[:, None] * np.array([0.4, 0.8, -0.4])
    in_contact = np.where(np.abs(time - TOUCH) < 0.4, 1, 0) + 4 * ~moving
    quaternion = np.tile([1.0, 0.0, 0.0, 0.0], (count, 1))
    axes = {"axis": ["x", "y", "z"], "quaternion": ["q0", "q1", "q2", "q3"]}
    return xarray.Dataset(
        {
            "r_BA_A": (("time", "axis"), r, described("m", "A", "centre of mass")),
            "v_BA_A": (("time", "axis"), v, described("m/s", "A", "velocity")),
            "quat_AB": (("time", "quaternion"), quaternion, described("-", "-", "attitude")),
            "omega_BA_B": (("time", "axis"), omega, described("rad/s", "B", "spin")),
            "contact_count": ("time", in_contact, described("-", "-", "vertices in contact")),
        },
        coords={"time": ("time", time, described("s", "-", "time since release")), **axes},
    )


def events(count: int = 2) -> xarray.Dataset:
    at = np.array([TOUCH, REST])[:count]
    points = np.stack([SPEED * at, 0.0 * at, 0.0 * at], axis=1)
    normals = np.tile([0.0, 0.0, 1.0], (count, 1))
    return xarray.Dataset(
        {
            "time": ("event", at, described("s", "-", "time of the event")),
            "kind": ("event", np.array(["touch", "rest"])[:count], described("-", "-", "what")),
            "vertex": ("event", np.arange(count), described("-", "-", "vertex in contact")),
            "point_A": (("event", "axis"), points, described("m", "A", "contact point")),
            "normal_A": (("event", "axis"), normals, described("-", "A", "out of the surface")),
            "closing_speed": ("event", GRAVITY * at, described("m/s", "-", "approach")),
        },
        coords={"axis": ["x", "y", "z"]},
    )


def ledger(motion: xarray.Dataset, error: float = 1e-9) -> EnergyLedger:
    """Account of the hop whose remainder grows linearly up to `error` of the initial energy."""
    time = motion["time"].values
    scale = 0.5 * MASS * SPEED**2 + MASS * GRAVITY * HEIGHT
    kinetic = 0.5 * MASS * np.sum(motion["v_BA_A"].values ** 2, axis=1)
    potential = MASS * GRAVITY * motion["r_BA_A"].values[:, 2]
    lost = kinetic + potential - kinetic[0] - potential[0]
    friction = np.where(time >= REST, 0.3, 0.05) * lost
    drift = scale * error * time / time[-1]
    return EnergyLedger(
        time=time,
        stores={"kinetic": kinetic, "potential": potential, "elastic": np.zeros(time.size)},
        works={"damping": lost - friction - drift, "friction": friction, "rolling": 0.0 * time},
        scale=scale,
        bound=1e-6,
        max_remainder=scale * error,
    )


def hop(
    *,
    count: int = 400,
    error: float = 1e-9,
    ended: Outcome = Outcome.SETTLED,
    name: str = "hop on a plane",
    event_count: int = 2,
) -> Result:
    """The run; `error` above 1e-6 leaves the ledger open."""
    motion, config = trajectory(count), hop_config(name)
    metrics = {
        "settle_time_s": REST,
        "first_impact_speed_m_per_s": float(np.hypot(GRAVITY * TOUCH, SPEED)),
        "travel_m": SPEED * REST,
        "rest_x_m": SPEED * REST,
        "rest_y_m": 0.0,
        "escape_time_s": float("nan"),
        "bounce_count": 1,
    }
    return Result(
        scenario="lander",
        name=name,
        config=config,
        trajectory=motion,
        events=events(event_count),
        ledger=ledger(motion, error),
        ended=ended,
        metrics=metrics,
        provenance=provenance(config, seed=1, wall_time_s=0.25),
        cites=("VanWal2017", "DormandPrince1980"),
    )
