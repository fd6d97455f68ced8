"""What kernels do with addresses: arrays that own nothing, arrays on the stack, functions compiled separately.

All are plain Python functions when called from Python.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload
from numba.np import arrayobj

from haptos.core.jit import IS_PLAIN_PYTHON, Function, callback

UNCHECKED = 1 << 40  # length of an array known by its address only
IO_SIZE = 40  # numbers that go into a function compiled separately, and come out of it
POINTERS = types.void(
    types.CPointer(types.float64), types.CPointer(types.int32), types.CPointer(types.int64),
    types.CPointer(types.float64),
)  # fmt: skip


def viewing(function: Function) -> Function:
    """Let kernels take `function(flat, start, shape)` as an address and a shape, not counted.

    Compiled, it makes an array that points into `flat` and owns nothing: no reference is counted,
    which threads would fight over. The caller of the kernel holds `flat`.
    """

    def implementation(flat: Any, start: Any, shape: Any) -> Any:
        return _points_into(flat, start, shape)

    # Counted, since Numba lets no other function return an array of its own; the caller may not count.
    @overload(function, inline="always", jit_options={"_nrt": True})
    def compiled(flat: Any, start: Any, shape: Any) -> Any:
        return implementation

    return function


@intrinsic
def _points_into(typing_context: Any, flat: Any, start: Any, shape: Any) -> Any:
    """Array of a shape that begins at `flat[start]` and owns nothing."""
    result = types.Array(flat.dtype, shape.count, "C", readonly=not flat.mutable)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        source = context.make_array(flat)(context, builder, arguments[0])
        lengths = cgutils.unpack_tuple(builder, arguments[2], shape.count)
        size = context.get_abi_sizeof(context.get_data_type(flat.dtype))
        itemsize = context.get_constant(types.intp, size)
        strides = [itemsize]
        for length in reversed(lengths[1:]):
            strides.insert(0, builder.mul(strides[0], length))
        made = context.make_array(result)(context, builder)
        arrayobj.populate_array(
            made, builder.gep(source.data, [arguments[1]]), lengths, strides, itemsize, None
        )
        return made._getvalue()

    return result(flat, start, shape), generate


def working_array(*shape: int) -> Any:
    """Function without arguments that kernels call for an array of that shape, not yet filled.

    Compiled, its numbers are on the stack of the function that calls, and end with it.
    """

    def made() -> Any:
        return np.empty(shape)

    @intrinsic
    def on_stack(typing_context: Any) -> Any:
        result = types.Array(types.float64, len(shape), "C")

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return _stack_array(context, builder, result, shape)

        return result(), generate

    @overload(made, inline="always", jit_options={"_nrt": True})
    def compiled() -> Any:
        return lambda: on_stack()

    return made


def _stack_array(context: Any, builder: Any, kind: Any, shape: tuple[int, ...]) -> Any:
    """Array of numbers in the frame of the function that is built, not counted."""
    from llvmlite import ir  # type: ignore[import-untyped]

    with builder.goto_entry_block():
        numbers = builder.alloca(ir.ArrayType(ir.DoubleType(), math.prod(shape)))
    zero = ir.Constant(ir.IntType(32), 0)
    lengths = [context.get_constant(types.intp, length) for length in shape]
    strides = [
        context.get_constant(types.intp, 8 * math.prod(shape[n + 1 :])) for n in range(len(shape))
    ]
    made = context.make_array(kind)(context, builder)
    itemsize = context.get_constant(types.intp, 8)
    arrayobj.populate_array(
        made, builder.gep(numbers, [zero, zero]), lengths, strides, itemsize, None
    )
    return made._getvalue()


def opened(numbers: Any, integers: Any, layout: Any, io: Any) -> Any:
    """The four arrays a function compiled separately was given; from Python they are arrays already."""
    return numbers, integers, layout, io


@intrinsic
def _at_address(typing_context: Any, pointer: Any) -> Any:
    """Array with one axis, of unknown length, at an address; it owns nothing."""
    result = types.Array(pointer.dtype, 1, "C")

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        size = context.get_abi_sizeof(context.get_data_type(pointer.dtype))
        itemsize = context.get_constant(types.intp, size)
        length = context.get_constant(types.intp, UNCHECKED)
        made = context.make_array(result)(context, builder)
        arrayobj.populate_array(made, arguments[0], [length], [itemsize], itemsize, None)
        return made._getvalue()

    return result(pointer), generate


def numbers_at(address: int) -> Any:
    """Numbers at an address, as an array of unknown length that owns nothing; kernels only."""
    raise RuntimeError("plain Python keeps nothing by its address")


@intrinsic
def _pointer_of(typing_context: Any, address: Any) -> Any:
    """Pointer to numbers from their address."""
    result = types.CPointer(types.float64)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.inttoptr(arguments[0], context.get_value_type(result))

    return result(types.int64), generate


@overload(numbers_at, jit_options={"forceinline": True, "_nrt": True})
def _numbers_at(address: Any) -> Any:
    def implementation(address: Any) -> Any:
        return _at_address(_pointer_of(address))

    return implementation


# Not inline="always": Numba would then take the arrays for local ones and drop what is stored last.
@overload(opened, jit_options={"forceinline": True})
def _opened(numbers: Any, integers: Any, layout: Any, io: Any) -> Any:
    def implementation(numbers: Any, integers: Any, layout: Any, io: Any) -> Any:
        return (
            _at_address(numbers),
            _at_address(integers),
            _at_address(layout),
            _at_address(io),
        )

    return implementation


def separately_compiled(slot: int, outputs: int) -> Callable[[Function], Any]:
    """Decorate `function(numbers, integers, layout, io)`: kernels call it by its address.

    A kernel is compiled together with all it calls, at every level of calls; a large function that
    few worlds need would cost every user its compile time. Compiled separately it costs its own, once,
    when the first arena that needs it is made; layout[slot] holds its address.

    The function begins with `opened(...)`; io holds IO_SIZE numbers, arguments in, results out.
    The decorated object is called as `function(arena, inputs)` with a tuple of floats and returns a
    tuple of `outputs` floats; `.address()` compiles it.
    """

    def decorate(function: Function) -> Any:
        def call(arena: Any, inputs: Any) -> Any:
            io = np.zeros(IO_SIZE)
            io[: len(inputs)] = inputs
            function(arena.numbers, arena.integers, arena.layout, io)
            return tuple(io[:outputs].tolist())

        @intrinsic
        def call_address(typing_context: Any, arena: Any, inputs: Any) -> Any:
            result = types.UniTuple(types.float64, outputs)

            def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
                counts = inputs.count, outputs
                return _called(context, builder, arena, arguments, counts, slot)

            return result(arena, inputs), generate

        def implementation(arena: Any, inputs: Any) -> Any:
            return call_address(arena, inputs)

        @overload(call, inline="always")
        def compiled(arena: Any, inputs: Any) -> Any:
            return implementation

        @functools.cache
        def address() -> int:
            if IS_PLAIN_PYTHON:
                return 1  # not zero: there; nobody calls it by its address
            made = callback(POINTERS, function)
            _kept.append(made)
            return int(made.address)

        call.address = address  # type: ignore[attr-defined]
        call.__doc__ = function.__doc__
        return call

    return decorate


_kept: list[Any] = []  # compiled functions live as long as the process


def _called(
    context: Any, builder: Any, arena: Any, arguments: Any, counts: tuple[int, int], slot: int
) -> Any:
    """Call the function at address layout[slot] with three pointers and a scratch of numbers."""
    from llvmlite import ir

    arrays = [
        context.make_array(part)(context, builder, builder.extract_value(arguments[0], n))
        for n, part in enumerate(arena.types)
    ]
    double, whole = ir.DoubleType(), ir.IntType(64)
    with builder.goto_entry_block():
        scratch = builder.alloca(ir.ArrayType(double, IO_SIZE))
    zero = ir.Constant(ir.IntType(32), 0)

    def place(n: int) -> Any:
        return builder.gep(scratch, [zero, ir.Constant(ir.IntType(32), n)])

    for n, value in enumerate(cgutils.unpack_tuple(builder, arguments[1], counts[0])):
        builder.store(value, place(n))
    layout = arrays[2].data
    address = builder.load(builder.gep(layout, [ir.Constant(whole, slot)]))
    kind = ir.FunctionType(
        ir.VoidType(), [array.data.type for array in arrays] + [double.as_pointer()]
    )
    function = builder.inttoptr(address, kind.as_pointer())
    builder.call(function, [*(array.data for array in arrays), place(0)])
    return cgutils.pack_array(builder, [builder.load(place(n)) for n in range(counts[1])])
