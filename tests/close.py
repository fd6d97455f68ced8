"""The one way tests compare numbers: a relative error, with limits on how large it may be."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

LARGEST_RTOL = 0.2  # more would not be a comparison


def assert_close(
    actual: ArrayLike, expected: ArrayLike, *, rtol: float, scale: float | None = None
) -> None:
    """Fail unless every difference is within rtol of `scale`, by default the largest expected size.

    A tolerance above 0.2 or a scale of zero would let anything pass, and is an error of the test.
    """
    found, wanted = np.asarray(actual, dtype=float), np.asarray(expected, dtype=float)
    assert found.shape == wanted.shape, f"shapes differ: {found.shape} and {wanted.shape}"
    size = float(np.abs(wanted).max()) if scale is None else float(scale)
    if not size > 0.0 or not 0.0 < rtol <= LARGEST_RTOL:
        raise ValueError(f"rtol={rtol} must be in (0, {LARGEST_RTOL}] and scale={size} above zero")
    error = float(np.abs(found - wanted).max()) / size
    assert error <= rtol, f"off by {error:.3e} of {size:.6g}, allowed {rtol:.3e}"
