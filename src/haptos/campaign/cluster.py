"""Shards on a Dask cluster: one pure task each; only this process writes."""

from __future__ import annotations

import socket
import time
from collections.abc import Generator, Iterator, Sequence
from contextlib import suppress
from importlib import metadata
from typing import Any
from urllib.parse import urlsplit

from haptos.campaign import tables
from haptos.campaign.plan import CampaignPlan
from haptos.campaign.runner import Batch, StopWish, shard_tables
from haptos.campaign.store import ShardTables
from haptos.core.errors import ConfigError, HaptosError
from haptos.core.stop import Stopped

CONNECT_TIME = 10.0  # [s] until an address that does not answer is refused
LOOK_INTERVAL = 0.2  # [s] between two looks at the stop wish
WORKERS_INTERVAL = 2.0  # [s] between two looks at whether any worker is left
LOST_TIME = 30.0  # [s] without any worker until the campaign ends; a restarted one is back before
TASKS_PER_THREAD = 3  # queued; enough to keep workers busy, few enough to cancel quickly


def shard_bytes(plan: CampaignPlan, shard: int, batch: Batch) -> tuple[bytes, dict[str, bytes]]:
    """The task: rows and logs of one shard, computed by one thread of a worker."""
    found = shard_tables(plan, plan.shard(shard), batch, 1, None)
    logs = {name: tables.arrow_bytes(log) for name, log in found.logs.items()}
    return tables.arrow_bytes(found.runs), logs


def cluster_results(
    plan: CampaignPlan,
    shards: Sequence[int],
    *,
    batch: Batch,
    scheduler: str,
    should_stop: StopWish,
) -> Generator[tuple[int, ShardTables], None, None]:
    """(shard, rows) as they arrive from the workers, in no particular order."""
    client = connected(scheduler)
    futures: dict[Any, int] = {}
    try:
        check_workers(client, scheduler)
        shared = client.scatter(plan, broadcast=True, hash=False)
        waiting = iter(shards)
        threads = sum(client.nthreads().values())
        workers = _Workers(client, scheduler)
        while True:
            _submit(client, futures, waiting, threads * TASKS_PER_THREAD, shared, plan, batch)
            if not futures:
                return
            yield from _arrived(client, futures, scheduler, should_stop)
            workers.check()
    finally:
        with suppress(Exception):
            client.cancel(list(futures))
        with suppress(Exception):
            client.close(timeout=CONNECT_TIME)


def connected(scheduler: str) -> Any:
    """Client of a running scheduler."""
    where = f"--scheduler {scheduler}"
    try:
        from distributed import Client
    except ImportError:
        hint = "pip install 'haptos[cluster]'"
        raise ConfigError(where, "no package distributed", "Dask installed", hint) from None
    try:
        knock(scheduler)
        return Client(scheduler, timeout=CONNECT_TIME, set_as_default=False)
    except (OSError, TimeoutError, ValueError, RuntimeError) as error:
        found = f"no scheduler there ({type(error).__name__})"
        allowed = "the address of a running Dask scheduler"
        raise ConfigError(where, found, allowed, "start one with `dask scheduler`") from None


def knock(scheduler: str) -> None:
    """Fail at once where nothing listens: a client that cannot connect leaves its loop behind."""
    address = urlsplit(scheduler if "://" in scheduler else f"tcp://{scheduler}")
    if address.scheme not in ("tcp", "tls"):
        return
    if not address.hostname or address.port is None:
        raise ValueError("an address is host:port")
    socket.create_connection((address.hostname, address.port), timeout=CONNECT_TIME).close()


def haptos_version() -> str:
    return metadata.version("haptos")


def check_workers(client: Any, scheduler: str) -> None:
    """Refuse a cluster without workers, or with another haptos than this one."""
    where = f"--scheduler {scheduler}"
    if not client.nthreads():
        hint = f"start some with `dask worker {scheduler}`"
        raise ConfigError(where, "no workers", "at least one worker", hint)
    own = haptos_version()
    for worker, version in client.run(haptos_version, on_error="return").items():
        if version != own:
            found = (
                f"haptos {version} on {worker}"
                if isinstance(version, str)
                else f"no haptos on {worker}"
            )
            raise ConfigError(
                where, found, f"haptos {own} on every worker", "install the same there"
            )


class _Workers:
    """Ends a campaign whose workers are all gone: Dask itself waits for new ones for ever."""

    def __init__(self, client: Any, scheduler: str) -> None:
        self._client, self._scheduler = client, scheduler
        self._looked = self._seen = time.monotonic()

    def check(self) -> None:
        """Look now and then; raise if there was no worker for LOST_TIME."""
        now = time.monotonic()
        if now - self._looked < min(WORKERS_INTERVAL, LOST_TIME):
            return
        self._looked = now
        try:
            is_any = bool(self._client.nthreads())
        except (OSError, TimeoutError, RuntimeError):  # nor does the scheduler answer
            is_any = False
        if is_any:
            self._seen = now
        elif now - self._seen >= LOST_TIME:
            raise _lost(f"no worker left for {LOST_TIME:g} s", self._scheduler)


def _submit(
    client: Any,
    futures: dict[Any, int],
    waiting: Iterator[int],
    wanted: int,
    shared: Any,
    plan: CampaignPlan,
    batch: Batch,
) -> None:
    while len(futures) < wanted:
        shard = next(waiting, None)
        if shard is None:
            return
        key = f"haptos-{plan.fingerprint[:16]}-{shard:06d}"
        futures[client.submit(shard_bytes, shared, shard, batch, key=key, pure=True)] = shard


def _arrived(
    client: Any, futures: dict[Any, int], scheduler: str, should_stop: StopWish
) -> Iterator[tuple[int, ShardTables]]:
    from distributed import wait

    if should_stop():
        raise Stopped
    try:
        with client.as_current():
            waited = wait(list(futures), timeout=LOOK_INTERVAL, return_when="FIRST_COMPLETED")
    except TimeoutError:
        return
    except Exception as error:  # all futures are gone: with the last worker, or the scheduler
        if not _is_of_cluster(error):
            raise
        raise _lost(
            f"all workers lost, or the scheduler ({type(error).__name__})", scheduler
        ) from None
    for future in sorted(waited.done, key=futures.__getitem__):
        shard = futures[future]
        runs, logs = _gathered(future, shard, scheduler)
        del futures[future]
        tabled = {name: tables.from_arrow_bytes(log) for name, log in logs.items()}
        yield shard, ShardTables(tables.from_arrow_bytes(runs), tabled)


def _gathered(future: Any, shard: int, scheduler: str) -> tuple[bytes, dict[str, bytes]]:
    """Bytes of a finished task; what a worker refused is raised here, a lost worker is reported."""
    try:
        data: tuple[bytes, dict[str, bytes]] = future.result(timeout=CONNECT_TIME)
    except HaptosError:
        raise
    except Exception as error:
        if not _is_of_cluster(error):
            raise
        raise _lost(f"shard {shard} lost ({type(error).__name__})", scheduler) from None
    return data


def _is_of_cluster(error: Exception) -> bool:
    return type(error).__module__.partition(".")[0] in ("distributed", "asyncio", "concurrent")


def _lost(what: str, scheduler: str) -> ConfigError:
    hint = "look at the workers, then add --resume: finished shards are kept"
    return ConfigError(f"--scheduler {scheduler}", what, "workers that stay", hint)
