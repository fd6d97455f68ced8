"""What a system of bodies and cables is made of, as the arrays its kernels walk over.

Points come first: nodes with a mass of their own, then points fixed to rigid bodies, where cables
are tied and balls touch. An element joins two points and does not ask of which kind. Bodies
are rigid; the touched one has a surface. What moves is in `motion.py`.

    n  nodes        p  points: nodes and then fixed points       k  bodies       m  thread elements
Frame: N, inertial axes whose origin falls freely along the orbit, or stays on the ground.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Iterable
from typing import Any

import numpy as np

from haptos.contact.contact_flow import PAIR_SIZE
from haptos.core.by_reference import by_reference
from haptos.dynamics.cable.beam_arrays import no_beams
from haptos.dynamics.contacts.ground_arrays import no_ground
from haptos.dynamics.guard.system_guard_arrays import no_guard
from haptos.dynamics.ledger.phase_events import NO_EVENTS
from haptos.environment.gravity import no_gravity
from haptos.geometry.distance.distance_mesh import Mesh

SLIVER = 1e-12  # [s] too short to be a step
NODE = -1  # owner of a point that is a node

# Kinds of work in the order of the ledger [J].
WORK_KINDS = (
    "thread damping", "contact damping", "friction", "breakage", "winch", "reeled mass", "shot",
    "thrust", "gravity", "drag", "radiation", "welding",
)  # fmt: skip
(
    THREAD_DAMPING, CONTACT_DAMPING, RUBBING, BREAKAGE, WINCH, REELED, SHOT, THRUST, GRAVITY, DRAG,
    RADIATION, WELDING,
) = range(len(WORK_KINDS))  # fmt: skip

# A load on a body: force and torque that change linearly between two times, in the axes of a body.
LOAD = np.dtype(
    [
        ("body", "i8"),  # it acts on
        ("reaction", "i8"),  # body that takes the opposite, -1 for none
        ("axes", "i8"),  # body in whose axes it is given, -1 for N
        ("start", "f8"),  # [s]
        ("stop", "f8"),  # [s]
        ("work", "i8"),  # kind, of WORK_KINDS
        ("after_touch", "i8"),  # whether these times count from the first touch
        ("point", "f8", (3,)),  # where it acts, axes of the body [m]
        ("force", "f8", (3,)),  # at its start [N]
        ("force_end", "f8", (3,)),
        ("torque", "f8", (3,)),  # at its start [N m]
        ("torque_end", "f8", (3,)),
    ]
)

# A length that is wound.
WINCH_ROW = np.dtype(
    [
        ("element", "i8"),  # or for e < 0 the running line -1 - e
        ("first", "f8"),  # length at its start [m]
        ("last", "f8"),  # length at its end [m]
        ("start", "f8"),  # [s]
        ("stop", "f8"),  # [s]
        ("after_touch", "i8"),  # whether these times count from the first touch
        ("point", "i8"),  # that takes it up, -1 for none
        ("density", "f8"),  # mass that it takes up by length [kg/m]
        ("stall", "f8"),  # force [N], inf for none
        ("power", "f8"),  # [W], inf for no limit
    ]
)

ThreadArrays = namedtuple("ThreadArrays", "ends stretching damping breaking")
# ends        (m, 2) points                stretching  (m,) EA [N]
# damping     (m,) c [N s/m]               breaking    (m,) tension that breaks [N], inf for none

LineArrays = namedtuple("LineArrays", "start point stretching damping ring", defaults=(0.0,))
# Running lines that pass freely through points: start (q + 1,) into point, EA [N], c [N s/m];
# ring  radius of the rings [m], round which a line goes from one to the next

PointArrays = namedtuple("PointArrays", "owner offset radius kind")
# owner       (p,) body, or NODE           offset  (p, 3) [m], axes of the body, from its centre
# radius      (p,) of what touches [m], 0 touches nothing         kind  (p,) row of the pairs

SystemSurface = namedtuple("SystemSurface", "body mesh surface pairs edges edge_tree edge_surface")
# body        of the mesh; -1 for none      mesh    distance_mesh.Mesh, axes of the body
# surface     (faces,) row of the pairs, in tree order
# pairs       (surfaces, kinds, PAIR_SIZE) numbers of contact
# edges       (e, 15) sharp edges: first end, unit direction, length, normals of both faces [m], [-]
# edge_tree   boxes, first, count, order over the edges           edge_surface  (e,)

EdgeTree = namedtuple("EdgeTree", "boxes first count order")

Spheres = namedtuple("Spheres", "radius numbers joined_start joined")
# radius      (p,) of a point against other points [m], 0 touches none
# numbers     (kinds, kinds, PAIR_SIZE) numbers of contact of points with points
# joined      of node i from joined_start[i] on: what elements tie it to, a node, or p + body

Boxes = namedtuple("Boxes", "body half numbers")
# body (b,)   half (b, 3) sides [m], axes of the body      numbers (b, kinds, PAIR_SIZE) of contact

Hulls = namedtuple("Hulls", "owner body begin end corner reach half numbers")
# owner, body (h,)  corners of the first touch the surface of the second: both ways make two rows
# begin, end (h,) into corner (c, 3) [m], axes of the owner      numbers (h, 1, PAIR_SIZE) of contact
# reach (k,) of a body from its centre [m]    half (k, 3) of boxes [m], 0 for the one with the mesh

Orders = namedtuple("Orders", "loads winches held nodes_held events", defaults=(NO_EVENTS,))
# loads (..,) LOAD         winches (..,) WINCH_ROW
# held (k,) time [s] until which a body is held by body 0, -inf for never
# nodes_held  the same for all nodes          events (.., 2) of `phase_events`

Field = namedtuple(
    "Field",
    "kind uniform mu path origin turning j2 radius axes spacing rows has_gradient arm pitch_times "
    "pitch_pieces reading_times readings sensor gravity",
    defaults=(
        0.0, 1.0, np.eye(3), 1.0, np.zeros((0, 6)), False, np.zeros(3), np.zeros(0),
        np.zeros((0, 4)), np.zeros(0), np.zeros((0, 3)), np.zeros(3), no_gravity(),
    ),
)  # fmt: skip
# uniform (3,) [m/s^2]      mu [m^3/s^2] and path of the orbit's origin, `orbital_origin`
# origin (6,) where the origin is now [m], [m/s]
# turning (9,) of a flight: rate [rad/s], its rate [rad/s^2], disturbance [m/s^2]
# j2 [-], 0 for a round Earth; radius of the Earth [m]; axes (3, 3) dcm_NE, E with z along its spin
# spacing [s], rows (n, 6) of the origin if J2 moves it, `origin_table`; else it follows path
# arm (3,) of the N origin from the centre a flight turns about [m]
# pitch_times, pitch_pieces of its profile, reading_times, readings of an accelerometer at sensor
# (3,) [m]: `parabolic_flight`
# Of a small body: gravity of `environment.gravity`, turning its spin, rows (n, 6) of that if it tumbles,
# axes dcm_NA, arm (3,) of the N origin from its centre [m]

SystemAir = namedtuple(
    "SystemAir", "has_drag has_light log_density spacing altitude up wind rate from_sun sun earth faces "
    "bullets threads lines"
)  # fmt: skip
# log_density, spacing  of `atmosphere`
# altitude [m] of the N origin and up (3,) where nothing orbits
# wind (3,) [m/s]           rate of turning air [rad/s]      from_sun (3,) unit, N axes
# sun [N/m^2] pressure, earth [-] share of the Earth's light, 0 for none
# bullets (.., 6): body, radius, height [m], drag coefficients of base and side, whether it leans
# threads, lines (m, 2), (q, 2): drag coefficient, diameter [m]

FaceArrays = namedtuple("FaceArrays", "start normal centre area drag reflection")
# start (k + 1,) into the faces of each body; normal, centre (f, 3) axes of the body [-], [m]
# area [m^2], drag and reflection coefficients [-] (f,)

# What pushes from outside, in the order of the tally, and its columns.
PUSHES = ("face drag", "bullet drag", "thread drag", "sunlight", "earthlight")
FACE_DRAG, BULLET_DRAG, THREAD_DRAG, SUNLIGHT, EARTHLIGHT = range(len(PUSHES))
PUSH_SIZE, PUSH_IMPULSE, PUSH_PEAK = 3, 4, 5  # after the force now: its size, sum over time, peak


def no_loads(count: int = 0) -> Any:
    """Rows of loads of nothing."""
    return np.zeros(count, dtype=LOAD).view(np.recarray)


def no_winches(count: int = 0) -> Any:
    """Rows of winches that wind nothing."""
    return np.zeros(count, dtype=WINCH_ROW).view(np.recarray)


def rows_of(kind: np.dtype[Any], rows: Iterable[Any]) -> Any:
    """Rows of numbers, or records, or one of them, as one table of records of a kind."""
    rows = [rows] if isinstance(rows, np.void) else rows
    return np.array([tuple(row) for row in rows], dtype=kind).view(np.recarray)


def no_faces(bodies: int = 0) -> FaceArrays:
    """Bodies without faces."""
    start, f = np.zeros(bodies + 1, dtype=np.int64), np.zeros
    return FaceArrays(start, f((0, 3)), f((0, 3)), f(0), f(0), f(0))


def no_air() -> SystemAir:
    """Neither air nor light."""
    f = np.zeros
    return SystemAir(
        False, False, f(2), 1.0, 0.0, f(3), f(3), 0.0, f(3), 0.0, 0.0, no_faces(), f((0, 6)),
        f((0, 2)), f((0, 2)),
    )  # fmt: skip


def no_hulls(bodies: int = 0) -> Hulls:
    """Bodies that do not touch each other."""
    f, none = np.zeros, np.zeros(0, dtype=np.int64)
    places = f((0, 3)), f(bodies), f((bodies, 3))
    return Hulls(none, none, none, none, *places, f((0, 1, PAIR_SIZE)))


@by_reference
class System(
    namedtuple(
        "System",
        "threads lines points inverse_inertia surface orders field options spheres boxes air beams "
        "hulls guard ground polygons",
        defaults=(no_air(), no_beams(), no_hulls(), no_guard(), no_ground(), ()),
    )
):
    """All that does not move, besides lengths and masses.

    inverse_inertia (k, 3) of the principal axes [1/(kg m^2)], 0 for a body that does not turn
    polygons        rows of contacts/polygon_rows.py in place of corners of `hulls`; none if empty
    """

    __slots__ = ()


Options = namedtuple(
    "Options",
    "has_memory has_edges margin slack has_self has_bullets_net has_bullets has_glue glue_strength",
    defaults=(False, np.inf),
)
# has_memory  friction that remembers        has_edges  threads touch sharp edges
# margin      how near points are looked at in every step [m]        slack  of elements, half of what they may lack [m]
# has_self, has_bullets_net, has_bullets  nodes with nodes, bullets with nodes, with each other
# has_glue    points stay where they touch       glue_strength  of one point against pull [N]


def no_surface() -> SystemSurface:
    """Nothing to touch."""
    from haptos.geometry.mesh.triangle_tree import Tree

    f, i = np.zeros, np.zeros
    tree = Tree(f((1, 6)), i(1, np.int32), i(1, np.int32), f((1, 15)), f((1, 7)), i(1, np.int64))
    mesh = Mesh(tree, i((1, 7), np.int32), f((1, 3)))
    empty_tree = EdgeTree(f((1, 6)), i(1, np.int32), i(1, np.int32), i(0, np.int64))
    pairs, edges = f((1, 1, PAIR_SIZE)), f((0, 15))
    return SystemSurface(-1, mesh, i(1, np.int64), pairs, edges, empty_tree, i(0, np.int64))


def no_spheres(points: int) -> Spheres:
    """Points that do not touch each other."""
    none = np.zeros(points + 1, dtype=np.int64)
    return Spheres(np.zeros(points), np.zeros((2, 2, PAIR_SIZE)), none, none[:0])


def no_boxes() -> Boxes:
    """No box to touch."""
    return Boxes(np.zeros(0, dtype=np.int64), np.zeros((0, 3)), np.zeros((0, 2, PAIR_SIZE)))
