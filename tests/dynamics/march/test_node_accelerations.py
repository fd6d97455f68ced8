"""Accelerations of nodes: threads and field together, in each kind of field the same for the same gravity."""

from __future__ import annotations

import numpy as np

from haptos.dynamics.march.node_accelerations import renew_nodes
from haptos.environment import gravity as gravities
from tests.close import assert_close
from tests.net_cases import small_body_field, small_net

PULL = (0.1, -0.2, -3.0)


def renewed(field=None):
    """(velocities, accelerations, power [W]) of two nodes after half a step of 0.01 s."""
    given = {} if field is not None else {"gravity": PULL}
    net, motion = small_net([[0.0, 0.0, 1.0], [2.0, 0.0, 0.0]], [0.5, 0.25], **given)
    net = net if field is None else net._replace(field=field)
    motion.points.v[:] = [[1.0, 0.0, 0.0], [0.0, 2.0, 0.0]]
    force = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0]])
    inverse_mass = np.array([[2.0] * 3, [4.0] * 3])
    power = renew_nodes(net, motion, force, inverse_mass, 0.01)
    return motion.points.v.copy(), motion.points.a.copy(), power


def test_uniform_gravity_is_the_same_in_both_kinds_of_field():
    uniform = renewed()
    of_body = renewed(small_body_field(gravities.uniform(PULL)))
    for one, other in zip(uniform, of_body, strict=True):
        assert_close(one, other, rtol=1e-14)
    assert_close(uniform[1], np.array([[2.1, -0.2, -3.0], [0.1, -0.2, -7.0]]), rtol=1e-14)
    assert_close(uniform[0][1], [0.001, 1.998, -0.07], rtol=1e-12)
