"""Length of the path of the body's centre of mass along a step."""

from __future__ import annotations

from haptos.core.jit import device, routine
from haptos.core.vectors import dot, norm, subtract
from haptos.dynamics.march.dormand_prince import interpolated_vector
from haptos.dynamics.rigid.rigid_body import VELOCITY
from haptos.dynamics.touching.state import velocity


@device
def speed_within(theta, y, h, scratch):
    """Speed [m/s] at the fraction theta of a step."""
    return norm(interpolated_vector(VELOCITY, theta, h, y, scratch.y1, scratch.k))


@routine
def path_between(low, high, y, h, scratch):
    """Length [m] of the path between two fractions of a step: Simpson's rule, twice, over the speed."""
    part = 0.25 * (high - low)
    ends = speed_within(low, y, h, scratch) + speed_within(high, y, h, scratch)
    odd = speed_within(low + part, y, h, scratch) + speed_within(high - part, y, h, scratch)
    return h * part / 3.0 * (ends + 4.0 * odd + 2.0 * speed_within(low + 2.0 * part, y, h, scratch))


@routine
def add_path(y, m, h, scratch):
    """Add the length of the step's path; in two parts where it is slowest in between, at the top of a bounce.

    The speed has a kink or a narrow trough there, which one rule over the whole step would miss.
    """
    v, v1 = velocity(y), velocity(scratch.y1)
    change = subtract(v1, v)
    bend = dot(change, change)
    slowest = -dot(v, change) / bend if bend > 0.0 else 0.0
    if 0.0 < slowest < 1.0:
        m.path += path_between(0.0, slowest, y, h, scratch)
        m.path += path_between(slowest, 1.0, y, h, scratch)
    else:
        m.path += h / 6.0 * (norm(v) + norm(v1) + 4.0 * speed_within(0.5, y, h, scratch))
