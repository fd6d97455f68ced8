"""What contacts gave to a body earlier in a step, seen by those after."""

from __future__ import annotations

import numpy as np
import pytest

from haptos.dynamics.contacts.body_kicks import (
    book_body_losses,
    clear_kicks,
    keep_speeds,
    kick_of,
    kick_so_far,
    note_body_losses,
    note_kicks,
    spread_rest,
)
from haptos.dynamics.rigid.bodies import body_energy, strike
from haptos.dynamics.system import CONTACT_DAMPING, RUBBING
from tests.close import assert_close
from tests.net_cases import small_net

EYE = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
ARM = (0.1, -0.2, 0.3)


def body():
    net, motion = small_net([[0.0, 0.0, 0.0]], [1.0], fixed=[(0, ARM)])
    net.inverse_inertia[0] = (5.0, 4.0, 3.0)
    motion.bodies.inverse_mass[0] = 2.0
    motion.bodies.speed[0], motion.bodies.momentum[0] = (1.0, 0.0, -1.0), (0.1, 0.0, 0.2)
    return net, motion


def test_a_kick_is_the_change_of_the_velocity_of_a_point():
    net, motion = body()
    keep_speeds(motion)
    impulse = np.array([0.3, -0.1, 0.2])
    strike(motion, 0, tuple(impulse), tuple(np.cross(ARM, impulse)))
    inverse = tuple(net.inverse_inertia[0])
    turned = np.cross(net.inverse_inertia[0] * np.cross(ARM, impulse), ARM)
    expected = 2.0 * impulse + turned
    assert_close(kick_so_far(motion, 0, EYE, inverse, ARM), expected, rtol=1e-13)
    note_kicks(motion)
    assert_close(kick_of(motion, 0, EYE, inverse, ARM), expected, rtol=1e-13)
    clear_kicks(motion)
    assert kick_of(motion, 0, EYE, inverse, ARM) == (0.0, 0.0, 0.0)


@pytest.mark.parametrize("which", [0, 1])
@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
def test_two_lossy_impulses_share_what_they_take_together(share, which):
    """Energy of both, less what each takes alone, is what the second counts and what is recorded.

    which  whether the first is of friction or of the lossy part of a normal force
    share  mean time of the second within the step, over the step
    """
    net, motion = body()
    motion.step.length = 0.01
    other = (-0.3, 0.1, 0.2)
    first, second = np.array([0.2, 0.1, -0.1]), np.array([-0.1, 0.3, 0.2])

    def energy(*given):
        net, motion = body()
        before = body_energy(net, motion)
        for arm, impulse in given:
            strike(motion, 0, tuple(impulse), tuple(np.cross(arm, impulse)))
        return body_energy(net, motion) - before

    together = (
        energy((ARM, first), (other, second)) - energy((ARM, first)) - energy((other, second))
    )
    none = (0.0, 0.0, 0.0)
    lossy = (tuple(first), none) if which == 0 else (none, tuple(first))
    note_body_losses(motion, 0, ARM, lossy)
    book_body_losses(net, motion, 0, other, tuple(second), tuple(share * 0.01 * second))
    recorded = motion.ledger.work[RUBBING if which == 0 else CONTACT_DAMPING]
    assert_close(recorded, (1.0 - share) * together, rtol=1e-9, scale=abs(together))


def test_without_friction_before_nothing_is_booked():
    net, motion = body()
    book_body_losses(net, motion, 0, ARM, (1.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    assert motion.ledger.work[RUBBING] == motion.ledger.work[CONTACT_DAMPING] == 0.0


def test_half_of_an_impulse_is_to_come_where_no_step_is_known():
    _, motion = body()
    assert spread_rest(motion, (1.0, 2.0, 3.0), (9.0, 9.0, 9.0)) == (0.5, 1.0, 1.5)
