"""The statistics of a campaign as files: CSV and Parquet for programs, LaTeX for papers."""

from __future__ import annotations

import io
from pathlib import Path

import pandas as pd

from haptos.campaign.statistics import Statistics
from haptos.core.whole_files import write_whole

STEM = "statistics"
SHOWN = ("mean", "median", "q05", "q95")  # columns of the LaTeX table, each with its interval
_LATEX = {letter: rf"\{letter}" for letter in "_%&#${}"} | {
    "\\": r"\textbackslash{}", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}",
    "<": r"\textless{}", ">": r"\textgreater{}",
}  # fmt: skip


def write_statistics(found: Statistics, directory: str | Path) -> list[Path]:
    """Write statistics.csv, .parquet, .tex and outcomes.csv into a directory; their paths."""
    folder = Path(directory)
    parquet = io.BytesIO()
    found.metrics.to_parquet(parquet)
    contents = {
        f"{STEM}.csv": found.metrics.to_csv().encode(),
        f"{STEM}.parquet": parquet.getvalue(),
        f"{STEM}.tex": latex_table(found.metrics).encode(),
        "outcomes.csv": found.outcomes.to_csv().encode(),
    }
    return [write_whole(folder / name, data) for name, data in contents.items()]


def latex_table(metrics: pd.DataFrame) -> str:
    """Table for the package booktabs: count, and each statistic with its 95 % interval."""
    lines = [
        r"\begin{tabular}{lr" + "l" * len(SHOWN) + "}",
        r"\toprule",
        " & ".join(["metric", "runs", *SHOWN]) + r" \\",
        r"\midrule",
    ]
    for name, row in metrics.iterrows():
        cells = [escaped(str(name)), str(int(row["count"]))]
        cells += [_with_interval(row, key) for key in SHOWN]
        lines.append(" & ".join(cells) + r" \\")
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}", ""])


def _with_interval(row: pd.Series, key: str) -> str:
    low, high = row[f"{key}_low"], row[f"{key}_high"]
    value = "--" if pd.isna(row[key]) else f"{row[key]:.4g}"
    return value if pd.isna(low) or pd.isna(high) else f"{value} [{low:.4g}, {high:.4g}]"


def escaped(text: str) -> str:
    """Text with the letters that LaTeX reads as commands made plain."""
    return "".join(_LATEX.get(letter, letter) for letter in text)
