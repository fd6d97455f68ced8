"""A V groove along y as a mesh file, its bottom through the origin."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from tests.thin_meshes import prism, write_obj

HALF, RIM, LENGTH, THICKNESS, SPACING = 0.5, 0.2, 1.2, 0.3, 0.02  # [m]


def groove(path: Path, degrees: float) -> dict[str, Any]:
    """Table [surface] of a groove whose walls rise by that angle."""
    top = HALF * math.tan(math.radians(degrees))
    side = HALF + RIM
    outline = [(-side, -THICKNESS), (side, -THICKNESS), (side, top), (HALF, top), (0.0, 0.0)]
    outline += [(-HALF, top), (-side, top)]
    vertices, faces = prism(outline, 4, LENGTH, 6)
    return {
        "shape": "mesh",
        "file": write_obj(path, vertices, faces),
        "unit": "m",
        "recentre": False,
        "grid_spacing_m": SPACING,
    }
