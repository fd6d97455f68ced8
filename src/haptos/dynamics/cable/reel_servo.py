"""A drum whose motor follows a commanded rate, limited in force and power.

    (J/R^2 + mu s) s'' = F_m - T (1 + e) + U + mu s'^2 (e + e^2/2)
    F_m = F limited,  F = Kp (s'_cmd - s') + Ki q + F_ff,   |F_m| <= F_max,  |F_m s'| <= P_max
    q' = s'_cmd - s' + (F_m - F)/Kp
    Kp = 2 z w m,   Ki = w^2 m,   m = J/R^2 + mu s

    s   line on the drum [m]             J, R   moment of inertia [kg m^2] and radius [m] of the drum
    F_m force of the motor at the rim    T, e, U  tension [N], strain, energy per length [J/m] at the feed point
    w, z  bandwidth [rad/s] and damping ratio [-] of the loop
The terms besides F_m - T make the motor's power F_m s' equal what the reel puts into drum and line
(`reel_power`): with F_m - T alone, s' T e/2 would be missing. At a limit q is drawn back by what the motor
cannot give, so that it does not wind up; the law stays continuous.
Frame: scalars, s' > 0 reels in. Validity: no slip on the drum, a radius that stays. Source: energy of drum and line.
"""

from __future__ import annotations

from haptos.core.jit import device

CITES: tuple[str, ...] = ()

SERVO_BANDWIDTH, SERVO_DAMPING = 2.0, 0.7  # [rad/s], [-] assumed


@device
def servo_force(inertia, bandwidth, damping, error, gathered, forward, rate, largest, power):
    """(F_m [N], q' [m/s]): error s'_cmd - s' [m/s], gathered q [m], forward F_ff [N], limits [N], [W]."""
    gain = 2.0 * damping * bandwidth * inertia
    wanted = gain * error + bandwidth * bandwidth * inertia * gathered + forward
    bound = largest
    if power < bound * abs(rate):
        bound = power / abs(rate)
    force = min(max(wanted, -bound), bound)
    return force, error + (force - wanted) / gain


@device
def drum_acceleration(inertia, force, tension, strain, stored, linear_density, rate):
    """s'' [m/s^2] of a drum whose J/R^2 + mu s is `inertia` [kg]."""
    carried = linear_density * rate * rate * (strain + 0.5 * strain * strain)
    return (force - tension * (1.0 + strain) + stored + carried) / inertia


@device
def drum_energy(inertia, rate):
    """Energy [J] of drum and line on it."""
    return 0.5 * inertia * rate * rate
