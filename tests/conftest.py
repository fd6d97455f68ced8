"""Settings every test shares: a fixed profile for hypothesis, a backend that opens no window."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

os.environ.setdefault("MPLBACKEND", "Agg")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # several test processes share few cores

settings.register_profile(
    "haptos",
    derandomize=True,  # the same examples on every machine: a failure is a failure for everyone
    deadline=None,  # compiling happens inside the first example
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("haptos")
