"""Cases of the page on landers: which study, design point and body, how many runs; their runs are kept on disk.

A case is one design point of a built-in study on the built-in body or on a shape model beside the project. Releases are
those of the study, so that the same numbers of two cases are the same releases.
"""

from __future__ import annotations

import copy
import functools
import io
import itertools
import json
import math
import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pandas as pd

from haptos.campaign.plan import CampaignPlan, make_plan
from haptos.cli.builtin import loaded_plan
from haptos.core.whole_files import write_whole
from haptos.scenarios.merging import laid_over
from tests.validation.shape_models import FOLDER

KEPT = Path(__file__).parents[2] / "out" / "validation" / "landers"
BODIES = ("built-in", "shape model")
# Runs of a case.
BALLS, SOLIDS, ROCKY_SPINNERS = 60, 1000, 60
TWINS, FRICTIONS, RESTITUTION_RUNS = 600, 600, 400  # of a solid changed in one thing
MANY_BALLS = {"built-in": 120, "shape model": 120}  # of small effects: rolling resistance, regions
PASSES = (0.4, 1.0)  # shares of its runs that every case gets before the next pass
CHUNK = 20  # runs that are kept together
ROLLING_BALLS, SLIDING = 50, 200  # that roll or slide for long: no rocks; friction below 0.2
ROUGH, ROCKY, SOFT = 100, 60, 200  # of solids on relief, among rocks, on regolith
SPINNERS = {"070": 40, "090": 100, "100": 300, "005": 40}  # by periapsis; low ones roll for hours
RUN_COLUMNS = (
    "outcome", "ended", "trusted", "settle_time_s", "end_time_s", "first_touch_time_s", "first_touch_speed_m_per_s",
    "slope_at_rest_deg", "impacts", "largest_impact_loss_J", "mean_impact_loss_J", "path_length_m", "rest_x_m",
    "rest_y_m", "rest_z_m", "contact_time_s", "steps",
)  # fmt: skip
FIRST_COLUMNS = (
    "point_x_m", "point_y_m", "point_z_m", "impact_angle_rad", "aspect_angle_rad", "kinetic_energy_before_J",
    "velocity_before_x_m_per_s", "velocity_before_y_m_per_s", "velocity_before_z_m_per_s", "normal_x", "normal_y", "normal_z",
    "loss_J",
)  # fmt: skip


@dataclass(frozen=True)
class Case:
    """One design point: the values of its swept keys, and changes to the study's tables (None removes one)."""

    name: str
    study: str
    runs: int
    body: str = "built-in"
    point: dict[str, Any] = field(default_factory=dict)
    changes: dict[str, Any] = field(default_factory=dict)

    @property
    def file(self) -> Path:
        return KEPT / self.body.replace(" ", "-") / f"{self.name}.parquet"

    @property
    def shape_file(self) -> Path:
        return FOLDER / ("kw4-alpha.obj" if self.study.startswith("spinner") else "itokawa.obj")

    def plan(self) -> CampaignPlan:
        plan = loaded_plan(self.study)
        table = laid_over(
            plan.table, {key: value for key, value in self.changes.items() if value is not None}
        )
        for key in (key for key, value in self.changes.items() if value is None):
            table.pop(key)
        if self.body == "shape model":
            table["surface"] = {"shape": "mesh", "file": str(self.shape_file), "unit": "km"}
        settings = plan.settings.model_copy(update={"runs": max(self.runs, plan.settings.runs)})
        return make_plan(copy.deepcopy(table), settings, self.study)

    def configs(self) -> list[Any]:
        plan = self.plan()
        points = [
            point
            for point in range(plan.points)
            if all(plan.design.value(key, point) == value for key, value in self.point.items())
        ]
        (point,) = points
        first = point * plan.settings.runs
        return plan.configs(range(first, first + self.runs))


def cases() -> Iterator[Case]:
    """All of them, those of the built-in bodies first."""
    for body in BODIES:
        for height in ("low", "high"):
            yield from _balls(height, body)
        yield from _solids(body)
        yield from _spinners(body)
        if body == "built-in":
            yield from _coefficients()


def _balls(height: str, body: str) -> Iterator[Case]:
    study, count = f"itokawa-{height}", BALLS
    many = MANY_BALLS[body]
    yield Case(height, study, many, body)
    for e in (0.35, 0.5, 0.8):
        yield Case(
            f"{height}-e-{e}", f"{study}-restitution", count, body, {"contact.restitution": e}
        )
    for e in (0.35, 0.8):
        point = {"contact.rocks.restitution": e}
        yield Case(f"{height}-rock-e-{e}", f"{study}-rock-restitution", count, body, point)
    for roll in (0.00225, 0.00875):
        point = {"contact.rolling_resistance_m": roll}
        yield Case(f"{height}-roll-{roll}", f"{study}-rolling", many, body, point)
    for f in (0.2, 2.5):
        yield Case(f"{height}-f-{f}", f"{study}-friction", count, body, {"contact.friction": f})
    for k in (4.0, 57.0, 86.0):
        point = {"terrain.rocks.rocks_per_m2": k}
        yield Case(f"{height}-K-{k:g}", f"{study}-rocks", count, body, point)
    smooth = {"terrain": None, "contact": {"contact_motion": True}, "run": {"max_steps": 200_000}}
    yield Case(f"{height}-smooth", study, ROLLING_BALLS, body, changes=smooth)
    if height == "high":
        yield Case("high-regions", "itokawa-high-regions", many, body)


def _spinners(body: str) -> Iterator[Case]:
    for periapsis, count in SPINNERS.items():
        name = f"spinner-{periapsis}"
        yield Case(name, name, count, body, changes=CAPPED if periapsis == "070" else {})
    for k in (14.0, 28.0):
        point = {"terrain.rocks.rocks_per_m2": k}
        yield Case(f"spinner-K-{k:g}", "spinner-rocks", ROCKY_SPINNERS, body, point)


LOWLANDS = 0.2  # share of the ground that the regions of S9 take, that of smooth terrain on Itokawa
FIVE = ("tetrahedron", "octahedron", "cube", "icosahedron", "dodecahedron")
PAYLOADS = ("mascot", "minerva-1", "minerva-2")
THREE = ("tetrahedron", "cube", "dodecahedron")
RESTITUTIONS = (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8)
FRICTION_LIST = (0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0, 1.4, 2.0)
CAPPED = {"run": {"max_steps": 30_000}}
EARLY_REST = {"speed_m_per_s": 1e-3, "rate_rad_per_s": 1e-2}  # of C11, C12: the source states none
PAYLOAD_RUNS = {
    "mascot": 600,
    "minerva-1": 600,
    "minerva-2": 200,
}  # the prism rolls over its edges for hours


def _solids(body: str) -> Iterator[Case]:
    for shape in FIVE:
        point = {"probe.shape": shape}
        yield Case(shape, "shapes-solids", SOLIDS, body, point, CAPPED)
        yield Case(f"equal-{shape}", "shapes-equal-inertia", TWINS, body, point, CAPPED)
        off = {**point, "contact.contact_motion": False}
        yield Case(f"bounce-{shape}", "shapes-contact-motion", TWINS, body, off, CAPPED)
        early = {**CAPPED, "settle": EARLY_REST}
        yield Case(f"early-{shape}", "shapes-solids", TWINS, body, point, early)
    for payload in PAYLOADS:
        long = {"run": {"max_steps": 200_000}}  # flat faces slide for long
        yield Case(payload, f"shapes-{payload}", PAYLOAD_RUNS[payload], body, {}, long)
    off = {"contact": {"contact_motion": False}}
    yield Case("bounce-minerva-2", "shapes-minerva-2", PAYLOAD_RUNS["minerva-2"], body, {}, off)


def _coefficients() -> Iterator[Case]:
    for shape in THREE:
        for e in RESTITUTIONS:
            point = {"probe.shape": shape, "contact.restitution": e}
            yield Case(
                f"{shape}-e-{e}", "shapes-restitution", RESTITUTION_RUNS, "built-in", point, CAPPED
            )
        for f in FRICTION_LIST:
            point = {"probe.shape": shape, "contact.friction": f}
            count = FRICTIONS if f >= 0.2 else SLIDING
            yield Case(f"{shape}-f-{f}", "shapes-friction", count, "built-in", point, CAPPED)
        for relief in (0.5, 4.8):
            point = {"probe.shape": shape, "terrain.noise.relief_m": relief}
            yield Case(f"{shape}-relief-{relief}", "shapes-noise", ROUGH, "built-in", point, CAPPED)
        for k in (14.0, 57.0):
            point = {"probe.shape": shape, "terrain.rocks.rocks_per_m2": k}
            yield Case(f"{shape}-K-{k:g}", "shapes-rocks", ROCKY, "built-in", point, CAPPED)
        for angle in (15.0, 45.0):
            point = {"probe.shape": shape, "contact.regolith.critical_angle_deg": angle}
            name = f"{shape}-regolith-{angle:g}"
            yield Case(name, "shapes-regolith", SOFT, "built-in", point, CAPPED)


def compute(case: Case, count: int) -> None:
    """Run a case up to some number of runs and keep its table: one row per run, with its first impact.

    Runs already kept stay; further ones are kept in chunks as they come.
    """
    import haptos

    kept, spent = _kept_so_far(case)
    configs = case.configs() if len(kept) < count else []
    for first in range(len(kept), count, CHUNK):
        cpu = time.process_time()
        found = haptos.simulate_batch(
            configs[first : min(first + CHUNK, count)], store="impacts", workers=1
        )
        runs = found.runs[list(RUN_COLUMNS)].copy()
        impact = found.impacts.groupby("run").first()
        for name in FIRST_COLUMNS:
            runs[f"first_{name}"] = impact[name].reindex(range(len(runs))).to_numpy()
        aspects = found.impacts.groupby("run")["aspect_angle_rad"].mean()
        runs["mean_aspect_angle_rad"] = aspects.reindex(range(len(runs))).to_numpy()
        kept = pd.concat([kept, runs], ignore_index=True)
        spent += time.process_time() - cpu
        _keep(case, kept, spent)


def _kept_so_far(case: Case) -> tuple[pd.DataFrame, float]:
    if not case.file.is_file():
        return pd.DataFrame(), 0.0
    spent = json.loads(case.file.with_suffix(".json").read_text(encoding="utf-8"))
    return pd.read_parquet(case.file), float(spent["cpu_s"])


def _keep(case: Case, runs: pd.DataFrame, spent: float) -> None:
    case.file.parent.mkdir(parents=True, exist_ok=True)
    write_whole(case.file.with_suffix(".json"), json.dumps({"cpu_s": spent}))
    table = io.BytesIO()
    runs.to_parquet(table)
    write_whole(case.file, table.getvalue())  # last: runs are kept when their table is there


@functools.cache
def by_name() -> dict[tuple[str, str], Case]:
    return {(case.name, case.body): case for case in cases()}


ASKED: set[tuple[str, str]] = set()  # cases whose runs were asked for since it was emptied


def runs_of(name: str, body: str = "built-in") -> pd.DataFrame:
    """Kept runs of a case."""
    ASKED.add((name, body))
    return _kept_runs(name, body)


@functools.cache
def _kept_runs(name: str, body: str) -> pd.DataFrame:
    return pd.read_parquet(by_name()[name, body].file)


def is_kept(name: str, body: str = "built-in") -> bool:
    return by_name()[name, body].file.is_file()


def _cost(case: Case) -> tuple[int, bool, bool]:
    """Order of the cases, cheapest first: solids, those that slide or meet relief and rocks, balls, spinners, balls that roll for hours."""
    kind = ("shapes", "itokawa", "spinner").index(case.study.partition("-")[0])
    is_rough = kind == 0 and ("minerva" in case.name or "-K-" in case.name or "relief" in case.name)
    return 3 if "smooth" in case.name else kind, is_rough, case.body != "built-in"


def compute_missing(tell: Any = print, times: float = 1.0) -> None:
    """Run what is not kept, in passes, cheapest first; on shape models only where they are.

    times  the runs of every case as a multiple of those above
    """
    for share, case in itertools.product(PASSES, sorted(cases(), key=_cost)):
        if case.body == "shape model" and not case.shape_file.is_file():
            continue
        wanted = replace(case, runs=max(math.ceil(times * case.runs), 2))
        count = max(math.ceil(share * wanted.runs), 2)
        if case.file.is_file() and len(pd.read_parquet(case.file)) >= count:
            continue
        compute(wanted, count)
        runs, spent = _kept_so_far(case)
        settled = int((runs["ended"] == "settled").sum())
        tell(
            f"{case.body}/{case.name}: {settled} of {len(runs)} at rest, {spent:.1f} s of CPU",
            flush=True,
        )


def cpu_seconds() -> float:
    """Spent on all kept cases."""
    files = [case.file.with_suffix(".json") for case in cases() if case.file.is_file()]
    return float(sum(json.loads(file.read_text(encoding="utf-8"))["cpu_s"] for file in files))


if __name__ == "__main__":
    compute_missing()
