"""Tables of a net scenario: what is shot, from where, at what, and how it closes and tows."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, Field, model_validator

from haptos.scenarios.net.config_surfaces import TargetSurface
from haptos.scenarios.schema import (
    Fraction,
    NotNegative,
    Number,
    Positive,
    PositiveVector3,
    Quaternion,
    Table,
    Text,
    Vector3,
    Whole,
    refused,
)
from haptos.scenarios.table_rules import FibreName

Numbers = tuple[Number, ...]
AXES = (1.0, 0.0, 0.0, 0.0)
SHORTEST_QUATERNION = 1e-6  # [-] below, rounding would choose the attitude


def _is_a_turn(value: Quaternion) -> Quaternion:
    if sum(part * part for part in value) < SHORTEST_QUATERNION**2:
        found = f"attitude_quaternion = {list(value)}"
        raise refused(found, "four numbers, not all zero", "1, 0, 0, 0")
    return value


Attitude = Annotated[Quaternion, AfterValidator(_is_a_turn)]


class Net(Table):
    """Threads and knots as they are when spread out; x along the shot, y and z across it."""

    kind: Literal["planar-a", "planar-b", "planar-c", "pyramidal", "conical", "file"] = Field(
        default="planar-a", description="pattern of the net, or a net of your own from files"
    )
    width_m: Positive = Field(default=2.0, description="of the mouth, along y")
    height_m: Positive = Field(default=2.0, description="of the mouth, along z")
    depth_m: NotNegative = Field(default=0.0, description="along x, of pyramids and cones")
    strings: Annotated[Whole, Field(ge=2, le=1025)] = Field(
        default=11, description="threads one way: odd for planar-a and -c, else a power of two"
    )
    rings: Annotated[Whole, Field(ge=1, le=1025)] = Field(
        default=11, description="threads the other way: odd for planar-a and planar-c"
    )
    diagonals: Literal["main", "every-cell"] = Field(
        default="main", description="of planar-c: along both diagonals, or in every cell"
    )
    knots_file: Text | None = Field(default=None, description="of kind = 'file': table of knots")
    links_file: Text | None = Field(default=None, description="of kind = 'file': table of links")
    graph_file: Text | None = Field(
        default=None, description="of kind = 'file': a node-link graph in JSON, in place of tables"
    )
    states_file: Text | None = Field(
        default=None,
        description="places and velocities of all knots to start from, in place of canister and "
        "shot",
    )
    nodes_per_link: Annotated[Whole, Field(ge=0, le=100)] = Field(
        default=1, description="masses within each link between two knots"
    )
    knot_ratio: Positive = Field(default=1.0, description="mass of a knot over that of its threads")
    tether_knot_ratio: Positive = Field(default=1.0, description="of the knot the tether holds")
    bullet_knot_ratio: Positive = Field(default=1.0, description="of the knots bullets hold")


class Threads(Table):
    """What links are made of; numbers given here take the place of those of the material."""

    model: Literal["link", "beam"] = Field(
        default="link",
        description="threads that only pull; or that resist bending, twist and thrust too: slower",
    )
    material: FibreName = Field(default="technora", description="fibre of the table of threads")
    diameter_m: Positive = Field(default=1.0e-3, description="of threads")
    reinforced_diameter_m: Positive | None = Field(
        default=None, description="of the mouth and the main threads; as the others if left out"
    )
    fibre_share: Fraction = Field(default=1.0, description="of the circle that is fibre")
    breaking_stress_Pa: Positive | None = Field(default=None, description="none: the material's")
    axial_stiffness_N: Positive | None = Field(
        default=None, description="EA; none: E times section"
    )
    linear_density_kg_per_m: Positive | None = Field(
        default=None, description="none: the material's"
    )
    damping_ratio: NotNegative | None = Field(
        default=None, description="axial; none: the material's"
    )
    bending_stiffness_N_m2: Positive | None = Field(
        default=None, description="EJ, of beams; none: the material's"
    )
    torsion_stiffness_N_m2: Positive | None = Field(
        default=None, description="GJp, of beams; none: the material's"
    )
    bending_damping_ratio: NotNegative | None = Field(
        default=None, description="of one element, of beams; none: the material's"
    )
    torsion_damping_ratio: NotNegative | None = Field(
        default=None, description="of one element, of beams; none: the material's"
    )
    breaks: bool = Field(default=True, description="whether threads break at their breaking stress")
    drag_coefficient: NotNegative | None = Field(
        default=None,
        description="across the flow; none: 1.2 in slow air (assumed), Newtonian in orbit",
    )


class Bullets(Table):
    """Cylinders that pull the net open."""

    count: Annotated[Whole, Field(ge=1, le=64)] = Field(default=4, description="4, or 8 with sides")
    mass_kg: Positive | None = Field(default=None, description="of each; or give ratio")
    ratio: Annotated[Number, Field(ge=1e-6, lt=1.0)] | None = Field(
        default=None, description="mass of all bullets over that of net and bullets"
    )
    masses_kg: Numbers | None = Field(
        default=None, description="one for each bullet, in place of mass"
    )
    largest_ratio: Fraction = Field(
        default=1.0, description="of bullets to net and bullets; heavier bullets are refused"
    )
    lost: tuple[Whole, ...] = Field(
        default=(), description="bullets, from 0, that fly off without the net; -1 for none"
    )
    radius_m: Positive = Field(default=0.015, description="of the cylinder")
    length_m: Positive = Field(default=0.06, description="of the cylinder, along the shot")
    link_length_m: NotNegative = Field(
        default=0.0, description="of a thread between each bullet and its knot; 0 for none"
    )

    base_drag_coefficient: NotNegative | None = Field(
        default=None, description="none: flat noses in slow air, where the flow stops in orbit"
    )
    side_drag_coefficient: NotNegative | None = Field(
        default=None, description="none: 1.2 in slow air (assumed), Newtonian in orbit"
    )
    side_leans: bool = Field(
        default=False, description="whether drag of a side that leans falls with cos^2"
    )

    @model_validator(mode="after")
    def _one_mass(self) -> Bullets:
        given = [k for k in ("mass_kg", "ratio", "masses_kg") if getattr(self, k) is not None]
        if len(given) != 1:
            found = " and ".join(given) or "none of mass_kg, ratio, masses_kg"
            raise refused(found, "exactly one of them", "ratio = 0.5")
        if self.masses_kg is not None and min(self.masses_kg, default=0.0) <= 0.0:
            raise refused("masses_kg with a mass of 0 or less", "masses above 0", "0.3")
        return self


class NetShot(Table):
    """How bullets leave the canister, which is fixed to the chaser's +x side."""

    angle_deg: Annotated[Number, Field(ge=0.0, lt=90.0)] = Field(
        default=30.0, description="between each bullet's way and the shooting direction"
    )
    speed_m_per_s: Annotated[Positive, Field(le=1e4)] = Field(
        default=1.0, description="of each bullet, relative to the chaser"
    )
    delay_s: NotNegative = Field(default=0.0, description="of each shot")
    angles_deg: Numbers | None = Field(default=None, description="one for each bullet")
    speeds_m_per_s: Numbers | None = Field(
        default=None, description="one each; 0: not shot, dragged along by the net"
    )
    delays_s: Numbers | None = Field(default=None, description="one for each bullet")
    system: Literal["pressure", "generator"] = Field(
        default="pressure", description="gas of constant pressure, or a cold gas generator"
    )
    pressure_Pa: Positive = Field(
        default=1.0e5, description="constant, or nominal of the generator"
    )
    volume_m3: Positive = Field(default=1.0e-4, description="nominal, of the generator")
    chamber_m3: Positive = Field(default=2.0e-4, description="of the generator before the shot")
    heat_ratio: Annotated[Number, Field(ge=1.001, lt=2.0)] = Field(
        default=1.4, description="of the gas"
    )
    area_m2: Positive | None = Field(
        default=None, description="the gas acts on; the bullet's if left out"
    )
    canister_m: PositiveVector3 = Field(
        default=(0.3, 0.3, 0.3),
        description="depth, width and height of the box the net is folded in",
    )
    random_share: Annotated[Number, Field(ge=0.0, le=1.0)] = Field(
        default=0.0, description="folding: 0 regular, 1 at random"
    )


class Errors(Table):
    """Largest random error of each bullet as a share, drawn evenly from the scenario's seed."""

    mass: Annotated[Number, Field(ge=0.0, lt=1.0)] = Field(
        default=0.0, description="of each bullet's mass"
    )
    angle: Annotated[Number, Field(ge=0.0, lt=1.0)] = Field(
        default=0.0, description="of each bullet's angle"
    )
    speed: Annotated[Number, Field(ge=0.0, lt=1.0)] = Field(
        default=0.0, description="of each bullet's speed"
    )
    delay: Annotated[Number, Field(ge=0.0, lt=1.0)] = Field(
        default=0.0, description="of the time a bullet flies the length of the net; only later"
    )
    draw: Number = Field(
        default=0.0, description="another number is another draw; a distribution in a campaign"
    )


class Reeled(Table):
    """How the length of a tether changes: to one length, or by a profile of lists or a file."""

    reel_to_m: Positive | None = Field(default=None, description="length it is reeled to")
    reel_start_s: NotNegative = Field(default=0.0, description="when the reel starts")
    reel_duration_s: Positive = Field(default=10.0, description="how long it reels")
    reel_times_s: Numbers = Field(
        default=(), description="of a length profile, rising, in place of reel_to_m"
    )
    reel_lengths_m: tuple[Positive, ...] = Field(
        default=(), description="at these times, straight between; the first is the length now"
    )
    reel_file: Text | None = Field(
        default=None, description="CSV with time_s and length_m, in place of the two lists"
    )
    reel_carries_mass: bool = Field(
        default=False, description="whether thread on the reel adds to the body it is on"
    )

    @property
    def is_reeled(self) -> bool:
        """Whether the length changes."""
        return bool(self.reel_to_m or self.reel_times_s or self.reel_lengths_m or self.reel_file)

    @model_validator(mode="after")
    def _one_profile(self) -> Reeled:
        ways = {
            "reel_to_m": self.reel_to_m, "reel_file": self.reel_file,
            "reel_times_s": self.reel_times_s or self.reel_lengths_m,
        }  # fmt: skip
        given = [key for key, value in ways.items() if value]
        if len(given) > 1:
            raise refused(" and ".join(given), "one of them", f"remove {given[0]}")
        if len(self.reel_times_s) != len(self.reel_lengths_m):
            found = f"{len(self.reel_times_s)} reel_times_s, {len(self.reel_lengths_m)} lengths"
            raise refused(found, "one length for each time", "count them")
        return self


class TetherThread(Reeled):
    """What a tether is made of; the numbers of [threads] go with another material only if given here."""

    nodes: Annotated[Whole, Field(ge=0, le=2000)] = Field(default=10, description="masses along it")
    diameter_m: Positive = Field(default=2.0e-3, description="of the thread")
    material: FibreName | None = Field(default=None, description="that of [threads] if left out")
    fibre_share: Fraction | None = Field(default=None, description="as [threads] if left out")
    breaking_stress_Pa: Positive | None = Field(default=None, description="as [threads]")
    axial_stiffness_N: Positive | None = Field(default=None, description="as [threads]")
    linear_density_kg_per_m: Positive | None = Field(default=None, description="as [threads]")
    damping_ratio: NotNegative | None = Field(default=None, description="as [threads]")


class NetTether(TetherThread):
    """From the middle of the net to the chaser."""

    length_m: NotNegative = Field(
        default=10.0, description="without load; 0 ties the middle of the net to the chaser"
    )
    attachment_m: Vector3 | None = Field(
        default=None, description="on the chaser, its axes; the middle of its +x side if left out"
    )

    @model_validator(mode="after")
    def _something_to_reel(self) -> NetTether:
        if self.length_m == 0.0 and self.is_reeled:
            raise refused("a reel with length_m = 0", "a length to reel", "remove reel_to_m")
        return self


class NetChaser(Table):
    """A cuboid; its centre of mass is the origin of N axes at time zero unless given otherwise."""

    mass_kg: Positive = Field(default=500.0, description="without net and bullets")
    size_m: PositiveVector3 = Field(default=(1.0, 1.0, 1.0), description="along its axes")
    inertia_kg_m2: PositiveVector3 | None = Field(
        default=None, description="that of the cuboid if left out"
    )
    velocity_m_per_s: Vector3 = Field(default=(0.0, 0.0, 0.0), description="N axes")
    attitude_quaternion: Attitude = Field(default=AXES, description="quat_NB, scalar first")
    rate_deg_per_s: Vector3 = Field(default=(0.0, 0.0, 0.0), description="its own axes")
    holds_place: bool = Field(default=False, description="cannot move: a test on the ground")
    holds_attitude: bool = Field(default=False, description="cannot turn")
    drag_coefficient: NotNegative = Field(default=2.2, description="of all its faces; assumed")
    reflection: Annotated[Number, Field(ge=0.0, le=2.0)] = Field(
        default=1.3, description="of light: 1 black, 2 a mirror; assumed"
    )


class TargetBox(Table):
    """One box of a target."""

    size_m: PositiveVector3 = Field(description="along its own axes")
    mass_kg: Positive = Field(description="spread evenly")
    position_m: Vector3 = Field(default=(0.0, 0.0, 0.0), description="of its centre")
    attitude_quaternion: Quaternion = Field(default=AXES, description="of the box, scalar first")


class NetTarget(Table):
    """What is caught: boxes, plane faces, or a closed mesh from a file."""

    boxes: tuple[TargetBox, ...] = Field(default=(), description="[[target.boxes]], one table each")
    vertices_m: tuple[Vector3, ...] = Field(
        default=(), description="corners of plane faces, in place of boxes"
    )
    faces: tuple[tuple[Whole, ...], ...] = Field(
        default=(), description="corners of each face, from 0, counter-clockwise seen from outside"
    )
    file: Text | None = Field(default=None, description="closed triangle mesh in place of boxes")
    unit: Literal["m", "km", "cm", "mm"] = Field(default="m", description="of the file")
    mass_kg: Positive | None = Field(
        default=None, description="of faces or a mesh; its density is even"
    )
    distance_m: Positive = Field(default=3.0, description="of its centre of mass, along the shot")
    offset_m: tuple[Number, Number] = Field(default=(0.0, 0.0), description="of it, along y and z")
    velocity_m_per_s: Vector3 = Field(default=(0.0, 0.0, 0.0), description="N axes")
    attitude_quaternion: Attitude = Field(default=AXES, description="of the boxes' axes in N")
    rate_deg_per_s: Vector3 = Field(
        default=(0.0, 0.0, 0.0), description="axes of the boxes or the file"
    )
    holds_place: bool = Field(
        default=False, description="cannot move nor turn: a mock-up on a stand"
    )
    surfaces: tuple[TargetSurface, ...] = Field(
        default=(), description="[[target.surfaces]], parts with numbers of their own"
    )
    drag_coefficient: NotNegative = Field(default=2.2, description="of all its faces; assumed")
    reflection: Annotated[Number, Field(ge=0.0, le=2.0)] = Field(
        default=1.3, description="of light: 1 black, 2 a mirror; assumed"
    )

    @model_validator(mode="after")
    def _one_shape(self) -> NetTarget:
        given = [key for key in ("boxes", "faces", "file") if getattr(self, key)]
        if len(given) != 1:
            found = " and ".join(given) or "neither boxes, faces nor file"
            allowed = "[[target.boxes]], target.faces or target.file"
            raise refused(found, allowed, "one table [[target.boxes]]")
        if not self.boxes and self.mass_kg is None:
            raise refused(f"target.{given[0]} without mass_kg", "a mass", "mass_kg = 100.0")
        if self.boxes and self.mass_kg is not None:
            raise refused("mass_kg beside boxes", "a mass for each box", "remove target.mass_kg")
        if bool(self.faces) != bool(self.vertices_m):
            raise refused("faces or vertices_m alone", "both", "vertices_m = [[0, 0, 0], ...]")
        return self


class Burn(Table):
    """Thrust of the chaser."""

    start_s: Number = Field(description="from the start, or after the first touch")
    duration_s: Positive = Field(description="how long it burns")
    force_N: Vector3 = Field(default=(0.0, 0.0, 0.0), description="in the axes named below")
    torque_N_m: Vector3 = Field(default=(0.0, 0.0, 0.0), description="in the axes named below")
    end_force_N: Vector3 | None = Field(default=None, description="at the end, if it changes")
    axes: Literal["inertial", "chaser"] = Field(
        default="inertial", description="of force and torque"
    )
    after_touch: bool = Field(default=False, description="start_s counts from the first touch")
    body: Literal["chaser", "target"] = Field(default="chaser", description="what is pushed")
