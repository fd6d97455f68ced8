"""Arrays of many runs, one row each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from haptos.core.arena import Arena
from haptos.core.jit import named_rows


@dataclass(frozen=True, slots=True)
class BodyBatch:
    """Arrays of n runs, one row each, and the tables they share; see batch_layout."""

    land: Arena
    parameters: np.ndarray
    vertices: np.ndarray
    state: np.ndarray
    first_stage: np.ndarray
    memory: np.ndarray
    phases: np.ndarray
    touching: np.ndarray
    is_touching: np.ndarray
    touching_count: np.ndarray

    def arrays(self) -> tuple[Any, ...]:
        """In the order of the kernel's arguments."""
        return (
            self.land, named_rows(self.parameters), self.vertices, self.state, self.first_stage,
            named_rows(self.memory), self.phases, self.touching, self.is_touching,
            self.touching_count,
        )  # fmt: skip
