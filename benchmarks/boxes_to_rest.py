"""Boxes come to rest at least 3 times the runs per second of MuJoCo's rollout over the scene.

256 boxes are thrown on a plane; the claim is for one thread and MuJoCo's 600 steps.
The same boxes, first states, gravity, friction coefficient and rest thresholds for both. Contact
models differ by nature, so errors are reported beside speed: how far boxes sink in at impact and at
rest, and the largest rise of energy in one step (contact can only take energy). Stiffness is
chosen so that ours sinks in less, at impact and at rest.

MuJoCo steps a whole batch, so it is timed twice: over the 600 steps of 5 ms of the scene, and over
only as many steps as its last box needs to come to rest, found beforehand at no cost.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from _size import CLAIM_MISSED, NO_PEER, ended, sized

from haptos.core.outcome import Outcome
from haptos.core.rotations import random_quaternion, rotation_matrices
from haptos.dynamics.touching.batch import BodyBatch, batch_of
from haptos.dynamics.touching.batch_march import march
from haptos.scenarios.lander.config import Config
from haptos.scenarios.lander.model import Model, build

BOXES, SEED, ROUNDS = sized(256, 8), 7, sized(5, 1)
SIZE, MASS, FRICTION, GRAVITY = (0.28, 0.20, 0.30), 10.0, 0.6, 9.81  # [m], [kg], [-], [m/s^2]
REST_SPEED, REST_RATE, REST_HOLD = 1e-3, 1e-2, 0.05  # [m/s], [rad/s], [s]
PEER_STEP, PEER_STEPS = 0.005, 600  # [s], [-]
STIFFNESS = 1.3e6  # [N/m] of one vertex: a box at rest sinks in by 19 micrometres on four
TOLERANCE = 1e-4  # [-], [m], [m/s]
CLAIMED = 3.0  # [-] runs per second, ours over MuJoCo's, over the scene on one thread


@dataclass(frozen=True)
class Errors:
    """Largest over time, then the mean over boxes."""

    impact_depth: float  # [m]
    rest_depth: float  # [m]
    energy_rise: float  # [-] of the initial energy, in one step


def first_states() -> np.ndarray:
    """Position, velocity, quaternion, body rate of every box, shape (BOXES, 13)."""
    generator = np.random.default_rng(SEED)
    states = np.zeros((BOXES, 13))
    states[:, 2] = 0.5
    states[:, 3:5] = generator.uniform(-1.0, 1.0, (BOXES, 2))
    states[:, 6:10] = [random_quaternion(generator) for _ in range(BOXES)]
    states[:, 10:13] = generator.normal(0.0, 2.0, (BOXES, 3))
    return states


def our_model(state: np.ndarray) -> Model:
    """One box; tolerances are loose, as the peer's are."""
    s = state.tolist()
    return build(
        Config.model_validate(
            {
                "scenario": "lander",
                "probe": {"shape": "box", "size_m": SIZE, "mass_kg": MASS},
                "surface": {"shape": "plane"},
                "gravity": {"model": "uniform", "acceleration_m_per_s2": [0.0, 0.0, -GRAVITY]},
                "contact": {
                    "stiffness_N_per_m": STIFFNESS,
                    "restitution": 0.5,
                    "friction": FRICTION,
                    "rolling_resistance_m": 0.01,
                    "stick_speed_m_per_s": 0.1,
                    "stick_rate_rad_per_s": 0.5,
                },
                "release": {
                    "position_m": s[0:3],
                    "velocity_m_per_s": s[3:6],
                    "attitude_quaternion": s[6:10],
                    "rate_rad_per_s": s[10:13],
                },
                "settle": {
                    "speed_m_per_s": REST_SPEED,
                    "rate_rad_per_s": REST_RATE,
                    "hold_s": REST_HOLD,
                },
                "run": {
                    "duration_s": 30.0,
                    "relative_tolerance": TOLERANCE,
                    "position_tolerance_m": TOLERANCE,
                    "velocity_tolerance_m_per_s": TOLERANCE,
                    "rate_tolerance_rad_per_s": 10.0 * TOLERANCE,
                    "attitude_tolerance": TOLERANCE,
                    "energy_tolerance": TOLERANCE,
                    "ledger_bound": 1e-2,
                },
            }
        )
    )


def our_errors(batch: BodyBatch, models: list[Model]) -> Errors:
    memory = batch.memory
    scale = np.array([model.scale for model in models])
    corners = np.einsum(
        "nij,kj->nki", rotation_matrices(batch.state[:, 6:10]), models[0].vertices[:, :3]
    )
    lowest = (batch.state[:, None, 2] + corners[:, :, 2]).min(axis=1)
    return Errors(
        float(np.mean(memory["contact"]["deepest"])),
        float(np.mean(np.maximum(-lowest, 0.0))),
        float(np.mean(memory["ledger"]["largest_rise"] / scale)),
    )


class Peer:
    """MuJoCo with its own defaults for contact, which are soft."""

    def __init__(self, states: np.ndarray) -> None:
        import mujoco
        import mujoco.rollout

        self.mujoco = mujoco
        half = " ".join(str(edge / 2.0) for edge in SIZE)
        self.model = mujoco.MjModel.from_xml_string(
            f"""<mujoco><option timestep="{PEER_STEP}" gravity="0 0 {-GRAVITY}"/>
            <worldbody><geom type="plane" size="50 50 1" friction="{FRICTION}"/>
            <body><freejoint/><geom type="box" size="{half}" mass="{MASS}" friction="{FRICTION}"/>
            </body></worldbody></mujoco>"""
        )
        size = mujoco.mj_stateSize(self.model, mujoco.mjtState.mjSTATE_FULLPHYSICS)
        self.states = states
        self.initial = np.zeros((BOXES, size))
        self.initial[:, 1:4], self.initial[:, 4:8] = states[:, 0:3], states[:, 6:10]
        self.initial[:, 8:11], self.initial[:, 11:14] = states[:, 3:6], states[:, 10:13]

    def run(self, steps: int, threads: int) -> np.ndarray:
        data = [self.mujoco.MjData(self.model) for _ in range(threads)]
        return np.asarray(
            self.mujoco.rollout.rollout(self.model, data, self.initial, nstep=steps)[0]
        )

    def steps_to_rest(self) -> int:
        """Steps after which every box has been slow for the hold time."""
        path = self.run(PEER_STEPS, 1)
        speed = np.linalg.norm(path[:, :, 8:11], axis=2)
        rate = np.linalg.norm(path[:, :, 11:14], axis=2)
        moving = (speed >= REST_SPEED) | (rate >= REST_RATE)
        last = PEER_STEPS - np.argmax(moving[:, ::-1], axis=1)
        return int(last.max()) + round(REST_HOLD / PEER_STEP)

    def errors(self) -> Errors:
        """One box after the other, looking at contacts and energy after every step."""
        reported = []
        flags = self.model.opt.enableflags
        self.model.opt.enableflags = flags | int(self.mujoco.mjtEnableBit.mjENBL_ENERGY)
        data = self.mujoco.MjData(self.model)
        for state in self.states:
            self.mujoco.mj_resetData(self.model, data)
            data.qpos[:], data.qvel[:] = [*state[0:3], *state[6:10]], [*state[3:6], *state[10:13]]
            self.mujoco.mj_forward(self.model, data)
            deepest, energy = 0.0, [data.energy.sum()]
            for _ in range(PEER_STEPS):
                self.mujoco.mj_step(self.model, data)
                depth = -data.contact.dist.min() if data.ncon else 0.0
                deepest = max(deepest, depth)
                energy.append(data.energy.sum())
            reported.append((deepest, max(depth, 0.0), np.diff(energy).max() / energy[0]))
        self.model.opt.enableflags = flags
        return Errors(*(float(value) for value in np.mean(reported, axis=0)))


def seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def main() -> int:
    states = first_states()
    models = [our_model(state) for state in states]
    batch = batch_of(models)
    march(batch, workers=1)
    ours = our_errors(batch, models)
    steps = batch.memory["counts"]["steps"] + batch.memory["counts"]["rejected"]
    mean_time = batch.memory["step"]["time"].mean()
    print(f"ours    to rest in {mean_time:.2f} s, {steps.mean():.0f} steps tried")
    largest = batch.memory["ledger"]["largest_remainder"]
    remainder = largest / np.array([model.scale for model in models])
    print(f"ours    ledger remainder {remainder.mean():.1e} mean, {remainder.max():.1e} worst")
    try:
        peer = Peer(states)
    except ImportError:
        print("MuJoCo is not installed; try: pip install mujoco", file=sys.stderr)
        return NO_PEER
    enough = peer.steps_to_rest()
    theirs = peer.errors()
    print(f"MuJoCo  last box at rest after {enough} steps of {PEER_STEP} s")
    missed = [] if np.all(batch.memory["outcome"] == Outcome.SETTLED.code) else ["all at rest"]
    for name, unit, factor in [("impact_depth", "mm", 1e3), ("rest_depth", "mm", 1e3), ("energy_rise", "-", 1.0)]:  # fmt: skip
        a, b = factor * getattr(ours, name), factor * getattr(theirs, name)
        print(f"{name:13s} ours {a:10.2e} {unit:2s}  MuJoCo {b:10.2e} {unit:2s}  ratio {a / b:.2g}")
        missed += [] if a <= b else [f"{name} no worse"]
    for threads in (1, 2):
        ours_rate, scene_rate, rest_rate = rates(models, peer, enough, threads)
        print(
            f"{threads} thread(s)  ours {ours_rate:6.0f} runs/s   MuJoCo, {PEER_STEPS} steps "
            f"{scene_rate:5.0f} (ratio {ours_rate / scene_rate:.1f})   "
            f"to last rest {rest_rate:5.0f} (ratio {ours_rate / rest_rate:.1f})"
        )
        if threads == 1 and not ours_rate >= CLAIMED * scene_rate:
            missed.append(f"{CLAIMED:g} times the runs per second")
    print(f"claim missed: {', '.join(missed)}" if missed else "claim holds")
    return CLAIM_MISSED if missed else 0


def rates(models: list[Model], peer: Peer, enough: int, threads: int) -> tuple[float, ...]:
    """Runs per second of ours, MuJoCo over the scene, MuJoCo to the last rest; interleaved."""
    times: list[tuple[float, float, float]] = []
    for _ in range(ROUNDS):
        fresh = batch_of(models)
        times.append(
            (
                seconds(lambda fresh=fresh: march(fresh, workers=threads)),  # type: ignore[misc]
                seconds(lambda: peer.run(PEER_STEPS, threads)),
                seconds(lambda: peer.run(enough, threads)),
            )
        )
    return tuple(BOXES / statistics.median(column) for column in zip(*times, strict=True))


if __name__ == "__main__":
    raise SystemExit(ended(main()))
