"""Heat of a thin cylinder near a planet: sunlight, albedo, infrared, emission, heat made inside.

    mu c theta' = a S nu d sin g + pi d F (a b S max(0, cos z) + e q) - pi d e sigma theta^4 + j
    F = (1/pi^2) int over the cap of the planet of sin(angle to the axis) dOmega
      = (2/pi) sum over even n of c_n P_n(cos t) [P_(n-1)(x) - P_(n+1)(x)]/(2n + 1),   x = cos(asin(Rp/r))
    c_n of sin = sum c_n P_n(cos):  c_0 = pi/4,   c_n = (2n + 1)/2 I_n,   I_(n+2)/I_n = (n - 1)(n + 1)/((n + 2)(n + 4))

    mu, c   mass per length [kg/m], specific heat [J/kg/K]   theta  temperature [K]
    a, e    absorptance, emissivity [-]                      d      diameter [m]
    S, nu   sunlight [W/m^2], share of the Sun's disc [-]    g      angle of the Sun to the axis
    b, q    albedo [-], infrared [W/m^2] of the planet       z      zenith angle of the Sun below the place
    F       view factor: 1 for a full sky                    t      angle of the axis to the vertical
    r, Rp   distance from the planet's centre, its radius    j      Joule and damping heat [W/m]
Frame: any, the same for all vectors. Validity: thin grey cylinder, even temperature around it, diffuse planet with a
mean albedo lit as the point below; no shadow of other bodies. The series is good to 1e-6 with the terms taken.
Source: [Howell2010] for diffuse view factors; infrared of the Earth [Stephens2012]; the expansion is elementary.
"""

from __future__ import annotations

import math

from haptos.core.jit import device
from haptos.core.vectors import cross, dot, norm

CITES: tuple[str, ...] = ("Howell2010", "Stephens2012")

STEFAN_BOLTZMANN = 5.670374419e-8  # [W/m^2/K^4], exact in the SI of 2019
SOLAR_CONSTANT = 1361.0  # [W/m^2] at 1 au, measured mean
EARTH_ALBEDO, EARTH_INFRARED = 0.3, 239.7  # [-] assumed round, [W/m^2] [Stephens2012]
TERMS = 32  # of the series, even degrees 0 to 62


@device
def cylinder_view_factor(sine, tilt_cosine):
    """F [-] of a thin cylinder to a ball: sine = Rp/r in [0, 1], tilt_cosine of the axis to the vertical."""
    x = math.sqrt(max(1.0 - sine * sine, 0.0))
    t = min(abs(tilt_cosine), 1.0)
    # P_(n-1) and P_n at x, P_n at t; the projection I_n of sqrt(1 - u^2) on P_n
    before_x, now_x, now_t, before_t = 1.0, 1.0, 1.0, 0.0
    projection = 0.5 * math.pi
    total = 0.5 * projection * (1.0 - x)
    for k in range(1, TERMS):
        n = 2 * k
        # two steps of the recurrence of Legendre polynomials, up to degree n
        first_x = ((2 * n - 3) * x * now_x - (n - 2) * before_x) / (n - 1)
        first_t = ((2 * n - 3) * t * now_t - (n - 2) * before_t) / (n - 1)
        even_x = ((2 * n - 1) * x * first_x - (n - 1) * now_x) / n
        even_t = ((2 * n - 1) * t * first_t - (n - 1) * now_t) / n
        after_x = ((2 * n + 1) * x * even_x - n * first_x) / (n + 1)
        projection *= (n - 3.0) * (n - 1.0) / (n * (n + 2.0))
        total += 0.5 * projection * even_t * (first_x - after_x)
        before_x, now_x, before_t, now_t = first_x, even_x, first_t, even_t
    return 2.0 / math.pi * total


@device
def sun_power(absorptance, sunlight, lit, diameter, axis, sun):
    """Absorbed sunlight [W/m]; axis and sun unit vectors, lit the share of the Sun's disc that is seen."""
    return absorptance * sunlight * lit * diameter * norm(cross(axis, sun))


@device
def planet_power(surface, planet, diameter, place, axis, sun):
    """(albedo, infrared) absorbed [W/m] at a place [m] from the planet's centre.

    surface  (absorptance, emissivity)      planet  (radius [m], sunlight [W/m^2], albedo, infrared [W/m^2])
    """
    absorptance, emissivity = surface
    radius, sunlight, albedo, infrared = planet
    far = norm(place)
    factor = cylinder_view_factor(min(radius / far, 1.0), dot(place, axis) / far)
    seen = math.pi * diameter * factor
    height = max(dot(place, sun) / far, 0.0)
    return seen * absorptance * albedo * sunlight * height, seen * emissivity * infrared


@device
def emitted_power(emissivity, diameter, temperature):
    """What a metre radiates [W/m]."""
    square = temperature * temperature
    return math.pi * diameter * emissivity * STEFAN_BOLTZMANN * square * square


def equilibrium_temperature(absorbed: float, emissivity: float, diameter: float) -> float:
    """theta [K] at which a cylinder radiates what it takes up [W/m]."""
    per_fourth = math.pi * diameter * emissivity * STEFAN_BOLTZMANN
    return float((absorbed / per_fourth) ** 0.25)


def time_constant(
    linear_density: float, specific_heat: float, emissivity: float, diameter: float, temperature: float
) -> float:  # fmt: skip
    """Time [s] in which a small difference to an equilibrium temperature [K] falls to 1/e: mu c theta/(4 emitted)."""
    emitted = emitted_power(emissivity, diameter, temperature)
    return linear_density * specific_heat * temperature / (4.0 * emitted)
