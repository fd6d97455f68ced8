"""The scheme a scenario asks for, as one call that marches a system to a time."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol

from haptos.dynamics.march.error_control import REJECTED, march_dormand, refuse_unfit, room_of
from haptos.dynamics.march.pauses import AFTER_LOOK, BEFORE_OUTPUT
from haptos.dynamics.march.splitting import march
from haptos.dynamics.march.splitting_polygons import march_polygons
from haptos.dynamics.motion import (
    Motion,
    SystemScratch,
    scratch_of,
)
from haptos.dynamics.system import System

PART = 200_000  # [-] steps of one call of a kernel, some seconds: in between a run can be stopped
REACHED, TRIED, OVER = 0, 3, 4  # how a call ends, besides the reasons of a pause


class SchemeSettings(Protocol):
    """Scheme and steps: "verlet" takes a share of the stable step, "dormand-prince" keeps tolerances."""

    scheme: Literal["verlet", "dormand-prince"]
    step_share: float
    longest_step_s: float
    max_steps: int
    relative_tolerance: float
    position_tolerance_m: float
    velocity_tolerance_m_per_s: float
    attitude_tolerance: float
    rate_tolerance_rad_per_s: float
    work_tolerance_J: float


@dataclass(frozen=True, eq=False)
class Stepper:
    """Marches a model by calls of PART steps at most, so that Ctrl-C is heard in between.

    go      marches to a time [s] or until that many steps are tried in all; whether it got there
    tried   how many are, those thrown away too; a call that tries none has come to its end
    most    steps allowed in all
    """

    go: Callable[[float, float], bool]
    tried: Callable[[], float]
    most: float
    motion: Motion
    scratch: SystemScratch

    def __call__(self, until: float) -> bool:
        """March to a time [s]; whether it got there."""
        return self.advance(until) == REACHED

    def advance(
        self, until: float, pause_at: float = math.inf, look_at: float = math.inf,
        tries: float = math.inf,
    ) -> int:  # fmt: skip
        """March to a time [s], or to a pause: REACHED, BEFORE_OUTPUT, AFTER_LOOK, TRIED or OVER.

        pause_at  the march pauses before the step that reaches this time [s]
        look_at   it pauses after the first step that ends then or later, and after the first touch
        tries     of steps, after which it pauses
        Pauses change no bit of the motion.
        """
        march = self.scratch.march
        march.pause_at, march.look_at = pause_at, look_at
        last = min(self.most, self.tried() + tries)
        while True:
            before = self.tried()
            is_there = self.go(until, min(last, before + PART))
            if march.is_paused == AFTER_LOOK:
                return AFTER_LOOK
            if is_there:
                return REACHED
            if march.is_paused == BEFORE_OUTPUT:
                return BEFORE_OUTPUT
            if self.tried() == before or not math.isfinite(self.motion.ledger.energy.kinetic):
                return OVER
            if self.tried() >= last:
                return OVER if last >= self.most else TRIED


def stepper(settings: SchemeSettings, system: System, motion: Motion) -> Stepper:
    """Marches a system to a time [s]; refuses what the scheme cannot."""
    scratch = scratch_of(motion)
    longest, most = settings.longest_step_s, float(settings.max_steps)
    if settings.scheme == "verlet":
        share = settings.step_share
        if system.polygons:
            rows, plain = system.polygons, system._replace(polygons=())
            return Stepper(
                lambda until, steps: bool(
                    march_polygons(rows, plain, motion, scratch, until, share, longest, steps)
                ),
                lambda: float(motion.step.count), most, motion, scratch,
            )  # fmt: skip
        return Stepper(
            lambda until, steps: bool(march(system, motion, scratch, until, share, longest, steps)),
            lambda: float(motion.step.count), most, motion, scratch,
        )  # fmt: skip
    refuse_unfit(system)
    room = room_of(
        system, motion, position=settings.position_tolerance_m,
        velocity=settings.velocity_tolerance_m_per_s, attitude=settings.attitude_tolerance,
        rate=settings.rate_tolerance_rad_per_s, work=settings.work_tolerance_J,
    )  # fmt: skip
    relative = settings.relative_tolerance
    return Stepper(
        lambda until, steps: bool(
            march_dormand(system, motion, scratch, room, until, relative, longest, steps)
        ),
        lambda: float(motion.step.count + room.memory[REJECTED]), most, motion, scratch,
    )  # fmt: skip
