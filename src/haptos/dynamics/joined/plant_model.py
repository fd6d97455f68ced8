"""Records of bodies that are joined by booms and contacts: what kernels read, and where the state keeps what."""

from __future__ import annotations

from collections import namedtuple

from haptos.core.by_reference import by_reference

CITES: tuple[str, ...] = ()

# Of each body, from BODY k: place of the hub's centre [m], quat_NB, momentum [N s] and angular momentum about the
# origin of N [N m s] of the body with its wings and wheels, N axes.
POSITION, ATTITUDE, MOMENTUM, ANGULAR, BODY = 0, 3, 7, 10, 13

# First index in the state of amplitudes and momenta of modes, momenta and torques of wheels, angles of wings,
# lengths of booms, strokes and spreads of slides, works [J], propellant [kg] of each body, outer impulse [N s] and
# angular impulse [N m s], works of contacts; size; how many bodies, booms, slides, contacts, whether wings turn
PlantLayout = namedtuple(
    "PlantLayout",
    "amplitudes momenta wheels torques angles lengths strokes spreads works propellant impulse contacts size "
    "bodies booms slides pairs",
)

# Works [J] so far: what drives and the outside put in, and what damping took.
(
    W_GRAVITY,
    W_LIGHT,
    W_THRUST,
    W_WHEELS,
    W_WINGS,
    W_BOOM,
    W_STROKE,
    W_SPREAD,
    W_BOOM_DAMPING,
    W_MODE_DAMPING,
    WORKS,
) = range(11)
# Works of a contact [J]: damping, tension, shear, viscous stick.
C_DAMPING, C_TENSION, C_SHEAR, C_VISCOUS, CONTACT_WORKS = range(5)

# mass (b,) [kg] with wings; centre (b, 3) of mass in body axes [m]; wing_rate (k,) [rad/s]; flags (1,) wings turn
# dcm (b, 9), velocity (b, 6) of hub and rate in N axes, local (b, 6) the same in body axes, load (b, 6) force and
# torque about N's origin, N axes: scratch of one evaluation
Bodies = namedtuple("Bodies", "mass centre wing_rate flags dcm velocity local load")
by_reference(Bodies)

# of each element, those of boom k from first[k] to first[k + 1], root to tip: law (m, 15) rows of BoomLaw; root, tip
# (m, 12) place and rows of dcm_BF in their bodies; bodies (m, 2)
# of each boom: first (n + 1,); drive (n, 5) rows of Drive; limits (n, 2) shortest, longest [m]; now (n, BOOM_NOW)
Booms = namedtuple("Booms", "law root tip bodies first drive limits now")
by_reference(Booms)
B_SPEED, B_DRIVE, B_TENSION, B_ENERGY, B_EXTENSION = range(5)
B_FORCE, B_MOMENT, B_ROOT, B_PLACE, B_TURN, BOOM_NOW = 5, 8, 11, 14, 17, 20

# place (n, 12), body (n,); stroke (n, 5), spread (n, 5) rows of Drive; longest (n,) stroke [m]; until (n,) spread
# growth (n,) [m] of the radius over the whole spread; now (n, 4) stroke speed and force, spread rate and force
Slides = namedtuple("Slides", "place body stroke spread longest until growth now")
by_reference(Slides)
S_SPEED, S_FORCE, S_RATE, S_LOAD = range(4)

# kind: 0 none; path of the origin, mu, gradient 0 or 1, sun (3,), shines 0 or 1, faces of light: first (b + 1,),
# normals, centres (n, 3), areas, reflections (n,); plumes (n, 7): body from, body on, place (3), radius, exponent
Surroundings = namedtuple(
    "Surroundings",
    "kind path mu gradient sun shines first normals centres areas reflections plumes",
)
by_reference(Surroundings)

# law, reference, faces, refinement, found, memory   as of a polygon pair
# bodies (3,) of reference and faces, slide or -1; places (2, 12); sums now, kept at the last accepted step
# limits (4,): max_depth, least margin, margin, spread at the last search; pose (12,) then; account, extremes
# flags (3,): is asked (not far away), polygons most, searches; slopes (2, 6, 6) at the last accepted step
PlantContact = namedtuple(
    "PlantContact",
    "law reference faces refinement found memory bodies places sums kept limits pose account extremes flags slopes",
)
by_reference(PlantContact)
MAX_DEPTH, MARGIN, SEARCHED_SPREAD, CONTACT_LIMITS = range(4)
A_FRICTION, A_RELEASED, A_REMESH, A_STICK, A_ELASTIC, A_PEAK, ACCOUNT = range(7)
X_FORCE, X_LATERAL, X_AXIAL, X_TORQUE, X_DEPTH, X_PRESSURE, X_AREA, EXTREMES = range(8)
F_NODES, F_POLYGONS, F_SEARCHES, CONTACT_FLAGS = range(4)

# ended (2,): why a march stopped and which contact; counts (1,) evaluations; before, now (q,) quantities at both
# ends of the last step; times (m,), rows (m, q) of output, at (1,) rows written; booms' extremes (n, 4)
# ledger (3,) [J]: what a step may leave unexplained, what the last refused one left, stored at its start, contacts apart
Record = namedtuple("Record", "ended counts before now times rows at boom_extremes ledger")
by_reference(Record)
L_ALLOWED, L_REFUSED, L_STORED, LEDGER = range(4)

# start, change (size,): state at the start of a step, change since then; mass (b, 6, 6); stiffness, damping, factor
# (6 b, 6 b); pulls (booms + slides, 6 b): wrench of a unit of each drive's way; motion, momentum, velocity, wrench
# (6 b,); work (3, 6, 6); weight (1,) of the factor [s], 0 none; joints (1,): how many there are
Implicit = namedtuple(
    "Implicit",
    "start change mass stiffness damping factor pulls motion momentum velocity wrench work weight joints",
)
by_reference(Implicit)

PlantModel = namedtuple(
    "PlantModel",
    "layout bodies appendages wheels thrusters booms slides surroundings contacts record implicit",
)
by_reference(PlantModel)
MOST_CONTACTS = 7
ENDED_DEPTH, ENDED_FULL = 1, 2
