"""Matrix of a block of one body, against full matrices."""

from __future__ import annotations

import numpy as np

from haptos.contact.impacts.block import IMPULSE, SIZE, VELOCITY, block_arrays
from haptos.contact.impacts.body_matrix import ARM_SIZE, add_contact, fill_matrix, moved
from tests.close import assert_close
from tests.contact.block_cases import MASS, UP, frames, jacobian, masses
from tests.contact.bodies import random_rotation, rows, touching_body, triple


def test_the_matrix_is_that_of_all_pairs_of_contacts():
    rng = np.random.default_rng(3)
    dcm = random_rotation(rng)
    inertia = np.array([[0.02, 0.003, 0.0], [0.003, 0.03, 0.001], [0.0, 0.001, 0.025]])
    body = touching_body(MASS, inertia, [(0.0, 0.0, 0.0)], [])
    points = rng.normal(size=(5, 3))
    normals = UP + 0.3 * rng.normal(size=(5, 3))
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    v, w_B = rng.normal(size=3), rng.normal(size=3)
    matrix, numbers = block_arrays()
    arms = np.zeros((SIZE, ARM_SIZE))
    for i in range(5):
        add_contact(
            arms, numbers, i, body, rows(dcm), triple(v), triple(w_B), triple(points[i]),
            triple(normals[i]),
        )  # fmt: skip
    fill_matrix(matrix, arms, 5, body)
    inertia_A = dcm @ inertia @ dcm.T
    j, inverse = jacobian(points, frames(normals)), masses(inertia_A)
    motion = np.concatenate([v, dcm @ w_B])
    assert_close(matrix[:15, :15], j @ inverse @ j.T, rtol=1e-12)
    assert_close(numbers[VELOCITY, :15], j @ motion, rtol=1e-12, scale=1.0)
    numbers[IMPULSE, :15] = rng.normal(size=15)
    expected = motion + inverse @ j.T @ numbers[IMPULSE, :15]
    found_v, found_w = moved(arms, numbers, 5, body, triple(v), triple(w_B))
    found = np.concatenate([found_v, dcm @ np.array(found_w)])
    assert_close(found, expected, rtol=1e-12)
    with_error = masses(1.01 * inertia_A)
    assert np.abs(matrix[:15, :15] - j @ with_error @ j.T).max() > 1e-3 * np.abs(matrix).max()
