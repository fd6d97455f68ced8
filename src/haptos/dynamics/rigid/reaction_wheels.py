"""Reaction and momentum wheels of a body: torque with limits and lag, momentum kept as a state.

    hull:  dH/dt = outer torque,   H = I w + sum h a            wheel:  h' = -(tau + f h)
    tau' = (asked - tau)/T,   |asked| <= tau_max,   0 where it would take |h| beyond h_max

    h    momentum of a wheel about its axis a [N m s]      tau   torque on the hull [N m]
    f    friction of the bearing over the wheel's inertia [1/s]         T  lag [s], 0 for none
The work on the hull is (tau + f h) a . w. A wheel that is asked for nothing keeps its momentum (bias).
Frame: body axes. Validity: balanced rigid wheels; as momentum_device.py. Source: [Hughes1986].
"""

from __future__ import annotations

from collections import namedtuple

from haptos.core.by_reference import by_reference
from haptos.core.jit import device

CITES: tuple[str, ...] = ("Hughes1986",)

# body_first (b + 1,) wheels of each body; axis (n, 3); asked (n,) [N m]; lag (n,) [s]; most (n,) [N m s]; friction (n,)
Wheels = namedtuple("Wheels", "body_first axis asked lag most friction")
by_reference(Wheels)


@device
def wheel_torque(wheels, k, torque, momentum):
    """(torque on the hull [N m], d torque/dt) of wheel k; `torque` is its state."""
    asked, lag = wheels.asked[k], wheels.lag[k]
    change = (asked - torque) / lag if lag > 0.0 else 0.0
    given = torque if lag > 0.0 else asked
    if abs(momentum) >= wheels.most[k] and given * momentum < 0.0:
        given = 0.0
    return given + wheels.friction[k] * momentum, change
