"""In whose axes the numbers of a key or a metric are, for labels and tables."""

from __future__ import annotations

import re

from haptos.core.frames import NO_FRAME, Frame

A, B = str(Frame.SMALL_BODY), str(Frame.LANDER)
_RULES = (  # the first that fits; a release is given when A axes and inertial axes coincide
    (re.compile(r"rest_[xyz]_m"), A),
    (re.compile(r"(rest|release\.attitude)_quaternion.*"), A + B),
    (re.compile(r"release\.(position|velocity)_.*"), A),
    (re.compile(r"release\.rate_.*"), B),
)


def key_frame(key: str) -> str:
    """'A', 'B', 'AB' for an attitude (B components into A components), or '-' for what has no axes."""
    return next((frame for rule, frame in _RULES if rule.fullmatch(key)), NO_FRAME)


def framed(words: str, key: str) -> str:
    """Words with the axes of a key: 'rest x, A axes'."""
    frame = key_frame(key)
    return words if frame == NO_FRAME else f"{words}, {frame} axes"
