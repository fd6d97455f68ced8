"""The public face of the room: run a campaign, resume it, open it, look at it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from haptos.campaign import directory as rules
from haptos.campaign.checking import check_runs
from haptos.campaign.cluster import cluster_results
from haptos.campaign.file_names import MANIFEST
from haptos.campaign.interruption import Interrupted, stop_on_signals
from haptos.campaign.local import checked_workers, local_results
from haptos.campaign.logs import DAMAGE, check_logs, logs_of, read_log
from haptos.campaign.plan import CampaignPlan, load_plan, plan_of_table
from haptos.campaign.precision import Goal, check_goal, is_met, looked_at
from haptos.campaign.progress import (
    CHECKING,
    RUNNING,
    VERIFYING,
    Report,
    Silent,
    reporter,
)
from haptos.campaign.repeats import check_repeats
from haptos.campaign.runner import Batch, StopWish, batch_of, write_all
from haptos.campaign.statistics import Statistics, statistics
from haptos.campaign.store import Store, is_complete, plan_of, read_runs
from haptos.core.errors import ConfigError, StorageError
from haptos.core.stop import Stopped
from haptos.results.many_runs import not_stored
from haptos.results.toml_text import toml_text
from haptos.scenarios.files import check_depth, parse_toml

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

    from haptos.results.campaign_summary import CampaignView


@dataclass(frozen=True)
class Campaign:
    """A finished campaign: its directory and its plan; the runs are read when asked for.

    was_complete  whether nothing had to be run because all of it was there before
    has_checksums whether its files have checksums; those of an earlier format have none
    """

    directory: Path
    plan: CampaignPlan
    was_complete: bool = False
    has_checksums: bool = True

    @cached_property
    def runs(self) -> pd.DataFrame:
        """One row per run: run, point, replicate, what varied, outcome, ended, message, trusted,
        metrics; a run that raised is *failed*, says why in `message`, and has NaN for numbers."""
        try:
            found = read_runs(self.directory, self.plan, has_checksums=self.has_checksums)
            frame: pd.DataFrame = found.to_pandas()
        except DAMAGE:
            raise _incomplete(self.directory) from None
        return frame

    @cached_property
    def impacts(self) -> pd.DataFrame:
        """One row per collision of every run, if [campaign] has store = "impacts" or more."""
        return self._log("impacts")

    @cached_property
    def trajectories(self) -> pd.DataFrame:
        """One row per output time of every run, if [campaign] has store = "trajectories"."""
        return self._log("trajectories")

    def _log(self, name: str) -> pd.DataFrame:
        if name not in logs_of(self.plan):
            raise not_stored(name, f"{self.plan.where} [campaign]")
        frame: pd.DataFrame = self.log(name).to_pandas()
        return frame

    def log(self, name: str, columns: list[str] | None = None) -> pa.Table:
        """Rows of a log that is stored, of all columns or of some."""
        is_checked = self.has_checksums
        try:
            return read_log(self.directory, self.plan, name, columns, has_checksum=is_checked)
        except DAMAGE:
            raise _incomplete(self.directory) from None

    @cached_property
    def statistics(self) -> Statistics:
        """Metric statistics over trusted runs, outcome shares over all."""
        return statistics(self.runs)

    @cached_property
    def is_goal_met(self) -> bool | None:
        """Whether `until` was met, also if only by the last run; None without one."""
        until = self.plan.settings.until
        if until is None:
            return None
        return len(self.runs) < self.plan.total or is_met(until, looked_at(until, self.runs))

    def _repr_html_(self) -> str:
        """What a notebook shows: what was asked, what came out, and how many runs may be believed."""
        from html import escape

        view, trusted = self.report(), int(self.runs["trusted"].sum())
        asked, found = escape(view.question), escape(view.answer)
        believed = f"{trusted} of {len(self.runs)} runs are trusted."
        return f"<p>{asked}<br><strong>{found}</strong><br>{believed}</p>"

    def report(self) -> CampaignView:
        """Everything a report page shows, for `haptos.view`."""
        return self._view

    @cached_property
    def _view(self) -> CampaignView:
        from haptos.campaign.summary import campaign_view

        return campaign_view(self)


def campaign(
    path: str | Path | Mapping[str, Any],
    *,
    out: str | Path,
    resume: bool = False,
    workers: int | None = None,
    scheduler: str | None = None,
    progress: str | Report | None = None,
    batch: Batch | None = None,
    where: str | None = None,
) -> Campaign:
    """Run a campaign file, or open its directory if it is already complete.

    path        campaign file (TOML), or its tables as a mapping
    where       what messages call it; its path if left out
    out         directory for the results: new, empty, or of the same campaign
    resume      continue what an interrupted run left in `out`; a fresh start if there is nothing
    workers     threads on this machine, one per core if left out
    scheduler   address of a Dask scheduler, in place of this machine
    progress    None shows a bar on a terminal and, elsewhere, sparse lines of work that takes longer
                than ten seconds; 'bar' always a bar, 'off' nothing; or a function that
                takes (text, runs done, runs in all)
    batch       what runs the configurations; the scenario's own function if left out

    Raises ConfigError and StorageError before any work for what cannot be done, StorageError for
    a disk that fails later, Interrupted after Ctrl-C or SIGTERM. Finished shards stay in each case.
    """
    plan, text = _planned(path, where)
    where, out = plan.where, Path(out)
    if batch is None:
        check_goal(plan.settings.until, plan.scenario, where)
    threads = checked_workers(workers)
    check_logs(plan)
    check_repeats(plan)
    batch = batch or batch_of(plan.scenario, plan.settings.store)
    finished = None if resume else _complete(out, plan)
    if finished is not None:
        return finished
    with (
        stop_on_signals() as should_stop,
        reporter(progress) as report,
        Store(out, plan, resume=resume) as store,
    ):
        work = _Work(store, report, should_stop, text)
        try:
            work.run(batch, threads, scheduler)
        except (Stopped, KeyboardInterrupt):
            raise Interrupted(out, work.done, plan.total) from None
    return Campaign(out, plan, was_complete=work.was_complete)


def _planned(given: Any, where: str | None) -> tuple[CampaignPlan, bytes]:
    """(plan, text of the file) of a campaign file, or of its tables."""
    if isinstance(given, str | Path):
        return load_plan(given, where), Path(given).read_bytes()
    if not isinstance(given, Mapping):
        found = f"an object of type {type(given).__name__}"
        allowed = "the path of a campaign file, or a mapping of its tables"
        hint = 'hp.campaign("study.toml", out="out/study")'
        raise ConfigError("campaign", found, allowed, hint)
    where = "campaign" if where is None else where
    check_depth(dict(given), where)
    text = toml_text(dict(given))  # which refuses what no file can hold
    return plan_of_table(parse_toml(text, where), Path.cwd(), where), text.encode()


def open_campaign(directory: str | Path) -> Campaign:
    """Finished campaign from its directory alone."""
    directory = Path(directory)
    manifest = rules.read_manifest(directory)
    if manifest is None:
        found = f"no {MANIFEST}" if directory.is_dir() else "no such directory"
        hint = "haptos campaign FILE --out DIR"
        raise StorageError(str(directory), found, "the directory of a campaign", hint)
    plan = plan_of(manifest, directory)
    has_checksums = rules.has_checksums(manifest)
    if not is_complete(directory, plan, has_checksums=has_checksums):
        raise _incomplete(directory)
    return Campaign(directory, plan, has_checksums=has_checksums)


def _complete(out: Path, plan: CampaignPlan) -> Campaign | None:
    """The campaign in `out`, if it is this one and all of it is there."""
    if rules.check_ownership(out, plan.fingerprint) is None or not is_complete(out, plan):
        return None
    return Campaign(out, plan, was_complete=True)


def _incomplete(directory: Path) -> StorageError:
    found = "a campaign that is not finished, or whose table is damaged"
    hint = f"haptos campaign FILE --out {directory} --resume"
    return StorageError(str(directory), found, "a finished campaign", hint)


class _Work:
    """One call of `campaign`, phase by phase."""

    def __init__(self, store: Store, report: Silent, should_stop: StopWish, text: bytes) -> None:
        self.store, self.plan = store, store.plan
        self.report, self.should_stop, self.text = report, should_stop, text
        self.done = 0  # runs on disk
        self.failed = 0  # of those computed now, runs that raised
        until = self.plan.settings.until
        self.goal = None if until is None else Goal(until, self.plan.where)
        self.was_complete = False

    def run(self, batch: Batch, threads: int, scheduler: str | None) -> None:
        plan, store = self.plan, self.store
        pending = self._pending()
        if self.goal is not None and self.goal.is_reached:
            store.begin(self.text)
            store.join(self.goal.shards)
            return
        self.was_complete = not pending
        pending_runs = sum(len(plan.shard(shard)) for shard in pending)
        store.check_room(pending_runs, len(pending))
        self.report.start(CHECKING, pending_runs)
        check_runs(plan, pending, advance=self.report.advance, should_stop=self.should_stop)
        store.begin(self.text)
        self.report.start(RUNNING, plan.total, self.done)
        if scheduler is None:
            results = local_results(
                plan, pending, batch=batch, workers=threads, should_stop=self.should_stop
            )
        else:
            results = cluster_results(
                plan, pending, batch=batch, scheduler=scheduler, should_stop=self.should_stop
            )
        write_all(store, results, self._advance, self.goal)
        store.join(None if self.goal is None else self.goal.shards)

    def _pending(self) -> list[int]:
        """Shards still to be computed: missing, or there but damaged."""
        if not self.store.has_begun:
            return list(range(self.plan.shard_count))
        self.report.start(VERIFYING, self.plan.total)
        pending = []
        for shard in range(self.plan.shard_count):
            if self.should_stop():
                raise Stopped
            count = len(self.plan.shard(shard))
            rows = self.store.verified(shard)
            if rows is None:
                pending.append(shard)
            else:
                self.done += count
                if self.goal is not None and self.goal.take(shard, rows):
                    return []
            self.report.advance(count)
        return pending

    def _advance(self, count: int, failed: int) -> None:
        self.done += count
        self.failed += failed
        self.report.describe(f"{RUNNING}, {self.failed} failed" if self.failed else RUNNING)
        self.report.advance(count)
