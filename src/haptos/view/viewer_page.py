"""The viewer as a page: our scripts, the 3-D library and, if the page is to stand alone, the data."""

from __future__ import annotations

import base64
import functools
import hashlib
from html import escape
from importlib import resources

from haptos.view.library import three_script
from haptos.view.page import STYLE_SHEET

# In the order in which they need each other.
SCRIPTS = (
    "packet.js", "theme.js", "lines.js", "items.js", "camera.js", "stage.js", "charts.js",
    "capture.js", "controls.js", "runs.js", "viewer.js", "start.js",
)  # fmt: skip
DATA = "haptos-packet"  # id of the element that holds the data


@functools.cache
def viewer_scripts() -> tuple[str, ...]:
    """The library and our scripts, each the text of one <script>."""
    folder = resources.files("haptos.view") / "web"
    own = [(folder / name).read_text(encoding="utf-8") for name in SCRIPTS]
    return (three_script(), *own)


@functools.cache
def viewer_style() -> str:
    return (resources.files("haptos.view") / "web" / "viewer.css").read_text(encoding="utf-8")


def report_scripts() -> tuple[str, ...]:
    """Scripts of a report with a viewer in it."""
    own = resources.files("haptos.view") / "web" / "figures.js"
    return (*viewer_scripts(), own.read_text(encoding="utf-8"))


def policy(scripts: tuple[str, ...], *, live: bool = False) -> str:
    """Content security policy: exactly these scripts may run, and nothing is fetched from elsewhere."""
    hashes = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in scripts]
    allowed = " ".join(f"'sha256-{value}'" for value in hashes) or "'none'"
    reach = "'self'" if live else "'none'"
    return (
        f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; "
        f"img-src data: blob:; media-src blob:; connect-src {reach}; base-uri 'none'; "
        "form-action 'none'"
    )


def viewer_element(packet: bytes) -> str:
    """The viewer inside a page, with its data; the page must also hold the scripts after it."""
    data = base64.b64encode(packet).decode("ascii")
    return (
        f'<div data-viewer data-packet="{DATA}"></div>\n'
        f'<script type="application/octet-stream" id="{DATA}">{data}</script>'
    )


def script_elements(scripts: tuple[str, ...]) -> str:
    return "\n".join(f"<script>{text}</script>" for text in scripts)


def viewer_page(title: str, packet: bytes | None) -> str:
    """A page that is all viewer; without a packet it asks the server it came from for one."""
    scripts = viewer_scripts()
    body = viewer_element(packet) if packet is not None else "<div data-viewer></div>"
    return "\n".join(
        [
            '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{policy(scripts, live=packet is None)}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<link rel="icon" href="data:,">',
            f"<title>{escape(title)} - haptos</title>",
            f"<style>{STYLE_SHEET}\n{viewer_style()}</style>\n</head>",
            f'<body class="whole-page">\n{body}',
            script_elements(scripts),
            "</body>\n</html>\n",
        ]
    )
