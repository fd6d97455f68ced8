"""The viewer's server answers this machine's own pages, with its own directory, and nothing else."""

from __future__ import annotations

import http.client
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from haptos.core.errors import HaptosError
from haptos.view.server import ViewerServer

FAULTS = {
    70: IndexError("list index out of range"),
    71: ZeroDivisionError("division by zero"),
    72: HaptosError("run 72", "a file that has moved", "the file", "put it back"),
}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ViewerServer]:
    inside = tmp_path / "result"
    (inside / "deep").mkdir(parents=True)
    (inside / "report.html").write_text("<p>report</p>")
    (inside / "deep" / "table.csv").write_text("1,2")
    (tmp_path / "secret.txt").write_text("secret")
    (inside / "way-out").symlink_to(tmp_path / "secret.txt")

    def run(index: int) -> bytes | None:
        if index in FAULTS:
            raise FAULTS[index]
        return None if index > 3 else b"run %d" % index

    made = ViewerServer(inside, "<b>title</b>", lambda: b"scene", run)
    thread = threading.Thread(target=made.serve_forever, daemon=True)
    thread.start()
    yield made
    made.shutdown()
    made.server_close()
    thread.join(timeout=5)


def asked(
    server: ViewerServer, path: str, method: str = "GET", **headers: str
) -> tuple[int, bytes]:
    """(status, content) of a request whose path goes out exactly as given."""
    port = server.server_address[1]
    link = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    link.putrequest(method, path, skip_host="Host" in headers)
    for name, value in headers.items():
        link.putheader(name.replace("_", "-"), value)
    link.endheaders()
    answer = link.getresponse()
    content = answer.read()
    link.close()
    return answer.status, content


def test_it_listens_to_this_machine_only(server: ViewerServer) -> None:
    assert server.server_address[0] == "127.0.0.1"


def test_it_gives_the_page_scenes_runs_and_files(server: ViewerServer) -> None:
    status, page = asked(server, "/")
    assert status == 200
    assert b"&lt;b&gt;title&lt;/b&gt; - haptos" in page
    assert asked(server, "/scene") == (200, b"scene")
    assert asked(server, "/run/2") == (200, b"run 2")
    assert asked(server, "/files/report.html") == (200, b"<p>report</p>")
    assert asked(server, "/files/deep/table.csv") == (200, b"1,2")


@pytest.mark.parametrize(
    "path",
    [
        "/files/../secret.txt",
        "/files/deep/../../secret.txt",
        "/files/%2e%2e/secret.txt",
        "/files/..%2fsecret.txt",
        "/files/%2e%2e%2fsecret.txt",
        "/files/%252e%252e/secret.txt",
        "/files//etc/passwd",
        "/files/%2fetc/passwd",
        "/files/way-out",
        "/files/deep",
        "/files/",
        "/files/report.html%00.txt",
        "/../secret.txt",
        "/secret.txt",
        "/files/..\\secret.txt",
        "//secret.txt",
        "/run/../scene/1",
        "/run/-1",
        "/run/99999999999999999999",
        "/run/4",
        "/run/1e0",
        "/run/%D9%A2",
        "/run/1000000000001",
    ],
)
def test_nothing_outside_the_directory_comes_out(server: ViewerServer, path: str) -> None:
    status, content = asked(server, path)
    assert status == 404
    assert b"secret" not in content
    assert b"root:" not in content


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:80", "127.0.0.1", "127.0.0.1.evil.example", ""]
)
def test_a_request_in_another_name_is_refused(server: ViewerServer, host: str) -> None:
    status, content = asked(server, "/scene", Host=host)
    assert status == 403
    assert content != b"scene"


def test_the_page_of_another_site_gets_nothing(server: ViewerServer) -> None:
    for site in ("cross-site", "same-site"):
        assert asked(server, "/run/1", Sec_Fetch_Site=site)[0] == 403
    assert asked(server, "/run/1", Sec_Fetch_Site="same-origin")[0] == 200


@pytest.mark.parametrize(
    ("run", "words"),
    [(70, b"IndexError: list index"), (71, b"ZeroDivisionError"), (72, b"a file that has moved")],
)
def test_a_simulation_that_fails_is_told_and_the_server_goes_on(
    server: ViewerServer, run: int, words: bytes
) -> None:
    status, content = asked(server, f"/run/{run}")
    assert status == 500
    assert content.startswith(b"haptos: ")
    assert words in content
    assert b"Traceback" not in content
    assert asked(server, "/run/2") == (200, b"run 2")


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "TRACE"])
def test_nothing_can_be_changed(server: ViewerServer, method: str) -> None:
    assert asked(server, "/", method)[0] == 501


def test_the_page_may_run_our_scripts_only(server: ViewerServer) -> None:
    port = server.server_address[1]
    link = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    link.request("GET", "/")
    answer = link.getresponse()
    rules = answer.getheader("Content-Security-Policy") or ""
    answer.read()
    link.close()
    scripts = next(part for part in rules.split("; ") if part.startswith("script-src"))
    assert "unsafe" not in scripts
    assert "sha256-" in scripts
    assert "default-src 'none'" in rules
    assert answer.getheader("X-Content-Type-Options") == "nosniff"
