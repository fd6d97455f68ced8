"""Numbers as people read them: a few digits, and no power of ten where it helps nobody."""

from __future__ import annotations

LARGEST_PLAIN = 1e6  # numbers below it are written without a power of ten


def short_number(number: float, digits: int = 3) -> str:
    """So many digits, without a power of ten up to a million; a dash for what is not known."""
    text = f"{number:.{digits}g}"
    if "e+" in text and abs(number) < LARGEST_PLAIN:
        return f"{float(text):.0f}"
    return text.replace("nan", "–")
