"""A controller of the user's own in a run of bodies and cables: asked at even times, its pushes act until the next.

    def hold(time, bodies):
        chaser = bodies["chaser"]
        return {"chaser": Push(torque=-50.0 * chaser.rate)}

    result = haptos.simulate(scenario, controller=hold, control_interval=0.05)

Each push is a load of constant size in the axes named, over one interval: it is in the energy
ledger as thrust and in the table `control` of the result. A scenario file cannot hold a controller,
so the result's configuration alone does not bring such a run back.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Generic, Literal, TypeVar

import numpy as np
import xarray
from numpy.typing import ArrayLike, NDArray

from haptos.core.errors import ConfigError
from haptos.core.frames import NO_FRAME
from haptos.core.rotations import rotation_matrices
from haptos.dynamics.rigid.load_rows import NOBODY, load_row
from haptos.dynamics.system import (
    LOAD_AXES,
    LOAD_BODY,
    LOAD_FORCE,
    LOAD_FORCE_END,
    LOAD_START,
    LOAD_STOP,
    LOAD_TORQUE,
    LOAD_TORQUE_END,
    THRUST,
)
from haptos.dynamics.totals import Moving
from haptos.results.result import described

Floats = NDArray[np.float64]
M = TypeVar("M", bound=Any)  # a `Moving` dataclass
WHERE = "controller"
MOST_CALLS = 100_000


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


Controller = Callable[[float, Mapping[str, BodyState]], Mapping[str, Push] | None]


@dataclass(eq=False)
class Controlled(Generic[M]):
    """A model with a controller: one row of loads per body, written anew at each interval."""

    model: M
    controller: Controller
    interval: float
    first: int
    given: list[Floats] = field(default_factory=list)
    calls: int = 0

    def next_stop(self, time: float) -> float:
        """Time [s] of the next stop, after asking the controller if one is at a time [s]."""
        self.ask(time)
        return self.calls * self.interval

    def ask(self, time: float) -> None:
        """Ask the controller if a new interval begins at a time [s], and write its pushes."""
        if time < self.calls * self.interval * (1.0 - 1e-12):
            return
        start, stop = self.calls * self.interval, (self.calls + 1) * self.interval
        self.calls += 1
        told = self.controller(time, states(self.model))
        pushes = _checked(told, self.model.names)
        for number, name in enumerate(self.model.names):
            row = load_row(number, start, stop, THRUST)
            push = pushes.get(name)
            if push is not None:
                row[LOAD_AXES] = number if push.axes == "body" else NOBODY
                row[LOAD_FORCE : LOAD_FORCE + 3] = _three(name, "force", push.force)
                row[LOAD_TORQUE : LOAD_TORQUE + 3] = _three(name, "torque", push.torque)
                row[LOAD_FORCE_END : LOAD_FORCE_END + 3] = row[LOAD_FORCE : LOAD_FORCE + 3]
                row[LOAD_TORQUE_END : LOAD_TORQUE_END + 3] = row[LOAD_TORQUE : LOAD_TORQUE + 3]
                self.given.append(row)
            self.model.net.orders.loads[self.first + number] = row

    def finished(self) -> M:
        """The model with every push that was given among its loads, for the histories."""
        orders = self.model.net.orders
        loads = np.concatenate([orders.loads[: self.first], *(row[None] for row in self.given)])
        return replace(self.model, net=self.model.net._replace(orders=orders._replace(loads=loads)))

    def table(self) -> xarray.Dataset:
        """What the controller asked for."""
        rows = np.reshape(self.given, (-1, len(self.model.net.orders.loads[0])))
        names = np.array([self.model.names[int(b)] for b in rows[:, LOAD_BODY]], dtype=object)
        axes = np.array(["inertial" if a < 0 else "body" for a in rows[:, LOAD_AXES]], dtype=object)
        force, torque = rows[:, LOAD_FORCE:LOAD_FORCE_END], rows[:, LOAD_TORQUE:LOAD_TORQUE_END]
        told = "in the axes named"
        return xarray.Dataset(
            {
                "time": described(("push",), rows[:, LOAD_START], "s", NO_FRAME, "it begins"),
                "stop": described(("push",), rows[:, LOAD_STOP], "s", NO_FRAME, "it ends"),
                "body": described(("push",), names, "-", NO_FRAME, "pushed"),
                "axes": described(("push",), axes, "-", NO_FRAME, "of force and torque"),
                "force": described(("push", "axis"), force, "N", NO_FRAME, told),
                "torque": described(("push", "axis"), torque, "N m", NO_FRAME, told),
            }
        )  # fmt: skip


def controlled(model: M, controller: Any, interval: Any, duration: float) -> Controlled[M]:
    """A model with room for a controller's loads; refuses what is no controller or interval [s].

    duration  of the run [s]
    """
    if not callable(controller):
        found = type(controller).__name__
        raise ConfigError(WHERE, found, "a function of time and bodies", "def hold(time, bodies):")
    given = interval
    least = duration / MOST_CALLS
    if not (isinstance(given, (int, float)) and math.isfinite(given) and given >= least):
        allowed = f"seconds, {least:.3g} or more"
        raise ConfigError("control_interval", f"{given!r}", allowed, "control_interval = 0.1")
    orders = model.net.orders
    rows = [load_row(b, 0.0, float(given), THRUST) for b in range(len(model.names))]
    loads = np.concatenate([orders.loads, rows])
    net = model.net._replace(orders=orders._replace(loads=loads))
    return Controlled(replace(model, net=net), controller, float(given), len(orders.loads))


def states(model: Moving) -> dict[str, BodyState]:
    """States of all bodies by name; copies, which nobody can spoil the run with."""
    motion = model.motion
    found = {}
    for b, name in enumerate(model.names):
        dcm = rotation_matrices(motion.attitude[b])
        rate = model.net.inverse_inertia[b] * (dcm.T @ motion.momentum[b])
        found[name] = BodyState(
            motion.place[b].copy(), motion.speed[b].copy(), motion.attitude[b].copy(), rate
        )
    return found


def _checked(told: Any, names: tuple[str, ...]) -> Mapping[str, Push]:
    """The answer of a controller, if it is pushes on bodies of these names."""
    if told is None:
        return {}
    if not isinstance(told, Mapping) or any(not isinstance(p, Push) for p in told.values()):
        found = f"an answer of {type(told).__name__}"
        raise ConfigError(WHERE, found, "a dict of Push by body", 'return {"chaser": Push(...)}')
    for name, push in told.items():
        if name not in names:
            raise ConfigError(WHERE, f"a push on '{name}'", ", ".join(names), "check the name")
        if push.axes not in ("body", "inertial"):
            found = f"axes = {push.axes!r}"
            raise ConfigError(WHERE, found, "'body' or 'inertial'", "axes = 'body'")
    return told


def _three(name: str, what: str, vector: ArrayLike) -> Floats:
    """Three numbers of a force or torque on a body of a name, if they are that."""
    try:
        found = np.asarray(vector, dtype=float)
    except (TypeError, ValueError):
        found = np.full(3, math.nan)
    if found.shape != (3,) or not np.isfinite(found).all():
        said = f"{what} {vector!r} on the {name}"
        raise ConfigError(WHERE, said, "three finite numbers", "(0.0, 0.0, 0.0)")
    return found
