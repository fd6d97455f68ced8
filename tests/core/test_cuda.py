"""What pointers.py makes, told to the CUDA compiler: a small kernel compiles to PTX without a device."""

from __future__ import annotations

import importlib.util
import subprocess
import sys

import pytest

from haptos.campaign.local import check_device
from haptos.core.cuda import check_cuda
from haptos.core.errors import ConfigError

HAS_CUDA = importlib.util.find_spec("numba_cuda") is not None
needs_cuda = pytest.mark.skipif(not HAS_CUDA, reason="the extra 'cuda' is not installed")

COMPILE = """
from types import SimpleNamespace
import numba.cuda.dispatcher as dispatcher
dispatcher.get_current_device = lambda: SimpleNamespace(compute_capability=(8, 0))
from numba import cuda, types
from haptos.core.arena import Arena
from haptos.core.cuda import teach
from haptos.geometry.distance.surface import Surface, gap_bound
teach()
def kernel(numbers, integers, layout, out):
    n = cuda.grid(1)
    ground = Surface(3, 0.0, 0.0, 0.0, 0.0, Arena(numbers, integers, layout))
    out[n] = gap_bound(ground, (out[n], 0.0, 0.0))
kinds = types.float64[::1], types.int32[::1], types.int64[::1], types.float64[::1]
print(cuda.compile_ptx(kernel, kinds, cc=(8, 0))[0])
"""


@needs_cuda
def test_a_kernel_with_views_and_functions_apart_compiles_to_ptx():
    done = subprocess.run(
        [sys.executable, "-c", COMPILE], capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert ".target sm_80" in done.stdout
    assert ".visible .entry" in done.stdout
    assert done.stdout.count(".func") > 0  # the function compiled apart is not inlined


@pytest.mark.skipif(HAS_CUDA, reason="the extra 'cuda' is installed")
def test_without_the_extra_cuda_is_refused_with_the_way_to_get_it():
    with pytest.raises(ConfigError, match="numba-cuda") as refused:
        check_cuda("--device cuda")
    assert "haptos[cuda]" in str(refused.value)


@needs_cuda
def test_without_a_device_cuda_is_refused_with_the_reason():
    from numba import cuda

    if cuda.is_available():
        pytest.skip("there is a graphics processor here")
    with pytest.raises(ConfigError, match="CUDA cannot start"):
        check_cuda("--device cuda")


@pytest.mark.parametrize(
    ("device", "scheduler", "told"),
    [("gpu", None, "cpu or cuda"), ("cuda", "tcp://there:1", "one of them")],
)
def test_unknown_devices_and_devices_elsewhere_are_refused(device, scheduler, told):
    with pytest.raises(ConfigError, match=told):
        check_device(device, scheduler)
