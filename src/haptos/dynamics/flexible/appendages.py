"""Flexible wings on a rigid hub: modes of the clamped wing, coupled to the hub through one mass matrix.

    T = 1/2 x^T M x + x^T D eta' + 1/2 |eta'|^2,     x = (V, w) of the hub in body axes
    momenta: (P, H) = M x + D eta',   pi = eta' + D^T x
    pi' = -O^2 eta - 2 zeta O eta',   so  eta'' + 2 zeta O eta' + O^2 eta = -D^T x'     for small motions
    x = (M - D D^T)^-1 ((P, H) - D pi),   eta' = pi - D^T x

    M    (6, 6) mass matrix of hub and wings, wings rigid        eta, pi  amplitude and momentum of a mode
    D    (6, modes) coupling: delta_t, delta_r + rho x delta_t turned into body axes by the wing's angle
    O, zeta  angular frequency [rad/s] and damping ratio [-] of the clamped mode        rho  root [m]
    delta = int phi dm, int r x phi dm over a mode of unit modal mass [sqrt(kg)], [sqrt(kg) m] about the root
Uniform cantilever of mass m and length l: delta_t = 0.78299 sqrt(m), delta_r = 0.56883 sqrt(m) l, second mode
0.43394, 0.09077; twist of a plate of inertia J: 0.90032 sqrt(J).
States are momenta, so the sums over bodies that conservation speaks of are sums of states: a Runge-Kutta step
keeps them to rounding. A wing turned by its drive changes D and M; its drive does the work
    -theta' (1/2 x^T M_theta x + x^T D_theta eta').
Propellant is a point of the hub at its tank: what is gone of it is taken off M, and leaves with the velocity of that point.
Frame: body axes about the hub's centre of mass; wing axes x along, z normal to the panel, y = z x x.
Validity: small amplitudes; inertia does not change with them; the turning wing is balanced about its axis.
Source: hybrid coordinates [Likins1970]; numbers of the beam: integrals of the cantilever's modes.
"""

from __future__ import annotations

import math
from collections import namedtuple
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from haptos.core.by_reference import by_reference
from haptos.core.errors import ConfigError
from haptos.core.inlining import routine
from haptos.core.jit import device
from haptos.core.vectors import add, cross, dot, scale

CITES: tuple[str, ...] = ("Likins1970",)

Floats = NDArray[np.float64]

FIRST_MODE, SECOND_MODE = (0.782992, 0.568826), (0.433936, 0.090767)  # [-] of sqrt(m), sqrt(m) l
TWIST = math.sqrt(8.0) / math.pi  # [-] of sqrt(J): first twist of a uniform bar, clamped at one end

# wing_body (k,), axis (k, 3), root (k, 3), inertia (k, 6) about its centre at angle 0, spin (k,) about the axis
# first (k + 1,) modes of each wing; start (m, 6) couplings about the root at angle 0, omega, zeta (m,)
# body_first (b + 1,) modes and body_wing (b + 1,) wings of each body; fixed (b, 6, 6) all that does not turn
# tank (b, 3) [m] where propellant is, spent (b,) [kg] that is gone from there
# now: coupling (m, 6), rigid (b, 6, 6) M, inverse (b, 6, 6) of M - D D^T, work (6, 6)
Appendages = namedtuple(
    "Appendages",
    "wing_body axis root inertia spin first start omega zeta body_first body_wing fixed tank spent coupling "
    "rigid inverse work",
)
by_reference(Appendages)


@dataclass(frozen=True)
class ClampedMode:
    """Clamped mode of a wing: frequency [Hz], damping ratio [-], couplings (6,) about its root in wing axes."""

    frequency: float
    damping: float
    coupling: ArrayLike


def beam_modes(
    mass: float, length: float, width: float, *, out_of_plane: float, in_plane: float = 0.0,
    torsion: float = 0.0, damping: float = 0.005, second: bool = False,
) -> tuple[ClampedMode, ...]:  # fmt: skip
    """First modes of a uniform wing at the frequencies [Hz] given; a frequency of 0 leaves its mode out.

    second  adds the second bending modes, at 6.2669 times the first
    """
    for name, value in (("mass", mass), ("length", length), ("width", width)):
        if not (math.isfinite(value) and value > 0.0):
            raise ConfigError("wing", f"{name} = {value:g}", "a finite number above 0", "1.0")
    modes = []
    for factor, (t, r) in ((1.0, FIRST_MODE), (6.26689, SECOND_MODE))[: 2 if second else 1]:
        t, r = t * math.sqrt(mass), r * math.sqrt(mass) * length
        if out_of_plane > 0.0:
            modes.append(ClampedMode(factor * out_of_plane, damping, (0.0, 0.0, t, 0.0, -r, 0.0)))
        if in_plane > 0.0:
            modes.append(ClampedMode(factor * in_plane, damping, (0.0, t, 0.0, 0.0, 0.0, r)))
    if torsion > 0.0:
        twist = TWIST * math.sqrt(mass / 12.0) * width
        modes.append(ClampedMode(torsion, damping, (0.0, 0.0, 0.0, twist, 0.0, 0.0)))
    return tuple(modes)


def hinge_mode(mass: float, length: float, frequency: float, damping: float = 0.005) -> ClampedMode:
    """A rigid wing on a torsion spring at its root, that turns out of its plane; for coarse studies."""
    inertia = mass * length**2 / 3.0
    moment = 0.5 * mass * length
    size = math.sqrt(inertia)
    return ClampedMode(frequency, damping, (0.0, 0.0, moment / size, 0.0, -size, 0.0))


@device
def turned(axis, angle, x):
    """x turned about a unit axis."""
    c, s = math.cos(angle), math.sin(angle)
    along = (1.0 - c) * dot(axis, x)
    return add(add(scale(c, x), scale(s, cross(axis, x))), scale(along, axis))


@device
def vector(rows, k, first):
    return (rows[k, first], rows[k, first + 1], rows[k, first + 2])


@device
def _entry(s, i, j):
    """Element of a symmetric matrix kept as a row of six."""
    a, b = min(i, j), max(i, j)
    return s[a + b] if a == 0 else s[a + b + 1]


@device
def _inertia_column(a, w, angle, column):
    """Column of a wing's inertia about its centre, turned by its angle, in body axes."""
    axis = vector(a.axis, w, 0)
    unit = (1.0 if column == 0 else 0.0, 1.0 if column == 1 else 0.0, 1.0 if column == 2 else 0.0)
    back = turned(axis, -angle, unit)
    s = a.inertia[w]
    x = (
        _entry(s, 0, 0) * back[0] + _entry(s, 0, 1) * back[1] + _entry(s, 0, 2) * back[2],
        _entry(s, 0, 1) * back[0] + _entry(s, 1, 1) * back[1] + _entry(s, 1, 2) * back[2],
        _entry(s, 0, 2) * back[0] + _entry(s, 1, 2) * back[1] + _entry(s, 2, 2) * back[2],
    )
    return turned(axis, angle, x)


@routine
def set_wing(a, w, angle):
    """Couplings of the modes of wing w at its angle [rad]."""
    axis, root = vector(a.axis, w, 0), vector(a.root, w, 0)
    for m in range(a.first[w], a.first[w + 1]):
        t = turned(axis, angle, vector(a.start, m, 0))
        r = add(turned(axis, angle, vector(a.start, m, 3)), cross(root, t))
        for i in range(3):
            a.coupling[m, i], a.coupling[m, 3 + i] = t[i], r[i]


@routine
def _take_off(rigid, place, mass):
    """Take a mass [kg] at a place [m] in body axes off a (6, 6) mass matrix."""
    square = dot(place, place)
    for i in range(3):
        rigid[i, i] -= mass
        rigid[3 + i, 3 + i] -= mass * square
        for j in range(3):
            rigid[3 + i, 3 + j] += mass * place[i] * place[j]
    for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        rigid[3 + i, j] += mass * place[k]
        rigid[j, 3 + i] += mass * place[k]
        rigid[3 + j, i] -= mass * place[k]
        rigid[i, 3 + j] -= mass * place[k]


@routine
def set_body(a, b, angles, first):
    """Mass matrix of body b and the inverse that gives velocities, at the angles [rad] of its wings from `first`."""
    rigid, work, inverse = a.rigid[b], a.work, a.inverse[b]
    for i in range(6):
        for j in range(6):
            rigid[i, j] = a.fixed[b, i, j]
    _take_off(rigid, vector(a.tank, b, 0), a.spent[b])
    for w in range(a.body_wing[b], a.body_wing[b + 1]):
        angle = angles[first + w]
        set_wing(a, w, angle)
        for j in range(3):
            column = _inertia_column(a, w, angle, j)
            for i in range(3):
                rigid[3 + i, 3 + j] += column[i]
    for i in range(6):
        for j in range(6):
            work[i, j] = rigid[i, j]
            for m in range(a.body_first[b], a.body_first[b + 1]):
                work[i, j] -= a.coupling[m, i] * a.coupling[m, j]
    invert(work, inverse)


@routine
def invert(work, inverse):
    """Inverse of a positive definite (6, 6) matrix by elimination; `work` is used up."""
    for i in range(6):
        for j in range(6):
            inverse[i, j] = 1.0 if i == j else 0.0
    for c in range(6):
        pivot = 1.0 / work[c, c]
        for j in range(6):
            work[c, j] *= pivot
            inverse[c, j] *= pivot
        for i in range(6):
            if i != c:
                factor = work[i, c]
                for j in range(6):
                    work[i, j] -= factor * work[c, j]
                    inverse[i, j] -= factor * inverse[c, j]


@device
def hub_velocity(a, b, linear, angular, y, first):
    """(V, w) in body axes from the momenta of body b and those of its modes, from y[first:]."""
    r0, r1, r2 = linear
    r3, r4, r5 = angular
    for m in range(a.body_first[b], a.body_first[b + 1]):
        pi, d = y[first + m], a.coupling[m]
        r0, r1, r2 = r0 - pi * d[0], r1 - pi * d[1], r2 - pi * d[2]
        r3, r4, r5 = r3 - pi * d[3], r4 - pi * d[4], r5 - pi * d[5]
    n = a.inverse[b]
    return (
        (_row(n, 0, r0, r1, r2, r3, r4, r5), _row(n, 1, r0, r1, r2, r3, r4, r5),
         _row(n, 2, r0, r1, r2, r3, r4, r5)),
        (_row(n, 3, r0, r1, r2, r3, r4, r5), _row(n, 4, r0, r1, r2, r3, r4, r5),
         _row(n, 5, r0, r1, r2, r3, r4, r5)),
    )  # fmt: skip


@device
def _row(n, i, r0, r1, r2, r3, r4, r5):
    return n[i, 0] * r0 + n[i, 1] * r1 + n[i, 2] * r2 + n[i, 3] * r3 + n[i, 4] * r4 + n[i, 5] * r5


@device
def mode_rate(a, m, v, w, pi):
    """eta' of mode m at the hub's velocity and rate in body axes."""
    d = a.coupling[m]
    return pi - (d[0] * v[0] + d[1] * v[1] + d[2] * v[2] + d[3] * w[0] + d[4] * w[1] + d[5] * w[2])


@routine
def wing_power(a, k, angle, rate, v, w, y, momenta):
    """Power [W] of the drive of wing k at its angle and rate [rad/s]; momenta of modes from y[momenta:]."""
    axis, root = vector(a.axis, k, 0), vector(a.root, k, 0)
    turn = cross(axis, w)  # w^T dI w with dI = [a] I - I [a]
    total = 0.0
    for j in range(3):
        total -= turn[j] * dot(_inertia_column(a, k, angle, j), w)
    for m in range(a.first[k], a.first[k + 1]):
        t = cross(axis, vector(a.coupling, m, 0))
        own = turned(axis, angle, vector(a.start, m, 3))
        r = add(cross(axis, own), cross(root, t))
        total += (dot(t, v) + dot(r, w)) * mode_rate(a, m, v, w, y[momenta + m])
    return -rate * total
