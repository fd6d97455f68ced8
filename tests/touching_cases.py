"""Rigid bodies whose vertices touch ground, for tests of the equations and the search for touches."""

from __future__ import annotations

from typing import Any

import numpy as np

from haptos.contact.contact_motion import Sliding
from haptos.contact.crease_motion import MOST_WALLS, WALL_ROWS, WALL_SIZE
from haptos.contact.sets.corner_walls import CORNER_WALLS_SIZE
from haptos.dynamics.touching.model import TouchingModel
from haptos.dynamics.touching.run_parameters import GROUND_PAIR, LAW
from haptos.environment.ball_drag import GroundAir
from haptos.environment.ground_sunlight import Sun

NO_AIR = GroundAir(False, 0.0, 0.0, 0.0, (0.0, 0.0, 0.0), True, (0.0, 0.0, 1.0), 0.0)
NO_SUN = Sun(False, (1.0, 0.0, 0.0), 0.0, 1.0, 0.0)


def touching_model(
    body: Any, surface: Any, gravity: Any, law: Any, **changes: Any
) -> TouchingModel:
    """What the equations of a body on ground are given, at rest in the dark; fields exchanged by name."""
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
        "laws": np.array([tuple(law)], dtype=LAW).view(np.recarray),
        "has_regions": False,
        "grounds": np.zeros(2, dtype=GROUND_PAIR).view(np.recarray),
        "is_top": False,
        "top_axis": (0.0, 0.0, 1.0),
        "top_ratio": 0.0,
        "sliding": Sliding(0.0, (0.0, 0.0, 0.0), 1.0, 1.0, 1.0),
        "is_hopping": False,
        "push": (1.0, 0.0),
        "air": NO_AIR,
        "last_gravity": np.full(7, np.nan),
        "wall_offsets": np.zeros(3 * MOST_WALLS),
        "wall_rows": np.zeros((WALL_ROWS, WALL_SIZE)),
        "corner_walls": np.zeros(CORNER_WALLS_SIZE),
        **changes,
    }
    return TouchingModel(**{name: given[name] for name in TouchingModel._fields})
