"""One impact of a rigid body with the ground, from its motion before to its motion after.

    nu = v + w x r                                                                Eq. (2.47)
    v+ = v + P/m,   w+ = w + I^-1 (r x P)                                         Eq. (2.57), (2.58)
    T+ - T = W_normal + W_friction + W_rolling,      T = m v.v/2 + w.I w/2

    v, w   velocity of the centre of mass [m/s], rate relative to the ground [rad/s]
    r      contact point from the centre of mass [m]        N  unit normal, out of the ground
    P      impulse on the body at r [N s], from collision_path by the chosen law of restitution
    W_...  works [J]; each is summed along the path of the impact, so that their sum is a check
Frame: v, r, N and P in A axes, w and I^-1 in B axes, dcm_AB between them.
Validity: one point touches; position and attitude do not change during the impact. Velocities are
those relative to the ground, also where the ground turns.
Source: [VanWal2018] section 2.5.
"""

from __future__ import annotations

from collections import namedtuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from haptos.contact.collision_geometry import (
    collision_matrix,
    contact_frame,
    from_contact,
    to_contact,
)
from haptos.contact.collision_path import (
    MOST_SEGMENTS,
    CollisionScratch,
    impulse_path,
)
from haptos.contact.collision_rolling import rolling_impact
from haptos.contact.collision_segments import ENERGETIC, KINEMATIC, KINETIC
from haptos.contact.collision_slip import COLUMNS, LENGTH
from haptos.core.errors import ConfigError
from haptos.core.jit import device, entry
from haptos.core.rotations import apply, apply_transposed
from haptos.core.symmetric import apply_symmetric
from haptos.core.vectors import add, add_scaled, cross

CITES: tuple[str, ...] = ("VanWal2018",)
Floats = NDArray[np.float64]

LAWS = {"energetic": ENERGETIC, "kinematic": KINEMATIC, "kinetic": KINETIC}
PATH_COLUMNS = 7
UNIT_ERROR = 1e-9  # [-] by which a normal may miss the length 1

# restitution e [-], friction f [-], law; rolling (3) coefficients about B axes [m], zeros switch
# rolling resistance off; stick_rate [rad/s]
Coefficients = namedtuple("Coefficients", "restitution friction law rolling stick_rate")
# v (A), w_B after; impulse (A) [N s]; works [J], minus what the body loses; mode and status of
# collision_path; steps of slip that turned
Collision = namedtuple(
    "Collision", "v w_B impulse normal_work friction_work rolling_work mode status steps"
)


def collision_scratch() -> CollisionScratch:
    """Scratch arrays for `collide`, one set per thread."""
    return CollisionScratch(np.empty((LENGTH, COLUMNS)), np.empty((MOST_SEGMENTS, PATH_COLUMNS)))


@device
def collide(mass, inverse_inertia, dcm_AB, r, v, w_B, normal, coefficients, scratch):
    """Collision of a body whose point r touches ground with this normal."""
    frame = contact_frame(normal)
    m = collision_matrix(mass, inverse_inertia, dcm_AB, r, frame)
    nu = to_contact(frame, add(v, cross(apply(dcm_AB, w_B), r)))  # Eq. (2.47)
    e, f = coefficients.restitution, coefficients.friction
    impact = impulse_path(m, nu, f, e, coefficients.law, scratch)
    impulse = from_contact(frame, impact.impulse)
    rolling, taken = coefficients.rolling, 0.0
    if rolling[0] > 0.0 or rolling[1] > 0.0 or rolling[2] > 0.0:
        v, w_B, taken = rolling_impact(
            mass, inverse_inertia, dcm_AB, r, v, w_B, frame, scratch.path, impact.segments,
            rolling, coefficients.stick_rate,
        )  # fmt: skip
    else:
        torque_B = apply_transposed(dcm_AB, cross(r, impulse))
        v = add_scaled(v, 1.0 / mass, impulse)  # Eq. (2.57)
        w_B = add(w_B, apply_symmetric(inverse_inertia, torque_B))  # Eq. (2.58)
    return Collision(
        v, w_B, impulse, impact.normal_work, impact.friction_work, taken, impact.mode,
        impact.status, impact.steps,
    )  # fmt: skip


@device
def _three(rows, i):
    return (rows[i, 0], rows[i, 1], rows[i, 2])


@entry
def fill_collisions(mass, inverse, dcm, r, v, w, normal, coefficients, law, out, marks):
    """Impacts of many bodies; rows of out: v, w_B, impulse, works; of marks: mode, status, steps."""
    scratch = CollisionScratch(np.empty((LENGTH, COLUMNS)), np.empty((MOST_SEGMENTS, PATH_COLUMNS)))
    for i in range(len(mass)):
        s, row = inverse[i], coefficients[i]
        given = Coefficients(row[0], row[1], law, (row[2], row[3], row[4]), row[5])
        found = collide(
            mass[i], (s[0], s[1], s[2], s[3], s[4], s[5]),
            (_three(dcm[i], 0), _three(dcm[i], 1), _three(dcm[i], 2)),
            _three(r, i), _three(v, i), _three(w, i), _three(normal, i), given, scratch,
        )  # fmt: skip
        for k in range(3):
            out[i, k], out[i, 3 + k], out[i, 6 + k] = found.v[k], found.w_B[k], found.impulse[k]
        out[i, 9], out[i, 10] = found.normal_work, found.friction_work
        out[i, 11] = found.rolling_work
        marks[i, 0], marks[i, 1], marks[i, 2] = found.mode, found.status, found.steps


def collisions(
    mass: ArrayLike,
    inertia: ArrayLike,
    dcm_AB: ArrayLike,
    r: ArrayLike,
    v: ArrayLike,
    w_B: ArrayLike,
    normal: ArrayLike,
    *,
    restitution: ArrayLike,
    friction: ArrayLike,
    law: str = "energetic",
    rolling: ArrayLike = 0.0,
    stick_rate: ArrayLike = 1e-3,
) -> Collision:
    """Many impacts at once: a Collision whose fields are arrays with one row per impact.

    mass [kg] (n,); inertia [kg m^2] (n, 3, 3) in B axes; dcm_AB (n, 3, 3); r [m], v [m/s], normal (n, 3)
    in A axes; w_B [rad/s] (n, 3). Everything may also be given once for all.
    restitution [-] in [0, 1]; friction [-] >= 0; law "energetic", "kinematic" or "kinetic";
    rolling [m] >= 0, one number or three about the axes of B; stick_rate [rad/s] > 0.
    """
    if law not in LAWS:
        raise ConfigError("collisions law", repr(law), ", ".join(LAWS), 'law="energetic"')
    numbers = [np.asarray(x, dtype=float) for x in (mass, restitution, friction, stick_rate)]
    vectors = [np.asarray(x, dtype=float) for x in (r, v, w_B, normal)]
    matrices = [np.asarray(x, dtype=float) for x in (inertia, dcm_AB)]
    shapes = [x.shape for x in numbers] + [x.shape[:-1] for x in vectors]
    (n,) = np.broadcast_shapes((1,), *shapes, *(x.shape[:-2] for x in matrices))
    m, e, f, rate = (np.array(np.broadcast_to(x, (n,)), order="C") for x in numbers)
    arms, speeds, rates, normals = (
        np.array(np.broadcast_to(x, (n, 3)), order="C") for x in vectors
    )
    body, attitude = (np.array(np.broadcast_to(x, (n, 3, 3)), order="C") for x in matrices)
    roll = np.broadcast_to(np.asarray(rolling, dtype=float), (n, 3))
    _require("mass", m, (m > 0.0).all(), "finite and above zero [kg]")
    _require("restitution", e, ((e >= 0.0) & (e <= 1.0)).all(), "0 to 1")
    _require("friction", f, (f >= 0.0).all(), "finite, 0 or more")
    _require("rolling", roll, (roll >= 0.0).all(), "finite lengths [m], 0 or more")
    _require("stick_rate", rate, (rate > 0.0).all(), "finite and above zero [rad/s]")
    _require("inertia", body, (np.linalg.eigvalsh(body) > 0.0).all(), "positive definite")
    for name, x in (("r", arms), ("v", speeds), ("w_B", rates), ("dcm_AB", attitude)):
        _require(name, x, True, "finite numbers")
    unit = np.abs(np.linalg.norm(normals, axis=1) - 1.0) <= UNIT_ERROR
    _require("normal", normals, unit.all(), "vectors of length 1")
    inverse = np.linalg.inv(body)[:, (0, 0, 0, 1, 1, 2), (0, 1, 2, 1, 2, 2)]
    given = np.ascontiguousarray(np.column_stack([e, f, roll, rate]))
    out, marks = np.empty((n, 12)), np.empty((n, 3), dtype=np.int64)
    fill_collisions(
        m, np.ascontiguousarray(inverse), attitude, arms, speeds, rates, normals, given,
        LAWS[law], out, marks,
    )  # fmt: skip
    return Collision(out[:, :3], out[:, 3:6], out[:, 6:9], *out[:, 9:].T, *marks.T)


def _require(name: str, values: Floats, holds: bool | np.bool_, allowed: str) -> None:
    if not (holds and np.isfinite(values).all()):
        found = f"{name} from {values.min()} to {values.max()}"
        raise ConfigError(f"collisions {name}", found, allowed, f"look at the rows of {name}")
