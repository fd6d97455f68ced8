"""The lander's kernel for graphics processors: to PTX without one, and in Numba's simulator."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.core.test_cuda import needs_cuda
from tests.house.sources import ROOT

SIMULATE = """
from haptos.scenarios.lander.batch import batch_of, march
from haptos.dynamics.touching.cuda_kernel import march_on_cuda
from haptos.scenarios.lander.model import build
from tests.lander_cases import lander
models = [
    build(lander(run={"duration_s": 13.0}, release={"velocity_m_per_s": [0.05 + 0.01 * run, 0.0, 0.0]}))
    for run in range(2)
]
expected, found = batch_of(models), batch_of(models)
march(expected, workers=1)
march_on_cuda(found)
assert expected.memory["phases"].tolist() == [1, 1], "the first touch is in it"
assert expected.state[0].tobytes() != expected.state[1].tobytes()
for name in ("state", "memory", "first_stage", "touching", "touching_count"):
    assert getattr(found, name).tobytes() == getattr(expected, name).tobytes(), name
"""

COMPILE = """
from types import SimpleNamespace
import numba.cuda.dispatcher as dispatcher
dispatcher.get_current_device = lambda: SimpleNamespace(compute_capability=(8, 0))
from numba import cuda, from_dtype, types
from haptos.core.cuda import teach
from haptos.dynamics.touching.run_rows import MEMORY, PARAMETERS
from haptos.dynamics.touching.cuda_kernel import advance_threads
teach()
row, grid = types.float64[::1], types.float64[:, ::1]
kinds = (
    row, types.int32[::1], types.int64[::1], from_dtype(PARAMETERS)[::1], grid, grid, grid,
    from_dtype(MEMORY)[::1], types.int32[:, ::1], types.uint8[:, ::1], types.int64[:, ::1],
    types.float64[:, :, ::1], types.int64,
)
print(cuda.compile_ptx(advance_threads, kinds, cc=(8, 0))[0])
"""


def ran(program: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        timeout=1500,
        cwd=ROOT,
        env={**os.environ, **environment},
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


def test_in_the_simulator_runs_have_the_bits_of_the_processor():
    ran(SIMULATE, NUMBA_ENABLE_CUDASIM="1")


@needs_cuda
@pytest.mark.slow
def test_the_whole_kernel_compiles_to_ptx():
    text = ran(COMPILE)
    assert "advance_threads" in text
    assert ".visible .entry" in text
