"""Row D19 of docs/validation/docking.md with the locking crown held rigid: retraction, touch-down and tension of a pair.

python -m tests.validation.docking_clamped          with `levels` only the levels found, for both kinds of friction

Bodies of row D7 in their plane, joined at 50 s by the boom at 1.05 m, tip 10 mm aside and turned by 1 deg; brackets at
+0.597 m and twice at -0.2985 m, each 1e6 N/m with 1e4 N s/m (ramp 0.1 mm) and friction 0.2 on a ring tilted in the
plane; the drive stops when the safety spring is at its stop. Friction is that of the package, which sticks, or creeps: it
holds in proportion to the slip up to the cone, 1e5 N s/m a pad (the cone of 100 N is reached at 0.2 mm/s), which is what the
planar model of the printed levels has. Rows every millisecond from before the first touch on: pads vibrate at 6 Hz.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from haptos.contact.sets.polygons_pair import foundation_law
from haptos.dynamics.joined.parts import BodyFrame, JoinedContact, SafetySpring
from haptos.dynamics.joined.plant import Plant, PlantEnd
from haptos.geometry.distance.reference import half_space
from haptos.geometry.distance.section_build import SectionLine, section
from haptos.geometry.mesh.curved_faces_build import revolution_faces
from tests.joined_cases import APPROACH, MASS_A, MASS_B, boom_between, planar_pair, quaternion
from tests.validation.contact import Row

START, RAMP, STALL = 50.0, 0.25, 350.0  # [s], [s], [N]
RADIUS = 0.597  # [m] of the ring
CREEP = 1e5  # [N s/m] of a pad whose friction never sticks
TIMES = np.concatenate([np.arange(0.0, 160.0, 0.02), np.arange(160.0, 200.0, 1e-3)])  # [s] of rows
SPRING_ENERGY = 2.2  # [J] of the safety spring over its stroke


@dataclass
class Docking:
    """What a run of the clamped pair showed; times [s] since 0, moments [N m] at the tip, forces [N]."""

    amplitude: dict[float, float]
    first_touch: float
    all_touch: float  # from here on all three
    lateral: float
    moment: float
    bracket: float  # those of one side of the plane together
    tension: float
    final_moment: float
    length: float
    remainder: float
    has_s_bend: bool
    momentum: tuple[float, float]
    steps: int


def clamped(
    tilt: float, friction: float = 0.2, creeps: bool = False, radius: float = 0.01
) -> Plant:
    """Pair with three brackets, discs of a radius [m], on body a and the ring of body b tilted by an angle [rad]."""
    disc = section([SectionLine((0.0, 0.0), (0.0, radius))], straight_ends=False)
    faces = revolution_faces(disc, 0, chord_error=5e-6, around=16)
    area = 16 / 2 * math.sin(2.0 * math.pi / 16) * radius**2
    k = 1e6 / area
    shear, drag = (1e-4 * k, CREEP / area) if creeps else (0.2857 * k, 1e6)
    law = foundation_law(
        k, damping=1e4 / area, damping_depth=1e-4, shear=shear, shear_damping=drag, friction=friction,
        friction_at_rest=friction, stick_speed=2e-4,
    )  # fmt: skip
    ring = BodyFrame("b", (-1.4, 0.0, 0.0), quaternion(tilt))
    contacts = [
        JoinedContact(f"bracket{n + 1}", half_space((-1.0, 0.0, 0.0)), ring, faces,
                BodyFrame("a", (1.0, RADIUS * math.cos(angle), RADIUS * math.sin(angle))), law)
        for n, angle in enumerate(math.radians(a) for a in (0.0, 120.0, 240.0))
    ]  # fmt: skip
    boom = replace(
        boom_between(1.05, beta=0.005 / (math.pi * 0.1)), spring=SafetySpring(20.0, 9e3, 0.02)
    )
    return planar_pair(
        1.05, 0.01, math.radians(1.0), boom=boom, contacts=contacts, output_times=TIMES
    )


def dock(tilt: float, friction: float = 0.2, creeps: bool = False, radius: float = 0.01) -> Docking:
    """Retract until the spring is at its stop, then hold."""
    plant = clamped(tilt, friction, creeps, radius)
    plant.set_boom_speed("boom", -APPROACH, STALL, RAMP)
    is_at_stop = False
    while plant.time < 199.0:
        near = not is_at_stop and plant.boom("boom").extension > 0.018
        if plant.advance(plant.time + (0.001 if near else 0.05)) is not PlantEnd.REACHED:
            break
        if not is_at_stop and plant.boom("boom").at_stop:
            plant.set_boom_speed("boom", 0.0)
            is_at_stop = True
    return _summary(plant)


def _summary(plant: Plant) -> Docking:
    rows = plant.rows()
    time, moment = rows["time"] + START, np.abs(rows["boom.moment_z"])
    touched = [rows[f"bracket{n}.polygons"] > 0 for n in (1, 2, 3)]
    any_touch, all_touch = np.any(touched, axis=0), np.all(touched, axis=0)
    first = float(time[np.argmax(any_touch)])
    during = (time >= first) & (time <= first + 8.0)
    swing = lambda t: float(moment[(time >= t - 5.0) & (time <= t + 5.0)].max())  # noqa: E731
    v, psi, length = rows["boom.place_y"], rows["boom.turn_z"], rows["boom.length"]
    below = 6.0 * v - 3.0 * psi * length
    share = np.divide(3.0 * v - psi * length, below, out=np.full(len(v), -1.0), where=below != 0.0)
    ledger = plant.ledger()
    pushes = [np.abs(rows[f"bracket{n}.force_x"]) for n in (1, 2, 3)]
    return Docking(
        {t: swing(t) for t in (55.0, 100.0, 150.0, 200.0)}, first,
        float(time[np.flatnonzero(~all_touch)[-1] + 1]), float(np.abs(rows["boom.force_y"])[during].max()),
        float(moment[during].max()),
        float(max(pushes[0].max(), (pushes[1] + pushes[2]).max())),
        float(rows["boom.tension"][-1]), float(moment[time > time[-1] - 1.0].mean()), plant.boom("boom").length,
        float(ledger["remainder"]), bool(np.any((share > 0.0) & (share < 1.0) & during)),
        plant.momentum_error(), plant.counts()["steps"],
    )  # fmt: skip


def d16(found: Docking) -> Iterator[Row]:
    """Momenta of the pair after the whole sequence, over those of its approach."""
    linear, angular = found.momentum
    scale = MASS_A * MASS_B / (MASS_A + MASS_B) * APPROACH
    yield Row("D16", "clamped docking, momentum of the pair, change [-]", 0.0, linear / scale, 1e-9)
    yield Row("D16", "clamped docking, angular momentum, change [-]", 0.0, angular / scale, 1e-9)


def d19() -> Iterator[Row]:
    """Levels of the planar model, two or three digits, beside those found: retraction, touch-down, tension."""
    for tilt, first, lasts, lateral, moment in (
        (0.5, 218.6, 3.5, 27.0, 16.0), (-0.5, 219.6, 3.5, 27.0, 16.0),
        (1.0, 217.9, 5.0, 27.0, 28.0), (-1.0, 219.2, 5.0, 27.0, 28.0),
    ):  # fmt: skip
        found = dock(math.radians(tilt))
        name = f"clamped, ring tilted {tilt:+g} deg"
        if tilt == 0.5:
            yield from d16(found)
            for t, level in ((55.0, 7.7), (100.0, 6.8), (150.0, 6.4), (200.0, 5.7)):
                what = f"clamped, moment about {t:g} s [N m]"
                yield Row("D19", what, level, found.amplitude[t], 0.02)
            yield Row("D19", f"{name}, S-bend seen (1 yes)", 1.0, float(found.has_s_bend), 1e-9)
        duration = found.all_touch - found.first_touch
        yield Row("D19", f"{name}, first touch [s]", first, found.first_touch, 0.002)
        yield Row("D19", f"{name}, until all three stay [s]", lasts, duration, 0.15)
        yield Row("D19", f"{name}, lateral force [N]", lateral, found.lateral, 0.15)
        yield Row("D19", f"{name}, moment in touch-down [N m]", moment, found.moment, 0.15)
        yield Row("D19", f"{name}, brackets of one side together [N]", 280.0, found.bracket, 0.15)
        yield Row("D19", f"{name}, tension at the end [N]", 200.0, found.tension, 0.01)
        share = abs(found.remainder) / SPRING_ENERGY
        yield Row(
            "D19", f"{name}, share of the spring's 2.2 J that the ledger leaves", 0.0, share, 1e-3
        )


def d19_creeps() -> Iterator[Row]:
    """The same levels with friction that never sticks, the larger of both signs of the tilt, as they are printed."""
    for tilt, moment, end in ((0.5, 16.0, 12.6), (1.0, 28.0, 25.3)):
        both = [dock(math.radians(sign * tilt), creeps=True) for sign in (1.0, -1.0)]
        name = f"clamped, ring tilted by {tilt:g} deg, friction that creeps"
        yield Row("D19", f"{name}, lateral force [N]", 27.0, max(f.lateral for f in both), 0.15)
        largest = max(f.moment for f in both)
        yield Row("D19", f"{name}, moment in touch-down [N m]", moment, largest, 0.02)
        if tilt == 0.5:
            pushed = max(f.bracket for f in both)
            yield Row("D19", f"{name}, brackets of one side together [N]", 280.0, pushed, 0.05)
        for sign, found in zip("+-", both, strict=True):
            yield Row(
                "D19", f"{name}, {sign}, moment at the end [N m]", end, found.final_moment, 5e-3
            )


def levels() -> None:
    """Rows of a table: levels found for both kinds of friction, and with pads of a fifth of the size."""
    for name, creeps, radius in (("creeps", True, 0.01), ("sticks", False, 0.01), ("sticks, discs of 2 mm", False, 0.002)):  # fmt: skip
        for tilt in (0.5, -0.5, 1.0, -1.0):
            f = dock(math.radians(tilt), creeps=creeps, radius=radius)
            print(
                f"| {name} | {tilt:+g} | {f.first_touch:.1f} | {f.all_touch - f.first_touch:.1f} | {f.lateral:.1f} "
                f"| {f.moment:.1f} | {f.bracket:.0f} | {f.final_moment:.2f} |",
                flush=True,
            )


def d19_slid() -> Iterator[Row]:
    """Moment at the end, ring free to slide on its brackets: tilt/(L/EI + 1/k_r) and 1 % for the tension."""
    for tilt, moment in ((0.5, 12.6), (1.0, 25.3)):
        found = dock(math.radians(tilt), friction=0.0)
        name = f"clamped, ring tilted {tilt:+g} deg, without friction"
        yield Row("D19", f"{name}, moment at the end [N m]", moment, found.final_moment, 5e-3)
        yield Row("D19", f"{name}, boom at the end [m]", 0.179, found.length, 5e-3)


if __name__ == "__main__":
    if sys.argv[1:] == ["levels"]:
        levels()
    else:
        for function in (d19, d19_creeps, d19_slid):
            for row in function():
                print(row, flush=True)
