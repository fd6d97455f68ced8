"""Rows V12 to V15, V21 and V22 of the page on nets: whole runs."""

from __future__ import annotations

import math

import numpy as np

from haptos.contact.sticky import sticky_force
from tests.validation.lander_verdicts import Row
from tests.validation.net_chain import (
    STRENGTH,
    Numbers,
    breakage,
    chain,
    shooting,
    towed,
    winding,
)
from tests.validation.net_rows_exact import MEASURES as EXACT
from tests.validation.net_rows_exact import exact_rows
from tests.validation.net_rows_laws import judged
from tests.validation.net_rows_opening import not_run
from tests.validation.net_trials import is_kept, kept

SHARES = (0.4, 0.2, 0.1, 0.05)
FINEST = 0.025
MEASURES = {
    "breakage": breakage,
    "shooting": shooting,
    "winding": lambda: {kind: winding(kind) for kind in ("free", "interlaced")},
    "chain": lambda: [
        chain(share, has_losses=False, closing="free") for share in (*SHARES, FINEST)
    ],
    "chain-no-edges": lambda: chain(0.2, has_losses=True, edges=False, closing="free"),
    "chain-losses": lambda: [
        chain(share, has_losses=True, closing="free") for share in (0.2, 0.05)
    ],
    "chain-running": lambda: [
        chain(share, has_losses=False, closing="running") for share in SHARES
    ],
    **EXACT,
    "tow": towed,
}


def chain_rows() -> list[Row]:
    return [*breakage_rows(), *shooting_rows(), *winding_rows(), *whole_rows(), *exact_rows(), sticky_row(), *tow_rows()]  # fmt: skip


def _row(item: str, what: str, expected: str, found: str, is_true: bool, note: str = "") -> Row:
    return Row(item, "scenario", what, expected, found, judged(is_true), note)


def breakage_rows() -> list[Row]:
    n: Numbers = kept("breakage")
    whole = n["threads_broken"] / n["threads"]
    ids = ", ".join(map(str, n["listed"]))
    broken = n["threads_broken"] + n["bullet_links_broken"]
    return [
        _row("V12", "20 kg bullets at 10 m/s, 80 deg: links of bullets", "all fail", f"{n['bullet_links_broken']} of {n['bullet_links']}",
             n["bullet_links_broken"] == n["bullet_links"]),
        _row("V12", "stress", f"never above {STRENGTH / 1e9} GPa", f"largest stored {n['stress'] / 1e9:.3f} GPa", n["stress"] <= STRENGTH),
        _row("V12", "threads of the net", "most fail", f"{n['threads_broken']} of {n['threads']}", whole > 0.5,
             "a thread is cut in the step in which its tension reaches its strength, so the links of the bullets, which carry all of the load, go first and nothing "
             "pulls at the net any more; most threads can fail only if many are found above their strength at the same check, as with long steps. Nine other set-ups were tried (three patterns, links or none, mouth of 1, 2 or 4 mm, four or eight bullets): at most 76 of 220 fail, with eight bullets without links on a mouth of 2 mm"),
        _row("V12", "list and run", "count and numbers are told, the run goes on", f"{broken} broken, elements {ids}; ended at {n['end']:g} s, books to {n['remainder']:.0e}",
             len(n["listed"]) == broken and n["end"] == 0.4),
    ]  # fmt: skip


def shooting_rows() -> list[Row]:
    n: Numbers = kept("shooting")
    slowest, fastest = min(n["gained"]), max(n["gained"])
    return [
        _row("V13", "speed each bullet gains", "1 m/s, rising linearly", f"{slowest:.7f} to {fastest:.7f} m/s; off a line by {n['bend']:.0e} m/s",
             abs(slowest - 1.0) < 1e-3 and abs(fastest - 1.0) < 1e-3 and n["bend"] < 1e-3),
        _row("V13", "recoil of 50 kg", "0.0208 m/s by the formula (1 % taken; 0.023 printed)", f"{n['recoil']:.4f} m/s", abs(n["recoil"] / n["formula"] - 1.0) < 0.01,
             "later bullets start from a chaser that already recoils"),
        _row("V13", "momenta", "the chaser loses what bullets gain, and turns between shots", f"momentum of all {n['momentum']:.0e} N s (tide of the orbit); chaser up to {n['turned']:.3f} N m s",
             n["momentum"] < 1e-5 and n["turned"] > 1e-3),
    ]  # fmt: skip


def winding_rows() -> list[Row]:
    free, pieces = (kept("winding")[kind] for kind in ("free", "interlaced"))
    rows = []
    for n, what in (
        (free, "lines straight from winch to winch"),
        (pieces, "lines in pieces along the mouth"),
    ):
        ratio, grown = n["lengths"][1] / n["lengths"][0], float(np.mean(n["grown"]))
        rows.append(
            _row(
                "V14",
                f"{what}: length after 99 % of the area",
                "x 0.1",
                f"{n['lengths'][0]:.3f} to {n['lengths'][1]:.3f} m, x {ratio:.4f}",
                abs(ratio - 0.1) < 1e-9,
            )
        )
        rows.append(
            _row(
                "V14",
                f"{what}: mass of winches",
                "+90 % of a line of 2 m",
                f"+{grown:.1%}",
                abs(grown - 0.9) < 0.1,
                "the mass of a straight line hangs, half each, at the two bullets that hold its winches from the start, and stays there",
            )
        )
        rows.append(_row("V14", f"{what}: tension", "slack before the trigger, then a winding force", f"largest before {n['tension_before']:.3f} N, mean {n['tension_mean']:.2f} N while winding, "
                         f"peak {n['tension_peak']:.2f} N at {n['peak_after']:.2f} s after the touch", n["tension_before"] == 0.0 < n["tension_peak"],
                         "the pieces lie along the mouth's threads and are as long as they: where the opening net pulls at those, it pulls at these"))  # fmt: skip
    return rows


def whole_rows() -> list[Row]:
    """V15: the chain without and with losses, lines straight from winch to winch or running through rings."""
    if not all(map(is_kept, ("chain", "chain-losses", "chain-running", "chain-no-edges"))):
        return [not_run("V15", "the whole chain")]
    plain, lossy, running = kept("chain"), kept("chain-losses"), kept("chain-running")
    every = [*plain, *lossy, *running]
    linear, angular = (max(n[key] for n in every) for key in ("momentum", "angular"))
    best, worst = plain[-1], lossy[-1]
    share = worst["remainder"] * worst["scale"] / worst["shot_energy"]
    order, last = observed_order(plain), observed_order(plain[-2:])
    deep = max(n["deepest"] for n in lossy)
    bare = kept("chain-no-edges")["deepest"]
    return [
        _row("V15", "momenta through shot, flight, impact, wrap, closing", "constant to 1e-10 of their scale", f"momentum {linear:.0e}, angular momentum {angular:.0e}, whatever the step",
             max(linear, angular) < 1e-10),
        _row("V15", "books without losses, straight lines, winch included", "to 1e-6 of the energy put in", told(plain), best["remainder"] < 1e-6,
             "threads that become taut or slack and contacts set in with kinks; the default step share of 0.25 is chosen for 1e-2, 1e-6 was not reached"),
        _row("V15", "books without losses, line that runs through rings", "to 1e-6 of the energy put in", told(running), running[-1]["remainder"] < 1e-6,
             "the error does not fall with the step; likely where the line, of one tension, becomes taut or slack within a step, which is corrected for single threads but not for lines"),
        _row("V15", "books with losses", "to 1e-4 of the shot's energy", f"{told(lossy)}; the last is {share:.0e} of the shot's energy alone", share < 1e-4,
             "the winches put in several times the energy of the shot; of what is put in the books miss less than 1e-4"),
        _row("V15", "order of the error of the books, straight lines", "2 or more (taken as above 1.7)", f"{order:.1f} over all five step shares, {last:.1f} over the last two", min(order, last) > 1.7,
             "one run at each step, and the motion is chaotic: the runs do different things after the impact, so that two neighbours tell little"),
        _row("V15", "threads within the target at the end, with losses", "none, by the planes of the box", f"{'none: nearest' if deep < 0 else 'deepest'} {abs(1e3 * deep):.2f} mm {'outside' if deep < 0 else 'inside'}", deep < 0.0),
        _row("V15", "the same with edges = false, as the preset net has it", "none", f"deepest {1e3 * bare:.0f} mm inside", bare < 0.0, "without edges only knots and bullets touch: threads between knots cut corners"),
        Row("V15", "scenario", "is the target held at the end", "with losses captured; without any loss it bounces", "with losses " + ", ".join(n["outcome"] for n in lossy) + "; without " + ", ".join(n["outcome"] for n in plain), "told"),
    ]  # fmt: skip


def told(runs: list[Numbers]) -> str:
    return ", ".join(f"{n['remainder']:.0e} at step share {n['share']:g}" for n in runs)


def observed_order(runs: list[Numbers]) -> float:
    """Slope of log error over log step."""
    steps = np.log([n["share"] for n in runs])
    return float(np.polyfit(steps, np.log([n["remainder"] for n in runs]), 1)[0])


def sticky_row() -> Row:
    """V21: the law alone, no net."""
    place, speed, mass, stiffness = 0.0, 1.0, 0.01, 1e3
    step, damping = 1e-6, 2.0 * math.sqrt(1e3 * 0.01)
    for _ in range(40_000):
        force, _, _ = sticky_force((place, 0.0, 0.0), (speed, 0.0, 0.0), stiffness, damping)
        speed += step * force[0] / mass
        place += step * speed
    left = 0.5 * mass * speed**2 + 0.5 * stiffness * place**2
    return Row(
        "V21", "law only", "a point of 10 g that hits glue at 1 m/s", "stays at its first contact (an elastic net slips and springs back)",
        f"{abs(place):.1e} m off after 40 ms, {left / 0.005:.0e} of its energy left", judged(abs(place) < 1e-5),
        "the law alone: two nets on a spinning target, elastic and with the sticky contact of the scenario, were not compared",
    )  # fmt: skip


def tow_rows() -> list[Row]:
    if not is_kept("tow"):
        return [not_run("V22", "tow by the net beside fixed points")]
    n: Numbers = kept("tow")
    fixed = n["fixed"]
    swings = ", ".join(f"{x:.2f}" for x in n["swings"])
    rates = ", ".join(f"{x:.1f}" for x in n["rates"])
    mean = n["means"][-1]
    undamped = fixed["spin_swings"][2] / fixed["spin_swings"][0]
    note = "likely because knots that lie still on the box lose nothing, threads feel no edges in this preset, and the soft tether (EA 85 N) has only its own damping of some 10 %; 100 s of tow, the source has 400 s"
    return [
        _row("V22", "tow with fixed points, 300 s", "momentum of the target swings undamped", f"swing of the third 100 s over the first {undamped:.2f}", undamped > 0.8),
        _row("V22", "tow by the net: tension of the tether", f"settles to the thrust transmitted, {n['transmitted']:.2f} N (10 % taken)", f"mean of the last 20 s {mean:.2f} N", abs(mean / n["transmitted"] - 1.0) < 0.1, note),
        _row("V22", "tow by the net: bounce", "damped after 100 s (to a fifth taken)", f"standard deviation of the tension in five windows of 20 s: {swings} N", n["swings"][-1] < 0.2 * n["swings"][0], note),
        _row("V22", "tow by the net: turning of the target", "dissipated, aligned at the end (half of its first rate taken)", f"{n['first_rate']:.1f} deg/s at first; means of the windows {rates} deg/s", n["rates"][-1] < 0.5 * n["first_rate"], note),
        _row("V22", "tow by the net: force on the target", "along the tow", f"{n['pulls'][-1]:.2f} N of {n['transmitted']:.2f} N in the last window", abs(n["pulls"][-1] / n["transmitted"] - 1.0) < 0.1, note),
    ]  # fmt: skip
