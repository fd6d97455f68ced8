"""The checksum of every file that is read back: SHA-256 of its name and its content.

The name is part of it, so that a file in another's place is refused as a damaged one is.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hashlib import _Hash

DIGEST_SIZE = 32  # [byte]


def checksum_of(name: str) -> _Hash:
    """Checksum of a file of this name, to be updated with its content."""
    encoded = name.encode()
    return hashlib.sha256(b"haptos %d " % len(encoded) + encoded)


def digest_of(name: str, *parts: bytes | memoryview) -> bytes:
    """Checksum of a file of this name with this content, DIGEST_SIZE bytes."""
    digest = checksum_of(name)
    for part in parts:
        digest.update(part)
    return digest.digest()
