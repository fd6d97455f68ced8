"""What joined bodies can be asked for: poses, booms, slides, contacts, extremes, ledger, momentum, rows."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from haptos.contact.sets.polygons import NODES
from haptos.contact.sets.polygons_pair import PolygonPair, PressureMap
from haptos.contact.sets.polygons_sum import (
    AREA,
    DEPTH,
    ELASTIC,
    FORCE,
    POLYGONS,
    PRESSURE,
    STICK,
    STICKING,
    TORQUE,
)
from haptos.core.errors import ConfigError
from haptos.core.rotations import quaternion_product, rotation_matrices, rotation_matrix
from haptos.core.vectors import cross
from haptos.dynamics.flexible.boom import deflection, inflection
from haptos.dynamics.joined.parts import BodyFrame, boom_joints
from haptos.dynamics.joined.plant_booms import rotation_vector
from haptos.dynamics.joined.plant_contacts import contact_pose, shape_share
from haptos.dynamics.joined.plant_model import (
    A_FRICTION,
    A_PEAK,
    A_RELEASED,
    A_REMESH,
    ANGULAR,
    ATTITUDE,
    B_DRIVE,
    B_ENERGY,
    B_EXTENSION,
    B_FORCE,
    B_MOMENT,
    B_PLACE,
    B_ROOT,
    B_SPEED,
    B_TENSION,
    B_TURN,
    BODY,
    C_DAMPING,
    C_VISCOUS,
    CONTACT_WORKS,
    MOMENTUM,
    W_BOOM,
    W_BOOM_DAMPING,
    W_GRAVITY,
    W_LIGHT,
    W_MODE_DAMPING,
    W_SPREAD,
    W_STROKE,
    W_THRUST,
    W_WHEELS,
    W_WINGS,
    WORKS,
)
from haptos.dynamics.joined.plant_rates import mode_energy, set_velocities
from haptos.dynamics.joined.plant_states import BoomState, ContactState, JoinedBodyState, SlideState

Floats = NDArray[np.float64]

WORK_NAMES = {
    W_GRAVITY: "gravity", W_LIGHT: "light", W_THRUST: "thrusters", W_WHEELS: "wheels",
    W_WINGS: "wing_drives", W_BOOM: "boom_drive", W_STROKE: "stroke_drive", W_SPREAD: "spread_drive",
}  # fmt: skip
LOSS_NAMES = {W_BOOM_DAMPING: "boom_damping", W_MODE_DAMPING: "mode_damping"}
EXTREME_NAMES = ("force", "lateral", "axial", "torque", "depth", "pressure", "area")
BOOM_EXTREMES = ("tension", "least_tension", "tip_moment", "root_moment")
BOOM_COLUMNS = (
    "speed", "drive_force", "tension", "energy", "extension", "force_x", "force_y", "force_z",
    "moment_x", "moment_y", "moment_z", "root_moment_x", "root_moment_y", "root_moment_z", "place_x",
    "place_y", "place_z", "turn_x", "turn_y", "turn_z",
)  # fmt: skip
SLIDE_COLUMNS = ("stroke_speed", "stroke_force", "spread_rate", "spread_force")
CONTACT_COLUMNS = (
    "force_x", "force_y", "force_z", "torque_x", "torque_y", "torque_z", "depth", "area", "polygons",
    "pressure", "sticking", "elastic", "stick", "friction", "released", "remesh",
)  # fmt: skip

if TYPE_CHECKING:
    from haptos.dynamics.joined.parts import JoinedBody, JoinedBoom, JoinedContact, Slide


class Readings:
    """Questions to joined bodies; `Plant` adds how they move."""

    model: Any
    march: Any
    bodies: tuple[JoinedBody, ...]
    booms: tuple[JoinedBoom, ...]
    slides: tuple[Slide, ...]
    contacts: tuple[JoinedContact, ...]
    _first: float
    _has_velocities: bool = False  # whether the scratch of kernels is that of the state now
    _first_momentum: tuple[Floats, Floats]

    @property
    def time(self) -> float:
        """Time [s]."""
        return float(self.march.clock[0])

    def _index(self, kind: str, names: list[str], name: str) -> int:
        if name not in names:
            raise ConfigError(kind, f"'{name}'", f"one of {names}", names[0] if names else "")
        return names.index(name)

    def _body(self, name: str) -> int:
        return self._index("body", [b.name for b in self.bodies], name)

    def _boom(self, name: str) -> int:
        return self._index("boom", [b.name for b in self.booms], name)

    def _slide(self, name: str) -> int:
        return self._index("slide", [s.name for s in self.slides], name)

    def _contact(self, name: str) -> int:
        return self._index("contact", [c.name for c in self.contacts], name)

    def _set_velocities(self) -> None:
        """Velocities of all bodies at the state now, unless the last evaluation left them."""
        if not self._has_velocities:
            set_velocities(self.model, self.march.y)
            self._has_velocities = True

    def body(self, name: str) -> JoinedBodyState:
        """State of a body."""
        k = self._body(name)
        self._set_velocities()
        y, table = self.march.y[k * BODY : (k + 1) * BODY], self.model.bodies
        return JoinedBodyState(
            y[:3].copy(), y[ATTITUDE:MOMENTUM].copy(), table.velocity[k, :3].copy(),
            table.local[k, 3:].copy(), y[MOMENTUM:ANGULAR].copy(), y[ANGULAR:BODY].copy(),
        )  # fmt: skip

    def _frame(self, place: BodyFrame | str) -> tuple[Floats, Floats, Floats, Floats, Floats]:
        """(origin [m], quat_NF, dcm_NF, velocity [m/s], rate [rad/s]) of a body or of a place on one, N axes."""
        place = BodyFrame(place) if isinstance(place, str) else place
        k = self._body(place.body)
        self._set_velocities()
        y, table = self.march.y[k * BODY : (k + 1) * BODY], self.model.bodies
        dcm_NB = table.dcm[k].reshape(3, 3)
        arm = dcm_NB @ np.asarray(place.position, dtype=float)
        turn = tuple(float(number) for number in np.asarray(place.quaternion))
        q = np.array(quaternion_product(tuple(y[ATTITUDE:MOMENTUM].tolist()), turn))
        v, w = table.velocity[k, :3], table.velocity[k, 3:]
        speed = v + np.array(cross(tuple(w.tolist()), tuple(arm.tolist())))
        return y[:3] + arm, q, dcm_NB @ np.array(rotation_matrix(turn)), speed, w.copy()

    def pose(self, place: BodyFrame | str) -> tuple[Floats, Floats]:
        """(origin [m], quat_NF) of a body or of a place on one, N axes."""
        return self._frame(place)[:2]

    def velocity(self, place: BodyFrame | str) -> tuple[Floats, Floats]:
        """(velocity [m/s], rate [rad/s]) of a place, N axes."""
        return self._frame(place)[3:]

    def relative(
        self, first: BodyFrame | str, second: BodyFrame | str
    ) -> tuple[Floats, Floats, Floats, Floats]:
        """(r, quat, v, omega) of the second place seen from the first, in axes of the first, which turn."""
        r_a, q_a, dcm, v_a, w_a = self._frame(first)
        r_b, q_b, _, v_b, w_b = self._frame(second)
        back = (q_a[0], -q_a[1], -q_a[2], -q_a[3])
        apart = r_b - r_a
        v = v_b - v_a - np.array(cross(tuple(w_a.tolist()), tuple(apart.tolist())))
        return (
            dcm.T @ apart,
            np.array(quaternion_product(back, q_b)),
            dcm.T @ v,
            dcm.T @ (w_b - w_a),
        )

    def wheels(self, body: str) -> Floats:
        """Momenta [N m s] of a body's wheels."""
        k, at, first = self._body(body), self.model.layout, self.model.wheels.body_first
        return np.array(self.march.y[at.wheels + first[k] : at.wheels + first[k + 1]])

    def modes(self, body: str) -> tuple[Floats, Floats]:
        """(amplitudes, momenta) of the modes of a body's wings."""
        k, at, first = self._body(body), self.model.layout, self.model.appendages.body_first
        y = self.march.y
        one, two = (
            slice(at.amplitudes + first[k], at.amplitudes + first[k + 1]),
            slice(at.momenta + first[k], at.momenta + first[k + 1]),
        )
        return np.array(y[one]), np.array(y[two])

    def propellant(self, body: str) -> float:
        """Propellant used [kg]."""
        return float(self.march.y[self.model.layout.propellant + self._body(body)])

    def boom(self, name: str) -> BoomState:
        """State of a boom."""
        k = self._boom(name)
        now, length = self.model.booms.now[k], float(self.march.y[self.model.layout.lengths + k])
        part = lambda first: now[first : first + 3].copy()  # noqa: E731
        p, phi, spring = part(B_PLACE), part(B_TURN), self.booms[k].spring
        return BoomState(
            length, float(now[B_SPEED]), float(now[B_DRIVE]), float(now[B_TENSION]), part(B_FORCE),
            part(B_MOMENT), part(B_ROOT), p, phi, float(now[B_ENERGY]), float(now[B_EXTENSION]),
            spring is not None and bool(now[B_EXTENSION] >= spring.stroke),
            (inflection(p[1], phi[2], length), inflection(p[2], -phi[1], length)),
        )  # fmt: skip

    def boom_shape(self, name: str, count: int = 21) -> Floats:
        """Points [m] along each element of a boom, (count, 3) of one, N axes."""
        k = self._boom(name)
        joints = boom_joints(self.booms[k])
        length = self.boom(name).length / (len(joints) - 1)
        points: list[Floats] = []
        for root, tip in pairwise(joints):
            origin, q = self.pose(root)
            dcm = rotation_matrices(q[None])[0]
            p, turn, _, _ = self.relative(root, tip)
            phi = rotation_vector(rotation_matrix(tuple(turn.tolist())))
            for xi in np.linspace(0.0, 1.0, count)[bool(points) :]:
                w = deflection(xi, p[1], phi[2], length)
                v = deflection(xi, p[2], -phi[1], length)
                points.append(origin + dcm @ np.array([xi * p[0], w, v]))
        return np.array(points)

    def slide(self, name: str) -> SlideState:
        """State of a slide."""
        n, at = self._slide(name), self.model.layout
        now, y = self.model.slides.now[n], self.march.y
        return SlideState(
            float(y[at.strokes + n]), float(now[0]), float(now[1]), float(y[at.spreads + n]),
            float(now[2]), float(now[3]),
        )  # fmt: skip

    def contact(self, name: str) -> ContactState:
        """State of a contact at the last accepted step."""
        s = self.model.contacts[self._contact(name)].kept
        return ContactState(
            s[FORCE : FORCE + 3].copy(), s[TORQUE : TORQUE + 3].copy(), float(s[DEPTH]), float(s[AREA]),
            int(s[POLYGONS]), float(s[PRESSURE]), float(s[STICKING]), float(s[ELASTIC]), float(s[STICK]),
        )  # fmt: skip

    def sector_loads(self, name: str, count: int = 3, phase: float = 0.0) -> Floats:
        """Elastic normal load [N] of a contact in equal sectors about x of the faces' place, the first centred on `phase` [rad].

        Angles count from y to z.
        """
        contact = self.model.contacts[self._contact(name)]
        nodes = int(contact.found.counts[NODES])
        if nodes == 0:
            return np.zeros(count)
        place, load = contact.found.place[:nodes], contact.law.modulus * contact.found.load[:nodes]
        angle = np.arctan2(place[:, 2], place[:, 1]) - phase
        width = 2.0 * math.pi / count
        sector = np.floor(angle / width + 0.5).astype(np.int64) % count
        return np.asarray(np.bincount(sector, weights=load, minlength=count), dtype=float)

    def pressure_map(self, name: str) -> PressureMap:
        """Polygons of a contact now, for drawing."""
        from scipy.spatial.transform import Rotation

        k = self._contact(name)
        spec, model = self.contacts[k], self.model
        self._set_velocities()
        (r, dcm), _, _, _, _ = contact_pose(model, k, self.march.y)
        x, y, z, w = Rotation.from_matrix(np.array(dcm)).as_quat()
        slide = model.contacts[k].bodies[2]
        spread = 0.0
        if slide >= 0:
            spread = shape_share(float(self.march.y[model.layout.spreads + slide]))[0]
        pair = PolygonPair(spec.reference, spec.faces, spec.law, spec.refinement, spec.capacity)
        return pair.pressure_map(np.array(r), np.array([w, x, y, z]), spreads=(0.0, spread))

    def extremes(self) -> dict[str, dict[str, float]]:
        """Largest values of each contact and boom since the last reset, over all accepted steps."""
        found = {}
        for spec, made in zip(self.contacts, self.model.contacts, strict=False):
            found[spec.name] = dict(zip(EXTREME_NAMES, made.extremes.tolist(), strict=True))
        for boom, row in zip(self.booms, self.model.record.boom_extremes, strict=True):
            found[boom.name] = dict(zip(BOOM_EXTREMES, row.tolist(), strict=True))
        return found

    def reset_extremes(self) -> None:
        """Start looking for extremes anew."""
        for made in self.model.contacts:
            made.extremes[:] = 0.0
        self.model.record.boom_extremes[:] = (-math.inf, math.inf, 0.0, 0.0)

    def _stores(self) -> float:
        """Energy stored now [J]."""
        total = float(self.model.record.now[0]) + mode_energy(self.model, self.march.y)
        total += sum(float(row[B_ENERGY]) for row in self.model.booms.now)
        return total + sum(float(c.kept[ELASTIC] + c.kept[STICK]) for c in self.model.contacts)

    def turning(self) -> float:
        """Energy [J] of the turns of all bodies, wheels and modes apart."""
        rates, inertia = self.model.bodies.local[:, 3:6], self.model.appendages.rigid[:, 3:, 3:]
        return 0.5 * float(np.einsum("bi,bij,bj->", rates, inertia, rates))

    def balance(self) -> tuple[float, float]:
        """(energy stored now [J], what does not add up [J]): the sums of `ledger`, quickly."""
        y, at = self.march.y, self.model.layout
        stored = float(self._stores())
        works = y[at.works : at.works + WORKS]
        given = float(works[:W_BOOM_DAMPING].sum() - works[W_BOOM_DAMPING:].sum())
        count = len(self.contacts)
        rows = y[at.contacts : at.contacts + CONTACT_WORKS * count].reshape(count, CONTACT_WORKS)
        given -= float(rows[:, C_DAMPING].sum() + rows[:, C_VISCOUS].sum())
        for made in self.model.contacts[:count]:
            account = made.account
            given += float(account[A_REMESH] - account[A_FRICTION] - account[A_RELEASED])
        return stored, stored - self._first - given

    def ledger(self) -> dict[str, float]:
        """Stores [J] now, works put in and losses since the start, and what does not add up."""
        now, y, at = self.model.record.now, self.march.y, self.model.layout
        stores = {"kinetic": float(now[0]), "modes": float(now[1])}
        stores |= {
            f"boom:{b.name}": float(row[B_ENERGY])
            for b, row in zip(self.booms, self.model.booms.now, strict=True)
        }
        works = {name: float(y[at.works + k]) for k, name in WORK_NAMES.items()}
        losses = {name: float(y[at.works + k]) for k, name in LOSS_NAMES.items()}
        for k, spec in enumerate(self.contacts):
            made, first = self.model.contacts[k], at.contacts + CONTACT_WORKS * k
            stores[f"elastic:{spec.name}"] = float(made.kept[ELASTIC])
            stores[f"stick:{spec.name}"] = float(made.kept[STICK])
            losses[f"damping:{spec.name}"] = float(y[first + C_DAMPING])
            losses[f"viscous:{spec.name}"] = float(y[first + C_VISCOUS])
            losses[f"friction:{spec.name}"] = float(made.account[A_FRICTION])
            losses[f"released:{spec.name}"] = float(made.account[A_RELEASED])
            works[f"remesh:{spec.name}"] = float(made.account[A_REMESH])
        change = sum(stores.values()) - self._first
        remainder = change - sum(works.values()) + sum(losses.values())
        return stores | works | losses | {"remainder": remainder}

    def peak_energy(self, contact: str) -> float:
        """Largest elastic energy [J] of a contact so far."""
        return float(self.model.contacts[self._contact(contact)].account[A_PEAK])

    def _total_momentum(self) -> tuple[Floats, Floats]:
        y = self.march.y[: BODY * len(self.bodies)].reshape(-1, BODY)
        return y[:, MOMENTUM:ANGULAR].sum(axis=0), y[:, ANGULAR:BODY].sum(axis=0)

    def momentum(self) -> tuple[Floats, Floats, Floats, Floats]:
        """(momentum [N s], angular momentum [N m s] about N's origin, impulses of all that comes from outside)."""
        linear, angular = self._total_momentum()
        first = self.model.layout.impulse
        outer = self.march.y[first : first + 6].copy()
        return linear, angular, outer[:3], outer[3:]

    def momentum_error(self) -> tuple[float, float]:
        """Change of both momenta that no outer impulse explains [N s], [N m s]."""
        linear, angular, impulse, turn = self.momentum()
        first, first_turn = self._first_momentum
        return (
            float(np.linalg.norm(linear - first - impulse)),
            float(np.linalg.norm(angular - first_turn - turn)),
        )

    @property
    def columns(self) -> list[str]:
        """Names of the quantities of `rows` that are no states."""
        names = ["kinetic", "modes"]
        names += [f"{b.name}.{column}" for b in self.booms for column in BOOM_COLUMNS]
        names += [f"{s.name}.{column}" for s in self.slides for column in SLIDE_COLUMNS]
        names += [f"{c.name}.{column}" for c in self.contacts for column in CONTACT_COLUMNS]
        return names

    def rows(self) -> dict[str, Floats]:
        """Everything at the output times reached so far: states by the interpolant, the rest straight between steps."""
        record, at = self.model.record, self.model.layout
        count = int(record.at[0])
        states, found = self.march.rows[:count], {"time": record.times[:count].copy()}
        for k, body in enumerate(self.bodies):
            part = states[:, k * BODY : (k + 1) * BODY]
            found[f"{body.name}.position"] = part[:, :3].copy()
            found[f"{body.name}.quaternion"] = part[:, ATTITUDE:MOMENTUM].copy()
            found[f"{body.name}.momentum"] = part[:, MOMENTUM:ANGULAR].copy()
            found[f"{body.name}.angular_momentum"] = part[:, ANGULAR:BODY].copy()
            found[f"{body.name}.propellant"] = states[:, at.propellant + k].copy()
        for k, boom in enumerate(self.booms):
            found[f"{boom.name}.length"] = states[:, at.lengths + k].copy()
        for k, slide in enumerate(self.slides):
            found[f"{slide.name}.stroke"] = states[:, at.strokes + k].copy()
            found[f"{slide.name}.spread"] = states[:, at.spreads + k].copy()
        found["amplitudes"] = states[:, at.amplitudes : at.momenta].copy()
        found["wheels"] = states[:, at.wheels : at.torques].copy()
        for k, name in (WORK_NAMES | LOSS_NAMES).items():
            found[f"work.{name}"] = states[:, at.works + k].copy()
        for k, spec in enumerate(self.contacts):
            first = at.contacts + CONTACT_WORKS * k
            found[f"work.damping:{spec.name}"] = states[:, first + C_DAMPING].copy()
            found[f"work.viscous:{spec.name}"] = states[:, first + C_VISCOUS].copy()
        for i, name in enumerate(self.columns):
            found[name] = record.rows[:count, i].copy()
        return found
