"""Releases drawn from a plan, as a campaign file: many plans, many draws each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path

import numpy as np

from haptos.core.errors import ConfigError
from haptos.core.whole_files import write_whole
from haptos.planning.release_sequence import Releases
from haptos.results.toml_text import toml_text


def joined(parts: Sequence[Releases]) -> Releases:
    """Releases of several plans, one plan after another."""
    if not parts:
        hint = "releases(plan, standard_draws(100, seed))"
        raise ConfigError("releases", "none", "at least one", hint)
    names = [field.name for field in fields(Releases)]
    return Releases(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))


def write_release_campaign(
    path: str | Path,
    base: str,
    found: Releases,
    *,
    name: str = "releases with errors",
    seed: int = 1,
) -> Path:
    """Write a campaign file with one run for each release, in their order; the path written.

    base  built-in scenario, or a scenario file beside the one written
    Other keys may still vary: add distributions of restitution, friction or mu to the file.
    """
    if not len(found.position_m):
        hint = "releases(plan, standard_draws(100, seed))"
        raise ConfigError(str(path), "no releases", "at least one", hint)
    table = {
        "base": base,
        "name": name,
        "campaign": {"runs": 1, "seed": seed},
        "release": found.sweeps(),
    }
    return write_whole(path, toml_text(table))
