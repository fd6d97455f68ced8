"""Running lines: forces, frequency, impulses where they become taut or slack; ledger of second order."""

from __future__ import annotations

import math

import numpy as np
import pytest

from haptos.dynamics.cable.running_lines import (
    catch_lines,
    line_forces,
    line_frequency,
    line_limit,
    line_way,
    tug_line,
)
from haptos.dynamics.march import splitting
from haptos.dynamics.march.error_control import march_dormand, room_of
from haptos.dynamics.motion import (
    LINE_RATE,
    LINE_SLACK,
    LINE_SPRING,
    LINE_TENSION,
    LINE_WAS,
    LineMotion,
    scratch_of,
)
from haptos.dynamics.system import (
    THREAD_DAMPING,
    WINCH,
    LineArrays,
    no_winches,
)
from tests.close import assert_close
from tests.net_cases import momenta, small_net

STRETCHING, RING = 1e3, 2e-3  # [N], [m]
march = getattr(splitting.march, "py_func", splitting.march)  # so small a net needs no compiling
dormand = getattr(march_dormand, "py_func", march_dormand)


def running_line(places, length, damping=0.0, *, masses=None, ring=0.0, **options):
    """A line through all places; forces are written to the last that is returned."""
    count = len(places)
    net, motion = small_net(places, [1.0] * count if masses is None else masses, **options)
    lines = LineArrays(
        np.array([0, count]), np.arange(count), np.array([STRETCHING]), np.array([damping]), ring
    )
    one = [np.zeros(1) for _ in range(3)]
    motion = motion._replace(lines=LineMotion(np.array([length]), *one, np.zeros((1, LINE_WAS))))
    return net._replace(lines=lines), motion, lines, np.zeros_like(motion.points.x)


def test_a_ring_on_a_running_line_feels_the_difference_of_directions():
    places = [[0.0, 0.0, 0.0], [1.0, 1.0, 0.0], [2.0, 0.0, 0.0]]
    net, motion, lines, force = running_line(places, 2.0)
    held, lost, _ = line_forces(lines, net.points, net.inverse_inertia, motion, force, 1.0)
    stretch = 2.0 * math.sqrt(2.0) - 2.0
    tension = STRETCHING * stretch / 2.0
    assert_close(held, 0.5 * STRETCHING / 2.0 * stretch**2, rtol=1e-13)
    assert lost == 0.0
    assert_close(force[1], (0.0, -2.0 * tension * math.sqrt(0.5), 0.0), rtol=1e-13)
    assert_close(force[0], tension * np.array([1.0, 1.0, 0.0]) / math.sqrt(2.0), rtol=1e-13)
    assert np.abs(force.sum(axis=0)).max() < 1e-12


def test_a_ring_in_the_middle_of_a_straight_line_is_not_pushed_along_it():
    places = [[0.0, 0.0, 0.0], [0.3, 0.0, 0.0], [2.0, 0.0, 0.0]]
    net, motion, lines, force = running_line(places, 1.9)
    line_forces(lines, net.points, net.inverse_inertia, motion, force, 1.0)
    assert np.abs(force[1]).max() < 1e-12
    assert force[0, 0] > 1.0


@pytest.mark.parametrize("rate", [-0.5, 0.5])
def test_the_damper_of_a_line_sees_the_rate_of_all_of_its_way(rate):
    places = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0]]
    net, motion, lines, force = running_line(places, 1.9, damping=10.0)
    motion.points.v[2, 0] = rate
    _, lost, _ = line_forces(lines, net.points, net.inverse_inertia, motion, force, 1.0)
    assert_close(lost, 10.0 * rate * rate, rtol=1e-12)
    assert_close(-force[2, 0], STRETCHING * 0.1 / 1.9 + 10.0 * rate, rtol=1e-12)


def test_a_slack_line_pulls_nothing():
    net, motion, lines, force = running_line([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]], 1.5)
    found = line_forces(lines, net.points, net.inverse_inertia, motion, force, 1.0)
    assert found == (0.0, 0.0, math.inf)
    assert not force.any()


def zigzag(count=6, seed=1):
    """Light rings between two heavy ends, on a line that is slack by 2 mm; all move."""
    random = np.random.default_rng(seed)
    places = random.normal(scale=0.2, size=(count, 3))
    masses = [0.05, *[2e-3] * (count - 2), 0.08]
    net, motion, lines, force = running_line(places, 1.0, masses=masses, ring=RING)
    motion.lines.length[0] = line_way(lines, motion, 0)[0] + 2e-3
    motion.points.v[:] = random.normal(scale=0.5, size=places.shape)
    return net, motion, lines, force


def test_the_frequency_is_at_least_that_of_the_slope_of_the_forces_and_not_much_too_high():
    """Against the eigenvalues of differences of forces, scaled by the masses: all rings swing together."""
    net, motion, lines, _ = zigzag()
    motion.lines.length[0] *= 0.95
    spot, step, count = motion.points.x.copy(), 1e-7, motion.points.x.size
    slope = np.zeros((count, count))
    for k in range(count):
        for sign in (1.0, -1.0):
            force = np.zeros_like(spot)
            motion.points.x.ravel()[k] = spot.ravel()[k] + sign * step
            line_forces(lines, net.points, net.inverse_inertia, motion, force, 1.0)
            slope[:, k] -= sign * force.ravel() / (2.0 * step)
        motion.points.x[:] = spot
    mass = np.repeat(motion.points.mass, 3)
    highest = np.linalg.eigvalsh(slope / np.sqrt(np.outer(mass, mass))).max()
    tension = motion.lines.tension[0]
    found = line_frequency(lines, net.points, net.inverse_inertia, motion, 0, tension)
    assert highest <= found < 1.5 * highest
    lightest = (
        STRETCHING / motion.lines.length[0] / motion.points.mass.min()
    )  # one ring on a spring
    assert highest > 4.0 * lightest


def test_a_light_ring_just_behind_a_heavy_end_is_seen():
    places = np.array([[0.0, 0.0, 0.0], [4e-3, 0.0, 0.0], [1.0, 0.0, 0.0]])
    net, motion, lines, _ = running_line(places, 1.0, masses=[50.0, 2e-3, 50.0], ring=RING)
    tension = 100.0
    found = line_frequency(lines, net.points, net.inverse_inertia, motion, 0, tension)
    across = tension / 2e-3 * (1.0 / math.hypot(4e-3, lines.ring) + 1.0)  # of the ring alone
    assert across <= found


def energies(net, motion):
    """Kinetic energy and that of the line [J]."""
    held = 0.5 * motion.lines.spring[0] ** 2 * motion.lines.length[0] / STRETCHING
    return 0.5 * float(motion.points.mass @ (motion.points.v**2).sum(axis=1)) + held


def drifted(net, motion, lines, time):
    """Free drift for a step [s], the forces at its end, and half a kick by them."""
    motion.points.x[:] += time * motion.points.v
    force = np.zeros_like(motion.points.x)
    line_forces(lines, net.points, net.inverse_inertia, motion, force, 1.0)
    motion.points.v[:] += 0.5 * time * force / motion.points.mass[:, None]


@pytest.mark.parametrize("is_right", [True, False])
def test_a_line_that_becomes_taut_takes_what_its_spring_holds_and_no_momentum(is_right):
    net, motion, lines, _ = zigzag()
    motion.points.v[-1] = (
        5.0
        * (motion.points.x[-1] - motion.points.x[-2])
        / np.linalg.norm(motion.points.x[-1] - motion.points.x[-2])
    )
    before, at_first = energies(net, motion), momenta(net, motion)
    drifted(net, motion, lines, 1e-3)
    assert motion.lines.was[0, LINE_SPRING] == 0.0 < motion.lines.spring[0]
    if not is_right:
        motion.lines.was[0, LINE_SLACK] *= 1.01
    catch_lines(net, motion, 0.5e-3)
    found = energies(net, motion)
    assert (abs(found - before) < 1e-12 * before) == is_right
    after = momenta(net, motion)
    assert np.abs(after[0] - at_first[0]).max() < 1e-14
    assert np.abs(after[1] - at_first[1]).max() < 1e-14


def test_a_line_that_becomes_slack_gives_what_its_spring_held():
    net, motion, lines, force = zigzag()
    motion.lines.length[0] -= 4e-3
    line_forces(lines, net.points, net.inverse_inertia, motion, force, 1.0)
    assert motion.lines.tension[0] > 0.0
    motion.points.v[:] -= motion.points.x / 0.1
    catch_lines(net, motion, 0.0)
    before, time = energies(net, motion), 2e-3
    first = line_way(lines, motion, 0)[1]
    assert_close(motion.lines.was[0, LINE_RATE], first, rtol=1e-14)
    motion.points.v[:] += 0.5 * time * force / motion.points.mass[:, None]
    drifted(net, motion, lines, time)
    assert motion.lines.spring[0] == 0.0 < motion.lines.was[0, LINE_TENSION]
    catch_lines(net, motion, 0.5 * time)
    assert_close(energies(net, motion), before, rtol=1e-2)
    assert abs(energies(net, motion) - before) < 0.02 * motion.lines.was[0, LINE_TENSION] * 2e-3


def test_a_line_that_stretches_again_as_it_becomes_slack_does_not_bounce():
    net, motion, lines, force = zigzag()
    motion.lines.length[0] -= 4e-3
    line_forces(lines, net.points, net.inverse_inertia, motion, force, 1.0)
    catch_lines(net, motion, 0.0)
    motion.lines.length[0] += 5e-3
    line_forces(lines, net.points, net.inverse_inertia, motion, force, 1.0)
    motion.points.v[:] = motion.points.x
    first = line_way(lines, motion, 0)[1]
    assert first > 0.0
    assert motion.lines.spring[0] == 0.0 < motion.lines.was[0, LINE_SPRING]
    catch_lines(net, motion, 1e-7)
    assert_close(line_way(lines, motion, 0)[1], first, rtol=1e-2)


def test_an_impulse_of_a_line_slows_its_way_by_the_inverse_mass_of_all_rings():
    net, motion, lines, _ = zigzag()
    before = line_way(lines, motion, 0)[1]
    tug_line(net, motion, 0, 1e-3)
    light = (before - line_way(lines, motion, 0)[1]) / 1e-3
    stiffness = STRETCHING / motion.lines.length[0]
    square = line_frequency(lines, net.points, net.inverse_inertia, motion, 0, 0.0)
    assert_close(light, square / stiffness, rtol=1e-10)


def test_a_step_ends_where_a_slack_line_becomes_taut():
    net, motion, lines, force = zigzag()
    motion.points.v[-1] = (
        5.0
        * (motion.points.x[-1] - motion.points.x[-2])
        / np.linalg.norm(motion.points.x[-1] - motion.points.x[-2])
    )
    motion.lists.state.fastest = 5.0
    line_forces(lines, net.points, net.inverse_inertia, motion, force, 1e-3)
    step = line_limit(net, motion, 1e-3, 1e-3)
    assert 1e-5 < step < 1e-3
    motion.points.x[:] += step * motion.points.v
    assert abs(line_way(lines, motion, 0)[0] - motion.lines.length[0]) < 1e-3 * 2e-3
    motion.lines.was[0, LINE_SLACK] = 1.0
    assert line_limit(net, motion, 1e-3, 1e-3) == 1e-3


def plucked(damping=0.0, *, is_wound=False):
    """Three light rings on a line between two masses that fly apart: it becomes taut and slack often."""
    places = np.zeros((5, 3))
    places[:, 0], places[:, 1] = np.linspace(0.0, 1.0, 5), [0.05, -0.05, 0.05, -0.05, 0.05]
    winches = no_winches(1 if is_wound else 0)
    for row in winches:
        row["element"], row["first"], row["last"], row["stop"] = -1, 1.1, 0.4, 1.0
        row["point"], row["stall"] = -1, np.inf
    net, motion, lines, _ = running_line(
        places, 1.1, damping, masses=[0.05, 2e-3, 2e-3, 2e-3, 0.05], ring=RING, winches=winches
    )
    net = net._replace(lines=lines._replace(stretching=np.array([85.0])))
    motion.points.v[:] = np.random.default_rng(1).normal(scale=0.6, size=places.shape)
    motion.points.v[0], motion.points.v[-1] = (-0.3, 0.0, 0.0), (0.3, 0.0, 0.0)
    return net, motion


def run(share, until, *options, **named):
    net, motion = plucked(*options, **named)
    assert march(net, motion, scratch_of(motion), until, share, 1e-2, 1e6)
    return motion


CASES = [(0.0, False, 0.6), (0.0, True, 0.4), (0.05, True, 0.3)]


@pytest.mark.parametrize(("damping", "is_wound", "until"), CASES)
def test_a_line_that_becomes_taut_and_slack_moves_and_keeps_its_books_to_second_order(
    damping: float, is_wound: bool, until: float
) -> None:
    """Places beside the scheme with error control; the damper's jump leaves a little more than a quarter."""
    net, exact = plucked(damping, is_wound=is_wound)
    room = room_of(net, exact)
    room.absolute[:] *= 1e-2
    assert dormand(net, exact, scratch_of(exact), room, until, 0.0, 1e-2, 1e6)
    found = [run(share, until, damping, is_wound=is_wound) for share in (0.1, 0.05, 0.025)]
    left = [motion.ledger.energy.largest for motion in found]
    assert left[0] > 7.0 * left[2]  # 16 for order 2; one motion, which the step changes
    scale = exact.ledger.energy.kinetic
    assert left[2] < 2e-4 * scale
    away = [np.abs(motion.points.x - exact.points.x).max() for motion in found]
    assert away[2] < 2e-4 < away[0] * 10.0
    assert_close(found[2].ledger.work[WINCH], exact.ledger.work[WINCH], rtol=2e-3, scale=0.01)
    assert_close(
        found[2].ledger.work[THREAD_DAMPING],
        exact.ledger.work[THREAD_DAMPING],
        rtol=5e-2,
        scale=1e-4,
    )


def test_without_impulses_and_foresight_the_books_do_not_fall_with_the_step(monkeypatch):
    monkeypatch.setattr(splitting, "line_limit", lambda net, motion, share, longest: longest)
    with_impulses = run(0.025, 0.6).ledger.energy.largest
    monkeypatch.setattr(splitting, "catch_lines", lambda net, motion, half: 0.0)
    left = [run(share, 0.6).ledger.energy.largest for share in (0.1, 0.025)]
    assert left[1] > 0.3 * left[0]
    assert left[1] > 10.0 * with_impulses
