"""Defects made one by one are found, counted and numbered; clean surfaces have none."""

from __future__ import annotations

import numpy as np
import pytest

from haptos.core.errors import GeometryError
from haptos.geometry.mesh.mesh_checks import require_solid
from haptos.geometry.mesh.mesh_defects import mesh_defects
from haptos.geometry.mesh.polyhedra import box_solid
from tests.geometry.closed_meshes import SHAPES, ball, torus
from tests.validation.shape_models import shape_model

VERTICES, FACES = ball(1)  # 42 vertices, 80 facets


def counted(vertices, faces):
    """Kinds of defects that were found: (count, first)."""
    report = mesh_defects(vertices, faces)
    return {k: (d.count, d.first) for k, d in report.defects.items() if d.count}


def mobius(count=12):
    """A band with half a twist: an open surface of one side."""
    angle = 2 * np.pi * np.arange(count) / count
    rim = [
        np.stack([(1 + s * np.cos(angle / 2)) * np.cos(angle), (1 + s * np.cos(angle / 2)) * np.sin(angle), s * np.sin(angle / 2)], axis=1)
        for s in (-0.3, 0.3)
    ]  # fmt: skip
    low, high = np.arange(count), count + np.arange(count)
    next_low, next_high = np.append(low[1:], high[0]), np.append(high[1:], low[0])
    faces = np.concatenate(
        [np.stack([low, next_low, high], 1), np.stack([next_low, next_high, high], 1)]
    )
    return np.concatenate(rim), faces


@pytest.mark.parametrize("name", SHAPES)
def test_clean_surfaces_have_no_defects_and_their_genus(name):
    report = mesh_defects(*SHAPES[name]())
    assert report.is_clean
    assert report.closed
    genus = 1 if name == "torus" else 0
    assert (report.euler_number, report.genus) == (2 - 2 * genus, genus)
    assert (report.facets == 2 * report.vertices - 4) == (genus == 0)
    assert report.edges * 2 == report.facets * 3
    assert ("1 handle" if genus else "nF = 2 nV - 4 holds") in report.sentences()[1]
    assert report.sentences()[-1] == "no defects"


def test_a_hole_is_open_edges():
    report = mesh_defects(VERTICES, np.delete(FACES, 7, axis=0))
    assert not report.closed
    assert report.genus is None
    assert report.euler_number == 1
    assert report.defects["open_edges"].count == 3
    assert "3 edges with a facet on one side only, the first at facet" in "\n".join(
        report.sentences()
    )


def test_vertices_doubled_or_unused_are_counted():
    spare = np.concatenate([VERTICES, [[0.0, 0.0, 0.1]]])
    assert counted(spare, FACES) == {"unused_vertices": (1, 42)}
    assert mesh_defects(spare, FACES).genus == 0
    seam = np.concatenate([VERTICES, VERTICES[FACES[3]]])
    faces = FACES.copy()
    faces[3] = [42, 43, 44]
    found = counted(seam, faces)
    assert found["duplicate_vertices"] == (3, 42)
    assert found["open_edges"][0] == 6
    assert found["separate_pieces"] == (1, 3)
    assert "self_intersections" not in found  # equal places are one


def test_facets_doubled_or_without_area_are_counted():
    found = counted(VERTICES, np.concatenate([FACES, FACES[5:6], FACES[9:10, [2, 0, 1]]]))
    assert found["duplicate_facets"] == (2, 80)
    assert found["crowded_edges"][0] == 6
    found = counted(VERTICES, np.concatenate([FACES, [[0, 0, 1]]]))
    assert found["degenerate_facets"] == (1, 80)
    line = np.concatenate([VERTICES, [[2.0, 0, 0], [3.0, 0, 0], [4.0, 0, 0]]])
    found = counted(line, np.concatenate([FACES, [[42, 43, 44]]]))
    assert found["degenerate_facets"] == (1, 80)


def test_reversed_facets_are_the_fewer_ones():
    faces = FACES.copy()
    faces[[4, 11, 60]] = faces[[4, 11, 60], ::-1]
    assert counted(VERTICES, faces) == {"reversed_facets": (3, 4)}
    assert counted(VERTICES, faces[:, ::-1]) == {"reversed_facets": (3, 4)}


def test_inside_out_pieces_and_one_sided_bands_are_told():
    assert counted(VERTICES, FACES[:, ::-1]) == {"inside_out": (1, 0)}
    both = np.concatenate([VERTICES, VERTICES + 5.0])
    faces = np.concatenate([FACES, FACES[:, ::-1] + 42])
    assert counted(both, faces) == {"separate_pieces": (1, 80), "inside_out": (1, 80)}
    found = counted(*mobius())
    assert found["one_sided_facets"] == (24, 0)
    assert "reversed_facets" not in found


def test_two_boxes_tip_to_tip_are_pinched():
    vertices, faces = box_solid((1.0, 1.0, 1.0))
    tip = int(np.argmax(vertices.sum(axis=1)))
    foot = int(np.argmin(vertices.sum(axis=1)))
    number = np.arange(8, 16)
    number[foot] = tip
    both = np.concatenate([vertices, vertices + 1.0])
    all_faces = np.concatenate([faces, number[faces]])
    found = counted(both, all_faces)
    assert found["pinched_vertices"] == (1, tip)
    assert found["unused_vertices"] == (1, 8 + foot)
    assert "separate_pieces" not in found


def test_crossings_are_counted_only_where_asked():
    vertices = VERTICES.copy()
    vertices[0] *= -1.2
    assert counted(vertices, FACES)["self_intersections"][0] > 0
    quick = mesh_defects(vertices, FACES, self_intersections=False)
    assert "self_intersections" not in quick.defects
    require_solid("ball", vertices, FACES)
    with pytest.raises(GeometryError, match=r"pairs of faces that cut or touch, the first \d+ and"):
        require_solid("ball", vertices, FACES, self_intersections=True)


def test_refusals_name_how_many_and_the_first():
    faces = np.delete(FACES, 79, axis=0)
    first = np.flatnonzero(np.isin(faces, FACES[79]).sum(axis=1) == 2)[0]
    with pytest.raises(GeometryError, match=rf"3 edges .*, the first at face {first}\b"):
        require_solid("ball", VERTICES, faces)
    with pytest.raises(GeometryError, match="face 80 without area, the first of 2"):
        require_solid("ball", VERTICES, np.concatenate([FACES, [[0, 0, 1], [2, 2, 2]]]))
    with pytest.raises(GeometryError, match="in no face, the first is vertex 42"):
        require_solid("ball", np.concatenate([VERTICES, [[9.0, 9.0, 9.0]]]), FACES)
    both = np.concatenate([VERTICES, VERTICES + 5.0])
    with pytest.raises(GeometryError, match="the second begins at face 80"):
        require_solid("ball", both, np.concatenate([FACES, FACES + 42]))


def test_what_is_no_mesh_is_refused():
    for vertices, faces in (
        (VERTICES, FACES[:0]),
        (VERTICES, FACES + 1),
        (VERTICES * np.nan, FACES),
    ):
        with pytest.raises(GeometryError):
            mesh_defects(vertices, faces)


def test_handles_do_not_hide_behind_pieces():
    one, faces = torus()
    report = mesh_defects(
        np.concatenate([one, one + 9.0]), np.concatenate([faces, faces + len(one)])
    )
    assert report.pieces == 2
    assert report.genus is None


@pytest.mark.parametrize("name", ["itokawa", "eros", "bennu", "kw4-alpha"])
def test_real_bodies_are_clean(name):
    assert mesh_defects(*shape_model(name)).is_clean
