"""Compiling the kernels of a scenario from nothing takes at most 60 s of CPU, of all scenarios 6 minutes.

Every scenario runs for a moment in a process of its own, all with one cache that is empty at the start. A kernel
that several scenarios need is compiled once and counted for each of them, and once in the sum.
`python benchmarks/compile_times.py docking tether` looks at some scenarios alone.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile

from _size import ended, is_small

LIMIT, LIMIT_OF_ALL = 60.0, 360.0  # [s] of CPU
SHOWN = 6  # dearest kernels of a scenario that are listed

# What a process does: note the CPU time of every kernel it compiles and the name of every kernel it loads.
OBSERVED = """
import json, sys, time
from haptos.core import kernel_cache
seconds, loaded, begun = {}, [], [time.process_time()]
load, save = kernel_cache.KernelCache.load_overload, kernel_cache.KernelCache.save_overload

def named(cache):
    return cache._impl.filename_base.rsplit("-", 1)[0]

def loading(cache, signature, target):
    found = load(cache, signature, target)
    if found is None:
        begun.append(time.process_time())
    else:
        loaded.append(named(cache))
    return found

def saving(cache, signature, compiled):
    spent = time.process_time() - begun.pop()
    seconds[named(cache)] = seconds.get(named(cache), 0.0) + spent
    for earlier in range(len(begun)):
        begun[earlier] += spent  # what was compiled meanwhile is its own
    save(cache, signature, compiled)

kernel_cache.KernelCache.load_overload, kernel_cache.KernelCache.save_overload = loading, saving
from haptos.cli.warmup import warm
warm(sys.argv[1])
print(json.dumps([seconds, loaded]))
"""


def observed(scenario: str, cache: str) -> tuple[dict[str, float], list[str]]:
    """(CPU seconds of each kernel compiled, names of those loaded) of one scenario's warm-up."""
    place = {} if is_small() else {"HAPTOS_CACHE_DIR": cache}  # small: what is compiled already
    done = subprocess.run(
        [sys.executable, "-c", OBSERVED, scenario],
        env={**os.environ, **place}, stdout=subprocess.PIPE, text=True, check=True,
    )  # fmt: skip
    seconds, loaded = json.loads(done.stdout.splitlines()[-1])
    return seconds, loaded


def main() -> int:
    from haptos.scenarios.registry import scenarios

    asked = [name for name in sys.argv[1:] if not name.startswith("-")]
    names = asked or (["liftoff"] if is_small() else list(scenarios()))
    spent: dict[str, float] = {}
    is_missed = False
    print(f"{'scenario':14s} {'CPU':>7s}   limit {LIMIT:.0f} s   dearest kernels")
    with tempfile.TemporaryDirectory(prefix="haptos-compile-") as cache:
        for name in names:
            seconds, loaded = observed(name, cache)
            spent |= seconds
            mine = {kernel: spent.get(kernel, 0.0) for kernel in {*seconds, *loaded}}
            total = sum(mine.values())
            is_missed |= total > LIMIT
            dearest = sorted(mine.items(), key=lambda each: -each[1])[:SHOWN]
            text = ", ".join(f"{kernel} {cpu:.1f}" for kernel, cpu in dearest)
            print(f"{name:14s} {total:7.1f} s  {'missed' if total > LIMIT else 'held':8s} {text}", flush=True)  # fmt: skip
    whole = sum(spent.values())
    print(f"{'all':14s} {whole:7.1f} s  limit {LIMIT_OF_ALL:.0f} s")
    return int(is_missed or whole > LIMIT_OF_ALL)


if __name__ == "__main__":
    raise SystemExit(ended(main()))
