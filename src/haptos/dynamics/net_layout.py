"""What a net, its bodies and its ropes are made of, as the arrays its kernel walks over.

Points come first: nodes with a mass of their own, then points fixed to rigid bodies, where threads
are tied and bullets touch. A thread element joins two points and does not ask of which kind. Bodies
are rigid; the touched one, the target, has a surface.

    n  nodes        p  points: nodes and then fixed points       k  bodies       m  thread elements
Frame: N, inertial axes whose origin falls freely along the orbit, or stays on the ground.
"""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import numpy as np

from haptos.core.by_reference import by_reference
from haptos.geometry.distance_mesh import Mesh

SLIVER = 1e-12  # [s] too short to be a step
NODE = -1  # owner of a point that is a node
SLOTS = 3  # [-] edges one element touches at a time
NEAREST = 24  # [-] triangles, or edges, kept as near to one point or element

# Kinds of work in the order of the books [J].
BOOKS = (
    "thread damping", "contact damping", "friction", "breakage", "winch", "reeled mass", "shot",
    "thrust", "gravity", "drag", "radiation", "welding",
)  # fmt: skip
(
    THREAD_DAMPING, CONTACT_DAMPING, RUBBING, BREAKAGE, WINCH, REELED, SHOT, THRUST, GRAVITY, DRAG,
    RADIATION, WELDING,
) = range(len(BOOKS))  # fmt: skip

# Numbers of the clock.
(
    TIME, TOUCHED_AT, KINETIC, ELASTIC, PRESSED, LARGEST, START, STEPS, BROKEN, PEAK, TRAVEL,
    ACTIVE_POINTS, ACTIVE_ELEMENTS, FAR, FASTEST, THREADS_SINCE, ACTIVE_THREADS, TAUT, LAST_STEP, CAUGHT, NODES,
    WAY, SORTED_AT, STIFFEST,
) = range(24)  # fmt: skip
CLOCK_SIZE = 24

# A load on a body: force and torque that change linearly between two times, in the axes of a body.
(
    LOAD_BODY, LOAD_REACTION, LOAD_AXES, LOAD_START, LOAD_STOP, LOAD_BOOK, LOAD_AFTER_TOUCH
) = range(7)  # fmt: skip
LOAD_POINT, LOAD_FORCE, LOAD_FORCE_END, LOAD_TORQUE, LOAD_TORQUE_END = 7, 10, 13, 16, 19
LOAD_SIZE = 22

# A length that is wound: element, lengths at its ends, times, who takes the thread up.
(
    WIND_ELEMENT, WIND_FIRST, WIND_LAST, WIND_START, WIND_STOP, WIND_AFTER_TOUCH, WIND_POINT,
    WIND_DENSITY, WIND_STALL,
) = range(9)  # fmt: skip
WIND_SIZE = 9

Threads = namedtuple("Threads", "ends stretching damping breaking")
# ends        (m, 2) points                stretching  (m,) EA [N]
# damping     (m,) c [N s/m]               breaking    (m,) tension that breaks [N], inf for none

Lines = namedtuple("Lines", "start point stretching damping ring", defaults=(0.0,))
# Running lines that pass freely through points: start (q + 1,) into point, EA [N], c [N s/m]; radius of
# the rings [m], round which a line goes from one to the next.

Points = namedtuple("Points", "owner offset radius kind")
# owner       (p,) body, or NODE           offset  (p, 3) [m], axes of the body, from its centre
# radius      (p,) of what touches [m], 0 touches nothing         kind  (p,) row of the pairs

Surface = namedtuple("Surface", "body mesh surface pairs edges edge_tree edge_surface")
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

Orders = namedtuple("Orders", "loads winds held nodes_held")
# loads (.., LOAD_SIZE)     winds (.., WIND_SIZE)     held (k,) time [s] until which a body is held by
# body 0, -inf for never    nodes_held  the same for all nodes

Field = namedtuple(
    "Field",
    "kind uniform mu path origin turning j2 radius axes spacing rows has_gradient arm pitch_times "
    "pitch_pieces reading_times readings sensor",
    defaults=(
        0.0, 1.0, np.eye(3), 1.0, np.zeros((0, 6)), False, np.zeros(3), np.zeros(0),
        np.zeros((0, 4)), np.zeros(0), np.zeros((0, 3)), np.zeros(3),
    ),
)  # fmt: skip
# uniform (3,) [m/s^2]      mu [m^3/s^2] and path of the orbit's origin, `orbital_origin`
# origin (6,) where the origin is now [m], [m/s]     turning (9,) of a flight: rate, its rate, a_dist
# j2 [-], 0 for a round Earth; radius of the Earth [m]; axes (3, 3) dcm_NE, E with z along its spin
# spacing [s], rows (n, 6) of the origin if J2 moves it, `origin_table`; without rows it follows path
# arm (3,) of the N origin from the centre a flight turns about [m]; pitch_times, pitch_pieces of its
# profile, reading_times, readings of an accelerometer at sensor (3,) [m]: `parabolic_flight`

Air = namedtuple(
    "Air", "has_drag has_light log_density spacing altitude up wind rate from_sun sun earth faces "
    "bullets threads lines"
)  # fmt: skip
# log_density, spacing  of `atmosphere`; altitude [m] of the N origin and up (3,) where nothing orbits
# wind (3,) [m/s]           rate of turning air [rad/s]      from_sun (3,) unit, N axes
# sun [N/m^2] pressure, earth [-] share of the Earth's light, 0 for none
# bullets (.., 6): body, radius, height [m], drag coefficients of base and side, whether it leans
# threads, lines (m, 2), (q, 2): drag coefficient, diameter [m]

Faces = namedtuple("Faces", "start normal centre area drag reflection")
# start (k + 1,) into the faces of each body; normal, centre (f, 3) axes of the body [-], [m]
# area [m^2], drag and reflection coefficients [-] (f,)

# What pushes from outside, in the order of the tally, and its columns.
PUSHES = ("face drag", "bullet drag", "thread drag", "sunlight", "earthlight")
FACE_DRAG, BULLET_DRAG, THREAD_DRAG, SUNLIGHT, EARTHLIGHT = range(len(PUSHES))
PUSH_SIZE, PUSH_IMPULSE, PUSH_PEAK = 3, 4, 5  # after the force now: its size, sum over time, peak


@by_reference
class Scratch(namedtuple("Scratch", "force f t stack blown pushed power")):
    """Room a kernel works in."""

    __slots__ = ()


def no_faces(bodies: int = 0) -> Faces:
    """Bodies without faces."""
    start, f = np.zeros(bodies + 1, dtype=np.int64), np.zeros
    return Faces(start, f((0, 3)), f((0, 3)), f(0), f(0), f(0))


def no_air() -> Air:
    """Neither air nor light."""
    f = np.zeros
    return Air(
        False, False, f(2), 1.0, 0.0, f(3), f(3), 0.0, f(3), 0.0, 0.0, no_faces(), f((0, 6)),
        f((0, 2)), f((0, 2)),
    )  # fmt: skip


@by_reference
class Net(
    namedtuple(
        "Net",
        "threads lines points inverse_inertia surface orders field options spheres boxes air",
        defaults=(no_air(),),
    )
):
    """All that does not move, besides lengths and masses.

    inverse_inertia (k, 3) of the principal axes [1/(kg m^2)], 0 for a body that does not turn
    """

    __slots__ = ()


@by_reference
class Motion(
    namedtuple(
        "Motion",
        "x v a shift kick mass place body_shift body_turn speed attitude momentum inverse_mass force torque length "
        "whole tension line_length line_pace line_tension line_spring factor offset budget clear row near_count near edge_budget edge_clear edge_count "
        "edge_near edge_slot edge_factor edge_bias edge_held active active_elements active_threads taut spring pace caught since stiff ready "
        "books clock tally pairs boxes met",
    )
):
    """All that moves, and what a kernel remembers."""

    __slots__ = ()


# x, v, a     (p, 3) places, velocities, accelerations of points (of nodes: a)      mass  (p,)
# kick        (p, 3) velocities that contacts gave nodes in this step [m/s]
# shift, body_shift  what a drift with the velocity after all kicks goes too far [m]
# body_turn   the same of the turn of a body [rad], N axes
# place, speed, momentum, force, torque  (k, 3); attitude (k, 4) quat_NB; inverse_mass (k,)
# length      (m,) without load [m]         whole  (m,) 1 until broken      tension  (m,) [N]
# line_length, line_pace, line_tension, line_spring  (q,) without load [m], its rate, as of elements [N]
# factor, offset, row, near_count, near   memory of the touch of points
# budget, clear  readings of TRAVEL [m] up to which the list near a point holds, and it touches nothing
# edge_...    the same of the touch of elements with edges; edge_slot (m, SLOTS) those an element touches,
#             -1 for none, with edge_held, the energy held at each [J]
# active, active_elements  what is near enough to be looked at in every step
# active_threads  elements near their length    taut  those that pull     spring  (m,) elastic part [N]
# pace        (m,) rate of the length without load [m/s] in this step
# caught, since  elements that became taut or slack in a step, and the impulses they lack [N s]
# tally       (pushes, 6) force of each kind of push now [N], its size, sum over time [N s], peak
# stiff       (m,) longest stable step with each of them taut [s]
# ready       (m,) reading of THREADS_SINCE [m] until which an element stays slack for certain
# pairs, boxes  memory of the touch of points with points, with boxes
# met         (k, 4) sum of the impulses of contacts on a body, N axes [N s], and the largest force of
#             one contact of its points with another body [N]: MET_PEAK; of the scheme of `net_step`
MET_PEAK = 3

PairMemory = namedtuple(
    "PairMemory", "first second factor reach close head chain cell order start tally"
)
# first, second, factor, reach  of each pair kept as near: points, a [s/m], sum of radii [m]
# close       pairs that may touch in this step
# head, chain  pairs that touch, by their first point    cell, order, start  points sorted into cells
# Numbers of the tally; the last two are rows of three: net-net, bullets-net, bullets-bullets.
PAIR_SINCE, PAIR_MARGIN, PAIR_COUNT, PAIR_LOOKED, PAIR_LEFT_OUT, PAIR_PEAK, PAIR_MET = (
    0, 1, 2, 3, 4, 5, 8,
)  # fmt: skip
PAIR_TALLY = 11

BoxMemory = namedtuple("BoxMemory", "factor active tally")
# factor      (b, p) a [s/m] of `contact_flow`, ASLEEP until a point was found outside
# active      (b, p) points near the box
BOX_SINCE, BOX_MARGIN, BOX_COUNT, BOX_FAR, BOX_PEAK, BOX_MET = range(6)
BOX_TALLY = 6
ASLEEP = -2.0

Options = namedtuple(
    "Options", "has_memory has_edges margin slack has_self has_bullets_net has_bullets"
)


def no_surface() -> Surface:
    """Nothing to touch."""
    from haptos.geometry.triangle_tree import Tree

    f, i = np.zeros, np.zeros
    tree = Tree(f((1, 6)), i(1, np.int32), i(1, np.int32), f((1, 15)), f((1, 7)), i(1, np.int64))
    mesh = Mesh(tree, i((1, 7), np.int32), f((1, 3)))
    empty_tree = EdgeTree(f((1, 6)), i(1, np.int32), i(1, np.int32), i(0, np.int64))
    return Surface(-1, mesh, i(1, np.int64), f((1, 1, 10)), f((0, 15)), empty_tree, i(0, np.int64))


def no_spheres(points: int) -> Spheres:
    """Points that do not touch each other."""
    none = np.zeros(points + 1, dtype=np.int64)
    return Spheres(np.zeros(points), np.zeros((2, 2, 10)), none, none[:0])


def no_boxes() -> Boxes:
    """No box to touch."""
    return Boxes(np.zeros(0, dtype=np.int64), np.zeros((0, 3)), np.zeros((0, 2, 10)))


def pair_memory(points: int, room: int) -> PairMemory:
    """Memory for a number of pairs of points near each other."""
    buckets = 1 << max(points - 1, 0).bit_length()
    whole = np.int64
    tally = np.zeros(PAIR_TALLY)
    tally[PAIR_SINCE] = np.inf
    return PairMemory(
        np.zeros(room, whole), np.zeros(room, whole), np.full(room, -1.0), np.zeros(room),
        np.zeros(room, whole),
        np.zeros(points, whole), np.zeros(room, whole), np.zeros((points, 3), whole),
        np.zeros(points, whole), np.zeros(buckets + 1, whole), tally,
    )  # fmt: skip


def box_memory(points: int, boxes: int) -> BoxMemory:
    """Memory of the touch of points with boxes."""
    tally = np.zeros((boxes, BOX_TALLY))
    tally[:, BOX_SINCE] = np.inf
    asleep = np.full((boxes, points), ASLEEP)
    return BoxMemory(asleep, np.zeros((boxes, points), dtype=np.int64), tally)


def motion_of(
    points: Points, mass: Any, bodies: int, lengths: Any, line_lengths: Any, *,
    pair_room: int = 0, boxes: int = 0,
) -> Motion:  # fmt: skip
    """Memory for a net at rest at the origin; whoever builds it fills in places and velocities."""
    p, m = len(points.owner), len(lengths)
    attitude = np.zeros((bodies, 4))
    attitude[:, 0] = 1.0
    clock = np.zeros(CLOCK_SIZE)
    clock[NODES] = int((np.asarray(points.owner) == NODE).sum())
    clock[TOUCHED_AT] = clock[THREADS_SINCE] = np.inf
    clock[SORTED_AT] = -np.inf
    return Motion(
        x=np.zeros((p, 3)), v=np.zeros((p, 3)), a=np.zeros((p, 3)), shift=np.zeros((p, 3)), kick=np.zeros((p, 3)),
        mass=np.array(mass, dtype=np.float64),
        place=np.zeros((bodies, 3)), body_shift=np.zeros((bodies, 3)), body_turn=np.zeros((bodies, 3)), speed=np.zeros((bodies, 3)), attitude=attitude,
        momentum=np.zeros((bodies, 3)), inverse_mass=np.zeros(bodies),
        force=np.zeros((bodies, 3)), torque=np.zeros((bodies, 3)),
        length=np.array(lengths, dtype=np.float64), whole=np.ones(m, dtype=np.int8),
        tension=np.zeros(m), line_length=np.array(line_lengths, dtype=np.float64),
        line_pace=np.zeros(len(line_lengths)), line_tension=np.zeros(len(line_lengths)),
        line_spring=np.zeros(len(line_lengths)),
        factor=np.full(p, -1.0), offset=np.zeros((p, 3)), budget=np.zeros(p), clear=np.zeros(p),
        row=np.zeros(p, dtype=np.int64), near_count=np.zeros(p, dtype=np.int64),
        near=np.zeros((p, NEAREST), dtype=np.int64), edge_budget=np.zeros(m), edge_clear=np.zeros(m),
        edge_count=np.zeros(m, dtype=np.int64),
        edge_near=np.zeros((m, NEAREST), dtype=np.int64), edge_slot=np.full((m, SLOTS), -1), edge_factor=np.full((m, SLOTS), -1.0),
        edge_bias=np.zeros((m, SLOTS)), edge_held=np.zeros((m, SLOTS)),
        active=np.zeros(p, dtype=np.int64), active_elements=np.zeros(m, dtype=np.int64),
        active_threads=np.zeros(m, dtype=np.int64), taut=np.zeros(m, dtype=np.int64),
        spring=np.zeros(m), pace=np.zeros(m), caught=np.zeros(m, dtype=np.int64), since=np.zeros(m), stiff=np.zeros(m), ready=np.zeros(m), books=np.zeros(len(BOOKS)), clock=clock, tally=np.zeros((len(PUSHES), 6)),
        pairs=pair_memory(p, pair_room), boxes=box_memory(p, boxes), met=np.zeros((bodies, 4)),
    )  # fmt: skip


def scratch_of(motion: Motion) -> Scratch:
    """Room the kernel works in."""
    from haptos.geometry.triangle_tree import STACK

    p, k = len(motion.x), len(motion.place)
    rooms = (np.zeros((p, 3)), np.zeros((k, 3)), np.zeros((k, 3)))
    return Scratch(*rooms, np.zeros((STACK, 2)), np.zeros((p, 3)), np.zeros((k, 12)), np.zeros(2))
