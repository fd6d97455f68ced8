"""Parts of joined bodies that cannot be are refused before anything moves."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from haptos.core.errors import ConfigError
from haptos.dynamics.joined.parts import (
    BodyFrame,
    JoinedBody,
    JoinedBoom,
    JoinedContact,
    OrbitalGravity,
    Plume,
    Slide,
    Wing,
)
from haptos.dynamics.joined.plant_model import MOST_CONTACTS

STIFFNESSES = (
    "root_turn_stiffness", "root_lateral_stiffness", "root_torsion_stiffness", "drive_stiffness",
    "tip_turn_stiffness", "tip_lateral_stiffness",
)  # fmt: skip


def check_parts(
    bodies: Sequence[JoinedBody],
    booms: Sequence[JoinedBoom],
    contacts: Sequence[JoinedContact],
    slides: Sequence[Slide],
    orbit: OrbitalGravity | None,
    plumes: Sequence[Plume],
) -> None:
    """Raise ConfigError for the first part that is wrong."""
    names = [body.name for body in bodies]
    if not names or len(set(names)) < len(names):
        raise ConfigError("bodies", f"{names}", "one or more, each with its own name", "rename one")
    for body in bodies:
        _check_body(body)
    for slide in slides:
        _check_slide(slide, names)
    for boom in booms:
        _check_boom(boom, names)
    if len(contacts) > MOST_CONTACTS:
        found, hint = f"{len(contacts)} contacts", "join surfaces of one body"
        raise ConfigError("contacts", found, f"at most {MOST_CONTACTS}", hint)
    for contact in contacts:
        _check_contact(contact, names, [slide.name for slide in slides])
    if orbit is not None and orbit.sun is not None:
        _direction("orbit", "sun", orbit.sun)
    for plume in plumes:
        for name in (plume.source, plume.target):
            _known("plume", name, names)
        _positive("plume", radius=plume.radius)
        _at_least_zero("plume", exponent=plume.exponent)


def _check_body(body: JoinedBody) -> None:
    where = f"body {body.name}"
    _positive(where, mass=body.mass)
    inertia = np.asarray(body.inertia, dtype=float)
    if inertia.shape != (3, 3) or not np.all(np.isfinite(inertia)):
        raise ConfigError(where, f"inertia of shape {inertia.shape}", "(3, 3), finite", "diag(…)")
    least = np.linalg.eigvalsh(0.5 * (inertia + inertia.T))
    if not (least[0] > 0.0 and least[2] <= (least[0] + least[1]) * (1.0 + 1e-9)):
        found, hint = f"principal inertias {least.tolist()}", "check it"
        allowed = "above 0, none larger than the sum of the others"
        raise ConfigError(where, found, allowed, hint)
    for name in ("position", "velocity", "rate"):
        _vector(where, name, getattr(body, name))
    _quaternion(where, body.quaternion)
    for wing in body.wings:
        _check_wing(f"{where}, wing", wing)
    for wheel in body.wheels:
        _direction(f"{where}, wheel", "axis", wheel.axis)
        _finite(f"{where}, wheel", momentum=wheel.momentum)
        _positive_or_infinite(
            f"{where}, wheel", torque_limit=wheel.torque_limit, momentum_limit=wheel.momentum_limit
        )
        _at_least_zero(f"{where}, wheel", lag=wheel.lag, noise=wheel.noise, friction=wheel.friction)
    _check_tank(where, body)
    for jet in body.thrusters:
        _vector(f"{where}, thruster", "position", jet.position)
        _direction(f"{where}, thruster", "direction", jet.direction)
        _positive(
            f"{where}, thruster",
            thrust=jet.thrust,
            minimum_on=jet.minimum_on,
            specific_impulse=jet.specific_impulse,
        )
        _at_least_zero(f"{where}, thruster", delay=jet.delay, rise=jet.rise, noise=jet.noise)


def _check_tank(where: str, body: JoinedBody) -> None:
    """The hub without its propellant, a point at the tank, must still be a body."""
    _vector(where, "tank", body.tank)
    kept = 0.5 * body.mass if body.propellant is None else body.propellant
    _at_least_zero(where, propellant=kept)
    if kept > 0.5 * body.mass:
        allowed = f"at most half of the hub, {0.5 * body.mass:g} kg"
        raise ConfigError(where, f"propellant = {kept:g} kg", allowed, "a smaller tank")
    tank = np.asarray(body.tank, dtype=float)
    taken = kept * (float(tank @ tank) * np.eye(3) - np.outer(tank, tank))
    left = np.asarray(body.inertia, dtype=float) - taken * body.mass / (body.mass - kept)
    if body.thrusters and not np.linalg.eigvalsh(0.5 * (left + left.T))[0] > 0.0:
        found = f"{kept:g} kg of propellant at {tank.tolist()} m"
        allowed = "less than the hub's inertia holds"
        raise ConfigError(where, found, allowed, "a tank nearer to the centre, or a smaller one")


def _check_wing(where: str, wing: Wing) -> None:
    _vector(where, "root", wing.root)
    _direction(where, "along", wing.along)
    _direction(where, "normal", wing.normal)
    across = np.cross(np.asarray(wing.along, float), np.asarray(wing.normal, float))
    if not np.linalg.norm(across) > 1e-9:
        hint = "give the normal of the panel"
        raise ConfigError(where, "a normal along the wing", "a normal across it", hint)
    _positive(where, mass=wing.mass, length=wing.length, width=wing.width)
    _finite(where, angle=wing.angle, rate=wing.rate)
    for mode in wing.modes:
        _positive(f"{where}, mode", frequency=mode.frequency)
        _at_least_zero(f"{where}, mode", damping=mode.damping)
        coupling = np.asarray(mode.coupling, dtype=float)
        if coupling.shape != (6,) or not np.all(np.isfinite(coupling)):
            raise ConfigError(
                where, f"coupling {coupling.tolist()}", "six finite numbers", "beam_modes"
            )


def _check_slide(slide: Slide, names: list[str]) -> None:
    where = f"slide {slide.name}"
    _place(where, slide.place, names)
    _positive(where, growth=slide.growth)
    if not (0.0 <= slide.stroke <= slide.longest and 0.0 <= slide.spread <= 1.0):
        found = f"stroke {slide.stroke:g} of {slide.longest:g} m, spread {slide.spread:g}"
        raise ConfigError(where, found, "0 <= stroke <= longest, spread 0 to 1", "0, 0")


def _check_boom(boom: JoinedBoom, names: list[str]) -> None:
    where = f"boom {boom.name}"
    _place(where, boom.root, names)
    _place(where, boom.tip, names)
    if boom.root.body == boom.tip.body:
        raise ConfigError(where, f"both ends on '{boom.tip.body}'", "two bodies", "another body")
    for name in boom.through:
        _known(where, name, names)
    joints = (boom.root.body, *boom.through, boom.tip.body)
    if len(set(joints)) < len(joints):
        raise ConfigError(where, f"a way along {list(joints)}", "each body once", "rename one")
    _positive(
        where, bending=boom.bending, torsion=boom.torsion, axial=boom.axial, length=boom.length
    )
    _positive_or_infinite(where, **{name: getattr(boom, name) for name in STIFFNESSES})
    _at_least_zero(where, damping_time=boom.damping_time)
    if boom.stretch_damping_time is not None:
        _at_least_zero(where, stretch_damping_time=boom.stretch_damping_time)
    if not 0.0 <= boom.shortest <= boom.length <= boom.longest:
        found = f"length {boom.length:g} m, from {boom.shortest:g} to {boom.longest:g} m"
        raise ConfigError(where, found, "shortest <= length <= longest", "0.65 within 0.17 to 1.2")
    if boom.spring is not None:
        _positive(f"{where}, spring", stiffness=boom.spring.stiffness)
        _at_least_zero(f"{where}, spring", preload=boom.spring.preload, stroke=boom.spring.stroke)


def _check_contact(contact: JoinedContact, names: list[str], slides: list[str]) -> None:
    where = f"contact {contact.name}"
    _place(where, contact.reference_place, names)
    _place(where, contact.faces_place, names)
    if contact.reference_place.body == contact.faces_place.body:
        found = f"both surfaces on '{contact.faces_place.body}'"
        raise ConfigError(where, found, "surfaces of two bodies", "another body")
    if contact.slide is not None:
        _known(where, contact.slide, slides)
    _positive_or_infinite(where, max_depth=contact.max_depth)
    _positive(where, capacity=contact.capacity)


def _place(where: str, place: BodyFrame, names: list[str]) -> None:
    _known(where, place.body, names)
    _vector(where, "position", place.position)
    _quaternion(where, place.quaternion)


def _known(where: str, name: str, names: list[str]) -> None:
    if name not in names:
        raise ConfigError(where, f"'{name}'", f"one of {names}", names[0] if names else "add one")


def _vector(where: str, name: str, value: ArrayLike) -> None:
    v = np.asarray(value, dtype=float)
    if v.shape != (3,) or not np.all(np.isfinite(v)):
        raise ConfigError(where, f"{name} = {v.tolist()}", "three finite numbers", "[0, 0, 0]")


def _direction(where: str, name: str, value: ArrayLike) -> None:
    _vector(where, name, value)
    if not np.linalg.norm(np.asarray(value, dtype=float)) > 0.0:
        raise ConfigError(where, f"{name} of length 0", "a direction", "[1, 0, 0]")


def _quaternion(where: str, value: ArrayLike) -> None:
    q = np.asarray(value, dtype=float)
    size = float(np.linalg.norm(q)) if q.shape == (4,) else math.nan
    if not (math.isfinite(size) and size > 0.0):
        found = f"quaternion {q.tolist()}"
        raise ConfigError(where, found, "four finite numbers, not all 0", "[1, 0, 0, 0]")


def _all(where: str, allowed: str, hint: str, is_right: Any, values: dict[str, float]) -> None:
    for name, value in values.items():
        if not is_right(value):
            raise ConfigError(where, f"{name} = {value:g}", allowed, hint)


def _finite(where: str, **values: float) -> None:
    _all(where, "a finite number", "0", math.isfinite, values)


def _positive(where: str, **values: float) -> None:
    _all(where, "a finite number above 0", "1", lambda x: 0.0 < x < math.inf, values)


def _positive_or_infinite(where: str, **values: float) -> None:
    _all(where, "above 0", "leave it out: infinite", lambda x: x > 0.0, values)


def _at_least_zero(where: str, **values: float) -> None:
    _all(where, "a finite number, 0 or more", "0", lambda x: 0.0 <= x < math.inf, values)
