"""What a net run shows over time: opening, tensions, winches, bodies, momenta, forces."""

from __future__ import annotations

import numpy as np

from haptos.dynamics.nets.opening_quality import THRESHOLD
from haptos.results.drawings import Drawing, Line, LinePlot
from haptos.results.over_time import OverTime
from haptos.results.result import Result

MEGA = 1e6
ORBIT_AXES = ("V-bar", "H-bar", "R-bar")


def figures(result: Result) -> dict[str, Drawing]:
    """Title -> drawing; what did not happen is not drawn."""
    shown = OverTime(result)
    return {
        **_opening(shown),
        **_strength(shown),
        **_closing(shown),
        **_bodies(shown),
        **_forces(shown),
    }


def _opening(shown: OverTime) -> dict[str, Drawing]:
    ends = shown.time[[0, -1]]
    level = Line(f"{THRESHOLD:.0f} %", ends, np.full(2, THRESHOLD))
    return {
        "How far the net is open": shown.plot(
            "quality_percent", shown.line("quality", "net"), level
        ),
        "How far the net is open over its way": LinePlot(
            "travel_m", "quality_percent",
            (Line("net", shown.values("travel"), shown.values("quality")),),
        ),
    }  # fmt: skip


def _strength(shown: OverTime) -> dict[str, Drawing]:
    tension = shown.values("tension").max(axis=1, initial=0.0)
    kinds = (("tether_tension", "tether"), ("closing_tension", "closing lines"))
    drawn: dict[str, Drawing] = {
        "Largest tension": shown.plot(
            "tension_N",
            Line("all threads", shown.time, tension),
            *(shown.line(key, label) for key, label in kinds if shown.values(key).any()),
        ),
        "Largest stress": shown.plot(
            "stress_MPa", Line("all threads", shown.time, shown.values("largest_stress") / MEGA)
        ),
    }
    if shown.values("tether_tension").any():
        drawn["Force of the tether"] = shown.plot(
            "tension_N", shown.line("tether_tension", "tether")
        )
    if shown.values("broken")[-1] > 0.0:
        drawn["Broken thread elements"] = shown.plot(
            "broken_elements", shown.line("broken", "broken")
        )
    return drawn


def _closing(shown: OverTime) -> dict[str, Drawing]:
    if not shown.values("closing_length").any():
        return {}
    return {
        "Force of closing": shown.plot("tension_N", shown.line("closing_tension", "winch")),
        "Length of the closing lines": shown.plot(
            "length_m", shown.line("closing_length", "all, without load")
        ),
        "Power of the winches": shown.plot("power_W", shown.line("winch_power", "all winches")),
    }


def _bodies(shown: OverTime) -> dict[str, Drawing]:
    rate = np.degrees(np.linalg.norm(shown.values("omega_BN_B"), axis=2))
    wanted = [n for n, name in enumerate(shown.names) if name in ("chaser", "target")]
    drawn: dict[str, Drawing] = {
        "Rates": shown.plot(
            "rate_deg_per_s", *(Line(shown.names[n], shown.time, rate[:, n]) for n in wanted)
        ),
        "Momentum of all, N axes": shown.plot(
            "momentum_N_s", *shown.vector(shown.values("momentum_N"))
        ),
        "Angular momentum of all about the origin, N axes": shown.plot(
            "angular_momentum_N_m_s", *shown.vector(shown.values("angular_momentum_N"))
        ),
    }
    if "target" in shown.names:
        n = shown.names.index("target")
        own = np.degrees(shown.values("omega_BN_B")[:, n])
        place = shown.values("r_BN_N")
        away = np.linalg.norm(place[:, n] - place[:, 0], axis=1)
        drawn |= {
            "Rates of the target, its axes": shown.plot("rate_deg_per_s", *shown.vector(own)),
            "Angular momentum of the target, N axes": shown.plot(
                "angular_momentum_N_m_s", *shown.vector(shown.values("h_B_N")[:, n])
            ),
            "Distance of the target": shown.plot(
                "distance_m", Line("from the chaser", shown.time, away)
            ),
        }
    return drawn


def _forces(shown: OverTime) -> dict[str, Drawing]:
    bullets = shown.values("f_bullet")
    drawn: dict[str, Drawing] = {
        "Force on the bullets": shown.plot(
            "force_N",
            *(Line(f"bullet {b + 1}", shown.time, bullets[:, b]) for b in range(bullets.shape[1])),
        )
    }
    if "f_target_N" in shown.motion and np.isfinite(shown.values("f_target_N")).all():
        drawn["Force of the net on the target, N axes"] = shown.plot(
            "force_N", *shown.vector(shown.values("f_target_N"))
        )
        if "f_target_L" in shown.motion:
            drawn["Force of the net on the target, LVLH axes"] = shown.plot(
                "force_N", *shown.vector(shown.values("f_target_L"), ORBIT_AXES)
            )
        drawn["Torque of the net on the target about its centre of mass, N axes"] = shown.plot(
            "torque_N_m", *shown.vector(shown.values("t_target_N"))
        )
    if "force_by_kind_N" in shown.motion:
        sizes = np.linalg.norm(shown.values("force_by_kind_N"), axis=2)
        kinds = enumerate(str(kind) for kind in shown.motion["push"].values)
        lines = (Line(kind, shown.time, sizes[:, n]) for n, kind in kinds if sizes[:, n].any())
        drawn["Air and light"] = shown.plot("force_N", *lines)
    return drawn
