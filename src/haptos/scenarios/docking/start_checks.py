"""What of a docking file only shows when its parts are put together: refused before anything moves."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from haptos.core.errors import ConfigError
from haptos.core.rotations import rotation_matrices
from haptos.dynamics.joined.parts import BodyFrame, JoinedContact
from haptos.geometry.distance.reference import gaps_of
from haptos.geometry.mesh.curved_faces_build import leaf_corners
from haptos.scenarios.docking.clearance import check_shapes
from haptos.scenarios.docking.config import Config
from haptos.scenarios.docking.model import BODY, BOLT, SHOULDER, Model, build
from haptos.scenarios.docking.recordings import replays
from haptos.scenarios.docking.shapes import Shapes, crown_meets

Floats = NDArray[np.float64]


def check(config: Config) -> None:
    """Refuse what only shows when the parts are put together."""
    model = build(config)
    replays(config)
    check_shapes(model)
    if not config.contact.lc_is_rigid:
        _crown_reaches_the_cone(model)
        _body_fits(model)
        _starts_outside(model)


def _crown_reaches_the_cone(model: Model) -> None:
    """LOCK ends when the crown presses: its stroke must bring it to the wall behind the throat."""
    config, crown = model.config, model.config.crown
    place = crown_meets(model.shapes.wall, crown.spread_ring_m, crown.wire_radius_m)
    needed = config.tool.seat_m + place
    if crown.stroke_m <= needed:
        found = f"crown.stroke_m = {crown.stroke_m:.4g}"
        allowed = f"more than {needed:.4g}: the spread crown meets the wall there"
        raise ConfigError("[crown]", found, allowed, "a longer stroke, or a wider crown")


def _body_fits(model: Model) -> None:
    """Behind the seated shoulder the tool's body must be clear of the bell."""
    tool = model.config.tool
    gap = seated_gap(model)
    if gap <= 0.0:
        found = f"tool.rim_m = {tool.rim_m:.4g}, radius_m = {tool.radius_m:.4g}: {-gap:.3g} m inside the wall"
        allowed = "a body outside of the wall when the shoulder seats"
        raise ConfigError("[tool]", found, allowed, "a larger rim_m, or a smaller radius_m")


def seated_gap(model: Model) -> float:
    """Room [m] of the tool's body in the nozzle when the shoulder seats, aligned; below 0 it does not fit."""
    tool = model.config.tool
    if model.shapes.body is None:
        return math.inf
    middle = tool.rim_m + 0.5 * tool.length_m - tool.seat_m
    turned = model.shapes.body_nodes * np.array([-1.0, -1.0, 1.0]) + np.array([middle, 0.0, 0.0])
    return float(gaps_of(model.shapes.nozzle, turned)[0].min())


def _starts_outside(model: Model) -> None:
    """The tool must start outside of the nozzle's wall, the ring off the brackets."""
    for contact in model.contacts:
        r, dcm = _start_pose(model, contact.reference_place)
        r_faces, dcm_faces = _start_pose(model, contact.faces_place)
        corners = outline_nodes(model.shapes, contact)
        points = (corners @ dcm_faces.T + r_faces - r) @ dcm
        gap = float(gaps_of(contact.reference, points)[0].min())
        if gap < 0.0:
            found = f"a start with the {contact.name} {-gap:.3g} m inside what it is to touch"
            hint = "a longer start.distance_m, or less offset and tilt"
            raise ConfigError("[start]", found, "a start without contact", hint)


def outline_nodes(shapes: Shapes, contact: JoinedContact, spread: float = 0.0) -> Floats:
    """Nodes (n, 3) [m] of the faces of a contact, of parts that are halved every fourth, at a share of their spread."""
    kept = {BODY: shapes.body_nodes, BOLT: shapes.bolt_nodes, SHOULDER: shapes.shoulder_nodes}
    if len(kept.get(contact.name, ())):
        return kept[contact.name]
    return np.unique(leaf_corners(contact.faces, spread).reshape(-1, 3), axis=0)


def _start_pose(model: Model, place: BodyFrame) -> tuple[Floats, Floats]:
    """Origin [m] and axes (dcm_NF) of a place at the start, N axes."""
    body = next(one for one in model.bodies if one.name == place.body)
    dcm = rotation_matrices(np.array(body.quaternion, dtype=float)[None])[0]
    own = rotation_matrices(np.array(place.quaternion, dtype=float)[None])[0]
    return np.array(body.position) + dcm @ np.array(place.position), dcm @ own
