"""Forces of polygonal contact beside a quadrature over the true surface, with distances written here."""

from __future__ import annotations

import math

import numpy as np
import pytest

from haptos.contact.sets.polygons_pair import PolygonPair, foundation_law
from haptos.contact.sets.polygons_sum import AREA, ELASTIC, FORCE, TORQUE
from haptos.core.rotations import quaternion_from_yaw_pitch_roll, rotation_matrices
from haptos.geometry.distance.reference import box, half_space, meshed, revolved
from haptos.geometry.distance.revolution import (
    ball_pieces,
    capsule_pieces,
    cylinder_pieces,
    funnel_pieces,
    torus_pieces,
)
from haptos.geometry.distance.section_build import section
from haptos.geometry.mesh.curved_faces_build import mesh_faces, octahedron_faces

K, R = 1e9, 0.03
STEP = 1e-7  # [m] of differences of distances
CUBOID = np.array([[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1],
                   [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]])  # fmt: skip
ELL = np.array([[-0.1, -0.1], [0.1, -0.1], [0.1, 0.0], [0.0, 0.0], [0.0, 0.1], [-0.1, 0.1]])


def radial(p):
    return p[..., 0], np.hypot(p[..., 1], p[..., 2])


def of_box(p, half=(0.1, 0.05, 0.03)):
    q = np.abs(p) - np.array(half)
    return np.linalg.norm(np.maximum(q, 0), axis=-1) + np.minimum(q.max(axis=-1), 0)


def of_cylinder(p):
    x, r = radial(p)
    q = np.stack([np.abs(x) - 0.1, r - 0.05], axis=-1)
    return np.linalg.norm(np.maximum(q, 0), axis=-1) + np.minimum(q.max(axis=-1), 0)


def of_capsule(p):
    x, r = radial(p)
    return np.hypot(x - np.clip(x, -0.05, 0.05), r) - 0.05


def of_torus(p):
    x, r = radial(p)
    return np.hypot(x, r - 0.08) - 0.02


HALF_ANGLE = math.radians(25.0)  # of the funnel


def of_funnel(p, half=HALF_ANGLE):
    x, r = radial(p)
    return x * math.sin(half) - r * math.cos(half)


def of_ell(p):
    """An L of 0.2 m, far from its ends along z."""
    x = p[..., :2]
    far, inside = np.full(x.shape[:-1], np.inf), np.zeros(x.shape[:-1], dtype=bool)
    for a, b in zip(ELL, np.roll(ELL, -1, axis=0), strict=True):
        e = b - a
        share = np.clip(((x - a) @ e) / (e @ e), 0, 1)
        far = np.minimum(far, np.linalg.norm(x - a - share[..., None] * e, axis=-1))
        if a[1] != b[1]:
            crosses = (a[1] > x[..., 1]) != (b[1] > x[..., 1])
            inside ^= crosses & (x[..., 0] < e[0] * (x[..., 1] - a[1]) / e[1] + a[0])
    return np.where(inside, -far, far)


def ell_mesh(mirrored=False, offset=(0.0, 0.0, 0.0)):
    n = len(ELL)
    points = np.array([[x, y, z] for z in (-0.1, 0.1) for x, y in ELL])
    faces = [
        f
        for k in range(n)
        for f in ([k, (k + 1) % n, (k + 1) % n + n], [k, (k + 1) % n + n, k + n])
    ]
    caps = [[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5]]
    faces += [[a + n, b + n, c + n] for a, b, c in caps] + [[a, c, b] for a, b, c in caps]
    if mirrored:
        return meshed(points * [-1, 1, 1] + offset, np.array(faces)[:, ::-1])
    return meshed(points + offset, np.array(faces))


def summed(gap, points, areas):
    """(force, torque about the origin, energy, area) of points of B with their areas."""
    g = gap(points)
    ahead = [gap(points + STEP * e) - gap(points - STEP * e) for e in np.eye(3)]
    n = np.stack(ahead, axis=-1)
    n /= np.linalg.norm(n, axis=-1, keepdims=True)
    s = np.maximum(-g, 0)
    f = (K * s * areas)[..., None] * n
    touching = float((areas * (s > 0)).sum())
    return f.reshape(-1, 3).sum(axis=0), np.cross(points, f).reshape(-1, 3).sum(axis=0), 0.5 * K * float((s**2 * areas).sum()), touching  # fmt: skip


def on_ball(centre, towards, half_angle, count=400):
    """Points and areas of a cap of a ball of radius R about a direction."""
    x, w = np.polynomial.legendre.leggauss(count)
    polar, around = 0.5 * half_angle * (x + 1), 2 * np.pi * (np.arange(count) + 0.5) / count
    areas = (0.5 * half_angle * w * np.sin(polar))[:, None] * np.full(count, 2 * np.pi / count)
    n = np.asarray(towards) / np.linalg.norm(towards)
    u = np.cross(n, [0.3, 0.5, 0.7])
    u /= np.linalg.norm(u)
    ring = np.cos(around)[:, None] * u + np.sin(around)[:, None] * np.cross(n, u)
    out = np.cos(polar)[:, None, None] * n + np.sin(polar)[:, None, None] * ring
    return np.asarray(centre) + R * out, R * R * areas


def on_faces(vertices, faces, count=150):
    """Points and areas of many small triangles."""
    i, j = (k.reshape(-1) for k in np.meshgrid(*2 * [np.arange(count)], indexing="ij"))
    up, down = i + j < count, i + j < count - 1
    share = np.concatenate([np.stack([i[up] + 1 / 3, j[up] + 1 / 3], axis=-1),
                            np.stack([i[down] + 2 / 3, j[down] + 2 / 3], axis=-1)]) / count  # fmt: skip
    points, areas = [], []
    for a, b, c in vertices[faces]:
        points.append(a + share[:, :1] * (b - a) + share[:, 1:] * (c - a))
        areas.append(np.full(len(share), 0.5 * np.linalg.norm(np.cross(b - a, c - a)) / len(share)))
    return np.concatenate(points), np.concatenate(areas)


def agrees(row, expected, bound):
    force, torque, energy, area = expected
    size = np.linalg.norm(force)
    assert np.linalg.norm(row[FORCE : FORCE + 3] - force) < bound * size
    lever = max(np.linalg.norm(torque), R * size)
    assert np.linalg.norm(row[TORQUE : TORQUE + 3] - torque) < 2 * bound * lever
    assert abs(row[ELASTIC] / energy - 1.0) < bound
    assert abs(row[AREA] / area - 1.0) < 2 * bound


def placed(gap, direction, depth):
    """Centre of the ball on a ray from the origin at which it enters by a depth."""
    d = np.asarray(direction) / np.linalg.norm(direction)
    ways = np.linspace(0.3, 1e-3, 30_000)
    return ways[np.argmax(gap(ways[:, None] * d) < R - depth)] * d


BODIES = {
    "face": (box([0.2, 0.1, 0.06]), of_box, (0.02, 0.03, 1.0)),
    "edge": (box([0.2, 0.1, 0.06]), of_box, (0.0, 1.0, 0.55)),
    "ball": (revolved(section(ball_pieces(0.05))), lambda p: np.linalg.norm(p, axis=-1) - 0.05, (1, -2, 0.5)),
    "cylinder": (revolved(section(cylinder_pieces(0.05, 0.2))), of_cylinder, (0.3, 1.0, 0.5)),
    "rim": (revolved(section(cylinder_pieces(0.05, 0.2))), of_cylinder, (1.0, 0.43, 0.33)),
    "capsule": (revolved(section(capsule_pieces(0.05, 0.1))), of_capsule, (1.0, 0.3, 0.1)),
    "torus": (revolved(section(torus_pieces(0.08, 0.02))), of_torus, (0.6, 1.0, 0.3)),
    "L": (ell_mesh(), of_ell, (0.5, 0.3, 0.0)),
}  # fmt: skip
TURNED = np.array(quaternion_from_yaw_pitch_roll(0.4, -0.7, 1.1))


@pytest.mark.parametrize("name", BODIES)
def test_a_ball_is_pushed_as_by_its_true_surface(name):
    body, gap, direction = BODIES[name]
    centre = placed(gap, direction, 3e-3)
    pair = PolygonPair(body, octahedron_faces(4, R, 3), foundation_law(K), capacity=500_000)
    slope = np.array([gap(centre + STEP * e) - gap(centre - STEP * e) for e in np.eye(3)])
    expected = summed(gap, *on_ball(centre, -slope, 0.9))
    agrees(pair.sums(centre, TURNED)[0], expected, 0.02)


def test_a_ball_in_a_funnel_off_its_axis():
    centre = np.array([(R - 1e-3) / math.sin(math.radians(25.0)), 1.5e-3, -1e-3])
    wall = revolved(section(funnel_pieces(math.radians(25.0), 0.2), "outside"))
    pair = PolygonPair(wall, octahedron_faces(4, R, 3), foundation_law(K), capacity=500_000)
    agrees(
        pair.sums(centre, TURNED)[0], summed(of_funnel, *on_ball(centre, [-1, 0, 0], math.pi)), 0.01
    )


@pytest.mark.parametrize("where", ["here", "mirrored", "10 km away"])
def test_an_inner_corner_pushes_from_both_of_its_walls(where):
    centre = np.array([0.0291, 0.0287, 0.01])
    force, torque, energy, area = summed(of_ell, *on_ball(centre, [-1, -1, 0], math.pi))
    body = ell_mesh()
    if where == "mirrored":
        body, centre = ell_mesh(mirrored=True), centre * [-1, 1, 1]
        force, torque = force * [-1, 1, 1], torque * [1, -1, -1]
    if where == "10 km away":
        offset = np.array([1e4, -1e4, 1e4])
        body, centre = ell_mesh(offset=offset), centre + offset
        torque = torque + np.cross(offset, force)
    pair = PolygonPair(body, octahedron_faces(4, R, 3), foundation_law(K), capacity=500_000)
    agrees(pair.sums(centre, TURNED)[0], (force, torque, energy, area), 0.01)


@pytest.mark.parametrize(
    ("angles", "depth"),
    [((0.0, 0.0, 0.0), 2e-4), ((0.0, 0.006, 0.004), 3e-4), ((0.3, 0.0, 0.8), 2e-3), ((0.2, 0.6, 0.7), 8e-3)],
    ids=["flat", "tilted", "edge", "corner"],
)  # fmt: skip
def test_a_box_on_a_plane_on_each_of_its_parts(angles, depth):
    quaternion = np.array(quaternion_from_yaw_pitch_roll(*angles))
    signs = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    points = 0.5 * signs * [0.04, 0.05, 0.06]
    turned = points @ rotation_matrices(quaternion[None])[0].T
    centre = np.array([0.01, 0.02, -turned[:, 2].min() - depth])
    expected = summed(lambda p: p[..., 2], *on_faces(turned + centre, CUBOID, 300))
    pair = PolygonPair(half_space(), mesh_faces(points, CUBOID, 6, curved=False), foundation_law(K))
    agrees(pair.sums(centre, quaternion)[0], expected, 0.01)


def test_a_modulus_one_percent_off_is_seen():
    body, gap, direction = BODIES["ball"]
    centre = placed(gap, direction, 3e-3)
    pair = PolygonPair(body, octahedron_faces(4, R, 3), foundation_law(1.01 * K), capacity=500_000)
    with pytest.raises(AssertionError):
        agrees(pair.sums(centre, TURNED)[0], summed(gap, *on_ball(centre, -centre, 0.9)), 5e-3)
