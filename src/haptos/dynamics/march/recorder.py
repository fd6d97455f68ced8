"""March a system from output to output; steps never end because a state is stored."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from haptos.dynamics.march.pauses import AFTER_LOOK, BEFORE_OUTPUT
from haptos.dynamics.march.snapshots import Snapshot, Stored, between, snapshot, together
from haptos.dynamics.march.stepper import (
    OVER,
    REACHED,
    Stepper,
)
from haptos.dynamics.totals import Moving

Floats = NDArray[np.float64]


@dataclass(eq=False)
class Recorder:
    """Collects stored states and windows of a model as it is marched.

    times   [s] of stored states       tell  gets the share of the time done
    window  what is taken of the model after steps about `span` [s] apart, at the first touch and at the end; None
            for nothing
    last    the state after the last step that was looked at
    """

    model: Moving
    times: Floats
    span: float
    tell: Callable[[float], None]
    window: Callable[[], Any] | None
    last: Snapshot
    rows: list[Snapshot] = field(default_factory=list)
    windows: list[Any] = field(default_factory=list)
    look_at: float = 0.0

    @property
    def now(self) -> float:
        return float(self.model.motion.step.time)

    @property
    def due(self) -> float:
        """Time [s] of the next state to store; infinite after the last."""
        return float(self.times[len(self.rows)]) if len(self.rows) < len(self.times) else math.inf

    def look(self) -> None:
        """Keep what metrics need, as it is now."""
        if self.window is None:
            self.look_at = math.inf
            return
        self.windows.append(self.window())
        self.look_at = (math.floor(self.now / self.span) + 1.0) * self.span

    def keep(self) -> None:
        """Keep the state after a step."""
        if self.now > self.last.time:
            self.last = snapshot(self.model)

    def store(self) -> None:
        """Store the states that were due in the step just taken."""
        before = self.last
        self.keep()
        while self.due <= self.last.time:
            self.rows.append(between(self.model, before, self.last, self.due))
            self.tell(self.rows[-1].time / float(self.times[-1]))

    def finish(self) -> Stored:
        """All states that were stored; the state of now is the last of them, as of the windows."""
        if self.now > self.rows[-1].time or not math.isfinite(
            self.model.motion.ledger.energy.kinetic
        ):
            self.rows.append(snapshot(self.model))
        if self.window is not None and self.now > self.windows[-1].time:
            self.windows.append(self.window())
        return together(Stored, self.rows)


def output_times(duration: float, interval: float) -> Floats:
    """Times [s] of stored states: even, and the end."""
    count = max(math.ceil(duration / interval * (1.0 - 1e-12)), 1)
    return np.minimum(np.arange(count + 1) * interval, duration)


def record(
    march: Stepper, model: Moving, times: Floats, *, tell: Callable[[float], None],
    window: Callable[[], Any] | None = None, span: float = math.inf, next_stop: Callable[[float], float] | None = None,
) -> tuple[Stored, list[Any], bool]:  # fmt: skip
    """(what is stored, the windows, whether the last time was reached) of a march.

    window, span  as of `Recorder`; a window has a time [s]
    next_stop     (time [s]) -> time [s] of the next call of a controller; now ends the march
    """
    march(0.0)
    recorder = Recorder(model, times, span, tell, window, snapshot(model))
    recorder.store()
    recorder.look()
    end = float(times[-1])
    while recorder.now < end:
        until = end if next_stop is None else min(next_stop(recorder.now), end)
        if until <= recorder.now:
            break
        if not _marched(march, recorder, until):
            break
    stored = recorder.finish()
    return stored, recorder.windows, bool(recorder.now >= end)


def _marched(march: Stepper, recorder: Recorder, until: float) -> bool:
    """March to a time [s], storing on the way; whether it got there."""
    while True:
        ended = march.advance(until, pause_at=recorder.due, look_at=recorder.look_at)
        if ended == BEFORE_OUTPUT:
            recorder.keep()
            ended = march.advance(until, look_at=recorder.look_at, tries=1)
            if recorder.now > recorder.last.time:
                recorder.store()
        if ended == AFTER_LOOK:
            recorder.look()
        if recorder.now >= until or ended == REACHED:
            return True
        if ended == OVER:
            return False
