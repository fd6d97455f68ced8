"""Bodies joined by booms and polygonal contacts, carried on in time with commands held in between.

    with Plant(bodies, booms, contacts, …):  command; advance(until); read; command; …

Bodies have flexible wings, wheels and thrusters; booms change their length by drives; a slide moves and spreads
surfaces that touch; gravity about a Kepler origin, its gradient and light act from outside. Steps follow the
motion (adaptive.py) and end where `advance` is asked to end and at corners of thrust, never at output times.
Sign and frames: N axes do not turn; contact loads act on the body that carries the faces.
Validity: as the laws it joins. Source: as the laws it joins.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import ArrayLike, NDArray

from haptos.core.counter_random import four_normals, random_key
from haptos.core.errors import ConfigError
from haptos.dynamics.joined.parts import (
    JoinedBody,
    JoinedBoom,
    JoinedContact,
    OrbitalGravity,
    Plume,
    Slide,
)
from haptos.dynamics.joined.plant_build import make_plant
from haptos.dynamics.joined.plant_march import march_plant
from haptos.dynamics.joined.plant_model import (
    A_REMESH,
    ANGULAR,
    ATTITUDE,
    BODY,
    ENDED_DEPTH,
    L_ALLOWED,
    L_STORED,
    MARGIN,
    MOMENTUM,
    W_WINGS,
)
from haptos.dynamics.joined.plant_rates import kinetic_energy, set_velocities
from haptos.dynamics.joined.plant_readings import Readings
from haptos.dynamics.march.adaptive import ACCEPTED, REACHED, REJECTED, STALLED, changed, march_of
from haptos.dynamics.march.partly_implicit import ROWS
from haptos.dynamics.rigid.thrusters import PULSES

CITES: tuple[str, ...] = ()

Floats = NDArray[np.float64]


class PlantEnd(Enum):
    """Why `advance` came back."""

    REACHED = "the time asked for is reached"
    DEPTH = "a contact is deeper than its law can describe"
    FULL = "a contact has more polygons than it has room for"
    STALLED = "the step size fell below its floor"
    STEPS_OVER = "the number of steps allowed ran out"


@dataclass(frozen=True)
class Scales:
    """What tolerances are a share of: length [m], angle [rad], energy [J] of the motion that matters."""

    length: float = 0.1
    angle: float = 0.1
    energy: float = 0.05


class Plant(Readings):
    """Joined bodies in motion."""

    def __init__(
        self,
        bodies: Sequence[JoinedBody],
        booms: Sequence[JoinedBoom] = (),
        contacts: Sequence[JoinedContact] = (),
        slides: Sequence[Slide] = (),
        orbit: OrbitalGravity | None = None,
        plumes: Sequence[Plume] = (),
        *,
        seed: int = 0,
        output_times: ArrayLike = (),
        tolerance: float = 1e-8,
        longest: float = 0.02,
        steps: int = 20_000_000,
        scales: Scales | None = None,
    ) -> None:
        if not (tolerance > 0.0 and longest > 0.0):
            found = f"tolerance {tolerance:g}, longest step {longest:g} s"
            raise ConfigError("plant", found, "both above 0", "1e-8, 0.02")
        self.bodies, self.booms, self.slides = tuple(bodies), tuple(booms), tuple(slides)
        self.contacts = tuple(contacts)
        self.model, y = make_plant(bodies, booms, contacts, slides, orbit, plumes, output_times)
        self.longest, self.steps, self.seed = float(longest), int(steps), int(seed)
        scales = scales or Scales()
        absolute = tolerance * _scale(self, y, scales)
        self.model.record.ledger[L_ALLOWED] = tolerance * scales.energy
        self.march = march_of(y, absolute, times=output_times, stages=ROWS)
        self._keys = {b.name: random_key(self.seed, f"pulses of {b.name}") for b in self.bodies}
        self._draws = {b.name: 0 for b in self.bodies}
        self._stuck: dict[tuple[str, int], str] = {}
        self._tanks = [0.5 * b.mass if b.propellant is None else b.propellant for b in self.bodies]
        self.ended_by = ""
        self.reset_extremes()
        self._evaluate()
        for made in self.model.contacts:
            made.account[A_REMESH] = 0.0
        self.model.record.before[:] = self.model.record.now
        self._first = self._stores()
        self._first_momentum = self._total_momentum()
        self._write_first_rows()

    def _evaluate(self) -> None:
        march_plant(self.model, self.march, self.time, 0.0, self.longest, self.steps)

    def _write_first_rows(self) -> None:
        record = self.model.record
        while record.at[0] < len(record.times) and record.times[record.at[0]] <= self.time:
            record.rows[record.at[0]] = record.now
            self.march.rows[record.at[0]] = self.march.y
            record.at[0] += 1

    def advance(self, until: float) -> PlantEnd:
        """Carry on to a time [s] with the commands as they are."""
        if not math.isfinite(until):
            raise ConfigError("advance", f"until {until:g} s", "a finite time", "1.0")
        if not until > self.time:
            return PlantEnd.REACHED
        most = self.steps
        self._silence_empty_thrusters()
        self._has_velocities = False
        ended = march_plant(self.model, self.march, float(until), 0.0, self.longest, most)
        if ended == REACHED:
            self._has_velocities = True  # the last evaluation was that of the step's end
            return PlantEnd.REACHED
        if ended == STALLED:
            return PlantEnd.STALLED
        why, which = self.model.record.ended
        if why:
            self.ended_by = self.contacts[which].name
        if why == ENDED_DEPTH:
            return PlantEnd.DEPTH
        return PlantEnd.FULL if why else PlantEnd.STEPS_OVER

    def set_wheel_torques(self, body: str, torques: ArrayLike) -> None:
        """Torques [N m] on the hull asked of its wheels, along their axes."""
        k = self._body(body)
        wheels = self.bodies[k].wheels
        asked = np.asarray(torques, dtype=float).reshape(len(wheels))
        if not np.all(np.isfinite(asked)):
            raise ConfigError(f"wheels of {body}", f"{asked.tolist()}", "finite torques", "0")
        first = int(self.model.wheels.body_first[k])
        noise = self._normals(body, len(wheels))
        for i, wheel in enumerate(wheels):
            torque = float(asked[i]) + wheel.noise * noise[i]
            limit = wheel.torque_limit
            self.model.wheels.asked[first + i] = min(max(torque, -limit), limit)
        changed(self.march)

    def fire(self, body: str, widths: ArrayLike) -> None:
        """One pulse of each thruster of a body, widths [s], 0 or at least the smallest on-time."""
        k = self._body(body)
        jets = self.bodies[k].thrusters
        wanted = np.asarray(widths, dtype=float).reshape(len(jets))
        first = int(self.model.thrusters.body_first[k])
        noise = self._normals(body, len(jets))
        for i, jet in enumerate(jets):
            width = float(wanted[i])
            if width == 0.0 or (body, i) in self._stuck:
                continue
            if not jet.minimum_on * (1.0 - 1e-12) <= width < math.inf:
                found = f"a pulse of {width:g} s"
                allowed = f"0 or at least {jet.minimum_on:g} s"
                raise ConfigError(f"thruster {i} of {body}", found, allowed, "use PulseSelection")
            start = self.time + jet.delay
            force = jet.thrust * max(1.0 + jet.noise * noise[i], 0.0)
            self._add_pulse(first + i, start, start + width, force)
        changed(self.march)

    def _silence_empty_thrusters(self) -> None:
        """End all pulses of bodies whose propellant is used up, and take no more."""
        used, first = self.march.y[self.model.layout.propellant :], self.model.thrusters.body_first
        for k, tank in enumerate(self._tanks):
            pulses = self.model.thrusters.pulses[first[k] : first[k + 1]]
            if used[k] >= tank and np.any(pulses):
                pulses[:] = 0.0
                changed(self.march)

    def _add_pulse(self, row: int, start: float, end: float, force: float) -> None:
        pulses = self.model.thrusters.pulses[row]
        over = pulses[:, 1] + self.model.thrusters.rise[row] < self.time
        pulses[over] = 0.0
        free = np.flatnonzero(pulses[:, 2] == 0.0)
        if len(free) == 0:
            hint = "longer control periods, or shorter delays"
            raise ConfigError("thruster", f"more than {PULSES} pulses at once", "fewer", hint)
        pulses[free[0]] = (start, end, force)

    def stick_thruster(self, body: str, index: int, state: str | None) -> None:
        """A fault: a thruster that stays "on" or "off" from now on; None ends it."""
        k = self._body(body)
        row = int(self.model.thrusters.body_first[k]) + index
        self._stuck.pop((body, index), None)
        self.model.thrusters.pulses[row] = 0.0
        if state is not None:
            self._stuck[(body, index)] = state
        if state == "on":
            thrust = self.bodies[k].thrusters[index].thrust
            self.model.thrusters.pulses[row, 0] = (self.time, 1e300, thrust)
        changed(self.march)

    def set_boom_speed(
        self, boom: str, speed: float, stall: float = math.inf, ramp: float = 0.0
    ) -> None:
        """Speed [m/s] of a boom's drive, > 0 pays out, on a ramp [s]; 0 locks it. stall [N]."""
        self._set_drive(self.model.booms.drive[self._boom(boom)], speed, stall, ramp)

    def set_stroke_speed(
        self, slide: str, speed: float, stall: float = math.inf, ramp: float = 0.0
    ) -> None:
        """Speed [m/s] of a slide's stroke, > 0 towards -x of its place; stall [N]."""
        self._set_drive(self.model.slides.stroke[self._slide(slide)], speed, stall, ramp)

    def set_spread_rate(
        self, slide: str, rate: float, stall: float = math.inf, until: float = 1.0
    ) -> None:
        """Rate [1/s] of a slide's spread up to `until`; stall [N] of the load over its radius."""
        n = self._slide(slide)
        self._set_drive(self.model.slides.spread[n], rate, stall, 0.0)
        self.model.slides.until[n] = until
        for contact in self.model.contacts:
            contact.limits[MARGIN] = -1.0

    def _set_drive(self, row: Floats, speed: float, stall: float, ramp: float) -> None:
        if not (math.isfinite(speed) and stall > 0.0 and ramp >= 0.0):
            found = f"speed {speed:g}, stall {stall:g} N, ramp {ramp:g} s"
            raise ConfigError("drive", found, "a finite speed, stall above 0, ramp 0 or more", "")
        share = 1.0 if row[3] <= 0.0 else min(max((self.time - row[2]) / row[3], 0.0), 1.0)
        before = row[0] + share * (row[1] - row[0])
        row[:] = (before, speed, self.time, ramp, stall)
        changed(self.march)

    def set_wing_rate(self, body: str, wing: int, rate: float) -> None:
        """Rate [rad/s] of a wing's drive; the jump of energy that starting it takes is its work."""
        if not math.isfinite(rate):
            raise ConfigError(f"wing of {body}", f"rate {rate:g} rad/s", "a finite number", "0")
        k = self._body(body)
        model, y = self.model, self.march.y
        set_velocities(model, y)
        before = kinetic_energy(model, y)
        model.bodies.wing_rate[int(model.appendages.body_wing[k]) + wing] = rate
        model.bodies.flags[0] = 1
        set_velocities(model, y)
        self._has_velocities = True
        now = kinetic_energy(model, y)
        y[model.layout.works + W_WINGS] += now - before
        model.record.now[0] += now - before
        model.record.ledger[L_STORED] += now - before
        changed(self.march)

    def _normals(self, body: str, count: int) -> list[float]:
        """Deviates of N(0, 1), one stream per body, the same for the same commands."""
        draw = self._draws[body]
        self._draws[body] = draw + 1
        key = self._keys[body]
        return [four_normals(key, (draw, i, 0, 0))[0] for i in range(count)]

    def counts(self) -> dict[str, int]:
        """Steps accepted and rejected, evaluations, largest numbers of polygons and searches of contacts."""
        found = {
            "steps": int(self.march.counts[ACCEPTED]),
            "rejected": int(self.march.counts[REJECTED]),
            "evaluations": int(self.model.record.counts[0]),
        }
        for spec, made in zip(self.contacts, self.model.contacts, strict=False):
            for name, value in zip(("nodes", "polygons", "searches"), made.flags, strict=True):
                found[f"{name}:{spec.name}"] = int(value)
        return found


def _scale(plant: Plant, y: Floats, scales: Scales) -> Floats:
    """Size of each component of the state that its tolerance is a share of."""
    at, model = plant.model.layout, plant.model
    found = np.ones(len(y))
    for k, mass in enumerate(model.bodies.mass):
        first, momentum = k * BODY, math.sqrt(2.0 * scales.energy * float(mass))
        found[first : first + 3] = scales.length
        found[first + ATTITUDE : first + MOMENTUM] = scales.angle
        found[first + MOMENTUM : first + ANGULAR] = momentum
        found[first + ANGULAR : first + BODY] = momentum
    root = math.sqrt(2.0 * scales.energy)
    found[at.amplitudes : at.momenta] = root / model.appendages.omega
    found[at.momenta : at.wheels] = root
    found[at.lengths : at.spreads] = scales.length
    found[at.works : at.propellant] = (
        1e3 * scales.energy
    )  # works follow the motion, they bound no step
    found[at.impulse :] = 1e3 * scales.energy
    return found
