"""A pause changes no bit of the motion, wherever it falls."""

from __future__ import annotations

import numpy as np
import pytest

from haptos.dynamics.march.error_control import march_dormand, room_of
from haptos.dynamics.march.pauses import (
    AFTER_LOOK,
    BEFORE_OUTPUT,
    has_to_look,
    keep_on,
    pauses,
)
from haptos.dynamics.march.splitting import march
from haptos.dynamics.motion import MARCH, STEP, record, scratch_of
from tests.net_cases import LONGEST, MOST, thrown_grid

UNTIL = 0.35  # [s]; the net strikes the box after 0.15 s


def started(scheme: str):
    """(motion, its scratch, one call of the kernel to a time with so many steps in all)."""
    net, motion = thrown_grid(friction=0.2, has_edges=scheme == "verlet")
    scratch, room = scratch_of(motion), room_of(net, motion, position=1e-4, velocity=1e-3)
    if scheme == "verlet":
        return motion, scratch, lambda most: march(net, motion, scratch, UNTIL, 0.4, LONGEST, most)
    return (
        motion,
        scratch,
        lambda most: march_dormand(net, motion, scratch, room, UNTIL, 0.0, LONGEST, most),
    )


def bits(motion) -> bytes:
    rows = (
        motion.points.x,
        motion.points.v,
        motion.bodies.place,
        motion.bodies.momentum,
        motion.elements.tension,
        motion.ledger.work,
    )
    return b"".join(
        row.tobytes()
        for row in (
            *rows,
            motion.step,
            motion.ledger.energy,
            motion.lists.state,
            motion.contacts.search,
            motion.ledger.extremes.tension,
        )
    )


@pytest.mark.parametrize("scheme", ["verlet", "dormand-prince"])
def test_pauses_change_no_bit(scheme):
    whole, _, go = started(scheme)
    assert go(MOST)
    random = np.random.default_rng(2)
    motion, scratch, go = started(scheme)
    reasons = set()
    while motion.step.time < UNTIL:
        kind = random.integers(3)
        now = motion.step.time
        scratch.march.pause_at = now + 0.01 * random.random() if kind == 0 else np.inf
        scratch.march.look_at = now + 0.01 * random.random() if kind == 1 else np.inf
        go(motion.step.count + random.integers(1, 40) if kind == 2 else MOST)
        reasons.add(scratch.march.is_paused)
        if scratch.march.is_paused == BEFORE_OUTPUT:
            assert motion.step.time <= scratch.march.pause_at
            scratch.march.pause_at = np.inf
            go(motion.step.count + 1.0)
    assert reasons == {0.0, 1.0, 2.0}
    assert whole.step.touched_at < UNTIL
    assert bits(motion) == bits(whole)


def test_a_march_pauses_at_the_first_touch_only_if_it_has_to_look():
    numbers, step = record(MARCH), record(STEP)
    numbers.pause_at = numbers.look_at = np.inf
    step.time = step.touched_at = 0.3
    assert not has_to_look(numbers, step)
    numbers.look_at = 0.5
    assert has_to_look(numbers, step)
    step.time = 0.4
    assert not has_to_look(numbers, step)
    step.time = 0.5
    assert has_to_look(numbers, step)


def test_the_reason_is_kept():
    numbers = record(MARCH)
    assert pauses(numbers, True, AFTER_LOOK)
    assert numbers.is_paused == AFTER_LOOK
    assert not pauses(numbers, False, 1.0)
    assert numbers.is_paused == 0.0
    keep_on(numbers, (1.0, 2.0), 3.0)
    assert numbers.tolist()[:4] == (1.0, 1.0, 2.0, 3.0)
