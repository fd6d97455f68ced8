"""`haptos verify`: every byte of a stored run or campaign against its checksum."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from haptos.cli.exit_codes import BAD_INPUT, NOT_TRUSTED

if TYPE_CHECKING:
    from haptos.results.verification import FileState


def verify(
    directory: Path = typer.Argument(metavar="DIR", help="Directory of a run or a campaign."),
    as_json: bool = typer.Option(False, "--json", help="Print the state of every file as JSON."),
) -> None:
    """Check every byte of a stored run or campaign, and say what can be made again."""
    from haptos.face import saved_kind
    from haptos.results.verification import DAMAGED, FAULTS, NONE, OK, UNLISTED, verify_run

    if saved_kind(directory) == "campaign":
        from haptos.campaign.verification import verify_campaign

        found = verify_campaign(directory)
    else:
        found = verify_run(directory)
    counts = Counter(one.state for one in found)
    if as_json:
        files = {one.name: _table(one, FAULTS) for one in found}
        print(json.dumps({"directory": str(directory), "counts": counts, "files": files}, indent=2))
    else:
        for one in found:
            print(f"{one.state:<13} {one.name}")
        for remedy in dict.fromkeys(one.remedy for one in found if one.state in FAULTS):
            print(f"to make {_names(found, remedy, FAULTS)} again: {remedy}{_which(remedy)}")
    if any(counts[state] for state in FAULTS):
        faulty = sum(counts[state] for state in FAULTS)
        words = "damaged or missing" if counts[DAMAGED] else "missing: was it interrupted?"
        print(f"haptos: {faulty} of {len(found)} files are {words}", file=sys.stderr)
        raise typer.Exit(BAD_INPUT)
    if counts[NONE]:
        words = f"{counts[NONE]} of {len(found)} files have no checksum and cannot be checked"
        print(f"haptos: {words}", file=sys.stderr)
        raise typer.Exit(NOT_TRUSTED)
    if not as_json:
        others = f", {counts[UNLISTED]} not listed" if counts[UNLISTED] else ""
        print(f"all {counts[OK]} files are as they were written{others}")


def _table(one: FileState, faults: tuple[str, ...]) -> dict[str, str]:
    """State of a file, and the command that makes it again if it is damaged or missing."""
    return {"state": one.state} | ({"remedy": one.remedy} if one.state in faults else {})


def _which(remedy: str) -> str:
    """What FILE stands for in a command."""
    return "   (FILE: the file it was made from)" if "FILE" in remedy.split() else ""


def _names(found: Sequence[FileState], remedy: str, faults: tuple[str, ...]) -> str:
    """A few names of files that one command makes again."""
    names = [one.name for one in found if one.state in faults and one.remedy == remedy]
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
