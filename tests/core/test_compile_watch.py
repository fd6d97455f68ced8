"""CompileWatch: knows when a kernel is compiled, and that compiling is no time of the work."""

from typing import Any

import numba
import pytest

from haptos.campaign.progress_lines import ProgressLines
from haptos.core.compile_watch import WATCH, CompileWatch
from haptos.core.jit import IS_PLAIN_PYTHON


@pytest.mark.skipif(IS_PLAIN_PYTHON, reason="nothing is compiled in plain Python")
def test_numba_compiling_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    from haptos.core import late_optimisation

    seen = []
    usual: Any = late_optimisation._compile_extra

    def looked(*given: Any, **named: Any) -> Any:
        seen.append(WATCH.is_compiling)
        return usual(*given, **named)

    monkeypatch.setattr(late_optimisation, "_compile_extra", looked)
    before = WATCH.seconds
    assert numba.njit(lambda x: x + 1.0)(1.0) == 2.0
    assert seen
    assert all(seen)
    assert not WATCH.is_compiling
    assert WATCH.seconds > before


def test_an_error_ends_compiling() -> None:
    watch = CompileWatch()
    with pytest.raises(ZeroDivisionError), watch.compiling():
        raise ZeroDivisionError
    assert not watch.is_compiling


def test_lines_name_compiling_and_leave_it_out_of_the_rate() -> None:
    now, said = [0.0], []
    watch = CompileWatch(lambda: now[0])
    lines = ProgressLines(said.append, lambda: now[0], watch)
    lines.start("simulating", "%", 1.0)
    now[0] = 5.0
    with watch.compiling():
        now[0] = 25.0
        lines.look()
        now[0] = 45.0
    lines.update(0.5)
    now[0] = 55.0
    lines.look()
    assert said == [
        "haptos: compiling kernels (once per machine), for 20 s so far",
        "haptos: simulating: 50 %, 3.3 %/s, 15 s left",
    ]
