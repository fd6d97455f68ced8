"""Checksums of the files of a directory that cannot carry their own: those for people and other programs.

checksums.json lists them by group: `run` (scenario.toml, exports), `report` (the page, its figures and
tables). A group is taken off the list before its files are written and put back after, so that the
list never disagrees with them: a file whose writing was interrupted has no checksum.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterable
from pathlib import Path

from haptos.core.checked_files import Checksum, checksum_state, write_checked_json
from haptos.core.checksums import checksum_of
from haptos.core.whole_files import storage_errors
from haptos.results.file_names import FILE_LIST

RUN, REPORT = "run", "report"  # groups
PIECE = 1 << 22  # [byte] read at a time

Groups = dict[str, dict[str, str]]  # group -> name of a file in the directory -> its checksum


def forget(directory: Path, *groups: str) -> None:
    """Take the files of some groups off the list, before they are written; without one it is begun."""
    listed = read_list(directory)[1]
    _write(directory, {group: files for group, files in listed.items() if group not in groups})


def record(directory: Path, group: str, paths: Iterable[Path]) -> None:
    """Put the files of a group on the list, after they are written."""
    names = sorted(path.relative_to(directory).as_posix() for path in paths)
    with storage_errors(directory):
        files = {name: digest_in(directory, name) for name in names}
    _write(directory, read_list(directory)[1] | {group: files})


def read_list(directory: Path) -> tuple[Checksum | None, Groups]:
    """(state of the list, its groups); None if there is none. A damaged list lists nothing."""
    try:
        content = (directory / FILE_LIST).read_bytes()
    except OSError:
        return None, {}
    state = checksum_state(io.BytesIO(content), FILE_LIST)
    if state is not Checksum.OK:
        return Checksum.DAMAGED, {}
    return state, json.loads(content)["files"]


def digest_in(directory: Path, name: str) -> str:
    """Checksum of a file as the list has it."""
    digest = checksum_of(name)
    with open(directory / name, "rb") as file:
        while piece := file.read(PIECE):
            digest.update(piece)
    return digest.hexdigest()


def _write(directory: Path, groups: Groups) -> None:
    write_checked_json(directory / FILE_LIST, FILE_LIST, {"files": groups})
