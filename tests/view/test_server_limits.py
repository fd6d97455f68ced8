"""The viewer's server gives no request more than its time."""

from __future__ import annotations

import http.client
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from haptos.view import server as module
from haptos.view.server import ViewerServer


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ViewerServer]:
    monkeypatch.setattr(module, "REQUEST_TIME", 0.5)
    monkeypatch.setattr(module, "WORK_TIME", 0.2)
    made = ViewerServer(tmp_path, "title", lambda: b"scene", lambda index: b"run")
    thread = threading.Thread(target=made.serve_forever, daemon=True)
    thread.start()
    yield made
    made.shutdown()
    made.server_close()
    thread.join(timeout=5)


def seconds_until_closed(server: ViewerServer, drip: bytes) -> float:
    """How long the server keeps a connection that sends one byte now and then."""
    began = time.monotonic()
    with socket.create_connection(("127.0.0.1", server.server_address[1]), timeout=10) as link:
        link.settimeout(0.1)
        while time.monotonic() - began < 8.0:
            try:
                if drip:
                    link.sendall(drip)
                if link.recv(1) == b"":
                    break
            except TimeoutError:
                continue
            except OSError:
                break
    return time.monotonic() - began


@pytest.mark.parametrize("drip", [b"", b"x"])
def test_a_request_that_never_ends_is_ended(server: ViewerServer, drip: bytes) -> None:
    assert seconds_until_closed(server, drip) < 5.0


def asked(server: ViewerServer, path: str) -> int:
    port = server.server_address[1]
    link = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    link.request("GET", path, headers={"Host": f"127.0.0.1:{port}"})
    answer = link.getresponse()
    answer.read()
    link.close()
    return answer.status


def test_a_request_does_not_wait_for_another_for_ever(server: ViewerServer) -> None:
    assert asked(server, "/run/1") == 200
    with server._work:
        assert asked(server, "/run/2") == 503
    assert asked(server, "/run/2") == 200
