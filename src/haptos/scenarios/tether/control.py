"""A controller of the user's own in a run of a tether: its answers are pushes of thrusters and wheels of the two bodies.

    def damp(time, measured):
        return {"second": Push(force=-5.0 * measured["second"].velocity, axes="inertial")}

Measured are `first` and `second` (place, velocity, attitude, rate), `tension` [N] at both ends, `length` [m] of the line
that is out. Clock, delay, limits and errors are those of `scenarios/own_controller.py`. A force burns propellant with the
first thruster's specific impulse and is at most that of all thrusters of its body together; a torque is that of its wheels.
A body without thrusters refuses forces, one without wheels torques: the run ends as *controller failed*.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import xarray
from numpy.typing import NDArray

from haptos.core.errors import ConfigError
from haptos.core.frames import NO_FRAME
from haptos.core.rotations import rotation_matrices
from haptos.dynamics.cable.tether_run import TetherRun
from haptos.dynamics.cable.tether_state import ATTITUDE, BODY, POSITION, RATE, STORED
from haptos.results.result import described
from haptos.scenarios.line_results import body_velocities
from haptos.scenarios.own_controller import (
    WHERE,
    AskedController,
    as_controller,
    cut,
    three_numbers,
)
from haptos.scenarios.system_control import BodyState, Push, noisy

Floats = NDArray[np.float64]


@dataclass(eq=False)
class Steering:
    """A controller in a run of a tether.

    waiting  (time [s], pushes) that were asked for and do not act yet
    given    (time [s], body, force [N], torque [N m]) that acted, body axes
    """

    run: TetherRun
    names: tuple[str, str]
    asked: AskedController
    seed: int
    waiting: list[tuple[float, dict[str, Push]]] = field(default_factory=list)
    given: list[tuple[float, str, Floats, Floats]] = field(default_factory=list)

    @property
    def has_failed(self) -> bool:
        return bool(self.asked.failure)

    def stop(self) -> float:
        """Time [s] at which something is to be asked or done next."""
        return min([self.asked.next_time, *(time for time, _ in self.waiting)])

    def act(self) -> None:
        """Ask the controller if it is due, and let the answers act whose time has come."""
        time = self.run.time
        if self.asked.is_due(time):
            number = self.asked.calls
            answer = self.asked.ask(time, self._measured(number), self._checked)
            if answer is not None:
                self.waiting.append((time + self.asked.controller.delay, answer))
        while self.waiting and self.waiting[0][0] <= time * (1.0 + 1e-12):
            self._push(self.waiting.pop(0)[1])

    def _measured(self, number: int) -> dict[str, Any]:
        run = self.run
        run.refresh()
        speeds = body_velocities(run, run.state[None])[0]
        bodies = {}
        for k, name in enumerate(self.names):
            own = run.state[BODY * k : BODY * (k + 1)]
            bodies[name] = BodyState(
                own[POSITION : POSITION + 3].copy(), speeds[k], own[ATTITUDE : ATTITUDE + 4].copy(),
                own[RATE : RATE + 3].copy(),
            )  # fmt: skip
        springs = run.tether.springs.tension
        out = run.system.line.total - float(run.state[STORED] + run.state[STORED + 1])
        seen: dict[str, Any] = dict(noisy(bodies, self.asked.controller, self.seed, number))
        return seen | {"tension": (float(springs[0]), float(springs[-1])), "length": out}

    def _checked(self, answer: Any) -> dict[str, Push]:
        if answer is None:
            return {}
        is_ours = isinstance(answer, Mapping) and set(answer) <= set(self.names)
        if not is_ours or any(not isinstance(push, Push) for push in answer.values()):
            allowed = f"a dict of Push for {' and '.join(self.names)}"
            raise ConfigError(
                WHERE, f"{answer!r}"[:200], allowed, f'return {{"{self.names[1]}": Push(...)}}'
            )
        for name, push in answer.items():
            hull = self.run.tether.hulls[self.names.index(name)]
            force, torque = three_numbers(push.force, "force"), three_numbers(push.torque, "torque")
            if force.any() and not len(hull.thrusters):
                raise ConfigError(WHERE, f"a force on '{name}'", "a body with thrusters", "torque")
            if torque.any() and not hull.wheels[0] > 0.0:
                raise ConfigError(WHERE, f"a torque on '{name}'", "a body with wheels", "force")
        return dict(answer)

    def _push(self, answer: Mapping[str, Push]) -> None:
        """Set the commands of both bodies; one that is not named gets none."""
        limits, run = self.asked.controller, self.run
        run.commands[:] = 0.0
        for name, push in answer.items():
            k = self.names.index(name)
            hull = run.tether.hulls[k]
            dcm = np.eye(3)
            if push.axes == "inertial":
                attitude = run.state[BODY * k + ATTITUDE : BODY * k + ATTITUDE + 4]
                dcm = rotation_matrices(attitude[None])[0]
            most = float(hull.thrusters[:, 6].sum()) if len(hull.thrusters) else math.inf
            force = cut(
                dcm.T @ np.asarray(push.force, dtype=float), min(limits.largest_force, most)
            )
            torque = cut(dcm.T @ np.asarray(push.torque, dtype=float), limits.largest_torque)
            run.commands[k, :3], run.commands[k, 3:] = force, torque
            self.given.append((run.time, name, force, torque))

    def table(self) -> xarray.Dataset:
        """What acted, and from when."""
        rows, vector = self.given, ("push", "axis")
        force = np.array([row[2] for row in rows]).reshape(-1, 3)
        torque = np.array([row[3] for row in rows]).reshape(-1, 3)
        names = np.array([row[1] for row in rows], dtype=object)
        return xarray.Dataset({
            "time": described(("push",), np.array([row[0] for row in rows]), "s", NO_FRAME, "it begins"),
            "body": described(("push",), names, "-", NO_FRAME, "pushed"),
            "force": described(vector, force, "N", "B", "of its thrusters"),
            "torque": described(vector, torque, "N m", "B", "of its wheels"),
        })  # fmt: skip


def steering(
    run: TetherRun, names: tuple[str, str], controller: Any, interval: float | None, usual: float,
    duration: float, seed: int,
) -> Steering:  # fmt: skip
    """A controller for a run; refuses what is none, and runs in which it could move nothing."""
    hulls = run.tether.hulls
    if not any(len(hull.thrusters) or hull.wheels[0] > 0.0 for hull in hulls):
        hint = "[[first.thrusters]] or wheels in the file"
        raise ConfigError(WHERE, "bodies without thrusters and wheels", "an actuator", hint)
    return Steering(
        run, names, AskedController(as_controller(controller, interval, usual, duration)), seed
    )
