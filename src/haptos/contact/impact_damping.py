"""Hertzian contact with losses: damping that vanishes with depth, and the bounce it leaves.

    f = k depth^(3/2) max(0, 1 + a rate)                     a = lambda / k
    Hunt-Crossley        a v = 3/2 (1 - e)
    Lankarani-Nikravesh  a v = 3/4 (1 - e^2)
    exact                a v = d / e,   (1 + d/e)/(1 - d) = exp(d (1 + 1/e)),   0 < d < 1
    bounce reached       a v (1 + e) = ln[(1 + a v)/(1 - a v e)]
    e = 1 - alpha v at low speed, so that Hunt-Crossley has a = 3/2 alpha whatever the speed

    k      stiffness [N/m^1.5]             depth  overlap [m], rate its derivative [m/s], > 0 going in
    a      hysteresis factor [s/m]         e      restitution: exit over entry speed [-], 0 < e <= 1
    v      entry speed [m/s], > 0          alpha  [s/m], 0.08 to 0.32 for metals
Only the exact factor reaches its nominal restitution; the others, meant for e near 1, bounce more
(0.5 becomes 0.663 and 0.725). On the way out 1 + a rate stays positive, so the clamp is idle in a
free impact; it acts when something else pulls the bodies apart faster than they relax.
Sign: f >= 0 pushes apart.
Validity: no plastic flow, no adhesion; one impact lasts long against waves in the bodies.
Source: [HuntCrossley1975], [LankaraniNikravesh1990]; the integrated motion [Stronge2000],
[Salvi2014] Eqs. (4.6) to (4.24).
"""

from __future__ import annotations

import math

from haptos.contact.hertz import hertz_force
from haptos.core.errors import ConfigError
from haptos.core.jit import device

CITES: tuple[str, ...] = (
    "HuntCrossley1975", "LankaraniNikravesh1990", "Salvi2014", "Stronge2000",
)  # fmt: skip

HUNT_CROSSLEY, LANKARANI_NIKRAVESH, EXACT = 0, 1, 2
DAMPING_LAWS = {
    "hunt-crossley": HUNT_CROSSLEY,
    "lankarani-nikravesh": LANKARANI_NIKRAVESH,
    "exact": EXACT,
}

HALVINGS = 80  # [-], more than a double has bits, from any bracket used here
SMALL = 0.03  # [-], of a v: below, the logarithms cancel and a series is used instead
TERMS = 14  # [-], of the series; 0.03^13 is below the rounding of a double
LEAST_RESTITUTION = 1e-3  # [-], of the empirical line, which would go below zero at high speed
LEAST_SPEED = 1e-9  # [m/s], below which a factor from a fixed e is that of this speed


@device
def normal_force(stiffness, factor, depth, depth_rate):
    """f [N] along the normal, >= 0.

    stiffness k [N/m^1.5]   factor a [s/m]   depth [m], <= 0 apart   depth_rate [m/s], > 0 going in
    """
    return hertz_force(stiffness, depth) * max(1.0 + factor * depth_rate, 0.0)  # Eq. (4.15)


@device
def dissipated_power(stiffness, factor, depth, depth_rate):
    """Power [W] lost in the contact, >= 0: what f does beyond changing the elastic energy.

    P = (f - k depth^(3/2)) rate;  the elastic energy is `hertz_energy`, so that the ledger closes.
    """
    return hertz_force(stiffness, depth) * depth_rate * max(factor * depth_rate, -1.0)


@device
def _bounce_remainder(x, e):
    """[ln((1 + x)/(1 - e x)) - x (1 + e)] / x^2 for x = a v: zero at the bounce, without digits lost.

    Below SMALL the sum over n >= 2 of x^(n-2) (e^n - (-1)^n) / n.
    """
    if e * x >= 1.0:
        return 1.0  # beyond the pole of the logarithm, where the remainder grows without bound
    if x >= SMALL:
        return (math.log1p(x) - math.log1p(-e * x) - x * (1.0 + e)) / (x * x)
    total = 0.5 * (e - 1.0) * (e + 1.0)
    power, sign, e_n = x, 1.0, e * e * e
    for n in range(3, 3 + TERMS):
        total += power * (e_n + sign) / n
        power, sign, e_n = power * x, -sign, e_n * e
    return total


@device
def exact_product(e):
    """a v [-] of the exact law for a restitution e in (0, 1]; d = e a v. By bisection."""
    low, high = 0.0, 1.0 / e
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        if _bounce_remainder(middle, e) < 0.0:
            low = middle
        else:
            high = middle
    return low


@device
def hysteresis_product(law, e):
    """a v [-] of a damping law (an integer tag) for a restitution e in (0, 1]."""
    if law == HUNT_CROSSLEY:
        return 1.5 * (1.0 - e)  # Eq. (4.7)
    if law == LANKARANI_NIKRAVESH:
        return 0.75 * (1.0 - e) * (1.0 + e)  # Eq. (4.12)
    return exact_product(e)  # Eq. (4.20)


@device
def hysteresis_factor(law, e, speed):
    """a [s/m] for a restitution e in (0, 1] at an entry speed [m/s]."""
    return hysteresis_product(law, e) / max(speed, LEAST_SPEED)


@device
def empirical_factor(law, alpha, speed):
    """a [s/m] for e = 1 - alpha v, with alpha [s/m] and the entry speed v [m/s].

    Hunt-Crossley needs no speed: a = 3/2 alpha, as it is for all laws when v -> 0.
    """
    if law == HUNT_CROSSLEY or alpha * speed < 1e-12:
        return 1.5 * alpha  # Eq. (4.10)
    e = max(1.0 - alpha * speed, LEAST_RESTITUTION)
    return hysteresis_product(law, e) / speed


def effective_restitution(product: float) -> float:
    """Restitution e [-] that an impact reaches, from a v [-] >= 0; 1 without damping.

    The root in (0, 1] of a v (1 + e) = ln[(1 + a v)/(1 - a v e)]; e = -1 is the motion at entry.
    """
    if not 0.0 <= product < math.inf:
        raise ConfigError("impact damping", f"a v = {product:g}", "0 or above", "use a >= 0")
    low, high = 0.0, min(1.0, 1.0 / product) if product > 0.0 else 1.0
    if product == 0.0:
        return 1.0
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        if _bounce_remainder(product, middle) < 0.0:
            low = middle
        else:
            high = middle
    return low


def restitution_reached(law: int, nominal: float) -> float:
    """Restitution [-] that a law really gives when asked for `nominal`, 0 < nominal <= 1."""
    if not 0.0 < nominal <= 1.0:
        raise ConfigError("restitution", f"{nominal:g}", "above 0, at most 1", "0.5 halves speed")
    return effective_restitution(hysteresis_product(law, nominal))


def deepest(mass: float, stiffness: float, factor: float, speed: float) -> float:
    """Deepest overlap [m] of an impact with losses.

    depth^(5/2) = 5 m / (2 k) [v/a - ln(1 + a v)/a^2]

    mass  reduced mass m [kg]     stiffness k [N/m^1.5]     factor a [s/m]     speed v [m/s]
    """
    x = factor * speed
    if x < 1e-3:  # the bracket is v^2 (1/2 - x/3 + x^2/4 - x^3/5 + ...)
        share = 0.5 - x / 3.0 + x * x / 4.0 - x**3 / 5.0 + x**4 / 6.0
    else:
        share = (x - math.log1p(x)) / (x * x)
    return float((2.5 * mass * speed * speed * share / stiffness) ** 0.4)
