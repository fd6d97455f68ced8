"""How the fibres of `threads` take up, hold and give off heat, and stretch with it: a table with a source per value.

absorptance a and emissivity e [-] of the bare cord, specific heat c [J/kg/K] and expansion along the fibre [1/K] near
room temperature. Coatings change a and e: give your own. Negative expansion: stretched polymer chains shorten when warm.
Source: [DuPont2017], [Toyobo2005] where named beside a value; the rest is *assumed*.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from haptos.core.errors import ConfigError
from haptos.materials.threads import thread_material

CITES: tuple[str, ...] = ("DuPont2017", "Toyobo2005")

ABSORPTANCE, EMISSIVITY = 0.5, 0.8  # [-] assumed for every bare fibre: yellow or white polymer
SPECIFIC_HEAT = 1000.0  # [J/kg/K] assumed where no source is named
_ASSUMED = "assumed"


@dataclass(frozen=True, slots=True)
class ThreadHeat:
    """Thermal numbers of a fibre.

    absorptance, emissivity [-]     specific_heat [J/kg/K]     expansion [1/K] along the fibre
    sources                         where each value comes from, or the word assumed
    """

    specific_heat: float
    expansion: float
    sources: Mapping[str, str]
    absorptance: float = ABSORPTANCE
    emissivity: float = EMISSIVITY


def _fibre(
    expansion: float, source: str, specific_heat: float = SPECIFIC_HEAT, heat_source: str = _ASSUMED
) -> ThreadHeat:
    """Numbers of one fibre; surface values are assumed."""
    named = {
        "absorptance": _ASSUMED,
        "emissivity": _ASSUMED,
        "specific_heat": heat_source,
        "expansion": source,
    }
    return ThreadHeat(specific_heat, expansion, MappingProxyType(named))


_GUIDE = "[DuPont2017] section II, thermal properties"
_NEAR_ARAMID = "assumed near that of aramid"
HEATS: Mapping[str, ThreadHeat] = MappingProxyType(
    {
        "technora braid": _fibre(-6e-6, _NEAR_ARAMID),
        "technora": _fibre(-6e-6, _NEAR_ARAMID),
        "nylon 66": _fibre(80e-6, "assumed as of the unstretched polymer", 1700.0),
        "kevlar 29": _fibre(-4.0e-6, _GUIDE, 1420.0, _GUIDE),
        "kevlar 49": _fibre(-4.9e-6, _GUIDE, 1420.0, _GUIDE),
        "dyneema": _fibre(-12e-6, "assumed as of gel-spun polyethylene", 1850.0),
        "zylon as": _fibre(-6e-6, "assumed as of Zylon HM"),
        "zylon hm": _fibre(-6e-6, "[Toyobo2005] section 9.3"),
    }
)


def thread_heat(name: str) -> ThreadHeat:
    """Thermal numbers of a material of the table of threads; refuses the others as that table does."""
    made = thread_material(name).name
    if made not in HEATS:
        allowed = ", ".join(HEATS)
        raise ConfigError("thread heat", f"'{name}'", allowed, "give the four values yourself")
    return HEATS[made]
