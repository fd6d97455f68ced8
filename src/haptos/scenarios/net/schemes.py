"""The scheme a net scenario asks for, as one call that marches to a time."""

from __future__ import annotations

from collections.abc import Callable

from haptos.dynamics.net_dormand import march_dormand, refuse_unfit, room_of
from haptos.dynamics.net_layout import scratch_of
from haptos.dynamics.net_step import march
from haptos.scenarios.net.config import Config
from haptos.scenarios.net.model import Model


def stepper(config: Config, model: Model) -> Callable[[float], bool]:
    """Marches the model to a time [s], whether it got there; refuses what the scheme cannot."""
    net, motion, settings = model.net, model.motion, config.run
    scratch = scratch_of(motion)
    longest, most = settings.longest_step_s, float(settings.max_steps)
    if settings.scheme == "verlet":
        return lambda until: bool(
            march(net, motion, scratch, until, settings.step_share, longest, most)
        )
    refuse_unfit(net)
    room = room_of(
        net, motion, position=settings.position_tolerance_m,
        velocity=settings.velocity_tolerance_m_per_s, attitude=settings.attitude_tolerance,
        rate=settings.rate_tolerance_rad_per_s, work=settings.work_tolerance_J,
    )  # fmt: skip
    return lambda until: bool(
        march_dormand(net, motion, scratch, room, until, settings.relative_tolerance, longest, most)
    )
