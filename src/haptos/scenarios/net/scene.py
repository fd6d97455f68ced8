"""A net to look at: threads coloured by stress, bullets, chaser and target as they move."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from haptos.results.result import Result
from haptos.results.scene import (
    Arrows,
    Camera,
    Lines,
    Points,
    Scene,
    Series,
)
from haptos.results.scene_parts import stored_marks, triple
from haptos.scenarios.net.scene_bodies import body_surfaces
from haptos.scenarios.net.scene_ground import ground_frames, ground_surfaces
from haptos.scenarios.system_view import (
    body_frames,
    body_names,
    broken_elements,
    whole_elements,
)

Floats = NDArray[np.float64]
MEGA = 1e6
CLOSE = 4.0  # [m] of a camera from the target
FAR = (
    2.0  # [-] way of all over the distance of the camera that follows, from which that one is first
)


def scene(result: Result) -> Scene:
    """Everything in N axes; cameras that stand still, follow the target, or the chaser."""
    motion = result.trajectory
    time = np.asarray(motion["time"].values)
    names, places = body_names(result), motion["r_BN_N"].values
    bullets = [n for n, name in enumerate(names) if name.startswith("bullet")]
    return Scene(
        time=time,
        items=(
            *body_surfaces(result),
            *ground_surfaces(result),
            *_threads(result),
            Points("bullets", places[:, bullets], colour="body", size=10.0),
            *_pushes(result, names, places),
        ),
        cameras=_cameras(places, names),
        frames=(*body_frames(result), *ground_frames(result)),
        series=_series(result, time),
        events=stored_marks(result),
        notes=("threads: tension over section of fibre, shown at their ends",),
    )


def _series(result: Result, time: Floats) -> tuple[Series, ...]:
    motion, names = result.trajectory, body_names(result)
    wanted = [
        ("opening", "quality", "%", motion["quality"].values),
        ("tension", "largest", "N", motion["tension"].values.max(axis=1, initial=0.0)),
        ("tension", "tether", "N", motion["tether_tension"].values),
        ("tension", "closing", "N", motion["closing_tension"].values),
    ]
    if "target" in names:
        rate = np.degrees(motion["omega_BN_B"].values[:, names.index("target")])
        wanted += [
            ("rate of the target", axis, "deg/s", rate[:, k]) for k, axis in enumerate("xyz")
        ]
    if "f_target_N" in motion and np.isfinite(motion["f_target_N"].values).all():
        size = np.linalg.norm(motion["f_target_N"].values, axis=1)
        wanted.append(("force on the target", "size", "N", size))
    return tuple(Series(panel, name, unit, time, v) for panel, name, unit, v in wanted)


def _pushes(result: Result, names: list[str], places: Floats) -> tuple[Arrows, ...]:
    """The force of the net on the target, at its centre."""
    if "f_target_N" not in result.trajectory:
        return ()
    force = np.asarray(result.trajectory["f_target_N"].values)
    force = np.where(np.linalg.norm(force, axis=1, keepdims=True) > 0.0, force, np.nan)
    if not np.isfinite(force).any():
        return ()
    centre = places[:, names.index("target")]
    return (Arrows("force on the target", "N", centre[:, None], force[:, None], 0.8),)


def _threads(result: Result) -> tuple[Lines, ...]:
    """Threads coloured by stress; those that will break vanish."""
    section = result.tables["elements"]["section"].values
    stress = result.trajectory["tension"].values / section / MEGA
    look = (stress, ("stress", "MPa"), _high(stress))
    return (
        whole_elements(result, "threads", *look),
        *broken_elements(result, "threads that break", *look),
    )


def _high(stress: Floats) -> float:
    """End of the colours [MPa]: what the most loaded thread rarely exceeds."""
    largest = stress.max(axis=1, initial=0.0)
    pulled = largest[largest > 0.0]
    return float(np.percentile(pulled, 90.0)) if len(pulled) else 1.0


def _cameras(places: Floats, names: list[str]) -> tuple[Camera, ...]:
    """From where all is seen that moves, and beside target and chaser, wherever these go.

    The first is the one that is shown: after a long tow all is too small to be seen from afar.
    """
    span = float(np.ptp(places.reshape(-1, 3), axis=0).max()) + 2.0
    low, high = places.min(axis=(0, 1)), places.max(axis=(0, 1))
    middle = triple(0.5 * (low + high))
    up, side = (0.0, 0.0, 1.0), (0.3, -1.0, 0.45)
    found = [Camera("inertial", "world", middle, side, up, 1.3 * span)]
    near = [n for n, name in enumerate(names) if name in ("chaser", "target")]
    for name in ("target", "chaser"):
        if name in names:
            away = places[:, near] - places[:, [names.index(name)]]
            reach = float(np.linalg.norm(away, axis=2).max()) + 2.0
            found.append(Camera(f"follow the {name}", "world", name, side, up, 1.1 * reach))
    if "target" in names:
        found.append(Camera("fixed to the target", "target", "target", side, up, CLOSE))
        found.append(Camera("close to the target", "world", "target", side, up, CLOSE))
    if len(found) > 1 and span > FAR * found[1].distance:
        found.append(found.pop(0))
    return tuple(found)
