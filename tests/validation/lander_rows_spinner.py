"""Rows K1 to K13: the first-impact model, and balls on a fast spinner."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator

import numpy as np

from haptos.core.whole_files import write_whole
from haptos.environment.surface_maps import surface_maps
from haptos.geometry.mesh.procedural_bodies import procedural_body
from haptos.planning.first_impact import (
    ImpactWorld,
    best_periapsis,
    best_tilt,
    first_impact,
)
from tests.validation.kw4_release import KW4, nominal_impacts
from tests.validation.lander_cases import KEPT
from tests.validation.lander_verdicts import (
    Estimate,
    Row,
    bootstrap,
    first_points,
    incidence,
    longitude_latitude,
    one_row,
    percent,
    rests,
    runs_of,
    share,
    spread,
    spread_change,
    worst,
)
from tests.validation.shape_models import shape_model

RADIUS = 690.0
WORLD = ImpactWorld(RADIUS, 157.04, 2.0 * np.pi / (2.7645 * 3600.0))
TILTS = np.radians(np.arange(0.0, 91.0, 15.0))
ANALYTIC = "none (model)"
FIRST_PASS = (
    9000.0  # [s] nominal first impacts are at 7169 s, and a turn of the orbit takes 14,000 s
)


def model_rows() -> Iterator[Row]:
    """K1 to K5, K13 and the recomputed numbers: the analytic model."""
    level = [best_periapsis(WORLD, a * RADIUS, 0.65, 0.0) / RADIUS for a in (1.25, 1.5, 2.0, 4.0)]
    exact = "holds" if max(abs(x - 1.0) for x in level) < 1e-3 else "fails"
    yield Row("K1", ANALYTIC, "best r_P on level ground, r_A 1.25 to 4 R, e 0.65", "R", f"{min(level):.4f} to {max(level):.4f} R", exact)  # fmt: skip
    tilted = [best_periapsis(WORLD, 2.0 * RADIUS, 0.65, tilt) / RADIUS for tilt in TILTS[1:6]]
    ok = "holds" if all(0.95 < x < 1.0 for x in tilted) else "fails"
    yield Row("K2", ANALYTIC, "best r_P on slopes of 15 to 75 deg", "0.95 R to R", f"{min(tilted):.3f} to {max(tilted):.3f} R", ok)  # fmt: skip
    r_p = np.linspace(0.1, 0.99, 30) * RADIUS
    angle = first_impact(WORLD, r_p, 2.0 * RADIUS, 0.65, best_tilt(WORLD, r_p, 2.0 * RADIUS)).impact_angle  # fmt: skip
    largest = float(np.degrees(np.nanmax(angle)))
    yield Row("K3", ANALYTIC, "impact angle at the best slope", "0 deg, whatever e", f"largest {largest:.1e} deg", "holds" if largest < 0.1 else "fails")  # fmt: skip
    after = [float(first_impact(WORLD, 0.9 * RADIUS, 2.0 * RADIUS, e).speed_after) for e in (0.8, 0.65, 0.5, 0.35)]  # fmt: skip
    best = [best_periapsis(WORLD, 2.0 * RADIUS, e, np.radians(30.0)) / RADIUS for e in (0.8, 0.65, 0.5, 0.35)]  # fmt: skip
    falls = np.all(np.diff(after) < 0.0) and np.all(np.diff(best) < 0.0)
    yield Row("K4", ANALYTIC, "e 0.8, 0.65, 0.5, 0.35", "V_2 falls, best r_P falls", f"V_2 {_list(after)} m/s; best r_P {_list(best)} R (slope 30 deg)", "holds" if falls else "fails")  # fmt: skip
    speeds = [float(first_impact(WORLD, 0.9 * RADIUS, a * RADIUS, 0.65).speed_after) for a in (1.5, 2.0, 3.0, 4.0)]  # fmt: skip
    yield Row("K5", ANALYTIC, "r_A 1.5, 2, 3, 4 R", "V_2 rises", f"V_2 {_list(speeds)} m/s", "holds" if np.all(np.diff(speeds) > 0.0) else "fails")  # fmt: skip
    yield _against_slope()
    yield from _numbers()


def _list(numbers: list[float]) -> str:
    return ", ".join(f"{x:.3f}" for x in numbers)


def _against_slope() -> Row:
    slopes = np.radians(np.linspace(0.0, 90.0, 19))
    spans, best = [], []
    for r_p in (0.98, 0.7):
        after = first_impact(WORLD, r_p * RADIUS, 2.0 * RADIUS, 0.65, slopes).speed_after
        spans.append(float(np.nanmax(after) - np.nanmin(after)))
        best.append(float(np.degrees(slopes[int(np.nanargmin(after))])))
    reported = f"range {spans[0]:.3f} m/s at 0.98 R, {spans[1]:.3f} at 0.70 R; best slope {best[0]:.0f} and {best[1]:.0f} deg"
    good = spans[0] < spans[1] and best[1] < best[0]
    return Row("K13", ANALYTIC, "V_2 over slopes of 0 to 90 deg", "nearly flat at r_P near R; low slopes better at lower r_P", reported, "holds" if good else "fails")  # fmt: skip


def _numbers() -> Iterator[Row]:
    found = first_impact(WORLD, np.array([0.05, 0.7, 0.9, 1.0]) * RADIUS, 2.0 * RADIUS, 0.65)
    expected = np.array([[0.4829, 0.5354, 0.5461, 0.5509], [0.4138, 0.1546, 0.1258, 0.1152]])
    worst_error = float(np.abs(np.array([found.inertial_speed, found.speed_after]) / expected - 1.0).max())  # fmt: skip
    yield Row("[D] model", ANALYTIC, "V_1 and V_2 of four orbits", "recomputed table, 1e-3", f"largest difference {worst_error:.1e}", "holds" if worst_error < 1e-3 else "fails", is_identity=True)  # fmt: skip
    found_best = [best_periapsis(WORLD, 2.0 * RADIUS, e, tilt) / RADIUS for e in (0.65, 0.35) for tilt in TILTS]  # fmt: skip
    table = [1.000, 0.969, 0.967, 0.978, 0.990, 0.997, 1.000, 0.677, 0.808, 0.894, 0.947, 0.979, 0.995, 1.000]  # fmt: skip
    error = float(np.abs(np.array(found_best) - table).max())
    yield Row("[D] model", ANALYTIC, "best r_P over seven slopes, e 0.65 and 0.35", "recomputed table, 1e-3", f"largest difference {error:.1e} R", "holds" if error < 1e-3 else "fails", is_identity=True)  # fmt: skip


def _kept_impacts() -> dict[str, tuple[float, float, list[float]]]:
    """First impacts of the nominal releases, kept as the cases are."""
    file = KEPT / "kw4-releases.json"
    if not file.is_file():
        write_whole(file, json.dumps(nominal_impacts()))
    found: dict[str, tuple[float, float, list[float]]] = json.loads(
        file.read_text(encoding="utf-8")
    )
    return found


def release_rows() -> Iterator[Row]:
    """Nominal releases on the shape model, against the recomputed first impacts."""
    for name, (time, speed, angles) in _kept_impacts().items():
        t, v, eta = KW4[name]
        near = min(abs(angle - eta) for angle in angles) < 2.0
        good = abs(time / t - 1.0) < 0.02 and abs(speed / v - 1.0) < 0.03 and near
        reported = (
            f"{time:.0f} s, {speed:.3f} m/s, {' or '.join(f'{angle:.1f}' for angle in angles)} deg"
        )
        yield Row("[D] KW4", "shape model", f"nominal first impact, r_P = {name} R", f"{t:.0f} s (2 %), {v} m/s (3 %), {eta} deg (2 deg)", reported, "holds" if good else "fails", is_identity=True)  # fmt: skip


SPINNER_FAMILIES = {  # rows that need the same cases
    "K6": lambda body: one_row(_grazing, body),
    "K7": lambda body: _periapses(body),
    "K10": lambda body: one_row(_energies, body),
    "K11": lambda body: _rocks(body),
    "K12": lambda body: one_row(_environment, body),
}


def _angle(case: str, body: str) -> Estimate:
    found = incidence(case, body)
    return bootstrap(lambda rows: float(found[rows].mean()), len(found))


def _unsettled(case: str, body: str) -> Estimate:
    return share(runs_of(case, body)["ended"].to_numpy() != "settled")


def _grazing(body: str) -> Row:
    latitude = longitude_latitude(first_points("spinner-005", body))[1]
    middle, spread = float(np.median(latitude)), float(np.ptp(np.quantile(latitude, [0.1, 0.9])))
    angle, lost = _angle("spinner-005", body), _unsettled("spinner-005", body)
    reported = f"median latitude {middle:.0f} deg (four fifths within {spread:.0f} deg), eta {angle} deg, unsettled {lost}"
    on_ridge, steep = abs(middle) < 10.0, angle.near(25.0, 65.0)
    verdict = worst(
        ["holds" if on_ridge else "fails", steep, "holds" if lost.low > 0.1 else "fails"]
    )
    expected = (
        "on the ridge (latitude within 10 deg), about 45 deg (25 to 65), many unsettled at 10 h"
    )
    note = "Unsettled: still rolling at 10 h."
    if body == "built-in":
        note += " Another body than the source's: the row of the shape model decides."
    otherwise = "not reproducible" if body == "built-in" else ""
    return Row("K6", body, "r_P = 0.05 R", expected, reported, verdict, note, otherwise=otherwise)


def _periapses(body: str) -> Iterator[Row]:
    angle, tight = _angle("spinner-090", body), spread(rests("spinner-090", body))
    settled = share(runs_of("spinner-090", body)["ended"].to_numpy() == "settled")
    reported = f"eta {angle} deg, settled {settled}, rests {tight:.0f} m from their mean place"
    note = (
        ""
        if angle.near(22.0, 40.0) == "holds"
        else "On the smoother built-in ridge the model's 37 deg of a level facet is nearer than the mesh's 32."
    )
    yield Row("K7", body, "r_P = 0.90 R", "eta about 30 deg (22 to 40), nearly all settle", reported, worst([angle.near(22.0, 40.0), "holds" if settled.low > 0.8 else "fails"]), note)  # fmt: skip
    steeper, looser = _angle("spinner-070", body), spread_change("spinner-090", "spinner-070", body)
    speed = [runs_of(f"spinner-{p}", body)["first_touch_speed_m_per_s"].mean() for p in ("070", "090")]  # fmt: skip
    verdict = worst([
        "holds" if steeper.high < angle.low else "fails" if steeper.low > angle.high else "undecided",
        "holds" if speed[0] > speed[1] else "fails",
        looser.is_positive,
    ])  # fmt: skip
    reported = f"eta {steeper} against {angle} deg, speed {speed[0]:.3f} against {speed[1]:.3f} m/s, mean distance of rests from their mean {percent(looser)}"
    note = "" if verdict == "holds" else "Its interval still holds zero."
    yield Row("K8", body, "r_P = 0.70 R against 0.90 R", "more normal, faster, dispersion slightly larger", reported, verdict, note)  # fmt: skip
    runs = runs_of("spinner-100", body)
    first = runs["first_touch_time_s"].to_numpy(dtype=float)
    missed, late = share(np.isnan(first)), share(~(first < FIRST_PASS))
    rest = share(runs["ended"].to_numpy() == "settled")
    verdict = "holds" if late.low > 0.0 and rest.low > 0.5 else "fails"
    note = "The source has skims that fail to touch at the region aimed at, which is: not on the first pass. Some of them touch on a later one."
    yield Row("K9", body, "r_P = 1.00 R", f"some do not touch on the first pass (within {FIRST_PASS:.0f} s), most of the others settle", f"not on the first pass {late}, never {missed}, settled {rest}", verdict, note)  # fmt: skip


def _energies(body: str) -> Row:
    cases = ("005", "070", "090", "100")
    found = []
    for case in cases:
        energy = runs_of(f"spinner-{case}", body)["first_kinetic_energy_before_J"].dropna().to_numpy()  # fmt: skip
        found.append(bootstrap(lambda rows, e=energy: float(e[rows].mean()), len(energy)))
    falls = ["holds" if b.high < a.low else "fails" if b.low > a.high else "undecided" for a, b in itertools.pairwise(found)]  # fmt: skip
    far = "holds" if found[0].low > 2.0 * found[1].high else "fails"
    reported = ", ".join(f"{case}: {e}" for case, e in zip(cases, found, strict=True)) + " J"
    return Row("K10", body, "energy of motion at the first impact", "0.05 R far above (twice or more); falls from 0.70 to 1.00 R", reported, worst([far, *falls]))  # fmt: skip


def _rocks(body: str) -> Iterator[Row]:
    angles = {k: incidence(case, body) for k, case in _ROCKY.items()}
    spread = {k: bootstrap(lambda rows, x=x: float(x[rows].std()), len(x)) for k, x in angles.items()}  # fmt: skip
    means = {k: bootstrap(lambda rows, x=x: float(x[rows].mean()), len(x)) for k, x in angles.items()}  # fmt: skip
    wider = "holds" if spread[28].low > spread[0].high else "fails" if spread[28].high < spread[0].low else "undecided"  # fmt: skip
    same = "holds" if means[28].low <= means[0].high and means[0].low <= means[28].high else "fails"
    reported = f"sigma(eta) {spread[0]}, {spread[14]}, {spread[28]} deg; mean {means[0]}, {means[14]}, {means[28]} deg"
    note = (
        ""
        if worst([wider, same]) == "holds"
        else (
            "Another body than the source's: the row of the shape model decides. "
            if body == "built-in"
            else ""
        )
        + "The spread grows as published, but the mean rises with it: eta is the size of an angle, and faces that are tilted at random by s about two axes raise the mean of such an angle by some s^2/(2 eta), 3 deg for s = 12 deg; a face turned to the ball is met more often besides. The source judges by eye."
    )
    yield Row("K11", body, "K 0, 14, 28 at 0.90 R: impact angle", "spread grows, mean stays", reported, worst([wider, same]), note, otherwise="not reproducible" if body == "built-in" else "")  # fmt: skip
    lost = {k: _unsettled(case, body) for k, case in _ROCKY.items()}
    more = "holds" if lost[28].low > lost[0].high else "undecided" if lost[28].value > lost[0].value else "fails"  # fmt: skip
    note = "" if more == "holds" else "Few runs are unsettled at all."
    yield Row("K11", body, "K 0, 14, 28 at 0.90 R: unsettled", "more with rocks", ", ".join(str(x) for x in lost.values()), more, note)  # fmt: skip


_ROCKY = {0: "spinner-090", 14: "spinner-K-14", 28: "spinner-K-28"}


def _environment(body: str) -> Row:
    vertices, faces = procedural_body("spinner", 4) if body == "built-in" else shape_model("kw4-alpha")  # fmt: skip
    spin = (0.0, 0.0, WORLD.spin)
    maps = surface_maps(vertices, faces, mu=WORLD.mu, omega=spin, names=["slope_rad", "geopotential_m2_per_s2"])  # fmt: skip
    centres = np.asarray(vertices)[np.asarray(faces)].mean(axis=1)
    latitude = longitude_latitude(centres)[1]
    slope = np.degrees(maps["slope_rad"])
    band, flank = np.abs(latitude) < 3.0, (latitude > 3.0) & (latitude < 8.0)
    reported = f"median slope {np.median(slope[band]):.0f} deg within 3 deg of the equator, {np.median(slope[flank]):.0f} deg from 3 to 8 deg north, {np.median(slope[np.abs(latitude) > 30]):.0f} deg beyond 30 deg"
    verdict = "holds" if np.median(slope[band]) < np.median(slope[flank]) else "fails"
    if body == "built-in":  # whose ridge is elsewhere
        verdict = "reported"
    return Row("K12", body, "slopes about the ridge", "steep on the ridge, a flat band beside it", reported, verdict, "On 1999 KW4 Alpha the ridge runs 3 to 8 deg north; the built-in one runs on the equator and is flat on top.")  # fmt: skip
