"""Pieces of a self-contained HTML page. Every piece of text given to them is escaped."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

from matplotlib.figure import Figure

from haptos.core.citations import reference
from haptos.core.slugs import slug
from haptos.core.units import split_unit
from haptos.view.style import svg

# Nothing may be fetched and no script may run, whatever text a scenario file smuggles in.
POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"

STYLE_SHEET = """
:root { color-scheme: light dark; --ink: #1c1e21; --soft: #5d6268; --line: #d9dce0;
  --paper: #ffffff; --tint: #f4f5f7; --good: #00734f; --bad: #b34700; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e7e9; --soft: #a3a8ae; --line: #3a3d42;
  --paper: #18191b; --tint: #222427; --good: #35c79a; --bad: #ff9a4d; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 2rem 1.25rem 4rem; max-width: 58rem; background: var(--paper);
  color: var(--ink); font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0 0 .3rem; overflow-wrap: anywhere; }
h2 { font-size: 1.15rem; margin: 2.4rem 0 .6rem; padding-bottom: .2rem;
  border-bottom: 1px solid var(--line); }
h3 { font-size: 1rem; margin: 1.2rem 0 .3rem; overflow-wrap: anywhere; }
p { margin: .4rem 0; } .soft { color: var(--soft); }
.verdict { margin: 1rem 0; padding: .8rem 1rem; border-left: 5px solid; background: var(--tint); }
.good { border-color: var(--good); } .bad { border-color: var(--bad); }
.verdict strong { display: block; font-size: 1.1rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th, td { text-align: left; padding: .28rem .7rem .28rem 0; border-bottom: 1px solid var(--line);
  vertical-align: top; overflow-wrap: anywhere; }
th { font-weight: 600; color: var(--soft); white-space: nowrap; overflow-wrap: normal; }
td.number, th.number { text-align: right; white-space: nowrap;
  font-variant-numeric: tabular-nums; overflow-wrap: normal; }
.dense { font-size: .78rem; } .dense td, .dense th { overflow-wrap: normal; }
.dense td, .dense td.number, .dense th, .dense th.number { white-space: normal; }
td:first-child { overflow-wrap: normal; }
.parameters td:nth-child(3), .parameters td:nth-child(4) { white-space: nowrap; overflow-wrap: normal; }
figure { margin: 1rem 0; }
figure svg { width: 100%; height: auto; display: block; color: var(--ink); }
figure .save { font: inherit; font-size: .8rem; color: var(--soft); background: none; cursor: pointer;
  border: 1px solid var(--line); border-radius: 4px; padding: .05rem .5rem; }
figcaption { color: var(--soft); font-size: .9rem; }
pre { background: var(--tint); padding: .8rem 1rem; overflow-x: auto; font-size: .82rem;
  line-height: 1.4; border: 1px solid var(--line); white-space: pre-wrap; overflow-wrap: anywhere; }
@media print { figure .save { display: none; } :root { --ink: #000; --soft: #444; --line: #bbb; --paper: #fff; --tint: #fff;
    --good: #00734f; --bad: #b34700; color-scheme: light; }
  body { max-width: none; padding: 0; font-size: 10.5pt; }
  h2, h3 { break-after: avoid; } thead, figure, tr, .verdict { break-inside: avoid; }
  tbody tr:first-child { break-before: avoid; }
  figure svg { max-height: 21cm; } .wide { overflow: visible; } @page { margin: 16mm; } }
"""


def page(title: str, body: Iterable[str], *, style: str = "", policy: str = POLICY) -> str:
    """A whole document; `body` is HTML made by the functions below.

    style   more of the style sheet        policy   what the page may load and run
    """
    return "\n".join(
        [
            '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{escape(title)}</title>\n<style>{STYLE_SHEET}{style}</style>\n</head>\n<body>",
            *body,
            "</body>\n</html>\n",
        ]
    )


def heading(title: str, subtitle: str) -> str:
    return f'<h1>{escape(title)}</h1>\n<p class="soft">{escape(subtitle)}</p>'


def verdict(headline: str, reason: str, *, good: bool) -> str:
    """The sentence to read if only one is read, and whether the numbers may be used."""
    mood = "good" if good else "bad"
    mark = "✓" if good else "⚠"
    return (
        f'<div class="verdict {mood}"><strong>{mark} {escape(headline)}</strong>'
        f"{escape(reason)}</div>"
    )


def section(title: str, *parts: str) -> str:
    return "\n".join([f"<section>\n<h2>{escape(title)}</h2>", *parts, "</section>"])


def paragraph(text: str) -> str:
    return f"<p>{escape(text)}</p>"


def soft(text: str) -> str:
    """A remark in pale letters."""
    return f'<p class="soft">{escape(text)}</p>'


def preformatted(text: str) -> str:
    return f"<pre>{escape(text)}</pre>"


def table(columns: Sequence[str], rows: Iterable[Sequence[Any]], *, is_dense: bool = False) -> str:
    """Rows under column names; columns of numbers stand right, and NaN is a dash.

    is_dense  smaller letters, and only the first column may break its lines
    """
    given = [list(row) for row in rows]
    right = [bool(given) and all(_is_number(row[i]) for row in given) for i in range(len(columns))]
    head = f"<thead>{_row('th', columns, right)}</thead>"
    lines = [_row("td", [shown(value) for value in row], right) for row in given]
    body = "\n".join(["<tbody>", *lines, "</tbody>"])
    kind = ' class="dense"' if is_dense else ""
    return f'<div class="wide"><table{kind}>\n{head}\n{body}\n</table></div>'


def quantities(values: Mapping[str, Any]) -> str:
    """Table of named quantities; the unit is read from the end of each name."""
    rows = []
    for key, value in values.items():
        path, _, last = key.rpartition(".")
        name, unit = split_unit(last)
        rows.append([f"{path}.{name}" if path else name.replace("_", " "), value, unit])
    return table(["quantity", "value", "unit"], rows)


def parameters(rows: Iterable[tuple[str, Any, bool, str]]) -> str:
    """Table of parameters: key, value, whether it is the usual one, and what it is."""
    cells = []
    for key, value, is_usual, meaning in rows:
        _, unit = split_unit(key.rpartition(".")[2])
        cells.append([key, value, unit, "default" if is_usual else "given", meaning])
    made = table(["key", "value", "unit", "from", "what it is"], cells)
    return made.replace("<table>", '<table class="parameters">', 1)


def figures(drawn: Mapping[str, Figure]) -> str:
    """Figures as inline SVG, each under its title."""
    parts: list[str] = []
    for title, figure in drawn.items():
        name = f"{slug(title, 'figure')}-{len(parts)}"
        image = f'<figure class="drawn">{svg(figure, name)}</figure>'
        parts.append(f"<h3>{escape(title)}</h3>\n{image}")
    return "\n".join(parts)


def references(keys: Iterable[str]) -> str:
    return table(["key", "source"], [[key, reference(key)] for key in keys])


def flattened(config: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Nested tables as dotted keys: {'run': {'duration_s': 1.0}} -> {'run.duration_s': 1.0}."""
    flat: dict[str, Any] = {}
    for key, value in config.items():
        name = f"{prefix}{key}"
        if isinstance(value, Mapping) and value:
            flat.update(flattened(value, f"{name}."))
        else:
            flat[name] = value
    return flat


def shown(value: Any) -> str:
    """A value as text: numbers with six digits, a dash for NaN, lists by their items, tables by their keys."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return "–" if value != value else f"{value:.6g}"
    if isinstance(value, (list, tuple)):
        return ", ".join(shown(item) for item in value)
    if isinstance(value, Mapping):
        kind = next((value[key] for key in ("distribution", "sweep") if key in value), None)
        rest = {key: item for key, item in value.items() if key not in ("distribution", "sweep")}
        words = ", ".join(f"{key} {shown(item)}" for key, item in rest.items())
        return words if kind is None else f"{kind} ({words})" if words else str(kind)
    return str(value)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _row(tag: str, cells: Sequence[str], right: Sequence[bool]) -> str:
    marked = [
        f'<{tag} class="number">{escape(cell)}</{tag}>'
        if to_right
        else f"<{tag}>{escape(cell)}</{tag}>"
        for cell, to_right in zip(cells, right, strict=True)
    ]
    return f"<tr>{''.join(marked)}</tr>"
