"""Rows C1 to C15, the aids recomputed for them, and what is known as prediction alone: probes of many shapes."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np

from haptos.campaign.fits import fit_friction, fit_restitution, saturation_friction
from haptos.core.errors import HaptosError
from haptos.geometry.mesh.probe_shapes import platonic, platonic_edge
from haptos.geometry.shape.aspect_angle import aspect_statistics
from tests.validation.lander_cases import (
    EARLY_REST,
    FIVE,
    FRICTION_LIST,
    RESTITUTIONS,
    THREE,
)
from tests.validation.lander_modes import ashman_distance, two_groups
from tests.validation.lander_verdicts import (
    Estimate,
    Row,
    area,
    area_ratio,
    bootstrap,
    change,
    mean,
    one_row,
    relative_change,
    share,
    skewness,
    values,
    worst,
)

TIME = "settle_time_s"
ANALYTIC = "none (shape)"
ASPECTS = {  # mean, sigma, largest [deg], recomputed with 10^6 attitudes
    "tetrahedron": (39.6, 14.8, 70.5), "octahedron": (31.9, 11.7, 54.7), "cube": (28.1, 10.9, 54.7),
    "icosahedron": (22.3, 8.1, 37.4), "dodecahedron": (18.0, 7.3, 37.4),
}  # fmt: skip
SATURATION = {"dodecahedron": 0.6, "cube": 1.0, "tetrahedron": 1.4}


SHAPE_FAMILIES = {  # rows that need the same cases
    "C1": lambda body: _cubes(body),
    "C2": lambda body: one_row(_order, "C2", "", body, "mean t_f rises from tetrahedron to dodecahedron"),
    "C3": lambda body: itertools.chain(_areas(body), one_row(_payload_areas, body)),
    "C4": lambda body: _payloads(body),
    "C5": lambda body: one_row(_skews, body),
    "C6": lambda body: one_row(_order, "C6", "equal-", body, "the order of C2 with equal inertia"),
    "C10": lambda body: one_row(_modes, body),
    "C11": lambda body: _contact_motion(body),
}  # fmt: skip


def _cubes(body: str) -> Iterator[Row]:
    for column, name in (("first_touch_time_s", "t_1"), (TIME, "t_f")):
        found = skewness(values("cube", column, body))
        verdict = "holds" if abs(found.value) < 0.5 else "fails"
        note = (
            ""
            if verdict == "holds"
            else "A tail of long runs, which slide for some twenty minutes on slopes of 12 deg (see C5), beyond what is taken as Gaussian (skewness 0.5, assumed); the source judges by eye."
            + (
                " Another body than the source's: the row of the shape model decides."
                if body == "built-in"
                else ""
            )
        )
        otherwise = "not reproducible" if body == "built-in" else "open"
        yield Row("C1", body, f"skewness of {name}, cube", "Gaussian (within 0.5 of 0)", str(found), verdict, note, otherwise=otherwise)  # fmt: skip


def _order(item: str, prefix: str, body: str, expected: str) -> Row:
    names = [prefix + shape for shape in FIVE]
    steps = [change(a, b, TIME, body) for a, b in itertools.pairwise(names)]
    reported = ", ".join(f"{mean(name, TIME, body).value:.0f}" for name in names)
    reported += " s; steps " + ", ".join(str(step) for step in steps)
    verdict = worst([step.is_positive for step in steps])
    note = (
        ""
        if verdict == "holds"
        else "Neighbours in the order differ by less than the runs of the page can tell."
    )
    return Row(item, body, "mean t_f of five solids [s]", expected, reported, verdict, note)


def _areas(body: str) -> Iterator[Row]:
    *steps, last = (area_ratio(a, b, body) for a, b in itertools.pairwise(FIVE))
    reported = ", ".join(f"{area(shape, body).value:.0f}" for shape in FIVE) + " m2; log ratios " + ", ".join(str(s) for s in steps) + f"; icosa to dodeca {last}"  # fmt: skip
    alike = "holds" if abs(last.value) < 0.2 else last.within(-0.2, 0.2)
    verdict = worst([*(step.is_positive for step in steps), alike])
    note = (
        ""
        if verdict == "holds"
        else "A thousand rests know an area to about 8 %; the source has 100,000. Another body than the source's: the row of the shape model decides. On the built-in body what bounces longer also has more time to gather: half of the tetrahedra rest beyond x = 8 m, half of the dodecahedra beyond x = 54 m, in the low ground there, so that the roundest solids do not spread widest."
    )
    yield Row("C3", body, "1-sigma dispersion area", "tetra < octa < cube < icosa, dodeca as icosa (within 20 %)", reported, verdict, note, otherwise="not reproducible" if body == "built-in" else "")  # fmt: skip
    ends = area_ratio("tetrahedron", "dodecahedron", body)
    yield Row("P1", body, "dispersion, dodecahedron against tetrahedron", "near-spherical disperse more", f"log ratio {ends}", ends.is_positive)  # fmt: skip


def _payload_areas(body: str) -> Row:
    widest = [area_ratio(shape, "minerva-1", body) for shape in ("cube", "dodecahedron", "mascot")]
    near = [area_ratio("cube", payload, body) for payload in ("mascot", "minerva-2")]
    reported = f"II-1 {area('minerva-1', body)}, MASCOT {area('mascot', body)}, II-2 {area('minerva-2', body)}, cube {area('cube', body)} m2"
    verdict = worst([*(x.is_positive for x in widest), *(x.near(-0.3, 0.3) for x in near)])
    note = (
        ""
        if verdict == "holds"
        else "The shapes are assumed: the source only draws them. II-1 rolls on its rim until it comes to the flat bottom: on the built-in body its slowest twentieth rests 36 m from the middle place, all of its runs 58 m. Long rolls make its area small here, not large."
    )
    return Row("C3", body, "dispersion of payloads", "II-1 largest; MASCOT and II-2 as the cube (within 30 %)", reported, verdict, note, otherwise="not reproducible")  # fmt: skip


def _payloads(body: str) -> Iterator[Row]:
    box, prism = relative_change("cube", "mascot", TIME, body), relative_change("cube", "minerva-2", TIME, body)  # fmt: skip
    tail = share(_finite("minerva-1", body) > np.quantile(_finite("dodecahedron", body), 0.95))
    reported = f"MASCOT {_percent(box)}, II-2 {_percent(prism)}, II-1 beyond the dodecahedron's 95 % quantile: {tail}"
    long_tail = "holds" if tail.low > 0.05 else "fails" if tail.high < 0.05 else "undecided"
    verdict = worst([box.near(-0.15, 0.15), prism.near(-0.05, 0.35), long_tail])
    rolled = np.nanmedian(values("minerva-2", "contact_time_s", body))
    still = relative_change("cube", "bounce-minerva-2", TIME, body)
    note = (
        ""
        if verdict == "holds"
        else f"The shapes are assumed: the source only draws them. The prism of eight sides rolls over its edges after its bounces, for {rolled:.0f} s in the median; stopped where it no longer bounces its t_f is {_percent(still)} of the cube's. "
        "Without rolling resistance, as in the source, nothing but the impacts of its edges brakes it. How many sides the source's prism has, and where rest begins, is not stated, and both decide. Sixty releases on the built-in body, runs that did not end counted at their end: "
        "5 sides +1 %, 6 sides +45 % (median +10 %), 8 sides +214 %, 12 sides +250 %; 8 sides with rest below 1 mm/s +74 % (median +23 %), below 10 mm/s +11 %."
    )
    yield Row("C4", body, "t_f of payloads against the cube", "MASCOT alike (15 %), II-2 slightly slower (-5 to +35 %), II-1 with a long tail", reported, verdict, note, otherwise="not reproducible")  # fmt: skip


def _finite(case: str, body: str) -> np.ndarray:
    found = values(case, TIME, body)
    return np.asarray(found[np.isfinite(found)])


def _percent(x: Estimate) -> str:
    return f"{x.value:+.1%} [{x.low:+.1%}, {x.high:+.1%}]"


def _skews(body: str) -> Row:
    found = {shape: skewness(values(shape, TIME, body)) for shape in FIVE}
    others = [abs(found[shape].value) < 0.5 for shape in FIVE[1:]]
    verdict = "holds" if found["tetrahedron"].low > 0.0 and all(others) else "fails"
    reported = ", ".join(f"{shape} {x}" for shape, x in found.items())
    note = (
        ""
        if verdict == "holds"
        else "Every solid has a tail of long runs. On the built-in body the slowest twentieth of tetra-, octahedra and cubes slides for 1200 to 1900 s (mean of all 200 to 280 s) on slopes of 12 to 17 deg (mean 7 to 9 deg); that of icosa- and dodecahedra has 1.7 and 2.4 times the impacts of the mean, rolling over its edges. The source judges by eye."
    )
    return Row("C5", body, "skewness of t_f", "positive for the tetrahedron alone (others within 0.5 of 0)", reported, verdict, note, otherwise="open")  # fmt: skip


def _modes(body: str) -> Row:
    """Two modes: mean aspect angles of a run's impacts are two groups (Ashman's D above 2), the low one slower."""
    times = values("minerva-1", TIME, body)
    aspect = np.degrees(values("minerva-1", "mean_aspect_angle_rad", body))
    both = np.isfinite(times) & np.isfinite(aspect)
    x, y = aspect[both], times[both]
    means, deviations, weight = two_groups(x)
    apart = bootstrap(lambda rows: ashman_distance(x[rows]) - 2.0, len(x), repeats=200)
    is_low = np.abs(x - means[0]) / deviations[0] < np.abs(x - means[1]) / deviations[1]
    slower = bootstrap(
        lambda rows: float(y[rows][is_low[rows]].mean() / y[rows][~is_low[rows]].mean() - 1.0), len(x)
    )  # fmt: skip
    reported = f"{weight:.0%} of runs at {means[0]:.0f} +- {deviations[0]:.0f} deg, the others at {means[1]:.0f} +- {deviations[1]:.0f} deg; Ashman's D {2.0 + apart.value:.2f} [{2.0 + apart.low:.2f}, {2.0 + apart.high:.2f}]; t_f of the first over that of the others {_percent(slower)}"
    verdict = worst([apart.is_positive, slower.is_positive])
    note = "Judged by the mean aspect angle over all impacts of a run: two groups if a mixture of two normal distributions has its means further apart than D = 2 (a common criterion of two peaks)."
    return Row("C10", body, "MINERVA-II-1: two modes", "rolling (low aspect angles, slow) and tumbling (high ones, fast)", reported, verdict, note, otherwise="open")  # fmt: skip


def _gains(shape: str, body: str, rest: str = "") -> tuple[np.ndarray, np.ndarray]:
    """(share of t_f, path [m]) that contact motion adds, by release; `rest` "early-": with that threshold of rest."""
    times = [values(f"{prefix}{shape}", TIME, body) for prefix in (rest, "bounce-")]
    paths = [values(f"{prefix}{shape}", "path_length_m", body) for prefix in (rest, "bounce-")]
    count = min(len(times[0]), len(times[1]))
    times, paths = [x[:count] for x in times], [x[:count] for x in paths]
    both = np.isfinite(times[0]) & np.isfinite(times[1])
    return times[0][both] / times[1][both] - 1.0, (paths[0] - paths[1])[both]


def _small(shape: str, body: str, rest: str = "") -> tuple[Estimate, str]:
    time, path = _gains(shape, body, rest)
    found = share((time < 0.02) & (path < 0.25))
    return (
        found,
        f"{found}; median {np.median(time):+.1%} and {np.median(path):.2f} m, 90 % quantile {np.quantile(time, 0.9):+.1%}",
    )


def _contact_motion(body: str) -> Iterator[Row]:
    limits = f"{EARLY_REST['speed_m_per_s']:g} m/s and {EARLY_REST['rate_rad_per_s']:g} rad/s"
    for shape in ("tetrahedron", "octahedron", "cube"):
        small, reported = _small(shape, body)
        verdict = "holds" if small.high >= 0.9 else "fails"
        yield Row("C11", body, f"continued contact, {shape}", "90 % of runs: < 2 % in t_f, < 0.25 m of path", f"share of runs below 2 % and 0.25 m: {reported}", verdict, "" if verdict == "holds" else CONTACT_NOTE, otherwise="not reproducible")  # fmt: skip
        _, reported = _small(shape, body, "early-")
        yield Row("C11", body, f"the same with rest below {limits}, {shape}", "-", f"share {reported}", "reported")  # fmt: skip
    time, path = _gains("dodecahedron", body)
    longer, early = share(time > 0.10), share(_gains("dodecahedron", body, "early-")[0] > 0.10)
    reported = f"share of runs above 10 %: {longer}; median path {np.median(path):.2f} m"
    verdict = longer.near(0.15, 0.35)
    note = (
        ""
        if verdict == "holds"
        else f"The rest threshold decides, which the source does not state: below {limits} the share is {early.value:.2f}, by default (1e-6 m/s, or a balance below 1e-4 m/s) {longer.value:.2f}. Nothing but friction brakes a solid that rolls over its edges here (no rolling resistance, as in the source)."
    )
    yield Row("C12", body, "continued contact, dodecahedron", "25 % of runs gain > 10 % in t_f (15 to 35 %)", reported, verdict, note, otherwise="not reproducible")  # fmt: skip
    yield Row("C12", body, f"the same with rest below {limits}", "-", f"share of runs above 10 %: {early}", "reported", "A threshold found by trying which one gives the published share; not judged.")  # fmt: skip


CONTACT_NOTE = (
    "Small gains, but not as small as published. It is not the speed below which contact begins, which the source does not tell: 1e-4, 1e-5 and 2e-6 m/s give the same shares. The rest threshold, not stated either, matters (row below) "
    "but never gives 0.9. When bounces have died out a probe still slides at millimetres per second, and friction of 0.5 in gravity of 8e-5 m/s2 takes minutes to stop it, longer on slopes; "
    "where in its collision log the source counts the first contact is not reported."
)


def restitution_rows() -> Iterator[Row]:
    """C13 and the aid on the particle, on the built-in body."""
    fits = {}
    for shape in THREE:
        means = [mean(f"{shape}-e-{e}", TIME, "built-in").value for e in RESTITUTIONS]
        fit = fits[shape] = fit_restitution(RESTITUTIONS, means)
        reported = f"a_0 {fit.parameters[0]:.0f}, a_1 {fit.parameters[1]:.0f} s, R2 {fit.explained:.3f}; t_f {means[0]:.0f} to {means[-1]:.0f} s"
        yield Row("C13", "built-in", f"mean t_f against e, {shape}", "a_0 + a_1/(1-e) fits closely (R2 > 0.95)", reported, "holds" if fit.explained > 0.95 else "fails")  # fmt: skip
    a_1 = float(fits["cube"].parameters[1])
    yield Row("[D] particle", "built-in", "a_1 of the cube", "about 2.7e3 s, order of magnitude (factor 3)", f"{a_1:.0f} s", "holds" if 900.0 < a_1 < 8100.0 else "fails", is_identity=True)  # fmt: skip


def friction_rows() -> Iterator[Row]:
    """C14 and C15, on the built-in body."""
    for shape in THREE:
        yield from _friction(shape)


def _friction(shape: str) -> Iterator[Row]:
    means = [mean(f"{shape}-f-{f}", TIME, "built-in") for f in FRICTION_LIST]
    reported = ", ".join(f"{m.value:.0f}" for m in means) + " s"
    rise = relative_change(f"{shape}-f-0.4", f"{shape}-f-2.0", TIME, "built-in")
    note = (
        ""
        if rise.is_positive == "holds"
        else "Weak, as published: too weak for the runs of the page. Below f = 0.2 t_f rises steeply to the other side, since probes slide on slopes."
    )
    yield Row("C14", "built-in", f"mean t_f at f {', '.join(map(str, FRICTION_LIST))}, {shape}", "rises with f" + (" (weakly)" if shape == "dodecahedron" else "") + "; judged from 0.4 to 2.0", f"{reported}; 0.4 to 2.0: {_percent(rise)}", rise.is_positive, note)  # fmt: skip
    start = FRICTION_LIST.index(0.2)
    try:
        fit = fit_friction(FRICTION_LIST[start:], [m.value for m in means[start:]])
        limit = saturation_friction(fit)
        reported, verdict = f"f_s = {limit:.2f}, R2 {fit.explained:.2f}, over f from 0.2", "holds" if abs(limit - SATURATION[shape]) < 0.2 else "fails"  # fmt: skip
    except HaptosError as error:
        reported, verdict = f"no sigmoid: {error.found}", "fails"
    note = (
        ""
        if verdict == "holds"
        else "The bar is half of what tells one solid from the next; with 0.4, as before, any of them would pass for its neighbour. The order of the solids is as published, all three saturate at some two thirds of the published friction. The runs leave the shoulder of the sigmoid uncertain by about as much, and where the source puts its shoulder is not stated."
    )
    yield Row("C15", "built-in", f"saturation, {shape}", f"{SATURATION[shape]} (within 0.2)", reported, verdict, note, otherwise="open")  # fmt: skip


def geometry_rows() -> Iterator[Row]:
    """C7 to C9: exact numbers of the shapes."""
    edge = {shape: platonic_edge(shape, 0.01) for shape in FIVE}
    js2 = {shape: float(platonic(shape, edge[shape]).inertia_per_mass[0, 0]) for shape in FIVE}
    table = {"tetrahedron": 0.0096548, "octahedron": 0.0076630, "cube": 0.0077360, "icosahedron": 0.0072240, "dodecahedron": 0.0072528}  # fmt: skip
    error = max(abs(js2[shape] / table[shape] - 1.0) for shape in FIVE)
    round_ones = 0.5 * (js2["dodecahedron"] + js2["icosahedron"])
    reported = f"octahedron {js2['octahedron'] / round_ones - 1:+.1%}, cube {js2['cube'] / round_ones - 1:+.1%}, tetrahedron {js2['tetrahedron'] / round_ones - 1:+.1%}; table to {error:.1e}"
    yield Row("C7", ANALYTIC, "inertia j s2 against dodeca- and icosahedron", "about 7 %, 7 %, 35 %; table of j s2", reported, "holds" if error < 1e-3 else "fails")  # fmt: skip
    yield Row("C8", ANALYTIC, "order of C2 against vertex defect", "180, 120, 90, 60, 36 deg: the same order", "the order of the rows C2", "reported")  # fmt: skip
    for shape in FIVE:
        found = aspect_statistics(platonic(shape, edge[shape]).vertices)
        got = np.degrees([found.mean, found.deviation, found.largest])
        error = float(np.abs(got - ASPECTS[shape]).max())
        yield Row("C9", ANALYTIC, f"aspect angle, {shape}: mean, sigma, largest [deg]", ", ".join(map(str, ASPECTS[shape])) + " (0.1)", ", ".join(f"{x:.2f}" for x in got), "holds" if error <= 0.1 else "fails", is_identity=True)  # fmt: skip


def ground_rows() -> Iterator[Row]:
    """P2 to P6: predictions and studies of which the titles survive; values assumed."""
    for shape in THREE:
        rough = relative_change(shape, f"{shape}-relief-4.8", TIME, "built-in")
        rocky = relative_change(shape, f"{shape}-K-57", TIME, "built-in")
        soft = [relative_change(shape, f"{shape}-regolith-{a}", TIME, "built-in") for a in (15, 45)]
        reported = f"relief 4.8 m {_percent(rough)}; rocks K 57 {_percent(rocky)}"
        if shape == "tetrahedron":
            verdict = worst([rough.near(-0.1, 0.1), rocky.near(-0.1, 0.1)])
            expected = "little effect (10 %)"
        else:
            verdict, expected = worst([rough.is_negative, rocky.is_negative]), "settles sooner"
        note = (
            ""
            if verdict == "holds"
            else "Relief and rocks are assumed; slopes of the added relief lengthen the way of a probe that no longer rolls anyway."
        )
        yield Row("P3, P4", "built-in", f"rough ground, {shape}", expected, reported, verdict, note)
        yield Row("P6", "built-in", f"regolith, critical angle 15 and 45 deg, {shape}", "curves to produce", f"t_f {_percent(soft[0])} and {_percent(soft[1])} against e = 0.5", "reported")  # fmt: skip
