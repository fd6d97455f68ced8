"""Normal of an impact, by what the touching point of the probe is: a corner, an edge or a facet.

    corner:  N = N0
    edge:    N = (N0 - (N0 . e) e) / |.|                                          Eq. (2.33)
    facet:   N = -N_F

    N0   unit normal of the ground at the point       e    unit vector along the edge of the probe
    N_F  unit normal of the facet, out of the probe
An edge carries no push along itself, and a facet that lies on a bump of the ground is pushed straight
inwards. Directions come from geometry/tessellation.
Where the rule has no sense the ground's normal is taken: an edge along N0, a facet that looks
away from the ground.
Frame: N0 and N in A axes, directions of the probe in B axes, dcm_AB between them.
Validity: ground features smaller than the probe; convex probes.
Source: [VanWal2018] section 2.3.2.
"""

from __future__ import annotations

from haptos.core.jit import device
from haptos.core.rotations import apply
from haptos.core.vectors import dot, norm, scale, tangential
from haptos.geometry.mesh.tessellation import EDGE, FACET

CITES: tuple[str, ...] = ("VanWal2018",)

ALONG = 1e-3  # [-] sine between N0 and an edge below which the edge says nothing about the normal


@device
def impact_normal(kind, direction_B, dcm_AB, ground_normal):
    """Unit normal N of the impact in A axes, out of the ground. Eq. (2.33)."""
    if kind == EDGE:
        across = tangential(ground_normal, apply(dcm_AB, direction_B))
        length = norm(across)
        if length > ALONG:
            return scale(1.0 / length, across)
    elif kind == FACET:
        inward = scale(-1.0, apply(dcm_AB, direction_B))
        if dot(inward, ground_normal) > ALONG:
            return inward
    return ground_normal
