"""The same releases of a cube with impulsive contact and on springs: do they rest at the same time and place?

    python -m tests.validation.hard_and_compliant [runs] [stiffness ...]

prints the table of docs/validation/hard-and-compliant.md. Both laws have friction 0.5 and no rolling resistance;
the damper is the one whose restitution over random attitudes has the mean 0.5. On springs friction acts at one
point and a cube on its face spins on about the normal, so rest is that of the centre of mass.
"""

from __future__ import annotations

import functools
import math
import os
import sys
import time
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import brentq

from haptos.contact.collision_geometry import collision_matrix, contact_frame
from haptos.contact.collision_reversal import holding_friction, reversal_direction
from haptos.contact.restitution import restitution
from haptos.scenarios.lander.simulate import simulate_batch
from tests.bilobe_cases import HARD, RUN, released, releases

MASS, RESTITUTION, FRICTION = 5.0, 0.5, 0.5  # [kg], [-], [-]
STIFFNESSES = (50.0, 500.0, 5000.0)  # [N/m] of one vertex
RELATIVE = 1e-8  # [-] step error; the statistics do not know it from 1e-10
CENTRE_AT_REST = {"speed_m_per_s": 1e-4, "rate_rad_per_s": 10.0, "hold_s": 100.0}
ATTITUDES, RESAMPLES = 2000, 4000
CUBE_AXES = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


@functools.cache
def masses_at_the_lowest_vertex(friction: float = FRICTION) -> np.ndarray:
    """m_e / m [-] of a cube with random attitudes at the vertex that touches first without slip.

    m_e is what the normal impulse moves: dnu3/dp = 1/m_e with the friction that holds the point, or, where that is
    more than `friction`, with the friction of the slip that begins. Without friction 1/(1 + m |r x n|^2 / I).
    """
    n = np.random.default_rng(0).normal(size=(ATTITUDES, 3))
    n /= np.linalg.norm(n, axis=1)[:, None]
    return np.array([_mass_at(normal, friction) for normal in n])


def _mass_at(normal: np.ndarray, friction: float) -> float:
    """m_e / m [-] of the lowest corner of a cube of edge 1 over ground of that normal, cube axes."""
    corner = tuple(float(x) for x in -0.5 * np.sign(normal))
    frame = contact_frame(tuple(float(x) for x in normal))
    m = collision_matrix(1.0, (6.0, 0.0, 0.0, 6.0, 0.0, 6.0), CUBE_AXES, corner, frame)
    held, (c, s) = math.hypot(*holding_friction(m)), (1.0, 0.0)
    if held > friction and friction > 0.0:
        c, s = reversal_direction(m, friction)
    elif held > 0.0:
        c, s = (x / held for x in holding_friction(m))
    used = min(held, friction)
    return 1.0 / (m[5] - used * (m[2] * c + m[4] * s))


def share_that_sticks() -> float:
    """Share [-] of the attitudes whose first touch sticks."""
    n = np.random.default_rng(0).normal(size=(ATTITUDES, 3))
    n /= np.linalg.norm(n, axis=1)[:, None]
    return float(np.mean([_holding(normal) <= FRICTION for normal in n]))


def _holding(normal: np.ndarray) -> float:
    """Friction [-] that holds the lowest corner."""
    corner = tuple(float(x) for x in -0.5 * np.sign(normal))
    frame = contact_frame(tuple(float(x) for x in normal))
    return math.hypot(
        *holding_friction(
            collision_matrix(1.0, (6.0, 0.0, 0.0, 6.0, 0.0, 6.0), CUBE_AXES, corner, frame)
        )
    )


def mean_restitution(zeta: float) -> float:
    """Mean e [-] over attitudes, for the damping ratio of a central hit."""
    return float(np.mean([restitution(zeta / math.sqrt(m)) for m in masses_at_the_lowest_vertex()]))


@functools.cache
def damping_ratio() -> float:
    """zeta [-] of a central hit for which the mean restitution is that of the impacts."""
    return float(brentq(lambda zeta: mean_restitution(zeta) - RESTITUTION, 0.01, 2.0))


def soft_contact(stiffness: float) -> dict[str, Any]:
    """Springs [N/m] with the damper of equal mean restitution."""
    return {
        "law": "compliant",
        "stiffness_N_per_m": stiffness,
        "damping_N_s_per_m": 2.0 * damping_ratio() * math.sqrt(stiffness * MASS),
        "friction": FRICTION,
    }


@dataclass(frozen=True, slots=True)
class Rests:
    """Where and when the runs came to rest; NaN where one did not.

    times (n,) [s]   places (n, 3) [m]   faces (n,) vertices on the ground at the end   seconds of CPU per run
    """

    times: np.ndarray
    places: np.ndarray
    faces: np.ndarray
    seconds: float

    @property
    def settled(self) -> np.ndarray:
        return np.isfinite(self.times)


def rests(contact: dict[str, Any], count: int, *, workers: int = 2) -> Rests:
    """Rests of the first `count` releases."""
    run = {**RUN, "relative_tolerance": RELATIVE}
    settle = CENTRE_AT_REST if contact["law"] == "compliant" else {}
    configs = [
        released(release, contact=contact, run=run, settle=settle) for release in releases(count)
    ]
    began = time.process_time()
    rows = simulate_batch(configs, workers=workers)
    places = np.array([[row[f"rest_{axis}_m"] for axis in "xyz"] for row in rows])
    return Rests(
        np.array([row["settle_time_s"] for row in rows]),
        places,
        np.array([row["touching_at_end"] for row in rows]),
        (time.process_time() - began) / count,
    )


def spread(places: np.ndarray) -> float:
    """Mean distance [m] of places (n, 3) from their mean."""
    return float(np.linalg.norm(places - places.mean(axis=0), axis=1).mean())


def figures(times: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Mean time [s], its standard deviation [s], spread [m], standard deviation [m] by axis, mean place [m]."""
    return np.array(
        [times.mean(), times.std(), spread(places), *places.std(axis=0), *places.mean(axis=0)]
    )


FIGURES = (
    "mean settling time [s]", "its standard deviation [s]", "mean distance from the mean point [m]",
    "standard deviation x [m]", "standard deviation y [m]", "standard deviation z [m]",
    "mean x [m]", "mean y [m]", "mean z [m]",
)  # fmt: skip


def differences(soft: Rests, hard: Rests) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(difference, lower, upper end of its 95 % interval) of each figure, soft less hard.

    Releases that came to rest under both laws are drawn with their two rests together.
    """
    both = np.flatnonzero(soft.settled & hard.settled)
    generator = np.random.default_rng(1)

    def difference(rows: np.ndarray) -> np.ndarray:
        return figures(soft.times[rows], soft.places[rows]) - figures(
            hard.times[rows], hard.places[rows]
        )

    drawn = np.array([difference(generator.choice(both, size=len(both))) for _ in range(RESAMPLES)])
    low, high = np.quantile(drawn, [0.025, 0.975], axis=0)
    return difference(both), low, high


def first(found: Rests, count: int) -> Rests:
    """The first `count` of them."""
    return Rests(found.times[:count], found.places[:count], found.faces[:count], found.seconds)


def reported(name: str, found: Rests, hard: Rests) -> str:
    """Lines of the report: the figures of one contact, and its differences from impulsive contact."""
    rows = np.flatnonzero(found.settled)
    lines = [
        f"{name}: {len(rows)} of {len(found.times)} at rest, {found.seconds:.3f} s of CPU per run"
    ]
    own = figures(found.times[rows], found.places[rows])
    change, low, high = differences(found, first(hard, len(found.times)))
    for i, label in enumerate(FIGURES):
        lines.append(
            f"  {label:38s} {own[i]:9.1f}   {change[i]:+8.1f}  [{low[i]:+.1f}, {high[i]:+.1f}]"
        )
    return "\n".join(lines)


def main(count: int, contacts: list[str]) -> None:
    """Print the table; contacts: stiffnesses [N/m], or e=... for impulsive contact with another restitution."""
    hard = rests(HARD, count, workers=os.cpu_count() or 1)
    print(reported("impulsive", hard, hard), flush=True)
    for text in contacts:
        contact = (
            {**HARD, "restitution": float(text[2:])}
            if text.startswith("e=")
            else soft_contact(float(text))
        )
        print(reported(text, rests(contact, count, workers=os.cpu_count() or 1), hard), flush=True)


if __name__ == "__main__":
    main(
        int(sys.argv[1]) if len(sys.argv) > 1 else 2000,
        sys.argv[2:] or [str(k) for k in STIFFNESSES],
    )
