"""The shot and the flight by the model the file asks for: in a plane, in a field over a site, or on cells."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from haptos.dynamics.cable.line_shot import (
    ANGLE,
    BRAKE,
    FEED,
    PAID,
    PITCH,
    RATE,
    LineFlight,
    flight_energy,
    line_flight,
)
from haptos.dynamics.cable.line_shot_space import (
    SpaceFlight,
    line_flight_in_space,
    space_kinetic,
)
from haptos.dynamics.cable.line_shot_tether import CellFlight
from haptos.scenarios.harpoon.config import Config
from haptos.scenarios.harpoon.model import Model
from haptos.scenarios.harpoon.on_cells import along_line, flight_energies, shot_on_cells
from haptos.scenarios.line_results import hull_turning, line_rows

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Fired:
    """A flight, with columns of motion, stores, works [J] and energy of turning [J] along its rows."""

    flight: LineFlight
    flown: CellFlight | None
    space: SpaceFlight | None
    motion: dict[str, Floats]
    stores: dict[str, Floats]
    works: dict[str, Floats]
    turning: Floats


def fired(config: Config, model: Model, place: Floats, velocity: Floats) -> Fired:
    """Fire from a place [m] of the spacecraft, which moves with a velocity [m/s]."""
    flight, flown, space = _flown(config, model, place, velocity)
    rows = flight.rows
    motion = {
        "hull": _spatial(rows[:, 0:2]), "hull_v": _spatial(rows[:, 2:4]), "load": _spatial(rows[:, 4:6]),
        "load_v": _spatial(rows[:, 6:8]), "axis": rows[:, ANGLE], "length": rows[:, PAID],
        "tension": np.full(len(rows), model.shot.tension),
    }  # fmt: skip
    found = flown or space
    if found is not None:
        of = found.motion
        motion |= {"hull": of.hull, "hull_v": of.hull_v, "load": of.body, "load_v": of.body_v}
    if flown is not None:
        motion |= along_line(flown.run, line_rows(flown.run))
        stores, works = flight_energies(model, flown)
        turning = hull_turning(flown.run, flown.run.rows)
        return Fired(flight, flown, space, motion, stores, works, turning)
    if space is not None:
        kinetic, potential = space_kinetic(model.shot, space), np.zeros(len(rows))
        rate = np.linalg.norm(space.motion.turning, axis=1)
    else:
        kinetic, potential = flight_energy(model.shot, rows)
        rate = rows[:, RATE]
    works = {
        "shot": np.full(len(rows), kinetic[0]), "line brake": rows[:, BRAKE], "feed loss": rows[:, FEED],
        "line turning": rows[:, PITCH],
    }  # fmt: skip
    if space is not None:
        works["weight"] = space.weight
    stores = {"kinetic": kinetic, "potential": potential}
    return Fired(flight, flown, space, motion, stores, works, 0.5 * model.inertia * rate**2)


def _flown(
    config: Config, model: Model, place: Floats, velocity: Floats
) -> tuple[LineFlight, CellFlight | None, SpaceFlight | None]:
    """The flight, and that on cells or over a site if it is one."""
    speed, interval = config.muzzle[0], config.run.output_interval_s
    aim, tip_off = math.radians(config.shot.aim_deg), math.radians(config.shot.tip_off_deg_per_s)
    if config.line.cells > 0:
        flown = shot_on_cells(config, model, place, velocity)
        return flown.flight, flown, None
    site = model.site
    if site is not None:
        space = line_flight_in_space(
            model.shot, place, speed, site.pull, lambda x: (float(site.at(x)[0][0]), site.clear(x)), aim=aim, tip_off=tip_off,
            velocity=velocity, interval=interval,
        )  # fmt: skip
        return space.flight, None, space
    flight = line_flight(
        model.shot, float(place[2]), speed, aim=aim, tip_off=tip_off, interval=interval,
        aside=float(place[0]), velocity=(float(velocity[0]), float(velocity[2])),
    )  # fmt: skip
    return flight, None, None


def _spatial(rows: Floats) -> Floats:
    """(n, 2) of the plane of the shot as (n, 3)."""
    return np.stack([rows[:, 0], np.zeros(len(rows)), rows[:, 1]], axis=1)
