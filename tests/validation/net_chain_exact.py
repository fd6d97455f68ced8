"""V15 with error control: the whole chain by Dormand and Prince at tight tolerances; numbers as dictionaries."""

from __future__ import annotations

import time
from typing import Any

import haptos as hp
from tests.validation.net_chain import FAST, LOSSLESS, Numbers, what_is_kept
from tests.validation.net_trials import merged

TOLERANCES = {  # of the scheme's defaults, all five alike
    "position_tolerance_m": 1e-6,
    "velocity_tolerance_m_per_s": 1e-5,
    "attitude_tolerance": 1e-7,
    "rate_tolerance_rad_per_s": 1e-5,
    "work_tolerance_J": 1e-8,
}


def tightened(share: float) -> dict[str, Any]:
    """Table [run] of the scheme with all tolerances a share of the default ones."""
    return {"scheme": "dormand-prince", **{name: share * x for name, x in TOLERANCES.items()}}


def exact_chain(
    share: float, *, has_losses: bool, closing: str = "running", preset: str = "net", **run: Any
) -> Numbers:
    """Shot, flight, impact, wrap and closing of a preset's net at 2 m/s; what is kept.

    share  of the default tolerances [-]
    """
    changes = merged(
        FAST, {} if has_losses else LOSSLESS, {"contact": {"edges": True}},
        {"closing": {"kind": closing, "carries_mass": False, "limited": False}, "run": {**tightened(share), **run}},
    )  # fmt: skip
    began = time.process_time()
    found = what_is_kept(hp.simulate(hp.default(preset, changes)))
    return {"share": share, "seconds": time.process_time() - began, **found}
