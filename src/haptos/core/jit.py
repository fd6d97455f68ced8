"""How kernels are compiled: device functions inline, entry points are cached on disk.

A *device* function is plain Python on scalars and tuples; called from Python it is itself, called
from an entry point it is inlined. A *routine* is the same for large bodies: compiled once and
called, since inlining a long function at every call costs seconds of compiling and saves nothing.
A *reduction* is a routine whose sums are taken in any order.
An *entry* point is what Python calls: compiled once, releases the GIL. Numba's cache sees only the
file of the entry point, so the cache directory is keyed by a hash of that file and of all it
imports; an edit to one of them gives a new directory, and an edit elsewhere compiles nothing anew.
Files in it are checked before they are used (`kernel_cache.py`). An *uncounted entry* counts no
references to arrays, and so makes none; a *lookup* is a device function that returns a view of an
array.
"""

from __future__ import annotations

import functools
import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import numba
import numpy
from numba import njit
from numba.core.ccallback import CFunc
from numba.core.sigutils import normalize_signature
from numba.extending import register_jitable

from haptos.core import late_optimisation
from haptos.core.kernel_cache import KernelCache
from haptos.core.sources import kernel_hash

Function = TypeVar("Function", bound=Callable[..., Any])

late_optimisation.install()

# Called from Python these are the plain functions, so the C wrapper Numba would add is never used.
_OPTIONS: dict[str, Any] = {"error_model": "numpy", "no_cfunc_wrapper": True}
device: Callable[[Function], Function] = register_jitable(forceinline=True, **_OPTIONS)
routine: Callable[[Function], Function] = register_jitable(**_OPTIONS)

# A routine that adds up many numbers in any order, so that it runs in vectors. Its last bits
# are those of the machine's vectors.
reduction: Callable[[Function], Function] = register_jitable(
    fastmath={"reassoc", "nsz"}, **_OPTIONS
)

# A device function that returns a view. Numba refuses that to functions that do not count references, so
# this one may count; a view has nothing to count.
lookup: Callable[[Function], Function] = register_jitable(forceinline=True, _nrt=True, **_OPTIONS)

# NUMBA_DISABLE_JIT=1 runs every kernel as plain Python: slow, and open to any debugger.
IS_PLAIN_PYTHON = bool(numba.config.DISABLE_JIT)

KEPT_CACHES = 4  # older source hashes are pruned; a few allow switching between versions


def cache_root() -> Path:
    """Directory under which every kernel has its own."""
    home = os.environ.get("HAPTOS_CACHE_DIR") or os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(home).expanduser() / "haptos" / "kernels"


@functools.cache
def cache_directory(source: Path) -> Path:
    """Directory for what is compiled in a file, of exactly these sources; else a temporary one."""
    kernels = cache_root() / f"{source.parent.name}.{source.stem}"
    here = kernels / f"{kernel_hash(source)}-numba-{numba.__version__}"
    try:
        here.mkdir(parents=True, exist_ok=True)
        os.utime(here)
        tempfile.TemporaryFile(dir=here).close()
    except OSError as error:
        return _passing_directory(f"{kernels.parent} cannot be written ({error.strerror})")
    _prune(kernels)
    return here


@functools.cache
def _passing_directory(why: str) -> Path:
    print(f"haptos: {why}; kernels compile anew each time. Set HAPTOS_CACHE_DIR.", file=sys.stderr)
    return Path(tempfile.mkdtemp(prefix="haptos-kernels-"))


def _prune(root: Path) -> None:
    with suppress(OSError):  # another process may prune at the same time
        by_age = sorted(root.iterdir(), key=lambda path: path.stat().st_mtime, reverse=True)
        for stale in by_age[KEPT_CACHES:]:
            shutil.rmtree(stale, ignore_errors=True)


def entry(function: Function) -> Function:
    """Compile on first call, cached on disk, GIL released; the only functions called from Python."""
    return _cached(njit(nogil=True, error_model="numpy")(function), function)


def uncounted_entry(function: Function) -> Function:
    """As `entry`, for a kernel that makes no arrays: references to those it is given are not counted.

    Counting took a third of the lander's time, since every function that is called with a record of
    arrays counts each of them, in and out. What the kernel calls is compiled in the same way, so
    nothing in it may make an array; the caller holds all of them.
    """
    return _cached(njit(nogil=True, error_model="numpy", _nrt=False)(function), function)


def callback(signature: Any, function: Callable[..., Any]) -> Any:
    """The function compiled now, cached on disk, to be called by its address; counts no references."""
    options = {"error_model": "numpy", "_nrt": False}
    made = CFunc(function, normalize_signature(signature), locals={}, options=options)
    _cached(made, function).compile()
    return made


def _cached(made: Any, function: Callable[..., Any]) -> Any:
    """What Numba made of a function, with our cache; in plain Python the function itself."""
    if not IS_PLAIN_PYTHON:
        made._cache = KernelCache(function, cache_directory(Path(function.__code__.co_filename)))
    return made


def named_rows(rows: Any) -> Any:
    """A table of named fields for a kernel; plain Python finds fields in a special kind of array."""
    return rows.view(numpy.recarray) if IS_PLAIN_PYTHON else rows
