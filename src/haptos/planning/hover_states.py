"""States of a mothership before release: home position, descent, hover, pre-release manoeuvre.

A mothership hovers in a frame that does not turn with the body; the body turns below it, so the
longitude of a release is the time of the release.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from haptos.core.errors import ConfigError

CITES: tuple[str, ...] = ("VanWal2018",)

Floats = NDArray[np.float64]


def home_axes(earth_N: ArrayLike, sun_N: ArrayLike) -> Floats:
    """Rows x, y, z of the home-position frame in inertial axes N, shape (3, 3).

    z towards the Earth, y = z x Sun (normalised), x = y x z: the Sun lies in the half plane x > 0.

    earth_N, sun_N  vectors from the body to the Earth and the Sun, any length
    Validity: Earth and Sun not along one line. Source: home position of [VanWal2018] ch. 5.
    """
    z = np.asarray(earth_N, dtype=float)
    z = z / np.linalg.norm(z)
    y = np.cross(z, np.asarray(sun_N, dtype=float))
    length = float(np.linalg.norm(y))
    if not length > 1e-9 * float(np.linalg.norm(sun_N)):
        found = "Earth and Sun along one line"
        raise ConfigError("home position", found, "two directions", "take another date")
    y = y / length
    return np.stack([np.cross(y, z), y, z])


def state_in_body(
    r_N: ArrayLike, v_N: ArrayLike, dcm_AN: ArrayLike, omega_AN_A: ArrayLike
) -> tuple[Floats, Floats]:
    """(r_BA_A [m], v_BA_A [m/s]) of inertial states, shapes (..., 3), as someone on the body sees them.

    r_A = dcm_AN r_N,   v_A = dcm_AN v_N - omega x r_A

    Source: transport theorem, [VanWal2018] ch. 2.
    """
    dcm = np.asarray(dcm_AN, dtype=float)
    r_A = np.einsum("...ij,...j->...i", dcm, np.asarray(r_N, dtype=float))
    v_A = np.einsum("...ij,...j->...i", dcm, np.asarray(v_N, dtype=float))
    return r_A, v_A - np.cross(np.asarray(omega_AN_A, dtype=float), r_A)


def descent_times(altitudes: ArrayLike, speeds: ArrayLike) -> Floats:
    """Times [s] at which a straight descent passes its altitudes, the first at zero, shape (n,).

    altitudes  falling [m], shape (n,)          speeds  between them [m/s] > 0, shape (n - 1,)
    """
    height, speed = np.asarray(altitudes, dtype=float), np.asarray(speeds, dtype=float)
    if len(speed) != len(height) - 1 or not np.all(speed > 0.0) or not np.all(np.diff(height) < 0):
        found = f"{len(height)} altitudes, {len(speed)} speeds"
        allowed = "falling altitudes, and a speed above 0 between each two"
        raise ConfigError(
            "descent", found, allowed, "altitudes [20000, 5000, 60], speeds [0.4, 0.1]"
        )
    return np.concatenate([[0.0], np.cumsum(-np.diff(height) / speed)])


def descent_states(
    direction: ArrayLike, radius: float, altitudes: ArrayLike, speeds: ArrayLike, rate: float
) -> tuple[Floats, Floats, Floats]:
    """(times [s] (n,), r_BA_A [m] (n, 3), v_BA_A [m/s] (n, 3)) of a straight descent towards the centre.

    r_N = (radius + altitude) d;   r_A = R3(rate t) r_N,   v_A = -R3(rate t) speed d - omega x r_A

    direction  d, fixed in space, in A axes at time zero     radius  altitudes are counted from [m]
    altitudes, speeds  as for `descent_times`; the last state is the nulled descent, speed zero
    rate       of the spin about +z [rad/s]
    Frame: A as it is at each time. Validity: speeds change at once; uniform spin about z.
    Source: descent and hover of [VanWal2018] ch. 5, transport theorem.
    """
    times = descent_times(altitudes, speeds)
    unit = np.asarray(direction, dtype=float)
    unit = unit / np.linalg.norm(unit)
    c, s = np.cos(rate * times), np.sin(rate * times)
    along = np.stack(
        [c * unit[0] + s * unit[1], c * unit[1] - s * unit[0], np.full_like(c, unit[2])], axis=1
    )
    r_A = (radius + np.asarray(altitudes, dtype=float))[:, None] * along
    fall = np.append(np.asarray(speeds, dtype=float), 0.0)[:, None] * along
    return times, r_A, -fall - np.cross([0.0, 0.0, rate], r_A)


def times_over_longitude(longitude: ArrayLike, hover_longitude: float, rate: float) -> Floats:
    """Waiting time [s] until a longitude [rad] of the body comes below a hover fixed in space.

    t = ((hover_longitude - longitude) mod 2 pi) / rate,   in [0, period)

    hover_longitude  of the hover at time zero [rad]     rate  of the spin about +z [rad/s], > 0
    Frame: longitudes in body axes A, eastward. Validity: uniform spin about z.
    """
    if not rate > 0.0:
        raise ConfigError("spin rate", f"{rate:g} rad/s", "above 0", "turn the axes so that it is")
    wait = np.remainder(hover_longitude - np.asarray(longitude, dtype=float), 2.0 * math.pi)
    return np.asarray(wait / rate)


def pre_release_manoeuvre(r_A: ArrayLike, eject_A: ArrayLike, omega_AN_A: ArrayLike) -> Floats:
    """Horizontal velocity [m/s] a hovering mothership takes up so that the probe drops without drift.

    v = [omega x r - eject]_T,   [.]_T = part across the radius: then the ground below does not move

    r_A      place of the release [m], (3,)         eject_A  velocity given by the ejector [m/s]
    Frame: body axes A at release; the mothership was at rest in space before.
    Validity: removes the drift at release; that at impact differs by the change of omega x r over
    the height of the drop. Source: elementary; [VanWal2018] ch. 5 names the manoeuvre.
    """
    r = np.asarray(r_A, dtype=float)
    up = r / np.linalg.norm(r)
    wanted = np.cross(np.asarray(omega_AN_A, dtype=float), r) - np.asarray(eject_A, dtype=float)
    return np.asarray(wanted - (wanted @ up) * up)


def east_north_up(r_A: ArrayLike) -> Floats:
    """Rows east, north, up at a place (3,) [m] in body axes A; east is +y on the axis itself."""
    r = np.asarray(r_A, dtype=float)
    up = r / np.linalg.norm(r)
    east = (
        np.array([-r[1], r[0], 0.0]) if math.hypot(r[0], r[1]) > 0.0 else np.array([0.0, 1.0, 0.0])
    )
    east = east / np.linalg.norm(east)
    return np.stack([east, np.cross(up, east), up])
