"""Motion, events and tables of a docking."""

from __future__ import annotations

import math

import numpy as np
import xarray
from numpy.typing import NDArray

from haptos.core.frames import NO_FRAME
from haptos.core.rotations import rotation_matrices
from haptos.dynamics.joined.plant import PlantEnd
from haptos.geometry.mesh.curved_faces_build import leaf_corners
from haptos.results.result import described
from haptos.scenarios.docking.flight import DockingFlight
from haptos.scenarios.docking.model import BOOM, CHASER, CLIENT, CROWN, NOZZLE_PAIRS, TOOL
from haptos.scenarios.docking.states import STATES

Floats = NDArray[np.float64]
SHAPE_POINTS = 13  # along the boom
BODIES = {CHASER: "C", CLIENT: "T", TOOL: "P"}  # axes of each
XYZ = ("x", "y", "z")
ENDED_BY = {
    PlantEnd.DEPTH: ("too deep", "deeper than contact.max_depth_m"),
    PlantEnd.FULL: ("too wide", "with more polygons than there is room for"),
}  # what a contact did that ended a run, why


def trajectory(flight: DockingFlight) -> xarray.Dataset:
    """Everything at the output times."""
    rows = flight.plant.rows()
    when = rows["time"]
    keep = np.concatenate([[True], np.diff(when) > 0.0])
    found: dict[str, xarray.Variable] = {}
    for body in flight.plant.bodies:
        frame = BODIES.get(body.name)
        if frame is None:  # a node of the boom
            continue
        found[f"r_{frame}N_N"] = _vector(
            rows[f"{body.name}.position"], "m", "N", f"centre of the {body.name}"
        )
        found[f"quat_N{frame}"] = described(
            ("time", "quaternion"), rows[f"{body.name}.quaternion"], "-", "NB", f"attitude of the {body.name}"
        )  # fmt: skip
    force, torque = lc_loads(flight, rows)
    found["force_LC"] = _vector(
        force, "N", "C", "of the tool on the nozzle: two lateral, axial out of the exit"
    )
    found["torque_LC"] = _vector(
        torque, "N m", "C", "of the tool on the nozzle about the throat, the same axes"
    )
    found["boom_length"] = _number(rows[f"{BOOM}.length"], "m", "of the boom")
    for name, unit, text in (
        ("tension", "N", "in the boom"), ("drive_force", "N", "of the boom's drive"), ("extension", "m", "of the safety spring"),
    ):  # fmt: skip
        found[f"boom_{name}"] = _number(rows[f"{BOOM}.{name}"], unit, text)
    root = np.stack([rows[f"{BOOM}.root_moment_{a}"] for a in XYZ], axis=1)
    found["boom_root_moment"] = _vector(root, "N m", "C", "of the boom on its root")
    found["boom_shape"] = described(
        ("time", "point", "axis"),
        boom_shapes(flight, rows),
        "m",
        "C",
        "points along the boom from its root",
    )
    if flight.model.slides:
        found["crown_stroke"] = _number(rows[f"{CROWN}.stroke"], "m", "of the crown")
        found["crown_spread"] = _number(rows[f"{CROWN}.spread"], "-", "of the crown")
    for contact in flight.plant.contacts:
        found |= _pair(rows, contact.name)
    found["state"] = _number(
        _states(flight, when),
        "-",
        "number of the state: " + ", ".join(f"{k} {s}" for k, s in enumerate(STATES)),
    )
    time = described(("time",), when[keep], "s", NO_FRAME, "time since the start")
    whole = xarray.Dataset(found).isel(time=np.flatnonzero(keep))
    return whole.assign_coords(time=time)


def _vector(values: Floats, unit: str, frame: str, text: str) -> xarray.Variable:
    return described(("time", "axis"), values, unit, frame, text)


def _number(values: Floats, unit: str, text: str) -> xarray.Variable:
    return described(("time",), values, unit, NO_FRAME, text)


def _pair(rows: dict[str, Floats], name: str) -> dict[str, xarray.Variable]:
    """Force, depth, area, polygons and pressure of one pair."""
    key = name.replace(" ", "_")
    force = np.stack([rows[f"{name}.force_{a}"] for a in XYZ], axis=1)
    return {
        f"force_{key}": _vector(
            force, "N", "A", f"on the faces of the {name}, axes of nozzle or ring"
        ),
        **{
            f"{quantity}_{key}": _number(
                rows[f"{name}.{quantity}"], unit, f"{quantity} of the {name}"
            )
            for quantity, unit in (
                ("depth", "m"),
                ("area", "m^2"),
                ("polygons", "-"),
                ("pressure", "Pa"),
            )
        },
    }


def lc_loads(flight: DockingFlight, rows: dict[str, Floats]) -> tuple[Floats, Floats]:
    """Force [N] and torque [N m] of the tool on the nozzle, (time, 3): nozzle's y, z, then x out of the exit."""
    if not flight.model.slides:
        force = np.stack([rows[f"{BOOM}.force_{a}"] for a in XYZ], axis=1)
        torque = np.stack([rows[f"{BOOM}.moment_{a}"] for a in XYZ], axis=1)
        turned = np.array([-1.0, -1.0, 1.0])  # nozzle axes: half a turn about z
        return (force * turned)[:, [1, 2, 0]], (torque * turned)[:, [1, 2, 0]]
    both = []
    names = [c.name for c in flight.plant.contacts if c.name in NOZZLE_PAIRS]
    for kind in ("force", "torque"):
        total = sum(np.stack([rows[f"{name}.{kind}_{a}"] for a in XYZ], axis=1) for name in names)
        both.append(-np.asarray(total)[:, [1, 2, 0]])
    return both[0], both[1]


def boom_shapes(flight: DockingFlight, rows: dict[str, Floats]) -> Floats:
    """(time, points, 3) [m] of the boom in root axes: cubic between its ends, or through its nodes."""
    boom = flight.plant.booms[0]
    tip = np.stack([rows[f"{BOOM}.place_{a}"] for a in XYZ], axis=1)
    if boom.through:
        q = rows[f"{CHASER}.quaternion"]
        dcm = rotation_matrices(q / np.linalg.norm(q, axis=1)[:, None])
        arms = np.stack([rows[f"{name}.position"] for name in boom.through], axis=1)
        arms = np.einsum("tji,tpj->tpi", dcm, arms - rows[f"{CHASER}.position"][:, None])
        return np.concatenate(
            [np.zeros_like(tip)[:, None], arms - np.asarray(boom.root.position), tip[:, None]],
            axis=1,
        )
    xi = np.linspace(0.0, 1.0, SHAPE_POINTS)
    first, second = 3.0 * xi**2 - 2.0 * xi**3, xi**3 - xi**2
    x, y, z = (tip[:, [k]] for k in range(3))
    length = rows[f"{BOOM}.length"][:, None]
    w = y * first + rows[f"{BOOM}.turn_z"][:, None] * length * second
    v = z * first - rows[f"{BOOM}.turn_y"][:, None] * length * second
    return np.stack([x * xi, w, v], axis=2)


def _states(flight: DockingFlight, when: Floats) -> Floats:
    changes = flight.docking.machine.changes
    first = changes[0].source if changes else flight.docking.state
    numbers = [STATES.index(first), *(STATES.index(change.target) for change in changes)]
    edges = np.array([change.time for change in changes])
    return np.array(numbers, dtype=float)[np.searchsorted(edges, when, side="right")]


def events(flight: DockingFlight) -> xarray.Dataset:
    """Changes of state and first touches, in the order of time."""
    found = [
        (change.time, f"{change.source} to {change.target}", change.cause)
        for change in flight.docking.machine.changes
    ]
    found += [(time, f"{name} touches", "") for name, time in flight.first_touch.items()]
    if flight.end in ENDED_BY:
        name, (what, cause) = flight.plant.ended_by, ENDED_BY[flight.end]
        found.append(
            (flight.plant.time, f"{flight.docking.state} ends: {name} {what}", f"{name} {cause}")
        )
    if flight.clearance.struck:
        found.append((flight.clearance.struck_at, f"{flight.clearance.struck} meet", ""))
    found.sort(key=lambda row: row[0])
    names = np.array([row[1] for row in found], dtype=object)
    causes = np.array([row[2] for row in found], dtype=object)
    return xarray.Dataset(
        {
            "event_time": described(
                ("event",), np.array([row[0] for row in found]), "s", NO_FRAME, "when"
            ),
            "kind": described(("event",), names, "-", NO_FRAME, "change of state or touch"),
            "cause": described(("event",), causes, "-", NO_FRAME, "why"),
        }
    )


def tables(flight: DockingFlight) -> dict[str, xarray.Dataset]:
    """What was measured, shapes for the scene, patches of pressure, loads by state, commands of a controller."""
    found = {"measured": _measured(flight), "loads": _loads(flight), **_shapes(flight)}
    if flight.asked is not None:
        found["control"] = _control(flight)
    return found


def _measured(flight: DockingFlight) -> xarray.Dataset:
    ticks = np.array(flight.ticks)
    names = (
        ("state", "-"), ("lateral", "m"), ("angle", "rad"), ("off_axis", "m"), ("room", "m"), ("range", "m"),
        ("length", "m"), ("tension", "N"), ("side_force", "N"), ("crown_force", "N"), ("spread", "-"), ("moment", "N m"),
        ("attitude_error", "rad"), ("shoulder", "-"), ("bracket", "-"),
    )  # fmt: skip
    found = {
        name: described(
            ("tick",), ticks[:, 1 + k], unit, NO_FRAME, f"{name.replace('_', ' ')} as measured"
        )
        for k, (name, unit) in enumerate(names)
    }
    found["force"] = described(
        ("tick", "axis"), ticks[:, 16:19], "N", "C", "asked of the thrusters"
    )
    found["torque"] = described(
        ("tick", "axis"), ticks[:, 19:22], "N m", "C", "asked of the wheels"
    )
    found["tick_time"] = described(("tick",), ticks[:, 0], "s", NO_FRAME, "when")
    return xarray.Dataset(found)


def _loads(flight: DockingFlight) -> xarray.Dataset:
    """Largest loads of each pair in each state that was passed, of all steps."""
    states = list(flight.by_state)
    parts = [contact.name for contact in flight.plant.contacts]

    def of(quantity: str) -> Floats:
        return np.array(
            [[flight.by_state[s].get(p, {}).get(quantity, math.nan) for p in parts] for s in states]
        )

    both = ("passed", "part")
    return xarray.Dataset({
        "state": described(("passed",), np.array(states, dtype=object), "-", NO_FRAME, "state"),
        "name": described(("part",), np.array(parts, dtype=object), "-", NO_FRAME, "pair"),
        "force": described(both, of("force"), "N", NO_FRAME, "largest force"),
        "depth": described(both, of("depth"), "m", NO_FRAME, "largest depth"),
        "pressure": described(both, of("pressure"), "Pa", NO_FRAME, "largest pressure"),
    })  # fmt: skip


def _control(flight: DockingFlight) -> xarray.Dataset:
    rows = [
        (t, name, np.resize(np.append(value, [math.nan] * 2), 3))
        for t, name, value in flight.controls
    ]
    return xarray.Dataset({
        "asked_time": described(("command",), np.array([r[0] for r in rows]), "s", NO_FRAME, "when it was asked"),
        "command": described(("command",), np.array([r[1] for r in rows], dtype=object), "-", NO_FRAME, "its name"),
        "value": described(("command", "axis"), np.array([r[2] for r in rows]).reshape(-1, 3), "-", NO_FRAME,
                           "its numbers, SI units; NaN beyond them"),
    })  # fmt: skip


def _shapes(flight: DockingFlight) -> dict[str, xarray.Dataset]:
    """Surfaces in their own axes, and patches of pressure when locked and at the end."""
    shapes = flight.model.shapes
    found = {"nozzle": _shape(*shapes.drawn_nozzle), "ring": _shape(*shapes.drawn_ring)}
    if flight.model.slides:
        for name, faces, spread in (
            ("shoulder", shapes.shoulder, 0.0),
            ("crown", shapes.crown, 1.0),
            ("bolt", shapes.bolt, 0.0),
        ):
            corners = leaf_corners(faces._replace(levels=0), spread)
            found[name] = _shape(corners.reshape(-1, 3), np.arange(3 * len(corners)).reshape(-1, 3))
    for (when, pair), shown in flight.patches.items():
        found[f"pressure {pair} {when}"] = xarray.Dataset({
            "nodes": described(("node", "axis"), shown.nodes, "m", "A", f"of the polygons of the {pair}, {when}"),
            "pressure": described(("node",), shown.pressure, "Pa", NO_FRAME, "at the nodes"),
            "corners": described(("polygon", "corner"), shown.corners, "-", NO_FRAME, "nodes of each polygon"),
        })  # fmt: skip
    return found


def _shape(vertices: Floats, faces: np.ndarray) -> xarray.Dataset:
    return xarray.Dataset({
        "vertices": described(("vertex", "axis"), vertices, "m", "A", "of the surface, its own axes"),
        "corners": described(("facet", "corner"), faces, "-", NO_FRAME, "vertices of each facet"),
    })  # fmt: skip
