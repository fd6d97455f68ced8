"""Working arrays of a thread that lets runs march."""

from __future__ import annotations

import numpy as np

from haptos.contact.impacts.body_matrix import body_block_arrays
from haptos.contact.sets.crease_planes import MOST_PLANES, PLANE_SIZE
from haptos.contact.static_rest import MOST_POINTS, POINT_SIZE
from haptos.dynamics.march.dormand_prince import STAGES
from haptos.dynamics.rigid.rigid_body import FULL_SIZE
from haptos.scenarios.lander.batch_layout import Scratch
from haptos.scenarios.lander.touching import WAY_SIZE


def working_arrays(most_vertices: int) -> Scratch:
    """Arrays that a run needs while it marches, for a probe of at most so many vertices."""
    return Scratch(
        np.empty((STAGES, FULL_SIZE)), np.empty(FULL_SIZE), np.empty(FULL_SIZE),
        np.empty((MOST_POINTS, POINT_SIZE)), np.empty((most_vertices, WAY_SIZE)),
        np.empty((STAGES, FULL_SIZE)), np.empty(FULL_SIZE), np.empty(3), np.empty(7),
        *body_block_arrays(), np.empty((MOST_PLANES, PLANE_SIZE)),
    )  # fmt: skip
