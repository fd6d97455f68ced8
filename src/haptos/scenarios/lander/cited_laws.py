"""Which laws a lander run uses, and so whose work it stands on."""

from __future__ import annotations

from types import ModuleType

from haptos.contact import (
    collision,
    collision_geometry,
    collision_newton,
    collision_poisson,
    collision_reversal,
    collision_rolling,
    collision_slip,
    collision_stronge,
    compliant,
    contact_motion,
    coulomb,
    crease_motion,
    impact_normal,
    lying_motion,
    regolith,
    regularisation,
    restitution,
    rocks_stochastic,
    rolling_resistance,
    settling,
    spring_damper,
    static_rest,
    stick_slip,
)
from haptos.contact.laws import foundation, foundation_modulus
from haptos.contact.laws.normal_choice import CHOICES
from haptos.contact.sets import polygons
from haptos.dynamics.march import dormand_prince, first_touch
from haptos.dynamics.rigid import free_rotation, momentum_device, rigid_body
from haptos.environment import ball_drag, gravity_terms
from haptos.geometry.mesh import curved_faces, mass_properties, tessellation
from haptos.scenarios.lander.config import Config
from haptos.scenarios.lander.config_contact import (
    CompliantContact,
    FoundationContact,
    ImpulsiveContact,
)
from haptos.scenarios.lander.config_probe import MeshProbe, SphereProbe
from haptos.scenarios.lander.hop_model import hops_of
from haptos.scenarios.lander.probe import mass_layout, probe_shape
from haptos.scenarios.worlds.cited_laws import world_laws

ALWAYS = (settling, rigid_body, dormand_prince, first_touch)
SPRINGS = (compliant, coulomb, regularisation)
IMPACTS = (collision, collision_geometry, collision_slip, collision_reversal, impact_normal)
POLYGONS = (foundation, polygons, coulomb, stick_slip, curved_faces)
RESTITUTIONS = {
    "energetic": collision_stronge,
    "kinematic": collision_newton,
    "kinetic": collision_poisson,
}


def sources(config: Config) -> tuple[str, ...]:
    """Bibliography keys of the laws this run uses, as their files state them."""
    contact = config.contact
    impulsive = isinstance(contact, ImpulsiveContact)
    laws: list[ModuleType] = [*ALWAYS]
    if isinstance(contact, ImpulsiveContact):
        laws += _impacts(contact)
        is_ball = isinstance(config.probe, SphereProbe) and config.probe.tessellation == 0
        laws += [crease_motion] if is_ball and contact.contact_motion else []
    elif isinstance(contact, FoundationContact):
        laws += [*POLYGONS, *([foundation_modulus] if contact.layers else [])]
    else:
        laws += _springs(contact)
    laws += _world_laws(config)
    hops = hops_of(config) is not None
    wanted = {
        mass_properties: isinstance(config.probe, MeshProbe),
        tessellation: config.probe.tessellation > 0,
        static_rest: impulsive and config.settle.balance,
        free_rotation: impulsive and not hops and _is_top(config),
        momentum_device: hops,
    }
    laws += [law for law, is_used in wanted.items() if is_used]
    return tuple(dict.fromkeys(key for law in laws for key in law.CITES))


def _is_top(config: Config) -> bool:
    """Whether rotation in flight is known in closed form; a mesh is taken for no top, and not read."""
    if isinstance(config.probe, MeshProbe) or config.spin.kind == "tumbling":
        return False
    inertia = mass_layout(config.probe, probe_shape(config.probe))[1]
    return free_rotation.top_axis(inertia) is not None


def _springs(contact: CompliantContact) -> list[ModuleType]:
    """Laws of contact by springs and dampers."""
    laws = [*SPRINGS, CHOICES[contact.normal].law]
    laws += [restitution] if contact.restitution is not None else []
    return laws + ([rolling_resistance] if contact.rolling_resistance_m > 0.0 else [])


def _impacts(contact: ImpulsiveContact) -> list[ModuleType]:
    """Laws of impacts, and of the sliding, rolling and lying that may follow."""
    laws = [*IMPACTS, RESTITUTIONS[contact.restitution_law]]
    wanted = {
        collision_rolling: contact.rolling_resistance_m > 0.0,
        regolith: contact.regolith is not None,
        rocks_stochastic: contact.stochastic_rocks is not None,
    }
    laws += [law for law, is_used in wanted.items() if is_used]
    if contact.contact_motion:
        laws += [contact_motion, lying_motion, restitution, *SPRINGS, spring_damper]
    return laws


def _world_laws(config: Config) -> list[ModuleType]:
    """Laws of the world, and of what acts on the probe besides its gravity."""
    wanted = {
        gravity_terms: config.primary is not None or config.sunlight is not None,
        ball_drag: config.air is not None,
    }
    return [*world_laws(config), *(law for law, is_used in wanted.items() if is_used)]
