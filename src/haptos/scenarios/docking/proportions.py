"""Numbers of a docking's file that must belong together: speeds and turns of two satellites, mass of the chaser, places of parts."""

from __future__ import annotations

from haptos.core.units import DEGREE
from haptos.scenarios.docking.config import Config
from haptos.scenarios.proportions import (
    UNEXPLAINED,
    Proportion,
    box_volume,
    bulk,
    length,
    reach,
    size,
)

SLOW = 0.01  # [m/s] at which satellites dock


def proportions(config: Config) -> list[Proportion]:
    """Ratios of a docking's file."""
    start, chaser, client = config.start, config.chaser, config.client
    box = chaser.thrusters.box_m
    half = 0.5 * length(box)
    parts = {
        "[chaser] root_m": ("the root of the boom", length(chaser.root_m), half),
        "[client] throat_m": ("the throat of the nozzle", length(client.throat_m), half),
        "[tool] centre_m": ("the centre of the tool", config.tool.centre_m, config.tool.length_m),
    }
    turns = {
        "rate_deg_per_s": (start.rate_deg_per_s, length(client.throat_m)),
        "chaser_rate_deg_per_s": (start.chaser_rate_deg_per_s, length(chaser.root_m)),
    }
    return [
        size("[start] velocity_m_per_s", "a client's speed", length(start.velocity_m_per_s),
             "that of a docking", SLOW, UNEXPLAINED, "m/s"),
        bulk("[chaser] and [chaser.thrusters]", "a chaser", chaser.mass_kg, box_volume(box)),
        *(reach(where, *part) for where, part in parts.items()),
        *(size(f"[start] {key}", "a docking face by its turn", length(rate) * DEGREE * lever,
               "the speed of a docking", SLOW, UNEXPLAINED, "m/s")
          for key, (rate, lever) in turns.items()),
    ]  # fmt: skip
