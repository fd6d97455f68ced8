"""An active line pulls at an end that has gripped the ground, on the tether of cells: force held by polymer or by heated metal.

    polymer   the force loop of `tether_segments.py` drives all segments; thrusters take the wanted force
    metal     segments are heated with a power per length times the share of the wanted force that is missing, every SAMPLE (phases
              follow their temperature with a lag: full power to the end overshoots by a fifth); thrusters take the measured force
The grip is rigid and holds up to its limit; the spacecraft is a rigid body in three dimensions with its attachment off its centre.
Frame: N axes that do not turn, z up along the line. Validity: as `tether.py` and `tether_segments.py`.
Source: [Quadrelli2017] section 4.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from haptos.dynamics.cable.retrieval_tether import keep_row
from haptos.dynamics.cable.tether_loads import TetherGround
from haptos.dynamics.cable.tether_run import TetherRun
from haptos.dynamics.cable.tether_segments import (
    EACH,
    GIVEN_OFF,
    INTEGRAL,
    IS_ON,
    IS_STUCK,
    JOULE,
    METAL_SEGMENTS,
    STUCK_AT,
    WANTED,
    Segments,
    extra_numbers,
    segment_start,
)
from haptos.dynamics.cable.tether_state import CELLS
from haptos.dynamics.cable.tether_steps import TIME_OVER as REACHED
from haptos.dynamics.cable.tether_system import (
    EndBody,
    EndThruster,
    TetherLine,
    TetherSystem,
    no_ground,
)
from haptos.dynamics.field import no_field
from haptos.dynamics.system import Field

CITES: tuple[str, ...] = ("Quadrelli2017",)

Floats = NDArray[np.float64]
SAMPLE = 0.01  # [s] of the heater's control, assumed
PROPELLANT_SHARE = 0.04  # [-] of the spacecraft, assumed: 20 kg of 500
MOST_STEPS = 2_000_000


@dataclass(frozen=True, slots=True)
class PullCase:
    """Spacecraft: mass [kg], inertia (3,) [kg m^2], attachment [m], B axes; wanted force, force before [N]; dwell [s].

    heating  of metal [W/m]     largest_thrust  [N] of thrusters that take the force     hottest  [K] at which the run ends
    start    (EACH,) of a segment at the start     dead  segments that get nothing     stuck  time [s] at which the sensor sticks
    hover    force [N] of the thrusters against the field     rise  rate [N/s] at which the wanted force comes from that before
    """

    mass: float
    inertia: tuple[float, float, float]
    attachment: tuple[float, float, float]
    force: float
    first_force: float
    dwell: float
    loop: float = 0.0
    heating: float = 0.0
    largest_thrust: float = 100.0
    hottest: float = math.inf
    start: tuple[float, float, float] = (0.0, 0.0, 293.15)
    dead: tuple[int, ...] = ()
    stuck: float = math.inf
    hover: tuple[float, float, float] = (0.0, 0.0, 0.0)
    rise: float = math.inf

    def wanted(self, t: float) -> float:
        """Wanted force [N] at a time [s]."""
        return rising(self.first_force, self.force, self.rise, t)


@dataclass(eq=False)
class LinePull:
    """How it went: the run, whether it got too hot, events (time [s], what); first numbers of the segments."""

    run: TetherRun
    is_hot: bool
    is_whole: bool
    first: Floats
    events: list[tuple[float, str]] = field(default_factory=list)

    def segments(self, rows: Floats) -> Floats:
        """(n, count, EACH) numbers of the segments along states."""
        base, g = CELLS + 7 * self.run.system.cells, self.run.system.material
        return rows[:, base : base + EACH * g.count].reshape(-1, g.count, EACH)

    def heats(self, rows: Floats) -> Floats:
        """(n, 2) [J] along states: Joule heat put in, heat given off."""
        base = CELLS + 7 * self.run.system.cells + EACH * self.run.system.material.count
        return rows[:, [base + JOULE, base + GIVEN_OFF]]


def rising(first: float, force: float, rate: float, t: float) -> float:
    """Wanted force [N] at a time [s], which rises at a rate [N/s] from the first to the last; at once if that is infinite."""
    return force if math.isinf(rate) else min(first + rate * t, force)


def pull_system(
    case: PullCase, line: TetherLine, segments: Segments, cells: int, natural: float,
    surroundings: tuple[Field, TetherGround] | None = None,
) -> TetherSystem:  # fmt: skip
    """Spacecraft above the gripped end, the line stretched by the first force; natural  strain of the line without force [-].

    surroundings  field and ground in axes N with their origin at the grip, none if left out
    """
    stretch = natural + case.first_force / line.stiffness
    up = tuple(-c for c in case.attachment)
    height = line.total * (1.0 + stretch)
    fuel = PROPELLANT_SHARE * case.mass
    hull = EndBody(
        case.mass - fuel, list(case.inertia), attachment=case.attachment,
        position=(up[0], up[1], height + up[2]), propellant=fuel,
        thrusters=(EndThruster((0.0, 0.0, 0.0), (0.0, 0.0, 1.0), 0.0),),
    )  # fmt: skip
    end = EndBody(1.0, is_fixed=True)
    field, ground = (no_field(), no_ground()) if surroundings is None else surroundings
    return TetherSystem(
        (hull, end), line, cells, material=segments, extra=extra_numbers(segments), field=field, ground=ground
    )  # fmt: skip


def pull(
    case: PullCase, line: TetherLine, segments: Segments, cells: int, *, natural: float = 0.0,
    times: ArrayLike | None = None, tolerance: float = 1e-7, surroundings: tuple[Field, TetherGround] | None = None,
) -> LinePull:  # fmt: skip
    """Pull for the dwell; rows at times [s], 0.01 s apart without them, at its start and at its end."""
    looks = np.arange(0.0, case.dwell, 0.01) if times is None else np.asarray(times, dtype=float)
    run = TetherRun(
        pull_system(case, line, segments, cells, natural, surroundings), tolerance=tolerance
    )
    run.state[CELLS + 7 * cells :] = segment_start(segments, case.start)
    run.refresh()
    run.tether.springs.mode[:] = run.tether.springs.gap > 0.0
    run.marks.clear()
    run.mark("pull")
    keep_row(run)
    for k in case.dead:
        segments.alive[k] = 0.0
    found = LinePull(run, False, True, run.state[CELLS + 7 * cells :].copy())
    if segments.kind != METAL_SEGMENTS:
        segments.loop[[IS_ON, INTEGRAL]] = 1.0, case.loop
    while found.is_whole and not found.is_hot and run.time < case.dwell:
        _next_part(case, found, looks)
    keep_row(run)
    return found


def _next_part(case: PullCase, found: LinePull, times: Floats) -> None:
    """One sample of a heater or of a force that rises, or all of the time until the sensor sticks or the dwell is over."""
    run, g = found.run, found.run.system.material
    is_metal = g.kind == METAL_SEGMENTS
    wanted = case.wanted(run.time)
    end = min(run.time + SAMPLE, case.dwell) if is_metal or wanted < case.force else case.dwell
    felt = float(run.tether.springs.tension[0])
    if run.time < case.stuck < end:
        end = case.stuck
    elif case.stuck <= run.time and g.loop[IS_STUCK] == 0.0:
        g.loop[[IS_STUCK, STUCK_AT]] = 1.0, felt
        found.events.append((run.time, "sensor stuck"))
    run.commands[0, :3] = case.hover
    run.commands[0, 2] += min(felt if is_metal else wanted, case.largest_thrust)
    if is_metal:
        shown = float(g.loop[STUCK_AT]) if g.loop[IS_STUCK] != 0.0 else felt
        g.inputs[:] = case.heating * min(max(1.0 - shown / wanted, 0.0), 1.0)
    else:
        g.loop[WANTED] = wanted
    done = run.advance(end, times[(times > run.time) & (times <= end)], most_steps=MOST_STEPS)
    found.is_whole = done.code == REACHED
    if is_metal:
        hot = float(found.segments(run.state[None])[0, :, 2].max())
        if hot > case.hottest:
            found.is_hot = True
            found.events.append((run.time, "overheated"))
