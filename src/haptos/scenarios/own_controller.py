"""A controller of the user's own in any scenario that moves in time: asked at even times, late and limited as hardware is.

    def hold(time, measured):
        return {"chaser": Push(torque=-50.0 * measured["chaser"].rate)}

    mine = Controller(hold, interval=0.1, delay=0.05, largest_torque=0.2)
    result = haptos.simulate(scenario, controller=mine)

What is measured, and which commands there are, is the scenario's. The answer acts `delay` seconds after it was asked
for, until the next one does. An error in the function, or an answer that is none, ends the run: its outcome is
*controller failed*, with the traceback in `result.traceback`, and what was simulated until then is kept.
"""

from __future__ import annotations

import math
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from haptos.core.errors import ConfigError

Floats = NDArray[np.float64]
WHERE = "controller"
MOST_CALLS = 100_000
EARLY = 1e-12  # [-] of the time: rounding


@dataclass(frozen=True)
class Controller:
    """A function with its own clock and the hardware that carries it out.

    function        (time [s], measured) -> commands by name, or None for none
    interval        [s] at which it is asked; that of the scenario's output if left out
    delay           [s] from asking to acting
    largest_force   [N] and largest_torque [N m] that an answer can have: longer vectors are cut
    noise           [m, m/s, rad, rad/s] deviations of what it is given of bodies: place, velocity, attitude, rate
    """

    function: Callable[..., Any]
    interval: float | None = None
    delay: float = 0.0
    largest_force: float = math.inf
    largest_torque: float = math.inf
    noise: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)

    def __post_init__(self) -> None:
        _check_numbers(self)


def _check_numbers(controller: Controller) -> None:
    function: Any = controller.function
    if not callable(function):
        found = type(function).__name__
        raise ConfigError(WHERE, found, "a function of time and bodies", "def hold(time, bodies):")
    for name in ("delay", "largest_force", "largest_torque"):
        value = getattr(controller, name)
        if not (isinstance(value, int | float) and value >= 0.0):
            raise ConfigError(f"{WHERE} {name}", f"{value!r}", "a number, 0 or more", f"{name}=0.1")
    if controller.interval is not None and not (
        isinstance(controller.interval, int | float) and 0.0 < controller.interval < math.inf
    ):
        raise ConfigError(
            f"{WHERE} interval", f"{controller.interval!r}", "seconds above 0", "interval=0.1"
        )
    if not math.isfinite(controller.delay):
        raise ConfigError(f"{WHERE} delay", f"{controller.delay}", "finite seconds", "delay=0.1")
    if len(controller.noise) != 4 or not all(0.0 <= x < math.inf for x in controller.noise):
        allowed = "four deviations, 0 or more: place, velocity, attitude, rate"
        raise ConfigError(f"{WHERE} noise", f"{controller.noise}", allowed, "noise=(0, 0, 0, 0)")


def as_controller(
    given: Any, interval: float | None, usual_interval: float, duration: float
) -> Controller:
    """A controller with an interval, from one or from a plain function; refuses what cannot be asked.

    interval  [s] from the caller; usual_interval [s] if nobody says      duration [s] of the run
    """
    one = given if isinstance(given, Controller) else Controller(given)
    if interval is not None and one.interval is not None:
        found = f"control_interval = {interval} and Controller(interval={one.interval})"
        raise ConfigError("control_interval", found, "one of them", "leave out control_interval")
    wanted = interval if interval is not None else one.interval
    wanted = usual_interval if wanted is None else wanted
    least = duration / MOST_CALLS
    if not (isinstance(wanted, int | float) and math.isfinite(wanted) and wanted >= least):
        allowed = f"seconds, {least:.3g} or more"
        raise ConfigError("control_interval", f"{wanted!r}", allowed, "control_interval = 0.1")
    return replace(one, interval=float(wanted))


@dataclass
class AskedController:
    """A controller in a run: how often it was asked, and what went wrong.

    failure   traceback of its error; "" while there is none
    """

    controller: Controller
    calls: int = 0
    failure: str = ""
    times: list[float] = field(default_factory=list)

    @property
    def interval(self) -> float:
        assert self.controller.interval is not None  # `as_controller` gave it one
        return self.controller.interval

    @property
    def next_time(self) -> float:
        """Time [s] at which it is asked next."""
        return self.calls * self.interval

    def is_due(self, time: float) -> bool:
        return not self.failure and time >= self.next_time * (1.0 - EARLY)

    def ask(self, time: float, measured: Any, checked: Callable[[Any], Any]) -> Any:
        """Its answer, checked; None after an error, which `failure` then holds.

        checked  (answer) -> answer in the form the scenario uses; raises for one that is none
        """
        self.calls += 1
        self.times.append(time)
        try:
            return checked(self.controller.function(time, measured))
        except (Exception, SystemExit) as error:  # whatever the code of the user raises, exit() too
            self.failure = "".join(traceback.format_exception(error)).rstrip()
            return None


def three_numbers(vector: ArrayLike, what: str) -> Floats:
    """Three finite numbers of an answer, if they are that."""
    try:
        found = np.asarray(vector, dtype=float)
    except (TypeError, ValueError):
        found = np.full(3, math.nan)
    if found.shape != (3,) or not np.isfinite(found).all():
        said = f"{what} {vector!r}"
        raise ConfigError(WHERE, said, "three finite numbers", "(0.0, 0.0, 0.0)")
    return found


def cut(vector: Floats, longest: float) -> Floats:
    """A vector, shortened to a length if it is longer."""
    size = float(np.linalg.norm(vector))
    return vector if size <= longest else vector * (longest / size)
