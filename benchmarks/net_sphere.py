"""A net thrown onto a sphere runs at 4 times the speed of MuJoCo, with errors no worse and the same momentum passed on.

A square net of 21 x 21 nodes, 0.1 m apart, 1 kg in all, flies at 1 m/s onto a sphere of 0.5 m radius and
500 kg. No gravity, no friction, no self-contact. Links are springs of 1000 N/m with a damping ratio of 0.05 of
a node on one of them (assumed); contact is stiff and keeps nodes from bouncing. Half a second is
marched, in which a third of the net's momentum goes over to the sphere.

Links of ours pull only; those of the peers also push, as they have no others that are as fast. Ours
touches a mesh of 20480 triangles, the peers a true sphere. MuJoCo: flex of dim 1, step 5e-4 s, Euler and
conjugate gradients; implicitfast and Newton are as fast within noise, its RK4 takes five times as long and errs a
seventh in energy. Exudyn: mass points, its own contact of spheres, explicit midpoint, step 1e-4 s, sparse. Each
runs on one thread; time counts CPU seconds of the best of three runs, in turns.

The momentum passed on is not a sharp number: nodes strike one by one, and other steps, meshes or
losses of contact move it by 1 %, MuJoCo's RK4 too, half the step of Exudyn by 4 %. So ours is reported for
three steps; the step that is timed and the mean of all three must agree with both peers.

The energy error is what kinetic and stored energy and all losses lack at worst, over the energy at
the start. Ours keeps this ledger itself. That of each peer is kept here by another run that looks at
every step: power of dampers and contacts by the trapezoidal rule. For MuJoCo what they lack goes down with the
step; for Exudyn it does not, so there the law of contact taken for granted here may not be its own.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import numpy as np
from _size import CLAIM_MISSED, NO_PEER, ended, sized

from haptos.contact.contact_flow import FIXED_FACTOR, PAIR_SIZE
from haptos.dynamics.build import MARGIN, SLACK, guarded
from haptos.dynamics.contacts.element_edge import edge_tree
from haptos.dynamics.field import NO_FIELD
from haptos.dynamics.march.splitting import march
from haptos.dynamics.motion import (
    Motion,
    motion_of,
    scratch_of,
)
from haptos.dynamics.system import (
    NODE,
    Field,
    LineArrays,
    Options,
    Orders,
    PointArrays,
    Spheres,
    System,
    SystemSurface,
    ThreadArrays,
    no_boxes,
    no_loads,
    no_spheres,
    no_winches,
)
from haptos.geometry.distance.distance_mesh import solid_mesh
from haptos.geometry.mesh.icosphere import icosphere
from haptos.scenarios.net.touching import PAIRS_PER_POINT, joined

COUNT, MESH, NET_MASS = sized(21, 7), 0.1, 1.0  # [-], [m], [kg]
RADIUS, BALL_MASS, SPEED, HEIGHT = 0.5, 500.0, 1.0, 0.55  # [m], [kg], [m/s], [m]
STIFFNESS, RATIO, THREAD_RADIUS = 1000.0, 0.05, 1e-3  # [N/m], [-], [m]
DURATION, ROUNDS = sized((0.5, 3), (0.06, 1))  # [s], [-]
LEVEL, SHARE, LONGEST = sized(5, 3), 0.9, 1e-3  # of the mesh; step over the longest stable one; [s]
FINER = (0.4, 0.2)  # [-] such steps at which the momentum passed on is looked at as well
OUR_CONTACT, OUR_LOSS = 1e5, 30.0  # [N/m^1.5], [s/m]: a node of 1 m/s leaves with 3 % of its speed
MUJOCO_STEP, MUJOCO_CONTACT = 5e-4, "0.002 1"  # [s]; time constant [s] and damping ratio
EXUDYN_STEP, EXUDYN_STIFFNESS, EXUDYN_DAMPING = 1e-4, 2e4, 0.5  # [s], [N/m], [N s/m] of each ball
BAR, AGREEMENT = 4.0, 0.005  # [-] real-time factor over MuJoCo's; momentum passed on


@dataclass(frozen=True)
class Reported:
    """One run: CPU time [s], momentum passed on [N s], errors as shares of the start's, steps."""

    cpu: float
    passed: float
    momentum: float
    energy: float
    steps: int

    @property
    def real_time(self) -> float:
        return DURATION / self.cpu


def grid(count: int, mesh: float, height: float) -> tuple[np.ndarray, np.ndarray]:
    """(places (n, 3) [m], links (m, 2)) of a square net at a height."""
    index = np.arange(count * count).reshape(count, count)
    side = (np.arange(count) - 0.5 * (count - 1)) * mesh
    y, x = np.meshgrid(side, side, indexing="ij")
    places = np.stack([x.ravel(), y.ravel(), np.full(count * count, height)], axis=1)
    along = np.stack([index[:, :-1].ravel(), index[:, 1:].ravel()], axis=1)
    over = np.stack([index[:-1].ravel(), index[1:].ravel()], axis=1)
    return places, np.concatenate([along, over])


def damping() -> float:
    """c [N s/m] of a link."""
    return 2.0 * RATIO * float(np.sqrt(STIFFNESS * NET_MASS / COUNT**2))


def smooth_surface(
    vertices: np.ndarray, faces: np.ndarray, pair: tuple[float, ...]
) -> SystemSurface:
    """A mesh that stands for a smooth body: its own folds are no edges for threads."""
    none, pairs = np.zeros((0, 15)), np.zeros((1, 1, PAIR_SIZE))
    pairs[0, 0] = pair
    kind = np.zeros(len(faces), dtype=np.int64)
    mesh = solid_mesh(vertices, faces)
    return SystemSurface(0, mesh, kind, pairs, none, edge_tree(none), kind[:0])


def our_net(
    places: np.ndarray,
    links: np.ndarray,
    mass: float,
    surface: SystemSurface,
    margin: float,
    has_self: bool = False,
    is_guarded: bool = True,
) -> tuple[System, Motion]:
    """A net of equal links that falls on body 0, a ball; its nodes may touch each other.

    is_guarded  the path is checked against the ball as in every scenario, `system_guard`
    """
    n, m = len(places), len(links)
    lengths = np.linalg.norm(places[links[:, 1]] - places[links[:, 0]], axis=1)
    kind = np.zeros(n, dtype=np.int64)
    points = PointArrays(kind + NODE, np.zeros((n, 3)), np.full(n, THREAD_RADIUS), kind)
    threads = ThreadArrays(
        links.astype(np.int64), STIFFNESS * lengths, np.full(m, damping()), np.full(m, np.inf)
    )
    orders = Orders(no_loads(0), no_winches(0), np.full(1, -np.inf), -np.inf)
    path = (1.0, 0.0, 1.0, 0.0, (1.0, 0.0, 0.0), (0.0, 1.0, 0.0))
    net = System(
        threads, LineArrays(np.zeros(1, np.int64), kind[:0], np.zeros(0), np.zeros(0)), points,
        np.full((1, 3), 2.5 / (BALL_MASS * RADIUS**2)), surface, orders,
        Field(NO_FIELD, np.zeros(3), 1.0, path, np.zeros(6), np.zeros(9)),
        Options(False, False, margin, SLACK / MARGIN * margin, has_self, False, False), no_spheres(n), no_boxes(),
    )  # fmt: skip
    if has_self:
        net = net._replace(spheres=_balls(points, links, 0.5 * lengths.min(), surface.pairs))
    room = PAIRS_PER_POINT * n if has_self else 0
    motion = motion_of(points, np.full(n, mass / n), 1, lengths, [], pair_room=room)
    motion.points.x[:], motion.points.v[:, 2], motion.bodies.inverse_mass[0] = (
        places,
        -SPEED,
        1.0 / BALL_MASS,
    )
    return guarded(net, motion, deepcopy(surface.mesh)) if is_guarded else (net, motion)


def guard_share(guarded: float, bare: float) -> str:
    """Share of CPU time [s] that the guard takes, in words."""
    return f"the guard of surfaces takes {1.0 - bare / guarded:.1%} of the CPU time"


def _balls(points: PointArrays, links: np.ndarray, radius: float, pairs: np.ndarray) -> Spheres:
    """Nodes as balls of a radius [m] against each other, as a scenario has them."""
    numbers = np.broadcast_to(pairs[0, 0], (2, 2, PAIR_SIZE)).copy()
    return Spheres(np.full(len(points.owner), radius), numbers, *joined(points, links))


def ours() -> Callable[..., Reported]:
    vertices, faces = icosphere(LEVEL)
    pair = (OUR_CONTACT, FIXED_FACTOR, 0, OUR_LOSS, 0.0, 1e-4, 1e-5, 0.0, 1e5, 0.0, 0)
    surface = smooth_surface(RADIUS * vertices, faces, pair)

    def run(share: float = SHARE, is_guarded: bool = True) -> Reported:
        net, motion = our_net(
            *grid(COUNT, MESH, HEIGHT), NET_MASS, surface, 0.05 * MESH, is_guarded=is_guarded
        )
        scratch = scratch_of(motion)
        began = time.process_time()
        march(net, motion, scratch, DURATION, share, LONGEST, 1e9)
        cpu = time.process_time() - began
        passed = BALL_MASS * motion.bodies.speed[0, 2]
        total = passed + motion.points.mass @ motion.points.v[:, 2]
        error = motion.ledger.energy.largest / motion.ledger.energy.start
        assert motion.guard.passed[0] == 0.0
        return _reported(cpu, passed, total, error, motion.step.count)

    run()  # compiles
    return run


def _reported(cpu: float, passed: float, total: float, energy: float, steps: float) -> Reported:
    start = -NET_MASS * SPEED
    return Reported(cpu, -float(passed), abs(float(total / start) - 1.0), float(energy), int(steps))


class Ledger:
    """Energy error of a peer from places, velocities and forces of contact at every step."""

    def __init__(self, links: np.ndarray, step: float) -> None:
        self.first, self.second, self.step = links[:, 0], links[:, 1], step
        self.mass = NET_MASS / COUNT**2
        self.lost, self.worst = 0.0, 0.0
        self.start = self.before = None

    def look(
        self, x: np.ndarray, v: np.ndarray, ball: np.ndarray, held: float, power: float
    ) -> None:
        """held: energy stored in contacts [J]; power: that they lose [W]."""
        way = x[self.second] - x[self.first]
        length = np.linalg.norm(way, axis=1)
        rate = np.einsum("ei,ei->e", v[self.second] - v[self.first], way) / length
        power += damping() * float(rate @ rate)
        energy = 0.5 * self.mass * float(np.sum(v * v)) + 0.5 * BALL_MASS * float(ball @ ball)
        energy += 0.5 * STIFFNESS * float(np.sum((length - MESH) ** 2)) + held
        if self.start is None:
            self.start = energy
        else:
            self.lost += 0.5 * self.step * (power + self.before)
        self.before = power
        self.worst = max(self.worst, abs(energy + self.lost - self.start) / self.start)


def mujoco_peer() -> Callable[[], Reported]:
    import mujoco

    places, links = grid(COUNT, MESH, 0.0)
    contact = f'condim="1" solref="{MUJOCO_CONTACT}"'
    model = mujoco.MjModel.from_xml_string(
        f"""<mujoco><option timestep="{MUJOCO_STEP}" gravity="0 0 0" integrator="Euler" solver="CG"/>
        <size memory="100M"/><worldbody>
        <body><freejoint/><geom type="sphere" size="{RADIUS}" mass="{BALL_MASS}" {contact}/></body>
        <flexcomp name="net" type="direct" dim="1" mass="{NET_MASS}" radius="{THREAD_RADIUS}"
        pos="0 0 {HEIGHT}" point="{_text(places)}" element="{_text(links)}">
        <edge stiffness="{STIFFNESS}" damping="{damping()}"/>
        <contact selfcollide="none" {contact}/></flexcomp></worldbody></mujoco>"""
    )
    steps = round(DURATION / MUJOCO_STEP)

    def start() -> Any:
        data = mujoco.MjData(model)
        data.qvel[8::3] = -SPEED
        return data

    def watched() -> float:
        """Energy error of a run that is looked at in every step."""
        data, ledger = start(), Ledger(links, MUJOCO_STEP)
        for _ in range(steps):
            mujoco.mj_forward(model, data)
            x, v = data.qpos[7:].reshape(-1, 3) + places, data.qvel[6:].reshape(-1, 3)
            power = -float(data.qfrc_constraint @ data.qvel)
            ledger.look(x, v.copy(), data.qvel[:3].copy(), 0.0, power)
            mujoco.mj_step(model, data)
        return ledger.worst

    error = watched()

    def run() -> Reported:
        data = start()
        began = time.process_time()
        mujoco.mj_step(model, data, steps)
        cpu = time.process_time() - began
        passed = BALL_MASS * data.qvel[2]
        return _reported(cpu, passed, passed + model.body_mass[2:] @ data.qvel[8::3], error, steps)

    return run


def _text(numbers: np.ndarray) -> str:
    return " ".join(map(str, numbers.ravel().tolist()))


def exudyn_look(places: np.ndarray, ledger: Ledger) -> Callable[[Any, float], bool]:
    """What Exudyn calls before every step, to keep its ledger."""

    def look(system: Any, _: float) -> bool:
        x = np.array(system.systemData.GetODE2Coordinates()).reshape(-1, 3)
        v = np.array(system.systemData.GetODE2Coordinates_t()).reshape(-1, 3)
        away = x[:-1] + places - x[-1]
        distance = np.linalg.norm(away, axis=1)
        depth = np.maximum(RADIUS + THREAD_RADIUS - distance, 0.0)
        rate = -np.einsum("ij,ij->i", v[:-1] - v[-1], away) / distance
        # Two balls in touch are two springs, and two dampers, in a row.
        held = 0.25 * EXUDYN_STIFFNESS * float(depth @ depth)
        power = 0.5 * EXUDYN_DAMPING * float(np.sum(rate[depth > 0.0] ** 2))
        ledger.look(x[:-1] + places, v[:-1], v[-1], held, power)
        return True

    return look


def exudyn_peer() -> Callable[[], Reported]:
    import exudyn
    import exudyn.itemInterface as item  # noqa: N813 - its own name

    places, links = grid(COUNT, MESH, HEIGHT)
    steps = round(DURATION / EXUDYN_STEP)

    def built() -> Any:
        system = exudyn.SystemContainer().AddSystem()

        def ball(place: Any, mass: float, speed: float) -> int:
            node = system.AddNode(item.NodePoint(referenceCoordinates=list(place), initialVelocities=[0, 0, speed]))  # fmt: skip
            system.AddObject(item.ObjectMassPoint(mass=mass, nodeNumber=node))
            return int(system.AddMarker(item.MarkerNodePosition(nodeNumber=node)))

        marks = [ball(place, NET_MASS / COUNT**2, -SPEED) for place in places]
        marks.append(ball((0.0, 0.0, 0.0), BALL_MASS, 0.0))
        for i, j in links.tolist():
            system.AddObject(item.ObjectConnectorSpringDamper(
                markerNumbers=[marks[i], marks[j]], referenceLength=MESH, stiffness=STIFFNESS,
                damping=damping(),
            ))  # fmt: skip
        contact = system.AddGeneralContact()
        contact.SetFrictionPairings(np.zeros((1, 1)))
        for mark, radius in zip(marks, [THREAD_RADIUS] * COUNT**2 + [RADIUS], strict=True):
            contact.AddSphereWithMarker(
                mark, radius=radius, contactStiffness=EXUDYN_STIFFNESS,
                contactDamping=EXUDYN_DAMPING, frictionMaterialIndex=0,
            )  # fmt: skip
        contact.SetSearchTreeCellSize([8, 8, 8])
        return system

    def solve(look: Callable[[Any, float], bool] | None) -> tuple[Any, float]:
        system = built()
        if look is not None:
            system.SetPreStepUserFunction(look)
        system.Assemble()
        given = exudyn.SimulationSettings()
        given.timeIntegration.numberOfSteps, given.timeIntegration.endTime = steps, DURATION
        given.timeIntegration.verboseMode = 0
        given.solution.file.write = False
        given.linearSolver.solverType = exudyn.LinearSolverType.EigenSparse
        given.parallel.numberOfThreads = 1
        began = time.process_time()
        system.SolveDynamic(given, solverType=exudyn.DynamicSolverType.ExplicitMidpoint)
        return system, time.process_time() - began

    ledger = Ledger(links, EXUDYN_STEP)
    solve(exudyn_look(places, ledger))

    def run() -> Reported:
        system, cpu = solve(None)
        v = np.array(system.systemData.GetODE2Coordinates_t()).reshape(-1, 3)
        passed = BALL_MASS * v[-1, 2]
        total = passed + NET_MASS / COUNT**2 * v[:-1, 2].sum()
        return _reported(cpu, passed, total, ledger.worst, steps)

    return run


def main() -> int:
    runs: dict[str, Callable[..., Reported]] = {"haptos": ours()}
    for name, peer in (("MuJoCo", mujoco_peer), ("Exudyn", exudyn_peer)):
        try:
            runs[name] = peer()
        except ImportError:
            print(f"{name} is not installed; try: pip install {name.lower()}", file=sys.stderr)
    reported = {name: [] for name in runs}  # type: dict[str, list[Reported]]
    bare = math.inf
    for _ in range(ROUNDS):
        for name, run in runs.items():
            reported[name].append(run())
        bare = min(bare, runs["haptos"](is_guarded=False).cpu)
    best = {name: min(rows, key=lambda row: row.cpu) for name, rows in reported.items()}
    for name, row in best.items():
        print(
            f"{name:7s} {row.steps:5d} steps  {row.cpu:6.3f} s of CPU  real-time factor {row.real_time:6.2f}  "
            f"momentum passed on {row.passed:.5f} N s  errors: momentum {row.momentum:.1e}, energy {row.energy:.1e}"
        )
    mine, missed = best["haptos"], []
    print(guard_share(mine.cpu, bare))
    passed = [mine.passed, *(runs["haptos"](share).passed for share in FINER)]
    for name in list(best)[1:]:
        row = best[name]
        apart = [value / row.passed - 1.0 for value in passed]
        shown = ", ".join(f"{value:+.2%}" for value in apart)
        print(
            f"ours beside {name}: {mine.real_time / row.real_time:.1f} times as fast; momentum passed on {shown} "
            f"at steps of {SHARE}, {', '.join(map(str, FINER))}, mean {np.mean(apart):+.2%}"
        )
        if max(abs(apart[0]), abs(float(np.mean(apart)))) > AGREEMENT:
            missed.append(f"momentum passed on, beside {name}")
    if len(best) < 3:
        return NO_PEER
    row = best["MuJoCo"]
    missed += [] if mine.real_time >= BAR * row.real_time else ["times MuJoCo"]
    rounding = 1e-12
    missed += [] if mine.momentum <= max(row.momentum, rounding) else ["momentum error"]
    missed += [] if mine.energy <= row.energy else ["energy error"]
    print(f"claim missed: {', '.join(missed)}" if missed else "claim holds")
    return CLAIM_MISSED if missed else 0


if __name__ == "__main__":
    raise SystemExit(ended(main()))
