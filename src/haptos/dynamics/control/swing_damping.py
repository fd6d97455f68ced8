"""Lateral thrust that damps the swing of what hangs on a line while the line is reeled.

    a = -(2 z w + 2 |l'|/l) l th',   w = sqrt(a_t/l),   |a| <= a_max

    th'  rate of the line's angle [rad/s], as a camera sees it       l, l'  length [m] and its rate [m/s]
    a_t  acceleration that keeps the line taut [m/s^2]               z      damping ratio wanted [-]
In l th'' + 2 l' th' + a_t sin th = a cos th reeling in (l' < 0) feeds the swing; the second part takes that out, the first
damps it. The acceleration is that of the body the line hangs from, across the line, towards growing th.
Frame: in the plane of the swing. Validity: small angles for the damping ratio; any for the sign.
Source: elementary mechanics of a pendulum of changing length.
"""

from __future__ import annotations

import math

from haptos.core.jit import device

CITES: tuple[str, ...] = ()

SWING_DAMPING = 0.7  # [-] assumed
LARGEST_ACCELERATION = 2e-3  # [m/s^2] assumed: 5 N on 2500 kg


@device
def swing_acceleration(turning, length, reeling, pull, damping, largest):
    """a [m/s^2] across the line: turning th' [rad/s], length l [m], reeling l' [m/s], pull a_t [m/s^2]."""
    frequency = math.sqrt(max(pull, 0.0) / length)
    wanted = -(2.0 * damping * frequency + 2.0 * abs(reeling) / length) * length * turning
    return min(max(wanted, -largest), largest)
