"""What a run hands back: motion, events, energy ledger, outcome, metrics, origin, sources."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from haptos.core.citations import bibliography, bibtex, source
from haptos.core.errors import HaptosError
from haptos.core.frames import NO_FRAME, Frame, is_frame
from haptos.core.outcome import Outcome
from haptos.core.units import split_unit
from haptos.results.checks import Check
from haptos.results.ledger import EnergyLedger
from haptos.results.phases import phase_lines, phase_table
from haptos.results.repeats import Repeats, scatter_text
from haptos.results.row import NEVER_TRUSTED, distrust, summary_row

if TYPE_CHECKING:  # xarray takes half a second to import, and most users of a ledger need none
    import xarray

DESCRIBED_BY = ("unit", "frame", "description")


@dataclass(frozen=True, eq=False)
class Result:
    """One run, complete enough to be judged, drawn and repeated without the program's memory.

    config      plain mapping that reads back to the scenario
    trajectory  along "time" [s]; every variable has a unit, a frame and a description
    events      along "event", described likewise
    ended       how the motion ended; `outcome` also says whether the numbers may be trusted
    metrics     name ending in its unit -> number
    question    what the scenario answers; answer: what came out, in two or three sentences
    checks      what else must hold, besides the ledger, for the run to be trusted
    tables      name -> further described numbers that are not a motion: maps of a body, curves
    repeats     outcomes and metrics of further runs, if the scenario asks for some
    traceback   of an error in the controller of the user, which ended the run
    """

    scenario: str
    name: str
    config: dict[str, Any]
    trajectory: xarray.Dataset
    events: xarray.Dataset
    ledger: EnergyLedger
    ended: Outcome
    metrics: dict[str, float]
    provenance: dict[str, str | int | float]
    cites: tuple[str, ...]
    tables: dict[str, xarray.Dataset] = field(default_factory=dict)
    checks: tuple[Check, ...] = ()
    question: str = ""
    answer: str = ""
    repeats: Repeats | None = None
    traceback: str = ""

    def __post_init__(self) -> None:
        if "time" not in self.trajectory.variables:
            hint = "add the coordinate 'time'"
            raise HaptosError("trajectory", "no variable 'time'", "times of the samples [s]", hint)
        check_described(self.trajectory, "trajectory")
        check_described(self.events, "events")
        for name, table in self.tables.items():
            check_described(table, name)
        for key in self.cites:
            source(key)
        names = [check.name for check in self.checks]
        if len(set(names)) < len(names):
            hint = "give each its own name"
            raise HaptosError("checks", f"names {names}", "one check of a name", hint)
        for name in ("config", "metrics", "provenance"):
            object.__setattr__(self, name, plain(getattr(self, name)))
        object.__setattr__(self, "cites", tuple(self.cites))

    def __repr__(self) -> str:
        named = f" '{self.name}'" if self.name else ""
        return f"<Result of {self.scenario}{named}: {self.outcome}, {self.trajectory.sizes['time']} times>"

    def _repr_html_(self) -> str:
        """What a notebook shows: what was asked, what came out, and whether to believe it."""
        from html import escape

        asked, found = escape(self.question), escape(self.answer or repr(self))
        return f"<p>{asked}<br><strong>{found}</strong><br>{escape(self.verdict)}</p>"

    @property
    def outcome(self) -> Outcome:
        """How the run ended, or NOT_TRUSTED if its numbers may not be used."""
        return self.ended if self.trusted else Outcome.NOT_TRUSTED

    @property
    def trusted(self) -> bool:
        return not distrust(self.ended, self.ledger.closes, self.checks)

    @property
    def verdict(self) -> str:
        """Why the run is or is not trusted, in a sentence or two."""
        if self.ended in NEVER_TRUSTED:
            return " ".join([self.ended.sentence, *_raised(self.traceback)])
        failed = [check.sentence for check in self.checks if not check.holds]
        return " ".join([*failed, self.ledger.verdict])

    @property
    def scatter(self) -> dict[str, float]:
        """Largest difference of each metric in the repeats; empty without repeats."""
        if self.repeats is None:
            return {}
        return {name: self.repeats.scatter(name, value) for name, value in self.metrics.items()}

    def save(self, path: str | Path) -> Path:
        """Write to a file ending in .nc, or to result.nc in a directory; whole or not at all."""
        from haptos.results.files import save_result

        return save_result(self, path)

    def cite(self) -> str:
        """The sources of the laws and methods that ran, one per line."""
        return bibliography(self.cites)

    def bibtex(self) -> str:
        """The same sources as BibTeX entries."""
        return bibtex(self.cites)

    def summary(self) -> str:
        """A page of plain text for people."""
        title = f"{self.scenario}: {self.name}" if self.name else self.scenario
        lines = [title, self.question, self.answer] if self.answer else [title]
        lines += [f"{self.outcome}: {self.ended.sentence}", self.verdict]
        lines += [self.repeats.agreement(self.outcome.label)] if self.repeats else []
        lines += ["", self.traceback] if self.traceback else []
        lines.append("")
        for key, value in self.metrics.items():
            name, unit = split_unit(key)
            number = "–" if value != value else f"{value:.6g}"  # it did not happen
            beside = f"{scatter_text(self.scatter[key]):<16} " if self.repeats else ""
            lines.append(f"  {name.replace('_', ' '):<32} {number:>14} {beside}{unit}")
        if taken := self.ledger.dissipated:
            lines += ["", "  energy taken out [J]"]
            lines += [f"  {name:<32} {lost:>14.6g} J" for name, lost in taken.items()]
        if self.ledger.phases:
            lines += ["", *phase_lines(self.ledger.judged)]
        return "\n".join(lines)

    def as_json(self) -> dict[str, Any]:
        """Mapping for `json.dumps`; numbers JSON does not know (NaN, infinity) become null."""
        ledger = self.ledger
        account = {
            "closes": ledger.closes,
            "relative_remainder": ledger.relative_remainder,
            "bound": ledger.bound,
            "scale_J": ledger.scale,
            "max_remainder_J": ledger.max_remainder,
            "stores_J": {name: float(series[-1]) for name, series in ledger.stores.items()},
            "dissipated_J": ledger.dissipated,
            "worst_phase": ledger.worst.phase.name,
            "phases": [phase_table(one) for one in ledger.judged],
        }
        record = {
            "question": self.question,
            "answer": self.answer,
            "scenario": self.scenario,
            "name": self.name,
            "outcome": self.outcome.label,
            "ended": self.ended.label,
            "trusted": self.trusted,
            "verdict": self.verdict,
            "checks": {
                check.name: {
                    "holds": check.holds,
                    "value": check.value,
                    "bound": check.bound,
                    "unit": check.unit,
                    "sentence": check.sentence,
                }
                for check in self.checks
            },
            "metrics": self.metrics,
            "ledger": account,
            "provenance": self.provenance,
        }
        if self.traceback:
            record["traceback"] = self.traceback
        if self.repeats is not None:
            record["repeats"] = self.repeats.as_json(self.outcome.label, self.metrics)
        return dict(finite_or_null(record))

    def as_row(self) -> dict[str, Any]:
        """One flat row for a table of runs, laid out as a batch of the scenario lays out its rows."""
        ledger = self.ledger
        return summary_row(
            self.ended,
            self.metrics,
            phases=[one.phase for one in ledger.judged],
            bound=ledger.bound,
            change=float(ledger.total[-1] - ledger.total[0]),
            works={name: float(series[-1]) for name, series in ledger.works.items()},
            remainder=ledger.step_remainder,
            checks=self.checks,
        )

    def equals(self, other: Result) -> bool:
        """Whether everything is the same, arrays to the last bit."""
        named = ("scenario", "name", "config", "ended", "metrics", "provenance", "cites", "checks",
                 "question", "answer", "repeats")  # fmt: skip
        return (
            all(repr(getattr(self, part)) == repr(getattr(other, part)) for part in named)
            and same_bits(self.trajectory, other.trajectory)
            and same_bits(self.events, other.events)
            and list(self.tables) == list(other.tables)
            and all(same_bits(self.tables[name], other.tables[name]) for name in self.tables)
            and self.ledger.equals(other.ledger)
        )


def open_result(path: str | Path) -> Result:
    """Result from a file, or from result.nc in a directory; refuses anything else."""
    from haptos.results.files import load_result

    return load_result(path)


def described(
    dimensions: tuple[str, ...], values: np.ndarray, unit: str, frame: str, description: str
) -> xarray.Variable:
    """Variable that can be understood without the program that wrote it."""
    from xarray import Variable

    about = dict(zip(DESCRIBED_BY, (unit, frame, description), strict=True))
    return Variable(dimensions, np.ascontiguousarray(values), about)


def described_columns(
    dimensions: tuple[str, ...], columns: Mapping[str, tuple[np.ndarray, str, str]]
) -> dict[str, xarray.Variable]:
    """Variables of numbers without a frame: name -> (values, unit, description)."""
    return {
        name: described(dimensions, values, unit, NO_FRAME, text)
        for name, (values, unit, text) in columns.items()
    }


def check_described(dataset: xarray.Dataset, where: str) -> None:
    """Refuse quantities that do not say their unit, frame and meaning; axis names need none."""
    for name, variable in dataset.variables.items():
        if name in dataset.coords and variable.dtype.kind not in "iuf":
            continue
        missing = [key for key in DESCRIBED_BY if not isinstance(variable.attrs.get(key), str)]
        if missing:
            found = f"variable '{name}' without {', '.join(missing)}"
            allowed = f"variables with the attributes {', '.join(DESCRIBED_BY)}"
            raise HaptosError(where, found, allowed, "write '-' where there is no unit or frame")
        if not is_frame(variable.attrs["frame"]):
            found = f"variable '{name}' with frame {variable.attrs['frame']!r}"
            allowed = f"{', '.join(map(str, Frame))}, two of them for a rotation, or '-'"
            raise HaptosError(where, found, allowed, "see core/frames.py for what they mean")


def same_bits(first: xarray.Dataset, second: xarray.Dataset) -> bool:
    """Same variables, sizes, attributes and values; numbers compared as bytes."""
    return (
        set(first.variables) == set(second.variables)
        and set(first.coords) == set(second.coords)
        and _same_attributes(first.attrs, second.attrs)
        and all(_same_variable(first[name], second[name]) for name in first.variables)
    )


def _same_variable(first: xarray.DataArray, second: xarray.DataArray) -> bool:
    if first.dims != second.dims or not _same_attributes(first.attrs, second.attrs):
        return False
    a, b = first.values, second.values
    if a.dtype.kind in "UOST":
        return a.shape == b.shape and bool(np.all(a.astype(str) == b.astype(str)))
    return bool(a.shape == b.shape and a.dtype == b.dtype and a.tobytes() == b.tobytes())


def _same_attributes(first: dict[Any, Any], second: dict[Any, Any]) -> bool:
    return repr(sorted(plain(first).items())) == repr(sorted(plain(second).items()))


def _raised(traceback: str) -> list[str]:
    """What was raised, from the last line of a traceback that is not indented on."""
    lines = traceback.splitlines()
    starts = [k for k, line in enumerate(lines) if line[:1].strip()]
    return [line.strip() for line in lines[starts[-1] :]] if starts else []


def plain(value: Any) -> Any:
    """The same content in dict, list, str, bool, int and float alone."""
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, (np.generic, np.ndarray)):
        return value.tolist()
    return value


def finite_or_null(value: Any) -> Any:
    """The same content with NaN and infinities as None, which JSON writes as null."""
    if isinstance(value, dict):
        return {key: finite_or_null(item) for key, item in value.items()}
    if isinstance(value, list):
        return [finite_or_null(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
