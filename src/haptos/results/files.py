"""Results as NetCDF files: groups trajectory, events, ledger and tables, and the rest as JSON.

Any NetCDF 4 or HDF5 reader opens them. The attribute `haptos_record` of the root group holds
configuration, outcome, metrics, provenance and citations as JSON (with NaN and Infinity where a
metric has no value). A line after the end of the HDF5 data holds a SHA-256 of all bytes, which is looked at
before they are opened: HDF5 may crash on damaged ones. Files of format 1 have none; they are opened if
another process survives it, and say so in their provenance.
"""

from __future__ import annotations

import hashlib
import io
import json
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import xarray

from haptos.core.checked_files import FIELD, Checksum, checksum_state, mismatch, write_checked
from haptos.core.errors import StorageError
from haptos.core.frames import NO_FRAME
from haptos.core.outcome import Outcome
from haptos.core.whole_files import storage_error
from haptos.results.checks import Check
from haptos.results.file_names import RESULT
from haptos.results.ledger import EnergyLedger
from haptos.results.phases import Phase
from haptos.results.repeats import Repeats
from haptos.results.result import Result, described

FORMAT_VERSION, WITHOUT_CHECKSUM = 2, 1
NAME = RESULT  # in the checksum: what the file is; users may rename it
# Stands in the file itself, so that one whose last line is lost is not taken for one of format 1.
HAS_CHECKSUM = "SHA-256 of this file in its last line"
LAST_LINE = f"\n{FIELD}\n".encode()
TRIAL_TIME = 300.0  # [s] for another process to open a file without checksum
KIND = "haptos result"
GROUPS = ("trajectory", "events", "ledger")
TABLES = "tables"  # group of groups, one for each further table
HDF5_START = b"\x89HDF"
HINT = "copy it again, or run the scenario again"
NO_CHECKSUM = "none: damage to this file would not be noticed"
ALLOWED = f"a result written by haptos, format version {FORMAT_VERSION}"


def save_result(result: Result, path: str | Path) -> Path:
    """Write a result to `path` if it ends in .nc, else to result.nc in that directory."""
    path = Path(path)
    target = path if path.suffix == ".nc" else path / RESULT
    return write_checked(target, NAME, netcdf(result), LAST_LINE)


def load_result(path: str | Path) -> Result:
    """Read a result; every way of being broken becomes a StorageError."""
    path = Path(path)
    target = path / RESULT if path.is_dir() else path
    content = _content(target)
    state = checksum_state(io.BytesIO(content), NAME)
    if state is Checksum.DAMAGED or (state is Checksum.NONE and HAS_CHECKSUM.encode() in content):
        raise mismatch(target, ALLOWED, HINT)
    if state is Checksum.NONE and not _survives(content):
        raise _broken(target, "a damaged file, on which HDF5 crashes")
    try:
        tree = opened(content)
    except MemoryError:
        raise
    except Exception as error:  # HDF5 and its layers raise many kinds for a damaged file
        raise _broken(target, f"a damaged or foreign file ({_first_line(error)})") from None
    record = _record(tree, target, state)
    try:
        return _result(tree, record)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        found = f"a result with missing or odd parts ({_first_line(error)})"
        raise _broken(target, found) from None


def opened(content: bytes) -> xarray.DataTree:
    """Everything in a file, read into memory."""
    return xarray.open_datatree(
        io.BytesIO(content), engine="h5netcdf", decode_times=False, mask_and_scale=False
    ).load()


def _survives(content: bytes) -> bool:
    """Whether another process can open the file without a crash; refusing it is no crash."""
    if not content.startswith(HDF5_START) or not sys.executable:
        return True
    code = "import sys; from haptos.results.files import opened; opened(sys.stdin.buffer.read())"
    command = [sys.executable, "-c", code]
    try:
        done = subprocess.run(command, input=content, capture_output=True, timeout=TRIAL_TIME)
    except subprocess.TimeoutExpired:
        return False
    return done.returncode >= 0


def netcdf(result: Result) -> memoryview:
    """The whole file in memory, so that a full disk is met by one plain write."""
    text = json.dumps(_record_of(result))
    attributes = {
        "haptos_kind": KIND,
        "haptos_format": FORMAT_VERSION,
        "haptos_record": text,
        "haptos_record_sha256": hashlib.sha256(text.encode()).hexdigest(),
        "haptos_checksum": HAS_CHECKSUM,
    }
    groups = {
        "/": xarray.Dataset(attrs=attributes),
        "/trajectory": result.trajectory,
        "/events": result.events,
        "/ledger": _ledger_dataset(result.ledger),
        **{f"/{TABLES}/{name}": table for name, table in result.tables.items()},
    }
    encoding = {name: _encoding(group) for name, group in groups.items() if name != "/"}
    tree = xarray.DataTree.from_dict(groups)
    written: memoryview = tree.to_netcdf(None, engine="h5netcdf", encoding=encoding)
    return written


def _encoding(dataset: xarray.Dataset) -> dict[str, dict[str, Any]]:
    """No fill value, which would rewrite NaNs; checksums where HDF5 can have them."""
    return {
        str(name): {"_FillValue": None, "fletcher32": variable.size > 0 and variable.ndim > 0}
        for name, variable in dataset.variables.items()
        if variable.dtype.kind in "iuf"
    }


def _record_of(result: Result) -> dict[str, Any]:
    ledger = result.ledger
    return {
        "scenario": result.scenario,
        "name": result.name,
        "question": result.question,
        "answer": result.answer,
        "config": result.config,
        "ended": result.ended.label,
        "metrics": result.metrics,
        "provenance": result.provenance,
        "cites": list(result.cites),
        "tables": list(result.tables),
        "checks": [asdict(check) for check in result.checks],
        "repeats": None if result.repeats is None else asdict(result.repeats),
        "traceback": result.traceback,
        "ledger": {
            "stores": list(ledger.stores),
            "works": list(ledger.works),
            "scale": ledger.scale,
            "bound": ledger.bound,
            "max_remainder": ledger.max_remainder,
            "step_remainder": ledger.step_remainder,
            "phases": [asdict(phase) for phase in ledger.phases],
        },
    }


def _ledger_dataset(ledger: EnergyLedger) -> xarray.Dataset:
    def joules(series: np.ndarray, text: str) -> xarray.Variable:
        return described(("time",), series, "J", NO_FRAME, text)

    held = {f"store_{k}": joules(v, f"{k} energy held") for k, v in ledger.stores.items()}
    done = {f"work_{k}": joules(v, f"work done by {k}") for k, v in ledger.works.items()}
    time = described(("time",), ledger.time, "s", NO_FRAME, "time since release")
    return xarray.Dataset({**held, **done}, coords={"time": time})


def _content(target: Path) -> bytes:
    try:
        return target.read_bytes()
    except FileNotFoundError:
        hint = "check the path, or run the scenario first"
        raise StorageError(str(target), "no such file", ALLOWED, hint) from None
    except OSError as error:
        raise storage_error(error, target) from None


def _record(tree: xarray.DataTree, target: Path, state: Checksum) -> dict[str, Any]:
    """The JSON part, after checking that this is our kind of file and our version of it."""
    attributes = tree.attrs
    if attributes.get("haptos_kind") != KIND:
        raise _broken(target, "a NetCDF file that holds something else")
    version = attributes.get("haptos_format")
    if version == FORMAT_VERSION and state is Checksum.NONE:
        raise mismatch(target, ALLOWED, HINT)
    if version not in (FORMAT_VERSION, WITHOUT_CHECKSUM):
        hint = "open it with the version of haptos that wrote it, or run the scenario again"
        raise StorageError(str(target), f"format version {version}", ALLOWED, hint)
    text = str(attributes.get("haptos_record"))
    if hashlib.sha256(text.encode()).hexdigest() != attributes.get("haptos_record_sha256"):
        raise _broken(target, "a record that does not match its checksum")
    record: dict[str, Any] = json.loads(text)
    if state is Checksum.NONE:
        record["provenance"]["checksum"] = NO_CHECKSUM
    return record


def _result(tree: xarray.DataTree, record: dict[str, Any]) -> Result:
    groups = {name: tree[name].to_dataset() for name in GROUPS}
    account = record["ledger"]
    stored = groups["ledger"]
    ledger = EnergyLedger(
        time=stored["time"].values,
        stores={name: stored[f"store_{name}"].values for name in account["stores"]},
        works={name: stored[f"work_{name}"].values for name in account["works"]},
        scale=account["scale"],
        bound=account["bound"],
        max_remainder=account["max_remainder"],
        step_remainder=account.get("step_remainder", account["max_remainder"]),
        phases=tuple(Phase(**phase) for phase in account.get("phases", [])),
    )
    return Result(
        scenario=record["scenario"],
        name=record["name"],
        config=record["config"],
        trajectory=_restored(groups["trajectory"]),
        events=_restored(groups["events"]),
        ledger=ledger,
        ended=Outcome.from_label(record["ended"]),
        metrics=record["metrics"],
        provenance=record["provenance"],
        cites=tuple(record["cites"]),
        tables={
            name: _restored(tree[f"{TABLES}/{name}"].to_dataset())
            for name in record.get("tables", [])
        },
        question=record.get("question", ""),
        answer=record.get("answer", ""),
        checks=tuple(Check(**check) for check in record.get("checks", [])),
        repeats=Repeats(**record["repeats"]) if record.get("repeats") else None,
        traceback=record.get("traceback", ""),
    )


def _restored(dataset: xarray.Dataset) -> xarray.Dataset:
    """The dataset with plain attribute values and no memory of how it was stored."""
    dataset.attrs = _plain(dataset.attrs)
    for variable in dataset.variables.values():
        variable.attrs = _plain(variable.attrs)
    return dataset.drop_encoding()


def _plain(attributes: dict[Any, Any]) -> dict[Any, Any]:
    return {k: v.tolist() if isinstance(v, np.generic) else v for k, v in attributes.items()}


def _broken(target: Path, found: str) -> StorageError:
    return StorageError(str(target), found, ALLOWED, HINT)


def _first_line(error: Exception) -> str:
    return str(error).splitlines()[0][:120] if str(error) else type(error).__name__
