"""A step of a pair in polygonal contact: polygons and stretches at its start, friction and extremes at its end.

    taken    = work of shear forces of the step - change of what stretches store
    friction = taken - released          in steps in which a node slips
    released = taken                     in steps in which none does, within 0 and sum 1/2 K_T |dw| max |a|^2
    remesh   = change of elastic and stick energy when leaves change at one pose; zero for fixed leaves

    w, dw    area of a node [m^2] and its change in the step       a  its stretch [m], at the start or the end

While all nodes stick, area that comes or leaves is all that loses energy. The loss of the step's own law is `taken`, without
an error; of a formula at the step's start it would be known to the first order only. Beyond its bounds it is an error, and
stays in the remainder of the ledger.
A record `pair` of any march has law, reference, faces, refinement, found, memory and sums. Stages of a step use the
stretches of its start; they change with accepted steps only.
Validity: as contact/laws/foundation.py. Source: ours.
"""

from __future__ import annotations

from haptos.contact.sets.polygons import NODES, find_polygons
from haptos.contact.sets.polygons_memory import recall, remember
from haptos.contact.sets.polygons_sum import (
    DEPTH,
    ELASTIC,
    PRESSURE,
    SLIPPING,
    STICK,
    load_nodes,
)
from haptos.core.jit import device, routine
from haptos.core.vectors import dot, norm

CITES: tuple[str, ...] = ()

# Entries of `account`: friction, released, remesh so far, stick and elastic energy at the step's start,
# time of first touch and of last separation, deepest, largest pressure, force, elastic energy; nodes that slip at the step's start
(
    A_FRICTION,
    A_RELEASED,
    A_REMESH,
    A_STICK,
    A_ELASTIC,
    A_TOUCH,
    A_LEAVE,
    A_DEPTH,
    A_PRESSURE,
    A_FORCE,
    A_PEAK,
    A_SLIPPING,
) = range(12)
ACCOUNT = 12


@device
def _row(rows, k):
    return (rows[k, 0], rows[k, 1], rows[k, 2])


@routine
def begin_polygons(pair, pose, spreads, margin, account):
    """Find the polygons within the margin [m] and give them their stretches; remesh into the account."""
    found = pair.found
    find_polygons(pair.reference, pair.faces, pair.refinement, pose, spreads, margin, found)
    load_nodes(pair.law, found, pair.sums)
    recall(pair.memory, pair.faces, found)
    stick = 0.0
    for k in range(found.counts[NODES]):
        found.weight_before[k] = found.weight[k]
        a = _row(found.stretch, k)
        stick += 0.5 * pair.law.shear * found.weight[k] * dot(a, a)
        for c in range(3):
            found.point_before[k, c] = found.point[k, c]
    elastic = pair.sums[ELASTIC]
    account[A_REMESH] += elastic - account[A_ELASTIC] + stick - account[A_STICK]
    account[A_ELASTIC], account[A_STICK] = elastic, stick


@routine
def released_energy(pair):
    """Energy [J] of stretches let go in the step: area that came or left, cones that shrank."""
    found, shear = pair.found, pair.law.shear
    total = 0.0
    for k in range(found.counts[NODES]):
        before, w = found.weight_before[k], found.weight[k]
        if before <= 0.0:
            continue
        a = _row(found.stretch, k)
        square = dot(a, a)
        if w <= before:
            total += 0.5 * shear * square * (before - w)
        else:
            total += 0.5 * shear * square * before * (1.0 - before / w)
            square *= (before / w) ** 2
        if found.slips[k] == 1 and w > 0.0:
            held = _row(found.held, k)
            total += 0.5 * shear * w * max(square - dot(held, held), 0.0)
    return total


@routine
def most_released(pair):
    """Energy [J] that area that came or left in the step can have taken at most."""
    found, total = pair.found, 0.0
    for k in range(found.counts[NODES]):
        change = abs(found.weight[k] - found.weight_before[k])
        if change > 0.0:
            a, b = _row(found.stretch, k), _row(found.held, k)
            total += 0.5 * pair.law.shear * change * max(dot(a, a), dot(b, b))
    return total


@routine
def frictional_losses(pair, shear_work, stick_before, slipping_before):
    """(friction [J], released [J]) from the step's start to the state whose sums the pair holds.

    shear_work  [J] of shear forces since then, of `SHEAR` in the sums
    stick_before, slipping_before  energy of stretches [J] and nodes that slip at the start
    """
    taken = shear_work - (pair.sums[STICK] - stick_before)
    if pair.sums[SLIPPING] > 0.0 or slipping_before > 0.0:
        released = released_energy(pair)
        return taken - released, released
    return 0.0, min(max(taken, 0.0), most_released(pair))


@routine
def end_polygons(pair, shear_work, account):
    """Account for friction of an accepted step, whose end the pair's sums hold, and keep its stretches."""
    sums = pair.sums
    friction, released = frictional_losses(pair, shear_work, account[A_STICK], account[A_SLIPPING])
    account[A_FRICTION] += friction
    account[A_RELEASED] += released
    account[A_STICK], account[A_ELASTIC] = sums[STICK], sums[ELASTIC]
    account[A_SLIPPING] = sums[SLIPPING]
    remember(pair.memory, pair.found, pair.law.resets)


@routine
def note_extremes(sums, account):
    """Take depth, pressure, elastic energy and force of a state into the extremes of an account."""
    account[A_DEPTH] = max(account[A_DEPTH], sums[DEPTH])
    account[A_PRESSURE] = max(account[A_PRESSURE], sums[PRESSURE])
    account[A_PEAK] = max(account[A_PEAK], sums[ELASTIC])
    account[A_FORCE] = max(account[A_FORCE], norm((sums[0], sums[1], sums[2])))
