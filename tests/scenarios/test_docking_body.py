"""The tool's body as a pair: what it feels in bell and rim, and what wings by a table of modes are."""

from __future__ import annotations

import numpy as np
import pytest

import haptos
from haptos.contact.sets.polygons_pair import PolygonPair
from haptos.contact.sets.polygons_sum import DEPTH, FORCE
from haptos.core.errors import HaptosError
from haptos.dynamics.flexible.appendages import beam_modes
from haptos.geometry.distance.reference import gaps_of
from haptos.scenarios.docking.model import BODY, BOLT, SHOULDER, build
from haptos.scenarios.docking.start_checks import seated_gap
from haptos.scenarios.files import default
from tests.close import assert_close

ASKEW = {
    "start": {"distance_m": 0.2, "offset_m": 0.003, "offset_azimuth_deg": 0.0, "tilt_deg": 14.0,
              "tilt_azimuth_deg": 0.0, "velocity_m_per_s": [0.0, 0.03, 0.0], "rate_deg_per_s": [0.0, 0.0, 0.0]},
    "sequence": {"start": "insert", "until": "locked", "funnel_share": 1.0, "funnel_s": 50.0},
    "boom": {"insertion_m_per_s": 0.003}, "run": {"duration_s": 1.0, "stay_s": 0.0, "output_interval_s": 0.01},
}  # fmt: skip


def test_a_body_to_the_side_of_a_seated_shoulder_meets_the_bell():
    """Aligned it has 2.5 mm; 4 mm to the side its front edge is in the wall by what is missing along the normal."""
    model = build(default("docking"))
    assert_close(seated_gap(model), 2.51e-3, rtol=1e-2)
    pair = next(c for c in model.contacts if c.name == BODY)
    tool = model.config.tool
    middle = tool.rim_m + 0.5 * tool.length_m - tool.seat_m
    contact = PolygonPair(pair.reference, pair.faces, pair.law)
    turned = (0.0, 0.0, 0.0, 1.0)
    none = contact.sums([middle, 0.0, 0.0], turned)[0]
    some = contact.sums([middle, 4e-3, 0.0], turned)[0]
    assert none[DEPTH] == 0.0
    edge = [[tool.rim_m - tool.seat_m + tool.edge_m, tool.radius_m - tool.edge_m, 0.0]]
    inwards = -float(gaps_of(pair.reference, edge)[1][0, 1])  # of the wall's normal, to the axis
    assert_close(some[DEPTH], 4e-3 * inwards - seated_gap(model), rtol=0.02)
    assert some[FORCE + 1] < 0.0


def test_a_body_that_meets_the_rim_is_pushed_off_and_the_ledger_closes():
    """Its side comes to the rim of the exit, where nothing else touches."""
    found = haptos.simulate(default("docking", ASKEW))
    assert found.trusted, found.verdict
    motion = found.trajectory
    assert motion["polygons_tool_body"].values.max() > 0.0
    assert motion["polygons_shoulder"].values.max() == 0.0
    assert 0.0 < found.metrics["depth_tool_body_m"] < 1e-3
    assert found.metrics["insertion_force_N"] > 1.0
    assert found.ledger.worst.share < 1e-3


def test_a_bolt_that_is_pressed_to_the_throat_anywhere_is_felt():
    """Between its nodes of 6 mm it went 0.2 mm deep unnoticed. Rigid arcs of 3 mm, radii of 3 and 8 mm:
    F = K pi d^2 sqrt(a b), 1/a = 1/3 mm (along), 1/b = 1/3 - 1/8 (around), for small depths."""
    model = build(default("docking"))
    pair = next(c for c in model.contacts if c.name == BOLT)
    contact = PolygonPair(pair.reference, pair.faces, pair.law)
    tool, nozzle, d = model.config.tool, model.config.nozzle, 1e-4
    along, around = nozzle.arc_m, 1.0 / (1.0 / tool.bolt_radius_m - 1.0 / nozzle.throat_radius_m)
    expected = pair.law.modulus * np.pi * d**2 * np.sqrt(along * around)
    for x in (0.0, 0.0011, 0.0027):
        for a in (0.0, 0.07, 0.9):
            off = nozzle.throat_radius_m - tool.bolt_radius_m + d
            sums = contact.sums([x, off * np.cos(a), off * np.sin(a)])[0]
            assert_close(sums[DEPTH], d, rtol=0.02)
            assert_close(np.linalg.norm(sums[FORCE : FORCE + 3]), expected, rtol=0.1)


def test_a_tool_of_points_has_no_other_body():
    points = [[-0.07, 0.03], [-0.06, 0.035], [-0.05, 0.03], [-0.06, 0.025], [-0.07, 0.03]]
    model = build(default("docking", {"tool": {"points_m": points}}))
    assert BODY not in [c.name for c in model.contacts]


def test_a_table_of_modes_is_what_the_frequencies_make():
    wings = default("docking").client.wings
    made = beam_modes(wings.mass_kg, wings.length_m, wings.width_m, out_of_plane=0.12, in_plane=0.35, torsion=0.6)  # fmt: skip
    rows = [
        {"frequency_Hz": m.frequency, "damping": m.damping, "translation_sqrt_kg": list(m.coupling[:3]),
         "rotation_sqrt_kg_m": list(m.coupling[3:])} for m in made
    ]  # fmt: skip
    given = default("docking").as_table()
    for key in ("out_of_plane_Hz", "in_plane_Hz", "torsion_Hz"):
        del given["client"]["wings"][key]
    given["client"]["wings"]["modes"] = rows
    from haptos.scenarios.files import parse_checked

    found, expected = build(parse_checked(given, "mine.toml")), build(default("docking"))
    for one, other in zip(found.bodies[1].wings, expected.bodies[1].wings, strict=True):
        for a, b in zip(one.modes, other.modes, strict=True):
            assert (a.frequency, a.damping) == (b.frequency, b.damping)
            assert_close(np.array(a.coupling), np.array(b.coupling), rtol=1e-15, scale=1.0)


@pytest.mark.parametrize("wings", [
    {"modes": [{"frequency_Hz": 0.1, "translation_sqrt_kg": [0, 0, 1], "rotation_sqrt_kg_m": [0, -3, 0]}]},
    {"out_of_plane_Hz": None},
])  # fmt: skip
def test_wings_of_both_kinds_or_none_are_refused(wings):
    table = default("docking").as_table()
    table["client"]["wings"] |= wings
    from haptos.scenarios.files import parse_checked

    with pytest.raises(HaptosError):
        parse_checked(table, "mine.toml")


@pytest.mark.parametrize("share", [0.2, 0.35, 0.5, 0.65, 0.8])
def test_the_straight_nose_of_a_tool_of_points_feels_the_rim_anywhere(share: float):
    """Between its points too: faces as long as the line let the rim in by 0.2 mm unfelt, and such runs were trusted."""
    front, back = np.array([-0.02, 0.004]), np.array([-0.07, 0.034])
    points = [[-0.10, 0.0], front.tolist(), back.tolist(), [-0.19, 0.034], [-0.19, 0.0]]
    model = build(default("docking", {"tool": {"points_m": points}}))
    pair = next(c for c in model.contacts if c.name == SHOULDER)
    contact = PolygonPair(pair.reference, pair.faces, pair.law)
    at, out = front + share * (back - front), np.array([30.0, 50.0]) / np.hypot(30.0, 50.0)

    def force(depth: float) -> float:
        """Size [N] with the rim at that place of the nose, so deep below it; the tool faces the nozzle."""
        place = [0.3 + at[0] - depth * out[0], 0.12 - at[1] + depth * out[1], 0.0]
        return float(
            np.linalg.norm(contact.sums(place, (0.0, 0.0, 0.0, 1.0))[0][FORCE : FORCE + 3])
        )

    assert force(4e-4) > 5.0
    assert 0.6 < force(2e-4) / (force(8e-4) * 0.25**2.5) < 1.1  # an edge on a flank: depth^2.5
