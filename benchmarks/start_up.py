"""Importing haptos costs less than importing NumPy alone."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time

REPEATS = 5


def seconds(code: str) -> float:
    """Median wall time of a fresh interpreter that runs `code` [s]."""
    times = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        subprocess.run([sys.executable, "-c", code], check=True)
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def main() -> int:
    empty = seconds("pass")
    ours = seconds("import haptos") - empty
    numpy = seconds("import numpy") - empty
    commands = seconds("import haptos.cli.main") - empty
    print(f"import haptos       {ours:8.3f} s")
    print(f"import numpy        {numpy:8.3f} s   haptos / numpy = {ours / numpy:.3f}")
    print(f"the command line    {commands:8.3f} s")
    return int(ours > numpy)


if __name__ == "__main__":
    raise SystemExit(main())
