"""Impact with energetic restitution (Stronge) and Coulomb friction in three dimensions.

    xi(p) = int nu3 dp,   xi_c = xi at the end of compression (nu3 = 0), < 0
    the impact ends at xi = (1 - e^2) xi_c                                        Eq. (2.60)

    e   coefficient of restitution [-], 0..1: e^2 is the share of the work of compression given back
    nu3 normal speed of the point [m/s], < 0 before        p  normal impulse [N s]
The ground keeps (1 - e^2) |xi_c| and friction takes what it rubs: no impact creates energy, whatever
the eccentricity, the friction and the changes between slip and stick.
Frame: the contact frame, see collision_geometry.
Validity: rigid body, one point; nu3+ = -e nu3- only if the slip keeps its direction.
Source: [Stronge1990], [VanWal2018] section 2.5.2.
"""

from __future__ import annotations

from haptos.contact.collision_path import impulse_path
from haptos.contact.collision_segments import ENERGETIC
from haptos.core.jit import device

CITES: tuple[str, ...] = ("Stronge1990", "VanWal2018")


@device
def stronge_collision(m, nu, f, e, scratch):
    """Impact (impulse [N s], works [J], mode, status) from M [1/kg], six numbers, and nu [m/s]."""
    return impulse_path(m, nu, f, e, ENERGETIC, scratch)
