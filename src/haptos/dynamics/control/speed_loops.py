"""Speeds asked of linear drives: towards a mark, and back against a limit of force.

    forward  v = min(v_max, k (way to go)),      0 while a gate is shut and past the mark
    back     v = -v_max (1 - N / N_max) for a pull N, between 0 and -v_max

    k  gain [1/s]      N  tension in what is drawn [N], N_max  where the drive stops pulling
Each changes by at most v_max / t_ramp per second.
Validity: a drive that follows its command within the ramp.
Source: elementary.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class SpeedLoop:
    """fastest [m/s], gain [1/s], ramp [s] from rest to the fastest; `speed` is the last command."""

    fastest: float
    gain: float
    ramp: float
    speed: float = 0.0

    def forward(self, to_go: float, interval: float, *, is_open: bool = True) -> float:
        """Speed [m/s] towards a mark that is `to_go` [m] away, an interval [s] after the last."""
        wanted = min(self.fastest, self.gain * max(to_go, 0.0)) if is_open else 0.0
        return self._ramped(wanted, interval)

    def back(self, tension: float, limit: float, interval: float) -> float:
        """Speed [m/s], negative, of a drive that draws in against a tension [N] below a limit [N]."""
        share = 1.0 - max(tension, 0.0) / limit
        return self._ramped(-self.fastest * min(max(share, 0.0), 1.0), interval)

    def stop(self, interval: float) -> float:
        return self._ramped(0.0, interval)

    def _ramped(self, wanted: float, interval: float) -> float:
        most = self.fastest * interval / self.ramp if self.ramp > 0.0 else abs(wanted - self.speed)
        self.speed += min(max(wanted - self.speed, -most), most)
        return self.speed
