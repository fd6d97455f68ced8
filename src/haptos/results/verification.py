"""What is left of a stored run: every byte of it against its checksum, and how to make good what is lost."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from haptos.core.checked_files import Checksum, file_state
from haptos.core.errors import StorageError
from haptos.core.whole_files import TEMPORARY
from haptos.results import file_list
from haptos.results.file_names import FILE_LIST, RESULT, SCENARIO, SUMMARY

OK: str = Checksum.OK.value
DAMAGED: str = Checksum.DAMAGED.value
NONE: str = Checksum.NONE.value
MISSING = "missing"
UNLISTED = "not listed"  # beside files that all have checksums: somebody's notes
FAULTS = (DAMAGED, MISSING)


@dataclass(frozen=True, slots=True)
class FileState:
    """One file: its name in the directory, its state, and where it is not ok what to do."""

    name: str
    state: str
    remedy: str = ""


def verify_run(path: Path) -> list[FileState]:
    """State of every file of a stored run; of a .nc file its own."""
    if path.is_file():
        return [FileState(path.name, result_state(path), "run the scenario again")]
    again = shlex.join(["haptos", "run", _scenario_file(path), "--out", str(path)])
    found = [FileState(RESULT, result_state(path / RESULT), again)]
    if (path / SUMMARY).exists() or file_list.RUN in file_list.read_list(path)[1]:
        found.append(FileState(SUMMARY, state_of(path / SUMMARY, SUMMARY), again))
    has_checksums = found[0].state != NONE
    return found + listed_states(path, found, {file_list.RUN: again}, has_checksums=has_checksums)


def _scenario_file(path: Path) -> str:
    """The copy of its file beside a run; FILE, the user's own, where that copy is not whole."""
    digest = file_list.read_list(path)[1].get(file_list.RUN, {}).get(SCENARIO)
    is_whole = (
        (path / SCENARIO).exists() if digest is None else _listed(path, SCENARIO, digest) == OK
    )
    return str(path / SCENARIO) if is_whole else "FILE"


def result_state(path: Path) -> str:
    """State of a result; one without checksum is at least opened."""
    from haptos.results.files import HAS_CHECKSUM, NAME, load_result

    state = state_of(path, NAME)
    if state == NONE:
        try:
            if HAS_CHECKSUM.encode() in path.read_bytes():
                return DAMAGED
            load_result(path)
        except (StorageError, OSError):
            return DAMAGED
    return state


def state_of(path: Path, name: str) -> str:
    """State of a file that carries its own checksum."""
    try:
        return file_state(path, name).value
    except FileNotFoundError:
        return MISSING
    except OSError:
        return DAMAGED


def listed_states(
    directory: Path,
    before: list[FileState],
    remedies: Mapping[str, str],
    *,
    has_checksums: bool,
) -> list[FileState]:
    """States of the files on the list, then of the files in the directory that nothing speaks of.

    before         what was looked at before
    remedies       group -> what makes its files again; the report is built again in any case
    has_checksums  whether the directory was written by a version that has them
    """
    report = shlex.join(["haptos", "report", str(directory)])
    state, groups = file_list.read_list(directory)
    found = [] if state is None else [FileState(FILE_LIST, state.value, report)]
    for group, files in groups.items():
        remedy = remedies.get(group, report)
        found += [FileState(name, _listed(directory, name, files[name]), remedy) for name in files]
    seen = {one.name for one in (*before, *found)}
    is_pending = state is not None and file_list.REPORT not in groups
    rest = UNLISTED if has_checksums and not is_pending else NONE
    for path in sorted(directory.rglob("*")):
        name = path.relative_to(directory).as_posix()
        if path.is_file() and name not in seen and not path.name.startswith((TEMPORARY, ".lock")):
            found.append(FileState(name, rest, report))
    return found


def _listed(directory: Path, name: str, digest: str) -> str:
    try:
        return OK if file_list.digest_in(directory, name) == digest else DAMAGED
    except FileNotFoundError:
        return MISSING
    except OSError:
        return DAMAGED
