"""Entry points whose kernels count no references to arrays.

Numba counts who holds an array: a function that is called, not inlined, counts every array of every
tuple it is given up on entry and down on return, with atomic additions. For a kernel whose tuples
hold a hundred arrays that is half a microsecond per call, more than most calls of it compute. Without counts
nothing may be allocated in the kernel, and no array returned from it; arrays belong to whoever calls.
The functions it calls go without, too, as long as they ask for nothing else.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from numba import njit

from haptos.core.jit import our_cache

Function = TypeVar("Function", bound=Callable[..., Any])


def uncounted_entry(function: Function) -> Function:
    """As `entry`: compiled on first call, cached on disk, GIL released; counts no references."""
    with our_cache(function):
        return njit(cache=True, nogil=True, error_model="numpy", _nrt=False)(function)
