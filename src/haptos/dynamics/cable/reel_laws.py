"""How fast a reel pays out: by a profile, by the tension it holds, by a brake, through a slip clutch, or not at all.

    T(u) = T_0 - k u,    T_0 = EA e + c g/h,    k = c (1 + e)/h          the end spring of length h at the feed point
    u = u_cmd + x,       x = (T(u_cmd) - T_set)/(k + b)
    prescribed  x = 0              tension  u_cmd = 0, x of either sign        brake  u_cmd = 0, x >= 0: never reels in
    clutch      x >= 0             held, jammed  u = 0

    u      pay-out speed [m/s], negative reels in     T      tension at the feed point, on the deployed side [N]
    e, g   strain, t.(v_1 - p') of the end spring     T_set  held by tension and brake, slipped at by the clutch [N]
    c      damping per strain rate [N s]              b      slope of a slipping clutch [N s/m]; 0 holds T_set exactly
The damper of the end spring sees the speed of the reel, so that the tension asked for fixes that speed: an algebraic
law without stiffness, exact at every stage. Without damping the slope b > 0 takes its place.
A hot brake holds less: `faded`.
Limits: the power of the brake lowers its setting, the reel slips at F_max, the motor's power and the speed bound u.
Frame: scalars along the line, u > 0 out of the reel. Validity: taut; a slack line has T_0 = k = 0.
Source: elementary mechanics; the brake is that of a fishing reel.
"""

from __future__ import annotations

import math

from haptos.core.jit import device

CITES: tuple[str, ...] = ()

DROOP = 0.1  # [-] of the stall force, the last part, over which the speed of a motor falls to zero
HOLD, PRESCRIBED, COSINE, CONSTANT_TENSION, BRAKE, CLUTCH, SERVO = range(7)


@device
def end_spring(stiffness, damping, half, strain, parting):
    """(T_0 [N], k [N s/m]) of the spring at the feed point: EA [N], c [N s], h [m], e [-], g [m/s]."""
    if strain <= 0.0:
        return 0.0, 0.0
    return stiffness * strain + damping * parting / half, damping * (1.0 + strain) / half


@device
def pay_out_speed(kind, commanded, setting, slope, still, fall, take_up):
    """u [m/s] by the law alone: u_cmd [m/s], T_set [N], b [N s/m], T_0 [N] and k [N s/m].

    take_up  [m/s] at which a slack line is taken in, and one without damper and slope in or out
    """
    if kind == HOLD:
        return 0.0
    if kind in (PRESCRIBED, COSINE):
        return commanded
    start = commanded if kind == CLUTCH else 0.0
    excess = still - fall * start - setting
    if kind != CONSTANT_TENSION and excess <= 0.0:
        return start
    give = fall + slope
    if give <= 0.0:
        return math.copysign(take_up, excess)
    return start + excess / give


@device
def force_limited(speed, still, fall, slope, largest):
    """u [m/s] at which the tension does not pass the largest force [N] of the reel: it slips there."""
    if still - fall * speed <= largest:
        return speed
    return (
        speed + (still - fall * speed - largest) / (fall + slope) if fall + slope > 0.0 else speed
    )


@device
def power_setting(setting, drawn, flux, largest):
    """T_set [N] that a brake may hold within a power [W] while the line is drawn out at a speed [m/s].

    flux  mu (1 + e) [kg/m]: the reel feels T - flux u^2
    The brake lowers its setting with the speed of what it brakes. A limit of the power at the reel's own speed would have
    two answers, slow at a high tension and fast at a low one, and jump between them.
    """
    if drawn <= 0.0 or drawn * (setting - flux * drawn * drawn) <= largest:
        return setting
    return largest / drawn + flux * drawn * drawn


@device
def winding_speed(speed, pull, stall, power):
    """Speed [m/s] at which a motor takes line in that pulls with a force [N], at most the one asked for.

    It falls evenly to zero over the last DROOP of the stall force [N], above which the line is held, and stays
    within the power [W].
    """
    spare = stall - pull
    if spare <= 0.0:
        return 0.0
    speed *= min(1.0, spare / (DROOP * stall))
    return min(speed, power / pull) if pull > 0.0 else speed


@device
def motor_limited(speed, still, fall, gather, largest):
    """u [m/s] at which a motor that reels in stays within a power [W]: it does so more slowly.

    gather  energy per length of stretched line U [N]
    """
    backward = -speed
    if backward <= 0.0 or backward * (still + fall * backward - gather) <= largest:
        return speed
    linear = still - gather
    if fall <= 0.0:
        return -largest / linear
    return -2.0 * largest / (linear + math.sqrt(linear * linear + 4.0 * fall * largest))


@device
def faded(setting, temperature, start, span, share):
    """T_set [N] that a hot brake holds: all of it up to a temperature [K], a share [-] of it from start + span [K] on."""
    if temperature <= start:
        return setting
    return setting * (1.0 - (1.0 - share) * min((temperature - start) / span, 1.0))


@device
def ramped(setting, time, start, duration):
    """A setting that rises evenly from 0 over a duration [s] after a start [s]."""
    if time <= start:
        return 0.0
    if time >= start + duration:
        return setting
    return setting * (time - start) / duration
