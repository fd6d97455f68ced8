"""Runs that raise: each becomes a row with the outcome *failed* and its message.

The other runs of its batch keep their bits: a batch that raises is run again in halves, and those again, until
each run that raises is alone. A refusal of every run of a batch in the same words is one of the study and is raised.
"""

from __future__ import annotations

import re
import traceback
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from haptos.core.errors import HaptosError, StorageError
from haptos.core.outcome import Outcome
from haptos.core.stop import Stopped
from haptos.results.many_runs import Log, ManyRuns

if TYPE_CHECKING:
    import pandas as pd

    from haptos.campaign.runner import Batch, StopWish

# Not of one run: a wish to stop, the machine, the disk, the installation.
OF_THE_STUDY = (Stopped, MemoryError, OSError, ImportError, StorageError)
LONGEST_MESSAGE = 300  # [characters]
_ADDRESS = re.compile(r"0x[0-9a-fA-F]+")  # of an object in memory, another one each time

Attempt = dict[str, Any] | Exception


class _Part(NamedTuple):
    attempts: list[Attempt]
    logs: Mapping[str, Log] | None


def attempted(
    batch: Batch, configs: Sequence[Any], *, workers: int, should_stop: StopWish | None
) -> ManyRuns:
    """What `batch` gives for the configurations; a run that raises has a failed row and no logs."""
    one_by_one = getattr(batch, "attempts", None)
    if one_by_one is not None:
        part = _Part(one_by_one(configs, workers=workers, should_stop=should_stop), {})
    else:
        part = _attempted(batch, configs, workers, should_stop)
    _raise_if_refused(part.attempts)
    rows = [failed_row(one) if isinstance(one, Exception) else one for one in part.attempts]
    return ManyRuns(rows, part.logs or {})


def _attempted(
    batch: Batch, configs: Sequence[Any], workers: int, should_stop: StopWish | None
) -> _Part:
    try:
        found = batch(configs, workers=workers, should_stop=should_stop)
    except Exception as error:
        if not is_of_one_run(error):
            raise
        if len(configs) == 1:
            return _Part([error], None)
        half = len(configs) // 2
        return _joined(
            _attempted(batch, configs[:half], workers, should_stop),
            _attempted(batch, configs[half:], workers, should_stop),
        )
    if isinstance(found, ManyRuns):
        return _Part(list(found.rows), found.logs)
    return _Part(list(found), {})


def _joined(first: _Part, second: _Part) -> _Part:
    attempts = [*first.attempts, *second.attempts]
    if first.logs is None or second.logs is None:
        known = first.logs if second.logs is None else _moved(second.logs, len(first.attempts))
        return _Part(attempts, known)
    moved = _moved(second.logs, len(first.attempts))
    return _Part(attempts, {name: _one_log(first.logs[name], moved[name]) for name in moved})


def _moved(logs: Mapping[str, Log], places: int) -> dict[str, Log]:
    return {name: {**log, "run": log["run"] + places} for name, log in logs.items()}


def _one_log(first: Log, second: Log) -> Log:
    return {name: np.concatenate([first[name], second[name]]) for name in first}


def is_of_one_run(error: Exception) -> bool:
    """Whether an error may concern one run only; one of the compiler concerns all."""
    return not isinstance(error, OF_THE_STUDY) and not type(error).__module__.startswith("numba")


def _raise_if_refused(attempts: Sequence[Attempt]) -> None:
    """Raise a refusal that every run has in the same words."""
    first = attempts[0]
    words = {str(one) if isinstance(one, HaptosError) else None for one in attempts}
    if len(attempts) > 1 and len(words) == 1 and isinstance(first, HaptosError):
        raise first


def failed_row(error: Exception) -> dict[str, Any]:
    """Row of a run that raised; its metrics are left out, the table fills them with NaN."""
    label = Outcome.FAILED.label
    return {"outcome": label, "ended": label, "message": message_of(error), "trusted": False}


def is_failed(row: Mapping[str, Any]) -> bool:
    """Whether a row is that of a run that raised."""
    return bool(row.get("outcome") == Outcome.FAILED.label)


def failed_runs(runs: pd.DataFrame) -> pd.DataFrame:
    """Rows of the runs that raised."""
    return runs[runs["outcome"].astype(str) == Outcome.FAILED.label]


def message_of(error: Exception) -> str:
    """Kind, text and place of an error in one line, the same each time it is raised."""
    text = " ".join(_ADDRESS.sub("0x...", str(error)).split())
    if isinstance(error, HaptosError):
        return text[:LONGEST_MESSAGE]
    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({Path(frames[-1].filename).name}:{frames[-1].lineno})" if frames else ""
    return f"{type(error).__name__}: {text}"[: LONGEST_MESSAGE - len(place)] + place


def failure_lines(runs: pd.DataFrame, most: int = 5) -> list[str]:
    """'run 17: ZeroDivisionError: ...' of the first runs that failed, and how many more there are."""
    failed = failed_runs(runs)
    lines = [f"run {row.run}: {row.message}" for row in failed.head(most).itertuples()]
    more = len(failed) - len(lines)
    return lines + ([f"and {more} more, in the column message"] if more else [])
