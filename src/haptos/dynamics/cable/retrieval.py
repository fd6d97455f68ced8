"""Two bodies on one massless line that is reeled in while the first thrusts away: how a load swings home.

    T = max(0, (K/l) (R - l - l_d) + (C/l) (R' - l_d' - l' R/l))   where R > l + l_d, else 0
    l' = u(t) + (T - T_slip)_+/b,    l_d' = (T - k_d l_d)/c_d,    l >= l_least
    M v_s' = F + M g - T n + M a_x,   m v_c' = T n + m g,   M' = -|F + M a_x|/(Isp g0)

    s, c  the hull that reels and the load      n  unit vector from c to s     R  their distance [m]
    l     length between them [m]               u  commanded rate of l [m/s], below 0 reeling in
    K, C  stiffness and damping of the line per strain and strain rate [N], [N s]; C is left out with the series damper
    l_d   stretch of the series damper [m]      k_d, c_d  its spring [N/m] and damper [N s/m]
    T_slip, b  tension [N] above which a clutch slips, its slope [N s/m]; no clutch: T_slip infinite
    F     thrust [N] along `up`                 a_x  lateral acceleration that damps the swing (control/swing_damping.py), and that of a thruster that stays on
Reeling in is negative damping of the swing in the field of the thrust: l th'' + 2 l' th' + (F/M) sin th = a_x cos th.
Works: motor -u (T + T^2/2K), clutch -(l' - u)(T + T^2/2K), damper -c_d l_d'^2, line, thrust, lateral thrust, propellant carried away.
Frame: N axes that do not turn, z = up. Validity: line without mass, bodies as points, uniform gravity.
Source: [Quadrelli2017] section 7; clutch and series damper as assumed in docs/models/retrieval.md.
"""

from __future__ import annotations

import math
from collections import namedtuple

from haptos.core.jit import device, entry
from haptos.dynamics.control.swing_damping import swing_acceleration
from haptos.dynamics.march.adaptive import GO_ON, advance

CITES: tuple[str, ...] = ("Quadrelli2017",)

# State: places and velocities of hull and load, length, damper, propellant used, works, slack time, lateral dv
HULL, HULL_V, LOAD, LOAD_V, LENGTH, DAMPER, USED = 0, 3, 6, 9, 12, 13, 14
THRUST, LATERAL, CARRIED, MOTOR, CLUTCH, SERIES, LINE = 15, 16, 17, 18, 19, 20, 21
SLACK, LATERAL_DV, SIZE = 22, 23, 24
WORKS = {"thrust": THRUST, "lateral thrust": LATERAL, "propellant": CARRIED, "motor": MOTOR, "clutch": CLUTCH,
         "series damper": SERIES, "line damping": LINE}  # fmt: skip

# Events: line gets slack, gets taut, load within reach, propellant out, load above the hull and moving away on a slack
# line, line breaks, all of it is out
SLACKENED, TAUT, REACHED_LOAD, EMPTY, OVERRUN, BROKEN, LINE_OUT, EVENTS = range(8)

# K [N], C [N s], T_slip [N], b [N s/m], k_d [N/m], c_d [N s/m] (0: no damper), least length [m], breaking tension [N],
# mass of hull and load [kg], propellant [kg], Isp g0 [m/s], gravity along -z [m/s^2], reach [m], all of the line [m]
RetrievalLine = namedtuple(
    "RetrievalLine",
    "stiffness damping slip slope spring damper least breaking hull load propellant exhaust gravity reach total",
)
# What may change between calls: thrust [N], commanded rate [m/s] from t0 over a ramp [s], damping ratio and largest
# acceleration [m/s^2] of the swing damping, 1 if the load is held by the hull, force [N] of a thruster along x that stays on
ORDERS = 8
O_THRUST, O_RATE, O_START, O_RAMP, O_RATIO, O_LARGEST, O_HELD, O_STUCK = range(ORDERS)
# Extremes: tension [N] and when [s], angle [rad] overall, beyond 50 m and beyond 10 m
EXTREMES = 5
X_TENSION, X_WHEN, X_ANGLE, X_FAR, X_MIDDLE = range(EXTREMES)
INSIDE = 8  # [-] parts of a step at whose ends extremes are looked for


@device
def geometry(y):
    """(distance [m], n from load to hull, velocity of the hull against the load [m/s])."""
    x, z, w = y[0] - y[6], y[1] - y[7], y[2] - y[8]
    r = math.sqrt(x * x + z * z + w * w)
    return r, (x / r, z / r, w / r), (y[3] - y[9], y[4] - y[10], y[5] - y[11])


@device
def commanded(orders, t):
    """u [m/s] at a time."""
    if t <= orders[2]:
        return 0.0
    return orders[1] * min((t - orders[2]) / max(orders[3], 1e-9), 1.0)


@device
def tension(line, orders, t, y):
    """(T [N], rate of the length [m/s], its commanded part [m/s], rate of the damper [m/s])."""
    r, n, v = geometry(y)
    length = y[12]
    u = commanded(orders, t)
    if length <= line.least:
        u = max(u, 0.0)
    stretch = r - length - y[13]
    if stretch <= 0.0 or orders[6] > 0.5:
        opened = -line.spring * y[13] / line.damper if line.damper > 0.0 else 0.0
        return 0.0, u, u, opened
    pull = line.stiffness / length * stretch
    rate = v[0] * n[0] + v[1] * n[1] + v[2] * n[2]
    if line.damper > 0.0:
        opened = (pull - line.spring * y[13]) / line.damper
        slip = max(pull - line.slip, 0.0) / line.slope
        return pull, u + slip, u, opened
    # damper of the line: T(l') falls with l', so that a slipping clutch has one solution
    c = line.damping / length
    held = pull + c * (rate - u * r / length)
    if held <= 0.0:
        return 0.0, u, u, 0.0
    slip = 0.0
    if held > line.slip:
        slip = (held - line.slip) / (line.slope + c * r / length)
        held -= c * slip * r / length
    return held, u + slip, u, 0.0


@device
def _rates(model, t, y, dy):
    line, orders, _extremes = model
    r, n, v = geometry(y)
    pull, reeled, wanted, opened = tension(line, orders, t, y)
    mass = line.hull - y[14]
    thrust = orders[0] if y[14] < line.propellant else 0.0
    along = v[0] * n[0] + v[1] * n[1] + v[2] * n[2]
    side = (v[0] - along * n[0], v[1] - along * n[1], v[2] - along * n[2])
    speed = math.sqrt(side[0] * side[0] + side[1] * side[1] + side[2] * side[2])
    a = 0.0
    if orders[5] > 0.0 and speed > 0.0 and thrust > 0.0 and orders[6] < 0.5:
        a = swing_acceleration(speed / r, r, wanted, thrust / mass, orders[4], orders[5]) / speed
    held = orders[6] > 0.5
    whole = mass + line.load if held else mass
    stuck = orders[O_STUCK] if y[14] < line.propellant else 0.0
    force = (mass * a * side[0] + stuck, mass * a * side[1], mass * a * side[2])
    for i in range(3):
        up = 1.0 if i == 2 else 0.0
        dy[i] = y[3 + i]
        dy[3 + i] = (thrust * up + force[i] - pull * n[i]) / whole - line.gravity * up
        dy[6 + i] = y[9 + i]
        dy[9 + i] = dy[3 + i] if held else pull * n[i] / line.load - line.gravity * up
    lateral = mass * abs(a) * speed + stuck
    burn = (thrust + lateral) / line.exhaust
    stored = pull + pull * pull / (2.0 * line.stiffness)
    dy[12] = reeled
    dy[13] = opened
    dy[14] = burn
    dy[15] = thrust * y[5]
    dy[16] = force[0] * y[3] + force[1] * y[4] + force[2] * y[5]
    # what is burnt leaves with kinetic and potential energy of the hull
    square = y[3] * y[3] + y[4] * y[4] + y[5] * y[5]
    dy[17] = -burn * (0.5 * square + line.gravity * y[2])
    if line.damper > 0.0:
        dy[18] = -wanted * stored
        dy[19] = -(reeled - wanted) * stored
        dy[20] = -line.damper * opened * opened
        dy[21] = 0.0
    else:
        elastic = line.stiffness / y[12] * max(r - y[12], 0.0) if not held else 0.0
        energy = elastic * elastic / (2.0 * line.stiffness)
        dy[18] = -wanted * (pull * r / y[12] - energy)
        dy[19] = -(reeled - wanted) * (pull * r / y[12] - energy)
        dy[20] = 0.0
        dy[21] = -(pull - elastic) * (along - reeled * r / y[12])
    dy[22] = 1.0 if pull == 0.0 else 0.0
    dy[23] = abs(a) * speed + stuck / mass


@device
def _begin(model, t, y, h):
    """A step in which the load cannot pass through the reach of the hull unseen."""
    line, orders, _extremes = model
    if orders[6] > 0.5:
        return h
    r, _, v = geometry(y)
    speed = math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
    return min(h, max(r - line.reach, 0.1 * line.reach) / max(speed, 1e-3))


@device
def _fits(model, t, h, y, y1):
    return True


@device
def between(x0, v0, x1, v1, h, part):
    """Value at a share of a step h from values and rates at its ends: cubic."""
    rest = 1.0 - part
    return rest * rest * ((1.0 + 2.0 * part) * x0 + part * h * v0) + part * part * (
        (1.0 + 2.0 * rest) * x1 - rest * h * v1
    )


@device
def _note_angle(extremes, r, up):
    """Keep the angle of a line whose part along `up` is `up` [m]."""
    angle = math.acos(min(max(up / r, -1.0), 1.0))
    extremes[2] = max(extremes[2], angle)
    if r > 50.0:
        extremes[3] = max(extremes[3], angle)
    if r > 10.0:
        extremes[4] = max(extremes[4], angle)


@device
def _accept(model, t, h, y, y1):
    """Extremes of the step: at its end, and at places within it by the cubic through both ends."""
    line, orders, extremes = model
    pull, reeled_1, _, opened_1 = tension(line, orders, t + h, y1)
    if pull > extremes[0]:
        extremes[0], extremes[1] = pull, t + h
    if orders[6] > 0.5:
        return GO_ON
    r, n, _ = geometry(y1)
    _note_angle(extremes, r, n[2] * r)
    pull_0, reeled_0, _, opened_0 = tension(line, orders, t, y)
    for i in range(1, INSIDE):
        part = i / INSIDE
        square, up = 0.0, 0.0
        for c in range(3):
            x = between(
                y[c] - y[6 + c],
                y[3 + c] - y[9 + c],
                y1[c] - y1[6 + c],
                y1[3 + c] - y1[9 + c],
                h,
                part,
            )
            square += x * x
            up = x
        r = math.sqrt(square)
        _note_angle(extremes, r, up)
        if line.damper > 0.0 and (pull > 0.0 or pull_0 > 0.0):
            length = between(y[12], reeled_0, y1[12], reeled_1, h, part)
            stretch = r - length - between(y[13], opened_0, y1[13], opened_1, h, part)
            felt = line.stiffness / length * stretch
            if felt > extremes[0]:
                extremes[0], extremes[1] = felt, t + part * h
    return GO_ON


@device
def _gaps(model, t, y, out):
    line, orders, _extremes = model
    r, n, v = geometry(y)
    stretch = r - y[12] - y[13]
    held = orders[6] > 0.5
    out[0] = 1.0 if held else stretch
    out[1] = 1.0 if held else -stretch
    out[2] = 1.0 if held else r - line.reach
    out[3] = line.propellant - y[14]
    leaving = v[0] * n[0] + v[1] * n[1] + v[2] * n[2]
    out[4] = 1.0 if held else max(max(n[2] * r, -leaving), stretch)
    pull, _, _, _ = tension(line, orders, t, y)
    out[5] = line.breaking - pull
    out[6] = line.total - y[12]


@entry
def march_retrieval(line, orders, extremes, march, until, relative, longest, most):
    """Carry a retrieval on to a time [s]; how it ended as `advance` says."""
    model = (line, orders, extremes)
    return advance(
        _rates, _begin, _fits, _accept, _gaps, model, march, until, relative, longest, most
    )


@device
def energy(line, orders, y):
    """(kinetic, potential, elastic) [J]."""
    mass = line.hull - y[14]
    hull = y[3] * y[3] + y[4] * y[4] + y[5] * y[5]
    load = y[9] * y[9] + y[10] * y[10] + y[11] * y[11]
    kinetic = 0.5 * mass * hull + 0.5 * line.load * load
    potential = line.gravity * (mass * y[2] + line.load * y[8])
    r, _, _ = geometry(y)
    stretch = max(r - y[12] - y[13], 0.0) if orders[6] < 0.5 else 0.0
    held = 0.5 * line.stiffness / y[12] * stretch * stretch
    return kinetic, potential, held + 0.5 * line.spring * y[13] * y[13]
