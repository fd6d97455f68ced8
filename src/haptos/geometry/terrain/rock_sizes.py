"""How many rocks there are and how large: a power law between two sizes.

    K = k0 (s0/s_min)^alpha                                                         Eq. (2.22)
    s = s_min / (1 - beta y)^(1/alpha),   beta = 1 - (s_min/s_max)^alpha            Eq. (2.23)
    E[s^n] = alpha/(alpha - n) s_min^n (1 - q^(alpha - n)) / (1 - q^alpha),   q = s_min/s_max

    K      rocks larger than s_min per area [1/m^2]
    k0     rocks larger than s0 per area [1/m^2], > 0        s0     its size [m], > 0
    alpha  power index [-], > 0                              s      size (diameter) of a rock [m]
    s_min  smallest size [m], > 0                            s_max  largest size [m], >= s_min
    y      uniform number in [0, 1)
Validity: sizes between s_min and s_max only; K counts all of them, none being larger than s_max.
Source: [VanWal2018] section 2.3.1, after [Tardivel2014]; the moments follow by integration.
"""

from __future__ import annotations

import math

from haptos.core.errors import GeometryError
from haptos.core.jit import device

CITES: tuple[str, ...] = ("VanWal2018", "Tardivel2014")


def rocks_per_area(k0: float, s0: float, s_min: float, alpha: float) -> float:
    """K [1/m^2], the rocks larger than s_min per area. Eq. (2.22)."""
    return float(k0 * (s0 / s_min) ** alpha)


@device
def rock_size(y, alpha, s_min, s_max):
    """s [m] of the uniform number y in [0, 1). Eq. (2.23)."""
    beta = 1.0 - (s_min / s_max) ** alpha
    return s_min / (1.0 - beta * y) ** (1.0 / alpha)


def mean_power(n: float, alpha: float, s_min: float, s_max: float) -> float:
    """E[s^n] [m^n] over the rocks of the law; n = 1 is the mean size."""
    require_sizes("rock sizes", alpha, s_min, s_max)
    q = s_min / s_max
    if q == 1.0:
        return float(s_min**n)
    share = 1.0 - q**alpha
    if math.isclose(alpha, n, rel_tol=1e-9):
        return float(-alpha * s_min**n * math.log(q) / share)
    return float(alpha / (alpha - n) * s_min**n * (1.0 - q ** (alpha - n)) / share)


def mean_size(alpha: float, s_min: float, s_max: float) -> float:
    """E[s] [m]."""
    return mean_power(1.0, alpha, s_min, s_max)


def rocks_larger(s: float, per_area: float, alpha: float, s_min: float, s_max: float) -> float:
    """Expected number of rocks larger than s [m] per area [1/m^2], `per_area` being K."""
    require_sizes("rock sizes", alpha, s_min, s_max)
    if s <= s_min:
        return per_area
    if s >= s_max:
        return 0.0
    least = (s_min / s_max) ** alpha
    return float(per_area * ((s_min / s) ** alpha - least) / (1.0 - least))


def require_sizes(where: str, alpha: float, s_min: float, s_max: float) -> None:
    """Refuse sizes and an index that make no law."""
    if not 0.0 < alpha < math.inf:
        raise GeometryError(where, f"power index {alpha}", "a number above 0", "use 2.8")
    if not 0.0 < s_min <= s_max < math.inf:
        raise GeometryError(
            where,
            f"sizes from {s_min} m to {s_max} m",
            "0 < smallest <= largest, both finite",
            "give the smaller size first, in metres",
        )


def require_rocks_per_area(where: str, per_area: float) -> None:
    """Refuse a number of rocks per area that is none."""
    if not 0.0 <= per_area < math.inf:
        found = f"{per_area} rocks per square metre"
        raise GeometryError(where, found, "0 or more, finite", "use 14.3")
