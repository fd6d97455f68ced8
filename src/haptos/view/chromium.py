"""A Chromium without a window, driven over a pipe: for pictures of the viewer, and for its tests.

Speaks the DevTools protocol over the two pipes of --remote-debugging-pipe, so it needs no package.
"""

from __future__ import annotations

import base64
import contextlib
import json
import os
import select
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
# A graphics card is not there to be had in tests; SwiftShader draws with the processor.
OPTIONS = (
    "--headless=new", "--use-gl=angle", "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader", "--hide-scrollbars", "--mute-audio", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--disable-dev-shm-usage", "--disable-extensions", "--force-color-profile=srgb",
    "--remote-debugging-pipe",
)  # fmt: skip


def chromium_path() -> str | None:
    """Program of a Chromium on this machine; HAPTOS_CHROMIUM names one in another place."""
    named = os.environ.get("HAPTOS_CHROMIUM")
    if named:
        return named if Path(named).is_file() else None
    return next((path for name in NAMES if (path := shutil.which(name))), None)


def options() -> tuple[str, ...]:
    """Options of the browser; its sandbox is left out for root alone, whom it refuses."""
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    return (*OPTIONS, "--no-sandbox") if is_root else OPTIONS


class PageError(Exception):
    """What a page or the browser refused to do."""


class Tab:
    """One page: go somewhere, ask it something, look at it. Collects its complaints and requests."""

    def __init__(self, browser: Chromium, session: str) -> None:
        self._browser, self._session = browser, session
        self.complaints: list[str] = []  # errors and warnings on the console, exceptions
        self.requests: list[str] = []  # addresses asked for
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.send(f"{domain}.enable")

    def send(self, method: str, **parameters: Any) -> dict[str, Any]:
        return self._browser.send(method, self._session, parameters)

    def resize(self, width: int, height: int, *, dark: bool = False) -> None:
        """Size of the page [pixels], and whether its reader likes it dark."""
        self.send(
            "Emulation.setDeviceMetricsOverride",
            width=width, height=height, deviceScaleFactor=1, mobile=False,
        )  # fmt: skip
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.send("Emulation.setEmulatedMedia", features=[scheme])

    def go(self, address: str) -> None:
        reply = self.send("Page.navigate", url=address)
        if reply.get("errorText"):
            raise PageError(f"{address}: {reply['errorText']}")

    def ask(self, expression: str) -> Any:
        """Value of a JavaScript expression, of a promise once it is kept."""
        reply = self.send(
            "Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True
        )
        if "exceptionDetails" in reply:
            thrown = reply["exceptionDetails"]
            about = thrown.get("exception", {}).get("description") or thrown.get("text")
            raise PageError(str(about))
        return reply["result"].get("value")

    def wait(self, expression: str, seconds: float = 60.0) -> None:
        """Wait until an expression holds."""
        end = time.monotonic() + seconds
        while not self.ask(expression):
            if time.monotonic() > end:
                raise PageError(f"still not so after {seconds:g} s: {expression}")
            time.sleep(0.05)

    def picture(self) -> bytes:
        """The page as a PNG."""
        return base64.b64decode(self.send("Page.captureScreenshot", format="png")["data"])

    def close(self) -> None:
        """Close the page; nothing can be asked of it afterwards."""
        self._browser.close(self._session)

    def click(self, x: float, y: float) -> None:
        for kind in ("mousePressed", "mouseReleased"):
            self.send(
                "Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1
            )  # fmt: skip

    def note(self, method: str, given: dict[str, Any]) -> None:
        """Keep what the browser says about the page."""
        if method == "Network.requestWillBeSent":
            self.requests.append(given["request"]["url"])
        elif method == "Runtime.exceptionThrown":
            thrown = given["exceptionDetails"]
            about = thrown.get("exception", {}).get("description") or thrown.get("text")
            self.complaints.append(str(about))
        elif method == "Runtime.consoleAPICalled" and given["type"] in ("error", "assert"):
            words = [str(part.get("value", part.get("description"))) for part in given["args"]]
            self.complaints.append(" ".join(words))
        elif method == "Log.entryAdded" and given["entry"]["level"] == "error":
            self.complaints.append(f"{given['entry']['text']} {given['entry'].get('url', '')}")


class Chromium:
    """A running browser; `chromium()` starts and ends one."""

    def __init__(self, read: int, write: int) -> None:
        self._read, self._write = read, write
        self._buffer = b""
        self._count = 0
        self._tabs: dict[str, Tab] = {}
        self._targets: dict[str, str] = {}

    def tab(self, width: int = 1280, height: int = 800, *, dark: bool = False) -> Tab:
        """A new empty page."""
        target = self.send("Target.createTarget", None, {"url": "about:blank"})["targetId"]
        given = {"targetId": target, "flatten": True}
        session = self.send("Target.attachToTarget", None, given)["sessionId"]
        made = Tab(self, session)
        self._tabs[session], self._targets[session] = made, target
        made.resize(width, height, dark=dark)
        return made

    def close(self, session: str) -> None:
        """Close one page."""
        self.send("Target.closeTarget", None, {"targetId": self._targets.pop(session)})
        del self._tabs[session]

    def send(
        self, method: str, session: str | None, parameters: dict[str, Any], seconds: float = 120.0
    ) -> dict[str, Any]:
        """Answer to one command."""
        self._count += 1
        number = self._count
        command: dict[str, Any] = {"id": number, "method": method, "params": parameters}
        if session is not None:
            command["sessionId"] = session
        os.write(self._write, json.dumps(command).encode() + b"\0")
        end = time.monotonic() + seconds
        while True:
            reply = self._next(end)
            if reply.get("id") == number:
                if "error" in reply:
                    raise PageError(f"{method}: {reply['error'].get('message')}")
                answer: dict[str, Any] = reply.get("result", {})
                return answer
            tab = self._tabs.get(reply.get("sessionId", ""))
            if tab is not None and "method" in reply:
                tab.note(reply["method"], reply.get("params", {}))

    def _next(self, end: float) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            left = end - time.monotonic()
            if left <= 0.0 or not select.select([self._read], [], [], left)[0]:
                raise PageError("the browser does not answer")
            part = os.read(self._read, 1 << 20)
            if not part:
                raise PageError("the browser has ended")
            self._buffer += part
        text, _, self._buffer = self._buffer.partition(b"\0")
        reply: dict[str, Any] = json.loads(text)
        return reply


@contextlib.contextmanager
def chromium(program: str) -> Iterator[Chromium]:
    """A browser without a window, with a fresh profile; ended and cleaned up afterwards."""
    theirs_in, ours_out = os.pipe()
    ours_in, theirs_out = os.pipe()
    # The browser reads from 3 and writes to 4, which are high enough not to be taken by the shell.
    command = f'exec "$@" 3<&{theirs_in} 4>&{theirs_out}'
    with tempfile.TemporaryDirectory(prefix="haptos-chromium-", ignore_cleanup_errors=True) as home:
        process = subprocess.Popen(
            ["bash", "-c", command, "bash", program, *options(), f"--user-data-dir={home}"],
            pass_fds=(theirs_in, theirs_out),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        os.close(theirs_in)
        os.close(theirs_out)
        browser = Chromium(ours_in, ours_out)
        try:
            yield browser
        finally:
            with contextlib.suppress(PageError, OSError):
                browser.send("Browser.close", None, {}, seconds=5.0)
            os.close(ours_out)
            try:
                process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            os.close(ours_in)
