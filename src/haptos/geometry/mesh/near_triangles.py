"""What could touch soon: triangles of a mesh near a point, edges near a box."""

from __future__ import annotations

import math

from haptos.core.jit import device, routine
from haptos.geometry.mesh.triangle_tree import box_square, triangle_foot


@routine
def near_triangles(tree, x, reach, found, stack):
    """Number of triangles within `reach` [m] of x, their rows written to `found`.

    If there is no room for all of them the answer is -1, and a smaller reach is to be asked.
    stack  scratch, (STACK, 2) floats
    """
    square = reach * reach
    stack[0, 0] = 0.0
    waiting, count = 1, 0
    while waiting > 0:
        waiting -= 1
        node = int(stack[waiting, 0])
        if box_square(tree.boxes, node, x) > square:
            continue
        begin = tree.first[node]
        if tree.count[node] == 0:
            stack[waiting, 0], stack[waiting + 1, 0] = begin, begin + 1
            waiting += 2
            continue
        for row in range(begin, begin + tree.count[node]):
            if triangle_foot(tree.triangles, row, x)[0] <= square:
                if count == len(found):
                    return -1
                found[count] = row
                count += 1
    return count


@routine
def nearest_and_near(tree, x, radius, margin, guess, found, stack):
    """(square [m^2] of the distance of the nearest triangle, its row, number of triangles in `found`).

    Found are the triangles within radius + that distance + margin [m], as by `near_triangles`, in one walk with the
    search for the nearest. If there is no room for all of them the number is -1; it may be so if there is little.
    guess  row of a triangle close to the answer         stack  scratch, (STACK, 2) floats
    """
    best, nearest = triangle_foot(tree.triangles, guess, x)[0], guess
    limit = (radius + math.sqrt(best) + margin) ** 2
    stack[0, 0] = 0.0
    waiting, count, room = 1, 0, min(len(found), len(stack))
    while waiting > 0:
        waiting -= 1
        node, is_near = int(stack[waiting, 0]), True
        while is_near and tree.count[node] == 0:
            node, is_near, waiting = next_node(tree, x, limit, node, stack, waiting)
        if not is_near:
            continue
        begin = tree.first[node]
        for row in range(begin, begin + tree.count[node]):
            square = triangle_foot(tree.triangles, row, x)[0]
            if square > limit:
                continue
            if count == room:
                return best, nearest, -1
            found[count], stack[count, 1] = row, square
            count += 1
            if square < best:
                best, nearest = square, row
                limit = (radius + math.sqrt(best) + margin) ** 2
    return best, nearest, within_square(found, stack, count, limit)


@device
def next_node(tree, x, square, node, stack, waiting):
    """(child of a node to go on with, whether it is within a squared distance [m^2] of x, nodes on the stack)."""
    first = tree.first[node]
    is_near = box_square(tree.boxes, first + 1, x) <= square
    if not box_square(tree.boxes, first, x) <= square:
        return first + 1, is_near, waiting
    if not is_near:
        return first, True, waiting
    stack[waiting, 0] = first
    return first + 1, True, waiting + 1


@device
def within_square(found, stack, count, square):
    """How many of the rows found are within a squared distance [m^2], moved to the front; stack[:, 1] their own."""
    kept = 0
    for c in range(count):
        if stack[c, 1] <= square:
            found[kept] = found[c]
            kept += 1
    return kept


@routine
def near_boxes(tree, low, high, found, stack):
    """Number of things whose leaf's box meets the box (low, high) [m], written to `found`.

    -1 if there is no room for them.
    """
    if len(tree.order) == 0:
        return 0
    stack[0, 0] = 0.0
    waiting, count = 1, 0
    while waiting > 0:
        waiting -= 1
        node = int(stack[waiting, 0])
        if not meets(tree.boxes, node, low, high):
            continue
        begin = tree.first[node]
        if tree.count[node] == 0:
            stack[waiting, 0], stack[waiting + 1, 0] = begin, begin + 1
            waiting += 2
            continue
        for row in range(begin, begin + tree.count[node]):
            if count == len(found):
                return -1
            found[count] = tree.order[row]
            count += 1
    return count


@device
def meets(boxes, node, low, high):
    """Do the box of a node and the box (low, high) share a point?"""
    return (
        boxes[node, 0] <= high[0]
        and boxes[node, 1] <= high[1]
        and boxes[node, 2] <= high[2]
        and boxes[node, 3] >= low[0]
        and boxes[node, 4] >= low[1]
        and boxes[node, 5] >= low[2]
    )
