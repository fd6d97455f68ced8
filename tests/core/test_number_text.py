"""Numbers for readers: digits kept, powers of ten only where numbers are huge or tiny."""

from __future__ import annotations

import pytest

from haptos.core.number_text import short_number


@pytest.mark.parametrize(
    ("number", "digits", "text"),
    [
        (4876.3, 3, "4880"),
        (12361.7, 4, "12360"),
        (999_999.0, 4, "1000000"),
        (2.5e6, 3, "2.5e+06"),
        (-1234.5, 3, "-1230"),
        (0.01234, 3, "0.0123"),
        (3e-7, 3, "3e-07"),
        (float("nan"), 3, "–"),
        (float("inf"), 3, "inf"),
    ],
)
def test_short_numbers(number: float, digits: int, text: str) -> None:
    assert short_number(number, digits) == text
