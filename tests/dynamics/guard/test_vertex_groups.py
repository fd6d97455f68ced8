"""Groups of vertices whose ways the surface guard keeps."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from haptos.dynamics.touching.run_rows import WAY_SLOTS
from haptos.dynamics.touching.vertex_guard import slot_size, slots_of


@pytest.mark.parametrize("count", [1, 8, 31, 32, 33, 64, 65, 100, 1000, 99_999])
def test_every_vertex_is_in_one_group(count):
    body = SimpleNamespace(vertices=range(count))
    size, slots = slot_size(body), slots_of(body)
    rows = [j for slot in range(slots) for j in range(slot * size, min((slot + 1) * size, count))]
    assert rows == list(range(count))
    assert slots <= WAY_SLOTS
    assert (slots - 1) * size < count
