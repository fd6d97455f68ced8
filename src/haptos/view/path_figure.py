"""The path of a run in space, with the ground beneath it."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator
from mpl_toolkits.mplot3d.art3d import Poly3DCollection
from mpl_toolkits.mplot3d.axes3d import Axes3D

from haptos.results.contacts import contact_points
from haptos.results.result import Result
from haptos.view.ground_mesh import (
    PATCH_LEVEL,
    ground_mesh,
    ground_normal,
    put_on_mesh,
    whole_body,
)
from haptos.view.style import (
    BLUE,
    GREEN,
    INK,
    ORANGE,
    RED,
    WIDTH,
    axis_label,
    figure,
    house_style,
    is_many,
)

FLATTEST = 0.3  # shortest over longest side of the drawn box; flatter paths are stretched,
# and tall ones twice as much, so that the numbers on the floor keep apart
PATCH = 13  # grid lines of the ground


@house_style()
def path_figure(result: Result, position: str) -> Figure:
    """Path in A axes with start, touches and end, over a hint of the ground.

    position  variable of the trajectory that holds the path
    """
    path = result.trajectory[position].values
    path = path[np.isfinite(path).all(axis=1)]
    drawn = figure(WIDTH, 4.6)
    axes: Axes3D = drawn.add_subplot(projection="3d", computed_zorder=False)
    if not path.size:
        return drawn
    _ground(axes, result.config.get("surface"), path)
    axes.plot(*path.T, color=BLUE, zorder=3, label="path", rasterized=is_many(len(path)))
    touches = _touches(result, position)
    if touches.size:
        axes.plot(*touches.T, ".", color=ORANGE, ms=5, zorder=4, label="contact")
    axes.plot(*path[:1].T, "^", color=GREEN, ms=8, zorder=5, label="start")
    axes.plot(*path[-1:].T, "s", color=RED, ms=7, zorder=6, label=f"end: {result.ended}")
    _dress(axes)
    axes.legend(loc="upper left", bbox_to_anchor=(1.0, 0.95))
    return drawn


def _touches(result: Result, position: str) -> np.ndarray:
    """Contact points of the events, or centres while in contact, shape (n, 3)."""
    if "point_A" in result.events.variables and result.events["point_A"].size:
        return contact_points(result)
    motion = result.trajectory
    if "contact_count" in motion.variables:
        return np.asarray(motion[position].values[motion["contact_count"].values > 0])
    return np.empty((0, 3))


def _ground(axes: Axes3D, surface: Any, path: np.ndarray) -> None:
    """Grid of the ground near the path, or the whole body under a path that goes far."""
    if not isinstance(surface, dict):
        return
    body = whole_body(surface, path) if surface.get("shape") in ("body", "mesh") else None
    if body is not None:
        _body(axes, *body)
        return
    points = ground_patch(surface, path)
    if points is not None:
        axes.plot_wireframe(*points, color=INK, alpha=0.4, linewidth=0.6, zorder=1)


def _body(axes: Axes3D, vertices: np.ndarray, faces: np.ndarray) -> None:
    """A whole body, pale, with the axes wide enough to hold it."""
    colours = {"facecolor": to_rgba(INK, 0.05), "edgecolor": to_rgba(INK, 0.25)}
    axes.add_collection3d(Poly3DCollection(vertices[faces], linewidth=0.3, zorder=1, **colours))
    axes.auto_scale_xyz(*vertices.T)


def ground_patch(surface: dict[str, Any], path: np.ndarray) -> np.ndarray | None:
    """Points on the ground around the path, shape (3, n, n), A axes [m]; None if unknown."""
    shape = surface.get("shape")
    if shape == "plane":
        normal = np.array(surface.get("normal", (0.0, 0.0, 1.0)), dtype=float)
        normal /= np.linalg.norm(normal)
        point = np.array(surface.get("point_m", (0.0, 0.0, 0.0)), dtype=float)
        heights = (path - point) @ normal
        return _tangent_grid(path - heights[:, None] * normal, normal)
    if shape in ("sphere", "ellipsoid"):
        given = surface["semi_axes_m"] if shape == "ellipsoid" else surface["radius_m"]
        lengths = np.broadcast_to(np.array(given, dtype=float), (3,))
        if np.ptp(path, axis=0).max() > 0.5 * lengths.min():
            return _whole_ellipsoid(lengths)
        patch = _tangent_grid(path, path[-1] / np.linalg.norm(path[-1]))
        stretch = np.sqrt(np.sum((patch / lengths[:, None, None]) ** 2, axis=0))
        return np.asarray(patch / stretch)
    mesh = ground_mesh(surface, PATCH_LEVEL) if shape in ("body", "mesh") else None
    if mesh is not None:
        normal = ground_normal(mesh, path[-1])
        return put_on_mesh(mesh, _tangent_grid(path, normal), normal)
    return None


def _tangent_grid(path: np.ndarray, normal: np.ndarray) -> np.ndarray:
    """Rectangle across `normal` under the path, along its way and at least half as wide."""
    along = path[-1] - path[0] - normal * (normal @ (path[-1] - path[0]))
    if np.linalg.norm(along) < 1e-3 * max(float(np.ptp(path)), 1e-9):
        along = np.cross(normal, np.eye(3)[np.argmin(np.abs(normal))])
    frame = np.array([along, np.cross(normal, along)]) / np.linalg.norm(along)
    flat = (path - path[-1]) @ frame.T
    low, high = flat.min(axis=0), flat.max(axis=0)
    half = 0.5 * (high - low)
    half = 1.1 * np.maximum(half, 0.5 * half.max()) + 1e-6
    steps = [
        np.linspace(c - h, c + h, PATCH) for c, h in zip(0.5 * (low + high), half, strict=True)
    ]
    grid = np.array(np.meshgrid(*steps))
    return np.asarray(path[-1][:, None, None] + np.einsum("ki,kab->iab", frame, grid))


def _whole_ellipsoid(lengths: np.ndarray) -> np.ndarray:
    turn, rise = np.meshgrid(np.linspace(0.0, 2.0 * np.pi, 25), np.linspace(0.0, np.pi, PATCH))
    unit = np.array([np.sin(rise) * np.cos(turn), np.sin(rise) * np.sin(turn), np.cos(rise)])
    return np.asarray(unit * lengths[:, None, None])


def _dress(axes: Axes3D) -> None:
    span = np.ptp([axes.get_xlim(), axes.get_ylim(), axes.get_zlim()], axis=1)
    is_tall = span[2] > 0.7 * span.max()
    shortest, zoom = (2.0 * FLATTEST, 0.76) if is_tall else (FLATTEST, 1.12)
    if not is_tall and span[2] > 0.45 * span.max():
        zoom = 0.92  # else the label of x is cut off below
    axes.set_box_aspect(np.maximum(span, shortest * span.max()), zoom=zoom)
    axes.view_init(elev=24.0, azim=-60.0)
    for name, axis in zip("xyz", (axes.xaxis, axes.yaxis, axes.zaxis), strict=True):
        axis.set_major_locator(MaxNLocator(5))
        axis.set_label_text(axis_label(f"{name}_m", "A"))
        axis.labelpad = 9.0
        axis.set_pane_color((0.0, 0.0, 0.0, 0.0))
        axis.line.set_color(INK)
    axes.grid(False)
