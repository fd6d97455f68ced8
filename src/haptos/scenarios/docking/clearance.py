"""What must never meet: hulls, wings and boom of one satellite, hulls, wings, bell and ring of the other, as boxes.

Contact pairs feel tool and nozzle, ring and brackets. All else is watched here, apart from the contacts: a run ends
where two boxes meet. Wings are rigid plates, thicker by what their modes may bend; the boom is straight between its
nodes. Between looks the gap cannot close: the next is due when it could at twice the speed now, or after LONGEST.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from haptos.core.errors import ConfigError
from haptos.core.rotations import rotation_matrices
from haptos.dynamics.joined.parts import Wing, boom_joints
from haptos.dynamics.joined.plant import Plant
from haptos.dynamics.joined.plant_build import wing_axes
from haptos.geometry.distance.box_gap import TurnedBoxes, box_gaps
from haptos.scenarios.docking.config_vehicles import HullBox
from haptos.scenarios.docking.model import BOOM, CHASER, CLIENT, Model

Floats = NDArray[np.float64]
LONGEST = 0.5  # [s] between two looks
# [m/s] that the approach may gain until the next look: assumed, 20 N on 500 kg for 0.5 s
APPROACH_GAIN = 0.02
WING_THICKNESS = 0.03  # [m] thickness of a wing: assumed
MOST_BEND = 2.5  # [-] over sqrt(mass): most that a wing moves by a mode of unit amplitude; beams 2, twists 2.45


# Name; centre [m], half edges [m], axes as columns of a box
Part = tuple[str, Floats, Floats, Floats]


def _boxes(parts: list[Part]) -> TurnedBoxes:
    centres, halves, axes = (np.array([part[k] for part in parts]) for k in (1, 2, 3))
    return TurnedBoxes(centres, halves, axes)


def hull_parts(label: str, hull: tuple[HullBox, ...]) -> list[Part]:
    return [
        (f"{label} hull", np.array(box.centre_m), 0.5 * np.array(box.box_m), np.eye(3)) for box in hull
    ]  # fmt: skip


def wing_parts(label: str, wings: tuple[Wing, ...], time: float, bends: list[float]) -> list[Part]:
    """Plates of wings whose drives turn, thicker and longer by their bends [m]."""
    found = []
    for wing, bend in zip(wings, bends, strict=True):
        angle, along = wing.angle + wing.rate * time, np.asarray(wing.along, dtype=float)
        side = "+y" if along[1] > 0.0 else "-y"
        turn = np.array([math.cos(0.5 * angle), *(math.sin(0.5 * angle) * along)])
        axes = rotation_matrices(turn[None])[0] @ wing_axes(wing)
        halves = 0.5 * np.array([wing.length, wing.width, WING_THICKNESS]) + bend
        middle = np.asarray(wing.root, dtype=float) + 0.5 * wing.length * along
        found.append((f"{label} wing {side}", middle, halves, axes))
    return found


def nozzle_parts(model: Model) -> list[Part]:
    """Bell and ring of the client as boxes about them."""
    config = model.config
    throat, ring = np.array(config.client.throat_m), config.ring
    outer = ring.radius_m + 0.5 * ring.width_m
    flange = np.array([0.5 * ring.thickness_m, outer, outer])
    ahead = ring.ahead_m - 0.5 * ring.thickness_m
    found = [("client ring", throat - [ahead, 0.0, 0.0], flange, np.eye(3))]
    if config.nozzle.mesh_file is None:
        points = config.nozzle.points_m
        length = max(x for x, _ in points) if points else config.nozzle.length_m
        radius = max(r for _, r in points) if points else config.nozzle.exit_radius_m
        radius += config.nozzle.exit_wall_m
        bell = np.array([0.5 * length, radius, radius])
        found.append(("client nozzle", throat - [0.5 * length, 0.0, 0.0], bell, np.eye(3)))
    return found


def boom_parts(points: Floats, radius: float) -> list[Part]:
    """Boxes along the straight pieces between points, the axes of the chaser."""
    found = []
    for a, b in pairwise(points):
        along = (b - a) / np.linalg.norm(b - a)
        side = np.cross(along, np.eye(3)[int(np.argmin(np.abs(along)))])
        side /= np.linalg.norm(side)
        axes = np.stack([along, side, np.cross(along, side)], axis=1)
        halves = np.array([0.5 * float(np.linalg.norm(b - a)), radius, radius])
        found.append((BOOM, 0.5 * (a + b), halves, axes))
    return found


@dataclass(eq=False)
class Clearance:
    """Looks for what meets during a run; `struck` says what, `least` the least gap [m] found, NaN without shapes.

    The gap is that of `box_gap`: no more than the distance.
    """

    model: Model
    struck: str = ""
    struck_at: float = math.nan
    least: float = math.nan
    due: float = 0.0
    reach: float = field(init=False)

    def __post_init__(self) -> None:
        wings = [w for b in self.model.bodies for w in b.wings]
        arms = [float(np.linalg.norm(np.asarray(w.root))) + w.length for w in wings]
        boxes = (*self.model.config.chaser.hull, *self.model.config.client.hull)
        arms += [float(np.linalg.norm(b.centre_m) + 0.5 * np.linalg.norm(b.box_m)) for b in boxes]
        self.reach = max([1.0, *arms])

    def look(self, plant: Plant) -> None:
        """Find what meets now, if it is time to look."""
        if plant.time < self.due - 1e-9:
            return
        r, q, v, w = plant.relative(CHASER, CLIENT)
        gap, pair = gaps(
            self.model, r, q, plant.time, _boom_points(plant), _bends(plant, self.model)
        )
        if math.isnan(gap):
            self.due = math.inf
            return
        if not gap >= self.least:
            self.least = gap
        if gap < 0.0:
            self.struck, self.struck_at = pair, plant.time
        fastest = float(np.linalg.norm(v)) + self.reach * float(np.linalg.norm(w))
        fastest += abs(plant.boom(BOOM).speed) + APPROACH_GAIN
        self.due = plant.time + min(0.5 * gap / fastest, LONGEST)


def gaps(
    model: Model, r: Floats, q: Floats, time: float, boom: Floats, bends: dict[str, list[float]]
) -> tuple[float, str]:
    """(least gap [m], "a and b") of all that must not meet, the client at r, quat_CT; NaN without shapes."""
    config, (chaser, client) = model.config, (model.bodies[0], model.bodies[1])
    dcm = rotation_matrices(np.asarray(q)[None])[0]
    own = hull_parts(CHASER, config.chaser.hull)
    own += wing_parts(CHASER, chaser.wings, time, bends[CHASER])
    other = hull_parts(CLIENT, config.client.hull)
    other += wing_parts(CLIENT, client.wings, time, bends[CLIENT])
    found = [
        _least(own, other + nozzle_parts(model), r, dcm),
        _least(boom_parts(boom, config.boom.radius_m), other, r, dcm),
    ]
    least = [one for one in found if one is not None]
    return min(least) if least else (math.nan, "")


def _least(
    own: list[Part], other: list[Part],
    r: Floats, dcm: Floats,
) -> tuple[float, str] | None:  # fmt: skip
    if not own or not other:
        return None
    found = box_gaps(_boxes(own), _boxes(other).moved(r, dcm))
    i, j = np.unravel_index(int(np.argmin(found)), found.shape)
    return float(found[i, j]), f"{own[i][0]} and {other[j][0]}"


def _boom_points(plant: Plant) -> Floats:
    """Root, nodes and tip of the boom, axes of the chaser."""
    return np.array([plant.relative(CHASER, place)[0] for place in boom_joints(plant.booms[0])])


def _bends(plant: Plant, model: Model) -> dict[str, list[float]]:
    """Most that each wing of each satellite is bent [m]."""
    found: dict[str, list[float]] = {}
    for body in model.bodies[:2]:
        amplitudes, first = np.abs(plant.modes(body.name)[0]), 0
        found[body.name] = []
        for wing in body.wings:
            last = first + len(wing.modes)
            found[body.name].append(
                MOST_BEND / math.sqrt(wing.mass) * float(amplitudes[first:last].sum())
            )
            first = last
    return found


def check_shapes(model: Model) -> None:
    """Refuse shapes that meet at the start, or in an aligned docking: with the tool seated, on the brackets."""
    config = model.config
    straight = {b.name: [0.0] * len(b.wings) for b in model.bodies[:2]}
    root, seat = np.array(config.chaser.root_m), config.tool.seat_m
    chaser, client = model.bodies[0], model.bodies[1]
    facing = np.array([1.0, 0.0, 0.0, 0.0])
    placed = [("start", np.asarray(client.position) - np.asarray(chaser.position), np.asarray(client.quaternion), config.boom.length_m)]  # fmt: skip
    for when, length in (("lock_m", config.boom.lock_m), ("end_m", config.boom.end_m)):
        throat = root + np.array([length - seat, 0.0, 0.0])
        placed.append((f"boom.{when}", throat - np.array(config.client.throat_m), facing, length))
    for when, r, q, length in placed:
        boom = np.array([root, root + np.array([length, 0.0, 0.0])])
        gap, pair = gaps(model, r, q, 0.0, boom, straight)
        if gap < 0.0:
            found = f"{pair} {-gap:.3g} m inside each other " + (
                "at the start" if when == "start" else f"when aligned, at {when}"
            )
            hint = "smaller boxes, or several with room between them; or a start farther away"
            where = "[start]" if when == "start" else "[[chaser.hull]] and [[client.hull]]"
            raise ConfigError(where, found, "room between them", hint)
