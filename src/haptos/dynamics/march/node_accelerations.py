"""Accelerations of nodes at the end of a step: threads and field, in each kind of field."""

from __future__ import annotations

from haptos.core.flat_views import flat
from haptos.core.jit import routine
from haptos.core.vectors import dot
from haptos.dynamics.field import NO_FIELD, SMALL_BODY, body_pull, pull_at, pull_of
from haptos.dynamics.rigid.bodies import three
from haptos.dynamics.system import NODES


@routine
def renew_nodes(net, motion, force, light, half):
    """Power of the field [W] on the nodes after their new accelerations."""
    v, a, gained, count = motion.v, motion.a, 0.0, int(motion.clock[NODES])
    if net.field.kind == NO_FIELD:
        speeds, rates, forces, lights = flat(v), flat(a), flat(force), flat(light)
        for i in range(3 * count):
            new = forces[i] * lights[i]
            speeds[i] += half * (new - rates[i])
            rates[i] = new
        return gained
    if net.field.kind == SMALL_BODY:
        return renew_on_body(net, motion, force, light, half)
    field = pull_of(net.field)
    for i in range(count):
        pull = pull_at(field, three(motion.x, i), three(v, i))
        for k in range(3):
            new = force[i, k] * light[i, k] + pull[k]
            v[i, k] += half * (new - a[i, k])
            a[i, k] = new
        gained += motion.mass[i] * dot(pull, three(v, i))
    return gained


@routine
def renew_on_body(net, motion, force, light, half):
    """As `renew_nodes`, in axes that turn with a small body."""
    v, a, gained = motion.v, motion.a, 0.0
    for i in range(int(motion.clock[NODES])):
        pull = body_pull(net.field, three(motion.x, i), three(v, i))
        for k in range(3):
            new = force[i, k] * light[i, k] + pull[k]
            v[i, k] += half * (new - a[i, k])
            a[i, k] = new
        gained += motion.mass[i] * dot(pull, three(v, i))
    return gained
