"""The command line: `haptos COMMAND`. One file per group of commands."""

from __future__ import annotations

import os
import signal
import sys
import traceback
from typing import Any

import typer
from typer.exceptions import TyperException

from haptos.cli import (
    bench,
    body,
    campaign,
    demo,
    plan,
    run,
    scenario_files,
    size,
    verify,
    view,
    warmup,
)
from haptos.cli.command_names import NamedCommands
from haptos.cli.exit_codes import BAD_INPUT, INTERRUPTED, PIPE_CLOSED, UNEXPECTED
from haptos.core.errors import HaptosError
from haptos.core.whole_files import storage_error

OUT_OF_MEMORY = HaptosError(
    "this run",
    "more numbers than the memory of this machine holds",
    "runs whose stored trajectory fits in memory",
    "a larger run.output_interval_s, a shorter run.duration_s, or fewer vertices",
)


class Commands(NamedCommands):
    """Turns every way a command can fail into its exit code."""

    def invoke(self, ctx: Any) -> Any:
        try:
            value = super().invoke(ctx)
            sys.stdout.flush()
            return value
        except HaptosError as error:
            print(f"haptos: {error}", file=sys.stderr)
            raise typer.Exit(BAD_INPUT) from None
        except KeyboardInterrupt:
            print("haptos: interrupted", file=sys.stderr)
            raise typer.Exit(INTERRUPTED) from None
        except BrokenPipeError:
            # Python flushes stdout once more when it exits; give it somewhere to flush to.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise typer.Exit(PIPE_CLOSED) from None
        except OSError as error:
            refusal = storage_error(error, error.filename or "file system")
            print(f"haptos: {refusal}", file=sys.stderr)
            raise typer.Exit(BAD_INPUT) from None
        except MemoryError:
            print(f"haptos: {OUT_OF_MEMORY}", file=sys.stderr)
            raise typer.Exit(BAD_INPUT) from None
        except (typer.Exit, typer.Abort, TyperException):
            raise  # commands that ended with a code, and usage errors
        except Exception:
            traceback.print_exc()
            print(
                "haptos: this is a fault of haptos; please report the lines above", file=sys.stderr
            )
            raise typer.Exit(UNEXPECTED) from None


app = typer.Typer(
    name="haptos",
    cls=Commands,
    help="Simulate what happens when spacecraft touch things.",
    epilog="Exit codes: 0 done and trusted, 2 bad input, 3 finished but not trusted, "
    "130 interrupted.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        import haptos

        print(f"haptos {haptos.__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: bool = typer.Option(
        False, "--version", callback=_print_version, is_eager=True, help="Print the version."
    ),
) -> None:
    """Options before the command."""


app.command("demo")(demo.demo)
app.command("run")(run.run)
app.command("campaign")(campaign.campaign)
app.command("view")(view.view)
app.command("report")(view.report)
app.command("verify")(verify.verify)
app.command("new")(scenario_files.new)
app.command("check")(scenario_files.check)
app.command("list")(scenario_files.list_names)
app.command("schema")(scenario_files.schema)
app.command("body")(body.body)
app.command("plan")(plan.plan)
app.add_typer(size.app, name="size")
app.command("bench")(bench.bench)
app.command("warmup")(warmup.warmup)


def main() -> None:
    """Entry point of the `haptos` program."""
    asked = set(sys.argv[1:])
    if (not asked or asked & {"-h", "--help"}) and hasattr(signal, "SIGPIPE"):
        # Help is printed by others, who take a reader that has gone away for a fault.
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    app(prog_name="haptos")
