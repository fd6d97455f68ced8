"""An impulsive code of its own, for regular solids on one plane: plain NumPy, nothing of haptos but the corners of the solid.

Flight is exact: gravity is constant, and a regular solid turns at a constant rate. Corners at the plane get impulses by sweeps:
n . u+ >= -e n . u- (Newton's restitution, none below CONTACT), tangential velocity to zero within the cone of Coulomb.
Contact is a run of such impulses, one a step, so that slides and rocking need no law of their own.

python -m tests.validation.plane_reference   shares of C11 by this code and by haptos, of the same releases; kept for the page
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from haptos.core.whole_files import write_whole
from haptos.geometry.mesh.probe_shapes import platonic, platonic_edge
from tests.validation.lander_cases import KEPT

PULL, MASS, E, FRICTION = 8e-5, 10.0, 0.5, 0.5  # [m/s^2], [kg], [-], [-]
SLOPE = np.radians(5.0)
CONTACT, REST = 1e-4, 1e-5  # [m/s] slower strikes stay on the ground; slower bodies rest
FALL = 1800.0  # [s] from release to the first touch over Itokawa, part of t_f
NEAR = 1e-4  # [m] gap at which a corner is at the plane
SHORTEST, LONGEST, WAY = 0.02, 0.5, 1e-3  # [s], [s], [m] of a step near the plane
SWEEPS, STEPS = 40, 60_000
RUNS, SHAPES = 100, ("tetrahedron", "cube")
FILE = KEPT / "plane-reference.json"
Numbers = dict[str, Any]


def rotated(q: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Vectors x (m, 3) turned by unit quaternions q (n, 4): (n, m, 3)."""
    s, u = q[:, None, :1], np.broadcast_to(q[:, None, 1:], (len(q), *x.shape))
    return x + 2.0 * np.cross(u, np.cross(u, x) + s * x)


def turned(q: np.ndarray, w: np.ndarray, h: np.ndarray) -> np.ndarray:
    """Quaternions after turning at constant rates w (n, 3) in fixed axes for times h (n,)."""
    rate = np.linalg.norm(w, axis=1)
    half = 0.5 * rate * h
    share = np.where(rate > 0.0, np.sin(half) / np.where(rate > 0.0, rate, 1.0), 0.5 * h)
    a, u = np.cos(half)[:, None], share[:, None] * w
    s, v = q[:, :1], q[:, 1:]
    found = np.hstack([a * s - np.sum(u * v, 1, keepdims=True), a * v + s * u + np.cross(u, v)])
    return found / np.linalg.norm(found, axis=1, keepdims=True)


def struck(v: np.ndarray, w: np.ndarray, arms: np.ndarray, at: np.ndarray, inertia: float) -> None:
    """Impulses of the corners `at` (n, m) the plane, into velocities v and rates w; arms (n, m, 3)."""
    before = v[:, None, 2] + np.cross(w[:, None], arms)[..., 2]
    closing = at & (before < 0.0)
    wanted = np.where(before < -CONTACT, -E * before, 0.0)
    impulse = np.zeros_like(arms)
    ease = 1.0 / (
        1.0 / MASS + np.sum(arms**2, axis=2) / inertia
    )  # below every eigenvalue's inverse
    for _ in range(SWEEPS):
        for j in np.flatnonzero(closing.any(axis=0)):
            r, old = arms[:, j], impulse[:, j].copy()
            u = v + np.cross(w, r)
            new = old - ease[:, j, None] * u
            new[:, 2] = np.maximum(old[:, 2] + ease[:, j] * (wanted[:, j] - u[:, 2]), 0.0)
            size = np.linalg.norm(new[:, :2], axis=1)
            most = FRICTION * new[:, 2]
            new[:, :2] *= np.where(size > most, most / np.where(size > 0.0, size, 1.0), 1.0)[:, None]  # fmt: skip
            new = np.where(closing[:, j, None], new, old)
            impulse[:, j] = new
            v += (new - old) / MASS
            w += np.cross(r, new - old) / inertia


def simulated(corners: np.ndarray, inertia: float, q: np.ndarray, v: np.ndarray, w: np.ndarray, slope: float = SLOPE) -> Numbers:  # fmt: skip
    """Times [s] and paths [m] at the first slow strike and at rest, of bodies released with a corner at the plane."""
    n = len(q)
    q, v, w = q.copy(), v.copy(), w.copy()
    x = np.zeros((n, 3))
    x[:, 2] = -rotated(q, corners)[..., 2].min(axis=1)
    pull = PULL * np.array([np.sin(slope), 0.0, -np.cos(slope)])
    time, path, calm = np.zeros(n), np.zeros(n), np.zeros(n, dtype=int)
    slow, slow_path, rest, rest_path = (np.full(n, np.nan) for _ in range(4))
    reach = np.linalg.norm(corners, axis=1).max()
    for _ in range(STEPS):
        going = np.isnan(rest)
        if not going.any():
            break
        arms = rotated(q, corners)
        gap = x[:, None, 2] + arms[..., 2]
        x[:, 2] -= np.minimum(gap.min(axis=1), 0.0)
        at = (gap < NEAR) & going[:, None]
        speed = v[:, None, 2] + np.cross(w[:, None], arms)[..., 2]
        is_slow = (at & (speed < 0.0) & (speed > -CONTACT)).any(axis=1) & np.isnan(slow)
        slow[is_slow], slow_path[is_slow] = time[is_slow], path[is_slow]
        struck(v, w, arms, at, inertia)
        moving = np.linalg.norm(v, axis=1) + np.linalg.norm(w, axis=1) * reach
        calm = np.where(at.any(axis=1) & (moving < REST), calm + 1, 0)
        is_rest = (calm == 5) & going
        rest[is_rest], rest_path[is_rest] = time[is_rest], path[is_rest]
        h = np.clip(WAY / np.maximum(moving, 1e-12), SHORTEST, LONGEST)
        h = np.maximum(h, 0.5 * np.maximum(gap.min(axis=1), 0.0) / np.maximum(moving, 1e-12))
        h = np.where(going, np.minimum(h, 20.0), 0.0)
        move = v * h[:, None] + 0.5 * pull * h[:, None] ** 2
        x, v, q = x + move, v + pull * h[:, None], turned(q, w, h)
        time, path = time + h, path + np.linalg.norm(move, axis=1)
    return {"slow": slow, "slow_path": slow_path, "rest": rest, "rest_path": rest_path}


def releases(count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Attitudes, velocities [m/s] and rates [rad/s] at the first touch, as they are over Itokawa."""
    generator = np.random.default_rng(7)
    q = generator.normal(size=(count, 4))
    v = generator.normal(size=(count, 3)) * 0.02 + np.array([0.0, 0.0, -0.12])
    v[:, 2] = -np.abs(v[:, 2])
    return q / np.linalg.norm(q, axis=1, keepdims=True), v, np.zeros((count, 3))


def small_share(time: np.ndarray, last: np.ndarray, path: np.ndarray) -> np.ndarray:
    """Whether contact adds less than 2 % to t_f and less than 0.25 m."""
    return ((FALL + last) / (FALL + time) - 1.0 < 0.02) & (path < 0.25)


def by_reference(shape: str, runs: int = RUNS) -> Numbers:
    """Shares of C11 of a solid by this code."""
    solid = platonic(shape, platonic_edge(shape, 0.01))
    inertia = MASS * float(solid.inertia_per_mass[0, 0])
    found = simulated(np.asarray(solid.vertices)[:, :3], inertia, *releases(runs))
    small = small_share(found["slow"], found["rest"], found["rest_path"] - found["slow_path"])
    added = found["rest"] - found["slow"]
    return {"small": small.tolist(), "added_s": added.tolist(), "rest_s": found["rest"].tolist()}


def by_haptos(shape: str, runs: int = RUNS) -> Numbers:
    """The same of the same releases by haptos, with contact motion on and off."""
    import haptos
    from tests.hard_cases import hard

    solid = platonic(shape, platonic_edge(shape, 0.01))
    corners = np.asarray(solid.vertices)[:, :3]
    q, v, _ = releases(runs)
    height = -rotated(q, corners)[..., 2].min(axis=1)
    ended = {}
    for motion in (True, False):
        configs = [
            hard(
                probe={"shape": shape, "mass_kg": MASS, "volume_m3": 0.01},
                gravity={"model": "uniform", "acceleration_m_per_s2": [float(PULL * np.sin(SLOPE)), 0.0, float(-PULL * np.cos(SLOPE))]},
                contact={"restitution": E, "friction": FRICTION, "contact_motion": motion},
                release={"position_m": [0.0, 0.0, float(height[i]) + 1e-6], "velocity_m_per_s": v[i].tolist(), "attitude_quaternion": q[i].tolist()},
                run={"duration_s": 100_000.0, "output_interval_s": 1000.0, "max_steps": 30_000},
            )
            for i in range(runs)
        ]  # fmt: skip
        ended[motion] = haptos.simulate_batch(configs, workers=1).runs
    on, off = ended[True], ended[False]
    times = [x["settle_time_s"].to_numpy(dtype=float) for x in (off, on)]
    path = (on["path_length_m"] - off["path_length_m"]).to_numpy(dtype=float)
    return {
        "small": small_share(*times, path).tolist(),
        "added_s": (times[1] - times[0]).tolist(),
        "rest_s": times[1].tolist(),
    }


def main() -> None:
    found = {}
    for shape in SHAPES:
        found[shape] = {"reference": by_reference(shape), "haptos": by_haptos(shape)}
        for code, numbers in found[shape].items():
            print(shape, code, f"small {np.mean(numbers['small']):.3f}", "added", np.nanquantile(numbers["added_s"], [0.1, 0.5, 0.9]), "rest", np.nanmean(numbers["rest_s"]), flush=True)  # fmt: skip
    FILE.parent.mkdir(parents=True, exist_ok=True)
    write_whole(FILE, json.dumps(found))


if __name__ == "__main__":
    main()
