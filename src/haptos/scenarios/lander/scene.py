"""A lander to look at: the body and its ground, the probe on its way, contacts, loads, trails."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from haptos.results.contacts import contact_points
from haptos.results.result import Result
from haptos.results.scene import (
    Arrows,
    Event,
    Item,
    Lines,
    MovingFrame,
    Points,
    Scene,
    SceneSurface,
    Series,
)
from haptos.results.scene_parts import check_complete, marks
from haptos.scenarios.lander.config import Config
from haptos.scenarios.lander.probe import probe_shape
from haptos.scenarios.lander.scene_cameras import B, run_cameras
from haptos.scenarios.lander.scene_poses import poses
from haptos.scenarios.worlds.scene_ground import (
    A,
    grid_lines,
    ground,
    ground_normal,
    spin_notes,
    world_to_draw,
)

Floats = NDArray[np.float64]

MOST_ARROWS = 400  # impacts shown as arrows, the hardest ones
SEEN = 0.02  # [-] of the run's duration that an impact stays in sight
KINDS = ("touch", "impact", "rest", "lift", "pulse", "take-off")  # marked on the slider
MOST_MARKS = 200
NEEDED = ("r_BA_A", "v_BA_A", "quat_AB", "omega_BA_B", "quat_NA", "normal_force")


def scene(result: Result) -> Scene:
    """Scene of one run."""
    check_complete("trajectory", NEEDED, result.trajectory.variables)
    config = Config.read_back(result.config)
    motion = poses(result)
    path, time = motion["r"], motion["t"]
    touches = contact_points(result)
    radius = probe_size(config)
    normal = _last_normal(result, path[-1], config)
    surfaces = ground(config, touches if len(touches) else path[-1:], path)
    items: list[Item] = [*surfaces, *map(grid_lines, surfaces[-1:]), _probe(config)]
    items.append(Lines("trail", path, frame=A, times=time))
    items.append(Points("mark of the probe", np.zeros((1, 3)), frame=B, colour="body", size=10.0))
    if len(touches):
        items.append(Points("contacts", touches, frame=A, colour="contact", size=7.0))
    items += _arrows(result, motion, radius, normal)
    items.append(Points("release", path[:1], frame=A, colour="start", size=9.0))
    frames = (
        MovingFrame(A, quaternion=motion["quat_NA"]),
        MovingFrame(B, motion["r"], motion["quat_AB"], parent=A),
    )
    return Scene(
        time=time,
        items=tuple(items),
        cameras=run_cameras(path, radius, normal, surfaces, config),
        frames=frames,
        series=_series(result),
        events=_events(result),
        notes=spin_notes(config),
    )


def probe_size(config: Config) -> float:
    """Radius [m] of the ball around the probe."""
    return probe_shape(config.probe).bounding_radius


def _probe(config: Config) -> SceneSurface:
    shape = probe_shape(config.probe)
    vertices = shape.drawn_vertices - np.array(config.probe.center_of_mass_m)
    return SceneSurface("probe", vertices, shape.drawn_faces, frame=B, colour="body", is_flat=True)


def _last_normal(result: Result, place: Floats, config: Config) -> Floats:
    """Unit normal of the ground where the run ended or last touched."""
    if "normal_A" in result.events.variables:
        found = np.asarray(result.events["normal_A"].values, dtype=float).reshape(-1, 3)
        found = found[np.isfinite(found).all(axis=1)]
        if len(found):
            return np.asarray(found[-1])
    world = world_to_draw(config)
    return np.array([0.0, 0.0, 1.0]) if world is None else ground_normal(world, place)


def _arrows(result: Result, motion: dict[str, Floats], radius: float, normal: Floats) -> list[Item]:
    """Velocity of the probe, load of the ground while it lies, impulses of impacts."""
    path, time = motion["r"], motion["t"]
    found: list[Item] = [
        Arrows(
            "velocity", "m/s", path[:, None, :], motion["v"][:, None, :], 4.0 * radius,
            frame=A, colour="velocity", shown=False,
        )
    ]  # fmt: skip
    stored = result.trajectory
    load = np.interp(time, stored["time"].values, np.nan_to_num(stored["normal_force"].values))
    if load.max() > 0.0:
        vectors = np.where(load[:, None, None] > 0.0, load[:, None, None] * normal, np.nan)
        foot = path - radius * normal
        found.append(
            Arrows("normal load", "N", foot[:, None, :], vectors, 3.0 * radius, frame=A)
        )  # fmt: skip
    events = result.events
    if "v_before_A" not in events.variables or not events.sizes.get("event"):
        return found
    change = np.asarray(events["v_after_A"].values - events["v_before_A"].values, dtype=float)
    chosen = np.flatnonzero(np.isfinite(change).all(axis=1))
    chosen = chosen[np.argsort(-np.linalg.norm(change[chosen], axis=1), kind="stable")][
        :MOST_ARROWS
    ]
    if len(chosen):
        begin = np.asarray(events["time"].values, dtype=float)[chosen]
        windows = np.stack([begin, begin + SEEN * float(time[-1])], axis=1)
        origins = np.asarray(events["point_A"].values, dtype=float)[chosen]
        mass = float(result.config["probe"]["mass_kg"])
        found.append(
            Arrows(
                "impulses", "N s", origins, mass * change[chosen], 8.0 * radius,
                frame=A, windows=windows,
            )
        )  # fmt: skip
    return found


def _series(result: Result) -> tuple[Series, ...]:
    stored = result.trajectory
    time = stored["time"].values
    speed = np.linalg.norm(stored["v_BA_A"].values, axis=1)
    rate = np.linalg.norm(stored["omega_BA_B"].values, axis=1)
    load = stored["normal_force"].values
    found = [
        Series("Speed over ground", "speed", "m/s", time, speed, is_log=True),
        Series("Rate over ground", "angular rate", "rad/s", time, rate, is_log=True),
    ]
    if np.nanmax(load, initial=0.0) > 0.0:
        found.append(Series("Normal load", "load", "N", time, load))
    return tuple(found)


def _events(result: Result) -> tuple[Event, ...]:
    events = result.events
    if "kind" not in events.variables:
        return ()
    kinds = events["kind"].values.astype(str)
    known = np.isin(kinds, KINDS)
    found = marks(events["time"].values[known], kinds[known])
    return found[:: max(1, -(-len(found) // MOST_MARKS))]
