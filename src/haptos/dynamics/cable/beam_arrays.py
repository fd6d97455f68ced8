"""Arrays of threads that bend and twist, and of the attitudes of their nodes."""

from __future__ import annotations

from collections import namedtuple

import numpy as np

Beams = namedtuple("Beams", "element holder numbers reference inverse_inertia limit")
# Elements that also bend and twist, `beam_element`; nodes at their ends have an attitude.
# element     (c,) which                   holder  (c, 2) who bears the moment of each end: a row of
#             Turning, a node or n + body; SWIVEL for nobody          numbers  (c, BEAM_SIZE)
# reference   (c, 2, 4) attitude of the element, x along it, in the axes of both holders
# inverse_inertia (n, 3) of nodes [1/(kg m^2)], principal axes       limit  longest stable step [s]
SWIVEL = -1
BEAM_SIZE = 6
BEAM_THRUST, BEAM_AXIAL, BEAM_TORSION, BEAM_BENDING, BEAM_TORSION_DAMPING, BEAM_BENDING_DAMPING = (
    range(BEAM_SIZE)
)  # the most thrust [N]; stiffness [N/m], [N m/rad]; damping [N m s/rad]

Turning = namedtuple("Turning", "attitude momentum torque before rate whole tally")
# attitude (n + k, 4), rate (n + k, 3) quat_NB, omega_BN_N [rad/s] of nodes and then bodies
# momentum (n, 3) of nodes, N axes [N m s]    torque, before (n + k, 3) of beams now and a step ago [N m]
# whole (c,) 1 until broken                   tally  energies of bending, twist and thrust now [J]
BENT, TWISTED, PUSHED = range(3)


def no_beams() -> Beams:
    """Threads that neither bend nor twist."""
    f, i = np.zeros, np.int64
    return Beams(f(0, i), f((0, 2), i), f((0, BEAM_SIZE)), f((0, 2, 4)), f((0, 3)), np.inf)


def turning_of(nodes: int, bodies: int, beams: int) -> Turning:
    """Memory for the attitudes of nodes; whoever builds it fills in attitudes."""
    rows = nodes + bodies
    attitude = np.zeros((rows, 4))
    attitude[:, 0] = 1.0
    f = np.zeros
    whole = np.ones(beams, dtype=np.int8)
    return Turning(attitude, f((nodes, 3)), f((rows, 3)), f((rows, 3)), f((rows, 3)), whole, f(3))
