"""A planar pair drawn onto brackets, written apart from the package: what the levels of row D19 depend on.

python -m tests.validation.docking_planar          with `rounded` or `sticking` only that kind of friction

Bodies of row D7, boom, spring and drive as there; brackets are points, one at +0.597 m and two at -0.2985 m, each 1e6 N/m with
1e4 N s/m (ramp 0.1 mm). Friction on them is either Coulomb's with a rounded step, which never sticks (`rounded`), or a spring
that holds up to the cone (`sticking`), which is what contacts of the package do. Nothing here comes from `haptos`.
"""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass

import numpy as np
from scipy.integrate import solve_ivp

EI, EA, K_ROOT, K_DRIVE = 400.0, 1.5e6, 4000.0, 4e5
BETA = 0.005 / (math.pi * 0.1)  # [s]
MASS_A, INERTIA_A, MASS_B, INERTIA_B, ARM_A, ARM_B = 1000.0, 600.0, 1800.0, 4500.0, 0.8, 1.4
PRELOAD, SPRING, STROKE, STALL, SPEED = 20.0, 9e3, 0.02, 350.0, 5e-3
PADS = ((0.597, 1.0), (-0.2985, 2.0))  # height [m], how many
PAD, PAD_DAMPING, RAMP, MU = 1e6, 1e4, 1e-4, 0.2
ROUNDED, STICKING = 2e-4, 0.2857e6  # [m/s] of the step, [N/m] of a pad's spring
NEAR = 116.0  # [s] after the start; first touch comes later
START = 50.0  # [s] on the time line
MARCH = 5e-4  # [s] of a step with springs that stick


@dataclass
class Levels:
    """Times [s] on the time line, forces [N], moments [N m]."""

    first: float
    lasts: float
    lateral: float
    moment: float
    one_side: float
    end_moment: float
    tension: float


def _bending(length: float) -> tuple[np.ndarray, np.ndarray]:
    """Stiffness of the tip and its derivative in the length."""
    off = length**2 / (2 * EI) + length / K_ROOT
    soft = np.array(
        [[length**3 / (3 * EI) + length**2 / K_ROOT, off], [off, length / EI + 1 / K_ROOT]]
    )
    change = np.array([[length**2 / EI + 2 * length / K_ROOT, length / EI + 1 / K_ROOT],
                       [length / EI + 1 / K_ROOT, 1 / EI]])  # fmt: skip
    k = np.linalg.inv(soft)
    return k, -k @ change @ k


def _axial(length: float, u: float) -> tuple[float, float]:
    """(tension, stiffness)."""
    soft = length / EA + 1 / K_DRIVE
    if u / soft <= PRELOAD:
        return u / soft, 1 / soft
    both = 1 / (soft + 1 / SPRING)
    tension = PRELOAD + (u - soft * PRELOAD) * both
    return (
        (tension, both) if tension <= PRELOAD + SPRING * STROKE else ((u - STROKE) / soft, 1 / soft)
    )


def _boom(length, p, turn, p_rate, turn_rate, rate):
    """(force x, force y, moment on the tip, tension, drive force, resistance)."""
    k, dk = _bending(length)
    g = np.array([[1.2 / length, -0.1], [-0.1, 2 * length / 15]])
    dg = np.array([[-1.2 / length**2, 0.0], [0.0, 2 / 15]])
    q, dq = np.array([p[1], turn]), np.array([p_rate[1], turn_rate])
    tension, stiff = _axial(length, p[0] - length + 0.5 * q @ g @ q)
    slope = 1 - 0.5 * q @ dg @ q
    free = p_rate[0] + (g @ q) @ dq
    pull = tension + BETA * stiff * (free - slope * rate)
    across = k @ q + pull * (g @ q) + BETA * (k @ dq)
    drive = -(tension + BETA * stiff * free) * slope - tension**2 / (2 * EA) + 0.5 * q @ dk @ q
    return -pull, -across[0], -across[1], tension, drive, BETA * stiff * slope**2


def _turned(v):
    return np.array([-v[1], v[0]])


def _rates(t: float, y: np.ndarray, tilt: float, sticks: bool, is_stopped: bool):
    """(dy/dt, loads of both sides, lateral force, moment and tension of the boom)."""
    (xa, ya, a, xb, yb, b), v, length, held = y[:6], y[6:12], y[12], y[13:15]
    turn_a = np.array([[math.cos(a), -math.sin(a)], [math.sin(a), math.cos(a)]])
    turn_b = np.array([[math.cos(b), -math.sin(b)], [math.sin(b), math.cos(b)]])
    at_a, at_b = np.array([xa, ya]), np.array([xb, yb])
    arm_a, arm_b = turn_a @ [ARM_A, 0.0], turn_b @ [-ARM_B, 0.0]
    tip = at_b + arm_b
    apart = tip - at_a - arm_a
    speed = v[3:5] + v[5] * _turned(arm_b) - v[:2] - v[2] * _turned(arm_a) - v[2] * _turned(apart)
    pose = (turn_a.T @ apart, b - a, turn_a.T @ speed, v[5] - v[2])
    asked = 0.0 if is_stopped else -SPEED * min(t / 0.25, 1.0)
    load = _boom(length, *pose, 0.0)
    rate = asked * min(max((1 + load[4] / STALL) / (1 + abs(asked) * load[5] / STALL), 0.0), 1.0)
    fx, fy, moment, tension, _, _ = _boom(length, *pose, rate)
    push = turn_a @ [fx, fy]
    force = [-push, push]
    torque = [-moment - (tip - at_a)[0] * push[1] + (tip - at_a)[1] * push[0],
              moment + arm_b[0] * push[1] - arm_b[1] * push[0]]  # fmt: skip
    normal = turn_b @ [-math.cos(tilt), -math.sin(tilt)]
    along, pushes, change = _turned(normal), [], np.zeros(2)
    for i, (height, many) in enumerate(PADS):
        arm = turn_a @ [1.0, height]
        place = at_a + arm
        slip = v[:2] + v[2] * _turned(arm) - v[3:5] - v[5] * _turned(place - at_b)
        depth = -normal @ (place - tip)
        n = 0.0
        if depth > 0.0:
            damped = PAD_DAMPING * min(1.0, depth / RAMP) * -(normal @ slip)
            n = many * max(0.0, PAD * depth + damped)
        side = along @ slip
        if sticks:
            change[i] = (
                side if n > 0.0 else 0.0
            )  # `_yielded` brings it back to the cone after each step
            f = min(max(-many * STICKING * held[i], -MU * n), MU * n)
        else:
            f = -MU * n * math.tanh(side / ROUNDED)
        on = n * normal + f * along
        for k, (centre, sign) in enumerate(((at_a, 1.0), (at_b, -1.0))):
            lever = place - centre
            force[k] = force[k] + sign * on
            torque[k] += sign * (lever[0] * on[1] - lever[1] * on[0])
        pushes.append(n)
    dy = np.concatenate([
        v, force[0] / MASS_A, [torque[0] / INERTIA_A], force[1] / MASS_B, [torque[1] / INERTIA_B], [rate], change,
    ])  # fmt: skip
    return dy, pushes, fy, moment, tension


def levels(tilt: float, sticks: bool, end: float = 180.0) -> Levels:
    """Draw in until the spring is at its stop, then hold."""
    length, turn = 1.05, math.radians(1.0)
    q = np.array([0.01, turn])
    g = np.array([[1.2 / length, -0.1], [-0.1, 2 * length / 15]])
    tip = np.array([ARM_A + length - 0.5 * q @ g @ q, 0.01])
    y = np.zeros(15)
    y[3:5], y[5] = tip + ARM_B * np.array([math.cos(turn), math.sin(turn)]), turn
    y[12] = length
    stop = PRELOAD + SPRING * STROKE

    def at_stop(t, y):
        return _rates(t, y, tilt, sticks, False)[4] - stop

    at_stop.terminal, at_stop.direction = True, 1  # type: ignore[attr-defined]

    def part(y, begins, ends, is_stopped, longest, events=None):
        rate = lambda t, y: _rates(t, y, tilt, sticks, is_stopped)[0]  # noqa: E731
        return solve_ivp(
            rate,
            (begins, ends),
            y,
            method="LSODA",
            rtol=1e-7,
            atol=1e-9,
            max_step=longest,
            events=events,
        )

    free = part(y, 0.0, NEAR + 50.0, False, 0.02)
    if sticks:
        return _summary(_marched(free.y[:, -1], NEAR + 50.0, end, tilt, stop))
    drawn = part(free.y[:, -1], NEAR + 50.0, end, False, 0.002, at_stop)
    held = part(drawn.y[:, -1], drawn.t[-1], end, True, 0.002)
    rows = [
        (t, *_rates(t, y, tilt, sticks, False)[1:]) for t, y in zip(drawn.t, drawn.y.T, strict=True)
    ]
    rows += [
        (t, *_rates(t, y, tilt, sticks, True)[1:]) for t, y in zip(held.t, held.y.T, strict=True)
    ]
    return _summary(rows)


def _marched(y: np.ndarray, begins: float, end: float, tilt: float, stop: float) -> list[tuple]:
    """Rows of steps of MARCH by the classic method of order four; springs of pads yield between them."""
    rows, is_stopped = [], False
    for k in range(round((end - begins) / MARCH)):
        t, h = begins + MARCH * k, MARCH
        rate = lambda t, y: _rates(t, y, tilt, True, is_stopped)[0]  # noqa: E731, B023
        k1 = rate(t, y)
        k2 = rate(t + 0.5 * h, y + 0.5 * h * k1)
        k3 = rate(t + 0.5 * h, y + 0.5 * h * k2)
        k4 = rate(t + h, y + h * k3)
        y = y + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)
        found = _rates(t + h, y, tilt, True, is_stopped)
        for i, (_, many) in enumerate(PADS):
            reach = MU * found[1][i] / (many * STICKING)
            y[13 + i] = min(max(y[13 + i], -reach), reach)
        is_stopped = is_stopped or found[4] >= stop
        rows.append((t + h, *found[1:]))
    return rows


def _summary(rows) -> Levels:
    time = np.array([row[0] for row in rows]) + START
    pushes = np.array([row[1] for row in rows])
    lateral, moment, tension = (np.abs([row[k] for row in rows]) for k in (2, 3, 4))
    touched = pushes > 0.0
    first = time[np.argmax(touched.any(axis=1))]
    last = time[np.flatnonzero(~touched.all(axis=1))[-1] + 1]
    during = (time >= first) & (time <= first + 8.0)
    return Levels(
        float(first), float(last - first), float(lateral[during].max()), float(moment[during].max()),
        float(pushes.max()), float(moment[-1]), float(tension[-1]),
    )  # fmt: skip


def main(names: list[str]) -> None:
    print(
        "| friction | tilt [deg] | first touch [s] | lasts [s] | lateral [N] | moment [N m] | one side [N] | end [N m] |"
    )
    print("|---|---|---|---|---|---|---|---|")
    wanted = {"rounded": (False,), "sticking": (True,)}.get(" ".join(names), (False, True))
    for sticks in wanted:
        for tilt in (0.5, -0.5, 1.0, -1.0):
            f = levels(math.radians(tilt), sticks)
            name = "sticking" if sticks else "rounded"
            print(
                f"| {name} | {tilt:+g} | {f.first:.1f} | {f.lasts:.1f} | {f.lateral:.1f} | {f.moment:.1f} | {f.one_side:.0f} | {f.end_moment:.2f} |",
                flush=True,
            )


if __name__ == "__main__":
    main(sys.argv[1:])
