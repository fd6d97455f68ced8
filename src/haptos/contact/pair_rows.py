"""Numbers of the contact of two surfaces as the row that `contact_flow` reads.

Validity: as of `contact_flow`, `impact_damping` and `slip_friction`. Source: [Salvi2014] ch. 4.
"""

from __future__ import annotations

from haptos.contact.contact_flow import EMPIRICAL, FIXED_FACTOR, NOMINAL
from haptos.contact.impact_damping import DAMPING_LAWS
from haptos.contact.laws.normal import NORMAL_LAWS
from haptos.contact.slip_friction import RELAXED_SHARE

CITES: tuple[str, ...] = ("Salvi2014",)


def pair_row(
    stiffness: float, friction: float, loss: tuple[int, float], *, damping: str, slip_speed: float,
    tangent_stiffness: float = 0.0, law: str = "hertz",
) -> tuple[float, ...]:  # fmt: skip
    """Row of a pair of surfaces.

    law         of the normal force, a name of `laws/normal.py`
    stiffness   k of the law, [N/m^1.5] or [N/m]           friction    coefficient [-]
    loss        its kind and number, `restitution_loss` or `empirical_loss`
    damping     name of the law of losses, of `impact_damping`
    slip_speed  v_eps [m/s], below which friction fades    tangent_stiffness  of friction with memory [N/m]
    """
    return (
        stiffness, loss[0], DAMPING_LAWS[damping], loss[1], friction, slip_speed,
        RELAXED_SHARE * slip_speed, friction, tangent_stiffness, 0.0,
        NORMAL_LAWS[law],
    )  # fmt: skip


def restitution_loss(restitution: float) -> tuple[int, float]:
    """Loss of a nominal coefficient of restitution [-]."""
    return NOMINAL, restitution


def damper_loss(damping: float) -> tuple[int, float]:
    """Loss of a law with a damper [N s/m]."""
    return FIXED_FACTOR, damping


def empirical_loss(alpha: float) -> tuple[int, float]:
    """Loss that grows with speed: e = 1 - alpha v, alpha [s/m]."""
    return EMPIRICAL, alpha
