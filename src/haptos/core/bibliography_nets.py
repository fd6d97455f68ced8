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
}
