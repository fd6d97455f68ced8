"""Impact with kinetic restitution (Poisson) and Coulomb friction in three dimensions.

    the impact ends at p = (1 + e) p_c,   p_c normal impulse at the end of compression (nu3 = 0)

    e   coefficient of restitution [-], 0..1       p  normal impulse [N s]
With friction the normal impulse may bring energy although e <= 1; friction has taken more in every impact
tried.
Frame: the contact frame, see collision_geometry.
Validity: equals the energetic law for central impacts, without friction, or while slip keeps its
direction.
Source: [VanWal2018] section 2.5.2, [Stronge1990].
"""

from __future__ import annotations

from haptos.contact.collision_path import impulse_path
from haptos.contact.collision_segments import KINETIC
from haptos.core.jit import device

CITES: tuple[str, ...] = ("VanWal2018", "Stronge1990")


@device
def poisson_collision(m, nu, f, e, scratch):
    """Impact (impulse [N s], works [J], mode, status) from M [1/kg], six numbers, and nu [m/s]."""
    return impulse_path(m, nu, f, e, KINETIC, scratch)
