"""Docstrings are plain text with aligned tables: show what follows the first line as it is."""

from __future__ import annotations

from typing import Any

import griffe


class PlainDocstrings(griffe.Extension):
    """Fences everything after the first paragraph, so that Markdown leaves it alone."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        if obj.docstring is None:
            return
        first, _, rest = obj.docstring.value.partition("\n\n")
        shown = first.replace("[", "\\[")
        obj.docstring.value = f"{shown}\n\n```text\n{rest}\n```" if rest.strip() else shown
