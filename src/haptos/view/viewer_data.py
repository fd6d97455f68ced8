"""What the viewer gets: the scene of a run with its energy ledger, or a campaign with its runs."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from haptos.core.units import label
from haptos.results.campaign_summary import CampaignView
from haptos.results.ledger import EnergyLedger
from haptos.results.result import Result, plain
from haptos.results.scene import Arrows, Item, Scene, SceneSurface, Series
from haptos.view.packet import PacketWriter, scene_packet
from haptos.view.style import SEQUENCE

FILE_LIMIT = 20_000_000  # [bytes] of a packet inside a page; a third more as text, and the scripts
LIVE_LIMIT = 200_000_000  # [bytes] of a packet from the server on this machine
MOST_STRIDE = 64  # of instants at which a shape is stored; coarser than that is no motion
REPLAY_STRIDE = 8  # the same for replays; beyond, fewer of them are better
MOST_PACKED = 0.4  # [-] share of the bytes of moving numbers that packing may leave, at best
FIRST_COLUMNS = ("settle_time_s", "displacement_m", "path_length_m", "end_time_s")
_NO_COLUMN = re.compile(r"run|seed|batch|.*_index|wall_time_s")


def run_packet(result: Result, scene: Scene, *, limit: int = FILE_LIMIT) -> bytes:
    """Packet of one run."""
    whole = with_ledger(scene, result)

    def build(writer: PacketWriter) -> dict[str, Any]:
        head = _head(result.name or result.scenario, f"{result.scenario}: {result.ended.sentence}")
        return {**head, "palette": _palette(writer), "scene": scene_packet(whole, writer)}

    return within(build, limit, likely_stride(whole, limit))


def campaign_packet(
    view: CampaignView,
    overview: Scene,
    replays: Mapping[int, tuple[Result, Scene]],
    *,
    limit: int = FILE_LIMIT,
) -> bytes:
    """Packet of a campaign: all runs at once, their table, and the scenes of those run again.

    Within `limit` [bytes]: if most of it is of what deforms, that is thinned; then replays are left
    out, the largest first, which are the fewest.
    """
    scenes = {run: with_ledger(scene, result) for run, (result, scene) in replays.items()}
    kept, stride = dict(scenes), 1
    while True:
        writer = PacketWriter(stride)
        head, sizes = _campaign_head(view, overview, kept, writer)
        if len(kept) < len(scenes):
            left = f"{len(scenes) - len(kept)} of {len(scenes)}"
            head["scene"]["notes"].append(f"To keep the page small, {left} replays are not in it.")
        packet = _noted(head, writer)
        if len(packet) <= limit or (not kept and stride >= MOST_STRIDE):
            return packet
        moving = 2 * sum(map(moving_numbers, (overview, *kept.values()))) // stride
        if not kept or (2 * moving > len(packet) and stride < REPLAY_STRIDE):
            stride = _next_stride(stride, len(packet) / limit)
        else:
            kept = _without_largest(kept, sizes, len(packet) - limit)


def _campaign_head(
    view: CampaignView, overview: Scene, scenes: Mapping[int, Scene], writer: PacketWriter
) -> tuple[dict[str, Any], dict[int, int]]:
    """(head of a campaign, run -> bytes that its replay adds)."""
    count = view.provenance.get("runs", len(view.runs))  # the table may hold a part of them
    head = {
        **_head(view.title, f"{count} runs of the scenario {view.scenario}"),
        "palette": _palette(writer),
        "table": _table(view.runs, writer),
        "scene": scene_packet(overview, writer),
        "replays": {},
    }
    sizes = {}
    for run, scene in scenes.items():
        before = writer.size
        packet = scene_packet(scene, writer)
        head["replays"][str(run)] = packet
        sizes[run] = writer.size - before + len(json.dumps(plain(packet)))
    return head, sizes


def _without_largest(
    scenes: Mapping[int, Scene], sizes: Mapping[int, int], over: int
) -> dict[int, Scene]:
    """The scenes without the largest ones that make up `over` [bytes] together."""
    gone, saved = set(), 0
    for run in sorted(scenes, key=lambda run: -sizes[run]):
        if saved >= over:
            break
        gone.add(run)
        saved += sizes[run]
    return {run: scene for run, scene in scenes.items() if run not in gone}


def within(
    build: Callable[[PacketWriter], dict[str, Any]], limit: int, first_stride: int = 1
) -> bytes:
    """Packet of at most `limit` bytes: of what deforms, every second, third ... instant is kept.

    first_stride  where to begin, for scenes that are sure not to fit; see `likely_stride`
    """
    stride = first_stride
    while True:
        writer = PacketWriter(stride)
        packet = _noted(build(writer), writer)
        if len(packet) <= limit or stride >= MOST_STRIDE:
            return packet
        stride = _next_stride(stride, len(packet) / limit)


def _noted(head: dict[str, Any], writer: PacketWriter) -> bytes:
    """The packet, with a word on what was thinned."""
    if writer.stride > 1:
        note = f"To keep the file small, shapes are stored at one instant in {writer.stride}."
        head["scene"]["notes"].append(note)
    return writer.packet(head)


def _next_stride(stride: int, excess: float) -> int:
    """Stride to try next where the packet is `excess` times too large."""
    return min(MOST_STRIDE, max(stride + 1, math.ceil(stride * excess)))


def likely_stride(scene: Scene, limit: int) -> int:
    """Stride below which a scene is sure not to fit: packing halves moving numbers, hardly more."""
    return max(1, int(MOST_PACKED * 2.0 * moving_numbers(scene) / limit))


def moving_numbers(scene: Scene) -> int:
    """How many numbers of a scene have a row per time."""
    return sum(
        np.size(part)
        for item in scene.items
        for part in (*moving_parts(item), *(m.values for m in getattr(item, "maps", ())))
        if np.ndim(part) and len(np.shape(part)) >= 2 and np.shape(part)[0] == scene.time.size
    )


def moving_parts(item: Item) -> tuple[Any, ...]:
    """Arrays of an item that may have a row per time."""
    if isinstance(item, Arrows):
        return (item.origins, item.vectors)
    return (item.vertices,) if isinstance(item, SceneSurface) else (item.positions,)


def with_ledger(scene: Scene, result: Result) -> Scene:
    """The scene with the energy ledger among its series and the verdict among its notes."""
    notes = (f"{result.outcome}: {result.ended.sentence}", result.verdict, *scene.notes)
    return replace(scene, series=(*ledger_series(result.ledger), *scene.series), notes=notes)


def ledger_series(ledger: EnergyLedger) -> tuple[Series, ...]:
    """Energy held, work done by each actor that did any, and the size of the remainder."""
    time = ledger.time
    held = {**ledger.stores, "total": ledger.total}
    done = {name: work for name, work in ledger.works.items() if np.any(work != 0.0)}
    return (
        *(Series("Energy held", name, "J", time, values) for name, values in held.items()),
        *(Series("Work done", name, "J", time, values) for name, values in done.items()),
        Series("Remainder", "remainder", "J", time, np.abs(ledger.remainder), is_log=True),
    )


def _head(title: str, subtitle: str) -> dict[str, Any]:
    return {"title": title, "subtitle": subtitle}


def _palette(writer: PacketWriter) -> dict[str, Any]:
    shades = SEQUENCE(np.linspace(0.0, 1.0, 256))[:, :3]
    return writer.whole(np.rint(255.0 * shades).astype(int).reshape(-1))


def _table(runs: pd.DataFrame, writer: PacketWriter) -> dict[str, Any]:
    """Numbers of all runs, for the cloud of dots; outcomes as groups."""
    outcome = runs["outcome"].astype(str)
    groups = list(outcome.value_counts().index)
    numbers = [
        name
        for name in map(str, runs.columns)
        if pd.api.types.is_numeric_dtype(runs[name])
        and not pd.api.types.is_bool_dtype(runs[name])
        and not _NO_COLUMN.fullmatch(name)
    ]
    columns = {name: runs[name].to_numpy(dtype=float, na_value=np.nan) for name in numbers}
    shown = [name for name in numbers if len(np.unique(columns[name])) > 1] or numbers[:1]
    first = [shown.index(name) for name in FIRST_COLUMNS if name in shown]
    first += [n for n in range(len(shown)) if n not in first]
    index = runs["run"] if "run" in runs else pd.Series(range(len(runs)))
    return {
        "runs": writer.whole(index.to_numpy(dtype=int)),
        "groups": writer.whole([groups.index(name) for name in outcome]),
        "outcomes": groups,
        "columns": [
            {"label": _label(name), "values": writer.single(columns[name])} for name in shown
        ],
        "first": [first[0], first[1] if len(first) > 1 else first[0]],
    }


def _label(column: str) -> str:
    """Words and unit of a column; a varied key keeps the name of its table."""
    path, _, _ = column.rpartition(".")
    element = re.search(r"\[\d+\]$", column)
    words = label(column.removesuffix(element[0]) if element else column)
    words = f"{path} {words}" if path else words
    return f"{words} {element[0]}" if element else words
