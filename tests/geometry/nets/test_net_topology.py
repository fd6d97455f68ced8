"""What every net must pass: links between knots that exist, once, of some length, in one piece."""

from __future__ import annotations

import numpy as np
import pytest

from haptos.core.errors import GeometryError
from haptos.geometry.nets.net_topology import checked_net

SQUARE = np.array([[0.0, 0, 0], [0.0, 1, 0], [0.0, 1, 1], [0.0, 0, 1]])
RING = np.array([[0, 1], [1, 2], [2, 3], [3, 0]])


def net(knots=SQUARE, links=RING, classes=None, tether=0, corners=(0, 1, 2, 3), **more):
    classes = np.zeros(len(links), dtype=int) if classes is None else classes
    return checked_net("net", "own", knots, links, classes, tether, corners, **more)


def test_a_net_of_one_cell_is_a_net():
    cell = net()
    assert cell.link_count == 4
    assert not cell.knots.flags.writeable


def test_natural_lengths_may_differ_from_distances():
    assert net(lengths=[1.0, 1.5, 1.0, 2.0]).lengths.tolist() == [1.0, 1.5, 1.0, 2.0]


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"links": [[0, 1], [1, 2], [2, 4], [3, 0]]}, "link 2 from knot 2 to knot 4"),
        ({"links": [[0, 1], [1, 2], [2, -1], [3, 0]]}, "link 2 from knot 2 to knot -1"),
        ({"links": [[0, 1], [1, 2], [1, 0], [3, 0]]}, "link 2 joins knots 1 and 0 again"),
        ({"links": [[0, 1], [1, 2], [2, 2], [3, 0]]}, "link 2 from knot 2 to itself"),
        ({"links": [[0, 1], [2, 3]]}, "2 pieces; knot 2 is not joined to knot 0"),
        ({"links": [[0.5, 1.0]]}, "integer knot numbers"),
        ({"links": np.zeros((0, 2), dtype=int)}, "one link or more"),
        ({"knots": SQUARE * [1, 0, 1]}, "link 0 from knot 0 to 1 of 0.0 m"),
        ({"knots": SQUARE[:, :2]}, "three coordinates"),
        ({"knots": np.where(SQUARE == 1.0, np.nan, SQUARE)}, "finite coordinates"),
        ({"lengths": [1.0, 1.0, -1.0, 1.0]}, "link 2"),
        ({"lengths": [1.0]}, "one per link"),
        ({"classes": [0, 1, 2, 0]}, "normal or reinforced"),
        ({"tether": 4}, "tether knot 4"),
        ({"corners": (0, 1, 1, 2)}, "corner knots 0, 1, 1, 2"),
        ({"mouth_knots": (0, 1, 9)}, "mouth knots"),
    ],
)
def test_broken_nets_are_refused_with_the_row(wrong, says):
    with pytest.raises(GeometryError, match=says):
        net(**wrong)
