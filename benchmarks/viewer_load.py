"""The viewer stays smooth: 1000 trajectories over 200,000 facets, a net of 10,000 nodes over 2000 frames.

Both scenes are made up, written as one file each, opened in a Chromium without a window and without a
graphics card (SwiftShader), and played. Claims: a file is below 30 MB; moving the scene to another
instant takes below 8 ms of script, half of a frame at 60 Hz. Frames per second here are those of drawing
with the processor; a graphics card draws the rest in little time.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from _size import NO_PEER, ended, sized

from haptos.geometry.mesh.icosphere import icosphere
from haptos.results.scene import (
    Camera,
    Lines,
    MovingFrame,
    Points,
    ScalarMap,
    Scene,
    SceneSurface,
)
from haptos.view.chromium import chromium, chromium_path
from haptos.view.packet import PacketWriter, scene_packet
from haptos.view.style import SEQUENCE
from haptos.view.viewer_data import FILE_LIMIT, likely_stride, within
from haptos.view.viewer_page import viewer_page

LARGEST_FILE, LONGEST_UPDATE = 30e6, 8.0  # [bytes], [ms]
# Sixty instants, or as many as ten seconds hold; reading a pixel back waits for the drawing.
PLAY = """(() => {
  const viewer = haptos.viewers[0], reported = viewer.statistics;
  const gl = viewer.stage.renderer.getContext(), pixel = new Uint8Array(4);
  reported.updateMilliseconds = reported.frames = 0;
  const began = performance.now();
  while (reported.frames < 60 && performance.now() - began < 10000) {
    viewer.bar.set(viewer.bar.last * (reported.frames + 1) / 61);
    viewer.draw();
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
  }
  return [reported.updateMilliseconds / reported.frames, 1000 * reported.frames / (performance.now() - began)];
})()"""
PLAY = sized(PLAY, PLAY.replace("< 60", "< 4").replace("10000", "1000"))
UP = (0.0, 0.0, 1.0)


def trajectories(count: int = sized(1000, 10), frames: int = sized(300, 100)) -> Scene:
    """Bouncing dots and their trails over a body of 204,800 facets ."""
    level, generator = sized(7, 3), np.random.default_rng(1)
    vertices, faces = icosphere(level)
    faces = faces[:200_000] if len(faces) > 200_000 else faces
    height = 1.0 + 0.05 * np.sin(5.0 * vertices[:, 0]) * np.cos(7.0 * vertices[:, 1])
    vertices = 200.0 * vertices * height[:, None]
    share = np.linspace(0.0, 1.0, frames)
    start = generator.normal(0.0, 0.15, (count, 2))
    angles = start[None] + share[:, None, None] * generator.normal(0.0, 0.4, (count, 2))
    bounce = 210.0 + 60.0 * np.abs(np.cos(9.0 * share))[:, None] * (1.0 - share)[:, None] ** 2
    x, y = np.sin(angles[..., 0]), np.sin(angles[..., 1])
    way = np.stack([x, y, np.sqrt(np.maximum(1.0 - x * x - y * y, 0.05))], axis=-1)
    places = way * bounce[..., None]
    times = 5000.0 * share
    trail = places[:: frames // 100].transpose(1, 0, 2)
    rows = np.arange(trail.shape[0] * trail.shape[1]).reshape(trail.shape[:2])
    segments = np.stack([rows[:, :-1], rows[:, 1:]], axis=-1).reshape(-1, 2)
    turn = 0.3 * share
    spin = np.stack([np.cos(turn), 0.0 * turn, 0.0 * turn, np.sin(turn)], axis=1)
    return Scene(
        times,
        (
            SceneSurface("body", vertices, faces, frame="A", maps=(ScalarMap("relief", "m", height),)),
            Lines(
                "trails", trail.reshape(-1, 3), segments, frame="A",
                times=np.tile(times[:: frames // 100], count),
            ),
            Points("probes", places, frame="A", colour="body"),
        ),
        (Camera("body", "A", (0.0, 0.0, 0.0), (1.0, 0.3, 0.8), UP, 700.0),),
        (MovingFrame("A", quaternion=spin),),
    )  # fmt: skip


def net(side: int = sized(100, 10), frames: int = sized(2000, 50)) -> Scene:
    """A square net of 10,000 nodes that flies, swings and closes, coloured by stress."""
    x, y = (part.reshape(-1) for part in np.meshgrid(np.arange(side), np.arange(side)))
    x, y = (x - 0.5 * side) * 0.3, (y - 0.5 * side) * 0.3
    time = np.linspace(0.0, 40.0, frames)
    swing = np.sin(0.8 * np.hypot(x, y)[None] - 1.5 * time[:, None])
    close = 1.0 - 0.6 * (time / 40.0)[:, None] ** 2
    z = 1.2 * time[:, None] + 0.8 * swing - 0.05 * (x**2 + y**2)[None] * (1.0 - close)
    places = np.stack([x[None] * close, y[None] * close, z], axis=-1)
    stress = 2e6 * (1.0 + swing) * close
    index = np.arange(side * side).reshape(side, side)
    along = np.stack([index[:, :-1], index[:, 1:]], axis=-1).reshape(-1, 2)
    across = np.stack([index[:-1], index[1:]], axis=-1).reshape(-1, 2)
    return Scene(
        time,
        (
            Lines(
                "threads", places, np.concatenate([along, across]),
                maps=(ScalarMap("stress", "Pa", stress),),
            ),
        ),
        (Camera("follow", "world", (0.0, 0.0, 24.0), (1.0, 0.4, 0.3), UP, 90.0),),
    )  # fmt: skip


def page_of(scene: Scene, title: str) -> str:
    def build(writer: PacketWriter) -> dict[str, object]:
        shades = np.rint(255.0 * SEQUENCE(np.linspace(0.0, 1.0, 256))[:, :3]).astype(int)
        palette = writer.whole(shades.reshape(-1))
        reported = scene_packet(scene, writer)
        return {"title": title, "subtitle": "made up", "palette": palette, "scene": reported}

    return viewer_page(title, within(build, FILE_LIMIT, likely_stride(scene, FILE_LIMIT)))


def measured(title: str, scene: Scene, program: str, folder: Path) -> bool:
    """Write, open and play one scene; whether it keeps to the claims."""
    began = time.perf_counter()
    file = folder / "scene.html"
    file.write_text(page_of(scene, title), encoding="utf-8")
    writing, size = time.perf_counter() - began, file.stat().st_size
    with chromium(program) as browser:
        tab = browser.tab(1280, 800)
        tab.go(file.as_uri())
        tab.wait("document.querySelector('[data-viewer]')?.dataset.state === 'ready'", 120.0)
        loading = tab.ask("haptos.viewers[0].statistics.loadMilliseconds")
        update, second = tab.ask(PLAY)
        complaints = tab.complaints
    print(
        f"{title}: written in {writing:.1f} s, {size / 1e6:.1f} MB, ready after {loading:.0f} ms; "
        f"{update:.2f} ms of script per frame, {second:.1f} frames/s without a graphics card"
    )
    return size < LARGEST_FILE and update < LONGEST_UPDATE and not complaints


def main() -> int:
    program = chromium_path()
    if program is None:
        print("no Chromium found; HAPTOS_CHROMIUM names one")
        for make in (trajectories, net):
            print(f"{make.__name__}: {len(page_of(make(), make.__name__)) / 1e6:.1f} MB")
        return NO_PEER
    scenes = {"1000 trajectories, 200,000 facets": trajectories, "net 10,000 x 2000": net}
    with tempfile.TemporaryDirectory() as folder:
        kept = [measured(name, make(), program, Path(folder)) for name, make in scenes.items()]
    return 0 if all(kept) else 1


if __name__ == "__main__":
    sys.exit(ended(main()))
