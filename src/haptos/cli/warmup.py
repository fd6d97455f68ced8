"""`haptos warmup`: compile the kernels now, so that no later run waits for it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from haptos.scenarios.contract import Scenario


def warmup(
    name: str = typer.Argument("", metavar="[NAME]", help="One scenario; all if left out."),
) -> None:
    """Compile the kernels of one scenario, or of all, so that no later run waits."""
    from haptos.core.jit import cache_root
    from haptos.scenarios.registry import scenario as scenario_named
    from haptos.scenarios.registry import scenarios

    for scenario in [scenario_named(name).name] if name else scenarios():
        start = time.perf_counter()
        warm(scenario)
        print(f"{scenario}: ready after {time.perf_counter() - start:.1f} s")
    print(f"compiled kernels are in {cache_root()}")


def warm(scenario: str) -> None:
    """Run the scenario's default file for a moment, which compiles its kernels."""
    from haptos.face import simulate
    from haptos.scenarios.files import parse, parse_toml, preset_text
    from haptos.scenarios.registry import scenario as scenario_named

    table = parse_toml(preset_text(scenario), scenario)
    if _has_duration(scenario_named(scenario)):
        table.setdefault("run", {})["duration_s"] = 1.0  # kernels are the same for any length
    simulate(parse(table, scenario))


def _has_duration(scenario: Scenario) -> bool:
    """Whether files of a scenario have the key run.duration_s."""
    run = scenario.config_model.model_fields.get("run")
    return run is not None and "duration_s" in getattr(run.annotation, "model_fields", {})
