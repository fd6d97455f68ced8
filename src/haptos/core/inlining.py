"""Routines that stay functions, whatever calls them.

The inlining that a device function asks for is passed on by Numba to everything it calls: a `routine` of `core/jit.py` below a
device function is copied into it, and so is what that calls. A march that takes its equations as device functions would become one
function of megabytes that takes minutes to compile. A `routine` from here stays a call and is not copied,
and so do the routines it calls.
"""

from __future__ import annotations

from collections.abc import Callable

from numba.extending import register_jitable

from haptos.core.jit import _OPTIONS, Function

routine: Callable[[Function], Function] = register_jitable(forceinline=False, **_OPTIONS)
