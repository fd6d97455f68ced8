"""Threads that bend laid out for the kernel: constants of elements, inertia of nodes, longest step.

A node turns with half of each of the elements whose moments it bears:

    I = sum  m/2 ((L^2/12 + d^2/16) (1 - t t^T) + d^2/8 t t^T),    m = rho_l L

    t   direction of the element where nothing bends, in the rest frame R      d   diameter [m]
The axes of a node are the principal ones of that sum; in R nothing is bent, and all elements are
straight. The longest stable step is that of `beams`: of a turn w^2 sums (6 EJ/L + 2 GJp/L)/I and
what couples it to places, of a place 24 EJ/(L^3 m), over all elements that meet there.
Frame: R, which is N turned by `frame` at the start.
Validity: that of `beam_element`. Source: elementary mechanics; damping as `thread_beam`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from haptos.core.rotations import quaternion_product
from haptos.dynamics.cable.beam_arrays import (
    BEAM_BENDING,
    BEAM_BENDING_DAMPING,
    BEAM_SIZE,
    BEAM_TORSION,
    BEAM_TORSION_DAMPING,
    SWIVEL,
    Beams,
    Turning,
    turning_of,
)
from haptos.dynamics.cable.thread_beam import beam_joint, buckling_load
from haptos.materials.threads import Thread

CITES: tuple[str, ...] = ()

Floats = NDArray[np.float64]
STILL = (1.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Span:
    """An element that bends.

    element      number of the thread element         points   of its two ends
    holders      row of Turning that bears the moment of each end, SWIVEL for none
    length, link_length   of the element, and of the thread from knot to knot [m]
    direction    from the first end to the second where nothing bends, frame R
    """

    element: int
    points: tuple[int, int]
    holders: tuple[int, int]
    thread: Thread
    length: float
    link_length: float
    direction: tuple[float, float, float]


def lay_beams(
    spans: Sequence[Span],
    nodes: int,
    largest_inverse_mass: ArrayLike,
    *,
    bodies: int = 0,
    body_inverse: ArrayLike = (),
    body_rests: ArrayLike = (),
    frame: ArrayLike = STILL,
) -> tuple[Beams, Turning]:
    """Beams for the kernel, and the attitudes of nodes as they are where nothing bends.

    lightness     (p,) largest inverse mass [1/kg] each point shows
    body_inverse  (k, 3) inverse moments of the bodies [1/(kg m^2)]       frame  quat_NR
    body_rests    (k, 4) attitude in R of each body that holds an end, quat_RB; only for those
    """
    axes = np.tile(STILL, (nodes + bodies, 1))
    inverse = np.zeros((nodes + bodies, 3))
    for i, inertia in enumerate(_inertias(spans, nodes)):
        axes[i], inverse[i] = _principal(inertia)
    rests, given = np.asarray(body_rests, dtype=float), np.asarray(body_inverse, dtype=float)
    axes[nodes : nodes + len(rests)] = rests.reshape(-1, 4)
    inverse[nodes : nodes + len(given)] = given.reshape(-1, 3)
    numbers = np.array([_numbers(span) for span in spans]).reshape(-1, BEAM_SIZE)
    reference = np.array(
        [[_reference(axes, row, span) for row in span.holders] for span in spans]
    ).reshape(-1, 2, 4)
    turning = turning_of(nodes, bodies, len(spans))
    quat_NR = tuple(np.asarray(frame, dtype=float).tolist())
    for row in range(nodes):
        turning.attitude[row] = quaternion_product(quat_NR, tuple(axes[row]))
    limit = longest_step(
        spans, numbers, np.asarray(largest_inverse_mass, dtype=float), inverse.max(axis=1)
    )
    beams = Beams(
        np.array([span.element for span in spans], dtype=np.int64),
        np.array([span.holders for span in spans], dtype=np.int64).reshape(-1, 2),
        numbers, reference, inverse[:nodes].copy(), limit,
    )  # fmt: skip
    return beams, turning


def _numbers(span: Span) -> list[float]:
    """Row of Beams.numbers: thrust, EA/L, GJp/L, EJ/L, damping of twist and of bending."""
    joint = beam_joint(span.thread, span.length)
    most = buckling_load(span.thread.bending_stiffness, span.link_length)
    damping = joint.torsion_damping, joint.bending_damping
    return [most, joint.axial, joint.torsion, joint.bending, *damping]


def _inertias(spans: Sequence[Span], nodes: int) -> Floats:
    """(n, 3, 3) [kg m^2], frame R, of what turns with each node; zero where nothing does."""
    found = np.zeros((nodes, 3, 3))
    for span in spans:
        t = np.asarray(span.direction)
        along = np.outer(t, t)
        mass = 0.5 * span.thread.linear_density * span.length
        wide = span.thread.diameter**2
        own = mass * ((span.length**2 / 12.0 + wide / 16.0) * (np.eye(3) - along) + wide / 8.0 * along)  # fmt: skip
        for row in span.holders:
            if 0 <= row < nodes:
                found[row] += own
    return found


def _principal(inertia: Floats) -> tuple[Floats, Floats]:
    """(quat_RB of the principal axes, inverse moments [1/(kg m^2)]); 0 for a node that does not turn."""
    from scipy.spatial.transform import Rotation

    if not inertia.any():
        return np.array(STILL), np.zeros(3)
    moments, axes = np.linalg.eigh(inertia)
    if np.linalg.det(axes) < 0.0:
        axes = axes * np.array([1.0, 1.0, -1.0])
    return np.asarray(Rotation.from_matrix(axes).as_quat(scalar_first=True)), 1.0 / moments


def _reference(axes: Floats, row: int, span: Span) -> tuple[float, ...]:
    """quat_BE: attitude of the straight element in the axes of what holds its end."""
    if row == SWIVEL:
        return STILL
    w, x, y, z = axes[row]
    return tuple(quaternion_product((w, -x, -y, -z), along_x(span.direction)))


def along_x(direction: Sequence[float]) -> tuple[float, float, float, float]:
    """Quaternion of the shortest turn that takes x to a unit direction; about z for -x."""
    x, y, z = direction
    if x < -1.0 + 1e-12:
        return (0.0, 0.0, 0.0, 1.0)
    size = math.sqrt(2.0 * (1.0 + x))
    return (0.5 * size, 0.0, -z / size, y / size)


def longest_step(
    spans: Sequence[Span], numbers: Floats, largest_inverse_mass: Floats, turns: Floats
) -> float:
    """Longest stable step [s] of bending and twist; infinite for none.

    Of each place and turn: w^2, and w^2 times the times of the dampers, which makes 2 w z.

    lightness  (p,) inverse masses [1/kg] of points
    turns      (n + k,) largest inverse moment [1/(kg m^2)] of each holder
    """
    places, angles = np.zeros((len(largest_inverse_mass), 2)), np.zeros((len(turns), 2))
    for span, row in zip(spans, numbers, strict=True):
        bend, twist, length = row[BEAM_BENDING], row[BEAM_TORSION], span.length
        bend = bend * np.array([1.0, row[BEAM_BENDING_DAMPING] / bend])
        twist = twist * np.array([1.0, row[BEAM_TORSION_DAMPING] / twist])
        m = [math.sqrt(largest_inverse_mass[point]) for point in span.points]
        j = [math.sqrt(turns[holder]) if holder != SWIVEL else 0.0 for holder in span.holders]
        for end, other in ((0, 1), (1, 0)):
            pushed = 12.0 * bend / length**2 * (m[0] + m[1]) + 6.0 * bend / length * (j[0] + j[1])
            places[span.points[end]] += m[end] * pushed
            if span.holders[end] != SWIVEL:
                angles[span.holders[end]] += j[end] * (
                    (4.0 * bend + twist) * j[end] + (2.0 * bend + twist) * j[other]
                    + 6.0 * bend / length * (m[0] + m[1])
                )  # fmt: skip
    squares, damped = np.concatenate([places, angles]).T
    moving = squares > 0.0
    w = np.sqrt(squares[moving])
    z = 0.5 * damped[moving] / w
    return float(np.min(2.0 / w * (np.sqrt(1.0 + z * z) - z), initial=math.inf))
