"""Side forces in the throat by a small planar model of its own: which alignment keeps them below the 5 N of the paper?

python -m tests.validation.docking_throat          prints peak lateral forces over offset, tilt and speed

Chaser 1000 kg, 600 kg m^2, client 1800 kg, 4500 kg m^2, a tool of 9.3 kg between them on a boom without mass (EI, root
turn and axial stiffness of the file, drive with a line of 10 mm/s to 60 N), all in one plane and rigid. Folded crown and
shoulder are rings of round wire; at each of their azimuths the wall carries K (4 sqrt 2/3) sqrt(r) s^1.5 a length, s the
depth of the circle of radius r below the wall's meridian: the foundation law of a cylinder on a plane. Friction is
rounded below 0.2 mm/s, damping K-independent as in the file. Nothing is taken from the package.
Steps are symplectic Euler of 0.1 ms.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

LENGTH, BENDING, ROOT_TURN, ROOT_LATERAL = 1.02, 400.0, 4000.0, 5e5
AXIAL = 1.0 / (LENGTH / 1.5e6 + 1.0 / 4e5)
BETA = 0.005 / (math.pi * 0.1)
STALL = 60.0
MODULUS, DAMPING, RAMP, FRICTION, ROUNDED = 1.0355e10, 2e6, 20e-6, 0.3, 2e-4
TOOL_MASS = 8.0 + 0.5 * 2.5 * 1.05
TOOL_INERTIA = TOOL_MASS * (3.0 * 0.035**2 + 0.12**2) / 12.0
CENTRE = 0.05  # [m] of the tool's mass behind the crown
ROOT, THROAT = 0.8, 1.4
MASSES = np.array([1000.0, 1800.0, TOOL_MASS])
INERTIAS = np.array([600.0, 4500.0, TOOL_INERTIA])
AROUND = 48  # azimuths of half a ring
STEP = 1e-4  # [s]
LOCK_AT = 0.008  # [m] of the folded crown past the throat, where LOCK begins


def wall() -> Floats:
    """Meridian (u, r) of the nozzle, u into it: exit at -0.3, throat at 0, chamber behind."""
    arc = np.radians(np.linspace(0.0, 30.0, 31))
    down = np.stack([0.003 * np.sin(arc), 0.011 - 0.003 * np.cos(arc)], axis=1)
    start, end = down[-1], np.array([0.3, 0.12])
    s, e = math.tan(math.radians(30.0)), math.tan(math.radians(10.0))
    x = (end[1] - start[1] + s * start[0] - e * end[0]) / (s - e)
    middle = np.array([x, start[1] + s * (x - start[0])])
    t = np.linspace(0.0, 1.0, 65)[:, None]
    bell = (1 - t) ** 2 * start + 2 * t * (1 - t) * middle + t**2 * end
    arc = np.radians(np.linspace(45.0, 0.0, 31))
    up = np.stack([-0.003 * np.sin(arc), 0.011 - 0.003 * np.cos(arc)], axis=1)
    cone = np.array([[up[0, 0] - 0.02, up[0, 1] + 0.02]])
    points = np.concatenate([cone, up, down[1:], bell[1:]])
    return points * np.array([-1.0, 1.0])


WALL = wall()
A, B = WALL[:-1], WALL[1:]
ALONG = B - A
SQUARE = (ALONG**2).sum(axis=1)


def seat(ring: float, tube: float) -> float:
    """u of the middle of a round shoulder that just touches the bell, aligned."""
    low, high = -0.3, -0.003
    for _ in range(50):
        middle = 0.5 * (low + high)
        low, high = (
            (middle, high) if depth(np.array([[middle, ring]]), tube)[0][0] < 0.0 else (low, middle)
        )
    return low


def depth(points: Floats, tube: float) -> tuple[Floats, Floats]:
    """(depth [m] of circles about points (u, r) below the wall, unit normals (u, r) out of the wall)."""
    near = np.abs(WALL[:-1, 0] - points[:, 0].mean()) < 0.03
    a, along, square = A[near], ALONG[near], SQUARE[near]
    rel = points[:, None] - a
    share = np.clip((rel * along).sum(axis=2) / square, 0.0, 1.0)
    apart = rel - share[..., None] * along
    k = (apart**2).sum(axis=2).argmin(axis=1)
    rows = np.arange(len(points))
    way = apart[rows, k]
    distance = np.sqrt((way**2).sum(axis=1))
    return tube - distance, way / distance[:, None]


SHOULDER_U = -(0.0155 - seat(0.029, 0.006))
RINGS = (
    (0.0, 0.0045, 0.002),
    (SHOULDER_U, 0.029, 0.006),
)  # place on the tool, ring and tube radius


@dataclass
class Entry:
    """What an insertion gave: peak side forces of crown and shoulder [N], time above 5 N [s], swing [m/s]."""

    crown: float
    shoulder: float
    above: float
    mean: float
    swing: float


def turned(angle: float, x: float, y: float) -> Floats:
    c, s = math.cos(angle), math.sin(angle)
    return np.array([c * x - s * y, s * x + c * y])


def enter(offset: float, tilt: float, speed: float = 0.010, drift: float = 0.0) -> Entry:
    """Insert until LOCK: axis of the tool off by `offset` [m] at the throat, tilted [rad], with a side drift [m/s]."""
    u0 = -0.012 if offset > 1e-3 else -0.005
    phi = (np.arange(AROUND) + 0.5) * math.pi / AROUND  # half a ring, the other by symmetry
    cos, width = np.cos(phi), 2.0 * math.pi / AROUND
    angle = np.array([tilt, 0.0, tilt])
    place = np.zeros((3, 2))
    tip = np.array([u0, offset + u0 * (math.tan(tilt) + drift / speed)])
    place[1] = [THROAT, 0.0]  # its throat at the origin, nozzle along -u
    place[2] = tip - turned(tilt, CENTRE, 0.0)
    place[0] = tip - turned(tilt, ROOT + LENGTH, 0.0)
    rate = np.zeros((3, 2))
    rate[0] = [0.0, drift]
    rate[2] = rate[0] + turned(tilt, speed, 0.0)
    spin = np.zeros(3)
    c = np.array([
        [LENGTH**3 / (3 * BENDING) + LENGTH**2 / ROOT_TURN + 1 / ROOT_LATERAL, LENGTH**2 / (2 * BENDING) + LENGTH / ROOT_TURN],
        [LENGTH**2 / (2 * BENDING) + LENGTH / ROOT_TURN, LENGTH / BENDING + 1 / ROOT_TURN],
    ])  # fmt: skip
    stiff, length, before = np.linalg.inv(c), LENGTH, None
    peak, above, swing, total, past = [0.0, 0.0], 0.0, 0.0, [], u0
    for _ in range(round(4.0 / STEP)):
        force, torque = np.zeros((3, 2)), np.zeros(3)
        tip = place[2] + turned(angle[2], CENTRE, 0.0)
        root = place[0] + turned(angle[0], ROOT, 0.0)
        p = turned(-angle[0], *(tip - root))
        q = np.array([p[1], angle[2] - angle[0]])
        v = np.zeros(2) if before is None else (q - before) / STEP
        before = q
        load = -stiff @ (q + BETA * v)
        push = -AXIAL * (p[0] - length + 0.6 * p[1] ** 2 / length)
        length += STEP * speed * min(max(1.0 - push / STALL, 0.0), 1.0)
        on_tip = turned(angle[0], push, load[0])
        for body, sign in ((2, 1.0), (0, -1.0)):
            arm = tip - place[body]
            force[body] += sign * on_tip
            torque[body] += sign * (arm[0] * on_tip[1] - arm[1] * on_tip[0] + load[1])
        side = 0.0
        for n, (x, ring, tube) in enumerate(RINGS):
            on_tool, at = _ring(place, angle, rate, spin, x, ring, tube, cos, width)
            lateral = abs(turned(-angle[1], *on_tool)[1])
            peak[n], side = max(peak[n], lateral), side + lateral
            for body, sign in ((2, 1.0), (1, -1.0)):
                arm = at - place[body]
                force[body] += sign * on_tool
                torque[body] += sign * (arm[0] * on_tool[1] - arm[1] * on_tool[0])
        rate += STEP * force / MASSES[:, None]
        spin += STEP * torque / INERTIAS
        place += STEP * rate
        angle = angle + STEP * spin
        above += STEP * (side > 5.0)
        total.append(side)
        throat = place[1] + turned(angle[1], -THROAT, 0.0)
        past = turned(-angle[1], *(tip - throat))[0]
        swing = max(swing, abs(turned(-angle[1], *(rate[2] - rate[1]))[1]))
        if past >= LOCK_AT:
            break
    window = np.convolve(total, np.full(1000, 1e-3), "valid")
    return Entry(peak[0], peak[1], above, float(window.max()), swing)


def _ring(
    place: Floats, angle: Floats, rate: Floats, spin: Floats, x: float, ring: float, tube: float, cos: Floats, width: float
) -> tuple[Floats, Floats]:  # fmt: skip
    """(force [N] of the nozzle on a ring of the tool, where it acts)."""
    tip = place[2] + turned(angle[2], CENTRE, 0.0)
    throat = place[1] + turned(angle[1], -THROAT, 0.0)
    t = angle[2] - angle[1]
    middle = turned(-angle[1], *(tip + turned(angle[2], x, 0.0) - throat))
    u = middle[0] - math.sin(t) * ring * cos
    y = middle[1] + math.cos(t) * ring * cos
    z = ring * np.sqrt(1.0 - cos**2)
    r = np.hypot(y, z)
    s, normal = depth(np.stack([u, r], axis=1), tube)
    on = s > 0.0
    if not on.any():
        return np.zeros(2), tip
    s, normal = s[on], normal[on]
    n = np.stack([normal[:, 0], normal[:, 1] * y[on] / r[on]], axis=1)  # in the plane
    arm = np.stack([u[on], y[on]], axis=1) + throat_to(place, angle)
    slip = rate[2] - rate[1] + np.stack([
        -spin[2] * (arm[:, 1] - place[2, 1]) + spin[1] * (arm[:, 1] - place[1, 1]),
        spin[2] * (arm[:, 0] - place[2, 0]) - spin[1] * (arm[:, 0] - place[1, 0]),
    ], axis=1)  # fmt: skip
    closing = -(slip * n).sum(axis=1)
    line = MODULUS * (4.0 * math.sqrt(2.0) / 3.0) * math.sqrt(tube) * s**1.5
    line += DAMPING * np.minimum(1.0, s / RAMP) * closing * 2.0 * np.sqrt(2.0 * tube * s)
    line = np.maximum(line, 0.0) * ring * width
    along = slip + closing[:, None] * n
    size = np.linalg.norm(along, axis=1)[:, None]
    pull = line[:, None] * (n - FRICTION * along / np.maximum(size, ROUNDED))
    total = pull.sum(axis=0)
    at = (arm * line[:, None]).sum(axis=0) / max(line.sum(), 1e-30)
    return total, at


def throat_to(place: Floats, angle: Floats) -> Floats:
    """Place of the throat; the client hardly turns, so its axes are those of the plane."""
    return np.asarray(place[1] + turned(angle[1], -THROAT, 0.0))


def main() -> None:
    print(
        "offset [mm]  tilt [deg]  speed [mm/s]  crown [N]  shoulder [N]  above 5 N [ms]  mean of 0.1 s [N]  swing [mm/s]"
    )
    cases = [*itertools.product((0.002, 0.006), (0.5, 1.5), (0.010,), (0.0,)), (0.004, 1.5, 0.010, 0.0), (0.006, 1.5, 0.010, 6.5e-4), (0.006, 1.5, 0.005, 6.5e-4)]  # fmt: skip
    for offset, tilt, speed, drift in cases:
        e = enter(offset, math.radians(tilt), speed, drift)
        print(
            f"{1e3 * offset:11.1f} {tilt:11.1f} {1e3 * speed:13.1f} {e.crown:10.2f} {e.shoulder:13.2f} "
            f"{1e3 * e.above:15.0f} {e.mean:18.2f} {1e3 * e.swing:13.1f}", flush=True
        )  # fmt: skip


if __name__ == "__main__":
    main()
