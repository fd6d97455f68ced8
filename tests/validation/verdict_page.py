"""Text of a page of verdicts: what held and what did not, one row each, and why."""

from __future__ import annotations

from collections.abc import Iterable

from tests.validation.lander_verdicts import Row

VERDICTS = ("holds", "fails", "undecided", "reported")


def verdict_page(introduction: str, effort: str, subject: str, rows: Iterable[Row]) -> str:
    """Page with an introduction, what it took, and the rows under the name of what they are about.

    Notes are listed for what does not hold, and for laws that no run has shown.
    """
    rows = list(rows)
    count = {verdict: sum(row.verdict == verdict for row in rows) for verdict in VERDICTS}
    lines = [
        introduction,
        effort,
        "",
        f"**{count['holds']} hold, {count['fails']} fail, {count['undecided']} undecided, {count['reported']} reported.**",
        "",
        f"| item | {subject} | what | expected | found | verdict |",
        "|---|---|---|---|---|---|",
    ]
    for row in rows:
        verdict = f"**{row.verdict}**" if row.verdict in ("holds", "fails") else row.verdict
        cells = [row.item, row.body, row.what, row.expected, row.found, verdict]
        lines.append("| " + " | ".join(cell.replace("|", "/") for cell in cells) + " |")
    lines += ["", "## What fails or is undecided, and why", ""]
    noted = [row for row in rows if row.note and (row.verdict != "holds" or row.body == "law only")]
    lines += [f"- {row.item}, {row.body}, {row.what} ({row.verdict}): {row.note}" for row in noted]
    return "\n".join(lines) + "\n"
