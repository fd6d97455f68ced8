"""Rows of runs as Arrow tables and Parquet bytes: the same rows are always the same bytes.

Types come from the plan and from the names of the scenario's columns, never from the values of one
shard: a shard that holds only NaN, or only whole numbers, has the types of all others.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from haptos.campaign.failures import is_failed
from haptos.campaign.plan import CampaignPlan, flat
from haptos.core.checked_files import FIELD, Checksum, checksum_state, file_state
from haptos.core.outcome import Outcome

FINGERPRINT = b"haptos.fingerprint"
CHECKSUM = "haptos.checksum"  # in the footer of every file, over all its bytes
LABELS = ("outcome", "ended", "message")  # texts every row has; the message of a run that failed
TEXTS = (*LABELS, "not_trusted_because", "ledger_phase")  # all texts; they stand before `trusted`
FLAGS = ("trusted",)  # booleans; every other column of a scenario is a number
PLACES = ("run", "point", "replicate")
ROW_GROUP = 10_000  # [rows] of joined tables: all that is in memory of them while they are written
_TYPES = {"double": pa.float64(), "int64": pa.int64(), "bool": pa.bool_(), "string": pa.string()}


def _scenario_type(column: str) -> pa.DataType:
    if column in TEXTS:
        return pa.string()
    return pa.bool_() if column in FLAGS else pa.float64()


def schema(plan: CampaignPlan, scenario_columns: Iterable[str]) -> pa.Schema:
    """Columns of a campaign: place of the run, what varies, what the scenario reports."""
    fields = [(name, pa.int64()) for name in PLACES]
    fields += [(name, _TYPES[kind]) for name, kind in plan.columns.items()]
    names = [name for name, _ in fields]
    reported = list(scenario_columns)
    for column in (*LABELS, *FLAGS):
        if column not in reported:
            raise TypeError(f"rows of scenario '{plan.scenario}' lack the column '{column}'")
    if set(names) & set(reported):
        raise TypeError(
            f"columns of scenario '{plan.scenario}' clash: {set(names) & set(reported)}"
        )
    fields += [(name, _scenario_type(name)) for name in reported]
    return pa.schema(
        [pa.field(name, kind, nullable=False) for name, kind in fields],
        metadata={FINGERPRINT: plan.fingerprint.encode()},
    )


def table(plan: CampaignPlan, runs: range, rows: Sequence[dict[str, Any]]) -> pa.Table:
    """Table of consecutive runs, from the flat dicts the scenario returned for them.

    A failed run has NaN for every number; if all of them failed, there are no columns of numbers.
    """
    if len(rows) != len(runs):
        raise TypeError(f"scenario '{plan.scenario}' gave {len(rows)} rows for {len(runs)} runs")
    first = next((row for row in rows if not is_failed(row)), rows[0])
    reported = _with_message(first)
    columns = schema(plan, reported)
    varied = [flat(values) for values in plan.values_of(runs)]
    if any(row.keys() != first.keys() and not is_failed(row) for row in rows):
        raise TypeError(f"rows of scenario '{plan.scenario}' have different columns")
    arrays = {
        "run": list(runs),
        "point": [plan.point(run) for run in runs],
        "replicate": [plan.replicate(run) for run in runs],
    }
    for name in plan.columns:
        arrays[name] = [values[name] for values in varied]
    for name in reported:
        convert, unknown = _CONVERT[str(columns.field(name).type)], _unknown(columns.field(name))
        arrays[name] = [convert(row.get(name, unknown)) for row in rows]
    return pa.Table.from_pydict(arrays, schema=columns)


_CONVERT: dict[str, Any] = {"string": str, "bool": bool, "double": float}


def _unknown(column: pa.Field) -> Any:
    """What a failed run has in a column of which it knows nothing."""
    if column.name == "not_trusted_because":
        return Outcome.FAILED.label
    return {"string": "", "bool": False}.get(str(column.type), float("nan"))


def _with_message(row: dict[str, Any]) -> list[str]:
    """Columns of a row; numbers stand after `trusted`, so the message comes before."""
    names = list(row)
    if "message" not in names and "trusted" in names:
        names.insert(names.index("trusted"), "message")
    return names


def failed_count(rows: pa.Table) -> int:
    """Number of runs that failed."""
    return int(pc.sum(pc.equal(rows.column("outcome"), Outcome.FAILED.label)).as_py() or 0)


def narrowed(rows: pa.Table, columns: Sequence[str]) -> pa.Table:
    """The table with the columns that every row has, if all its runs failed.

    Whether others are known then depends on the runs computed together; the bytes must not.
    columns   of the plan, which stay
    """
    if failed_count(rows) < rows.num_rows:
        return rows
    return rows.select([*PLACES, *columns, *LABELS, *FLAGS])


def is_narrow(names: Sequence[str]) -> bool:
    """Whether a table has the columns of failed runs alone."""
    return tuple(names[-len(LABELS) - len(FLAGS) :]) == (*LABELS, *FLAGS)


def widened(rows: pa.Table, columns: pa.Schema) -> pa.Table:
    """The table with the columns it lacks, as of failed runs."""
    for column in columns:
        if column.name not in rows.schema.names:
            values = pa.array([_unknown(column)] * rows.num_rows, column.type)
            rows = rows.append_column(column, values)
    return rows.select(columns.names)


def _options() -> dict[str, Any]:
    """Everything that decides the bytes, said explicitly."""
    return {
        "version": "2.6",
        "data_page_version": "1.0",
        "compression": "zstd",
        "compression_level": 3,
        "use_dictionary": False,
        "write_statistics": True,
        "write_page_checksum": True,
        "store_schema": True,
    }


def parquet_bytes(rows: pa.Table) -> bytes:
    """Parquet file of one shard, with room for its checksum and no trace of time or place."""
    sink = io.BytesIO()
    with pq.ParquetWriter(sink, rows.schema, **_options()) as writer:
        writer.write_table(rows, max(rows.num_rows, 1))
        writer.add_key_value_metadata({CHECKSUM: FIELD})
    return sink.getvalue()


def read_parquet(path: Path, name: str) -> pa.Table:
    """Table in a file; ValueError if it is not, byte for byte, what was written under this name."""
    data = io.BytesIO(path.read_bytes())
    if checksum_state(data, name) is not Checksum.OK:
        raise ValueError("contents that do not match their checksum")
    data.seek(0)
    file = pq.ParquetFile(data, page_checksum_verification=True)
    # The checksum is of the file, not of the table.
    return file.read(use_threads=False).replace_schema_metadata(file.schema_arrow.metadata)


@contextmanager
def opened(path: Path, name: str, *, has_checksum: bool) -> Iterator[pq.ParquetFile]:
    """A joined table, open for reading piece by piece after its checksum was looked at.

    has_checksum  whether it must have one: false for a campaign of an earlier format
    """
    state = file_state(path, name)
    if state is not (Checksum.OK if has_checksum else Checksum.NONE):
        raise ValueError("contents that do not match their checksum")
    with pq.ParquetFile(path, page_checksum_verification=True) as file:
        yield file


def write_joined(file: BinaryIO, tables: Iterable[pa.Table]) -> None:
    """All shards as one Parquet file with room for its checksum; row groups depend on the rows only, not on the shards."""
    waiting: list[pa.Table] = []
    writer = None
    try:
        for rows in tables:
            if writer is None:
                writer = pq.ParquetWriter(file, rows.schema, **_options())
            waiting.append(rows)
            joined = pa.concat_tables(waiting)
            while joined.num_rows >= ROW_GROUP:
                writer.write_table(joined.slice(0, ROW_GROUP).combine_chunks(), ROW_GROUP)
                joined = joined.slice(ROW_GROUP)
            waiting = [joined]
        if writer is not None and waiting and waiting[0].num_rows:
            writer.write_table(waiting[0].combine_chunks(), ROW_GROUP)
        if writer is not None:
            writer.add_key_value_metadata({CHECKSUM: FIELD})
    finally:
        if writer is not None:
            writer.close()


def arrow_bytes(rows: pa.Table) -> bytes:
    """Table on its way between machines; the receiver writes the file, so bytes do not differ."""
    sink = io.BytesIO()
    with pa.ipc.new_stream(sink, rows.schema) as writer:
        writer.write_table(rows)
    return sink.getvalue()


def from_arrow_bytes(data: bytes) -> pa.Table:
    with pa.ipc.open_stream(pa.BufferReader(data)) as reader:
        return reader.read_all().combine_chunks()
