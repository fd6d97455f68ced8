"""Draws the pictures of this folder from the demo: python docs/pictures/draw.py out/demo-lander."""

from __future__ import annotations

import sys
from pathlib import Path

import haptos as hp
from haptos.reports import scenario_figures
from haptos.view.report import campaign_drawings
from haptos.view.run_figures import run_figures

HERE = Path(__file__).parent
RESOLUTION = 80  # [dots per inch]; small files, still sharp in a page


def main(demo: Path) -> None:
    result = hp.open(demo / "run")
    run = {**scenario_figures(result), **run_figures(result)}
    study = campaign_drawings(hp.open(demo / "campaign").report())
    chosen = {
        "lander-path": run["Path"],
        "lander-energy": run["Energy"],
        "lander-rest": study["Settling map"],
    }
    for name, figure in chosen.items():
        figure.savefig(HERE / f"{name}.png", dpi=RESOLUTION, facecolor="white")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
