"""Rigid bodies of a net that touch by polygons: chaser, target and own bodies as faces and as references, the ground."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from haptos.core.errors import ConfigError
from haptos.dynamics.assembly import AssembledBody
from haptos.dynamics.contacts.polygon_rows import GROUND, FacedBody, polygon_rows, used_rows
from haptos.geometry.distance.reference import box, meshed
from haptos.geometry.mesh.curved_faces_build import mesh_faces
from haptos.geometry.mesh.polyhedra import box_solid
from haptos.results.checks import Check
from haptos.scenarios.net.body_numbers import CHASER, TARGET
from haptos.scenarios.net.config import Config
from haptos.scenarios.net.config_foundation import BodiesFoundation
from haptos.scenarios.net.site import site_frame
from haptos.scenarios.worlds.config_foundation import law_of
from haptos.scenarios.worlds.ground_reference import ground_reference

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


def polygons_of(
    config: Config, bodies: list[AssembledBody], target: tuple[Floats, Integers] | None
) -> tuple[Any, ...]:
    """Rows of faces on bodies, none without [contact.foundation]; target: its mesh in principal axes."""
    given = config.contact.foundation
    if given is None:
        return ()
    names = [body.name for body in bodies]
    found = [_box(CHASER, config.chaser.size_m, given.levels)]
    if target is not None and config.contact.is_on:
        faces = mesh_faces(*target, given.levels, curved=False, where="[target]")
        found.append(FacedBody(TARGET, faces, meshed(*target, "[target]")))
    found += [_box(names.index(own.name), own.size_m, given.levels) for own in config.bodies]
    is_free = [bool(np.isfinite(body.mass)) for body in bodies]
    ground = None
    if config.world is not None and config.contact.is_on:
        _refuse_terrain(config)
        frame = site_frame(config)
        ground = ground_reference(config.world, frame.world), -frame.arm, frame.dcm_NA
    return polygon_rows(
        law_of(given), found, is_free, ground, given.two_pass, "[contact.foundation]"
    )


def _refuse_terrain(config: Config) -> None:
    """Distances of noise and rocks are not exact: bodies would fall through them."""
    assert config.world is not None
    terrain = config.world.terrain
    if terrain.noise is not None or terrain.rocks is not None:
        raise ConfigError(
            "[contact.foundation]", "[terrain] under bodies that touch by polygons",
            "a plane, sphere, ellipsoid, body or mesh without terrain", "leave one of them out",
        )  # fmt: skip


def _box(body: int, size: tuple[float, float, float], levels: int) -> FacedBody:
    vertices, faces = box_solid((1.0, 1.0, 1.0))
    vertices = vertices * np.asarray(size, dtype=float)
    return FacedBody(body, mesh_faces(vertices, faces, levels, curved=False), box(size))


def pressed(rows: tuple[Any, ...]) -> dict[str, float]:
    """Largest force [N], depth [m] and pressure [Pa] of bodies that touch by polygons, and their contacts."""
    used = used_rows(rows)
    if not used:
        return {}
    return {
        "bodies_peak_force_N": max(float(row.pressing.peak) for row in used),
        "bodies_contacts": float(sum(int(row.pressing.met) for row in used)),
        "bodies_deepest_m": max(float(row.pressing.deepest) for row in used),
        "bodies_peak_pressure_Pa": max(float(row.pressing.pressure) for row in used),
    }


def depth_checks(config: Config, rows: tuple[Any, ...], names: tuple[str, ...]) -> list[Check]:
    """No body may go deeper into another than its law is followed, and all polygons must fit: the worst pair."""
    given = config.contact.foundation
    if given is None or not rows:
        return []
    found = [_depth_check(given, row, names) for row in used_rows(rows)]
    return [max(found, key=lambda check: check.value / check.bound)]


def _depth_check(given: BodiesFoundation, row: Any, names: tuple[str, ...]) -> Check:
    most = given.max_depth_m or given.depth_limit * row.faces.size
    a, b = (int(k) for k in row.bodies)
    reference = "the ground" if a == GROUND else f"'{names[a]}'"
    deepest = float(row.pressing.deepest) if row.pressing.is_full == 0 else np.inf
    return Check("depth", deepest, most, "m", f"The deepest polygon of '{names[b]}' in {reference}")
