"""The state of the body: its parts, the spin of the frame, and where it is within a step."""

from __future__ import annotations

from haptos.core.jit import device
from haptos.dynamics.march.dormand_prince import interpolate
from haptos.dynamics.rigid.free_rotation import free_rotation
from haptos.dynamics.rigid.rigid_body import ATTITUDE, FRAME_RATE, WORK_DAMPING
from haptos.dynamics.touching.model import COUNT, FLYING, PHASE
from haptos.environment.spin import tumbling_acceleration

MOTION_SIZE = 13  # rows of the state that place the vertices


@device
def position(y):
    return (y[0], y[1], y[2])


@device
def velocity(y):
    return (y[3], y[4], y[5])


@device
def attitude(y):
    return (y[6], y[7], y[8], y[9])


@device
def body_rate(y):
    return (y[10], y[11], y[12])


@device
def spin_now(model, y):
    """(omega_AN_A, its rate) [rad/s], [rad/s^2]."""
    if model.spin.is_tumbling:
        spin = (y[FRAME_RATE], y[FRAME_RATE + 1], y[FRAME_RATE + 2])
        return spin, tumbling_acceleration(spin, model.spin.moments)
    return model.spin.rate, (0.0, 0.0, 0.0)


@device
def turns_freely(model):
    """Whether the rotation is known in closed form now: a top in flight."""
    count = model.body.touching_count
    return model.top.is_on and count[COUNT] == 0 and count[PHASE] == FLYING


@device
def turn_freely(model, y, time, out):
    """Attitude and rate after a time [s] of flight from the state y, into `out`."""
    q, w = free_rotation(
        attitude(y), body_rate(y), model.spin.rate, model.top.axis, model.top.ratio, time
    )
    out[6], out[7], out[8], out[9] = q
    out[10], out[11], out[12] = w


@device
def place_within(model, theta, h, y, y1, size, k, out):
    """State at the fraction theta of a step, into `out`."""
    is_free = turns_freely(model)
    rows = ATTITUDE if is_free and size <= WORK_DAMPING else size
    interpolate(theta, h, y, y1, rows, k, out)
    if is_free:
        turn_freely(model, y, theta * h, out)
