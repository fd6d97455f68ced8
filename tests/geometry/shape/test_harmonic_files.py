"""Coefficient files: the same bits back, and every mistake reported."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from haptos.core.errors import GeometryError
from haptos.geometry.shape.harmonic_files import read_harmonics, write_harmonics
from haptos.geometry.shape.spherical_harmonics import HarmonicSurface
from tests.close import assert_close
from tests.geometry.shape.test_spherical_harmonics import random_coefficients

SURFACE = HarmonicSurface(*random_coefficients(5), (1.0, -2.0, 0.25))


def test_normalised_files_read_back_to_the_last_bit(tmp_path: Path):
    back = read_harmonics(write_harmonics(tmp_path / "body.csv", SURFACE))
    for name in ("cosine", "sine", "centre"):
        assert np.array_equal(getattr(back, name), getattr(SURFACE, name))


def test_unnormalised_files_and_other_units_read_back(tmp_path: Path):
    file = write_harmonics(tmp_path / "body.csv", SURFACE, normalised=False)
    assert_close(read_harmonics(file).cosine, SURFACE.cosine, rtol=1e-15)
    file.write_text(file.read_text().replace("unit: m", "unit: km"))
    assert_close(read_harmonics(file).sine, 1e3 * SURFACE.sine, rtol=1e-15)
    assert_close(read_harmonics(file).centre, 1e3 * SURFACE.centre, rtol=1e-15)


MISTAKES = {
    "title": (lambda t: t.replace("# spherical", "# special"), "line 1"),
    "unit": (lambda t: t.replace("unit: m", "unit: mile"), "'mile'"),
    "no unit": (lambda t: t.replace("# unit: m\n", ""), "'# unit: ...'"),
    "centre": (lambda t: t.replace("centre: 1.0", "centre: one"), "three finite numbers"),
    "normalisation": (lambda t: t.replace("n: full", "n: half"), "full, none"),
    "stranger": (lambda t: t.replace("# unit", "# colour: red\n# unit"), "colour"),
    "key twice": (lambda t: t.replace("# unit: m", "# unit: m\n# unit: m"), "given before"),
    "columns": (lambda t: t.replace("degree,order", "n,m"), "degree,order,cosine,sine"),
    "row twice": (lambda t: t + "5,5,0.0,0.0\n", "given before"),
    "row missing": (lambda t: t.replace("\n2,1,", "\n#"), "degree 2, order 1"),
    "order": (lambda t: t + "6,7,0.0,0.0\n", "order 7"),
    "words": (lambda t: t + "6,six,0.0,0.0\n", "as numbers"),
    "short row": (lambda t: t + "6,6,0.0\n", "as numbers"),
    "not finite": (lambda t: t + "6,6,nan,0.0\n", "finite"),
    "sine of order 0": (lambda t: t + "6,0,0.0,1.0\n", "no such wave"),
    "empty": (lambda _: "", "line 1"),
    "no rows": (lambda t: t[: t.index("0,0,")], "no coefficients"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes_are_told(tmp_path: Path, mistake: str):
    spoil, words = MISTAKES[mistake]
    file = write_harmonics(tmp_path / "body.csv", SURFACE)
    spoiled = spoil(file.read_text())
    assert spoiled != file.read_text()
    file.write_text(spoiled)
    with pytest.raises(GeometryError) as refusal:
        read_harmonics(file)
    assert words in str(refusal.value)


def test_files_that_are_none_are_told(tmp_path: Path):
    with pytest.raises(GeometryError, match="no such file"):
        read_harmonics(tmp_path / "nothing.csv")
    with pytest.raises(GeometryError, match="a directory"):
        read_harmonics(tmp_path)
    (tmp_path / "noise.csv").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(GeometryError, match="not text"):
        read_harmonics(tmp_path / "noise.csv")
