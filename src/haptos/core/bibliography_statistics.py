"""Publications behind statistics of many runs; part of the bibliography."""

from __future__ import annotations

from haptos.core.publication import Source

STATISTICS_SOURCES: dict[str, Source] = {
    "Chow1965": Source(
        ("Y. S. Chow", "H. Robbins"),
        "On the asymptotic theory of fixed-width sequential confidence intervals for the mean",
        "The Annals of Mathematical Statistics 36(2), 457-462",
        1965,
    ),
    "David2003": Source(
        ("H. A. David", "H. N. Nagaraja"),
        "Order Statistics, Third Edition",
        "Wiley",
        2003,
        "book",
    ),
    "Efron1993": Source(
        ("B. Efron", "R. J. Tibshirani"),
        "An Introduction to the Bootstrap",
        "Chapman and Hall",
        1993,
        "book",
    ),
    "Hyndman1996": Source(
        ("R. J. Hyndman",),
        "Computing and graphing highest density regions",
        "The American Statistician 50(2), 120-126",
        1996,
    ),
    "Iwanaga2022": Source(
        ("T. Iwanaga", "W. Usher", "J. Herman"),
        "Toward SALib 2.0: Advancing the accessibility and interpretability of global sensitivity "
        "analyses",
        "Socio-Environmental Systems Modelling 4, 18155",
        2022,
    ),
    "Saltelli2010": Source(
        ("A. Saltelli", "P. Annoni", "I. Azzini", "F. Campolongo", "M. Ratto", "S. Tarantola"),
        "Variance based sensitivity analysis of model output. Design and estimator for the total "
        "sensitivity index",
        "Computer Physics Communications 181(2), 259-270",
        2010,
    ),
    "Shao1989": Source(
        ("J. Shao", "C. F. J. Wu"),
        "A general theory for jackknife variance estimation",
        "The Annals of Statistics 17(3), 1176-1197",
        1989,
    ),
    "Silverman1986": Source(
        ("B. W. Silverman",),
        "Density Estimation for Statistics and Data Analysis",
        "Chapman and Hall",
        1986,
        "book",
    ),
    "Sobol2001": Source(
        ("I. M. Sobol'",),
        "Global sensitivity indices for nonlinear mathematical models and their Monte Carlo estimates",
        "Mathematics and Computers in Simulation 55, 271-280",
        2001,
    ),
    "Swinbank2006": Source(
        ("R. Swinbank", "R. J. Purser"),
        "Fibonacci grids: A novel approach to global modelling",
        "Quarterly Journal of the Royal Meteorological Society 132(619), 1769-1793",
        2006,
    ),
}
