"""`haptos plan`: Sun and Earth over a small body by date, for planning a release."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
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
    names = ["date_utc", *table]
    numbers = zip(*(column.tolist() for column in table.values()), strict=True)
    rows = [(_date(date, n * step_days), *row) for n, row in enumerate(numbers)]
    print(_answer(Path(body).stem, rows[0], names))
    if out is not None:
        lines = [",".join(names), *(",".join(map(str, row)) for row in rows)]
        write_whole(out, "\n".join(lines) + "\n")
        print(f"{len(rows)} dates in {out}")
        return
    print(f"orbit: {orbit.source}; pole: {pole.source}")
    widths = [max(len(name), 13) for name in table]
    head = (f"{name:>{width}}" for name, width in zip(names[1:], widths, strict=True))
    print(f"{names[0]:16}", *head, sep="  ")
    for when, *values in rows:
        cells = (f"{value:{width}.3f}" for value, width in zip(values, widths, strict=True))
        print(when, *cells, sep="  ")


def _answer(body: str, row: tuple[object, ...], names: list[str]) -> str:
    """The sky of the first date in a sentence."""
    sky = dict(zip(names, row, strict=True))
    return (
        f"On {sky['date_utc']} UTC the Sun stands over latitude {sky['sub_solar_latitude_deg']:.3f} deg "
        f"of {body}, {sky['sun_distance_au']:.3f} au away, the Earth over "
        f"{sky['sub_earth_latitude_deg']:.3f} deg, {sky['earth_distance_au']:.3f} au away; "
        f"the phase angle is {sky['phase_deg']:.1f} deg."
    )


def _date(first: str, days: float) -> str:
    """UTC date and time to the minute, so many days after the first; leap seconds are not seen."""
    start = datetime.fromisoformat(first)
    if start.tzinfo is not None:
        start = start.astimezone(UTC).replace(tzinfo=None)
    return (start + timedelta(days=days)).isoformat(timespec="minutes")
