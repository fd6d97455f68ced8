"""An active-tether file made ready: stiffness from phase, the record of the kernel, what cannot work is refused."""

from __future__ import annotations

import math

import numpy as np

from haptos.contact.laws.normal import NORMAL_LAWS
from haptos.core.errors import ConfigError
from haptos.dynamics.cable import active_pull, tether, tether_segments
from haptos.dynamics.cable import boom as boom_law
from haptos.dynamics.cable.boom import SLIP_SPEED, Boom
from haptos.dynamics.cable.boom_run import BoomShape, boom_of, euler_load
from haptos.dynamics.march import adaptive, implicit
from haptos.materials import electro_active, shape_memory
from haptos.materials.electro_active import POLYMER
from haptos.materials.shape_memory import NITINOL, stiffness_of
from haptos.scenarios.active_tether.config import (
    ActiveTetherPress,
    Config,
    MetalBoom,
    MetalWire,
    PolymerLine,
    Pull,
)
from haptos.scenarios.active_tether.on_cells import line_of_cells
from haptos.scenarios.worlds.gravity import GRAVITY_LAWS
from haptos.scenarios.worlds.ground import SHAPES
from haptos.scenarios.worlds.site import Site, site_of
from haptos.scenarios.worlds.terrain import check_ball

GRAVITY = 8e-5  # [m/s^2] downward if a file says nothing; assumed: Itokawa
NEWTON_STEPS = 6  # towards the height at which the ball is over the ground
STIFFEST = 5e4  # [rad/s] of a cell or a contact: faster ones take more steps than a study is worth
# [-] strain of a tube up to which it is elastic, s_A/E_A of NiTi near 340 K; assumed
ELASTIC = 5e-3
LOCK = {"lock": 1e7, "lock_damping": 2e3, "stroke": 1e-3}  # of a stage that never moves


def check(config: Config) -> None:
    """Refuse what only shows when the parts are put together."""
    site = site_of(config)
    if site is not None:
        check_ball(config.terrain, config.effector.radius_m)
        check_above(config, site)
    if config.is_on_cells:
        check_cells(config)
        return
    line, boom = config.line, build(config, site)
    stiffest = max(boom.axial, boom.axial / (1.0 + boom.change.softer))
    fastest = 2.0 * math.sqrt(stiffest / (boom.piece * boom.node))
    ground = math.sqrt(boom.stiffness / boom.effector)
    slow = max(fastest, ground, boom.damping / boom.effector)
    if not slow < STIFFEST:
        found = f"parts that ring at {slow:.3g} rad/s"
        raise ConfigError(
            "[line]", found, f"at most {STIFFEST:g} rad/s", "fewer cells, or a heavier effector"
        )
    if isinstance(line, MetalBoom):
        if line.wall_m > line.radius_m:
            found = f"wall_m = {line.wall_m:g} of a tube of radius_m = {line.radius_m:g}"
            raise ConfigError("[line]", found, "a wall thinner than the radius", "wall_m = 1e-4")
        if abs(line.imperfection_m) > 0.1 * line.length_m:
            found = f"imperfection_m = {line.imperfection_m:g}"
            raise ConfigError(
                "[line]", found, "a tenth of the length at most", "imperfection_m = 0.01"
            )
        bent = bent_strain(line, line.imperfection_m)
        if bent > ELASTIC:
            found = f"imperfection_m = {line.imperfection_m:g}, which strains the tube by {100.0 * bent:.3g} %"
            allowed = f"at most {100.0 * ELASTIC:g} % of strain by bending"
            raise ConfigError("[line]", found, allowed, f"imperfection_m = {line.imperfection_m * ELASTIC / bent / 2.0:.2g}")  # fmt: skip
    if boom.node * boom.count > 10.0 * config.spacecraft.mass_kg:
        found = f"a line of {boom.node * boom.count:.3g} kg"
        raise ConfigError("[line]", found, "at most ten times the spacecraft", "a thinner line")
    if config.touch.force_N is not None and config.touch.force_N > 1e4:
        found = f"force_N = {config.touch.force_N:g}"
        raise ConfigError("[touch]", found, "at most 10 kN", "force_N = 20.0")


def check_above(config: Config, site: Site) -> None:
    """Refuse a line that leaves the ground where it ends: a spacecraft in the ground, or nearer to other ground."""
    length = config.line.length_m
    gap = float(site.at([0.0, 0.0, length])[0][0])
    if not gap > 0.5 * length:
        found = f"length_m = {length:g} over the site, where the ground is {gap:.4g} m away from its other end"
        raise ConfigError("[line]", found, "a spacecraft that is over its site", "a shorter line, or another target_m")  # fmt: skip


def check_cells(config: Config) -> None:
    """Refuse lines of cells that no run can follow."""
    line, _, _ = line_of_cells(config)
    mass = line.density * line.total
    if mass > 10.0 * config.spacecraft.mass_kg:
        raise ConfigError("[line]", f"a line of {mass:.3g} kg", "at most ten times the spacecraft", "a thinner line")  # fmt: skip
    ring = 2.0 * line.wave_speed * config.line.cells / line.total
    if not ring < STIFFEST:
        raise ConfigError("[line]", f"cells that ring at {ring:.3g} rad/s", f"at most {STIFFEST:g} rad/s", "fewer cells")  # fmt: skip
    if config.touch.force_N is not None and config.touch.force_N > min(1e4, 0.01 * line.stiffness):
        found = f"force_N = {config.touch.force_N:g} on a line of {line.stiffness:.3g} N"
        most = min(1e4, 0.01 * line.stiffness)
        raise ConfigError("[touch]", found, "at most 1 % of strain, and 10 kN", f"force_N = {0.5 * most:.2g}")  # fmt: skip
    if isinstance(config.touch, Pull) and config.touch.first_force_N > 0.01 * line.stiffness:
        raise ConfigError("[touch]", f"first_force_N = {config.touch.first_force_N:g}", "at most 1 % of strain", "first_force_N = 5e-3")  # fmt: skip
    if (
        isinstance(config.line, MetalWire)
        and config.line.heating_W_per_m > 1e4 * config.line.section_m2 * 1e6
    ):
        found = (
            f"heating_W_per_m = {config.line.heating_W_per_m:g} in {config.line.section_m2:g} m2"
        )
        raise ConfigError("[line]", found, "at most 10 kW/m per mm2", "heating_W_per_m = 20.0")
    if (
        config.spacecraft.inertia_kg_m2
        < 1e-6 * config.spacecraft.mass_kg * config.spacecraft.lever_m**2
    ):
        found = f"inertia_kg_m2 = {config.spacecraft.inertia_kg_m2:g}"
        raise ConfigError("[spacecraft]", found, "above 1e-6 of mass times lever squared", "inertia_kg_m2 = 300.0")  # fmt: skip


def line_of(config: Config) -> BoomShape:
    """Stiffness and mass of the line."""
    line = config.line
    assert not isinstance(line, MetalWire)
    if isinstance(line, MetalBoom):
        area = 2.0 * math.pi * line.radius_m * line.wall_m
        modulus = float(stiffness_of(NITINOL, line.austenite))
        change = line.change
        later = change.austenite if change is not None and change.austenite is not None else None
        return BoomShape(
            line.length_m, NITINOL.density * area, modulus * area, modulus * 0.5 * area * line.radius_m**2,
            line.damping_ratio, clamped=line.is_clamped, gain=line.curvature_gain, largest=line.largest_moment_N_m,
            later=None if later is None else float(stiffness_of(NITINOL, later)) * area,
            later_gain=None if change is None else change.curvature_gain,
        )  # fmt: skip
    return BoomShape(
        line.length_m, line.density_kg_per_m3 * line.section_m2, line.modulus_Pa * line.section_m2, 0.0,
        line.damping_ratio, is_string=True,
    )  # fmt: skip


def build(config: Config, site: Site | None = None) -> Boom:
    """The record of the kernel; on a site its ground, and the gravity of the middle."""
    craft, ground, touch, line = config.spacecraft, config.ground, config.touch, config.line
    others = {
        "mass": craft.mass_kg, "inertia": craft.inertia_kg_m2, "lever": craft.lever_m, "offset": craft.offset_m,
        "effector": config.effector.mass_kg, "radius": config.effector.radius_m,
        "stiffness": ground.stiffness_N_per_m, "damping": ground.damping_N_s_per_m, "friction": ground.friction,
        "slope": math.radians(ground.slope_deg), "gravity": GRAVITY if ground.gravity_m_per_s2 is None else ground.gravity_m_per_s2,
        "grip": config.effector.grip_N,
    }  # fmt: skip
    floor = None
    if site is not None:
        pull = site.at(middle_of(config))[2][0]
        others |= {"gravity": -float(pull[2]), "aside": float(pull[0])}
        floor = site.ground(
            law=NORMAL_LAWS["kelvin-voigt"], stiffness=ground.stiffness_N_per_m, loss=ground.damping_N_s_per_m,
            friction=ground.friction, fade=SLIP_SPEED,
        )  # fmt: skip
    if isinstance(touch, ActiveTetherPress) and touch.has_stage:
        others |= {"stroke": touch.stroke_m, "stage_damping": touch.stage_damping_N_s_per_m}
    else:
        others |= LOCK
    if isinstance(touch, Pull) and isinstance(line, PolymerLine):
        largest = POLYMER.largest * line.section_m2
        others |= {
            "active": largest,
            "response": POLYMER.response,
            "integral": line.loop_rad_per_s / largest,
        }
    return boom_of(line_of(config), line.cells, ground=floor, **others)


def middle_of(config: Config) -> tuple[float, float, float]:
    """Centre of mass [m] of spacecraft, boom and end effector over the touch, axes of the site."""
    line, craft, shape = config.line, config.spacecraft, line_of(config)
    top = line.length_m + config.effector.radius_m + craft.lever_m
    own = shape.density * line.length_m
    whole = craft.mass_kg + own + config.effector.mass_kg
    height = craft.mass_kg * top + 0.5 * own * line.length_m + config.effector.mass_kg * config.effector.radius_m  # fmt: skip
    return 0.0, 0.0, height / whole


def start_height(config: Config, site: Site, gap: float) -> float:
    """Height [m] of the middle of the effector whose ball is `gap` [m] from the ground."""
    height, radius = config.effector.radius_m + gap, config.effector.radius_m
    for _ in range(NEWTON_STEPS):
        found, normal, _ = site.at([0.0, 0.0, height])
        height -= (float(found[0]) - radius - gap) / max(float(normal[0, 2]), 0.3)
    return height


def left_out(config: Config, site: Site) -> float:
    """Largest force [N] that a boom on a site leaves out, over the wanted force: field along it and across its plane, turning [-]."""
    touch, craft, middle = config.touch, config.spacecraft, site.at(middle_of(config))[2][0]
    top = config.line.length_m + config.effector.radius_m + craft.lever_m
    speed = touch.approach_m_per_s if isinstance(touch, ActiveTetherPress) else 0.0
    worst = 0.0
    for mass, height in ((craft.mass_kg, top), (config.effector.mass_kg, config.effector.radius_m)):
        pull = site.pull([0.0, 0.0, height], [0.0, 0.0, -speed]) - middle
        pull[1] += middle[1]
        worst = max(worst, mass * float(np.linalg.norm(pull)))
    return worst / (touch.force_N or 1.0)


def bent_strain(line: MetalBoom, bow: float) -> float:
    """Strain [-] of the skin of a tube that is bowed by a half sine [m]: radius times curvature."""
    return line.radius_m * math.pi**2 * abs(bow) / line.length_m**2


def buckling_load(config: Config, *, is_changed: bool = False) -> float:
    """Euler load [N] of the boom with its control, before or after its change; NaN of a string."""
    if isinstance(config.line, MetalWire):
        return math.nan
    shape = line_of(config)
    if not shape.bending > 0.0:
        return math.nan
    bending, gain = shape.bending, shape.gain
    if is_changed:
        bending *= 1.0 if shape.later is None else shape.later / shape.axial
        gain = gain if shape.later_gain is None else shape.later_gain
    return euler_load(bending, shape.length, gain)


def sources(config: Config) -> tuple[str, ...]:
    """Bibliography keys of the laws a run uses."""
    material = electro_active if isinstance(config.line, PolymerLine) else shape_memory
    laws = [boom_law, material, adaptive]
    if config.is_on_cells:
        laws = [tether, tether_segments, active_pull, material, implicit]
    if config.gravity is not None and config.surface is not None:
        laws += [SHAPES[config.surface.shape].law, GRAVITY_LAWS[config.gravity.model]]
    return tuple(dict.fromkeys(key for law in laws for key in law.CITES))
