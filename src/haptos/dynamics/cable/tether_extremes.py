"""Largest and smallest numbers of a march of a tether, at the ends of all its steps.

    a = (P' + q P / m) / m,   q = mu u - m_fuel'        of a hull with its reel

    PART_TENSION  largest tension [N] of the two parts of a line that has broken or was cut
    GROUND_SPEED  largest speed [m/s] of a hull or a cell that presses on the ground
    HIGHEST  largest energy [J], RESTING least energy of the turns of the hulls [J], MISSING_LEAST, MISSING_MOST
             least and largest energy less all that was put in [J]: of the phase since the last mark
    P  momentum [N s]   m  mass [kg]   q  mass that leaves [kg/s]   mu  line density [kg/m]   u  speed paid out [m/s]
Validity: what happens within a step is not seen. Source: bookkeeping.
"""

from __future__ import annotations

from haptos.core.inlining import routine
from haptos.core.jit import device
from haptos.core.symmetric import apply_symmetric
from haptos.core.vectors import add_scaled, dot, norm, scale, subtract
from haptos.dynamics.cable.tether_cells import cell_width, three, widths
from haptos.dynamics.cable.tether_ends import end_of
from haptos.dynamics.cable.tether_energy import energies
from haptos.dynamics.cable.tether_events import slack_length
from haptos.dynamics.cable.tether_state import (
    BODY,
    CELLS,
    CONTACT,
    CUT,
    ENERGY_ENTRIES,
    FEED,
    MOMENTUM,
    PROPELLANT,
    RATE,
    SHAFT,
    STORED,
    WORKS,
)
from haptos.dynamics.contacts.detect import ground_gap

CITES: tuple[str, ...] = ()

(
    TENSION, TENSION_AT, TENSION_IN, SIDE, ACCELERATION_0, ACCELERATION_1, SPEED_0, SPEED_1, TURN_0, TURN_1,
    SLACK_TIME, SLACK_LENGTH, SHORTEST, PAYOUT_0, PAYOUT_1, BRAKE_0, BRAKE_1, LEAST_DISTANCE, PART_TENSION, GROUND_SPEED,
    HIGHEST, RESTING, MISSING_LEAST, MISSING_MOST, EXTREMES,
) = range(25)  # fmt: skip


@routine
def update_extremes(tether, t, h, y, dy, x):
    """Largest and smallest numbers at the end of a step."""
    s = tether.springs
    is_slack = False
    for j in range(len(s.tension)):
        if s.tension[j] > x[TENSION]:
            x[TENSION], x[TENSION_AT], x[TENSION_IN] = s.tension[j], t, j
        if tether.status[CUT] >= 0.0:
            x[PART_TENSION] = max(x[PART_TENSION], s.tension[j])
        is_slack = is_slack or s.mode[j] == 0
    for k in range(2):
        at = BODY * k
        if tether.status[FEED + 2 * k] > 0.0:
            x[SIDE] = min(x[SIDE], tether.status[FEED + 2 * k + 1])
        x[PAYOUT_0 + k] = max(x[PAYOUT_0 + k], abs(tether.status[FEED + 2 * k]))
        x[BRAKE_0 + k] = max(x[BRAKE_0 + k], -dy[WORKS + SHAFT + k])
        x[TURN_0 + k] = max(x[TURN_0 + k], norm(three(y, at + RATE)))
        x[ACCELERATION_0 + k] = max(x[ACCELERATION_0 + k], hull_acceleration(tether, y, dy, k))
    if is_slack:
        x[SLACK_TIME] += h
    x[SLACK_LENGTH] = max(x[SLACK_LENGTH], slack_length(tether))
    x[SHORTEST] = min(x[SHORTEST], h)
    apart = subtract(end_of(tether, y, 1).attachment, end_of(tether, y, 0).attachment)
    x[LEAST_DISTANCE] = min(x[LEAST_DISTANCE], norm(apart))
    if tether.ground.is_on and dy[WORKS + CONTACT] != 0.0:
        x[GROUND_SPEED] = max(x[GROUND_SPEED], speed_on_ground(tether, y))
    note_energy(tether, y, x)


@routine
def note_energy(tether, y, x):
    """Extremes of the ledger; a number that is none stays."""
    kinetic, elastic, series = energies(tether, y)
    total, missing = kinetic + elastic + series, kinetic + elastic + series
    for e in range(len(ENERGY_ENTRIES)):
        missing -= y[WORKS + e]
    resting = 0.0
    for k in range(2):
        if tether.hulls[k].can_turn:
            rate = three(y, BODY * k + RATE)
            resting += 0.5 * dot(rate, apply_symmetric(tether.hulls[k].inertia, rate))
    x[HIGHEST], x[RESTING] = max(x[HIGHEST], total), min(x[RESTING], resting)
    if not missing >= x[MISSING_LEAST]:
        x[MISSING_LEAST] = missing
    if not missing <= x[MISSING_MOST]:
        x[MISSING_MOST] = missing


@routine
def speed_on_ground(tether, y):
    """Largest speed [m/s] of the hulls and cells that press on the ground."""
    ground, n, fastest = tether.ground, tether.line.count, 0.0
    for k in range(2):
        end = end_of(tether, y, k)
        if ground_gap(ground, end.place)[0] < tether.hulls[k].radius:
            fastest = max(fastest, norm(end.velocity))
    first, second = widths(tether, y)
    for i in range(n):
        if ground_gap(ground, three(y, CELLS + 3 * i))[0] < 0.5 * tether.line.diameter:
            mass = tether.line.density * cell_width(tether, i, first, second)
            fastest = max(fastest, norm(three(y, CELLS + 3 * n + 3 * i)) / mass)
    return fastest


@device
def hull_acceleration(tether, y, dy, k):
    """Size of the acceleration [m/s^2] of a hull with its reel: P' less what leaves, over its mass."""
    at, status, hull = BODY * k, tether.status, tether.hulls[k]
    mu, payout = tether.line.density, status[FEED + 2 * k]
    m = hull.mass + y[at + PROPELLANT] + mu * y[STORED + k]
    flow = mu * payout - dy[at + PROPELLANT]
    momentum, change = three(y, at + MOMENTUM), three(dy, at + MOMENTUM)
    return norm(scale(1.0 / m, add_scaled(change, flow / m, momentum)))
