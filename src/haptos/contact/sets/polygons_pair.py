"""Two bodies in polygonal contact, asked from Python: forces at many poses, pressure maps, patches.

The sampled body B carries the faces, the reference body A is asked for distances. `two_pass` takes
the mean of both assignments, for bodies that are both faces and reference.
Validity: as contact/laws/foundation.py. Source: as contact/laws/foundation.py.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from haptos.contact.laws.foundation import (
    CENTRES,
    CLIPPED,
    FULL,
    INSIDE,
    NO_EXPANSION_DAMPING,
    NO_TENSION,
    FoundationLaw,
)
from haptos.contact.sets.polygons import (
    ADAPTIVE,
    FIXED,
    LEAVES,
    NODES,
    PolygonSet,
    Refinement,
    polygon_set,
)
from haptos.contact.sets.polygons_sum import (
    AREA,
    DEPTH,
    ELASTIC,
    FORCE,
    FULL_SET,
    POLYGONS,
    PRESSURE,
    SUMS,
    TORQUE,
    fill_sums,
)
from haptos.core.errors import ConfigError
from haptos.core.rotations import rotation_matrices
from haptos.geometry.distance.reference import Reference
from haptos.geometry.mesh.curved_faces import CurvedFaces

CITES: tuple[str, ...] = ()

Floats = NDArray[np.float64]

EXPANSIONS = {"no_tension": NO_TENSION, "no_expansion_damping": NO_EXPANSION_DAMPING, "full": FULL}
INTEGRALS = {"clipped": CLIPPED, "centres": CENTRES, "seed": INSIDE}
AT_REST = np.zeros(6)


def foundation_law(
    modulus: float,
    *,
    damping: float = 0.0,
    damping_depth: float = 0.0,
    expansion: str = "no_tension",
    shear: float = 0.0,
    shear_damping: float = 0.0,
    friction: float = 0.0,
    friction_at_rest: float | None = None,
    stick_speed: float = 1e-4,
    integral: str = "clipped",
    resets: bool = False,
) -> FoundationLaw:
    """The law as kernels read it; refuses numbers that make no law."""
    at_rest = friction if friction_at_rest is None else friction_at_rest
    if not modulus > 0.0:
        raise ConfigError("foundation", f"modulus {modulus:g} Pa/m", "above 0", "1e9")
    for name, value in (
        ("damping", damping),
        ("friction", friction),
        ("shear_damping", shear_damping),
    ):
        if not value >= 0.0:
            raise ConfigError("foundation", f"{name} = {value:g}", "0 or more", "0")
    if damping > 0.0 and not damping_depth > 0.0:
        hint = "a tenth of the expected depth"
        raise ConfigError("foundation", "damping without a damping depth", "s_d0 > 0", hint)
    if at_rest < friction:
        found = f"friction at rest {at_rest:g} below {friction:g}"
        raise ConfigError("foundation", found, "friction at rest >= friction", "leave it out")
    if at_rest > 0.0 and not (shear > 0.0 and stick_speed > 0.0):
        found = f"friction with shear modulus {shear:g} Pa/m, stick speed {stick_speed:g} m/s"
        raise ConfigError("foundation", found, "both above 0", "shear = shear_modulus(K, nu)")
    return FoundationLaw(
        float(modulus), float(damping), float(damping_depth), EXPANSIONS[expansion], float(shear),
        float(shear_damping), float(at_rest), float(friction), float(stick_speed),
        INTEGRALS[integral], int(resets),
    )  # fmt: skip


def fixed() -> Refinement:
    """Every face that may touch is split to its finest level: conservative."""
    return Refinement(FIXED, 0.0, 0.0, 0.0)


def adaptive(
    linearity: float = 1e-3, depth_scale: float = 1e-6, border: float = np.inf
) -> Refinement:
    """Faces are split until depth is linear within linearity max(depth, depth_scale [m])."""
    return Refinement(ADAPTIVE, float(linearity), float(depth_scale), float(border))


@dataclass(frozen=True)
class PolygonPair:
    """Sampled body B on reference body A under one law."""

    reference: Reference
    faces: CurvedFaces
    law: FoundationLaw
    refinement: Refinement = field(default_factory=fixed)
    capacity: int = 200_000

    def new_set(self) -> PolygonSet:
        return polygon_set(self.faces, self.capacity)

    def sums(
        self,
        positions: ArrayLike,
        quaternions: ArrayLike | None = None,
        twists: ArrayLike | None = None,
        *,
        spreads: tuple[float, float] = (0.0, 0.0),
        rates: tuple[float, float] = (0.0, 0.0),
        found: PolygonSet | None = None,
    ) -> Floats:
        """Rows of sums, shape (n, SUMS), for r_BA_A [m], (n, 3), quat_AB, (n, 4), twists, (n, 6)."""
        r = np.asarray(positions, dtype=np.float64).reshape(-1, 3)
        q = np.tile([1.0, 0.0, 0.0, 0.0], (len(r), 1)) if quaternions is None else quaternions
        poses = np.hstack([r, np.asarray(q, dtype=np.float64).reshape(-1, 4)])
        moving = np.zeros((len(r), 6)) if twists is None else twists
        motion = np.ascontiguousarray(moving, dtype=np.float64).reshape(-1, 6)
        rows = np.zeros((len(r), SUMS))
        held = found if found is not None else self.new_set()
        pair = (self.law, self.reference, self.faces, self.refinement)
        fill_sums(*pair, poses, motion, spreads, rates, held, rows)
        if np.any(rows[:, FULL_SET] > 0.0):
            hint = "fewer levels, or a larger capacity"
            raise ConfigError("polygons", f"more than {self.capacity} leaves", "fewer", hint)
        return rows

    def pressure_map(
        self,
        position: ArrayLike,
        quaternion: ArrayLike | None = None,
        *,
        spreads: tuple[float, float] = (0.0, 0.0),
    ) -> PressureMap:
        """Polygons in contact at one pose, with their depths and pressures."""
        found = self.new_set()
        row = self.sums(position, quaternion, spreads=spreads, found=found)[0]
        nodes, leaves = found.counts[NODES], found.counts[LEAVES]
        touching = found.energy[:leaves] > 0.0
        weight = found.weight[:nodes]
        mean = np.divide(found.load[:nodes], weight, out=np.zeros(nodes), where=weight > 0.0)
        return PressureMap(
            found.point[:nodes].copy(),
            found.corners[:leaves][touching].copy(),
            -found.gap[:nodes],
            self.law.modulus * mean,
            row,
        )


@dataclass(frozen=True, eq=False)
class PressureMap:
    """Nodes (n, 3) [m] in A, corners (m, 3) of polygons, depth (n,) [m] signed, pressure (n,) [Pa]."""

    nodes: Floats
    corners: NDArray[np.int64]
    depth: Floats
    pressure: Floats
    sums: Floats

    @property
    def patches(self) -> int:
        """Number of connected patches; polygons that share a point belong together."""
        from haptos.geometry.mesh.mesh_topology import joined_parts

        if len(self.corners) == 0:
            return 0
        used = np.unique(self.corners)
        size = float(np.max(np.ptp(self.nodes[used], axis=0))) or 1.0
        places = np.round(self.nodes / (1e-7 * size)).astype(np.int64)
        _, same = np.unique(places, axis=0, return_inverse=True)
        same = same.reshape(-1)
        a, b, c = (same[self.corners[:, k]] for k in range(3))
        joined = joined_parts(int(same.max()) + 1, np.concatenate([a, b]), np.concatenate([b, c]))
        return len(np.unique(joined[1][a]))


def two_pass(
    first: PolygonPair, second: PolygonPair, positions: ArrayLike, quaternions: ArrayLike
) -> Floats:
    """Mean of both assignments: `first` samples B on A, `second` samples A on B. Columns as `sums`.

    Forces and torques on B in A axes about A's origin; energy, area, depth and pressure are means.
    """
    r = np.asarray(positions, dtype=np.float64).reshape(-1, 3)
    q = np.asarray(quaternions, dtype=np.float64).reshape(-1, 4)
    dcm_AB = rotation_matrices(q)
    one = first.sums(r, q)
    back = -np.einsum("nji,nj->ni", dcm_AB, r)
    other = second.sums(back, q * np.array([1.0, -1.0, -1.0, -1.0]))
    force_B, torque_B = other[:, FORCE : FORCE + 3], other[:, TORQUE : TORQUE + 3]
    force = -np.einsum("nij,nj->ni", dcm_AB, force_B)
    torque = -np.einsum("nij,nj->ni", dcm_AB, torque_B) + np.cross(r, force)
    mean = one.copy()
    mean[:, FORCE : FORCE + 3] = 0.5 * (one[:, FORCE : FORCE + 3] + force)
    mean[:, TORQUE : TORQUE + 3] = 0.5 * (one[:, TORQUE : TORQUE + 3] + torque)
    for column in (ELASTIC, AREA, DEPTH, PRESSURE, POLYGONS):
        mean[:, column] = 0.5 * (one[:, column] + other[:, column])
    return mean


def as_mapping(row: Floats) -> dict[str, Any]:
    """One row of sums by name, in SI."""
    return {
        "force": row[FORCE : FORCE + 3].copy(),
        "torque": row[TORQUE : TORQUE + 3].copy(),
        "elastic": float(row[ELASTIC]),
        "area": float(row[AREA]),
        "depth": float(row[DEPTH]),
        "pressure": float(row[PRESSURE]),
        "polygons": int(row[POLYGONS]),
    }
