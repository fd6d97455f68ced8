"""Coefficients of a harmonic surface as a small text file, one line per degree and order.

    # spherical-harmonic surface
    # normalisation: full            or: none, the functions of Eq. (2.7) without (-1)^k
    # unit: m                        or km, cm, mm; of the centre too
    # centre: 0.0 0.0 0.0
    degree,order,cosine,sine
    0,0,244.2,0.0
    1,0,...

Every degree and order up to the highest is there once. Source of the series: [VanWal2018].
"""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import numpy as np

from haptos.core.errors import GeometryError
from haptos.core.input_files import input_file
from haptos.core.units import LENGTH_UNITS, LengthUnit
from haptos.core.whole_files import write_whole
from haptos.geometry.shape.legendre import LARGEST_DEGREE, row_of, rows
from haptos.geometry.shape.spherical_harmonics import HarmonicSurface

CITES: tuple[str, ...] = ("VanWal2018",)

TITLE = "# spherical-harmonic surface"
COLUMNS = "degree,order,cosine,sine"
KEYS = ("normalisation", "unit", "centre")
LARGEST_FILE = 50_000_000  # [byte]; degree 720 is about 15 MB
MODEL = "write one with write_harmonics and compare"


def write_harmonics(path: str | Path, surface: HarmonicSurface, *, normalised: bool = True) -> Path:
    """Write the coefficients [m], whole or not at all; they read back to the last bit."""
    cosine, sine = (surface.cosine, surface.sine) if normalised else surface.unnormalised()
    centre = " ".join(repr(float(value)) for value in surface.centre)
    head = [
        TITLE,
        f"# normalisation: {'full' if normalised else 'none'}",
        "# unit: m",
        f"# centre: {centre}",
        COLUMNS,
    ]
    j, k = rows(surface.degree)
    lines = [
        f"{n},{m},{float(cosine[n, m])!r},{float(sine[n, m])!r}" for n, m in zip(j, k, strict=True)
    ]
    return write_whole(path, "\n".join([*head, *lines]) + "\n")


def read_harmonics(path: str | Path) -> HarmonicSurface:
    """Surface of a coefficient file, in metres; anything missing, doubled or unclear is refused."""
    file = Path(path)
    lines = _lines(file)
    keys, start = _head(file, lines)
    values: dict[int, tuple[float, float]] = {}
    for number, line in enumerate(lines[start:], start=start + 1):
        if line.strip() and not line.startswith("#"):
            row, pair = _row(f"{file} line {number}", line)
            if row in values:
                raise _refusal(
                    f"{file} line {number}", "a degree and order given before", "each once"
                )
            values[row] = pair
    if not values:
        raise _refusal(str(file), "no coefficients", "at least degree 0")
    degree = _degree_of(max(values))
    missing = sorted(set(range(row_of(degree + 1, 0))) - set(values))
    if missing:
        j, k = (index[missing[0]] for index in rows(degree))
        found = f"no line for degree {j}, order {k}, of {len(missing)} that are missing"
        raise _refusal(str(file), found, f"every degree and order up to {degree}, zeros too")
    return _surface(file, keys, degree, np.array([values[row] for row in sorted(values)]))


def _degree_of(row: int) -> int:
    """Degree of a row of a Legendre table."""
    return int((np.sqrt(8.0 * row + 1.0) - 1.0) / 2.0)


def _surface(file: Path, keys: dict[str, str], degree: int, pairs: np.ndarray) -> HarmonicSurface:
    unit = keys["unit"]
    if unit not in LENGTH_UNITS:
        raise _refusal(f"{file} unit", f"'{unit}'", ", ".join(get_args(LengthUnit)))
    scale = LENGTH_UNITS[unit]
    try:
        centre = scale * np.array([float(word) for word in keys["centre"].split()])
    except ValueError:
        centre = np.empty(0)
    if centre.shape != (3,) or not np.all(np.isfinite(centre)):
        raise _refusal(f"{file} centre", f"'{keys['centre'][:60]}'", "three finite numbers")
    cosine, sine = np.zeros((degree + 1, degree + 1)), np.zeros((degree + 1, degree + 1))
    j, k = rows(degree)
    cosine[j, k], sine[j, k] = scale * pairs.T
    if keys["normalisation"] == "none":
        return HarmonicSurface.from_unnormalised(cosine, sine, centre)
    if keys["normalisation"] != "full":
        raise _refusal(f"{file} normalisation", f"'{keys['normalisation'][:60]}'", "full, none")
    return HarmonicSurface(cosine, sine, centre)


def _lines(file: Path) -> list[str]:
    input_file(file, "a file of coefficients", LARGEST_FILE, error=GeometryError)
    try:
        return file.read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError as error:
        raise _refusal(
            str(file), "bytes that are not text", "a text file of coefficients"
        ) from error
    except OSError as error:
        hint = "check its permissions"
        raise GeometryError(str(file), f"an unreadable file ({error})", "a file", hint) from error


def _head(file: Path, lines: list[str]) -> tuple[dict[str, str], int]:
    """Keys above the columns, and the first line below them."""
    if not lines or lines[0].strip() != TITLE:
        raise _refusal(f"{file} line 1", f"'{lines[0][:60] if lines else ''}'", f"'{TITLE}'")
    keys: dict[str, str] = {}
    for number, line in enumerate(lines[1:], start=2):
        if line.strip() == COLUMNS:
            missing = [key for key in KEYS if key not in keys]
            if missing:
                raise _refusal(
                    str(file), f"no line '# {missing[0]}: ...'", f"the keys {', '.join(KEYS)}"
                )
            return keys, number
        key, colon, value = line.removeprefix("#").partition(":")
        if not line.startswith("#") or not colon or key.strip() not in KEYS:
            raise _refusal(
                f"{file} line {number}", f"'{line[:60]}'", f"{', '.join(KEYS)}, or '{COLUMNS}'"
            )
        if key.strip() in keys:
            raise _refusal(
                f"{file} line {number}", f"'{key.strip()}' given before", "each key once"
            )
        keys[key.strip()] = value.strip()
    raise _refusal(str(file), "no line of column names", f"'{COLUMNS}'")


def _row(where: str, line: str) -> tuple[int, tuple[float, float]]:
    """Row of a Legendre table and its two coefficients."""
    words = line.split(",")
    try:
        if len(words) != 4:
            raise ValueError("four columns")
        degree, order = int(words[0]), int(words[1])
        cosine, sine = float(words[2]), float(words[3])
    except ValueError as error:
        raise _refusal(where, f"'{line[:60]}'", "degree,order,cosine,sine as numbers") from error
    if not 0 <= order <= degree <= LARGEST_DEGREE:
        raise _refusal(
            where, f"degree {degree}, order {order}", f"0 <= order <= degree <= {LARGEST_DEGREE}"
        )
    if not (np.isfinite(cosine) and np.isfinite(sine)):
        raise _refusal(where, f"'{line[:60]}'", "finite coefficients")
    if order == 0 and sine != 0.0:
        raise _refusal(where, f"a sine coefficient {sine} of order 0", "0, there is no such wave")
    return row_of(degree, order), (cosine, sine)


def _refusal(where: str, found: str, allowed: str) -> GeometryError:
    return GeometryError(where, found, allowed, MODEL)
