"""Scenario file of a net: what is shot at what, how it touches, closes and tows, and where."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from haptos.contact.laws.normal_choice import NormalName
from haptos.scenarios.net.config_closing import NetClosing
from haptos.scenarios.net.config_environment import Environment, misfit, without_unused_gravity
from haptos.scenarios.net.config_extras import OwnTether, RigidBody
from haptos.scenarios.net.config_foundation import BodiesFoundation
from haptos.scenarios.net.config_parts import (
    Bullets,
    Burn,
    Errors,
    Net,
    NetChaser,
    NetShot,
    NetTarget,
    NetTether,
    Threads,
)
from haptos.scenarios.net.config_profiles import Profile, body_names
from haptos.scenarios.net.config_site import NetSite, site_misfit
from haptos.scenarios.net.config_surfaces import ContactPair, SurfacesInSeries
from haptos.scenarios.run_settings import MOST_OUTPUTS, SystemRun
from haptos.scenarios.schema import (
    Fraction,
    NotNegative,
    Number,
    Positive,
    ScenarioConfig,
    Table,
    Whole,
    refused,
)
from haptos.scenarios.worlds.config import (
    AnyGravity,
    AnySpin,
    AnySurface,
    NoSpin,
    SiteWorld,
    TerrainTable,
    check_world,
)

# Keys that state the same quantity in two ways; a table holds at most one of each pair.
ALTERNATIVES = (("mass_kg", "ratio"), ("mass_kg", "masses_kg"), ("ratio", "masses_kg"))
HERTZIAN = (
    "series", "stiffness_N_per_m1p5", "bullet_stiffness_N_per_m1p5", "restitution",
    "self_stiffness_N_per_m1p5", "bullets_stiffness_N_per_m1p5",
)  # keys of [contact] that linear laws have no use for  # fmt: skip
PAIR_KEYS = {
    "friction", "bullet_friction", "stiffness_N_per_m1p5", "bullet_stiffness_N_per_m1p5",
    "modulus_Pa", "alpha_s_per_m", "restitution",
}  # fmt: skip


class NetContact(Table):
    """Threads and bullets on the target."""

    is_on: bool = Field(default=True, alias="on", description="whether anything touches the target")
    model: Literal["elastic", "sticky"] = Field(
        default="elastic",
        description="sticky: knots and bullets are glued where they first touch a face",
    )
    glue_strength_N: Positive | None = Field(
        default=None, description="pull that tears a glued knot or ball off; none if left out"
    )
    pairs: tuple[ContactPair, ...] = Field(
        default=(), description="[[contact.pairs]], numbers of single pairs of surfaces"
    )
    series: SurfacesInSeries | None = Field(
        default=None, description="numbers of each surface, in place of stiffness, loss, friction"
    )
    normal: NormalName = Field(
        default="hertz",
        description="law of the normal force of all contacts: Hertz with losses, or linear springs",
    )
    linear_stiffness_N_per_m: Positive | None = Field(
        default=None, description="of the linear laws, every contact"
    )
    linear_damping_N_s_per_m: NotNegative | None = Field(
        default=None, description="of the linear laws, every contact"
    )
    stiffness_N_per_m1p5: Positive | None = Field(
        default=None, description="k of threads on the target; from moduli if left out"
    )
    bullet_stiffness_N_per_m1p5: Positive | None = Field(default=None, description="of bullets")
    thread_modulus_Pa: Positive = Field(
        default=1.0e8, description="of a thread across its axis; assumed"
    )
    bullet_modulus_Pa: Positive = Field(default=2.0e9, description="of a bullet's nose; assumed")
    target_modulus_Pa: Positive = Field(default=7.0e10, description="of the target's skin")
    poisson: Annotated[Number, Field(ge=0.0, le=0.5)] = Field(default=0.3, description="of all")
    damping: Literal["hunt-crossley", "lankarani-nikravesh", "exact"] = Field(
        default="hunt-crossley", description="law of loss"
    )
    alpha_s_per_m: NotNegative = Field(default=0.08, description="of restitution 1 - alpha v")
    restitution: Fraction | None = Field(
        default=None, description="nominal, at any speed, in place of alpha"
    )
    friction: NotNegative = Field(default=0.3, description="of threads on the target; assumed")
    bullet_friction: NotNegative = Field(
        default=0.3, description="of bullets on the target; assumed"
    )
    slip_speed_m_per_s: Positive = Field(default=1.0e-4, description="below which friction fades")
    remembers: bool = Field(
        default=False, description="friction with memory: what sticks does not creep"
    )
    tangent_stiffness_N_per_m: Positive = Field(
        default=1.0e4, description="of friction with memory; assumed"
    )
    edges: bool = Field(default=True, description="threads feel sharp edges between their nodes")
    touches_itself: bool = Field(
        default=False, alias="self", description="nodes of the net touch each other"
    )
    bullets_net: bool = Field(default=False, description="bullets touch the net")
    bullets: bool = Field(default=False, description="bullets touch each other")
    chaser: bool = Field(default=False, description="net and bullets touch the chaser")
    self_radius_m: Positive | None = Field(
        default=None,
        description="of a node against nodes and bullets; half its shortest element if left out",
    )
    self_stiffness_N_per_m1p5: Positive | None = Field(
        default=None, description="k of nodes on nodes; from moduli and thread radius if left out"
    )
    bullets_stiffness_N_per_m1p5: Positive | None = Field(
        default=None, description="of bullets on bullets"
    )
    bullets_friction: NotNegative = Field(
        default=0.3, description="of bullets on bullets and on the net; assumed"
    )
    bodies: bool = Field(default=True, description="chaser, target and [[bodies]] touch each other")
    bodies_friction: NotNegative = Field(default=0.3, description="of bodies on bodies; assumed")
    corner_radius_m: Positive = Field(
        default=0.01, description="of their corners and edges, for the stiffness; assumed"
    )
    foundation: BodiesFoundation | None = Field(
        default=None,
        description="[contact.foundation]: bodies touch each other, and the ground, by polygons on an elastic foundation, "
        "not at corners",
    )
    chaser_modulus_Pa: Positive = Field(default=7.0e10, description="of the chaser's skin")
    chaser_friction: NotNegative = Field(
        default=0.3, description="of net and bullets on the chaser; assumed"
    )

    @model_validator(mode="after")
    def _bodies_touch_by_polygons(self) -> NetContact:
        if self.foundation is not None and not self.bodies:
            raise refused("[contact.foundation] with bodies = false", "bodies = true", "remove one")
        return self

    @model_validator(mode="after")
    def _strength_is_that_of_glue(self) -> NetContact:
        if self.glue_strength_N is not None and self.model != "sticky":
            found = f"glue_strength_N = {self.glue_strength_N} with model = '{self.model}'"
            raise refused(found, "glue_strength_N with model = 'sticky'", 'model = "sticky"')
        return self

    @model_validator(mode="after")
    def _numbers_are_those_of_the_law(self) -> NetContact:
        linear = ("linear_stiffness_N_per_m", "linear_damping_N_s_per_m")
        given = [key for key in linear if getattr(self, key) is not None]
        if self.normal == "hertz":
            if given:
                found = f"{given[0]} with normal = 'hertz'"
                raise refused(found, "with a linear law", "normal = 'kelvin-voigt'")
            return self
        if len(given) < len(linear):
            found = f"normal = '{self.normal}' without {' and '.join(set(linear) - set(given))}"
            raise refused(found, " and ".join(linear), "linear_stiffness_N_per_m = 1000.0")
        for key in HERTZIAN:
            if getattr(self, key):
                found = f"{key} with normal = '{self.normal}'"
                raise refused(found, "with Hertz's law", f"leave out {key}")
        return self


class Run(SystemRun):
    """How long, how finely and by which scheme; over which time forces are taken; repeats."""

    force_window_s: Positive = Field(
        default=0.02,
        description="time over which the mean forces and powers of the metrics are taken",
    )
    repeats: Annotated[Whole, Field(ge=0, le=1000)] = Field(
        default=0,
        description="further runs with the start disturbed by 1e-9, and one with half the step or "
        "tolerances",
    )

    @model_validator(mode="after")
    def _windows_fit_in_memory(self) -> Run:
        if self.duration_s > MOST_OUTPUTS * self.force_window_s:
            raise refused(
                f"force_window_s = {self.force_window_s} over {self.duration_s} s",
                f"at most {MOST_OUTPUTS} windows",
                f"force_window_s = {self.duration_s / MOST_OUTPUTS:.3g}",
            )
        return self


class Config(ScenarioConfig):
    """A net scenario."""

    scenario: Literal["net"]
    net: Net = Net()
    threads: Threads = Threads()
    bullets: Bullets = Bullets(ratio=0.5)
    shot: NetShot = NetShot()
    errors: Errors = Errors()
    closing: NetClosing | None = None
    tether: NetTether | None = None
    tethers: tuple[OwnTether, ...] = ()
    chaser: NetChaser = NetChaser()
    target: NetTarget | None = None
    bodies: tuple[RigidBody, ...] = ()
    burns: tuple[Burn, ...] = ()
    profiles: tuple[Profile, ...] = ()
    contact: NetContact = NetContact()
    environment: Environment = Environment()
    surface: AnySurface | None = None
    terrain: TerrainTable = TerrainTable()
    gravity: AnyGravity | None = None
    spin: AnySpin = NoSpin()
    site: NetSite | None = None
    run: Run

    @classmethod
    def of_today(cls, table: dict[str, Any]) -> dict[str, Any]:
        """A stored configuration without what earlier versions wrote and this one refuses in files."""
        if "environment" not in table:
            return table
        return {**table, "environment": without_unused_gravity(table["environment"])}

    @property
    def surroundings(self) -> str:
        """Kind of environment: free, ground, orbit, flight or body, found from the rest if it is auto."""
        if self.surface is not None:
            return "body"
        return self.environment.found_kind(self.chaser.holds_place)

    @property
    def world(self) -> SiteWorld | None:
        """The world the net falls on; None without a ground."""
        return SiteWorld.of(self)

    @model_validator(mode="after")
    def _world_fits(self) -> Config:
        found = site_misfit(self)
        if found is not None:
            raise refused(*found)
        if self.world is not None:
            check_world(self.world)
        return self

    @model_validator(mode="after")
    def _environment_fits(self) -> Config:
        is_held = self.chaser.holds_place or (self.target is not None and self.target.holds_place)
        found = misfit(self.environment, self.surroundings, is_held)
        if found is not None:
            raise refused(*found)
        return self

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all bodies in the order of their numbers."""
        own = tuple(body.name for body in self.bodies)
        return body_names(self.target is not None, self.bullets.count, own)

    @model_validator(mode="after")
    def _pushed_bodies_are_there(self) -> Config:
        pushed: list[tuple[str, int, str]] = [
            ("burns", n, burn.body) for n, burn in enumerate(self.burns)
        ]
        pushed += [("profiles", n, profile.body) for n, profile in enumerate(self.profiles)]
        for n, tether in enumerate(self.tethers):
            pushed += [("tethers", n, tether.body), ("tethers", n, tether.first_body or "chaser")]
        for what, n, body in pushed:
            if body not in self.names:
                found = f"{what}[{n}].body = '{body}'"
                raise refused(found, ", ".join(self.names), "name one of them")
        return self

    @model_validator(mode="after")
    def _additions_fit(self) -> Config:
        for name in self.names:
            if self.names.count(name) > 1:
                raise refused(f"two bodies named '{name}'", "a name of its own", f"{name} 2")
        for n, tether in enumerate(self.tethers):
            if tether.corner is not None and tether.corner >= self.bullets.count:
                allowed = f"0 to {self.bullets.count - 1}"
                raise refused(f"tethers[{n}].corner = {tether.corner}", allowed, "count from 0")
        if self.net.states_file is None:
            return self
        if self.shot != NetShot():
            allowed = "a net that starts as states_file tells, and is not shot"
            raise refused("[shot] beside net.states_file", allowed, "remove [shot]")
        if self.bullets.link_length_m > 0.0:
            found = "bullets.link_length_m beside net.states_file"
            raise refused(found, "bullets at their knots", "remove link_length_m")
        return self

    @model_validator(mode="after")
    def _surfaces_fit(self) -> Config:
        given, surfaces = self.contact, self.target.surfaces if self.target else ()
        own = (
            given.stiffness_N_per_m1p5,
            given.bullet_stiffness_N_per_m1p5,
            given.restitution,
        )
        if given.series is not None and any(number is not None for number in own):
            found = "[contact.series] beside stiffness or restitution of pairs"
            raise refused(found, "one of them", "remove [contact.series]")
        names = ("target", *(surface.name for surface in surfaces))
        named = [(pair.surface, pair.of) for pair in given.pairs]
        for surface_name, of in named:
            if surface_name not in names:
                found = f"contact.pairs on '{surface_name}'"
                raise refused(found, ", ".join(names), "name one of them")
            if named.count((surface_name, of)) > 1 or given.series is not None:
                found = f"contact.pairs of {of} on '{surface_name}'"
                raise refused(found, "each once, and not beside series", "keep one of them")
        for surface in surfaces:
            pair = surface.model_dump(include=PAIR_KEYS, exclude_none=True)
            if given.series is None and surface.own is not None:
                found = f"target.surfaces '{surface.name}' with own numbers"
                raise refused(found, "these beside [contact.series]", "add [contact.series]")
            if given.series is not None and pair:
                found = f"target.surfaces '{surface.name}' with {', '.join(sorted(pair))}"
                raise refused(found, "own = {...} beside [contact.series]", "give its own numbers")
        return self

    @model_validator(mode="after")
    def _lists_fit(self) -> Config:
        lists = {
            "bullets.masses_kg": self.bullets.masses_kg, "shot.angles_deg": self.shot.angles_deg,
            "shot.speeds_m_per_s": self.shot.speeds_m_per_s, "shot.delays_s": self.shot.delays_s,
        }  # fmt: skip
        for key, values in lists.items():
            if values is not None and len(values) != self.bullets.count:
                found = f"{key} with {len(values)} numbers"
                raise refused(found, f"one for each of {self.bullets.count} bullets", "count them")
        limits = {"shot.angles_deg": 90.0, "shot.speeds_m_per_s": 1e4, "shot.delays_s": 1e9}
        for key, most in limits.items():
            if any(not 0.0 <= value < most for value in lists[key] or ()):
                raise refused(f"{key} = {list(lists[key] or ())}", f"0 to {most:g}", "fix the list")
        numbered = {
            "closing.failed": self.closing.failed if self.closing else (),
            "bullets.lost": self.bullets.lost,
        }
        for key, numbers in numbered.items():
            if any(not -1 <= number < self.bullets.count for number in numbers):
                allowed = f"0 to {self.bullets.count - 1}, or -1 for none"
                raise refused(f"{key} = {list(numbers)}", allowed, "count bullets from 0")
        return self
