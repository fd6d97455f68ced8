"""Names of the files a run leaves behind; those of a campaign are in campaign/file_names.py."""

from __future__ import annotations

RESULT = "result.nc"  # everything, as NetCDF
SCENARIO = "scenario.toml"  # the complete scenario file of the run
SUMMARY = "summary.json"  # outcome, metrics, ledger; written last
REPORT = "report.html"  # the page for people; a campaign has one too
FILE_LIST = "checksums.json"  # of the files that cannot carry their own
