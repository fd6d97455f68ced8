"""How fast surfaces meet the threads: faster than elements and steps can follow, or any law of contact, is not trusted.

A surface that runs into a thread at a speed v strains it by about (v/c)^(4/3)/2^(2/3) at once, c the speed of
sound in the thread, and that strain leaves an element of length L after L/c. A net of masses and springs
takes up the blow with one mass: which corner meets it, and when, then decides all that follows.

    speed    v/c     largest over the bodies that threads touch
    travel   v h/L   h the longest step: a surface that goes on by half an element passes threads by

v is the speed of a body's farthest point from its centre of mass by the turn at the start.
Validity: bodies that do not turn faster later on; for what drifts there is the speed of all that met, `contact_speed.py`.
Source: speeds of the two waves of a thread that is struck, docs/models/net-contact.md.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from haptos.dynamics.ledger.extremes import SPEED_OF_BODY, SPEED_OF_NODE
from haptos.dynamics.march.snapshots import Stored
from haptos.dynamics.rigid.bodies import MOST_TURN
from haptos.dynamics.totals import body_rates
from haptos.results.checks import Check
from haptos.scenarios.contact_speed import impact_check, thread_check
from haptos.scenarios.net.body_numbers import TARGET
from haptos.scenarios.net.config import Config
from haptos.scenarios.net.model import Model
from haptos.scenarios.net.tethers import thread_of

Floats = NDArray[np.float64]

MOST_SPEED = 0.05  # [-] of the speed of sound, a strain of 1 %; assumed
MOST_TRAVEL = 0.5  # [-] of the shortest element; assumed


def turning_checks(config: Config, model: Model, stored: Stored) -> list[Check]:
    """Checks of the surfaces that turn; none where nothing was touched or nothing turns."""
    touched, reach = float(model.motion.step.touched_at), _reaches(model)
    if not reach or not math.isfinite(touched):
        return []
    rates = np.linalg.norm(body_rates(model, stored)[0], axis=1)
    body = max(reach, key=lambda b: reach[b] * rates[b])
    rate, speed = float(rates[body]), float(rates[body]) * reach[body]
    if rate == 0.0:
        return []
    place = (
        f"{speed:.3g} m/s at {reach[body]:.3g} m from the centre of '{model.names[body]}', "
        f"touched from {touched:.6g} s on"
    )
    words = "The speed of a surface by its turn, over that of sound in the threads it meets"
    found = [Check("surface speed", speed / _sound(config), MOST_SPEED, "", words, place)]
    if config.run.scheme == "verlet":
        longest = min(config.run.longest_step_s, MOST_TURN / rate)
        travel = speed * longest / float(np.min(model.nodes.lengths))
        words = "The way of a surface by its turn in the longest step, over the shortest element"
        found.append(Check("surface travel", travel, MOST_TRAVEL, "", words, place))
    return found


def contact_speed_checks(config: Config, model: Model) -> list[Check]:
    """How fast threads, and bodies with their bullets, pressed on what they met, over all steps."""
    fastest = model.motion.ledger.extremes.contact_speed
    threads, bodies = float(fastest[SPEED_OF_NODE]), float(fastest[SPEED_OF_BODY])
    found = (thread_check(threads, _sound(config)), impact_check(bodies))
    return [max(found, key=lambda check: check.value / check.bound)]


def _reaches(model: Model) -> dict[int, float]:
    """Body that threads touch -> farthest point of its surface from its centre of mass [m]."""
    boxes = model.system.boxes
    reach = {
        int(b): float(np.linalg.norm(half)) for b, half in zip(boxes.body, boxes.half, strict=True)
    }
    if model.system.surface.body >= 0 and model.surface is not None:
        reach[TARGET] = float(np.linalg.norm(model.surface[0], axis=1).max())
    return reach


def _sound(config: Config) -> float:
    """Least speed of sound [m/s] in the threads of the net."""
    given = config.threads
    diameters = (given.diameter_m, given.reinforced_diameter_m or given.diameter_m)
    threads = [thread_of(config, diameter) for diameter in diameters]
    return min(math.sqrt(one.axial_stiffness / one.linear_density) for one in threads)
