"""Reports: one HTML file per run or campaign that needs nothing else to be read."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from matplotlib.figure import Figure

from haptos.core.outcome import Outcome
from haptos.core.units import split_unit
from haptos.core.whole_files import write_whole
from haptos.results.campaign_summary import STATISTICS, CampaignView
from haptos.results.file_names import REPORT, SCENARIO
from haptos.results.ledger import EnergyLedger
from haptos.results.result import Result
from haptos.results.toml_text import toml_text
from haptos.view import page, viewer_page
from haptos.view.campaign_figures import campaign_figures
from haptos.view.run_figures import run_figures
from haptos.view.settling_map import settling_figures

RUN_COMMAND = f"haptos run {SCENARIO}"


def run_report(
    result: Result,
    path: str | Path,
    more_figures: Mapping[str, Figure] | None = None,
    packet: bytes | None = None,
) -> Path:
    """Write the report of one run to a .html file, or to report.html in a directory.

    more_figures  title -> figure, after those every run has
    packet        what the viewer shows; a report without it has no viewer
    """
    drawn = {**run_figures(result), **(more_figures or {})}
    title = result.name or result.scenario
    body = [
        page.heading(title, f"haptos run of the scenario {result.scenario}"),
        page.verdict(_headline(result), _reason(result), good=result.trusted),
        page.section("Key figures", page.quantities(result.metrics)),
        *_viewer(packet),
        page.section("Energy ledger", *_ledger(result.ledger)),
        page.section("Figures", page.figures(drawn)),
        page.section("Parameters", page.quantities(page.flattened(result.config))),
        page.section("Reproduce", *_reproduce(result)),
        page.section("Sources", page.references(result.cites)),
        page.section("Provenance", page.quantities(result.provenance)),
    ]
    return _written(path, title, body, packet)


def campaign_report(view: CampaignView, path: str | Path, packet: bytes | None = None) -> Path:
    """Write the report of a campaign to a .html file, or to report.html in a directory."""
    drawn = campaign_figures(view.runs, view.keys_by_kind)
    drawn |= settling_figures(view.runs, view.config)
    varied = [[entry["key"], entry["kind"], entry["description"]] for entry in view.varied]
    body = [
        page.heading(view.title, f"haptos campaign of the scenario {view.scenario}"),
        _campaign_verdict(view),
        page.section("Varied", page.table(["key", "kind", "distribution or values"], varied)),
        *_viewer(packet),
        page.section("Statistics", *_statistics(view)),
        page.section("Figures", page.figures(drawn)),
        page.section("Parameters of all runs", page.quantities(page.flattened(view.config))),
        page.section(
            "Reproduce",
            page.preformatted(view.reproduce),
            page.paragraph("The scenario, before the varied keys are put in:"),
            page.preformatted(toml_text(view.config)),
        ),
        page.section("Sources", page.references(view.cites)),
        page.section("Provenance", page.quantities(view.provenance)),
    ]
    return _written(path, view.title, body, packet)


def _written(path: str | Path, title: str, body: list[str], packet: bytes | None) -> Path:
    """Write the page; with a viewer it holds the scripts of the viewer as well."""
    name = f"{title} - haptos"
    if packet is None:
        return write_whole(_target(path), page.page(name, body))
    scripts = viewer_page.viewer_scripts()
    whole = page.page(
        name,
        [*body, viewer_page.script_elements(scripts)],
        style=viewer_page.viewer_style(),
        policy=viewer_page.policy(scripts),
    )
    return write_whole(_target(path), whole)


def _viewer(packet: bytes | None) -> list[str]:
    if packet is None:
        return []
    note = "Drag turns, wheel zooms, shift and drag shifts; the space bar plays and pauses."
    return [page.section("Viewer", viewer_page.viewer_element(packet), page.soft(note))]


def _target(path: str | Path) -> Path:
    path = Path(path)
    return path if path.suffix in (".html", ".htm") else path / REPORT


def _headline(result: Result) -> str:
    if result.trusted:
        return result.ended.sentence
    return f"Not trusted. The motion ended: {result.ended.label}."


def _reason(result: Result) -> str:
    advice = " The numbers below may be used." if result.trusted else " Do not use the numbers."
    return result.verdict + advice


def _ledger(ledger: EnergyLedger) -> list[str]:
    rows: list[list[object]] = [["held at the start", float(ledger.total[0])]]
    rows += [[f"work by {name}", float(series[-1])] for name, series in ledger.works.items()]
    rows += [["remainder at the end", float(ledger.remainder[-1])]]
    rows += [["held at the end", float(ledger.total[-1])]]
    rows += [
        [f"held at the end as {name}", float(series[-1])] for name, series in ledger.stores.items()
    ]
    rows += [["largest remainder of all steps", ledger.max_remainder]]
    rows += [["largest remainder allowed", ledger.bound * ledger.scale]]
    shared = [[*row, "J"] for row in rows]
    return [page.paragraph(ledger.verdict), page.table(["entry", "value", "unit"], shared)]


def _reproduce(result: Result) -> list[str]:
    return [
        page.paragraph(f"Save the text below as {SCENARIO}, then:"),
        page.preformatted(RUN_COMMAND),
        page.preformatted(toml_text(result.config)),
    ]


def _campaign_verdict(view: CampaignView) -> str:
    total, trusted = len(view.runs), view.trusted_count
    counts = ", ".join(f"{count} {label}" for label, count in view.outcome_counts.items())
    headline = f"{total} runs: {counts}." if counts else f"{total} runs."
    if trusted == total:
        return page.verdict(headline, "The energy ledger of every run closes.", good=True)
    doubtful = total - trusted
    reason = (
        f"{doubtful} of {total} runs are not trusted: {Outcome.NOT_TRUSTED.sentence.lower()} "
        "The statistics below say what they count."
    )
    return page.verdict(headline, reason, good=False)


def _statistics(view: CampaignView) -> list[str]:
    columns = ["metric", "unit", "count", "mean", "95 % of mean", "std", "min", "q05", "q25"]
    columns += ["median", "q75", "q95", "max"]
    rows = []
    for metric, row in view.statistics.iterrows():
        name, unit = split_unit(str(metric))
        told = {key: float(f"{row[key]:.4g}") for key in STATISTICS}
        interval = f"{told['mean_low']:g} to {told['mean_high']:g}"
        first = [name.replace("_", " "), unit, int(row["count"]), told["mean"], interval]
        rows.append([*first, *(told[key] for key in columns[5:])])
    note = "Quantiles q05 to q95; the interval holds the mean with 95 % confidence."
    return [page.table(columns, rows), page.paragraph(note)]
