"""Sun and Earth over a small body day by day: latitudes, distances, the angle between the two."""

from __future__ import annotations

import difflib
import math
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from haptos.core.errors import ConfigError
from haptos.core.input_files import input_file
from haptos.environment.kepler_orbit import PUBLISHED, OrbitElements
from haptos.environment.sun_direction import (
    CENTURY,
    J2000_JD,
    LATEST,
    POLES,
    SpinPole,
    directions_in_body,
    earth_vectors,
    julian_dates,
    latitudes,
    sun_vectors,
)

Floats = NDArray[np.float64]
MOST_DATES = 100_000
LARGEST_FILE = 1_000_000  # [byte]; a file of two small tables


def orbit_and_pole(name_or_file: str | Path) -> tuple[OrbitElements, SpinPole]:
    """Orbit and pole of a built-in body, or of a TOML file with the tables [orbit] and [pole].

    Keys are the fields of OrbitElements and SpinPole; those without a default are required.
    """
    if str(name_or_file) in PUBLISHED and str(name_or_file) in POLES:
        return PUBLISHED[str(name_or_file)], POLES[str(name_or_file)]
    path = Path(name_or_file)
    if "\0" not in str(path) and not path.exists():
        close = difflib.get_close_matches(str(name_or_file).lower(), PUBLISHED, n=1)
        hint = close[0] if close else "a TOML file with [orbit] and [pole], see docs/planning.md"
        allowed = f"{', '.join(sorted(PUBLISHED))}, or a file"
        raise ConfigError(str(name_or_file), "no body or file of that name", allowed, hint)
    import tomllib

    input_file(path, "a TOML text file", LARGEST_FILE)
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except (ValueError, OSError, RecursionError) as error:
        hint = "[orbit] and [pole] with numbers"
        raise ConfigError(str(path), f"text that is no TOML ({error})", "TOML", hint) from None
    strange = sorted(set(table) - {"orbit", "pole"})
    if strange:
        raise ConfigError.unknown_key(str(path), strange[0], ["orbit", "pole"])
    return _made(OrbitElements, table, "orbit", path), _made(SpinPole, table, "pole", path)


def _made(kind: Any, table: dict[str, Any], name: str, path: Path) -> Any:
    """The dataclass from its table; unknown, missing and wrong keys are refused."""
    where, given = f"{path} [{name}]", table.get(name)
    known = [field.name for field in fields(kind)]
    if not isinstance(given, dict):
        raise ConfigError(where, "no such table", ", ".join(known), f"add [{name}]")
    for key, value in given.items():
        if key not in known:
            raise ConfigError.unknown_key(where, key, known)
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if is_number == (key == "source"):
            raise ConfigError(where, f"{key} = {value!r}", "numbers; text for source", "see docs")
    try:
        return kind(**given)
    except TypeError:
        missing = ", ".join(key for key in known if key not in given)
        raise ConfigError(where, f"keys missing among {missing}", "all", "add them") from None


def sky_calendar(
    orbit: OrbitElements, pole: SpinPole, first: str, days: float, step_days: float
) -> dict[str, Floats]:
    """Columns over the dates from `first` (UTC text) for so many days, each step one row.

    jd_tdb [day], sub_solar_latitude_deg, sub_earth_latitude_deg, sun_distance_au,
    earth_distance_au, phase_deg: angle between Sun and Earth seen from the body.
    """
    if not (step_days > 0.0 and 0.0 <= days < math.inf and days / step_days < MOST_DATES):
        found = f"{days:g} days in steps of {step_days:g}"
        raise ConfigError(
            "calendar",
            found,
            f"0 days or more, steps above 0, up to {MOST_DATES} dates",
            "--step-days 10",
        )
    dates = (
        float(julian_dates(first)) + np.arange(math.floor(days / step_days + 1e-9) + 1) * step_days
    )
    if dates[-1] > J2000_JD + CENTURY:
        found = f"{days:g} days from {first}"
        raise ConfigError("calendar", found, f"up to the end of {LATEST}", "fewer --days")
    sun, earth = sun_vectors(orbit, dates), earth_vectors(orbit, dates)
    sun_A, earth_A = (directions_in_body(pole, vectors, dates) for vectors in (sun, earth))
    cosine = np.clip(np.einsum("ni,ni->n", sun_A, earth_A), -1.0, 1.0)
    return {
        "jd_tdb": dates,
        "sub_solar_latitude_deg": np.degrees(latitudes(sun_A)),
        "sub_earth_latitude_deg": np.degrees(latitudes(earth_A)),
        "sun_distance_au": np.linalg.norm(sun, axis=1),
        "earth_distance_au": np.linalg.norm(earth, axis=1),
        "phase_deg": np.degrees(np.arccos(cosine)),
    }
