"""Groups of commands that refuse an unknown one as all else is refused: where, found, allowed, try."""

from __future__ import annotations

import difflib
from typing import Any

from typer.core import TyperGroup

from haptos.core.errors import ConfigError


class NamedCommands(TyperGroup):
    """A group of commands; a name that is none of them is answered with those there are."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        name = str(args[0]) if args else ""
        if name and not name.startswith("-") and self.get_command(ctx, name) is None:
            known = self.list_commands(ctx)
            close = difflib.get_close_matches(name.lower(), known, n=1, cutoff=0.5)
            hint = f"{ctx.command_path} {close[0] if close else '--help'}"
            raise ConfigError(
                f"{ctx.command_path} {name}", "no such command", ", ".join(known), hint
            )
        return super().resolve_command(ctx, args)
