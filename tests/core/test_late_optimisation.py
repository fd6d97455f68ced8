"""Kernels are optimised once: what they call is linked, not compiled for itself, and does the same."""

from __future__ import annotations

import gc
import math

import pytest
from numba import njit
from numba.core import codegen
from numba.core.errors import TypingError

from haptos.core import late_optimisation
from haptos.core.jit import device, routine


@routine
def innermost(x):
    if x < 0.0:
        raise ValueError("below zero")
    total = 0.0
    for k in range(1, 6):
        total += math.sin(k * x) / k
    return total


@device
def middle(x):
    return innermost(x) * innermost(0.5 * x)


@routine
def outer(x):
    return middle(x) + innermost(x)


def kernel(x):
    return outer(x) - middle(x)


@pytest.fixture
def optimised(monkeypatch):
    """Names of the libraries that are optimised."""
    names: list[str] = []
    optimise = codegen.CPUCodeLibrary._optimize_final_module

    def counted(library):
        names.append(library.name)
        optimise(library)

    monkeypatch.setattr(codegen.CPUCodeLibrary, "_optimize_final_module", counted)
    return names


def test_a_kernel_of_four_levels_is_optimised_once_and_has_the_bits_of_python(optimised):
    compiled = njit(error_model="numpy")(kernel)
    assert [compiled(x) for x in (0.3, 1.7)] == [kernel(0.3), kernel(1.7)]
    assert [name for name in optimised if name != "nrt"] == ["kernel"]  # nrt: of Numba itself, once


def test_a_function_linked_before_serves_a_second_kernel():
    first, second = njit(kernel), njit(lambda x: innermost(x))
    assert first(0.3) == kernel(0.3)
    assert second(0.3) == innermost(0.3)


def test_errors_of_what_is_called_reach_python():
    compiled = njit(kernel)
    with pytest.raises(ValueError, match="below zero"):
        compiled(-1.0)


def test_functions_that_python_may_call_are_whole(optimised):
    @njit
    def both(x):
        return 2.0 * x

    @njit
    def above(x):
        return both(x) + 1.0

    assert above(1.0) == 3.0
    assert both(1.5) == 3.0
    assert len([name for name in optimised if name != "nrt"]) == 2


def test_the_collector_looks_rarely_while_a_kernel_is_compiled_and_as_before_then(monkeypatch):
    seen: list[int] = []
    optimise = codegen.CPUCodeLibrary._optimize_final_module

    def looked(library):
        seen.append(gc.get_threshold()[0])
        optimise(library)

    monkeypatch.setattr(codegen.CPUCodeLibrary, "_optimize_final_module", looked)
    usual = gc.get_threshold()
    assert usual[0] < late_optimisation.RARELY
    assert njit(lambda x: innermost(x) + 2.0)(0.3) == innermost(0.3) + 2.0
    assert set(seen) == {late_optimisation.RARELY}
    assert gc.get_threshold() == usual
    with pytest.raises(TypingError):
        njit(lambda x: innermost(x) + "two")(0.3)
    assert gc.get_threshold() == usual
    gc.set_threshold(0)
    try:
        njit(lambda x: innermost(x) + 3.0)(0.3)
        assert seen[-1] == 0
    finally:
        gc.set_threshold(*usual)


def test_names_without_a_body_get_no_passes(monkeypatch):
    optimised: list[str] = []
    made = codegen.CPUCodegen._function_pass_manager

    class Watched:
        def __init__(self, passes):
            self.passes = passes

        def run(self, function, builder):
            assert not function.is_declaration
            optimised.append(function.name)
            self.passes.run(function, builder)

    def watched(self, **options):
        passes, builder = made(self, **options)
        return Watched(passes), builder

    monkeypatch.setattr(codegen.CPUCodegen, "_function_pass_manager", watched)

    @njit
    def sines(x):
        return math.sin(x) + math.cos(x)

    assert sines(0.3) == math.sin(0.3) + math.cos(0.3)
    assert any("sines" in name for name in optimised)
