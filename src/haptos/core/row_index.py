"""Indices that are known not to be negative, and the larger of two numbers, in forms that compile to fewer instructions.

An index read from an array may be negative for all the compiler knows, so that it asks at each access and counts from the
end if it is. `row` says that it is not: what is left of the index are its lower 31 bits.
`larger` is IEEE 754's maxNum, which compilers turn into vectors; Python's `max` with its rule for NaN is compared
one number after the other.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir  # type: ignore[import-untyped]
from numba.core import types
from numba.extending import intrinsic, overload

from haptos.core.jit import device

ROWS = 0x7FFFFFFF  # [-] of an array at most


@device
def row(index):
    """The index of a row, which is not negative; free of the question whether it is."""
    return index & ROWS


def larger(a: float, b: float) -> float:
    """The larger of two numbers; of a number and a NaN the number."""
    if a != a:
        return b
    return a if a > b or b != b else b


@intrinsic
def _maxnum(context: Any, a: Any, b: Any) -> Any:
    def made(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        double = ir.DoubleType()
        kind = ir.FunctionType(double, [double, double])
        return builder.call(builder.module.declare_intrinsic("llvm.maxnum", [double], kind), given)

    return types.float64(types.float64, types.float64), made


@overload(larger, jit_options={"forceinline": True, "no_cfunc_wrapper": True})
def _larger(a: Any, b: Any) -> Any:
    def implementation(a: Any, b: Any) -> Any:
        return _maxnum(a, b)

    return implementation
