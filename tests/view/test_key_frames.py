"""Axes of keys and metrics."""

from __future__ import annotations

import pytest

from haptos.core.frames import is_frame
from haptos.view.key_frames import framed, key_frame


@pytest.mark.parametrize(
    ("key", "frame"),
    [
        ("rest_x_m", "A"),
        ("rest_quaternion_3", "AB"),
        ("release.attitude_quaternion[0]", "AB"),
        ("release.position_m[2]", "A"),
        ("release.velocity_m_per_s[1]", "A"),
        ("release.rate_rad_per_s[1]", "B"),
        ("settle_time_s", "-"),
        ("contact.friction", "-"),
    ],
)
def test_vectors_have_axes_and_numbers_have_none(key, frame):
    assert key_frame(key) == frame
    assert is_frame(frame)


def test_axes_stand_behind_the_words():
    assert framed("rest x", "rest_x_m") == "rest x, A axes"
    assert framed("impacts", "impacts") == "impacts"
