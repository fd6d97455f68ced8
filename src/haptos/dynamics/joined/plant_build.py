"""Joined bodies from their parts: records of kernels, the state at the start, tolerances; nonsense is refused."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from haptos.contact.sets.polygons import polygon_set
from haptos.contact.sets.polygons_memory import polygon_memory
from haptos.contact.sets.polygons_pair import fixed, foundation_law
from haptos.contact.sets.polygons_sum import SUMS
from haptos.core.errors import ConfigError
from haptos.core.rotations import rotation_matrices
from haptos.core.symmetric import six_of
from haptos.dynamics.control.pulsed_thrusters import STANDARD_GRAVITY
from haptos.dynamics.flexible.appendages import Appendages, set_body
from haptos.dynamics.flexible.boom import NO_SPRING
from haptos.dynamics.joined.parts import (
    BodyFrame,
    JoinedBody,
    JoinedBoom,
    JoinedContact,
    OrbitalGravity,
    Plume,
    SafetySpring,
    Slide,
    Wing,
    boom_joints,
    unit,
)
from haptos.dynamics.joined.plant_checks import check_parts
from haptos.dynamics.joined.plant_march import CONTACT_NOW, ENERGIES, SLIDE_NOW
from haptos.dynamics.joined.plant_model import (
    ACCOUNT,
    ANGULAR,
    ATTITUDE,
    BODY,
    BOOM_NOW,
    CONTACT_FLAGS,
    CONTACT_LIMITS,
    CONTACT_WORKS,
    EXTREMES,
    LEDGER,
    MARGIN,
    MAX_DEPTH,
    MOMENTUM,
    MOST_CONTACTS,
    WORKS,
    Bodies,
    Booms,
    Implicit,
    PlantContact,
    PlantLayout,
    PlantModel,
    Record,
    Slides,
    Surroundings,
)
from haptos.dynamics.rigid.reaction_wheels import Wheels
from haptos.dynamics.rigid.thrusters import PULSES, Thrusters
from haptos.environment.orbit_frames import EARTH_MU, KeplerElements
from haptos.environment.orbital_origin import origin_path
from haptos.geometry.distance.reference import half_space
from haptos.geometry.mesh.curved_faces_build import octahedron_faces

Floats = NDArray[np.float64]
IDLE = (0.0, 0.0, 0.0, 0.0, math.inf)  # a drive that stands


def make_plant(
    bodies: Sequence[JoinedBody],
    booms: Sequence[JoinedBoom],
    contacts: Sequence[JoinedContact],
    slides: Sequence[Slide],
    orbit: OrbitalGravity | None,
    plumes: Sequence[Plume],
    output_times: ArrayLike,
) -> tuple[PlantModel, Floats]:
    """(records of kernels, state at the start)."""
    check_parts(bodies, booms, contacts, slides, orbit, plumes)
    names = [body.name for body in bodies]
    layout = _layout(bodies, len(booms), len(slides), len(contacts))
    table = _bodies(bodies)
    appendages = _appendages(bodies)
    quantities = ENERGIES + BOOM_NOW * len(booms) + SLIDE_NOW * len(slides)
    quantities += CONTACT_NOW * len(contacts)
    times = np.array(output_times, dtype=float)
    record = Record(
        np.zeros(2, dtype=np.int64), np.zeros(1, dtype=np.int64), np.zeros(quantities),
        np.zeros(quantities), times, np.full((len(times), quantities), np.nan),
        np.zeros(1, dtype=np.int64), np.zeros((len(booms), 4)), np.zeros(LEDGER),
    )  # fmt: skip
    plant = PlantModel(
        layout, table, appendages, _wheels(bodies), _thrusters(bodies), _booms(booms, names),
        _slides(slides, names), _surroundings(bodies, orbit, plumes, names),
        _contacts(contacts, slides, names), record, _implicit(layout),
    )  # fmt: skip
    y = _start(plant, bodies, booms, slides)
    return plant, y


def _layout(bodies: Sequence[JoinedBody], booms: int, slides: int, pairs: int) -> PlantLayout:
    modes = sum(len(wing.modes) for body in bodies for wing in body.wings)
    wheels = sum(len(body.wheels) for body in bodies)
    wings = sum(len(body.wings) for body in bodies)
    sizes = [BODY * len(bodies), modes, modes, wheels, wheels, wings, booms, slides, slides, WORKS,
             len(bodies), 6, CONTACT_WORKS * pairs]  # fmt: skip
    ends = np.cumsum(sizes)
    return PlantLayout._make([*(int(e) for e in ends), len(bodies), booms, slides, pairs])


def dcm_of(quaternion: ArrayLike) -> Floats:
    """Rotation matrix of a quaternion taken to unit length."""
    q = np.asarray(quaternion, dtype=float)
    size = float(np.linalg.norm(q))
    if q.shape != (4,) or not (math.isfinite(size) and size > 0.0):
        raise ConfigError(
            "place", f"quaternion {q.tolist()}", "four numbers, not all 0", "[1, 0, 0, 0]"
        )
    return np.asarray(rotation_matrices((q / size)[None])[0])


def place_row(place: BodyFrame) -> Floats:
    """Place and rows of dcm_BF, (12,)."""
    return np.concatenate(
        [np.asarray(place.position, dtype=float), dcm_of(place.quaternion).ravel()]
    )


def _rows(items: Sequence[Any], width: int) -> Floats:
    return np.array(items, dtype=float).reshape(len(items), width)


def _counts(lengths: Sequence[int]) -> NDArray[np.int64]:
    return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)


def _bodies(bodies: Sequence[JoinedBody]) -> Bodies:
    mass = np.array([b.mass + sum(w.mass for w in b.wings) for b in bodies])
    centre = np.zeros((len(bodies), 3))
    for k, body in enumerate(bodies):
        for wing in body.wings:
            centre[k] += wing.mass * _wing_centre(wing) / mass[k]
    rate = np.array([w.rate for b in bodies for w in b.wings], dtype=float)
    n = len(bodies)
    flags = np.array([int(np.any(rate != 0.0))], dtype=np.int64)
    return Bodies(
        mass,
        centre,
        rate,
        flags,
        np.zeros((n, 9)),
        np.zeros((n, 6)),
        np.zeros((n, 6)),
        np.zeros((n, 6)),
    )


def _wing_centre(wing: Wing) -> Floats:
    return np.asarray(wing.root, dtype=float) + 0.5 * wing.length * unit(wing.along)


def wing_axes(wing: Wing) -> Floats:
    """dcm_BW of a wing at angle 0: columns along, across, normal."""
    x = unit(wing.along)
    z = np.asarray(wing.normal, dtype=float)
    z = unit(z - (z @ x) * x)
    return np.stack([x, np.cross(z, x), z], axis=1)


def _tilde(x: Floats) -> Floats:
    return np.array([[0.0, -x[2], x[1]], [x[2], 0.0, -x[0]], [-x[1], x[0], 0.0]])


def _appendages(bodies: Sequence[JoinedBody]) -> Appendages:
    wings = [wing for body in bodies for wing in body.wings]
    modes = [(wing, mode) for wing in wings for mode in wing.modes]
    fixed_part = np.zeros((len(bodies), 6, 6))
    for k, body in enumerate(bodies):
        fixed_part[k, :3, :3] += body.mass * np.eye(3)
        fixed_part[k, 3:, 3:] += np.asarray(body.inertia, dtype=float)
        for wing in body.wings:
            c = _tilde(_wing_centre(wing))
            fixed_part[k, :3, :3] += wing.mass * np.eye(3)
            fixed_part[k, :3, 3:] -= wing.mass * c
            fixed_part[k, 3:, :3] += wing.mass * c
            fixed_part[k, 3:, 3:] -= wing.mass * c @ c
    inertia = [six_of(_wing_inertia(wing)) for wing in wings]
    turned = [np.kron(np.eye(2), wing_axes(w)) @ np.asarray(m.coupling, float) for w, m in modes]
    owner = np.array([k for k, body in enumerate(bodies) for _ in body.wings], dtype=np.int64)
    per_body = [sum(len(w.modes) for w in body.wings) for body in bodies]
    return Appendages(
        owner, _rows([unit(w.along) for w in wings], 3), _rows([w.root for w in wings], 3),
        _rows(inertia, 6), np.array([w.mass * w.width**2 / 12.0 for w in wings], dtype=float),
        _counts([len(w.modes) for w in wings]), _rows(turned, 6),
        np.array([2.0 * math.pi * m.frequency for _, m in modes], dtype=float),
        np.array([m.damping for _, m in modes], dtype=float), _counts(per_body),
        _counts([len(b.wings) for b in bodies]), fixed_part,
        _rows([body.tank for body in bodies], 3), np.zeros(len(bodies)), np.zeros((len(modes), 6)),
        np.zeros((len(bodies), 6, 6)), np.zeros((len(bodies), 6, 6)), np.zeros((6, 6)),
    )  # fmt: skip


def _wing_inertia(wing: Wing) -> Floats:
    """Of a thin plate about its centre, body axes."""
    x, y = wing.length**2 / 12.0, wing.width**2 / 12.0
    dcm = wing_axes(wing)
    return wing.mass * dcm @ np.diag([y, x, x + y]) @ dcm.T


def _wheels(bodies: Sequence[JoinedBody]) -> Wheels:
    wheels = [wheel for body in bodies for wheel in body.wheels]
    return Wheels(
        _counts([len(b.wheels) for b in bodies]), _rows([unit(w.axis) for w in wheels], 3),
        np.zeros(len(wheels)), np.array([w.lag for w in wheels], dtype=float),
        np.array([w.momentum_limit for w in wheels], dtype=float),
        np.array([w.friction for w in wheels], dtype=float),
    )  # fmt: skip


def _thrusters(bodies: Sequence[JoinedBody]) -> Thrusters:
    jets = [jet for body in bodies for jet in body.thrusters]
    n = len(jets)
    return Thrusters(
        _counts([len(b.thrusters) for b in bodies]), _rows([j.position for j in jets], 3),
        _rows([unit(j.direction) for j in jets], 3), np.array([j.rise for j in jets], dtype=float),
        np.array([1.0 / (j.specific_impulse * STANDARD_GRAVITY) for j in jets], dtype=float),
        np.zeros((n, PULSES, 3)), np.zeros(n), np.zeros(n), np.zeros(1),
    )  # fmt: skip


def boom_row(boom: JoinedBoom, element: int = 0) -> list[float]:
    """Numbers of BoomLaw of one element: root, drive and spring give way in the first, the tip in the last."""
    last = len(boom.through)
    spring = (
        boom.spring
        if boom.spring is not None and element == 0
        else SafetySpring(NO_SPRING, 1.0, 0.0)
    )
    root = (
        boom.root_turn_stiffness, boom.root_lateral_stiffness, boom.root_torsion_stiffness, boom.drive_stiffness,
    ) if element == 0 else (math.inf,) * 4  # fmt: skip
    tip = (boom.tip_turn_stiffness, boom.tip_lateral_stiffness)
    tip = tip if element == last else (math.inf,) * 2
    stretch = boom.damping_time
    if element > 0 and boom.stretch_damping_time is not None:
        stretch = boom.stretch_damping_time
    return [
        boom.bending, boom.torsion, boom.axial, *(1.0 / k for k in root), *(1.0 / k for k in tip),
        boom.damping_time, spring.preload, spring.stiffness, spring.stroke,
        float(boom.root_turn and element == 0), stretch,
    ]  # fmt: skip


def _booms(booms: Sequence[JoinedBoom], names: list[str]) -> Booms:
    ways = [boom_joints(boom) for boom in booms]
    roots = [place for way in ways for place in way[:-1]]
    tips = [place for way in ways for place in way[1:]]
    owners = [[names.index(a.body), names.index(b.body)] for a, b in zip(roots, tips, strict=True)]
    laws = [boom_row(b, e) for b in booms for e in range(len(b.through) + 1)]
    return Booms(
        _rows(laws, 15), _rows([place_row(a) for a in roots], 12), _rows([place_row(b) for b in tips], 12),
        np.array(owners, dtype=np.int64).reshape(len(owners), 2),
        _counts([len(b.through) + 1 for b in booms]), _rows([IDLE] * len(booms), 5),
        _rows([(b.shortest, b.longest) for b in booms], 2), np.zeros((len(booms), BOOM_NOW)),
    )  # fmt: skip


def _implicit(layout: PlantLayout) -> Implicit:
    bodies, size = layout.bodies, 6 * layout.bodies
    stiffness, damping, factor = (np.zeros((size, size)) for _ in range(3))
    motion, momentum, velocity, wrench = (np.zeros(size) for _ in range(4))
    return Implicit(
        np.zeros(layout.size), np.zeros(layout.size), np.zeros((bodies, 6, 6)), stiffness, damping, factor,
        np.zeros((layout.booms + layout.slides, size)), motion, momentum, velocity, wrench, np.zeros((3, 6, 6)),
        np.zeros(1), np.zeros(1, dtype=np.int64),
    )  # fmt: skip


def _slides(slides: Sequence[Slide], names: list[str]) -> Slides:
    n = len(slides)
    return Slides(
        _rows([place_row(s.place) for s in slides], 12),
        np.array([names.index(s.place.body) for s in slides], dtype=np.int64),
        _rows([IDLE] * n, 5), _rows([IDLE] * n, 5),
        np.array([s.longest for s in slides], dtype=float), np.ones(n),
        np.array([s.growth for s in slides], dtype=float), np.zeros((n, 4)),
    )  # fmt: skip


def _surroundings(
    bodies: Sequence[JoinedBody],
    orbit: OrbitalGravity | None,
    plumes: Sequence[Plume],
    names: list[str],
) -> Surroundings:
    lights = [body.light for body in bodies]
    rows = [light for light in lights if light is not None]
    elements = orbit.elements if orbit is not None else KeplerElements(1.0)
    mu = float(orbit.mu) if orbit is not None else EARTH_MU
    sun = orbit.sun if orbit is not None else None
    blown = [(names.index(p.source), names.index(p.target), *np.asarray(p.position, float), p.radius,
              p.exponent) for p in plumes]  # fmt: skip
    join = lambda name, width: _rows(  # noqa: E731
        [
            row
            for light in rows
            for row in np.asarray(getattr(light, name), float).reshape(-1, width)
        ],
        width,
    )
    return Surroundings(
        int(orbit is not None), origin_path(elements, mu), mu,
        int(orbit is not None and orbit.gravity_gradient),
        unit(sun) if sun is not None else np.zeros(3), int(sun is not None),
        _counts([np.asarray(x.areas).size if x is not None else 0 for x in lights]),
        join("normals", 3), join("centres", 3), join("areas", 1).ravel(),
        join("reflections", 1).ravel(), _rows(blown, 7),
    )  # fmt: skip


def _contacts(
    contacts: Sequence[JoinedContact], slides: Sequence[Slide], names: list[str]
) -> tuple[PlantContact, ...]:
    made = [_contact(c, slides, names) for c in contacts]
    nowhere = BodyFrame(names[0])
    while len(made) < MOST_CONTACTS:
        ball = octahedron_faces(0, 1.0, 0)
        none = JoinedContact("", half_space(), nowhere, ball, nowhere, foundation_law(1.0), fixed())
        made.append(_contact(none, slides, names))
    return tuple(made)


def _contact(contact: JoinedContact, slides: Sequence[Slide], names: list[str]) -> PlantContact:
    found = polygon_set(contact.faces, contact.capacity)
    slide = [s.name for s in slides].index(contact.slide) if contact.slide is not None else -1
    owners = [
        names.index(contact.reference_place.body),
        names.index(contact.faces_place.body),
        slide,
    ]
    limits = np.zeros(CONTACT_LIMITS)
    limits[MAX_DEPTH], limits[MARGIN] = contact.max_depth, -1.0
    return PlantContact(
        contact.law, contact.reference, contact.faces, contact.refinement, found,
        polygon_memory(found), np.array(owners, dtype=np.int64),
        _rows([place_row(contact.reference_place), place_row(contact.faces_place)], 12),
        np.zeros(SUMS), np.zeros(SUMS), limits, np.zeros(12), np.zeros(ACCOUNT), np.zeros(EXTREMES),
        np.zeros(CONTACT_FLAGS, dtype=np.int64), np.zeros((2, 6, 6)),
    )  # fmt: skip


def _start(
    plant: PlantModel,
    bodies: Sequence[JoinedBody],
    booms: Sequence[JoinedBoom],
    slides: Sequence[Slide],
) -> Floats:
    """State at the start: momenta of the velocities given, modes at rest relative to their hubs."""
    at, a = plant.layout, plant.appendages
    y = np.zeros(at.size)
    y[at.angles : at.lengths] = [w.angle for b in bodies for w in b.wings]
    y[at.wheels : at.torques] = [w.momentum for b in bodies for w in b.wheels]
    y[at.lengths : at.strokes] = [b.length for b in booms]
    y[at.strokes : at.spreads] = [s.stroke for s in slides]
    y[at.spreads : at.works] = [s.spread for s in slides]
    for k, body in enumerate(bodies):
        set_body(a, k, y, at.angles)
        if not np.all(np.linalg.eigvalsh(a.inverse[k]) > 0.0):
            found = "modes that move more mass than the body has"
            raise ConfigError(f"body {body.name}", found, "couplings below its mass", "check them")
        dcm = dcm_of(body.quaternion)
        local = np.concatenate([dcm.T @ np.asarray(body.velocity), dcm.T @ np.asarray(body.rate)])
        momentum = a.rigid[k] @ local
        spin = momentum[3:].copy()
        for w, wheel in enumerate(body.wheels, start=int(plant.wheels.body_first[k])):
            spin += wheel.momentum * plant.wheels.axis[w]
        for w in range(int(a.body_wing[k]), int(a.body_wing[k + 1])):
            spin += a.spin[w] * plant.bodies.wing_rate[w] * a.axis[w]
        for m in range(int(a.body_first[k]), int(a.body_first[k + 1])):
            y[at.momenta + m] = a.coupling[m] @ local
        first, r = k * BODY, np.asarray(body.position, dtype=float)
        y[first : first + 3] = r
        q = np.asarray(body.quaternion, dtype=float)
        y[first + ATTITUDE : first + MOMENTUM] = q / np.linalg.norm(q)
        y[first + MOMENTUM : first + ANGULAR] = dcm @ momentum[:3]
        y[first + ANGULAR : first + BODY] = np.cross(r, dcm @ momentum[:3]) + dcm @ spin
    return y
