"""Nets of any topology from files: two tables (CSV or Parquet), or one node-link graph (JSON).

knots   x_m, y_m, z_m in N axes (x: shooting direction); and if wanted
        id     names that links use; without it knots are counted from 0
        role   "tether" (one), "corner" (where bullets go), "side" (for twice the bullets), or empty
        mouth  place of the knot around the mouth, 0, 1, 2...; empty for the others
links   first, second; and if wanted class ("normal" or "reinforced") and length_m (natural length)
graph   {"nodes": [{"id", "x_m", ...}], "links": [{"source", "target", ...}]}; "edges" for "links" as
        networkx writes it
Corners and sides keep the order of the mouth, or of the table where no mouth is given. Nothing is
repaired: dangling, doubled and zero links and a net in pieces are refused.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from haptos.core.errors import ConfigError, GeometryError, HaptosError
from haptos.core.input_files import input_file
from haptos.geometry.nets.net_topology import THREAD_CLASSES, Integers, NetMesh, checked_net

if TYPE_CHECKING:
    import pandas as pd

TABLES = (".csv", ".parquet")
ROLES = ("tether", "corner", "side")
KNOT_COLUMNS = ("id", "x_m", "y_m", "z_m", "role", "mouth")
LINK_COLUMNS = ("first", "second", "class", "length_m")
LARGEST_TABLE = 500_000_000  # [byte], assumed; larger is not a net
LARGEST_GRAPH = 200_000_000  # [byte], assumed; JSON takes ten times its size in memory
LARGEST = 1e12  # [m] of a coordinate or a length; beyond any net
MOST_ROWS = 5_000_000  # of a Parquet file, whose size says nothing of its rows; assumed


def read_net_tables(knots: str | Path, links: str | Path) -> NetMesh:
    """Net of two tables in CSV or Parquet files."""
    return _net(_table(Path(knots), KNOT_COLUMNS), _table(Path(links), LINK_COLUMNS), knots, links)


def read_net_graph(path: str | Path) -> NetMesh:
    """Net of a node-link graph in a JSON file."""
    import pandas as pd

    file = Path(path)
    _require_file(file, (".json",), LARGEST_GRAPH)
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
    except RecursionError:
        hint = "write the graph in node-link form"
        raise GeometryError(str(file), "lists within lists without end", "JSON", hint) from None
    except ValueError as error:
        said = str(error).splitlines()[0][:120]
        raise GeometryError(str(file), said, "JSON text", "export the graph again") from None
    edges = data.get("links", data.get("edges")) if isinstance(data, dict) else None
    nodes = data.get("nodes") if isinstance(data, dict) else None
    for name, rows in (("nodes", nodes), ("links", edges)):
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows or []):
            hint = "write the graph in node-link form"
            raise GeometryError(str(file), f"no list '{name}'", "'nodes' and 'links'", hint)
    assert isinstance(nodes, list)
    assert isinstance(edges, list)
    renamed = [
        {{"source": "first", "target": "second"}.get(key, key): value for key, value in row.items()}
        for row in edges
    ]
    return _net(
        _columns(pd.DataFrame(nodes), KNOT_COLUMNS, f"{file} nodes"),
        _columns(pd.DataFrame(renamed), LINK_COLUMNS, f"{file} links"),
        f"{file} nodes", f"{file} links",
    )  # fmt: skip


def _table(file: Path, columns: tuple[str, ...]) -> pd.DataFrame:
    """A CSV or Parquet file of known columns."""
    import pandas as pd

    _require_file(file, TABLES, LARGEST_TABLE)
    try:
        if file.suffix.lower() == ".csv":
            found = pd.read_csv(file, skipinitialspace=True)
        else:
            _require_rows(file)
            found = pd.read_parquet(file)
    except HaptosError:
        raise
    except (ValueError, OSError, OverflowError) as error:  # the readers' own errors are ValueErrors
        said = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise GeometryError(str(file), said, "a readable table", "export it again") from None
    return _columns(found, columns, str(file))


def _require_rows(file: Path) -> None:
    """Refuse a Parquet file that says it holds more rows than any net."""
    import pyarrow.parquet as pq

    rows = pq.read_metadata(file).num_rows
    if rows > MOST_ROWS:
        raise GeometryError(str(file), f"{rows} rows", f"at most {MOST_ROWS}", "is this the net?")


def _require_file(file: Path, endings: tuple[str, ...], largest: int) -> None:
    if file.suffix.lower() not in endings:
        found = f"a file that ends on '{file.suffix}'"
        raise GeometryError(str(file), found, " or ".join(endings), "convert the file")
    input_file(file, "an existing file", largest, error=GeometryError)


def _columns(table: pd.DataFrame, known: tuple[str, ...], where: str) -> pd.DataFrame:
    """The table, if it has rows, every column it needs and none that is unknown."""
    for name in table.columns:
        if name not in known:
            raise ConfigError.unknown_key(where, str(name), known)
    needed = [name for name in known if name in ("x_m", "y_m", "z_m", "first", "second")]
    missing = [name for name in needed if name not in table.columns]
    if missing:
        hint = f"add the column '{missing[0]}'"
        raise GeometryError(where, f"no column '{missing[0]}'", ", ".join(needed), hint)
    if len(table) == 0:
        raise GeometryError(where, "no rows", "one row or more", "is the file complete?")
    for name in table.columns:
        if table[name].dtype == object:
            _check_cells(table[name], f"{where} {name}")
    return table


def _check_cells(column: pd.Series, where: str) -> None:
    """Refuse cells that hold a list or a table, or a number beyond any float."""
    for row, value in enumerate(column):
        is_huge = isinstance(value, int) and abs(value) > LARGEST
        if isinstance(value, list | tuple | dict | set) or is_huge:
            found = f"row {row}: {str(value)[:40]}"
            raise GeometryError(where, found, "a number or a word", f"change row {row}")


def _net(
    knots: pd.DataFrame, links: pd.DataFrame, knots_where: str | Path, links_where: str | Path
) -> NetMesh:
    """Net of two tables; `where` names them in refusals."""
    here, there = str(knots_where), str(links_where)
    points = np.stack([_numbers(knots, name, here) for name in ("x_m", "y_m", "z_m")], axis=1)
    row_of = _row_of(knots, here)
    pairs = np.stack([_rows(links, name, row_of, there) for name in ("first", "second")], axis=1)
    classes = _words(links, "class", THREAD_CLASSES[:2], there)
    classes = [word or "normal" for word in classes]
    lengths = _numbers(links, "length_m", there) if "length_m" in links.columns else None
    roles = np.array(_words(knots, "role", ROLES, here))
    mouth = _mouth(knots, here)
    tethers = np.flatnonzero(roles == "tether")
    if len(tethers) != 1:
        found = f"{len(tethers)} knots with the role 'tether'"
        raise GeometryError(here, found, "exactly one", "write tether into one row of 'role'")
    place = np.full(len(points), len(points), dtype=np.int64)
    place[mouth] = np.arange(len(mouth))
    corners, sides = (_in_order(roles == role, place) for role in ("corner", "side"))
    return checked_net(
        there, "table", points, pairs, [THREAD_CLASSES.index(word) for word in classes],
        int(tethers[0]), corners, sides, mouth, lengths,
    )  # fmt: skip


def _in_order(chosen: np.ndarray, place: Integers) -> Integers:
    """Rows that are chosen, by their place around the mouth."""
    rows = np.flatnonzero(chosen)
    return rows[np.argsort(place[rows], kind="stable")].astype(np.int64)


def _numbers(table: pd.DataFrame, name: str, where: str) -> np.ndarray:
    """A column of finite numbers [m]."""
    import pandas as pd

    numbers = pd.to_numeric(table[name], errors="coerce").to_numpy(dtype=float)
    wrong = np.flatnonzero(~(np.abs(numbers) <= LARGEST))
    if len(wrong):
        found = f"row {wrong[0]}: {name} = '{table[name].iloc[wrong[0]]}'"
        allowed = f"finite numbers in metres, up to {LARGEST:g} in size"
        raise GeometryError(where, found, allowed, f"correct row {wrong[0]}")
    return numbers


def _row_of(knots: pd.DataFrame, where: str) -> dict[Any, int]:
    """Id of a knot -> its row; rows count from 0 where there are no ids."""
    if "id" not in knots.columns:
        return {row: row for row in range(len(knots))}
    names = [_name(value) for value in knots["id"]]
    row_of: dict[Any, int] = {}
    for row, name in enumerate(names):
        if name in row_of:
            found = f"rows {row_of[name]} and {row} with the id '{name}'"
            raise GeometryError(where, found, "every id once", f"rename row {row}")
        row_of[name] = row
    return row_of


def _rows(links: pd.DataFrame, name: str, row_of: dict[Any, int], where: str) -> Integers:
    """Rows of the knots that a column of the links names."""
    rows = np.zeros(len(links), dtype=np.int64)
    for index, value in enumerate(links[name]):
        if _name(value) not in row_of:
            found = f"row {index}: {name} = '{value}', a knot that is not there"
            raise GeometryError(where, found, "ids of knots", f"add the knot or drop row {index}")
        rows[index] = row_of[_name(value)]
    return rows


def _name(value: Any) -> Any:
    """Whole numbers are names by value, however the reader typed the column."""
    if isinstance(value, (float, np.floating)) and float(value).is_integer():
        return int(value)
    return int(value) if isinstance(value, (int, np.integer)) else value


def _words(table: pd.DataFrame, name: str, known: tuple[str, ...], where: str) -> list[str]:
    """A column of known words, or of nothing."""
    import pandas as pd

    if name not in table.columns:
        return [""] * len(table)
    words = ["" if pd.isna(value) else str(value).strip() for value in table[name]]
    for row, word in enumerate(words):
        if word and word not in known:
            error = ConfigError.unknown_key(where, word, known)
            found = f"row {row}: {name} = '{word}'"
            raise GeometryError(where, found, ", ".join(known), error.hint)
    return words


def _mouth(knots: pd.DataFrame, where: str) -> Integers:
    """Rows of the mouth's knots in order around it; none without such a column."""
    import pandas as pd

    if "mouth" not in knots.columns:
        return np.zeros(0, dtype=np.int64)
    given = pd.to_numeric(knots["mouth"], errors="coerce").to_numpy(dtype=float)
    rows = np.flatnonzero(np.isfinite(given))
    ordered = rows[np.argsort(given[rows], kind="stable")]
    if not np.array_equal(given[ordered], np.arange(len(ordered))):
        hint = "number the mouth knots in order around the mouth"
        raise GeometryError(where, "gaps or doubles in 'mouth'", "0, 1, 2... each once", hint)
    return ordered.astype(np.int64)
