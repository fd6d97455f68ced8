"""Threads of nets and tethers: a table of fibres and braids, and threads made of them.

    EA = E A,   rho_l = rho A,   T_b = sigma_b A,   A = f pi d^2 / 4

    E, rho, sigma_b  Young's modulus [Pa], density [kg/m^3] and breaking stress [Pa] of the fibre
    d  outer diameter [m], what touches and feels drag      f  share of the circle that is fibre [-]
    A  fibre section [m^2]; stress is tension over it       T_b  breaking tension [N]
A material measured as a braid keeps its measured EA, GJp and EJ at its own diameter; at another one
they follow the section, as for fibres that slide on each other (assumed).
Validity: straight fibres. Knots, twist and braiding cost strength (a knot leaves Technora about a
quarter), so give a lower breaking stress for a knotted net.
Source: [Salvi2014] sections 2.6.1-2.6.3; values: [Teijin2026], [Toyobo2005], [DuPont2017], as named
beside each.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from haptos.core.errors import ConfigError
from haptos.core.name_lists import named

CITES: tuple[str, ...] = ("Salvi2014", "Teijin2026", "Toyobo2005", "DuPont2017")

# [-] of the Technora braid, taken for every fibre nobody measured
AXIAL_DAMPING, TORSION_DAMPING, BENDING_DAMPING = 0.106, 0.079, 0.014
_MEASURED = "[Salvi2014] Tab. 2.1 and 2.2, Technora braid"
_ASSUMED_DAMPING = "assumed equal to the Technora braid, [Salvi2014] Tab. 2.2"


@dataclass(frozen=True, slots=True)
class ThreadMaterial:
    """A fibre, or a braid that was measured as a whole.

    modulus          E [Pa]           density         rho [kg/m^3]
    breaking_stress  sigma_b [Pa]     damping_ratio   zeta of the axial, torsion and bending motion [-]
    axial_stiffness, torsion_stiffness, bending_stiffness   EA [N], GJp and EJ [N m^2] of the
                     measured braid; 0 where nobody measured: the thread is then limp
    sources          where each value comes from, or the word assumed
    """

    name: str
    modulus: float
    density: float
    breaking_stress: float
    sources: Mapping[str, str]
    damping_ratio: tuple[float, float, float] = (AXIAL_DAMPING, TORSION_DAMPING, BENDING_DAMPING)
    axial_stiffness: float = 0.0
    torsion_stiffness: float = 0.0
    bending_stiffness: float = 0.0


@dataclass(frozen=True, slots=True)
class Thread:
    """A thread of some diameter, as links and contact see it.

    diameter         d [m]            section         A [m^2], fibre only
    axial_stiffness  EA [N]           torsion_stiffness, bending_stiffness   GJp, EJ [N m^2]
    linear_density   rho_l [kg/m]     breaking_tension  T_b [N]
    damping_ratio    zeta, axial, torsion and bending [-]
    """

    material: str
    diameter: float
    section: float
    axial_stiffness: float
    torsion_stiffness: float
    bending_stiffness: float
    linear_density: float
    breaking_tension: float
    damping_ratio: tuple[float, float, float]
    sources: Mapping[str, str] = field(repr=False)

    @property
    def breaking_stress(self) -> float:
        """sigma_b [Pa] on the fibre section."""
        return self.breaking_tension / self.section

    @property
    def breaking_strain(self) -> float:
        """T_b / EA [-]."""
        return self.breaking_tension / self.axial_stiffness

    def element(self, length: float) -> tuple[float, float, float]:
        """(k_e [N/m], c_e [N s/m], m_e [kg]) of an element of natural length [m].

        k_e = EA / L_e,   c_e = 2 zeta sqrt(k_e m_e),   m_e = rho_l L_e        Eqs. (2.61), (2.62)
        Source: [Salvi2014].
        """
        _require("element of a thread", length=length)
        stiffness, mass = self.axial_stiffness / length, self.linear_density * length
        return stiffness, 2.0 * self.damping_ratio[0] * math.sqrt(stiffness * mass), mass


def _fibre(
    name: str, density: float, stress: float, modulus: float, source: str
) -> tuple[str, ThreadMaterial]:
    """A fibre whose density [kg/m^3], strength and modulus [Pa] stand in one table of one source."""
    sources = dict.fromkeys(("modulus", "density", "breaking_stress"), source)
    sources["damping_ratio"] = _ASSUMED_DAMPING
    return name, ThreadMaterial(name, modulus, density, stress, MappingProxyType(sources))


_KILOGRAM_FORCE = 9.80665e6  # [Pa] of one kg/mm^2, the unit of the Teijin table
_TEIJIN = "[Teijin2026] Table 3"
_BRAID = ThreadMaterial(
    "technora braid",
    modulus=7500 * _KILOGRAM_FORCE,
    density=1390.0,
    breaking_stress=1.6e9,
    axial_stiffness=9.84e3,
    torsion_stiffness=2.94e-6,
    bending_stiffness=1.34e-6,
    sources=MappingProxyType(
        {
            "modulus": f"{_TEIJIN}, of the fibre",
            "density": f"{_TEIJIN}, of the fibre",
            "breaking_stress": "[Salvi2014] section 6.1, thread breakage",
            "axial_stiffness": _MEASURED,
            "torsion_stiffness": _MEASURED,
            "bending_stiffness": _MEASURED,
            "damping_ratio": _MEASURED,
            "section": "assumed: measured EA over the modulus of the fibre",
        }
    ),
)
MATERIALS: Mapping[str, ThreadMaterial] = MappingProxyType(
    dict(
        [
            ("technora braid", _BRAID),
            _fibre("technora", 1390.0, 347 * _KILOGRAM_FORCE, 7500 * _KILOGRAM_FORCE, _TEIJIN),
            _fibre("nylon 66", 1140.0, 106 * _KILOGRAM_FORCE, 1300 * _KILOGRAM_FORCE, _TEIJIN),
            _fibre("kevlar 29", 1440.0, 2.920e9, 70.5e9, "[DuPont2017] Table II-1"),
            _fibre("kevlar 49", 1440.0, 3.000e9, 112.4e9, "[DuPont2017] Table II-1"),
            _fibre("dyneema", 970.0, 3.5e9, 110e9, "[Toyobo2005] section 2, HMPE"),
            _fibre("zylon as", 1540.0, 5.8e9, 180e9, "[Toyobo2005] section 1"),
            _fibre("zylon hm", 1560.0, 5.8e9, 270e9, "[Toyobo2005] section 1"),
        ]
    )
)


def thread_material(name: str) -> ThreadMaterial:
    """A material of the table by its name, in any case; refuses the others with the nearest name."""
    return named(MATERIALS, name, "thread material", "choose one, or give a ThreadMaterial")


def thread(
    material: str | ThreadMaterial,
    diameter: float | None = None,
    *,
    fibre_share: float = 1.0,
    breaking_stress: float | None = None,
    linear_density: float | None = None,
    axial_stiffness: float | None = None,
    damping_ratio: float | None = None,
    torsion_stiffness: float | None = None,
    bending_stiffness: float | None = None,
    torsion_damping_ratio: float | None = None,
    bending_damping_ratio: float | None = None,
) -> Thread:
    """A thread of a material; what is given by name replaces what the material says.

    diameter     d [m], outer; a braid may leave it out: then that of its fibres pressed together
    fibre_share  f [-], in (0, 1]                breaking_stress  sigma_b [Pa]
    linear_density  rho_l [kg/m]                 axial_stiffness  EA [N]
    damping_ratio   axial zeta [-], >= 0         torsion_stiffness, bending_stiffness  GJp, EJ [N m^2]
    torsion_damping_ratio, bending_damping_ratio  zeta [-], >= 0
    """
    made = thread_material(material) if isinstance(material, str) else material
    own = made.axial_stiffness / made.modulus  # [m^2] section of the measured braid
    if diameter is None and not own > 0.0:
        allowed, hint = "a diameter in metres", f"thread('{made.name}', diameter=1e-3)"
        raise ConfigError(f"thread of {made.name}", "no diameter", allowed, hint)
    _require("thread", fibre_share=fibre_share)
    if fibre_share > 1.0:
        found = f"fibre_share = {fibre_share}"
        raise ConfigError("thread", found, "above 0, at most 1", "fibre_share = 1 if not known")
    if diameter is None:
        diameter = math.sqrt(4.0 * own / (math.pi * fibre_share))
    _require("thread", diameter=diameter)
    section = fibre_share * math.pi * diameter**2 / 4.0
    many = section / own if own > 0.0 else 0.0  # [-] sections of the measured braid
    stress = made.breaking_stress if breaking_stress is None else breaking_stress
    density = made.density * section if linear_density is None else linear_density
    stiffness = made.modulus * section if axial_stiffness is None else axial_stiffness
    twisting = many * made.torsion_stiffness if torsion_stiffness is None else torsion_stiffness
    bending = many * made.bending_stiffness if bending_stiffness is None else bending_stiffness
    given_ratios = (damping_ratio, torsion_damping_ratio, bending_damping_ratio)
    ratios = _ratios(made, given_ratios)
    _require("thread", breaking_stress=stress, linear_density=density, axial_stiffness=stiffness)
    for name, given in (("torsion", torsion_stiffness), ("bending", bending_stiffness)):
        if given is not None:
            _require("thread", **{f"{name}_stiffness": given})
    return Thread(
        made.name, diameter, section, stiffness, twisting, bending, density, stress * section,
        ratios, made.sources,
    )  # fmt: skip


def _ratios(
    made: ThreadMaterial, given_ratios: tuple[float | None, float | None, float | None]
) -> tuple[float, float, float]:
    """Damping ratios [-]: axial, torsion, bending; those of the material where none is given."""
    names = ("damping_ratio", "torsion_damping_ratio", "bending_damping_ratio")
    axial, torsion, bending = (
        own if given is None else given
        for own, given in zip(made.damping_ratio, given_ratios, strict=True)
    )
    for name, ratio in zip(names, (axial, torsion, bending), strict=True):
        if not (math.isfinite(ratio) and ratio >= 0.0):
            found = f"{name} = {ratio}"
            raise ConfigError("thread", found, "a finite number, 0 or above", "0.106 as Technora")
    return axial, torsion, bending


def _require(where: str, **values: float) -> None:
    """Refuse numbers that are not above zero."""
    for name, value in values.items():
        if not (math.isfinite(value) and value > 0.0):
            found, hint = f"{name} = {value}", f"give {name} in SI units"
            raise ConfigError(where, found, "a finite number above zero", hint)
