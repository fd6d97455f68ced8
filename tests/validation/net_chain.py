"""Whole runs of the page on nets: breakage, shooting, closing, the chain without losses, the tow; numbers as dictionaries."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

import haptos as hp
from haptos.core.rotations import rotation_matrices
from haptos.dynamics.nets.opening_quality import predicted_speed, predicted_wrap_time
from haptos.dynamics.nets.tow_model import TowBody, tow, tow_system
from haptos.geometry.mesh.cuboids import cuboid_moments
from haptos.results.result import Result
from haptos.scenarios.net.config import Config
from haptos.scenarios.net.histories import closing_history
from haptos.scenarios.net.model import build, thread_of
from haptos.scenarios.net.simulate import run
from tests.validation.net_trials import DRAWN, FOLDED, merged

STRENGTH = 1.6e9  # [Pa]
CHASER, TARGET = 0, 1  # bodies
WRAPPED = predicted_wrap_time(
    2.0, 0.5, predicted_speed(0.5, 1.0, math.pi / 6.0)
)  # [s] after the touch
WOUND = 1.0  # [s] in which the preset winds its closing line
TOUCHING = 1e-3  # [m] of a knot's centre from the box, its radius is half of that
FAST = {"shot": {"speed_m_per_s": 2.0}, "burns": [], "run": {"duration_s": 5.0, "output_interval_s": 0.02}}  # fmt: skip
LOSSLESS = {
    "threads": {"damping_ratio": 0.0},
    "contact": {"alpha_s_per_m": 0.0, "friction": 0.0, "bullet_friction": 0.0},
}
Numbers = dict[str, Any]


def breakage(**bullets: Any) -> Numbers:
    """V12: bullets of 20 kg at 10 m/s and 80 deg tear a planar net of 2 m."""
    result = hp.simulate(hp.default("net-deployment", {
        "bullets": {"ratio": None, "mass_kg": 20.0, "link_length_m": 0.2, **bullets},
        "shot": {"angle_deg": 80.0, "speed_m_per_s": 10.0, "pressure_Pa": 1e8},
        "threads": {
            "material": "technora", "axial_stiffness_N": None, "fibre_share": 1.0,
            "breaking_stress_Pa": STRENGTH,
        },
        "run": {"duration_s": 0.4, "output_interval_s": 0.0005},
    }))  # fmt: skip
    elements, broken = result.tables["elements"], result.tables["broken"]
    kinds, is_whole = elements["kind"].values, elements["is_whole"].values
    of_bullets = kinds == "bullet"
    return {
        "bullet_links": int(of_bullets.sum()),
        "bullet_links_broken": int((of_bullets & (is_whole == 0)).sum()),
        "threads": int((~of_bullets).sum()),
        "threads_broken": int((~of_bullets & (is_whole == 0)).sum()),
        "stress": result.metrics["largest_stress_Pa"],
        "listed": sorted(int(element) for element in broken["element"].values),
        "end": float(result.trajectory["time"].values[-1]),
        "remainder": result.ledger.relative_remainder,
    }


def shooting() -> Numbers:
    """V13: four bullets of 0.3 kg by a gas generator, late by 0.5, 0.5, 0.7 and 0.9 s, from 50 kg in orbit."""
    delays = [0.5, 0.5, 0.7, 0.9]
    result = hp.simulate(hp.default("net-deployment", {
        "bullets": {"ratio": None, "mass_kg": 0.3, "radius_m": 0.02},
        "shot": {"delays_s": delays, "system": "generator"}, "chaser": {"mass_kg": 50.0},
        "environment": {"kind": "orbit"}, "run": {"duration_s": 0.92, "output_interval_s": 5e-4},
    }))  # fmt: skip
    times = result.trajectory["time"].values
    velocity = result.trajectory["v_BN_N"].values
    gained, bends = [], []
    for b, delay in enumerate(delays, start=1):
        rise = (times >= delay - 1e-9) & (times <= delay + 4e-3)
        change = np.linalg.norm(velocity[rise, b] - velocity[rise][0, b], axis=1)
        line = np.polyfit(times[rise], change, 1)
        bends.append(float(np.abs(change - np.polyval(line, times[rise])).max()))
        after = np.searchsorted(times, delay + 0.0175)
        gained.append(float(np.linalg.norm(velocity[after, b] - velocity[rise][0, b])))
    moving = result.trajectory["momentum_N"].values
    turning = result.trajectory["h_B_N"].values[:, CHASER]
    return {
        "gained": gained,
        "bend": max(bends),
        "recoil": float(-velocity[-1, CHASER, 0]),
        "formula": 4 * 0.3 * math.cos(math.pi / 6.0) / 50.0,
        "momentum": float(np.abs(moving - moving[0]).max()),
        "turned": float(np.linalg.norm(turning, axis=1).max()),
    }


def winding(**closing: Any) -> Numbers:
    """V14: closing by 99 % of the area in 1 s after the first touch, straight or in pieces between the mouth's knots.

    grown  gain of each bullet, which holds a winch, over the mass of a line of 2 m. Of ten pieces half of the first and the
    last belongs to bullets from the start: 0.81 of 0.9 is gained.
    """
    config = hp.default("net", merged(FAST, {"closing": closing}))
    model = build(config)
    weight = 1.0 / model.motion.bodies.inverse_mass[model.bullets]
    stored, _, _ = run(config, model, lambda share: None)
    length, tension = closing_history(model, stored)
    touched = float(model.motion.step.touched_at)
    density = thread_of(config, config.closing.diameter_m).linear_density
    grown = 1.0 / model.motion.bodies.inverse_mass[model.bullets] - weight
    after = (stored.time > touched) & (stored.time <= touched + 1.0)
    return {
        "lengths": [float(length[0]), float(length[-1])],
        "grown": [float(gain / (2.0 * density)) for gain in grown],
        "tension_before": float(tension[stored.time <= touched].max(initial=0.0)),
        "tension_peak": float(tension.max()),
        "peak_after": float(stored.time[int(np.argmax(tension))] - touched),
        "tension_mean": float(tension[after].mean()),
        "touched": touched,
    }


def chain(share: float, *, has_losses: bool, edges: bool = True, closing: str = "running", seed: int = 0) -> Numbers:  # fmt: skip
    """V15: shot, flight, impact, wrap and closing of the preset's net at 2 m/s; what is kept.

    seed  draws the folding, a tenth of it at random; 0: none of it is
    """
    changes = merged(
        FAST, {} if has_losses else LOSSLESS, {"contact": {"edges": edges}},
        {"closing": {"kind": closing, "carries_mass": False, "limited": False}, "run": {"step_share": share}},
        {"shot": FOLDED, "seed": seed} if seed else {},
    )  # fmt: skip
    return {"share": share, "seed": seed, **what_is_kept(hp.simulate(hp.default("net", changes)))}


def what_is_kept(result: Result) -> Numbers:
    """Momenta and remainder of a shot at 2 m/s, as shares of their scales, and how it ended."""
    motion = result.trajectory
    linear, angular = motion["momentum_N"].values, motion["angular_momentum_N"].values
    impulse = 4.0 * result.metrics["bullet_mass_kg"] * 2.0
    scale = max(float(np.linalg.norm(angular[0])), impulse * 1.4)
    return {
        "momentum": float(np.abs(linear - linear[0]).max()) / impulse,
        "angular": float(np.abs(angular - angular[0]).max()) / scale,
        "remainder": result.ledger.relative_remainder,
        "shot_energy": 0.5 * impulse * 2.0,
        "scale": result.ledger.scale,
        "winch": result.metrics["winch_work_J"],
        "outcome": str(result.ended),
        "deepest": deepest(result),
        "steps": result.metrics["steps"],
    }


def deepest(result: Result) -> float:
    """How far the threads reach into the target's only box at the end [m], by its six planes; < 0 outside."""
    end = result.trajectory.isel(time=-1)
    axes = rotation_matrices(end["quat_NB"].values[TARGET])
    places = (end["r_point_N"].values - end["r_BN_N"].values[TARGET]) @ axes
    half = 0.5 * np.array(result.config["target"]["boxes"][0]["size_m"])
    first, second = places[result.tables["elements"]["ends"].values].transpose(1, 0, 2)
    along = np.linspace(0.0, 1.0, 41)[:, None, None]
    points = (1.0 - along) * first + along * second
    return float((half - np.abs(points)).min(axis=2).max())


def slipping(model: str) -> Numbers:
    """V21: a net of 1 m thrown at a wide plate that turns at 20 deg/s; how far its knots are from where they first touched.

    away  [m] along the plate and off it, median over the knots that touch, at the end, in the plate's axes
    """
    plate = {"boxes": [{"size_m": [0.2, 3.0, 3.0], "mass_kg": 50.0}], "distance_m": 1.2, "rate_deg_per_s": [20.0, 0.0, 0.0]}  # fmt: skip
    config = Config.model_validate(
        hp.default(
            "net-small",
            {"target": plate, "contact": {"model": model}, "run": {"output_interval_s": 0.001}},
        ).as_table()
    )
    net = build(config)
    stored, _, _ = run(config, net, lambda share: None)
    axes = rotation_matrices(stored.attitude[:, TARGET])
    seen = stored.x[:, net.knots] - stored.place[:, None, TARGET]
    places = np.einsum("tki,tij->tkj", seen, axes)
    half = 0.5 * np.ptp(net.surface[0], axis=0)  # type: ignore[index]
    thin = int(np.argmin(half))  # principal axes may come in another order
    touches = (half + TOUCHING - np.abs(places)).min(axis=2) > 0.0
    ever = touches.any(axis=0)
    first = places[np.argmax(touches, axis=0), np.arange(places.shape[1])]
    away = (places[-1] - first)[ever]
    off = np.abs(away[:, thin])
    return {
        "knots": int(ever.sum()),
        "along": float(np.median(np.sqrt((away**2).sum(axis=1) - off**2))),
        "off": float(np.median(off)),
        "still": int(touches[-1].sum()),
    }


def tow_changes(lasts: float, seed: int) -> dict[str, Any]:
    """Changes of the preset `net` for a tow that lasts some time [s], its net folded and shot as the seed draws.

    Closing ends when the net has swung around the target by the source's own prediction, and the tow begins one second
    later. Closing that begins with the first touch draws the mouth tight round the sides of the box, off which it slips.
    """
    thrust = {"start_s": WRAPPED + 1.0, "duration_s": lasts, "force_N": [-15.0, 0.0, 0.0], "after_touch": True}  # fmt: skip
    run = {"duration_s": lasts + WRAPPED + 7.0, "step_share": 0.4}
    return {**DRAWN, "closing": {"delay_s": WRAPPED - WOUND}, "burns": [thrust], "run": run, "seed": seed}  # fmt: skip


def towed(lasts: float = 400.0, seed: int = 1) -> Numbers:
    """V22: capture and a tow by the preset, 400 s in the source, in windows of 20 s."""
    result = hp.simulate(hp.default("net", tow_changes(lasts, seed)))
    motion = result.trajectory
    times, tension = motion["time"].values, motion["tether_tension"].values
    since = times - result.metrics["first_touch_s"] - (WRAPPED + 1.0)
    rate = np.degrees(np.linalg.norm(motion["omega_BN_B"].values[:, TARGET], axis=1))
    places = motion["r_BN_N"].values
    apart = np.linalg.norm(places[:, TARGET] - places[:, CHASER], axis=1)
    pull = -motion["f_target_N"].values[:, 0]
    windows = [(since >= a) & (since < a + 20.0) for a in np.arange(0.0, lasts, 20.0)]
    return {
        "lasts": lasts,
        "swings": [float(tension[w].std()) for w in windows],
        "means": [float(tension[w].mean()) for w in windows],
        "peaks": [float(tension[w].max()) for w in windows],
        "ranges": [float(apart[w].std()) for w in windows],
        "pulls": [float(pull[w].mean()) for w in windows],
        "rates": [float(rate[w].mean()) for w in windows],
        "first_rate": float(rate[0]),
        "transmitted": 15.0 * 83.0 / 583.0,
        "remainder": result.ledger.relative_remainder,
        "outcome": str(result.ended),
        "broken": result.metrics["broken_elements"],
    }


def fixed_tow() -> Numbers:
    """The same thrust on fixed points with a taut tether: how far momentum and tension still swing."""
    config = hp.default("net", {})
    line = thread_of(config, config.tether.diameter_m)
    stiffness, damping, _ = line.element(10.0)
    system = tow_system(
        500.0, cuboid_moments(500.0, (1.0, 1.0, 1.0)), 83.0, cuboid_moments(83.0, (0.5, 0.5, 0.5)),
        [[-0.5, 0.0, 0.0]], [(0.25, 0.0, 0.0)], 10.0, stiffness, damping,
    )  # fmt: skip
    tumbling = TowBody((0.0, 0.0, 0.0), rate=tuple(np.radians([1.0, -5.0, 1.0])))
    found = tow(
        system, TowBody((10.75, 0.0, 0.0)), tumbling, [15.0, 0.0, 0.0], np.linspace(0, 300, 1501)
    )
    spin = np.linalg.norm(found.target_momentum, axis=1)
    return {
        "spin_swings": [float(np.ptp(spin[500 * k : 500 * (k + 1)])) for k in range(3)],
        "late_range": float(np.ptp(found.distance[-500:])),
        "late_tension": float(found.tensions[-500:, 0].mean()),
    }
