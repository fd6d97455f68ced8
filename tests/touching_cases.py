"""Rigid bodies whose vertices touch ground, for tests of the equations and the search for touches."""

from __future__ import annotations

from typing import Any

import numpy as np

from haptos.contact.contact_motion import Sliding
from haptos.contact.crease_motion import MOST_WALLS, WALL_ROWS, WALL_SIZE
from haptos.contact.sets.corner_walls import CORNER_WALLS_SIZE
from haptos.dynamics.touching.model import Creases, Device, GroundKinds, Spin, Top, TouchingModel
from haptos.dynamics.touching.run_parameters import GROUND_PAIR, LAW
from haptos.environment.ball_drag import GroundAir
from haptos.environment.ground_sunlight import Sun

NO_AIR = GroundAir(False, 0.0, 0.0, 0.0, (0.0, 0.0, 0.0), True, (0.0, 0.0, 1.0), 0.0)
NO_SPIN = Spin((0.0, 0.0, 0.0), False, False, (1.0, 1.0, 1.0))
NO_SUN = Sun(False, (1.0, 0.0, 0.0), 0.0, 1.0, 0.0)


def touching_model(
    body: Any, surface: Any, gravity: Any, law: Any, **changes: Any
) -> TouchingModel:
    """What the equations of a body on ground are given, at rest in the dark; fields exchanged by name."""
    given = {
        "body": body,
        "surface": surface,
        "ground": ground_of(law),
        "sliding": Sliding(0.0, (0.0, 0.0, 0.0), 1.0, 1.0, 1.0),
        "creases": Creases(
            np.zeros(3 * MOST_WALLS), np.zeros((WALL_ROWS, WALL_SIZE)), np.zeros(CORNER_WALLS_SIZE)
        ),
        "gravity": gravity,
        "last_gravity": np.full(7, np.nan),
        "spin": NO_SPIN,
        "sun": NO_SUN,
        "air": NO_AIR,
        "top": Top(False, (0.0, 0.0, 1.0), 0.0),
        "device": Device(False, (1.0, 0.0)),
        **changes,
    }
    return TouchingModel(**given)


def ground_of(law: Any) -> GroundKinds:
    """Ground of one kind."""
    laws = np.array([tuple(law)], dtype=LAW).view(np.recarray)
    return GroundKinds(law, laws, False, np.zeros(2, dtype=GROUND_PAIR).view(np.recarray))
