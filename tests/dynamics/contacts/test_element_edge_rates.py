"""Threads on sharp edges in rates: force, ledger, momenta, bias, and what sliding off costs."""

from __future__ import annotations

import numpy as np
import pytest

from haptos.contact.hertz import hertz_energy, hertz_force
from haptos.dynamics.contacts.element_edge_rates import look_at_crossings, renew_crossings
from haptos.dynamics.contacts.point_mesh_rates import renew_lists
from haptos.dynamics.march.error_control import march_dormand, room_of
from haptos.dynamics.march.rates import flow_of, pack, state_size
from haptos.dynamics.motion import scratch_of
from haptos.dynamics.system import (
    CONTACT_DAMPING,
    RUBBING,
    WORK_KINDS,
)
from tests.close import assert_close
from tests.dynamics.march.test_rates import energy, rates
from tests.net_cases import box_surface, contact_numbers, momenta, small_net

plain = getattr(march_dormand, "py_func", march_dormand)  # small nets need no compiling
STIFFNESS, RADIUS, HALF = 1e5, 1e-3, 0.15
OUT = np.array([-1.0, 0.0, 1.0]) / np.sqrt(2.0)  # out of the edge along y at x = -0.15, z = 0.15


def over_the_edge(depth=1e-4, along=(1.0, 0.3, 1.0), alpha=0.2, friction=0.3, **options):
    """A thread across an edge of a turning box, into which it is pressed by a depth [m]."""
    pairs = contact_numbers(STIFFNESS, alpha, friction)
    pairs[0, 0, 5:7] = 5e-2, 5e-3  # friction fades at speeds of the motion here
    u = np.array(along) / np.linalg.norm(along)
    normal = np.cross((0.0, 1.0, 0.0), u)
    normal *= np.sign(normal @ OUT) / np.linalg.norm(normal)
    middle = np.array([-HALF, 0.02, HALF]) + (RADIUS - depth) * normal
    given = {
        "elements": [[0, 1]], "lengths": [0.21], "radius": RADIUS,
        "surface": box_surface((0.3, 0.3, 0.3), pairs),
    }  # fmt: skip
    ends = [middle - 0.08 * u, middle + 0.12 * u]
    net, motion = small_net(ends, [0.3, 0.2], **(given | options))
    net.inverse_inertia[0], motion.bodies.inverse_mass[0] = (2.5, 2.0, 1.5), 0.5
    return net, motion


def ready(net, motion):
    """Flow and state with the contacts of the moment."""
    scratch = scratch_of(motion)
    renew_lists(net, motion, 1e-3, scratch.stack)
    renew_crossings(net, motion, 1e-3, scratch.stack)
    y = np.zeros(state_size(2, 1))
    pack(motion, 2, y)
    return flow_of(net, motion, scratch), y


def pressed(depth=1e-4, **options):
    """The same with a contact that began at the surface."""
    net, motion = over_the_edge(-1e-5, **options)
    motion.points.v[:2] = -OUT
    flow, _ = ready(net, motion)
    motion.points.x[:], motion.points.v[:] = over_the_edge(depth, **options)[1].points.x, 0.0
    y = np.zeros(state_size(2, 1))
    pack(motion, 2, y)
    return flow, y


def run(net, motion, until, share=1e-4):
    room = room_of(net, motion)
    room.absolute[:] *= share
    assert plain(net, motion, scratch_of(motion), room, until, 0.0, 1e-3, 1e6)


def test_a_resting_thread_is_pushed_by_hertz_out_of_the_edge():
    flow, y = pressed(2e-4)
    dy = rates(flow, y)
    pushes = np.array([0.3, 0.2])[:, None] * dy[6:12].reshape(2, 3)
    assert_close(np.linalg.norm(pushes.sum(axis=0)), hertz_force(STIFFNESS, 2e-4), rtol=1e-6)
    assert pushes.sum(axis=0) @ OUT > 0.0
    assert_close(pushes[0] * 0.08, pushes[1] * 0.12, rtol=1e-6)  # the lever's law
    assert_close(flow.motion.ledger.energy.pressed, hertz_energy(STIFFNESS, 2e-4), rtol=1e-6)


def test_energy_changes_by_the_powers_in_the_books():
    flow, y = pressed()
    y[6:12] = 0.02, -0.03, -0.05, 0.01, 0.06, -0.02
    y[12 + 3 : 12 + 6] = 0.01, -0.02, 0.03
    y[-len(WORK_KINDS) - 3 : -len(WORK_KINDS)] = 0.02, -0.1, 0.05
    dy = rates(flow, y)
    h = 1e-6
    slope = (energy(flow, y + h * dy) - energy(flow, y - h * dy)) / (2.0 * h)
    works = dy[-len(WORK_KINDS) :]
    assert works[RUBBING] < 0.0
    assert works[CONTACT_DAMPING] < 0.0
    assert_close(slope, works.sum(), rtol=1e-5)
    with pytest.raises(AssertionError):
        assert_close(slope, works.sum() - 0.01 * works[RUBBING], rtol=1e-5)


def test_a_thread_found_below_an_edge_is_given_no_energy():
    net, motion = over_the_edge(2e-4)
    flow, y = ready(net, motion)
    rates(flow, y)
    assert flow.motion.ledger.energy.pressed == 0.0
    assert_close(look_at_crossings(net, motion)[0], 0.0, rtol=1e-9, scale=1e-4)


def test_a_thread_thrown_on_an_edge_bounces_off_and_all_is_kept():
    net, motion = over_the_edge(-2e-4, alpha=0.0, friction=0.0)
    motion.points.v[:2] = -0.4 * OUT
    before = momenta(net, motion)
    run(net, motion, 0.02)
    after = momenta(net, motion)
    assert motion.points.v[:2].mean(axis=0) @ OUT > 0.05
    assert motion.ledger.work[CONTACT_DAMPING] == 0.0
    assert motion.ledger.energy.largest < 1e-8
    for one, other in zip(before, after, strict=True):
        assert_close(other, one, rtol=1e-10, scale=0.1)


def test_what_a_contact_holds_when_the_thread_slides_off_is_booked():
    """The thread is held down by its own ends and drawn along itself until its end passes the edge."""
    net, motion = over_the_edge(-1e-5, alpha=0.0, friction=0.0)
    u = motion.points.x[1] - motion.points.x[0]
    u /= np.linalg.norm(u)
    motion.points.v[:2] = 20.0 * u - 0.1 * OUT
    run(net, motion, 0.008)
    assert look_at_crossings(net, motion)[1] == 0
    assert motion.ledger.work[CONTACT_DAMPING] < -1e-6
    assert motion.ledger.energy.largest < 1e-6 * 0.25 * 400.0


def test_losses_close_the_books_too():
    net, motion = over_the_edge(-1e-5)
    motion.points.v[:2] = [[0.0, 0.3, -0.4], [0.2, 0.3, -0.2]]
    run(net, motion, 0.01)
    assert motion.ledger.work[RUBBING] < -1e-5
    assert motion.ledger.energy.largest < 1e-8
