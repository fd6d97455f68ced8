"""Whole runs of probes that land flat: they leave at e v, straight up, without spin."""

from __future__ import annotations

import math

import numpy as np
import pytest

import haptos
from haptos.scenarios.lander.model import build
from tests.hard_cases import CUBE, hard, impacts

DROP = 0.5  # [m]
EDGE = 0.2  # [m] of the tetrahedron
PRISM = {"shape": "prism", "mass_kg": 2.0, "sides": 6, "radius_m": 0.1, "height_m": 0.2}
TETRAHEDRON = {"shape": "tetrahedron", "mass_kg": 2.0, "edge_m": EDGE}


def standing(probe):
    """(attitude that puts a face down, height [m] of the centre above it)."""
    vertices = corners_of(probe)
    best = None
    for n in face_normals(vertices[:: max(len(vertices) // 12, 1)]):
        heights = vertices @ n
        if np.sum(heights > heights.max() - 1e-9) >= 3:
            best = n
            break
    assert best is not None
    return turn_down(best), float((vertices @ best).max())


def corners_of(probe):
    return np.array(build(hard(probe=probe)).vertices)[:, :3]


def face_normals(vertices):
    count = len(vertices)
    for i in range(count):
        for j in range(i + 1, count):
            for k in range(j + 1, count):
                n = np.cross(vertices[j] - vertices[i], vertices[k] - vertices[i])
                size = np.linalg.norm(n)
                if size > 1e-12:
                    n = n / size
                    yield n if vertices[i] @ n > 0.0 else -n


def turn_down(n):
    """Quaternion, scalar first, that turns the direction n to -z."""
    axis = np.cross(n, [0.0, 0.0, -1.0])
    cosine = -n[2]
    if np.linalg.norm(axis) < 1e-12:
        return [1.0, 0.0, 0.0, 0.0] if cosine > 0.0 else [0.0, 1.0, 0.0, 0.0]
    half = 0.5 * math.acos(np.clip(cosine, -1.0, 1.0))
    axis /= np.linalg.norm(axis)
    return [math.cos(half), *(math.sin(half) * axis)]


@pytest.mark.parametrize("friction", [0.0, 0.5, 10.0])
@pytest.mark.parametrize("e", [0.0, 0.5, 1.0])
@pytest.mark.parametrize(
    ("probe", "corners"),
    [(CUBE, 4), (PRISM, 6), (TETRAHEDRON, 3), ({**PRISM, "sides": 64}, 16)],
    ids=["cube", "prism", "tetrahedron", "drum"],
)
def test_a_flat_drop_stays_flat(probe, corners, e, friction):
    attitude, height = standing(probe)
    result = haptos.simulate(
        hard(
            probe=probe,
            contact={"restitution": e, "friction": friction},
            release={"position_m": [0.0, 0.0, height + DROP], "attitude_quaternion": attitude},
            run={"duration_s": 30.0},
        )
    )
    hit = impacts(result)
    first = hit["time"] == hit["time"][0]
    before, after = hit["v_before_A"][0], hit["v_after_A"][first][-1]
    assert first.sum() == corners
    assert abs(after[2] / -before[2] - e) < 1e-12
    assert np.abs(after[:2]).max() < 1e-12 * abs(before[2])
    assert np.abs(hit["omega_after_B"][first][-1]).max() * 0.1 < 1e-12 * abs(before[2])
    assert result.trusted
    assert result.ledger.relative_remainder < 1e-12
