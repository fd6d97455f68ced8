"""The findings of a campaign as files: CSV and Parquet for programs, LaTeX for papers."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pandas as pd

from haptos.campaign.statistics_files import escaped
from haptos.core.slugs import slug
from haptos.core.whole_files import write_whole
from haptos.results.campaign_summary import Finding

STEM = "finding"


def write_findings(found: Sequence[Finding], directory: str | Path) -> tuple[Finding, ...]:
    """Write finding-TITLE.csv, .parquet and .tex of each finding; the findings with the names of their files.

    CSV and Parquet hold the numbers with all their digits, LaTeX the table as the report shows it.
    """
    return tuple(
        replace(one, files=tuple(path.name for path in _write(one, Path(directory)))) for one in found
    )  # fmt: skip


def _write(finding: Finding, folder: Path) -> list[Path]:
    numbers = finding.table if finding.numbers is None else finding.numbers
    parquet = io.BytesIO()
    numbers.to_parquet(parquet)
    stem = f"{STEM}-{slug(finding.title, 'table')}"
    contents = {
        f"{stem}.csv": numbers.to_csv().encode(),
        f"{stem}.parquet": parquet.getvalue(),
        f"{stem}.tex": latex_finding(finding.table).encode(),
    }
    return [write_whole(folder / name, data) for name, data in contents.items()]


def latex_finding(table: pd.DataFrame) -> str:
    """Table for the package booktabs: the index, then every column."""
    head = [str(table.index.name or ""), *map(str, table.columns)]
    lines = [
        r"\begin{tabular}{l" + "r" * len(table.columns) + "}",
        r"\toprule",
        " & ".join(map(escaped, head)) + r" \\",
        r"\midrule",
    ]
    for name, row in zip(table.index, table.to_numpy(), strict=True):
        lines.append(" & ".join([escaped(str(name)), *map(_cell, row)]) + r" \\")
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}", ""])


def _cell(value: object) -> str:
    if isinstance(value, float):
        return "--" if pd.isna(value) else f"{value:.4g}"
    return escaped(str(value))
