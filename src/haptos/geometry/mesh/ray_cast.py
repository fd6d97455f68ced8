"""Whether a segment meets a mesh: shadows and lines of sight."""

from __future__ import annotations

import math
import os
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import ArrayLike, NDArray

from haptos.core.errors import GeometryError
from haptos.core.jit import device, entry, routine
from haptos.core.vectors import cross, dot
from haptos.geometry.mesh.triangle_tree import STACK, Tree

CITES: tuple[str, ...] = ("Ericson2005",)

Floats = NDArray[np.float64]
Booleans = NDArray[np.bool_]

EDGE = 1e-12  # [-] of a triangle; a ray along a shared edge meets at least one of its two sides
CHUNK = 8192  # rays of one task


@device
def meets_box(boxes, node, x, step):
    """Whether the segment x + s step, 0 <= s <= 1, meets the box of a node.

    Source: [Ericson2005] 5.3.3, slabs. A step of zero along an axis is compared, not divided by.
    """
    near, far = 0.0, 1.0
    for k in range(3):
        low, high = boxes[node, k] - x[k], boxes[node, k + 3] - x[k]
        if step[k] == 0.0:
            if low > 0.0 or high < 0.0:
                return False
        else:
            a, b = low / step[k], high / step[k]
            near, far = max(near, min(a, b)), min(far, max(a, b))
    return near <= far * (1.0 + 1e-14) + 1e-300


@device
def triangle_meeting(triangles, row, x, step):
    """s where x + s step meets the plane of a triangle inside it; infinite if it does not.

    Both sides count; a segment within the plane of the triangle does not meet it.
    Source: [Ericson2005] 5.3.6.
    """
    b = (triangles[row, 3], triangles[row, 4], triangles[row, 5])
    c = (triangles[row, 6], triangles[row, 7], triangles[row, 8])
    p = cross(step, c)
    volume = dot(b, p)
    if volume == 0.0:
        return math.inf
    r = (x[0] - triangles[row, 0], x[1] - triangles[row, 1], x[2] - triangles[row, 2])
    v = dot(r, p) / volume
    q = cross(r, b)
    w = dot(step, q) / volume
    if v < -EDGE or w < -EDGE or v + w > 1.0 + EDGE:
        return math.inf
    return dot(c, q) / volume


@routine
def is_met(tree, x, step, stack):
    """Whether the segment from x [m] to x + step [m] meets any triangle of the tree.

    stack  scratch, (STACK,) integers
    Frame: that of the mesh. Sign: both sides of the surface count.
    Validity: exact except for rounding; a start on the surface counts as met, so lift it first.
    """
    stack[0] = 0
    waiting = 1
    while waiting > 0:
        waiting -= 1
        node = stack[waiting]
        if not meets_box(tree.boxes, node, x, step):
            continue
        first, count = tree.first[node], tree.count[node]
        if count == 0:
            stack[waiting], stack[waiting + 1] = first, first + 1
            waiting += 2
            continue
        for row in range(first, first + count):
            s = triangle_meeting(tree.triangles, row, x, step)
            if 0.0 <= s <= 1.0:
                return True
    return False


@routine
def first_meeting(tree, x, step, besides, stack):
    """Share of the segment from x [m] along step [m] at which it first meets a triangle; 1 if it meets none.

    besides  row of a triangle that does not count          stack  as of `is_met`
    """
    nearest, waiting, stack[0] = 1.0, 1, 0
    while waiting > 0:
        waiting -= 1
        node = stack[waiting]
        if not meets_box(tree.boxes, node, x, step):
            continue
        first, count = tree.first[node], tree.count[node]
        if count == 0:
            stack[waiting], stack[waiting + 1] = first, first + 1
            waiting += 2
            continue
        for row in range(first, first + count):
            s = triangle_meeting(tree.triangles, row, x, step)
            if 0.0 < s < nearest and row != besides:
                nearest = s
    return nearest


@entry
def fill_met(tree, starts, steps, met, begin, end):
    """Which of the segments begin..end meet the mesh."""
    stack = np.empty(2 * STACK, dtype=np.int64)
    for i in range(begin, end):
        x = (starts[i, 0], starts[i, 1], starts[i, 2])
        step = (steps[i, 0], steps[i, 1], steps[i, 2])
        met[i] = is_met(tree, x, step, stack)


def segments_met(
    tree: Tree, starts: ArrayLike, ends: ArrayLike, *, workers: int | None = None
) -> Booleans:
    """Whether each segment from starts to ends, shapes (n, 3) [m], meets the mesh; shape (n,)."""
    x, y = np.broadcast_arrays(np.asarray(starts, dtype=float), np.asarray(ends, dtype=float))
    x, y = np.ascontiguousarray(x).reshape(-1, 3), np.ascontiguousarray(y).reshape(-1, 3)
    if not (np.all(np.isfinite(x)) and np.all(np.isfinite(y))):
        hint = "leave out runs that did not settle, whose place of rest is NaN"
        raise GeometryError("segments", "numbers that are not finite", "finite points", hint)
    steps, met = y - x, np.empty(len(x), dtype=np.bool_)
    fill_met(tree, x, steps, met, 0, 0)  # compiled before threads exist
    with ThreadPoolExecutor(workers or os.cpu_count()) as pool:
        tasks = [
            pool.submit(fill_met, tree, x, steps, met, i, min(i + CHUNK, len(x)))
            for i in range(0, len(x), CHUNK)
        ]
        for task in tasks:
            task.result()
    return met
