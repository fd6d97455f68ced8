"""Comparison that cannot be made toothless: always relative to a stated scale."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike


def assert_close(
    actual: ArrayLike, expected: ArrayLike, *, rtol: float, scale: float | None = None
) -> None:
    """Assert max|actual - expected| <= rtol * scale, scale being max|expected| if not given."""
    found, wanted = np.asarray(actual, dtype=float), np.asarray(expected, dtype=float)
    assert found.shape == wanted.shape, f"shapes differ: {found.shape} and {wanted.shape}"
    size = float(np.max(np.abs(wanted))) if scale is None else float(scale)
    if not (0.0 < rtol <= 0.2 and size > 0.0):
        raise ValueError(f"toothless: rtol={rtol} not in (0, 0.2], or scale={size} not > 0")
    worst = float(np.max(np.abs(found - wanted)))
    assert worst <= rtol * size, f"off by {worst:.3e}, allowed {rtol * size:.3e}"
