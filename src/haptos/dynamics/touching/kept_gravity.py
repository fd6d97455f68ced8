"""Gravity where the rates asked for it last, for what follows a step at the same place."""

from __future__ import annotations

import math

from haptos.core.jit import device
from haptos.environment.gravity import potential_and_gravity


@device
def gravity_of_stage(model, x):
    """Acceleration of gravity [m/s^2] at x [m]; kept, since a step ends where its last stage was."""
    potential, g = potential_and_gravity(model.gravity, x)
    last = model.last_gravity
    last[0], last[1], last[2] = x
    last[3] = potential
    last[4], last[5], last[6] = g
    return g


@device
def gravity_here(model, x):
    """(U [m^2/s^2], g [m/s^2]) at x [m]; what was kept if x is exactly where it was asked for last."""
    last = model.last_gravity
    if x[0] == last[0] and x[1] == last[1] and x[2] == last[2]:
        return last[3], (last[4], last[5], last[6])
    return potential_and_gravity(model.gravity, x)


@device
def forget_gravity(model):
    """Let nothing count as kept: the gravity of another run may be another."""
    model.last_gravity[0] = math.nan
