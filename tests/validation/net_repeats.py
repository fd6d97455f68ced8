"""How far the numbers of the built-in nets repeat; writes docs/validation/repeatability.md.

python -m tests.validation.net_repeats
"""

from __future__ import annotations

from pathlib import Path

import haptos as hp
from haptos.core.number_text import short_number
from haptos.core.units import split_unit
from haptos.results.repeats import scatter_text
from haptos.results.result import Result
from haptos.scenarios.files import parse, parse_toml, preset_text
from haptos.scenarios.merging import laid_over

PAGE = Path(__file__).parents[2] / "docs" / "validation" / "repeatability.md"
PRESETS = ("net-deployment", "net-small", "net")
REPEATS = 4
SHOWN = (
    "first_touch_s", "best_quality_percent", "quality_at_touch_percent", "capture_distance_m",
    "lateral_offset_m", "largest_tension_N", "largest_stress_Pa", "peak_contact_force_N",
    "closing_tension_N", "winch_work_J", "tether_tension_N", "target_rate_rad_per_s",
    "target_speed_m_per_s", "recoil_m_per_s",
)  # fmt: skip
HEAD = """# Repeatability

A net that opens and touches is chaotic: a disturbance of one part in 10⁹ grows until it shows. `run.repeats` measures how far. Beside each number of a built-in net stands its
largest difference in {count} runs whose shots and velocities at the start are changed by 1e-9 of themselves, and one with half of every step. A number without
digits to spare is one to take from a campaign and not from a single run.

`python -m tests.validation.net_repeats` runs the presets and writes this page. Each costs {whole} runs and one of twice the steps.
"""


def measured(name: str, repeats: int = REPEATS) -> Result:
    """A preset with its repeats."""
    table = laid_over(parse_toml(preset_text(name), name), {"run": {"repeats": repeats}})
    return hp.simulate(parse(table, name))


def section(name: str, result: Result) -> list[str]:
    """Lines of the page for one preset."""
    assert result.repeats is not None
    lines = [f"## {name}", "", result.repeats.agreement(result.outcome.label), ""]
    lines += ["| metric | value | repeats | unit |", "|---|---|---|---|"]
    for key in SHOWN:
        if key in result.metrics and scatter_text(result.scatter[key]):
            words, unit = split_unit(key)
            value, scatter = short_number(result.metrics[key]), scatter_text(result.scatter[key])
            lines.append(f"| {words.replace('_', ' ')} | {value} | {scatter} | {unit} |")
    return [*lines, ""]


def page(results: dict[str, Result]) -> str:
    """The whole page."""
    lines = HEAD.format(count=REPEATS, whole=REPEATS + 1).splitlines()
    for name, result in results.items():
        lines += ["", *section(name, result)]
    return "\n".join(lines).rstrip() + "\n"


if __name__ == "__main__":
    PAGE.write_text(page({name: measured(name) for name in PRESETS}), encoding="utf-8")
