"""Numbers of a bench run: motion, events, metrics, curve, pressure map, shapes for drawing."""

from __future__ import annotations

import math

import numpy as np
import xarray
from numpy.typing import NDArray

from haptos.contact.sets.polygons_pair import PressureMap
from haptos.contact.sets.polygons_step import (
    A_DEPTH,
    A_FORCE,
    A_LEAVE,
    A_PEAK,
    A_PRESSURE,
    A_TOUCH,
)
from haptos.core.rotations import quaternion_product, rotation_matrices
from haptos.dynamics.rigid.touching_pair import ANGULAR, ATTITUDE, BODY, MOMENTUM
from haptos.dynamics.rigid.touching_pair_march import (
    L_AREA,
    L_DEPTH,
    L_ELASTIC,
    L_FORCE,
    L_POLYGONS,
    L_PRESSURE,
    L_STATE,
    L_STICKING,
    L_TIME,
)
from haptos.dynamics.rigid.touching_pair_run import PairRun
from haptos.geometry.mesh.curved_faces_build import leaf_corners
from haptos.results.result import described
from haptos.scenarios.foundation.config import Config, Drop
from haptos.scenarios.foundation.model import Model

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

MOST_ROWS = 2000  # of the stored motion

METRICS = (
    "peak_force_N", "peak_depth_m", "peak_pressure_Pa", "peak_area_m2", "peak_elastic_J", "most_polygons",
    "patches", "modulus_Pa_per_m", "depth_over_layer", "lost_J", "put_in_J", "friction_loss_J", "damping_loss_J",
    "released_J", "remesh_J", "sticking_share", "contact_time_s", "restitution", "steps",
)  # fmt: skip


def metric_names() -> tuple[str, ...]:
    return METRICS


def kept_rows(run: PairRun) -> Integers:
    """Rows of the log that are stored, the first and last among them."""
    count = len(run.log)
    return np.unique(np.linspace(0, count - 1, min(count, MOST_ROWS)).round().astype(np.int64))


def body(rows: Floats, k: int, first: int, size: int = 3) -> Floats:
    """Part of the state of body k along rows of the log."""
    start = L_STATE + k * BODY + first
    return rows[:, start : start + size]


def trajectory(run: PairRun, kept: Integers) -> xarray.Dataset:
    """Motion, forces and contact along time."""
    rows = run.log[kept]
    force = rows[:, L_FORCE : L_FORCE + 3]
    dcm_NA = rotation_matrices(body(rows, 0, ATTITUDE, 4))
    dcm_NB = rotation_matrices(body(rows, 1, ATTITUDE, 4))
    in_B = "nji,njk,nk->ni"
    turned = np.einsum(in_B, dcm_NB, dcm_NA, force)
    apart = np.einsum("nji,nj->ni", dcm_NA, body(rows, 1, 0) - body(rows, 0, 0))
    torque = rows[:, L_FORCE + 3 : L_FORCE + 6]
    own = np.einsum(in_B, dcm_NB, dcm_NA, torque - np.cross(apart, force))
    xyz = ("time", "axis")

    def of(column: int) -> Floats:
        return rows[:, column]

    series = {
        "r_BN_N": (xyz, body(rows, 1, 0), "m", "N", "sampled body, its origin"),
        "r_AN_N": (xyz, body(rows, 0, 0), "m", "N", "reference body, its origin"),
        "quat_NB": (("time", "quaternion"), body(rows, 1, ATTITUDE, 4), "-", "NB", "attitude of the sampled body"),
        "quat_NA": (("time", "quaternion"), body(rows, 0, ATTITUDE, 4), "-", "NA", "attitude of the reference"),
        "momentum_B_N": (xyz, body(rows, 1, MOMENTUM), "N s", "N", "momentum of the sampled body, if it is free"),
        "angular_B_N": (xyz, body(rows, 1, ANGULAR), "N m s", "N", "its angular momentum, if free: about the origin, or about its centre of mass if the reference is fixed"),
        "force_A": (xyz, force, "N", "A", "force of the contact on the sampled body"),
        "force_B": (xyz, turned, "N", "B", "the same in axes of the sampled body"),
        "torque_A": (xyz, torque, "N m", "A", "torque of that force about A's origin"),
        "torque_B": (xyz, own, "N m", "B", "torque of that force about B's origin"),
        "depth": (("time",), of(L_DEPTH), "m", "-", "deepest node"),
        "area": (("time",), of(L_AREA), "m^2", "-", "area in contact"),
        "polygons": (("time",), of(L_POLYGONS), "-", "-", "polygons in contact"),
        "pressure": (("time",), of(L_PRESSURE), "Pa", "-", "largest pressure"),
        "sticking_area": (("time",), of(L_STICKING), "m^2", "-", "area that sticks"),
    }  # fmt: skip
    when = described(("time",), of(L_TIME), "s", "-", "time since the start")
    return xarray.Dataset(
        {name: described(*parts) for name, parts in series.items()}, coords={"time": when}
    )


def events(run: PairRun) -> xarray.Dataset:
    """First touch and last separation."""
    found = [t for t in (run.account[A_TOUCH], run.account[A_LEAVE]) if t >= 0.0]
    return xarray.Dataset(
        {
            "event_time": described(
                ("event",), np.array(found), "s", "-", "first touch, last separation"
            )
        }
    )


def metrics(config: Config, model: Model, run: PairRun, peak: PressureMap) -> dict[str, float]:
    """Numbers of a run; NaN where something did not happen."""
    ledger, account, rows = run.ledger(), run.account, run.log
    lost = {
        name: -float(ledger[name][-1]) for name in ("friction", "damping", "released", "viscous")
    }
    deepest = rows[np.argmax(rows[:, L_ELASTIC])]
    touch, leave = float(account[A_TOUCH]), float(account[A_LEAVE])
    share = float(deepest[L_STICKING] / deepest[L_AREA]) if deepest[L_AREA] > 0.0 else math.nan
    found = (
        float(account[A_FORCE]), float(account[A_DEPTH]), float(account[A_PRESSURE]),
        float(rows[:, L_AREA].max()), float(account[A_PEAK]), float(rows[:, L_POLYGONS].max()),
        float(peak.patches), model.modulus, float(account[A_DEPTH]) / model.thickness,
        sum(lost.values()), float(ledger["drive"][-1] + ledger["actuator"][-1]), lost["friction"],
        lost["damping"], lost["released"], float(ledger["remesh"][-1]),
        share if model.pair.law.friction_at_rest > 0.0 else math.nan,
        leave - touch if touch >= 0.0 else math.nan, _restitution(config, run),
        float(run.steps_taken[0]),
    )  # fmt: skip
    return dict(zip(METRICS, found, strict=True))


def _restitution(config: Config, run: PairRun) -> float:
    """Speed of the sampled body away from the reference over that towards it, along the mean force."""
    if not isinstance(config.motion, Drop) or not run.account[A_LEAVE] >= 0.0:
        return math.nan
    rows = run.log
    push = body(rows[-1:], 1, MOMENTUM)[0] - body(rows[:1], 1, MOMENTUM)[0]
    if not np.any(push):
        return math.nan
    n = push / np.linalg.norm(push)
    mass = run.pair.mass

    def closing(row: Floats) -> float:
        v = body(row, 1, MOMENTUM)[0] / mass[1]
        if math.isfinite(mass[0]):
            v = v - body(row, 0, MOMENTUM)[0] / mass[0]
        return float(v @ n)

    before, after = (
        rows[np.searchsorted(rows[:, L_TIME], t)]
        for t in (run.account[A_TOUCH], run.account[A_LEAVE])
    )
    first = closing(before[None])
    return -closing(after[None]) / first if first < 0.0 else math.nan


def peak_map(model: Model, run: PairRun) -> PressureMap:
    """Polygons at the row of largest elastic energy."""
    row = run.log[np.argmax(run.log[:, L_ELASTIC])][None]
    dcm_NA = rotation_matrices(body(row, 0, ATTITUDE, 4))[0]
    apart = dcm_NA.T @ (body(row, 1, 0)[0] - body(row, 0, 0)[0])
    q_A, q_B = body(row, 0, ATTITUDE, 4)[0], body(row, 1, ATTITUDE, 4)[0]
    quaternion = np.array(quaternion_product(q_A * np.array([1, -1, -1, -1]), q_B))
    spread = float(model_spread(run, row[0, L_TIME]))
    return model.pair.pressure_map(apart, quaternion, spreads=(0.0, spread))


def model_spread(run: PairRun, when: float) -> float:
    """Spread [-] of the sampled body's shape at a time [s]."""
    first, rate, start, end = run.pair.spread[1]
    return float(first + rate * (min(max(when, start), end) - start))


def tables(
    config: Config, model: Model, run: PairRun, shown: PressureMap
) -> dict[str, xarray.Dataset]:
    """Curve over the way, pressure map at the peak, and the shapes."""
    rows = run.log[kept_rows(run)]
    way = np.linalg.norm(body(rows, 1, 0) - body(rows[:1], 1, 0), axis=1)
    vertices, faces = model.shape
    corners = leaf_corners(model.pair.faces._replace(levels=min(model.pair.faces.levels, 1)))
    return {
        "curve": xarray.Dataset({
            "way": described(("row",), way, "m", "-", "way of the sampled body from its start"),
            "force": described(("row",), np.linalg.norm(rows[:, L_FORCE : L_FORCE + 3], axis=1), "N", "-", "size of the force"),
            "depth": described(("row",), rows[:, L_DEPTH], "m", "-", "deepest node"),
        }),
        "pressure": xarray.Dataset({
            "nodes_A": described(("node", "axis"), shown.nodes, "m", "A", "nodes of the polygons at the largest energy"),
            "pressure": described(("node",), shown.pressure, "Pa", "-", "pressure at the nodes"),
            "corners": described(("polygon", "corner"), shown.corners, "-", "-", "nodes of each polygon"),
        }),
        "reference": _shape(vertices, faces, "A"),
        "sampled": _shape(corners.reshape(-1, 3), np.arange(3 * len(corners)).reshape(-1, 3), "B"),
    }  # fmt: skip


def _shape(vertices: Floats, faces: Integers, frame: str) -> xarray.Dataset:
    return xarray.Dataset(
        {
            "vertices": described(("vertex", "axis"), vertices, "m", frame, "of the surface"),
            "corners": described(("facet", "corner"), faces, "-", "-", "vertices of each facet"),
        }
    )
