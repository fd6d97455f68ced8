"""Names for files and elements, out of titles."""

from __future__ import annotations

import re


def slug(title: str, empty: str, longest: int | None = None) -> str:
    """Title in small letters, digits and dashes, at most `longest`; `empty` if nothing is left."""
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")[:longest].strip("-") or empty
