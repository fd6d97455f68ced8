"""The viewer and the reports of every scenario, in a real browser without a window."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import haptos as hp
from haptos import reports, viewers
from haptos.campaign.campaign import Campaign
from haptos.cli.builtin import builtin_text
from haptos.results.result import Result
from haptos.scenarios.registry import scenarios
from haptos.view.chromium import Chromium, Tab, chromium, chromium_path
from tests.view.stage_pixels import colour_count, share_changed, share_drawn, stage_pixels

PROGRAM = chromium_path()
pytestmark = pytest.mark.skipif(PROGRAM is None, reason="no Chromium found; see HAPTOS_CHROMIUM")

# Scenario -> (built-in scenario, built-in study, its runs per point) that are quick to run.
CASES = {
    "lander": ("lander", "lander-frictions", 3),
    "liftoff": ("liftoff-ellipsoid", "liftoff-demo", 1),
    "net": ("net-small", "net-small-demo", 1),
}
COVERED = {"tether": 0.01}  # share of a picture that is drawn; a line alone covers little of it
SHORT = {"docking": {"run": {"duration_s": 36.0}}}  # until the tool is in the throat
SHOWN = [name for name, one in scenarios().items() if one.showing.scene is not None]
CLOUDS = [name for name, one in scenarios().items() if one.showing.overview is not None]
EVIL = "<script>window.hacked = 1</script><img src=x onerror='window.hacked = 2'>"
READY = "document.querySelector('[data-viewer]')?.dataset.state === 'ready'"


def case(scenario: str) -> tuple[str, str, int]:
    """What is run of a scenario; one that is not named above has NAME and NAME-demo."""
    return CASES.get(scenario, (scenario, f"{scenario}-demo", 2))


def covered(run: Result) -> float:
    """Share of the picture of a run that is drawn at least."""
    return COVERED.get(run.scenario, 0.1)


@pytest.fixture(scope="module")
def browser() -> Iterator[Chromium]:
    assert PROGRAM is not None
    with chromium(PROGRAM) as running:
        yield running


@pytest.fixture(scope="module", params=SHOWN)
def run(request: pytest.FixtureRequest) -> Result:
    return hp.simulate(hp.default(case(request.param)[0], SHORT.get(request.param, {})))


@pytest.fixture(scope="module", params=CLOUDS)
def campaign(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Campaign:
    _, study, runs = case(request.param)
    text = builtin_text(study)
    folder = tmp_path_factory.mktemp("study")
    (folder / "study.toml").write_text(re.sub(r"^runs = \d+", f"runs = {runs}", text, flags=re.M))
    done: Campaign = hp.campaign(folder / "study.toml", out=folder / "out", progress="off")
    return done


@contextmanager
def served(saved: Result | Campaign, directory: Path) -> Iterator[str]:
    server = viewers.viewer_server(saved, directory)
    assert server is not None
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server.url
    finally:
        server.shutdown()
        server.server_close()
        thread.join(timeout=5)


@contextmanager
def shown(browser: Chromium, address: str, *, dark: bool = False) -> Iterator[Tab]:
    """A page with a viewer that is ready, nothing complained of, nothing asked of strangers."""
    tab = browser.tab(900, 560, dark=dark)
    tab.go(address)
    tab.wait(READY)
    yield tab
    assert tab.complaints == []
    strangers = [url for url in tab.requests if not url.startswith((address, "data:", "blob:"))]
    assert strangers == []
    tab.close()


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
    file = viewers.write_viewer(run, tmp_path / "run.html")
    assert file is not None
    assert file.stat().st_size < 30e6
    seen = []
    with shown(browser, file.as_uri()) as tab:
        seen.append(moves_when_asked(tab, covered(run)))
        plays_by_itself(tab)
        assert tab.ask("haptos.viewers[0].charts.length") >= 3  # energy held, work, remainder
        assert tab.ask("haptos.viewers[0].picture().then((blob) => blob.size)") > 5000
        assert tab.ask("haptos.viewers[0].film(1.0).then((blob) => blob.size)") > 1000
    with shown(browser, file.as_uri(), dark=True) as tab:
        seen.append(moves_when_asked(tab, covered(run)))
    assert seen[0].mean() > seen[1].mean() + 0.05  # light and dark


def moves_when_asked(tab: Tab, least: float) -> np.ndarray:
    """Slider and camera change a picture that is not blank; the first picture."""
    first = stage_pixels(tab)
    assert share_drawn(first) > least
    assert colour_count(first) > 100
    moved(tab, 0.4)
    second = stage_pixels(tab)
    assert share_changed(first, second) > 2e-4
    tab.ask("haptos.viewers[0].stage.look(haptos.viewers[0].scene.cameras.at(-1))")
    tab.ask("haptos.viewers[0].draw()")
    assert share_changed(second, stage_pixels(tab)) > 2e-4
    return first


def plays_by_itself(tab: Tab) -> None:
    moved(tab, 0.0)
    tab.ask("document.querySelector('.bar button').click()")
    tab.wait("haptos.viewers[0].statistics.frames > 5 && haptos.viewers[0].bar.time > 0")
    tab.ask("document.querySelector('.bar button').click()")
    assert tab.ask("haptos.viewers[0].bar.isPlaying") is False


@pytest.mark.parametrize("way", ["server", "file"])
def test_runs_of_a_campaign_are_picked_from_the_cloud(
    browser: Chromium, campaign: Campaign, way: str, tmp_path: Path
) -> None:
    if way == "file":
        file = viewers.write_viewer(campaign, tmp_path / "study.html")
        assert file is not None
        with shown(browser, file.as_uri()) as tab:
            picked_is_shown(tab)
        return
    with served(campaign, campaign.directory) as address, shown(browser, address) as tab:
        picked_is_shown(tab)
        number = len(campaign.runs) - 1
        tab.ask(f"haptos.viewers[0].replay({number})")
        assert tab.ask("haptos.viewers[0].run") == number
        assert tab.ask("haptos.viewers[0].message.hidden")


def test_no_run_is_picked_while_another_is_recorded(
    browser: Chromium, campaign: Campaign, tmp_path: Path
) -> None:
    file = viewers.write_viewer(campaign, tmp_path / "study.html", runs=2)
    assert file is not None
    with shown(browser, file.as_uri()) as tab:
        tab.ask(
            "(() => { const v = haptos.viewers[0]; window.film = v.film(60);"
            "const n = [...v.table.runs.keys()].find((n) => v.canReplay(n));"
            "return v.replay(n); })()"
        )
        assert tab.ask("haptos.viewers[0].run") == -1
        tab.wait("/recording [1-9]/.test(haptos.viewers[0].message.textContent)")  # of a minute
        tab.ask("haptos.viewers[0].saveFilm()")  # the second press ends it, long before a minute
        # A film that ends before the encoder had a picture may be empty; that it ends is what counts.
        assert tab.ask("window.film.then((blob) => blob instanceof Blob)") is True
        assert tab.ask("haptos.viewers[0].isBusy") is False
        assert tab.ask("haptos.viewers[0].message.hidden")


def picked_is_shown(tab: Tab) -> None:
    """Click the first dot of the cloud: its run is replayed."""
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


def test_a_run_that_is_not_in_the_file_is_told_of(
    browser: Chromium, campaign: Campaign, tmp_path: Path
) -> None:
    file = viewers.write_viewer(campaign, tmp_path / "study.html", runs=1)
    assert file is not None
    with shown(browser, file.as_uri()) as tab:
        held = tab.ask("Object.keys(haptos.viewers[0].head.replays).length")
        assert held < len(campaign.runs)
        tab.ask(
            "(() => { const v = haptos.viewers[0];"
            "return v.replay([...v.table.runs.keys()].find((n) => !v.canReplay(n))); })()"
        )
        assert "not stored" in tab.ask("haptos.viewers[0].message.textContent")


@pytest.fixture
def no_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Figures have tests of their own and take most of a report's time."""
    for place in ("reports.scenario_figures", "view.report.run_figures"):
        monkeypatch.setattr(f"haptos.{place}", lambda _: {})
    monkeypatch.setattr("haptos.view.report.campaign_drawings", lambda _: {})


def test_the_report_of_a_run_holds_the_viewer(
    browser: Chromium, run: Result, tmp_path: Path, no_figures: None
) -> None:
    fits_and_is_seen(browser, reports.write_report(run, tmp_path), covered(run))


def test_the_report_of_a_campaign_holds_the_viewer(
    browser: Chromium, campaign: Campaign, tmp_path: Path, no_figures: None
) -> None:
    fits_and_is_seen(browser, reports.write_report(campaign, tmp_path))


def fits_and_is_seen(browser: Chromium, page: Path, least: float = 0.1) -> None:
    with shown(browser, page.as_uri()) as tab:
        tab.ask("document.querySelector('.viewer').scrollIntoView()")
        assert share_drawn(stage_pixels(tab)) > least
        assert tab.ask("document.documentElement.scrollWidth - window.innerWidth") <= 0
        tab.resize(1200, 560)
        wide = "[...document.querySelectorAll('.wide')].map((e) => e.scrollWidth - e.clientWidth)"
        assert max(tab.ask(wide)) <= 0  # no table scrolls sideways


def test_names_from_files_are_text_and_never_run(
    browser: Chromium, run: Result, tmp_path: Path, no_figures: None
) -> None:
    named = replace(run, name=EVIL, config={**run.config, "name": EVIL})
    file = viewers.write_viewer(named, tmp_path / "run.html")
    assert file is not None
    page = reports.write_report(named, tmp_path)
    with served(named, tmp_path) as address:
        for where in (file.as_uri(), page.as_uri(), address):
            with shown(browser, where) as tab:
                assert tab.ask("window.hacked === undefined")
                title = tab.ask("document.querySelector('.viewer header strong').textContent")
                assert title == EVIL
                assert tab.ask("document.querySelectorAll('.viewer img').length") == 0


def test_a_script_that_is_not_ours_does_not_run(
    browser: Chromium, run: Result, tmp_path: Path
) -> None:
    file = viewers.write_viewer(run, tmp_path / "run.html")
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
