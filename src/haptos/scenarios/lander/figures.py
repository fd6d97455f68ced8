"""What a lander shows besides the figures every run has: its path, its motion, its contact over time."""

from __future__ import annotations

from haptos.results.drawings import PathPlot
from haptos.results.panels import Panel
from haptos.results.result import Result

POSITION = "r_BA_A"
MOTION = (
    Panel("v_BA_A", "speed_m_per_s"),
    Panel("omega_BA_B", "angular_rate_rad_per_s"),
)
CONTACT = (
    Panel("normal_force", "normal_load_N"),
    Panel("slip_speed", "slip_speed_m_per_s"),
    Panel("depth_max", "largest_depth_m"),
)


def figures(result: Result) -> dict[str, PathPlot | tuple[Panel, ...]]:
    """Title -> path or panels, as far as the result has their quantities; contact only if there was any."""
    held = result.trajectory.variables
    shown: dict[str, PathPlot | tuple[Panel, ...]] = {}
    if POSITION in held:
        shown["Path"] = PathPlot(POSITION)
    touched = "contact_count" in held and bool((result.trajectory["contact_count"] > 0).any())
    for title, panels in (("Motion", MOTION), ("Contact", CONTACT if touched else ())):
        known = tuple(panel for panel in panels if panel.variable in held)
        if known:
            shown[title] = known
    return shown
