"""The viewer and the reports of every scenario, in a real browser without a window."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

import haptos as hp
from haptos import reports
from haptos.campaign.campaign import Campaign
from haptos.cli.builtin import builtin_text
from haptos.results.result import Result
from haptos.scenarios.files import SCENARIOS
from haptos.view.chromium import Chromium, Tab, chromium, chromium_path
from tests.view.stage_pixels import colour_count, share_changed, share_drawn, stage_pixels

PROGRAM = chromium_path()
pytestmark = pytest.mark.skipif(PROGRAM is None, reason="no Chromium found; see HAPTOS_CHROMIUM")

# Scenario -> built-in study that is quick to run a few of; NAME-demo for those not named here.
STUDIES = {"lander": "lander-frictions"}
SHOWN = [name for name in SCENARIOS if reports.has_part(name, "scene")]
EVIL = "<script>window.hacked = 1</script><img src=x onerror='window.hacked = 2'>"
READY = "document.querySelector('[data-viewer]')?.dataset.state === 'ready'"


@pytest.fixture(scope="module")
def browser() -> Iterator[Chromium]:
    assert PROGRAM is not None
    with chromium(PROGRAM) as running:
        yield running


@pytest.fixture(scope="module", params=SHOWN)
def run(request: pytest.FixtureRequest) -> Result:
    return hp.simulate(hp.default(request.param))


@pytest.fixture(scope="module", params=SHOWN)
def campaign(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Campaign:
    text = builtin_text(STUDIES.get(request.param, f"{request.param}-demo"))
    folder = tmp_path_factory.mktemp("study")
    (folder / "study.toml").write_text(re.sub(r"^runs = \d+", "runs = 3", text, flags=re.M))
    done: Campaign = hp.campaign(folder / "study.toml", out=folder / "out", progress="off")
    return done


@contextmanager
def served(saved: Result | Campaign, directory: Path) -> Iterator[str]:
    server = reports.viewer_server(saved, directory)
    assert server is not None
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server.url
    finally:
        server.shutdown()
        server.server_close()
        thread.join(timeout=5)


def shown(browser: Chromium, address: str, **look: bool) -> Tab:
    """A page with a viewer that is ready, nothing complained of, nothing asked of strangers."""
    tab = browser.tab(1100, 720, **look)
    tab.go(address)
    tab.wait(READY)
    assert tab.complaints == []
    home = address.partition("#")[0]
    strangers = [url for url in tab.requests if not url.startswith((home, "data:", "blob:"))]
    assert strangers == []
    return tab


def moved(tab: Tab, share: float) -> None:
    """Move the slider as a reader does, and wait for the picture."""
    tab.ask(
        f"(() => {{ const s = document.querySelector('.slide input'); s.value = {share};"
        "s.dispatchEvent(new Event('input')); })()"
    )
    tab.wait("!haptos.viewers[0].isDirty")


def test_a_run_in_one_file_is_seen_and_moves(
    browser: Chromium, run: Result, tmp_path: Path
) -> None:
    file = reports.write_viewer(run, tmp_path / "run.html")
    assert file is not None
    assert file.stat().st_size < 30e6
    for dark in (False, True):
        tab = shown(browser, file.as_uri(), dark=dark)
        first = stage_pixels(tab)
        assert share_drawn(first) > 0.1
        assert colour_count(first) > 100
        moved(tab, 0.4)
        second = stage_pixels(tab)
        assert share_changed(first, second) > 2e-4
    cameras = tab.ask("haptos.viewers[0].scene.cameras.length")
    tab.ask("haptos.viewers[0].stage.look(haptos.viewers[0].scene.cameras.at(-1))")
    tab.ask("haptos.viewers[0].draw()")
    assert cameras < 2 or share_changed(second, stage_pixels(tab)) > 2e-4
    assert tab.ask("haptos.viewers[0].charts.length") >= 3  # energy held, work done, remainder
    assert tab.ask("haptos.viewers[0].picture().then((blob) => blob.size)") > 5000
    assert tab.ask("haptos.viewers[0].film(0.5).then((blob) => blob.size)") > 1000
    assert tab.complaints == []


def test_it_plays_by_itself(browser: Chromium, run: Result, tmp_path: Path) -> None:
    file = reports.write_viewer(run, tmp_path / "run.html")
    assert file is not None
    tab = shown(browser, file.as_uri())
    tab.ask("document.querySelector('.bar button').click()")
    tab.wait("haptos.viewers[0].statistics.frames > 5 && haptos.viewers[0].bar.time > 0")
    tab.ask("document.querySelector('.bar button').click()")
    assert tab.ask("haptos.viewers[0].bar.isPlaying") is False


@pytest.mark.parametrize("way", ["server", "file"])
def test_runs_of_a_campaign_are_picked_from_the_cloud(
    browser: Chromium, campaign: Campaign, way: str, tmp_path: Path
) -> None:
    if way == "file":
        file = reports.write_viewer(campaign, tmp_path / "study.html")
        assert file is not None
        picked_is_shown(browser, file.as_uri())
        return
    with served(campaign, campaign.directory) as address:
        tab = picked_is_shown(browser, address)
        number = len(campaign.runs) - 1
        tab.ask(f"haptos.viewers[0].replay({number})")
        assert tab.ask("haptos.viewers[0].run") == number
        assert tab.ask("haptos.viewers[0].message.hidden")


def picked_is_shown(browser: Chromium, address: str) -> Tab:
    """Click the first dot of the cloud: its run is replayed."""
    tab = shown(browser, address)
    assert share_drawn(stage_pixels(tab)) > 0.1
    place = tab.ask(
        "(() => { const s = haptos.viewers[0].picker.scatter;"
        "const b = s.axes.canvas.getBoundingClientRect();"
        "return [b.left + s.places[0][0], b.top + s.places[0][1], s.places[0][2]]; })()"
    )
    tab.click(place[0], place[1])
    tab.wait(f"haptos.viewers[0].run === {place[2]}")
    assert tab.ask("haptos.viewers[0].charts.length") >= 3
    before = stage_pixels(tab)
    moved(tab, 0.6)
    assert share_changed(before, stage_pixels(tab)) > 2e-4
    assert tab.complaints == []
    return tab


def test_a_run_that_is_not_in_the_file_is_told_of(
    browser: Chromium, campaign: Campaign, tmp_path: Path
) -> None:
    file = reports.write_viewer(campaign, tmp_path / "study.html", runs=1)
    assert file is not None
    tab = shown(browser, file.as_uri())
    held = tab.ask("Object.keys(haptos.viewers[0].head.replays).length")
    assert held < len(campaign.runs)
    missing = (
        "[...haptos.viewers[0].table.runs.keys()].find((n) => !haptos.viewers[0].canReplay(n))"
    )
    tab.ask(f"haptos.viewers[0].replay({missing})")
    assert "not stored" in tab.ask("haptos.viewers[0].message.textContent")


def test_reports_hold_the_viewer(
    browser: Chromium, run: Result, campaign: Campaign, tmp_path: Path
) -> None:
    for name, saved in {"run": run, "study": campaign}.items():
        page = reports.write_report(saved, tmp_path / name)
        tab = shown(browser, page.as_uri())
        tab.ask("document.querySelector('.viewer').scrollIntoView()")
        assert share_drawn(stage_pixels(tab)) > 0.1
        wide = tab.ask("document.documentElement.scrollWidth - window.innerWidth")
        assert wide <= 0, f"{name}: the page is {wide} pixels too wide"


def test_names_from_files_are_text_and_never_run(
    browser: Chromium, run: Result, tmp_path: Path
) -> None:
    named = replace(run, name=EVIL, config={**run.config, "name": EVIL})
    file = reports.write_viewer(named, tmp_path / "run.html")
    assert file is not None
    page = reports.write_report(named, tmp_path)
    with served(named, tmp_path) as address:
        for where in (file.as_uri(), page.as_uri(), address):
            tab = shown(browser, where)
            assert tab.ask("window.hacked === undefined")
            assert tab.ask("document.querySelector('.viewer header strong').textContent") == EVIL
            assert tab.ask("document.querySelectorAll('.viewer img').length") == 0


def test_a_script_that_is_not_ours_does_not_run(
    browser: Chromium, run: Result, tmp_path: Path
) -> None:
    file = reports.write_viewer(run, tmp_path / "run.html")
    assert file is not None
    spoiled = file.read_text(encoding="utf-8").replace(
        "</body>", "<script>window.hacked = 1</script></body>"
    )
    (tmp_path / "spoiled.html").write_text(spoiled, encoding="utf-8")
    tab = browser.tab()
    tab.go((tmp_path / "spoiled.html").as_uri())
    tab.wait(READY)
    assert tab.ask("window.hacked === undefined")
    assert any("Content Security Policy" in text for text in tab.complaints)
