"""`haptos plan`: Sun and Earth over a small body by date, for planning a release."""

from __future__ import annotations

from pathlib import Path

import typer


def plan(
    body: str = typer.Argument(
        help="bennu, eros, itokawa, ryugu, or a TOML file with the tables [orbit] and [pole]."
    ),
    date: str = typer.Option(..., "--date", help="First date, UTC: 2018-09-21."),
    days: float = typer.Option(0.0, "--days", help="How long to go on."),
    step_days: float = typer.Option(30.0, "--step-days", help="Days between two rows."),
    out: Path | None = typer.Option(None, "--out", help="Write the table to this CSV file."),
) -> None:
    """Tell sub-solar and sub-Earth latitude, distances and phase of a small body by date."""
    from haptos.core.whole_files import write_whole
    from haptos.environment.sky_calendar import orbit_and_pole, sky_calendar

    orbit, pole = orbit_and_pole(body)
    table = sky_calendar(orbit, pole, date, days, step_days)
    names = list(table)
    rows = list(zip(*(column.tolist() for column in table.values()), strict=True))
    if out is not None:
        lines = [",".join(names), *(",".join(repr(value) for value in row) for row in rows)]
        write_whole(out, "\n".join(lines) + "\n")
        print(f"{len(rows)} dates in {out}")
        return
    print(f"orbit: {orbit.source}; pole: {pole.source}")
    widths = {name: max(len(name), 13) for name in names}
    print("  ".join(f"{name:>{widths[name]}}" for name in names))
    for row in rows:
        cells = zip(names, row, strict=True)
        print("  ".join(f"{value:{widths[name]}.3f}" for name, value in cells))
