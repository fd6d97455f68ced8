"""How many rows of one run are kept in memory."""

from __future__ import annotations

from haptos.core.errors import ConfigError

MOST_ROWS = 1_000_000  # of 256 bytes


def check_stored(interval: float, duration: float, count: int) -> None:
    """Refuse a run that stores every one of too many steps: interval 0 [s] of its output, over a duration [s]."""
    if interval == 0.0 and count > MOST_ROWS:
        raise ConfigError(
            "[run] output_interval_s",
            f"0, which stores every step, for a run of more than {MOST_ROWS} steps",
            f"at most {MOST_ROWS} stored times",
            f"output_interval_s = {duration / 1000.0:.3g}",
        )
