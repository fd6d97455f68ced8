"""Joined bodies: conservation, ledger, commands, drives, output, refusals."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from haptos.contact.sets.polygons_pair import foundation_law
from haptos.core.errors import ConfigError
from haptos.dynamics.flexible.appendages import ClampedMode, beam_modes
from haptos.dynamics.joined.parts import (
    BodyFrame,
    JoinedBody,
    JoinedBoom,
    JoinedContact,
    Light,
    OrbitalGravity,
    Plume,
    SafetySpring,
    Slide,
    Wheel,
    Wing,
)
from haptos.dynamics.joined.plant import Plant, PlantEnd, Scales
from haptos.dynamics.rigid.thrusters import Thruster
from haptos.environment.orbit_frames import KeplerElements
from haptos.geometry.distance.reference import half_space
from haptos.geometry.distance.revolution import torus_pieces
from haptos.geometry.distance.section_build import section
from haptos.geometry.mesh.curved_faces_build import octahedron_faces, revolution_faces
from tests.close import assert_close
from tests.joined_cases import boom_between, planar_pair

K = 1e9
BALL = octahedron_faces(3, 0.05, 1)
LAW = foundation_law(
    K, damping=1e5, damping_depth=2e-5, shear=0.4 * K, shear_damping=1e4, friction=0.25, friction_at_rest=0.3,
)  # fmt: skip


def wings(angle: float = 0.0, rate: float = 0.0) -> tuple[Wing, ...]:
    modes = beam_modes(6.0, 2.0, 0.5, out_of_plane=0.8, in_plane=2.0, torsion=3.0)
    return tuple(
        Wing((0.0, side * 0.5, 0.0), (0.0, side, 0.0), (0.0, 0.0, 1.0), 6.0, 2.0, 0.5, modes, angle, rate)
        for side in (1.0, -1.0)
    )  # fmt: skip


def crowd(law=LAW, **more: object) -> Plant:
    """A winged body with a wheel, a tool on a boom that grazes a third body, in orbit."""
    a = JoinedBody("a", 100.0, np.diag([10.0, 12.0, 14.0]), rate=(0.0, 0.0, 1e-3), wings=wings())
    tool = JoinedBody("tool", 8.0, np.diag([0.05, 0.05, 0.05]), (1.5, 0.0, 0.0))
    c = JoinedBody(
        "c", 150.0, np.diag([20.0, 30.0, 40.0]), (2.56, 0.0, 0.0), velocity=(-0.05, 0.02, 0.0),
        rate=(0.01, 0.02, 0.0), wings=wings(0.3), wheels=(Wheel((0.0, 1.0, 0.0), 5.0),),
    )  # fmt: skip
    boom = JoinedBoom(
        "boom", BodyFrame("a", (0.5, 0.0, 0.0)), BodyFrame("tool"), 1.0, 400.0, 300.0, 1.5e6, 0.2, 2.0,
        root_turn_stiffness=4000.0, drive_stiffness=4e5, damping_time=2e-3, spring=SafetySpring(20.0, 9e3, 0.02),
    )  # fmt: skip
    touch = JoinedContact("touch", half_space((-1.0, 0.0, 0.0)), BodyFrame("c", (-1.0, 0.0, 0.0)), BALL, BodyFrame("tool"), law)  # fmt: skip
    far = JoinedContact(
        "far",
        half_space((-1.0, 0.0, 0.0)),
        BodyFrame("c", (-1.0, 0.0, 0.0)),
        BALL,
        BodyFrame("a"),
        law,
    )
    orbit = OrbitalGravity(KeplerElements(42164.17e3))
    return Plant(
        [a, tool, c], [boom], [touch, far], orbit=orbit, scales=Scales(0.1, 0.1, 0.1), **more
    )  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def grazed() -> Plant:
    plant = crowd()
    plant.set_boom_speed("boom", -0.01, 350.0, 0.05)
    assert plant.advance(1.0) is PlantEnd.REACHED
    return plant


def test_momentum_of_all_changes_by_outer_impulses_alone(grazed):
    linear, angular = grazed.momentum_error()
    assert linear < 1e-12 * 7.5
    assert angular < 1e-12 * 20.0
    assert np.linalg.norm(grazed.momentum()[2]) > 0.0


def test_ledger_closes_with_friction_booms_wings_and_drives(grazed):
    ledger = grazed.ledger()
    assert grazed.extremes()["touch"]["force"] > 10.0
    assert min(ledger["friction:touch"], ledger["damping:touch"], ledger["boom_damping"]) > 1e-6
    assert ledger["mode_damping"] > 0.0
    assert abs(ledger["remainder"]) < 1e-5 * (grazed.peak_energy("touch") + ledger["kinetic"])


def test_what_is_far_is_searched_once(grazed):
    counts = grazed.counts()
    assert counts["polygons:touch"] > 0
    assert counts["searches:far"] == 0


def test_motion_has_the_same_bits_whatever_is_stored(grazed):
    plant = crowd(output_times=np.linspace(0.0, 1.0, 137))
    plant.set_boom_speed("boom", -0.01, 350.0, 0.05)
    plant.advance(1.0)
    assert plant.march.y.tobytes() == grazed.march.y.tobytes()
    rows = plant.rows()
    assert len(rows["time"]) == 137
    assert_close(rows["tool.position"][-1], plant.body("tool").position, rtol=1e-9)
    assert rows["touch.depth"].max() <= plant.extremes()["touch"]["depth"]
    assert_close(rows["boom.length"][-1], plant.boom("boom").length, rtol=1e-12)


def test_a_spoiled_law_shows_in_the_ledger():
    plant = crowd()
    plant.set_boom_speed("boom", -0.01, 350.0, 0.05)
    plant.advance(0.3)
    plant.model.booms.law[0, 0] *= 1.01  # the boom stiffens without work
    plant.advance(0.6)
    ledger = plant.ledger()
    assert abs(ledger["remainder"]) > 1e-5 * (plant.peak_energy("touch") + ledger["kinetic"])


def test_a_wheel_gives_its_momentum_to_the_hull():
    wheel = Wheel((0.0, 0.0, 1.0), torque_limit=0.2, lag=0.1)
    body = JoinedBody("a", 100.0, np.diag([10.0, 12.0, 14.0]), wheels=(wheel,))
    plant = Plant([body])
    plant.set_wheel_torques("a", [0.5])
    plant.advance(10.0)
    given = 0.2 * (10.0 - 0.1 * (1.0 - math.exp(-100.0)))
    assert_close(plant.body("a").rate_body[2], given / 14.0, rtol=1e-7)
    assert_close(plant.wheels("a")[0], -given, rtol=1e-7)
    assert abs(plant.body("a").angular_momentum[2]) < 1e-12
    assert_close(plant.ledger()["wheels"], 0.5 * given**2 / 14.0, rtol=1e-7)


def thrusting(seed: int, noise: float = 0.0) -> Plant:
    jet = Thruster((0.0, 0.9, 0.0), (0.0, 0.0, 1.0), 1.0, delay=0.01, rise=0.004, noise=noise)
    plant = Plant(
        [JoinedBody("a", 100.0, np.diag([600.0, 600.0, 600.0]), thrusters=(jet,))], seed=seed
    )
    plant.fire("a", [0.05])
    plant.advance(0.5)
    return plant


def test_a_pulse_gives_its_impulse_and_costs_propellant():
    plant = thrusting(1)
    burnt = 0.05 / (200.0 * 9.80665)
    assert_close(
        plant.body("a").velocity[2], -200.0 * 9.80665 * math.log1p(-burnt / 100.0), rtol=1e-9
    )
    assert_close(plant.body("a").rate_body[0], 0.05 * 0.9 / 600.0, rtol=1e-6)
    assert_close(plant.propellant("a"), burnt, rtol=1e-9)
    assert plant.momentum_error()[0] < 1e-15
    assert abs(plant.ledger()["remainder"]) < 1e-9 * plant.ledger()["thrusters"]


def test_noise_of_pulses_belongs_to_the_seed():
    speeds = [thrusting(seed, 0.03).body("a").velocity[2] for seed in (1, 1, 2)]
    assert speeds[0] == speeds[1] != speeds[2]
    assert abs(speeds[0] / 5e-4 - 1.0) < 0.15


def test_a_pulse_too_short_is_refused():
    with pytest.raises(ConfigError):
        thrusting(1).fire("a", [0.001])


def pressing() -> Plant:
    """A ring on a slide of one heavy body, drawn back against a plane of another."""
    ring = section(torus_pieces(0.02, 0.005), second=torus_pieces(0.03, 0.005))
    faces = revolution_faces(ring, 0, chord_error=2e-5, around=24)
    law = foundation_law(1e9, damping=1e5, damping_depth=2e-5)
    heavy = np.diag([1e10, 1e10, 1e10])
    a, b = JoinedBody("a", 1e10, heavy), JoinedBody("b", 1e10, heavy)
    slide = Slide("ring", BodyFrame("a", (0.006, 0.0, 0.0)), longest=0.05, growth=0.01)
    wall = JoinedContact("wall", half_space((1.0, 0.0, 0.0)), BodyFrame("b"), faces, BodyFrame("a", (0.006, 0.0, 0.0)), law, slide="ring")  # fmt: skip
    return Plant([a, b], contacts=[wall], slides=[slide], scales=Scales(0.01, 0.1, 0.01))


def test_a_slide_stalls_and_then_holds_its_load():
    plant = pressing()
    plant.set_spread_rate("ring", 1.0)
    plant.advance(1.2)
    assert plant.slide("ring").spread == pytest.approx(1.0, abs=1e-5)
    plant.set_stroke_speed("ring", 0.002, 100.0)
    plant.advance(4.0)
    state = plant.slide("ring")
    assert_close(state.stroke_force, 100.0, rtol=1e-3)
    assert_close(plant.contact("wall").force[0], 100.0, rtol=1e-3)
    plant.set_stroke_speed("ring", 0.0)
    plant.set_spread_rate("ring", 0.0)
    stroke = plant.slide("ring").stroke
    plant.advance(4.5)
    assert plant.slide("ring").stroke == stroke
    ledger = plant.ledger()
    assert ledger["stroke_drive"] > 0.0
    scale = plant.peak_energy("wall") + abs(ledger["stroke_drive"]) + abs(ledger["spread_drive"])
    assert abs(ledger["remainder"]) < 1e-5 * scale


def test_a_ring_that_spreads_while_it_presses_closes_its_ledger():
    plant = pressing()
    plant.set_stroke_speed("ring", 0.002, 100.0)
    plant.advance(1.5)
    plant.set_spread_rate("ring", 0.5)
    plant.advance(2.5)
    ledger = plant.ledger()
    assert abs(ledger["spread_drive"]) > 1e-6
    scale = plant.peak_energy("wall") + abs(ledger["stroke_drive"]) + abs(ledger["spread_drive"])
    assert abs(ledger["remainder"]) < 1e-4 * scale


def test_a_turning_wing_keeps_momentum_and_its_drive_pays():
    body = JoinedBody(
        "a", 100.0, np.diag([10.0, 12.0, 14.0]), rate=(0.05, 0.02, -0.03), wings=wings(0.2)
    )
    plant = Plant([body], scales=Scales(0.1, 0.1, 0.01))
    plant.advance(1.0)
    plant.set_wing_rate("a", 0, 0.1)
    plant.advance(6.0)
    plant.set_wing_rate("a", 0, 0.0)
    plant.advance(7.0)
    ledger = plant.ledger()
    assert plant.momentum_error()[1] < 1e-12
    assert abs(ledger["wing_drives"]) > 1e-5
    assert abs(ledger["remainder"]) < 1e-6 * ledger["kinetic"]


def test_the_pair_hangs_on_the_boom_as_computed():
    boom = planar_pair(1.05, 0.01, math.radians(1.0)).boom("boom")
    assert_close(boom.energy, 52.9796e-3, rtol=1e-6)
    assert_close(abs(boom.moment_tip[2]), 5.99519, rtol=1e-6)
    spoiled = boom_between(1.05)
    spoiled = replace(spoiled, bending=404.0)
    with pytest.raises(AssertionError):
        assert_close(planar_pair(1.05, 0.01, math.radians(1.0), boom=spoiled).boom("boom").energy, 52.9796e-3, rtol=1e-6)  # fmt: skip


def test_light_pushes_unless_the_earth_is_in_its_way():
    faces = Light([[1.0, 0.0, 0.0]], [[0.0, 0.5, 0.0]], [2.0], [1.2])
    body = JoinedBody("a", 100.0, np.diag([10.0, 12.0, 14.0]), light=faces)
    lit = Plant(
        [body], orbit=OrbitalGravity(KeplerElements(42164.17e3), sun=(1.0, 0.0, 0.0)), longest=1.0
    )
    dark = Plant([replace(body, quaternion=(0.0, 0.0, 0.0, 1.0))], orbit=OrbitalGravity(KeplerElements(42164.17e3), sun=(-1.0, 0.0, 0.0)), longest=1.0)  # fmt: skip
    lit.advance(10.0)
    dark.advance(10.0)
    push = 1358.0 / 299_792_458.0 * 2.0 * 1.2
    assert_close(lit.body("a").momentum[0], -10.0 * push, rtol=1e-3)
    assert_close(lit.body("a").angular_momentum[2], 10.0 * 0.5 * push, rtol=1e-2)
    assert abs(dark.body("a").momentum[0]) < 1e-3 * 10.0 * push


def test_gravity_turns_a_long_body_by_its_gradient():
    # 3/2 n^2 dI at 45 deg to the vertical, dI = 2000 kg m^2: 1.6e-5 N m in the geostationary orbit
    half = math.radians(45.0) / 2.0
    body = JoinedBody("a", 1800.0, np.diag([1000.0, 3000.0, 3000.0]), quaternion=(math.cos(half), 0.0, 0.0, math.sin(half)))  # fmt: skip
    turns = {}
    for is_on in (True, False):
        orbit = OrbitalGravity(KeplerElements(42164.17e3), gravity_gradient=is_on)
        plant = Plant([body], orbit=orbit, longest=1.0)
        plant.advance(10.0)
        turns[is_on] = plant.body("a").angular_momentum[2]
    assert_close(abs(turns[True]) / 10.0, 1.5 * 7.29212e-5**2 * 2000.0, rtol=2e-3)
    assert abs(turns[False]) < 1e-3 * abs(turns[True])


def test_a_momentum_wheel_resists_a_tilt():
    # 50 N m s along y, tilted at 0.05 deg/s about x: 0.044 N m about z
    rate = math.radians(0.05)
    body = JoinedBody("a", 1800.0, np.diag([1e4, 1e4, 1e4]), rate=(rate, 0.0, 0.0), wheels=(Wheel((0.0, 1.0, 0.0), 50.0),))  # fmt: skip
    plant = Plant([body])
    plant.advance(0.5)
    assert_close(1e4 * plant.body("a").rate_body[2] / 0.5, -50.0 * rate, rtol=1e-2)
    assert_close(50.0 * rate, 0.044, rtol=1e-2)
    assert plant.momentum_error()[1] < 1e-12


def test_a_plume_pushes_what_is_in_its_way():
    jet = Thruster((1.0, 0.0, 0.0), (-1.0, 0.0, 0.0), 1.0)
    a = JoinedBody("a", 100.0, np.diag([10.0, 10.0, 10.0]), thrusters=(jet,))
    b = JoinedBody("b", 100.0, np.diag([10.0, 10.0, 10.0]), (6.0, 0.0, 0.0))
    pushed = Plant([a, b], plumes=[Plume("a", "b", radius=0.5, exponent=10.0)])
    alone = Plant([a, b])
    for plant in (pushed, alone):
        plant.fire("a", [0.5])
        plant.advance(1.0)
    share = 11.0 / (2.0 * 25.0) * 0.25  # (n + 1)/(2 r^2) R^2 of the thrust
    assert_close(pushed.body("b").momentum[0], 0.5 * share, rtol=1e-3)
    assert alone.body("b").momentum[0] == 0.0
    assert pushed.momentum_error()[0] < 1e-15


def test_a_place_seen_from_another_moves_as_its_velocity_says(grazed):
    # Differences of poses over a short time against the velocities read, in turning axes.
    first, second = (
        BodyFrame("a", (0.5, 0.1, 0.0), (0.8, 0.6, 0.0, 0.0)),
        BodyFrame("c", (-1.0, 0.2, 0.3)),
    )
    plant = crowd()
    plant.advance(0.2)
    r0, q0, v, omega = plant.relative(first, second)
    x0, turn0 = plant.pose(second)
    speed, _ = plant.velocity(second)
    step = 1e-4
    plant.advance(0.2 + step)
    r1, q1, v1, _ = plant.relative(first, second)
    assert_close((r1 - r0) / step, 0.5 * (v + v1), rtol=1e-5)
    assert_close((plant.pose(second)[0] - x0) / step, speed, rtol=1e-3)
    turned = 2.0 * (q1 - q0) / step  # q' = 1/2 (0, omega) q in axes of the first
    expected = np.array([
        -omega @ q0[1:],
        *(q0[0] * omega + np.cross(omega, q0[1:])),
    ])  # fmt: skip
    assert_close(turned, expected, rtol=1e-3)
    assert_close(np.linalg.norm(turn0), 1.0, rtol=1e-12)


def test_sectors_share_the_load_of_a_contact(grazed):
    plant = pressing()
    plant.set_stroke_speed("ring", 0.002, 50.0)
    plant.advance(2.0)
    shares = plant.sector_loads("wall", 3, 0.1)
    assert_close(shares.sum(), plant.contact("wall").force[0], rtol=1e-2)
    assert_close(shares, np.full(3, shares.sum() / 3.0), rtol=1e-9)
    assert plant.pressure_map("wall").patches == 1


def test_a_contact_beyond_its_law_ends_the_march():
    plant = crowd(foundation_law(1e4))
    assert plant.advance(2.0) is PlantEnd.DEPTH
    assert plant.ended_by == "touch"


@pytest.mark.parametrize(
    "spoil",
    [
        {"mass": -1.0},
        {"inertia": np.diag([1.0, 1.0, 3.0])},
        {"position": (math.nan, 0.0, 0.0)},
        {"quaternion": (0.0, 0.0, 0.0, 0.0)},
    ],
)
def test_bodies_that_cannot_be_are_refused(spoil):
    with pytest.raises(ConfigError):
        Plant([replace(JoinedBody("a", 1.0, np.eye(3)), **spoil)])


@pytest.mark.parametrize(
    "spoil",
    [
        {"wheels": (Wheel((0.0, 0.0, 0.0)),)},
        {"wheels": (Wheel((0.0, 0.0, 1.0), momentum_limit=-1.0),)},
        {"thrusters": (Thruster((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), -1.0),)},
        {"thrusters": (Thruster((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), 1.0, rise=math.nan),)},
        {"wings": (replace(wings()[0], normal=(0.0, 2.0, 0.0)),)},
        {"wings": (replace(wings()[0], width=0.0),)},
        {"wings": (replace(wings()[0], modes=(ClampedMode(0.0, 0.0, np.zeros(6)),)),)},
    ],
)
def test_wheels_wings_and_thrusters_that_cannot_be_are_refused(spoil):
    with pytest.raises(ConfigError):
        Plant([replace(JoinedBody("a", 1.0, np.eye(3)), **spoil)])


@pytest.mark.parametrize(
    "spoil",
    [
        {"bending": math.nan}, {"root_turn_stiffness": -1.0}, {"damping_time": -1.0}, {"tip": BodyFrame("a")},
        {"spring": SafetySpring(20.0, 0.0, 0.02)}, {"root": BodyFrame("a", (math.inf, 0.0, 0.0))},
    ],
)  # fmt: skip
def test_booms_that_cannot_be_are_refused(spoil):
    a, b = JoinedBody("a", 1.0, np.eye(3)), JoinedBody("b", 1.0, np.eye(3))
    with pytest.raises(ConfigError):
        Plant([a, b], [replace(boom_between(1.0), **spoil)])


def test_slides_contacts_and_commands_that_cannot_be_are_refused():
    plant = pressing()
    bodies, wall, slide = plant.bodies, plant.contacts[0], plant.slides[0]
    for slides, contact in (
        (replace(slide, growth=0.0), wall), (replace(slide, spread=2.0), wall),
        (slide, replace(wall, slide="none")), (slide, replace(wall, faces_place=BodyFrame("b"))),
        (slide, replace(wall, max_depth=-1.0)),
    ):  # fmt: skip
        with pytest.raises(ConfigError):
            Plant(bodies, contacts=[contact], slides=[slides])
    for command in (
        lambda: plant.advance(math.nan),
        lambda: plant.set_stroke_speed("ring", math.nan),
        lambda: plant.set_spread_rate("ring", 1.0, 0.0),
        lambda: plant.set_boom_speed("boom", 1.0),
        lambda: plant.set_wing_rate("a", 0, math.nan),
    ):
        with pytest.raises(ConfigError):
            command()


def test_names_that_nobody_has_are_refused():
    a = JoinedBody("a", 1.0, np.eye(3))
    with pytest.raises(ConfigError):
        Plant([a, a])
    with pytest.raises(ConfigError):
        Plant([a], [boom_between(1.0)])
    with pytest.raises(ConfigError):
        Plant([a]).body("b")
    with pytest.raises(ConfigError):
        Plant([a, JoinedBody("b", 1.0, np.eye(3))], [replace(boom_between(1.0), length=2.0)])
