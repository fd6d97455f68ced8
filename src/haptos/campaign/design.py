"""Design points of a campaign: which value each swept key has at which point."""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np

from haptos.campaign.sweeps import (
    GridSweep,
    LatinHypercube,
    ListSweep,
    Saltelli,
    Sobol,
    Sweep,
    spread,
)
from haptos.core.errors import ConfigError
from haptos.core.random_streams import stream

LARGEST_DIMENSION = 21_201  # keys of a Sobol sequence with known direction numbers, [JoeKuo2008]


class Design:
    """Points = list x grid x (latin hypercube | sobol | saltelli); the last one steps fastest.

    Keys are taken in sorted order, so the order of keys in the file does not matter. Latin
    hypercube and Sobol values are drawn once, from the campaign's seed.
    """

    def __init__(
        self, sweeps: Mapping[str, Sweep], joint_points: int | None, seed: int, where: str
    ) -> None:
        ordered = {key: sweeps[key] for key in sorted(sweeps)}
        listed = {key: s for key, s in ordered.items() if isinstance(s, ListSweep)}
        self._joint = {key: s for key, s in ordered.items() if isinstance(s, LatinHypercube)}
        self._values: dict[str, Any] = {
            key: s.values for key, s in ordered.items() if isinstance(s, ListSweep | GridSweep)
        }
        grid = [key for key, s in ordered.items() if isinstance(s, GridSweep)]
        joint_count = _joint_points(self._joint, joint_points, where)
        sizes = [
            _list_length(listed, where),
            *(len(self._values[key]) for key in grid),
            joint_count,
        ]
        strides = [math.prod(sizes[i + 1 :]) for i in range(len(sizes))]
        self.count = math.prod(sizes)
        self._seed, self._joint_count = seed, joint_count
        self._place = dict.fromkeys(listed, (strides[0], sizes[0]))
        self._place |= {key: (strides[i], sizes[i]) for i, key in enumerate(grid, start=1)}

    def draw(self) -> None:
        """Draw the joint design; apart from construction, so that sizes are checked first."""
        self._values |= _joint_design(self._joint, self._joint_count, self._seed)
        self._place |= dict.fromkeys(self._joint, (1, self._joint_count))

    def value(self, key: str, point: int) -> Any:
        """Value of one swept key at one design point."""
        stride, size = self._place[key]
        return self._values[key][point // stride % size]


def _list_length(listed: Mapping[str, ListSweep], where: str) -> int:
    lengths = {key: len(sweep.values) for key, sweep in listed.items()}
    if len(set(lengths.values())) > 1:
        found = ", ".join(f"{key} with {length} values" for key, length in lengths.items())
        hint = 'give them equally many values, or use sweep = "grid" for all combinations'
        raise ConfigError(where, found, "list sweeps of one length: they step together", hint)
    return next(iter(lengths.values()), 1)


def _joint_points(joint: Mapping[str, LatinHypercube], points: int | None, where: str) -> int:
    place = f"{where} [campaign]"
    kinds = sorted({sweep.kind for sweep in joint.values()})
    if len(kinds) > 1:
        keys = ", ".join(f"{key} ({sweep.kind})" for key, sweep in joint.items())
        raise ConfigError(where, keys, "one kind of joint design per file", "use one for all keys")
    if kinds and points is None:
        allowed = f"points = number of {kinds[0].replace('_', ' ')} points"
        raise ConfigError(
            place, f"no key 'points' for {next(iter(joint))}", allowed, "add points = 64"
        )
    if points is not None and not kinds:
        allowed = "points only with a latin_hypercube, sobol or saltelli sweep"
        raise ConfigError(place, f"points = {points}", allowed, "remove it; grids count themselves")
    if len(joint) > LARGEST_DIMENSION:
        allowed, hint = f"at most {LARGEST_DIMENSION}", "sweep fewer keys, or draw some at random"
        raise ConfigError(where, f"{len(joint)} swept keys", allowed, hint)
    if points is not None and kinds == [Saltelli.kind]:
        if points & (points - 1):
            hint = f"points = {1 << points.bit_length()}"
            raise ConfigError(place, f"points = {points}", "a power of two for saltelli", hint)
        return points * (len(joint) + 2)
    return 1 if points is None else points


def _joint_design(
    joint: Mapping[str, LatinHypercube], points: int, seed: int
) -> dict[str, np.ndarray]:
    if not joint:
        return {}
    if all(isinstance(sweep, Sobol) for sweep in joint.values()):
        fractions = _sobol(len(joint), points, seed)
    elif all(isinstance(sweep, Saltelli) for sweep in joint.values()):
        fractions = _saltelli(len(joint), points, seed)
    else:
        fractions = np.column_stack([_latin(points, seed, key) for key in joint])
    return {
        key: spread(fractions[:, i], sweep.low, sweep.high, sweep.spacing)
        for i, (key, sweep) in enumerate(joint.items())
    }


def _latin(points: int, seed: int, key: str) -> np.ndarray:
    """One column of a Latin hypercube; its own stream, so other keys do not disturb it."""
    from scipy.stats import qmc

    sampler = qmc.LatinHypercube(d=1, rng=_seed_of(seed, f"latin_hypercube {key}"))
    return np.asarray(sampler.random(points))[:, 0]


def _sobol(dimension: int, points: int, seed: int) -> np.ndarray:
    from scipy.stats import qmc

    sampler = qmc.Sobol(d=dimension, scramble=True, rng=_seed_of(seed, "sobol"))
    with warnings.catch_warnings():
        # Scipy warns when the count is not a power of two; the class docstring says so instead.
        warnings.simplefilter("ignore", UserWarning)
        return np.asarray(sampler.random(points))


def _saltelli(dimension: int, points: int, seed: int) -> np.ndarray:
    """Fractions in the order that `campaign.sensitivity` expects, (points, dimension)."""
    from SALib.sample import sobol

    names = [f"x{k}" for k in range(dimension)]
    problem = {"num_vars": dimension, "names": names, "bounds": [[0.0, 1.0]] * dimension}
    chosen = points // (dimension + 2)
    seed = _seed_of(seed, "saltelli") % 2**32
    return np.asarray(sobol.sample(problem, chosen, calc_second_order=False, seed=seed))


def _seed_of(seed: int, name: str) -> int:
    """Seed for a sampler of scipy, which makes its own generators."""
    return int(stream(seed, 0, name=name).integers(2**63))
