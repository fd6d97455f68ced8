"""Publications behind nets, threads and tethers; part of the bibliography."""

from __future__ import annotations

from haptos.core.publication import Source

NET_SOURCES: dict[str, Source] = {
    "DuPont2017": Source(
        ("DuPont",),
        "Kevlar Aramid Fiber Technical Guide",
        "E. I. du Pont de Nemours and Company, Richmond, Virginia",
        2017,
        "techreport",
    ),
    "Dullweber1997": Source(
        ("A. Dullweber", "B. Leimkuhler", "R. McLachlan"),
        "Symplectic splitting methods for rigid body molecular dynamics",
        "Journal of Chemical Physics 107(15), 5840-5851",
        1997,
    ),
    "Gonzalez1996": Source(
        ("O. Gonzalez",),
        "Time integration and discrete Hamiltonian systems",
        "Journal of Nonlinear Science 6(5), 449-467",
        1996,
    ),
    "Hairer2003": Source(
        ("E. Hairer", "C. Lubich", "G. Wanner"),
        "Geometric numerical integration illustrated by the Stoermer-Verlet method",
        "Acta Numerica 12, 399-450",
        2003,
    ),
    "VanOosterom1983": Source(
        ("A. Van Oosterom", "J. Strackee"),
        "The solid angle of a plane triangle",
        "IEEE Transactions on Biomedical Engineering 30(2), 125-126",
        1983,
    ),
    "Salvi2014": Source(
        ("S. Salvi",),
        "Flexible Devices for Active Space Debris Removal: the Net Simulation Tool",
        "Politecnico di Milano",
        2014,
        "mastersthesis",
    ),
    "Teijin2026": Source(
        ("Teijin Limited",),
        "Technora: Tensile Properties of Industrial Fibers (web page, Table 3, as read in 2026)",
        "Teijin Limited, Tokyo",
        2026,
        "techreport",
    ),
    "Toyobo2005": Source(
        ("Toyobo",),
        "PBO fiber Zylon: Technical Information (revised June 2005)",
        "Toyobo Co., Ltd., Osaka",
        2005,
        "techreport",
    ),
    "Verlet1967": Source(
        ("L. Verlet",),
        "Computer experiments on classical fluids. I. Thermodynamical properties of Lennard-Jones molecules",
        "Physical Review 159(1), 98-103",
        1967,
    ),
}
