"""Reports: one HTML file per run or campaign that needs nothing else to be read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

from haptos.core.number_text import short_number
from haptos.core.units import split_unit
from haptos.core.whole_files import write_whole
from haptos.results.campaign_summary import STATISTICS, CampaignView
from haptos.results.file_names import REPORT, SCENARIO
from haptos.results.ledger import EnergyLedger
from haptos.results.phases import FLOOR, TITLES, phase_cells
from haptos.results.repeats import scatter_text
from haptos.results.result import Result
from haptos.results.toml_text import toml_text
from haptos.view import page, viewer_page
from haptos.view.campaign_figures import campaign_figures, impact_figures
from haptos.view.dispersion_map import dispersion_figures
from haptos.view.key_frames import framed, key_frame
from haptos.view.place_charts import place_charts
from haptos.view.place_map import place_figures
from haptos.view.run_figures import run_figures
from haptos.view.spread_figures import spread_figures

RUN_COMMAND = f"haptos run {SCENARIO}"
MOST_FAILURES = 20  # runs listed in a report
WIDE = 6  # columns; tables with more are set in smaller letters
ABOUT_THE_FILE = ("schema", "scenario", "name")
Explained = tuple[str, Any, bool, str]  # key, value, whether it is the usual one, what it is


def run_report(
    result: Result,
    path: str | Path,
    more_figures: Mapping[str, Figure] | None = None,
    packet: bytes | None = None,
    parameters: Sequence[Explained] = (),
) -> Path:
    """Write the report of one run to a .html file, or to report.html in a directory.

    more_figures  title -> figure, before those every run has
    packet        what the viewer shows; a report without it has no viewer
    parameters    (key, value, whether it is the usual one, what it is) of every key
    """
    drawn = {**(more_figures or {}), **run_figures(result)}
    title = result.name or result.scenario
    body = [
        page.heading(title, f"haptos run of the scenario {result.scenario}"),
        *_answered(result.question, result.answer),
        page.verdict(_headline(result), _reason(result), good=result.trusted),
        page.section("What was asked", *_asked(result, parameters)),
        page.section("Key figures", *_metrics(result)),
        *_viewer(packet),
        page.section("Energy ledger", *_ledger(result.ledger)),
        page.section("Figures", page.figures(drawn)),
        page.section("Parameters", *_parameters(result.config, parameters)),
        page.section("Reproduce", *_reproduce(result)),
        page.section("Sources", page.references(result.cites)),
        page.section("Provenance", page.quantities(result.provenance)),
    ]
    return _written(path, title, body, packet)


def campaign_report(
    view: CampaignView,
    path: str | Path,
    packet: bytes | None = None,
    parameters: Sequence[Explained] = (),
) -> Path:
    """Write the report of a campaign to a .html file, or to report.html in a directory."""
    drawn = campaign_drawings(view)
    body = [
        page.heading(view.title, f"haptos campaign of the scenario {view.scenario}"),
        *_answered(view.question, view.answer),
        _campaign_verdict(view),
        page.section(
            "What was asked",
            page.paragraph(_question(view)),
            page.table(["key", "unit", "axes", "kind", "distribution or values"], _varied(view)),
        ),
        *_shares(view),
        *_failures(view),
        *_viewer(packet),
        page.section("Statistics", *_statistics(view)),
        *_findings(view),
        page.section("Figures", page.figures(drawn)),
        page.section("Parameters of all runs", *_parameters(view.config, parameters)),
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


def _answered(question: str, answer: str) -> list[str]:
    """What was asked and what came out, before anything else; nothing for files without an answer."""
    return [page.soft(question), page.paragraph(answer)] if answer else []


def _varied(view: CampaignView) -> list[list[str]]:
    """One line per varied key, with unit and axes; elements of a vector have those of the vector."""
    rows = []
    for entry in view.varied:
        unit = split_unit(entry["key"].partition("[")[0])[1]
        rows.append(
            [entry["key"], unit, key_frame(entry["key"]), entry["kind"], entry["description"]]
        )
    return rows


def campaign_drawings(view: CampaignView) -> dict[str, Figure]:
    """Title -> figure of a campaign."""
    drawn = campaign_figures(view.runs, view.keys_by_kind)
    if view.impacts is not None:
        drawn |= impact_figures(view.impacts)
    drawn |= spread_figures(view.runs, view.keys_by_kind, view.findings)
    if view.places is not None:
        drawn |= place_figures(view.places)
        drawn |= place_charts(view.places)
        drawn |= dispersion_figures(view.places)
    return drawn


def _written(path: str | Path, title: str, body: list[str], packet: bytes | None) -> Path:
    """Write the page; with a viewer it holds the scripts of the viewer as well."""
    name = f"{title} - haptos"
    if packet is None:
        return write_whole(_target(path), page.page(name, body))
    scripts = viewer_page.report_scripts()
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


def _metrics(result: Result) -> list[str]:
    """Every metric; with repeats beside each how far it differs in them."""
    if result.repeats is None:
        return [page.quantities(result.metrics)]
    rows: list[list[object]] = []
    for key, value in result.metrics.items():
        name, unit = split_unit(key)
        scatter = scatter_text(result.scatter[key])
        rows.append([framed(name.replace("_", " "), key), short_number(value), scatter, unit])
    note = (
        "Beside each value stands its largest difference in the further runs: the start disturbed by one part in "
        "a billion, and finer steps."
    )
    agreement = result.repeats.agreement(result.outcome.label)
    table = page.table(["quantity", "value", "repeats", "unit"], rows)
    return [page.paragraph(agreement), table, page.soft(note)]


def _ledger(ledger: EnergyLedger) -> list[str]:
    rows: list[list[object]] = [["held at the start", float(ledger.total[0])]]
    rows += [[f"work by {name}", float(series[-1])] for name, series in ledger.works.items()]
    rows += [["remainder at the end", float(ledger.remainder[-1])]]
    rows += [["held at the end", float(ledger.total[-1])]]
    rows += [
        [f"held at the end as {name}", float(series[-1])] for name, series in ledger.stores.items()
    ]
    rows += [["largest remainder of steps and outputs", ledger.max_remainder]]
    worst = ledger.worst
    rows += [[f"largest remainder in the phase {worst.phase.name}", worst.phase.remainder]]
    rows += [[f"allowed in the phase {worst.phase.name}", ledger.bound * worst.scale]]
    shared = [[*row, "J"] for row in rows]
    parts = [page.paragraph(ledger.verdict), page.table(["entry", "value", "unit"], shared)]
    return [*parts, *_phases(ledger)] if ledger.phases else parts


def _phases(ledger: EnergyLedger) -> list[str]:
    """One line per phase, and what its columns are."""
    rows: list[list[object]] = [
        [one.phase.name, *(short_number(number) for number in phase_cells(one))]
        for one in ledger.judged
    ]
    note = (
        "Stored is the largest energy held in the phase, in the frame of the centre of mass, without what rests in "
        "bodies that spin on. The share is the "
        f"remainder over stored and dissipated, at least {FLOOR:g} of the largest phase; work put in is no part of it."
    )
    return [page.table(["phase", *TITLES], rows, is_dense=True), page.soft(note)]


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
    doubts = ", ".join(f"{count} {why}" for why, count in view.doubts.items())
    doubted = f"{total - trusted} of {total} runs are not trusted" + (
        f" ({doubts})" if doubts else ""
    )
    reason = f"{doubted}. The statistics below say what they count."
    return page.verdict(headline, reason, good=False)


def _failures(view: CampaignView) -> list[str]:
    """Which runs failed, with what varied in them, and why."""
    failed = view.failures
    if failed.empty:
        return []
    keys = [str(entry["key"]) for entry in view.varied]
    shown = failed[["run", *keys, "message"]].head(MOST_FAILURES)
    rows = [
        [short_number(x) if isinstance(x, float) else str(x) for x in row]
        for row in shown.itertuples(index=False)
    ]
    note = (
        f"{len(failed)} runs raised an error; they have no numbers and are in no statistics. "
        "The other runs are as they would be without them."
    )
    if len(failed) > len(rows):
        note += f" Shown are the first {len(rows)}; the column message of the table has all."
    columns = ["run", *keys, "message"]
    table = page.table(columns, rows, is_dense=len(columns) > WIDE)
    return [page.section("Failed runs", table, page.soft(note))]


def _asked(result: Result, parameters: Sequence[Explained]) -> list[str]:
    """The question in a sentence, and what was given for it."""
    sentence = f"One run of the scenario {result.scenario}"
    sentence += f", named {result.name}." if result.name else "."
    given = [one for one in parameters if not one[2] and one[0] not in ABOUT_THE_FILE]
    if not given:
        return [page.paragraph(sentence)]
    rows = [[one[0], one[1], split_unit(one[0].rpartition(".")[2])[1]] for one in given]
    return [
        page.paragraph(f"{sentence} These keys were given; all others are as usual."),
        page.table(["key", "value", "unit"], rows),
    ]


def _parameters(config: dict[str, Any], explained: Sequence[Explained]) -> list[str]:
    if not explained:
        return [page.quantities(page.flattened(config))]
    note = "Given: said in the scenario file. Default: as usual, from the table of the scenario."
    return [page.parameters(explained), page.soft(note)]


def _question(view: CampaignView) -> str:
    total = len(view.runs)
    return (
        f"{total} runs of the scenario {view.scenario}, in which these keys vary. "
        f"Seed {view.provenance.get('seed', 'not known')}: the same seed gives the same runs."
    )


def _shares(view: CampaignView) -> list[str]:
    """How often each outcome came, with its 95 % interval."""
    if view.outcomes is None or view.outcomes.empty:
        return []
    rows = []
    for name, row in view.outcomes.iterrows():
        share = f"{row['share']:.1%}"
        interval = f"{row['share_low']:.1%} to {row['share_high']:.1%}"
        rows.append(
            [str(name), int(row["count"]), share, *([] if view.swept_values else [interval])]
        )
    columns = ["outcome", "runs", "share"]
    if not view.swept_values:
        table = page.table([*columns, "95 % interval of the share"], rows)
        return [page.section("Outcomes", table)]
    note = f"Of all runs at {view.swept_values} swept values: these shares depend on which values were chosen. Those of each are below."
    return [page.section("Outcomes", page.table(columns, rows), page.soft(note))]


def _statistics(view: CampaignView) -> list[str]:
    """One line per metric that fits on a page: mean and quantiles, each with its interval."""
    known = {"mean": "mean", "median": "median", "5 %": "q05", "95 %": "q95"}
    rows = []
    for metric, row in view.statistics.iterrows():
        name, unit = split_unit(str(metric))
        shown = {key: short_number(float(row[key])) for key in STATISTICS}
        cells = [f"{shown[key]}{_interval(shown, key)}" for key in known.values()]
        span = "–" if shown["min"] == "–" else f"{shown['min']} to {shown['max']}"
        words = framed(name.replace("_", " "), str(metric))
        rows.append([words, unit, int(row["count"]), *cells, span])
    note = (
        f"{_pooled(view)}{_left_out(view)}Over trusted runs that have a value. Brackets hold the mean or quantile with 95 % confidence; "
        "nine runs in ten lie between 5 % and 95 %."
    )
    columns = ["metric", "unit", "runs", *known, "range"]
    table = page.table(columns, rows, is_dense=True)
    return [table, page.soft(note), *_beside(view.files)]


def _pooled(view: CampaignView) -> str:
    """That the statistics of a sweep are not those of one population."""
    return f"All {view.swept_values} swept values together. " if view.swept_values else ""


def _left_out(view: CampaignView) -> str:
    """How many runs the statistics leave out, where there are any."""
    left = len(view.runs) - view.trusted_count
    if not left:
        return ""
    failed = len(view.failures)
    of_them = f", {failed} of which failed" if failed else ""
    return f"{left} of {len(view.runs)} runs are left out as not trusted{of_them}. "


def _findings(view: CampaignView) -> list[str]:
    """Sensitivity and fits, a section each."""
    sections = []
    for finding in view.findings:
        columns = [str(finding.table.index.name or ""), *map(_with_unit, finding.table.columns)]
        rows: list[list[object]] = [
            [str(name), *(short_number(x) if isinstance(x, float) else str(x) for x in row)]
            for name, row in zip(finding.table.index, finding.table.to_numpy(), strict=True)
        ]
        sections.append(
            page.section(
                finding.title,
                page.table(columns, rows, is_dense=len(columns) > WIDE),
                page.soft(finding.note),
                *_beside(finding.files),
            )
        )
    return sections


def _with_unit(column: object) -> str:
    """Heading of a column of numbers; what has no unit is a plain number."""
    text = str(column).replace("_", " ")
    return text if "[" in text else f"{text} [-]"


def _beside(files: Sequence[str]) -> list[str]:
    """Where the table of a section is stored."""
    return [page.soft(f"As files beside this page: {', '.join(files)}.")] if files else []


def _interval(shown: dict[str, str], key: str) -> str:
    """' [low, high]'; nothing where both ends are unknown, an ellipsis for one of them."""
    ends = [shown[f"{key}_{side}"].replace("–", "…") for side in ("low", "high")]
    return "" if ends == ["…", "…"] else f" [{', '.join(ends)}]"
