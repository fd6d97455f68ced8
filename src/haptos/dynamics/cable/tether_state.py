"""Numbers of a tether between two end bodies: what the state holds, and the constant records beside it.

State, one flat row of float64:

    BODY k + POSITION   r of the hull's centre of mass [m]     MOMENTUM  of hull and reel together [N s]
             ATTITUDE   quat_NB                                RATE      omega_BN_B of the hull [rad/s]
             WHEELS     momentum of the wheels, B axes [N m s] PROPELLANT  [kg]
    STORED + k          length on reel k [m]                   SERIES + k  stretch of the damper in series at end k [m]
    REEL + 4 k          numbers of the reel's own law          WORKS + n   what has been put in so far, WORK_NAMES [J]
    CELLS               positions of N cells [m], (3 N)        then their momenta [N s], (3 N), temperatures [K], (N),
                        and numbers of the material

Momenta rather than velocities: line runs on and off the reels, masses change, and only what is linear in the
state is kept to rounding by a Runge-Kutta method.
Springs j = 0..N: 0 between body 0 and cell 0, N between cell N - 1 and body 1.
Frame: N of `dynamics/field.py`; rates of hulls in B axes.
"""

from __future__ import annotations

from collections import namedtuple

from haptos.core.by_reference import by_reference

POSITION, MOMENTUM, ATTITUDE, RATE, WHEELS, PROPELLANT = 0, 3, 6, 10, 13, 16
BODY = 17
STORED = 2 * BODY
SERIES = STORED + 2
REEL_STATES = 4
REEL = SERIES + 2
WORKS = REEL + 2 * REEL_STATES

WORK_NAMES = (
    "winch_0", "winch_1", "transport", "damping", "series", "active", "thermal", "thrust", "propellant",
    "wheels", "gravity", "drag", "light", "contact", "friction", "breakage", "grid",
    "shaft_0", "shaft_1", "feed_loss_0", "feed_loss_1", "drawn_0", "drawn_1", "recovered_0", "recovered_1",
    "brake_heat_0", "brake_heat_1", "heat_absorbed", "heat_emitted", "heat_damping", "heat_fed",
    "impulse_x", "impulse_y", "impulse_z", "expelled", "exchanged",
)  # fmt: skip
(
    WINCH, _WINCH_1, TRANSPORT, DAMPING, SERIES_LOSS, ACTIVE, THERMAL, THRUST, PROPELLANT_LOSS,
    WHEEL_WORK, GRAVITY, DRAG, LIGHT, CONTACT, FRICTION, BREAKAGE, GRID,
    SHAFT, _SHAFT_1, FEED_LOSS, _FEED_1, DRAWN, _DRAWN_1, RECOVERED, _RECOVERED_1,
    BRAKE_HEAT, _BRAKE_1, HEAT_ABSORBED, HEAT_EMITTED, HEAT_DAMPING, HEAT_FED,
    IMPULSE, _IMPULSE_Y, _IMPULSE_Z, EXPELLED, EXCHANGED,
) = range(len(WORK_NAMES))  # fmt: skip
# Entries that change the mechanical energy; the others say where work of these went, or measure.
ENERGY_ENTRIES = WORK_NAMES[: GRID + 1]
CELLS = WORKS + len(WORK_NAMES)

LineNumbers = namedtuple(
    "LineNumbers",
    "count total density stiffness damping breaking diameter expansion reference_temperature "
    "heat_capacity heat_share series",
)
# count N   total length [m]   density mu [kg/m]   stiffness EA [N]   damping c [N s]   breaking tension [N]
# diameter [m]   expansion [1/K]   heat_capacity [J/kg/K]   heat_share of damping that warms the line [-]
# series ((k_d [N/m], c_d [N s/m], is on), the same at end 1)

Hull = namedtuple(
    "Hull",
    "mass inertia attachment can_turn is_fixed wheels hold thrusters radius outer takes_couple",
)
# mass dry [kg]   inertia six numbers [kg m^2], B   attachment [m], B   can_turn  False for a point mass
# is_fixed  True for an anchor that rests
# wheels (largest torque [N m], largest momentum [N m s]) per axis   hold (gain of the angle [N m], of the rate [N m s])
# thrusters (n, 11): place [m], direction (B), largest force [N], Isp [s], start, stop [s], level   radius of the ball [m]
# outer (c_d A [m^2] that drag acts on, c_R A [m^2] that light acts on, centre of both pushes [m], B)
# takes_couple  whether the couple that the half cell leaves turns it

Springs = namedtuple(
    "Springs",
    "direction distance length strain rate elastic tension stiffness damping offset mode gap before",
)
# of the N + 1 springs: direction (N + 1, 3), distance [m], natural length [m], strain [-], material rate [1/s],
# elastic part and tension [N], slopes of the tension with distance [N/m] and its rate [N s/m], tension that the
# material makes [N], mode 1 taut 0 slack, gap [N] > 0 where it is taut,
# before: gap at the start of the step

Factors = namedtuple(
    "Factors",
    "axes push drag turn below beyond inverse force pivot block masses turns mobility numbers",
)
# of the block tridiagonal solve, frozen at the start of a step: axes (N + 1, 3, 3) of the springs, the first along it;
# slopes push [N/m], drag [N s/m] of the tensions and turn [N/m], tension over distance; blocks (N + 1, 3, 3) of the rows,
# force (N + 1, 3) [N] found, room for two blocks; masses (N,) of the cells [kg]
# turns, mobility (2, 3, 3): w' of the hulls and acceleration of their attachments to a unit pull along each of the N axes
# numbers (2, 6): share of the hull, whole mass, attitude

Tether = namedtuple(
    "Tether",
    "line hulls reels field springs factors grid commands status material air light heat ground third",
)
# grid (N + 1,) speed of the grid in the material [m/s]    commands (2, 6) force [N] and torque [N m], B axes
# status (STATUS,) what events have changed, numbers below
by_reference(Tether)
CUT, CUT_AT, JAMMED, DRY, FULL, FEED, BACK = 0, 1, 2, 4, 6, 8, 12
# CUT spring that is broken, -1 for none; CUT_AT [m] its material coordinate; JAMMED + k; DRY + k propellant is gone;
# FULL + k wheels saturated; FEED + 2 k (payout [m/s], tension on the reel's side [N]); BACK + 2 k (strain, tension)
STATUS = 20
