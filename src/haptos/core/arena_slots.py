"""Places in an arena (`core/arena.py`), each given once: addresses of functions, and tables.

Compiled kernels hold these numbers, so a place keeps its number; a new one takes the next.
"""

from __future__ import annotations

# Functions compiled separately, `layout[slot]` holds their address; at most FUNCTIONS of them.
ROUGH_FIELD = 0  # geometry/terrain/land.py: ground with terrain on it
COLLISION = 1  # contact/collision_call.py: one impact
GRADIENT_CALL = 2  # geometry/distance/surface.py: distance and normal
FIELD_CALL = 3  # the same with the curvature
BOUND_CALL = 4  # a lower bound of the distance
CLEAR_CALL = 5  # whether a ball is clear of the ground
GRAVITY_CALL = 6  # environment/gravity.py: acceleration and potential
ROUGH_GAP = 7  # geometry/terrain/land.py: distance alone
# The same entries hold the address of numbers that a thread keeps, 0 if it keeps none.
KEPT_ROCKS = 8  # geometry/terrain/rocks_kept.py

# Tables, in the order in which `land_of` packs them.
GRID, TERRAIN, NOISE, REGIONS, ROCKS, POLYHEDRAL, GRAVITY = 0, 1, 2, 3, 4, 5, 6
