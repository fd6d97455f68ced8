"""What moves of a system of bodies and cables, and what its kernels remember, grouped by what it belongs to.

    motion.points.x, motion.bodies.attitude, motion.elements.tension, motion.contacts.mesh.factor, motion.step.time

Numbers that belong together are records of named fields (`STEP`, `ENERGY`, `SEARCH`, `LISTS`, `MARCH`); what
there is one of for each point, element or body stays a plain array of its own, as hot loops walk over them.

    n  nodes        p  points: nodes and then fixed points       k  bodies       m  elements      q  running lines
Frame: N, inertial axes whose origin falls freely along the orbit, or stays on the ground.
"""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import numpy as np

from haptos.core.by_reference import by_reference
from haptos.dynamics.cable.beam_arrays import turning_of
from haptos.dynamics.contacts.ground_arrays import ground_memory
from haptos.dynamics.contacts.memories import (
    box_memory,
    edge_memory,
    glue_memory,
    hull_memory,
    mesh_memory,
    pair_memory,
)
from haptos.dynamics.guard.system_guard_arrays import guard_memory, no_guard
from haptos.dynamics.ledger.extremes import extremes_of
from haptos.dynamics.ledger.phase_events import NO_EVENTS
from haptos.dynamics.ledger.phase_ledger import phase_rows
from haptos.dynamics.system import (
    NODE,
    PUSHES,
    WORK_KINDS,
    Hulls,
    PointArrays,
    no_hulls,
)

MET_PEAK = 3  # column of `met` with a force
LINE_TENSION, LINE_SPRING, LINE_WAS_LOST, LINE_LOST, LINE_SLACK, LINE_RATE = range(6)
LINE_WAS = 6

STEP = np.dtype(
    [
        ("time", "f8"),  # now [s]
        ("count", "i8"),  # steps done
        ("last", "f8"),  # length of the step before [s]
        ("length", "f8"),  # length of the step under way [s]
        ("touched_at", "f8"),  # time of the first touch of the surface [s], inf before it
        ("peak_force", "f8"),  # largest force of one contact with the surface so far [N]
        ("stiffest", "f8"),  # w^2 of the stiffest contact [1/s^2]
        ("broken", "i8"),  # elements broken
        ("nodes", "i8"),  # points that are nodes
    ]
)
ENERGY = np.dtype(
    [
        ("kinetic", "f8"),  # of motion [J]
        ("elastic", "f8"),  # of elements and lines [J]
        ("pressed", "f8"),  # of contacts [J]
        ("start", "f8"),  # all of them less all works at the start [J]
        ("largest", "f8"),  # the most that has strayed from it since [J]
        ("phase_count", "i8"),  # phases begun so far
    ]
)
SEARCH = np.dtype(
    [
        ("travel", "f8"),  # how far points may have gone relative to the surface so far [m]
        ("way", "f8"),  # the same in this step [m]
        ("sorted_at", "f8"),  # `travel` when points were last sorted by distance [m]
        ("far", "f8"),  # farthest point from the centre of the touched body when they were [m]
        ("point_count", "i8"),  # of contacts.mesh.active
        ("element_count", "i8"),  # of contacts.edges.active
    ]
)
LISTS = np.dtype(
    [
        ("near_count", "i8"),  # lengths of the lists
        ("candidate_count", "i8"),
        ("taut_count", "i8"),
        ("caught_count", "i8"),
        ("fastest", "f8"),  # largest speed of a point when candidates were last listed [m/s]
        ("stretched", "f8"),  # how far elements may have stretched since they were last sorted [m]
        ("made_at", "f8"),  # time the list of candidates was made [s]
        ("valid_until", "f8"),  # time until when all others stay slack [s], if no distance grows
        ("spare_way", "f8"),  # by more than this [m] besides that of straight paths
        ("wound", "f8"),  # how much shorter an element may have been wound since [m]
        ("least_stable", "f8"),  # least of `stiff` of the candidates [s]
    ]
)
MARCH = np.dtype(
    [
        ("goes_on", "f8"),  # 0 before the first step: forces are not known yet
        ("lost_power", "f8"),  # of dampers, now [W]
        ("field_power", "f8"),  # of the field, now [W]
        ("stable_step", "f8"),  # longest stable step [s] of now
        ("has_rates", "f8"),  # whether the rates of now are known, of `error_control`
        ("pause_at", "f8"),  # time [s] before which the last step ends that is taken at once
        ("look_at", "f8"),  # time [s] at or after which the march pauses, and at the first touch
        ("is_paused", "f8"),  # whether it has paused for one of these, values in `pauses`
    ]
)


def record(kind: np.dtype[Any]) -> Any:
    """A record of zeros, whose fields kernels and Python read and write by name."""
    return np.zeros(1, dtype=kind).view(np.recarray)[0]


@by_reference
class PointMotion(namedtuple("PointMotion", "x v a mass shift kick rubbed damped")):
    """Points: nodes, then those fixed to bodies.

    x, v, a     (p, 3) places [m], velocities [m/s], accelerations of nodes [m/s^2]      mass  (p,) [kg]
    shift       (p, 3) what a drift with the velocity after all kicks goes too far [m]
    kick, rubbed, damped  (p, 3) what contacts gave nodes in this step: velocities [m/s], friction, damping [N s]
    """

    __slots__ = ()


@by_reference
class BodyMotion(
    namedtuple(
        "BodyMotion",
        "place speed attitude momentum inverse_mass force torque shift turn kick lossy met",
    )
):
    """Rigid bodies.

    place, speed, force, torque  (k, 3) [m], [m/s], [N], [N m]            attitude  (k, 4) quat_NB
    momentum    (k, 3) angular, about the own centre, N axes [N m s]      inverse_mass  (k,) [1/kg]
    shift, turn (k, 3) what a drift with the velocities after all kicks goes [m] and turns [rad] too far, N axes
    kick, lossy (k, 6), (k, 2, 6) what contacts gave in this step, with angular momenta [m/s], [N m s], `body_kicks`
    met         (k, 4) sum of the impulses of contacts on a body, N axes [N s], and at MET_PEAK the largest
                force of one contact of its points with another body [N]; by `splitting` only
    """

    __slots__ = ()


@by_reference
class ElementMotion(namedtuple("ElementMotion", "length whole tension spring pace stiff ready")):
    """Cable elements.

    length  (m,) without load [m]         pace    (m,) rate of that length [m/s] in this step
    whole   (m,) 1 until broken           tension, spring  (m,) [N], and its elastic part
    stiff   (m,) longest stable step with each of them taut [s]
    ready   (m,) reading of lists.state.stretched [m] until which an element stays slack for certain
    """

    __slots__ = ()


@by_reference
class LineMotion(namedtuple("LineMotion", "length pace tension spring was")):
    """Running lines, as elements.

    was  (q, LINE_WAS) tension and spring before the step [N], power its damper lost then and loses now [W],
         how much shorter than its length its way is [m], rate of that way [m/s]
    """

    __slots__ = ()


@by_reference
class ElementLists(namedtuple("ElementLists", "near candidates taut caught impulse x v state")):
    """Candidate lists (Verlet lists) of elements, each drawn from the one before, and their state, `LISTS`.

    near        (m,) elements near their length      candidates  those of them that may soon be taut
    taut        those that pull       caught, impulse  that became taut or slack in a step, what they lack [N s]
    x, v        (p, 3) places and velocities of points when candidates were listed [m], [m/s]
    """

    __slots__ = ()


@by_reference
class ContactMotion(namedtuple("ContactMotion", "mesh edges pairs boxes hulls glue ground search")):
    """Memory of contacts by kind of pair, `contacts/memories.py`, and of the search for them, `SEARCH`."""

    __slots__ = ()


@by_reference
class LedgerMotion(namedtuple("LedgerMotion", "work energy phases extremes pushes")):
    """Energy ledger.

    work    (kinds,) by WORK_KINDS [J]            energy  `ENERGY`
    phases  (events,) of `phase_ledger`           extremes  largest tensions and energies so far
    pushes  (pushes, 6) force of each kind of push now [N], its size, sum over time [N s], peak
    """

    __slots__ = ()


@by_reference
class Motion(
    namedtuple("Motion", "points bodies elements lines lists turning contacts ledger guard step")
):
    """All that moves, and what a kernel remembers.

    turning  of nodes whose threads bend and twist       guard  memory of `system_guard`
    step     where the march is, `STEP`
    """

    __slots__ = ()


@by_reference
class SystemScratch(
    namedtuple(
        "SystemScratch", "force inverse_mass body_force body_torque stack blown pushed power march"
    )
):
    """Room a kernel works in.

    force         (p, 3) on points [N]
    inverse_mass  (p, 3) of a node, thrice [1/kg]
    body_force, body_torque  (k, 3) room [N], [N m]: loads before a change, or those of contacts
    stack         of the tree walks              blown (p, 3) drag of threads [N]
    pushed        (k, 12) drag and light on bodies: force, torque of each [N], [N m]
    power         (2,) of drag and light at the start of the step [W]
    march         where a march goes on from, and where it has to pause, `MARCH`; what goes on from a pause has
                  the same bits as without it
    """

    __slots__ = ()


def motion_of(
    points: PointArrays, mass: Any, bodies: int, lengths: Any, line_lengths: Any, *,
    pair_room: int = 0, boxes: int = 0, hulls: Hulls | None = None,
) -> Motion:  # fmt: skip
    """Memory for a system at rest at the origin; whoever builds it fills in places and velocities."""
    p, m, q, f = len(points.owner), len(lengths), len(line_lengths), np.zeros
    step = record(STEP)
    step.nodes, step.touched_at = int((np.asarray(points.owner) == NODE).sum()), np.inf
    return Motion(
        points=PointMotion(
            f((p, 3)), f((p, 3)), f((p, 3)), np.array(mass, dtype=np.float64), f((p, 3)), f((p, 3)),
            f((p, 3)), f((p, 3)),
        ),
        bodies=_bodies(bodies),
        elements=ElementMotion(
            np.array(lengths, dtype=np.float64), np.ones(m, dtype=np.int8), f(m), f(m), f(m), f(m), f(m)
        ),
        lines=LineMotion(np.array(line_lengths, dtype=np.float64), f(q), f(q), f(q), f((q, LINE_WAS))),
        lists=_lists(p, m),
        turning=turning_of(0, 0, 0),
        contacts=_contacts(p, m, pair_room, boxes, hulls or no_hulls()),
        ledger=LedgerMotion(
            f(len(WORK_KINDS)), record(ENERGY), phase_rows(len(NO_EVENTS)), extremes_of(m, q),
            f((len(PUSHES), 6)),
        ),
        guard=guard_memory(no_guard()),
        step=step,
    )  # fmt: skip


def _bodies(count: int) -> BodyMotion:
    """Bodies at rest at the origin, whose masses are not known yet."""
    f, three = np.zeros, (count, 3)
    attitude = f((count, 4))
    attitude[:, 0] = 1.0
    return BodyMotion(
        f(three), f(three), attitude, f(three), f(count), f(three), f(three), f(three), f(three),
        f((count, 6)), f((count, 2, 6)), f((count, 4)),
    )  # fmt: skip


def _lists(points: int, elements: int) -> ElementLists:
    """Lists that are made before the first step."""
    state = record(LISTS)
    state.stretched = np.inf
    near, candidates, taut, caught = (np.zeros(elements, dtype=np.int64) for _ in range(4))
    x, v = np.zeros((points, 3)), np.zeros((points, 3))
    return ElementLists(near, candidates, taut, caught, np.zeros(elements), x, v, state)


def _contacts(points: int, elements: int, room: int, boxes: int, hulls: Hulls) -> ContactMotion:
    """Memory of contacts that nothing has made yet; room for pairs of points."""
    search = record(SEARCH)
    search.sorted_at = -np.inf
    return ContactMotion(
        mesh_memory(points), edge_memory(elements), pair_memory(points, room),
        box_memory(points, boxes), hull_memory(hulls), glue_memory(points), ground_memory(points),
        search,
    )  # fmt: skip


def with_phases(motion: Motion, events: int) -> Motion:
    """The motion with room for as many phases of the energy ledger as there are events."""
    return motion._replace(ledger=motion.ledger._replace(phases=phase_rows(events)))


def scratch_of(motion: Motion) -> SystemScratch:
    """Room the kernel works in."""
    from haptos.geometry.mesh.triangle_tree import STACK

    p, k = len(motion.points.x), len(motion.bodies.place)
    f, march = np.zeros, record(MARCH)
    march.pause_at = march.look_at = np.inf
    return SystemScratch(
        f((p, 3)), f((p, 3)), f((k, 3)), f((k, 3)), f((STACK, 2)), f((p, 3)), f((k, 12)), f(2), march
    )  # fmt: skip
