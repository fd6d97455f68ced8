"""Stored states of a net run as described tables, and its key figures."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import xarray
from numpy.typing import NDArray

from haptos.core.frames import NO_FRAME
from haptos.core.rotations import rotation_matrices
from haptos.dynamics.net_layout import (
    BOX_MET,
    BOX_PEAK,
    BROKEN,
    LOAD_BOOK,
    LOAD_START,
    PAIR_LEFT_OUT,
    PAIR_MET,
    PAIR_PEAK,
    PEAK,
    SHOT,
    STEPS,
    TOUCHED_AT,
)
from haptos.dynamics.net_quality import centre_of_mass, deployment, quality_index
from haptos.geometry.net_topology import CLOSING, TETHER, THREAD_CLASSES
from haptos.results.result import described
from haptos.scenarios.net.config import Config
from haptos.scenarios.net.model import CHASER, TARGET, Model

if TYPE_CHECKING:
    from haptos.scenarios.net.simulate import Stored

Floats = NDArray[np.float64]


def rates(model: Model, stored: Stored) -> Floats:
    """omega_BN_B [rad/s] of every body over time, (n, k, 3)."""
    dcm = rotation_matrices(stored.attitude)
    own = np.einsum("tkji,tkj->tki", dcm, stored.momentum)
    return np.asarray(own * model.net.inverse_inertia)


def trajectory_table(model: Model, stored: Stored) -> xarray.Dataset:
    """Motion over time: bodies, points of net and tether, tensions."""
    body, vector = ("time", "body"), ("time", "body", "axis")
    variables = {
        "r_BN_N": described(vector, stored.place, "m", "N", "centres of mass of the bodies"),
        "v_BN_N": described(vector, stored.speed, "m/s", "N", "their velocities"),
        "quat_NB": described(
            (*body, "quaternion"), stored.attitude, "-", "NB",
            "attitude, scalar first: turns components of a body into inertial ones",
        ),
        "omega_BN_B": described(vector, rates(model, stored), "rad/s", "B", "rates, own axes"),
        "r_point_N": described(
            ("time", "point", "axis"), stored.x, "m", "N",
            "nodes of net and tether, then points fixed to bodies",
        ),
        "tension": described(("time", "element"), stored.tension, "N", NO_FRAME, "of every element"),
        "largest_stress": described(
            ("time",), (stored.tension / model.sections).max(axis=1), "Pa", NO_FRAME,
            "largest tension over section of fibre",
        ),
        "broken": described(("time",), stored.broken, "-", NO_FRAME, "thread elements broken so far"),
        "quality": described(("time",), quality(model, stored)[1], "%", NO_FRAME, "how far the net is open"),
        "tether_tension": described(
            ("time",), _largest(model, stored, TETHER), "N", NO_FRAME, "largest along the tether"
        ),
        "closing_tension": described(
            ("time",), _largest(model, stored, CLOSING), "N", NO_FRAME, "largest of the closing threads"
        ),
    }  # fmt: skip
    time = described(("time",), stored.time, "s", NO_FRAME, "time since the start")
    return xarray.Dataset(variables, coords={"time": time, "body": list(model.names)})


def _largest(model: Model, stored: Stored, kind: int) -> Floats:
    chosen = stored.tension[:, model.element_class == kind]
    return np.max(chosen, axis=1, initial=0.0)


def quality(model: Model, stored: Stored) -> tuple[Floats, Floats]:
    """(way of the net's centre [m], quality [%]) over time."""
    reference, masses = model.mesh.knots, np.ones(len(model.knots))
    spread = centre_of_mass(reference, masses)
    found, way = [], []
    for x in stored.x:
        knots = x[model.knots]
        centre = centre_of_mass(knots, masses)
        found.append(quality_index(knots, centre, reference, spread))
        way.append(float(np.linalg.norm(centre - stored.x[0][model.knots].mean(axis=0))))
    return np.array(way), np.array(found)


def events_table(config: Config, model: Model) -> xarray.Dataset:
    """Shots, the first touch, the start of closing."""
    touched = float(model.motion.clock[TOUCHED_AT])
    shots = model.net.orders.loads[model.net.orders.loads[:, LOAD_BOOK] == SHOT]
    rows = [(float(start), "shot") for start in shots[:, LOAD_START]]
    if math.isfinite(touched):
        rows.append((touched, "first touch"))
        if config.closing is not None:
            rows.append((touched + config.closing.delay_s, "closing begins"))
    rows = sorted(set(rows))
    return xarray.Dataset(
        {
            "time": described(("event",), np.array([t for t, _ in rows]), "s", NO_FRAME, "of the event"),
            "kind": described(
                ("event",), np.array([kind for _, kind in rows], dtype=object), "-", NO_FRAME,
                "shot, first touch, closing begins",
            ),
        }
    )  # fmt: skip


def tables(model: Model) -> dict[str, xarray.Dataset]:
    """Which points each element joins, and what it is."""
    kinds = np.array([THREAD_CLASSES[kind] for kind in model.element_class], dtype=object)
    found = {
        "elements": xarray.Dataset(
            {
                "ends": described(
                    ("element", "end"), model.net.threads.ends, "-", NO_FRAME, "points it joins"
                ),
                "kind": described(("element",), kinds, "-", NO_FRAME, "normal, reinforced, bullet, closing or tether"),
                "is_whole": described(
                    ("element",), model.motion.whole.astype(np.int64), "-", NO_FRAME, "0 if it broke"
                ),
                "section": described(("element",), model.sections, "m^2", NO_FRAME, "of its fibre"),
            }
        )
    }  # fmt: skip
    if model.surface is not None:
        vertices, faces = model.surface
        found["target"] = xarray.Dataset(
            {
                "r_B": described(("vertex", "axis"), vertices, "m", "B", "of the target, principal axes"),
                "corners": described(("facet", "corner"), faces, "-", NO_FRAME, "of each facet, outward"),
            }
        )  # fmt: skip
    return found


def _meetings(config: Config, model: Model) -> dict[str, float]:
    """Largest forces [N] and numbers of contacts of what touches besides the target."""
    tally, boxes = model.motion.pairs.tally, model.motion.boxes.tally
    given = config.contact
    is_on = {
        "self": given.touches_itself,
        "bullets_net": given.bullets_net,
        "bullets": given.bullets,
    }
    found = {}
    for row, (name, is_shown) in enumerate(is_on.items()):
        if is_shown:
            found[f"{name}_peak_force_N"] = float(tally[PAIR_PEAK + row])
            found[f"{name}_contacts"] = float(tally[PAIR_MET + row])
    if found:
        found["pairs_left_out"] = float(tally[PAIR_LEFT_OUT])
    if given.chaser:
        found["chaser_peak_force_N"] = float(boxes[0, BOX_PEAK])
        found["chaser_contacts"] = float(boxes[0, BOX_MET])
    return found


def metrics(config: Config, model: Model, stored: Stored) -> dict[str, float]:
    """Key figures of a run."""
    clock = model.motion.clock
    way, index = quality(model, stored)
    going = np.concatenate([[True], np.diff(np.maximum.accumulate(way)) > 0.0])
    free = going & (stored.time <= clock[TOUCHED_AT])
    opened = deployment(way[free], index[free])
    rate = np.linalg.norm(rates(model, stored), axis=2)
    touched = float(clock[TOUCHED_AT])
    found = {
        "first_touch_s": touched if math.isfinite(touched) else math.nan,
        "best_quality": float(opened.best_quality),
        "capture_distance_m": float(opened.capture_distance),
        "largest_tension_N": float(stored.tension.max()),
        "largest_stress_Pa": float((stored.tension / model.sections).max()),
        "broken_elements": float(clock[BROKEN]),
        "peak_contact_force_N": float(clock[PEAK]),
        "bullet_mass_kg": float(model.bullet_masses.mean()),
        "net_mass_kg": float(model.nodes.mass),
        "recoil_m_per_s": float(np.linalg.norm(stored.speed[-1, CHASER] - stored.speed[0, CHASER])),
        "steps": float(clock[STEPS]),
    }
    if config.tether is not None:
        found["tether_tension_N"] = float(_largest(model, stored, TETHER).max())
    if config.closing is not None:
        found["closing_tension_N"] = float(_largest(model, stored, CLOSING).max())
    found |= _meetings(config, model)
    if model.surface is not None:
        found["target_rate_rad_per_s"] = float(rate[-1, TARGET])
        found["target_speed_m_per_s"] = float(np.linalg.norm(stored.speed[-1, TARGET]))
    return found
