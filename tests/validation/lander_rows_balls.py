"""Rows S1 to S14: balls released over Itokawa."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np

from haptos.environment.gravity_resolution import coarser_mesh
from haptos.environment.surface_maps import surface_maps
from haptos.geometry.mesh.facet_measures import facet_centres
from tests.validation.lander_cases import LOWLANDS
from tests.validation.lander_maps import map_area_change, map_peak, peak_change
from tests.validation.lander_verdicts import (
    Row,
    bootstrap,
    change,
    first_points,
    longitude_latitude,
    mean,
    mesh_of,
    one_row,
    percent,
    relative_change,
    rests,
    runs_of,
    share,
    skewness,
    spread_change,
    values,
    worst,
)

TIME, SLOPE = "settle_time_s", "slope_at_rest_deg"
SPIN = (0.0, 0.0, 2.0 * np.pi / (12.132 * 3600.0))  # [rad/s]


BALL_FAMILIES = {  # rows that need the same cases
    "S1": lambda body: one_row(_places, body),
    "S2": lambda body: _gaussian(body),
    "S3": lambda body: _slopes(body),
    "S4": lambda body: _heights(body),
    "S5": lambda body: _restitution(body),
    "S6": lambda body: one_row(_scatter, body),
    "S7": lambda body: _rolling(body),
    "S8": lambda body: one_row(_friction, body),
    "S9": lambda body: _regions(body),
    "S10": lambda body: _rocks(body),
    "S11": lambda body: (_without_rocks(height, body) for height in ("high", "low")),
    "S12": lambda body: _rock_dispersion(body),
    "S13": lambda body: one_row(_rock_restitution, body),
    "S14": lambda body: one_row(_first_loss, body),
}


def _places(body: str) -> Row:
    east, north = map_peak(rests("high", body))
    hit = first_points("high", body)
    struck = float(np.median(longitude_latitude(hit)[0]))
    reported = f"first impacts: median longitude {struck:.0f} deg, x {np.median(hit[:, 0]):.0f} m; rests densest, in a map of longitude and latitude, at {east:.0f}, {north:.0f} deg"
    what = "high: first impacts and densest rests"
    expected = "first impacts at the neck (longitude -25 to -32 deg, x about 157 m); densest near (-20, -20) deg (within 25 deg)"
    if body == "built-in":
        return Row("S1", body, what, "numbers are those of Itokawa alone", reported, "reported")
    near = np.hypot(east + 20.0, north + 20.0) < 25.0
    neck = -40.0 < struck < -17.0
    note = (
        ""
        if near and neck
        else "The pole, meridian and frame of the release are not reported in the source; the mesh has 16,220 facets in place of 196,608."
    )
    verdict = "holds" if near and neck else "fails"
    return Row("S1", body, what, expected, reported, verdict, note, otherwise="not reproducible")


def _gaussian(body: str) -> Iterator[Row]:
    reported, verdicts, skews = [], [], {}
    for height in ("high", "low"):
        first, last = values(height, "first_touch_time_s", body), values(height, TIME, body)
        both = np.isfinite(first) & np.isfinite(last)
        first, last = first[both], last[both]
        ratio = bootstrap(
            lambda rows, a=first, b=last: float(a[rows].std() / b[rows].std() - 1.0), len(first)
        )
        verdicts.append(ratio.is_negative)
        reported.append(
            f"{height}: sigma(t_1)/sigma(t_f) = {1 + ratio.value:.2f} [{1 + ratio.low:.2f}, {1 + ratio.high:.2f}]"
        )
        skews[height] = skewness(last)
    yield Row("S2", body, "spread of t_1 and t_f", "sigma(t_1) < sigma(t_f)", "; ".join(reported), worst(verdicts))  # fmt: skip
    for height, found in skews.items():
        yield Row(
            "S2", body, f"{height}: shape of t_f", "near Gaussian (skewness within 0.5 of 0, assumed)", f"skewness {found}", found.within(-0.5, 0.5),
            "The source judges by eye; the bar of 0.5 is that of C1, and was left out of this row for a while after it failed.", otherwise="open",
        )  # fmt: skip


def _slopes(body: str) -> Iterator[Row]:
    slopes = values("high", SLOPE, body)
    flat = share(slopes[np.isfinite(slopes)] < 15.0)
    verdict = "holds" if flat.low > 0.5 else "fails" if flat.high < 0.5 else "undecided"
    yield Row("S3", body, "high: share of rests on slopes below 15 deg", "most", str(flat), verdict)
    lower = change("high", "low", SLOPE, body)
    expected = "low smaller than high (difference < 0)"
    yield Row(
        "S3", body, "mean slope at rest, low less high [deg]", expected, str(lower), lower.is_negative,
        "" if lower.is_negative == "holds" else "Which ground lies under the release decides; the slopes of this mesh are those of its facets.",
    )  # fmt: skip


def _heights(body: str) -> Iterator[Row]:
    sooner, tighter = relative_change("high", "low", TIME, body), spread_change("high", "low", body)
    reported = f"t_f {percent(sooner)}; mean distance of rests from their mean {percent(tighter)}"
    yield Row(
        "S4", body, "low against high", "sooner, tighter", reported,
        worst([sooner.is_negative, tighter.is_negative]),
    )  # fmt: skip


FEW_STEPS = (
    "The size is as published. The step whose interval holds zero is not known by these releases: "
    "times of one release at two e differ by thousands of seconds either way."
)


def _restitution(body: str) -> Iterator[Row]:
    for height in ("high", "low"):
        order = [f"{height}-e-0.35", f"{height}-e-0.5", height, f"{height}-e-0.8"]
        steps = [change(a, b, TIME, body) for a, b in itertools.pairwise(order)]
        whole = relative_change(order[0], order[-1], TIME, body)
        reported = f"steps {', '.join(str(step) for step in steps)} s; in all {whole.value:+.0%} [{whole.low:+.0%}, {whole.high:+.0%}]"
        rises = worst([step.is_positive for step in steps])
        size = whole.near(0.3, 1.3)
        expected = "mean t_f rises at every step; in all up to +100 % (taken as 30 to 130 %)"
        note = (
            ("" if rises == "holds" else FEW_STEPS)
            if size == "holds"
            else "The rise is there, its size not as published. What decides is whether rocks follow the ground: with rocks that keep 0.65 while the ground takes 0.35 to 0.8 the rise is +110 % from low (24 releases at each e; +229 % of the same if they follow) "
            "and on the shape model +141 % (+246 %), from high +27 and +25 %. Here they follow, as S13 compares with e everywhere; whether the source's do in this study is not known. Balls stopped where they no longer bounce, coarser rests (3 mm/s) and twice the rolling resistance leave +268 to +280 % on the built-in body; K 57 gives +153 %, sink ratios of -0.2 and 0.5 give +170 %, rocks twice as large +250 %."
        )
        yield Row("S5", body, f"{height}: e 0.35, 0.5, 0.65, 0.8", expected, reported, worst([rises, size]), note, otherwise="open")  # fmt: skip


def _scatter(body: str) -> Row:
    wider = spread_change("high-e-0.35", "high-e-0.8", body)
    flatter = change("high-e-0.35", "high-e-0.8", SLOPE, body)
    south = peak_change("high-e-0.35", "high-e-0.8", body)
    reported = (
        f"scatter {percent(wider)}, slope {flatter} deg, latitude of the densest spot {south} deg"
    )
    expected = "more scatter, smaller slopes, farther south (on Itokawa)"
    verdicts = [wider.is_positive, flatter.is_negative]
    if body == "shape model":
        verdicts.append(south.is_negative)
    note = (
        ""
        if worst(verdicts) == "holds"
        else f"The densest spot of {len(rests('high-e-0.35', body))} rests is known no better than its interval; the source shows the cluster move in plots of 1,000."
    )
    return Row("S6", body, "high: e 0.35 to 0.8", expected, reported, worst(verdicts), note)


def _rolling(body: str) -> Iterator[Row]:
    for height in ("high", "low"):
        ends = f"{height}-roll-0.00225", f"{height}-roll-0.00875"
        time, slope = relative_change(*ends, TIME, body), change(*ends, SLOPE, body)
        tighter = spread_change(*ends, body)
        strong = relative_change(f"{height}-e-0.35", f"{height}-e-0.8", TIME, body)
        reported = f"t_f {time.value:+.1%} [{time.low:+.1%}, {time.high:+.1%}], slope {slope} deg, scatter {percent(tighter)}; e: {strong.value:+.0%}"
        weaker = "holds" if abs(time.value) < abs(strong.value) else "fails"
        verdict = worst([time.is_negative, tighter.is_negative, slope.is_positive, weaker])
        note = (
            ""
            if verdict == "holds"
            else "What does not follow the source is the part whose interval holds zero or the contrary."
        )
        expected = "t_f falls, tighter, slopes rise; weaker than e"
        yield Row("S7", body, f"{height}: C_RR 0.018 to 0.070", expected, reported, verdict, note)


def _friction(body: str) -> Row:
    reported, verdicts = [], []
    for height in ("high", "low"):
        for f in ("0.2", "2.5"):
            step = relative_change(height, f"{height}-f-{f}", TIME, body)
            reported.append(
                f"{height} f {f}: {step.value:+.1%} [{step.low:+.1%}, {step.high:+.1%}]"
            )
            verdicts.append("holds" if step.low <= 0.0 <= step.high else step.near(-0.05, 0.05))
    expected = "t_f as at f = 1 (interval holds 0, or within 5 %)"
    return Row("S8", body, "f 0.2 and 2.5", expected, "; ".join(reported), worst(verdicts))


def _in_muses_sea(case: str, body: str) -> np.ndarray:
    """Whether each rest lies on the southern part of the fifth of the facets that is lowest in geopotential, as in the case of regions."""
    from scipy.spatial import cKDTree

    vertices, faces = mesh_of(body)
    heights = surface_maps(
        vertices, faces, mu=2.341, omega=SPIN, names=["geopotential_m2_per_s2"],
        gravity_mesh=coarser_mesh(vertices, faces, 2000),
    )["geopotential_m2_per_s2"]  # fmt: skip
    centres = facet_centres(vertices, faces)
    low = np.asarray(heights) >= np.quantile(heights, 1.0 - LOWLANDS)  # high geopotential is low
    sea = low & (centres[:, 2] < 0.0)
    return np.asarray(sea[cKDTree(centres).query(rests(case, body))[1]])


MASK = (
    "The threshold of the geopotential that makes the mask is not stated. On the shape model any that takes 10 to 25 % of the facets leaves two lowlands, one in the south about the neck, taken as Muses Sea, and one in the north, "
    "taken as Sagamihara; from 30 % on they are one. A fifth of the facets is taken: 24 % of the ground, of the built-in body 6 %."
)


def _regions(body: str) -> Iterator[Row]:
    time = relative_change("high", "high-regions", TIME, body)
    slope = change("high", "high-regions", SLOPE, body)
    reported = f"t_f {time.value:+.1%} [{time.low:+.1%}, {time.high:+.1%}], slope {slope} deg"
    expected = "t_f slightly shorter, mean slope lower"
    verdict = worst([time.is_negative, slope.is_negative])
    otherwise = "not reproducible" if body == "built-in" else ""
    other = " Another body than the source's: the row of the shape model decides."
    note = MASK + (other if body == "built-in" else "")
    yield Row("S9", body, "high: soft lowlands with few rocks", expected, reported, verdict, note, otherwise=otherwise)  # fmt: skip
    before, after = _in_muses_sea("high", body), _in_muses_sea("high-regions", body)
    more = bootstrap(
        lambda rows: float(np.mean(after[rows]) - np.mean(before[rows])),
        min(len(before), len(after)),
    )
    known = 2.0 * float(np.sqrt(0.25 / len(after)))
    note = f"{len(after)} rests: a share is known to {known:.0%}." + (
        other if body == "built-in" else ""
    )
    yield Row(
        "S9", body, "high: share of rests in Muses Sea", "more than on uniform ground",
        f"{before.mean():.1%} to {after.mean():.1%}, difference {more}", more.is_positive, note, otherwise=otherwise,
    )  # fmt: skip


def _rocks(body: str) -> Iterator[Row]:
    for height in ("high", "low"):
        order = [f"{height}-K-4", height, f"{height}-K-57"]
        fall = relative_change(order[0], order[-1], TIME, body)
        last = relative_change(order[-1], f"{height}-K-86", TIME, body)
        slope = change(order[0], order[-1], SLOPE, body)
        times = ", ".join(
            f"{mean(case, TIME, body).value:.0f}" for case in [*order, f"{height}-K-86"]
        )
        reported = f"mean t_f {times} s at K 4, 14, 57, 86; 4 to 57 {fall.value:+.1%} [{fall.low:+.1%}, {fall.high:+.1%}], 57 to 86 {last.value:+.1%} [{last.low:+.1%}, {last.high:+.1%}]; slope {slope} deg"
        flat = "holds" if last.low <= 0.0 <= last.high or abs(last.value) < 0.05 else "fails"
        verdict = worst([fall.is_negative, flat, slope.is_positive])
        note = (
            ""
            if verdict == "holds"
            else "Times fall and level off as published where the interval is below zero."
        )
        yield Row("S10", body, f"{height}: K up", "t_f falls up to K = 57, then constant; slope rises", reported, verdict, note)  # fmt: skip


def _without_rocks(height: str, body: str) -> Row:
    longer = relative_change(height, f"{height}-smooth", "end_time_s", body)
    ended = share(runs_of(f"{height}-smooth", body)["ended"].to_numpy() != "settled")
    reported = f"{percent(longer)}; {ended.value:.0%} still rolling when the steps allowed ran out, counted at that time"
    verdict = longer.is_positive
    if verdict == "holds":
        verdict = longer.within(0.0, 0.4)
    if ended.value > 0.05 and verdict == "holds":
        verdict = "undecided"  # a lower bound cannot show that it is no more
    note = "Balls roll in both cases. A time counted at the end of the steps allowed is a lower bound: with more than 5 % of them the row cannot hold."
    otherwise = ""
    if verdict == "fails":
        note += (
            " The bounces take as long with rocks as without (-2 %); all that is more is slow rolling, 7,900 s on average, and where it counts as rest is not stated. Twenty releases with rest below 1 mm/s: +59 %, below 3 mm/s: +51 %, below 10 mm/s: "
            "+34 % [+25 %, +45 %]; with twice the rolling resistance +19 %. The mesh has 16,220 facets in place of 196,608, whose edges brake what rolls."
        )
        otherwise = "not reproducible"
    return Row("S11", body, f"{height}: t_f without rocks", "longer, by up to 33 % (taken as 0 to 40 %)", reported, verdict, note, otherwise=otherwise)  # fmt: skip


def _rock_dispersion(body: str) -> Iterator[Row]:
    for height, expected in (("high", "shrinks"), ("low", "grows")):
        wider = map_area_change(f"{height}-K-4", f"{height}-K-86", body)
        same = map_area_change(f"{height}-K-57", f"{height}-K-86", body)
        metres = spread_change(f"{height}-K-4", f"{height}-K-86", body)
        trend = wider.is_negative if height == "high" else wider.is_positive
        alike = "holds" if same.low <= 0.0 <= same.high else "fails"
        reported = f"area of a map of longitude and latitude that holds 68 %, K 4 to 86: {percent(wider)}; 57 to 86: {percent(same)}; mean distance from the mean place {percent(metres)}"
        note = (
            ""
            if trend == "holds"
            else "Another body than the source's: the row of the shape model decides."
            if body == "built-in"
            else f"The areas of {len(rests(f'{height}-K-4', body))} rests are known no better than these intervals."
        )
        otherwise = "not reproducible" if body == "built-in" else ""
        yield Row("S12", body, f"{height}: dispersion, K up", f"{expected}; 57 as 86", reported, worst([trend, alike]), note, otherwise=otherwise)  # fmt: skip


def _rock_restitution(body: str) -> Row:
    reported, verdicts = [], []
    for height in ("high", "low"):
        rocks = relative_change(f"{height}-rock-e-0.35", f"{height}-rock-e-0.8", TIME, body)
        ground = relative_change(f"{height}-e-0.35", f"{height}-e-0.8", TIME, body)
        verdicts += [rocks.is_positive, "holds" if rocks.high < ground.value else "fails"]
        reported.append(f"{height}: {rocks.value:+.1%} [{rocks.low:+.1%}, {rocks.high:+.1%}] against {ground.value:+.0%}")  # fmt: skip
    expected = "t_f rises, by less than with e everywhere"
    return Row(
        "S13", body, "e of rocks 0.35 to 0.8", expected, "; ".join(reported), worst(verdicts)
    )


def _first_loss(body: str) -> Row:
    reported, verdicts = [], []
    for height in ("high", "low"):
        runs = runs_of(height, body)
        part = (runs["first_loss_J"] / runs["first_kinetic_energy_before_J"]).dropna().to_numpy()
        found = bootstrap(lambda rows, p=part: float(p[rows].mean()), len(part))
        reported.append(f"{height}: {found}")
        verdicts.append(
            "holds" if found.low > 0.5 else "fails" if found.high < 0.5 else "undecided"
        )
    expected = "more than half of the energy of motion"
    return Row("S14", body, "share lost in the first impact", expected, "; ".join(reported), worst(verdicts))  # fmt: skip
