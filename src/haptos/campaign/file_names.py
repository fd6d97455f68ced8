"""Names of the files of a campaign's directory; those of a run are in results/file_names.py."""

from __future__ import annotations

MANIFEST = "campaign.json"  # fingerprint, sizes and the complete plan
PLAN_COPY = "campaign.toml"  # the campaign file as it was given
SHARDS = "shards"  # folder of Parquet files, rows of consecutive runs each
RUNS = "runs.parquet"  # all rows, written when every shard is there
LOGS = {"impacts": "impacts.parquet", "trajectories": "trajectories.parquet"}  # joined as RUNS
LOCK = ".lock"  # held by the process that writes


def in_campaign(fingerprint: str, name: str) -> str:
    """Name of a file in its checksum: which campaign it is of, and where it stands in it."""
    return f"{fingerprint}/{name}"
