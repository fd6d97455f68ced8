"""What can be read from the pixels of a page."""

from __future__ import annotations

import io

import matplotlib.image
import numpy as np

from haptos.view.chromium import Tab


def stage_pixels(tab: Tab) -> np.ndarray:
    """Colours of the stage on the screen, (height, width, 3), 0 to 1."""
    box = tab.ask(
        "(() => { const b = document.querySelector('.stage').getBoundingClientRect();"
        "return [b.left, b.top, b.width, b.height].map(Math.round); })()"
    )
    left, top, width, height = box
    whole = matplotlib.image.imread(io.BytesIO(tab.picture()), format="png")
    return np.asarray(whole[max(top, 0) : top + height, left : left + width, :3])


def share_drawn(pixels: np.ndarray) -> float:
    """Share of pixels that are not of the commonest colour."""
    codes = np.rint(255.0 * pixels).astype(np.int64) @ [65536, 256, 1]
    _, counts = np.unique(codes, return_counts=True)
    return 1.0 - counts.max() / codes.size


def colour_count(pixels: np.ndarray) -> int:
    return len(np.unique(np.rint(255.0 * pixels).reshape(-1, 3), axis=0))


def share_changed(before: np.ndarray, after: np.ndarray) -> float:
    """Share of pixels that differ visibly."""
    return float(np.mean(np.abs(after - before).max(axis=-1) > 0.03))
