"""Mass and momentum accounted for like energy: what was built is what moved, what changed was given.

    mass       max |simulated - built| / built,   at the start and at the end of a run
    momentum   |P_end - P_start - sum of external impulses| / scale

An energy ledger closes for any masses, and so does not see a part that was left out of the motion. The
built mass comes from the scenario's file and geometry, the simulated one from the arrays the kernel walks over.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from haptos.results.checks import Check

MASS_BOUND = 1e-12  # [-] of the built mass: the rounding of a sum of some thousand parts
ROUNDING = 2.0 * float(np.finfo(float).eps)  # [-] of one sum that moves mass from part to part
MOMENTUM_BOUND = 1e-9  # [-] of all momentum there is: rounding of 10^7 steps


def mass_check(built: float, simulated: Sequence[float], transfers: int = 0) -> Check:
    """Check of masses [kg] in the kernel's arrays, first and last, against the one that was built.

    transfers  how often mass was moved from one part to another on the way: each may round
    """
    apart = [abs(mass - built) for mass in simulated]
    worst = int(np.argmax(apart))
    return Check(
        name="mass",
        value=float(apart[worst] / built),
        bound=MASS_BOUND + ROUNDING * transfers,
        unit="",
        subject="The mass that moves differs from the mass that was built by a share",
        place=f"{simulated[worst]:.12g} kg of {built:.12g} kg",
    )


def momentum_check(change: ArrayLike, impulse: ArrayLike, scale: float) -> Check:
    """Check of a change of momentum [N s], (3,), against the impulses from outside [N s], (3,).

    scale  momentum [N s] the difference is measured by: the sizes of all momenta and impulses added up
    """
    missing = np.linalg.norm(np.asarray(change, dtype=float) - np.asarray(impulse, dtype=float))
    return Check(
        name="momentum",
        value=float(missing) / scale if scale > 0.0 else float(missing),
        bound=MOMENTUM_BOUND,
        unit="",
        subject="The momentum that no impulse from outside explains, as a share of all momentum",
        place=f"{missing:.3g} N s",
    )
