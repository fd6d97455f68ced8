"""Where the work of a reel goes: shaft, feed, brake heat, generator.

    winch  = s' [T (1 + e) - U - mu s'^2 (1 + e)^2/2]                      into the deployed line, U = EA e^2/2
    shaft  paying out, coil: -|s'| T_b,  T_b = T - mu s'^2 (1 + e);   reeling in, coil: s' [T (1 + e) - U];   drum: all
    feed   = winch - shaft:  -|s'| [T e - U + mu s'^2 (1 - e^2)/2] out,   -mu s'^3 (1 + e)^2/2 in
    braking P = -shaft > 0:  recovered eta min(P, P_gen), the rest heats the brake, m c theta' = heat
    motoring P = shaft > 0:  drawn P/eta_m

    s'  rate of the line on the reel [m/s]: -u          T, e  tension [N] and strain [-] at the feed point
    mu  linear density [kg/m]                           T_b   tension that the reel feels [N]
A coil lies still in its body: what leaves it jumps to the speed of the line, what comes in is stopped. A drum turns:
its line has that speed already, and its energy (J/R^2 + mu s) s'^2/2 is part of the system's.
T_b < 0 cannot be braked: the line leaves faster than a wave runs, u > sqrt(T/mu): supercritical pay-out.
Frame: scalars along the line. Validity: a thin line, a feed point without friction. Source: elementary mechanics.
"""

from __future__ import annotations

from haptos.core.jit import device

CITES: tuple[str, ...] = ()

COIL, DRUM = 0, 1
FEEDS = {"coil": COIL, "drum": DRUM}
GENERATOR_EFFICIENCY, MOTOR_EFFICIENCY = 0.25, 0.8  # [-] published, assumed
BRAKE_MASS, BRAKE_HEAT = 20.0, 900.0  # [kg], [J/kg/K] assumed
BRAKE_FADE = 1200.0  # [K] assumed, above which a friction brake fades


@device
def reel_tension(tension, strain, linear_density, rate):
    """T_b [N] that the reel feels; below 0 the pay-out is supercritical."""
    return tension - linear_density * rate * rate * (1.0 + strain)


@device
def winch_power(rate, tension, strain, stored, linear_density):
    """Power [W] of reel and feed into the deployed line; rate s' [m/s], stored U [J/m]."""
    moved = rate * (1.0 + strain)
    return rate * (tension * (1.0 + strain) - stored - 0.5 * linear_density * moved * moved)


@device
def shaft_power(feed, rate, tension, strain, stored, linear_density):
    """Power [W] of the shaft into the system: below 0 it brakes. The feed loss is `winch_power` less this."""
    if feed == DRUM:
        return winch_power(rate, tension, strain, stored, linear_density)
    if rate < 0.0:
        return rate * reel_tension(tension, strain, linear_density, rate)
    return rate * (tension * (1.0 + strain) - stored)


@device
def brake_split(shaft, efficiency, generator, motor):
    """(recovered, brake heat, drawn) [W] of a shaft power [W]; efficiency and largest power [W] of the generator."""
    if shaft >= 0.0:
        return 0.0, 0.0, shaft / motor
    braking = -shaft
    recovered = efficiency * min(braking, generator)
    return recovered, braking - recovered, 0.0
