"""Landers that hop: closed forms of the take-off, ledger over many hops, what does not lift off."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest

import haptos
from haptos.core.errors import ConfigError
from haptos.core.outcome import Outcome
from haptos.core.rotations import rotation_matrices
from haptos.scenarios.lander.exports import HOPS, write_files
from haptos.scenarios.lander.hop_table import hop_table
from haptos.scenarios.lander.simulate import simulate_batch
from tests.close import assert_close
from tests.hop_cases import BRAKE, EASY, EDGE, LAWS, MASS, PULL, PULSE, hopper, reported

OWN = MASS * EDGE**2 / 6.0  # [kg m^2] of the cube about its centre, about an edge: 4 times that
IMPULSE = 0.015  # [N m s] of BRAKE and PULSE
DEVICES = pytest.mark.parametrize("hops", [BRAKE, PULSE], ids=["brake", "pulse"])
EACH_LAW = pytest.mark.parametrize("law", LAWS)


def take_off(result):
    """(velocity, rate about y) when the cube last left the ground in its hop."""
    found = reported(result, "take-off")
    return found["v_after_A"][-1], found["omega_after_B"][-1, 1]


@DEVICES
@EACH_LAW
def test_a_cube_takes_off_with_the_angular_momentum_of_the_device_about_its_edge(hops, law):
    """Forces at the edge have no moment about it: I w + m (EDGE/2) (v_x + v_z) = impulse - weight."""
    result = haptos.simulate(hopper(hops, law=law))
    v, w = take_off(result)
    time = reported(result, "take-off")["time"][-1] - reported(result, "pulse")["time"][0]
    about_edge = OWN * w + 0.5 * EDGE * MASS * (v[0] + v[2])
    assert_close(about_edge, IMPULSE - MASS * PULL * 0.5 * EDGE * time, rtol=2e-3)
    assert abs(v[1]) < 1e-6 * v[0]


@DEVICES
def test_a_cube_that_does_not_slip_hops_at_45_degrees(hops):
    """It turns about its edge until it leaves it: v = w EDGE/sqrt 2, across the line to the edge."""
    result = haptos.simulate(hopper(hops))
    v, w = take_off(result)
    assert_close(math.atan2(v[2], v[0]), math.pi / 4.0, rtol=1e-2)
    assert_close(w, IMPULSE / (4.0 * OWN), rtol=1e-2)
    assert_close(math.hypot(*v), IMPULSE / (4.0 * OWN) * EDGE / math.sqrt(2.0), rtol=1e-2)


def test_a_cube_on_slippery_ground_hops_steeper():
    slippery = {**LAWS["impulsive"], "friction": 0.2}
    v, _ = take_off(haptos.simulate(hopper(BRAKE, contact=slippery)))
    assert_close(v[0] / v[2], 0.2, rtol=2e-2)  # Coulomb: the impulse is at the edge of its cone


@DEVICES
@EACH_LAW
def test_the_device_works_as_much_as_the_books_say(hops, law):
    result = haptos.simulate(hopper(hops, law=law))
    v, w = take_off(result)
    energy = 0.5 * MASS * v @ v + 0.5 * OWN * w * w
    assert_close(
        -result.ledger.dissipated["actuator"], energy, rtol=0.02 if law == "impulsive" else 0.08
    )
    assert result.ledger.relative_remainder < 5e-7


@pytest.mark.parametrize("share", [0.9, 1.1])
def test_torque_lifts_a_cube_where_it_beats_its_weight(share):
    """Torque against m g EDGE/2, long enough to see it, too short to tip the cube over."""
    hops = {**PULSE, "torque_N_m": share * MASS * PULL * EDGE / 2.0, "duration_s": 3.0}
    result = haptos.simulate(
        hopper(hops, run={"output_interval_s": 0.0, "duration_s": 60.0, "max_steps": 200_000})
    )
    turned = 2.0 * np.abs(result.trajectory["quat_AB"].values[:, 2]).max()
    angle = 0.5 * (share - 1.0) * MASS * PULL * EDGE / 2.0 / (4.0 * OWN) * 3.0**2
    if share > 1.0:
        assert turned > 0.9 * angle
    else:
        assert turned < 1e-3
    assert result.ended is Outcome.SETTLED
    assert result.metrics["hop_count"] == 1


def test_a_hop_that_does_not_lift_off_has_no_take_off_and_goes_nowhere():
    weak = {**PULSE, "torque_N_m": 0.5 * MASS * PULL * EDGE / 2.0, "count": 3, "duration_s": 1.0}
    result = haptos.simulate(hopper(weak))
    assert result.ended is Outcome.SETTLED
    assert result.metrics["hop_count"] == 3
    assert result.metrics["hop_distance_mean_m"] < 1e-3
    assert len(hop_table(result.events)) == 3


def test_a_cube_spun_about_the_vertical_stays_down_and_comes_to_rest():
    """Torque about the normal of the ground throws nothing off; friction at the corners stops it."""
    upright = {**BRAKE, "axis": [0.0, 0.0, 1.0], "count": 2}
    result = haptos.simulate(hopper(upright, contact=EASY["impulsive"]))
    assert result.ended is Outcome.SETTLED
    assert result.metrics["hop_count"] == 2
    assert result.metrics["steps"] < 50_000
    assert result.metrics["hop_distance_mean_m"] < 2e-2
    assert result.ledger.relative_remainder < 5e-7


def five(law, **changes):
    hops = {**BRAKE, "count": 5, "toward_m": [1000.0, 0.0, 0.0]}
    hops.pop("axis")
    return haptos.simulate(hopper(hops, law=law, contact=EASY[law], **changes))


@EACH_LAW
def test_books_close_over_five_hops_on_the_flat(law):
    result = five(law)
    assert result.ended is Outcome.SETTLED
    assert result.metrics["hop_count"] == 5
    assert result.ledger.relative_remainder < 5e-7
    assert np.abs(result.ledger.remainder).max() < 5e-7 * result.ledger.scale
    rows = hop_table(result.events)
    assert_close(
        result.metrics["hop_distance_mean_m"],
        np.mean([row["distance_m"] for row in rows]),
        rtol=1e-12,
    )
    assert rows[-1]["rest_x_m"] == result.metrics["rest_x_m"] > 0.2
    waits = [b["pulse_time_s"] - a["rest_time_s"] for a, b in pairwise(rows)]
    hold = 0.0 if law == "impulsive" else 2.0
    assert min(waits) >= 7.0 + hold - 1e-9


def test_books_close_over_five_hops_on_a_small_body():
    result = haptos.simulate("lander-hopper")
    assert result.ended is Outcome.SETTLED
    assert result.metrics["hop_count"] == 5
    assert result.ledger.relative_remainder < 5e-7
    for row in hop_table(result.events):
        assert row["pulse_time_s"] < row["take_off_time_s"] < row["rest_time_s"]
        assert row["distance_m"] > 0.5
    assert "Hockman2017" in result.cites


def test_hops_are_written_beside_the_result(tmp_path):
    result = haptos.simulate(hopper({**BRAKE, "count": 2}, contact=EASY["impulsive"]))
    assert write_files(result, tmp_path) == [tmp_path / HOPS]
    head, *lines = (tmp_path / HOPS).read_text().splitlines()
    rows = hop_table(result.events)
    assert head.split(",") == list(rows[0])
    assert [[float(x) for x in line.split(",")] for line in lines] == [[*r.values()] for r in rows]
    assert write_files(haptos.simulate(hopper(None)), tmp_path) == []


def test_a_tumbling_body_turns_on_while_the_probe_waits():
    changes = {
        "surface": {"shape": "sphere", "radius_m": 100.0},
        "gravity": {"model": "point", "mu_m3_per_s2": 20.0},
        "spin": {
            "kind": "tumbling",
            "rate_rad_per_s": [1e-3, 0.0, 2e-3],
            "moment_ratios": [1.0, 1.5, 2.0],
        },
        "release": {"position_m": [0.0, 0.0, 100.1]},
    }
    result = haptos.simulate(hopper({**BRAKE, "wait_s": 200.0}, **changes))
    assert result.ended is Outcome.SETTLED
    assert result.metrics["hop_count"] == 1
    assert result.ledger.relative_remainder < 5e-7
    rest = result.trajectory["omega_AN_A"].values[:90]
    assert np.all(np.abs(np.diff(rest[:, 1])) > 0.0)


def test_the_wheel_of_a_motor_runs_on_in_flight_and_the_total_is_kept():
    result = haptos.simulate(
        hopper(PULSE, run={"output_interval_s": 0.0, "duration_s": 3000.0, "max_steps": 200_000})
    )
    path = result.trajectory
    start = reported(result, "take-off")["time"][-1]
    ends = reported(result, "impact")["time"]
    rows = (path["time"].values > start) & (path["time"].values < ends[ends > start][0])
    assert rows.sum() > 3
    wheel = path["wheel_momentum_B"].values[rows]
    assert_close(wheel, np.tile([0.0, -IMPULSE, 0.0], (len(wheel), 1)), rtol=1e-12)
    hull = OWN * path["omega_BA_B"].values[rows]
    total = np.einsum("nij,nj->ni", rotation_matrices(path["quat_AB"].values[rows]), hull + wheel)
    assert_close(total, np.tile(total[0], (len(total), 1)), rtol=1e-8)


def test_no_hops_are_the_run_without_the_table():
    with_table = simulate_batch([hopper({**BRAKE, "count": 0})], workers=1)[0]
    assert repr(with_table) == repr(simulate_batch([hopper(None)], workers=1)[0])
    assert with_table["hop_count"] == 0
    assert math.isnan(with_table["hop_distance_mean_m"])


def test_time_that_runs_out_before_the_last_hop_is_not_rest():
    result = haptos.simulate(hopper({**BRAKE, "wait_s": 1e4}))
    assert result.ended is not Outcome.SETTLED
    assert result.metrics["hop_count"] == 0
    assert_close(result.metrics["end_time_s"], 3000.0, rtol=1e-15)


@pytest.mark.parametrize(
    "spoiled",
    [
        {"axis": [0.0, 0.0, 0.0]},
        {"toward_m": [1.0, 0.0, 0.0]},
        {"axis": None},
        {"count": -1},
        {"count": 2.5},
        {"count": 100_000},
        {"wait_s": -1.0},
        {"duration_s": 0.0},
        {"torque_N_m": 0.0},
        {"torque_N_m": math.nan},
        {"device": "catapult"},
        {"wheel_speed_rad_per_s": 3.0},
    ],
)
def test_bad_hops_are_refused(spoiled):
    with pytest.raises(ConfigError):
        hopper({key: value for key, value in {**PULSE, **spoiled}.items() if value is not None})


def test_hops_need_contact_motion():
    with pytest.raises(ConfigError, match="contact_motion"):
        hopper(BRAKE, contact={**LAWS["impulsive"], "contact_motion": False})
