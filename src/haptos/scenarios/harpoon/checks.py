"""What a run of a harpoon must meet besides its ledger: ground, barrel, speed and plane of the entry, momentum."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from haptos.core.outcome import Outcome
from haptos.dynamics.cable.line_shot import HOLD_X, HOLD_Z, PAID
from haptos.dynamics.cable.retrieval_tether import LineRetrieved
from haptos.results.balances import momentum_check
from haptos.results.checks import Check
from haptos.scenarios.harpoon.on_cells import flight_check

if TYPE_CHECKING:
    from haptos.scenarios.harpoon.simulate import HarpoonHistory

Floats = NDArray[np.float64]
LEFT_OUT = 0.05  # [-] of the force of the gas in a barrel, assumed
ROUGHEST = 0.2  # [-] of the ground about the entry, assumed
FASTEST_ENTRY = 250.0  # [m/s]; the law of penetration holds below about 200 m/s
# [-] of shaft and entry, within the larger of which the ground must be flat; assumed
RADII, DEPTHS = 2.0, 0.5
MOST_SIDEWAYS = 2.0  # [deg] of the axis out of the plane of the entry, assumed


def run_checks(story: HarpoonHistory) -> tuple[Check, ...]:
    """All checks of a run besides its ledger."""
    if story.outcome is Outcome.COLLIDED and story.hit is None:
        return ()
    checks = (
        *story.checks,
        *_barrel(story),
        *_ground(story),
        *_plane(story),
        *_entry_speed(story),
        *_line_length(story),
    )
    if story.flown is not None:
        return *flight_check(story.model, story.flown), *checks
    return (_momentum(story), *checks)


def _ground(story: HarpoonHistory) -> tuple[Check, ...]:
    """How deep spacecraft or canister get below the ground, which they do not feel, after ejection."""
    if story.retrieved is None:
        return ()
    names = [part.name for part in story.history.parts]
    after = story.history.parts[names.index("manoeuvre") + 1 :]
    hit, site = story.hit, story.model.site
    assert hit is not None

    def gaps(places: Floats) -> Floats:
        return (places - hit.place) @ hit.out if site is None else site.at(places)[0]

    heights = [gaps(part.motion[k]).min() for part in after for k in ("hull", "load")]
    if isinstance(story.retrieved, LineRetrieved):  # with the line, along the path that was stepped
        heights.append(-story.retrieved.run.deepest[0])
    subject = "The deepest point of spacecraft or canister below the ground, which they do not feel"
    bound = story.config.harpoon.radius_m
    return (Check("ground", max(0.0, -float(min(heights))), bound, "m", subject, ""),)


def _barrel(story: HarpoonHistory) -> tuple[Check, ...]:
    """In a barrel gas alone acts: brake of the line and weight must be small beside it."""
    barrel, shot = story.config.muzzle[1], story.model.shot
    if barrel is None:
        return ()
    pull = shot.gravity if story.model.site is None else float(np.linalg.norm(story.model.site.at([0.0, 0.0, story.config.spacecraft.height_m])[2][0]))  # fmt: skip
    share = (shot.tension + story.model.mass * pull) / barrel.force
    words = "Brake of the line and weight of the harpoon in the barrel, where gas alone acts, over its force"
    return (Check("barrel", share, LEFT_OUT, "-", words, ""),)


def _line_length(story: HarpoonHistory) -> tuple[Check, ...]:
    """Whether the line reaches as far as the harpoon goes: none of its law of entry knows that a line can end."""
    if story.entered is None:
        return ()
    ways = [
        np.linalg.norm(part.motion["hull"] - part.motion["load"], axis=1)
        for part in story.history.parts
        if part.name in ("entry", "push")
    ]
    further = max(float(way.max()) for way in ways) - float(ways[0][0])
    length = float(story.flight.last[PAID]) + max(further, 0.0)
    words = (
        "The line that is out when the harpoon rests in the ground, whose entry no line holds back"
    )
    return (Check("line length", length, story.config.line.length_m, "m", words, ""),)


def _entry_speed(story: HarpoonHistory) -> tuple[Check, ...]:
    """Whether the harpoon meets the ground at a speed for which the law of penetration holds."""
    if story.hit is None:
        return ()
    words = "The speed at which the harpoon meets the ground; its law of penetration holds below about 200 m/s"
    return (Check("impact speed", story.hit.speed, FASTEST_ENTRY, "m/s", words, ""),)


def _plane(story: HarpoonHistory) -> tuple[Check, ...]:
    """On a site: the entry is that into flat ground, in the plane of velocity and normal."""
    site, hit, entered = story.model.site, story.hit, story.entered
    if site is None or hit is None or entered is None:
        return ()
    around = max(RADII * story.model.body.radius, DEPTHS * entered.depth)
    rough = site.roughness(hit.place, hit.out, around)
    flat = f"How far the ground leaves its plane within {around:.3g} m of the harpoon, over that"
    aside = "The angle of the harpoon out of the plane of its velocity and the normal"
    return (
        Check("flat_ground", rough, ROUGHEST, "-", flat, ""),
        Check("out_of_plane", math.degrees(abs(hit.sideways)), MOST_SIDEWAYS, "deg", aside, ""),
    )


def _momentum(story: HarpoonHistory) -> Check:
    """Momentum of hull and harpoon in flight, against weight and the thrusters that hold the hull."""
    shot, rows = story.model.shot, story.flight.rows
    hull, body = shot.hull + shot.density * rows[:, PAID], shot.body - shot.density * rows[:, PAID]
    if story.space is not None:
        of = story.space.motion
        whole = hull[:, None] * of.hull_v + body[:, None] * of.body_v
        moved = hull[:, None] * np.abs(of.hull_v) + body[:, None] * np.abs(of.body_v)
        given = story.space.held + story.space.impulse
        return momentum_check(whole[-1] - whole[0], given, float(moved.max() + np.abs(given).max()))
    total = hull[:, None] * rows[:, 2:4] + body[:, None] * rows[:, 6:8]
    weight = np.array(
        [0.0, -(shot.hull + shot.body) * shot.gravity * float(story.flight.times[-1])]
    )
    given = rows[-1, [HOLD_X, HOLD_Z]] + weight
    change = np.append(total[-1] - total[0], 0.0)
    sizes = hull[:, None] * np.abs(rows[:, 2:4]) + body[:, None] * np.abs(rows[:, 6:8])
    scale = float(sizes.max()) + float(np.abs(given).max())  # the total may be zero
    return momentum_check(change, np.append(given, 0.0), scale)
