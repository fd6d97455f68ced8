"""Publications behind orbits, air and light about the Earth, and behind contacts with losses."""

from __future__ import annotations

from haptos.core.publication import Source

ORBIT_SOURCES: dict[str, Source] = {
    "AmesResearch1953": Source(
        ("Ames Research Staff",),
        "Equations, tables, and charts for compressible flow",
        "National Advisory Committee for Aeronautics, Report 1135",
        1953,
        "techreport",
    ),
    "Anderson2006": Source(
        ("J. D. Anderson",),
        "Hypersonic and High-Temperature Gas Dynamics, Second Edition",
        "American Institute of Aeronautics and Astronautics",
        2006,
        "book",
    ),
    "AslanovLedkov2012": Source(
        ("V. S. Aslanov", "A. S. Ledkov"),
        "Dynamics of Tethered Satellite Systems",
        "Woodhead Publishing",
        2012,
        "book",
    ),
    "ClohessyWiltshire1960": Source(
        ("W. H. Clohessy", "R. S. Wiltshire"),
        "Terminal guidance system for satellite rendezvous",
        "Journal of the Aerospace Sciences 27(9), 653-658",
        1960,
    ),
    "COESA1976": Source(
        ("COESA",),
        "U.S. Standard Atmosphere, 1976",
        "National Oceanic and Atmospheric Administration, NOAA-S/T 76-1562",
        1976,
        "techreport",
    ),
    "CundallStrack1979": Source(
        ("P. A. Cundall", "O. D. L. Strack"),
        "A discrete numerical model for granular assemblies",
        "Géotechnique 29(1), 47-65",
        1979,
    ),
    "Dupont2002": Source(
        ("P. Dupont", "V. Hayward", "B. Armstrong", "F. Altpeter"),
        "Single state elastoplastic friction models",
        "IEEE Transactions on Automatic Control 47(5), 787-792",
        2002,
    ),
    "Emmert2021": Source(
        ("J. T. Emmert", "others"),
        "NRLMSIS 2.0: A whole-atmosphere empirical model of temperature and neutral species densities",
        "Earth and Space Science 8(3), e2020EA001321",
        2021,
    ),
    "Hertz1882": Source(
        ("H. Hertz",),
        "Über die Berührung fester elastischer Körper",
        "Journal für die reine und angewandte Mathematik 92, 156-171",
        1882,
    ),
    "HuntCrossley1975": Source(
        ("K. H. Hunt", "F. R. E. Crossley"),
        "Coefficient of restitution interpreted as damping in vibroimpact",
        "Journal of Applied Mechanics 42(2), 440-445",
        1975,
    ),
    "Johnson1985": Source(
        ("K. L. Johnson",), "Contact Mechanics", "Cambridge University Press", 1985, "book"
    ),
    "Knocke1988": Source(
        ("P. C. Knocke", "J. C. Ries", "B. D. Tapley"),
        "Earth radiation pressure effects on satellites",
        "AIAA/AAS Astrodynamics Conference, AIAA 88-4292",
        1988,
        "inproceedings",
    ),
    "LankaraniNikravesh1990": Source(
        ("H. M. Lankarani", "P. E. Nikravesh"),
        "A contact force model with hysteresis damping for impact analysis of multibody systems",
        "Journal of Mechanical Design 112(3), 369-376",
        1990,
    ),
    "Matthews2002": Source(
        ("C. Matthews",),
        "Aeronautical Engineer's Data Book",
        "Butterworth-Heinemann",
        2002,
        "book",
    ),
    "Picone2002": Source(
        ("J. M. Picone", "A. E. Hedin", "D. P. Drob", "A. C. Aikin"),
        "NRLMSISE-00 empirical model of the atmosphere: Statistical comparisons and scientific issues",
        "Journal of Geophysical Research 107(A12), 1468",
        2002,
    ),
    "Stephens2012": Source(
        ("G. L. Stephens", "others"),
        "An update on Earth's energy balance in light of the latest global observations",
        "Nature Geoscience 5, 691-696",
        2012,
    ),
    "Stronge2000": Source(
        ("W. J. Stronge",), "Impact Mechanics", "Cambridge University Press", 2000, "book"
    ),
    "Vallado2013": Source(
        ("D. A. Vallado",),
        "Fundamentals of Astrodynamics and Applications, Fourth Edition",
        "Microcosm Press",
        2013,
        "book",
    ),
}
