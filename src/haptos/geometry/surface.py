"""How far is the ground: one question, one dispatch over the kinds of surface."""

from __future__ import annotations

from collections import namedtuple

from haptos.core.jit import device
from haptos.core.vectors import dot, norm
from haptos.geometry.distance_ellipsoid import ellipsoid_distance, ellipsoid_distance_bound
from haptos.geometry.distance_plane import plane_distance
from haptos.geometry.distance_sphere import sphere_distance

PLANE, SPHERE, ELLIPSOID = 0, 1, 2

# kind       tag above
# PLANE      (a, b, c) unit normal out of the ground [-], d = normal . point [m]
# SPHERE     a radius about the origin [m]
# ELLIPSOID  (a, b, c) semi-axes along x, y, z [m]
Surface = namedtuple("Surface", "kind a b c d")


def plane(point: tuple[float, float, float], normal: tuple[float, float, float]) -> Surface:
    """Plane through `point` [m] whose ground lies against `normal` (any length but zero)."""
    length = norm(normal)
    n = (normal[0] / length, normal[1] / length, normal[2] / length)
    return Surface(PLANE, float(n[0]), float(n[1]), float(n[2]), float(dot(n, point)))


def sphere(radius: float) -> Surface:
    """Sphere of the given radius [m] about the origin."""
    return Surface(SPHERE, float(radius), 0.0, 0.0, 0.0)


def ellipsoid(semi_axes: tuple[float, float, float]) -> Surface:
    """Ellipsoid about the origin with semi-axes [m] along x, y, z."""
    a, b, c = semi_axes
    return Surface(ELLIPSOID, float(a), float(b), float(c), 0.0)


@device
def gap_and_normal(surface, x):
    """(gap [m], unit normal out of the surface) at the point x [m], in the surface's axes."""
    if surface.kind == PLANE:
        return plane_distance(x, (surface.a, surface.b, surface.c), surface.d)
    if surface.kind == SPHERE:
        return sphere_distance(x, surface.a)
    return ellipsoid_distance(x, (surface.a, surface.b, surface.c))


@device
def gap_bound(surface, x):
    """A number [m] the gap is never below: one test rules out every vertex of a far body."""
    if surface.kind == PLANE:
        return dot((surface.a, surface.b, surface.c), x) - surface.d
    if surface.kind == SPHERE:
        return norm(x) - surface.a
    return ellipsoid_distance_bound(x, (surface.a, surface.b, surface.c))
