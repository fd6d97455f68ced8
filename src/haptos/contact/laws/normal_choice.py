"""Names of the normal laws in scenario files, and what a file's numbers need of each: its module, its damper.

A new law is named here once, beside its branches in `normal.py`; every scenario file then has it.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Literal, NamedTuple

from haptos.contact import impact_damping, spring_damper
from haptos.contact.laws import kelvin_voigt
from haptos.contact.laws.kelvin_voigt import kelvin_voigt_damping
from haptos.contact.laws.normal import NORMAL_LAWS
from haptos.contact.restitution import damping

LinearName = Literal["spring-damper", "kelvin-voigt"]  # k [N/m], a damper of c [N s/m]
NormalName = Literal["hertz", "spring-damper", "kelvin-voigt"]


class NormalChoice(NamedTuple):
    """One law of the normal force, as a file names it.

    tag      of `normal.py`         law  its module, for what it cites
    damping  (restitution, stiffness [N/m], mass [kg]) -> c [N s/m] of a linear law; None for others
    """

    tag: int
    law: ModuleType
    damping: Callable[[float, float, float], float] | None = None


CHOICES: dict[str, NormalChoice] = {
    "hertz": NormalChoice(NORMAL_LAWS["hertz"], impact_damping),
    "spring-damper": NormalChoice(NORMAL_LAWS["spring-damper"], spring_damper, damping),
    "kelvin-voigt": NormalChoice(NORMAL_LAWS["kelvin-voigt"], kelvin_voigt, kelvin_voigt_damping),
}
