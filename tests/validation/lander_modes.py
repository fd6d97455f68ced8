"""Two groups in a sample: a mixture of two normal distributions, and how far apart they are."""

from __future__ import annotations

import numpy as np

ROUNDS = 200
LEAST = 1e-3  # of the sample's spread: no group is narrower


def two_groups(sample: np.ndarray) -> tuple[np.ndarray, np.ndarray, float]:
    """(means, standard deviations, share of the first) of the mixture of two normal distributions that fits best, lower mean first.

    By expectation and maximisation from the lower and the upper half.
    """
    middle = np.median(sample)
    means = np.array([sample[sample <= middle].mean(), sample[sample >= middle].mean()])
    deviations = np.full(2, 0.5 * sample.std() + 1e-300)
    weights = np.full(2, 0.5)
    for _ in range(ROUNDS):
        scaled = (sample[:, None] - means) / deviations
        density = weights / deviations * np.exp(-0.5 * scaled**2) + 1e-300
        shares = density / density.sum(axis=1, keepdims=True)
        counts = shares.sum(axis=0)
        means = (shares * sample[:, None]).sum(axis=0) / counts
        spread = (shares * (sample[:, None] - means) ** 2).sum(axis=0) / counts
        deviations = np.maximum(np.sqrt(spread), LEAST * sample.std() + 1e-300)
        weights = counts / counts.sum()
    order = np.argsort(means)
    return means[order], deviations[order], float(weights[order[0]])


def ashman_distance(sample: np.ndarray) -> float:
    """Ashman's D of the two groups: sqrt(2) |m1 - m2| / sqrt(s1^2 + s2^2); above 2 they are apart."""
    means, deviations, _ = two_groups(sample)
    return float(np.sqrt(2.0) * abs(means[1] - means[0]) / np.hypot(*deviations))
