"""Run the command line inside the test process, and look at its three results."""

from __future__ import annotations

from dataclasses import dataclass

from typer.testing import CliRunner

from haptos.cli.main import app


@dataclass(frozen=True)
class Done:
    code: int
    out: str
    err: str


def haptos(*arguments: object) -> Done:
    """`haptos ARGUMENTS`: exit code, standard output, standard error."""
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    return Done(result.exit_code, result.stdout, result.stderr)


def assert_refused(done: Done, *words: str) -> None:
    """Bad input ends with 2, says where, found, allowed, try, and leaves standard output empty."""
    assert done.code == 2, done
    assert done.out == ""
    assert done.err.startswith("haptos: ")
    assert ": found " in done.err
    assert "\n  allowed: " in done.err
    assert "\n  try: " in done.err
    assert "Traceback" not in done.err
    for word in words:
        assert word in done.err, f"{word!r} is not in {done.err!r}"
