"""Fits: known series come back, held-out errors mean what they say, bad bodies are refused."""

from __future__ import annotations

import numpy as np
import pytest

from haptos.core.errors import GeometryError
from haptos.geometry.mesh.icosphere import icosphere
from haptos.geometry.mesh.procedural_bodies import procedural_body
from haptos.geometry.shape.harmonic_fit import best_degree, fit_harmonics
from haptos.geometry.shape.spherical_harmonics import HarmonicSurface
from tests.close import assert_close
from tests.geometry.closed_meshes import dumb_bell, torus
from tests.geometry.shape.test_spherical_harmonics import random_coefficients

CENTRE = (3.0, -2.0, 1.0)


def test_a_known_series_comes_back():
    surface = HarmonicSurface(*random_coefficients(8), CENTRE)
    vertices, faces = surface.mesh(4)
    fit = fit_harmonics(vertices, 8, faces=faces, centre=CENTRE)
    assert_close(fit.surface.cosine, surface.cosine, rtol=1e-13)
    assert_close(fit.surface.sine, surface.sine, rtol=1e-12)
    assert fit.held_out_rms_m < 1e-10
    assert fit.fit_rms_m < 1e-10


def test_what_is_left_out_of_a_series_is_the_error_of_the_fit():
    surface = HarmonicSurface(*random_coefficients(8))
    vertices, _ = surface.mesh(5)
    _, held, fitted = fit_harmonics(vertices, 7, held_out=5000)
    left = np.sqrt(np.sum(surface.cosine[8] ** 2 + surface.sine[8] ** 2))  # mean square is the sum
    assert_close([held, fitted], [left, left], rtol=0.05)


def test_vertices_held_out_are_not_used():
    vertices, _ = icosphere(3)
    from haptos.core.random_streams import stream

    out = stream(4, 0, "held-out vertices").permutation(len(vertices))[:10]
    spoiled = 100.0 * vertices
    spoiled[out] *= 1.03
    surface, held, fitted = fit_harmonics(spoiled, 4, held_out=10, seed=4)
    assert_close(surface.cosine[0, 0], 100.0, rtol=1e-13)
    assert_close(held, 3.0, rtol=1e-12)
    assert fitted < 1e-10


def test_best_degree_is_that_of_the_body_where_vertices_are_noisy():
    surface = HarmonicSurface(*random_coefficients(6))
    vertices, faces = surface.mesh(3)
    noise = 1.0 + 2e-4 * np.random.default_rng(1).normal(size=(len(vertices), 1))
    scan = best_degree(vertices * noise, range(2, 15, 2), faces=faces)
    assert scan.degree == 6
    assert np.all(np.diff(scan.fit_rms_m) < 0.0)  # following single vertices always fits better
    one = fit_harmonics(vertices * noise, 6, seed=0, faces=faces)
    same = best_degree(vertices * noise, [6, 14], seeds=[0], faces=faces)
    assert_close(same.held_out_rms_m[0], one.held_out_rms_m, rtol=1e-9)


def test_no_vertex_held_out_gives_no_held_out_error():
    assert np.isnan(fit_harmonics(icosphere(2)[0], 2, held_out=0).held_out_rms_m)


@pytest.mark.parametrize("with_faces", [True, False])
def test_bodies_with_overhangs_are_refused(with_faces: bool):
    vertices, faces = torus(60, 30)
    with pytest.raises(GeometryError, match="star-shaped"):
        fit_harmonics(vertices, 4, faces=faces if with_faces else None)


def test_a_centre_outside_is_refused():
    vertices, faces = icosphere(3)
    with pytest.raises(GeometryError, match="star-shaped"):
        fit_harmonics(vertices, 4, faces=faces, centre=(5.0, 0.0, 0.0))
    with pytest.raises(GeometryError, match="on the centre"):
        fit_harmonics(vertices, 4, faces=faces, centre=vertices[0])


def test_a_pinched_body_seen_from_its_waist_is_accepted():
    fit = fit_harmonics(dumb_bell()[0], 6, faces=dumb_bell()[1])
    assert fit.held_out_rms_m > 0.0


def test_fits_without_one_answer_are_refused():
    vertices, _ = procedural_body("top", 2)
    with pytest.raises(GeometryError, match="more vertices than coefficients"):
        fit_harmonics(vertices, 12, held_out=0)
    upper = icosphere(3)[0]
    with pytest.raises(GeometryError, match="do not fix"):
        fit_harmonics(upper[upper[:, 2] > 0.5], 9, held_out=0)
    with pytest.raises(GeometryError, match="at least one of each"):
        best_degree(vertices, [])
    with pytest.raises(GeometryError, match="degrees -1"):
        fit_harmonics(vertices, -1)
