"""Shape-memory metal: three phases exchanged by thermally activated rates, with its heat.

    eps = sigma C + e0 (x+ - x-),   C = (x+ + x-)/E_M + x_A/E_A,   x_A = 1 - x+ - x-                    (28)
    x+' = -x+ p(+A) + x_A p(A+),    x-' = -x- p(-A) + x_A p(A-)                                          (29)
    rho c theta' = -a_v (theta - theta_0) - sigma_SB e_v (theta^4 - theta_0^4) + j + L (x+' + x-')       (30)
    b = V/(k_B theta),  s_A = s_A0 + s_A1 (theta - theta_ref),  s_M = s_A - D_s
    p(A+) tau = exp(-a^2)/(n_A (erf a + erf c)),    a, c = sqrt(b/(2 E_A)) (s_A -+ sigma),  n_A = sqrt(pi/(2 b E_A))
    p(+A) tau = 1/(n_M erfcx x),                    x = sqrt(b/(2 E_M)) (s_M - sigma),      n_M = sqrt(pi/(2 b E_M))
    p(A-), p(-A) the same with -sigma;   p <= 1/tau_min;   s_A <= 0: p(A+-) = 1/tau_min

    x+, x-, x_A  fractions of the two martensites and of austenite [-]    e0  transformation strain [-]
    sigma, eps   stress [Pa] and strain [-], tension > 0                   E_A, E_M  moduli [Pa]
    theta        temperature [K]        j   heating [W/m^3]                a_v, e_v  exchange [W/m^3/K], emission [1/m]
    L            latent heat [J/m^3]    V   activation volume [m^3]        tau       attempt time [s]
Each rate is evaluated in log space: the exponentials that would overflow or vanish are cancelled first.
Work of transformation sigma e0 (x+' - x-') + sigma^2/2 (1/E_M - 1/E_A)(x+' + x-') leaves the mechanical energy
sigma^2 C/2; with self_heating it enters (30) as heat, and L is then the zero-stress value.
M+ and M- exchange through A only. Sign: contraction on heating comes from x+ -> A.
Validity: one dimension, no plasticity, no fatigue, no minor loops between wells; the NiTi set is representative, not a batch's.
Source: [SeeleckeMuller2004]; equations as numbered in [Quadrelli2017]; values of NiTi [Brinson1993], as named beside each.
"""

from __future__ import annotations

import math
from collections import namedtuple
from collections.abc import Mapping
from types import MappingProxyType

from haptos.core.jit import device

CITES: tuple[str, ...] = ("SeeleckeMuller2004", "Quadrelli2017", "Brinson1993")

BOLTZMANN = 1.380649e-23  # [J/K]
STEFAN_BOLTZMANN = 5.670374419e-8  # [W/m^2/K^4]
VANISHING = 26.5  # [-] argument beyond which exp(-x^2) is below the smallest number
SQRT_PI = math.sqrt(math.pi)

# E_A, E_M [Pa], e0 [-], s_A0 [Pa] at theta_ref [K], slope [Pa/K], hysteresis D_s [Pa], V [m^3], tau, tau_min [s],
# rho [kg/m^3], c [J/kg/K], L [J/m^3], whether the work of transformation becomes heat (1.0 or 0.0)
ShapeMemory = namedtuple(
    "ShapeMemory",
    "austenite martensite strain stress reference slope hysteresis volume attempt least density heat latent self_heating",
)
# Rates [1/s] of M+ -> A, A -> M+, M- -> A, A -> M-, and their slopes d ln p/d sigma [1/Pa]
Rates = namedtuple("Rates", "leave_plus enter_plus leave_minus enter_minus d_lp d_ep d_lm d_em")

NITINOL = ShapeMemory(
    67e9, 26.3e9, 0.067, 120e6, 291.0, 8e6, 220e6, 5e-24, 0.02, 1e-3, 6450.0, 460.0, 1.608e8, 0.0
)
NITINOL_SOURCES: Mapping[str, str] = MappingProxyType(
    {
        "austenite": "[Brinson1993]",
        "martensite": "[Brinson1993]",
        "strain": "[Brinson1993]",
        "slope": "[Brinson1993]",
        "stress": "assumed: M_s near 281 K, forward plateau 350 MPa at 325 K",
        "reference": "assumed: with stress",
        "hysteresis": "assumed: A_s near 301 K, hysteresis 150 MPa",
        "volume": "assumed: sharp plateaus",
        "attempt": "assumed: rate effect through heat, not through tau",
        "least": "assumed: cap of the rates",
        "density": "assumed: usual data of NiTi",
        "heat": "assumed: usual data of NiTi",
        "latent": "assumed: e0 s_A1 300 K (Clausius-Clapeyron), 24.9 kJ/kg",
        "self_heating": "a choice, not a property",
    }
)


def zero_stress_latent_heat(material: ShapeMemory) -> float:
    """L_u [J/m^3] = e0 s_A1 theta_eq, theta_eq where s_A = D_s/2: the latent heat that self-heating needs."""
    half = (0.5 * material.hysteresis - material.stress) / material.slope
    return float(material.strain * material.slope * (material.reference + half))


@device
def erfcx(x):
    """exp(x^2) erfc(x) for x >= 0: a product below 25, its asymptotic series above (1e-12)."""
    if x < 25.0:
        return math.exp(x * x) * math.erfc(x)
    y = 0.5 / (x * x)
    return (1.0 - y * (1.0 - y * (3.0 - y * (15.0 - 105.0 * y)))) / (SQRT_PI * x)


@device
def leaving_austenite(material, b, s_a, sigma):
    """(p(A+) [1/s], d ln p/d sigma [1/Pa]) at a stress; p(A-) is that of -sigma."""
    fastest = 1.0 / material.least
    if s_a <= 0.0:
        return fastest, 0.0
    q = math.sqrt(b / (2.0 * material.austenite))
    a, c = q * (s_a - sigma), q * (s_a + sigma)
    if a > VANISHING:
        return 0.0, 0.0
    n = math.sqrt(math.pi / (2.0 * b * material.austenite)) * material.attempt
    if a < 0.0:
        p = 1.0 / (n * (erfcx(-a) - erfcx(c) * math.exp(a * a - c * c)))
    elif c < 0.0:
        p = math.exp(c * c - a * a) / (n * (erfcx(-c) - erfcx(a) * math.exp(c * c - a * a)))
    else:
        p = math.exp(-a * a) / (n * (math.erf(a) + math.erf(c)))
    if p >= fastest:
        return fastest, 0.0
    return p, 2.0 * q * max(a, 0.0)


@device
def leaving_martensite(material, b, s_m, sigma):
    """(p(+A) [1/s], d ln p/d sigma [1/Pa]) at a stress; p(-A) is that of -sigma."""
    fastest = 1.0 / material.least
    q = math.sqrt(b / (2.0 * material.martensite))
    x = q * (s_m - sigma)
    n = math.sqrt(math.pi / (2.0 * b * material.martensite)) * material.attempt
    if x < -VANISHING:
        return 0.0, 0.0
    if x > 0.0:
        scaled = erfcx(x)
        p = 1.0 / (n * scaled)
        slope = q * (2.0 * x - 2.0 / (SQRT_PI * scaled))
    else:
        tail, ends = math.exp(-x * x), math.erfc(x)
        p = tail / (n * ends)
        slope = q * (2.0 * x - 2.0 * tail / (SQRT_PI * ends))
    if p >= fastest:
        return fastest, 0.0
    return p, slope


@device
def transition_rates(material, sigma, theta):
    """All rates [1/s] at a stress [Pa] and a temperature [K]."""
    b = material.volume / (BOLTZMANN * theta)
    s_a = material.stress + material.slope * (theta - material.reference)
    s_m = s_a - material.hysteresis
    ep, d_ep = leaving_austenite(material, b, s_a, sigma)
    em, d_em = leaving_austenite(material, b, s_a, -sigma)
    lp, d_lp = leaving_martensite(material, b, s_m, sigma)
    lm, d_lm = leaving_martensite(material, b, s_m, -sigma)
    return Rates(lp, ep, lm, em, d_lp, d_ep, -d_lm, -d_em)


@device
def exchanged(rates, h, plus, minus, austenite):
    """Fractions after an implicit step h [s] of the exchange with these rates, from (plus, minus, austenite).

    The system x - h Q x = start solved without a difference: positive stays positive, the sum is kept.
    """
    leave_plus, leave_minus = 1.0 + h * rates.leave_plus, 1.0 + h * rates.leave_minus
    a, b = h * rates.enter_plus, h * rates.enter_minus
    x_a = (
        austenite
        + h * rates.leave_plus * plus / leave_plus
        + h * rates.leave_minus * minus / leave_minus
    ) / (1.0 + a / leave_plus + b / leave_minus)
    return (plus + a * x_a) / leave_plus, (minus + b * x_a) / leave_minus, x_a


@device
def compliance(material, martensite, austenite):
    """C [1/Pa] of a mixture."""
    return martensite / material.martensite + austenite / material.austenite


@device
def stress_of(material, eps, plus, minus, austenite):
    """sigma [Pa] of a strain. Eq. (28)"""
    c = compliance(material, plus + minus, austenite)
    return (eps - material.strain * (plus - minus)) / c


@device
def strain_of(material, sigma, plus, minus, austenite):
    """eps [-] of a stress. Eq. (28)"""
    c = compliance(material, plus + minus, austenite)
    return sigma * c + material.strain * (plus - minus)


@device
def stiffness_of(material, austenite):
    """Young's modulus [Pa] of a mixture."""
    return 1.0 / compliance(material, 1.0 - austenite, austenite)


@device
def transformation_work(material, sigma, plus_rate, minus_rate):
    """Power [W/m^3] that leaves the mechanical energy while phases change at rates [1/s]."""
    soft = 1.0 / material.martensite - 1.0 / material.austenite
    change = plus_rate + minus_rate
    return sigma * material.strain * (plus_rate - minus_rate) + 0.5 * sigma * sigma * soft * change
