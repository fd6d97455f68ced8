"""The guard of the ground: it sees what sinks, whether or not contacts do."""

from __future__ import annotations

from haptos.dynamics.contacts.ground_arrays import WORST_SHARE, WORST_TRACK
from haptos.dynamics.guard.ground_guard import BODY_DEPTH, track_of, watch_ground
from haptos.geometry.distance import surface as surfaces
from tests.close import assert_close
from tests.net_cases import contact_numbers, marched, on_ground, small_body_field, small_net

PLANE = surfaces.plane((0.0, 0.0, 0.0), (0.0, 0.0, 1.0))


def above_plane(high: float, stiffness: float = 1e5):
    """A node of 5 mm and a body of which half a side is 0.2 m, above a plane."""
    from haptos.environment import gravity as gravities

    net, motion = small_net([[3.0, 0.0, high]], [1e-2], radius=5e-3)
    motion.bodies.place[0] = (0.0, 0.0, 1.0)
    field = small_body_field(gravities.uniform((0.0, 0.0, -0.05)))
    net, motion = on_ground(net, motion, PLANE, contact_numbers(stiffness, 0.0, 0.3), field=field)
    net.ground.body_reach[0] = 0.2
    return net, motion


def test_a_node_that_nothing_holds_up_is_seen():
    net, motion = above_plane(0.02, stiffness=1e-6)
    marched(net, motion, 1.5)
    assert motion.points.x[0, 2] < -0.02
    share = -motion.points.x[0, 2] / 5e-3
    assert_close(motion.contacts.ground.worst[WORST_SHARE], share, rtol=1e-9)
    assert motion.contacts.ground.worst[WORST_TRACK] == 0.0
    net, motion = above_plane(0.02)
    marched(net, motion, 1.5)
    assert motion.contacts.ground.worst[WORST_SHARE] < 1.0


def test_a_body_whose_centre_comes_too_near_is_seen():
    net, motion = above_plane(0.5)
    motion.bodies.place[0, 2] = 0.17
    watch_ground(net, motion, 0.0, True)
    assert track_of(net, motion, 1)[1:] == (0.2, BODY_DEPTH * 0.2)
    assert_close(motion.contacts.ground.worst[WORST_SHARE], 0.03 / (BODY_DEPTH * 0.2), rtol=1e-12)
    assert motion.contacts.ground.worst[WORST_TRACK] == 1.0
