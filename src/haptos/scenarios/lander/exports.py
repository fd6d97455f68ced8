"""Files of a lander run for other programs: the hops of a hopper."""

from __future__ import annotations

from pathlib import Path

from haptos.core.whole_files import write_whole
from haptos.results.result import Result
from haptos.scenarios.lander.hop_table import hop_table

HOPS = "hops.csv"


def write_files(result: Result, directory: Path) -> list[Path]:
    """Write hops.csv if the run has hopped; the paths of what was written."""
    rows = hop_table(result.events)
    return [write_whole(directory / HOPS, csv_text(rows))] if rows else []


def csv_text(rows: list[dict[str, float]]) -> str:
    """Rows as comma-separated text that reads back to the same numbers; nothing for NaN."""
    lines = [",".join(rows[0])]
    lines += [",".join("" if x != x else repr(x) for x in row.values()) for row in rows]
    return "\n".join(lines) + "\n"
