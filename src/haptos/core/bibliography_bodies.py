"""Publications about small bodies themselves: their orbits, poles and ephemerides."""

from __future__ import annotations

from haptos.core.publication import Source

SMALL_BODIES: dict[str, Source] = {
    "Archinal2018": Source(
        ("B. A. Archinal", "others"),
        "Report of the IAU Working Group on Cartographic Coordinates and Rotational Elements: 2015",
        "Celestial Mechanics and Dynamical Astronomy 130, 22",
        2018,
    ),
    "Farnocchia2021": Source(
        ("D. Farnocchia", "others"),
        "Ephemeris and hazard assessment for near-Earth asteroid (101955) Bennu based on OSIRIS-REx data",
        "Icarus 369, 114594",
        2021,
    ),
    "Giorgini1996": Source(
        ("J. D. Giorgini", "others"),
        "JPL's on-line solar system data service",
        "Bulletin of the American Astronomical Society 28, 1158",
        1996,
    ),
    "JetPropulsion2020": Source(
        ("Jet Propulsion Laboratory",),
        "Small-Body Database: 162173 Ryugu, solution JPL 206",
        "ssd.jpl.nasa.gov",
        2020,
        "techreport",
    ),
    "Lauretta2019": Source(
        ("D. S. Lauretta", "others"),
        "The unexpected surface of asteroid (101955) Bennu",
        "Nature 568, 55-60",
        2019,
    ),
    "Moisson2001": Source(
        ("X. Moisson", "P. Bretagnon"),
        "Analytical planetary solution VSOP2000",
        "Celestial Mechanics and Dynamical Astronomy 80, 205-213",
        2001,
    ),
    "Ostro2006": Source(
        ("S. J. Ostro", "others"),
        "Radar imaging of binary near-Earth asteroid (66391) 1999 KW4",
        "Science 314, 1276-1280",
        2006,
    ),
    "Watanabe2019": Source(
        ("S. Watanabe", "others"),
        "Hayabusa2 arrives at the carbonaceous asteroid 162173 Ryugu: a spinning top-shaped rubble pile",
        "Science 364, 268-272",
        2019,
    ),
}
