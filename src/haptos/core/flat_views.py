"""All numbers of an array one after the other, as a view that costs a kernel nothing.

Numba's own `reshape` asks at every call whether a view will do; of rows that lie one after the other it does.
"""

from __future__ import annotations

from typing import Any

from numba.core import types
from numba.core.imputils import impl_ret_borrowed
from numba.extending import intrinsic, overload
from numba.np.arrayobj import make_array, populate_array


def flat(rows: Any) -> Any:
    """All numbers of an array that lies row by row, a view: loops over it run in vectors."""
    return rows.reshape(-1)


@intrinsic
def _flattened(context: Any, rows: Any) -> Any:
    line = rows.copy(ndim=1)

    def made(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        old = make_array(rows)(context, builder, given[0])
        new = make_array(line)(context, builder)
        populate_array(
            new, data=old.data, shape=[old.nitems], strides=[old.itemsize], itemsize=old.itemsize,
            meminfo=old.meminfo, parent=old.parent,
        )  # fmt: skip
        return impl_ret_borrowed(context, builder, line, new._getvalue())

    return line(rows), made


@overload(flat, jit_options={"forceinline": True, "_nrt": True, "no_cfunc_wrapper": True})
def _flat(rows: Any) -> Any:
    if not (isinstance(rows, types.Array) and rows.layout == "C"):
        return None

    def implementation(rows: Any) -> Any:
        return _flattened(rows)

    return implementation
