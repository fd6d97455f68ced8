"""Surfaces of a docking: nozzle, shoulder, crown, bolt, ring and pads, and where the shoulder seats."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from haptos.contact.laws.foundation import FoundationLaw
from haptos.contact.laws.foundation_modulus import (
    layer_modulus,
    series_modulus,
    shear_modulus,
    strain_per_depth,
)
from haptos.contact.sets.polygons_pair import foundation_law
from haptos.core.errors import ConfigError
from haptos.core.units import LENGTH_UNITS
from haptos.geometry.distance.nozzle_section import nozzle_section, walled
from haptos.geometry.distance.reference import Reference, meshed, revolved
from haptos.geometry.distance.revolution import capsule_pieces
from haptos.geometry.distance.section import Section, segment_point
from haptos.geometry.distance.section_build import Arc, Piece, SectionLine, polyline, section
from haptos.geometry.mesh.curved_faces import CurvedFaces
from haptos.geometry.mesh.curved_faces_build import leaf_corners, revolution_faces
from haptos.geometry.mesh.mesh_files import read_mesh
from haptos.scenarios.docking.config import Config
from haptos.scenarios.docking.config_mechanism import (
    Brackets,
    ContactTable,
    DockingNozzle,
    Ring,
    Tool,
)

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
HIGHEST_POISSON = 0.45  # [-] of a confined layer
BODY_AROUND, BOLT_AROUND = 64, 24  # faces around the tool's body and its bolt
HALVINGS = 4  # of their faces that may touch: each gives 256
LONGEST_LINE = (
    0.005  # [m] of their faces along straight walls: a sharp rim is felt by parts of 0.3 mm
)
AROUND, ALONG = 96, 12  # of a nozzle that is no body of revolution: steps around, points of an arc
SHOULDER_SIDE = (130.0, -5.0)  # [deg] of the shoulder that meets the bell: forward and out
CROWN_SIDE = (230.0, -20.0)  # [deg] of the crown that meets throat and cone: out and back
PLACES = 2e-5  # [m] between places at which a crown is tried
SHEAR_SHARE = 0.3  # [-] of K where a pad has no layer


@dataclass(frozen=True, eq=False)
class Shapes:
    """Surfaces and laws.

    wall      (n, 2) x and r [m] of the nozzle's section, for rays, room and drawing
    shoulder_x [m] of the shoulder's middle in tip axes
    body       the tool's body about its middle; none of a tool given by points, which has no other
    shoulder_nodes (n, 3) of a tool given by points, else none; bolt_nodes, body_nodes (n, 3) every fourth of their nodes each way, for checks of whole surfaces
    strain_per_depth [1/m] of the layer of nozzle or tool that yields most
    is_round   whether the nozzle is a body of revolution
    """

    nozzle: Reference
    wall: Floats
    drawn_nozzle: tuple[Floats, Integers]
    shoulder: CurvedFaces
    shoulder_nodes: Floats
    shoulder_x: float
    crown: CurvedFaces
    bolt: CurvedFaces
    bolt_nodes: Floats
    body: CurvedFaces | None
    body_nodes: Floats
    ring: Reference
    drawn_ring: tuple[Floats, Integers]
    pad: CurvedFaces
    law: FoundationLaw
    pad_law: FoundationLaw
    modulus: float
    strain_per_depth: float
    is_round: bool


def make_shapes(config: Config) -> Shapes:
    """All surfaces of a file; refuses sections that are none."""
    tool, crown = config.tool, config.crown
    reference, wall, drawn = _nozzle(config.nozzle)
    fine = config.contact.fineness
    shoulder, shoulder_nodes, x = _shoulder(tool, wall, fine)
    ring = _part_of_ring(crown.folded_ring_m, crown.spread_ring_m, crown.wire_radius_m, CROWN_SIDE)
    bolt = tuple(capsule_pieces(tool.bolt_radius_m, tool.bolt_length_m))
    flange, pad = section(_flange(config.ring)), section(_pad(config.brackets))
    law, modulus, strain = _law(config)
    return Shapes(
        reference, wall, drawn, shoulder, shoulder_nodes, x, _faces(ring, fine, 2e-6, 24),
        *_halved(bolt, tool.bolt_radius_m / 4.0, BOLT_AROUND), *_body(tool), revolved(flange), _drawn(flange), _faces(pad, fine, 1e-6, 24), law,
        _pad_law(config.brackets), modulus, strain, config.nozzle.mesh_file is None and config.nozzle.oval == 0.0,
    )  # fmt: skip


def _shoulder(tool: Tool, wall: Floats, fine: float) -> tuple[CurvedFaces, Floats, float]:
    """Faces of the shoulder, some of their nodes [m] if the tool is given by points, and where its middle is [m]."""
    if tool.points_m:
        _is_whole(tool)
        pieces = tuple(_cut(polyline(tool.points_m)))
        return *_halved(pieces, tool.edge_m / 4.0, BODY_AROUND), 0.0
    ring = _part_of_ring(tool.shoulder_ring_m, None, tool.shoulder_round_m, SHOULDER_SIDE)
    x = -(seat(wall, tool.shoulder_ring_m, tool.shoulder_round_m) + tool.seat_m)
    return _faces(ring, fine, 1e-6, 32), np.zeros((0, 3)), x


def _is_whole(tool: Tool) -> None:
    """Refuse points that leave the tool open: its wall would go on straight."""
    first, last = tool.points_m[0], tool.points_m[-1]
    if math.dist(first, last) > 1e-9 and max(abs(first[1]), abs(last[1])) > 1e-9:
        found = f"tool.points_m from {list(first)} to {list(last)}"
        raise ConfigError(
            "[tool]",
            found,
            "a line that is closed, or from the axis to the axis",
            "r = 0 first and last",
        )


def _cut(pieces: Sequence[Piece]) -> list[Piece]:
    """The pieces with long lines in parts."""
    found: list[Piece] = []
    for piece in pieces:
        if isinstance(piece, Arc):
            found.append(piece)
            continue
        count = math.ceil(math.dist(piece.start, piece.end) / LONGEST_LINE - 1e-9)
        ends = np.linspace(piece.start, piece.end, max(count, 1) + 1)
        found += [
            SectionLine((a[0], a[1]), (b[0], b[1])) for a, b in itertools.pairwise(ends.tolist())
        ]
    return found


def _body(tool: Tool) -> tuple[CurvedFaces | None, Floats]:
    """The tool's body: a cylinder with round edges about its middle; none of a tool given by points."""
    if tool.points_m:
        return None, np.zeros((0, 3))
    h, r, e, quarter = 0.5 * tool.length_m, tool.radius_m, tool.edge_m, 0.5 * math.pi
    pieces: tuple[Piece, ...] = (
        SectionLine((-h, 0.0), (-h, r - e)), Arc((-h + e, r - e), e, 2.0 * quarter, -quarter),
        SectionLine((-h + e, r), (h - e, r)), Arc((h - e, r - e), e, quarter, -quarter), SectionLine((h, r - e), (h, 0.0)),
    )  # fmt: skip
    return _halved(tuple(_cut(pieces)), e / 4.0, BODY_AROUND)


@functools.lru_cache(maxsize=16)
def _halved(pieces: tuple[Piece, ...], error: float, around: int) -> tuple[CurvedFaces, Floats]:
    """Faces that are halved where they may touch, and every fourth of their nodes each way [m]: parts that meet a wall anywhere."""
    fine, coarse = (
        revolution_faces(section(list(pieces)), levels, chord_error=error, around=around)
        for levels in (HALVINGS, HALVINGS - 2)
    )
    nodes = np.unique(leaf_corners(coarse).reshape(-1, 3), axis=0)
    nodes.flags.writeable = False
    return fine, nodes


def _faces(profile: Section, fineness: float, chord_error: float, around: int) -> CurvedFaces:
    """Faces with chords as fine as asked: the errors here give contact forces within about 1 %."""
    return revolution_faces(
        profile, 0, chord_error=chord_error / fineness**2, around=round(around * fineness)
    )


def _part_of_ring(
    ring: float, second: float | None, tube: float, side: tuple[float, float]
) -> Section:
    """The side of a torus that can touch: directions [deg] from +x towards +r; with its second ring radius."""
    first, last = math.radians(side[0]), math.radians(side[1])

    def arc(radius: float) -> list[Piece]:
        if not radius > tube:
            raise ConfigError(
                "[tool]",
                f"a ring of {radius:g} m of a tube of {tube:g} m",
                "a larger ring",
                "see `haptos new docking`",
            )
        return [Arc((0.0, radius), tube, first, last - first)]

    other: list[Piece] = [] if second is None else arc(second)
    return section(arc(ring), second=other, straight_ends=False)


def seat(wall: Floats, ring: float, tube: float) -> float:
    """x [m] of the middle of a round shoulder that just touches the wall on the exit's side of the throat."""
    bell = wall[wall[:, 0] >= 0.0]
    _has_points(bell, "x from 0 to the exit: the shoulder seats there")
    inside = bell[:, 1] >= 0.0
    a, b = bell[inside][:-1], bell[inside][1:]

    def gap(x: float) -> float:
        p = np.array([x, ring])
        along = b - a
        share = np.clip(((p - a) * along).sum(axis=1) / (along**2).sum(axis=1), 0.0, 1.0)
        foot = a + share[:, None] * along
        distance = float(np.min(np.linalg.norm(foot - p, axis=1)))
        return distance - tube if np.interp(x, bell[:, 0], bell[:, 1]) > ring else -tube

    low, high = 0.0, float(bell[-1, 0])
    if gap(high) <= 0.0:
        found = f"a shoulder of {ring + tube:.4g} m"
        raise ConfigError(
            "[tool]", found, "one that fits into the nozzle", "a smaller shoulder_ring_m"
        )
    for _ in range(60):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if gap(middle) < 0.0 else (low, middle)
    return high


def _has_points(part: Floats, where: str) -> None:
    """Refuse a nozzle whose wall has no part on one side of the throat."""
    if len(part) < 2:
        found = "a wall with no points on one side of the throat"
        hint = "points, or vertices of a mesh, from the chamber to the exit, the throat at x = 0"
        raise ConfigError("[nozzle]", found, f"points at {where}", hint)


def crown_meets(wall: Floats, ring: float, tube: float) -> float:
    """x [m] of the middle of a spread wire, drawn out of the chamber, where it first touches the wall."""
    behind = wall[wall[:, 0] <= 0.0]
    _has_points(behind, "x below 0: the crown holds there")
    a, b = behind[:-1], behind[1:]
    along = b - a
    x = np.arange(float(wall[:, 0].min()), 0.0, PLACES)
    rel = np.stack([x, np.full(len(x), ring)], axis=1)[:, None] - a
    share = np.clip((rel * along).sum(axis=2) / np.maximum((along**2).sum(axis=1), 1e-30), 0.0, 1.0)
    gap = np.linalg.norm(rel - share[..., None] * along, axis=2).min(axis=1) - tube
    reached = np.interp(x, behind[:, 0], behind[:, 1]) < ring
    touches = np.flatnonzero((gap <= 0.0) | reached)
    return float(x[touches[0]]) if len(touches) else 0.0


def room(wall: Floats, x: float) -> float:
    """Radius [m] of the wall at x; that of the exit outside of the nozzle."""
    bell = wall[wall[:, 0] >= 0.0]
    return float(np.interp(x, bell[:, 0], bell[:, 1]))


def _nozzle(nozzle: DockingNozzle) -> tuple[Reference, Floats, tuple[Floats, Integers]]:
    if nozzle.mesh_file is not None:
        vertices, faces = read_mesh(nozzle.mesh_file)
        vertices = vertices * LENGTH_UNITS[nozzle.mesh_unit]
        x, r = vertices[:, 0], np.hypot(vertices[:, 1], vertices[:, 2])
        where = np.linspace(float(x.min()), float(x.max()), 60)
        near = [r[np.abs(x - w) <= np.ptp(where) / 59.0] for w in where]
        least = np.array([float(n.min()) if len(n) else math.nan for n in near])
        wall = np.stack([where, least], axis=1)[np.isfinite(least)]
        return meshed(vertices, faces, "nozzle.mesh_file"), wall, (vertices, faces)
    pieces: list[Piece] = polyline(nozzle.points_m) if nozzle.points_m else nozzle_section(
        nozzle.throat_radius_m, nozzle.chamber_radius_m, math.radians(nozzle.cone_deg), nozzle.arc_m,
        math.radians(nozzle.bell_deg), nozzle.exit_radius_m, math.radians(nozzle.exit_deg), nozzle.length_m,
    )  # fmt: skip
    wall = _points(section(pieces, "outside", straight_ends=False))
    if nozzle.oval > 0.0:
        vertices, faces = _oval(wall, nozzle)
        return meshed(vertices, faces, "nozzle.oval"), wall, (vertices, faces)
    return revolved(section(walled(pieces, nozzle.exit_wall_m))), wall, _drawn_wall(wall)


def _points(profile: Section) -> Floats:
    """Points of a section in order of x, arcs cut in pieces."""
    count = len(profile.segments)
    found = [
        segment_point(profile, k, share, 0.0)[0]
        for k in range(count)
        for share in np.linspace(0.0, 1.0, ALONG)
    ]
    points = np.array(found)
    order = np.argsort(points[:, 0], kind="stable")
    return np.unique(points[order].round(12), axis=0)


def _turned(wall: Floats, radii: Floats) -> Floats:
    """(around, n, 3) points of a wall turned about x, its radius times `radii` along y and z."""
    angles = np.linspace(0.0, 2.0 * math.pi, AROUND, endpoint=False)
    y = np.cos(angles)[:, None] * wall[None, :, 1] * radii[0]
    z = np.sin(angles)[:, None] * wall[None, :, 1] * radii[1]
    return np.stack([np.broadcast_to(wall[None, :, 0], y.shape), y, z], axis=2)


def _grid_faces(around: int, along: int, first: int = 0) -> Integers:
    i, j = np.meshgrid(np.arange(around), np.arange(along - 1), indexing="ij")
    a, b = first + i * along + j, first + ((i + 1) % around) * along + j
    return np.concatenate([
        np.stack([a, b, b + 1], axis=-1).reshape(-1, 3), np.stack([a, b + 1, a + 1], axis=-1).reshape(-1, 3),
    ])  # fmt: skip


def _drawn_wall(wall: Floats) -> tuple[Floats, Integers]:
    inner = wall[(wall[:, 0] > -0.06) & (wall[:, 0] < 0.4)][:: max(len(wall) // 80, 1)]
    points = _turned(inner, np.ones(2))[::2]
    return points.reshape(-1, 3), _grid_faces(len(points), len(inner))


def _oval(wall: Floats, nozzle: DockingNozzle) -> tuple[Floats, Integers]:
    """Closed mesh of a wall that is oval inside, with the rim and the outside of a round one."""
    inner = _apart(wall[wall[:, 0] >= -0.05], 2e-4)
    inside = _turned(inner, np.array([1.0 + nozzle.oval, 1.0 - nozzle.oval]))
    beyond = float(inner[:, 1].max()) * (1.0 + nozzle.oval) + nozzle.exit_wall_m
    outside = _turned(np.stack([inner[:, 0], np.full(len(inner), beyond)], axis=1), np.ones(2))
    n, first = len(inner), AROUND * len(inner)
    faces = [_grid_faces(AROUND, n)[:, ::-1], _grid_faces(AROUND, n, first)]
    i = np.arange(AROUND)
    for column, turns in ((0, False), (n - 1, True)):
        a, b = i * n + column, ((i + 1) % AROUND) * n + column
        c, d = first + a, first + b
        lid = np.concatenate([np.stack([a, c, d], 1), np.stack([a, d, b], 1)])
        faces.append(lid if turns else lid[:, ::-1])
    return np.concatenate([inside.reshape(-1, 3), outside.reshape(-1, 3)]), np.concatenate(faces)


def _apart(points: Floats, least: float) -> Floats:
    """Points of a line, the first, the last and those at least so far [m] from the one kept before."""
    kept = [0]
    for k in range(1, len(points) - 1):
        if min(math.dist(points[k], points[j]) for j in (kept[-1], len(points) - 1)) >= least:
            kept.append(k)
    return points[[*kept, len(points) - 1]]


def _drawn(profile: Section) -> tuple[Floats, Integers]:
    corners = leaf_corners(revolution_faces(profile, 0, chord_error=1e-3, around=48))
    return corners.reshape(-1, 3), np.arange(3 * len(corners)).reshape(-1, 3)


def _flange(ring: Ring) -> list[Piece]:
    """Rectangle with round edges, its flat face at x = 0 looking to +x."""
    low, high, e = (
        ring.radius_m - 0.5 * ring.width_m,
        ring.radius_m + 0.5 * ring.width_m,
        ring.edge_m,
    )
    t, quarter = ring.thickness_m, 0.5 * math.pi
    return [
        SectionLine((-t, low), (-t, high)), SectionLine((-t, high), (-e, high)),
        Arc((-e, high - e), e, quarter, -quarter), SectionLine((0.0, high - e), (0.0, low + e)),
        Arc((-e, low + e), e, 0.0, -quarter), SectionLine((-e, low), (-t, low)),
    ]  # fmt: skip


def _pad(brackets: Brackets) -> list[Piece]:
    """A cap of a large ball, its apex at the origin looking to +x."""
    r, high = brackets.crown_m, brackets.pad_m
    if high >= r:
        raise ConfigError(
            "[brackets]", f"pad_m = {high}", f"less than crown_m = {r}", "pad_m = 0.01"
        )
    half = math.asin(high / r)
    depth = r * (1.0 - math.cos(half))
    return [SectionLine((-depth, 0.0), (-depth, high)), Arc((-r, 0.0), r, half, -half)]


def _law(config: Config) -> tuple[FoundationLaw, float, float]:
    """Law of nozzle and tool, its modulus [Pa/m], and the compression of their softer layer for each metre of depth."""
    contact, nozzle, tool = config.contact, config.nozzle, config.tool
    moduli = [
        _layer(part, contact, where) for part, where in ((nozzle, "[nozzle]"), (tool, "[tool]"))
    ]
    modulus = series_modulus(*moduli)
    law = foundation_law(
        modulus, damping=contact.damping_Pa_s_per_m, damping_depth=contact.damping_depth_m,
        shear=shear_modulus(modulus, min(nozzle.poisson, HIGHEST_POISSON)),
        shear_damping=contact.shear_damping_Pa_s_per_m, friction=contact.friction,
        friction_at_rest=contact.friction_at_rest, stick_speed=contact.stick_speed_m_per_s,
    )  # fmt: skip
    return law, modulus, strain_per_depth(moduli, (nozzle.thickness_m, tool.thickness_m))


def _layer(part: object, contact: ContactTable, where: str) -> float:
    poisson = part.poisson  # type: ignore[attr-defined]
    if poisson > HIGHEST_POISSON and contact.nearly_incompressible == "refuse":
        hint = 'contact.nearly_incompressible = "bonded_pad" with a shape_factor'
        raise ConfigError(
            f"{where} poisson", f"{poisson}", f"at most {HIGHEST_POISSON} of a confined layer", hint
        )
    is_pad = poisson > HIGHEST_POISSON
    return float(layer_modulus(
        part.youngs_modulus_Pa, poisson, part.thickness_m,  # type: ignore[attr-defined]
        "bonded_pad" if is_pad else "confined", contact.shape_factor if is_pad else None,
    ))  # fmt: skip


def _pad_law(brackets: Brackets) -> FoundationLaw:
    return foundation_law(
        brackets.modulus_Pa_per_m, damping=brackets.damping_Pa_s_per_m, damping_depth=1e-4,
        shear=SHEAR_SHARE * brackets.modulus_Pa_per_m, shear_damping=1e6, friction=brackets.friction,
        friction_at_rest=brackets.friction, stick_speed=2e-4,
    )  # fmt: skip
