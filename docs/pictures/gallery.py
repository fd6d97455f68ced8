"""Draws the gallery: runs each scenario that has a scene and photographs it in the viewer.

python docs/pictures/gallery.py [NAME ...]; needs a Chromium. `make gallery` does the same.
"""

from __future__ import annotations

import base64
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import haptos as hp
from haptos import viewers
from haptos.view.chromium import Chromium, chromium, chromium_path

HERE = Path(__file__).parent
WIDTH, HEIGHT = 760, 480  # [pixels]
READY = "document.querySelector('[data-viewer]')?.dataset.state === 'ready'"


@dataclass(frozen=True)
class Shot:
    """One picture: a built-in scenario, when [share of the run], through which camera, keys changed."""

    preset: str
    when: float
    camera: str
    changes: dict[str, Any] | None = None


SHOTS = {
    "lander": Shot("lander-bilobe", 0.5, "body-fixed"),
    "lander-plane": Shot("lander", 0.22, "site"),
    "liftoff": Shot("liftoff", 0.5, "body"),
    "docking": Shot("docking", 0.9, "side", {"run": {"duration_s": 40.0}}),
    "net": Shot("net", 0.89, "follow the target", {"run": {"duration_s": 7.0}}),
    "foundation": Shot("foundation-crown", 1.0, "side"),
    "slingshot": Shot("slingshot-turn", 0.7, "inertial"),
    "tether": Shot("tether-touch", 0.7, "inertial"),
    "harpoon": Shot(
        "harpoon",
        0.62,
        "follow the spacecraft",
        {"retrieval": {"drift_m_per_s": 0.1, "thrust_N": 10.0}},
    ),
}


def main(names: list[str]) -> int:
    program = chromium_path()
    if program is None:
        print("haptos: no Chromium found; HAPTOS_CHROMIUM names one", file=sys.stderr)
        return 2
    with chromium(program) as browser, tempfile.TemporaryDirectory() as folder:
        for name in names or list(SHOTS):
            shot = SHOTS[name]
            result = hp.simulate(hp.default(shot.preset, shot.changes))
            page = viewers.write_viewer(result, Path(folder) / f"{name}.html")
            assert page is not None
            target = HERE / f"gallery-{name}.png"
            target.write_bytes(photograph(browser, page, shot))
            print(target)
    return 0


def photograph(browser: Chromium, page: Path, shot: Shot) -> bytes:
    """The stage with its marks, as the button Picture saves it."""
    tab = browser.tab(WIDTH, HEIGHT)
    tab.go(page.as_uri())
    tab.wait(READY)
    tab.ask("document.querySelector('.viewer').classList.add('alone')")
    return base64.b64decode(
        tab.ask(
            f"""(async () => {{
              const viewer = haptos.viewers[0];
              const found = viewer.scene.cameras.find((one) => one.name === {shot.camera!r});
              viewer.stage.look(found);
              viewer.stage.box.style.cssText = "position: fixed; inset: 0; z-index: 9";
              viewer.stage.resize();
              viewer.bar.set(viewer.bar.last * {shot.when});
              viewer.draw();
              const bytes = new Uint8Array(await (await viewer.picture()).arrayBuffer());
              return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
            }})()"""
        )
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
