"""What the loops of a vehicle do: hold, damp only, or nothing."""

from __future__ import annotations

from enum import Enum


class LoopMode(Enum):
    """ACTIVE: place and rate are held. DAMP: rates alone are damped. FREE: all loops are off."""

    ACTIVE = "active"
    DAMP = "damp"
    FREE = "free"


DAMP_SHARE = 0.25  # [-] natural frequency of DAMP over that of ACTIVE, assumed
