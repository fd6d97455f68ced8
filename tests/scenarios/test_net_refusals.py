"""What a net scenario cannot be is refused before work, with where, found, allowed and try."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from haptos.core.errors import HaptosError
from haptos.scenarios.files import default, parse_checked, parse_toml, preset_text
from haptos.scenarios.merging import laid_over

CUBE = [[x, y, z] for x in (-0.2, 0.2) for y in (-0.2, 0.2) for z in (-0.2, 0.2)]
FACES = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]


def refusal(changes: dict[str, Any], name: str = "net-small") -> HaptosError:
    """The error of a built-in scenario with changes."""
    table = laid_over(parse_toml(preset_text(name), name), changes)
    with pytest.raises(HaptosError) as caught:
        parse_checked(table, "mine.toml")
    error = caught.value
    assert error.where.startswith("mine.toml")
    assert all((error.found, error.allowed, error.hint))
    return error


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"net": {"strings": 10}}, "odd"),
        ({"net": {"kind": "planar-b", "strings": 6, "rings": 2}}, "power of"),
        ({"bullets": {"mass_kg": 0.1, "largest_ratio": 0.8}}, "largest_ratio"),
        ({"bullets": {"ratio": 1.0}}, "below 1"),
        ({"shot": {"system": "generator", "pressure_Pa": 1.0}}, "gas"),
        ({"target": {"distance_m": 0.6}}, "in front of the chaser"),
        ({"shot": {"canister_m": [0.3, 4.0, 4.0]}}, "closer"),
        ({"threads": {"material": "tecnora"}}, "technora"),
        ({"tether": {"length_m": 0.01}}, "length_m = 0.303"),
        ({"environment": {"gravity_m_per_s2": [0.0, 0.0, -1.0]}}, "on the ground"),
        ({"tether": {"length_m": 0.0, "reel_to_m": 1.0}}, "reel"),
        ({"closing": {"failed": [4]}}, "count bullets from 0"),
        ({"bullets": {"lost": [9]}}, "count bullets from 0"),
        ({"shot": {"angle_deg": 60.0}, "errors": {"angle": 0.9}}, "90 deg"),
        ({"target": {"attitude_quaternion": [0.0, 0.0, 0.0, 0.0]}}, "not all zero"),
        ({"target": {"mass_kg": 3.0}}, "each box"),
        ({"run": {"duration_s": 1e9}}, "stored times"),
    ],
)
def test_what_does_not_fit_is_refused(changes: dict[str, Any], words: str) -> None:
    assert words in str(refusal(changes))


def with_faces(faces: list[list[int]], vertices: list[list[float]] = CUBE) -> dict[str, Any]:
    shape = {"vertices_m": vertices, "faces": faces, "mass_kg": 10.0, "distance_m": 2.0}
    return {"target": {"boxes": [], **shape}}


def test_a_target_of_plane_faces_is_accepted() -> None:
    config = default("net-small", with_faces(FACES))
    assert parse_checked(config.as_table(), "mine.toml") == config


def test_a_face_that_turns_clockwise_is_refused() -> None:
    turned = [FACES[0][::-1], *FACES[1:]]
    assert "turn the clockwise one" in str(refusal(with_faces(turned)))
    assert "turn all faces" in str(refusal(with_faces([face[::-1] for face in FACES])))


def test_a_face_that_is_not_plane_is_refused() -> None:
    bent = [[-0.25, -0.2, -0.2], *CUBE[1:]]
    assert "out of the plane" in str(refusal(with_faces(FACES, bent)))


def test_an_open_surface_is_refused() -> None:
    assert "closed surface" in str(refusal(with_faces(FACES[1:])))


def test_an_unknown_thread_class_is_refused(tmp_path: Path) -> None:
    (tmp_path / "knots.csv").write_text(
        "id,x_m,y_m,z_m,role,mouth\n0,0,-1,-1,corner,0\n1,0,1,-1,corner,1\n2,0,1,1,corner,2\n"
        "3,0,-1,1,corner,3\n4,0,0,0,tether,\n"
    )
    (tmp_path / "links.csv").write_text("first,second,class\n0,4,steel\n1,4,\n2,4,\n3,4,\n")
    files = {key: str(tmp_path / f"{key}.csv") for key in ("knots", "links")}
    changes = {"net": {"kind": "file", "knots_file": files["knots"], "links_file": files["links"]}}
    error = refusal(changes)
    assert "steel" in error.found
    assert "reinforced" in error.allowed


def test_a_net_that_would_start_stretched_is_refused() -> None:
    from haptos.core.errors import GeometryError
    from haptos.geometry.nets.net_folding import require_unstretched

    with pytest.raises(GeometryError, match="fold it smaller"):
        require_unstretched("net", [[0.0, 0, 0], [1.01, 0, 0]], [[0, 1]], [1.0])
    far = {"shot": {"canister_m": [0.3, 3.0, 3.0]}, "net": {"width_m": 0.5, "height_m": 0.5}}
    assert "bullets" in str(refusal(far))


def own_body(place: list[float]) -> dict[str, Any]:
    body = {"name": "tug", "mass_kg": 30.0, "size_m": [0.2, 0.3, 0.4], "position_m": place}
    return {"bodies": [body]}


@pytest.mark.parametrize("place", [[0.0, 0.0, 0.0], [0.0, 0.6, 0.0], [1.4, 0.0, 0.1]])
def test_bodies_that_overlap_at_the_start_are_refused(place: list[float]) -> None:
    assert "contact.bodies = false" in str(refusal(own_body(place)))
    apart = {**own_body(place), "contact": {"bodies": False}}
    assert parse_checked(default("net-small", apart).as_table(), "mine.toml")


def test_a_net_too_large_to_store_is_refused() -> None:
    assert "nodes_per_link" in str(refusal({"net": {"strings": 501, "rings": 501}}))
    fine = {"net": {"strings": 101, "rings": 101}, "run": {"output_interval_s": 2e-5}}
    assert "GB" in str(refusal(fine))


@pytest.mark.parametrize(
    ("changes", "right"),
    [
        ({"target": {"distance_km": 0.003}}, "distance_m"),
        ({"closing": {"delay_ms": 1.0}}, "delay_s"),
        ({"burns": [{"start_s": 0.0, "duration_s": 1.0, "force_kN": [1.0, 0, 0]}]}, "force_N"),
    ],
)
def test_a_wrong_unit_in_a_table_that_may_be_left_out_is_told(
    changes: dict[str, Any], right: str
) -> None:
    error = refusal(changes)
    assert right in error.hint
    assert right in error.allowed
