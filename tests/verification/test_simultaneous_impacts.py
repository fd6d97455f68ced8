"""Whole runs of probes that land flat: they leave at e v, straight up, without spin; rods that land almost flat."""

from __future__ import annotations

import math

import numpy as np
import pytest

import haptos
from haptos.core.outcome import Outcome
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


@pytest.mark.parametrize("height", [0.06, 0.08])
@pytest.mark.parametrize("tilt", [1e-7, 1e-5, 1e-3])
def test_a_rod_that_comes_down_on_its_other_edge_turns_on_as_a_rocking_block_does(height, tilt):
    """w after / w before = (2 h^2 - b^2) / 2 (h^2 + b^2): angular momentum about the new edge is kept.

    The rod strikes corner after corner until it turns about one edge; the corners of the other are a little above the
    ground then, and strike at 15 times what its springs are made for.
    """
    base, half = 0.06, 0.5 * tilt
    result = haptos.simulate(
        hard(
            probe={"shape": "box", "mass_kg": 2.0, "size_m": [0.6, base, height]},
            contact={"restitution": 0.0, "friction": 10.0, "stick_speed_m_per_s": 1e-4},
            release={
                "position_m": [0.0, 0.0, 0.5 * height + DROP + 0.6 * math.sin(tilt)],
                "attitude_quaternion": [math.cos(half), 0.8 * math.sin(half), 0.6 * math.sin(half), 0.0],
            },
            run={"duration_s": 300.0, "max_steps": 100_000},
        )
    )  # fmt: skip
    hit = impacts(result)
    rate, after = hit["omega_before_B"], hit["omega_after_B"]
    turns = np.abs(rate[:, 0]) > 1e3 * np.linalg.norm(rate[:, 1:], axis=1)  # about an edge
    falls = np.flatnonzero(turns & (hit["closing_speed"] > 0.02))
    expected = (2.0 * height**2 - base**2) / (2.0 * (height**2 + base**2))
    ratio = after[falls[0], 0] / rate[falls[0], 0]
    assert abs(ratio / expected - 1.0) < 1e-3  # corners strike a little above the ground
    assert result.outcome is Outcome.SETTLED
    assert result.trusted
