"""Tables of the docking mechanism: nozzle, tool, crown, boom, spring, brackets, ring, and contact between them."""

from __future__ import annotations

import itertools
from typing import Annotated, Literal

from pydantic import Field, model_validator

from haptos.core.units import LengthUnit
from haptos.scenarios.schema import NotNegative, Number, Positive, Table, Text, Whole, refused

Point = tuple[Number, Number]
Angle = Annotated[Number, Field(gt=0.0, lt=90.0)]


class DockingNozzle(Table):
    """Inner wall: chamber, cone, throat, bell. Or points of a section, or a closed mesh, of your own."""

    throat_radius_m: Positive = Field(default=0.008, description="of the throat")
    chamber_radius_m: Positive = Field(default=0.022, description="of the chamber behind it")
    cone_deg: Angle = Field(default=45.0, description="of the wall between chamber and throat")
    arc_m: Positive = Field(default=0.003, description="radius of both arcs at the throat")
    bell_deg: Angle = Field(default=30.0, description="of the wall behind the throat")
    exit_radius_m: Positive = Field(default=0.120, description="of the exit")
    exit_deg: Angle = Field(default=10.0, description="of the wall at the exit")
    length_m: Positive = Field(default=0.300, description="from throat to exit")
    exit_wall_m: Positive = Field(
        default=0.005, description="of the rim at the exit, beyond the widest inner radius: assumed"
    )
    points_m: tuple[Point, ...] = Field(
        default=(),
        description="x and r of a section of your own, from the chamber to the exit; throat at x = 0",
    )
    mesh_file: Text | None = Field(
        default=None,
        description="closed triangle mesh of the wall instead; x out of the exit, throat at 0",
    )
    mesh_unit: LengthUnit = Field(default="m", description="length unit of that file")
    oval: Annotated[Number, Field(ge=0.0, le=0.2)] = Field(
        default=0.0, description="fault: radius grows by this share along y and shrinks along z"
    )
    displaced_m: NotNegative = Field(
        default=0.0, description="fault: the wall lies off its axis along y"
    )
    youngs_modulus_Pa: Positive = Field(default=2e8, description="of its layer")
    poisson: Annotated[Number, Field(ge=0.0, lt=0.5)] = Field(
        default=0.3, description="of its layer; at most 0.45"
    )
    thickness_m: Positive = Field(default=0.010, description="of its layer")

    @model_validator(mode="after")
    def _it_is_moved_a_little(self) -> DockingNozzle:
        widest = max((r for _, r in self.points_m), default=self.exit_radius_m)
        if self.mesh_file is None and not self.displaced_m < widest:
            found = f"displaced_m = {self.displaced_m}"
            raise refused(
                found, f"less than the exit's radius, {widest:.4g}", "displaced_m = 0.003"
            )
        return self

    @model_validator(mode="after")
    def _radii_grow(self) -> DockingNozzle:
        if not self.points_m and not self.throat_radius_m < min(
            self.chamber_radius_m, self.exit_radius_m
        ):
            found = f"throat_radius_m = {self.throat_radius_m}"
            raise refused(
                found, "less than the radii of chamber and exit", "throat_radius_m = 0.008"
            )
        return self


class Tool(Table):
    """Capture tool: shoulder, bolt and body. x of the tip from the boom to the client, its origin at the folded crown."""

    mass_kg: Positive = Field(default=8.0, description="without the boom's half")
    radius_m: Positive = Field(default=0.035, description="of its body")
    rim_m: Positive = Field(default=0.070, description="of the body's front rim behind the crown")
    length_m: Positive = Field(default=0.120, description="of the body: assumed")
    edge_m: Positive = Field(default=0.002, description="radius of the body's edges: assumed")
    centre_m: NotNegative = Field(
        default=0.05, description="of its centre of mass behind the crown: assumed"
    )
    shoulder_ring_m: Positive = Field(
        default=0.029, description="radius of the middle of its round shoulder"
    )
    shoulder_round_m: Positive = Field(default=0.006, description="radius of the round")
    seat_m: Positive = Field(
        default=0.0155,
        description="how far the folded crown is past the throat when the shoulder seats",
    )
    points_m: tuple[Point, ...] = Field(
        default=(),
        description="x and r of a section of your own in place of shoulder and body, in tip axes; first point again at the end, or r = 0 at both ends",
    )
    bolt_radius_m: Positive = Field(default=0.003, description="of the central bolt")
    bolt_ahead_m: NotNegative = Field(
        default=0.004, description="of the bolt's round end before the folded crown: assumed"
    )
    bolt_length_m: Positive = Field(default=0.060, description="of the bolt behind its round end")
    youngs_modulus_Pa: Positive = Field(default=1e8, description="of its layer")
    poisson: Annotated[Number, Field(ge=0.0, lt=0.5)] = Field(
        default=0.3, description="of its layer; at most 0.45"
    )
    thickness_m: Positive = Field(default=0.008, description="of its layer")

    @model_validator(mode="after")
    def _shoulder_fits(self) -> Tool:
        if self.shoulder_ring_m + self.shoulder_round_m > self.radius_m * (1.0 + 1e-9):
            found = f"a shoulder of {self.shoulder_ring_m + self.shoulder_round_m:.4g} m"
            raise refused(found, f"at most radius_m = {self.radius_m}", "a smaller shoulder_ring_m")
        return self

    @model_validator(mode="after")
    def _edges_fit(self) -> Tool:
        most = min(self.radius_m, 0.5 * self.length_m)
        if not self.edge_m < most:
            found = f"edge_m = {self.edge_m}"
            raise refused(found, f"less than {most:.4g}: radius_m, half of length_m", "0.002")
        return self


class Crown(Table):
    """A ring of wire that spreads behind the throat and is drawn back."""

    wire_radius_m: Positive = Field(default=0.002, description="of the wire")
    folded_ring_m: Positive = Field(default=0.0045, description="radius of the ring, folded")
    spread_ring_m: Positive = Field(default=0.0085, description="radius of the ring, spread")
    speed_m_per_s: Positive = Field(default=0.002, description="of its drive")
    stroke_m: Positive = Field(default=0.012, description="longest way of its drive")
    stall_N: Positive = Field(default=100.0, description="of its drive")
    spread_s: Positive = Field(default=3.0, description="to spread")
    spread_stall_N: Positive = Field(
        default=400.0, description="of the drive that spreads, over the radius: assumed"
    )
    spreads_to: Annotated[Number, Field(gt=0.0, le=1.0)] = Field(
        default=1.0, description="fault: share it can spread to"
    )

    @model_validator(mode="after")
    def _it_spreads(self) -> Crown:
        if not self.wire_radius_m < self.folded_ring_m < self.spread_ring_m:
            found = f"wire {self.wire_radius_m}, folded {self.folded_ring_m}, spread {self.spread_ring_m}"
            raise refused(found, "each larger than the one before", "0.002, 0.0045, 0.0085")
        return self


class BoomTable(Table):
    length_m: Positive = Field(default=0.65, description="at the start")
    shortest_m: Positive = Field(default=0.17, description="drawn in")
    longest_m: Positive = Field(default=1.20, description="paid out")
    lock_m: Positive = Field(default=1.05, description="where the crown is to lock")
    end_m: Positive = Field(default=0.20, description="where the ring meets the brackets")
    radius_m: Positive = Field(
        default=0.03, description="of its tube, for what it must not meet: assumed"
    )
    bending_N_m2: Positive = Field(default=400.0, description="EI")
    torsion_N_m2: Positive = Field(default=300.0, description="GJ")
    axial_N: Positive = Field(default=1.5e6, description="EA")
    density_kg_per_m: NotNegative = Field(
        default=2.5, description="times lock_m is its mass; half an element's goes to each end"
    )
    elements: Annotated[Whole, Field(ge=1, le=12)] = Field(
        default=1, description="of equal shares of its length, with their mass between them"
    )
    damping: NotNegative = Field(default=0.005, description="share of critical at damping_Hz")
    damping_Hz: Positive = Field(default=0.1, description="where `damping` is meant")
    root_turn_N_m_per_rad: Positive = Field(default=4000.0, description="of the root")
    root_torsion_N_m_per_rad: Positive = Field(default=3000.0, description="of the root")
    root_lateral_N_per_m: Positive = Field(default=5e5, description="of the root")
    drive_N_per_m: Positive = Field(default=4e5, description="of the drive")
    root_turn: bool = Field(
        default=False, description="second-order terms with the turn of the root"
    )
    insertion_m_per_s: Positive = Field(default=0.010, description="fastest paying out")
    retraction_m_per_s: Positive = Field(default=0.005, description="fastest drawing in")
    ramp_s: NotNegative = Field(default=0.25, description="to full speed")
    insertion_stall_N: Positive = Field(default=60.0, description="of the drive, paying out")
    retraction_stall_N: Positive = Field(default=350.0, description="of the drive, drawing in")
    spring_preload_N: Positive = Field(default=20.0, description="of the safety spring")
    spring_N_per_m: Positive = Field(default=9000.0, description="of the safety spring")
    spring_stroke_m: Positive = Field(default=0.020, description="to its stop")

    @model_validator(mode="after")
    def _lengths_in_order(self) -> BoomTable:
        lengths = (self.shortest_m, self.end_m, self.lock_m, self.longest_m)
        if not self.shortest_m < self.end_m < self.lock_m <= self.longest_m:
            found = f"shortest, end, lock, longest = {lengths}"
            raise refused(
                found, "each larger than the one before: end_m below lock_m", "0.17, 0.2, 1.05, 1.2"
            )
        if not self.shortest_m <= self.length_m <= self.longest_m:
            found = f"length_m = {self.length_m}"
            raise refused(found, f"{self.shortest_m} to {self.longest_m}", "length_m = 0.65")
        if self.elements > 1 and not self.density_kg_per_m > 0.0:
            found = f"elements = {self.elements} with density_kg_per_m = 0"
            raise refused(found, "one element, or a density above 0", "density_kg_per_m = 2.5")
        if self.end_m - self.spring_stroke_m < self.shortest_m:
            found = f"end_m - spring_stroke_m = {self.end_m - self.spring_stroke_m:.4g}"
            hint = "a shorter spring_stroke_m, or a longer end_m"
            raise refused(
                found,
                f"at least shortest_m = {self.shortest_m}: the spring cannot reach its stop",
                hint,
            )
        return self


class Brackets(Table):
    """Three crowned pads on the chaser that the client's ring comes to rest on."""

    radius_m: Positive = Field(default=0.597, description="of the circle they stand on")
    azimuths_deg: tuple[Number, Number, Number] = Field(
        default=(90.0, 210.0, 330.0), description="from y to z"
    )
    pad_m: Positive = Field(default=0.010, description="radius of a pad")
    crown_m: Positive = Field(default=0.2, description="radius of curvature of a pad")
    modulus_Pa_per_m: Positive = Field(default=3.979e9, description="foundation modulus")
    friction: NotNegative = Field(default=0.2, description="on the ring")
    damping_Pa_s_per_m: NotNegative = Field(default=2e7, description="of the pads: assumed")

    @model_validator(mode="after")
    def _the_ring_rests(self) -> Brackets:
        stand = sorted(a % 360.0 for a in self.azimuths_deg)
        gaps = [b - a for a, b in itertools.pairwise([*stand, stand[0] + 360.0])]
        if not max(gaps) < 180.0:
            found = f"azimuths_deg = {list(self.azimuths_deg)}"
            raise refused(
                found,
                "less than 180 deg between one and the next: a ring tips over",
                "[90, 210, 330]",
            )
        return self


class Ring(Table):
    """Launch adapter ring of the client: a flat annulus about the nozzle's axis."""

    radius_m: Positive = Field(default=0.597, description="of its middle")
    width_m: Positive = Field(default=0.030, description="of the flat face, across: assumed")
    edge_m: Positive = Field(default=0.002, description="radius of its edges")
    thickness_m: Positive = Field(default=0.010, description="of the flange: assumed")
    ahead_m: Number = Field(
        default=0.0, description="of its face, from the throat towards the exit"
    )
    tilt_deg: Annotated[Number, Field(ge=0.0, le=10.0)] = Field(
        default=0.0, description="against the nozzle's axis"
    )
    tilt_azimuth_deg: Number = Field(
        default=90.0, description="where it stands out towards the chaser"
    )
    offset_m: NotNegative = Field(
        default=0.0, description="of its middle from the nozzle's axis, along y"
    )


class ContactTable(Table):
    damping_Pa_s_per_m: NotNegative = Field(default=2e6, description="of nozzle and tool")
    damping_depth_m: Positive = Field(default=2e-5, description="over which damping fades in")
    friction: NotNegative = Field(default=0.25, description="of nozzle and tool, slipping")
    friction_at_rest: NotNegative = Field(default=0.30, description="of nozzle and tool, sticking")
    stick_speed_m_per_s: Positive = Field(
        default=2e-4, description="from which friction falls to its slipping value"
    )
    shear_damping_Pa_s_per_m: NotNegative = Field(default=1e6, description="of sticking")
    max_depth_m: Positive = Field(default=2e-3, description="deeper ends the run")
    fineness: Annotated[Number, Field(ge=0.5, le=2.0)] = Field(
        default=1.0, description="of the faces: 2 halves their sizes"
    )
    nearly_incompressible: Literal["refuse", "bonded_pad"] = Field(
        default="refuse", description="what to do with a Poisson's ratio above 0.45"
    )
    shape_factor: Positive = Field(
        default=1.0, description="of a bonded pad: loaded area over free side area"
    )
    lc_is_rigid: bool = Field(
        default=False,
        description="tool and client are one body from the start: no contact at nozzle and tool",
    )

    @model_validator(mode="after")
    def _rest_is_more(self) -> ContactTable:
        if self.friction_at_rest < self.friction:
            found = f"friction_at_rest = {self.friction_at_rest}"
            raise refused(found, f"at least friction = {self.friction}", "friction_at_rest = 0.3")
        return self
