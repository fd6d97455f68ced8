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
Limits, in this order: force (it slips at F_max), power of brake or motor, speed.
Frame: scalars along the line, u > 0 out of the reel. Validity: taut; a slack line has T_0 = k = 0.
Source: elementary mechanics; the brake is that of a fishing reel.
"""

from __future__ import annotations

import math

from haptos.core.jit import device

CITES: tuple[str, ...] = ()

HELD, PRESCRIBED, TENSION, BRAKE, CLUTCH = range(5)
KINDS = {"held": HELD, "prescribed": PRESCRIBED, "tension": TENSION, "brake": BRAKE, "clutch": CLUTCH}  # fmt: skip
NEWTON_STEPS = 40  # of the cubic of the brake's power; 6 are usual


@device
def end_spring(stiffness, damping, half, strain, parting):
    """(T_0 [N], k [N s/m]) of the spring at the feed point: EA [N], c [N s], h [m], e [-], g [m/s]."""
    if strain <= 0.0:
        return 0.0, 0.0
    return stiffness * strain + damping * parting / half, damping * (1.0 + strain) / half


@device
def pay_out_speed(kind, commanded, setting, slope, still, fall, fastest):
    """u [m/s] by the law alone: u_cmd [m/s], T_set [N], b [N s/m], T_0 [N] and k [N s/m].

    fastest  [m/s] at which a slack line, or one without damper and slope, is taken in or let out
    """
    if kind == HELD:
        return 0.0
    if kind == PRESCRIBED:
        return commanded
    start = commanded if kind == CLUTCH else 0.0
    excess = still - fall * start - setting
    if kind != TENSION and excess <= 0.0:
        return start
    give = fall + slope
    if give <= 0.0:
        return math.copysign(fastest, excess)
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
def power_limited(speed, still, fall, flux, gather, largest):
    """u [m/s] at which brake or motor stay within a power [W].

    flux    mu (1 + e) [kg/m]: the reel feels T - flux u^2       gather  energy per length of stretched line U [N]
    A brake at its limit lets go faster, at a lower tension; a motor at its limit reels in more slowly.
    """
    if speed >= 0.0:
        if speed * (still - fall * speed - flux * speed * speed) <= largest:
            return speed
        # to the right of the root, where the cubic is concave and falling, Newton never passes it
        bound = still / fall if fall > 0.0 else math.sqrt(still / flux) if flux > 0.0 else speed
        u = max(bound, speed)
        for _ in range(NEWTON_STEPS):
            excess = u * (still - fall * u - flux * u * u) - largest
            slope = still - 2.0 * fall * u - 3.0 * flux * u * u
            if slope >= 0.0 or abs(excess) <= 1e-13 * largest:
                break
            u -= excess / slope
        return max(u, speed)
    backward = -speed
    if backward * (still + fall * backward - gather) <= largest:
        return speed
    linear = still - gather
    if fall <= 0.0:
        return -largest / linear
    return -2.0 * largest / (linear + math.sqrt(linear * linear + 4.0 * fall * largest))


@device
def ramped(setting, time, start, duration):
    """A setting that rises evenly from 0 over a duration [s] after a start [s]."""
    if time <= start:
        return 0.0
    if time >= start + duration:
        return setting
    return setting * (time - start) / duration
