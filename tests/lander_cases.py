"""Lander configurations for tests: a base that is merged with what a test wants otherwise."""

from __future__ import annotations

from typing import Any

import numpy as np

from haptos.contact.contact_motion import Sliding
from haptos.environment.ball_drag import GroundAir
from haptos.scenarios.files import parse, parse_toml, preset_text
from haptos.scenarios.lander.config import Config
from haptos.scenarios.lander.equations import Lander, Sun
from haptos.scenarios.merging import laid_over

NO_AIR = GroundAir(False, 0.0, 0.0, 0.0, (0.0, 0.0, 0.0), True, (0.0, 0.0, 1.0), 0.0)
NO_SUN = Sun(False, (1.0, 0.0, 0.0), 0.0, 1.0, 0.0)


def lander(**changes: Any) -> Config:
    """The built-in lander with tables laid over it."""
    config = parse(laid_over(parse_toml(preset_text("lander"), "lander"), changes), "test")
    assert isinstance(config, Config)
    return config


def lander_tuple(body: Any, surface: Any, gravity: Any, law: Any, **changes: Any) -> Lander:
    """What the lander's equations are given, at rest in the dark; fields exchanged by name."""
    given = {
        "body": body,
        "surface": surface,
        "gravity": gravity,
        "law": law,
        "spin": (0.0, 0.0, 0.0),
        "is_spinning": False,
        "is_tumbling": False,
        "moments": (1.0, 1.0, 1.0),
        "sun": NO_SUN,
        "laws": np.array([law]),
        "has_regions": False,
        "grounds": np.zeros((2, 3)),
        "is_top": False,
        "top_axis": (0.0, 0.0, 1.0),
        "top_ratio": 0.0,
        "sliding": Sliding(0.0, (0.0, 0.0, 0.0), 1.0, 1.0, 1.0),
        "is_hopping": False,
        "push": (1.0, 0.0),
        "air": NO_AIR,
        "last_gravity": np.full(7, np.nan),
        **changes,
    }
    return Lander(**{name: given[name] for name in Lander._fields})


def tolerances(relative: float, *, length: float = 1.0, speed: float = 1.0) -> dict[str, float]:
    """Integration tolerances for a problem of this size [m] and speed [m/s]."""
    return {
        "relative_tolerance": relative,
        "position_tolerance_m": relative * length,
        "velocity_tolerance_m_per_s": relative * speed,
        "rate_tolerance_rad_per_s": relative * speed,
        "attitude_tolerance": relative,
        "energy_tolerance": relative,
    }
