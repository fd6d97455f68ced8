"""A controller of the user's own in a run of bodies and cables: its answers are pushes on bodies.

    def hold(time, bodies):
        chaser = bodies["chaser"]
        return {"chaser": Push(torque=-50.0 * chaser.rate)}

    result = haptos.simulate(scenario, controller=hold, control_interval=0.05)

Clock, delay, limits and errors are those of `own_controller.py`. Each push is a load of constant size in the axes named, over
one interval: it is in the energy
ledger as thrust and in the table `control` of the result. A scenario file cannot hold a controller,
so the result's configuration alone does not bring such a run back.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Generic, Literal, TypeVar

import numpy as np
import xarray
from numpy.typing import ArrayLike, NDArray

from haptos.core.errors import ConfigError
from haptos.core.frames import NO_FRAME
from haptos.core.rotations import rotation_matrices, turned
from haptos.dynamics.rigid.load_rows import NOBODY, load_row
from haptos.dynamics.sensing.streams import Stream
from haptos.dynamics.system import LOAD, THRUST, rows_of
from haptos.dynamics.totals import Moving
from haptos.results.result import described
from haptos.scenarios.own_controller import (
    WHERE,
    AskedController,
    Controller,
    as_controller,
    cut,
    three_numbers,
)

Floats = NDArray[np.float64]
M = TypeVar("M", bound=Any)  # a `Moving` dataclass


@dataclass(frozen=True, eq=False)
class BodyState:
    """place [m], velocity [m/s], N axes; attitude quat_NB, scalar first; rate [rad/s], own axes."""

    place: Floats
    velocity: Floats
    attitude: Floats
    rate: Floats


@dataclass(frozen=True, eq=False)
class Push:
    """force [N] at the centre of mass and torque [N m], in the axes of the body or N axes."""

    force: ArrayLike = (0.0, 0.0, 0.0)
    torque: ArrayLike = (0.0, 0.0, 0.0)
    axes: Literal["body", "inertial"] = "body"


@dataclass(eq=False)
class Controlled(Generic[M]):
    """A model with a controller: rows of loads for each body, written anew at each interval.

    first   row of the first of them; there are `slots` for each body, one for each answer that is still to act
    """

    model: M
    asked: AskedController
    first: int
    slots: int
    seed: int
    given: list[Any] = field(default_factory=list)

    @property
    def failure(self) -> str:
        return self.asked.failure

    def next_stop(self, time: float) -> float:
        """Time [s] of the next stop, after asking the controller if one is due; now if it has failed."""
        if self.asked.is_due(time):
            self.ask(time)
        return time if self.failure else self.asked.next_time

    def ask(self, time: float) -> None:
        """Ask the controller and write its pushes, which act after its delay for one interval."""
        number, start = self.asked.calls, self.asked.next_time + self.asked.controller.delay
        measured = noisy(states(self.model), self.asked.controller, self.seed, number)
        names = self.model.names
        pushes = self.asked.ask(time, measured, lambda answer: _checked(answer, names))
        for body, name in enumerate(names):
            row = load_row(body, start, start + self.asked.interval, THRUST)
            push = (pushes or {}).get(name)
            if push is not None:
                self._fill(row, body, push)
                self.given.append(row)
            slot = self.first + (number % self.slots) * len(names) + body
            self.model.system.orders.loads[slot] = row

    def _fill(self, row: Any, body: int, push: Push) -> None:
        limits = self.asked.controller
        row["axes"] = body if push.axes == "body" else NOBODY
        row["force"] = cut(np.asarray(push.force), limits.largest_force)
        row["torque"] = cut(np.asarray(push.torque), limits.largest_torque)
        row["force_end"] = row["force"]
        row["torque_end"] = row["torque"]

    def finished(self) -> M:
        """The model with every push that was given among its loads, for the histories."""
        orders = self.model.system.orders
        loads = rows_of(LOAD, [*orders.loads[: self.first], *self.given])
        return replace(
            self.model, system=self.model.system._replace(orders=orders._replace(loads=loads))
        )

    def table(self) -> xarray.Dataset:
        """What the controller asked for."""
        rows = rows_of(LOAD, self.given)
        names = np.array([self.model.names[int(b)] for b in rows["body"]], dtype=object)
        axes = np.array(["inertial" if a < 0 else "body" for a in rows["axes"]], dtype=object)
        force, torque = rows["force"], rows["torque"]
        shown = "in the axes named"
        return xarray.Dataset(
            {
                "time": described(("push",), rows["start"], "s", NO_FRAME, "it begins"),
                "stop": described(("push",), rows["stop"], "s", NO_FRAME, "it ends"),
                "body": described(("push",), names, "-", NO_FRAME, "pushed"),
                "axes": described(("push",), axes, "-", NO_FRAME, "of force and torque"),
                "force": described(("push", "axis"), force, "N", NO_FRAME, shown),
                "torque": described(("push", "axis"), torque, "N m", NO_FRAME, shown),
            }
        )  # fmt: skip


def controlled(
    model: M, controller: Any, interval: float | None, usual: float, duration: float, seed: int = 0
) -> Controlled[M]:
    """A model with room for a controller's loads; refuses what is no controller or interval [s].

    usual     interval [s] if none is given        duration  of the run [s]       seed  of its noise
    """
    asked = AskedController(as_controller(controller, interval, usual, duration))
    slots = 1 + math.ceil(asked.controller.delay / asked.interval)
    orders = model.system.orders
    rows = [
        load_row(b, 0.0, asked.interval, THRUST)
        for _ in range(slots)
        for b in range(len(model.names))
    ]
    loads = rows_of(LOAD, [*orders.loads, *rows])
    system = model.system._replace(orders=orders._replace(loads=loads))
    return Controlled(replace(model, system=system), asked, len(orders.loads), slots, seed)


def noisy(
    bodies: dict[str, BodyState], controller: Controller, seed: int, sample: int
) -> dict[str, BodyState]:
    """States as measured: each body has its own stream of noise."""
    if not any(controller.noise):
        return bodies
    place, velocity, attitude, rate = controller.noise
    found = {}
    for name, true in bodies.items():
        n = Stream.named(seed, f"controller {name}").normals(sample, 12)
        found[name] = BodyState(
            true.place + place * n[:3], true.velocity + velocity * n[3:6],
            turned(true.attitude[None], attitude * n[None, 6:9])[0], true.rate + rate * n[9:],
        )  # fmt: skip
    return found


def states(model: Moving) -> dict[str, BodyState]:
    """States of all bodies by name; copies, which nobody can spoil the run with."""
    motion = model.motion
    found = {}
    for b, name in enumerate(model.names):
        dcm = rotation_matrices(motion.bodies.attitude[b])
        rate = model.system.inverse_inertia[b] * (dcm.T @ motion.bodies.momentum[b])
        found[name] = BodyState(
            motion.bodies.place[b].copy(),
            motion.bodies.speed[b].copy(),
            motion.bodies.attitude[b].copy(),
            rate,
        )
    return found


def _checked(answer: Any, names: tuple[str, ...]) -> Mapping[str, Push]:
    """The answer of a controller, if it is pushes on bodies of these names."""
    if answer is None:
        return {}
    if not isinstance(answer, Mapping) or any(not isinstance(p, Push) for p in answer.values()):
        found = f"an answer of {type(answer).__name__}"
        raise ConfigError(WHERE, found, "a dict of Push by body", 'return {"chaser": Push(...)}')
    for name, push in answer.items():
        if name not in names:
            raise ConfigError(WHERE, f"a push on '{name}'", ", ".join(names), "check the name")
        if push.axes not in ("body", "inertial"):
            found = f"axes = {push.axes!r}"
            raise ConfigError(WHERE, found, "'body' or 'inertial'", "axes = 'body'")
        three_numbers(push.force, f"force on the {name},")
        three_numbers(push.torque, f"torque on the {name},")
    return answer
