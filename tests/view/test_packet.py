"""Packets hold a scene small and close, and say what they leave out."""

from __future__ import annotations

import json
import re
import zlib
from importlib.resources import files
from typing import Any, get_args

import numpy as np
import pytest

from haptos.core.errors import HaptosError
from haptos.results.scene import Camera, Item, Lines, MovingFrame, Points, ScalarMap, Scene, Series
from haptos.view.packet import KINDS, MAGIC, PacketWriter, scene_packet, thinned
from haptos.view.viewer_data import within
from tests.close import assert_close

CAMERA = Camera("all", "world", (0.0, 0.0, 0.0), (1.0, 0.0, 0.5), (0.0, 0.0, 1.0), 10.0)


def opened(packet: bytes) -> tuple[dict[str, Any], bytes]:
    """(head, arrays) of a packet."""
    assert packet.startswith(MAGIC)
    at = len(MAGIC)
    size = int.from_bytes(packet[at : at + 4], "little")
    return json.loads(packet[at + 4 : at + 4 + size]), packet[at + 4 + size :]


def decoded(reported: dict[str, Any], arrays: bytes) -> np.ndarray:
    """Values of one array, as web/packet.js makes them."""
    raw = zlib.decompress(arrays[reported["at"] : reported["at"] + reported["bytes"]])
    kind = np.dtype("<" + reported["type"])
    table = np.frombuffer(raw, dtype=np.uint8).reshape(kind.itemsize, -1)
    numbers = np.frombuffer(table.T.tobytes(), dtype=kind).reshape(reported["shape"]).copy()
    if kind.kind == "u":
        numbers = np.cumsum(numbers, axis=0, dtype=kind)
    values = np.array(reported["low"]) + np.array(reported["step"]) * numbers.astype(float)
    return np.where(numbers == 65535, np.nan, values) if reported["type"] == "u2" else values


def wave(nodes: int, frames: int) -> tuple[np.ndarray, np.ndarray]:
    """(times, positions) of a sheet that swings."""
    side = int(np.sqrt(nodes))
    x, y = (part.reshape(-1) for part in np.meshgrid(np.arange(side), np.arange(side)))
    time = np.linspace(0.0, 10.0, frames)
    z = 0.3 * np.sin(0.4 * x[None, :] - 2.0 * time[:, None]) * np.cos(0.2 * y)[None, :]
    return time, np.stack(np.broadcast_arrays(x * 0.1, y * 0.1, z), axis=-1)


def test_coarse_numbers_are_met_within_half_a_step() -> None:
    values = np.random.default_rng(1).normal(size=(300, 3)) * [1.0, 100.0, 1e-3]
    writer = PacketWriter()
    reported = writer.coarse(values)
    head, arrays = opened(writer.packet({"values": reported}))
    error = np.abs(decoded(head["values"], arrays) - values).max(axis=0)
    assert np.all(error <= 0.5000001 * np.ptp(values, axis=0) / 65534)


def test_check_of_half_a_step_has_teeth() -> None:
    values = np.linspace(0.0, 1.0, 100)[:, None]
    writer = PacketWriter()
    head, arrays = opened(writer.packet({"values": writer.coarse(values)}))
    head["values"]["step"] = [1.01 * head["values"]["step"][0]]
    assert np.abs(decoded(head["values"], arrays) - values).max() > 1e-3


def test_what_is_no_number_stays_none() -> None:
    values = np.array([1.0, np.nan, 3.0])
    writer = PacketWriter()
    reported = writer.coarse(values, per_component=False)
    head, arrays = opened(writer.packet({"values": reported}))
    assert np.isnan(decoded(head["values"], arrays)).tolist() == [False, True, False]
    alone = PacketWriter()
    reported = alone.coarse(np.full(3, np.nan), per_component=False)
    head, arrays = opened(alone.packet({"values": reported}))
    assert np.isnan(decoded(head["values"], arrays)).all()


def test_frames_are_close_enough_for_a_body_at_rest_on_the_ground() -> None:
    places = np.array([[5000.0, 1.0, -3.0], [5000.1, 1.0, -3.0]])
    writer = PacketWriter()
    head, arrays = opened(writer.packet({"values": writer.close(places)}))
    assert np.abs(decoded(head["values"], arrays) - places).max() < 1e-6


def test_times_and_indices_are_exact() -> None:
    writer = PacketWriter()
    time, corners = np.array([0.0, 0.1, 1e9 / 3.0]), np.array([[0, 70000, 2], [5, 1, 4]])
    reported = {"time": writer.precise(time), "faces": writer.whole(corners)}
    head, arrays = opened(writer.packet(reported))
    assert decoded(head["time"], arrays).tolist() == time.tolist()
    assert decoded(head["faces"], arrays).tolist() == corners.tolist()


def test_the_same_array_is_stored_once() -> None:
    writer = PacketWriter()
    values = np.random.default_rng(2).normal(size=(1000, 3))
    first, second = writer.coarse(values), writer.coarse(values.copy())
    assert first == second
    assert len(writer.packet({"a": first, "b": second})) < 1.1 * first["bytes"] + 2000


def test_the_head_is_strict_json_whatever_the_names() -> None:
    time = np.array([0.0, 1.0])
    scene = Scene(
        time,
        (Points("</script><script>", np.zeros((1, 3))),),
        (CAMERA,),
        series=(Series("p", "s", "J", time, [np.nan, 1.0]),),
    )
    writer = PacketWriter()
    head, _ = opened(writer.packet(scene_packet(scene, writer)))
    assert head["items"][0]["label"] == "</script><script>"


def test_a_net_in_motion_is_cut_down_to_the_limit_and_says_so() -> None:
    time, places = wave(400, 200)
    stress = ScalarMap("stress", "Pa", places[:, :, 2] * 1e6)
    links = np.stack([np.arange(399), np.arange(1, 400)], axis=1)
    net = Lines("threads", places, links, maps=(stress,))
    scene = Scene(time, (net,), (CAMERA,))

    def build(writer: PacketWriter) -> dict[str, Any]:
        return {"scene": scene_packet(scene, writer)}

    whole, small = within(build, 10**9), within(build, 60_000)
    assert len(small) <= 60_000 < len(whole)
    head, arrays = opened(small)
    kept = decoded(head["scene"]["items"][0]["positions"]["frames"], arrays)
    assert kept[0] == 0
    assert kept[-1] == 199
    assert any("one instant in" in note for note in head["scene"]["notes"])
    assert opened(whole)[0]["scene"]["notes"] == []


def test_thinned_series_keep_their_ends_and_extremes() -> None:
    values = np.random.default_rng(3).normal(size=50_000)
    kept = thinned(values, 1000)
    assert len(kept) <= 1002
    assert {0, 49_999, int(values.argmax()), int(values.argmin())} <= set(kept.tolist())


def test_turning_frames_take_the_short_way() -> None:
    turn = np.array([[1.0, 0.0, 0.0, 0.0], [-0.9999, 0.0141, 0.0, 0.0]])
    scene = Scene(np.array([0.0, 1.0]), (), (CAMERA,), (MovingFrame("A", quaternion=turn),))
    writer = PacketWriter()
    head, arrays = opened(writer.packet(scene_packet(scene, writer)))
    found = decoded(head["frames"][0]["quaternion"], arrays)
    assert_close(found[1, 0], 0.9999, rtol=1e-4)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"time": np.array([1.0, 0.0])}, "go back"),
        ({"items": (Points("p", np.zeros((2, 3)), frame="B"),)}, "frame 'B'"),
        ({"items": (Points("p", np.zeros((2, 2))),)}, "shape (2, 2)"),
        ({"items": (Points("p", np.zeros((2, 3)), colour="mauve"),)}, "mauve"),
        ({"items": (Lines("l", np.zeros((2, 3)), np.array([[0, 2]])),)}, "segments up to 2"),
        ({"cameras": ()}, "none"),
        ({"frames": (MovingFrame("A", parent="B"),)}, "hanging in B"),
    ],
)
def test_a_scene_that_does_not_fit_together_is_refused(change: Any, words: str) -> None:
    given: dict[str, Any] = {"time": np.array([0.0, 1.0]), "items": (), "cameras": (CAMERA,)}
    with pytest.raises(HaptosError) as refused:
        Scene(**(given | change))
    assert words in str(refused.value)


def test_the_viewer_knows_every_kind_of_item():
    script = files("haptos.view").joinpath("web/items.js").read_text(encoding="utf-8")
    found = re.search(r"const KINDS = \{(.*)\};", script)
    assert found is not None
    drawn = {entry.split(":")[0].strip() for entry in found[1].split(",")}
    assert set(KINDS) == set(get_args(Item))
    assert set(KINDS.values()) == drawn
