"""Importing haptos costs less than importing NumPy alone, and less than half a second."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time

from _size import ended, sized

REPEATS = sized(5, 2)
LIMIT = 0.5  # [s] for `import haptos`; a wait nobody notices


def seconds(code: str) -> tuple[float, float]:
    """(median, error of it) of the wall time of a fresh interpreter that runs `code` [s]."""
    times = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        subprocess.run([sys.executable, "-c", code], check=True)
        times.append(time.perf_counter() - start)
    times.sort()
    return statistics.median(times), 0.5 * (times[-2] - times[1])


def main() -> int:
    empty, blur = seconds("pass")
    reported = {}
    for name, module in (("import haptos", "haptos"), ("import numpy", "numpy"), ("the command line", "haptos.cli.main")):  # fmt: skip
        whole, error = seconds(f"import {module}")
        reported[module] = whole - empty
        print(f"{name:18s} {reported[module]:8.3f} s   error {blur + error:.3f} s")
    ours, numpy = reported["haptos"], reported["numpy"]
    print(f"haptos / numpy = {ours / numpy:.3f}, limit 1; haptos {ours:.3f} s, limit {LIMIT} s")
    return int(ours > numpy or ours > LIMIT)


if __name__ == "__main__":
    raise SystemExit(ended(main()))
