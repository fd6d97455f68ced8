"""A web server for one result directory, for this machine only.

It answers on 127.0.0.1 alone, to requests that name it so (a page of a stranger cannot make the browser
ask in another name), and only with the viewer, scenes, and files of its directory.
"""

from __future__ import annotations

import io
import mimetypes
import re
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from haptos.core.errors import HaptosError
from haptos.view.viewer_page import policy, viewer_page, viewer_scripts

ADDRESS = "127.0.0.1"
KEPT_RUNS = 16
REQUEST_TIME = (
    20.0  # [s] for a request to come in whole, and for each piece of the answer to go out
)
WORK_TIME = 120.0  # [s] a request waits for the simulation of another
RUN = re.compile(r"/run/([0-9]{1,9})")
BINARY = "application/octet-stream"
# A report runs its own scripts as a page apart, which can ask this server for nothing.
FILE_RULES = (
    "sandbox allow-scripts allow-downloads; default-src 'none'; script-src 'unsafe-inline'; "
    "style-src 'unsafe-inline'; img-src data: blob:; font-src data:"
)


class ViewerServer(ThreadingHTTPServer):
    """Serves the viewer of one result.

    scene   gives the packet of the whole
    run     gives that of one run, None for one that is not there; None if there are no runs
    """

    daemon_threads = True

    def __init__(
        self,
        directory: Path,
        title: str,
        scene: Callable[[], bytes],
        run: Callable[[int], bytes | None] | None = None,
        port: int = 0,
    ) -> None:
        self.directory = directory.resolve()
        self.title = title
        self._work = threading.Lock()  # one simulation at a time
        self._scene = lru_cache(maxsize=1)(scene)
        self._run = None if run is None else lru_cache(maxsize=KEPT_RUNS)(run)
        try:
            super().__init__((ADDRESS, port), _Handler)
        except OSError as error:
            raise HaptosError(
                f"--port {port}",
                error.strerror or "refused",
                "a free port, or 0",
                "leave --port out",
            ) from None

    @property
    def url(self) -> str:
        return f"http://{ADDRESS}:{self.server_address[1]}/"

    def scene(self) -> bytes:
        with self._working():
            return self._scene()

    def run(self, index: int) -> bytes | None:
        """Packet of one run; None if there is no such run."""
        if self._run is None:
            return None
        with self._working():
            return self._run(index)

    @contextmanager
    def _working(self) -> Iterator[None]:
        """One simulation at a time; Busy if another takes too long."""
        if not self._work.acquire(timeout=WORK_TIME):
            raise Busy
        try:
            yield
        finally:
            self._work.release()

    def file(self, name: str) -> Path | None:
        """File of the directory by its name; None for anything outside, however it is written."""
        try:
            path = (self.directory / name).resolve()
            inside = path.is_relative_to(self.directory) and path.is_file()
        except (OSError, ValueError):
            return None
        return path if inside else None


class Busy(Exception):  # noqa: N818 - a state, not an error
    """Another run is still being simulated."""


class _Deadline(io.RawIOBase):
    """Bytes of a connection until a moment; then TimeoutError, however slowly they come."""

    def __init__(self, connection: socket.socket) -> None:
        super().__init__()
        self._connection = connection
        self.restart()

    def restart(self) -> None:
        """Allow a new request its time."""
        self._end = time.monotonic() + REQUEST_TIME

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        left = self._end - time.monotonic()
        if left <= 0.0:
            raise TimeoutError("the request took too long")
        self._connection.settimeout(left)
        try:
            return self._connection.recv_into(buffer)
        finally:
            self._connection.settimeout(REQUEST_TIME)


class _Handler(BaseHTTPRequestHandler):
    server: ViewerServer
    server_version = "haptos"
    sys_version = ""
    protocol_version = "HTTP/1.1"

    def setup(self) -> None:
        super().setup()
        self.connection.settimeout(REQUEST_TIME)
        self._incoming = _Deadline(self.connection)
        self.rfile = io.BufferedReader(self._incoming)

    def handle_one_request(self) -> None:
        self._incoming.restart()
        super().handle_one_request()  # which ends the connection after a TimeoutError

    def do_GET(self) -> None:
        if not self._is_ours():
            self._refuse(HTTPStatus.FORBIDDEN, "this server answers to its own pages only")
            return
        path = unquote(urlsplit(self.path).path)
        try:
            self._answer(path)
        except Busy:
            reason = "another run is being simulated; ask again in a while"
            self._refuse(HTTPStatus.SERVICE_UNAVAILABLE, reason)
        except HaptosError as error:
            self._refuse(HTTPStatus.INTERNAL_SERVER_ERROR, str(error))
        except (BrokenPipeError, ConnectionResetError, TimeoutError):
            self.close_connection = True
        except Exception as error:  # a fault of ours costs this answer, not the server
            reason = f"a fault of haptos, please report it ({type(error).__name__}: {error})"
            self._refuse(HTTPStatus.INTERNAL_SERVER_ERROR, reason)

    def _is_ours(self) -> bool:
        """Whether the request names this server, and does not come from the page of another."""
        port = self.server.server_address[1]
        named = self.headers.get("Host", "") in (f"{ADDRESS}:{port}", f"localhost:{port}")
        return named and self.headers.get("Sec-Fetch-Site", "none") in ("none", "same-origin")

    def _answer(self, path: str) -> None:
        if path == "/":
            page = viewer_page(self.server.title, None)
            rules = policy(viewer_scripts(), live=True) + "; frame-ancestors 'none'"
            self._send(page.encode(), "text/html; charset=utf-8", rules)
        elif path == "/scene":
            self._send(self.server.scene(), BINARY)
        elif (number := RUN.fullmatch(path)) is not None:
            packet = self.server.run(int(number[1]))
            if packet is None:
                self._refuse(HTTPStatus.NOT_FOUND, "no such run")
            else:
                self._send(packet, BINARY)
        elif path.startswith("/files/") and (file := self.server.file(path[7:])) is not None:
            kind = mimetypes.guess_type(file.name)[0] or BINARY
            self._send(file.read_bytes(), kind, FILE_RULES)
        else:
            self._refuse(HTTPStatus.NOT_FOUND, "nothing of that name")

    def _send(self, content: bytes, kind: str, rules: str | None = "default-src 'none'") -> None:
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Cross-Origin-Resource-Policy", "same-origin")
        self.send_header("Referrer-Policy", "no-referrer")
        self.send_header("Cache-Control", "no-store")
        if rules is not None:
            self.send_header("Content-Security-Policy", rules)
        self.end_headers()
        self.wfile.write(content)

    def _refuse(self, status: HTTPStatus, reason: str) -> None:
        content = f"haptos: {reason}\n".encode()
        self.send_response(status)
        self.send_header("Content-Type", "text/plain; charset=utf-8")
        self.send_header("Content-Length", str(len(content)))
        self.send_header("X-Content-Type-Options", "nosniff")
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing is printed for each request."""
