"""The scheme a net scenario asks for, as one call that marches to a time."""

from __future__ import annotations

import math
from collections.abc import Callable

from haptos.dynamics.net_dormand import REJECTED, march_dormand, refuse_unfit, room_of
from haptos.dynamics.net_layout import KINETIC, STEPS, Motion, scratch_of
from haptos.dynamics.net_step import march
from haptos.scenarios.net.config import Config
from haptos.scenarios.net.model import Model

PART = 200_000  # [-] steps of one call of a kernel, some seconds: in between a run can be stopped


def stepper(config: Config, model: Model) -> Callable[[float], bool]:
    """Marches the model to a time [s], whether it got there; refuses what the scheme cannot."""
    net, motion, settings = model.net, model.motion, config.run
    scratch = scratch_of(motion)
    longest, most = settings.longest_step_s, float(settings.max_steps)
    if settings.scheme == "verlet":
        return in_parts(
            lambda until, steps: bool(
                march(net, motion, scratch, until, settings.step_share, longest, steps)
            ),
            motion,
            lambda: float(motion.clock[STEPS]),
            most,
        )
    refuse_unfit(net)
    room = room_of(
        net, motion, position=settings.position_tolerance_m,
        velocity=settings.velocity_tolerance_m_per_s, attitude=settings.attitude_tolerance,
        rate=settings.rate_tolerance_rad_per_s, work=settings.work_tolerance_J,
    )  # fmt: skip
    tolerance = settings.relative_tolerance
    return in_parts(
        lambda until, steps: bool(
            march_dormand(net, motion, scratch, room, until, tolerance, longest, steps)
        ),
        motion,
        lambda: float(motion.clock[STEPS] + room.memory[REJECTED]),
        most,
    )


def in_parts(
    go: Callable[[float, float], bool], motion: Motion, tried: Callable[[], float], most: float
) -> Callable[[float], bool]:
    """Marches to a time [s] by calls of PART steps at most, so that Ctrl-C is heard in between.

    go     marches to a time or until that many steps are tried in all; whether the time was reached
    tried  how many are, those thrown away too; a call that tries none has come to its end
    most   steps allowed in all
    """

    def reached(until: float) -> bool:
        while True:
            before = tried()
            allowed = min(most, before + PART)
            if go(until, allowed):
                return True
            is_stuck = tried() == before or not math.isfinite(motion.clock[KINETIC])
            if allowed >= most or is_stuck:
                return False

    return reached
