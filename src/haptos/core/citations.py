"""The bibliography as data: a law names its keys, a result lists what it used."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from haptos.core.bibliography_bodies import SMALL_BODIES
from haptos.core.bibliography_nets import NET_SOURCES
from haptos.core.bibliography_orbits import ORBIT_SOURCES
from haptos.core.bibliography_statistics import STATISTICS_SOURCES
from haptos.core.errors import HaptosError
from haptos.core.publication import Source

BIBLIOGRAPHY: dict[str, Source] = {
    "Akleman1999": Source(
        ("E. Akleman", "J. Chen"),
        "Generalized distance functions",
        "Proceedings of Shape Modeling International '99, 72-79",
        1999,
        "inproceedings",
    ),
    "Baerentzen2005": Source(
        ("J. A. Baerentzen", "H. Aanaes"),
        "Signed distance computation using the angle weighted pseudonormal",
        "IEEE Transactions on Visualization and Computer Graphics 11(3), 243-253",
        2005,
    ),
    "Battin1999": Source(
        ("R. H. Battin",),
        "An Introduction to the Mathematics and Methods of Astrodynamics, Revised Edition",
        "American Institute of Aeronautics and Astronautics",
        1999,
        "book",
    ),
    "Box1958": Source(
        ("G. E. P. Box", "M. E. Muller"),
        "A note on the generation of random normal deviates",
        "The Annals of Mathematical Statistics 29(2), 610-611",
        1958,
    ),
    "Bhatt1995": Source(
        ("V. Bhatt", "J. Koechling"),
        "Three-dimensional frictional rigid-body impact",
        "Journal of Applied Mechanics 62(4), 893-898",
        1995,
    ),
    "Carlson1995": Source(
        ("B. C. Carlson",),
        "Numerical computation of real or complex elliptic integrals",
        "Numerical Algorithms 10, 13-26",
        1995,
    ),
    "Chandrasekhar1969": Source(
        ("S. Chandrasekhar",),
        "Ellipsoidal Figures of Equilibrium",
        "Yale University Press",
        1969,
        "book",
    ),
    "DeBoor1978": Source(("C. de Boor",), "A Practical Guide to Splines", "Springer", 1978, "book"),
    "DoCarmo1976": Source(
        ("M. P. do Carmo",),
        "Differential Geometry of Curves and Surfaces",
        "Prentice-Hall",
        1976,
        "book",
    ),
    "DormandPrince1980": Source(
        ("J. R. Dormand", "P. J. Prince"),
        "A family of embedded Runge-Kutta formulae",
        "Journal of Computational and Applied Mathematics 6(1), 19-26",
        1980,
    ),
    "Duff2017": Source(
        (
            "T. Duff",
            "J. Burgess",
            "P. Christensen",
            "C. Hery",
            "A. Kensler",
            "M. Liani",
            "R. Villemin",
        ),
        "Building an Orthonormal Basis, Revisited",
        "Journal of Computer Graphics Techniques 6(1), 1-8",
        2017,
    ),
    "Ebert2003": Source(
        ("D. S. Ebert", "F. K. Musgrave", "D. Peachey", "K. Perlin", "S. Worley"),
        "Texturing and Modeling: A Procedural Approach",
        "Morgan Kaufmann",
        2003,
        "book",
    ),
    "Eberly2013": Source(
        ("D. Eberly",),
        "Distance from a Point to an Ellipse, an Ellipsoid, or a Hyperellipsoid",
        "Geometric Tools",
        2013,
        "techreport",
    ),
    "Epton1995": Source(
        ("M. A. Epton", "B. Dembart"),
        "Multipole translation theory for the three-dimensional Laplace and Helmholtz equations",
        "SIAM Journal on Scientific Computing 16(4), 865-897",
        1995,
    ),
    "Ericson2005": Source(
        ("C. Ericson",), "Real-Time Collision Detection", "Morgan Kaufmann", 2005, "book"
    ),
    "Garland1997": Source(
        ("M. Garland", "P. S. Heckbert"),
        "Surface simplification using quadric error metrics",
        "Proceedings of SIGGRAPH 97, 209-216",
        1997,
        "inproceedings",
    ),
    "Goldsmith1960": Source(
        ("W. Goldsmith",),
        "Impact: The Theory and Physical Behaviour of Colliding Solids",
        "Edward Arnold, London",
        1960,
        "book",
    ),
    "Gonthier2004": Source(
        ("Y. Gonthier", "J. McPhee", "C. Lange", "J.-C. Piedboeuf"),
        "A regularized contact model with asymmetric damping and dwell-time dependent friction",
        "Multibody System Dynamics 11(3), 209-233",
        2004,
    ),
    "HairerNorsettWanner1993": Source(
        ("E. Hairer", "S. P. Nørsett", "G. Wanner"),
        "Solving Ordinary Differential Equations I: Nonstiff Problems",
        "Springer, second edition",
        1993,
        "book",
    ),
    "Holmes2002": Source(
        ("S. A. Holmes", "W. E. Featherstone"),
        "A unified approach to the Clenshaw summation and the recursive computation of very high "
        "degree and order normalised associated Legendre functions",
        "Journal of Geodesy 76(5), 279-299",
        2002,
    ),
    "JoeKuo2008": Source(
        ("S. Joe", "F. Y. Kuo"),
        "Constructing Sobol' sequences with better two-dimensional projections",
        "SIAM Journal on Scientific Computing 30(5), 2635-2654",
        2008,
    ),
    "Jorba2005": Source(
        ("À. Jorba", "M. Zou"),
        "A software package for the numerical integration of ODEs by means of high-order Taylor methods",
        "Experimental Mathematics 14(1), 99-117",
        2005,
    ),
    "Kane1985": Source(
        ("T. R. Kane", "D. A. Levinson"),
        "Dynamics: Theory and Applications",
        "McGraw-Hill",
        1985,
        "book",
    ),
    "Goldstein2002": Source(
        ("H. Goldstein", "C. P. Poole", "J. L. Safko"),
        "Classical Mechanics, 3rd edition",
        "Addison Wesley",
        2002,
        "book",
    ),
    "Hockman2017": Source(
        ("B. J. Hockman", "A. Frick", "I. A. D. Nesnas", "M. Pavone"),
        "Design, Control, and Experimentation of Internally-Actuated Rovers for the Exploration of "
        "Low-Gravity Planetary Bodies",
        "Journal of Field Robotics 34(1), 5-24",
        2017,
    ),
    "Hughes1986": Source(
        ("P. C. Hughes",),
        "Spacecraft Attitude Dynamics",
        "John Wiley & Sons",
        1986,
        "book",
    ),
    "Jourdan1998": Source(
        ("F. Jourdan", "P. Alart", "M. Jean"),
        "A Gauss-Seidel like algorithm to solve frictional contact problems",
        "Computer Methods in Applied Mechanics and Engineering 155, 31-47",
        1998,
    ),
    "MacMillan1930": Source(
        ("W. D. MacMillan",), "The Theory of the Potential", "McGraw-Hill", 1930, "book"
    ),
    "McKay1979": Source(
        ("M. D. McKay", "R. J. Beckman", "W. J. Conover"),
        "A comparison of three methods for selecting values of input variables in the analysis of "
        "output from a computer code",
        "Technometrics 21(2), 239-245",
        1979,
    ),
    "Meyer2003": Source(
        ("M. Meyer", "M. Desbrun", "P. Schroeder", "A. H. Barr"),
        "Discrete differential-geometry operators for triangulated 2-manifolds",
        "Visualization and Mathematics III, Springer, 35-57",
        2003,
        "incollection",
    ),
    "Mirtich1996": Source(
        ("B. Mirtich",),
        "Fast and accurate computation of polyhedral mass properties",
        "Journal of Graphics Tools 1(2), 31-50",
        1996,
    ),
    "Montenbruck2000": Source(
        ("O. Montenbruck", "E. Gill"),
        "Satellite Orbits: Models, Methods and Applications",
        "Springer",
        2000,
        "book",
    ),
    "More1983": Source(
        ("J. J. Moré", "D. C. Sorensen"),
        "Computing a trust region step",
        "SIAM Journal on Scientific and Statistical Computing 4(3), 553-572",
        1983,
    ),
    "Quilez2015": Source(
        ("I. Quilez",), "Texture repetition", "iquilezles.org", 2015, "techreport"
    ),
    "Regis2007": Source(
        ("R. G. Regis", "C. A. Shoemaker"),
        "A stochastic radial basis function method for the global optimization of expensive functions",
        "INFORMS Journal on Computing 19(4), 497-509",
        2007,
    ),
    "Salmon2011": Source(
        ("J. K. Salmon", "M. A. Moraes", "R. O. Dror", "D. E. Shaw"),
        "Parallel random numbers: as easy as 1, 2, 3",
        "Proceedings of SC11, International Conference for High Performance Computing",
        2011,
        "inproceedings",
    ),
    "Santalo1976": Source(
        ("L. A. Santaló",),
        "Integral Geometry and Geometric Probability",
        "Addison-Wesley",
        1976,
        "book",
    ),
    "Scheeres2012": Source(
        ("D. J. Scheeres",),
        "Orbital Motion in Strongly Perturbed Environments",
        "Springer",
        2012,
        "book",
    ),
    "Shampine1986": Source(
        ("L. F. Shampine",),
        "Some practical Runge-Kutta formulas",
        "Mathematics of Computation 46, 135-150",
        1986,
    ),
    "Shen2006": Source(
        ("L. Shen", "M. K. Chung"),
        "Large-scale modeling of parametric surfaces using spherical harmonics",
        "Third International Symposium on 3D Data Processing, Visualization, and Transmission, "
        "294-301",
        2006,
        "inproceedings",
    ),
    "Shewchuk1997": Source(
        ("J. R. Shewchuk",),
        "Adaptive precision floating-point arithmetic and fast robust geometric predicates",
        "Discrete & Computational Geometry 18, 305-363",
        1997,
    ),
    "Shoemake1992": Source(
        ("K. Shoemake",),
        "Uniform random rotations",
        "Graphics Gems III, Academic Press",
        1992,
        "incollection",
    ),
    "Sobol1967": Source(
        ("I. M. Sobol'",),
        "On the distribution of points in a cube and the approximate evaluation of integrals",
        "USSR Computational Mathematics and Mathematical Physics 7(4), 86-112",
        1967,
    ),
    "Tardivel2014": Source(
        ("S. Tardivel", "D. J. Scheeres", "P. Michel", "S. Van wal", "P. Sánchez"),
        "Contact motion on surface of asteroid",
        "Journal of Spacecraft and Rockets 51(6), 1857-1871",
        2014,
    ),
    "Stronge1990": Source(
        ("W. J. Stronge",),
        "Rigid body collisions with friction",
        "Proceedings of the Royal Society of London A 431, 169-181",
        1990,
    ),
    "Tiesinga2021": Source(
        ("E. Tiesinga", "P. J. Mohr", "D. B. Newell", "B. N. Taylor"),
        "CODATA recommended values of the fundamental physical constants: 2018",
        "Reviews of Modern Physics 93, 025010",
        2021,
    ),
    "VanWal2017": Source(
        ("S. Van wal", "R. Reid", "D. Scheeres"),
        "Small-Body Lander Simulations Using the GPU",
        "Colorado Center for Astrodynamics Research and Jet Propulsion Laboratory",
        2017,
        "techreport",
    ),
    "VanWal2017b": Source(
        ("S. Van wal", "S. Tardivel", "P. Sánchez", "D. Djafari-Rouhani", "D. Scheeres"),
        "Rolling resistance of a spherical pod on a granular bed",
        "Granular Matter 19, 17",
        2017,
    ),
    "VanWal2018": Source(
        ("S. Van wal",), "PhD dissertation", "University of Colorado Boulder", 2018, "phdthesis"
    ),
    "Wadell1935": Source(
        ("H. Wadell",),
        "Volume, shape, and roundness of quartz particles",
        "The Journal of Geology 43(3), 250-280",
        1935,
    ),
    "Wald2007": Source(
        ("I. Wald",),
        "On fast construction of SAH-based bounding volume hierarchies",
        "IEEE Symposium on Interactive Ray Tracing, 33-40",
        2007,
        "inproceedings",
    ),
    "Werner1997": Source(
        ("R. A. Werner", "D. J. Scheeres"),
        "Exterior gravitation of a polyhedron derived and compared with harmonic and mascon "
        "gravitation representations of asteroid 4769 Castalia",
        "Celestial Mechanics and Dynamical Astronomy 65, 313-344",
        1997,
    ),
    "Wilson1927": Source(
        ("E. B. Wilson",),
        "Probable inference, the law of succession, and statistical inference",
        "Journal of the American Statistical Association 22(158), 209-212",
        1927,
    ),
    "Yoshimitsu2003": Source(
        ("T. Yoshimitsu", "T. Kubota", "I. Nakatani", "T. Adachi", "H. Saito"),
        "Micro-hopping robot for asteroid exploration",
        "Acta Astronautica 52(2-6), 441-446",
        2003,
    ),
}
BIBLIOGRAPHY |= STATISTICS_SOURCES | SMALL_BODIES | NET_SOURCES | ORBIT_SOURCES

# BibTeX field that holds the venue, and spellings for tools that read ASCII only.
_VENUE_FIELD = {
    "article": "journal",
    "book": "publisher",
    "inproceedings": "booktitle",
    "incollection": "booktitle",
    "mastersthesis": "school",
    "phdthesis": "school",
    "techreport": "institution",
}
_TO_LATEX = str.maketrans(
    {
        "ø": r"{\o}",
        "ó": r"{\'o}",
        "á": r"{\'a}",
        "é": r"{\'e}",
        "À": r"{\`A}",
        "Ü": r"{\"U}",
        "ü": r"{\"u}",
        "ö": r"{\"o}",
        "&": r"\&",
        "%": r"\%",
    }
)


def source(key: str) -> Source:
    """The publication behind a key; refuses unknown keys."""
    if key not in BIBLIOGRAPHY:
        close = difflib.get_close_matches(key, BIBLIOGRAPHY, n=1, cutoff=0.5)
        hint = f"use '{close[0]}'" if close else "add the source to core/citations.py"
        raise HaptosError("bibliography", f"unknown key '{key}'", ", ".join(BIBLIOGRAPHY), hint)
    return BIBLIOGRAPHY[key]


def bibliography(keys: Iterable[str]) -> str:
    """One line per source, in the order given: '[Key] Authors: Title. Venue, year.'"""
    return "\n".join(f"[{key}] {reference(key)}" for key in dict.fromkeys(keys))


def reference(key: str) -> str:
    """'Authors: Title. Venue, year.' of one source."""
    found = source(key)
    return f"{', '.join(found.authors)}: {found.title}. {found.venue}, {found.year}."


def bibtex(keys: Iterable[str]) -> str:
    """BibTeX entries in ASCII, one per key, in the order given."""
    return "\n\n".join(_entry(key, source(key)) for key in dict.fromkeys(keys))


def _entry(key: str, found: Source) -> str:
    fields = {
        "author": " and ".join(found.authors),
        "title": f"{{{found.title}}}",
        _VENUE_FIELD[found.kind]: found.venue,
        "year": str(found.year),
    }
    lines = [f"  {name} = {{{text.translate(_TO_LATEX)}}}," for name, text in fields.items()]
    return "\n".join([f"@{found.kind}{{{key},", *lines, "}"])
