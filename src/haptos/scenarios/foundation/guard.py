"""Checks of a bench run that its ledger cannot see: thin bodies, coarse leaves, corners that hide in a leaf, and how fast bodies meet."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from haptos.contact.sets.polygons_step import A_DEPTH
from haptos.core.rotations import quaternion_product, rotation_matrices
from haptos.dynamics.guard.polygon_guard import Poses, depth_share, hidden_depth, leaf_error
from haptos.dynamics.rigid.touching_pair import ATTITUDE, MOMENTUM
from haptos.dynamics.rigid.touching_pair_march import L_DEPTH, L_ELASTIC, L_POLYGONS, L_TIME
from haptos.dynamics.rigid.touching_pair_run import PairRun
from haptos.geometry.distance.reference import gaps_of
from haptos.results.checks import Check
from haptos.scenarios.contact_speed import impact_check
from haptos.scenarios.foundation.config import Config, Drop, HalfSpace
from haptos.scenarios.foundation.model import Model, other_faces
from haptos.scenarios.foundation.tables import body, model_spread

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

ROWS_ASKED = 40  # of a run, evenly over those in which the bodies are near
LEAST_DEPTH = 1e-3  # [-] of the sampled body's size: what hides below it is small


def guard_checks(config: Config, model: Model, run: PairRun) -> tuple[Check, ...]:
    """Depth over thickness, error by leaves, depth of corners of the reference that leaves do not see."""
    rows = _asked(model, run)
    poses = _poses(run, rows)
    deepest = poses.at(int(np.argmax(run.log[rows, L_DEPTH])))
    given = config.run
    found = [
        Check("depth", depth_share(model.pair, deepest), given.depth_bound, "",
              "The deepest node over the thickness of the reference there; infinite if the sampled body is sunk"),
        Check("leaves", leaf_error(model.pair, other_faces(config), poses), given.leaf_bound, "",
              "The error of the elastic energy by the size of leaves, over the largest elastic energy"),
    ]  # fmt: skip
    if not isinstance(config.reference, HalfSpace) and model.back is None:
        most = max(float(run.account[A_DEPTH]), LEAST_DEPTH * model.pair.faces.size)
        value = hidden_depth(model.sampled, model.shape[0], poses) / most
        subject = "Depth of points of the reference in the sampled body, over that of its polygons"
        found.append(Check("hidden", value, given.hidden_bound, "", subject))
    return (*found, impact_check(fastest_touch(config, model, run)))


def fastest_touch(config: Config, model: Model, run: PairRun) -> float:
    """Largest speed [m/s] of the bodies against each other while they touch, with that of the turn at the start; of a drive its own."""
    motion = config.motion
    if not isinstance(motion, Drop):
        return float(getattr(motion, "speed_m_per_s", 0.0))
    rows = run.log[run.log[:, L_POLYGONS] > 0.0]
    if len(rows) == 0:
        return 0.0
    speed = body(rows, 1, MOMENTUM) / motion.mass_kg
    if motion.reference_mass_kg is not None:
        speed = speed - body(rows, 0, MOMENTUM) / motion.reference_mass_kg
    turning = math.hypot(*motion.rate_rad_per_s) * model.pair.faces.size
    return float(np.linalg.norm(speed, axis=1).max()) + turning


def _asked(model: Model, run: PairRun) -> Integers:
    """Rows of the log to be asked: near ones, evenly, with those of the largest energy and depth."""
    log = run.log
    place = _poses(run, np.arange(len(log))).place
    near = np.flatnonzero(gaps_of(model.pair.reference, place)[0] < model.pair.faces.size)
    if len(near) == 0:
        near = np.arange(len(log))
    even = near[np.linspace(0, len(near) - 1, min(len(near), ROWS_ASKED)).round().astype(np.int64)]
    peaks = [int(np.argmax(log[:, column])) for column in (L_ELASTIC, L_DEPTH)]
    return np.unique(np.concatenate([even, peaks]))


def _poses(run: PairRun, rows: Integers) -> Poses:
    log = run.log[rows]
    q_A, q_B = body(log, 0, ATTITUDE, 4), body(log, 1, ATTITUDE, 4)
    apart = np.einsum("nji,nj->ni", rotation_matrices(q_A), body(log, 1, 0) - body(log, 0, 0))
    turned = [np.array(quaternion_product(a * np.array([1, -1, -1, -1]), b)) for a, b in zip(q_A, q_B, strict=True)]  # fmt: skip
    spread = np.array([model_spread(run, float(t)) for t in log[:, L_TIME]])
    return Poses(apart, np.array(turned), spread)
