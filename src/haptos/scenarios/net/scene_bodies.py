"""Chaser and target of a net scene as surfaces."""

from __future__ import annotations

from haptos.results.result import Result
from haptos.results.scene import SceneSurface
from haptos.results.scene_parts import box


def body_surfaces(result: Result) -> tuple[SceneSurface, ...]:
    """Chaser, target and bodies of the user's own, each in a frame of its name."""
    found = [box("chaser", result.config["chaser"]["size_m"], "chaser", "other")]
    if "target" in result.tables:
        table = result.tables["target"]
        found.append(
            SceneSurface("target", table["r_B"].values, table["corners"].values, frame="target",
                    colour="ground", is_flat=True)
        )  # fmt: skip
    for body in result.config.get("bodies", ()):
        found.append(box(body["name"], body["size_m"], body["name"], "other"))
    return tuple(found)
