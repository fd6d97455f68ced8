"""Show a run or a campaign: write its report, open it where there is a screen, say where it is."""

from __future__ import annotations

import os
import sys
import tempfile
import webbrowser
from pathlib import Path

from haptos.results.campaign_summary import CampaignView
from haptos.results.result import Result
from haptos.view.report import campaign_report, run_report


def show(shown: Result | CampaignView, directory: str | Path | None = None) -> Path:
    """Path of the report, written to `directory` or to a new temporary one."""
    folder = Path(directory) if directory is not None else Path(tempfile.mkdtemp(prefix="haptos-"))
    written = (
        run_report(shown, folder) if isinstance(shown, Result) else campaign_report(shown, folder)
    )
    print(f"report: {written}")
    if has_display():
        webbrowser.open(written.resolve().as_uri())
    return written


def has_display() -> bool:
    """Whether a browser window could be seen by anyone."""
    if sys.platform in ("win32", "darwin"):
        return "SSH_CONNECTION" not in os.environ
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
