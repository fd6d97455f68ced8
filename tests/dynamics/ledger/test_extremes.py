"""Extremes are those of all steps, each with its time."""

from __future__ import annotations

import numpy as np

from haptos.dynamics.ledger.extremes import (
    extremes_of,
    note_broken,
    note_lines,
    note_tension,
    note_tensions,
)
from haptos.dynamics.march.splitting import march
from haptos.dynamics.motion import scratch_of
from tests.close import assert_close
from tests.net_cases import LONGEST, marched, small_net


def spring(breaking: float = np.inf):
    """Two nodes of 1 kg on a thread of 1 m and 1000 N that fly apart at 1 m/s each."""
    net, motion = small_net(
        [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]], [1.0, 1.0], elements=[[0, 1]], lengths=[1.0],
        stretching=1000.0, breaking=breaking,
    )  # fmt: skip
    motion.points.v[:, 0] = [-1.0, 1.0]
    return net, motion


def test_the_largest_value_and_its_time_are_kept():
    extremes = extremes_of(2, 0)
    for time, tension in ((0.1, 3.0), (0.2, 5.0), (0.3, 4.0)):
        note_tension(extremes, 1, tension, time)
    assert extremes.tension.tolist() == [0.0, 5.0]
    assert extremes.tension_at.tolist() == [0.0, 0.2]
    note_broken(extremes, 0, 7.0, 0.4)
    assert extremes.tension[0] == 7.0
    assert extremes.broke_at.tolist() == [0.4, np.inf]


def test_a_spring_s_largest_tension_is_found_although_nobody_looks():
    """T = v sqrt(2 k m), v = 1 m/s of each of two masses m, after a quarter of a swing."""
    net, motion = spring()
    marched(net, motion, 0.2, share=0.05)
    assert motion.elements.tension[0] == 0.0
    assert_close(motion.ledger.extremes.tension[0], np.sqrt(2.0 * 1000.0), rtol=1e-3)
    assert_close(motion.ledger.extremes.tension_at[0], 0.5 * np.pi / np.sqrt(2000.0), rtol=0.05)


def test_the_time_of_a_break_is_that_of_its_step():
    """T = 20 N where sin(w t) = 20/44.7."""
    net, motion = spring(breaking=20.0)
    marched(net, motion, 0.2, share=0.05)
    exact = np.arcsin(20.0 / np.sqrt(2000.0)) / np.sqrt(2000.0)
    assert motion.ledger.extremes.tension[0] == 20.0
    assert exact <= motion.ledger.extremes.broke_at[0] < exact + 2.0 * motion.step.last


def test_lines_and_energies_are_kept_too():
    _, motion = spring()
    motion = motion._replace(
        ledger=motion.ledger._replace(extremes=extremes_of(1, 1)),
        lines=motion.lines._replace(tension=np.array([2.5])),
    )
    motion.turning.tally[:2] = [0.3, 0.1]
    note_lines(motion, 0.5)
    motion.lines.tension[0] = 1.0
    note_lines(motion, 0.6)
    motion.elements.tension[0] = 9.0
    note_tensions(motion, 0.7)
    assert motion.ledger.extremes.line.tolist() == [2.5]
    assert motion.ledger.extremes.line_at.tolist() == [0.5]
    assert motion.ledger.extremes.energy.tolist() == [0.3, 0.1]
    assert motion.ledger.extremes.tension_at.tolist() == [0.7]


def test_steps_not_taken_raise_nothing():
    net, motion = spring()
    march(net, motion, scratch_of(motion), 0.0, 0.4, LONGEST, 0.0)
    assert motion.ledger.extremes.tension[0] == 0.0
