"""Tables of a net's surroundings: free space, the ground, an orbit, an aircraft on a parabola."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from haptos.scenarios.schema import (
    Number,
    Positive,
    Table,
    Text,
    Vector3,
    refused,
)
from haptos.scenarios.worlds.air import Atmosphere

Numbers = tuple[Number, ...]
ALTITUDE, INCLINATION, PITCH_RATE = 500_000.0, 98.0, 4.0  # [m], [deg], [deg/s] if left out
GROUND_GRAVITY = (0.0, 0.0, -9.81)  # [m/s^2] if left out
IN_ORBIT = ("j2", "gravity_gradient", "sunlight", "earthlight")
IN_AIR = ("body_drag", "bullet_drag", "thread_drag")


class NetAir(Atmosphere):
    """Air that bodies, bullets and threads fly through."""

    mach: Annotated[Number, Field(gt=1.0)] = Field(
        default=10.0, description="in orbit, of the Newtonian drag of threads and bullets"
    )


class NetOrbit(Table):
    """Of the N origin at time zero, by elements or vectors; axes with z along the Earth's spin."""

    semi_major_axis_m: Positive | None = Field(default=None, description="of the ellipse")
    eccentricity: Annotated[Number, Field(ge=0.0, lt=1.0)] = Field(
        default=0.0, description="0: circle"
    )
    inclination_deg: Annotated[Number, Field(ge=0.0, le=180.0)] = Field(
        default=98.0, description="of its plane to the equator"
    )
    node_deg: Number = Field(default=0.0, description="right ascension of the ascending node")
    periapsis_deg: Number = Field(default=0.0, description="from the node")
    true_anomaly_deg: Number = Field(default=0.0, description="from periapsis, at time zero")
    position_m: Vector3 | None = Field(
        default=None, description="from the Earth's centre, with velocity in place of elements"
    )
    velocity_m_per_s: Vector3 | None = Field(default=None, description="with position_m")

    @model_validator(mode="after")
    def _one_way(self) -> NetOrbit:
        vectors = (self.position_m is not None, self.velocity_m_per_s is not None)
        has_elements = self.semi_major_axis_m is not None
        if vectors[0] != vectors[1] or has_elements == vectors[0]:
            keys = ("semi_major_axis_m", "position_m", "velocity_m_per_s")
            found = " and ".join(k for k in keys if getattr(self, k) is not None) or "no orbit"
            allowed = "semi_major_axis_m, or position_m with velocity_m_per_s"
            raise refused(found, allowed, "semi_major_axis_m = 6878137.0")
        return self


class NetFlight(Table):
    """Aircraft on a parabola; N axes are its own, x fore, y the pitch axis, z up."""

    place_m: Vector3 = Field(
        default=(0.0, 0.0, 0.0),
        description="of the chaser's centre from the centre the aircraft turns about",
    )
    pitch_times_s: Numbers = Field(default=(), description="rising, from 0 or before to the end")
    pitch_rates_deg_per_s: Numbers = Field(
        default=(), description="nose down, linear between times"
    )
    pitch_file: Text | None = Field(
        default=None, description="CSV with time_s, rate_deg_per_s in place of these lists"
    )
    disturbance_times_s: Numbers = Field(default=(), description="rising, from 0 to the end")
    disturbance_m_per_s2: tuple[Vector3, ...] = Field(
        default=(), description="measured, linear between times, aircraft axes"
    )
    disturbance_file: Text | None = Field(
        default=None, description="CSV with time_s, x_m_per_s2, y_m_per_s2, z_m_per_s2 instead"
    )
    sensor_m: Vector3 = Field(
        default=(0.0, 0.0, 0.0),
        description="of the accelerometer, from the centre of turning; 0: turning is taken out "
        "already",
    )

    @model_validator(mode="after")
    def _one_table_each(self) -> NetFlight:
        for name, value in (
            ("pitch", "pitch_rates_deg_per_s"),
            ("disturbance", "disturbance_m_per_s2"),
        ):
            lists = (len(getattr(self, f"{name}_times_s")), len(getattr(self, value)))
            if lists[0] != lists[1]:
                found = f"{lists[0]} times and {lists[1]} values in {value}"
                raise refused(found, "a value for each time", "count them")
            if lists[0] and getattr(self, f"{name}_file") is not None:
                raise refused(
                    f"{name}_file and {name}_times_s", "one of them", f"leave out {name}_file"
                )
        return self


class Environment(Table):
    """Where the net is, and what acts on it there; each force is switched on by itself."""

    kind: Literal["free", "ground", "orbit", "flight", "auto"] = Field(
        default="free",
        description="no gravity; on the ground; about the Earth; parabolic flight; auto: flight "
        "if its table is there, else ground if the chaser holds its place, else orbit",
    )
    gravity_m_per_s2: Vector3 | None = Field(
        default=None,
        description="of the ground, N axes; x is the shooting direction; [0, 0, -9.81] if left out",
    )
    altitude_m: Positive | None = Field(
        default=None, description="of a circular orbit; 500 km if left out"
    )
    inclination_deg: Annotated[Number, Field(ge=0.0, le=180.0)] | None = Field(
        default=None, description="of the circular orbit; 98 if left out"
    )
    latitude_argument_deg: Number | None = Field(
        default=None, description="where on the circular orbit it starts; 0 if left out"
    )
    pitch_rate_deg_per_s: Number | None = Field(
        default=None, description="even, of a parabolic flight, nose down; 4 if left out"
    )
    orbit: NetOrbit | None = Field(default=None, description="any ellipse in place of the circle")
    flight: NetFlight | None = Field(default=None, description="place, pitch profile, disturbance")
    atmosphere: NetAir = Field(default=NetAir(), description="air for drag")
    j2: bool = Field(default=False, description="flattening of the Earth; in orbit")
    gravity_gradient: bool = Field(default=False, description="torque on bodies; in orbit")
    body_drag: bool = Field(default=False, description="of the air on faces of chaser and target")
    bullet_drag: bool = Field(default=False, description="of the air on bullets")
    thread_drag: bool = Field(default=False, description="of the air on threads")
    sunlight: bool = Field(
        default=False, description="pressure on faces outside the Earth's shadow"
    )
    earthlight: bool = Field(default=False, description="pressure of the Earth's light on faces")
    from_sun: Vector3 = Field(
        default=(-1.0, 0.0, 0.0),
        description="direction of sunlight, axes of the orbit's elements; default: March equinox",
    )

    def found_kind(self, chaser_holds: bool) -> str:
        """Free, ground, orbit or flight."""
        if self.kind != "auto":
            return self.kind
        if self.flight is not None or self.pitch_rate_deg_per_s is not None:
            return "flight"
        return "ground" if chaser_holds else "orbit"

    @property
    def ground_gravity(self) -> Vector3:
        """Acceleration [m/s^2] on the ground, N axes."""
        return GROUND_GRAVITY if self.gravity_m_per_s2 is None else self.gravity_m_per_s2

    @property
    def has_drag(self) -> bool:
        """Whether anything feels the air."""
        return any(getattr(self, key) for key in IN_AIR)


def without_unused_gravity(table: dict[str, Any]) -> dict[str, Any]:
    """A stored [environment] without the gravity of the ground that 0.2 wrote for nets elsewhere too."""
    if table.get("kind") == "ground" or table.get("gravity_m_per_s2") != list(GROUND_GRAVITY):
        return table
    return {key: value for key, value in table.items() if key != "gravity_m_per_s2"}


def misfit(given: Environment, kind: str, is_held: bool) -> tuple[str, str, str] | None:
    """(found, allowed, hint) of the first key that makes no sense where the net is, or None."""
    for key in IN_ORBIT:
        if getattr(given, key) and kind != "orbit":
            return f"environment.{key} with kind = '{kind}'", "in orbit", "kind = 'orbit'"
    for key in IN_AIR:
        if getattr(given, key) and kind in ("free", "body"):
            allowed = "where there is air: ground, orbit, flight"
            return f"environment.{key} with kind = '{kind}'", allowed, "kind = 'ground'"
    owners = {
        "orbit": "orbit", "altitude_m": "orbit", "inclination_deg": "orbit",
        "latitude_argument_deg": "orbit", "flight": "flight", "pitch_rate_deg_per_s": "flight",
        "gravity_m_per_s2": "ground",
    }  # fmt: skip
    for key, owner in owners.items():
        if getattr(given, key) is not None and kind != owner:
            where = "on the ground" if owner == "ground" else f"in {owner}"
            hint = f"remove it, or kind = '{owner}'"
            return f"environment.{key} with kind = '{kind}'", where, hint
    if kind == "orbit" and is_held:
        allowed = "on the ground or in an aircraft: in orbit nothing stands still"
        return "holds_place with kind = 'orbit'", allowed, "kind = 'ground'"
    return _doubled(given) or _odd_air(given, kind)


def _doubled(given: Environment) -> tuple[str, str, str] | None:
    """The same thing given twice."""
    if given.orbit is not None:
        for key in ("altitude_m", "inclination_deg", "latitude_argument_deg"):
            if getattr(given, key) is not None:
                found = f"environment.{key} and [environment.orbit]"
                return found, "one of them", f"leave out {key}"
    flight = given.flight
    has_profile = flight is not None and (flight.pitch_times_s or flight.pitch_file is not None)
    if has_profile and given.pitch_rate_deg_per_s is not None:
        found = "pitch_rate_deg_per_s and a pitch profile"
        return found, "one of them", "leave out pitch_rate_deg_per_s"
    return None


def _odd_air(given: Environment, kind: str) -> tuple[str, str, str] | None:
    """Air or light that cannot be there."""
    air = given.atmosphere
    if air.turns and kind != "orbit":
        found = f"environment.atmosphere.turns with kind = '{kind}'"
        return found, "in orbit", "wind_m_per_s on the ground"
    if any(air.wind_m_per_s) and kind == "orbit":
        return "environment.atmosphere.wind_m_per_s in orbit", "ground, flight", "turns = true"
    if given.sunlight and not any(given.from_sun):
        return "environment.from_sun of no length", "a direction", "from_sun = [-1.0, 0.0, 0.0]"
    return None
