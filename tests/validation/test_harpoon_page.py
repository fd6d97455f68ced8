"""The page of harpoons: all rows hold, and the page has them all."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.validation.harpoons import CASES

PAGE = Path(__file__).parents[2] / "docs" / "validation" / "harpoons.md"


@pytest.mark.parametrize("name", CASES)
def test_rows_hold_and_stand_on_the_page(name: str) -> None:
    page = PAGE.read_text(encoding="utf-8")
    for row in CASES[name]():
        assert row.holds, row
        assert f"| {row.what} |" in page
