"""Two bodies in polygonal contact: impacts, momentum, friction that holds, edges, spreading shapes."""

from __future__ import annotations

import math

import numpy as np
import pytest

from haptos.contact.sets.polygons_pair import PolygonPair, adaptive, fixed, foundation_law, two_pass
from haptos.contact.sets.polygons_step import (
    A_DEPTH,
    A_LEAVE,
    A_PEAK,
    A_TOUCH,
)
from haptos.contact.sets.polygons_sum import ELASTIC, FORCE
from haptos.core.errors import ConfigError
from haptos.dynamics.rigid.touching_pair import SIZE, W_DRIVE
from haptos.dynamics.rigid.touching_pair_march import (
    L_ELASTIC,
    L_FORCE,
    L_STATE,
    SUNK,
    TIME_OVER,
)
from haptos.dynamics.rigid.touching_pair_run import Mover, PairRun
from haptos.geometry.distance.reference import box, half_space, revolved
from haptos.geometry.distance.revolution import ball_pieces, capsule_pieces, torus_pieces
from haptos.geometry.distance.section_build import SectionLine, section
from haptos.geometry.mesh.curved_faces_build import mesh_faces, octahedron_faces, revolution_faces
from tests.close import assert_close

R = 0.05
BOX_FACES = np.array([[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1],
             [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]])  # fmt: skip


def plate(edges, levels, raised=0.0):
    """Flat faces of a box about the origin, or raised [m] over it."""
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    points = 0.5 * corners * np.array(edges) + np.array([0.0, 0.0, raised])
    return mesh_faces(points, BOX_FACES, levels, curved=False)


def bounce(damping, speed, tolerance=1e-7):
    """(restitution, contact time [s], depth [m], run) of a 5 kg ball of 3e9 Pa/m."""
    law = foundation_law(3e9, damping=damping, damping_depth=2e-5)
    start = Mover(5.0, 0.4 * 5 * R**2 * np.eye(3), (0, 0, R + 1e-6), velocity=(0, 0, -speed))
    run = PairRun(
        PolygonPair(half_space(), octahedron_faces(4, R, 5), law),
        Mover(),
        start,
        tolerance=tolerance,
    )
    run.go(2.5e-3 / speed**0.7, energy=2.5 * speed**2, length=1e-4)
    back = run.log[-1, L_STATE + 13 + 9] / 5.0 / speed
    return back, run.account[A_LEAVE] - run.account[A_TOUCH], run.account[A_DEPTH], run


@pytest.mark.parametrize(
    ("damping", "restitution", "time", "depth"),
    [
        (0.0, 1.0, 19.15e-3, 341.39e-6),
        (1e6, 0.90540, 19.48e-3, 330.46e-6),
        (3e6, 0.75560, 20.17e-3, 311.55e-6),
    ],
)
def test_a_ball_comes_back_with_its_restitution(damping, restitution, time, depth):
    found = bounce(damping, 0.05)
    assert_close(found[0], restitution, rtol=1e-3)
    assert_close(found[1], time, rtol=1e-3)
    assert_close(found[2], depth, rtol=1e-3)
    ledger = found[3].ledger()
    assert np.abs(ledger["remainder"]).max() < 1e-5 * ledger["kinetic"][0]
    assert np.all(np.diff(ledger["damping"]) <= 0.0)


def spinning_pair(tolerance=1e-7):
    law = foundation_law(
        3e8, shear=2e8, friction=0.3, stick_speed=1e-3, damping=1e5, damping_depth=2e-5
    )
    pair = PolygonPair(
        revolved(section(capsule_pieces(0.05, 0.1))), octahedron_faces(3, 0.03, 3), law
    )
    return PairRun(
        pair,
        Mover(3.0, np.diag([5e-3, 1e-2, 1.5e-2]), (1, 2, 0.5), velocity=(0.1, 0, 0), rate=(1, 2, 3)),
        Mover(2.0, np.diag([2e-3, 1.5e-3, 1e-3]), (1.02, 2.0, 0.5805), velocity=(0.15, 0.1, -0.3), rate=(10, -5, 3)),
        tolerance=tolerance,
    )  # fmt: skip


def test_a_spinning_pair_keeps_both_momenta_to_rounding():
    run = spinning_pair()
    before = run.y.copy()
    assert run.go(0.03, energy=0.1, length=1e-3) == TIME_OVER
    after = run.y
    assert np.abs(after[20:23] - before[20:23]).max() > 0.1  # they did hit each other
    for first in (7, 10):
        total = before[first : first + 3] + before[first + 13 : first + 16]
        now = after[first : first + 3] + after[first + 13 : first + 16]
        assert np.abs(now - total).max() < 1e-12 * np.abs(total).max()
    ledger = run.ledger()
    assert ledger["friction"][-1] < -1e-3
    assert np.abs(ledger["remainder"]).max() < 1e-6 * ledger["kinetic"][0]


def test_friction_and_damping_only_take():
    ledger = (run := spinning_pair()).go(0.03, energy=0.1, length=1e-3) and run.ledger()
    scale = ledger["kinetic"][0]
    for name in ("friction", "released", "damping", "viscous"):
        assert np.diff(ledger[name]).max() <= 1e-9 * scale


def pushed_plate(force, modulus=1e7, lever=1e-3):
    """A plate of 1 N on a plane, pushed at a height [m] over it and let go: its run and the stretch of its springs [m]."""
    shear, edge, mass = 0.5 * modulus, 0.05, 1.0 / 9.81
    stiffer = math.sqrt(modulus / 1e7)  # the same share of critical damping
    law = foundation_law(
        modulus, shear=shear, friction=0.25, friction_at_rest=0.3, stick_speed=1e-3,
        damping=2e4 * stiffer, damping_depth=1e-6 / stiffer**2, shear_damping=1e4 * stiffer,
    )  # fmt: skip
    start = Mover(
        mass, mass * edge**2 / 12 * np.diag([1, 1, 2]), (0, 0, lever - 1 / (modulus * edge**2))
    )
    run = PairRun(
        PolygonPair(half_space(), plate([edge, edge, 2e-3], 2, 1e-3 - lever), law), Mover(), start,
        gravity=(0, 0, -9.81), push_times=[0, 0.5, 1, 1.5],
        pushes=[[0, 0, 0], [force, 0, 0], [force, 0, 0], [0, 0, 0]], tolerance=1e-6,
    )  # fmt: skip
    run.go(2.0, energy=1e-6, length=1e-5)
    return run, force / (shear * edge**2)


def test_a_pushed_plate_holds_and_comes_back():
    run, stretch = pushed_plate(0.27)
    x = run.log[:, L_STATE + 13]
    assert_close(x.max(), stretch, rtol=0.01)
    assert abs(x[-1]) < 2e-3 * stretch


def test_a_plate_pushed_in_the_plane_of_contact_holds_up_to_its_friction():
    """Its sides, sunk by the depth, press half as hard and slip: what is left falls with the depth."""
    left = []
    for modulus in (1e7, 1e8):
        run, stretch = pushed_plate(0.299, modulus, lever=0.0)
        x = run.log[:, L_STATE + 13]
        assert_close(x.max(), stretch, rtol=0.01)
        left.append(abs(x[-1]) / stretch)
    assert left[0] < 2e-3
    assert left[1] < 0.2 * left[0]


def test_a_plate_pushed_beyond_friction_slides_under_the_sliding_coefficient():
    run, _ = pushed_plate(0.31)
    row = np.searchsorted(run.log[:, 0], 0.9)
    assert_close(-run.log[row, L_FORCE], 0.25, rtol=1e-3)
    assert run.log[-1, L_STATE + 13] > 0.05


def test_sliding_over_a_sharp_edge_keeps_energy():
    drifts = []
    for tolerance in (1e-6, 1e-8):
        law = foundation_law(1e8)
        start = Mover(1.0, 1e-3 * np.eye(3), (0.1, 0, 0.1 - 1e-3), velocity=(1.0, 0, 0))
        run = PairRun(
            PolygonPair(box([0.4, 0.4, 0.1]), octahedron_faces(3, R, 3), law), Mover(), start,
            gravity=(0, 0, -math.pi * 1e8 * R * 1e-6), tolerance=tolerance,
        )  # fmt: skip
        run.go(0.15, energy=0.5, length=1e-3)
        ledger = run.ledger()
        energy = ledger["kinetic"] + ledger["elastic"] + ledger["potential"]
        drifts.append(np.abs(energy - energy[0]).max() / ledger["kinetic"].max())
        assert run.log[-1, L_STATE + 15] < 0.085  # it went over the edge
    assert drifts[1] < 1e-4
    assert drifts[1] < 0.5 * drifts[0]


def around(refinement, tolerance, levels=3):
    """Relative net work of a closed path of a ball over the edge of a box."""
    pair = PolygonPair(
        box([0.1, 0.1, 0.1]), octahedron_faces(3, 0.03, levels), foundation_law(1e9), refinement
    )
    run = PairRun(pair, Mover(), Mover(1.0, position=(0.045, 0.0, 0.0802)), tolerance=tolerance)
    for velocity in ((0, 0, -1e-3), (1e-3, 5e-4, 0), (0, 0, 1e-3), (-1e-3, -5e-4, 0)):
        run.drive(velocity)
        run.go(1.0, energy=0.1, length=1e-3)
    return abs(run.log[-1, L_STATE + W_DRIVE]) / run.account[A_PEAK], run


def test_no_energy_from_a_closed_path():
    net, run = around(fixed(), 1e-11)
    assert net < 1e-6
    assert np.all(run.ledger()["remesh"] == 0.0)


def test_changing_leaves_cost_less_than_a_thousandth():
    net, run = around(adaptive(3e-3, 1e-6, 0.002), 1e-8, levels=4)
    assert net < 1e-3
    assert 0.0 < np.abs(run.ledger()["remesh"]).max() < 1e-3 * run.account[A_PEAK]


@pytest.mark.parametrize(("damping", "friction", "x"), [(0.0, 0.0, 0.0), (1e6, 0.3, 0.005)])
def test_a_spreading_crown_is_paid_by_its_drive(damping, friction, x):
    throat = [SectionLine((-0.02, 0.022), (-0.006, 0.0084)), SectionLine((-0.006, 0.0084), (0.006, 0.0084)),
              SectionLine((0.006, 0.0084), (0.02, 0.0164))]  # fmt: skip
    crown = section(torus_pieces(0.006, 0.002), second=torus_pieces(0.0068, 0.002))
    law = foundation_law(1e9, damping=damping, damping_depth=2e-5, shear=5e8, friction=friction)
    pair = PolygonPair(
        revolved(section(throat, "outside")),
        revolution_faces(crown, 2, chord_error=3e-5, around=24),
        law,
    )
    run = PairRun(
        pair,
        Mover(),
        Mover(1.0, position=(x, 0, 0)),
        spread=[[0] * 4, [0, 1, 0, 1]],
        tolerance=1e-7,
    )
    run.drive((0, 0, 0))
    run.go(1.0, energy=1e-2, length=1e-4)
    ledger = run.ledger()
    assert ledger["actuator"][-1] > 1e-3
    assert np.abs(ledger["remainder"]).max() < 1e-4 * ledger["actuator"][-1]


def test_a_spreading_wall_of_the_reference_is_paid_too():
    wall = section(torus_pieces(0.05, 0.01), second=torus_pieces(0.049, 0.011))
    pair = PolygonPair(revolved(wall), octahedron_faces(3, 0.0385, 3), foundation_law(1e9))
    run = PairRun(pair, Mover(), Mover(1.0), spread=[[0, 1, 0, 1], [0] * 4], tolerance=1e-8)
    run.drive((0, 0, 0))
    run.go(1.0, energy=1e-2, length=1e-4)
    ledger = run.ledger()
    assert ledger["elastic"][-1] > 1e-4
    assert np.abs(ledger["remainder"]).max() < 1e-5 * ledger["elastic"][-1]


def cycle_loss(refinement, levels, resets=False):
    """(force over its largest, loss) of one cycle of partial slip of a ball, half way to full slip."""
    law = foundation_law(3e9, shear=2e9, friction=0.3, stick_speed=1.0, resets=resets)
    pair = PolygonPair(half_space(), octahedron_faces(4, R, levels), law, refinement)
    run = PairRun(pair, Mover(), Mover(1.0, position=(0, 0, R - 2e-4)), tolerance=1e-5)
    u, v = 45e-6, 1e-3
    run.drive((v, 0, 0))
    run.go(u / v, longest=u / v / 10, energy=1e-4, length=u)
    shear, work = -run.log[-1, L_FORCE], run.log[-1, L_STATE + W_DRIVE]
    for way in (-1, 1):
        run.drive((way * v, 0, 0))
        run.go(2 * u / v, longest=u / v / 10, energy=1e-4, length=u)
    return shear / (0.3 * math.pi * 3e9 * R * 4e-8), run.log[-1, L_STATE + W_DRIVE] - work


def test_partial_slip_has_its_closed_form():
    force, loss = cycle_loss(fixed(), 5)
    assert_close(force, 0.75, rtol=1e-3)
    assert_close(loss, 8.48230e-5, rtol=0.01)


def test_partial_slip_on_changing_leaves():
    force, loss = cycle_loss(adaptive(0.02, 1e-6, 2e-4), 5)
    assert_close(force, 0.75, rtol=0.02)
    assert_close(loss, 8.48230e-5, rtol=0.05)


def test_stretches_that_are_let_go_lose_more_than_those_that_are_kept():
    assert cycle_loss(fixed(), 4, resets=True)[1] > 1.05 * cycle_loss(fixed(), 4)[1]


def two_bodies(**law):
    """(faces of a small ball on a capsule, faces of the capsule on the ball)."""
    given = foundation_law(3e8, **law)
    capsule, ball = section(capsule_pieces(0.05, 0.1)), section(ball_pieces(0.03))
    return (
        PolygonPair(revolved(capsule), octahedron_faces(3, 0.03, 3), given),
        PolygonPair(revolved(ball), revolution_faces(capsule, 2, chord_error=1e-4), given),
    )


def test_two_passes_of_a_run_are_the_mean_of_both_assignments():
    first, back = two_bodies()
    run = PairRun(first, Mover(), Mover(1.0, position=(0.01, 0.0, 0.0795)), back=back)
    run.drive((0.0, 0.0, -1e-3))
    run.go(0.3, energy=1e-3, length=1e-4)
    row = run.log[-1]
    mean = two_pass(first, back, row[L_STATE + 13 : L_STATE + 16], [1.0, 0.0, 0.0, 0.0])[0]
    np.testing.assert_allclose(row[L_FORCE : L_FORCE + 6], mean[:6], atol=1e-9 * abs(mean[2]))
    assert_close(row[L_ELASTIC], mean[ELASTIC], rtol=1e-10)
    one, other = (
        pair.sums(place)[0, FORCE + 2]
        for pair, place in ((first, [0.01, 0.0, 0.0792]), (back, [-0.01, 0.0, -0.0792]))
    )
    assert abs(one / other + 1.0) > 1e-4  # the assignments do differ
    assert np.abs(run.ledger()["remainder"]).max() < 1e-6 * row[L_ELASTIC]


def test_two_passes_do_not_care_which_body_comes_first():
    law = {
        "shear": 2e8,
        "friction": 0.3,
        "stick_speed": 1e-3,
        "damping": 1e5,
        "damping_depth": 2e-5,
    }
    first, back = two_bodies(**law)
    heavy = Mover(
        3.0, np.diag([5e-3, 1e-2, 1.5e-2]), (1, 2, 0.5), velocity=(0.1, 0, 0), rate=(1, 2, 3)
    )
    light = Mover(2.0, np.diag([2e-3, 1.5e-3, 1e-3]), (1.02, 2.0, 0.5805), velocity=(0.15, 0.1, -0.3),
                  rate=(10, -5, 3))  # fmt: skip
    ends = []
    for pair, other, a, b in ((first, back, heavy, light), (back, first, light, heavy)):
        run = PairRun(pair, a, b, back=other, tolerance=1e-9)
        before = run.y.copy()
        assert run.go(0.03, energy=0.1, length=1e-3) == TIME_OVER
        for k in (7, 10):
            total = before[k : k + 3] + before[k + 13 : k + 16]
            now = run.y[k : k + 3] + run.y[k + 13 : k + 16]
            assert np.abs(now - total).max() < 1e-12 * np.abs(total).max()
        ledger = run.ledger()
        assert np.abs(ledger["remainder"]).max() < 1e-6 * ledger["kinetic"][0]
        assert ledger["friction"][-1] < -1e-3
        ends.append(run.y)
    np.testing.assert_allclose(ends[0][20:23], ends[1][7:10], atol=1e-4)
    assert np.abs(ends[0][20:23] - before[7:10]).max() > 0.1


def test_too_deep_is_an_outcome():
    run = PairRun(
        PolygonPair(half_space(), octahedron_faces(2, R, 2), foundation_law(1e5)), Mover(),
        Mover(5.0, np.eye(3), (0, 0, R), velocity=(0, 0, -1)), max_depth=1e-3,
    )  # fmt: skip
    assert run.go(1.0, energy=1.0, length=1e-3) == SUNK


def test_scales_must_be_given():
    run = PairRun(
        PolygonPair(half_space(), octahedron_faces(1, R, 0), foundation_law(1e5)),
        Mover(),
        Mover(1.0),
    )
    assert len(run.y) == SIZE
    with pytest.raises(ConfigError, match="above 0"):
        run.go(1.0, energy=0.0, length=1.0)
