"""Lander configurations for tests: a base that is merged with what a test wants otherwise."""

from __future__ import annotations

from typing import Any

from haptos.scenarios.files import parse, parse_toml, preset_text
from haptos.scenarios.lander.config import Config
from haptos.scenarios.merging import laid_over


def lander(**changes: Any) -> Config:
    """The built-in lander with tables laid over it."""
    config = parse(laid_over(parse_toml(preset_text("lander"), "lander"), changes), "test")
    assert isinstance(config, Config)
    return config


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
