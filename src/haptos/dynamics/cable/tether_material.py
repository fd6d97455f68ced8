"""What pulls in a tether: stiffness, damping and tension of its own, at a place of the material.

    T = T_0 + EA (eps - eps_free) + c eps',    eps_free = a_T (theta - theta_ref)

    EA  stretching stiffness [N]      c  damping [N s], per strain rate: the same for cells of any length
    T_0  tension that an active material makes [N]       a_T  thermal expansion [1/K]
c of a net's element (`thread_link`, N s/m) is c of here over the element's length.
Frame: scalars. Validity: small strain. Source: [Quadrelli2017] Eqs. (18)-(20) with the material strain rate.
"""

from __future__ import annotations

from haptos.core.jit import device
from haptos.dynamics.cable.tether_segments import PASSIVE, active_spring, segment_rates

CITES: tuple[str, ...] = ("Quadrelli2017",)


@device
def spring_law(tether, t, place, theta, y):
    """(EA [N], c [N s], T_0 [N], eps_free [-]) at a material coordinate `place` [m], temperature theta [K]."""
    line = tether.line
    free = line.expansion * (theta - line.reference_temperature)
    if tether.material.kind != PASSIVE and line.count > 0:
        stiffness, offset, strain = active_spring(tether, place, y)
        return stiffness, line.damping, offset, free + strain
    return line.stiffness, line.damping, 0.0, free


@device
def material_rates(tether, t, y, dy):
    """Rates of the material's own numbers; a passive line has none."""
    if tether.material.kind != PASSIVE and tether.line.count > 0:
        segment_rates(tether, y, dy)


@device
def series_tension(series, stretch, elastic, damper, pull):
    """(T [N], rate of the stretch [m/s]) of an end spring with a damper in series.

    series  (k_d [N/m], c_d [N s/m], is on)     stretch  l_d [m]      elastic  spring part [N]
    damper  c/h of the end spring [N s/m]       pull  rate of the distance that both share [m/s]
    k_d l_d + c_d l_d' = T = elastic + damper (pull - l_d')
    """
    spring, loss, is_on = series
    if is_on == 0.0:
        return elastic + damper * pull, 0.0
    rate = (elastic + damper * pull - spring * stretch) / (loss + damper)
    return spring * stretch + loss * rate, rate
