"""Closed meshes with thin parts and thin gaps, facing outward."""

from __future__ import annotations

from pathlib import Path

import numpy as np


def prism(outline: list[tuple[float, float]], first: int, length: float, pieces: int):
    """(vertices [m], faces) of an outline in xz, anticlockwise seen from -y, drawn along y by a length [m].

    first  corner of the outline from which all others are seen      pieces  of every side along y
    """
    corners, count = np.array(outline), len(outline)
    places = np.linspace(-0.5 * length, 0.5 * length, pieces + 1)
    rings = [np.stack([corners[:, 0], np.full(count, y), corners[:, 1]], axis=1) for y in places]
    faces = []
    for ring in range(pieces):
        for i in range(count):
            a, b = ring * count + i, ring * count + (i + 1) % count
            c, d = b + count, a + count
            faces += [(a, d, c), (a, c, b)]
    order = [(first + i) % count for i in range(count)]
    last = pieces * count
    for i in range(1, count - 1):
        a, b, c = order[0], order[i], order[i + 1]
        faces += [(a, b, c), (last + a, last + c, last + b)]
    return np.concatenate(rings), np.array(faces, dtype=np.int64)


def angle_section(width: float, thickness: float, length: float, pieces: int):
    """An L: a slab in xy and one in yz of that width and thickness [m], the corner at the origin."""
    a, t = width, thickness
    outline = [(0.0, 0.0), (a, 0.0), (a, t), (t, t), (t, a), (0.0, a)]
    return prism(outline, 3, length, pieces)


def revolved(profile: list[tuple[float, float]], around: int):
    """(vertices [m], faces) of a line of (radius, z) [m] from axis to axis, anticlockwise, turned round z."""
    vertices, turn = [(0.0, 0.0, profile[0][1])], 2.0 * np.pi * np.arange(around) / around
    for r, z in profile[1:-1]:
        vertices += [(r * np.cos(t), r * np.sin(t), z) for t in turn]
    vertices.append((0.0, 0.0, profile[-1][1]))
    faces, rings, top = [], len(profile) - 2, len(vertices) - 1
    for i in range(around):
        j = (i + 1) % around
        faces += [(0, 1 + j, 1 + i)]
        for ring in range(rings - 1):
            a, b = 1 + ring * around + i, 1 + ring * around + j
            faces += [(a, b, b + around), (a, b + around, a + around)]
        low = 1 + (rings - 1) * around
        faces += [(low + i, low + j, top)]
    return np.array(vertices), np.array(faces, dtype=np.int64)


def bowl(radius: float, thickness: float, around: int, along: int):
    """A half shell of outer radius and thickness [m], open to the top; `around` x `along` facets a side."""
    angles, inner = np.linspace(0.0, 0.5 * np.pi, along + 1), radius - thickness
    profile = [(radius * np.sin(a), -radius * np.cos(a)) for a in angles]
    profile += [(inner * np.sin(a), -inner * np.cos(a)) for a in angles[::-1]]
    return revolved(profile, around)


def grooved(gap: float, around: int):
    """A disc 20 m wide and 6 m high with a groove round its top, 4 m deep and `gap` [m] wide."""
    inner, outer = 6.0 - 0.5 * gap, 6.0 + 0.5 * gap
    profile = [(0.0, -3.0), (5.0, -3.0), (10.0, -3.0), (10.0, 3.0), (outer, 3.0), (outer, -1.0)]
    profile += [(inner, -1.0), (inner, 3.0), (3.0, 3.0), (0.0, 3.0)]
    return revolved(profile, around)


def write_obj(path: Path, vertices: np.ndarray, faces: np.ndarray) -> str:
    """A mesh as a file; its name."""
    lines = [f"v {x!r} {y!r} {z!r}" for x, y, z in vertices.tolist()]
    lines += [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in faces.tolist()]
    path.write_text("\n".join(lines) + "\n", encoding="ascii")
    return str(path)
