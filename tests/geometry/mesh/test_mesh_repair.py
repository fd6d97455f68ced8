"""Repair undoes what was spoiled, says so, and leaves holes and crossings alone."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from haptos.core.errors import GeometryError
from haptos.geometry.mesh.mass_properties import signed_volume
from haptos.geometry.mesh.mesh_checks import require_solid
from haptos.geometry.mesh.mesh_defects import mesh_defects
from haptos.geometry.mesh.mesh_repair import repaired
from tests.close import assert_close
from tests.geometry.closed_meshes import ball
from tests.geometry.mesh.test_icq_files import ball_rows
from tests.geometry.mesh.test_mesh_defects import mobius

VERTICES, FACES = ball(2)
VOLUME = signed_volume(VERTICES, FACES)


def spoiled(seed):
    """The ball with its corners written anew per facet, in disorder, some facets doubled or empty."""
    generator = np.random.default_rng(seed)
    faces = FACES[generator.permutation(len(FACES))]
    flip = generator.random(len(faces)) < generator.choice([0.1, 0.5, 0.9])
    faces = np.where(flip[:, None], faces[:, ::-1], faces)
    vertices = np.concatenate([VERTICES[faces].reshape(-1, 3), generator.normal(size=(5, 3))])
    apart = np.arange(3 * len(faces)).reshape(-1, 3)
    extra = [apart[:4], apart[4:6, [1, 0, 2]], [[7, 7, 9], [3, 3, 3]]]
    return vertices, np.concatenate([apart, *extra])


def test_a_sound_mesh_is_left_alone():
    vertices, faces, done = repaired(VERTICES, FACES)
    assert done == ()
    assert np.array_equal(vertices, VERTICES)
    assert np.array_equal(faces, FACES)


@settings(deadline=None, max_examples=25)
@given(seed=st.integers(0, 10**6))
def test_everything_at_once_is_mended_and_told(seed):
    vertices, faces, done = repaired(*spoiled(seed))
    require_solid("ball", vertices, faces)
    assert (len(vertices), len(faces)) == (len(VERTICES), len(FACES))
    assert_close(signed_volume(vertices, faces), VOLUME, rtol=1e-13)
    reported = "; ".join(done)
    joined = 3 * len(FACES) - len(VERTICES)
    assert f"joined {joined} vertices at the place of another" in reported
    assert "dropped 2 facets without area" in reported
    assert "dropped 6 copies of facets" in reported
    assert "vertices in no facet" in reported
    assert "facets wound against their neighbours" in reported
    again = repaired(vertices, faces)
    assert again[2] == ()


def test_rounded_seams_are_joined_but_not_the_detail_of_a_fine_mesh():
    q = 16
    rows = np.round(ball_rows(q) + np.random.default_rng(1).normal(size=(6 * 17**2, 3)) * 2e-6, 6)
    ring = np.arange(len(rows)).reshape(6, q + 1, q + 1)
    a, b, c, d = (k.ravel() for k in (ring[:, :-1, :-1], ring[:, 1:, :-1], ring[:, 1:, 1:], ring[:, :-1, 1:]))  # fmt: skip
    faces = np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)])
    vertices, joined, done = repaired(rows, faces)
    require_solid("ball", vertices, joined)
    assert len(vertices) == 6 * q * q + 2
    assert "nearer than 2e-05" in "; ".join(done)
    with pytest.raises(GeometryError, match="open mesh"):
        require_solid("ball", *repaired(rows, faces, join_share=0.0)[:2])
    tiny = VERTICES.copy()
    tiny[:, 2] *= 1e-6  # flat, yet no vertex lies on another
    assert len(repaired(tiny, FACES, join_share=1.0)[0]) == len(VERTICES)


def test_inside_out_is_turned():
    _, faces, done = repaired(VERTICES, FACES[:, ::-1])
    assert done == ("turned 1 surfaces that were inside out",)
    assert signed_volume(VERTICES, faces) > 0.0


def test_holes_crossings_and_one_sided_bands_stay_and_are_refused():
    vertices, faces, done = repaired(VERTICES, FACES[3:])
    assert not done
    with pytest.raises(GeometryError, match="open mesh"):
        require_solid("ball", vertices, faces)
    pushed = VERTICES.copy()
    pushed[0] *= -1.2
    count = mesh_defects(pushed, FACES).defects["self_intersections"].count
    vertices, faces, done = repaired(pushed, FACES)
    assert not done
    assert mesh_defects(vertices, faces).defects["self_intersections"].count == count > 0
    with pytest.raises(GeometryError, match="open mesh"):
        require_solid("band", *repaired(*mobius())[:2])


def test_a_heap_at_one_place_is_no_mesh():
    vertices, faces, done = repaired(np.zeros((30, 3)), np.arange(30).reshape(-1, 3))
    assert len(faces) == 0
    assert "dropped 10 facets without area" in done
    with pytest.raises(GeometryError, match="no triangles"):
        require_solid("heap", vertices, faces)
