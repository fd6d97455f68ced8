"""Rigid bodies of a system that touch by polygons: which faces on which body, and what is remembered of them.

A row is one pass: the faces of a body on the distances of another, or of the ground. In two passes two bodies make two
rows with half of the law's moduli each, so that a corner of either is felt; in one the smaller body has the faces.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from haptos.contact.laws.foundation import FoundationLaw
from haptos.contact.sets.polygons_memory import polygon_memory
from haptos.contact.sets.polygons_pair import PolygonPair, fixed, foundation_law
from haptos.contact.sets.polygons_step import ACCOUNT
from haptos.contact.sets.polygons_sum import SUMS
from haptos.core.by_reference import by_reference
from haptos.core.errors import ConfigError
from haptos.dynamics.motion import record
from haptos.geometry.distance.reference import Reference, half_space
from haptos.geometry.mesh.curved_faces import CurvedFaces
from haptos.geometry.mesh.curved_faces_build import octahedron_faces

Floats = NDArray[np.float64]

MOST_ROWS = 8  # [-] of a system: one kernel for all numbers of them
GROUND = -1  # number of the ground among the bodies
NOBODY = -2  # reference of a row that is not used

# How a row goes: the first five change within a step, the others are those of the run.
PRESSING = np.dtype(
    [
        ("is_near", "i8"),  # whether its faces may touch within the step
        ("slips", "i8"),  # whether a node slipped in the step, or at its start
        ("shear_work", "f8"),  # [J] of shear forces in the step
        ("most_released", "f8"),  # [J] that stretches can have let go in it, if nothing slips
        ("margin", "f8"),  # [m] that bodies may go until polygons must be found again
        ("clear", "f8"),  # [m] that the bodies may go until their faces can touch
        ("is_touching", "i8"),
        ("met", "i8"),  # contacts so far
        ("peak", "f8"),  # largest force [N]
        ("deepest", "f8"),  # [m]
        ("pressure", "f8"),  # largest [Pa]
        ("is_full", "i8"),  # whether polygons did not fit their room
    ]
)

# law ... account  as a pass of rigid/touching_pair.py       bodies (2,) reference and sampled one
# frame (12,)      origin [m] and dcm_NA, row by row, of the ground's axes       pressing  PRESSING
PolygonRow = namedtuple(
    "PolygonRow",
    "law reference faces refinement found memory sums account bodies frame pressing",
)
by_reference(PolygonRow)


@dataclass(frozen=True, eq=False)
class FacedBody:
    """A body as faces and as a reference: its number, both in its own axes from its centre of mass."""

    body: int
    faces: CurvedFaces
    reference: Reference


def polygon_rows(
    law: FoundationLaw,
    bodies: Sequence[FacedBody],
    is_free: Sequence[bool],
    ground: tuple[Reference, Floats, Floats] | None = None,
    two_pass: bool = True,
    where: str = "bodies",
) -> tuple[Any, ...]:
    """Rows of all pairs of bodies of which one is free, and of all free ones on the ground.

    ground  its reference, place of its origin [m] and dcm_NA
    """
    share = 0.5 if two_pass else 1.0
    own = law._replace(
        modulus=share * law.modulus, damping=share * law.damping, shear=share * law.shear,
        shear_damping=share * law.shear_damping,
    )  # fmt: skip
    found = [
        _row(own, a.reference, b.faces, (a.body, b.body))
        for a in bodies
        for b in bodies
        if a is not b and (is_free[a.body] or is_free[b.body]) and (two_pass or _is_sampled(b, a))
    ]
    if ground is not None:
        frame = np.concatenate([ground[1], np.ravel(ground[2])])
        found += [
            _row(law, ground[0], b.faces, (GROUND, b.body), frame)
            for b in bodies
            if is_free[b.body]
        ]
    if len(found) > MOST_ROWS:
        many = f"{len(bodies)} bodies that touch by polygons, {len(found)} rows of faces on a body"
        hint = "fewer bodies, or one pass"
        raise ConfigError(where, many, f"at most {MOST_ROWS} rows", hint)
    if not found:
        return ()
    unused = [
        _row(foundation_law(1.0), half_space(), octahedron_faces(0, 1.0, 0), (NOBODY, 0))
        for _ in range(MOST_ROWS - len(found))
    ]
    return (*found, *unused)


def _is_sampled(one: FacedBody, other: FacedBody) -> bool:
    """Whether the faces of one of two bodies are the ones that touch in a single pass."""
    return (one.faces.size, one.body) < (other.faces.size, other.body)


def _row(
    law: FoundationLaw, reference: Reference, faces: CurvedFaces, bodies: tuple[int, int],
    frame: Floats | None = None,
) -> Any:  # fmt: skip
    pair = PolygonPair(reference, faces, law, fixed())
    found = pair.new_set()
    return PolygonRow(
        law, reference, faces, pair.refinement, found, polygon_memory(found), np.zeros(SUMS),
        np.zeros(ACCOUNT), np.array(bodies, dtype=np.int64),
        np.concatenate([np.zeros(3), np.eye(3).ravel()]) if frame is None else frame,
        record(PRESSING),
    )  # fmt: skip


def used_rows(rows: tuple[Any, ...]) -> list[Any]:
    """Rows without those that are not used."""
    return [row for row in rows if row.bodies[0] != NOBODY]
