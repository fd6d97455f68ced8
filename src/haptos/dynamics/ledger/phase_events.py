"""Events that begin a phase of a net's energy ledger: rows of a time [s], and 1 if it counts from the touch."""

from __future__ import annotations

import numpy as np

FIRST_TOUCH = 1  # second row, after the start of the run; all others have a time
NO_EVENTS = np.array([[-np.inf, 0.0], [0.0, 1.0]])  # besides these two
