"""Towing with fixed points: closed forms, conservation, and a spin that nothing damps."""

from __future__ import annotations

import math

import numpy as np
import pytest

from haptos.core.errors import ConfigError
from haptos.dynamics.nets.tow_model import TowBody, tow, tow_system
from haptos.geometry.mesh.cuboids import cuboid_moments
from haptos.materials.threads import thread
from tests.close import assert_close

CHASER, TARGET = 500.0, 83.0  # [kg]
REDUCED = CHASER * TARGET / (CHASER + TARGET)
BRAID = thread("technora braid")
LENGTH = 10.0  # [m]


def system(points=((0.25, 0.0, 0.0),), length=LENGTH, damping=None):
    """Target of 0.5 m and 83 kg behind a chaser; threads share one braid."""
    stiffness, own_damping, _ = BRAID.element(length)
    count = len(points)
    return tow_system(
        CHASER, cuboid_moments(CHASER, (1.0, 1.0, 1.0)), TARGET,
        cuboid_moments(TARGET, (0.5, 0.5, 0.5)), [[-0.5, 0.0, 0.0]], points, length,
        stiffness / count, (own_damping if damping is None else damping) / count,
    )  # fmt: skip


AHEAD = TowBody((LENGTH + 0.75, 0.0, 0.0))
TUMBLING = TowBody((0.0, 0.0, 0.0), rate=tuple(np.radians([1.0, -5.0, 1.0])))


def test_a_stretched_thread_swings_at_the_frequency_of_the_reduced_mass():
    """Half a swing from a stretch of 1 mm: back at natural length after a quarter period."""
    stiffness = BRAID.element(LENGTH)[0]
    omega = math.sqrt(stiffness / REDUCED)
    times = np.linspace(0.0, 0.99 * 0.5 * math.pi / omega, 20)
    stretched = TowBody((LENGTH + 0.75 + 1e-3, 0.0, 0.0))
    found = tow(system(damping=0.0), stretched, TowBody((0.0, 0.0, 0.0)), np.zeros(3), times)
    assert_close(found.tensions[:, 0], stiffness * 1e-3 * np.cos(omega * times), rtol=1e-5)
    assert_close(found.distance - LENGTH - 0.75, 1e-3 * np.cos(omega * times), rtol=1e-5)


def test_damped_thread_pulls_the_target_at_the_share_of_its_mass():
    times = np.linspace(0.0, 60.0, 61)
    still = TowBody((0.0, 0.0, 0.0))
    found = tow(system(damping=100.0), AHEAD, still, [15.0, 0.0, 0.0], times)
    assert_close(found.tensions[-1, 0], 15.0 * TARGET / (CHASER + TARGET), rtol=1e-4)
    stretch = found.tensions[-1, 0] / BRAID.element(LENGTH)[0]
    assert_close(found.distance[-1], LENGTH + 0.75 + stretch, rtol=1e-6)


@pytest.fixture(scope="module")
def long_tow():
    times = np.linspace(0.0, 300.0, 1501)
    return tow(system(), AHEAD, TUMBLING, [15.0, 0.0, 0.0], times)


def test_momentum_is_the_impulse_of_the_thrust(long_tow):
    impulse = np.outer(long_tow.times, [15.0, 0.0, 0.0])
    assert_close(long_tow.momentum, impulse, rtol=1e-12)


def test_the_energy_ledger_closes_over_a_whole_tow(long_tow):
    assert np.abs(long_tow.remainder).max() < 1e-9 * long_tow.work_thrust[-1]
    assert (np.diff(long_tow.work_damping) >= -1e-12).all()


def test_angular_momentum_of_a_fixed_point_tow_oscillates_undamped(long_tow):
    """Axial damping of the thread is all there is: the swing of the momentum stays."""
    size = np.linalg.norm(long_tow.target_momentum, axis=1)
    thirds = [size[500 * third : 500 * (third + 1)] for third in range(3)]
    swings = [float(np.ptp(third)) for third in thirds]
    assert swings[0] > 0.2
    assert_close(swings[2], swings[0], rtol=0.05)


def test_distance_stays_within_the_mild_bounce(long_tow):
    assert np.abs(long_tow.distance - LENGTH - 0.75).max() < 0.5
    assert np.ptp(long_tow.distance[-500:]) < 0.02


def test_free_flight_conserves_both_momenta():
    spinning = TowBody((LENGTH + 0.75, 0.01, 0.0), (0.0, 0.02, 0.0), rate=(0.01, 0.0, 0.03))
    found = tow(system(), spinning, TUMBLING, np.zeros(3), np.linspace(0.0, 100.0, 51))
    assert found.tensions.max() > 0.1
    assert_close(found.momentum, np.tile(found.momentum[0], (51, 1)), rtol=1e-13)
    whole = found.angular_momentum
    assert_close(whole, np.tile(whole[0], (51, 1)), rtol=1e-8)
    assert np.abs(found.remainder).max() < 1e-6 * found.energies[0].sum()


def test_four_points_behind_the_centre_hold_the_target_straight():
    corners = [[-0.25, y, z] for y in (-0.25, 0.25) for z in (-0.25, 0.25)]
    times = np.linspace(0.0, 60.0, 121)
    near = TowBody((LENGTH + 0.25, 0.0, 0.0))
    found = tow(system(corners, LENGTH, 20.0), near, TUMBLING, [15.0, 0.0, 0.0], times)
    assert_close(found.tensions[-1].sum(), 15.0 * TARGET / (CHASER + TARGET), rtol=2e-2)
    rates = np.abs(found.states[-20:, 24:26]).max()
    assert rates < 0.1 * math.radians(5.0)


def test_after_the_burn_the_momentum_stays():
    times = np.linspace(0.0, 20.0, 41)
    found = tow(system(), AHEAD, TUMBLING, [15.0, 0.0, 0.0], times, burn=7.3)
    after = found.momentum[times > 7.3]
    assert_close(after, np.tile([15.0 * 7.3, 0.0, 0.0], (len(after), 1)), rtol=1e-12)
    assert np.ptp(found.work_thrust[times > 7.3]) == 0.0
    coasting = tow(system(), AHEAD, TUMBLING, [15.0, 0.0, 0.0], times, burn=0.0)
    assert np.abs(coasting.momentum).max() < 1e-15


def test_tighter_tolerance_gives_a_smaller_error():
    times = np.linspace(0.0, 20.0, 11)
    finest = tow(system(), AHEAD, TUMBLING, [15.0, 0, 0], times, tolerance=1e-12).states[-1, 13:16]
    errors = [
        np.abs(tow(system(), AHEAD, TUMBLING, [15.0, 0, 0], times, tolerance=t).states[-1, 13:16] - finest).max()
        for t in (1e-5, 1e-8)
    ]  # fmt: skip
    assert errors[1] < 0.1 * errors[0]


def test_a_slack_thread_pulls_on_nothing():
    """Both bodies nearer than the thread is long and parting slowly: they fly on as they were."""
    leaving = TowBody((LENGTH, 0.0, 0.0), (0.01, 0.0, 0.0))
    found = tow(system(), leaving, TUMBLING, np.zeros(3), np.linspace(0.0, 10.0, 11))
    assert not found.tensions.any()
    assert_close(found.states[-1, 0], LENGTH + 0.1, rtol=1e-12)


def test_tensions_told_are_those_the_bodies_felt():
    """A thread stretched by 10 mm and parting at 0.2 m/s: k (l - L) + c l', and that over the mass."""
    parting = TowBody((LENGTH + 0.76, 0.0, 0.0), (0.2, 0.0, 0.0))
    law = system(damping=5.0)
    found = tow(law, parting, TowBody((0.0, 0.0, 0.0)), np.zeros(3), [0.0, 1e-6])
    pull = law.stiffness[0] * 0.01 + 5.0 * 0.2
    assert_close(found.tensions[0, 0], pull, rtol=1e-9)
    assert_close(found.states[1, 3] - 0.2, -pull / CHASER * 1e-6, rtol=1e-2)


@pytest.mark.parametrize(
    "wrong",
    [{"length": 0.0}, {"length": math.nan}, {"damping": -1.0}, {"points": [[0.0, 1.0]]}],
)
def test_impossible_systems_are_refused(wrong):
    with pytest.raises(ConfigError):
        system(**wrong)


@pytest.mark.parametrize("times", [[0.0], [1.0, 2.0], [0.0, 1.0, 1.0]])
def test_impossible_times_are_refused(times):
    with pytest.raises(ConfigError, match="rising from 0"):
        tow(system(), AHEAD, TUMBLING, np.zeros(3), times)
    with pytest.raises(ConfigError, match="tolerance"):
        tow(system(), AHEAD, TUMBLING, np.zeros(3), [0.0, 1.0], tolerance=0.0)


def test_points_must_pair_up():
    with pytest.raises(ConfigError, match="one for all"):
        tow_system(1.0, 1.0, 1.0, 1.0, np.zeros((2, 3)), np.zeros((3, 3)), 1.0, 1.0)


def test_check_has_teeth(long_tow):
    impulse = np.outer(long_tow.times, [15.15, 0.0, 0.0])
    with pytest.raises(AssertionError):
        assert_close(long_tow.momentum, impulse, rtol=1e-3)
