"""Work against precision of a reeled tether of 40 cells, ours beside MoorDyn: at equal CPU time ours errs less.

The line of `tether_reeled.py` at 200 N s: even steps of the reel's speed (a jump) and a cosine. Ours runs at several tolerances, MoorDyn
at several steps; errors are those of the rate of turning at the end against the closed form.
`python benchmarks/tether_precision.py FILE.png` draws the curves too.
"""

from __future__ import annotations

import sys
from importlib import util

from _size import CLAIM_MISSED, NO_PEER, ended, sized
from tether_reeled import CELLS_COMPARED, DURATION, PEER_STEPS, closed_form, ours, peer

DAMPING = 200.0  # [N s]
TOLERANCES = sized((1e-3, 1e-4, 1e-5, 1e-6, 1e-7), (1e-3,))
STEPS = sized(tuple(step / 2**k for k in range(3) for step in PEER_STEPS[-3:]), PEER_STEPS[-1:])
Curve = list[tuple[float, float]]  # (CPU time [s], error [-])


def curves(is_smooth: bool) -> tuple[Curve, Curve]:
    """Of ours and of MoorDyn, which is empty where it is not installed."""
    rate = closed_form(is_smooth)[1]
    ours(CELLS_COMPARED, TOLERANCES[0], DAMPING, is_smooth)  # compiles
    mine, theirs = [], []
    for tolerance in TOLERANCES:
        cpu, _, found, steps = ours(CELLS_COMPARED, tolerance, DAMPING, is_smooth)
        mine.append((cpu, abs(found / rate - 1.0)))
        print(
            f"  haptos  {tolerance:7.0e}   {cpu:8.3f} s of CPU  error {mine[-1][1]:.1e}  {steps} steps"
        )
    for step in STEPS if util.find_spec("moordyn") else ():
        other = peer(step, DAMPING, is_smooth)
        if other is None:
            print(f"  MoorDyn {step:7.1e} s does not stay finite")
            continue
        theirs.append((other["cpu"], abs(other["rate"] / rate - 1.0)))
        print(f"  MoorDyn {step:7.1e} s {theirs[-1][0]:8.3f} s of CPU  error {theirs[-1][1]:.1e}")
    return mine, theirs


def drawn(found: dict[str, tuple[Curve, Curve]], file: str) -> None:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(
        1, len(found), figsize=(9.0, 3.6), sharey=True, layout="constrained"
    )
    for axis, (name, pair) in zip(axes, found.items(), strict=True):
        for curve, label, mark in zip(pair, ("haptos", "MoorDyn"), ("o-", "s--"), strict=True):
            axis.loglog([cpu for cpu, _ in curve], [error for _, error in curve], mark, label=label)
        axis.set(title=name, xlabel=f"CPU time for {DURATION:g} s [s]")
        axis.grid(alpha=0.3)
    axes[0].set_ylabel("error of the rate at the end [-]")
    axes[0].legend()
    figure.savefig(file, dpi=120)


def main() -> int:
    found = {}
    for name, is_smooth in (("jump of the reel's speed", False), ("speed along a cosine", True)):
        print(f"{name}, {DAMPING:g} N s, {CELLS_COMPARED} cells")
        found[name] = curves(is_smooth)
    if len(sys.argv) > 1 and sys.argv[1].endswith((".png", ".svg", ".pdf")):
        drawn(found, sys.argv[1])
    if not all(theirs for _, theirs in found.values()):
        return NO_PEER
    is_met = all(
        any(cpu <= other and error <= least for cpu, error in mine)
        for mine, theirs in found.values()
        for other, least in theirs
    )
    print(
        f"at every point of MoorDyn one of ours is as fast and errs no more: {'yes' if is_met else 'no'}"
    )
    return 0 if is_met else CLAIM_MISSED


if __name__ == "__main__":
    sys.exit(ended(main()))
