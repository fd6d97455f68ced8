"""Map the lift-off of a body, and fly from one place to see the law at work."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from haptos.core.errors import ConfigError
from haptos.core.outcome import Outcome
from haptos.core.units import DEGREE, GRAVITATIONAL_CONSTANT
from haptos.dynamics.liftoff import liftoff, liftoff_flight, release_latitude, speed_limits
from haptos.dynamics.liftoff.liftoff_flight import Flights, liftoff_flights
from haptos.dynamics.liftoff.liftoff_map import LiftoffMap, liftoff_map
from haptos.dynamics.liftoff.release_latitude import ReleaseLatitudes, release_latitudes
from haptos.dynamics.liftoff.speed_limits import SpeedLimits
from haptos.environment import (
    gravity_ellipsoid,
    gravity_point,
    gravity_polyhedron,
    gravity_terms,
    zero_velocity,
)
from haptos.environment.gravity import Gravity
from haptos.environment.gravity_polyhedron import PolyhedronField
from haptos.environment.zero_velocity import pass_geopotential
from haptos.geometry.mesh import procedural_bodies
from haptos.geometry.shape import (
    curvature,
    curvature_ellipsoid,
    curvature_harmonics,
    curvature_polyhedron,
)
from haptos.geometry.shape.latitude_grid import grid_angles, nearest_points, on_grid
from haptos.results.balances import mass_check
from haptos.results.checks import Check
from haptos.results.ledger import EnergyLedger
from haptos.results.phases import Phase, phases_of
from haptos.results.provenance import provenance
from haptos.results.result import Result
from haptos.scenarios.liftoff.config import Config
from haptos.scenarios.liftoff.model import Model, build, shape_of
from haptos.scenarios.liftoff.tables import flight_table, metrics, no_events, tables

# Modules of the laws, for their sources.
ALWAYS = (liftoff, liftoff_flight, release_latitude, speed_limits, curvature)
SURFACES = {
    "sphere": curvature_ellipsoid, "ellipsoid": curvature_ellipsoid, "body": curvature_polyhedron,
    "mesh": curvature_polyhedron, "harmonics": curvature_harmonics,
}  # fmt: skip
GRAVITIES = {"sphere": gravity_point, "ellipsoid": gravity_ellipsoid}
OUTCOMES = (Outcome.MAPPED,)  # ways a run can end
MAP_SHARE = 0.8  # [-] of the time, for the progress


@dataclass(frozen=True, eq=False)
class Found:
    """All that a run computes; `place` is the vertex of curves and flights."""

    map: LiftoffMap
    limits: SpeedLimits
    latitudes: ReleaseLatitudes
    flights: Flights
    place: int


def check(config: Config) -> None:
    """Refuse what only shows when the body is built: a bad mesh, a series that does not fit."""
    shape_of(config)


def simulate(config: Config, *, progress: Callable[[float], None] | None = None) -> Result:
    """Map, limits, latitudes and flights; `progress` gets the share of the work done."""
    began = time.perf_counter()
    model = build(config)
    tell = progress or (lambda share: None)
    found = compute(config, model, tell)
    tell(1.0)
    table = config.as_table()
    flights = found.flights
    return Result(
        scenario=config.scenario,
        name=config.name,
        config=table,
        trajectory=flight_table(flights),
        events=no_events(),
        ledger=EnergyLedger(
            time=flights.time,
            stores={
                "kinetic": flights.kinetic.sum(axis=0),
                "potential": flights.potential.sum(axis=0),
            },
            works={},
            bound=config.flight.ledger_bound,
            max_remainder=len(flights.shares) * flights.largest_remainder,
            phases=ledger_phases(flights),
        ),
        ended=Outcome.MAPPED,
        metrics=metrics(config, model, found),
        provenance=provenance(table, config.seed, time.perf_counter() - began),
        cites=sources(config),
        tables=tables(config, model, found),
        checks=checks(model),
    )


def ledger_phases(flights: Flights) -> tuple[Phase, ...]:
    """One phase of the ledger for each flight, of a thing of 1 kg; they fly at the same time."""
    found: list[Phase] = []
    for row, share in zip(flights.phases, flights.shares, strict=True):
        found += phases_of(row, 1, {0: f"flight at {share:g} V"}.__getitem__)
    return tuple(found)


def checks(model: Model) -> tuple[Check, ...]:
    """What a run must meet besides its ledger: the mass that attracts is that of the file."""
    world = model.world
    assert isinstance(world, Gravity | PolyhedronField)
    masses = [float(mu) / GRAVITATIONAL_CONSTANT for mu in (model.mu, world.mu)]
    return (mass_check(masses[0], masses[1:]),)


def compute(config: Config, model: Model, tell: Callable[[float], None]) -> Found:
    """The numbers of a run."""
    ground, settings = model.shape.ground, config.map
    mapped = liftoff_map(
        ground,
        model.world,
        model.omega,
        mode=settings.mode,
        object_radius=settings.object_radius_m,
        step=settings.azimuth_step_deg * DEGREE,
        primary=model.primary,
        progress=lambda share: tell(MAP_SHARE * share),
    )
    place, azimuth = _place(config, mapped)
    flights = liftoff_flights(
        ground,
        place,
        model.world,
        model.omega,
        azimuth,
        shares=config.flight.shares,
        duration=config.flight.duration_s,
        primary=model.primary,
    )
    limits = speed_limits.speed_limits(
        mapped,
        wheel_radius=config.vehicle.wheel_radius_m,
        friction=config.vehicle.friction,
        margin=config.vehicle.margin,
        passes=_passes(model),
    )
    return Found(mapped, limits, _latitudes(config, mapped), flights, place)


def _passes(model: Model) -> float | None:
    """Geopotential [m^2/s^2] over which hops leave for the primary; None without one."""
    if model.primary is None:
        return None
    return pass_geopotential(model.world, model.omega, model.primary, model.shape.ground.points)


def _place(config: Config, mapped: LiftoffMap) -> tuple[int, float]:
    """(vertex, azimuth [rad]) of the flights."""
    wanted = config.place
    held = mapped.is_held & np.isfinite(mapped.least)
    if not held.any():
        found = "a body that holds nothing anywhere"
        raise ConfigError("[spin]", found, "gravity above the spin's pull", "a longer period_h")
    if wanted is None:
        place = int(np.argmin(np.where(held, mapped.least, math.inf)))
        return place, float(mapped.least_azimuth[place])
    phi, lam = wanted.latitude_deg * DEGREE, wanted.longitude_deg * DEGREE
    toward = (math.cos(phi) * math.cos(lam), math.cos(phi) * math.sin(lam), math.sin(phi))
    points = mapped.ground.points
    place = int(np.argmax(points @ np.array(toward) / np.linalg.norm(points, axis=1)))
    azimuth = (
        float(mapped.least_azimuth[place])
        if wanted.azimuth_deg is None
        else wanted.azimuth_deg * DEGREE
    )
    if not held[place] or math.isnan(azimuth):
        found = "a place where no direction lifts off, or nothing stays"
        raise ConfigError("[place]", found, "a place with a least speed", "leave out [place]")
    return place, azimuth


def _latitudes(config: Config, mapped: LiftoffMap) -> ReleaseLatitudes:
    """Latitudes of release on a grid over the vertices."""
    along = mapped.along(np.array([0.5, 1.5]) * np.pi)[0].min(axis=1)
    latitude, longitude = grid_angles(config.map.latitude_step_deg * DEGREE)
    near = nearest_points(mapped.ground.points, latitude, longitude)
    speed = on_grid(along, near, smooth=False)
    shares = config.map.kept_energy
    return release_latitudes(latitude, longitude, on_grid(mapped.geopotential, near), speed, shares)


def sources(config: Config) -> tuple[str, ...]:
    """Bibliography keys of the laws this run uses, as their files state them."""
    laws = [*ALWAYS, SURFACES[config.surface.shape]]
    laws.append(GRAVITIES.get(config.surface.shape, gravity_polyhedron))
    wanted = {
        curvature_harmonics: config.harmonics is not None,
        procedural_bodies: config.surface.shape == "body",
        gravity_terms: config.primary is not None,
        zero_velocity: config.primary is not None,
    }
    laws += [law for law, is_used in wanted.items() if is_used]
    return tuple(dict.fromkeys(key for law in laws for key in law.CITES))
