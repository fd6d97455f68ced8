"""March a net from output to output; steps never end because a state is stored."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from haptos.dynamics.system import KINETIC, TIME
from haptos.scenarios.net.config import Config
from haptos.scenarios.net.controller import Controlled
from haptos.scenarios.net.model import Model
from haptos.scenarios.net.schemes import AFTER_LOOK, BEFORE_OUTPUT, OVER, REACHED, Stepper, stepper
from haptos.scenarios.net.stored import (
    Snapshot,
    Stored,
    Windows,
    between,
    snapshot,
    together,
    window,
)

Floats = NDArray[np.float64]


@dataclass(eq=False)
class Recorder:
    """Collects stored states and windows of a model as it is marched.

    times   [s] of stored states       tell  gets the share of the time done
    last    the state after the last step that was looked at
    """

    model: Model
    times: Floats
    span: float
    tell: Callable[[float], None]
    last: Snapshot
    rows: list[Snapshot] = field(default_factory=list)
    windows: list[Windows] = field(default_factory=list)
    look_at: float = 0.0

    @property
    def now(self) -> float:
        return float(self.model.motion.clock[TIME])

    @property
    def due(self) -> float:
        """Time [s] of the next state to store; infinite after the last."""
        return float(self.times[len(self.rows)]) if len(self.rows) < len(self.times) else math.inf

    def look(self) -> None:
        """Keep what metrics need, as it is now."""
        self.windows.append(window(self.model))
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

    def finish(self) -> tuple[Stored, Windows]:
        """All that was collected; the state of now is the last of it."""
        if self.now > self.rows[-1].time or not math.isfinite(self.model.motion.clock[KINETIC]):
            self.rows.append(snapshot(self.model))
        if self.now > self.windows[-1].time:
            self.windows.append(window(self.model))
        return together(Stored, self.rows), together(Windows, self.windows)


def output_times(config: Config) -> Floats:
    """Times [s] of stored states: even, and the end."""
    settings = config.run
    count = max(math.ceil(settings.duration_s / settings.output_interval_s * (1.0 - 1e-12)), 1)
    return np.minimum(np.arange(count + 1) * settings.output_interval_s, settings.duration_s)


def run(
    config: Config, model: Model, tell: Callable[[float], None], hand: Controlled | None = None
) -> tuple[Stored, Windows, bool]:
    """(what is stored, what metrics are taken from, whether the time asked for was reached)."""
    march = stepper(config, model)
    march(0.0)
    times = output_times(config)
    recorder = Recorder(model, times, config.run.force_window_s, tell, snapshot(model))
    recorder.store()
    recorder.look()
    end = config.run.duration_s
    while recorder.now < end:
        until = end if hand is None else min(hand.next_stop(recorder.now), end)
        if not _marched(march, recorder, until):
            break
    stored, windows = recorder.finish()
    return stored, windows, bool(recorder.now >= end)


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
