"""From an assembly of bodies and cables to the records that both marches walk over.

    made = Assembly()
    ...                                   # bodies, points, cables, by name
    built = build_system(made, field=uniform_field((0.0, 0.0, -9.81)), reels=rows)

A scenario that needs no more than this has no records of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from haptos.contact.contact_flow import PAIR_SIZE
from haptos.dynamics.assembly import Assembly, CableEnd
from haptos.dynamics.contacts.ground_arrays import Ground, ground_memory
from haptos.dynamics.contacts.mesh_surface import pieces_mesh, surface_of
from haptos.dynamics.field import no_field
from haptos.dynamics.guard.system_guard_arrays import guard_memory, guard_of
from haptos.dynamics.ledger.phase_events import NO_EVENTS
from haptos.dynamics.motion import Motion, with_phases
from haptos.dynamics.system import (
    LOAD,
    WINCH_ROW,
    Field,
    Options,
    Orders,
    System,
    SystemAir,
    SystemSurface,
    no_air,
    no_boxes,
    no_faces,
    no_hulls,
    no_spheres,
    no_surface,
    rows_of,
)
from haptos.geometry.distance.distance_mesh import Mesh

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
MARGIN, LEAST_MARGIN = 0.05, 2.0e-3  # [-] of an element, [m]: how near is looked at in every step
SLACK = 0.2  # [-] of an element: way after which they are sorted; those lacking up to twice it are looked at


@dataclass(frozen=True, eq=False)
class TouchedMesh:
    """The surface of a body that points and elements touch.

    body      its number                  vertices, faces  closed, outward, axes of the body [m]
    numbers   row of contact of each kind of point, (kinds, PAIR_SIZE), `contact/pair_rows.py`
    """

    body: int
    vertices: Floats
    faces: Integers
    numbers: ArrayLike


@dataclass(frozen=True, eq=False)
class TimedPhase:
    """A phase of the energy ledger that begins at a time [s], or so long after the first touch."""

    name: str
    start: float
    after_touch: bool = False


@dataclass(frozen=True, eq=False)
class Built:
    """A system ready to march.

    system, motion  records of the kernels; motion as it is at the start
    names          of the bodies            sections  (m,) of the elements [m^2]
    element_class  (m,) as the scenario numbered them
    phases         names of the phases of the energy ledger, in the order of their events
    """

    system: System
    motion: Motion
    names: tuple[str, ...]
    sections: Floats
    element_class: Integers
    phases: tuple[str, ...] = ("flight", "touch")


def margins(lengths: Floats) -> tuple[float, float]:
    """(margin of candidate lists, slack of elements) [m] for elements of some lengths [m]."""
    mean = float(lengths.mean()) if len(lengths) else LEAST_MARGIN / MARGIN
    return max(MARGIN * mean, LEAST_MARGIN), SLACK * mean


def build_system(
    made: Assembly, *, field: Field | None = None, air: SystemAir | None = None,
    touched: TouchedMesh | None = None, touches_edges: bool = True, reels: Sequence[Sequence[Any]] = (),
    loads: Sequence[Floats] = (), phases: Sequence[TimedPhase] = (), breaks: bool = True,
    ground: Ground | None = None,
) -> Built:  # fmt: skip
    """The records of all that was put together.

    field   gravity and frame; none if left out            air  drag and light, likewise
    touched, touches_edges   the mesh that points touch, and whether elements touch its sharp edges
    reels   rows of `cable/laying.reel_rows`               loads  rows of `rigid/load_rows.py`
    ground  that points touch, fixed in the axes of the motion
    """
    made.bear_loads()
    points, threads, lines = made.points(), made.threads(breaks), made.running_lines()
    count, lengths = len(made.bodies), np.array([length for _, _, length, _, _ in made.elements])
    orders = _orders(made, reels, loads, phases)
    system = System(
        threads=threads, lines=lines, points=points,
        inverse_inertia=np.array([1.0 / body.moments for body in made.bodies]),
        surface=_surface(made, touched),
        orders=orders,
        field=no_field() if field is None else field,
        options=Options(
            False, touches_edges and touched is not None, *margins(lengths), False, False, False
        ),
        spheres=no_spheres(len(points.owner)), boxes=no_boxes(),
        air=no_air()._replace(faces=no_faces(count)) if air is None else air,
        hulls=no_hulls(count),
    )  # fmt: skip
    motion = made.motion(hulls=system.hulls)
    motion = with_phases(motion, len(orders.events))
    mesh = None if touched is None else pieces_mesh(touched.vertices, touched.faces)
    if ground is not None:
        system, motion = over_ground(system, motion, ground)
    system, motion = guarded(system, motion, mesh)
    return Built(
        system, motion, tuple(body.name for body in made.bodies),
        np.array([thread.section for _, _, _, thread, _ in made.elements]),
        np.array([kind for *_, kind in made.elements], dtype=np.int64),
        ("flight", "touch", *(phase.name for phase in phases)),
    )  # fmt: skip


def _orders(
    made: Assembly, reels: Sequence[Sequence[Any]], loads: Sequence[Floats],
    phases: Sequence[TimedPhase],
) -> Orders:  # fmt: skip
    """What follows the clock: loads, reels, and the events that begin phases; nothing is held."""
    rows = [[made.index(x) if isinstance(x, CableEnd) else x for x in row] for row in reels]
    timed = [(phase.start, float(phase.after_touch)) for phase in phases]
    return Orders(
        rows_of(LOAD, loads),
        rows_of(WINCH_ROW, rows),
        np.full(len(made.bodies), -np.inf), -np.inf,
        np.concatenate([NO_EVENTS, np.reshape(timed, (-1, 2))]),
    )  # fmt: skip


def _surface(made: Assembly, touched: TouchedMesh | None) -> SystemSurface:
    """The mesh that points touch, for the kernels."""
    if touched is None:
        return no_surface()
    numbers = np.reshape(np.asarray(touched.numbers, dtype=float), (1, -1, PAIR_SIZE))
    classes = np.zeros(len(touched.faces), dtype=np.int64)
    name = made.bodies[touched.body].name
    return surface_of(touched.body, touched.vertices, touched.faces, numbers, classes, name)


def guarded(system: System, motion: Motion, mesh: Mesh | None) -> tuple[System, Motion]:
    """The system with a guard over all that it touches; mesh: of the surface, made for the guard."""
    guard = guard_of(system, mesh)
    return system._replace(guard=guard), motion._replace(guard=guard_memory(guard))


def over_ground(system: System, motion: Motion, ground: Ground) -> tuple[System, Motion]:
    """The system over a ground that its points touch, with a guard of it."""
    tracks = len(system.points.owner) + len(system.threads.stretching) + len(ground.body_reach)
    memory = ground_memory(len(system.points.owner), tracks)
    return system._replace(ground=ground), motion._replace(
        contacts=motion.contacts._replace(ground=memory)
    )
