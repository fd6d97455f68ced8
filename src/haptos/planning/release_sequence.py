"""Release of a probe from a mothership, step by step, with the 3-sigma errors of every step.

Arrive and null the descent; take up a horizontal velocity (pre-release manoeuvre) or none; wait,
falling freely; eject. The body turns below meanwhile, so an error in time is one in longitude.
Every error is Gaussian and given as three standard deviations, as mission documents do.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from haptos.core.errors import ConfigError
from haptos.core.rotations import quaternion_product
from haptos.planning.hover_states import east_north_up, pre_release_manoeuvre

CITES: tuple[str, ...] = ("VanWal2018",)

Floats = NDArray[np.float64]
Vector = tuple[float, float, float]

ZERO: Vector = (0.0, 0.0, 0.0)
# Standard normals of one release: place 3, velocity 3, manoeuvre 3, time 1, ejector 3, attitude 3, rate 3.
DRAWS = 19
SIGMAS = 3.0  # [-] standard deviations that errors are given as
VECTORS = ("position_m", "velocity_m_per_s", "manoeuvre_m_per_s")  # errors per axis


@dataclass(frozen=True)
class ReleaseErrors:
    """Three standard deviations of what goes wrong; vectors per axis east, north, up.

    position_m            of the place where the descent is nulled [m], (3,)
    velocity_m_per_s      left over after nulling it [m/s], (3,)
    manoeuvre_m_per_s     of the pre-release manoeuvre [m/s], (3,); only if there is one
    speed_m_per_s         of the ejector [m/s]; only if it ejects
    direction_deg         of the ejector in its mothership, about each of two axes across it [deg]
    time_s                of the ejection [s]
    attitude_deg          of the mothership about each axis [deg]: turns ejector and probe
    rate_deg_per_s        of the probe's spin about each of its axes [deg/s]
    """

    position_m: Vector = ZERO
    velocity_m_per_s: Vector = ZERO
    manoeuvre_m_per_s: Vector = ZERO
    speed_m_per_s: float = 0.0
    direction_deg: float = 0.0
    time_s: float = 0.0
    attitude_deg: float = 0.0
    rate_deg_per_s: float = 0.0

    def __post_init__(self) -> None:
        for field in fields(self):
            values = np.asarray(getattr(self, field.name), dtype=float)
            wanted, words = ((3,), "three numbers") if field.name in VECTORS else ((), "a number")
            if values.shape != wanted or not np.all(np.isfinite(values) & (values >= 0.0)):
                found = f"{field.name} = {getattr(self, field.name)}"
                raise ConfigError("release errors", found, f"{words} >= 0", "3 sigma has no sign")


@dataclass(frozen=True)
class ReleaseSequence:
    """The plan of a release; angles in degrees, as in mission documents.

    position_m         of the nulled descent from the centre of the body [m], A axes as they are at the
                       planned ejection
    spin_rad_per_s     omega_AN_A [rad/s], (3,)
    mu_m3_per_s2       of the body, for the fall while waiting [m^3/s^2]
    wait_s             from nulling (and manoeuvre) to ejection [s]
    eject_speed_m_per_s, azimuth_deg (from east towards north), elevation_deg (above the horizon)
    manoeuvre          whether the drift over the ground is removed before
    attitude           quat_AB of the probe at the planned ejection, scalar first
    rate_rad_per_s     its spin, B axes         errors  3-sigma errors
    """

    position_m: Vector
    spin_rad_per_s: Vector
    mu_m3_per_s2: float
    wait_s: float = 0.0
    eject_speed_m_per_s: float = 0.0
    azimuth_deg: float = 0.0
    elevation_deg: float = 0.0
    manoeuvre: bool = False
    attitude: tuple[float, float, float, float] = (1.0, 0.0, 0.0, 0.0)
    rate_rad_per_s: Vector = ZERO
    errors: ReleaseErrors = ReleaseErrors()

    def __post_init__(self) -> None:
        where = "release sequence"
        if not math.hypot(*self.position_m) > 0.0:
            hint = "give the place from the centre of the body"
            raise ConfigError(where, "position_m of no length", "a place", hint)
        if not math.hypot(*self.attitude) > 0.0:
            raise ConfigError(where, "attitude of no length", "a quaternion", "(1, 0, 0, 0)")
        for name in ("mu_m3_per_s2", "wait_s", "eject_speed_m_per_s"):
            if not 0.0 <= getattr(self, name) < math.inf:
                found = f"{name} = {getattr(self, name):g}"
                raise ConfigError(where, found, ">= 0", "check its sign")
        for name in (
            "position_m", "spin_rad_per_s", "azimuth_deg", "elevation_deg", "attitude", "rate_rad_per_s"
        ):  # fmt: skip
            if not np.all(np.isfinite(np.asarray(getattr(self, name), dtype=float))):
                found = f"{name} = {getattr(self, name)}"
                raise ConfigError(where, found, "finite numbers", "check where it comes from")

    @property
    def eject_A(self) -> Floats:
        """Velocity the ejector gives [m/s], A axes at the planned ejection."""
        azimuth, height = math.radians(self.azimuth_deg), math.radians(self.elevation_deg)
        level = math.cos(height)
        local = np.array([level * math.cos(azimuth), level * math.sin(azimuth), math.sin(height)])
        return np.asarray(self.eject_speed_m_per_s * local @ east_north_up(self.position_m))

    def over_longitude(self, longitude_deg: float) -> ReleaseSequence:
        """The same release at the time when this longitude [deg] is below the mothership."""
        return self.moved(longitude_deg=longitude_deg)

    def moved(
        self,
        *,
        longitude_deg: float | None = None,
        latitude_deg: float | None = None,
        distance_m: float | None = None,
    ) -> ReleaseSequence:
        """The same release over another place [deg], or nulled at another distance [m] from the centre."""
        if distance_m is not None and not distance_m > 0.0:
            hint = "give it from the centre of the body"
            raise ConfigError("release sequence", f"distance_m = {distance_m:g}", "above 0", hint)
        if latitude_deg is not None and not abs(latitude_deg) <= 90.0:
            found, hint = f"latitude_deg = {latitude_deg:g}", "narrow its bounds"
            raise ConfigError("release sequence", found, "-90 to 90", hint)
        x, y, z = self.position_m
        distance = math.hypot(x, y, z) if distance_m is None else distance_m
        lon = math.atan2(y, x) if longitude_deg is None else math.radians(longitude_deg)
        lat = (
            math.atan2(z, math.hypot(x, y)) if latitude_deg is None else math.radians(latitude_deg)
        )
        level = distance * math.cos(lat)
        place = (level * math.cos(lon), level * math.sin(lon), distance * math.sin(lat))
        return replace(self, position_m=place)


@dataclass(frozen=True, eq=False)
class Releases:
    """States of many releases, relative to the turning body, A axes at each ejection.

    position_m (n, 3)   velocity_m_per_s (n, 3)   attitude_quaternion (n, 4)   rate_rad_per_s (n, 3)
    """

    position_m: Floats
    velocity_m_per_s: Floats
    attitude_quaternion: Floats
    rate_rad_per_s: Floats

    def tables(self) -> list[dict[str, Any]]:
        """The [release] table of each run, as a scenario file has it."""
        names = [field.name for field in fields(self)]
        rows = zip(*(getattr(self, name).tolist() for name in names), strict=True)
        return [{**dict(zip(names, row, strict=True)), "frame": "rotating"} for row in rows]

    def sweeps(self) -> dict[str, Any]:
        """The [release] table of a campaign file: lists that advance together, one run each."""
        lists = {
            field.name: {"sweep": "list", "values": getattr(self, field.name).tolist()}
            for field in fields(self)
        }
        return {**lists, "frame": "rotating"}


def standard_draws(count: int, seed: int) -> Floats:
    """Standard normals for so many releases, shape (count, DRAWS): common random numbers.

    The same draws for every plan compared, so that plans differ by design, not by luck.
    """
    return np.random.default_rng(seed).standard_normal((count, DRAWS))


def releases(sequence: ReleaseSequence, draws: ArrayLike) -> Releases:
    """States at ejection of a plan under drawn errors, `standard_draws`; zeros for the plan itself.

    While waiting: r = r0 + v t - g t^2 up / 2, g = mu / |r0|^2, in the frame that does not turn.
    After it the body has turned by spin times the error in time. No ejection comes before the
    nulling of the descent: an error beyond -wait_s counts as -wait_s.

    Validity: a wait much shorter than sqrt(|r0|^3 / mu); gravity of a point; small angles of error.
    Source: sequence of [VanWal2018] ch. 5, whose steps are named there.
    """
    drawn = np.atleast_2d(np.asarray(draws, dtype=float))
    if drawn.ndim != 2 or drawn.shape[1] != DRAWS:
        found = f"draws of shape {drawn.shape}"
        raise ConfigError("releases", found, f"shape (n, {DRAWS})", "standard_draws(100, seed)")
    z = drawn / SIGMAS
    place, plan = sequence.errors, np.asarray(sequence.position_m, dtype=float)
    local = east_north_up(plan)
    r0 = plan + (z[:, 0:3] * np.asarray(place.position_m)) @ local
    velocity = (z[:, 3:6] * np.asarray(place.velocity_m_per_s)) @ local
    if sequence.manoeuvre:
        planned = pre_release_manoeuvre(plan, sequence.eject_A, sequence.spin_rad_per_s)
        velocity = velocity + planned + (z[:, 6:9] * np.asarray(place.manoeuvre_m_per_s)) @ local
    late = np.maximum(z[:, 9] * place.time_s, -sequence.wait_s)
    r, v = _after_fall(r0, velocity, sequence.wait_s + late, sequence.mu_m3_per_s2)
    tilt = np.radians(place.attitude_deg) * z[:, 13:16]
    v = v + _ejected(sequence, z[:, 10:13], tilt)
    omega = np.asarray(sequence.spin_rad_per_s, dtype=float)
    r_A, v_A = (_turned(-late[:, None] * omega, x) for x in (r, v))
    spin = np.asarray(sequence.rate_rad_per_s) + np.radians(place.rate_deg_per_s) * z[:, 16:19]
    turn = _quaternions(tilt)
    body = _quaternions(-late[:, None] * omega)
    quat = _product(_product(body, turn), np.broadcast_to(sequence.attitude, turn.shape))
    quat = quat / np.linalg.norm(quat, axis=1, keepdims=True)
    return Releases(r_A, v_A - np.cross(omega, r_A), quat, spin)


def _after_fall(r0: Floats, v0: Floats, wait: Floats, mu: float) -> tuple[Floats, Floats]:
    """(r, v) after falling freely for `wait` [s] under the pull at r0."""
    distance = np.linalg.norm(r0, axis=1, keepdims=True)
    g = -mu * r0 / distance**3
    t = wait[:, None]
    return r0 + t * v0 + 0.5 * t * t * g, v0 + t * g


def _ejected(sequence: ReleaseSequence, z: Floats, tilt: Floats) -> Floats:
    """Velocity given by the ejector [m/s] with its errors, (n, 3)."""
    speed = sequence.eject_speed_m_per_s
    if speed == 0.0:
        return np.zeros((len(z), 3))
    ahead = sequence.eject_A / speed
    aside = np.cross(ahead, np.eye(3)[np.argmin(np.abs(ahead))])
    aside = aside / np.linalg.norm(aside)
    above = np.cross(ahead, aside)
    small = math.radians(sequence.errors.direction_deg) * z[:, 1:3]
    pointed = _turned(small[:, :1] * aside + small[:, 1:] * above, np.tile(ahead, (len(z), 1)))
    shot = (speed + z[:, 0] * sequence.errors.speed_m_per_s)[:, None] * pointed
    return _turned(tilt, shot)


def _quaternions(turns: Floats) -> Floats:
    """Unit quaternions of turns about vectors, by their lengths [rad], shape (n, 4)."""
    angle = np.linalg.norm(turns, axis=1, keepdims=True)
    return np.concatenate([np.cos(0.5 * angle), 0.5 * np.sinc(0.5 * angle / np.pi) * turns], axis=1)


def _product(p: Floats, q: Floats) -> Floats:
    return np.stack(quaternion_product(p.T, q.T), axis=1)


def _turned(turns: Floats, vectors: Floats) -> Floats:
    """Vectors (n, 3) turned about vectors, by their lengths [rad] (Rodrigues)."""
    angle = np.linalg.norm(turns, axis=1, keepdims=True)
    s, c = np.sinc(angle / np.pi), 0.5 * np.sinc(0.5 * angle / np.pi) ** 2
    once = np.cross(turns, vectors)
    return np.asarray(vectors + s * once + c * np.cross(turns, once))
