"""A lander to look at: the body and its ground, the probe on its way, contacts, loads, trails."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from haptos.core.errors import HaptosError
from haptos.results.result import Result
from haptos.results.scene import (
    WORLD,
    Arrows,
    Camera,
    Event,
    Item,
    Lines,
    MovingFrame,
    Points,
    ScalarMap,
    Scene,
    Series,
    Surface,
)
from haptos.scenarios.lander.config import Config
from haptos.scenarios.lander.probe import probe_shape
from haptos.scenarios.lander.scene_ground import (
    A,
    body_surface,
    grid_lines,
    ground,
    ground_normal,
    plane_patch,
    world_to_draw,
)
from haptos.scenarios.lander.world import spin_of

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]

B = "B"
MOST_FRAMES = 1000  # stored times of one run
OVERVIEW_FRAMES = 300  # of many runs at once
TRAIL_POINTS = 120  # of one trail among many
MOST_ARROWS = 400  # impacts shown as arrows, the hardest ones
SEEN = 0.02  # [-] of the run's duration that an impact stays in sight
KINDS = (
    "touch",
    "impact",
    "rest",
    "lift",
    "pulse",
    "take-off",
)  # events that get a mark on the slider
MOST_MARKS = 200
NEEDED = ("r_BA_A", "v_BA_A", "quat_AB", "omega_BA_B", "quat_NA", "normal_force")


def scene(result: Result) -> Scene:
    """Scene of one run."""
    _check_complete(result)
    config = Config.model_validate(result.config)
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
        cameras=_cameras(path, radius, normal, surfaces, config),
        frames=frames,
        series=_series(result),
        events=_events(result),
    )


def _check_complete(result: Result) -> None:
    missing = [name for name in NEEDED if name not in result.trajectory.variables]
    if missing:
        found, allowed = f"no {', '.join(missing)}", ", ".join(NEEDED)
        raise HaptosError("trajectory", found, allowed, "run the scenario again")


def overview(config: Config, runs: pd.DataFrame, replays: Sequence[Result]) -> Scene:
    """Scene of many runs at once: where they came to rest, and the ways of those run again."""
    rest = _rest_places(runs)
    ways = [poses(result) for result in replays]
    paths = [way["r"] for way in ways]
    known = [part for part in (rest[0], *paths) if len(part)]
    everything = np.concatenate(known) if known else np.array([config.release.position_m])
    world = world_to_draw(config)
    surfaces: tuple[Surface, ...] = ()
    if world is not None and config.surface.shape == "plane":
        surfaces = (plane_patch(world, everything),)
    elif world is not None:
        surfaces = (_body_with_density(body_surface(config, world), rest[0]),)
    items: list[Item] = [*surfaces]
    if surfaces and surfaces[0].label == "ground":
        items.append(grid_lines(surfaces[0]))
    if len(rest[0]):
        taken = ScalarMap("time to rest", "s", rest[1])
        items.append(
            Points("places of rest", rest[0], frame=A, colour="end", maps=(taken,), size=5.0)
        )
    end = max((float(way["t"][-1]) for way in ways), default=1.0)
    time = np.linspace(0.0, end, OVERVIEW_FRAMES)
    if ways:
        items += _many_ways(ways, time)
    normal = np.array([0.0, 0.0, 1.0])
    if world is not None and len(rest[0]):
        normal = ground_normal(world, np.median(rest[0], axis=0))
    spin = spin_of(config.spin)[0]
    turns = _turns(spin, time)
    size = _extent(surfaces, everything)
    return Scene(
        time=time,
        items=tuple(items),
        cameras=_overview_cameras(everything, normal, size, surfaces),
        frames=(MovingFrame(A, quaternion=turns),),
        events=(),
    )


def poses(result: Result) -> dict[str, Floats]:
    """Times [s] and poses to draw: stored rows, thinned, and the instants of impacts between them."""
    stored = result.trajectory
    names = {"t": "time", "r": "r_BA_A", "v": "v_BA_A", "quat_AB": "quat_AB", "w": "omega_BA_B"}
    rows = {key: np.asarray(stored[name].values, dtype=float) for key, name in names.items()}
    rows["quat_NA"] = np.asarray(stored["quat_NA"].values, dtype=float)
    good = np.isfinite(rows["r"]).all(axis=1)
    rows = {key: part[good] for key, part in rows.items()}
    kept = np.unique(np.linspace(0, len(rows["t"]) - 1, MOST_FRAMES).astype(int))
    thin = {key: part[kept] for key, part in rows.items()}
    added = _at_impacts(result, rows)
    joined = {key: np.concatenate([thin[key], added[key]]) for key in thin}
    order = np.argsort(joined["t"], kind="stable")
    return {key: part[order] for key, part in joined.items()}


def _at_impacts(result: Result, rows: dict[str, Floats]) -> dict[str, Floats]:
    """Poses at impacts, from the row before: the mean of two velocities, the rate kept."""
    none = {key: part[:0] for key, part in rows.items()}
    events = result.events
    if "v_before_A" not in events.variables or not events.sizes.get("event"):
        return none
    time, before = events["time"].values, events["v_before_A"].values
    chosen = np.flatnonzero(np.isfinite(before).all(axis=1) & (time > rows["t"][0]))
    chosen = chosen[:: max(1, len(chosen) // MOST_FRAMES)]
    if not len(chosen):
        return none
    time, before = time[chosen], before[chosen]
    row = np.clip(np.searchsorted(rows["t"], time, side="right") - 1, 0, None)
    step = (time - rows["t"][row])[:, None]
    return {
        "t": time,
        "r": rows["r"][row] + 0.5 * step * (rows["v"][row] + before),
        "v": before,
        "quat_AB": turned(rows["quat_AB"][row], rows["w"][row] * step),
        "w": rows["w"][row],
        "quat_NA": rows["quat_NA"][row],
    }


def turned(quaternion: Floats, angle: Floats) -> Floats:
    """Attitudes (n, 4) after a turn by the vectors `angle` [rad] (n, 3) in body axes."""
    size = np.linalg.norm(angle, axis=1, keepdims=True)
    share = 0.5 * np.sinc(size / (2.0 * np.pi))
    q0, q = quaternion[:, :1], quaternion[:, 1:]
    p0, p = np.cos(0.5 * size), share * angle
    scalar = q0 * p0 - np.sum(q * p, axis=1, keepdims=True)
    return np.hstack([scalar, q0 * p + p0 * q + np.cross(q, p)])


def contact_points(result: Result) -> Floats:
    """Places of contact [m], A axes, (n, 3)."""
    if "point_A" not in result.events.variables:
        return np.empty((0, 3))
    points = np.asarray(result.events["point_A"].values, dtype=float).reshape(-1, 3)
    is_contact = np.isfinite(points).all(axis=1)
    if "vertex" in result.events.variables:  # events of the whole probe tell its centre of mass
        is_contact &= result.events["vertex"].values >= 0
    return points[is_contact]


def probe_size(config: Config) -> float:
    """Radius [m] of the ball around the probe."""
    return probe_shape(config.probe).bounding_radius


def _probe(config: Config) -> Surface:
    shape = probe_shape(config.probe)
    vertices = shape.drawn_vertices - np.array(config.probe.center_of_mass_m)
    return Surface("probe", vertices, shape.drawn_faces, frame=B, colour="body", is_flat=True)


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
    pairs = zip(events["time"].values.tolist(), events["kind"].values.tolist(), strict=True)
    marks = [Event(float(time), str(kind)) for time, kind in pairs if str(kind) in KINDS]
    return tuple(marks[:: max(1, -(-len(marks) // MOST_MARKS))])


def _cameras(
    path: Floats, radius: float, normal: Floats, surfaces: tuple[Surface, ...], config: Config
) -> tuple[Camera, ...]:
    """First the whole way, then the body in space, then close to the probe."""
    middle = 0.5 * (path.min(axis=0) + path.max(axis=0))
    reach = max(float(np.linalg.norm(path - middle, axis=1).max()), 4.0 * radius)
    side = _side(normal, path[-1] - path[0])
    towards = tuple((0.75 * side + 0.55 * normal).tolist())
    up = tuple(normal.tolist())
    site = Camera("site", A, tuple(middle.tolist()), towards, up, 2.9 * reach)
    follow = Camera("follow", A, B, towards, up, 14.0 * radius)
    if config.surface.shape == "plane":
        inertial = Camera("inertial", WORLD, tuple(middle.tolist()), towards, up, 4.0 * reach)
        return (site, follow, inertial)
    size = _extent(surfaces, path)
    far = tuple((side + 0.9 * normal).tolist())
    pole = (0.0, 0.0, 1.0)
    body = Camera("body-fixed", A, (0.0, 0.0, 0.0), far, pole, 2.6 * size)
    inertial = Camera("inertial", WORLD, (0.0, 0.0, 0.0), far, pole, 2.6 * size)
    return (body, site, follow, inertial)


def _overview_cameras(
    points: Floats, normal: Floats, size: float, surfaces: tuple[Surface, ...]
) -> tuple[Camera, ...]:
    middle = np.median(points, axis=0)
    side = _side(normal, np.zeros(3))
    far = tuple((0.8 * side + 0.9 * normal).tolist())
    spread = float(np.quantile(np.linalg.norm(points - middle, axis=1), 0.9)) + 1e-3
    site = Camera(
        "site", A, tuple(middle.tolist()), far, tuple(normal.tolist()), min(3.0 * spread, 3.0 * size)
    )  # fmt: skip
    if len(surfaces) and surfaces[0].label == "ground":
        return (site, Camera("inertial", WORLD, site.target, far, site.up, site.distance))
    pole = (0.0, 0.0, 1.0)
    body = Camera("body-fixed", A, (0.0, 0.0, 0.0), far, pole, 2.6 * size)
    inertial = Camera("inertial", WORLD, (0.0, 0.0, 0.0), far, pole, 2.6 * size)
    return (body, site, inertial)


def _side(normal: Floats, along: Floats) -> Floats:
    """Unit vector across the normal and, if it can be, across the way."""
    way = along - normal * (normal @ along)
    if np.linalg.norm(way) < 1e-6 * (1.0 + np.linalg.norm(along)):
        way = np.cross(normal, np.eye(3)[int(np.argmin(np.abs(normal)))])
    side = np.cross(way, normal) + 0.35 * way
    return np.asarray(side / np.linalg.norm(side))


def _extent(surfaces: tuple[Surface, ...], points: Floats) -> float:
    """Distance [m] of the farthest vertex from the origin; of the points if there is no surface."""
    drawn = np.asarray(surfaces[0].vertices) if surfaces else points
    return float(np.linalg.norm(drawn, axis=1).max())


def _rest_places(runs: pd.DataFrame) -> tuple[Floats, Floats]:
    """(places of rest [m] (n, 3), times to rest [s] (n,)) of the runs that have them."""
    columns = ["rest_x_m", "rest_y_m", "rest_z_m", "settle_time_s"]
    if not set(columns) <= set(runs.columns):
        return np.empty((0, 3)), np.empty(0)
    found = runs[columns].to_numpy(dtype=float, na_value=np.nan)
    found = found[np.isfinite(found).all(axis=1)]
    return found[:, :3], found[:, 3]


def _body_with_density(body: Surface, places: Floats) -> Surface:
    """The body with the density of places of rest first among its maps."""
    if not len(places):
        return body
    from scipy.spatial import cKDTree

    vertices = np.asarray(body.vertices, dtype=float)
    width = 0.03 * float(np.ptp(vertices, axis=0).max())
    near = cKDTree(places).query_ball_point(vertices, 3.0 * width)
    density = np.zeros(len(vertices))
    for i, members in enumerate(near):
        if members:
            apart = np.sum((places[members] - vertices[i]) ** 2, axis=1)
            density[i] = np.exp(-0.5 * apart / width**2).sum()
    density /= 2.0 * np.pi * width**2 * len(places)
    found = ScalarMap("density of places of rest", "share of runs at rest per m^2", density)
    return Surface(
        body.label, body.vertices, body.faces, frame=body.frame, maps=(found, *body.maps)
    )


def _many_ways(ways: list[dict[str, Floats]], time: Floats) -> list[Item]:
    """Trails of all runs as one set of lines, and a dot for each run on its way."""
    parts, segments, times, first = [], [], [], 0
    for way in ways:
        kept = np.unique(np.linspace(0, len(way["t"]) - 1, TRAIL_POINTS).astype(int))
        parts.append(way["r"][kept])
        times.append(way["t"][kept])
        row = np.arange(first, first + len(kept) - 1)
        segments.append(np.stack([row, row + 1], axis=1))
        first += len(kept)
    dots = np.stack(
        [
            np.stack([np.interp(time, way["t"], way["r"][:, k]) for k in range(3)], axis=1)
            for way in ways
        ],
        axis=1,
    )
    return [
        Lines(
            "trails", np.concatenate(parts), np.concatenate(segments), frame=A,
            times=np.concatenate(times),
        ),
        Points("probes", dots, frame=A, colour="body", size=6.0),
    ]  # fmt: skip


def _turns(spin: Floats, time: Floats) -> Floats:
    """quat_NA (n, 4) of a body in uniform rotation."""
    start = np.tile([1.0, 0.0, 0.0, 0.0], (len(time), 1))
    return turned(start, np.outer(time, spin))
