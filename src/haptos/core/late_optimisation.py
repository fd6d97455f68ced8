"""A kernel is optimised once, as a whole.

Numba makes a library of every function that a kernel calls: it links in all that this function calls, optimises the whole at
the highest level and makes machine code of it. The caller links in and optimises the same again, so that the innermost function of a
kernel of ten levels is optimised ten times, and the machine code of nine of them is never called. With this file a function that is
called by a kernel is linked only; optimisation and machine code come at the entry point, over the same functions.

Functions that Python could call, those with a wrapper for it, are made as Numba makes them. Environments, which Numba
sets when it makes machine code, are set at the entry point for all that is linked into it.

Two more costs are left out. Numba builds the passes of a function for every name that a module mentions, also those of
which it has no body. And compiling makes millions of objects that live until it ends: Python's collector of
cycles, which looks through all of them again and again, does so less often until a kernel is compiled.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

from numba import _dynfunc
from numba.core import codegen, compiler, cpu
from numba.core.compiler import lookup_environment

from haptos.core.compile_watch import WATCH

ENVIRONMENT = "_ZN08NumbaEnv"  # how Numba begins the names of variables that point to environments

RARELY = 50_000  # new objects between two looks of the collector; Python's own number is 700

_flags: list[Any] = []  # of the functions that are being compiled, the outermost first
_compile_extra = compiler.compile_extra
_finalize = codegen.CPUCodeLibrary.finalize
_get_executable = cpu.CPUContext.get_executable


def install() -> None:
    """Let Numba compile in this way from now on; calling it again changes nothing."""
    compiler.compile_extra = _compile
    codegen.CPUCodeLibrary.finalize = _link
    codegen.CPUCodeLibrary._optimize_functions = _optimise_bodies
    cpu.CPUContext.get_executable = _executable


def _is_inner() -> bool:
    """Whether what is being compiled is called by a kernel that is being compiled, and by no one else."""
    return len(_flags) > 1 and bool(_flags[-1].no_cpython_wrapper)


def _compile(
    typingctx: Any, targetctx: Any, func: Any, args: Any, return_type: Any, flags: Any, *rest: Any, **named: Any
) -> Any:  # fmt: skip
    """In place of `compile_extra`, whose names of arguments these are: know what is being compiled."""
    with nullcontext() if _flags else _kernel():
        _flags.append(flags)
        try:
            return _compile_extra(
                typingctx, targetctx, func, args, return_type, flags, *rest, **named
            )
        finally:
            _flags.pop()


@contextmanager
def _kernel() -> Iterator[None]:
    """While a kernel is compiled, the collector of cycles seldom looks; never would double the memory of large ones."""
    usual = gc.get_threshold()
    if usual[0] > 0:  # zero: the collector is off
        gc.set_threshold(max(RARELY, usual[0]), *usual[1:])
    try:
        with WATCH.compiling():
            yield
    finally:
        gc.set_threshold(*usual)


def _optimise_bodies(library: Any, module: Any) -> None:
    """In place of `_optimize_functions`: the passes of single functions, for those that have a body."""
    module.data_layout = library._codegen._data_layout
    for function in module.functions:
        if not function.is_declaration:
            passes, builder = library._codegen._function_pass_manager()
            passes.run(function, builder)


def _link(library: Any) -> None:
    """In place of `finalize`: link in what is called, and leave the rest to the entry point."""
    if not _is_inner():
        _finalize(library)
        return
    library._raise_if_finalized()
    for inner in dict.fromkeys(library._linking_libraries):
        library._reload_init.update(inner._reload_init)
        library._final_module.link_in(inner._get_module_for_linking(), preserve=True)
    library._final_module.verify()
    library._finalized = True


def _executable(context: Any, library: Any, description: Any, environment: Any) -> Any:
    """In place of `get_executable`: no machine code for a function that only kernels call."""
    if _is_inner():
        library._ensure_finalized()
        name = description.qualname.split(".")[-1]
        return _dynfunc.make_function(
            description.lookup_module(), name, "linked into kernels", 0, environment, (library,)
        )
    made = _get_executable(context, library, description, environment)
    for variable in library._final_module.global_variables:
        inner = None
        if variable.name.startswith(ENVIRONMENT):
            inner = lookup_environment(variable.name)
        if inner is not None:
            library.codegen.set_env(variable.name, inner)
    return made
