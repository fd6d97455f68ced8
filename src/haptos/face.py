"""The public functions that join rooms: simulate any scenario, open and show what was saved."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from haptos.campaign.file_names import MANIFEST
from haptos.core.errors import ConfigError, StorageError
from haptos.results.file_names import RESULT
from haptos.scenarios.registry import EXAMPLE

if TYPE_CHECKING:
    from haptos.results.many_runs import ManyRuns, Store
    from haptos.results.result import Result
    from haptos.scenarios.own_controller import Controller
    from haptos.scenarios.schema import ScenarioConfig


def simulate(
    scenario: ScenarioConfig | Mapping[str, Any] | str | Path,
    *,
    progress: Callable[[float], None] | None = None,
    controller: Callable[..., Any] | Controller | None = None,
    control_interval: float | None = None,
) -> Result:
    """Result of one run, and of its repeats if `run.repeats` asks for some.

    scenario    configuration from `load` or `default`, a built-in name, the path of a file, or
                its tables as a mapping
    progress    called now and then with the share of the work done, 0 to 1
    controller  function of time and measured quantities that gives commands, or a `Controller` with
                delay and limits (`scenarios/own_controller.py`), for scenarios that take one
    control_interval  [s] at which it is asked; its own, or the output interval, if left out
    """
    from haptos.campaign.repeats import simulated
    from haptos.scenarios.registry import scenario as scenario_named
    from haptos.scenarios.registry import scenarios

    config = configuration(scenario, "simulate")
    options: dict[str, Any] = {}
    if controller is not None or control_interval is not None:
        able = [name for name, one in scenarios().items() if one.running.has_control]
        if config.scenario not in able or controller is None:
            what = "no controller" if controller is None else f"scenario '{config.scenario}'"
            found = f"control_interval with {what}" if controller is None else what
            allowed = f"a controller in scenario {', '.join(able)}"
            raise ConfigError("simulate", found, allowed, f"simulate('{able[0]}', controller=hold)")
        options = {"controller": controller, "control_interval": control_interval}
    kind = scenario_named(config.scenario)
    result = simulated(config, progress, **options)
    return replace(result, question=kind.question, answer=kind.showing.answer(result))


def simulate_batch(
    scenarios: Sequence[ScenarioConfig | Mapping[str, Any] | str | Path],
    *,
    store: Store = "summary",
    workers: int | None = None,
) -> ManyRuns:
    """Many runs at once, over all cores: `.runs` is a table with one row per run, in their order.

    scenarios   configurations of one kind of scenario, built-in names, paths of files or mappings
    store       "summary"; "impacts" also keeps every collision in `.impacts`; "trajectories" both
                that and the motion at the output times in `.trajectories`
    workers     threads, one per core if left out; the numbers do not depend on it
    """
    from haptos.campaign.local import checked_workers
    from haptos.campaign.repeats import refuse_repeats
    from haptos.campaign.runner import batch_of, many_runs
    from haptos.scenarios.schema import ScenarioConfig

    if isinstance(scenarios, str | Path | Mapping) or not isinstance(scenarios, Iterable):
        found, hint = f"{type(scenarios).__name__}, one thing", "simulate_batch([scenario])"
        raise ConfigError("simulate_batch", found, "a list of scenarios", hint)
    configs: Sequence[ScenarioConfig]
    if isinstance(scenarios, Sequence) and all(isinstance(x, ScenarioConfig) for x in scenarios):
        # One that makes each when asked need not hold them all.
        configs = cast("Sequence[ScenarioConfig]", scenarios)
    else:
        configs = [configuration(item, "simulate_batch") for item in scenarios]
    kinds = sorted({config.scenario for config in configs})
    if len(kinds) != 1:
        found = "no scenarios" if not kinds else f"scenarios {', '.join(kinds)}"
        hint = "call it once for each kind"
        raise ConfigError("simulate_batch", found, "one or more, all of one kind", hint)
    for config in configs:
        refuse_repeats(config, "simulate_batch")
    return many_runs(batch_of(kinds[0], store=store)(configs, workers=checked_workers(workers)))


def configuration(scenario: Any, where: str) -> ScenarioConfig:
    """Checked configuration of whatever names or holds a scenario; refuses anything else.

    where   function that was called, for the refusal
    """
    from haptos.scenarios.files import check_depth, load, parse
    from haptos.scenarios.schema import ScenarioConfig

    if isinstance(scenario, ScenarioConfig):
        return scenario
    if isinstance(scenario, str | Path):
        return load(scenario)
    if isinstance(scenario, Mapping):
        check_depth(dict(scenario), where)
        return parse(dict(scenario), where)
    allowed = "a scenario from load or default, a built-in name, a path, or a mapping of tables"
    hint = f"{where}(hp.default('{EXAMPLE}'))"
    raise ConfigError(where, f"an object of type {type(scenario).__name__}", allowed, hint)


def open(path: str | Path) -> Any:
    """Saved run (a Result) or saved campaign, whichever the directory or file holds."""
    kind = saved_kind(path)
    if kind == "campaign":
        from haptos.campaign.campaign import open_campaign

        return open_campaign(path)
    from haptos.results.result import open_result

    return open_result(path)


def saved_kind(path: Any) -> str:
    """'run' or 'campaign': what a path holds; refuses anything else."""
    if not isinstance(path, str | Path):
        found, allowed = f"an object of type {type(path).__name__}", "the path of a directory"
        raise StorageError("open", found, allowed, f"hp.open('out/{EXAMPLE}')")
    path = Path(path)
    if path.is_file() and path.suffix == ".nc":
        return "run"
    if (path / RESULT).is_file():
        return "run"
    if (path / MANIFEST).is_file():
        return "campaign"
    found = f"neither {RESULT} nor {MANIFEST}" if path.is_dir() else "no such directory"
    allowed = "a directory written by `haptos run` or `haptos campaign`"
    raise StorageError(str(path), found, allowed, f"haptos run {EXAMPLE}")


def show(saved: Any, directory: str | Path | None = None) -> Path:
    """Write the report of a Result, a campaign or a saved directory and open it where one can see.

    directory    where the report goes; beside what is saved, or a temporary place if left out
    """
    import tempfile

    from haptos.reports import write_report
    from haptos.view.browser import open_page

    shown, home = saved, getattr(saved, "directory", None)
    if isinstance(saved, (str, Path)):
        shown, home = open(saved), Path(saved)
        home = home.parent if home.is_file() else home
    elif not (hasattr(saved, "report") or hasattr(saved, "ledger")):
        found = f"an object of type {type(saved).__name__}"
        hint = f"hp.show(hp.simulate('{EXAMPLE}'))"
        raise StorageError("show", found, "a Result, a campaign, or the path of one", hint)
    page = write_report(shown, directory or home or tempfile.mkdtemp(prefix="haptos-"))
    print(f"report: {page}")
    open_page(page)
    return page


def cite(result: Result | None = None) -> str:
    """Bibliography of the laws that ran; without a result, how to cite haptos itself."""
    import haptos

    own = f"haptos {haptos.__version__}: contact dynamics of spacecraft. Apache-2.0."
    return own if result is None else f"{own}\n{result.cite()}"
