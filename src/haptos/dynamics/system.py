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

from haptos.contact.contact_flow import OPEN, PAIR_SIZE
from haptos.core.by_reference import by_reference
from haptos.dynamics.cable.beam_arrays import no_beams, turning_of
from haptos.dynamics.contacts.ground_arrays import ground_memory, no_ground
from haptos.dynamics.guard.system_guard_arrays import guard_memory, no_guard
from haptos.dynamics.ledger.extremes import extremes_of
from haptos.dynamics.ledger.phase_events import NO_EVENTS
from haptos.dynamics.ledger.phase_ledger import phase_rows
from haptos.environment.gravity import no_gravity
from haptos.geometry.distance.distance_mesh import Mesh

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
    ACTIVE_POINTS, ACTIVE_ELEMENTS, FAR, FASTEST, THREADS_SINCE, ACTIVE_THREADS, TAUT, LAST_STEP,
    CAUGHT, NODES, WAY, SORTED_AT, STIFFEST, WATCHED, WATCHED_AT,
    WATCHED_UNTIL, SPARE_WAY, WOUND, LEAST_STABLE, PHASES, THIS_STEP,
) = range(32)  # fmt: skip
CLOCK_SIZE = 32
# TIME, TOUCHED_AT  now, and of the first touch of the target [s], inf before it
# KINETIC, ELASTIC, PRESSED  energy of motion, of threads, of contacts [J]
# START, LARGEST  energies less works at the start, and the most they have strayed from it since [J]
# STEPS, BROKEN   steps done, elements broken      LAST_STEP, THIS_STEP  the one before, and under way [s]
# PEAK            largest force of one contact with the target so far [N]
# TRAVEL, WAY     how far points may have gone relative to the target so far, and in this step [m]
# SORTED_AT       TRAVEL when points were last sorted by distance [m]
# FAR             farthest point from the target's centre when they were [m]
# FASTEST         largest speed of a point when elements were last listed [m/s]
# STIFFEST        w^2 of the stiffest contact [1/s^2]
# THREADS_SINCE   how far elements may have stretched since they were last sorted [m]
# NODES           how many points are nodes
# WATCHED_AT, WATCHED_UNTIL  when the list of watched elements was made, and until when the others stay
# slack [s] if no distance grows by more than SPARE_WAY [m] besides that of straight paths
# WOUND           how much shorter an element may have been wound since [m]
# LEAST_STABLE    least of `stiff` of the watched elements [s]
# PHASES          of the energy ledger, begun so far
# ACTIVE_POINTS, ACTIVE_ELEMENTS, ACTIVE_THREADS, WATCHED, TAUT, CAUGHT  lengths of the lists of `Motion`

# A load on a body: force and torque that change linearly between two times, in the axes of a body.
(
    LOAD_BODY, LOAD_REACTION, LOAD_AXES, LOAD_START, LOAD_STOP, LOAD_BOOK, LOAD_AFTER_TOUCH
) = range(7)  # fmt: skip
LOAD_POINT, LOAD_FORCE, LOAD_FORCE_END, LOAD_TORQUE, LOAD_TORQUE_END = 7, 10, 13, 16, 19
LOAD_SIZE = 22

# A length that is wound: element, first and last length, times, who takes it up, its stall force [N], power [W].
(
    WIND_ELEMENT, WIND_FIRST, WIND_LAST, WIND_START, WIND_STOP, WIND_AFTER_TOUCH, WIND_POINT,
    WIND_DENSITY, WIND_STALL, WIND_POWER,
) = range(10)  # fmt: skip
WIND_SIZE = 10

Threads = namedtuple("Threads", "ends stretching damping breaking")
# ends        (m, 2) points                stretching  (m,) EA [N]
# damping     (m,) c [N s/m]               breaking    (m,) tension that breaks [N], inf for none

Lines = namedtuple("Lines", "start point stretching damping ring", defaults=(0.0,))
# Running lines that pass freely through points: start (q + 1,) into point, EA [N], c [N s/m];
# ring  radius of the rings [m], round which a line goes from one to the next

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

Hulls = namedtuple("Hulls", "owner body begin end corner reach half numbers")
# owner, body (h,)  corners of the first touch the surface of the second: both ways make two rows
# begin, end (h,) into corner (c, 3) [m], axes of the owner      numbers (h, 1, PAIR_SIZE) of contact
# reach (k,) of a body from its centre [m]    half (k, 3) of boxes [m], 0 for the one with the mesh

Orders = namedtuple("Orders", "loads winds held nodes_held events", defaults=(NO_EVENTS,))
# loads (.., LOAD_SIZE)     winds (.., WIND_SIZE)
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

Air = namedtuple(
    "Air", "has_drag has_light log_density spacing altitude up wind rate from_sun sun earth faces "
    "bullets threads lines"
)  # fmt: skip
# log_density, spacing  of `atmosphere`
# altitude [m] of the N origin and up (3,) where nothing orbits
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
class Scratch(
    namedtuple("Scratch", "force light body_force body_torque stack blown pushed power march")
):
    """Room a kernel works in.

    force       (p, 3) on points [N]
    light       (p, 3) inverse mass of a node, thrice [1/kg]
    body_force, body_torque  (k, 3) room [N], [N m]: loads before a change, or those of contacts
    stack       of the tree walks              blown (p, 3) drag of threads [N]
    pushed      (k, 12) drag and light on bodies: force, torque of each [N], [N m]
    power       (2,) of drag and light at the start of the step [W]
    march       (8,) where a march goes on from, and where it has to pause
    """

    __slots__ = ()


# Numbers of the march of a `Scratch`; what goes on from a pause has the same bits as without it.
GOES_ON, LOST_POWER, FIELD_POWER, STABLE_STEP, HAS_RATES, PAUSE_AT, LOOK_AT, IS_PAUSED = range(8)
# GOES_ON         0 before the first step: forces are not known yet
# LOST_POWER, FIELD_POWER, STABLE_STEP  of dampers and field [W], longest stable step [s] of now
# HAS_RATES       whether the rates of now are known, of `error_control`
# PAUSE_AT        time [s] before which the last step ends that is taken at once
# LOOK_AT         time [s] at or after which the march pauses, and at the first touch; inf for never
# IS_PAUSED       whether the march has paused for one of these, values in `pauses`


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


def no_hulls(bodies: int = 0) -> Hulls:
    """Bodies that do not touch each other."""
    f, none = np.zeros, np.zeros(0, dtype=np.int64)
    places = f((0, 3)), f(bodies), f((bodies, 3))
    return Hulls(none, none, none, none, *places, f((0, 1, PAIR_SIZE)))


@by_reference
class Net(
    namedtuple(
        "Net",
        "threads lines points inverse_inertia surface orders field options spheres boxes air beams "
        "hulls guard ground",
        defaults=(no_air(), no_beams(), no_hulls(), no_guard(), no_ground()),
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
        "x v a shift kick rubbed damped mass place body_kick body_lossy body_shift body_turn speed "
        "attitude momentum inverse_mass "
        "force torque length whole tension line_length line_pace line_tension line_spring line_was factor "
        "offset budget clear row near_count near edge_budget edge_clear edge_count edge_near "
        "edge_slot edge_factor edge_bias edge_held active active_elements active_threads watched "
        "watch_x watch_v taut spring pace caught since stiff ready books clock tally pairs boxes met "
        "turning hulls glue phases extremes guard ground",
    )
):
    """All that moves, and what a kernel remembers."""

    __slots__ = ()


# x, v, a     (p, 3) places, velocities of points, accelerations of nodes       mass  (p,) [kg]
# kick, rubbed, damped  (p, 3) what contacts gave nodes in this step: velocities [m/s], friction and damping [N s]
# body_kick, body_lossy  (k, 6), (k, 2, 6) the same of bodies, with angular momenta [m/s], [N m s], `body_kicks`
# shift, body_shift  what a drift with the velocity after all kicks goes too far [m]
# body_turn   the same of the turn of a body [rad], N axes
# place, speed, force, torque  (k, 3) of bodies [m], [m/s], [N], [N m]    attitude  (k, 4) quat_NB
# momentum    (k, 3) angular, about the own centre, N axes [N m s]        inverse_mass  (k,) [1/kg]
# length      (m,) without load [m]         whole  (m,) 1 until broken      tension  (m,) [N]
# line_length, line_pace, line_tension, line_spring  (q,) of running lines, as of elements
# line_was    (q, LINE_WAS) tension and spring before the step [N], power its damper lost then and
#             loses now [W], how much shorter than its length its way is [m], rate of that way [m/s]
# factor, offset  of the touch of points: a [s/m] of `contact_flow`, OPEN where there is none, and
#             what friction with memory has stretched [m]
# row, near, near_count  nearest triangle, those near a point, how many
# budget, clear  readings of TRAVEL [m] up to which that list holds, and the point touches nothing
# edge_...    the same of the touch of elements with edges; edge_slot (m, SLOTS) those an element
#             touches, -1 for none, with edge_held, the energy held at each [J]
# active, active_elements  what is near enough to be looked at in every step
# active_threads  elements near their length       watched  those of them that may soon be taut
# watch_x, watch_v  (p, 3) places and velocities of points when these were listed [m], [m/s]
# taut        those that pull
# spring      (m,) elastic part of the tension [N]
# pace        (m,) rate of the length without load [m/s] in this step
# caught, since  elements that became taut or slack in a step, and the impulses they lack [N s]
# tally       (pushes, 6) force of each kind of push now [N], its size, sum over time [N s], peak
# stiff       (m,) longest stable step with each of them taut [s]
# ready       (m,) reading of THREADS_SINCE [m] until which an element stays slack for certain
# pairs, boxes, hulls  memory of the touch of points with points, with boxes, of bodies with bodies
# met         (k, 4) sum of the impulses of contacts on a body, N axes [N s], and at MET_PEAK the
#             largest force of one contact of its points with another body [N]; by `splitting` only
# turning     of nodes whose threads bend and twist          glue  memory of what is glued
# phases      (events,) of the energy ledger, `phase_ledger`
# extremes    largest tensions and energies so far            guard  memory of `system_guard`
# ground      memory of the touch with the ground, `ground_arrays`
MET_PEAK = 3
LINE_TENSION, LINE_SPRING, LINE_WAS_LOST, LINE_LOST, LINE_SLACK, LINE_RATE = range(6)
LINE_WAS = 6

PairMemory = namedtuple(
    "PairMemory", "first second factor reach close head chain cell order start tally"
)
# first, second, factor, reach  of each pair kept as near: points, a [s/m], sum of radii [m]
# close       pairs that may touch in this step
# head, chain  pairs that touch, by their first point
# cell, order, start  points sorted into cells
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

HullMemory = namedtuple("HullMemory", "clear factor row near tally")
# clear (h,) way [m] within which no corner touches     factor, row (h, corners) a [s/m] of
# `contact_flow`, nearest triangle      near (.., 2) pairs and corners that may touch in this step
HULL_PEAK, HULL_MET = 0, 1  # columns of the tally: largest force [N], contacts

GlueMemory = namedtuple("GlueMemory", "body anchor normal load pull held tally")
# body        (p,) that a point is glued to, FREE before it touched, SPENT after it broke off
# anchor, normal, load  (p, 3) where it is held [m], unit normal there, load [N]; axes of `body`
# pull        (p, 3) acceleration against `body` in the step before [m/s^2], N axes
# held        points that are glued now      tally  how many, how many broke off, how many held before
FREE, SPENT = -1, -2
GLUED, UNGLUED, GLUED_BEFORE = range(3)

Options = namedtuple(
    "Options",
    "has_memory has_edges margin slack has_self has_bullets_net has_bullets has_glue glue_strength",
    defaults=(False, np.inf),
)
# has_memory  friction that remembers        has_edges  threads touch sharp edges
# margin      how near points are looked at in every step [m]        slack  of elements, half of what they may lack [m]
# has_self, has_bullets_net, has_bullets  nodes with nodes, bullets with nodes, with each other
# has_glue    points stay where they touch       glue_strength  of one point against pull [N]


def no_surface() -> Surface:
    """Nothing to touch."""
    from haptos.geometry.mesh.triangle_tree import Tree

    f, i = np.zeros, np.zeros
    tree = Tree(f((1, 6)), i(1, np.int32), i(1, np.int32), f((1, 15)), f((1, 7)), i(1, np.int64))
    mesh = Mesh(tree, i((1, 7), np.int32), f((1, 3)))
    empty_tree = EdgeTree(f((1, 6)), i(1, np.int32), i(1, np.int32), i(0, np.int64))
    pairs, edges = f((1, 1, PAIR_SIZE)), f((0, 15))
    return Surface(-1, mesh, i(1, np.int64), pairs, edges, empty_tree, i(0, np.int64))


def no_spheres(points: int) -> Spheres:
    """Points that do not touch each other."""
    none = np.zeros(points + 1, dtype=np.int64)
    return Spheres(np.zeros(points), np.zeros((2, 2, PAIR_SIZE)), none, none[:0])


def no_boxes() -> Boxes:
    """No box to touch."""
    return Boxes(np.zeros(0, dtype=np.int64), np.zeros((0, 3)), np.zeros((0, 2, PAIR_SIZE)))


def pair_memory(points: int, room: int) -> PairMemory:
    """Memory for a number of pairs of points near each other."""
    buckets = 1 << max(points - 1, 0).bit_length()
    tally = np.zeros(PAIR_TALLY)
    tally[PAIR_SINCE] = np.inf
    return PairMemory(
        first=_whole(room), second=_whole(room), factor=np.full(room, OPEN), reach=np.zeros(room),
        close=_whole(room), head=_whole(points), chain=_whole(room), cell=_whole(points, 3),
        order=_whole(points), start=_whole(buckets + 1), tally=tally,
    )  # fmt: skip


def box_memory(points: int, boxes: int) -> BoxMemory:
    """Memory of the touch of points with boxes."""
    tally = np.zeros((boxes, BOX_TALLY))
    tally[:, BOX_SINCE] = np.inf
    asleep = np.full((boxes, points), ASLEEP)
    return BoxMemory(asleep, _whole(boxes, points), tally)


def hull_memory(hulls: Hulls) -> HullMemory:
    """Memory of the touch of bodies with bodies."""
    count = hulls.end - hulls.begin
    most = (len(count), int(count.max(initial=0)))
    near = _whole(int(count.sum()), 2)
    tally = np.zeros((len(count), 2))
    return HullMemory(np.zeros(len(count)), np.full(most, OPEN), _whole(*most), near, tally)


def glue_memory(points: int) -> GlueMemory:
    """Memory of points that nothing has touched yet."""
    f, size = np.zeros, (points, 3)
    places = (f(size), f(size), f(size), f(size))
    return GlueMemory(np.full(points, FREE), *places, _whole(points), _whole(3))


def motion_of(
    points: Points, mass: Any, bodies: int, lengths: Any, line_lengths: Any, *,
    pair_room: int = 0, boxes: int = 0, hulls: Hulls | None = None,
) -> Motion:  # fmt: skip
    """Memory for a net at rest at the origin; whoever builds it fills in places and velocities."""
    p, m = len(points.owner), len(lengths)
    attitude = np.zeros((bodies, 4))
    attitude[:, 0] = 1.0
    clock = np.zeros(CLOCK_SIZE)
    clock[NODES] = int((np.asarray(points.owner) == NODE).sum())
    clock[TOUCHED_AT] = clock[THREADS_SINCE] = np.inf
    clock[SORTED_AT] = -np.inf
    f, q = np.zeros, len(line_lengths)
    return Motion(
        x=f((p, 3)), v=f((p, 3)), a=f((p, 3)), shift=f((p, 3)), kick=f((p, 3)), rubbed=f((p, 3)),
        damped=f((p, 3)),
        mass=np.array(mass, dtype=np.float64),
        place=f((bodies, 3)), body_kick=f((bodies, 6)), body_lossy=f((bodies, 2, 6)),
        body_shift=f((bodies, 3)), body_turn=f((bodies, 3)),
        speed=f((bodies, 3)), attitude=attitude, momentum=f((bodies, 3)),
        inverse_mass=f(bodies), force=f((bodies, 3)), torque=f((bodies, 3)),
        length=np.array(lengths, dtype=np.float64), whole=np.ones(m, dtype=np.int8), tension=f(m),
        line_length=np.array(line_lengths, dtype=np.float64), line_pace=f(q), line_tension=f(q),
        line_spring=f(q), line_was=f((q, LINE_WAS)),
        factor=np.full(p, OPEN), offset=f((p, 3)), budget=f(p), clear=f(p), row=_whole(p),
        near_count=_whole(p), near=_whole(p, NEAREST),
        edge_budget=f(m), edge_clear=f(m), edge_count=_whole(m), edge_near=_whole(m, NEAREST),
        edge_slot=np.full((m, SLOTS), -1), edge_factor=np.full((m, SLOTS), OPEN),
        edge_bias=f((m, SLOTS)), edge_held=f((m, SLOTS)),
        active=_whole(p), active_elements=_whole(m), active_threads=_whole(m),
        watched=_whole(m), watch_x=f((p, 3)), watch_v=f((p, 3)), taut=_whole(m),
        spring=f(m), pace=f(m), caught=_whole(m), since=f(m), stiff=f(m), ready=f(m),
        books=f(len(BOOKS)), clock=clock, tally=f((len(PUSHES), 6)),
        pairs=pair_memory(p, pair_room), boxes=box_memory(p, boxes), met=f((bodies, 4)),
        turning=turning_of(0, 0, 0), hulls=hull_memory(hulls or no_hulls()), glue=glue_memory(p),
        phases=phase_rows(len(NO_EVENTS)),
        extremes=extremes_of(m, q), guard=guard_memory(no_guard()),
        ground=ground_memory(p),
    )  # fmt: skip


def _whole(*shape: int) -> Any:
    """Zeros that count."""
    return np.zeros(shape, dtype=np.int64)


def scratch_of(motion: Motion) -> Scratch:
    """Room the kernel works in."""
    from haptos.geometry.mesh.triangle_tree import STACK

    p, k = len(motion.x), len(motion.place)
    f, march = np.zeros, np.zeros(8)
    march[PAUSE_AT] = march[LOOK_AT] = np.inf
    return Scratch(
        f((p, 3)), f((p, 3)), f((k, 3)), f((k, 3)), f((STACK, 2)), f((p, 3)), f((k, 12)), f(2), march
    )  # fmt: skip
