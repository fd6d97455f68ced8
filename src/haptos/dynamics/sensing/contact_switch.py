"""A switch that closes when it is pressed hard enough for long enough, and bounces.

    pressed   force >= F_sw without a break for t_sw: closed
    released  force < F_sw: open at once, and open for a bounce time t_b at least

    F_sw [N], t_sw [s], t_b [s]; stuck_open and stuck_closed are faults from a time on
Validity: the force is known at the ends of steps shorter than t_sw; between them it is taken as above
the threshold if it is so at both ends.
Source: elementary.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

EARLY = 1e-9  # [s] rounding of times


@dataclass(frozen=True)
class SwitchFault:
    """kind from the time start [s] on."""

    kind: Literal["stuck_open", "stuck_closed"]
    start: float


@dataclass
class ContactSwitch:
    """threshold [N], hold and bounce [s]; `update` at every step, `is_closed` what the wire says."""

    threshold: float
    hold: float
    bounce: float
    fault: SwitchFault | None = None
    pressed_since: float = math.inf
    released_at: float = -math.inf
    is_closed: bool = False

    def update(self, time: float, force: float) -> bool:
        """State after a step that ends at a time [s] with a force [N] on the switch."""
        if force >= self.threshold:
            self.pressed_since = min(self.pressed_since, time)
        else:
            if self.is_closed:
                self.released_at = time
            self.pressed_since = math.inf
        is_free = time - self.released_at >= self.bounce - EARLY
        self.is_closed = is_free and time - self.pressed_since >= self.hold - EARLY
        if self.fault is not None and time >= self.fault.start:
            return self.fault.kind == "stuck_closed"
        return self.is_closed
