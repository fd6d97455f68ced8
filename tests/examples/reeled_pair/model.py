"""Two bodies on a reeled cable: what is built, and what is taken from a run. All else is haptos's."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from haptos.contact import contact_flow, hertz, impact_damping, slip_friction
from haptos.contact.pair_rows import pair_row, restitution_loss
from haptos.core.errors import ConfigError
from haptos.core.outcome import Outcome
from haptos.dynamics.assembly import AssembledBody, Assembly
from haptos.dynamics.build import Built, TimedPhase, build_system
from haptos.dynamics.cable import elements, thread_link, winches
from haptos.dynamics.cable.laying import laid, reel_rows
from haptos.dynamics.contacts.ground_arrays import Ground
from haptos.dynamics.field import body_field
from haptos.dynamics.march import splitting
from haptos.dynamics.system import WORK_KINDS
from haptos.geometry.distance.surface import smooth_gap_and_gradient
from haptos.materials.threads import Thread, thread
from haptos.results.drawings import Drawing
from haptos.results.result import Result
from haptos.results.scene import MovingFrame, Scene
from haptos.scenarios.system_run import Marched, Shown, check_system, simulate_system
from haptos.scenarios.system_tables import touched_at
from haptos.scenarios.system_view import system_figures, system_scene
from haptos.scenarios.worlds.gravity import spin_of
from haptos.scenarios.worlds.scene_ground import body_surface, world_to_draw
from haptos.scenarios.worlds.world import World, world_of
from tests.examples.reeled_pair.config import Config, End

NAMES = ("first", "second")
OUTCOMES = (Outcome.TIME_OVER, Outcome.STEPS_OVER, Outcome.STALLED)
LAWS = (
    elements,
    thread_link,
    winches,
    splitting,
    contact_flow,
    hertz,
    impact_damping,
    slip_friction,
)


def check(config: Config) -> None:
    """Refuse what only shows when it is put together."""
    check_system(config, build(config))


def simulate(config: Config, *, progress: Callable[[float], None] | None = None) -> Result:
    """One run."""
    line = cable_of(config)
    mass = (
        config.first.mass_kg + config.second.mass_kg + line.linear_density * config.cable.length_m
    )
    return simulate_system(
        config, build(config), mass=mass, shown=lambda run: shown(config, run),
        cites=sources(config), progress=progress,
    )  # fmt: skip


def cable_of(config: Config) -> Thread:
    return thread(config.cable.material, config.cable.diameter_m)


def build(config: Config) -> Built:
    """Two balls, the cable between their centres, the ground below."""
    world = world_of(config)
    made = Assembly()
    ends = []
    for name, given in zip(NAMES, (config.first, config.second), strict=True):
        refuse_below_ground(name, given, world)
        made.bodies.append(ball(name, given))
        number = len(made.bodies) - 1
        ends.append(made.point(number, (0.0, 0.0, 0.0), given.radius_m))
    cable, line = config.cable, cable_of(config)
    pieces = laid(
        made, "[cable]", (ends[1], ends[0]), cable.length_m, cable.elements - 1, line
    )  # fmt: skip
    reels, phases = [], []
    if cable.reel_to_m is not None:
        times = (cable.reel_start_s, cable.reel_start_s + cable.reel_duration_s)
        reels = reel_rows(
            made, pieces, times, (cable.length_m, cable.reel_to_m), (ends[0], line.linear_density),
            stall=cable.reel_stall_N,
        )  # fmt: skip
        phases = [TimedPhase("reeling", times[0]), TimedPhase("reeled", times[1])]
    spin, moments = spin_of(config.spin)
    if moments is not None:
        raise ConfigError("[spin] kind", "'tumbling'", "none or uniform", "kind = 'uniform'")
    still = (np.zeros(3), np.eye(3))
    row = pair_row(
        config.contact.stiffness_N_per_m1p5, config.contact.friction,
        restitution_loss(config.contact.restitution), damping="exact", slip_speed=1e-4,
    )  # fmt: skip
    ground = Ground(True, world.surface, *still, np.reshape(row, (1, 1, -1)), np.zeros(2))
    field = body_field(world.gravity, spin, arm=still[0], axes=still[1])
    return build_system(made, field=field, ground=ground, reels=reels, phases=phases)


def ball(name: str, given: End) -> AssembledBody:
    """A homogeneous ball that does not turn at the start."""
    moments = np.full(3, 0.4 * given.mass_kg * given.radius_m**2)
    place, speed = np.array(given.position_m), np.array(given.velocity_m_per_s)
    attitude = np.array([1.0, 0.0, 0.0, 0.0])
    return AssembledBody(name, given.mass_kg, moments, place, speed, attitude, np.zeros(3))


def refuse_below_ground(name: str, given: End, world: World) -> None:
    gap, _ = smooth_gap_and_gradient(world.surface, given.position_m)
    if gap < given.radius_m:
        found = f"a centre {gap:.4g} m above ground"
        allowed = f"at least its radius, {given.radius_m:g} m"
        raise ConfigError(f"[{name}] position_m", found, allowed, "start higher")


def shown(config: Config, run: Marched) -> Shown:
    """What the run is asked for."""
    built, stored = run.built, run.stored
    apart = np.linalg.norm(stored.place[:, 1] - stored.place[:, 0], axis=1)
    cable = config.cable
    stop = cable.reel_start_s + cable.reel_duration_s
    events = ((cable.reel_start_s, "reeling begins"), (stop, "reeling ends"))
    metrics = {
        "first_touch_s": touched_at(built) if math.isfinite(touched_at(built)) else math.nan,
        "largest_tension_N": float(built.motion.ledger.extremes.tension.max(initial=0.0)),
        "least_distance_m": float(apart.min()),
        "reel_work_J": float(stored.work[-1, WORK_KINDS.index("winch")]),
    }
    reeled = cable.reel_to_m is not None and stop <= config.run.duration_s
    return Shown(Outcome.TIME_OVER, metrics, events if reeled else ())


def metric_names() -> tuple[str, ...]:
    return ("first_touch_s", "largest_tension_N", "least_distance_m", "reel_work_J")


def sources(config: Config) -> tuple[str, ...]:
    return tuple(dict.fromkeys(key for law in LAWS for key in law.CITES))


def answer(result: Result) -> str:
    """What the person asked."""
    reported = result.metrics
    touch = reported["first_touch_s"]
    when = (
        "Nothing touches the ground."
        if math.isnan(touch)
        else f"A ball touches the ground after {touch:.4g} s."
    )
    return f"{when} The cable is pulled with up to {reported['largest_tension_N']:.3g} N."


def figures(result: Result) -> dict[str, Drawing]:
    return system_figures(result, [NAMES])


def scene(result: Result) -> Scene:
    """The pair over its small body."""
    config = Config.model_validate(result.config)
    world = world_to_draw(config)
    items = () if world is None or world.mesh is None else (body_surface(config, world),)
    return system_scene(result, items, frames=(MovingFrame("A"),))
