"""Arrays of many runs, one row each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from haptos.core.arena import Arena
from haptos.core.jit import named_rows
from haptos.dynamics.ledger.phase_ledger import phase_rows
from haptos.dynamics.rigid.rigid_body import FULL_SIZE
from haptos.dynamics.touching.run_memory import GROUND, MEMORY, MOST_HOP_PHASES
from haptos.dynamics.touching.run_parameters import PARAMETERS


class BodyRun(Protocol):
    """One run at its start: tables of its world, its row of numbers, vertices (n, 3) [m] in B axes, state."""

    @property
    def land(self) -> Arena: ...
    @property
    def parameters(self) -> np.ndarray: ...
    @property
    def vertices(self) -> np.ndarray: ...
    @property
    def state(self) -> np.ndarray: ...


@dataclass(frozen=True, slots=True)
class BodyBatch:
    """Arrays of n runs, one row each, and the tables they share; see `run_parameters`, `run_memory`."""

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


def batch_of(models: Sequence[BodyRun]) -> BodyBatch:
    """Batch of runs of one world at time zero; runs with the same body share its vertices."""
    parameters = np.array([model.parameters for model in models], dtype=PARAMETERS)
    first: dict[int, int] = {}
    tables: list[np.ndarray] = []
    length = 0
    for row, model in zip(parameters, models, strict=True):
        if id(model.vertices) not in first:
            first[id(model.vertices)] = length
            tables.append(model.vertices)
            length += len(model.vertices)
        row["body"]["first_vertex"] = first[id(model.vertices)]
    count, widest = len(models), int(parameters["body"]["vertex_count"].max())
    return BodyBatch(
        models[0].land,
        parameters,
        np.concatenate(tables),
        np.array([model.state for model in models]),
        np.zeros((count, FULL_SIZE)),
        np.zeros(count, dtype=MEMORY),
        phase_rows(count, phase_room(parameters)),
        np.zeros((count, widest), dtype=np.int32),
        np.zeros((count, widest), dtype=np.uint8),
        np.zeros((count, 4), dtype=np.int64),
    )


def phase_room(parameters: np.ndarray) -> int:
    """Phases of the ledger a run may have: flight, bounces, ground and hops."""
    return GROUND + 1 + min(int(parameters["hops"]["count"].max()), MOST_HOP_PHASES)
