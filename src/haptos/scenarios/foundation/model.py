"""The bodies of a bench file made ready: distances of one, faces of the other, the law between them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from haptos.contact.sets.polygons_pair import PolygonPair, adaptive, fixed
from haptos.core.errors import ConfigError
from haptos.core.rotations import quaternion_from_yaw_pitch_roll, rotation_matrices
from haptos.core.units import LENGTH_UNITS
from haptos.geometry.distance.reference import Reference, box, gaps_of, half_space, meshed, revolved
from haptos.geometry.distance.revolution import (
    ball_pieces,
    capsule_pieces,
    cone_pieces,
    cylinder_pieces,
    funnel_pieces,
    nozzle_pieces,
    torus_pieces,
)
from haptos.geometry.distance.section import Section
from haptos.geometry.distance.section_build import polyline, section, spline
from haptos.geometry.distance.thickness import thin_part
from haptos.geometry.mesh.curved_faces import CurvedFaces
from haptos.geometry.mesh.curved_faces_build import (
    leaf_corners,
    leaf_nodes,
    mesh_faces,
    octahedron_faces,
    revolution_faces,
)
from haptos.geometry.mesh.height_grid import height_grid, read_heights
from haptos.geometry.mesh.mesh_checks import require_simple
from haptos.geometry.mesh.mesh_files import read_mesh
from haptos.geometry.mesh.plates import thickened
from haptos.scenarios.foundation.config import (
    Config,
    Drop,
    Faces,
    FoundationPress,
    FoundationSlide,
    Spread,
)
from haptos.scenarios.worlds.config_foundation import law_of

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

WITH_CORNERS = ("box", "mesh", "height_grid")  # shapes whose vertices are their corners
OFF_CENTRE = (
    1e-6  # [-] of its size: how far the centre of mass may lie from the origin of a free body
)
CUBOID_FACES = np.array([
    [0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1],
    [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3],
])  # fmt: skip


@dataclass(frozen=True, eq=False)
class Model:
    """A bench ready to run.

    back   roles exchanged, for two passes; None for one
    sampled  the sampled body as one that is asked for distances
    thin   [m] thickness of thin parts of the reference
    shape  (vertices [m], faces) of the reference for drawing; quaternion  quat_AB at the start
    """

    pair: PolygonPair
    back: PolygonPair | None
    sampled: Reference
    thin: float
    shape: tuple[Floats, Integers]
    position: Floats
    quaternion: Floats
    modulus: float
    thickness: float


def check(config: Config) -> None:
    """Refuse what only shows when the bodies are built."""
    model = build(config)
    start_depth(config, model)
    refuse_sunk(config, model)
    if isinstance(config.motion, FoundationPress | FoundationSlide):
        way_to_touch(config, model, np.array(config.motion.direction))
    if isinstance(config.motion, Drop) and config.motion.inertia_kg_m2 is None:
        solid_inertia(model.pair.faces, config.motion.mass_kg)


def build(config: Config) -> Model:
    """Bodies and law of a file."""
    reference, shape = _reference(config.reference)
    faces = _faces(config.sampled, config.faces)
    law = law_of(config.contact)
    border = config.faces.border_m or math.inf
    refinement = (
        fixed()
        if config.faces.refinement == "fixed"
        else adaptive(config.faces.linearity, 1e-6, border)
    )
    angles = np.radians(config.placement.yaw_pitch_roll_deg)
    sampled = _reference(config.sampled)[0]
    back = None
    if config.faces.two_pass:
        back = PolygonPair(
            sampled, _faces(config.reference, config.faces), law, refinement, config.run.leaves
        )
    return Model(
        PolygonPair(reference, faces, law, refinement, config.run.leaves),
        back,
        sampled,
        thin_part(reference, shape[0][shape[1]], 4.0 * faces.size),
        shape,
        np.array(config.placement.position_m),
        quaternion_from_yaw_pitch_roll(*angles),
        law.modulus,
        sum(one.thickness_m for one in config.contact.layers) or math.nan,
    )


def other_faces(config: Config) -> CurvedFaces:
    """Faces of the sampled body with leaves twice as large, or half as large if they are whole faces."""
    levels = config.faces.levels - 1 if config.faces.levels > 0 else 1
    return _faces(config.sampled, config.faces.model_copy(update={"levels": levels}))


PIECES: dict[str, Callable[[Any], Any]] = {
    "ball": lambda b: ball_pieces(b.radius_m),
    "cylinder": lambda b: cylinder_pieces(b.radius_m, b.length_m),
    "capsule": lambda b: capsule_pieces(b.radius_m, b.length_m),
    "cone": lambda b: cone_pieces(math.radians(b.half_angle_deg), b.length_m),
    "funnel": lambda b: funnel_pieces(math.radians(b.half_angle_deg), b.length_m),
    "torus": lambda b: torus_pieces(b.ring_radius_m, b.tube_radius_m),
    "nozzle": lambda b: nozzle_pieces(),
}


def _profile(body: Any) -> Section:
    """Section of a body of revolution."""
    if body.shape == "section":
        points = np.array(body.points_m, dtype=np.float64).reshape(-1, 2)
        smooth = body.is_spline and len(points) > 2
        long = float(np.max(np.ptp(points, axis=0))) if len(points) else 1.0
        pieces = (
            spline(points, body.chord_error_m, 1e-4 * long, long) if smooth else polyline(points)
        )
        return section(pieces, body.solid)
    pieces = PIECES[body.shape](body)
    if body.shape == "torus" and body.spread_ring_radius_m is not None:
        return section(pieces, second=torus_pieces(body.spread_ring_radius_m, body.tube_radius_m))
    return section(pieces, "outside" if body.shape in ("funnel", "nozzle") else "inside")


def _reference(body: Any) -> tuple[Reference, tuple[Floats, Integers]]:
    if body.shape == "half_space":
        return half_space(body.normal), _square(np.array(body.normal))
    if body.shape == "box":
        return box(body.edges_m), _cuboid(body.edges_m)
    if body.shape in ("mesh", "height_grid"):
        vertices, faces = _mesh(body)
        curved = body.is_curved and getattr(body, "thickness_m", None) is None
        return meshed(vertices, faces, "reference.file", curved=curved), (vertices, faces)
    profile = _profile(body)
    return revolved(profile), _drawn(profile)


def _faces(body: Any, wanted: Faces) -> CurvedFaces:
    if body.shape == "ball":
        return octahedron_faces(wanted.splits, body.radius_m, wanted.levels)
    if body.shape == "box":
        return mesh_faces(*_cuboid(body.edges_m), wanted.levels, curved=False)
    if body.shape in ("mesh", "height_grid"):
        vertices, faces = _mesh(body)
        return mesh_faces(vertices, faces, wanted.levels, curved=body.is_curved, where=body.file)
    return revolution_faces(_profile(body), wanted.levels, chord_error=wanted.chord_error_m)


def _mesh(body: Any) -> tuple[Floats, Integers]:
    if body.shape == "height_grid":
        heights = read_heights(body.file) * LENGTH_UNITS[body.unit]
        return height_grid(heights, body.spacing_m, body.below_m, body.file)
    vertices, faces = read_mesh(body.file)
    vertices = vertices * LENGTH_UNITS[body.unit]
    if body.thickness_m is not None:
        vertices, faces = thickened(vertices, faces, body.thickness_m, body.file)
    require_simple(body.file, vertices, faces)
    return vertices, faces


def _cuboid(edges: tuple[float, float, float]) -> tuple[Floats, Integers]:
    signs = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    return 0.5 * signs * np.array(edges), CUBOID_FACES


def _square(normal: Floats) -> tuple[Floats, Integers]:
    """A square of 2 m across a normal, for drawing a half-space."""
    n = normal / np.linalg.norm(normal)
    u = np.cross(n, np.eye(3)[int(np.argmin(np.abs(n)))])
    u /= np.linalg.norm(u)
    v = np.cross(n, u)
    return np.array([-u - v, u - v, u + v, v - u]), np.array([[0, 1, 2], [0, 2, 3]])


def _drawn(profile: Section) -> tuple[Floats, Integers]:
    """A coarse mesh of a body of revolution, for drawing."""
    size = float(np.abs(profile.segments[:, 1:5]).max())
    corners = leaf_corners(revolution_faces(profile, 0, chord_error=1e-3 * size, around=48))
    return corners.reshape(-1, 3), np.arange(3 * len(corners)).reshape(-1, 3)


def nodes_of(model: Model, spread: float = 0.0) -> Floats:
    """Places [m] of all nodes of B in axes of A at the start."""
    dcm = rotation_matrices(model.quaternion[None])[0]
    return np.asarray(leaf_nodes(model.pair.faces, spread) @ dcm.T + model.position)


def refuse_sunk(config: Config, model: Model) -> None:
    """Refuse a way in that sinks the whole sampled body: then its far side presses too."""
    motion = config.motion
    if isinstance(motion, Spread):
        most = 2.0 * getattr(config.sampled, "tube_radius_m", math.inf)
        nodes = np.concatenate([nodes_of(model, spread) for spread in (0.0, 1.0)])
        depth = -float(gaps_of(model.pair.reference, nodes)[0].min())
    elif isinstance(motion, FoundationPress | FoundationSlide):
        along = nodes_of(model) @ (np.array(motion.direction) / np.linalg.norm(motion.direction))
        depth, most = motion.depth_m, float(np.ptp(along))
    else:
        return
    if depth >= most:
        found = f"a way in that sinks the sampled body, {most:.3g} m thick, by {depth:.3g} m"
        raise ConfigError("[motion]", found, f"a depth below {most:.3g} m", "a shorter way in")


def start_depth(config: Config, model: Model) -> float:
    """Depth [m] at the start; a body that starts inside the other is refused."""
    depth = max(0.0, -float(gaps_of(model.pair.reference, nodes_of(model))[0].min()))
    corners = corners_of(config, model)
    if len(corners):
        depth = max(depth, -float(gaps_of(model.sampled, corners)[0].min()))
    if depth > 1e-9 * model.pair.faces.size and config.motion.kind != "spread":
        found = f"a start {depth:.3g} m inside the reference"
        hint = "move it back along the way in"
        raise ConfigError("[placement]", found, "a start outside of it", hint)
    return depth


class NodesOnTheirWay:
    """Nodes that move along a line: a node whose last gap, less its way since then, is large is not asked again."""

    def __init__(self, reference: Reference, nodes: Floats, direction: Floats) -> None:
        self.reference, self.nodes, self.direction = reference, nodes, direction
        self.touches_at = np.full(len(nodes), -math.inf)  # [m] of the way, at the earliest

    def least_gap(self, way: float, rounding: float) -> float:
        """Smallest gap [m] of all nodes after a way [m]."""
        nearest = np.argmin(self.touches_at)
        least = self._ask(np.array([nearest]), way)
        left = np.flatnonzero(self.touches_at - way - self.reference.slack - rounding < least)
        return min(least, self._ask(left, way)) if len(left) else least

    def _ask(self, rows: Integers, way: float) -> float:
        gaps = gaps_of(self.reference, self.nodes[rows] + way * self.direction)[0]
        self.touches_at[rows] = way + gaps
        return float(gaps.min())


def corners_of(config: Config, model: Model) -> Floats:
    """Corners [m] of a reference that has some, in axes of B at the start: between nodes they touch first."""
    if config.reference.shape not in WITH_CORNERS:
        return np.empty((0, 3))
    dcm = rotation_matrices(model.quaternion[None])[0]
    return np.asarray((model.shape[0] - model.position) @ dcm)


def way_to_touch(config: Config, model: Model, direction: Floats) -> float:
    """How far [m] B moves along a direction until its first node, or a corner of A, touches; refuses a way that misses."""
    n = direction / np.linalg.norm(direction)
    sides = [NodesOnTheirWay(model.pair.reference, nodes_of(model), n)]
    corners = corners_of(config, model)
    if len(corners):
        dcm = rotation_matrices(model.quaternion[None])[0]
        sides.append(NodesOnTheirWay(model.sampled, corners, -n @ dcm))
    size = model.pair.faces.size
    far = float(np.linalg.norm(model.position)) + 100.0 * size
    way = 0.0
    for _ in range(2000):
        gap = min(side.least_gap(way, 1e-9 * (size + way)) for side in sides)
        if gap <= 1e-10 * size:
            return way
        way += gap
        if way > far:
            break
    found = f"a way along {direction.tolist()} that does not meet the reference"
    raise ConfigError(
        "[motion]", found, "a way that leads to it", "turn direction, or move position_m"
    )


def solid_inertia(faces: CurvedFaces, mass: float) -> Floats:
    """Inertia (3, 3) [kg m^2] of a uniform solid about the origin, which must be its centre of mass."""
    a, b, c = np.moveaxis(leaf_corners(faces), 1, 0)
    volume = np.einsum("fi,fi->f", a, np.cross(b, c)) / 6.0
    total = float(volume.sum())
    centre = (volume[:, None] * (a + b + c)).sum(axis=0) / 4.0 / total
    if float(np.linalg.norm(centre)) > OFF_CENTRE * faces.size + 1e-3 * faces.size:
        found = f"a body whose centre of mass lies {np.linalg.norm(centre):.3g} m from its origin"
        hint = "move its points so that the centre of mass is the origin, or give inertia_kg_m2"
        raise ConfigError("[sampled]", found, "the origin at the centre of mass", hint)
    s = a + b + c
    second = sum(np.einsum("f,fi,fj->ij", volume, x, x) for x in (a, b, c, s)) / 20.0
    return np.asarray((np.trace(second) * np.eye(3) - second) * mass / total)
