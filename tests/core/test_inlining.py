"""Routines that stay functions below a device function."""

from __future__ import annotations

import pytest
from numba import njit, types
from numba.extending import intrinsic

from haptos.core.inlining import routine
from haptos.core.jit import IS_PLAIN_PYTHON, device
from haptos.core.jit import routine as plain_routine

SEEN: list[bool] = []


@intrinsic
def probe(typing_context):
    """Note whether the function that this stands in is to be copied into its callers."""

    def generate(context, builder, signature, arguments):
        SEEN.append("alwaysinline" in builder.function.attributes)
        return context.get_constant(types.float64, 1.0)

    return types.float64(), generate


def is_copied(wrap) -> bool:
    @wrap
    def inner(x):
        return x + probe()

    @device
    def middle(x):
        return inner(x)

    @njit
    def kernel(x):
        return middle(x)

    SEEN.clear()
    assert kernel(2.0) == 3.0
    return SEEN[-1]


@pytest.mark.skipif(IS_PLAIN_PYTHON, reason="nothing is compiled")
def test_a_routine_below_a_device_function_is_not_copied():
    assert not is_copied(routine)
    assert is_copied(plain_routine)  # why this module is there


def test_plain_python_does_not_notice():
    assert routine(abs)(-2.0) == 2.0
