"""On which side of a plane or a line is a point? Answered without rounding errors."""

from __future__ import annotations

from haptos.core.jit import device, routine

CITES: tuple[str, ...] = ("Shewchuk1997",)

HALF_ULP = 2.0**-53  # [-], relative rounding of one operation
ERROR = (7.0 + 56.0 * HALF_ULP) * HALF_ULP  # [-], of a 3 x 3 determinant of differences
SPLITTER = 2.0**27 + 1.0  # [-], cuts the 53 bits of a number in two halves

# Scratch: nine differences, what rounding lost of each, then the terms of a sum.
LOST, TERMS = 9, 18
SCRATCH = TERMS + 6 * 8 * 4 + 1  # [-], most terms of a determinant, and one more


@routine
def side_of_plane(points, a, b, c, d, scratch):
    """+1, -1 or 0: sign of (a - d) . (b - d) x (c - d), exactly; 0 only if the four share a plane.

    points   (n, 3); a, b, c, d are rows of it. A negative c stands for the direction of the axis
             -1 - c instead of c - d: the side of d from the line a b, seen along that axis.
    scratch  SCRATCH floats
    Validity: exact for the numbers in `points` as long as no product of three overflows or falls
    below the smallest normal number; no fused multiply-add may be formed.
    Source: [Shewchuk1997], the error bound of orient3d and sums as expansions.
    """
    for k in range(3):
        scratch[k] = points[a, k] - points[d, k]
        scratch[k + 3] = points[b, k] - points[d, k]
        scratch[k + 6] = points[c, k] - points[d, k] if c >= 0 else (1.0 if k == -1 - c else 0.0)
    volume, bound = 0.0, 0.0
    for k in range(3):
        i, j = (k + 1) % 3, (k + 2) % 3
        plus, minus = scratch[3 + i] * scratch[6 + j], scratch[3 + j] * scratch[6 + i]
        volume += scratch[k] * (plus - minus)
        bound += abs(scratch[k]) * (abs(plus) + abs(minus))
    if abs(volume) > ERROR * bound:
        return 1 if volume > 0.0 else -1
    if bound == 0.0:
        return 0
    for k in range(3):
        scratch[LOST + k] = lost_difference(points[a, k], points[d, k], scratch[k])
        scratch[LOST + k + 3] = lost_difference(points[b, k], points[d, k], scratch[k + 3])
        scratch[LOST + k + 6] = 0.0
        if c >= 0:
            scratch[LOST + k + 6] = lost_difference(points[c, k], points[d, k], scratch[k + 6])
    return exact_sign(scratch)


@device
def lost_difference(a, b, rounded):
    """(a - b) - rounded, where rounded is a - b as computed; without error."""
    part = a - rounded
    return (a - (rounded + part)) + (part - b)


@routine
def exact_sign(scratch):
    """Sign of the determinant of the nine differences and their lost parts."""
    count = 0
    for choice in range(6 * 8):
        k, even = choice // 16, choice // 8 % 2
        i, j = (k + 1 + even) % 3, (k + 2 - even) % 3
        x = scratch[k + LOST * (choice & 1)]
        y = scratch[i + 3 + LOST * (choice >> 1 & 1)]
        z = scratch[j + 6 + LOST * (choice >> 2 & 1)]
        if x == 0.0 or y == 0.0 or z == 0.0:
            continue
        high, low = product(-x if even else x, y)
        for part in range(4):
            top, rest = product(low if part < 2 else high, z)
            count = add_term(scratch, count, rest if part % 2 == 0 else top)
    if count == 0:
        return 0
    return 1 if scratch[TERMS + count - 1] > 0.0 else -1  # the largest decides


@device
def product(a, b):
    """(rounded product, what rounding lost) of two numbers."""
    x = a * b
    c = SPLITTER * a
    a_high = c - (c - a)
    c = SPLITTER * b
    b_high = c - (c - b)
    a_low, b_low = a - a_high, b - b_high
    return x, a_low * b_low - (((x - a_high * b_high) - a_low * b_high) - a_high * b_low)


@device
def add_term(scratch, count, term):
    """Add one number to the sum, held as numbers of rising size that do not overlap; its length."""
    kept, total = 0, term
    for k in range(count):
        old = scratch[TERMS + k]
        new = total + old
        part = new - total
        lost = (total - (new - part)) + (old - part)
        total = new
        if lost != 0.0:
            scratch[TERMS + kept] = lost
            kept += 1
    if total != 0.0:
        scratch[TERMS + kept] = total
        kept += 1
    return kept
