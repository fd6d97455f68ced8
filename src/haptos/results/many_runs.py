"""Many runs as tables: a row for each run and, if wanted, rows for each impact and each output time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from haptos.core.errors import ConfigError
from haptos.results.row_table import RowTable

if TYPE_CHECKING:
    import pandas

Store = Literal["summary", "impacts", "trajectories"]
# What is kept of each run besides its row of numbers.
LOGS: dict[str, tuple[str, ...]] = {
    "summary": (),
    "impacts": ("impacts",),
    "trajectories": ("impacts", "trajectories"),
}
Log = Mapping[str, np.ndarray]  # column -> values


@dataclass(frozen=True, eq=False)
class ManyRuns:
    """Rows of many runs and their logs.

    rows   one flat dict per run: outcome, ended, trusted, metrics, end of the ledger
    logs   impacts, trajectories -> columns; `run` is the place of the run in `rows`, ascending
    """

    rows: Sequence[dict[str, Any]]
    logs: Mapping[str, Log] = field(default_factory=dict)

    @property
    def runs(self) -> pandas.DataFrame:
        """One row per run."""
        import pandas as pd

        return self.rows.frame() if isinstance(self.rows, RowTable) else pd.DataFrame(self.rows)

    @property
    def impacts(self) -> pandas.DataFrame:
        """One row per collision."""
        return self._log("impacts")

    @property
    def trajectories(self) -> pandas.DataFrame:
        """One row per output time."""
        return self._log("trajectories")

    def _log(self, name: str) -> pandas.DataFrame:
        import pandas as pd

        if name not in self.logs:
            raise not_stored(name, "simulate_batch")
        return pd.DataFrame(dict(self.logs[name]))


def not_stored(name: str, where: str) -> ConfigError:
    """The refusal to give a log that was not kept."""
    wanted = [f'store = "{store}"' for store, logs in LOGS.items() if name in logs]
    hint = f"run it again with {wanted[0]}"
    return ConfigError(where, f"no {name} stored", " or ".join(wanted), hint)


def joined(logs: list[dict[str, np.ndarray]]) -> dict[str, np.ndarray]:
    """One log out of those of each run, in order; `run` is put in front."""
    run = np.repeat(np.arange(len(logs)), [len(next(iter(log.values()))) for log in logs])
    return {"run": run, **{name: np.concatenate([log[name] for log in logs]) for name in logs[0]}}
