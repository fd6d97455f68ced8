"""Impact with kinematic restitution (Newton) and Coulomb friction in three dimensions.

    the impact ends at nu3+ = -e nu3-

    e   coefficient of restitution [-], 0..1       nu3  normal speed of the point [m/s]
Friction bends the normal speed of an eccentric impact; asking for a speed and not for an energy, this
law may then give back more than compression took, so that the kinetic energy grows. Use it to compare;
the law that cannot create energy is collision_stronge.
Frame: the contact frame, see collision_geometry.
Validity: without gain of energy for central impacts, without friction, or while slip keeps its
direction: there it equals the energetic law.
Source: [VanWal2018] section 2.5.2; the gain of energy: [Kane1985].
"""

from __future__ import annotations

from haptos.contact.collision_path import impulse_path
from haptos.contact.collision_segments import KINEMATIC
from haptos.core.jit import device

CITES: tuple[str, ...] = ("VanWal2018", "Kane1985")


@device
def newton_collision(m, nu, f, e, scratch):
    """Impact (impulse [N s], works [J], mode, status) from M [1/kg], six numbers, and nu [m/s]."""
    return impulse_path(m, nu, f, e, KINEMATIC, scratch)
