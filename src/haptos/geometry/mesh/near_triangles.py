"""What could touch soon: triangles of a mesh near a point, edges near a box."""

from __future__ import annotations

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
