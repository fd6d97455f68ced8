"""Write docs/validation/nets.md: every item of the validation of nets, expected beside found.

python -m tests.validation.nets            runs what is not kept in out/validation/nets, then writes the page
python -m tests.validation.nets --single   the same in one process
python -m tests.validation.nets --page     writes the page from what is kept; other rows stay as they stand on it
python -m tests.validation.nets --only tow nodes   runs these anew, then as --page
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from haptos.core.whole_files import write_whole
from tests.validation.lander_verdicts import Row
from tests.validation.net_chain import breakage
from tests.validation.net_rows_chain import MEASURES, chain_rows
from tests.validation.net_rows_laws import law_rows
from tests.validation.net_rows_opening import flight_rows, opening_rows
from tests.validation.net_trials import TRIALS, cpu_seconds, is_kept, keep, runs_of
from tests.validation.verdict_page import laid_over, rows_of_page, verdict_page

PAGE = Path(__file__).parents[2] / "docs" / "validation" / "nets.md"
AGAIN = " Run again on their own since: "
SLOWEST = ("tow", "errors", "angle", "density")
ITEMS = [f"V{n}" for n in range(1, 24)]
INTRODUCTION = """# Nets

What [Salvi2014] says of nets that catch satellites, item by item, beside what haptos finds. V are its validation tests with expectations put right where the printed number does not follow from the
formula; 6.3 its sensitivities, 6.4 its shots in an aircraft on a parabola. Planar4: 2 x 2 m, four bullets; Planar8: eight; Conical8: 2 x 2 x 2 m, eight; 30 deg, 1 m/s, mesh 0.2 m, bullets as heavy
as the net, unless varied. Nets lie folded as in the source, in a pyramid, but for a tenth at random, in a canister of 6 cm, of which their threads fill 16 % (the cone 25 %); the source does not tell its own. Threads,
contact, friction and chaser are assumed: those of the presets `net-deployment` and `net`. Nets that open have a tether of 6 m in 12 elements, which is never taut (assumed: the source has one and gives no length).

`make validate`, or `python -m tests.validation.nets` alone, runs what is needed in two processes and writes this page (what was run is kept in `out/validation/nets`: remove it to run anew). *kernel*: single things by
the kernel of the nets; *scenario*: whole runs of the presets; *reduced*: the model of a centre of mass.

Brackets are 95 % intervals of Student's t over four foldings of the net (three for angles, nodes and the cone) or six draws of errors, by pairs where two cases share them; shares have Wilson's.
Captures and first seconds of tows are of six draws each, whole tows of three at most: a tenth of the folding at random, and errors of up to 2 % of each bullet's mass and 5 % of its angle and speed (assumed). A statement holds if it is
true with 95 % confidence, or the number lies within the tolerance named. **reproduced**: a published statement holds; identity: it could not but hold (an identity, or a number recomputed from the same formula or fitted to it);
**source shown wrong**: an argument shows that it cannot hold; **not reproducible**: it depends on a datum that the source does not state; **ours fails**: it does not hold, and the fault is taken to be ours; **open**: undecided by
the runs made or by what is known; reported: a number without a criterion. *runs*: those of the trial that the row is taken from. Bands called
*taken* and tolerances are ours, some of them set after first runs were seen; whole runs are single runs of a chaotic motion. Conical8 takes twice the steps of the others (`step_share` 0.8): its ledger misses 2 to 3 % and Q 0.3 %, by
three runs at 0.4.
"""


def all_rows() -> list[Row]:
    """Every row that what is kept allows, in the places of those of the page; the others as they stand there."""
    rows = [*law_rows(), *chain_rows(), *opening_rows(), *flight_rows()]
    found = laid_over(rows, rows_of_page(PAGE.read_text(encoding="utf-8")))
    return sorted(found, key=lambda row: (row.item[0] != "V", _number(row.item)))


def effort(text: str, seconds: float, runs: int) -> str:
    """Line with what the rows took: of all that is kept, or that of a page with what was run again on its own."""
    missing = [name for name in (*MEASURES, *TRIALS) if not is_kept(name)]
    if not missing:
        return f"{runs} runs of openings and captures, and the whole runs; {seconds / 60.0:.0f} minutes of one core, half of that in the two processes of `python -m tests.validation.nets`."
    whole = next(line for line in text.splitlines() if "runs of openings and captures" in line)
    again = ", ".join(name for name in (*MEASURES, *TRIALS) if is_kept(name))
    return f"{whole.partition(AGAIN)[0]}{AGAIN}{again} ({seconds / 60.0:.0f} minutes)."


def _number(item: str) -> float:
    return float(item[1:]) if item[0] == "V" else float(item.split()[0])


def page(rows: Iterable[Row], took: str) -> str:
    """Text of the page."""
    return verdict_page(INTRODUCTION, took, "net", rows, "nets")


def measure(name: str) -> None:
    """Run a trial or a whole run by its name and keep what came out."""
    keep(name, MEASURES.get(name) or (lambda: list(TRIALS[name]())))


def compute_missing(processes: int = 2) -> None:
    """Run what is not kept, in two processes, what takes longest first."""
    names = [name for name in (*SLOWEST, *MEASURES, *TRIALS) if not is_kept(name)]
    names = list(dict.fromkeys(names))
    if processes == 1:
        for name in names:
            measure(name)
    elif names:
        breakage()  # compiles the kernel once, before two processes would
        with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
            list(pool.map(measure, names))


def main(arguments: list[str]) -> None:
    began = time.monotonic()
    if "--only" in arguments:
        for name in arguments[arguments.index("--only") + 1 :]:
            measure(name)
    elif "--page" not in arguments:
        compute_missing(1 if "--single" in arguments else 2)
        print(f"haptos: runs of nets took {(time.monotonic() - began) / 60.0:.1f} minutes")
    runs = sum(len(runs_of(trial)) for trial in TRIALS if is_kept(trial))
    rows = all_rows()
    took = effort(PAGE.read_text(encoding="utf-8"), cpu_seconds(), runs)
    write_whole(PAGE, page(rows, took))
    print(f"haptos: {len(rows)} rows in {PAGE}")


if __name__ == "__main__":
    main(sys.argv[1:])
