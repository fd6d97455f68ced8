"""What each face of the target is made of: rows of contact numbers, drag and light of its faces."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from haptos.contact.contact_flow import (
    EMPIRICAL,
    FIXED_FACTOR,
    FRICTION,
    HOLDING,
    LOSS,
    LOSS_KIND,
    NOMINAL,
    PAIR_SIZE,
    STIFFNESS,
)
from haptos.contact.hertz import contact_modulus, sphere_plane_stiffness
from haptos.contact.material_pairs import ContactNumbers, series_pair
from haptos.core.errors import ConfigError
from haptos.geometry.mesh.face_polygons import face_polygons
from haptos.scenarios.net.config import Config
from haptos.scenarios.net.config_surfaces import KINDS, LIKE, SIDES, OwnNumbers, TargetSurface
from haptos.scenarios.net.touching import contact_row

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
BOX_TRIANGLES = 12  # of a box: two for each side, in the order of SIDES


def face_classes(config: Config, count: int) -> Integers:
    """Row of the contact numbers of each triangle of the target, (count,): 0, or 1 + surface."""
    target = config.target
    found = np.zeros(count, dtype=np.int64)
    if target is None or not target.surfaces:
        return found
    for n, given in enumerate(target.surfaces):
        chosen = _chosen(config, f"[[target.surfaces]] '{given.name}'", given, count)
        if (found[chosen] > 0).any():
            other = target.surfaces[int(found[chosen].max()) - 1].name
            said = f"'{given.name}' and '{other}' share faces"
            raise ConfigError("[[target.surfaces]]", said, "each face once", "fix the lists")
        found[chosen] = n + 1
    return found


def _chosen(config: Config, where: str, given: TargetSurface, count: int) -> NDArray[np.bool_]:
    """Which triangles of the target belong to a surface, (count,)."""
    target = config.target
    assert target is not None
    if given.faces:
        if target.boxes:
            hint = "boxes = [0], sides = ['+x']"
            raise ConfigError(where, "faces of a target of boxes", "boxes or sides", hint)
        owner = np.arange(count)
        if target.file is None:
            owner = face_polygons(target.vertices_m, target.faces, where=where).triangle_face
        _require_below(where, "faces", given.faces, int(owner.max()) + 1)
        return np.isin(owner, given.faces)
    if not target.boxes:
        raise ConfigError(where, "boxes of a target without boxes", "faces", "faces = [0]")
    _require_below(where, "boxes", given.boxes, len(target.boxes))
    box = np.arange(count) // BOX_TRIANGLES
    side = np.array(SIDES)[(np.arange(count) % BOX_TRIANGLES) // 2]
    chosen = np.isin(box, given.boxes) if given.boxes else np.ones(count, dtype=bool)
    return chosen & np.isin(side, given.sides) if given.sides else chosen


def _require_below(where: str, key: str, numbers: tuple[int, ...], most: int) -> None:
    """Numbers that count from 0 must be below how many there are."""
    if max(numbers, default=0) >= most:
        found = f"{key} = {list(numbers)}"
        raise ConfigError(where, found, f"0 to {most - 1}", f"count {key} from 0")


def pairs_of(config: Config, thread_radius: float) -> Floats:
    """Contact numbers of all kinds on each surface, shape (1 + surfaces, kinds, PAIR_SIZE)."""
    surfaces = config.target.surfaces if config.target is not None else ()
    pairs = np.zeros((1 + len(surfaces), 2, PAIR_SIZE))
    for row, given in enumerate((None, *surfaces)):
        for kind in range(2):
            if config.contact.series is not None:
                pairs[row, kind] = _series_row(config, given, kind)
            else:
                pairs[row, kind] = _pair_row(config, given, kind, thread_radius)
    pairs = np.ascontiguousarray(pairs[:, LIKE])
    _lay_over(config, pairs)
    return pairs


def _lay_over(config: Config, pairs: Floats) -> None:
    """Write the numbers of [[contact.pairs]] over those of their surfaces."""
    surfaces = config.target.surfaces if config.target is not None else ()
    names = ["target", *(surface.name for surface in surfaces)]
    for given in config.contact.pairs:
        row = pairs[names.index(given.surface), KINDS.index(given.of)]
        if given.stiffness_N_per_m1p5 is not None:
            row[STIFFNESS] = given.stiffness_N_per_m1p5
        if given.friction is not None:
            row[FRICTION] = row[HOLDING] = given.friction
        if given.alpha_s_per_m is not None:
            row[LOSS_KIND], row[LOSS] = EMPIRICAL, given.alpha_s_per_m
        if given.restitution is not None:
            row[LOSS_KIND], row[LOSS] = NOMINAL, given.restitution


def _pair_row(
    config: Config, given: TargetSurface | None, kind: int, thread_radius: float
) -> tuple[float, ...]:
    """Numbers of threads (kind 0) or bullets (1) on a surface: its own, else those of [contact]."""
    rest = config.contact
    radius = (thread_radius, config.bullets.radius_m)[kind]
    young = (rest.thread_modulus_Pa, rest.bullet_modulus_Pa)[kind]
    stiff = ("stiffness_N_per_m1p5", "bullet_stiffness_N_per_m1p5")[kind]
    own, common = getattr(given, stiff, None), getattr(rest, stiff)
    skin = getattr(given, "modulus_Pa", None)
    modulus = contact_modulus(young, rest.poisson, skin or rest.target_modulus_Pa, rest.poisson)
    hertz = sphere_plane_stiffness(modulus, radius)
    stiffness = own or (hertz if skin else common or hertz)
    friction = _first(given, rest, ("friction", "bullet_friction")[kind])
    loss = (EMPIRICAL, _first(given, rest, "alpha_s_per_m"))
    restitution = getattr(given, "restitution", None)
    if restitution is None and getattr(given, "alpha_s_per_m", None) is None:
        restitution = rest.restitution
    if restitution is not None:
        loss = (NOMINAL, restitution)
    return contact_row(config, stiffness, friction, loss)


def _first(given: Any, rest: Any, key: str) -> float:
    """A number of a surface: its own, else that of the rest."""
    own = getattr(given, key, None)
    return float(getattr(rest, key) if own is None else own)


def _series_row(config: Config, given: TargetSurface | None, kind: int) -> tuple[float, ...]:
    """Numbers of two surfaces in series."""
    series = config.contact.series
    assert series is not None
    skin = series.target if given is None or given.own is None else given.own
    pair = series_pair(_numbers((series.threads, series.bullets)[kind]), _numbers(skin))
    loss = (FIXED_FACTOR, pair.factor)
    return contact_row(config, pair.stiffness, pair.friction, loss, pair.v_eps)


def _numbers(given: OwnNumbers) -> ContactNumbers:
    return ContactNumbers(
        given.stiffness_N_per_m1p5, given.damping_N_s_per_m2p5, given.friction,
        given.slip_speed_m_per_s,
    )  # fmt: skip


def outer_numbers(config: Config, classes: Integers) -> tuple[Floats, Floats]:
    """(drag coefficient, reflection) of each triangle of the target, by its class."""
    target = config.target
    assert target is not None
    drag, bright = [target.drag_coefficient], [target.reflection]
    for given in target.surfaces:
        drag.append(_first(given, target, "drag_coefficient"))
        bright.append(_first(given, target, "reflection"))
    return np.array(drag)[classes], np.array(bright)[classes]
