"""Gap between turned boxes: the widest gap that a plane between them can have, by separating axes.

    gap = max over axes |a . t| - sum_k h_A,k |a . e_A,k| - sum_k h_B,k |a . e_B,k|
    axes a: three of each box and their nine cross products, unit length

    t  from the centre of A to that of B [m]      h, e  half edges [m] and axes of a box
Two boxes are apart exactly when one of these axes separates them; apart, their distance is the gap or more.
Frame: any one for both. Sign: > 0 apart.
Validity: boxes. Source: [Gottschalk1996].
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

CITES: tuple[str, ...] = ("Gottschalk1996",)

Floats = NDArray[np.float64]
PARALLEL = 1e-9  # [-] of a cross product of axes that are as good as parallel: it separates nothing that they do not


@dataclass(frozen=True, eq=False)
class TurnedBoxes:
    """n boxes: centres (n, 3) [m], half edges (n, 3) [m], axes (n, 3, 3) as columns."""

    centres: Floats
    halves: Floats
    axes: Floats

    def moved(self, r: Floats, dcm: Floats) -> TurnedBoxes:
        """The same boxes of a body at r with axes dcm_NB, N axes."""
        return TurnedBoxes(self.centres @ dcm.T + r, self.halves, dcm @ self.axes)


def box_gaps(first: TurnedBoxes, second: TurnedBoxes) -> Floats:
    """Gap [m] of each of the first boxes from each of the second, (n, m)."""
    a, b = first.axes[:, None], second.axes[None, :]
    turn = np.swapaxes(a, -1, -2) @ b  # (n, m, 3, 3): axes of B in those of A
    apart = second.centres[None, :] - first.centres[:, None]
    way = (np.swapaxes(a, -1, -2) @ apart[..., None])[..., 0]
    h_a = np.broadcast_to(first.halves[:, None], way.shape)
    h_b = np.broadcast_to(second.halves[None, :], way.shape)
    size = np.abs(turn)
    of_a = np.abs(way) - h_a - np.einsum("nmij,nmj->nmi", size, h_b)
    back = np.einsum("nmij,nmi->nmj", turn, way)
    of_b = np.abs(back) - h_b - np.einsum("nmij,nmi->nmj", size, h_a)
    crossed = _crossed(turn, way, h_a, h_b)
    return np.asarray(np.concatenate([of_a, of_b, crossed], axis=-1).max(axis=-1))


def _crossed(turn: Floats, way: Floats, h_a: Floats, h_b: Floats) -> Floats:
    """Gaps along the nine cross products of axes, in axes of A."""
    axes = np.cross(np.eye(3)[:, None], np.swapaxes(turn, -1, -2)[..., None, :, :])
    axes = axes.reshape(*turn.shape[:2], 9, 3)
    length = np.linalg.norm(axes, axis=-1)
    unit = axes / np.maximum(length, PARALLEL)[..., None]
    found = np.abs(np.einsum("nmkc,nmc->nmk", unit, way))
    found -= np.einsum("nmkc,nmc->nmk", np.abs(unit), h_a)
    found -= np.einsum("nmkj,nmj->nmk", np.abs(unit @ turn), h_b)
    return np.where(length > PARALLEL, found, -np.inf)
