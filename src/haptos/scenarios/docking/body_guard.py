"""How deep the tool's body behind its shoulder, which no pair feels, was in the nozzle's wall."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from haptos.core.rotations import rotation_matrices
from haptos.dynamics.joined.parts import BodyFrame
from haptos.dynamics.joined.plant import Plant
from haptos.geometry.distance.reference import Reference, gaps_of
from haptos.scenarios.docking.config_mechanism import Tool
from haptos.scenarios.docking.model import SHOULDER, Model

Floats = NDArray[np.float64]

EVERY = 0.1  # [s] between two looks: a millimetre of the boom's way
AROUND = 16  # points of a rim
RIMS = (0.0, 0.25, 0.5, 1.0)  # [-] of the body's length, from its front


def body_points(tool: Tool) -> Floats:
    """Points [m] on rims of the tool's body, tip axes."""
    angles = np.linspace(0.0, 2.0 * math.pi, AROUND, endpoint=False)
    ring = tool.radius_m * np.stack([np.zeros(AROUND), np.cos(angles), np.sin(angles)], axis=1)
    places = [-(tool.rim_m + share * tool.length_m) for share in RIMS]
    return np.concatenate([ring + np.array([x, 0.0, 0.0]) for x in places])


def seated_gap(model: Model) -> float:
    """Room [m] of the body in the nozzle when the shoulder seats, aligned; below 0 it does not fit."""
    turned = body_points(model.config.tool) * np.array([-1.0, 1.0, 1.0])
    seated = turned - np.array([model.config.tool.seat_m, 0.0, 0.0])
    return float(gaps_of(model.shapes.nozzle, seated)[0].min())


@dataclass(eq=False)
class BodyGuard:
    """Points [m] on rims of the tool's body in tip axes, and the deepest they were [m], when [s].

    A tool that is given by points of its own has no other body.
    """

    nozzle: Reference
    wall: BodyFrame
    tip: BodyFrame
    points: Floats
    depth: float = 0.0
    when: float = math.nan
    next_time: float = 0.0

    @classmethod
    def of(cls, model: Model) -> BodyGuard | None:
        """The guard of a model; none if the crown is held rigid or the tool is one of points."""
        tool = model.config.tool
        if not model.slides or tool.points_m:
            return None
        pair = next(one for one in model.contacts if one.name == SHOULDER)
        points = body_points(tool)
        return cls(model.shapes.nozzle, pair.reference_place, model.tip, points)

    def look(self, plant: Plant) -> None:
        """Take the depth at the time of the plant, if it is due."""
        if plant.time < self.next_time - 1e-9:
            return
        self.next_time = plant.time + EVERY
        r, q, _, _ = plant.relative(self.wall, self.tip)
        places = self.points @ rotation_matrices(q[None])[0].T + r
        depth = -float(gaps_of(self.nozzle, places)[0].min())
        if depth > self.depth:
            self.depth, self.when = depth, plant.time
