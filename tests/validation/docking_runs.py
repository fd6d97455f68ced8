"""Rows D17 to D20 of docs/validation/docking.md: loops, sensors, the whole sequence, failures.

python -m tests.validation.docking_runs          prints the table; with names (d17 d19) only those
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator

import numpy as np

import haptos
from haptos.dynamics.control.attitude_loop import AttitudeLoop, wheel_torques
from haptos.dynamics.control.modes import LoopMode
from haptos.dynamics.joined.parts import JoinedBody, Wheel
from haptos.dynamics.joined.plant import Plant
from haptos.dynamics.sensing.quantised import Quantised
from haptos.dynamics.sensing.sensor import Chain, Sensor
from haptos.dynamics.sensing.streams import Stream
from haptos.scenarios.docking.model import build
from haptos.scenarios.docking.sensors import rotation_vector
from haptos.scenarios.files import default
from tests.validation.contact import Row

SAMPLES = 100_000
FAILURES = {
    "docking-missed": "missed", "docking-rebounded": "rebounded", "docking-wedged": "wedged",
    "docking-over-force": "over-force", "docking-sensor-lost": "sensor lost", "docking-control-lost": "control lost",
    "docking-released": "released", "docking-timed-out": "timed out",
}  # fmt: skip


def linear_poles() -> tuple[complex, np.ndarray]:
    """(pole of the attitude loop, all poles) of the chaser about z: rigid turn coupled with its wings' modes."""
    model = build(default("docking"))
    plant = Plant((_chaser(),))
    coupling = np.array(plant.model.appendages.coupling)[:, 5]
    omega, zeta = np.array(plant.model.appendages.omega), np.array(plant.model.appendages.zeta)
    inertia = float(np.array(plant.model.appendages.rigid)[0, 5, 5])
    n = len(omega)
    mass = np.eye(n + 1)
    mass[0, 0], mass[0, 1:], mass[1:, 0] = inertia, coupling, coupling
    spring, damper = AttitudeLoop(model.inertia, 0.1, 0.7).gains(LoopMode.ACTIVE)
    k = np.diag([spring[2, 2], *(omega**2)])
    d = np.diag([damper[2, 2], *(2.0 * zeta * omega)])
    inverse = np.linalg.inv(mass)
    whole = np.block([[np.zeros((n + 1, n + 1)), np.eye(n + 1)], [-inverse @ k, -inverse @ d]])
    poles = np.linalg.eigvals(whole)
    slow = min((p for p in poles if p.imag > 0.0), key=abs)
    return complex(slow), poles


def _chaser(angle: float = 0.0) -> JoinedBody:
    made = build(default("docking")).bodies[0]
    q = (math.cos(0.5 * angle), 0.0, 0.0, math.sin(0.5 * angle))
    wheels = tuple(Wheel(w.axis, 0.0, w.torque_limit, w.momentum_limit) for w in made.wheels)
    return JoinedBody(
        made.name, made.mass, made.inertia, (0, 0, 0), q, wings=made.wings, wheels=wheels
    )


def attitude_step(seconds: float = 150.0) -> tuple[np.ndarray, np.ndarray]:
    """(angle over time [rad], size of the modes over time) after a step of 1 deg about z."""
    model = build(default("docking"))
    plant = Plant((_chaser(math.radians(1.0)),))
    loop = AttitudeLoop(model.inertia, 0.1, 0.7)
    angles, sizes = [], []
    for k in range(round(seconds / 0.1)):
        state = plant.body("chaser")
        error = rotation_vector(state.quaternion)
        angles.append(error[2])
        sizes.append(float(np.linalg.norm(plant.modes("chaser")[0])))
        stored = plant.wheels("chaser") @ model.wheel_axes
        torque = loop.torque(LoopMode.ACTIVE, error, state.rate_body, stored)
        plant.set_wheel_torques("chaser", wheel_torques(model.wheel_axes, torque, 0.2))
        plant.advance(0.1 * (k + 1))
    return np.array(angles), np.array(sizes)


def d17() -> Iterator[Row]:
    """Attitude step of 1 deg with wings."""
    slow, poles = linear_poles()
    yield Row("D17", "damping ratio of the slowest pole, linear", 0.7, -slow.real / abs(slow), 0.1)
    yield Row(
        "D17",
        "largest real part of all poles is below 0: 1 if so",
        1.0,
        float(poles.real.max() < 0.0),
        1e-12,
    )
    angles, sizes = attitude_step()
    overshoot = -angles.min() / angles[0]
    damping = -math.log(overshoot) / math.hypot(math.pi, math.log(overshoot))
    yield Row("D17", "damping ratio from the overshoot of 1 deg, wings on", 0.7, damping, 0.1)
    late, early = sizes[-300:].max(), sizes[:300].max()
    yield Row(
        "D17", "modes of the wings: last 30 s over first 30 s, below 1", 0.0, late / early, 1.0
    )


def d18(count: int = SAMPLES) -> Iterator[Row]:
    """Mean, deviation, delay and losses of a sensor; bounds are three deviations of the estimate."""
    sigma, bias, p, burst = 3e-3, 2e-3, 0.01, 3
    one = Sensor(
        "range", Chain(0.5, 0.3, p, burst), Stream.named(5, "range"), Quantised(sigma, 0.0, bias)
    )
    values = np.array([one.sample([1.0]).values[0] for _ in range(count)])
    seen = values[np.isfinite(values)]
    n = len(seen)
    yield Row(
        "D18", "mean of the samples [m]", 1.0 + bias, float(seen.mean()), 3.0 * sigma / math.sqrt(n)
    )
    yield Row("D18", "their deviation [m]", sigma, float(seen.std()), 3.0 / math.sqrt(2.0 * n))
    yield Row("D18", "share lost", p, 1.0 - n / count, 3.0 * math.sqrt(burst / (p * count)))
    yield Row("D18", "delay [s]", 0.3, one.log[7].arrives - one.log[7].time, 1e-9)


def d19() -> Iterator[Row]:
    """The whole sequence, with the lock held rigid and with its pairs."""
    rigid = haptos.simulate("docking-rigid")
    yield from _rigid(rigid)
    moment = np.linalg.norm(rigid.trajectory["boom_root_moment"].values, axis=1)
    for after, planar in ((100.0, 6.8), (150.0, 6.4)):
        near = np.abs(rigid.trajectory["time"].values + 50.0 - after) < 10.0
        print(
            f"rigid lock, moment about {after:.0f} s {moment[near].max():.2f} N m (planar model {planar})"
        )
    found = haptos.simulate(default("docking", {"run": {"output_interval_s": 0.02}}))
    yield from _whole(found)
    for line in levels(found):
        print(line, flush=True)


def levels(found: haptos.Result) -> Iterator[str]:
    """Levels of the time line, in words: nothing here has a bound."""
    motion, m = found.trajectory, found.metrics
    time = motion["time"].values
    moment = np.linalg.norm(motion["boom_root_moment"].values, axis=1)
    tension = motion["boom_tension"].values
    lateral = np.hypot(*motion["force_LC"].values[:, :2].T)
    throat = (time >= m["throat_s"]) & (time < m["lock_s"])
    above = float((lateral[throat] > 5.0).sum()) * 0.02
    smooth = np.convolve(lateral[throat], np.full(5, 0.2), "valid")
    yield f"side force in the throat {lateral[throat].max():.2f} N at rows of 20 ms, above 5 N for {above:.2f} s, as mean of 0.1 s {smooth.max():.2f} N"
    for after, rigid in ((55.0, 7.7), (100.0, 6.8), (150.0, 6.4), (200.0, 5.7)):
        near = np.abs(time - after) < 5.0
        yield f"moment about {after:.0f} s {moment[near].max():.2f} N m (rigid lock {rigid})"
    start = (time > m["retract_s"]) & (time < m["retract_s"] + 10.0)
    rest = (time > m["retract_s"] + 20.0) & (time < m["touchdown_s"] - 2.0)
    yield f"tension at the start of retraction {tension[start].max():+.1f}/{tension[start].min():+.1f} N, later at most {np.abs(tension[rest]).max():.2f} N"
    yield f"lateral force in retraction, after 20 s, at most {lateral[rest].max():.2f} N"
    late = time >= m["touchdown_s"]
    names = [f"bracket_{k}" for k in (1, 2, 3)]
    push = [np.linalg.norm(motion[f"force_{name}"].values, axis=1) for name in names]
    first = [float(time[np.argmax(p > 0.0)]) for p in push]
    yield f"first pads at {', '.join(f'{t:.2f}' for t in first)} s; brackets at most {', '.join(f'{p.max():.0f}' for p in push)} N"
    yield f"TOUCHDOWN {m['touchdown_s']:.2f}, TENSION {m['tension_s']:.2f}, DOCKED {m['docked_s']:.2f} s; lateral force from TOUCHDOWN on {lateral[late].max():.1f} N"
    yield f"moment at the end {moment[-50:].mean():.2f} N m; crown {m['final_crown_force_N']:.1f} N at the end; propellant {1e3 * m['propellant_kg']:.2f} g; steps {m['steps']:.0f}"
    depths = {name: m[f"depth_{name}_m"] for name in ("shoulder", "crown", "bolt", *names)}
    yield (
        "depths " + ", ".join(f"{name} {1e3 * value:.3f}" for name, value in depths.items()) + " mm"
    )
    for judged in found.ledger.judged:
        yield f"ledger of {judged.phase.name}: {judged.phase.remainder:.2g} J, share {judged.share:.2g}"
    yield "checks " + ", ".join(f"{check.name} {check.value:.2g}" for check in found.checks)


def _rigid(found: haptos.Result) -> Iterator[Row]:
    yield Row("D19 rigid", "docked: 1 if so", 1.0, float(found.ended.label == "docked"), 1e-12)
    yield Row(
        "D19 rigid",
        "force of the boom at the end [N]",
        200.0,
        found.metrics["final_tension_N"],
        0.1,
    )
    yield Row("D19 rigid", "ledger closes: 1 if so", 1.0, float(found.ledger.closes), 1e-12)


def _whole(found: haptos.Result) -> Iterator[Row]:
    m = found.metrics
    yield Row("D19", "docked: 1 if so", 1.0, float(found.ended.label == "docked"), 1e-12)
    yield Row("D19", "time of LOCK, 40 s on the time line [s]", 40.0, m["lock_s"], 0.15)
    yield Row("D19", "force of the crown when locked [N]", 100.0, m["lock_force_N"], 0.1)
    yield Row("D19", "time of TOUCHDOWN, 220 s on the time line [s]", 220.0, m["touchdown_s"], 0.1)
    yield Row("D19", "more at the crown at the end [N]", 200.0, m["final_tension_N"], 0.1)
    motion = found.trajectory
    before = motion["time"].values < m["lock_s"]
    side = float(np.hypot(*motion["force_LC"].values[before, :2].T).max())
    yield Row("D19", "side force before LOCK, below 5 N [N]", 0.0, side, 5.0)
    yield Row("D19", "deepest pair, at most 0.5 mm [m]", 0.0, m["largest_depth_m"], 5e-4)
    worst = found.ledger.worst.share
    yield Row("D19", "worst phase of the ledger", 0.0, worst, 1e-3)


def d20() -> Iterator[Row]:
    """Each failure ends with its outcome, trusted."""
    for name, label in FAILURES.items():
        found = haptos.simulate(name)
        yield Row(
            "D20",
            f"{name}: {found.ended.label} and trusted, 1 if so",
            1.0,
            float(found.outcome.label == label),
            1e-12,
        )


ALL = {"d17": d17, "d18": d18, "d19": d19, "d20": d20}


def main(names: list[str]) -> int:
    failed = 0
    print("| row | what | expected | found | error | bound | |\n|---|---|---|---|---|---|---|")
    for name in names or list(ALL):
        for row in ALL[name]():
            failed += not row.holds
            verdict = "holds" if row.holds else "**misses**"
            print(
                f"| {row.number} | {row.what} | {row.expected:.6g} | {row.found:.6g} | {row.error:.2e} | {row.bound:.2e} | {verdict} |"
            )
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]) > 0)
