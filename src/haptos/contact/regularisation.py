"""Share of slipping in a contact that may stick: a linear ramp.

    eta(u) = min(u, u_s) / u_s

    u    slip speed [m/s] or angular rate [rad/s], >= 0
    u_s  threshold of the same unit, > 0: above it the contact slips fully
The force is eta slip + (1 - eta) stick: no chatter at the transition and nothing to locate.
Frame: any, the same for rate, slip and stick.
Validity: u_s below the speeds that matter; a held body creeps at a share of it.
Source: [VanWal2018] Eq. (2.106), [VanWal2017] section 4.2.
"""

from __future__ import annotations

from haptos.core.jit import device
from haptos.core.vectors import add_scaled, norm, scale

CITES: tuple[str, ...] = ("VanWal2018", "VanWal2017")


@device
def slip_share(u, u_s):
    """eta [-] in [0, 1]."""
    return min(u, u_s) / u_s


@device
def capped(f, most):
    """Vector f, shortened to length `most` if it is longer."""
    size = norm(f)
    if size <= most:
        return f
    return scale(most / size, f)


@device
def blend(rate, u_s, slip_size, stick):
    """eta slip + (1 - eta) stick, slip having size `slip_size` against the vector `rate`.

    Below u_s eta/|rate| is 1/u_s, so nothing is divided by a vanishing rate.
    """
    u = norm(rate)
    eta = slip_share(u, u_s)
    return add_scaled(scale(1.0 - eta, stick), -slip_size / max(u, u_s), rate)
