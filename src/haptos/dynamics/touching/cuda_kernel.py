"""A batch on a graphics processor: one thread per run, the functions of `batch_kernel`.

Experimental: it compiles here and its bits are those of the processor in Numba's simulator, but
multiplications and additions may be fused on the device, so runs there differ in the last bits.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import cuda, float64

from haptos.contact.impacts.block import ROWS, SIZE
from haptos.contact.impacts.body_matrix import ARM_SIZE
from haptos.contact.sets.crease_planes import MOST_PLANES, PLANE_SIZE
from haptos.contact.static_rest import MOST_POINTS, POINT_SIZE
from haptos.core.arena import Arena
from haptos.core.cuda import kernel
from haptos.core.outcome import Outcome
from haptos.core.stop import Stopped
from haptos.dynamics.march.dormand_prince import STAGES
from haptos.dynamics.rigid.rigid_body import FULL_SIZE
from haptos.dynamics.touching.batch import Batch
from haptos.dynamics.touching.batch_kernel import advance_run
from haptos.dynamics.touching.stored_rows import EVENT_SIZE, ROW_SIZE, Record
from haptos.dynamics.touching.vertex_clearance import WAY_SIZE
from haptos.dynamics.touching.working_arrays import Scratch

MEMORY_PLACE, FIRST_WRITTEN = 7, 5  # among the arguments of the kernel: memory, state
THREADS = 64  # per block; a run needs many registers, so few fit beside each other
STEPS_PER_LAUNCH = 2_000  # tried steps, well below a second: displays and stops do not wait long


def advance_threads(
    numbers: Any,
    integers: Any,
    layout: Any,
    parameters: Any,
    vertices: Any,
    state: Any,
    first_stage: Any,
    memory: Any,
    phases: Any,
    touching: Any,
    is_touching: Any,
    touching_count: Any,
    ways: Any,
    step_budget: Any,
) -> None:
    """Let the run of this thread go on by at most `step_budget` tried steps, or to its outcome."""
    run = cuda.grid(1)
    if run < len(parameters):
        scratch = Scratch(
            cuda.local.array((STAGES, FULL_SIZE), float64), cuda.local.array(FULL_SIZE, float64),
            cuda.local.array(FULL_SIZE, float64), cuda.local.array((MOST_POINTS, POINT_SIZE), float64),
            ways[run], cuda.local.array((STAGES, FULL_SIZE), float64),
            cuda.local.array(FULL_SIZE, float64), cuda.local.array(3, float64),
            cuda.local.array(7, float64), cuda.local.array((SIZE, SIZE), float64),
            cuda.local.array((ROWS, SIZE), float64), cuda.local.array((SIZE, ARM_SIZE), float64),
            cuda.local.array((MOST_PLANES, PLANE_SIZE), float64),
        )  # fmt: skip
        nothing = Record(
            False, cuda.local.array((1, ROW_SIZE), float64), cuda.local.array((1, EVENT_SIZE), float64)
        )  # fmt: skip
        advance_run(
            Arena(numbers, integers, layout), parameters, vertices, state, first_stage, memory,
            phases, touching, is_touching, touching_count, scratch, nothing, run, step_budget,
        )  # fmt: skip


def march_on_cuda(batch: Batch, *, should_stop: Callable[[], bool] | None = None) -> None:
    """Let every run reach its outcome on the graphics processor; raises Stopped if asked to."""
    land, *own = batch.arrays()
    on_device = [cuda.to_device(np.array(array)) for array in (*land, *own)]
    ways = cuda.to_device(
        np.empty((*batch.touching.shape, WAY_SIZE))
    )  # working arrays, one for each run
    launch = kernel(advance_threads)
    blocks = -(-len(batch.parameters) // THREADS)
    host = (*land, *own)
    while np.any(batch.memory["outcome"] == Outcome.RUNNING.code):
        if should_stop is not None and should_stop():
            raise Stopped
        launch[blocks, THREADS](*on_device, ways, STEPS_PER_LAUNCH)
        on_device[MEMORY_PLACE].copy_to_host(batch.memory)
    for array, found in zip(host[FIRST_WRITTEN:], on_device[FIRST_WRITTEN:], strict=True):
        found.copy_to_host(array)
