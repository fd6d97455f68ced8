"""Rows of runs as Arrow tables and Parquet bytes: the same rows are always the same bytes.

Types come from the plan and from the names of the scenario's columns, never from the values of one
shard: a shard that holds only NaN, or only whole numbers, has the types of all others.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from typing import Any, BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq

from haptos.campaign.plan import CampaignPlan, flat

FINGERPRINT = b"haptos.fingerprint"
LABELS = ("outcome", "ended")  # texts every row has
TEXTS = (*LABELS, "not_trusted_because", "ledger_phase")  # all texts; they stand before `trusted`
FLAGS = ("trusted",)  # booleans; every other column of a scenario is a number
PLACES = ("run", "point", "replicate")
ROW_GROUP = 100_000  # [rows] of runs.parquet, tens of megabytes
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
    """Table of consecutive runs, from the flat dicts the scenario returned for them."""
    if len(rows) != len(runs):
        raise TypeError(f"scenario '{plan.scenario}' gave {len(rows)} rows for {len(runs)} runs")
    columns = schema(plan, rows[0])
    varied = [flat(values) for values in plan.values_of(runs)]
    if any(row.keys() != rows[0].keys() for row in rows):
        raise TypeError(f"rows of scenario '{plan.scenario}' have different columns")
    arrays = {
        "run": list(runs),
        "point": [plan.point(run) for run in runs],
        "replicate": [plan.replicate(run) for run in runs],
    }
    for name in plan.columns:
        arrays[name] = [values[name] for values in varied]
    for name in rows[0]:
        convert = _CONVERT[str(columns.field(name).type)]
        arrays[name] = [convert(row[name]) for row in rows]
    return pa.Table.from_pydict(arrays, schema=columns)


_CONVERT: dict[str, Any] = {"string": str, "bool": bool, "double": float}


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
    """Parquet file of one shard, with a checksum per page and no trace of time or place."""
    sink = io.BytesIO()
    pq.write_table(rows, sink, row_group_size=max(rows.num_rows, 1), **_options())
    return sink.getvalue()


def read_parquet(data: bytes) -> tuple[pa.Table, str]:
    """(table, name of the library that wrote it) of Parquet bytes; every checksum is verified."""
    file = pq.ParquetFile(io.BytesIO(data), page_checksum_verification=True)
    return file.read(use_threads=False), str(file.metadata.created_by)


def is_rewritten(rows: pa.Table, data: bytes, writer: str) -> bool:
    """Whether the bytes are those that would be written again.

    The footer has no checksum, but the same library writes the same rows as the same bytes; of
    another library's file nothing more is known.
    """
    return f"version {pa.__version__}" not in writer or parquet_bytes(rows) == data


def write_joined(file: BinaryIO, tables: Iterable[pa.Table]) -> None:
    """All shards as one Parquet file; row groups depend on the rows only, not on the shards."""
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
