"""The browser of the tests keeps its sandbox unless it is root who starts it."""

from __future__ import annotations

import os

import pytest

from haptos.view.chromium import options


@pytest.mark.parametrize(("user", "is_without"), [(0, True), (1000, False)])
def test_only_root_goes_without_the_sandbox(
    monkeypatch: pytest.MonkeyPatch, user: int, is_without: bool
):
    monkeypatch.setattr(os, "geteuid", lambda: user)
    assert ("--no-sandbox" in options()) is is_without
