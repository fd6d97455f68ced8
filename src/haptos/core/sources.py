"""Which sources are running: a hash of every file of the package."""

from __future__ import annotations

import functools
import hashlib
from pathlib import Path


@functools.cache
def source_hash() -> str:
    """Hash of every source file of the package, 16 hex digits; an edit anywhere changes it."""
    digest = hashlib.sha256()
    package = Path(__file__).parents[1]
    for path in sorted(package.rglob("*.py")):
        digest.update(f"{path.relative_to(package)}\0".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]
