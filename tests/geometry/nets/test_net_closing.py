"""Closing lines: from winch to winch around the mouth."""

from __future__ import annotations

import numpy as np
import pytest

from haptos.core.errors import GeometryError
from haptos.geometry.nets.net_closing import closing_lines
from haptos.geometry.nets.net_mesh import KINDS, net_mesh
from haptos.geometry.nets.net_nodes import bullet_knots
from haptos.geometry.nets.net_topology import checked_net
from tests.close import assert_close


def made(kind):
    numbers = (5, 5) if kind in ("planar-a", "planar-c") else (16, 3)
    return net_mesh(kind, 2.0, 3.0, *numbers, **({"depth": 1.0} if kind[0] in "pc" and "planar" not in kind else {}))  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("bullets", [4, 8])
@pytest.mark.parametrize("lay", ["free", "interlaced"])
def test_lines_close_the_mouth_once(kind, bullets, lay):
    mesh = made(kind)
    lines = closing_lines(mesh, bullet_knots(mesh, bullets), lay)
    assert len(lines.lengths) == bullets
    assert (lines.segments[1:, 0] == lines.segments[:-1, 1]).all()
    assert lines.segments[0, 0] == lines.segments[-1, 1]
    assert lines.winch_knots.tolist() == bullet_knots(mesh, bullets).tolist()
    through = bullets if lay == "free" else len(mesh.mouth_knots)
    assert len(lines.segments) == through
    assert lines.path_knots[lines.path_start[:-1]].tolist() == lines.winch_knots.tolist()
    assert_close(lines.lengths.sum(), lines.segment_lengths.sum(), rtol=1e-14)


def test_free_lines_are_the_edges_and_interlaced_lines_follow_the_rim():
    mesh = made("planar-a")
    for lay in ("free", "interlaced"):
        assert_close(
            closing_lines(mesh, mesh.corner_knots, lay).lengths, [2.0, 3.0] * 2, rtol=1e-14
        )
    cone = net_mesh("conical", 2.0, 2.0, 16, 3, depth=1.0)
    assert_close(closing_lines(cone, cone.corner_knots).lengths, [np.sqrt(2.0)] * 4, rtol=1e-14)
    rim = closing_lines(cone, cone.corner_knots, "interlaced").lengths
    assert_close(rim, [8.0 * np.sin(np.pi / 16)] * 4, rtol=1e-14)


def test_slack_lengthens_every_line():
    mesh = made("planar-b")
    tight, loose = (closing_lines(mesh, mesh.corner_knots, slack=s) for s in (1.0, 1.1))
    assert_close(loose.lengths, 1.1 * tight.lengths, rtol=1e-14)


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"kind": "interlace"}, "did you mean 'interlaced'"), ({"slack": 0.9}, "slack"),
        ({"winch_knots": [12]}, "mouth knots"), ({"winch_knots": [0]}, "two or more"),
        ({"winch_knots": [0, 0]}, "different"),
    ],
)  # fmt: skip
def test_impossible_lines_are_refused(wrong, says):
    mesh = made("planar-a")
    with pytest.raises(GeometryError, match=says):
        closing_lines(mesh, **({"winch_knots": mesh.corner_knots} | wrong))


def test_a_net_without_mouth_cannot_close():
    net = checked_net("net", "own", [[0.0, 0, 0], [0.0, 1, 0]], [[0, 1]], [0], 0, (1,))
    with pytest.raises(GeometryError, match="no mouth"):
        closing_lines(net, [0, 1])
