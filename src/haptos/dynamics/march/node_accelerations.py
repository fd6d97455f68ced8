"""Accelerations of nodes at the end of a step: threads and field, in each kind of field."""

from __future__ import annotations

from haptos.core.flat_views import flat
from haptos.core.jit import routine
from haptos.core.vectors import dot
from haptos.dynamics.field import NO_FIELD, SMALL_BODY, body_pull, pull_at, pull_of
from haptos.dynamics.rigid.bodies import three


@routine
def renew_nodes(system, motion, force, inverse_mass, half):
    """Power of the field [W] on the nodes after their new accelerations."""
    v, a, gained, count = motion.points.v, motion.points.a, 0.0, int(motion.step.nodes)
    if system.field.kind == NO_FIELD:
        speeds, rates, forces, inverse_masses = flat(v), flat(a), flat(force), flat(inverse_mass)
        for i in range(3 * count):
            new = forces[i] * inverse_masses[i]
            speeds[i] += half * (new - rates[i])
            rates[i] = new
        return gained
    if system.field.kind == SMALL_BODY:
        return renew_on_body(system, motion, force, inverse_mass, half)
    field = pull_of(system.field)
    for i in range(count):
        pull = pull_at(field, three(motion.points.x, i), three(v, i))
        for k in range(3):
            new = force[i, k] * inverse_mass[i, k] + pull[k]
            v[i, k] += half * (new - a[i, k])
            a[i, k] = new
        gained += motion.points.mass[i] * dot(pull, three(v, i))
    return gained


@routine
def renew_on_body(system, motion, force, inverse_mass, half):
    """As `renew_nodes`, in axes that turn with a small body."""
    v, a, gained = motion.points.v, motion.points.a, 0.0
    for i in range(int(motion.step.nodes)):
        pull = body_pull(system.field, three(motion.points.x, i), three(v, i))
        for k in range(3):
            new = force[i, k] * inverse_mass[i, k] + pull[k]
            v[i, k] += half * (new - a[i, k])
            a[i, k] = new
        gained += motion.points.mass[i] * dot(pull, three(v, i))
    return gained
