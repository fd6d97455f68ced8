"""Routines that stay functions, whatever calls them.

Numba hands the wish of a device function to be inlined on to all that it calls and compiles: a `routine` of `core/jit.py` below a
device function is copied into it, and so is what that calls. A march that takes its equations as device functions would become one
function of megabytes that takes minutes to compile. A `routine` from here says for itself that it is called, not copied,
and so do the routines it calls in turn.
"""

from __future__ import annotations

from collections.abc import Callable

from numba.extending import register_jitable

from haptos.core.jit import _OPTIONS, Function

routine: Callable[[Function], Function] = register_jitable(forceinline=False, **_OPTIONS)
