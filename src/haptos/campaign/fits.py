"""Curves through means of campaigns: settling time against restitution and against friction.

    t(e) = a_0 + a_1 / (1 - e)                                  restitution
    t(f) = b_0 + b_1 / (1 + exp(-b_2 (f - b_3)))                friction, a sigmoid
    f_s  = b_3 + ln(19) / b_2                                   friction beyond which 95 % of the rise is done

    e  restitution [-], below 1        f  friction [-]          t, a_0, a_1, b_0, b_1  unit of the metric
    b_2  steepness [-], above 0        b_3  middle of the rise [-]
A point that bounces on a plane has exactly a_1 = 2 v_n / g and a_0 = t_1 - a_1, with first impact at t_1 and normal speed v_n.
Least squares with equal weights; intervals are Student's, from the residuals.
Validity: the sigmoid is an empirical form, to be used between the frictions it was fitted to; three points
at least for restitution, five for friction. Source: [VanWal2018] section 4.2.3.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from haptos.campaign.intervals import CONFIDENCE
from haptos.core.errors import HaptosError

CITES: tuple[str, ...] = ("VanWal2018",)

MOST_TRIES = 20_000  # [-] evaluations of the sigmoid
FEWEST_RESTITUTIONS, FEWEST_FRICTIONS = 3, 5  # [-] one more than a curve has parameters

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Fit:
    """Parameters of a curve with 95 % intervals, shapes (k,), and how well it fits.

    deviation  root mean square of the residuals [unit of the metric]
    explained  1 - residual / total sum of squares [-]
    """

    parameters: Floats
    low: Floats
    high: Floats
    deviation: float
    explained: float


def restitution_curve(restitution: ArrayLike, a_0: float, a_1: float) -> Floats:
    """a_0 + a_1 / (1 - e)"""
    return np.asarray(a_0 + a_1 / (1.0 - np.asarray(restitution, dtype=float)))


def friction_curve(friction: ArrayLike, b_0: float, b_1: float, b_2: float, b_3: float) -> Floats:
    """b_0 + b_1 / (1 + exp(-b_2 (f - b_3)))"""
    turn = -b_2 * (np.asarray(friction, dtype=float) - b_3)
    return np.asarray(b_0 + b_1 / (1.0 + np.exp(np.clip(turn, -500.0, 500.0))))


def fit_restitution(restitution: ArrayLike, means: ArrayLike) -> Fit:
    """(a_0, a_1) through means, shape (n,), at restitutions below 1, shape (n,)."""
    x, y = _checked("fit against restitution", restitution, means, FEWEST_RESTITUTIONS)
    if x.max() >= 1.0 or x.min() < 0.0:
        found = f"restitution from {x.min():g} to {x.max():g}"
        raise HaptosError("fit against restitution", found, "0 up to below 1", "leave it out")
    columns = np.column_stack([np.ones_like(x), 1.0 / (1.0 - x)])
    parameters = np.asarray(np.linalg.lstsq(columns, y, rcond=None)[0], dtype=float)
    return _judged(parameters, y, restitution_curve(x, *parameters), columns)


def fit_friction(friction: ArrayLike, means: ArrayLike) -> Fit:
    """(b_0, b_1, b_2, b_3) through means, shape (n,), at frictions, shape (n,)."""
    from scipy.optimize import least_squares

    where = "fit against friction"
    x, y = _checked(where, friction, means, FEWEST_FRICTIONS)
    scale, span = float(np.ptp(y)), float(np.ptp(x))
    if not scale > 0.0:
        raise HaptosError(where, "means all equal", "means that change", "there is no rise to fit")
    rise = float(y[np.argmax(x)] - y[np.argmin(x)])
    guess = [
        y[np.argmin(x)], rise if rise else scale, 4.0 / span, float(x[np.argmin(np.abs(y - y.mean()))])
    ]  # fmt: skip
    found = least_squares(
        lambda p: (friction_curve(x, *p) - y) / scale,
        guess,
        x_scale=[scale, scale, 1.0 / span, span],
        bounds=([-np.inf, -np.inf, 1e-3 / span, -np.inf], np.inf),
        max_nfev=MOST_TRIES,
        xtol=1e-12,
        ftol=1e-12,
    )
    if not found.success:
        raise HaptosError(where, "no sigmoid found", "means that rise or fall once", "plot them")
    return _judged(found.x, y, friction_curve(x, *found.x), found.jac * scale)


def saturation_friction(fit: Fit) -> float:
    """f_s [-] beyond which 95 % of the change with friction is done."""
    return float(fit.parameters[3] + math.log(19.0) / fit.parameters[2])


def _judged(parameters: Floats, y: Floats, fitted: Floats, jacobian: Floats) -> Fit:
    from scipy.stats import t

    residual = float(np.sum((y - fitted) ** 2))
    free = len(y) - len(parameters)
    covariance = np.linalg.pinv(jacobian.T @ jacobian) * residual / free
    half = float(t.ppf(0.5 + 0.5 * CONFIDENCE, free)) * np.sqrt(np.diag(covariance))
    total = float(np.sum((y - y.mean()) ** 2))
    explained = 1.0 - residual / total if total > 0.0 else math.nan
    deviation = math.sqrt(residual / len(y))
    return Fit(parameters, parameters - half, parameters + half, deviation, explained)


def _checked(where: str, x: ArrayLike, y: ArrayLike, fewest: int) -> tuple[Floats, Floats]:
    given, means = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    if given.shape != means.shape or given.ndim != 1:
        found = f"shapes {given.shape} and {means.shape}"
        raise HaptosError(where, found, "one mean for each value", "use Campaign.runs and grouped")
    if not (np.isfinite(given).all() and np.isfinite(means).all()):
        raise HaptosError(where, "values not finite", "finite values", "drop points without runs")
    if len(np.unique(given)) < fewest:
        found = f"{len(np.unique(given))} different values"
        raise HaptosError(where, found, f"at least {fewest}", "sweep more values")
    return given, means
