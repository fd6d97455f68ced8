"""Impact of several contacts at once: one block for all that close, solved together.

    u = u_0 + G P                                     velocities of the contacts after the impulses P
    compression:  P_n >= 0, u_n >= 0, P_n u_n = 0;    |P_t| <= f P_n, opposite to u_t where it slips
    restitution:  R_n = k e P_n of compression,       |R_t| <= f R_n, opposite to u_t where it slips
    k = 1, or less where more than sum e^2 W_n would come back, or more than compression took

    G      velocity changes per impulse [1/kg], symmetric, rows (u1, u2, N) of each contact
    u_0    velocities before [m/s], u_n < 0 closing        f, e  friction and restitution of each contact [-]
    W_n    work [J] that the normal impulse of a contact takes in compression
Without friction k is 1 and exactly e^2 of what was taken comes back. One contact that closes alone is left to
collision_stronge. What closes after the block is the next block: an impact goes on from contact to contact
as in a row of balls, and what closes together is solved together, so that symmetry is kept.
Both phases are found by accelerated projected gradients from P = 0, all contacts at once: the order of the
contacts does not matter, and of many impulses with the same motion a small one is found.
Frame: contact frames. Validity: rigid bodies, dry friction; slip takes its direction from the end of a phase. The
impulses, and with friction the motion too, need not be unique: this is one choice.
Source: what closes together is solved together: [Smith2012]; energetic bound [Stronge1990]; gradients with restarts
[ODonoghue2015]; friction after the load as in [Jourdan1998].
"""

from __future__ import annotations

import math

import numpy as np

from haptos.core.jit import device, routine

CITES: tuple[str, ...] = ("Smith2012", "Stronge1990", "ODonoghue2015", "Jourdan1998")

MOST_CONTACTS = 16  # [-] of one block
ROUNDS = 4000  # [-] bound of the search; usual are 100 to 600
CONVERGED = 1e-15  # [-] of the largest impulse, by which a round may still change
ROUNDING = 1e-14  # [-] of the energy at stake, which is none
SHARES = 40  # [-] halvings of the share k
FINE, CUT_SHORT = 0, 1  # status

# Rows of the working array (ROWS, 3 MOST_CONTACTS): velocity u, impulse of all phases, of this phase, where a
# round looks from and what it finds; by contact: friction, restitution, given normal impulse, works.
VELOCITY, IMPULSE, PHASE, AHEAD, NEXT = 0, 1, 2, 3, 4
FRICTION, RESTITUTION, GIVEN, NORMAL_WORK, FRICTION_WORK, BEFORE = 5, 6, 7, 8, 9, 10
ROWS = 11
SIZE = 3 * MOST_CONTACTS


def block_arrays() -> tuple[np.ndarray, np.ndarray]:
    """(G, working array) for `block_impact`, one set per thread."""
    return np.zeros((SIZE, SIZE)), np.zeros((ROWS, SIZE))


@device
def changed(matrix, size, rows, row, k):
    """Component k of G times a row."""
    total = 0.0
    for j in range(size):
        total += matrix[k, j] * rows[row, j]
    return total


@device
def project(rows, i, is_given, x, y, z):
    """Write to NEXT the impulse (x, y, z) of contact i, cut to its load and cone."""
    load = rows[GIVEN, i] if is_given else max(z, 0.0)
    most, held = rows[FRICTION, i] * load, math.sqrt(x * x + y * y)
    share = most / held if held > most else 1.0
    rows[NEXT, 3 * i], rows[NEXT, 3 * i + 1], rows[NEXT, 3 * i + 2] = share * x, share * y, load


@device
def round_of(matrix, rows, count, rate, is_given):
    """One step of all contacts from AHEAD to NEXT."""
    size = 3 * count
    for i in range(count):
        a = 3 * i
        project(
            rows, i, is_given,
            rows[AHEAD, a] - rate * (rows[VELOCITY, a] + changed(matrix, size, rows, AHEAD, a)),
            rows[AHEAD, a + 1]
            - rate * (rows[VELOCITY, a + 1] + changed(matrix, size, rows, AHEAD, a + 1)),
            rows[AHEAD, a + 2]
            - rate * (rows[VELOCITY, a + 2] + changed(matrix, size, rows, AHEAD, a + 2)),
        )  # fmt: skip


@routine
def solve_phase(matrix, rows, count, is_given):
    """Impulse of one phase, into PHASE; whether the search came to its end."""
    size, largest_row = 3 * count, 0.0
    for k in range(size):
        total = 0.0
        for j in range(size):
            total += abs(matrix[k, j])
        largest_row = max(largest_row, total)
        rows[PHASE, k] = rows[GIVEN, k // 3] if is_given and k % 3 == 2 else 0.0
        rows[AHEAD, k] = rows[PHASE, k]
    momentum = 1.0
    for _ in range(ROUNDS):
        round_of(matrix, rows, count, 1.0 / largest_row, is_given)
        back, left, largest = 0.0, 0.0, 0.0
        for k in range(size):
            ahead, found = rows[AHEAD, k], rows[NEXT, k]
            back += (ahead - found) * (found - rows[PHASE, k])
            left = max(left, abs(ahead - found))
            largest = max(largest, abs(found))
        after = 0.5 * (1.0 + math.sqrt(1.0 + 4.0 * momentum * momentum))
        push = (momentum - 1.0) / after
        if back > 0.0:  # it runs back: let go of the momentum
            after, push = 1.0, 0.0
        momentum = after
        for k in range(size):
            found = rows[NEXT, k]
            rows[AHEAD, k] = found + push * (found - rows[PHASE, k])
            rows[PHASE, k] = found
        if left <= CONVERGED * largest:
            return True
    return False


@device
def gain_of(matrix, rows, count):
    """(work P . u before [J], P . G P [J]) of the impulse of this phase."""
    size, first, second = 3 * count, 0.0, 0.0
    for k in range(size):
        first += rows[PHASE, k] * rows[VELOCITY, k]
        second += rows[PHASE, k] * changed(matrix, size, rows, PHASE, k)
    return first, second


@device
def take_phase(matrix, rows, count):
    """Let the impulse of the phase act, and book its works."""
    size = 3 * count
    for k in range(size):
        rows[NEXT, k] = rows[VELOCITY, k] + changed(matrix, size, rows, PHASE, k)
    for i in range(count):
        a = 3 * i
        for k in range(a, a + 3):
            work = 0.5 * rows[PHASE, k] * (rows[VELOCITY, k] + rows[NEXT, k])
            if k == a + 2:
                rows[NORMAL_WORK, i] += work
            else:
                rows[FRICTION_WORK, i] += work
    for k in range(size):
        rows[VELOCITY, k] = rows[NEXT, k]
        rows[IMPULSE, k] += rows[PHASE, k]


@routine
def compress(matrix, rows, count):
    """Compression of all contacts: (energy taken [J], of which restitution may give back; is found)."""
    is_found = solve_phase(matrix, rows, count, False)
    first, second = gain_of(matrix, rows, count)
    if second > 0.0 and first + 0.5 * second > 0.0:  # a search cut short: as far as it loses most
        share = max(-first / second, 0.0)
        for k in range(3 * count):
            rows[PHASE, k] *= share
        first, second = share * first, share * share * second
    taken = -(first + 0.5 * second)
    take_phase(matrix, rows, count)
    given = 0.0
    for i in range(count):
        e = rows[RESTITUTION, i]
        rows[GIVEN, i] = e * rows[PHASE, 3 * i + 2]
        given -= e * e * min(rows[NORMAL_WORK, i], 0.0)
    return taken, min(given, taken), is_found


@routine
def restore(matrix, rows, count, taken, most):
    """Restitution of all contacts, of which no more than `most` [J] comes back; is found."""
    low, high, share, used = 0.0, 1.0, 1.0, 1.0
    is_found = True
    for halving in range(SHARES):
        for i in range(count):
            rows[GIVEN, i] *= share / used
        used = share
        is_found = solve_phase(matrix, rows, count, True)
        first, second = gain_of(matrix, rows, count)
        if first + 0.5 * second <= most + ROUNDING * taken:
            low = share
            if halving == 0:
                break
        else:
            high = share
        share = 0.5 * (low + high)
    take_phase(matrix, rows, count)
    return is_found


@routine
def block_impact(matrix, rows, count):
    """Impact of `count` contacts that close; status FINE or CUT_SHORT.

    In: matrix G (SIZE, SIZE), rows VELOCITY, FRICTION, RESTITUTION. Out: VELOCITY after, IMPULSE, works by contact
    [J], none of which adds energy; BEFORE holds the velocities before.
    """
    for k in range(3 * count):
        rows[BEFORE, k], rows[IMPULSE, k] = rows[VELOCITY, k], 0.0
    for i in range(count):
        rows[NORMAL_WORK, i], rows[FRICTION_WORK, i] = 0.0, 0.0
    taken, most, is_found = compress(matrix, rows, count)
    if most > 0.0:
        is_found = restore(matrix, rows, count, taken, most) and is_found
    share_losses(rows, count)
    return FINE if is_found else CUT_SHORT


@device
def share_losses(rows, count):
    """Works as losses of each kind: what the contacts exchange through the body is no gain of any."""
    normal, friction = 0.0, 0.0
    for i in range(count):
        normal += rows[NORMAL_WORK, i]
        friction += rows[FRICTION_WORK, i]
    total = min(normal + friction, 0.0)
    friction = min(max(friction, total), 0.0)
    for i in range(count):
        rows[NORMAL_WORK, i] = (total - friction) / count
        rows[FRICTION_WORK, i] = friction / count
