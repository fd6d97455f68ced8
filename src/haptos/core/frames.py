"""Frames of reference, and how they appear in names.

A name says what is measured, from where, and in whose axes:

    r_PQ_F      position of P from Q, components in F axes [m]
    v_PQ_F      its rate of change as seen in the frame of Q, components in F axes [m/s]
    omega_PQ_F  angular rate of P relative to Q, components in F axes [rad/s]
    dcm_FG      matrix that turns G components into F components: x_F = dcm_FG @ x_G
    quat_FG     the same rotation as a unit quaternion, scalar first

So `v_BA_A` is the velocity of the lander body as seen by someone standing on the small body, in
axes fixed to it, and `omega_BN_B` is the inertial spin of the lander in its own axes. Bodies after
the first are B1, B2 and so on. A quantity without axes (a length, an energy) has no frame.
"""

from __future__ import annotations

import re
from enum import Enum

NO_FRAME = "-"


class Frame(Enum):
    """Letters that may stand in names; the value is the letter."""

    INERTIAL = ("N", "inertial: not turning, not accelerated")
    SMALL_BODY = ("A", "small body: fixed to it, turning with it, origin at its centre of mass")
    LANDER = ("B", "lander body: fixed to it, origin at its centre of mass")
    ORBITAL = ("H", "orbital: x outward from the primary, z along the orbit normal (Hill)")
    LOCAL_VERTICAL = ("L", "orbital: z to the primary, y against the orbit normal (LVLH, V-bar x)")
    SURFACE = ("S", "surface: fixed to a place on the small body, z out of the ground")
    CONTACT = ("C", "contact: at one contact, z along the normal out of the surface")

    def __init__(self, letter: str, description: str) -> None:
        self.letter, self.description = letter, description

    def __str__(self) -> str:
        return self.letter


_NAMED = re.compile(f"(?:[{''.join(frame.letter for frame in Frame)}][0-9]*){{1,2}}")


def is_frame(text: str) -> bool:
    """Whether a text names frames there are: 'A', 'B1', two for a rotation ('AB'), or '-'."""
    return text == NO_FRAME or _NAMED.fullmatch(text) is not None
