"""Normal force of one contact: one question, one dispatch over the laws.

    f = spring(depth) + damper(depth, rate) >= 0,   U = integral of spring over depth

A law is a tag, a stiffness and a loss; what these are is the law's own. A new one is a file with its two
parts, and a branch in each function here; then every scheme steps it: explicit and adaptive ones by its
force, splitting ones by `contact_flow`, which needs spring, loss and slope.

    tag            stiffness     loss
    SPRING_DAMPER  k [N/m]       c [N s/m], going in only
    HERTZ          k [N/m^1.5]   a [s/m] of `impact_damping`
    KELVIN_VOIGT   k [N/m]       c [N s/m], both ways, never pulling
"""

from __future__ import annotations

import math

from haptos.contact.hertz import hertz_energy, hertz_force
from haptos.contact.impact_damping import dissipated_power, normal_force
from haptos.contact.laws.kelvin_voigt import kelvin_voigt
from haptos.contact.spring_damper import spring_damper, spring_energy
from haptos.core.jit import device

HERTZ, SPRING_DAMPER, KELVIN_VOIGT = 0, 1, 2
NORMAL_LAWS = {"hertz": HERTZ, "spring-damper": SPRING_DAMPER, "kelvin-voigt": KELVIN_VOIGT}


@device
def linear_parts(law, stiffness, loss, depth, rate):
    """(elastic force, force of losses) [N] of the laws that are linear in depth."""
    if law == KELVIN_VOIGT:
        return kelvin_voigt(stiffness, loss, depth, rate)
    return spring_damper(stiffness, loss, -depth, rate)


@device
def normal_parts(law, stiffness, loss, depth, rate):
    """(elastic force, force of losses) [N] at a depth [m] and a rate of it [m/s]."""
    if law == HERTZ:
        spring = hertz_force(stiffness, depth)
        return spring, spring * max(loss * rate, -1.0)
    return linear_parts(law, stiffness, loss, depth, rate)


@device
def normal_load(law, stiffness, loss, depth, rate):
    """f [N] along the normal, >= 0."""
    if law == HERTZ:
        return normal_force(stiffness, loss, depth, rate)
    if not depth > 0.0:
        return 0.0
    spring, damper = linear_parts(law, stiffness, loss, depth, rate)
    return spring + damper


@device
def normal_heat(law, stiffness, loss, depth, rate):
    """Power [W] lost in the contact, >= 0."""
    if law == HERTZ:
        return dissipated_power(stiffness, loss, depth, rate)
    if not depth > 0.0:
        return 0.0
    return linear_parts(law, stiffness, loss, depth, rate)[1] * rate


@device
def normal_energy(law, stiffness, depth):
    """Elastic energy U [J] at a depth [m]; none without overlap."""
    if law == HERTZ:
        return hertz_energy(stiffness, depth)
    return spring_energy(stiffness, -depth)


@device
def normal_slope(law, stiffness, depth):
    """Rate of the elastic force with depth [N/m]."""
    if law == HERTZ:
        return 1.5 * stiffness * math.sqrt(max(depth, 0.0))
    return stiffness


@device
def deepest_of(law, stiffness, inverse, depth, rate):
    """Depth [m] that an impact of a mass 1/inverse [kg] reaches from a depth [m] at a rate [m/s], without losses."""
    depth = max(depth, 0.0)
    if law == HERTZ:
        energy = depth * depth * math.sqrt(depth) + 1.25 * rate * rate / (inverse * stiffness)
        return energy**0.4
    return math.sqrt(depth * depth + rate * rate / (inverse * stiffness))


@device
def depth_of_pull(law, stiffness, inverse, pull):
    """Depth [m] at which the elastic force holds a mass 1/inverse [kg] against a pull [m/s^2] > 0."""
    if law == HERTZ:
        return (pull / (inverse * stiffness)) ** (2.0 / 3.0)
    return pull / (inverse * stiffness)


@device
def loss_over_push(law, loss, push, time_over_mass):
    """Rate that losses take from a step per rate [-]: push of the spring, or half the step over the mass."""
    if law == HERTZ:
        return push * loss
    return time_over_mass * loss


@device
def with_losses(law, spring, loss, rate):
    """Mean force [N] over a step with a mean elastic force [N] and a mean rate [m/s]; never below 0."""
    if law == HERTZ:
        return spring * max(1.0 + loss * rate, 0.0)
    if law == KELVIN_VOIGT:
        return max(spring + loss * rate, 0.0)
    return spring + loss * max(rate, 0.0)
