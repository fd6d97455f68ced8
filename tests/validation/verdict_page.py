"""Text of a page of verdicts: what was reproduced and what was not, one row each, the runs behind it, and why.

A row holds, fails, is undecided, or is reported without a criterion. What that means for the source is its standing:

reproduced          a published statement holds here, by runs or formulas that could have shown the contrary
identity            holds, and could not but hold: an identity, or a number recomputed from the same formula
source shown wrong  does not hold, and an argument shows that the statement cannot
not reproducible    does not hold, and depends on a datum that the source does not state
ours fails          does not hold, and the fault is taken to be ours
open                undecided by the runs made, or by what is known
reported            a number without a criterion
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from tests.validation.lander_verdicts import Row

STANDINGS = (
    "reproduced", "identity", "source shown wrong", "not reproducible", "ours fails", "open", "reported",
)  # fmt: skip
VERDICTS = {
    "reproduced": "holds",
    "identity": "holds",
    "reported": "reported",
    "ours fails": "fails",
}
BEFORE = Path(__file__).parent / "verdicts_before.json"


def standing(row: Row) -> str:
    """What a verdict means for the source."""
    if row.verdict == "holds":
        return "identity" if row.is_identity else "reproduced"
    if row.verdict == "reported":
        return "reported"
    return row.otherwise or ("ours fails" if row.verdict == "fails" else "open")


def verdict_page(
    introduction: str, effort: str, subject: str, rows: Iterable[Row], name: str
) -> str:
    """Page with an introduction, what it took, the rows under the name of what they are about, and their notes.

    name  of the rows before, whose verdicts stand beside those that changed
    """
    rows = list(rows)
    lines = [
        introduction,
        effort,
        "",
        counts(rows),
        "",
        f"| item | {subject} | what | expected | found | runs | standing |",
        "|---|---|---|---|---|---|---|",
    ]
    for row in rows:
        found = standing(row)
        found = found if found in ("reported", "identity") else f"**{found}**"
        cells = [row.item, row.body, row.what, row.expected, row.found, row.runs or "-", found]
        lines.append("| " + " | ".join(cell.replace("|", "/") for cell in cells) + " |")
    lines += ["", "## Notes", ""]
    lines += [
        f"- {row.item}, {row.body}, {row.what} ({standing(row)}): {row.note}"
        for row in rows
        if row.note
    ]
    return "\n".join([*lines, *changed(rows, name)]) + "\n"


def rows_before(name: str) -> list[dict[str, str]]:
    """Rows of a page as they were before rows had a standing, and the standing they have by what they said then."""
    found: list[dict[str, str]] = json.loads(BEFORE.read_text(encoding="utf-8"))[name]
    return found


def with_rows_before(rows: Iterable[Row], name: str, note: str) -> list[Row]:
    """The rows, and where there is none of an item about a thing, those of the page before with a note."""
    rows = [row for row in rows if row.found != "not run"]
    have = {(row.item, row.body) for row in rows}
    for r in rows_before(name):
        if (r["item"], r["about"]) in have:
            continue
        verdict = "undecided" if r["standing"] == "open" else r["verdict"]
        rows.append(
            Row(r["item"], r["about"], r["what"], r["expected"], r["found"], verdict, note, "as before",  # type: ignore[arg-type]
                r["standing"] == "identity", r["standing"])
        )  # fmt: skip
    return rows


def rows_of_page(text: str) -> list[Row]:
    """The rows of a page as `verdict_page` wrote it, with their notes and standings."""
    table, _, rest = text.partition("## Notes")
    notes = dict(
        _note_of(line) for line in rest.partition("\n## ")[0].splitlines() if line[:2] == "- "
    )
    rows = []
    for line in table.splitlines():
        cells = [cell.strip() for cell in line.split(" | ")]
        if not line.startswith("| ") or len(cells) != 7 or cells[0] == "| item":
            continue
        item, body, what, expected, found, runs, last = [cell.strip("| ") for cell in cells]
        stands = last.strip("*")
        verdict = VERDICTS.get(stands, "fails")
        note = notes.get(f"{item}, {body}, {what} ({stands})", "")
        runs = "" if runs == "-" else runs
        other = "" if stands in VERDICTS else stands
        rows.append(
            Row(item, body, what, expected, found, verdict, note, runs, stands == "identity", other)
        )  # type: ignore[arg-type]
    return rows


def _note_of(line: str) -> tuple[str, str]:
    """(what a note is about, its text) of a line of the notes."""
    for name in STANDINGS:
        about, mark, text = line[2:].partition(f" ({name}): ")
        if mark:
            return f"{about} ({name})", text
    return line[2:], ""


def laid_over(rows: Iterable[Row], before: Iterable[Row]) -> list[Row]:
    """The rows of a page before, those that are there anew in their places, and what is new at the end."""
    new = {(row.item, row.body, row.what): row for row in rows if row.found != "not run"}
    found = [new.pop((row.item, row.body, row.what), row) for row in before]
    return [*found, *new.values()]


def counts(rows: Iterable[Row]) -> str:
    """Line with the number of rows of each standing."""
    found = [standing(row) for row in rows]
    return "**" + ", ".join(f"{found.count(name)} {name}" for name in STANDINGS) + ".**"


def changed(rows: Iterable[Row], name: str) -> list[str]:
    """Table of the rows whose verdict or standing is not what the page said before."""
    before = {(r["item"], r["about"], r["what"]): (r["verdict"], r["found"]) for r in rows_before(name)}  # fmt: skip
    lines = [
        "", "## Rows that changed", "",
        "Before: the page that counted every row that holds as one, by the campaigns made for it. New rows have nothing before.", "",
        "| item | about | what | before | found before | now |", "|---|---|---|---|---|---|",
    ]  # fmt: skip
    same = {"holds": "reproduced", "reported": "reported", "fails": "ours fails", "undecided": "open"}  # fmt: skip
    for row in rows:
        key = row.item, row.body, row.what.replace("|", "/")
        verdict, found = before.get(key, ("new", "-"))
        if same.get(verdict) != standing(row):
            cells = [row.item, row.body, row.what, verdict, found, standing(row)]
            lines.append("| " + " | ".join(cell.replace("|", "/") for cell in cells) + " |")
    return lines
