"""`haptos bench`: measure speed and error beside peers, one file per claim."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import typer

from haptos.core.errors import ConfigError


def bench(
    name: str | None = typer.Argument(
        None, metavar="[NAME]", help="One benchmark; all if left out."
    ),
    small: bool = typer.Option(
        False, "--small", help="Little work: whether it runs, not how fast; no claim is judged."
    ),
    listing: bool = typer.Option(False, "--list", help="List the benchmarks and what they claim."),
) -> None:
    """Measure speed and error beside peers on this machine."""
    files = benchmark_files()
    if listing:
        for stem, path in files.items():
            print(f"{stem}: {claim_of(path)}")
        return
    if name is not None and name not in files:
        allowed = ", ".join(files) or "none installed"
        raise ConfigError(name, "no benchmark of that name", allowed, "haptos bench --list")
    chosen = files if name is None else {name: files[name]}
    failed = [stem for stem, path in chosen.items() if not _passes(stem, path, small)]
    if failed:
        print(f"haptos: benchmarks that failed: {', '.join(failed)}", file=sys.stderr)
        raise typer.Exit(1)


def benchmark_files() -> dict[str, Path]:
    """Name -> file, from the installed package or from the clone it is installed from."""
    package = Path(__file__).parents[1]
    for folder in (package / "benchmarks", package.parents[1] / "benchmarks"):
        files = {path.stem: path for path in sorted(folder.glob("[a-z]*.py"))}
        if files:
            return files
    return {}


def claim_of(path: Path) -> str:
    """First line of a benchmark's docstring."""
    text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    return text.partition("\n")[0]


def _passes(stem: str, path: Path, small: bool) -> bool:
    print(f"== {stem}: {claim_of(path)}", flush=True)
    # A process of its own: peers bring their own threads and global state.
    command = [sys.executable, str(path), *(["--small"] if small else [])]
    return subprocess.run(command, check=False).returncode == 0
