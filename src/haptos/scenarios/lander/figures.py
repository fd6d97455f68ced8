"""What a lander shows besides the figures every run has: its contact with the ground over time."""

from __future__ import annotations

from haptos.results.panels import Panel
from haptos.results.result import Result

CONTACT = (
    Panel("normal_force", "normal_load_N"),
    Panel("slip_speed", "slip_speed_m_per_s"),
    Panel("depth_max", "largest_depth_m"),
)


def figures(result: Result) -> dict[str, tuple[Panel, ...]]:
    """Title -> panels; nothing for a flight without contact."""
    touched = bool((result.trajectory["contact_count"] > 0).any())
    return {"Contact": CONTACT} if touched else {}
