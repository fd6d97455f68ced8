"""Reports tell the whole run, stand alone, and take no text for markup."""

from __future__ import annotations

import dataclasses
import html
import re
import tomllib
from html.parser import HTMLParser
from pathlib import Path

import pandas as pd
import pytest

from haptos.core.errors import StorageError
from haptos.core.number_text import short_number
from haptos.results.campaign_summary import STATISTICS
from haptos.results.result import Result
from haptos.view.report import campaign_report, run_report
from haptos.view.style import figure
from tests.results.hop import hop
from tests.view.table_of_runs import campaign_view

EVIL = "<script>alert(1)</script>"
VOID = {"meta", "path", "use", "rect", "image", "circle", "line"}


class Outline(HTMLParser):
    """Tags, their nesting, and the text of cells and code."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.open: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.code: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]
        if tag not in VOID:
            self.open.append(tag)
        if tag == "pre":
            self.code.append("")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] == "pre":
            self.code[-1] += data


@pytest.fixture(scope="module")
def run_text(tmp_path_factory: pytest.TempPathFactory) -> str:
    return run_report(hop(), tmp_path_factory.mktemp("run")).read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def campaign_text(tmp_path_factory: pytest.TempPathFactory) -> str:
    written = campaign_report(campaign_view(), tmp_path_factory.mktemp("campaign") / "c.html")
    return written.read_text(encoding="utf-8")


def written(result: Result, folder: Path) -> str:
    return run_report(result, folder / "r.html").read_text(encoding="utf-8")


def test_it_goes_to_the_file_named_or_to_report_html_in_a_directory(tmp_path: Path) -> None:
    small = campaign_view(runs=pd.DataFrame({"trusted": [True]}))
    assert campaign_report(small, tmp_path / "new") == tmp_path / "new" / "report.html"
    assert campaign_report(small, str(tmp_path / "mine.html")) == tmp_path / "mine.html"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mine.html", "new"]


@pytest.mark.parametrize("kind", ["run_text", "campaign_text"])
def test_nothing_is_fetched_and_nothing_is_run(kind: str, request: pytest.FixtureRequest) -> None:
    text = request.getfixturevalue(kind)
    outline = Outline(text)
    assert not {"script", "link", "iframe", "img", "object", "embed", "a"} & set(outline.tags)
    assert "http" not in re.sub(r'http-equiv="', "", text)
    links = [value for name, value in outline.attributes if name in ("src", "href", "xlink:href")]
    assert all(value.startswith(("#", "data:image/png;base64,")) for value in links)
    assert "@import" not in text
    assert not re.search(r"url\((?!#)", text)
    assert not [name for name, _ in outline.attributes if name.startswith("on")]
    assert "default-src 'none'" in text


@pytest.mark.parametrize("kind", ["run_text", "campaign_text"])
def test_tags_are_nested_and_ids_unique(kind: str, request: pytest.FixtureRequest) -> None:
    outline = Outline(request.getfixturevalue(kind))
    assert outline.open == []
    ids = [value for name, value in outline.attributes if name == "id"]
    assert len(ids) == len(set(ids)) > 10


@pytest.mark.parametrize("kind", ["run_text", "campaign_text"])
def test_it_prints_and_follows_the_colour_scheme(kind: str, request: pytest.FixtureRequest) -> None:
    text = request.getfixturevalue(kind)
    assert "@media print" in text
    assert "prefers-color-scheme: dark" in text


def test_a_trusted_run_says_how_it_ended_and_why_it_is_trusted(run_text: str) -> None:
    assert "Came to rest in contact with the surface." in run_text
    assert html.escape(hop().ledger.verdict) in run_text
    assert 'class="verdict good"' in run_text


def test_an_untrusted_run_warns_before_any_number(tmp_path: Path) -> None:
    text = written(hop(error=1e-3), tmp_path)
    assert 'class="verdict bad"' in text
    assert text.index("Do not use the numbers.") < text.index("Key figures")
    assert "The motion ended: settled." in text


def test_metrics_and_parameters_stand_with_value_and_unit(run_text: str) -> None:
    cell = '<tr><td>{}</td><td class="number">{}</td><td>{}</td></tr>'
    assert cell.format("settle time", "29.0191", "s") in run_text
    assert cell.format("escape time", "–", "s") in run_text
    row = "<tr><td>{}</td><td>{}</td><td>{}</td></tr>"
    assert row.format("gravity.acceleration", "0, 0, -0.0057", "m/s^2") in run_text
    assert row.format("probe.mass", "5", "kg") in run_text


def test_the_ledger_table_has_every_actor_and_store(run_text: str) -> None:
    for entry in ("work by damping", "work by friction", "held at the end as elastic"):
        assert f"<td>{entry}</td>" in run_text


def test_the_scenario_in_the_report_reproduces_the_configuration(run_text: str) -> None:
    command, scenario = Outline(run_text).code
    assert command == "haptos run scenario.toml"
    assert tomllib.loads(scenario) == hop().config


def test_sources_and_provenance_are_listed(run_text: str) -> None:
    assert "A family of embedded Runge-Kutta formulae" in run_text
    assert str(hop().provenance["config_hash"]) in run_text


def test_figures_of_the_scenario_are_added(tmp_path: Path) -> None:
    path = run_report(hop(count=20), tmp_path, {"Spin & tumble": figure()})
    assert "<h3>Spin &amp; tumble</h3>" in path.read_text(encoding="utf-8")


def test_text_from_files_is_shown_and_never_obeyed(tmp_path: Path) -> None:
    config = hop(name=EVIL).config | {"evil <b>": {EVIL: EVIL}}
    evil = dataclasses.replace(
        hop(name=EVIL),
        config=config,
        metrics={EVIL: 1.0},
        provenance={EVIL: '"><img src=x onerror=alert(1)>'},
    )
    text = written(evil, tmp_path)
    assert EVIL not in text
    assert html.escape(EVIL) in text
    assert not {"script", "img", "b"} & set(Outline(text).tags)
    assert tomllib.loads(Outline(text).code[1]) == config


def test_text_of_a_campaign_is_shown_and_never_obeyed(tmp_path: Path) -> None:
    runs = pd.DataFrame({"outcome": [EVIL, "b"], "trusted": True, EVIL: [1.0, 2.0], "k": EVIL})
    statistics = pd.DataFrame([dict.fromkeys(STATISTICS, 1.0)], index=[EVIL])
    view = campaign_view(
        title=EVIL,
        scenario=EVIL,
        runs=runs,
        statistics=statistics,
        varied=[{"key": "k", "kind": "swept", "description": EVIL}],
        reproduce=EVIL,
        provenance={"a": EVIL},
    )
    text = campaign_report(view, tmp_path).read_text(encoding="utf-8")
    assert EVIL not in text
    assert "script" not in Outline(text).tags
    assert Outline(text).code[0] == EVIL


def test_a_campaign_says_how_many_ended_how_and_how_many_are_trusted(campaign_text: str) -> None:
    view = campaign_view()
    settled = view.outcome_counts["settled"]
    assert f"240 runs: {settled} settled" in campaign_text
    assert f"{240 - view.trusted_count} of 240 runs are not trusted" in campaign_text
    assert 'class="verdict bad"' in campaign_text


def test_a_campaign_says_why_runs_are_not_trusted(tmp_path: Path) -> None:
    ended = ["steps over", "steps over", "sunk", "settled", "settled"]
    runs = pd.DataFrame({"outcome": ["not trusted"] * 4 + ["settled"], "ended": ended, "trusted": [False] * 4 + [True]})  # fmt: skip
    text = campaign_report(campaign_view(runs=runs), tmp_path).read_text(encoding="utf-8")
    why = "4 of 5 runs are not trusted (2 steps over, 1 with an energy ledger that does not close, 1 sunk)."
    assert why in text


def test_a_campaign_of_trusted_runs_says_so(tmp_path: Path) -> None:
    runs = pd.DataFrame({"outcome": ["settled"] * 2, "trusted": True})
    path = campaign_report(campaign_view(runs=runs), tmp_path)
    assert "The energy ledger of every run closes." in path.read_text(encoding="utf-8")


def test_statistics_and_varied_keys_are_listed(campaign_text: str) -> None:
    mean = campaign_view().statistics.loc["travel_m", "mean"]
    assert "<tr><td>travel</td><td>m</td>" in campaign_text
    assert f"<td>{mean:.3g} [" in campaign_text  # with its interval
    assert "<td>normal, mean 0.05, sigma 0.01</td>" in campaign_text
    assert Outline(campaign_text).code[0] == "haptos campaign study.toml --out out/study"


def test_numbers_are_written_without_powers_of_ten_up_to_a_million():
    reported = [
        short_number(x) for x in (4876.3, 123456.0, 2.5e6, 0.01234, 3e-7, -1234.5, float("nan"))
    ]
    assert reported == ["4880", "123000", "2.5e+06", "0.0123", "3e-07", "-1230", "–"]


def test_a_campaign_without_runs_can_be_reported(tmp_path: Path) -> None:
    view = campaign_view(runs=pd.DataFrame(), statistics=pd.DataFrame(columns=list(STATISTICS)))
    text = campaign_report(view, tmp_path).read_text(encoding="utf-8")
    assert "0 runs." in text


def test_a_report_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StorageError):
        run_report(hop(count=20), tmp_path / "file" / "folder")
