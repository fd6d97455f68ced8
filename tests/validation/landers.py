"""Write docs/validation/landers.md: every item of the studies of landers, expected beside found.

python -m tests.validation.landers              runs what is not kept in out/validation, then writes the page
python -m tests.validation.landers --page       writes the page from what is kept
python -m tests.validation.landers --times 10   ten times the runs of every case (0.05: a trial)
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from haptos.core.whole_files import write_whole
from tests.validation.lander_cases import BODIES, cases, compute_missing, cpu_seconds, runs_of
from tests.validation.lander_rows_balls import BALL_FAMILIES
from tests.validation.lander_rows_shapes import (
    SHAPE_FAMILIES,
    friction_rows,
    geometry_rows,
    ground_rows,
    restitution_rows,
)
from tests.validation.lander_rows_spinner import SPINNER_FAMILIES, model_rows, release_rows
from tests.validation.lander_verdicts import Row, with_runs
from tests.validation.verdict_page import verdict_page, with_rows_before

PAGE = Path(__file__).parents[2] / "docs" / "validation" / "landers.md"
NOT_AGAIN = "Not run again since vertices that strike together are one impact and balls roll among rocks: runs and statistic are those of the page before."
ITEMS = [
    *(f"S{n}" for n in range(1, 15)), *(f"K{n}" for n in range(1, 14)), *(f"C{n}" for n in range(1, 16)),
]  # fmt: skip
INTRODUCTION = """# Landers

What [VanWal2018] chapter 4 says of landers on small bodies, item by item, beside what haptos finds. No mean settling time and no area is printed there: what can be tested are orderings, trends,
percentages and fits, and numbers recomputed from its formulas, marked [D]. S are balls over Itokawa, K a fast spinner, C probes of many shapes, P predictions of which only titles survive.

`make validate` runs the campaigns and writes this page (`tests/validation/landers.py`; what was run is kept in `out/validation`, so that the page alone takes a minute). The studies are those
of [the studies](../studies.md), with fewer runs. *built-in*: the bodies `bilobe` and `spinner`, like Itokawa and 1999 KW4 Alpha, but not they; *shape model*: Itokawa with 16,220 facets
and 1999 KW4 Alpha with 9,168.

Brackets are 95 % intervals: paired bootstrap over releases (differences and ratios of means), Wilson (shares), random halves of the places (dispersion areas). A statement holds if it is true with 95 %
confidence, or the number lies within the tolerance named. **reproduced**: a published statement holds; identity: it could not but hold (a number recomputed from the same formula); **source shown wrong**: an argument shows that it
cannot hold; **not reproducible**: it depends on a datum that the source does not state, or on a body that is not the source's; **ours fails**: it does not hold, and the fault is taken to be ours; **open**: undecided by the runs made or
by what is known; reported: a number without a criterion. *runs*: those behind the row, and in how many cases.

Balls roll among rocks (`contact_motion = true`), MINERVA-II-2 slides and rolls over its edges, and vertices that strike together are [one impact](../models/simultaneous-impacts.md). Balls stopped where they no longer bounced
when the rows under *found before* were made. A ball that rolls among rocks takes 0.030 to 0.035 s of CPU on average, at most 0.14 s in sixty runs, and has 17 to 19 % of its steps rejected (`haptos bench rolling_balls`);
it took 1 to 12 s with 65 % rejected before [all walls of a crease](../models/crease-motion.md) held it, and 0.13 to 0.15 s while loads in creases were too large.
Rows of S and K have 40 to 300 runs a case; they had 16 to 120, of before loads in creases were corrected. S3, S10, S11 (two), S12, K8 and K11 (two) were open then and hold now, two rows of S5 from high held and are open,
and S11 from high on the shape model was not reproducible and is open.
Balls and cubes dropped into grooves of 5 to 60 degrees: 48 of 48 settled and trusted within 8,145 steps (`pytest tests/verification/test_grooves.py`).

Nominal first impacts over 1999 KW4 Alpha are those of a point on the mesh as it stands in its file; two of them lie within half a metre of an edge, where the angles of both facets are reported.
"""


def all_rows() -> list[Row]:
    """Every row that the kept campaigns allow; rows of the page before where their cases are not kept."""
    rows = [*model_rows(), *geometry_rows()]
    families = [*BALL_FAMILIES.values(), *SPINNER_FAMILIES.values(), *SHAPE_FAMILIES.values()]
    for body, family in itertools.product(BODIES, families):
        rows += _if_kept(lambda family=family, body=body: family(body))
    for family in (release_rows, restitution_rows, friction_rows, ground_rows):
        rows += _if_kept(family)
    return sorted(with_rows_before(rows, "landers", NOT_AGAIN), key=_place)


def _if_kept(family: Callable[[], Iterator[Row]]) -> list[Row]:
    """Rows of a family, or none if runs of one of its cases are not kept, or lack a column that came later."""
    try:
        return list(with_runs(family()))
    except (FileNotFoundError, KeyError):
        return []


def _place(row: Row) -> tuple[int, int, str]:
    """S, K, C, [D], P; then by number, then by body."""
    kind = "SKC[P".index(row.item[0])
    digits = "".join(c for c in row.item.partition(",")[0] if c.isdigit())
    return kind, int(digits or 0), row.body


def page(rows: Iterable[Row], seconds: float, runs: int) -> str:
    """Text of the page."""
    effort = f"Runs of a case: {counts_of_cases() or 'none run again'}; {runs} in all, {seconds / 60.0:.0f} minutes of one core."
    return verdict_page(INTRODUCTION, effort, "body", rows, "landers")


def counts_of_cases() -> str:
    """How many runs the kept cases of each kind have."""
    kinds = {"itokawa": "balls", "spinner": "fast spinner", "shapes": "shapes"}
    reported = []
    for prefix, name in kinds.items():
        kept = [case for case in cases() if case.study.startswith(prefix) and case.file.is_file()]
        sizes = [len(runs_of(case.name, case.body)) for case in kept]
        if not sizes:
            continue
        reported.append(f"{name} {min(sizes)} to {max(sizes)} (in {len(sizes)} cases)")
    return ", ".join(reported)


def main(arguments: list[str]) -> None:
    times = arguments[arguments.index("--times") + 1] if "--times" in arguments else "1"
    if "--page" not in arguments:
        compute_missing(times=float(times))
    runs = sum(len(runs_of(case.name, case.body)) for case in cases() if case.file.is_file())
    rows = all_rows()
    write_whole(PAGE, page(rows, cpu_seconds(), runs))
    print(f"haptos: {len(rows)} rows in {PAGE}")


if __name__ == "__main__":
    main(sys.argv[1:])
