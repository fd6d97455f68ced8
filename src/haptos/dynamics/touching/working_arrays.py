"""Working arrays of a thread that lets runs march."""

from __future__ import annotations

from collections import namedtuple

import numpy as np

from haptos.contact.crease_motion import WALL_ROWS, WALL_SIZE
from haptos.contact.impacts.body_matrix import body_block_arrays
from haptos.contact.sets.crease_planes import MOST_PLANES, PLANE_SIZE
from haptos.contact.static_rest import MOST_POINTS, POINT_SIZE
from haptos.core.by_reference import by_reference
from haptos.dynamics.march.dormand_prince import STAGES
from haptos.dynamics.rigid.rigid_body import FULL_SIZE
from haptos.dynamics.touching.vertex_clearance import WAY_SIZE

# Working arrays of one thread: stages k (7, FULL_SIZE), trial state, looked-at state, contact points,
# what is known of each vertex, stages and state of an output, numbers of the vertex in contact (3),
# gravity where it was asked for last (7); matrix, rows and arms of impacts at once (contact/impacts);
# planes of a crease, and rows of the walls that hold the body.
WorkingArrays = namedtuple(
    "WorkingArrays",
    "k y1 at points ways output_k output_y held last_gravity matrix rows arms planes wall_rows",
)
by_reference(WorkingArrays)


def working_arrays(most_vertices: int) -> WorkingArrays:
    """Arrays that a run needs while it marches, for a body of at most so many vertices."""
    return WorkingArrays(
        np.empty((STAGES, FULL_SIZE)), np.empty(FULL_SIZE), np.empty(FULL_SIZE),
        np.empty((MOST_POINTS, POINT_SIZE)), np.empty((most_vertices, WAY_SIZE)),
        np.empty((STAGES, FULL_SIZE)), np.empty(FULL_SIZE), np.empty(3), np.empty(7),
        *body_block_arrays(), np.empty((MOST_PLANES, PLANE_SIZE)),
        np.empty((WALL_ROWS, WALL_SIZE)),
    )  # fmt: skip
