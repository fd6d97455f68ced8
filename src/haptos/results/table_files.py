"""Tables of a result as text and bytes that other programs read: CSV and Parquet."""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import TYPE_CHECKING

from numpy.typing import ArrayLike

if TYPE_CHECKING:
    import xarray


def csv_of(table: xarray.Dataset, *, has_index: bool = True) -> str:
    """A row for each entry of a table, with its coordinates first if it has an index."""
    frame = table.to_dataframe().reset_index(drop=not has_index)
    return str(frame.to_csv(index=False))


def parquet_of(columns: Mapping[str, ArrayLike]) -> bytes:
    """Columns by name, in their order."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    buffer = io.BytesIO()
    pq.write_table(pa.table(dict(columns)), buffer)
    return buffer.getvalue()
