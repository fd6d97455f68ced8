"""A harpoon file made ready: the rod, the ground, the shot, the retrieval; what cannot work is refused."""

from __future__ import annotations

import math
from dataclasses import dataclass

from haptos.contact.laws import anchor, penetration, penetration_oblique
from haptos.contact.laws.penetration import (
    Rod,
    SoilLayer,
    cavity_drag,
    cohesion_factor,
    rod,
)
from haptos.core.errors import ConfigError
from haptos.dynamics.cable import line_shot, retrieval, tether, tether_cells
from haptos.dynamics.cable.line_shot import LineShot
from haptos.dynamics.cable.retrieval_run import RetrievalCase, RetrievalFailures
from haptos.dynamics.march import adaptive, implicit
from haptos.dynamics.nets import shot as barrel
from haptos.dynamics.rigid import axial_entry, oblique_entry, stance
from haptos.materials import soils
from haptos.materials.soils import Soil, soil
from haptos.scenarios.harpoon.config import Config, Harpoon, HarpoonGround
from haptos.scenarios.worlds.gravity import GRAVITY_LAWS
from haptos.scenarios.worlds.ground import SHAPES
from haptos.scenarios.worlds.site import Site, site_of
from haptos.scenarios.worlds.terrain import check_ball

BARB = 5e-3 * 10e-3  # [m^2] of one barb, assumed
# [-] drag coefficient of a flat tip where that of the cone is of cavity expansion, assumed
BLUNT_DRAG = 1.0
LAWS = (penetration, axial_entry, penetration_oblique, oblique_entry, anchor, line_shot, soils)


@dataclass(frozen=True, eq=False)
class Model:
    """A harpoon ready to be shot.

    cohesion  of the soil [Pa] where its table gives one, else None (strength over N_c)
    inertia   across the axis [kg m^2]       centre  of mass behind the tip [m]
    site      on the ground of a world, whose axes are those of the run; None over level ground
    """

    body: Rod
    layers: tuple[SoilLayer, ...]
    cohesion: float | None
    shot: LineShot
    mass: float
    inertia: float
    centre: float
    barb_area: float
    site: Site | None = None


def check(config: Config) -> None:
    """Refuse what only shows when the parts are put together."""
    model = build(config)
    fastest, shot = config.muzzle[0], model.shot
    least = shot.density * fastest**2
    if shot.tension <= least and shot.density > 0.0:
        found = f"tension_N = {shot.tension:g} with line paid out at {fastest:g} m/s"
        allowed = f"above mu v^2 = {least:.4g} N: a faster line cannot be braked"
        raise ConfigError("[line]", found, allowed, f"tension_N = {1.5 * least:.2g}")
    if config.line.breaking_N <= 1.05 * shot.tension:
        found = f"tension_N = {shot.tension:g} with breaking_N = {config.line.breaking_N:g}"
        raise ConfigError("[line]", found, "a line that stands its own brake by 5 %", "a larger breaking_N")  # fmt: skip
    _check_harpoon(config, model)
    flown = config.spacecraft.height_m
    if 0.5 * model.mass * fastest**2 <= shot.tension * flown:
        found = f"tension_N = {shot.tension:g} over {flown:g} m at {fastest:g} m/s"
        allowed = "a shot that reaches the ground"
        raise ConfigError("[line]", found, allowed, "a lower tension_N or a faster shot")
    if config.hold.pull_speed_m_per_s > 0.0 and config.retrieval is not None:
        found = "hold.pull_speed_m_per_s with [retrieval]"
        hint = "leave out [retrieval] to try the anchor"
        raise ConfigError("[hold]", found, "a pull on the anchor or a retrieval", hint)
    if model.site is not None:
        _check_start(config, model.site)
    turned = abs(config.shot.aim_deg - config.ground.slope_deg)
    if turned >= 89.0:
        found = f"aim_deg = {config.shot.aim_deg:g} on a slope of {config.ground.slope_deg:g} deg"
        raise ConfigError("[shot]", found, "less than 89 deg from the normal", "aim_deg = 0.0")


def _check_harpoon(config: Config, model: Model) -> None:
    """Refuse a line attached behind the rod, and an inertia that no mass within it has."""
    back, given = config.harpoon.attachment_m, config.harpoon.inertia_kg_m2
    if back > model.centre:
        found = f"attachment_m = {back:g} of a harpoon that ends {model.centre:.4g} m behind its centre of mass"
        raise ConfigError("[harpoon]", found, "a place within the harpoon", f"attachment_m = {0.8 * model.centre:.2g}")  # fmt: skip
    most = model.mass * (model.centre**2 + model.body.radius**2)
    if given is not None and given > most:
        found = f"inertia_kg_m2 = {given:g} of {model.mass:g} kg within {2.0 * model.centre:.4g} m"
        raise ConfigError("[harpoon]", found, f"at most {most:.3g} kg m2, all mass at its ends", f"inertia_kg_m2 = {model.mass * model.centre**2 / 3.0:.2g}")  # fmt: skip


def _check_start(config: Config, site: Site) -> None:
    """Refuse a spacecraft in the ground, or on the other side of the body."""
    height = config.spacecraft.height_m
    gap, _, _ = site.at([0.0, 0.0, height])
    if not 0.5 * height < float(gap[0]):
        found = (
            f"height_m = {height:g} over the site, where the ground is {float(gap[0]):.4g} m away"
        )
        raise ConfigError("[spacecraft]", found, "a spacecraft that is over its site", "a lower height_m, or another target_m")  # fmt: skip
    check_ball(config.terrain, config.harpoon.radius_m)


def build(config: Config) -> Model:
    """Rod, ground and shot of a file."""
    harpoon, craft, line = config.harpoon, config.spacecraft, config.line
    body = harpoon_rod(harpoon)
    mass = harpoon.shell_mass_kg + harpoon.canister_mass_kg
    long = body.cone_height + body.shaft_length
    own = mass * (long**2 / 12.0 + body.radius**2 / 4.0)
    inertia = harpoon.inertia_kg_m2 or own
    layers, cohesion = ground_layers(config.ground, math.radians(harpoon.half_angle_deg))
    shot = LineShot(
        craft.mass_kg, mass, inertia, line.tension_N, line.linear_density_kg_per_m, line.length_m,
        harpoon.attachment_m, config.ground.gravity_m_per_s2, math.radians(config.ground.slope_deg),
        craft.holds_place, config.shot.target_radius_m or math.inf,
    )  # fmt: skip
    barbs = harpoon.barb_count * BARB
    return Model(body, layers, cohesion, shot, mass, inertia, 0.5 * long, barbs, site_of(config))


def harpoon_rod(harpoon: Harpoon) -> Rod:
    """The harpoon as the law of penetration sees it."""
    return rod(
        harpoon.radius_m, math.radians(harpoon.half_angle_deg), harpoon.shaft_length_m,
        harpoon.tip_radius_m, harpoon.shaft_grip,
    )  # fmt: skip


def ground_layers(
    ground: HarpoonGround, half_angle: float
) -> tuple[tuple[SoilLayer, ...], float | None]:
    """(layers, cohesion [Pa] if the table of soils gives one)."""
    known = soil(ground.soil) if ground.soil is not None else None
    strength = ground.strength_Pa if known is None else _strength(known)
    angle = math.radians(ground.friction_angle_deg) if ground.friction_angle_deg is not None else (
        known.friction_angle if known else math.radians(35.0))  # fmt: skip
    friction = ground.friction if ground.friction is not None else known.friction if known else 0.2
    density = ground.density_kg_per_m3 or (known.density if known else math.nan)
    cohesion = known.cohesion if known is not None and math.isfinite(known.cohesion) else None

    def drag(phi: float) -> float:
        if ground.compaction is None:
            return ground.drag_coefficient
        return cavity_drag(phi, ground.compaction, half_angle)

    # a flat tip has no half angle: cavity expansion is none of its laws
    flat = BLUNT_DRAG if ground.compaction is not None else ground.drag_coefficient
    viscosity = ground.viscosity_Pa_s_per_m
    first = SoilLayer(float(strength or 0.0), density, angle, friction, drag(angle), viscosity, 0.0, flat)  # fmt: skip
    below = []
    for one in ground.layers:
        phi = math.radians(one.friction_angle_deg)
        below.append(
            SoilLayer(one.strength_Pa, one.density_kg_per_m3, phi, one.friction, drag(phi), viscosity, one.top_m, flat)
        )  # fmt: skip
    return (first, *below), None if below else cohesion


def _strength(known: Soil) -> float:
    """sigma [Pa]: of the table, or c N_c."""
    if math.isfinite(known.strength):
        return known.strength
    return known.cohesion * cohesion_factor(known.friction_angle)


def failures_of(config: Config) -> RetrievalFailures:
    """What fails, as the retrieval reads it."""
    wanted = config.failures

    def at(when: float | None) -> float:
        return math.inf if when is None else when

    return RetrievalFailures(
        at(wanted.reel_jam_s), at(wanted.clutch_jam_s), at(wanted.line_break_s), at(wanted.thrust_off_s),
        at(wanted.camera_loss_s), at(wanted.thruster_stuck_s), wanted.stuck_thrust_N,
    )  # fmt: skip


def retrieval_case(
    config: Config, load: float, hull: float, propellant: float, apart: tuple[float, float, float],
    outward: tuple[float, float, float],
) -> RetrievalCase:  # fmt: skip
    """The retrieval of a file for the masses [kg] at ejection.

    apart  of the spacecraft from the canister [m], z along `up`     outward  unit vector along the axis of the harpoon
    """
    wanted, line = config.retrieval, config.line
    if wanted is None or config.sampling is None:
        raise ConfigError("[retrieval]", "none", "a table", "add [retrieval]")
    return RetrievalCase(
        hull=hull, load=load, distance=apart[2], aside=apart[0], across=apart[1], total=line.length_m,
        eject_angle=math.atan2(outward[0], outward[2]), eject_across=math.asin(max(min(outward[1], 1.0), -1.0)),
        failures=failures_of(config),
        rise=wanted.rise_m_per_s, drift=wanted.drift_m_per_s,
        impulse=config.sampling.ejection_impulse_N_s,
        thrust=wanted.thrust_N, thrust_on=wanted.thrust_on_s, reel=wanted.reel_m_per_s,
        reel_on=wanted.reel_on_s, ramp=wanted.ramp_s, stiffness=line.stiffness_N, damping=line.damping_N_s,
        slip=wanted.clutch_N if wanted.has_clutch else math.inf, slope=wanted.clutch_slope_N_s_per_m,
        spring=wanted.damper_spring_N_per_m, damper=wanted.damper_N_s_per_m,
        least=wanted.least_length_m, breaking=line.breaking_N, propellant=propellant,
        specific_impulse=config.spacecraft.specific_impulse_s, gravity=config.ground.gravity_m_per_s2,
        reach=wanted.capture_distance_m, capture_speed=wanted.capture_speed_m_per_s,
        swing_ratio=wanted.swing_damping_ratio, swing_largest=wanted.swing_acceleration_m_per_s2,
        swing_on=wanted.reel_on_s, after=wanted.fly_away_s, longest=wanted.longest_s,
    )  # fmt: skip


def sources(config: Config) -> tuple[str, ...]:
    """Bibliography keys of the laws a run uses."""
    laws = list(LAWS)
    if config.shot.pressure_Pa is not None:
        laws.append(barrel)
    if config.retrieval is not None:
        laws += [retrieval, adaptive]
    if config.line.cells > 0:
        laws += [tether, tether_cells, implicit]
    if config.stance is not None:
        laws.append(stance)
    if config.gravity is not None and config.surface is not None:
        laws += [SHAPES[config.surface.shape].law, GRAVITY_LAWS[config.gravity.model]]
    return tuple(dict.fromkeys(key for law in laws for key in law.CITES))
