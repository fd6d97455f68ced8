"""CPU seconds of the tests by file: python -m pytest -p tests.cpu_times ...; child processes are counted.

Under several workers (-n) each prints into a file of its own, and the first to end does not wait for the others:
`python -m tests.cpu_times DIR` joins what lies in the directory that HAPTOS_TEST_TIMES named.
"""

from __future__ import annotations

import collections
import json
import os
import sys
from pathlib import Path

import pytest

SHOWN = 40
_SECONDS: dict[str, float] = collections.defaultdict(float)


def spent() -> float:
    """CPU seconds of this process and of the children it waited for."""
    return sum(os.times()[:4])


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item, nextitem):
    before = spent()
    done = yield
    _SECONDS[item.nodeid] += spent() - before
    return done


def pytest_sessionfinish(session):
    where = os.environ.get("HAPTOS_TEST_TIMES")
    if where and _SECONDS:
        Path(where).mkdir(parents=True, exist_ok=True)
        Path(where, f"{os.getpid()}.json").write_text(json.dumps(_SECONDS))


def pytest_terminal_summary(terminalreporter):
    if _SECONDS:
        terminalreporter.write_line(table(_SECONDS))


def table(seconds: dict[str, float]) -> str:
    """Files by their CPU seconds, the dearest first, then the tests."""
    files: dict[str, float] = collections.defaultdict(float)
    for name, spent_s in seconds.items():
        files[name.split("::")[0]] += spent_s
    lines = [f"CPU seconds of tests: {sum(files.values()):.1f}, {len(seconds)} tests"]
    for part in (files, seconds):
        dearest = sorted(part.items(), key=lambda each: -each[1])[:SHOWN]
        lines += ["", *(f"{spent_s:9.2f}  {name}" for name, spent_s in dearest)]
    return "\n".join(lines)


if __name__ == "__main__":
    joined: dict[str, float] = {}
    for path in sorted(Path(sys.argv[1]).glob("*.json")):
        joined |= json.loads(path.read_text())
    print(table(joined))
