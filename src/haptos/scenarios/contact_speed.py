"""How fast surfaces may meet before laws of springs, pressure and restitution mean nothing.

    v <= 0.1 c,   c = min(1 km/s, speed of sound of a thread)

    v  largest speed of a point against what it presses on, along and across the normal [m/s]

Rigid bodies with a law of contact are the limit of impacts that last long against the time in which a wave crosses
the body: v << c. At 100 m/s the pressure rho v^2 is 27 MPa on stone, as much as weak rock and hard soil bear: what is
struck breaks, melts or makes a crater, whatever stiffness or restitution the file gives. 1 km/s is assumed for
what spacecraft and firm ground are made of; so is the share. A thread that is struck across at 0.1 c is strained by
(v/c)^(4/3)/2^(2/3) = 3 % at once, where fibres of aramid and polyethylene break.
Validity: rods that are shot into soil have laws and a range of their own, `contact/laws/penetration.py`.
Source: the condition v << c is that of [Johnson1985] section 11.1; the numbers are assumed.
"""

from __future__ import annotations

from haptos.results.checks import Check

SOUND = 1000.0  # [m/s] in what bodies and ground are made of, at least; assumed
MOST_SHARE = 0.1  # [-] of the speed of sound at which surfaces meet; assumed
FASTEST = MOST_SHARE * SOUND  # [m/s]
BODIES = "The largest speed at which bodies met, which no spring or restitution describes above a tenth of 1 km/s, the speed of sound assumed"  # fmt: skip


def impact_check(speed: float, place: str = "") -> Check:
    """Whether bodies met at a speed [m/s] that a law of contact can describe; 0 if nothing met."""
    return Check("impact speed", speed, FASTEST, "m/s", BODIES, place if speed > 0.0 else "")


def thread_check(speed: float, sound: float) -> Check:
    """The same of threads with a speed of sound [m/s] that met a surface."""
    words = "The largest speed at which a thread met a surface, over that of sound, of threads or 1 km/s (assumed) if that is less"  # fmt: skip
    place = f"{speed:.3g} m/s" if speed > 0.0 else ""
    return Check("impact speed", speed / min(sound, SOUND), MOST_SHARE, "", words, place)
