"""Kernels for a graphics processor, from the device functions of the processor's kernels.

Numba's CUDA target compiles what `device` and `routine` decorate as it is. Three things it must be
declared anew, since they work by address on the processor: arrays that point into another, functions
compiled apart (called directly here) and working arrays (memory of one thread here).

Nothing here is imported unless a graphics processor is asked for.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

from haptos.core.arena import LOOKUPS
from haptos.core.errors import ConfigError
from haptos.core.pointers import ARRAYS, CALLS, IO_SIZE, VIEWS, opened, pointing

EXTRA = "pip install 'haptos[cuda]'"


def check_cuda(where: str) -> None:
    """Refuse, with the reason, if kernels cannot run on a graphics processor here."""
    allowed = "the extra 'cuda', an NVIDIA graphics processor and its driver"
    leave_out = "leave it out to use the processor"
    if find_spec("numba_cuda") is None:
        raise ConfigError(where, "no package numba-cuda", allowed, f"{EXTRA}, or {leave_out}")
    from numba import cuda

    if not cuda.is_available():
        found = str(getattr(cuda, "cuda_error", lambda: None)() or "no graphics processor found")
        cause = " ".join(found.split())
        raise ConfigError(where, f"CUDA cannot start: {cause}", allowed, leave_out)


@functools.cache
def kernel(function: Callable[..., Any]) -> Any:
    """The function as a CUDA kernel: compiled when first launched, once per process."""
    from numba import cuda

    teach()
    return cuda.jit(function)


@functools.cache
def teach() -> None:
    """Let the CUDA target know what `core/pointers.py` made; later ones are not seen."""
    from numba import config

    if config.ENABLE_CUDASIM:
        return  # plain Python: the functions are themselves
    from numba import cuda, float64
    from numba.cuda import cgutils
    from numba.cuda.extending import intrinsic, overload, register_jitable
    from numba.cuda.np import arrayobj
    from numba.cuda.np.unsafe.ndarray import to_fixed_tuple

    points_into = intrinsic(pointing(cgutils, arrayobj))
    for function in VIEWS:
        overload(function, inline="always")(lambda flat, start, shape: _pointed(points_into))
    for function in LOOKUPS:  # inlined, since functions here cannot return an array of their own
        overload(function, inline="always")(_itself(function))
    overload(opened)(lambda numbers, integers, layout, io: _passed())
    for made, shape in ARRAYS:
        overload(made, inline="always")(_local(cuda, float64, shape))
    tools = cuda, float64, to_fixed_tuple, intrinsic(_never_inlined)
    for call, function, outputs in CALLS:
        overload(call)(_direct(tools, register_jitable(function), outputs))


def _pointed(points_into: Any) -> Any:
    return lambda flat, start, shape: points_into(flat, start, shape)


def _itself(function: Any) -> Any:
    return lambda arena, table, n: function


def _passed() -> Any:
    return lambda numbers, integers, layout, io: (numbers, integers, layout, io)


def _local(cuda: Any, float64: Any, shape: tuple[int, ...]) -> Any:
    return lambda: lambda: cuda.local.array(shape, float64)


def _never_inlined(typing_context: Any) -> Any:
    """Typing of a call that does nothing but keep the function it stands in out of its callers."""
    from numba.cuda import types

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        builder.function.attributes.add("noinline")
        return context.get_dummy_value()

    return types.void(), generate


def _direct(tools: tuple[Any, Any, Any, Any], function: Any, outputs: int) -> Any:
    """Overload of a function compiled apart: its numbers in memory of the thread, called directly."""
    cuda, float64, to_fixed_tuple, never_inlined = tools

    def typed(arena: Any, inputs: Any) -> Any:
        def called(arena: Any, inputs: Any) -> Any:
            never_inlined()
            io = cuda.local.array(IO_SIZE, float64)
            for n in range(len(inputs)):
                io[n] = inputs[n]
            function(arena.numbers, arena.integers, arena.layout, io)
            return to_fixed_tuple(io, outputs)

        return called

    return typed
