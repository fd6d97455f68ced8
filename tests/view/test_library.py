"""The 3-D library is there in the installed wheel, and nowhere in ours."""

from __future__ import annotations

from pathlib import Path

import pytest

from haptos.core.errors import HaptosError
from haptos.view import library, viewer_page
from haptos.view.library import three_script


def test_three_js_comes_out_of_the_wheel_whole() -> None:
    script = three_script()
    assert 300_000 < len(script) < 1_500_000
    assert "Three.js Authors" in script[:200]  # its licence travels with it
    for name in ("WebGLRenderer", "InstancedMesh", "ShaderMaterial", "PerspectiveCamera"):
        assert name in script


def test_a_wheel_without_it_is_refused_with_a_cure(monkeypatch: pytest.MonkeyPatch) -> None:
    three_script.cache_clear()
    monkeypatch.setattr(library, "ARCHIVE", ("resources", "nothing.zip"))
    with pytest.raises(HaptosError, match="pip install"):
        three_script()
    three_script.cache_clear()


def test_none_of_it_is_kept_with_us() -> None:
    folder = Path(viewer_page.__file__).parent / "web"
    sizes = {path.name: path.stat().st_size for path in folder.iterdir()}
    assert set(sizes) == {*viewer_page.SCRIPTS, "figures.js", "viewer.css"}
    assert max(sizes.values()) < 20_000


def test_our_scripts_run_no_text_as_code_and_set_no_html() -> None:
    folder = Path(viewer_page.__file__).parent / "web"
    for path in folder.glob("*.js"):
        text = path.read_text(encoding="utf-8")
        for word in ("eval(", "new Function", "innerHTML", "outerHTML", "insertAdjacentHTML",
                     "document.write", "http://", "https://"):  # fmt: skip
            allowed = path.name == "figures.js" and word == "http://"  # the names of SVG
            assert allowed or word not in text, f"{path.name}: {word}"


def test_the_policy_allows_exactly_the_scripts_of_the_page() -> None:
    rules = viewer_page.policy(("one", "two"))
    assert rules.count("sha256-") == 2
    assert "connect-src 'none'" in rules
    assert "connect-src 'self'" in viewer_page.policy(("one",), live=True)
