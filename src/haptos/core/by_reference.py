"""Records of arrays that kernels take by reference.

Numba hands a named tuple on by value: a record of a hundred arrays is a thousand numbers, copied at every
call of a function that is not inlined, and compiled as that many arguments. Of a class marked `by_reference`
a kernel gets one address instead; its fields are read where they are used. To Python the class stays the
named tuple it is.

What is pointed to is made when Python calls the kernel and never changes during the call, so that a field
read once need not be read again: the arrays may change, which arrays they are may not. A record can
be passed to functions, and its fields be read; it is not a tuple within a kernel. A record that a kernel makes itself
is passed on in the same way by `referred`.
"""

from __future__ import annotations

from typing import Any, TypeVar

from llvmlite import ir  # type: ignore[import-untyped]
from numba.core import cgutils, types
from numba.core.imputils import impl_ret_borrowed
from numba.core.typing.templates import AttributeTemplate
from numba.extending import (
    NativeValue,
    infer_getattr,
    intrinsic,
    lower_getattr_generic,
    models,
    overload,
    register_model,
    typeof_impl,
    unbox,
)

Record = TypeVar("Record", bound=type)


class ReferenceType(types.Type):
    """Type of a record: its class and the types of its fields."""

    def __init__(self, record: type, fields: tuple[types.Type, ...]) -> None:
        self.record, self.fields = record, fields
        inner = ", ".join(str(field) for field in fields)
        super().__init__(name=f"Reference({record.__module__}.{record.__qualname__}: {inner})")

    def index_of(self, name: str) -> int:
        return self.record._fields.index(name)  # type: ignore[attr-defined]


def by_reference(record: Record) -> Record:
    """Let kernels take named tuples of this class by their address."""

    @typeof_impl.register(record)
    def _typeof(value: Any, context: Any) -> ReferenceType | None:
        fields = tuple(typeof_impl(field, context) for field in value)
        return None if None in fields else ReferenceType(record, fields)

    return record


@register_model(ReferenceType)
class _Address(models.OpaqueModel):  # type: ignore[misc]
    """An address, whatever it points to."""


@infer_getattr
class _Fields(AttributeTemplate):  # type: ignore[misc]
    key = ReferenceType

    def generic_resolve(self, record: ReferenceType, name: str) -> types.Type | None:
        if name not in record.record._fields:  # type: ignore[attr-defined]
            return None
        return record.fields[record.index_of(name)]


def _layout(context: Any, record: ReferenceType) -> ir.LiteralStructType:
    return ir.LiteralStructType([context.get_value_type(field) for field in record.fields])


@unbox(ReferenceType)
def _unbox(record: ReferenceType, value: Any, c: Any) -> NativeValue:
    """Unbox every field into memory of the caller's frame, which outlives the kernel's."""
    builder = c.builder
    place = cgutils.alloca_once(builder, _layout(c.context, record), zfill=True)
    is_error = cgutils.alloca_once_value(builder, cgutils.false_bit)
    cleanups = []
    for index, field in enumerate(record.fields):
        native = c.unbox(field, c.pyapi.tuple_getitem(value, index))
        builder.store(native.value, cgutils.gep_inbounds(builder, place, 0, index))
        with cgutils.if_unlikely(builder, native.is_error):
            builder.store(cgutils.true_bit, is_error)
        if native.cleanup is not None:
            cleanups.append(native.cleanup)

    def cleanup() -> None:
        for each in reversed(cleanups):
            each()

    address = builder.bitcast(place, cgutils.voidptr_t)
    return NativeValue(_hidden(builder, address), cleanup=cleanup, is_error=builder.load(is_error))


def _hidden(builder: ir.IRBuilder, address: ir.Value) -> ir.Value:
    """The same address, of which the compiler no longer knows whence it came.

    It may move reads of what never changes to before the writes above, if it can see both.
    """
    kind = ir.FunctionType(cgutils.voidptr_t, [cgutils.voidptr_t])
    return builder.asm(kind, "", "=r,0,~{memory}", [address], side_effect=True)


@lower_getattr_generic(ReferenceType)
def _field(context: Any, builder: Any, record: ReferenceType, address: Any, name: str) -> Any:
    index = record.index_of(name)
    whole = builder.bitcast(address, _layout(context, record).as_pointer())
    value = _read(builder, cgutils.gep_inbounds(builder, whole, 0, index))
    return impl_ret_borrowed(context, builder, record.fields[index], value)


def _read(builder: Any, pointer: Any) -> Any:
    """Read what never changes, number by number: what is not used costs nothing."""
    kind = pointer.type.pointee
    if isinstance(kind, ir.LiteralStructType | ir.ArrayType):
        value = ir.Constant(kind, ir.Undefined)
        for index in range(len(kind)):
            part = _read(builder, cgutils.gep_inbounds(builder, pointer, 0, index))
            value = builder.insert_value(value, part, index)
        return value
    loaded = builder.load(pointer)
    loaded.set_metadata("invariant.load", builder.module.add_metadata([]))
    return loaded


def referred(record: Any) -> Any:
    """A record of fields that a kernel has made, by its address for what the kernel calls; from Python the record itself.

    It lives as long as the function that asks for it, and its fields do not change.
    """
    return record


@intrinsic
def _referred(typing_context: Any, record: Any) -> Any:
    result = ReferenceType(record.instance_class, tuple(record.types))

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        place = cgutils.alloca_once(builder, _layout(context, result))
        for index in range(len(result.fields)):
            field = builder.extract_value(arguments[0], index)
            builder.store(field, cgutils.gep_inbounds(builder, place, 0, index))
        return _hidden(builder, builder.bitcast(place, cgutils.voidptr_t))

    return result(record), generate


@overload(referred, inline="always")
def _referred_in_kernels(record: Any) -> Any:
    def implementation(record: Any) -> Any:
        return _referred(record)

    return implementation
