"""Groups of vertices whose ways the surface guard keeps."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from haptos.dynamics.touching.run_memory import WAY_GROUPS
from haptos.dynamics.touching.vertex_guard import group_count, group_size


@pytest.mark.parametrize("count", [1, 8, 31, 32, 33, 64, 65, 100, 1000, 99_999])
def test_every_vertex_is_in_one_group(count):
    body = SimpleNamespace(vertices=range(count))
    size, groups = group_size(body), group_count(body)
    rows = [
        j for group in range(groups) for j in range(group * size, min((group + 1) * size, count))
    ]
    assert rows == list(range(count))
    assert groups <= WAY_GROUPS
    assert (groups - 1) * size < count
