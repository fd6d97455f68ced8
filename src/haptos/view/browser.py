"""Pages in the browser, where there is a screen to see them on."""

from __future__ import annotations

import os
import sys
import webbrowser
from pathlib import Path


def open_page(page: Path) -> None:
    """Open a page in the browser; without a screen, nothing happens."""
    open_address(page.resolve().as_uri())


def open_address(address: str) -> None:
    """Open an address in the browser; without a screen, nothing happens."""
    if has_display():
        webbrowser.open(address)


def has_display() -> bool:
    """Whether a browser window could be seen by anyone."""
    if sys.platform in ("win32", "darwin"):
        return "SSH_CONNECTION" not in os.environ
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
