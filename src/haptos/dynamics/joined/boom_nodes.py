"""A boom cut into elements with mass: bodies at its inner nodes, where they rest between the boom's ends.

    K_e dx = -(wrench of both elements on a node),    K of boom_slope on all nodes,    until dx is below LAST_CORRECTION
    K_ii v_i = -K_ie v_e          velocities of the nodes at those of the ends, without tension
    m = M/n,   inertia m EI/EA (1, 1) across, twice that along      node of n elements; each end gets M/2n

The nodes move with the elements: each keeps its share of the boom's length, and its mass. So the mass M stays the
same and spreads over the length that is out, as that of sections that slide into each other.
Validity: as boom.py; second order in the length of an element. Source: lumped masses, textbook material
[Przemieniecki1968].
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from haptos.core.errors import ConfigError
from haptos.core.rotations import quaternion_product, rotation_matrix
from haptos.dynamics.flexible.boom import BoomLaw, boom_load, boom_slope
from haptos.dynamics.joined.parts import BodyFrame, JoinedBody, JoinedBoom
from haptos.dynamics.joined.plant_booms import rotation_vector
from haptos.dynamics.joined.plant_build import boom_row

CITES: tuple[str, ...] = ("Przemieniecki1968",)

Floats = NDArray[np.float64]
LAST_CORRECTION = 1e-12  # [m], [rad] of the last correction
MOST_CORRECTIONS = 200  # of a start that is bent as far as the law allows: some ten are usual
STILL = (0.0, 0.0, 0.0)


def boom_nodes(
    boom: JoinedBoom, bodies: Sequence[JoinedBody], elements: int, mass: float
) -> tuple[JoinedBoom, tuple[JoinedBody, ...]]:
    """The boom of so many elements, and the bodies at its inner nodes; mass [kg] of the whole boom."""
    if elements == 1:
        return boom, ()
    if not (elements > 1 and 0.0 < mass < math.inf):
        found = f"{elements} elements of {mass:g} kg together"
        raise ConfigError(
            f"boom {boom.name}", found, "one or more, mass above 0", "4 elements of 2.6 kg together"
        )
    names = tuple(f"{boom.name} node {k}" for k in range(1, elements))
    each = mass / elements
    longest = math.sqrt(each * boom.length / elements / boom.axial)  # a node between two elements
    stretch = min(boom.damping_time, longest)
    made = replace(boom, through=names, stretch_damping_time=stretch)
    places = resting(made, _place(boom.root, bodies), _place(boom.tip, bodies))
    speeds = _carried(made, places, _speed(boom.root, bodies), _speed(boom.tip, bodies))
    inertia = each * boom.bending / boom.axial * np.diag([2.0, 1.0, 1.0])
    nodes = tuple(
        JoinedBody(name, each, inertia, r, tuple(q), speed[:3], speed[3:])
        for name, (r, q), speed in zip(names, places[1:-1], speeds, strict=True)
    )
    return made, nodes


def _body(name: str, bodies: Sequence[JoinedBody]) -> JoinedBody:
    return next(body for body in bodies if body.name == name)


def _unit(q: Sequence[float]) -> Floats:
    return np.asarray(q, dtype=float) / np.linalg.norm(q)


def _place(place: BodyFrame, bodies: Sequence[JoinedBody]) -> tuple[Floats, Floats]:
    """(origin [m], quat_NF) of a place."""
    body = _body(place.body, bodies)
    q = _unit(body.quaternion)  # type: ignore[arg-type]
    own = _unit(place.quaternion)  # type: ignore[arg-type]
    arm = _matrix(q) @ np.asarray(place.position, dtype=float)
    return np.asarray(body.position, dtype=float) + arm, np.array(quaternion_product(q, own))


def _speed(place: BodyFrame, bodies: Sequence[JoinedBody]) -> Floats:
    """Velocity [m/s] and rate [rad/s] of a place, N axes, (6,)."""
    body = _body(place.body, bodies)
    w = np.asarray(body.rate, dtype=float)
    arm = _place(place, bodies)[0] - np.asarray(body.position, dtype=float)
    return np.concatenate([np.asarray(body.velocity, dtype=float) + np.cross(w, arm), w])


def _matrix(q: Floats) -> Floats:
    return np.array(rotation_matrix(tuple(q.tolist())))


Place = tuple[Floats, Floats]


def resting(boom: JoinedBoom, root: Place, tip: Place) -> list[Place]:
    """(origin [m], quat_N) of root, inner nodes and tip where nothing moves the nodes; the ends are held."""
    count = len(boom.through) + 1
    shares = np.linspace(0.0, 1.0, count + 1)
    turn = np.array(rotation_vector(_tuples(_matrix(root[1]).T @ _matrix(tip[1]))))
    places = [
        (root[0] + s * (tip[0] - root[0]), np.array(quaternion_product(root[1], _turn(s * turn))))
        for s in shares
    ]
    places[0], places[-1] = root, tip
    for _ in range(MOST_CORRECTIONS):
        stiffness, wrench = assembled(boom, places)
        inner = slice(6, 6 * count)
        way = np.asarray(np.linalg.solve(stiffness[inner, inner], wrench[inner]), dtype=float)
        for k in range(1, count):
            places[k] = _moved(places[k], way[6 * k - 6 : 6 * k])
        if np.abs(way).max(initial=0.0) < LAST_CORRECTION:
            return places
    found = "nodes that find no equilibrium between its ends"
    allowed = "ends that are displaced by a small part of its length"
    raise ConfigError(f"boom {boom.name}", found, allowed, "less offset and tilt")


def _moved(place: Place, way: Floats) -> Place:
    """A place shifted and turned, N axes."""
    return place[0] + way[:3], _unit(quaternion_product(_turn(way[3:]), place[1]))


def _turn(vector: Floats) -> Floats:
    """Quaternion of a rotation vector [rad]."""
    angle = float(np.linalg.norm(vector))
    return np.array([math.cos(0.5 * angle), *(0.5 * np.sinc(0.5 * angle / math.pi) * vector)])


def _tuples(matrix: Floats) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(row) for row in matrix.tolist())


def _carried(boom: JoinedBoom, places: list[Place], root: Floats, tip: Floats) -> Floats:
    """Velocities and rates (inner, 6) of the nodes that keep them at rest between ends that move."""
    stiffness, _ = assembled(boom, places)
    last = 6 * (len(places) - 1)
    pulled = stiffness[6:last, :6] @ root + stiffness[6:last, last:] @ tip
    return -np.asarray(np.linalg.solve(stiffness[6:last, 6:last], pulled), dtype=float).reshape(
        -1, 6
    )


def assembled(boom: JoinedBoom, places: list[Place]) -> tuple[Floats, Floats]:
    """(stiffness, wrenches on the nodes) of all elements, shifts and turns of root, nodes and tip in N axes."""
    size = 6 * len(places)
    stiffness, wrench = np.zeros((size, size)), np.zeros(size)
    length = boom.length / (len(places) - 1)
    for e in range(len(places) - 1):
        law = BoomLaw._make(boom_row(boom, e))
        (a, q_a), (b, q_b) = places[e], places[e + 1]
        dcm, local = _matrix(q_a), np.zeros((6, 6))
        p = tuple((dcm.T @ (b - a)).tolist())
        phi = rotation_vector(_tuples(dcm.T @ _matrix(q_b)))
        load = boom_load(law, length, p, phi, STILL, STILL, 0.0)
        boom_slope(law, length, p, phi, 1.0, 1.0, local)
        to_tip = _to_the_tip(dcm, b - a)
        one = slice(6 * e, 6 * e + 12)
        stiffness[one, one] += to_tip.T @ local @ to_tip
        wrench[one] += to_tip.T @ np.concatenate([load.force, load.moment])
    return stiffness, wrench


def _to_the_tip(dcm: Floats, arm: Floats) -> Floats:
    """(6, 12): shift and turn of the tip seen from the root, root axes, of those of root and tip in N axes."""
    x, y, z = arm
    lever = np.array([[0.0, z, -y], [-z, 0.0, x], [y, -x, 0.0]])  # turn x arm
    moved = np.block([[np.eye(3), lever], [np.zeros((3, 3)), np.eye(3)]])
    return np.kron(np.eye(2), dcm.T) @ np.hstack([-moved, np.eye(6)])
