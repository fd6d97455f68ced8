"""Names for files out of titles: no letter that a file system or a page could stumble over."""

from __future__ import annotations

import pytest

from haptos.core.slugs import slug


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Energy held", "energy-held"),
        ("  ../../etc/passwd ", "etc-passwd"),
        ("<script>alert(1)</script>", "script-alert-1-script"),
        ("Übung", "bung"),
        ("//", "nothing"),
        ("", "nothing"),
    ],
)
def test_titles_become_plain_names(title: str, expected: str):
    assert slug(title, "nothing") == expected


def test_a_name_is_cut_without_a_dash_at_its_end():
    assert slug("abc def", "x", 4) == "abc"
    assert slug("a" * 100, "x", 60) == "a" * 60
