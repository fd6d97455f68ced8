"""Air and light on a net: drag of threads, bullets, faces; pressure of the Sun's and Earth's light.

    work of drag = sum over the step of F . v,  v seen in N axes; so of light

    F   force of air or light [N]        v   velocity of what it acts on [m/s], N axes
    V0  velocity of the N origin in its orbit [m/s]
In orbit the velocity through the air is V0 + v, less the air's own if it turns with the Earth; on
the ground and in a cabin it is v less the wind. The N origin flies with the orbit, so work counts
in the energy seen from there: F . v, not F . (V0 + v).
Half the drag of a thread element goes to each end; broken elements have none, nor has anything the
chaser still holds in its canister. Forces are found anew in every step.
Frame: N axes; faces and bullets in those of their bodies.
Validity: that of the laws; light acts on faces only and in orbit only.
Source: the laws are in `atmosphere`, `face_drag`, `bullet_drag`, `thread_drag`, `eclipse` and
`radiation_pressure`.
"""

from __future__ import annotations

from haptos.core.jit import device, routine
from haptos.core.rotations import apply, apply_transposed, rotation_matrix
from haptos.core.vectors import add, dot, norm, scale, subtract
from haptos.dynamics.field import ORBIT, earth_axes
from haptos.dynamics.rigid.bodies import attitude_of, put, rates_of, three
from haptos.dynamics.system import (
    BULLET_DRAG,
    DRAG,
    EARTHLIGHT,
    FACE_DRAG,
    PUSH_IMPULSE,
    PUSH_PEAK,
    PUSH_SIZE,
    RADIATION,
    SUNLIGHT,
    THREAD_DRAG,
)
from haptos.environment.atmosphere import air_density, turning_air
from haptos.environment.bullet_drag import bullet_drag
from haptos.environment.eclipse import is_lit
from haptos.environment.face_drag import face_drag
from haptos.environment.orbital_origin import absolute_state
from haptos.environment.radiation_pressure import earth_pressure, face_pressure
from haptos.environment.thread_drag import thread_drag

CITES: tuple[str, ...] = ()


@device
def _vector(row):
    """Three numbers of an array as a tuple."""
    return (row[0], row[1], row[2])


@device
def sky_of(field, air):
    """What `air_at` needs besides the table of densities, as numbers: records are slow in loops."""
    o = field.origin
    return (
        field.kind == ORBIT, (o[0], o[1], o[2]), (o[3], o[4], o[5]), field.radius, air.rate,
        earth_axes(field), air.altitude, _vector(air.up), _vector(air.wind), air.spacing,
    )  # fmt: skip


@device
def air_at(sky, log_density, x, v):
    """(density [kg/m^3], velocity through the air [m/s]) at a place [m] with a velocity [m/s]."""
    is_orbit, origin, speed, radius, rate, dcm, altitude, up, wind, spacing = sky
    if is_orbit:
        place, through = absolute_state(x, v, origin, speed)
        high = norm(place) - radius
        if rate != 0.0:
            flow = turning_air(apply_transposed(dcm, place), rate)
            through = subtract(through, apply(dcm, flow))
    else:
        high = altitude + dot(up, x)
        through = subtract(v, wind)
    return air_density(high, log_density, spacing), through


@device
def _drag_between(sky, log_density, ends, speeds, coefficient, diameter):
    """Drag [N] on a piece of thread from the places [m] and velocities [m/s] of its ends."""
    middle = scale(0.5, add(ends[0], ends[1]))
    speed = scale(0.5, add(speeds[0], speeds[1]))
    density, through = air_at(sky, log_density, middle, speed)
    return thread_drag(density, coefficient, diameter, subtract(ends[1], ends[0]), through)


@routine
def blow_threads(system, motion, blown, force):
    """Add the drag of threads and lines to the forces on points [N]; `blown` (p, 3) keeps it."""
    x, v, table = motion.points.x, motion.points.v, system.air.log_density
    threads, lines, start, point = (
        system.air.threads,
        system.air.lines,
        system.lines.start,
        system.lines.point,
    )
    ends, whole = system.threads.ends, motion.elements.whole
    sky = sky_of(system.field, system.air)
    for i in range(len(blown)):
        blown[i, 0], blown[i, 1], blown[i, 2] = 0.0, 0.0, 0.0
    if not motion.step.time < system.orders.nodes_held:
        for e in range(len(threads)):
            if whole[e] == 0 or threads[e, 0] == 0.0:
                continue
            i, j = ends[e, 0], ends[e, 1]
            places = ((x[i, 0], x[i, 1], x[i, 2]), (x[j, 0], x[j, 1], x[j, 2]))
            speeds = ((v[i, 0], v[i, 1], v[i, 2]), (v[j, 0], v[j, 1], v[j, 2]))
            drag = _drag_between(sky, table, places, speeds, threads[e, 0], threads[e, 1])
            for k in range(3):
                blown[i, k] += 0.5 * drag[k]
                blown[j, k] += 0.5 * drag[k]
        for q in range(len(lines)):
            for s in range(start[q], start[q + 1] - 1):
                i, j = point[s], point[s + 1]
                places, speeds = (three(x, i), three(x, j)), (three(v, i), three(v, j))
                drag = _drag_between(sky, table, places, speeds, lines[q, 0], lines[q, 1])
                for k in range(3):
                    blown[i, k] += 0.5 * drag[k]
                    blown[j, k] += 0.5 * drag[k]
    for k in range(3):
        total = 0.0
        for i in range(len(blown)):
            total += blown[i, k]
            force[i, k] += blown[i, k]
        motion.ledger.pushes[THREAD_DRAG, k] = total


@routine
def _note(tally, pushed, b, column, kind, dcm, force_B, torque_B):
    """Keep a push on a body, from its own axes: columns of `pushed` and the tally."""
    force, torque = apply(dcm, force_B), apply(dcm, torque_B)
    for k in range(3):
        pushed[b, column + k] += force[k]
        pushed[b, column + 3 + k] += torque[k]
        tally[kind, k] += force[k]


@device
def _faces_of(system, b):
    """(first, last) of the faces of a body, the last not among them; equal if it has none."""
    start = system.air.faces.start
    if b + 1 >= len(start):
        return 0, 0
    return start[b], start[b + 1]


@routine
def drag_bodies(system, motion, pushed):
    """Drag on faces and bullets, kept in the first six columns of `pushed` [N], [N m]."""
    faces, bullets, table = system.air.faces, system.air.bullets, system.air.log_density
    sky = sky_of(system.field, system.air)
    for b in range(len(motion.bodies.inverse_mass)):
        first, last = _faces_of(system, b)
        if first == last:
            continue
        dcm = rotation_matrix(attitude_of(motion, b))
        density, through = air_at(
            sky, table, three(motion.bodies.place, b), three(motion.bodies.speed, b)
        )
        force, torque = face_drag(
            density, apply_transposed(dcm, through),
            apply_transposed(dcm, rates_of(system, motion, b)), faces.normal[first:last],
            faces.centre[first:last], faces.area[first:last], faces.drag[first:last],
        )  # fmt: skip
        _note(motion.ledger.pushes, pushed, b, 0, FACE_DRAG, dcm, force, torque)
    for row in range(len(bullets)):
        b = int(bullets[row, 0])
        if motion.step.time < system.orders.held[b]:
            continue
        dcm = rotation_matrix(attitude_of(motion, b))
        density, through = air_at(
            sky, table, three(motion.bodies.place, b), three(motion.bodies.speed, b)
        )
        force, torque = bullet_drag(
            density, apply_transposed(dcm, through),
            apply_transposed(dcm, rates_of(system, motion, b)), bullets[row, 1], bullets[row, 2],
            bullets[row, 3], bullets[row, 4], bullets[row, 5] != 0.0,
        )  # fmt: skip
        _note(motion.ledger.pushes, pushed, b, 0, BULLET_DRAG, dcm, force, torque)


@routine
def light_bodies(system, motion, pushed):
    """Pressure of light on faces, kept in the last six columns of `pushed` [N], [N m]."""
    air, faces, field = system.air, system.air.faces, system.field
    origin = (field.origin[0], field.origin[1], field.origin[2])
    from_sun = _vector(air.from_sun)
    for b in range(len(motion.bodies.inverse_mass)):
        first, last = _faces_of(system, b)
        if first == last:
            continue
        dcm = rotation_matrix(attitude_of(motion, b))
        normal, centre = faces.normal[first:last], faces.centre[first:last]
        area, reflection = faces.area[first:last], faces.reflection[first:last]
        place = add(origin, three(motion.bodies.place, b))
        if air.sun > 0.0 and is_lit(place, from_sun, field.radius):
            along = apply_transposed(dcm, from_sun)
            force, torque = face_pressure(air.sun, along, normal, centre, area, reflection)
            _note(motion.ledger.pushes, pushed, b, 6, SUNLIGHT, dcm, force, torque)
        if air.earth > 0.0:
            away = norm(place)
            pressure = air.earth * earth_pressure(away - field.radius, field.radius)
            along = apply_transposed(dcm, scale(1.0 / away, place))
            force, torque = face_pressure(pressure, along, normal, centre, area, reflection)
            _note(motion.ledger.pushes, pushed, b, 6, EARTHLIGHT, dcm, force, torque)


@routine
def push_bodies(system, motion, pushed):
    """Add drag and light on faces and bullets to the forces and torques of the bodies."""
    for b in range(len(pushed)):
        for k in range(12):
            pushed[b, k] = 0.0
    for kind in range(len(motion.ledger.pushes)):
        if kind != THREAD_DRAG:
            put(motion.ledger.pushes, kind, (0.0, 0.0, 0.0))
    if system.air.has_drag:
        drag_bodies(system, motion, pushed)
    if system.air.has_light and system.field.kind == ORBIT:
        light_bodies(system, motion, pushed)
    for b in range(len(pushed)):
        for k in range(3):
            motion.bodies.force[b, k] += pushed[b, k] + pushed[b, k + 6]
            motion.bodies.torque[b, k] += pushed[b, k + 3] + pushed[b, k + 9]


@routine
def push_powers(system, motion, blown, pushed):
    """(power of drag, of light [W]) as all moves now."""
    drag, light = 0.0, 0.0
    if system.air.has_drag:
        for i in range(len(system.points.owner)):
            body, v = system.points.owner[i], three(motion.points.v, i)
            if body >= 0 and motion.bodies.inverse_mass[body] == 0.0:
                v = subtract(
                    v, three(motion.bodies.speed, body)
                )  # led by its stand, which takes the work
            drag += dot(three(blown, i), v)
    for b in range(len(motion.bodies.inverse_mass)):
        rate, p = rates_of(system, motion, b), pushed
        drag += dot((p[b, 3], p[b, 4], p[b, 5]), rate)
        light += dot((p[b, 9], p[b, 10], p[b, 11]), rate)
        if motion.bodies.inverse_mass[b] > 0.0:
            speed = three(motion.bodies.speed, b)
            drag += dot((p[b, 0], p[b, 1], p[b, 2]), speed)
            light += dot((p[b, 6], p[b, 7], p[b, 8]), speed)
    return drag, light


@routine
def book_pushes(system, motion, scratch, half):
    """Book the work of air and light over half a step [s] before and after now, and their tally."""
    drag, light = push_powers(system, motion, scratch.blown, scratch.pushed)
    motion.ledger.work[DRAG] += half * (scratch.power[0] + drag)
    motion.ledger.work[RADIATION] += half * (scratch.power[1] + light)
    scratch.power[0], scratch.power[1] = drag, light
    count_pushes(motion.ledger.pushes, half)


@routine
def count_pushes(tally, half):
    """Add half a step [s] before and after now to the sums of the pushes, and keep their peaks."""
    for kind in range(len(tally)):
        size = norm(three(tally, kind))
        tally[kind, PUSH_IMPULSE] += half * (tally[kind, PUSH_SIZE] + size)
        tally[kind, PUSH_SIZE] = size
        tally[kind, PUSH_PEAK] = max(tally[kind, PUSH_PEAK], size)
