"""Counter-based numbers: published words, the same bits compiled, uniform, independent."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import strategies as st
from scipy import stats

from haptos.core.counter_random import (
    LARGEST_NORMAL,
    four_normals,
    four_uniforms,
    normal_pair,
    random_key,
    random_rotation,
    random_words,
    uniform,
)
from haptos.core.jit import entry
from haptos.core.rotations import rotation_matrices
from tests.close import assert_close

# Known answers that the authors of Philox publish with their generator (philox4x32, 10 rounds).
PUBLISHED = [
    ((0, 0), (0, 0, 0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
    ((0xFFFFFFFF,) * 2, (0xFFFFFFFF,) * 4, (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
    (
        (0xA4093822, 0x299F31D0),
        (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
        (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
    ),
]
KEY = random_key(7, "test")
COUNT = 100_000
words = st.integers(-(2**63), 2**63 - 1)


@entry
def compiled(key, counter):
    return random_words(key, counter), uniform(key, counter), four_normals(key, counter)


@entry
def fill(key, uniforms, normals):
    for i in range(len(uniforms)):
        uniforms[i] = four_uniforms(key, (i, 0, 0, 0))
        normals[i] = four_normals(key, (0, i, 0, 1))


def drawn() -> tuple[np.ndarray, np.ndarray]:
    uniforms, normals = np.empty((COUNT, 4)), np.empty((COUNT, 4))
    fill(KEY, uniforms, normals)
    return uniforms, normals


@pytest.mark.parametrize(("key", "counter", "expected"), PUBLISHED)
def test_words_are_the_published_ones(key, counter, expected):
    assert random_words(key, counter) == expected
    assert compiled(key, counter)[0] == expected


def test_integers_of_arrays_are_taken_like_plain_ones():
    small = np.array([3, -1, 2, 0], dtype=np.int32)
    assert random_words((1, 2), tuple(small)) == random_words((1, 2), (3, -1, 2, 0))
    assert compiled((1, 2), tuple(small))[0] == random_words((1, 2), (3, -1, 2, 0))


def test_key_is_fixed_by_seed_and_name():
    assert KEY == random_key(7, "test")
    assert len({random_key(1), random_key(2), random_key(1, "a"), random_key(1, "b")}) == 4


def test_numbers_are_uniform_in_every_place():
    uniforms, _ = drawn()
    assert uniforms.min() >= 0.0
    assert uniforms.max() < 1.0
    for column in uniforms.T:
        assert stats.kstest(column, "uniform").pvalue > 1e-3
    cells, _, _ = np.histogram2d(uniforms[:-1, 0], uniforms[1:, 0], bins=16)
    assert stats.chisquare(cells.ravel()).pvalue > 1e-3  # neighbours in the counter


def test_numbers_of_places_and_neighbouring_counters_are_uncorrelated():
    uniforms, normals = drawn()
    together = np.concatenate([uniforms[:-1], uniforms[1:], normals[:-1], normals[1:]], axis=1)
    correlation = np.corrcoef(together.T) - np.eye(16)
    assert np.abs(correlation).max() < 4.5 / np.sqrt(COUNT)


def test_one_bit_of_key_or_counter_changes_half_of_the_bits():
    changed = []
    for word, bit in itertools.product(range(6), range(32)):
        whole = [5, 6, 7, 8, 9, 10]
        before = random_words(tuple(whole[:2]), tuple(whole[2:]))
        whole[word] ^= 1 << bit
        after = random_words(tuple(whole[:2]), tuple(whole[2:]))
        changed.append(sum((a ^ b).bit_count() for a, b in zip(before, after, strict=True)))
    assert abs(np.mean(changed) - 64.0) < 4.0 * np.sqrt(32.0 / len(changed))
    assert min(changed) > 30


def test_normal_deviates_are_normal():
    _, normals = drawn()
    for column in normals.T:
        assert stats.kstest(column, "norm").pvalue > 1e-3
    assert np.abs(normals).max() < LARGEST_NORMAL
    assert_close(normal_pair(0.5 * 2.0**-32, 0.0)[0], LARGEST_NORMAL, rtol=1e-15)


def test_doubles_have_all_their_bits():
    found = np.array([uniform(KEY, (i, 0, 0, 0)) for i in range(1000)])
    assert np.any((found * 2.0**53) % 2.0 == 1.0)
    assert np.any(found * 2.0**32 % 1.0 != 0.0)
    assert stats.kstest(found, "uniform").pvalue > 1e-3


def test_rotations_are_uniform():
    uniforms, _ = drawn()
    quaternions = np.array([random_rotation(*u[:3]) for u in uniforms[:20_000].tolist()])
    assert_close(np.linalg.norm(quaternions, axis=1), np.ones(20_000), rtol=1e-14)
    for axis in rotation_matrices(quaternions)[:, :, 0].T:  # a turned axis fills the sphere evenly
        assert stats.kstest(0.5 * (axis + 1.0), "uniform").pvalue > 1e-3


def test_uniformity_check_has_teeth():
    uniforms, _ = drawn()
    assert stats.kstest(0.99 * uniforms[:, 0], "uniform").pvalue < 1e-3
