"""Call a function compiled and in plain Python, with the same arguments, and compare all that comes of it.

What comes of a call is what it returns and what it leaves in the arrays that it was given.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from haptos.core.jit import entry
from tests.close import assert_close


@dataclass(frozen=True)
class Case:
    """A function and calls of it.

    call    a device function, or an entry point
    given   makes the arguments, one tuple a call
    rtol    [-] of the largest number of each tuple or array; 0: the same bits
    scale   of these errors, where numbers come out as zero
    kinds   of compiled functions that may serve all calls
    """

    call: Callable[..., Any]
    given: Callable[[], Iterable[tuple[Any, ...]]]
    rtol: float = 0.0
    scale: float | None = None
    kinds: int | None = 1

    @property
    def plain(self) -> Callable[..., Any]:
        return getattr(self.call, "py_func", self.call)


def compiled(case: Case) -> Any:
    """An entry point itself; a device function as one of its own, cached by the sources it is made of."""
    return case.call if hasattr(case.call, "signatures") else entry(case.call)


def compare(case: Case, fast: Any, plain: Callable[..., Any]) -> int:
    """Make all calls; how many there were."""
    count = 0
    for arguments in case.given():
        theirs, ours = copy.deepcopy(arguments), copy.deepcopy(arguments)
        found = fast(*theirs)
        assert_same(found, plain(*map(named, ours)), case)
        assert_same(theirs, ours, case)
        count += 1
    return count


def named(argument: Any) -> Any:
    """Plain Python finds the fields of a table by name in a special kind of array."""
    has_names = isinstance(argument, np.ndarray) and argument.dtype.names
    return argument.view(np.recarray) if has_names else argument


def assert_same(found: Any, expected: Any, case: Case) -> None:
    """Fail unless two results are the same, part by part."""
    if isinstance(expected, np.ndarray) and expected.dtype.names:
        assert found.tobytes() == expected.tobytes()
    elif isinstance(expected, tuple) and not all(map(is_number, expected)):
        assert len(found) == len(expected)
        for one, other in zip(found, expected, strict=True):
            assert_same(one, other, case)
    elif expected is None or isinstance(expected, str):
        assert found == expected
    else:
        numbers, wanted = np.asarray(found), np.asarray(expected)
        assert numbers.shape == wanted.shape
        if case.rtol == 0.0 or not wanted.size or (not np.any(wanted) and case.scale is None):
            assert np.array_equal(numbers, wanted, equal_nan=numbers.dtype.kind == "f"), (found, expected)  # fmt: skip
        else:
            finite = np.isfinite(wanted)
            assert np.array_equal(numbers[~finite], wanted[~finite], equal_nan=True)
            if finite.any():
                assert_close(numbers[finite], wanted[finite], rtol=case.rtol, scale=case.scale)


def is_number(value: Any) -> bool:
    return isinstance(value, int | float | bool | np.number | np.bool_)


def vectors(count: int, size: float = 1.0, seed: int = 1) -> Iterator[tuple[float, ...]]:
    """Drawn triples."""
    rows = size * np.random.default_rng(seed).normal(size=(count, 3))
    yield from map(tuple, rows.tolist())


def drawn(count: int, *limits: tuple[float, float], seed: int = 2) -> Iterator[tuple[float, ...]]:
    """Drawn numbers between limits, both of which come first."""
    low, high = np.transpose(limits)
    yield from (tuple(low.tolist()), tuple(high.tolist()))
    yield from map(tuple, np.random.default_rng(seed).uniform(low, high, (count, len(limits))).tolist())  # fmt: skip
