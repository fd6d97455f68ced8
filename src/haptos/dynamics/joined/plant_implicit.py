"""The stiff part of joined bodies, damping of booms, solved within a stage of a step.

    W  wrench of a boom on its tip, linear in the tip's velocity x seen from the root:   dW = -D dx
    x = x* + hg B W,   B = T_a^T M_a^-1 T_a + T_b^T M_b^-1 T_b        places, and with them D and B, are those of the stage
    (B^-1/hg + D) dx = W(x) - W,   dW = W(x) - W - D dx              once; again where a drive begins or ends to give way
Damping in proportion to stiffness of a short boom on a light tool decays in a tenth of a millisecond; explicit steps would
follow it for the whole run. With several booms, one is solved after the other until none changes.
Validity: as boom.py. Source: elementary; the step is partly_implicit.py.
"""

from __future__ import annotations

from haptos.core.inlining import routine
from haptos.core.jit import device
from haptos.core.rotations import apply, apply_transposed
from haptos.core.vectors import add, cross, subtract
from haptos.dynamics.flexible.appendages import invert
from haptos.dynamics.flexible.boom import boom_damping
from haptos.dynamics.flexible.drives import asked_speed
from haptos.dynamics.joined.plant_booms import boom_now, boom_pose, drive_of, law_of
from haptos.dynamics.joined.plant_model import ANGULAR, BODY, MOMENTUM
from haptos.dynamics.joined.plant_outer import matrix_of, three
from haptos.dynamics.joined.plant_rates import set_velocities

CITES: tuple[str, ...] = ()

ROUNDS = 2  # of one boom: the second only does something where a drive changes between moving and stalled
SWEEPS = 12  # over several booms that share bodies
DAMPING, COMPLIANCE, WORK, SUM, INVERSE = range(5)  # (6, 6) rooms


@routine
def settle(plant, t, y, hg, part):
    """Solve the momenta of a stage for the loads of booms, weight hg [s]; rates of momenta by them into `part`."""
    booms = plant.booms
    count = plant.layout.booms
    for i in range(plant.layout.size):
        part[i] = 0.0
    for k in range(count):
        for i in range(6):
            booms.wrench[k, i] = 0.0
    sweeps = 1 if count < 2 or hg == 0.0 else SWEEPS
    for _ in range(sweeps):
        for k in range(count):
            set_velocities(plant, y)
            _settle_boom(plant, k, t, y, hg)
    for k in range(count):
        _add_wrench(plant, k, y, three(booms.wrench[k], 0), three(booms.wrench[k], 3), 1.0, part)


@device
def _add_wrench(plant, k, y, force, moment, weight, out):
    """Add a wrench at the tip, root axes, times a weight to the momenta of both bodies of boom k."""
    a, b = plant.booms.bodies[k, 0], plant.booms.bodies[k, 1]
    tip, dcm_root, _, _, _, _ = boom_pose(plant, k, y)
    f, m = apply(dcm_root, force), apply(dcm_root, moment)
    torque = add(cross(tip, f), m)
    for i in range(3):
        out[b * BODY + MOMENTUM + i] += weight * f[i]
        out[b * BODY + ANGULAR + i] += weight * torque[i]
        out[a * BODY + MOMENTUM + i] -= weight * f[i]
        out[a * BODY + ANGULAR + i] -= weight * torque[i]


@routine
def _settle_boom(plant, k, t, y, hg):
    """Wrench of boom k at the end of its stage, and the momenta with it; velocities must be set."""
    booms, room = plant.booms, plant.booms.room
    wrench = booms.wrench[k]
    tip, dcm_root, p, phi, v, w = boom_pose(plant, k, y)
    length = y[plant.layout.lengths + k]
    before = (three(wrench, 0), three(wrench, 3))
    if hg > 0.0:
        _compliance(plant, k, y, tip, dcm_root)
    share = 0.0
    for _ in range(ROUNDS):
        load, speed = boom_now(plant, k, t, length, p, phi, v, w)
        if hg == 0.0:
            _set_wrench(wrench, load.force, load.moment)
            return
        now = _axial_share(booms, k, t, speed, load.resistance)
        if now == share:
            break
        share = now
        boom_damping(law_of(booms.law, k), length, p, phi, share, room[DAMPING])
        dx = _solve(room, hg, wrench, load.force, load.moment)
        v, w = add(v, dx[0]), add(w, dx[1])
    gained = (subtract(three(wrench, 0), before[0]), subtract(three(wrench, 3), before[1]))
    _add_wrench(plant, k, y, gained[0], gained[1], hg, y)


@routine
def calm(plant, t, y, hg, error):
    """Filter an error of momenta by the damping of booms; velocities must be those of y."""
    booms, room = plant.booms, plant.booms.room
    for k in range(plant.layout.booms):
        tip, dcm_root, p, phi, v, w = boom_pose(plant, k, y)
        length = y[plant.layout.lengths + k]
        load, speed = boom_now(plant, k, t, length, p, phi, v, w)
        share = _axial_share(booms, k, t, speed, load.resistance)
        boom_damping(law_of(booms.law, k), length, p, phi, share, room[DAMPING])
        a, b = booms.bodies[k, 0], booms.bodies[k, 1]
        off = _difference(
            _velocity_of(plant, b, y, tip, dcm_root, error),
            _velocity_of(plant, a, y, tip, dcm_root, error),
        )
        _compliance(plant, k, y, tip, dcm_root)
        drag = _times(room[DAMPING], off)
        wrench = booms.wrench[k]
        _set_wrench(wrench, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
        _solve(room, hg, wrench, (-drag[0], -drag[1], -drag[2]), (-drag[3], -drag[4], -drag[5]))
        _add_wrench(plant, k, y, three(wrench, 0), three(wrench, 3), hg, error)


@routine
def _velocity_of(plant, b, y, tip, dcm_root, momenta):
    """Velocity and turn, root axes, at the tip's place of body b with given momenta of it alone."""
    dcm, first = matrix_of(plant.bodies.dcm, b, 0), b * BODY
    r, push = three(y, first), three(momenta, first + MOMENTUM)
    spin = subtract(three(momenta, first + ANGULAR), cross(r, push))
    f, m = apply_transposed(dcm, push), apply_transposed(dcm, spin)
    moved = _times(plant.appendages.inverse[b], (f[0], f[1], f[2], m[0], m[1], m[2]))
    turn = apply(dcm, (moved[3], moved[4], moved[5]))
    velocity = add(apply(dcm, (moved[0], moved[1], moved[2])), cross(turn, subtract(tip, r)))
    v, w = apply_transposed(dcm_root, velocity), apply_transposed(dcm_root, turn)
    return (v[0], v[1], v[2], w[0], w[1], w[2])


@device
def _difference(a, b):
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2], a[3] - b[3], a[4] - b[4], a[5] - b[5])


@device
def _set_wrench(wrench, force, moment):
    for i in range(3):
        wrench[i], wrench[3 + i] = force[i], moment[i]


@device
def _axial_share(booms, k, t, speed, resistance):
    """Share [-] of the axial damping that a drive which gives way in proportion to its load leaves."""
    drive = drive_of(booms.drive, k)
    asked = abs(asked_speed(drive, t))
    if 0.0 < abs(speed) < asked:
        return drive.stall / (drive.stall + asked * resistance)
    return 1.0


@routine
def _compliance(plant, k, y, tip, dcm_root):
    """Inverse of B into room[COMPLIANCE]: how the tip's velocity seen from the root answers to an impulse there."""
    booms, room = plant.booms, plant.booms.room
    for i in range(6):
        for j in range(6):
            room[SUM, i, j] = 0.0
    for end in range(2):
        _add_compliance(plant, booms.bodies[k, end], y, tip, dcm_root)
    invert(room[SUM], room[COMPLIANCE])


@routine
def _add_compliance(plant, b, y, tip, dcm_root):
    """Add T^T M^-1 T of body b to room[SUM]; rows of T^T into room[WORK], of M^-1 T into room[INVERSE]."""
    room, inverse = plant.booms.room, plant.appendages.inverse[b]
    dcm = matrix_of(plant.bodies.dcm, b, 0)
    arm = apply_transposed(dcm, subtract(tip, three(y, b * BODY)))
    for c in range(3):
        axis = (dcm_root[0][c], dcm_root[1][c], dcm_root[2][c])
        way = apply_transposed(dcm, axis)
        turn = cross(arm, way)
        for i in range(3):
            room[WORK, c, i], room[WORK, c, 3 + i] = way[i], turn[i]
            room[WORK, 3 + c, i], room[WORK, 3 + c, 3 + i] = 0.0, way[i]
    for c in range(6):
        for i in range(6):
            total = 0.0
            for j in range(6):
                total += inverse[i, j] * room[WORK, c, j]
            room[INVERSE, c, i] = total
    for c in range(6):
        for d in range(6):
            for j in range(6):
                room[SUM, c, d] += room[WORK, c, j] * room[INVERSE, d, j]


@routine
def _solve(room, hg, wrench, force, moment):
    """Change of the tip's velocity and turn; the wrench goes with it."""
    for i in range(6):
        for j in range(6):
            room[WORK, i, j] = room[COMPLIANCE, i, j] / hg + room[DAMPING, i, j]
    invert(room[WORK], room[INVERSE])
    r = (
        force[0] - wrench[0], force[1] - wrench[1], force[2] - wrench[2],
        moment[0] - wrench[3], moment[1] - wrench[4], moment[2] - wrench[5],
    )  # fmt: skip
    dx = _times(room[INVERSE], r)
    back = _times(room[DAMPING], dx)
    for i in range(6):
        wrench[i] += r[i] - back[i]
    return (dx[0], dx[1], dx[2]), (dx[3], dx[4], dx[5])


@device
def _times(m, x):
    return (
        _row(m[0], x), _row(m[1], x), _row(m[2], x), _row(m[3], x), _row(m[4], x), _row(m[5], x),
    )  # fmt: skip


@device
def _row(m, x):
    return m[0] * x[0] + m[1] * x[1] + m[2] * x[2] + m[3] * x[3] + m[4] * x[4] + m[5] * x[5]
