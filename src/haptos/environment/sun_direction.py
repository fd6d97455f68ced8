"""The Sun and the Earth seen from a turning small body, by date.

The pole is fixed in space, the prime meridian turns evenly:
    W(t) = W0 + 2 pi (t - t0) / period
Dates come as UTC texts; leap seconds, TDB and the place of the Earth are those of ERFA, the library
of the International Astronomical Union's standards, which needs no network.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import numpy as np
from numpy.typing import ArrayLike, NDArray

from haptos.core.errors import ConfigError
from haptos.environment.kepler_orbit import OrbitElements, heliocentric_position

CITES: tuple[str, ...] = ("Archinal2018", "Lauretta2019", "Moisson2001", "Watanabe2019")

Floats = NDArray[np.float64]

J2000_JD = 2451545.0  # [day], TDB
HOURS_PER_DAY = 24.0
CENTURY = 36525.0  # [day] from J2000 within which ERFA's Earth is good to some 10 km
EARLIEST, LATEST = 1900, 2099  # whole years within it


@dataclass(frozen=True)
class SpinPole:
    """Direction of the axis a body turns about, and where its prime meridian is.

    right_ascension_deg, declination_deg  of the pole the body turns anticlockwise about [deg],
                                          equatorial J2000
    period_h      sidereal period [h], > 0
    meridian_deg  W0 [deg]: from the ascending node of the body's equator on the Earth's to the
                  prime meridian, eastward along the equator, at `epoch_jd`
    epoch_jd      TDB [day]                source  where the numbers are from
    Source: angles as in [Archinal2018]; the pole is the one of positive rotation.
    """

    right_ascension_deg: float
    declination_deg: float
    period_h: float
    meridian_deg: float = 0.0
    epoch_jd: float = J2000_JD
    source: str = "given by the user"

    def __post_init__(self) -> None:
        if not (math.isfinite(self.period_h) and self.period_h > 0.0):
            found, hint = f"period_h = {self.period_h:g}", "retrograde bodies have a southern pole"
            raise ConfigError("spin pole", found, "above 0", hint)
        for name in ("right_ascension_deg", "meridian_deg", "epoch_jd"):
            if not math.isfinite(getattr(self, name)):
                found = f"{name} = {getattr(self, name)}"
                raise ConfigError("spin pole", found, "a finite number", "check its source")
        if not abs(self.declination_deg) <= 90.0:
            found = f"declination_deg = {self.declination_deg:g}"
            raise ConfigError("spin pole", found, "-90 to 90", "check the order of the angles")


# Meridians of Bennu and Ryugu are left at zero: published ones go with particular shape models.
POLES = {
    "bennu": SpinPole(85.65, -60.17, 4.296057, source="[Lauretta2019]"),
    "eros": SpinPole(11.35, 17.22, 8640.0 / 1639.38864745, 326.07, source="[Archinal2018]"),
    "itokawa": SpinPole(90.53, -66.30, 8640.0 / 712.143, source="[Archinal2018]"),
    "ryugu": SpinPole(96.40, -66.40, 7.63262, source="[Watanabe2019]"),
}


def published_pole(name: str) -> SpinPole:
    """Pole and period of a body by name.

    Source: [Lauretta2019] Bennu, [Watanabe2019] Ryugu, [Archinal2018] Eros and Itokawa.
    """
    if name not in POLES:
        hint = "give your own SpinPole"
        raise ConfigError("spin pole", f"body '{name}'", ", ".join(sorted(POLES)), hint)
    return POLES[name]


def julian_dates(dates: str | Sequence[str]) -> Floats:
    """Julian dates in TDB [day] of UTC dates as text, "2018-09-21" or "2018-09-21T04:06:00".

    Shape (n,), or () for one text. Leap seconds as known to ERFA; later ones are not foreseen.
    """
    if isinstance(dates, str):
        return np.asarray(_julian_date(dates))
    return np.array([_julian_date(date) for date in dates])


def _julian_date(text: str) -> float:
    import erfa

    try:
        date = datetime.fromisoformat(text)
    except ValueError:
        hint = 'write "2018-09-21" or "2018-09-21T04:06:00"'
        raise ConfigError("date", f"'{text}'", "a date of ISO 8601 in UTC", hint) from None
    if date.tzinfo is not None:
        date = date.astimezone(UTC)
    if not EARLIEST <= date.year <= LATEST:
        found = f"the year {date.year}"
        raise ConfigError("date", found, f"{EARLIEST} to {LATEST}", "take a nearer date")
    second = date.second + 1e-6 * date.microsecond
    with (
        warnings.catch_warnings()
    ):  # years beyond the table of leap seconds are described in the docs
        warnings.simplefilter("ignore", erfa.ErfaWarning)
        day, part = erfa.dtf2d(
            "UTC", date.year, date.month, date.day, date.hour, date.minute, second
        )
        day, part = erfa.taitt(*erfa.utctai(day, part))
        shift = erfa.dtdb(day, part, 0.0, 0.0, 0.0, 0.0)
        day, part = erfa.tttdb(day, part, shift)
    return float(day + part)


def body_axes(pole: SpinPole, jd_tdb: ArrayLike) -> Floats:
    """dcm_AN [-], shape (..., 3, 3): equatorial J2000 components into body axes A.

    dcm_AN = R3(W) R1(pi/2 - declination) R3(pi/2 + right ascension)

    Frame: A has z along the pole, x through the prime meridian. Source: [Archinal2018] eq. for
    alpha, delta, W.
    """
    days = np.asarray(jd_tdb, dtype=np.float64) - pole.epoch_jd
    turned = np.remainder(days * (HOURS_PER_DAY / pole.period_h), 1.0)
    w = math.radians(pole.meridian_deg) + 2.0 * math.pi * turned
    ra, dec = math.radians(pole.right_ascension_deg), math.radians(pole.declination_deg)
    node = np.array([-math.sin(ra), math.cos(ra), 0.0])
    axis = np.array([math.cos(dec) * math.cos(ra), math.cos(dec) * math.sin(ra), math.sin(dec)])
    aside = np.cross(axis, node)
    c, s = np.cos(w)[..., None], np.sin(w)[..., None]
    x, y = c * node + s * aside, c * aside - s * node
    return np.stack([x, y, np.broadcast_to(axis, x.shape)], axis=-2)


def sun_vectors(orbit: OrbitElements, jd_tdb: ArrayLike) -> Floats:
    """Vectors from the body to the Sun [au], equatorial J2000 axes, shape (..., 3)."""
    return -heliocentric_position(orbit, jd_tdb)


def earth_vectors(orbit: OrbitElements, jd_tdb: ArrayLike) -> Floats:
    """Vectors from the body to the Earth [au], equatorial J2000 axes, shape (..., 3).

    Validity: 1900 to 2099; light time is left out (some 0.01 deg). Source: the Earth of ERFA's
    epv00, after [Moisson2001], better than 20 km.
    """
    import erfa

    jd = np.asarray(jd_tdb, dtype=np.float64)
    heliocentric, _ = erfa.epv00(jd, np.zeros_like(jd))
    return np.asarray(heliocentric["p"]) - heliocentric_position(orbit, jd)


def directions_in_body(pole: SpinPole, vectors_N: ArrayLike, jd_tdb: ArrayLike) -> Floats:
    """Unit vectors in body axes A of vectors in equatorial J2000 axes at the dates, (..., 3)."""
    turned = np.einsum("...ij,...j->...i", body_axes(pole, jd_tdb), np.asarray(vectors_N))
    return np.asarray(turned / np.linalg.norm(turned, axis=-1, keepdims=True))


def sun_directions(orbit: OrbitElements, pole: SpinPole, jd_tdb: ArrayLike) -> Floats:
    """Unit vectors to the Sun in body axes A at the dates (TDB) [day], shape (..., 3)."""
    return directions_in_body(pole, sun_vectors(orbit, jd_tdb), jd_tdb)


def earth_directions(orbit: OrbitElements, pole: SpinPole, jd_tdb: ArrayLike) -> Floats:
    """Unit vectors to the Earth in body axes A at the dates (TDB) [day], shape (..., 3)."""
    return directions_in_body(pole, earth_vectors(orbit, jd_tdb), jd_tdb)


def latitudes(directions_A: ArrayLike) -> Floats:
    """Latitude [rad] below a unit vector in A: the sub-solar latitude, if it leads to the Sun."""
    return np.asarray(np.arcsin(np.clip(np.asarray(directions_A)[..., 2], -1.0, 1.0)))


def local_times(points_A: ArrayLike, sun_A: ArrayLike) -> Floats:
    """Local solar time [h], 12 at noon, of places (..., 3) with the Sun along sun_A (..., 3).

    t = 12 + 24 (longitude of the place - longitude of the Sun) / 2 pi, in 0 to 24

    Frame: body axes A. Validity: true solar time by longitude; an hour is 1/24 of the body's day.
    On the axis, where every longitude is as good, that of the first axis is taken.
    """
    place, sun = np.asarray(points_A, dtype=float), np.asarray(sun_A, dtype=float)
    east = np.arctan2(place[..., 1], place[..., 0]) - np.arctan2(sun[..., 1], sun[..., 0])
    return np.asarray(np.remainder(12.0 + east * (12.0 / math.pi), 24.0))
