"""The momentum device of a lander file as parameters of its runs, and the ground it pushes off from."""

from __future__ import annotations

import math

import numpy as np

from haptos.contact.restitution import damping_ratio
from haptos.scenarios.lander.config import Config
from haptos.scenarios.lander.config_hops import AnyHops

PULSE_STIFFNESS = 100.0  # [rad] swings of the ground in the time of a pulse: it feels rigid
BOUNCE = 0.05  # [-] restitution of that ground: a push is no impact


def hops_of(config: Config) -> AnyHops | None:
    """The table [hops], if it asks for any."""
    return None if config.hops is None or config.hops.count == 0 else config.hops


def fill_hops(rows: np.ndarray, config: Config) -> None:
    """Momentum device of runs; nothing where no hop is asked for."""
    hops = hops_of(config)
    if hops is None:
        return
    device = rows["hops"]
    device["count"], device["wait"], device["time"] = hops.count, hops.wait_s, hops.duration_s
    device["torque"] = hops.impulse / hops.duration_s
    device["momentum"] = hops.first_momentum
    rows["body"]["is_top"] = 0  # a top that is pushed has no closed form
    if hops.axis is not None:
        device["axis"] = np.array(hops.axis) / math.hypot(*hops.axis)
    if hops.toward_m is not None:
        device["target"], device["has_target"] = hops.toward_m, 1


def hop_energy(config: Config, inertia: np.ndarray) -> float:
    """Energy [J] all pulses can give to a hull that turns about the axis with its least moment."""
    hops = hops_of(config)
    if hops is None:
        return 0.0
    return float(0.5 * hops.count * hops.impulse**2 / np.linalg.eigvalsh(inertia)[0])


def fill_push(rows: np.ndarray, config: Config) -> None:
    """Spring [N/m] and damper [N s/m] of a vertex while the device acts.

    Neither its weight nor the speed of its rim sinks the body by more than lying_depth, and the ground
    follows the pulse like a rigid one.
    """
    hops = hops_of(config)
    if hops is None:
        return
    body, contact, device = rows["body"], rows["contact"], rows["hops"]
    trace = body["inverse_inertia"][:, :3].sum(axis=1)  # more than that of any axis
    rim = body["radius"] * hops.impulse * trace
    rates = np.maximum(contact["correction"], rim / contact["lying_depth"])
    rates = np.maximum(rates, PULSE_STIFFNESS / hops.duration_s)
    device["spring"] = body["mass"] * rates * rates
    device["damper"] = 2.0 * damping_ratio(BOUNCE) * body["mass"] * rates
