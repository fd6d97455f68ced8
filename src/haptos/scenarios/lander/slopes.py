"""How steep the ground is where a lander came to rest."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from haptos.core.outcome import Outcome
from haptos.dynamics.rigid.rigid_body import POSITION
from haptos.scenarios.lander.model import Model
from haptos.scenarios.worlds.slopes import ground_slopes


def rest_slopes(models: Sequence[Model], memory: np.ndarray, state: np.ndarray) -> np.ndarray:
    """Slopes [deg], (n,), where runs settled; NaN for others and on tumbling bodies, whose slopes
    change all the time.
    """
    members: dict[int, list[int]] = {}  # runs of each world, which has one spin
    for i, model in enumerate(models):
        is_settled = memory["outcome"][i] == Outcome.SETTLED.code
        if is_settled and not model.parameters["spin"]["is_tumbling"]:
            members.setdefault(id(model.world), []).append(i)
    found = np.full(len(models), np.nan)
    for runs in members.values():
        one = models[runs[0]]
        places = state[runs, POSITION : POSITION + 3]
        found[runs] = ground_slopes(one.world, one.parameters["spin"]["rate"], places)
    return found
