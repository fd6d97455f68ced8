"""Coulomb friction of a slipping point, faded out at low speed.

    f = -mu N fade(u / v_eps) relax(u / v_th) v / u,      u = |v|
    fade(s)  = s (2 - s)            for s < 1, else 1
    relax(s) = 3/2 s - 1/2 s^3      for s < 1, else 1

    mu     coefficient of friction [-], >= 0          N     normal load [N], >= 0
    v      slip: tangential relative velocity [m/s]   v_eps speed of full friction [m/s], > 0
    v_th   speed below which the direction fades too [m/s], > 0; about v_eps / 10
Both fades are continuous with the slope they need (fade: at 1; relax: at 0 and 1), and nothing is
divided by a vanishing speed.
Frame: any; f acts on the body whose velocity relative to the other is v.
Validity: sliding. The law has no memory and nothing holds at rest: a loaded point creeps at some
share of v_eps; `stick_slip` sticks. Small v_eps makes the motion stiff.
Source: [Salvi2014] Eq. (4.27), [Gonthier2004]; the relaxation multiplies the unit vector.
"""

from __future__ import annotations

from haptos.core.jit import device
from haptos.core.vectors import norm, scale

CITES: tuple[str, ...] = ("Gonthier2004", "Salvi2014")

RELAXED_SHARE = 0.1  # [-], v_th / v_eps if nothing else is asked for; after [Salvi2014] sec. 4.1.6


@device
def slip_fade(speed, v_eps):
    """fade [-], 0 to 1: share of full friction at a slip speed [m/s]."""
    s = min(speed / v_eps, 1.0)
    return s * (2.0 - s)


@device
def relaxed_over_speed(speed, v_th):
    """relax(u / v_th) / u [s/m], finite at rest."""
    if speed >= v_th:
        return 1.0 / speed
    s = speed / v_th
    return (1.5 - 0.5 * s * s) / v_th


@device
def slip_friction(friction, v_eps, v_th, load, slip):
    """(force [N] on the slipping body, power [W] turned into heat, >= 0).

    friction mu [-]   v_eps, v_th [m/s], > 0   load N [N], >= 0   slip v [m/s], 3-tuple
    """
    speed = norm(slip)
    size = friction * max(load, 0.0) * slip_fade(speed, v_eps) * relaxed_over_speed(speed, v_th)
    return scale(-size, slip), size * speed * speed
