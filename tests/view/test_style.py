"""The look: legible for all eyes, on any page, and nothing fetched from elsewhere."""

from __future__ import annotations

import re
from itertools import combinations

import numpy as np
import pytest

from haptos.view.style import COLOURS, INK, axis_label, figure, house_style, literal, svg
from tests.results.hop import hop
from tests.view.figures import run_figures


def luminance(colour: str) -> float:
    """Relative luminance of an sRGB colour, as web accessibility rules define it."""
    parts = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255.0
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


def contrast(first: str, second: str) -> float:
    light, dark = sorted((luminance(first), luminance(second)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("background", ["#ffffff", "#1a1a1c"])
def test_text_reads_on_light_and_on_dark_pages(background: str) -> None:
    assert contrast(INK, background) > 3.9


# Machado, Oliveira and Fernandes 2009, severity 1, for linear RGB.
WITHOUT_GREEN = [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.011820, 0.042940, 0.968881],
]
WITHOUT_RED = [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
]


@pytest.mark.parametrize("eyes", [WITHOUT_GREEN, WITHOUT_RED])
def test_colours_keep_apart_for_eyes_without_red_or_green(eyes: list[list[float]]) -> None:
    seen = [np.array(eyes) @ np.array(rgb(colour)) for colour in COLOURS]
    for first, second in combinations(seen, 2):
        assert np.linalg.norm(first - second) > 0.1


def rgb(colour: str) -> list[float]:
    return [(int(colour[i : i + 2], 16) / 255.0) ** 2.2 for i in (1, 3, 5)]


def test_svg_is_one_element_in_the_colour_of_the_page_with_nothing_from_outside() -> None:
    text = svg(run_figures(hop())["Path"], "path")
    assert text.startswith("<svg")
    assert text.rstrip().endswith("</svg>")
    assert "currentColor" in text
    assert INK not in text
    assert "http" not in text
    assert "<metadata" not in text


def test_svg_scales_with_the_page() -> None:
    head = svg(figure(), "empty").split(">")[0]
    assert "viewBox" in head
    assert not re.search(r"\s(width|height)=", head)


def test_ids_of_two_figures_do_not_meet_and_every_reference_has_its_target() -> None:
    drawn = run_figures(hop())
    first, second = svg(drawn["Energy"], "a"), svg(drawn["Energy"], "b")
    ids = [set(re.findall(r'\bid="([^"]+)"', text)) for text in (first, second)]
    assert not ids[0] & ids[1]
    used = set(re.findall(r"url\(#([^)]+)\)", first)) | set(re.findall(r'href="#([^"]+)"', first))
    assert used
    assert used <= ids[0]


def test_the_same_figure_gives_the_same_text() -> None:
    assert svg(run_figures(hop())["Motion"], "m") == svg(run_figures(hop())["Motion"], "m")


def test_labels_tell_unit_and_frame_and_take_text_as_it_is() -> None:
    assert axis_label("rest_x_m", "A") == "rest x [m], A axes"
    assert axis_label("travel_m") == "travel [m]"
    with house_style():
        drawn = figure()
        drawn.subplots().set_title(literal("cost $5 and $\\bad{"))
    assert "cost $5 and $\\bad{" in svg(drawn, "x")
