"""Stretches of friction that stay with their nodes while polygons come, go, split and join.

    kept     a node that is in both sets keeps its stretch
    split    a new node between two old ones takes the mean of theirs
    joined   a node that is gone hands w a, half to each of the two nodes it lay between
    left     a node that is gone and has no place in the new set lets go of its energy

The force K_T sum w a is kept when a set is split or joined; the energy changes by an interpolation
error, which the caller reports. Nodes ride on the surface of B, so a spreading shape carries them along.
Validity: both sets are of one pose. Source: ours.
"""

from __future__ import annotations

from collections import namedtuple

import numpy as np

from haptos.contact.sets.polygons import CODE, FACE, NODES, PolygonSet
from haptos.core.by_reference import by_reference
from haptos.core.jit import device, routine

CITES: tuple[str, ...] = ()

NOTHING = -1

# names (n, 2), stretch (n, 3) [m], weight (n,) [m^2] of the set before; count (2,): nodes, size of the table in use; table: hash of the new set;
# handed (n, 4): w and w a handed over; is_known (n,)
PolygonMemory = namedtuple("PolygonMemory", "names stretch weight count table handed is_known")
by_reference(PolygonMemory)


def polygon_memory(found: PolygonSet) -> PolygonMemory:
    """Empty memory with room for the nodes of a set."""
    nodes = len(found.gap)
    size = 16
    while size < 4 * nodes:
        size *= 2
    return PolygonMemory(
        np.zeros((nodes, 2), dtype=np.int64),
        np.zeros((nodes, 3)),
        np.zeros(nodes),
        np.full(2, 16, dtype=np.int64) * np.array([0, 1]),
        np.full(size, NOTHING, dtype=np.int64),
        np.zeros((nodes, 4)),
        np.zeros(nodes, dtype=np.int64),
    )


@device
def _start(face, code, size):
    """Where in the table to look first."""
    key = code * 40503 + 1 if code < 0 else (face + 1) * 2654435761 + code * 40503
    key ^= key >> 15
    return (key * 2246822519 >> 7) & (size - 1)


@device
def _same(names, k, face, code):
    return names[k, CODE] == code and (code < 0 or names[k, FACE] == face)


@routine
def find_node(memory, found, face, code):
    """Index of a node in the new set by its name, or NOTHING."""
    size = memory.count[1]
    at = _start(face, code, size)
    while memory.table[at] != NOTHING:
        k = memory.table[at]
        if _same(found.names, k, face, code):
            return k
        at = (at + 1) & (size - 1)
    return NOTHING


@routine
def _hash_set(memory, found):
    size = 16
    while size < 2 * found.counts[NODES]:
        size *= 2
    memory.count[1] = size
    for at in range(size):
        memory.table[at] = NOTHING
    for k in range(found.counts[NODES]):
        at = _start(found.names[k, FACE], found.names[k, CODE], size)
        while memory.table[at] != NOTHING:
            at = (at + 1) & (size - 1)
        memory.table[at] = k


@device
def _name(faces, f, i, j, n):
    """Code of the node (i, j) of face f."""
    if i == n:
        return -1 - faces.vertex[f, 1]
    if j == n:
        return -1 - faces.vertex[f, 2]
    if i + j == 0:
        return -1 - faces.vertex[f, 0]
    return i * (n + 1) + j


@device
def _parents(memory, faces, found, face, code):
    """Indices in the new set of the two nodes that a node lies between, or NOTHING."""
    if code < 0:
        return NOTHING, NOTHING
    n = 1 << faces.levels
    i, j = code // (n + 1), code % (n + 1)
    m = (i | j) & -(i | j)
    di = m if i & m else 0
    dj = m if j & m else 0
    if di and dj:
        dj = -dj
    first = find_node(memory, found, face, _name(faces, face, i - di, j - dj, n))
    return first, find_node(memory, found, face, _name(faces, face, i + di, j + dj, n))


@routine
def recall(memory, faces, found):
    """Fill the stretches of a new set, whose weights are known, from the memory of the old one."""
    _hash_set(memory, found)
    for k in range(found.counts[NODES]):
        memory.is_known[k] = 0
        for c in range(4):
            memory.handed[k, c] = 0.0
    for m in range(memory.count[0]):
        w = memory.weight[m]
        if w > 0.0:
            _hand(memory, faces, found, m, w)
    for k in range(found.counts[NODES]):
        w = memory.handed[k, 3]
        for c in range(3):
            found.stretch[k, c] = memory.handed[k, c] / w if w > 0.0 else 0.0
    for k in range(found.counts[NODES]):
        if memory.handed[k, 3] == 0.0 and found.weight[k] > 0.0:
            a, b = _parents(memory, faces, found, found.names[k, FACE], found.names[k, CODE])
            if a != NOTHING and b != NOTHING and memory.is_known[a] + memory.is_known[b] == 2:
                for c in range(3):
                    found.stretch[k, c] = 0.5 * (found.stretch[a, c] + found.stretch[b, c])


@device
def _hand(memory, faces, found, m, w):
    """Give the stretch of old node m to itself, or half of it to each of its parents."""
    face, code = memory.names[m, FACE], memory.names[m, CODE]
    k = find_node(memory, found, face, code)
    if k != NOTHING:
        memory.is_known[k] = 1
        _add(memory, k, m, w)
        return
    a, b = _parents(memory, faces, found, face, code)
    if a != NOTHING and b != NOTHING:
        _add(memory, a, m, 0.5 * w)
        _add(memory, b, m, 0.5 * w)


@device
def _add(memory, k, m, w):
    for c in range(3):
        memory.handed[k, c] += w * memory.stretch[m, c]
    memory.handed[k, 3] += w


@routine
def remember(memory, found, resets):
    """Keep names, stretches and weights of the nodes in contact at the end of a step."""
    count = 0
    for k in range(found.counts[NODES]):
        if found.weight[k] > 0.0:
            memory.names[count, FACE] = found.names[k, FACE]
            memory.names[count, CODE] = found.names[k, CODE]
            memory.weight[count] = found.weight[k]
            lets_go = resets == 1 and found.slips[k] == 1
            for c in range(3):
                memory.stretch[count, c] = 0.0 if lets_go else found.held[k, c]
            count += 1
    memory.count[0] = count
