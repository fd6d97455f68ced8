"""Built-in files by name, and what a file is: a scenario or a campaign."""

from __future__ import annotations

from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from haptos.scenarios.files import (
    parse_checked,
    parse_toml,
    preset_names,
    preset_text,
    read_named,
    shipped_files,
)

if TYPE_CHECKING:
    from haptos.campaign.plan import CampaignPlan
    from haptos.scenarios.schema import ScenarioConfig


def campaign_files() -> dict[str, Any]:
    """Built-in campaign name -> readable resource."""
    return dict(sorted(shipped_files("campaigns").items()))


def campaign_names() -> list[str]:
    """Names of the built-in campaigns."""
    return list(campaign_files())


def builtin_text(name: str) -> str:
    """Commented text of a built-in scenario or campaign."""
    if name in preset_names():
        return preset_text(name)
    files = campaign_files()
    if name in files:
        return str(files[name].read_text(encoding="utf-8"))
    from haptos.cli.names import unknown_name

    raise unknown_name(name, "scenario or campaign", [*preset_names(), *files])


def purpose(text: str) -> str:
    """What a built-in file is for: the question of a campaign, or its first line without the comment sign."""
    asked = parse_toml(text, "").get("campaign", {}).get("question")
    return asked or text.partition("\n")[0].removeprefix("#").strip()


def is_campaign(table: dict[str, Any]) -> bool:
    """Campaign files have a table [campaign]; scenario files cannot."""
    return "campaign" in table or "base" in table


def described(name_or_file: str) -> str:
    """One or two lines on what a valid file is; refuses an invalid one."""
    if name_or_file in campaign_files():
        return _described_campaign(name_or_file)
    from haptos.cli.names import looks_like_file, unknown_name

    names = [*preset_names(), *campaign_names()]
    is_there = name_or_file in names or Path(name_or_file).exists()
    if not is_there and not looks_like_file(name_or_file):
        raise unknown_name(name_or_file, "scenario or campaign", names)
    table, where = read_named(name_or_file)
    if is_campaign(table):
        return _described_campaign(name_or_file)
    return described_scenario(parse_checked(table, where), where)


def described_scenario(config: ScenarioConfig, where: str) -> str:
    """One line on a checked scenario."""
    return f"{where}: valid {config.scenario} scenario '{config.name}', seed {config.seed}"


def loaded_plan(name_or_file: str) -> CampaignPlan:
    """Plan of a built-in campaign or of a campaign file."""
    from haptos.campaign.plan import load_plan

    files = campaign_files()
    if name_or_file not in files:
        return load_plan(name_or_file)
    with resources.as_file(files[name_or_file]) as path:
        return load_plan(path, name_or_file)


def _described_campaign(name_or_file: str) -> str:
    from haptos.campaign.checking import check_some_runs
    from haptos.campaign.logs import check_logs, logs_of
    from haptos.campaign.precision import check_goal
    from haptos.campaign.repeats import check_repeats

    plan = loaded_plan(name_or_file)
    check_goal(plan.settings.until, plan.scenario, plan.where)
    checked, total = check_some_runs(plan)
    check_logs(plan)
    check_repeats(plan)
    lines = [
        f"{plan.where}: valid campaign of {plan.total} {plan.scenario} runs, "
        f"{plan.settings.runs} at each of {plan.points} design points, seed {plan.settings.seed}"
    ]
    lines += [f"  {item['key']}: {item['description']}" for item in plan.varied]
    lines.append(
        f"  checked: all {total} configurations"
        if checked == total
        else f"  checked: {checked} of {total} configurations, those with extreme values first; "
        "the campaign checks all of them before it starts"
    )
    if logs := logs_of(plan):
        lines.append(f"  stored besides one row per run: {', '.join(logs)}")
    return "\n".join(lines)
