"""Releases of a batch: how deep they start, their energies, gravity below them."""

from __future__ import annotations

import math

from haptos.contact.compliant import vertex_gap
from haptos.contact.spring_damper import spring_energy
from haptos.core.jit import entry
from haptos.core.rotations import rotation_matrix
from haptos.core.vectors import add_scaled, cross, dot, norm, subtract
from haptos.dynamics.rigid.rigid_body import ATTITUDE, POSITION, RATE, VELOCITY, kinetic_energy
from haptos.dynamics.touching.model import six, three
from haptos.dynamics.touching.run_parameters import IMPULSIVE
from haptos.environment.gravity import potential_and_gravity
from haptos.geometry.distance.surface import gap_and_normal

LEAST_GAP, SCALE, PULL, HEIGHT = 0, 1, 2, 3  # columns of what is found


@entry
def fill_releases(surface, gravity, own, parameters, vertices, states, feet, found):
    """Least gap [m], energy scale [J], pull on the ground below [m/s^2], energy of height [J]."""
    for run in range(len(states)):
        p, y = parameters[run], states[run]
        x = (y[POSITION], y[POSITION + 1], y[POSITION + 2])
        v = (y[VELOCITY], y[VELOCITY + 1], y[VELOCITY + 2])
        w = (y[RATE], y[RATE + 1], y[RATE + 2])
        quat_AB = (y[ATTITUDE], y[ATTITUDE + 1], y[ATTITUDE + 2], y[ATTITUDE + 3])
        dcm_AB = rotation_matrix(quat_AB)
        stiffness = 0.0 if p.contact.law == IMPULSIVE else p.ground.laws[0].k
        least, elastic = math.inf, 0.0
        for j in range(len(vertices)):
            gap, _, _ = vertex_gap(surface, vertices, p.body.corner_radius, j, dcm_AB, x)
            least = min(least, gap)
            elastic += spring_energy(stiffness, gap)
        height, normal = gap_and_normal(surface, x)
        here, _ = potential_and_gravity(gravity, x)
        below = add_scaled(x, -height, normal)
        there, _ = potential_and_gravity(gravity, below)
        spin = three(p.spin.rate)
        carried = cross(spin, x)
        kinetic = kinetic_energy(p.body.mass, six(p.body.inertia), v, w)
        kinetic += 0.5 * p.body.mass * dot(carried, carried)
        foot = (feet[run, 0], feet[run, 1], feet[run, 2])
        _, g = potential_and_gravity(own, foot)
        found[run, LEAST_GAP] = least
        found[run, SCALE] = kinetic + elastic + p.body.mass * abs(there - here)
        turned = cross(spin, below)
        lift = there - here + 0.5 * (dot(turned, turned) - dot(carried, carried))
        found[run, HEIGHT] = max(p.body.mass * lift, 0.0)
        found[run, PULL] = norm(subtract(g, cross(spin, cross(spin, foot))))
