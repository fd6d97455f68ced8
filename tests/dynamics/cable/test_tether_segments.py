"""Active segments of a tether: series law, clamped heating, heat and energy ledgers, the force loop, material that moves."""

from __future__ import annotations

import numpy as np
import pytest

from haptos.core.errors import ConfigError
from haptos.dynamics.cable import reel_build
from haptos.dynamics.cable.tether_run import TetherRun
from haptos.dynamics.cable.tether_segments import (
    EACH,
    active_spring,
    extra_numbers,
    metal_segments,
    polymer_segments,
    segment_start,
)
from haptos.dynamics.cable.tether_state import CELLS, STORED
from haptos.dynamics.cable.tether_system import EndBody, TetherLine, TetherSystem
from haptos.materials.electro_active import POLYMER
from haptos.materials.shape_memory import NITINOL, ShapeMemory
from tests.close import assert_close

AREA = 1e-6  # [m^2]


def clamped_wire(strain: float, start, cells: int = 5, metal: ShapeMemory = NITINOL) -> TetherRun:
    """A wire of 5 m between two fixed ends, strained."""
    segments = metal_segments(0.0, 5.0 / cells, cells, AREA, outside=280.0, material=metal)
    line = TetherLine(5.0, metal.density * AREA, metal.martensite * AREA, 100.0)
    ends = (EndBody(1.0, is_fixed=True, position=(0.0, 0.0, 5.0 * (1.0 + strain))), EndBody(1.0, is_fixed=True))  # fmt: skip
    system = TetherSystem(ends, line, cells, material=segments, extra=extra_numbers(segments))
    run = TetherRun(system, tolerance=1e-6)
    run.state[CELLS + 7 * cells :] = segment_start(segments, start)
    run.refresh()
    run.tether.springs.mode[:] = 1
    run.marks.clear()
    run.mark("heat")
    return run


def heated(run: TetherRun, rate: float, until: float, times) -> tuple[np.ndarray, np.ndarray]:
    """(temperature [K], stress [Pa]) at times of a wire heated as fast as `rate` [K/s] without phases."""
    n = run.system.cells
    run.system.material.inputs[:] = rate * NITINOL.density * NITINOL.heat * AREA
    theta, stress = [], []
    for when in [*times, until]:
        run.advance(when)
        theta.append(run.state[CELLS + 7 * n + 2])
        stress.append(run.tether.springs.tension[n // 2] / AREA)
    return np.array(theta), np.array(stress)


@pytest.fixture(scope="module")
def clamped() -> tuple[TetherRun, np.ndarray, np.ndarray]:
    run = clamped_wire(0.03, (0.5, 0.5, 280.0))
    return run, *heated(run, 0.5, 200.0, np.arange(100.0, 200.0, 2.0))


def test_a_clamped_wire_pulls_as_it_is_heated(clamped):
    """The printed stresses at 310 to 340 K: a slope of 8 MPa/K."""
    _, theta, stress = clamped
    found = np.interp([310.0, 320.0, 330.0, 340.0], theta, stress)
    assert_close(found, [79.9e6, 160.3e6, 240.7e6, 321.1e6], rtol=2e-3)


def test_the_check_notices_a_percent():
    spoiled = NITINOL._replace(slope=1.01 * NITINOL.slope)
    run = clamped_wire(0.03, (0.5, 0.0, 305.0), metal=spoiled)
    theta, stress = heated(run, 0.5, 60.0, np.arange(10.0, 60.0, 2.0))
    with pytest.raises(AssertionError):
        assert_close(np.interp([320.0], theta, stress), [160.3e6], rtol=2e-3)


def test_heat_and_energy_ledgers_of_the_clamped_wire_close(clamped):
    run, _, _ = clamped
    n = run.system.cells
    numbers = run.state[CELLS + 7 * n :]
    cells, joule, lost = numbers[: EACH * n].reshape(n, EACH), numbers[-2], numbers[-1]
    warmed = NITINOL.density * NITINOL.heat * AREA * (cells[:, 2] - 280.0).sum()
    latent = NITINOL.latent * AREA * (cells[:, 0] + cells[:, 1] - 1.0).sum()
    assert abs(warmed - latent - joule + lost) < 1e-9 * joule
    assert -latent > 0.3 * joule  # most of the martensite has gone
    assert abs(run.balance()["relative"]) < 1e-6
    assert (cells[:, :2] > -1e-6).all()


def test_springs_feel_segments_in_series():
    """A spring over one active and one passive half has half the free contraction."""
    segments = polymer_segments(0.0, 5.0, 1, AREA)
    stiffness = POLYMER.modulus * AREA
    ends = (EndBody(1.0, is_fixed=True, position=(0.0, 0.0, 10.0)), EndBody(1.0, is_fixed=True))
    system = TetherSystem(ends, TetherLine(10.0, 1e-3, stiffness, 1.0), 4, material=segments, extra=extra_numbers(segments))  # fmt: skip
    run = TetherRun(system)
    run.state[CELLS + 28 :] = segment_start(segments, (0.5, 0.0, 0.0))
    drive = POLYMER.largest * AREA * 0.5
    for place, share in ((0.0, 1.0), (2.5, 1.0), (5.0, 0.5), (7.5, 0.0)):
        found = active_spring(run.tether, place, run.state)
        assert_close(found[0], stiffness, rtol=1e-12)
        assert_close(found[1], share * drive, rtol=1e-12, scale=drive)


def test_segments_move_with_the_material():
    """Line runs out of a reel: the activated span stays the same span of the line, and the ledger closes."""
    segments = polymer_segments(8.0, 2.0, 1, AREA)
    mu, stiffness = 1.8e-3, POLYMER.modulus * AREA
    first = EndBody(50.0, position=(0.0, 0.0, 6.0), velocity=(0.0, 0.0, 1.0))
    reel = reel_build.prescribed([0.0, 3.0], [0.0, 3.0])
    line = TetherLine(12.0, mu, stiffness, 5.0)
    system = TetherSystem((first, EndBody(5.0)), line, 6, (reel, reel_build.hold()), (6.0, 0.0), material=segments, extra=extra_numbers(segments))  # fmt: skip
    run = TetherRun(system, tolerance=1e-8)
    segments.inputs[:] = 0.01
    run.advance(3.0)
    active = run.tether.springs.offset
    places = run.state[STORED] + np.arange(7) * (12.0 - run.state[STORED]) / 6
    inside = (places > 7.0) & (places < 11.0)
    assert (active[inside] > 0.0).all()
    assert (active[(places < 7.0) | (places > 11.0)] == 0.0).all()
    assert_close(run.state[STORED], 3.0, rtol=1e-9)
    assert abs(run.balance()["relative"]) < 1e-6


def test_metal_with_a_reel_that_runs_is_refused():
    segments = metal_segments(0.0, 1.0, 5, AREA)
    reel = reel_build.prescribed([0.0, 3.0], [0.0, 3.0])
    with pytest.raises(ConfigError, match="metal"):
        TetherSystem((EndBody(1.0), EndBody(1.0)), TetherLine(5.0, 1e-3, 1e4), 5, (reel, reel), (1.0, 1.0), material=segments)  # fmt: skip
