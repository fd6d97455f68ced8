"""Random damage to a valid file is either still valid or refused, quickly, never a crash."""

from __future__ import annotations

import contextlib
import time
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from haptos.core.errors import ConfigError
from haptos.scenarios.files import load, preset_text

VALID = preset_text("lander").encode()
PLACES = st.integers(0, len(VALID) - 1)
LONGEST = 1.0  # [s]


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """The built-in file after one to five small accidents."""
    data = bytearray(VALID)
    for _ in range(draw(st.integers(1, 5))):
        at, length = draw(PLACES), draw(st.integers(1, 30))
        accident = draw(st.sampled_from(["delete", "repeat", "insert", "cut", "swap", "flip"]))
        if accident == "delete":
            del data[at : at + length]
        elif accident == "repeat":
            data[at:at] = data[at : at + length]
        elif accident == "insert":
            data[at:at] = draw(st.binary(min_size=1, max_size=8))
        elif accident == "cut":
            del data[at:]
        elif accident == "flip" and at < len(data):
            data[at] ^= draw(st.integers(1, 255))
        elif accident == "swap":
            lines = bytes(data).splitlines(keepends=True)
            if len(lines) > 1:
                i, j = at % len(lines), length % len(lines)
                lines[i], lines[j] = lines[j], lines[i]
                data = bytearray(b"".join(lines))
    return bytes(data)


@given(damaged())
@settings(max_examples=400)
@example(VALID.replace(b"mass_kg", b"\xff"))
@example(b"[[probe]]\n")
@example(b'scenario = "lander"\nprobe = 1\nsurface = []\nrun = "x"\n')
@example(b"scenario = 1979-05-27\n")
def test_damage_is_valid_or_refused(tmp_path_factory, data: bytes):
    path: Path = tmp_path_factory.getbasetemp() / "damaged.toml"
    path.write_bytes(data)
    start = time.perf_counter()
    with contextlib.suppress(ConfigError):
        load(path)
    assert time.perf_counter() - start < LONGEST


def test_an_endless_integer_is_refused(tmp_path: Path):
    path = tmp_path / "endless.toml"
    path.write_bytes(VALID.replace(b"seed = 1", b"seed = 1" + b"0" * 5000))
    with pytest.raises(ConfigError, match="cannot be read"):
        load(path)
